//! Runs the constant tables of a layout type and a coordinate type on their values.

#[cfg(not(unoptimized))]
use super::index_table::class;
use super::index_table::{IndexTable, Overflow, Purpose};
use super::residual::{self, Residual};
use super::typed_layout::TypedLayout;
use super::unrolled;
use crate::types::pattern::operand::{Coordinate, Descriptor, Fits, IntTuple, MAX_LEAVES, Slots};
use crate::types::pattern::pattern::{ONES, Pattern};
use crate::types::unroll::unroll;
use crate::types::walk::loops::{FEW, Loops, Reach};
use core::ops::Range;
use layout_algebra::error::{Cause, LayoutError, Op, Result};
use layout_algebra::value::{ExprGraph, Facts, LayoutValue, SymInt};

/// Evaluates `$body` with the constant `$name`: the number of steps that are written out for `$length`. Only one arm of a
/// `match const` is compiled.
#[cfg(not(unoptimized))]
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
            _ => unreachable!("a class is one of these numbers"),
        }
    };
}

/// Without optimisation, loops replace the unrolled steps, so one body serves every length.
#[cfg(unoptimized)]
macro_rules! by_class {
    ($length:expr, $name:ident => $body:expr) => {{
        const $name: usize = MAX_LEAVES;
        $body
    }};
}

pub(in crate::types) use by_class;

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

        impl<$layout: TypedLayout, $coord: IntTuple> $crate::types::Fits for $name<$layout, $coord> {
            const FITS: () = {
                let () = $first;
                Self::TABLE.require()
            };
        }
    )* };
}
pub(in crate::types) use tables;

tables! {
    /// The table of `crd2idx`.
    Index: Crd2Idx, Index, |L, C| L::VALID;
    /// The table of `checked_crd2idx`.
    Checked: Crd2Idx, Checked, |L, C| L::VALID;
    /// The table that splits a coordinate into one digit for each leaf.
    Modes: Idx2Crd, Leaves, |L, C| L::VALID;
    /// The table of the strides of the leaves, for a coordinate with one integer for each leaf.
    Leaves: GetStride, Leaves, |L, C| {
        let () = L::VALID;
        Self::TABLE.require_leaves(L::PATTERN)
    };
}

/// Returns the descriptor of a coordinate with an integer for each mode.
const fn by_mode(pattern: &Pattern) -> Descriptor {
    const INTEGERS: &[Descriptor] = &[Descriptor::Input(Facts::NATURAL); MAX_LEAVES];
    let tree = &pattern.lay.tree;
    if tree.is_leaf(tree.root()) { INTEGERS[0] } else { Descriptor::Tuple(INTEGERS.split_at(tree.rank(tree.root())).0) }
}

/// The table that computes the index of a coordinate with an integer for each mode.
struct ByMode<L>(core::marker::PhantomData<L>);

impl<L: TypedLayout> Fits for ByMode<L> {}

impl<L: TypedLayout> Tabled for ByMode<L> {
    const TABLE: &'static IndexTable = &IndexTable::new(Op::Crd2Idx, L::PATTERN, &by_mode(L::PATTERN), Purpose::Index);
}

impl<L: TypedLayout> ByMode<L> {
    /// The table for [`Purpose::Leaves`]: it has one row for each leaf, and joins none.
    const LEAVES: &'static IndexTable = &IndexTable::new(Op::Crd2Idx, L::PATTERN, &by_mode(L::PATTERN), Purpose::Leaves);

    /// The indices of a static layout as `(least, greatest + 1)`; `None` if the layout is not static or an end does not fit `isize`.
    const RANGE: Option<(isize, isize)> = static_range(L::PATTERN);
}

/// Returns `(least, greatest + 1)` of the indices, or `None` if a leaf is not static, or an end or the product of the extents but 0 does
/// not fit `isize`.
const fn static_range(pattern: &Pattern) -> Option<(isize, isize)> {
    if pattern.scope.len > 0 || !counts_fit(&pattern.lay) {
        return None;
    }
    match pattern.lay.extremes(&mut ExprGraph::<0>::new(Op::MakeLayout)) {
        Ok((least, greatest)) => match (least.value(), greatest.value()) {
            (Some(least), Some(greatest)) if least >= isize::MIN as i64 && greatest < isize::MAX as i64 => {
                Some((least as isize, greatest as isize + 1))
            }
            _ => None,
        },
        Err(_) => None,
    }
}

