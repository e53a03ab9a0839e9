//! Levels that share their entries.

use super::{Format, LevelKind};
use crate::FormatError;
use alloc::vec::Vec;

/// Levels from `first` up to, not including, `end` that are stored together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    /// One compressed level: an entry for each coordinate below each parent.
    Dense {
        /// The level.
        level: usize,
    },
    /// Tuples of coordinates that occur: sparse levels, and a doubly compressed one that ends them.
    Tuples {
        /// Its first level.
        first: usize,
        /// The level after its last.
        end: usize,
        /// True where each tuple is stored once for each coordinate of the compressed level after it.
        repeats: bool,
    },
}

impl Group {
    /// The level after its last.
    pub fn end(self) -> usize {
        match self {
            Group::Dense { level } => level + 1,
            Group::Tuples { end, .. } => end,
        }
    }
}

impl Format {
    /// The group that starts at a level.
    pub(crate) fn group_from(&self, first: usize) -> Group {
        if self.kinds[first] == LevelKind::Pointers {
            return Group::Dense { level: first };
        }
        let stop = self.kinds[first..].iter().position(|kind| *kind != LevelKind::Indices).map(|n| first + n);
        match stop {
            None => Group::Tuples { first, end: self.kinds.len(), repeats: false },
            Some(stop) if self.kinds[stop] == LevelKind::Pointers => Group::Tuples { first, end: stop, repeats: true },
            Some(stop) => Group::Tuples { first, end: stop + 1, repeats: false },
        }
    }

    /// The first level of the compressed levels that end with this one.
    pub(crate) fn chain_start(&self, level: usize) -> usize {
        level - self.kinds[..level].iter().rev().take_while(|kind| **kind == LevelKind::Pointers).count()
    }

    /// Its levels in groups.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Group> + '_ {
        let mut next = 0;
        core::iter::from_fn(move || {
            (next < self.kinds.len()).then(|| {
                let group = self.group_from(next);
                next = group.end();
                group
            })
        })
    }

    /// The format of the axes that stay, given in increasing order: their levels keep their kinds; the last becomes `S` unless coordinates may repeat.
    pub(crate) fn of_axes(&self, axes: &[usize], multigraph: bool) -> Result<Format, FormatError> {
        let place = |axis: &usize| axes.binary_search(axis).ok();
        let levels = self.axes.iter().zip(&self.kinds).filter(|(axis, _)| place(axis).is_some());
        let mut kinds: Vec<LevelKind> = levels.map(|(_, kind)| *kind).collect();
        let order: Vec<usize> = self.axes.iter().filter_map(place).collect();
        match kinds.last_mut() {
            Some(last) if !multigraph => *last = LevelKind::Indices,
            _ => {}
        }
        Format::multigraph(&kinds, &order)?.with_multigraph(multigraph)
    }

    /// How many of the levels of a group that starts at `first` its tuples are sorted by.
    pub(crate) fn sorted_levels(&self, first: usize, end: usize) -> usize {
        self.unsorted[first..end].iter().position(|unsorted| *unsorted).unwrap_or(end - first)
    }
}
