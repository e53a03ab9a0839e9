//! Walks over a tensor together with an array of tensors of one type.

use super::companions::{Companion, CompanionTensors, are_alike, cut, element, one_a_mode, refuse_unlike, row, write};
use super::storage::Storage;
use super::tensor::Tensor;
use crate::types::{FEW, Layout, Loops, Odometer, Slots, Steps};
use core::array::from_fn;

// SAFETY: each method reads an element of each tensor at the index of a coordinate that is inside.
unsafe impl<'a, S: Storage<Item: 'a>, L: Layout, const K: usize> Companion for &'a [Tensor<S, L>; K] {
    type Items = [&'a S::Item; K];
    type Rows = [&'a [S::Item]; K];
    type Loops = [Loops<FEW>; K];

    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.iter().all(|tensor| tensor.layout().period() == Some(1))
    }

    #[inline(always)]
    unsafe fn items<const SUMS: bool>(&self, at: <Self::Loops as Steps>::Point) -> Self::Items {
        // SAFETY: the caller promises this.
        from_fn(|each| unsafe { element::<_, _, SUMS>(&self[each], at[each]) })
    }

    #[inline(always)]
    unsafe fn rows<const REPEATED: u32>(&self, _: &Self::Loops, at: <Self::Loops as Steps>::Point, count: usize) -> Self::Rows {
        // SAFETY: the elements of `count` coordinates, which are contiguous.
        from_fn(|each| unsafe { row(&self[each], at[each], count) })
    }

    #[inline(always)]
    unsafe fn nth<const REPEATED: u32>(rows: &Self::Rows, k: usize) -> Self::Items {
        // SAFETY: the caller promises this.
        from_fn(|each| unsafe { &*rows[each].as_ptr().wrapping_add(k) })
    }
}

// SAFETY: if all are alike, each has the extents of the layout, so that the loops of all visit the same coordinates in the same order.
unsafe impl<'a, S: Storage<Item: 'a>, L: Layout, const K: usize> CompanionTensors for &'a [Tensor<S, L>; K] {
    type Odometers = [Odometer; K];

    const LOOPS: Option<usize> = one_a_mode::<L>();

    #[cfg_attr(not(unoptimized), inline(always))]
    fn are_alike<Of: Layout>(&self, layout: &Of) -> bool {
        self.iter().all(|tensor| are_alike(layout, &tensor.layout()))
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn differ<Of: Storage, By: Layout>(tensor: &Tensor<Of, By>, others: Self) -> ! {
        others.iter().for_each(|other| refuse_unlike(&tensor.layout(), &other.layout()));
        unreachable!()
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn room() -> Self::Loops {
        [Loops::new(0); K]
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn companion_loops<const ALIKE: bool>(&self, ours: &mut Loops<FEW>, theirs: &mut Self::Loops) -> bool {
        let mut each = self.iter().zip(theirs);
        if ALIKE {
            return each.all(|(tensor, loops)| write(&tensor.layout(), loops));
        }
        // Cut `ours` by all layouts first, and then cut each layout like `ours`.
        let mut unused = Loops::new(0);
        self.iter().all(|tensor| cut(ours, &tensor.layout(), &mut unused)) && each.all(|(tensor, loops)| cut(ours, &tensor.layout(), loops))
    }

    #[inline]
    fn odometers(&self) -> Option<Self::Odometers> {
        let parts = self.each_ref().map(|tensor| tensor.layout().part());
        if parts.iter().any(Option::is_none) {
            return None;
        }
        Some(parts.map(|part| part.expect("looked at above").odometer()))
    }

    fn straight(all: &Self::Odometers, mode: usize, at: usize, len: usize) -> usize {
        all.iter().fold(len, |len, each| each.straight(mode, at, len))
    }

    fn box_loops(all: &Self::Odometers, from: &Slots, count: &Slots, ours: &mut Loops<FEW>, theirs: &mut Self::Loops) -> bool {
        all.iter().zip(theirs).all(|(each, theirs)| each.loops(from, count, ours, theirs))
    }

    #[inline]
    fn run(all: &Self::Odometers) -> usize {
        all.iter().map(Odometer::run).min().unwrap_or(usize::MAX)
    }

    #[inline(always)]
    fn point(all: &Self::Odometers, k: usize) -> <Self::Loops as Steps>::Point {
        from_fn(|each| all[each].point(k))
    }

    #[inline]
    fn advance(all: &mut Self::Odometers, count: usize) {
        all.iter_mut().for_each(|each| each.advance(count));
    }

    #[inline]
    fn indices(&self, position: usize) -> <Self::Loops as Steps>::Point {
        from_fn(|each| self[each].layout().crd2idx(position))
    }
}
