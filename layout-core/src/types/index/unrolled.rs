//! Straight-line evaluation of the constant tables.
//!
//! Steps are written out and are not generic. Inlined on a constant table, they fold to the arithmetic on the unknown leaves at every
//! opt-level; a loop would not at `s` and `z`. At opt-level 0 nothing folds, so loops are called, except for sums of few products.

use super::index_table::{IndexTable, Overflow};
use crate::types::pattern::operand::{MAX_LEAVES, Slots, div_rem};
use crate::types::unroll::unroll;
use layout_algebra::algebra::xor::exchanged;
use layout_algebra::value::LayoutValue;

/// Reads a cell as `Cells::get` does, without a call.
macro_rules! cell {
    ($cells:expr, $k:expr, $slots:expr) => {
        if $cells.slot[$k] { $slots[$cells.value[$k] % MAX_LEAVES] } else { $cells.value[$k] }
    };
}

/// The state of a pass over the digits and terms of a table. A digit is the part of a coordinate that is multiplied by one stride. A term
/// adds a digit to a product and multiplies it by a factor.
pub struct Walk {
    /// The rest of the current integer of the coordinate, after the digits so far.
    rest: usize,
    /// The product of the terms of the current chain.
    product: usize,
    /// The sum of the products so far.
    pub sum: usize,
    /// The exclusive-or of the products of XOR strides.
    mixed: usize,
    /// Whether every coordinate so far lies in its mode.
    pub inside: bool,
    /// Whether no sum or product that the table checks has overflowed.
    pub exact: bool,
}

impl Walk {
    pub(in crate::types) const START: Walk = Walk { rest: 0, product: 0, sum: 0, mixed: 0, inside: true, exact: true };

    /// Returns `a * b`, and clears `exact` on an overflow that the table checks for.
    #[inline(always)]
    const fn times(&mut self, table: &IndexTable, a: usize, b: usize) -> usize {
        let (product, over) = match table.overflow {
            Overflow::Never => (a.wrapping_mul(b), false),
            Overflow::Unsigned => a.overflowing_mul(b),
            Overflow::Signed => {
                let (product, over) = (a as isize).overflowing_mul(b as isize);
                (product as usize, over)
            }
        };
        self.exact &= !over;
        product
    }

    /// Returns `a + b`, and clears `exact` on an overflow that the table checks for.
    #[inline(always)]
    const fn plus(&mut self, table: &IndexTable, a: usize, b: usize) -> usize {
        let (sum, over) = match table.overflow {
            Overflow::Never => (a.wrapping_add(b), false),
            Overflow::Unsigned => a.overflowing_add(b),
            Overflow::Signed => {
                let (sum, over) = (a as isize).overflowing_add(b as isize);
                (sum as usize, over)
            }
        };
        self.exact &= !over;
        sum
    }

    /// Combines `digit * ^stride` into the index by exclusive-or. It is a function because constant evaluation pays for each name.
    const fn exchange(&mut self, table: &IndexTable, digit: usize, stride: usize) {
        self.mixed ^= exchanged(digit, stride);
        let most = usize::BITS - matches!(table.overflow, Overflow::Unsigned) as u32;
        self.exact &= digit.leading_zeros() + stride.leading_zeros() >= most;
    }
}

/// Computes digit `k` of a coordinate. Adds its product with its stride to the sum, or stores it in `digits` for its term. `SETTLED` is
/// true if every extent and stride is a constant, which leaves less for the compiler to fold.
#[inline(always)]
fn row<const SETTLED: bool, const CHECKED: bool>(
    table: &IndexTable,
    coordinates: &Slots,
    slots: &Slots,
    walk: &mut Walk,
    digits: &mut Slots,
    sums: bool,
    k: usize,
) {
    if k >= table.len {
        return;
    }
    if table.first[k] {
        walk.rest = table.coordinate.get(k, coordinates);
    }
    let extent = if SETTLED { table.extent.settled(k) } else { table.extent.get(k, slots) };
    let digit = if table.last[k] {
        walk.inside &= walk.rest < extent;
        walk.rest
    } else {
        let (digit, rest) = if table.positive[k] { rem_div_positive(walk.rest, extent) } else { rem_div(walk.rest, extent) };
        walk.rest = rest;
        digit
    };
    if CHECKED && !sums {
        return;
    }
    if table.chained[k] {
        digits[k] = digit;
        return;
    }
    let stride = if SETTLED { table.stride.settled(k) } else { table.stride.get(k, slots) };
    if CHECKED {
        let product = walk.times(table, digit, stride);
        walk.sum = walk.plus(table, walk.sum, product);
    } else {
        walk.sum = walk.sum.wrapping_add(digit.wrapping_mul(stride));
    }
}

