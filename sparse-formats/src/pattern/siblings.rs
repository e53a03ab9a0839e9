//! Checks of the entries below one parent: their order, whether they differ, and that tuples come in whole blocks.

use super::Arrays;
use crate::{ArrayName, Format, Indices, SparseError, with_indices};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

/// Where the entries of each parent begin, from the top down.
pub(super) struct Siblings<'p, 'a> {
    /// The pointers of the parents, unless there is one parent of so many entries.
    pointers: Option<&'p Indices<'a>>,
    entries: usize,
    /// For each parent, whether it is a further part of the one before it.
    further: Vec<bool>,
    /// For each entry of the group that was checked last, whether it is a further part of the one before it.
    next_further: Vec<bool>,
}

impl<'p, 'a> Siblings<'p, 'a> {
    /// The entries of the first level.
    pub fn new(entries: usize) -> Self {
        Siblings { pointers: None, entries, further: Vec::new(), next_further: Vec::new() }
    }

    /// Goes below the group that was checked last, or below a compressed level; where there are no pointers the next level has them.
    pub fn below(&mut self, pointers: Option<&'p Indices<'a>>) {
        if let Some(pointers) = pointers {
            self.pointers = Some(pointers);
            self.further = core::mem::take(&mut self.next_further);
        }
    }

    /// The ranges of entries that must be sorted.
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

    /// Checks a group of levels whose every entry is stored `stride` times.
    pub fn check(&mut self, format: &Format, arrays: &Arrays, levels: Range<usize>, stride: usize) -> Result<(), SparseError> {
        let group = TupleGroup {
            last: levels.end - 1,
            sorted: format.sorted_levels(levels.start, levels.end),
            // The last level of a multigraph lists each of its elements, unless it is compressed.
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

/// The tuples that the levels of a group store.
struct TupleGroup<'c, 'a> {
    first: usize,
    last: usize,
    columns: Vec<&'c Indices<'a>>,
    stride: usize,
    /// How many levels they are sorted by.
    sorted: usize,
    /// True where a tuple may occur for several elements.
    repeats: bool,
    /// True where nodes are split into parts that follow each other.
    splits: bool,
}

impl TupleGroup<'_, '_> {
    fn is_plain(&self) -> bool {
        self.columns.len() == 1 && self.sorted == 1 && self.stride == 1 && !self.repeats && !self.splits
    }

    fn tuple(&self, at: usize) -> Vec<u64> {
        self.columns.iter().map(|column| column.get(at).unwrap_or(0)).collect()
    }

    fn compare(&self, a: usize, b: usize, levels: usize) -> Ordering {
        let pairs = self.columns[..levels].iter().map(|column| column.get(a).cmp(&column.get(b)));
        pairs.fold(Ordering::Equal, Ordering::then)
    }

    fn fault(&self, at: usize, before: usize) -> SparseError {
        if self.compare(before, at, self.columns.len()) == Ordering::Equal {
            return SparseError::Duplicate { level: self.last, at, found: self.tuple(at) };
        }
        SparseError::Unsorted { level: self.last, at, before: self.tuple(before), found: self.tuple(at) }
    }

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
                // The levels that they are not sorted by tell them apart, or nothing does.
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

    /// Tests that the range is whole blocks of `stride` equal tuples.
    fn blocks(&self, range: Range<usize>) -> Result<(), SparseError> {
        if self.stride == 1 {
            return Ok(());
        }
        let extent = self.stride as u64;
        for (level, column) in (self.first..).zip(&self.columns) {
            let array = ArrayName::Indices(level);
            // Blocks start where those of the siblings before end, so that the end of a range shows one that is not whole.
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
