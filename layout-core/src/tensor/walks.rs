//! Walks over the elements of tensors: in the order of memory, with contiguous elements as rows, or in the order of coordinates.

use super::companions::{Companion, CompanionTensors, Coordinates, leafwise, one_a_mode};
use crate::types::{
    AnyDepth, Coordinate, CoordinateBox, Depth, FEW, InMemory, Layout, Loops, MAX_LEAVES, PerInteger, Rows, Slots, Steps, Walk, is_nested,
};
use core::marker::PhantomData;
use core::ptr;

/// The loops of a tensor and the loops of its companions.
type BothLoops<O> = (Loops<FEW>, <O as Companion>::Loops);

/// The number of boxes that a layout is cut into, and the loops over one of them.
type NthBox<O> = (usize, Option<BothLoops<O>>);

/// A function that returns the loops over a box, given its first coordinate and its extents.
type OfBox<'a, O> = &'a dyn Fn(&Slots, &Slots) -> Option<BothLoops<O>>;

/// The point of the companions of a walk.
type PointOf<O> = <<O as Companion>::Loops as Steps>::Point;

/// An action on the elements of a walk.
pub(super) trait Visit<O: Companion> {
    /// The size of an element in bytes.
    const BYTES: usize;

    /// Whether contiguous elements are visited as one row at every opt-level.
    const IN_ROWS: bool = cfg!(rows);

    /// Visits `count` contiguous elements.
    ///
    /// # Safety
    ///
    /// All `count` elements from `index` on are at coordinates inside. `rows` covers `count` steps, as [`Companion::rows`] says.
    unsafe fn row<const REPEATED: u32>(&mut self, index: usize, count: usize, rows: &O::Rows);

    /// Visits the element at `index`.
    ///
    /// # Safety
    ///
    /// The element belongs to a coordinate inside the layout.
    unsafe fn one(&mut self, index: usize, items: O::Items);
}

/// A visitor that calls `f` with elements for reading. The element at an index lies at that distance from `origin`.
pub(super) struct Read<T, F> {
    pub origin: *const T,
    pub f: F,
}

/// A visitor that calls `f` with elements for writing. The element at an index lies at that distance from `origin`.
pub(super) struct Write<T, F> {
    pub origin: *mut T,
    pub f: F,
}

/// Calls `f` with each element of a row. A function, because its slice parameter tells the compiler that no write of `f` reaches it.
#[cfg_attr(not(unoptimized), inline)]
fn read_row<T, O: Companion, const REPEATED: u32>(row: &[T], rows: &O::Rows, f: &mut impl FnMut(&T, O::Items)) {
    // Use a counter: an iterator compares two pointers, which costs a third more instructions.
    let first = row.as_ptr();
    for k in 0..row.len() {
        // SAFETY: `k` is the number of an element of the row, and of a step of `rows`.
        unsafe { f(&*first.wrapping_add(k), O::nth::<REPEATED>(rows, k)) };
    }
}

/// Calls `f` as [`read_row`] does, with mutable elements. The `&mut` parameter tells the compiler that nothing else refers to the row.
#[cfg_attr(not(unoptimized), inline)]
fn write_row<T, O: Companion, const REPEATED: u32>(row: &mut [T], rows: &O::Rows, f: &mut impl FnMut(&mut T, O::Items)) {
    let first = row.as_mut_ptr();
    for k in 0..row.len() {
        // SAFETY: as in `read_row`. A borrow ends before the next begins.
        unsafe { f(&mut *first.wrapping_add(k), O::nth::<REPEATED>(rows, k)) };
    }
}

impl<T, O: Companion, F: FnMut(&T, O::Items)> Visit<O> for Read<T, F> {
    const BYTES: usize = size_of::<T>();

    #[inline(always)]
    unsafe fn row<const REPEATED: u32>(&mut self, index: usize, count: usize, rows: &O::Rows) {
        // SAFETY: the elements belong to coordinates inside, and the storage may read them.
        read_row::<T, O, REPEATED>(unsafe { &*ptr::slice_from_raw_parts(self.origin.wrapping_add(index), count) }, rows, &mut self.f);
    }