/// Returns `(x % d, x / d)`, and `(x, 0)` if `d` is 0. The digit is first: opt-levels 2 and 3 would copy a second value.
#[inline(always)]
#[allow(clippy::manual_checked_ops, reason = "options fold later than branches")]
const fn rem_div(x: usize, d: usize) -> (usize, usize) {
    if d == 0 { (x, 0) } else { (x % d, x / d) }
}

/// Returns `(x % d, x / d)` for a `d` that is not 0. There is no branch, even if the compiler does not know this.
#[inline(always)]
const fn rem_div_positive(x: usize, d: usize) -> (usize, usize) {
    // Without a branch, even opt-level 1 merges two divisions of the same numbers.
    let d = d | (d == 0) as usize;
    (x % d, x / d)
}

/// Adds the digit of term `k` to the product of its chain and multiplies it by the factor of the term. Adds the product to the sum if the
/// term is the last of its chain.
#[inline(always)]
fn term<const SETTLED: bool, const CHECKED: bool>(table: &IndexTable, slots: &Slots, walk: &mut Walk, digits: &Slots, k: usize) {
    if k >= table.terms {
        return;
    }
    let factor = if SETTLED { table.factor.settled(k) } else { table.factor.get(k, slots) };
    let digit = digits[table.digit[k] as usize % MAX_LEAVES];
    if CHECKED {
        let sum = walk.plus(table, walk.product, digit);
        walk.product = walk.times(table, sum, factor);
    } else {
        walk.product = walk.product.wrapping_add(digit).wrapping_mul(factor);
    }
    if k >= table.terms - table.shifted {
        walk.mixed ^= walk.product;
        walk.product = 0;
    } else if table.closed[k] {
        walk.sum = if CHECKED { walk.plus(table, walk.sum, walk.product) } else { walk.sum.wrapping_add(walk.product) };
        walk.product = 0;
    }
}

/// Returns the index of a coordinate. For a table that checks, the second result is true if every coordinate lies in its mode and nothing
/// overflows.
///
/// `CLASS` is the number of steps that are written out: at least the number of digits, and of terms, of the table. `SETTLED` is true if
/// every extent and stride of the table is a constant. `CHECKED` is true for a table that checks. If `sums` is false, the index is not
/// computed, because the compiler optimises the check better without it: the first result has no meaning, and overflow is not checked.
#[cfg_attr(not(unoptimized), inline(always))]
pub fn index<const CLASS: usize, const SETTLED: bool, const CHECKED: bool>(
    table: &IndexTable,
    coordinates: &Slots,
    slots: &Slots,
    sums: bool,
) -> (usize, bool) {
    if cfg!(unoptimized) {
        return by_loop(table, coordinates, slots, sums);
    }
    let (mut walk, mut digits) = (Walk::START, [0; MAX_LEAVES]);
    let (walk, digits) = (&mut walk, &mut digits);
    let (row, term) = (row::<SETTLED, CHECKED>, term::<SETTLED, CHECKED>);
    unroll!(CLASS, row(table, coordinates, slots, walk, digits, sums));
    if sums {
        unroll!(CLASS, term(table, slots, walk, digits));
        if table.xor != 0 {
            walk.sum = if CHECKED { walk.plus(table, walk.sum, walk.mixed) } else { walk.sum.wrapping_add(walk.mixed) };
        }
    }
    (walk.sum, walk.inside & walk.exact)
}

/// Returns the results of [`index`], computed by the loop of [`looped`].
pub fn by_loop(table: &IndexTable, coordinates: &Slots, slots: &Slots, sums: bool) -> (usize, bool) {
    let walk = looped(table, coordinates, slots);
    (walk.sum, walk.inside & (walk.exact | !sums))
}

