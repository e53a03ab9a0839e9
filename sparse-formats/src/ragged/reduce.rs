//! Reductions over one axis.
//!
//! Over the last axis, every list becomes one number. Over another axis, the lists below its elements are laid over one another from the
//! left: element `j` of the result is made of the elements `j` of all of them that have one, so it is as long as the longest. Every leaf
//! is read once, whatever the lengths: its place in the result is found on the way down.

use super::array::RaggedArray;
use super::error::{RaggedError, Result};
use super::level::{DynLevel, Rows, room};
use super::number::Number;
use super::shape::RaggedShape;
use alloc::vec::Vec;
use layout_core::level::Level;

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Folds over `axis`, which is gone afterwards: `f(accumulator, leaf, place)`, where `place` is the coordinate of the leaf on that axis.
    ///
    /// Leaves come in order. Where there are none, the result is `init`.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec!["a", "b", "c", "d"])?;
    /// let join = |axis| a.fold(axis, String::new(), |text, leaf, _| text.push_str(leaf));
    /// assert_eq!((join(1)?.leaves(), join(0)?.leaves()), (&["abc", "", "d"].map(String::from)[..], &["ad", "b", "c"].map(String::from)[..]));
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn fold<A: Clone + 'static>(&self, axis: usize, init: A, mut f: impl FnMut(&mut A, &T, usize)) -> Result<RaggedArray<'static, A>> {
        let a = self.settled()?;
        a.shape().axis(axis, 0)?;
        if axis + 1 < a.depth() {
            return a.fold_across(axis, init, f);
        }
        let mut out = Vec::new();
        a.last_rows(|_, range| {
            let mut folded = init.clone();
            let list = a.leaves().get(range).unwrap_or(&[]);
            list.iter().enumerate().for_each(|(place, leaf)| f(&mut folded, leaf, place));
            out.push(folded);
        });
        match axis {
            0 => RaggedArray::from_leaves(out),
            _ => RaggedArray::new(a.len(), a.shape().packed_levels(axis - 1)?, out),
        }
    }

    /// The fold over an axis before the last: from this axis on, the lists of the result are those of all elements that meet.
    fn fold_across<A: Clone + 'static>(
        &self,
        axis: usize,
        init: A,
        mut f: impl FnMut(&mut A, &T, usize),
    ) -> Result<RaggedArray<'static, A>> {
        let (shape, last) = (self.shape(), self.depth() - 2);
        let mut levels = shape.packed_levels(axis.saturating_sub(1))?;
        let mut meeting = Meeting::new(shape, axis);
        for q in axis..last {
            let begins = meeting.lists(shape, q, &mut levels)?;
            let above = core::mem::take(&mut meeting.elements);
            meeting.elements.reserve(shape.count(q + 1));
            shape.for_rows(q, |row, range| {
                let (place, coordinate) = above[row];
                meeting.elements.extend((0..range.len()).map(|k| (begins[place] + k, coordinate)));
            });
        }
        let begins = meeting.lists(shape, last, &mut levels)?;
        let mut out = alloc::vec![init; meeting.places];
        shape.for_rows(last, |row, range| {
            let (place, coordinate) = meeting.elements[row];
            let (into, from) = (out.get_mut(begins[place]..).unwrap_or(&mut []), self.leaves().get(range).unwrap_or(&[]));
            into.iter_mut().zip(from).for_each(|(folded, leaf)| f(folded, leaf, coordinate));
        });
        // All lists of the outer axis meet in one, which is the outer axis of the result.
        let outer = if axis == 0 { levels.remove(0).range(0).len() } else { self.len() };
        RaggedArray::new(outer, levels, out)
    }

    /// Whether `holds` for a leaf of each list of `axis`; not for one without leaves.
    pub fn any(&self, axis: usize, mut holds: impl FnMut(&T) -> bool) -> Result<RaggedArray<'static, bool>> {
        self.fold(axis, false, |any, leaf, _| *any = *any || holds(leaf))
    }

    /// Whether `holds` for all leaves of each list of `axis`; also for one without leaves.
    pub fn all(&self, axis: usize, mut holds: impl FnMut(&T) -> bool) -> Result<RaggedArray<'static, bool>> {
        self.fold(axis, true, |all, leaf, _| *all = *all && holds(leaf))
    }
}

/// Which elements of one axis meet in one place of the result.
struct Meeting {
    /// For every element its place, and its coordinate on the axis that is folded.
    elements: Vec<(usize, usize)>,
    /// How many places there are.
    places: usize,
}

impl Meeting {
    /// The elements of one list of `axis` meet in one place.
    fn new(shape: &RaggedShape<'_>, axis: usize) -> Meeting {
        let mut elements = Vec::with_capacity(shape.count(axis));
        if axis == 0 {
            elements.extend((0..shape.count(0)).map(|coordinate| (0, coordinate)));
            return Meeting { elements, places: 1 };
        }
        shape.for_rows(axis - 1, |list, range| elements.extend((0..range.len()).map(|coordinate| (list, coordinate))));
        Meeting { elements, places: shape.count(axis - 1) }
    }

    /// Adds the level of the lists of all places, each as long as the longest that meet there: where each begins.
    ///
    /// The elements of these lists are the next places.
    fn lists(&mut self, shape: &RaggedShape<'_>, q: usize, levels: &mut Vec<DynLevel<'static>>) -> Result<Vec<usize>> {
        let mut lengths = alloc::vec![0_usize; self.places];
        shape.for_rows(q, |row, range| {
            let length = &mut lengths[self.elements[row].0];
            *length = (*length).max(range.len());
        });
        let mut rows = Rows::with_capacity(self.places)?;
        let mut begins = Vec::with_capacity(self.places);
        for length in lengths {
            begins.push(rows.end());
            rows.push(length);
        }
        self.places = rows.end();
        levels.push(rows.finish()?);
        Ok(begins)
    }
}

