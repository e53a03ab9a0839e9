//! Indices and coordinates of static layouts, computed in constants. Layouts with run-time leaves are in `evaluate` and `hoist`.

use super::index_table::{IndexTable, Purpose};
use super::typed_layout::TypedLayout;
use super::unrolled::looped;
use crate::types::pattern::operand::{AsOperand, Descriptor, IntTuple, MAX_LEAVES, Slots};
use layout_algebra::error::{Cause, LayoutError, Op, refuse};
use layout_algebra::value::Facts;

/// The index of the static coordinate `C` in the static layout `L`, as a type.
///
/// ```
/// use layout_core::{Int, Layout, Strided};
/// use layout_core::layouts::Const;
/// type L = Strided<(Int<3>, Int<4>, Int<5>), (Int<20>, Int<5>, Int<1>)>;
/// type I = Const<L, (Int<1>, Int<2>, Int<3>)>;
/// assert_eq!(I::VALUE, 33);
/// ```
pub struct Const<L, C>(core::marker::PhantomData<(L, C)>);

impl<L: TypedLayout, C: IntTuple> Const<L, C> {
    /// The index of the coordinate `C`, in elements.
    pub const VALUE: usize = {
        let () = L::VALID;
        // This is a variable because a temporary would become a constant of its own, which the compiler checks.
        let table = IndexTable::new(Op::Crd2Idx, L::PATTERN, &C::DESCRIPTOR, Purpose::Leaves);
        known_index(&table)
    };
}

/// Returns the index of a coordinate in the static layout `L`: one integer for each mode, or one integer `[i]`. Constants can call it.
///
/// A wrong number of modes is a compile error, and so is a layout with run-time leaves.
///
/// ```
/// use layout_core::{Int, Strided};
/// use layout_core::layouts::const_index;
/// type Taps = Strided<(Int<3>, Int<3>), (Int<4>, Int<1>)>;
/// const BOX: [u8; 12] = {
///     let (mut table, mut k) = ([0; 12], 0);
///     while k < 9 {
///         table[const_index::<Taps, 2>([k / 3, k % 3])] = 1;
///         k += 1;
///     }
///     table
/// };
/// assert_eq!(BOX, [1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0]);
/// ```
#[track_caller]
pub const fn const_index<L: TypedLayout, const N: usize>(coordinate: [usize; N]) -> usize {
    let () = L::VALID;
    let (mut slots, mut k) = ([0; MAX_LEAVES], 0);
    while k < N {
        slots[k] = coordinate[k];
        k += 1;
    }
    exact(const { &Modewise::<L, N>::TABLE }, &slots)
}

/// Returns the coordinate at colexicographic position `k` of the static layout `L`: one integer for each mode. Constants can call it.
///
/// ```
/// use layout_core::{Int, Strided};
/// use layout_core::layouts::const_coordinate;
/// type Nested = Strided<((Int<2>, Int<4>), Int<3>), ((Int<1>, Int<2>), Int<8>)>;
/// const LAST: [usize; 2] = const_coordinate::<Nested, 2>(23);
/// assert_eq!(LAST, [7, 2]);
/// ```
#[track_caller]
pub const fn const_coordinate<L: TypedLayout, const N: usize>(k: usize) -> [usize; N] {
    let () = L::VALID;
    let l = &L::PATTERN.lay;
    let (mut coordinate, mut rest, mut mode) = ([0; N], k, 0);
    while mode < N {
        let Some(leaves) = l.tree.mode(l.root(), mode) else {
            refuse(LayoutError::plain(Op::Idx2Crd, Cause::RankMismatch, N as i64, l.tree.rank(l.root()) as i64))
        };
        let (mut extent, mut leaf) = (1, leaves.lo);
        while leaf < leaves.hi {
            match l.extent(leaf).value() {
                Some(value) => extent *= value as usize,
                None => refuse(LayoutError::plain(Op::Idx2Crd, Cause::Undecided, 0, 0)),
            }
            leaf += 1;
        }
        (coordinate[mode], rest) = if mode + 1 == N || extent == 0 { (rest, 0) } else { (rest % extent, rest / extent) };
        mode += 1;
    }
    coordinate
}

/// Returns the index of a static coordinate in a static layout. A run-time integer in either is a compile error.
#[track_caller]
const fn known_index(table: &IndexTable) -> usize {
    table.require();
    if table.inputs != 0 {
        refuse(LayoutError::plain(Op::Crd2Idx, Cause::Undecided, 0, 0));
    }
    exact(table, &[0; MAX_LEAVES])
}

/// Returns the index of the integers `coordinates` in a static layout. An overflow or a run-time leaf is a compile error.
#[track_caller]
const fn exact(table: &IndexTable, coordinates: &Slots) -> usize {
    if !table.settled {
        refuse(LayoutError::plain(Op::Crd2Idx, Cause::Undecided, 0, 0));
    }
    let walk = looped(table, coordinates, &[0; MAX_LEAVES]);
    if !walk.exact {
        refuse(LayoutError::plain(Op::Crd2Idx, Cause::Overflow, walk.sum as i64, 0));
    }
    walk.sum
}

/// The table of [`const_index`] for a coordinate of `N` integers.
struct Modewise<L, const N: usize>(core::marker::PhantomData<L>);

impl<L: TypedLayout, const N: usize> Modewise<L, N> {
    const FORM: Descriptor = if N == 1 { Descriptor::Input(Facts::NATURAL) } else { <[usize; N]>::DESCRIPTOR };

    const TABLE: IndexTable = {
        let table = IndexTable::new(Op::Crd2Idx, L::PATTERN, &Self::FORM, Purpose::Leaves);
        table.require();
        table
    };
}

impl<L, C> Clone for Const<L, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L, C> Copy for Const<L, C> {}
