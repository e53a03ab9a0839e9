//! Indices with XOR strides: shifts and exclusive-ors of the digits of a coordinate.
//!
//! A digit times `^d` is the exclusive-or of the digit shifted by each bit of `d`. A constant table lists these shifts. Steps
//! written out, as in [`unrolled`](super::unrolled), fold to the shifts of unknown digits. Integer strides are summed separately.

use super::evaluate::{Tabled, by_class};
#[cfg(not(unoptimized))]
use super::index_table::class;
use super::index_table::{IndexTable, Overflow, Purpose};
use super::unrolled::{self, Walk, digit, sum};
use crate::types::pattern::operand::{Descriptor, MAX_LEAVES, Slots};
use crate::types::pattern::pattern::Pattern;
use crate::types::unroll::unroll;
use layout_algebra::algebra::xor::exchanged;
use layout_algebra::error::Op;

/// The table that says how to compute an index with XOR strides.
pub(crate) struct XorTable {
    /// Every digit, and the number of its stride.
    table: IndexTable,
    /// Whether the digit has an XOR stride.
    xor: [bool; MAX_LEAVES],
    /// The number of shifted digits. Only the first [`XorTable::MOST`] are listed.
    terms: usize,
    /// The digit of each listed term, and its shift to the left.
    leaf: [u8; MAX_LEAVES],
    shift: [u8; MAX_LEAVES],
}

/// The constant table of XOR strides for a layout and a coordinate type.
pub(crate) trait Exchanged {
    const XOR: &'static XorTable;
}

impl XorTable {
    /// The most shifted digits that are written out. For more, a loop iterates over the bits of each stride.
    const MOST: usize = 32;

    /// A table whose index is 0.
    pub(in crate::types) const NONE: XorTable =
        XorTable { table: IndexTable::EMPTY, xor: [false; MAX_LEAVES], terms: 0, leaf: [0; MAX_LEAVES], shift: [0; MAX_LEAVES] };

    /// Makes the table for coordinates of the type `form`. It never fails, like [`IndexTable::new`].
    pub(in crate::types) const fn new(op: Op, pattern: &Pattern, form: &Descriptor) -> XorTable {
        let mut out = XorTable::NONE;
        let mut plain = *pattern;
        each!(k, 0..plain.lay.len(), {
            out.xor[k] = plain.lay.basis(k).is_xor();
            plain.lay.basis[k] = 0;
        });
        out.table = IndexTable::new(op, &plain, form, Purpose::Leaves);
        out.join();
        each!(k, 0..out.table.len, {
            let mut left = if out.xor[k] { out.table.stride.settled(k) } else { 0 };
            while left != 0 {
                if out.terms < Self::MOST {
                    out.leaf[out.terms] = k as u8;
                    out.shift[out.terms] = left.trailing_zeros() as u8;
                }
                out.terms += 1;
                left &= left - 1;
            }
        });
        out
    }

    /// Joins two digits of a coordinate that continue one another.
    const fn join(&mut self) {
        let mut n = 0;
        each!(k, 0..self.table.len, {
            let table = &mut self.table;
            let known = !table.extent.slot[k] && !table.stride.slot[k];
            if n > 0 && !table.first[k] && known && !table.extent.slot[n - 1] && !table.stride.slot[n - 1] && self.xor[n - 1] == self.xor[k]
            {
                let (extent, stride) = (table.extent.value[n - 1], table.stride.value[n - 1]);
                if extent.is_power_of_two() && extent.wrapping_mul(stride) == table.stride.value[k] {
                    table.extent.value[n - 1] = extent.wrapping_mul(table.extent.value[k]);
                    table.last[n - 1] = table.last[k];
                    continue;
                }
            }
            self.xor[n] = self.xor[k];
            table.first[n] = table.first[k];
            table.last[n] = table.last[k];
            table.coordinate.slot[n] = table.coordinate.slot[k];
            table.coordinate.value[n] = table.coordinate.value[k];
            table.extent.slot[n] = table.extent.slot[k];
            table.extent.value[n] = table.extent.value[k];
            table.stride.slot[n] = table.stride.slot[k];
            table.stride.value[n] = table.stride.value[k];
            n += 1;
        });
        self.table.len = n;
    }