    #[inline(always)]
    unsafe fn one(&mut self, index: usize, items: O::Items) {
        // SAFETY: as in `row`.
        (self.f)(unsafe { &*self.origin.wrapping_add(index) }, items);
    }
}

impl<T, O: Companion, F: FnMut(&mut T, O::Items)> Visit<O> for Write<T, F> {
    const BYTES: usize = size_of::<T>();

    #[inline(always)]
    unsafe fn row<const REPEATED: u32>(&mut self, index: usize, count: usize, rows: &O::Rows) {
        // SAFETY: the elements belong to coordinates inside, and the storage may write them. The borrow ends before the next begins.
        write_row::<T, O, REPEATED>(
            unsafe { &mut *ptr::slice_from_raw_parts_mut(self.origin.wrapping_add(index), count) },
            rows,
            &mut self.f,
        );
    }

    #[inline(always)]
    unsafe fn one(&mut self, index: usize, items: O::Items) {
        // SAFETY: as in `row`.
        (self.f)(unsafe { &mut *self.origin.wrapping_add(index) }, items);
    }
}

/// Returns the side of a block in elements: a cache line of 64 bytes, but at least 8 and at most 64 elements.
const fn block(bytes: usize) -> usize {
    match bytes {
        0 | 1 => 64,
        2..8 => 64 / bytes,
        _ => 8,
    }
}

/// Walks rows in which the tensors of the bits `$repeated` repeat one element, if there is code for these bits.
macro_rules! of_repeated {
    ($d:ident, $l:ident, $o:ident, $v:ident, $repeated:ident, ($layout:ident, $others:ident, $loops:ident, $visit:ident): $($bits:literal)+) => { $(
        if const { $o::REPEATS & $bits == $bits } && $repeated == $bits {
            return $loops.for_each_row::<$d>(usize::MAX, &mut Elements::<$bits, $l, $o, $v> {
                layout: $layout,
                others: $others,
                loops: $loops,
                visit: $visit,
            });
        }
    )+ };
}

/// Walks `loops` in their present order.
///
/// # Safety
///
/// `loops` visit every coordinate of `layout`, with the point of `others` at the same coordinate.
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn arranged<D: Depth, L: Layout, O: Companion, V: Visit<O>>(
    layout: &L,
    others: &O,
    loops: &mut (Loops<FEW>, O::Loops),
    visit: &mut V,
) {
    if const { V::IN_ROWS } && layout.period() == Some(1) && others.is_plain() {
        if loops.is_row() {
            return loops.for_each_row::<D>(usize::MAX, &mut Elements::<0, L, O, V> { layout, others, loops, visit });
        }
        if const { O::REPEATS > 0 }
            && loops.0.is_row()
            && let Some(repeated) = loops.1.repeated()
        {
            of_repeated!(D, L, O, V, repeated, (layout, others, loops, visit): 1 2 3 4 5 6 7 8 16 32 64 128);
        }
    }
    let block = if cfg!(rows) && loops.cross::<D>() { block(V::BYTES) } else { usize::MAX };
    // No other pointer leads to this copy, so the compiler keeps its numbers in registers across writes.
    let loops = &{ *loops };
    loops.for_each_row::<D>(block, &mut Elements::<ONE_BY_ONE, L, O, V> { layout, others, loops, visit });
}

/// The value of `REPEATED` that means single elements instead of rows.
const ONE_BY_ONE: u32 = u32::MAX;

/// An action on rows. With [`ONE_BY_ONE`], it visits single elements; otherwise the tensors of the bits `REPEATED` repeat one
/// element and all others are contiguous. All coordinates are inside.
struct Elements<'a, const REPEATED: u32, L, O: Companion, V> {
    layout: &'a L,
    others: &'a O,
    loops: &'a (Loops<FEW>, O::Loops),
    visit: &'a mut V,
}