/// Something went beyond the range of an integer.
fn whole<T: Clone + 'static>(overflow: bool, result: RaggedArray<'static, T>) -> Result<RaggedArray<'static, T>> {
    if overflow { Err(RaggedError::Overflow) } else { Ok(result) }
}

impl<T: Number> RaggedArray<'_, T> {
    /// The sum over `axis`; of nothing 0. An error if an integer overflows.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![1, 2, 3, 4])?;
    /// assert_eq!((a.sum(1)?.leaves(), a.sum(0)?.leaves()), (&[6, 0, 4][..], &[5, 2, 3][..]));
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn sum(&self, axis: usize) -> Result<RaggedArray<'static, T>> {
        self.checked(axis, T::ZERO, T::plus)
    }

    /// The product over `axis`; of nothing 1. An error if an integer overflows.
    pub fn prod(&self, axis: usize) -> Result<RaggedArray<'static, T>> {
        self.checked(axis, T::ONE, T::times)
    }

    fn checked(&self, axis: usize, init: T, f: impl Fn(T, T) -> Option<T>) -> Result<RaggedArray<'static, T>> {
        let mut overflow = false;
        let result = self.fold(axis, init, |folded, leaf, _| match f(*folded, *leaf) {
            Some(next) => *folded = next,
            None => overflow = true,
        })?;
        whole(overflow, result)
    }

    /// The least number over `axis`; of nothing none. NaN is the greatest.
    pub fn min(&self, axis: usize) -> Result<RaggedArray<'static, Option<T>>> {
        self.fold(axis, None, |least, leaf, _| {
            if least.is_none_or(|least: T| leaf.order(least).is_lt()) {
                *least = Some(*leaf);
            }
        })
    }

    /// The greatest number over `axis`; of nothing none. NaN is the greatest.
    pub fn max(&self, axis: usize) -> Result<RaggedArray<'static, Option<T>>> {
        self.fold(axis, None, |most, leaf, _| {
            if most.is_none_or(|most: T| leaf.order(most).is_gt()) {
                *most = Some(*leaf);
            }
        })
    }

    /// The coordinate on `axis` of the first least number; of nothing none.
    pub fn argmin(&self, axis: usize) -> Result<RaggedArray<'static, Option<usize>>> {
        self.place_of(axis, |leaf, least| leaf.order(least).is_lt())
    }

    /// The coordinate on `axis` of the first greatest number; of nothing none.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![1, 7, 3, 4])?;
    /// assert_eq!((a.argmax(1)?.leaves(), a.argmax(0)?.leaves()), (&[Some(1), None, Some(0)][..], &[Some(2), Some(0), Some(0)][..]));
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn argmax(&self, axis: usize) -> Result<RaggedArray<'static, Option<usize>>> {
        self.place_of(axis, |leaf, most| leaf.order(most).is_gt())
    }

    fn place_of(&self, axis: usize, better: impl Fn(T, T) -> bool) -> Result<RaggedArray<'static, Option<usize>>> {
        let best = self.fold(axis, None, |best: &mut Option<(T, usize)>, leaf, place| {
            if best.is_none_or(|(best, _)| better(*leaf, best)) {
                *best = Some((*leaf, place));
            }
        })?;
        best.map(|best| best.map(|(_, place)| place))
    }

    /// The mean over `axis`; of nothing NaN.
    pub fn mean(&self, axis: usize) -> Result<RaggedArray<'static, f64>> {
        let sums = self.fold(axis, (0.0, 0_usize), |(sum, count), leaf, _| {
            *sum += leaf.to_f64();
            *count += 1;
        })?;
        sums.map(|(sum, count)| sum / *count as f64)
    }

    /// The sum of all leaves.
    pub fn total(&self) -> Result<T> {
        self.settled()?.leaves().iter().try_fold(T::ZERO, |sum, leaf| sum.plus(*leaf)).ok_or(RaggedError::Overflow)
    }

    /// Every list of the last axis in ascending order; equal numbers keep theirs.
    pub fn sort(&self) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        let mut leaves = a.leaves().to_vec();
        a.last_rows(|_, range| {
            if let Some(list) = leaves.get_mut(range) {
                list.sort_by(|x, y| x.order(*y));
            }
        });
        a.with_leaves(leaves)
    }

    /// For every list of the last axis the order of its elements that is ascending; equal ones in their order.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![7, 1, 7, 4])?;
    /// assert_eq!((a.argsort()?.leaves(), a.sort()?.leaves()), (&[1, 0, 2, 0][..], &[1, 7, 7, 4][..]));
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn argsort(&self) -> Result<RaggedArray<'static, usize>> {
        let a = self.settled()?;
        let leaves = a.leaves();
        let (mut places, mut list) = (room(leaves.len())?, Vec::new());
        a.last_rows(|_, range| {
            list.clear();
            list.extend(leaves.get(range).unwrap_or(&[]).iter().copied().zip(0..));
            list.sort_by(|(x, _): &(T, usize), (y, _)| x.order(*y));
            places.extend(list.iter().map(|(_, place)| *place));
        });
        a.with_leaves(places)
    }
}
