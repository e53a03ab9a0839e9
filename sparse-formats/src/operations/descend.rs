//! Slices of a sorted pattern, level by level, without a visit of entries outside the slice.

use crate::pattern::PatternWriter;
use crate::{Format, Indices, SparseError, SparsityPattern, Width, with_indices};
use alloc::vec::Vec;
use array_kernels::{LevelView, with_width};
use core::ops::Range;
use layout_levels::Index;

/// The coordinates `start + k * step` of an axis for `k` below `count`. The axis is an axis of the slice (`stays`), or is
/// dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AxisSlice {
    pub start: u64,
    pub step: u64,
    pub count: u64,
    pub stays: bool,
}

impl AxisSlice {
    /// Returns the slice of all coordinates below an extent.
    pub fn all(extent: u64) -> AxisSlice {
        AxisSlice { start: 0, step: 1, count: extent, stays: true }
    }

    /// Returns the `k` for which `at(k)` is the coordinate, or `None` if the slice does not contain it.
    #[inline]
    pub fn place(self, coordinate: u64) -> Option<u64> {
        let steps = coordinate.checked_sub(self.start)?;
        // Avoid a division for a step of 1, the usual one.
        let place = if self.step == 1 { steps } else { (steps % self.step == 0).then_some(steps / self.step)? };
        (place < self.count).then_some(place)
    }

    /// Returns the last coordinate of the slice plus 1, or 0 for an empty slice.
    pub fn end(self) -> u64 {
        self.count.checked_sub(1).map_or(0, |last| self.start + last * self.step + 1)
    }

    /// Returns coordinate `k` of the slice.
    pub fn at(self, k: u64) -> u64 {
        self.start + k * self.step
    }
}

/// A slice of a pattern, and the elements of the original that form it. If elements are summed, `elements` has a
/// range for each new element; otherwise it has runs of elements that stay.
pub(super) struct SlicedPattern {
    pub pattern: SparsityPattern<'static>,
    pub elements: Vec<Range<usize>>,
}

/// Slices a sorted pattern with one slice for each level. `shape` has the extents of the result, and `format` is a sorted
/// format of the levels that stay, at least one. Fails if memory has no room.
///
/// With `reduced` the last level is not sliced; instead its elements below one parent become one element.
pub(super) fn part(
    pattern: &SparsityPattern,
    taken: &[AxisSlice],
    reduced: bool,
    shape: &[u64],
    format: &Format,
) -> Result<SlicedPattern, SparseError> {
    let levels = pattern.any_levels();
    let stays = |k: &usize| taken[*k].stays && !(reduced && k + 1 == levels.len());
    let last = (0..levels.len()).rev().find(stays).unwrap_or(0);
    let extent = shape[format.axis_order()[format.levels() - 1]];
    let append = PatternWriter::new(shape, format)?;
    let roots = levels[0].below(0..1);
    let column = pattern.indices(levels.len() - 1);
    with_width!(Width::below(extent), T => {
        let mut part = Descent { append, levels: &levels, taken, reduced, last, column, coordinates: Vec::<T>::new(), elements: Vec::new() };
        part.descend(0, 0, roots, 0)?;
        let Descent { append, mut coordinates, elements, .. } = part;
        coordinates.shrink_to_fit();
        Ok(SlicedPattern { pattern: append.finish(coordinates.into())?, elements })
    })
}

struct Descent<'d, T> {
    append: PatternWriter<'d>,
    levels: &'d [LevelView<'d>],
    taken: &'d [AxisSlice],
    reduced: bool,
    /// The last level whose axis is an axis of the slice.
    last: usize,
    /// The indices of the last level.
    column: Option<&'d Indices<'d>>,
    /// The indices of the last level of the slice so far.
    coordinates: Vec<T>,
    elements: Vec<Range<usize>>,
}

impl<T: Index> Descent<'_, T> {
    /// Returns the entries of level `k + 1` below these entries of level `k`, or the entries themselves at the last level.
    fn below(&self, k: usize, entries: Range<usize>) -> Range<usize> {
        match self.levels.get(k + 1) {
            Some(next) => next.below(entries),
            None => entries,
        }
    }

    /// Slices siblings of level `k`, which is level `to` of the slice if it stays, below entry `parent` there.
    fn descend(&mut self, k: usize, to: usize, siblings: Range<usize>, parent: usize) -> Result<(), SparseError> {
        let (level, taken) = (self.levels[k], self.taken[k]);
        if !taken.stays {
            let run = level.run(siblings, taken.start);
            return if run.is_empty() { Ok(()) } else { self.descend(k + 1, to, self.below(k, run), parent) };
        }
        if k == self.last && k + 1 == self.levels.len() {
            self.leaves(taken, siblings);
            return Ok(());
        }
        let first = if k == self.last { 0 } else { self.append.first_entry(to, parent) };
        let mut at = level.skip(siblings.start, siblings.start, siblings.end, taken.start);
        while at < siblings.end {
            let coordinate = level.at(siblings.start, at);
            let (start, place) = (at, taken.place(coordinate));
            if coordinate >= taken.end() {
                break;
            }
            at = level.run_end(at, siblings.end);
            let Some(place) = place else { continue };
            let below = self.below(k, start..at);
            if k == self.last {
                let elements = self.dropped(k + 1, below);
                if !elements.is_empty() {
                    self.coordinates.push(T::from_low_bits(place));
                    self.append.elements += 1;
                    self.push(elements);
                }
            } else if !below.is_empty() {
                let (before, entry) = (self.append.elements, first.wrapping_add(place as usize));
                self.descend(k + 1, to + 1, below, entry)?;
                if self.append.elements > before {
                    self.append.close(to, place, entry)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the elements below `siblings` of level `k` that have the single coordinate of each dropped level from `k` on.
    /// With `reduced` returns all siblings, because then level `k` is the last and is summed.
    fn dropped(&self, k: usize, siblings: Range<usize>) -> Range<usize> {
        if self.reduced {
            return siblings;
        }
        (k..self.levels.len()).fold(siblings, |siblings, k| self.below(k, self.levels[k].run(siblings, self.taken[k].start)))
    }

    /// Appends the elements of a row that are in the slice `taken` of the last level.
    fn leaves(&mut self, taken: AxisSlice, row: Range<usize>) {
        let Some(column) = self.column else { return };
        with_indices!(column, column => {
            let among = &column[row.clone()];
            // Rows that the slice takes whole, or that end before the slice does, need no search.
            let from = if taken.start == 0 { 0 } else { among.partition_point(|x| x.to_u64() < taken.start) };
            let ends = among.last().is_none_or(|x| x.to_u64() < taken.end());
            let to = if ends { among.len() } else { from + among[from..].partition_point(|x| x.to_u64() < taken.end()) };
            if taken.step == 1 {
                self.coordinates.extend(among[from..to].iter().map(|x| T::from_low_bits(x.to_u64() - taken.start)));
                self.append.elements += to - from;
                self.push(row.start + from..row.start + to);
                return;
            }
            for (k, x) in (from..).zip(&among[from..to]) {
                if let Some(place) = taken.place(x.to_u64()) {
                    self.coordinates.push(T::from_low_bits(place));
                    self.append.elements += 1;
                    self.push(row.start + k..row.start + k + 1);
                }
            }
        })
    }

    /// Appends a range of elements to `elements`, joined with the range before it unless elements are summed.
    fn push(&mut self, elements: Range<usize>) {
        match self.elements.last_mut() {
            Some(before) if before.end == elements.start && !self.reduced => before.end = elements.end,
            _ if elements.is_empty() => {}
            _ => self.elements.push(elements),
        }
    }
}