impl<const REPEATED: u32, L: Layout, O: Companion, V: Visit<O>> Rows<(usize, PointOf<O>)> for Elements<'_, REPEATED, L, O, V> {
    #[cfg_attr(not(unoptimized), inline(always))]
    fn row(&mut self, first: (usize, PointOf<O>), count: usize) {
        if const { REPEATED != ONE_BY_ONE } {
            if count > 0 {
                // SAFETY: each step goes to the next element, except in the repeated tensors, and all coordinates are inside.
                unsafe {
                    let rows = self.others.rows::<REPEATED>(&self.loops.1, first.1, count);
                    self.visit.row::<REPEATED>(self.layout.image(first.0), count, &rows)
                }
            }
            return;
        }
        for k in 0..count {
            let (sum, at) = self.loops.after(first, 0, k);
            // SAFETY: all coordinates are inside.
            unsafe { self.visit.one(self.layout.image(sum), self.others.items::<true>(at)) }
        }
    }
}

/// Returns the loops of a layout in the order of memory, joined where they continue each other, or `None` if more than [`FEW`] remain.
#[cold]
fn joined<L: Layout>(layout: &L) -> Option<Loops<FEW>> {
    layout.loops::<MAX_LEAVES>()?.in_memory_order().resized()
}

/// Walks a layout in the order of memory.
///
/// # Safety
///
/// The visitor may visit the indices of `layout`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) unsafe fn by_memory<L: Layout, V: Visit<()>>(layout: &L, visit: &mut V) {
    // The condition is a constant, so only one arm is compiled.
    if const { InMemory::<L>::LOOPS.is_some() } {
        if let Some(loops) = InMemory::<L>::LOOPS {
            // SAFETY: these loops visit the same sums.
            unsafe { arranged::<InMemory<L>, L, (), V>(layout, &(), &mut (loops, ()), visit) };
        }
        return;
    }
    match layout.loops() {
        Some(loops) => {
            let mut loops = (loops, ());
            loops.arrange::<L>();
            // SAFETY: these are loops of the layout.
            unsafe { arranged::<L, L, (), V>(layout, &(), &mut loops, visit) }
        }
        None => {
            if const { !is_nested::<L>() } {
                if let Some(loops) = joined(layout) {
                    // SAFETY: these are loops of the layout.
                    return unsafe { arranged::<AnyDepth, L, (), V>(layout, &(), &mut (loops, ()), visit) };
                }
                // SAFETY: the boxes are boxes of the layout.
                if !unsafe { by_boxes(layout, &(), visit, box_alone::<L>) } {
                    // SAFETY: every index belongs to a coordinate inside.
                    layout.for_each_index(|index| unsafe { visit.one(index, ()) });
                }
            }
        }
    }
}

/// Walks a layout in the order of memory, with its coordinates.
///
/// # Safety
///
/// The visitor may visit the indices of `layout`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) unsafe fn coordinates_by_memory<C: Coordinate, L: Layout, V: Visit<Coordinates<C>>>(layout: &L, visit: &mut V) {
    let Some(loops) = layout.loops() else {
        if const { !is_nested::<L>() } {
            let by_mode = const { C::DESCRIPTOR.is_flat(MAX_LEAVES) } && const { C::DESCRIPTOR.inputs() } == layout.rank();
            // SAFETY: the boxes are boxes of the layout.
            if !(by_mode && unsafe { by_boxes(layout, &Coordinates(PhantomData), visit, box_counted::<L, C>) }) {
                // SAFETY: every index belongs to a coordinate inside.
                layout.for_each_coordinate(|c, index| unsafe { visit.one(index, c) });
            }
        }
        return;
    };
    let (places, others) = (layout.places::<C>(), Coordinates(PhantomData));
    if const { L::LOOPS.is_none() }
        && let Some(places) = loops.places::<C>(&places)
    {
        let mut loops = loops.counted::<PerInteger<C>, C>(places);
        loops.arrange::<PerInteger<C>>();
        // SAFETY: these are loops of the layout.
        return unsafe { arranged::<PerInteger<C>, L, _, V>(layout, &others, &mut loops, visit) };
    }
    let mut loops = loops.counted::<L, C>(&places);
    loops.arrange::<L>();
    // SAFETY: these are loops of the layout.
    unsafe { arranged::<L, L, _, V>(layout, &others, &mut loops, visit) }
}

