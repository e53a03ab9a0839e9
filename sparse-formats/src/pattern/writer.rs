//! Builds patterns whose elements come in storage order: every level grows at its end.

use super::{Arrays, SparsityPattern};
use crate::shape::pick;
use crate::{Format, Indices, LevelKind, SparseError, Width, with_indices};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::with_width;
use layout_levels::Index;

/// A pattern under construction, without the indices of its last level, which the caller collects.
///
/// The format must be sorted, no multigraph and not balanced. [`PatternWriter::close`] closes an entry after
/// everything below it has been appended, and only if something has. It also fills the pointers of entries that a `C`
/// level has skipped since the last one; [`PatternWriter::first_entry`] gives the numbers for that.
pub(crate) struct PatternWriter<'f> {
    format: &'f Format,
    shape: &'f [u64],
    extents: Vec<u64>,
    indices: Vec<Indices<'static>>,
    pointers: Vec<Vec<usize>>,
    /// The number of elements so far.
    pub elements: usize,
}

impl<'f> PatternWriter<'f> {
    /// Returns a writer without elements.
    ///
    /// Fails if the first levels are `C` and memory has no room for their pointers.
    pub fn new(shape: &'f [u64], format: &'f Format) -> Result<Self, SparseError> {
        let extents = pick(shape, &format.axis_order()[..format.levels()]);
        let empty = |extent: &u64| with_width_of(*extent);
        let mut out = PatternWriter {
            format,
            shape,
            indices: extents.iter().map(empty).collect(),
            pointers: vec![vec![0]; extents.len()],
            extents,
            elements: 0,
        };
        let dense = format.kinds().iter().take_while(|kind| **kind == LevelKind::Pointers).count();
        if dense > 0 {
            let entries = out.count(dense - 1, 1)?;
            out.pointers[dense - 1].try_reserve_exact(entries).map_err(|_| out.too_large(dense - 1, 1))?;
        }
        Ok(out)
    }

    fn kind(&self, level: usize) -> LevelKind {
        self.format.kinds()[level]
    }

    /// Returns the error for the entries of a level below `parents` parents that memory has no room for.
    fn too_large(&self, level: usize, parents: usize) -> SparseError {
        let first = if self.kind(level) == LevelKind::Pointers { self.format.chain_start(level) } else { level };
        SparseError::Entries { level, parents, extents: self.extents[first..=level].to_vec() }
    }

    /// Returns the number of entries of a `C` level below `parents` parents of its run of `C` levels. Fails if memory cannot
    /// have pointers for them.
    fn count(&self, level: usize, parents: usize) -> Result<usize, SparseError> {
        let extents = &self.extents[self.format.chain_start(level)..=level];
        let count = crate::shape::product(extents.iter().copied().chain([parents as u64]));
        // There is one pointer more than entries.
        count.filter(|count| *count < isize::MAX as usize / size_of::<usize>()).ok_or_else(|| self.too_large(level, parents))
    }

    /// Returns the number of closed entries before a `C` level that is the first of its run.
    fn parents(&self, level: usize) -> usize {
        match level.checked_sub(1).map(|before| (self.kind(before), self.indices[before].len())) {
            None => 0,
            // An `S` level stores each entry once for each coordinate of this level.
            Some((LevelKind::Indices, entries)) => entries / (self.extents[level] as usize).max(1),
            Some((_, entries)) => entries,
        }
    }

    /// Returns the number of the first entry of a `C` level below the open parent, and 0 for other kinds.
    /// `parent` is the number of the open parent, used only if it is an entry of a `C` level.
    #[inline]
    pub fn first_entry(&self, level: usize, parent: usize) -> usize {
        match self.kind(level) {
            LevelKind::Pointers => {
                let parent = if self.format.chain_start(level) == level { self.parents(level) } else { parent };
                // If this wraps, the level does not fit memory, and appending to it has failed or will fail.
                parent.wrapping_mul(self.extents[level] as usize)
            }
            _ => 0,
        }
    }

