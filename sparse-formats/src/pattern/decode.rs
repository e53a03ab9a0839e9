//! The coordinates of all elements at once.

use super::Pattern;
use crate::kernels::{ascend, expand, tasks};
use crate::memory::filled;
use crate::narrow::{Narrow, with_width};
use crate::{Indices, LevelKind, LevelsError, Width, with_indices};
use alloc::vec::Vec;
use layout_core::FastDiv64;
use layout_core::level::Index;

impl<'a> Pattern<'a> {
    /// The coordinates of all elements, one array for each level in storage order; borrowed where the level stores just these.
    ///
    /// Fails where memory has no room for them.
    pub fn level_columns(&self) -> Result<Vec<Indices<'_>>, LevelsError> {
        match self.counts.iter().all(|count| u32::try_from(*count).is_ok()) {
            true => self.columns_by::<u32>(),
            false => self.columns_by::<u64>(),
        }
    }

    /// The coordinates of all elements, one array for each axis that is not dense after the levels, in the order of the axes.
    pub fn coordinates(&self) -> Result<Vec<Indices<'_>>, LevelsError> {
        let mut columns: Vec<(usize, Indices)> = self.format().axis_order().iter().copied().zip(self.level_columns()?).collect();
        columns.sort_by_key(|(axis, _)| *axis);
        Ok(columns.into_iter().map(|(_, column)| column).collect())
    }

    /// The columns from the last level up; `E` holds the numbers of all entries.
    fn columns_by<E: Narrow>(&self) -> Result<Vec<Indices<'_>>, LevelsError>
    where
        Indices<'static>: From<Vec<E>>,
    {
        let levels = self.format().levels();
        // The entry of each element in the level; none where entries are elements.
        let mut entries: Option<Vec<E>> = None;
        let mut columns = Vec::with_capacity(levels);
        for level in (0..levels).rev() {
            entries = match (self.pointers(level), entries) {
                (Some(pointers), None) => {
                    Some(with_indices!(pointers, pointers => expand(pointers, self.stored())).map_err(|_| self.full(level))?)
                }
                (Some(pointers), Some(mut entries)) => {
                    with_indices!(pointers, pointers => ascend(pointers, &mut entries));
                    Some(entries)
                }
                (None, entries) if self.kind(level) == LevelKind::Sparse => entries,
                // Levels without pointers come before compressed ones.
                (None, entries) => {
                    let extent = FastDiv64::total(self.extents[level + 1]);
                    let mut entries = entries.map_or_else(|| self.numbers(level), Ok)?;
                    tasks::each(&mut entries, |_, part| {
                        part.iter_mut().for_each(|entry| *entry = E::narrow(extent.quotient(entry.to_u64())))
                    });
                    Some(entries)
                }
            };
            if level == 0 && self.is_whole(0) && Width::of(self.extents[0].saturating_sub(1)).bits() == E::BITS {
                columns.push(entries.take().map_or_else(|| self.numbers(level), Ok)?.into());
            } else {
                columns.push(self.column(level, entries.as_deref())?);
            }
        }
        columns.reverse();
        Ok(columns)
    }

    /// Whether the entries of a level are its coordinates: one parent has them all.
    fn is_whole(&self, level: usize) -> bool {
        self.kind(level) == LevelKind::Compressed && self.entries(level) as u64 <= self.extents[level]
    }

    /// The number of each element.
    fn numbers<E: Narrow>(&self, level: usize) -> Result<Vec<E>, LevelsError>
    where
        Indices<'static>: From<Vec<E>>,
    {
        let mut out: Vec<E> = filled(self.stored(), E::default()).ok_or_else(|| self.full(level))?;
        tasks::each(&mut out, |start, part| (start..).zip(part).for_each(|(k, entry)| *entry = E::narrow(k as u64)));
        Ok(out)
    }

    fn full(&self, level: usize) -> LevelsError {
        LevelsError::Overflow { level, parents: self.stored(), extent: 1 }
    }

    /// The coordinates in a level, of all elements.
    fn column<E: Index>(&self, level: usize, entries: Option<&[E]>) -> Result<Indices<'_>, LevelsError> {
        let (elements, extent) = (self.stored(), self.extents[level]);
        match (self.indices(level), entries) {
            (Some(indices), None) => Ok(indices.view()),
            (Some(indices), Some(entries)) => Ok(with_indices!(indices, array => {
                let mut out = filled(elements, Default::default()).ok_or_else(|| self.full(level))?;
                tasks::each(&mut out, |start, out| {
                    out.iter_mut().zip(&entries[start..]).for_each(|(slot, entry)| *slot = array[entry.to_usize()]);
                });
                out.into()
            })),
            (None, entries) => Ok(with_width!(Width::of(extent.saturating_sub(1)), T => {
                let mut out: Vec<T> = filled(elements, T::default()).ok_or_else(|| self.full(level))?;
                let (by, whole) = (FastDiv64::total(extent), self.is_whole(level));
                tasks::each(&mut out, |start, out| {
                    for (k, slot) in (start..).zip(out) {
                        let entry = entries.map_or(k as u64, |entries| entries[k].to_u64());
                        *slot = T::narrow(if whole { entry } else { by.remainder(entry) });
                    }
                });
                out.into()
            })),
        }
    }
}