/// Returns the loops of a layout and of its companions, or `None` if one has none; see [`CompanionTensors::companion_loops`].
#[cfg_attr(not(unoptimized), inline(always))]
fn loops_of<const ALIKE: bool, L: Layout, O: CompanionTensors>(layout: &L, others: &O) -> Option<(Loops<FEW>, O::Loops)> {
    let mut all = (layout.loops()?, O::room());
    others.companion_loops::<ALIKE>(&mut all.0, &mut all.1).then_some(all)
}

/// Walks a layout in the order of memory together with other tensors.
///
/// # Safety
///
/// The extents are alike, and the visitor may visit the indices of `layout`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) unsafe fn beside_by_memory<L: Layout, O: CompanionTensors, V: Visit<O>>(layout: &L, others: &O, visit: &mut V) {
    // The condition is a constant, so only one arm is compiled.
    if const { leafwise(one_a_mode::<L>(), O::LOOPS) > 0 } {
        if let Some(mut loops) = loops_of::<true, L, O>(layout, others) {
            loops.arrange::<L>();
            // SAFETY: the extents are alike, so that the loops of all step to the same coordinates.
            unsafe { arranged::<L, L, O, V>(layout, others, &mut loops, visit) };
        }
        return;
    }
    if let Some(mut loops) = loops_of::<false, L, O>(layout, others) {
        loops.arrange::<AnyDepth>();
        // SAFETY: as above; the loops are split so that their extents agree.
        return unsafe { arranged::<AnyDepth, L, O, V>(layout, others, &mut loops, visit) };
    }
    // SAFETY: the extents are alike, so that a box of one is a box of all.
    if !unsafe { by_boxes(layout, others, visit, box_beside::<L, O>) } {
        // SAFETY: the extents are alike, and every index belongs to a coordinate inside.
        unsafe { beside_by_digits(layout, others, |index, items| visit.one(index, items)) }
    }
}

/// The maximum number of times that a range is shortened until it lies in one box of every tensor.
const ROUNDS: usize = 16;

/// The minimum average number of elements in a box. With fewer, walks by digits are faster.
const MANY: usize = 64;

/// Walks a layout with nested modes box by box, each in memory order. Returns false, and visits nothing, if there are no or too many boxes.
///
/// # Safety
///
/// `nth` returns the number of boxes and the loops over one of them. The loops visit every coordinate of the box once, and
/// the point of `others` is at the same coordinate. Every coordinate of `layout` lies in exactly one box.
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn by_boxes<L: Layout, O: Companion, V: Visit<O>>(
    layout: &L,
    others: &O,
    visit: &mut V,
    nth: fn(&L, &O, usize) -> NthBox<O>,
) -> bool {
    // `nth` is not inlined and computes each box anew, so its large arrays leave the stack before the visit. Then the sums of the
    // visitor stay in registers.
    let mut next = 0;
    loop {
        let (boxes, loops) = nth(layout, others, next);
        let Some(mut loops) = loops else { return next > 0 };
        loops.arrange::<AnyDepth>();
        // SAFETY: the caller promises this.
        unsafe { arranged::<AnyDepth, L, O, V>(layout, others, &mut loops, visit) };
        next += 1;
        if next == boxes {
            return true;
        }
    }
}

/// Returns the number of boxes and the loops over box `k`. Returns no loops if there are too many boxes or a box has no loops.
fn nth_box<O: Companion>(
    part: &CoordinateBox,
    k: usize,
    straight: &dyn Fn(usize, usize, usize) -> usize,
    loops: OfBox<'_, O>,
) -> NthBox<O> {
    let (mut from, mut count) = ([0; MAX_LEAVES], [1; MAX_LEAVES]);
    let most = part.size() / MANY;
    if most == 0 {
        return (0, None);
    }
    let boxes = part.boxes(k, most, straight, &mut from, &mut count);
    let mut are_few = boxes > 0 && boxes <= most;
    if k == 0 && are_few {
        are_few = (1..boxes).all(|k| {
            let (mut from, mut count) = ([0; MAX_LEAVES], [1; MAX_LEAVES]);
            part.boxes(k, most, straight, &mut from, &mut count);
            loops(&from, &count).is_some()
        });
    }
    (boxes, if are_few { loops(&from, &count) } else { None })
}