/// Computes the same as [`index`] in a loop, and returns its state: for constants, for builds where nothing folds, and for tables with too
/// many shifted digits.
#[allow(clippy::manual_checked_ops, reason = "a checked division is a call, and constants pay for calls")]
pub const fn looped(table: &IndexTable, coordinates: &Slots, slots: &Slots) -> Walk {
    let mut walk = Walk::START;
    let mut k = 0;
    // Constants and unoptimised builds pay for calls, so this loop makes few.
    while k < table.len {
        if table.first[k] {
            walk.rest = cell!(table.coordinate, k, coordinates);
        }
        let (digit, extent, stride) = (walk.rest, cell!(table.extent, k, slots), cell!(table.stride, k, slots));
        let digit = if table.last[k] {
            walk.inside &= digit < extent;
            digit
        } else if extent == 0 {
            walk.rest = 0;
            digit
        } else {
            walk.rest = digit / extent;
            digit % extent
        };
        match table.overflow {
            _ if table.xor >> k & 1 == 1 => walk.exchange(table, digit, stride),
            Overflow::Never => walk.sum = walk.sum.wrapping_add(digit.wrapping_mul(stride)),
            // Computes as `times` and `plus` do, in integers wide enough for both.
            Overflow::Signed => {
                let product = (digit as isize as i128) * (stride as isize as i128);
                let sum = (walk.sum as isize as i128) + product;
                walk.exact &= product == product as isize as i128 && sum == sum as isize as i128;
                walk.sum = sum as usize;
            }
            Overflow::Unsigned => {
                let product = walk.times(table, digit, stride);
                walk.sum = walk.plus(table, walk.sum, product);
            }
        }
        k += 1;
    }
    if table.xor != 0 {
        walk.sum = walk.plus(table, walk.sum, walk.mixed);
    }
    walk
}

/// Clears `occupied` if digit `k` is not the last of its coordinate and its extent is 0.
#[cfg_attr(not(unoptimized), inline(always))]
fn allows(table: &IndexTable, slots: &Slots, occupied: &mut bool, k: usize) {
    if k < table.len && !table.last[k] && table.unknown[k] {
        *occupied &= table.extent.get(k, slots) != 0;
    }
}

/// Returns true if no extent is 0, except for last digits, whose extents [`index`] checks. Takes `CLASS` unrolled steps.
#[cfg_attr(not(unoptimized), inline(always))]
pub fn occupied<const CLASS: usize>(table: &IndexTable, slots: &Slots) -> bool {
    let mut occupied = true;
    if cfg!(unoptimized) {
        for k in 0..table.len {
            allows(table, slots, &mut occupied, k);
        }
    } else {
        unroll!(CLASS, allows(table, slots, &mut occupied));
    }
    occupied
}

/// Multiplies the size by the extent of leaf `k`, if it is one of `leaves`.
#[cfg_attr(not(unoptimized), inline(always))]
fn extent(l: &LayoutValue<MAX_LEAVES>, leaves: (usize, usize), slots: &Slots, size: &mut usize, k: usize) {
    if leaves.0 <= k && k < leaves.1 {
        *size = size.wrapping_mul(match l.extent(k).node() {
            Some(node) => slots[node % MAX_LEAVES],
            None => l.shape[k] as usize,
        });
    }
}

/// Returns the product of the extents of the leaves `leaves.0..leaves.1`, in `CLASS` unrolled steps.
#[cfg_attr(not(unoptimized), inline(always))]
pub fn size<const CLASS: usize>(l: &LayoutValue<MAX_LEAVES>, leaves: (usize, usize), slots: &Slots) -> usize {
    let mut size = 1;
    if cfg!(unoptimized) {
        for k in leaves.0..leaves.1 {
            extent(l, leaves, slots, &mut size, k);
        }
    } else {
        unroll!(CLASS, extent(l, leaves, slots, &mut size));
    }
    size
}

/// The state of a sum of the digits of each mode: the `rest` of the coordinate, and the `weight` of the next digit of mode `mode - 1`.
pub struct Linear {
    rest: usize,
    mode: usize,
    weight: usize,
}

impl Linear {
    pub const START: Linear = Linear { rest: 0, mode: 0, weight: 1 };
}