    /// Closes entry `entry` of a level before the last. It must have elements; `coordinate` is its coordinate. Fails if
    /// memory has no room.
    #[inline]
    pub fn close(&mut self, level: usize, coordinate: u64, entry: usize) -> Result<(), SparseError> {
        let next = level + 1;
        let compressed = self.kind(next) == LevelKind::Pointers;
        let below = if next == self.format.levels() - 1 { self.elements } else { self.indices[next].len() };
        match self.kind(level) {
            LevelKind::Pointers if compressed => {}
            LevelKind::Pointers => {
                let pointers = &mut self.pointers[level];
                let last = pointers.last().copied().unwrap_or(0);
                if extend(pointers, entry + 1, last).is_none() {
                    return Err(self.too_large(level, self.parents(self.format.chain_start(level)).max(1)));
                }
                pointers.push(below);
            }
            LevelKind::IndexedPointers => {
                with_indices!(&mut self.indices[level], array => array.to_mut().push(Index::from_low_bits(coordinate)));
                if !compressed {
                    self.pointers[level].push(below);
                }
            }
            LevelKind::Indices => {
                let length = match compressed {
                    true => usize::try_from(self.extents[next]).ok().and_then(|extent| self.indices[level].len().checked_add(extent)),
                    false => Some(below),
                };
                let room = with_indices!(&mut self.indices[level], array => {
                    length.and_then(|length| extend(array.to_mut(), length, Index::from_low_bits(coordinate)))
                });
                room.ok_or_else(|| self.too_large(next, self.elements))?;
            }
        }
        Ok(())
    }

    /// Returns the pattern; `last` are the indices of the last level. Fails if memory has no room for the pointers of
    /// entries that a `C` level has after the last closed entry.
    pub fn finish(mut self, last: Indices<'static>) -> Result<SparsityPattern<'static>, SparseError> {
        let levels = self.format.levels();
        if let Some(level) = levels.checked_sub(1) {
            self.indices[level] = last;
        }
        let mut counts = Vec::with_capacity(levels + 1);
        for level in 0..levels {
            let first = self.format.chain_start(level);
            counts.push(match self.kind(level) {
                LevelKind::Pointers => self.count(level, if first == 0 { 1 } else { self.parents(first) })?,
                _ => self.indices[level].len(),
            });
        }
        let mut arrays = Arrays::new();
        for (level, count) in counts.iter().enumerate() {
            if self.format.stores_indices(level) {
                arrays = arrays.with_indices(level, core::mem::replace(&mut self.indices[level], Vec::<u8>::new().into()));
            }
            if self.format.stores_pointers(level) {
                let mut pointers = core::mem::take(&mut self.pointers[level]);
                let last = pointers.last().copied().unwrap_or(0);
                extend(&mut pointers, count + 1, last).ok_or_else(|| self.too_large(level, 1))?;
                arrays = arrays.with_pointers(level, narrow(pointers, Width::of(last as u64)));
            }
        }
        counts.push(self.elements);
        Ok(SparsityPattern::of(self.shape.to_vec(), self.format.clone(), arrays, counts))
    }
}

/// Returns an empty array, in the width for coordinates below `extent`.
fn with_width_of(extent: u64) -> Indices<'static> {
    with_width!(Width::below(extent), T => Vec::<T>::new().into())
}

/// Converts pointers to the given width, which must hold them.
fn narrow(pointers: Vec<usize>, width: Width) -> Indices<'static> {
    with_width!(width, T => pointers.into_iter().map(|pointer| T::from_low_bits(pointer as u64)).collect::<Vec<T>>().into())
}

/// Grows an array to `length` with copies of `value`, or returns `None` if memory has no room. Never shrinks it.
fn extend<T: Copy>(array: &mut Vec<T>, length: usize, value: T) -> Option<()> {
    let more = length.saturating_sub(array.len());
    array.try_reserve(more).ok()?;
    array.extend(core::iter::repeat_n(value, more));
    Some(())
}
