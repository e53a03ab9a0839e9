//! Runs the constant tables of a layout type and a coordinate type on their values.

#[cfg(unoptimized)]
use super::index_table::Cells;
use super::index_table::{IndexTable, Overflow, Purpose};
use super::layout::TypedLayout;
use super::operand::{Coordinate, IntTuple, MAX_LEAVES};
use super::ops::Slice;
use super::unrolled::{self, Residual, class};
use crate::error::Op;

/// `$body` with the constant `$name` as the class of `$length`. Of the arms of a `match const`, only one is compiled.
macro_rules! by_class {
    ($length:expr, $name:ident => $body:expr) => {
        by_class!(@ $length, $name => $body; 2 4 8 16 32 64)
    };
    (@ $length:expr, $name:ident => $body:expr; $($class:literal)*) => {
        match const { class($length) } {
            $($class => {
                const $name: usize = $class;
                $body
            })*
            _ => unreachable!(),
        }
    };
}

/// Whether a coordinate type fits a layout type.
pub trait Fits {
    /// Fails the build if it does not. What users call mentions it first.
    const FITS: () = ();
}

/// Nothing to refuse before the program runs.
impl Fits for () {}

/// A constant table for a layout type and a coordinate type.
pub(crate) trait Tabled: Fits {
    const TABLE: &'static IndexTable;
}

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident: $op:ident, $purpose:ident, |$layout:ident, $coord:ident| $first:expr;)*) => { $(
        $(#[$doc])*
        pub struct $name<L, C>(core::marker::PhantomData<(L, C)>);

        impl<$layout: TypedLayout, $coord: IntTuple> Tabled for $name<$layout, $coord> {
            const TABLE: &'static IndexTable = &IndexTable::new(Op::$op, L::PATTERN, &C::DESCRIPTOR, Purpose::$purpose);
        }

        impl<$layout: TypedLayout, $coord: IntTuple> Fits for $name<$layout, $coord> {
            const FITS: () = {
                let () = $first;
                Self::TABLE.require()
            };
        }
    )* };
}

tables! {
    /// The table of `crd2idx`.
    Index: Crd2Idx, Index, |L, C| L::VALID;
    /// The table of `checked_crd2idx`.
    Checked: Crd2Idx, Checked, |L, C| L::VALID;
    /// The table of the digits that a coordinate has.
    Modes: Idx2Crd, Leaves, |L, C| L::VALID;
    /// The table of the leaves, where the coordinate has one for each.
    Leaves: GetStride, Leaves, |L, C| {
        let () = L::VALID;
        Self::TABLE.require_leaves()
    };
    /// The table of the fixed modes of a slice.
    Fixed: Slice, Index, |L, C| Slice::<L, C>::UNCONDITIONAL;
}

/// Up to how many numbers stand in a small buffer: at opt-level 0 a large one costs more than the index.
const FEW: usize = 8;

/// `$body` with the values of the nodes of `$layout: $type` as `$slots`.
macro_rules! with_slots {
    ($type:ty, $layout:expr, $slots:ident => $body:expr) => {
        // A static layout has none, and the compiler need not see them go.
        if const { <$type>::PATTERN.scope.len == 0 } {
            let $slots = &mut [0; 0];
            $body
        } else if const { <$type>::PATTERN.scope.len <= FEW } {
            let $slots = &mut [0; FEW];
            $layout.slots($slots);
            $body
        } else {
            let $slots = &mut [0; MAX_LEAVES];
            $layout.slots($slots);
            $body
        }
    };
}

/// Writes the values of the nodes of `L::PATTERN` to `slots`, which has room for them.
#[inline(always)]
pub(crate) fn write_slots<L: TypedLayout, const N: usize>(layout: &L, slots: &mut [usize; N]) {
    if const { L::PATTERN.scope.len == 0 } {
        // What there is of run-time leaves says nothing of the layout.
    } else if const { L::PATTERN.is_plain() } {
        layout.gather(slots, 0);
    } else if const { L::PATTERN.scope.inputs <= FEW } {
        residual::<L, FEW, N>(layout, slots);
    } else {
        residual::<L, MAX_LEAVES, N>(layout, slots);
    }
}

/// Copies the values of the nodes of `L::PATTERN`.
#[inline(always)]
pub(crate) fn copy<L: TypedLayout, const X: usize, const N: usize>(from: &[usize; X], to: &mut [usize; N]) {
    if const { L::PATTERN.scope.len > 0 } {
        by_class!(L::PATTERN.scope.len, CLASS => unrolled::copy::<CLASS, X, N>(from, to))
    }
}

#[inline(always)]
fn residual<L: TypedLayout, const ROOM: usize, const N: usize>(layout: &L, slots: &mut [usize; N]) {
    let mut inputs = [0; ROOM];
    layout.gather(&mut inputs, 0);
    let table = const { &Residual::new(L::PATTERN) };
    by_class!(L::PATTERN.scope.len, CLASS => unrolled::residual::<CLASS, ROOM, N>(table, &inputs, slots))
}

/// The index of `c`.
#[inline(always)]
pub(crate) fn index<T: Tabled, L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> usize {
    #[cfg(unoptimized)]
    if const { T::TABLE.products > 0 && T::TABLE.strides_are_inputs && L::GATHERS_INPUTS } {
        macro_rules! gathered {
            ($zeros:expr) => {{
                let mut inputs = $zeros;
                layout.gather_strides(&mut inputs);
                products::<T, C, _>(c, &T::TABLE.stride_input, &inputs)
            }};
        }
        return match const { L::PATTERN.scope.inputs } {
            0 => products::<T, C, 0>(c, &T::TABLE.stride_input, &[]),
            1 => gathered!([0]),
            2 => gathered!([0, 0]),
            3 => gathered!([0, 0, 0]),
            4 => gathered!([0, 0, 0, 0]),
            _ => gathered!([0; MAX_LEAVES]),
        };
    }
    with_slots!(L, layout, slots => run::<T, C, _>(c, slots, true).0)
}