#[cfg_attr(not(unoptimized), inline(always))]
fn digit_in_mode(
    table: &IndexTable,
    by_mode: &IndexTable,
    coordinates: &Slots,
    slots: &Slots,
    walk: &mut Linear,
    modes: &mut Slots,
    k: usize,
) {
    if k >= table.len {
        return;
    }
    if table.first[k] {
        walk.rest = table.coordinate.get(k, coordinates);
    }
    if by_mode.first[k] {
        (walk.mode, walk.weight) = (walk.mode + 1, 1);
    }
    let extent = table.extent.get(k, slots);
    let (rest, digit) = if table.last[k] { (0, walk.rest) } else { div_rem(walk.rest, extent) };
    walk.rest = rest;
    let mode = &mut modes[(walk.mode - 1) % MAX_LEAVES];
    *mode = mode.wrapping_add(digit.wrapping_mul(walk.weight));
    walk.weight = walk.weight.wrapping_mul(extent);
}

/// Writes to `modes` the integer of each mode that a coordinate stands for, in `CLASS` unrolled steps.
#[cfg_attr(not(unoptimized), inline(always))]
pub fn mode_coordinates<const CLASS: usize>(
    table: &IndexTable,
    by_mode: &IndexTable,
    coordinates: &Slots,
    slots: &Slots,
    walk: &mut Linear,
    modes: &mut Slots,
) {
    if cfg!(unoptimized) {
        for k in 0..table.len {
            digit_in_mode(table, by_mode, coordinates, slots, walk, modes, k);
        }
    } else {
        unroll!(CLASS, digit_in_mode(table, by_mode, coordinates, slots, walk, modes));
    }
}

/// Writes the extent and stride of leaf `k`.
#[cfg_attr(not(unoptimized), inline(always))]
fn leaf<const N: usize>(table: &IndexTable, slots: &Slots, extents: &mut [usize; N], strides: &mut [usize; N], k: usize) {
    if k < table.len {
        extents[k] = table.extent.get(k, slots);
        strides[k] = table.stride.get(k, slots);
    }
}

/// Writes the extents and strides of the leaves, in `CLASS` unrolled steps.
#[cfg_attr(not(unoptimized), inline(always))]
pub fn leaves<const CLASS: usize, const N: usize>(table: &IndexTable, slots: &Slots, extents: &mut [usize; N], strides: &mut [usize; N]) {
    if cfg!(unoptimized) {
        for k in 0..table.len {
            leaf(table, slots, extents, strides, k);
        }
    } else {
        unroll!(CLASS, leaf(table, slots, extents, strides));
    }
}

/// The state of a pass over the integers of a coordinate: `place` is the number of the integer, `size` the product of its extents so far,
/// and `rest` the quotient by the sizes of the integers before it.
struct Modes {
    place: usize,
    size: usize,
    rest: usize,
}

macro_rules! over_modes {
    ($($(#[$doc:meta])* $name:ident, $step:ident, |$table:ident, $slots:ident, $modes:ident, $k:ident| $value:expr;)*) => { $(
        #[cfg_attr(not(unoptimized), inline(always))]
        fn $step($table: &IndexTable, $slots: &Slots, $modes: &mut Modes, values: &mut Slots, $k: usize) {
            if $k >= $table.len {
                return;
            }
            if $table.first[$k] {
                ($modes.place, $modes.size) = ($table.coordinate.value[$k], 1);
            }
            $modes.size = $modes.size.wrapping_mul($table.extent.get($k, $slots));
            if $table.last[$k] {
                values[$modes.place % MAX_LEAVES] = $value;
            }
        }

        $(#[$doc])*
        #[cfg_attr(not(unoptimized), inline(always))]
        pub fn $name<const CLASS: usize>(
            table: &IndexTable,
            slots: &Slots,
            values: &mut Slots,
            rest: usize,
        ) {
            let modes = &mut Modes { place: 0, size: 1, rest };
            if cfg!(unoptimized) {
                for k in 0..table.len {
                    $step(table, slots, modes, values, k);
                }
            } else {
                unroll!(CLASS, $step(table, slots, modes, values));
            }
        }
    )* };
}

over_modes! {
    /// Writes the digits of `rest`, one for each integer of the coordinate. The last takes the whole quotient.
    digits, digit_of_mode, |table, slots, modes, k| {
        if k + 1 == table.len {
            modes.rest
        } else {
            let (rest, digit) = div_rem(modes.rest, modes.size);
            modes.rest = rest;
            digit
        }
    };
    /// Writes, for each integer of the coordinate, the product of the extents of its leaves.
    extents, extent_of_mode, |table, slots, modes, k| modes.size;
    /// Writes the stride of each leaf. The coordinate has an integer for each leaf.
    strides, stride_of_mode, |table, slots, modes, k| table.stride.get(k, slots);
}
