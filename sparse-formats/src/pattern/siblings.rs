//! Checks of the entries below one parent: they are sorted and distinct, and tuples come in whole blocks.

use super::Arrays;
use crate::{ArrayName, Format, Indices, SparseError, with_indices};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

/// The ranges of siblings in the current level. `check::contents` moves them from the first level down.
pub(super) struct Siblings<'p, 'a> {
    /// The pointers of the parents, or `None` if one parent has all `entries`.
    pointers: Option<&'p Indices<'a>>,
    entries: usize,
    /// A flag for each parent: true if it continues the parent before it, because a node was split.
    further: Vec<bool>,
    /// A flag for each entry of the last checked group: true if it continues the entry before it.
    next_further: Vec<bool>,
}

impl<'p, 'a> Siblings<'p, 'a> {
    /// Returns the siblings of the first level: all its entries.
    pub fn new(entries: usize) -> Self {
        Siblings { pointers: None, entries, further: Vec::new(), next_further: Vec::new() }
    }

    /// Moves below the group that was checked last, or below a `C` level, whose pointers are given. Without pointers, the
    /// next `C` level has them, and nothing changes.
    pub fn below(&mut self, pointers: Option<&'p Indices<'a>>) {
        if let Some(pointers) = pointers {
            self.pointers = Some(pointers);
            self.further = core::mem::take(&mut self.next_further);
        }
    }

    /// Iterates over the ranges of entries that must be sorted.
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let pointer = |k| self.pointers.map_or(0, |pointers| pointers.get(k).unwrap_or(0) as usize);
        let parents = self.pointers.map_or(0, |pointers| pointers.len() - 1);
        let mut next = 0;
        let mut root = self.pointers.is_none();
        core::iter::from_fn(move || {
            if core::mem::take(&mut root) {
                return Some(0..self.entries);
            }
            let first = next;
            if first == parents {
                return None;
            }
            next += 1;
            while next < parents && self.further.get(next) == Some(&true) {
                next += 1;
            }
            Some(pointer(first)..pointer(next))
        })
    }

    /// Checks a group of levels in which every entry is stored `stride` times. Fails at the first siblings that lack the
    /// order that the format promises, repeat a tuple, or are no whole blocks.
    pub fn check(&mut self, format: &Format, arrays: &Arrays, levels: Range<usize>, stride: usize) -> Result<(), SparseError> {
        let group = TupleGroup {
            last: levels.end - 1,
            sorted: format.sorted_levels(levels.start, levels.end),
            // The last level of a multigraph stores a tuple for each element, unless it has pointers.
            repeats: format.is_multigraph() && levels.end == format.levels() && !format.stores_pointers(levels.end - 1),
            splits: format.balanced().is_some_and(|balance| balance.level + 1 == levels.end),
            columns: levels.clone().filter_map(|level| arrays.indices(level)).collect(),
            first: levels.start,
            stride,
        };
        if group.is_plain() {
            return with_indices!(group.columns[0], column => {
                for range in self.ranges() {
                    if let Some(k) = column[range.clone()].windows(2).position(|pair| pair[1] <= pair[0]) {
                        return Err(group.fault(range.start + k + 1, range.start + k));
                    }
                }
                Ok(())
            });
        }
        let mut further = Vec::new();
        if group.splits {
            further.resize(group.columns[0].len(), false);
        }
        for range in self.ranges() {
            group.check(range, &mut further)?;
        }
        self.next_further = further;
        Ok(())
    }
}

/// The tuples stored by the levels of a group.
struct TupleGroup<'c, 'a> {
    first: usize,
    last: usize,
    columns: Vec<&'c Indices<'a>>,
    /// The number of times that each tuple is stored.
    stride: usize,
    /// The number of leading levels that the tuples are sorted by.
    sorted: usize,
    /// True if several elements may have the same tuple.
    repeats: bool,
    /// True if nodes are split into consecutive nodes with the same indices.
    splits: bool,
}

impl TupleGroup<'_, '_> {
    /// Tests whether siblings are simply the increasing numbers of one column, for which the check has a fast loop.
    fn is_plain(&self) -> bool {
        self.columns.len() == 1 && self.sorted == 1 && self.stride == 1 && !self.repeats && !self.splits
    }

    fn tuple(&self, at: usize) -> Vec<u64> {
        self.columns.iter().map(|column| column.get(at).unwrap_or(0)).collect()
    }

    /// Compares the tuples at the positions `a` and `b` in the first `levels` levels of the group.
    fn compare(&self, a: usize, b: usize, levels: usize) -> Ordering {
        let pairs = self.columns[..levels].iter().map(|column| column.get(a).cmp(&column.get(b)));
        pairs.fold(Ordering::Equal, Ordering::then)
    }

    /// Returns the error for the tuples at the positions `before` and `at`: a duplicate if they are equal, else a wrong order.
    fn fault(&self, at: usize, before: usize) -> SparseError {
        if self.compare(before, at, self.columns.len()) == Ordering::Equal {
            return SparseError::Duplicate { level: self.last, at, found: self.tuple(at) };
        }
        SparseError::Unsorted { level: self.last, at, before: self.tuple(before), found: self.tuple(at) }
    }

    /// Checks the siblings at the positions `range`. Sets `further[at]` for each node that continues the node before it.
    fn check(&self, range: Range<usize>, further: &mut [bool]) -> Result<(), SparseError> {
        self.blocks(range.clone())?;
        let width = self.columns.len();
        for at in range.clone().step_by(self.stride).skip(1) {
            let before = at - self.stride;
            if self.splits && self.compare(before, at, width) == Ordering::Equal {
                further[at] = true;
                continue;
            }
            match self.compare(before, at, self.sorted) {
                Ordering::Greater => return Err(self.fault(at, before)),
                // Equal in all sorted levels: without other levels, which may differ, they are duplicates.
                Ordering::Equal if self.sorted == width && !self.repeats => return Err(self.fault(at, before)),
                _ => {}
            }
        }
        if self.sorted == width || self.repeats {
            return Ok(());
        }
        let mut order: Vec<usize> = range.step_by(self.stride).filter(|at| further.get(*at) != Some(&true)).collect();
        order.sort_by(|a, b| self.compare(*a, *b, width));
        match order.windows(2).find(|pair| self.compare(pair[0], pair[1], width) == Ordering::Equal) {
            Some(pair) => Err(self.fault(pair[0].max(pair[1]), pair[0].min(pair[1]))),
            None => Ok(()),
        }
    }

    /// Fails unless the range consists of whole blocks of `stride` equal tuples.
    fn blocks(&self, range: Range<usize>) -> Result<(), SparseError> {
        if self.stride == 1 {
            return Ok(());
        }
        let extent = self.stride as u64;
        for (level, column) in (self.first..).zip(&self.columns) {
            let array = ArrayName::Indices(level);
            // The preceding ranges consist of whole blocks, so this range starts at a block. Only its end can cut one.
            if !(range.end as u64).is_multiple_of(extent) {
                return Err(SparseError::PartialBlock { array, found: range.end as u64, extent });
            }
            for at in range.clone() {
                let (expected, found) = (column.get(at - at % self.stride), column.get(at));
                if expected != found {
                    return Err(SparseError::Repetition { array, at, expected: expected.unwrap_or(0), found: found.unwrap_or(0) });
                }
            }
        }
        Ok(())
    }
}