/// The index of few coordinates that are multiplied by their strides and summed: few instructions without an optimiser too.
#[cfg(unoptimized)]
#[inline(always)]
fn products<T: Tabled, C: IntTuple, const N: usize>(c: &C, strides: &Cells, values: &[usize; N]) -> usize {
    macro_rules! sum {
        ($zeros:expr; $first:literal $($k:literal)*) => {{
            let mut x = $zeros;
            c.gather(&mut x, 0);
            x[$first].wrapping_mul(sum!($first))
            $(.wrapping_add(x[$k].wrapping_mul(sum!($k))))*
        }};
        ($k:literal) => { if strides.slot[$k] { values[strides.value[$k]] } else { strides.value[$k] } };
    }
    match const { T::TABLE.products } {
        1 => sum!([0]; 0),
        2 => sum!([0, 0]; 0 1),
        3 => sum!([0, 0, 0]; 0 1 2),
        _ => sum!([0, 0, 0, 0]; 0 1 2 3),
    }
}

/// Runs a table on a coordinate: the index, and for a checked table whether it is inside.
#[inline(always)]
pub(crate) fn run<T: Tabled, C: IntTuple, const N: usize>(c: &C, slots: &[usize; N], sums: bool) -> (usize, bool) {
    #[cfg(unoptimized)]
    if const { T::TABLE.products > 0 } {
        return (products::<T, C, N>(c, &T::TABLE.stride, slots), true);
    }
    if const { T::TABLE.inputs <= FEW } { run_in::<T, C, FEW, N>(c, slots, sums) } else { run_in::<T, C, MAX_LEAVES, N>(c, slots, sums) }
}

#[inline(always)]
fn run_in<T: Tabled, C: IntTuple, const X: usize, const N: usize>(c: &C, slots: &[usize; N], sums: bool) -> (usize, bool) {
    let mut coordinates = [0; X];
    c.gather(&mut coordinates, 0);
    // Named once: what the compiler says of a wrong layout grows with every mention.
    let table = T::TABLE;
    if const { T::TABLE.len == 0 } {
        (0, true)
    } else if const { T::TABLE.settled } {
        by_class!(T::TABLE.len, CLASS => unrolled::index::<CLASS, true, X, N>(table, &coordinates, slots, sums))
    } else {
        by_class!(T::TABLE.len, CLASS => unrolled::index::<CLASS, false, X, N>(table, &coordinates, slots, sums))
    }
}

/// The index of `c` if it is inside the shape and can be represented.
#[inline(always)]
pub(crate) fn checked<L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> Option<usize> {
    let table = Checked::<L, C>::TABLE;
    with_slots!(L, layout, slots => {
        if const { Checked::<L, C>::TABLE.len > 0 } {
            let occupied = by_class!(Checked::<L, C>::TABLE.len, CLASS => unrolled::occupied::<CLASS, _>(table, slots));
            // The index after the questions, so that it is computed only where there is one.
            let sums = const { !matches!(Checked::<L, C>::TABLE.overflow, Overflow::Never) };
            if !occupied || !run::<Checked<L, C>, C, _>(c, slots, sums).1 {
                return None;
            }
        }
        Some(run::<Checked<L, C>, C, _>(c, slots, true).0)
    })
}

/// The product of the extents of mode `K`, or of all of them.
#[inline(always)]
pub(crate) fn size<L: TypedLayout>(layout: &L, leaves: (usize, usize)) -> usize {
    let lay = &L::PATTERN.lay;
    if const { L::PATTERN.lay.tree.len == 0 } {
        return 1;
    }
    with_slots!(L, layout, slots => by_class!(L::PATTERN.lay.tree.len, CLASS => unrolled::size::<CLASS, _>(lay, leaves, slots)))
}

/// A number for each integer of a coordinate of type `C`: `$step` of each row.
macro_rules! collect {
    ($table:ident, $l:ident, $c:ident, $layout:ident, $step:ident, $rest:expr) => {{
        let mut values = [0; MAX_LEAVES];
        let table = $table::<$l, $c>::TABLE;
        if const { $table::<$l, $c>::TABLE.len > 0 } {
            with_slots!($l, $layout, slots => by_class!($table::<$l, $c>::TABLE.len, CLASS => {
                unrolled::$step::<CLASS, _>(table, slots, &mut values, $rest)
            }))
        }
        $c::from_values(&values, &mut 0)
    }};
}

/// The coordinate at position `index`.
#[inline(always)]
pub(crate) fn digits<L: TypedLayout, C: Coordinate>(layout: &L, index: usize) -> C {
    collect!(Modes, L, C, layout, digits, index)
}

/// The extents of the modes that `C` has integers for.
#[inline(always)]
pub(crate) fn extents<L: TypedLayout, C: Coordinate>(layout: &L) -> C {
    collect!(Modes, L, C, layout, extents, 1)
}

/// The strides of the leaves, for each of which `C` has an integer.
#[inline(always)]
pub(crate) fn strides<L: TypedLayout, C: Coordinate>(layout: &L) -> C {
    collect!(Leaves, L, C, layout, strides, 0)
}