/// Returns true if the product of the extents but 0 fits `isize`. The size of each part of a layout of known numbers then fits, too.
const fn counts_fit<const N: usize>(l: &LayoutValue<N>) -> bool {
    let (mut points, mut k) = (1i64, 0);
    while k < l.len() {
        if let Some(extent @ 1..) = l.extent(k).value() {
            points = match points.checked_mul(extent) {
                Some(points) => points,
                None => return false,
            };
        }
        k += 1;
    }
    points <= isize::MAX as i64
}

/// Expands [`slots`] in place; a function would slow down builds.
macro_rules! slots {
    ($L:ident, $layout:expr) => {{
        let mut slots = [0; MAX_LEAVES];
        // A static layout has no nodes. Skip the call, so that the compiler need not remove it.
        if const { $L::PATTERN.scope.len > 0 } {
            $layout.slots(&mut slots);
        }
        slots
    }};
}

/// Returns the values of the nodes of `L::PATTERN`.
#[inline(always)]
fn slots<L: TypedLayout>(layout: &L) -> Slots {
    slots!(L, layout)
}

/// Writes the values of the nodes of `L::PATTERN`, which has at least one.
#[inline(always)]
pub(crate) fn write_slots<L: TypedLayout>(layout: &L, slots: &mut Slots) {
    if const { L::PATTERN.is_plain() } {
        layout.gather(slots, 0);
        return;
    }
    let mut inputs = [0; MAX_LEAVES];
    layout.gather(&mut inputs, 0);
    let table = const { &Residual::new(L::PATTERN) };
    if const { L::PATTERN.scope.len > 0 } {
        by_class!(L::PATTERN.scope.len, CLASS => residual::evaluate::<CLASS>(table, &inputs, slots))
    }
}

/// Copies the values of the nodes of `L::PATTERN`.
#[inline(always)]
pub(crate) fn copy<L: TypedLayout, const X: usize, const N: usize>(from: &[usize; X], to: &mut [usize; N]) {
    if const { L::PATTERN.scope.len > 0 } {
        by_class!(L::PATTERN.scope.len, CLASS => residual::copy::<CLASS, X, N>(from, to))
    }
}

/// Returns the index of `c` in `layout`, by the table `T`.
#[cfg(not(unoptimized))]
#[inline(always)]
pub(crate) fn index<T: Tabled, L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> usize {
    let (slots, mut coordinates) = (slots!(L, layout), [0; MAX_LEAVES]);
    c.gather(&mut coordinates, 0);
    steps::<T, false>(&coordinates, &slots, true).0
}

/// Returns the index of `c` in `layout`, by the table `T`.
#[cfg(unoptimized)]
#[inline(always)]
pub(crate) fn index<T: Tabled, L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> usize {
    /// Computes the index by the table. This is a function so that its arrays stay out of the callers' stack frames.
    fn any<T: Tabled, L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> usize {
        let (slots, mut coordinates) = (slots!(L, layout), [0; MAX_LEAVES]);
        c.gather(&mut coordinates, 0);
        steps::<T, false>(&coordinates, &slots, true).0
    }
    if const { super::products::are_few::<T, L>() } {
        return const { super::products::sum::<T, L, C>() }(layout, c);
    }
    any::<T, L, C>(layout, c)
}

/// Runs the table `T` on `c`. Returns the index, valid only if `sums`, and whether `c` is inside, valid only if `CHECKED`.
#[cfg_attr(not(unoptimized), inline(always))]
fn run<T: Tabled, C: IntTuple, const CHECKED: bool>(c: &C, slots: &Slots, sums: bool) -> (usize, bool) {
    let mut coordinates = [0; MAX_LEAVES];
    c.gather(&mut coordinates, 0);
    steps::<T, CHECKED>(&coordinates, slots, sums)
}

