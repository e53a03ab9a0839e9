//! Groups of neighbouring levels that share their entries.

use super::{Format, LevelKind};
use crate::FormatError;
use alloc::vec::Vec;

/// Neighbouring levels of a format that share their entries: each entry has one coordinate in every level of the group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    /// A single `C` level, which stores pointers and no coordinates. Below each parent, an entry of the level above, it has an
    /// entry for each coordinate of its axis.
    Dense {
        /// The number of the level.
        level: usize,
    },
    /// Levels whose entries are stored tuples of coordinates: `S` levels, which store one coordinate for each entry. The
    /// last one may be a `DC` level, which also stores pointers to the children of each entry.
    Tuples {
        /// The number of the first level.
        first: usize,
        /// The number of the level after the last one.
        end: usize,
        /// True if a `C` level follows. Each tuple is then stored once for each coordinate of that level.
        repeats: bool,
    },
}

impl Group {
    /// Returns the number of the level after the group.
    pub fn end(self) -> usize {
        match self {
            Group::Dense { level } => level + 1,
            Group::Tuples { end, .. } => end,
        }
    }
}

impl Format {
    /// Returns the group that starts at level `first`.
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

    /// Returns the first of the consecutive `C` levels before `level`, or `level` if there are none.
    pub(crate) fn chain_start(&self, level: usize) -> usize {
        level - self.kinds[..level].iter().rev().take_while(|kind| **kind == LevelKind::Pointers).count()
    }

    /// Iterates over the groups of levels.
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

    /// Returns the format of a tensor that keeps only `axes`, given in increasing order. Their levels keep their kinds,
    /// but the last becomes `S` unless `multigraph` is true. Axes of this format are never an error.
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

    /// Returns the number of levels of the group `first..end` by which its tuples are sorted: those before the first
    /// unsorted level.
    pub(crate) fn sorted_levels(&self, first: usize, end: usize) -> usize {
        self.unsorted[first..end].iter().position(|unsorted| *unsorted).unwrap_or(end - first)
    }
}