    /// Returns true if every shifted digit is listed.
    pub(in crate::types) const fn is_listed(&self) -> bool {
        self.terms <= Self::MOST
    }

    /// Returns how many steps are written out.
    const fn steps(&self) -> usize {
        if self.is_listed() && self.terms > self.table.len { self.terms } else { self.table.len }
    }

    /// Computes the index as a loop: in constants, in builds where nothing folds, and if there are too many shifted digits.
    pub(in crate::types) const fn looped(&self, coordinates: &Slots, slots: &Slots) -> usize {
        let (mut walk, mut mixed) = (Walk::START, 0);
        each!(k, 0..self.table.len, {
            let digit = digit::<false, false>(&self.table, coordinates, slots, &mut walk, k);
            if self.xor[k] {
                mixed ^= exchanged(digit, self.table.stride.get(k, slots));
            } else {
                sum::<false, false>(&self.table, slots, &mut walk, digit, k);
            }
        });
        walk.sum.wrapping_add(mixed)
    }
}

#[cfg_attr(not(unoptimized), inline(always))]
fn row(table: &XorTable, coordinates: &Slots, slots: &Slots, walk: &mut Walk, digits: &mut Slots, k: usize) {
    if k < table.table.len {
        let digit = digit::<false, false>(&table.table, coordinates, slots, walk, k);
        if table.xor[k] {
            digits[k] = digit;
        } else {
            sum::<false, false>(&table.table, slots, walk, digit, k);
        }
    }
}

#[cfg_attr(not(unoptimized), inline(always))]
fn term(table: &XorTable, digits: &Slots, mixed: &mut usize, k: usize) {
    if k < table.terms {
        *mixed ^= digits[table.leaf[k] as usize % MAX_LEAVES] << (table.shift[k] as usize % usize::BITS as usize);
    }
}

/// Computes the index in `CLASS` written-out steps.
#[cfg_attr(not(unoptimized), inline(always))]
fn unrolled<const CLASS: usize>(table: &XorTable, coordinates: &Slots, slots: &Slots) -> usize {
    let (mut walk, mut digits, mut mixed) = (Walk::START, [0; MAX_LEAVES], 0);
    let (walk, digits, mixed) = (&mut walk, &mut digits, &mut mixed);
    unroll!(CLASS, row(table, coordinates, slots, walk, digits));
    unroll!(CLASS, term(table, digits, mixed));
    mixed.wrapping_add(walk.sum)
}

/// Returns the index of a coordinate by the table of `T`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(in crate::types) fn index<T: Exchanged>(coordinates: &Slots, slots: &Slots) -> usize {
    let table = T::XOR;
    if cfg!(unoptimized) || const { !T::XOR.is_listed() } {
        return table.looped(coordinates, slots);
    }
    if const { T::XOR.steps() == 0 } {
        return 0;
    }
    by_class!(T::XOR.steps(), CLASS => unrolled::<CLASS>(table, coordinates, slots))
}

/// Returns the index and, for a checked table, whether it is inside. If `sums` is false, only the second result is valid.
#[cfg_attr(not(unoptimized), inline(always))]
pub(in crate::types) fn steps<T: Tabled, const CHECKED: bool>(coordinates: &Slots, slots: &Slots, sums: bool) -> (usize, bool) {
    if !CHECKED {
        return (index::<T>(coordinates, slots), true);
    }
    let table = T::TABLE;
    let (sum, inside) = by_class!(T::TABLE.len, CLASS => unrolled::index::<CLASS, false, CHECKED>(table, coordinates, slots, sums));
    if !sums {
        return (0, inside);
    }
    // The exclusive-or is not negative.
    let index = index::<T>(coordinates, slots);
    let exact = match const { T::TABLE.overflow } {
        Overflow::Never => true,
        Overflow::Unsigned => index >= sum,
        Overflow::Signed => index as isize >= sum as isize,
    };
    (index, inside & exact)
}