/// Computes [`run`] from the run-time integers of a coordinate and the run-time leaves `slots` of the layout.
#[cfg_attr(not(unoptimized), inline(always))]
pub(in crate::types) fn steps<T: Tabled, const CHECKED: bool>(coordinates: &Slots, slots: &Slots, sums: bool) -> (usize, bool) {
    // Named once, because compiler messages about a wrong layout grow with every mention.
    let table = T::TABLE;
    #[cfg(unoptimized)]
    return unrolled::index::<MAX_LEAVES, false, CHECKED>(table, coordinates, slots, sums);
    #[cfg(not(unoptimized))]
    match const { T::TABLE.class() } {
        0 | 1 => (0, true),
        2 => unrolled::index::<2, false, CHECKED>(table, &coordinates, slots, sums),
        3 => unrolled::index::<2, true, CHECKED>(table, &coordinates, slots, sums),
        4 => unrolled::index::<4, false, CHECKED>(table, &coordinates, slots, sums),
        5 => unrolled::index::<4, true, CHECKED>(table, &coordinates, slots, sums),
        8 => unrolled::index::<8, false, CHECKED>(table, &coordinates, slots, sums),
        9 => unrolled::index::<8, true, CHECKED>(table, &coordinates, slots, sums),
        16 => unrolled::index::<16, false, CHECKED>(table, &coordinates, slots, sums),
        17 => unrolled::index::<16, true, CHECKED>(table, &coordinates, slots, sums),
        32 => unrolled::index::<32, false, CHECKED>(table, &coordinates, slots, sums),
        33 => unrolled::index::<32, true, CHECKED>(table, &coordinates, slots, sums),
        64 => unrolled::index::<64, false, CHECKED>(table, &coordinates, slots, sums),
        IndexTable::LOOPED => unrolled::by_loop(table, coordinates, slots, sums),
        _ => unrolled::index::<64, true, CHECKED>(table, &coordinates, slots, sums),
    }
}

/// Returns true if `c` is the only coordinate of a layout without leaves. A single integer must be 0.
#[cfg_attr(not(unoptimized), inline(always))]
fn is_first<C: IntTuple>(c: &C) -> bool {
    match const { C::DESCRIPTOR } {
        Descriptor::Known(integer) => integer == 0,
        Descriptor::Input(_) => {
            let mut inputs = [0; MAX_LEAVES];
            c.gather(&mut inputs, 0);
            inputs[0] == 0
        }
        _ => true,
    }
}

/// Returns the index of `c`, or `None` if `c` is outside the shape or the index cannot be represented.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn checked<L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> Option<usize> {
    let (table, slots) = (Checked::<L, C>::TABLE, slots(layout));
    if const { Checked::<L, C>::TABLE.len == 0 } {
        return is_first(c).then_some(0);
    }
    if !by_class!(Checked::<L, C>::TABLE.len, CLASS => unrolled::occupied::<CLASS>(table, &slots)) {
        return None;
    }
    // Compute the index after the check, so that it is computed only if it is needed.
    if const { matches!(Checked::<L, C>::TABLE.overflow, Overflow::Never) } {
        if run::<Checked<L, C>, C, true>(c, &slots, false).1 { Some(run::<Checked<L, C>, C, false>(c, &slots, true).0) } else { None }
    } else {
        if run::<Checked<L, C>, C, true>(c, &slots, true).1 { Some(run::<Checked<L, C>, C, true>(c, &slots, true).0) } else { None }
    }
}

/// Returns true if the integers of `c` that the table `T` checks are inside the shape.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn inside<T: Tabled, L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> bool {
    #[cfg(unoptimized)]
    if const { super::products::are_few::<T, L>() } {
        return const { super::products::inside::<T, L, C>() }(layout, c);
    }
    let (table, slots) = (T::TABLE, slots(layout));
    if const { T::TABLE.len == 0 } {
        return is_first(c);
    }
    by_class!(T::TABLE.len, CLASS => unrolled::occupied::<CLASS>(table, &slots)) && run::<T, C, true>(c, &slots, false).1
}

/// Returns the index of the coordinate `modes`, which has one integer for each mode.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn index_of<L: TypedLayout>(layout: &L, modes: &Slots) -> usize {
    steps::<ByMode<L>, false>(modes, &slots(layout), true).0
}

/// Returns the extent of each mode; the entries behind the last mode are 1.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn mode_extents<L: TypedLayout>(layout: &L) -> Slots {
    let mut extents = ONES;
    if const { ByMode::<L>::LEAVES.len > 0 } {
        let (table, slots) = (ByMode::<L>::LEAVES, slots(layout));
        by_class!(ByMode::<L>::LEAVES.len, CLASS => unrolled::extents::<CLASS>(table, &slots, &mut extents, 1))
    }
    extents
}

