//! The coordinates of all elements at once.

use super::Pattern;
use crate::narrow::{Narrow, filled, with_width};
use crate::{Indices, LevelKind, LevelsError, Width};
use alloc::vec::Vec;

impl<'a> Pattern<'a> {
    /// The coordinates of all elements, one array for each level in storage order; borrowed where the level stores just these.
    ///
    /// Fails where memory has no room for them.
    pub fn level_columns(&self) -> Result<Vec<Indices<'_>>, LevelsError> {
        let levels = self.format().levels();
        // For each entry of the next level, and for the one after its last, its first element; none where entries are elements.
        let mut starts: Option<Vec<usize>> = None;
        let mut columns = Vec::with_capacity(levels);
        for level in (0..levels).rev() {
            starts = match (self.pointers(level), starts) {
                (Some(pointers), None) => Some(pointers.iter().map(|k| k as usize).collect()),
                (Some(pointers), Some(below)) => Some(pointers.iter().map(|k| below[k as usize]).collect()),
                (None, below) if self.kind(level) == LevelKind::Sparse => below,
                // Levels without pointers come before compressed ones.
                (None, below) => {
                    let extent = self.extents[level + 1] as usize;
                    let first = |entry: usize| below.as_ref().map_or(entry * extent, |below| below[entry * extent]);
                    Some((0..=self.entries(level)).map(first).collect())
                }
            };
            columns.push(self.column(level, starts.as_deref())?);
        }
        columns.reverse();
        Ok(columns)
    }

    /// The coordinates of all elements, one array for each axis that is not dense after the levels, in the order of the axes.
    pub fn coordinates(&self) -> Result<Vec<Indices<'_>>, LevelsError> {
        let mut columns: Vec<(usize, Indices)> = self.format().axis_order().iter().copied().zip(self.level_columns()?).collect();
        columns.sort_by_key(|(axis, _)| *axis);
        Ok(columns.into_iter().map(|(_, column)| column).collect())
    }

    fn column(&self, level: usize, starts: Option<&[usize]>) -> Result<Indices<'_>, LevelsError> {
        let (elements, entries, extent) = (self.stored(), self.entries(level), self.extents[level]);
        let full = || LevelsError::Overflow { level, parents: elements, extent: 1 };
        match (self.indices(level), starts) {
            (Some(indices), None) => Ok(indices.view()),
            (Some(indices), Some(starts)) => Ok(crate::with_indices!(indices, array => {
                let mut out = filled(elements, Default::default()).ok_or_else(full)?;
                for entry in 0..entries {
                    out[starts[entry]..starts[entry + 1]].fill(array[entry]);
                }
                out.into()
            })),
            (None, starts) => Ok(with_width!(Width::of(extent.saturating_sub(1)), T => {
                let mut out: Vec<T> = filled(elements, T::default()).ok_or_else(full)?;
                let start = |entry: usize| starts.map_or(entry, |starts| starts[entry]);
                let mut coordinate = 0;
                for entry in 0..entries {
                    out[start(entry)..start(entry + 1)].fill(T::narrow(coordinate));
                    coordinate = if coordinate + 1 == extent { 0 } else { coordinate + 1 };
                }
                out.into()
            })),
        }
    }
}