/// Computes [`nth_box`] for a layout alone.
#[inline(never)]
fn box_alone<L: Layout>(layout: &L, (): &(), k: usize) -> NthBox<()> {
    let Some(part) = layout.part() else { return (0, None) };
    nth_box::<()>(&part, k, &|mode, at, len| part.straight(mode, at, len), &|from, count| Some((part.box_loops(from, count)?, ())))
}

/// Computes [`nth_box`] for a layout with its coordinates.
#[inline(never)]
fn box_counted<L: Layout, C: Coordinate>(layout: &L, _: &Coordinates<C>, k: usize) -> NthBox<Coordinates<C>> {
    let Some(part) = layout.part() else { return (0, None) };
    nth_box::<Coordinates<C>>(&part, k, &|mode, at, len| part.straight(mode, at, len), &|from, count| part.counted_box(from, count))
}

/// Computes [`nth_box`] for a layout and its companions.
#[inline(never)]
fn box_beside<L: Layout, O: CompanionTensors>(layout: &L, others: &O, k: usize) -> NthBox<O> {
    let (Some(part), Some(odometers)) = (layout.part(), others.odometers()) else { return (0, None) };
    let straight = |mode, at, mut len| {
        // Shortening a range for one tensor may break it for another. A range of one integer fits all.
        for _ in 0..ROUNDS {
            let all = O::straight(&odometers, mode, at, part.straight(mode, at, len));
            if all == len {
                return len;
            }
            len = all;
        }
        1
    };
    let loops = |from: &Slots, count: &Slots| {
        let mut all = (part.box_loops(from, count)?, O::room());
        // The first pass splits `ours` by all companions, and the second splits each companion like `ours`.
        let both = (0..2).all(|_| O::box_loops(&odometers, from, count, &mut all.0, &mut all.1));
        both.then_some(all)
    };
    nth_box::<O>(&part, k, &straight, &loops)
}

/// Calls `f` with the index of every coordinate in colexicographic order, and with the items of `others` there.
///
/// # Safety
///
/// The extents are alike.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) unsafe fn beside_in_order<L: Layout, O: CompanionTensors>(layout: &L, others: &O, mut f: impl FnMut(usize, O::Items)) {
    // SAFETY: the extents are alike, so that all coordinates are inside.
    let at_sums = |(sum, sums)| f(layout.image(sum), unsafe { others.items::<true>(sums) });
    // The condition is a constant, so only one arm is compiled.
    if const { leafwise(one_a_mode::<L>(), O::LOOPS) > 0 } {
        if let Some(loops) = loops_of::<true, L, O>(layout, others) {
            loops.for_each_of::<L>(at_sums);
        }
        return;
    }
    if let Some(loops) = loops_of::<false, L, O>(layout, others) {
        return loops.for_each(at_sums);
    }
    // SAFETY: as above.
    unsafe { beside_by_digits(layout, others, f) }
}

/// Walks as [`beside_in_order`] does, also if one of the layouts has no loops.
///
/// # Safety
///
/// The extents are alike.
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn beside_by_digits<L: Layout, O: CompanionTensors>(layout: &L, others: &O, mut f: impl FnMut(usize, O::Items)) {
    let Some((part, mut theirs)) = layout.part().zip(others.odometers()) else {
        // SAFETY: the extents are alike, so that all coordinates are inside.
        return (0..layout.size()).for_each(|k| f(layout.crd2idx(k), unsafe { others.items::<false>(others.indices(k)) }));
    };
    let mut ours = part.odometer();
    loop {
        let run = ours.run().min(O::run(&theirs));
        if run == 0 {
            return;
        }
        // SAFETY: as above.
        (0..run).for_each(|k| f(layout.image(ours.point(k)), unsafe { others.items::<true>(O::point(&theirs, k)) }));
        ours.advance(run);
        O::advance(&mut theirs, run);
    }
}