/// Returns, for each mode, the integer that `c` stands for.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn mode_coordinates<L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> Slots {
    let mut modes = [0; MAX_LEAVES];
    if const { ByMode::<L>::LEAVES.len > 0 } {
        let (table, by_mode, slots) = (Modes::<L, C>::TABLE, ByMode::<L>::LEAVES, slots(layout));
        let mut coordinates = [0; MAX_LEAVES];
        c.gather(&mut coordinates, 0);
        let mut walk = unrolled::Linear::START;
        let walk = &mut walk;
        by_class!(ByMode::<L>::LEAVES.len, CLASS => unrolled::mode_coordinates::<CLASS>(table, by_mode, &coordinates, &slots, walk, &mut modes))
    }
    modes
}

/// Returns, for each leaf, the number (from 0) of the integer of `C` that the leaf takes its digit from.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn places<L: TypedLayout, C: Coordinate>() -> Slots {
    const {
        let (table, mut places) = (Modes::<L, C>::TABLE, [0; MAX_LEAVES]);
        let (mut place, mut k) = (0, 0);
        while k < table.len {
            if table.first[k] {
                place = table.coordinate.value[k];
            }
            places[k] = place;
            k += 1;
        }
        places
    }
}

/// Returns one loop for each leaf, or `None` if there are more than `N` leaves.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn loops<L: TypedLayout, const N: usize>(layout: &L) -> Option<Loops<N>> {
    if const { ByMode::<L>::LEAVES.len > N } {
        return None;
    }
    let mut loops = Loops::new(const { ByMode::<L>::LEAVES.len });
    if const { ByMode::<L>::LEAVES.len > 0 } {
        let (table, slots) = (ByMode::<L>::LEAVES, slots(layout));
        by_class!(ByMode::<L>::LEAVES.len, CLASS => unrolled::leaves::<CLASS, N>(table, &slots, &mut loops.extents, &mut loops.steps))
    }
    Some(loops)
}

/// Returns for each run-time leaf whether its type allows negative numbers.
const fn signed_inputs(pattern: &Pattern) -> [bool; MAX_LEAVES] {
    let (mut signed, mut k) = ([true; MAX_LEAVES], 0);
    while k < pattern.scope.len {
        signed[k] = pattern.scope.facts(SymInt::symbol(k)).lo < 0;
        k += 1;
    }
    signed
}

/// Clears `holds` if a run-time leaf is negative and its type does not allow that.
#[inline(always)]
fn natural(signed: &[bool; MAX_LEAVES], slots: &Slots, holds: &mut bool, k: usize) {
    if !signed[k] {
        *holds &= slots[k] as isize >= 0;
    }
}

/// Fails if a run-time leaf is out of the range of its type, or a number computed from the leaves wraps: the algebra relies on both.
#[cfg_attr(not(unoptimized), inline(always))]
fn require_exact<L: TypedLayout>(layout: &L) -> Result<()> {
    if const { L::PATTERN.scope.len == 0 } {
        return Ok(());
    }
    if const { L::PATTERN.is_plain() } {
        // All nodes are leaves, and their types keep all facts but the sign.
        let (mut holds, slots) = (true, slots(layout));
        let signed = const { &signed_inputs(L::PATTERN) };
        unroll!(L::PATTERN.scope.len, natural(signed, &slots, &mut holds));
        return if holds { Ok(()) } else { Err(sign_error(layout)) };
    }
    L::PATTERN.require_exact(&slots(layout))
}

/// A size or an index beyond `isize`.
const TOO_LONG: LayoutError = LayoutError::plain(Op::MakeLayout, Cause::TooLong, 0, 0);

/// Returns the error of a leaf whose sign its type does not allow. The array of leaves is in memory only here.
#[cold]
#[inline(never)]
fn sign_error<L: TypedLayout>(layout: &L) -> LayoutError {
    L::PATTERN.sign_error(&slots(layout))
}

/// Adds loop `k` to the range of all. `upward` is a constant.
#[inline(always)]
fn reach_of(loops: &Loops<FEW>, reach: &mut Reach, upward: bool, k: usize) {
    if upward { reach.extend_upward(loops, k) } else { reach.extend(loops, k) }
}

/// Returns true if no step can be negative once `require_exact` holds.
const fn is_upward(pattern: &Pattern) -> bool {
    let (signed, l, mut k) = (signed_inputs(pattern), &pattern.lay, 0);
    while k < l.len() {
        let upward = match l.scale(k).value() {
            Some(step) => step >= 0,
            None => match l.scale(k).node() {
                Some(node) => pattern.is_plain() && !signed[node],
                None => false,
            },
        };
        if !upward {
            return false;
        }
        k += 1;
    }
    true
}

/// Returns the range of the indices. Fails for layouts of coordinates, a leaf out of its range, and a size or index beyond `isize`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn index_range<L: TypedLayout>(layout: &L) -> Result<Range<isize>> {
    if const { !L::PATTERN.lay.gives_integers() } {
        return Err(LayoutError::plain(Op::MakeLayout, Cause::BasisStride, 0, 0));
    }
    if let Some((start, end)) = const { ByMode::<L>::RANGE } {
        return Ok(start..end);
    }
    require_exact(layout)?;
    if const { L::PATTERN.lay.has_xor() } {
        return range_of(layout.to_dyn::<MAX_LEAVES>()?.value());
    }
    let range = if const { ByMode::<L>::LEAVES.len <= FEW } {
        loops::<L, FEW>(layout).and_then(|loops| {
            let mut reach = Reach::new(loops.start);
            unroll!(ByMode::<L>::LEAVES.len, reach_of(&loops, &mut reach, const { is_upward(L::PATTERN) }));
            reach.range()
        })
    } else {
        loops::<L, MAX_LEAVES>(layout).and_then(|loops| loops.range())
    };
    range.ok_or(TOO_LONG)
}

/// Returns the range of the indices of a layout of known numbers. Fails if an index, or the product of the extents but 0, exceeds `isize`.
pub(in crate::types) fn range_of<const N: usize>(l: &LayoutValue<N>) -> Result<Range<isize>> {
    let (least, greatest) = l.extremes(&mut ExprGraph::<0>::new(Op::MakeLayout))?;
    match (isize::try_from(least.word()), isize::try_from(greatest.word() as i128 + 1)) {
        (Ok(start), Ok(end)) if l.len() <= MAX_LEAVES && counts_fit(l) => Ok(start..end),
        _ => Err(LayoutError::plain(Op::MakeLayout, Cause::TooLong, 0, 0)),
    }
}

/// Returns the product of the extents of the leaves `leaves.0..leaves.1`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn size<L: TypedLayout>(layout: &L, leaves: (usize, usize)) -> usize {
    let lay = &L::PATTERN.lay;
    if const { L::PATTERN.lay.tree.len == 0 } {
        return 1;
    }
    let slots = slots(layout);
    by_class!(L::PATTERN.lay.tree.len, CLASS => unrolled::size::<CLASS>(lay, leaves, &slots))
}

/// Makes a coordinate of type `C` with one number for each integer, which `$step` computes from the rows of the table.
macro_rules! collect {
    ($table:ident, $l:ident, $c:ident, $layout:ident, $step:ident, $rest:expr) => {{
        let mut values = [0; MAX_LEAVES];
        let table = $table::<$l, $c>::TABLE;
        if const { $table::<$l, $c>::TABLE.len > 0 } {
            let slots = slots($layout);
            by_class!($table::<$l, $c>::TABLE.len, CLASS => unrolled::$step::<CLASS>(table, &slots, &mut values, $rest))
        }
        $c::from_values(&values, &mut 0)
    }};
}

/// Returns the coordinate at colexicographic position `index`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn digits<L: TypedLayout, C: Coordinate>(layout: &L, index: usize) -> C {
    collect!(Modes, L, C, layout, digits, index)
}

/// Returns the extents as a `C`. An integer of `C` for several leaves receives the product of their extents.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn extents<L: TypedLayout, C: Coordinate>(layout: &L) -> C {
    collect!(Modes, L, C, layout, extents, 1)
}

/// Returns the strides of the leaves as a `C`, which has one integer for each leaf.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn strides<L: TypedLayout, C: Coordinate>(layout: &L) -> C {
    collect!(Leaves, L, C, layout, strides, 0)
}
