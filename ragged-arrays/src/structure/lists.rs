//! The lists of one level as rows of entries. Loops over them are compiled for each width of stored offsets.

use super::shape::RaggedShape;
use super::visit::Pieces;
use alloc::vec::Vec;
use array_kernels::merge_path::{Even, MergeSegment, Rows};
use array_kernels::spread::HEAD;
use array_kernels::{DynLevel, Indices, Ranges};
use core::ops::{Range, RangeInclusive};
use layout_levels::Level;

/// Consecutive lists: all of one size, or given by offsets.
pub(crate) enum Lists<'a> {
    Even(Even),
    /// The offsets of a level, and the range of them that is in use.
    Offsets(&'a Indices<'a>, RangeInclusive<usize>),
    /// Offsets from 0 on, computed from several levels or from views.
    Made(Vec<usize>),
}

/// Expands to `body` for each kind of list, with `rows` bound to the lists.
macro_rules! with_lists {
    ($lists:expr, $rows:ident => $body:expr) => {
        match $lists {
            $crate::structure::Lists::Even($rows) => $body,
            $crate::structure::Lists::Offsets(offsets, used) => array_kernels::with_indices!(offsets, offsets => {
                let $rows = &array_kernels::merge_path::Offsets::new(offsets.get(used.clone()).unwrap_or(&[]));
                $body
            }),
            $crate::structure::Lists::Made(offsets) => {
                let $rows = &array_kernels::merge_path::Offsets::new(&offsets[..]);
                $body
            }
        }
    };
}
pub(crate) use with_lists;

impl RaggedShape<'_> {
    /// Returns the lists of level `q` in order. Their elements are numbered consecutively, from 0.
    pub(crate) fn lists(&self, q: usize) -> Lists<'_> {
        let (begin, count) = (self.span(q).start, self.count(q));
        match self.levels().get(q).map(DynLevel::ranges) {
            None => Lists::Even(Even { rows: 0, size: 0 }),
            Some(Ranges::Uniform(level)) => Lists::Even(Even { rows: count, size: level.extent(0) }),
            Some(Ranges::Pointers(offsets)) => Lists::Offsets(offsets, begin..=begin + count),
            Some(_) => Lists::Made(self.offsets_of(q)),
        }
    }

    /// Returns, for each element of an axis, the list of the leaves below it.
    pub(crate) fn leaf_lists(&self, axis: usize) -> Lists<'_> {
        match self.depth().saturating_sub(axis) {
            0 => Lists::Even(Even { rows: 0, size: 0 }),
            1 => Lists::Even(Even { rows: self.count(axis), size: 1 }),
            2 => self.lists(axis),
            _ => {
                let mut offsets = self.leaf_offsets(axis);
                // The offsets of views may decrease, but those of lists must not: replace each by the running maximum.
                let mut end = 0;
                offsets.iter_mut().for_each(|offset| end = core::mem::replace(offset, end.max(*offset)).max(end));
                Lists::Made(offsets)
            }
        }
    }

    /// Returns the lists of the last axis. An array of one axis is one list.
    pub(crate) fn last_lists(&self) -> Lists<'_> {
        match self.depth() {
            1 => Lists::Even(Even { rows: 1, size: self.count(0) }),
            depth => self.lists(depth - 2),
        }
    }
}

/// Calls `f` with the next item and the number of the entry's list, for each entry of a part. `numbers` has one number a list.
#[inline(always)]
pub(crate) fn zip_numbers<U: Copy, I>(
    rows: &impl Rows,
    part: &MergeSegment,
    numbers: &[U],
    mut items: impl Pieces<I>,
    mut f: impl FnMut(I, &U),
) {
    with_numbers(rows, part, numbers, |entries, numbers| match numbers {
        Numbers::Each(numbers) => items.piece(entries.len()).zip(numbers).for_each(|(item, number)| f(item, number)),
        Numbers::One(number) => items.piece(entries.len()).for_each(|item| f(item, &number)),
    });
}

/// The numbers that belong to the lists of some entries.
pub(crate) enum Numbers<'a, U> {
    /// One number for each entry, in order.
    Each(&'a [U]),
    /// One number for all entries.
    One(U),
}

/// The approximate number of entries of short lists for which numbers are written out at once.
const TILE: usize = 256;

/// Calls `f` with all entries of a part, some at a time, and the numbers of their lists. `numbers` has one number for each list.
///
/// Entries of many short lists are handled in one loop, without a branch for each list.
#[inline(always)]
pub(crate) fn with_numbers<U: Copy>(rows: &impl Rows, part: &MergeSegment, numbers: &[U], mut f: impl FnMut(Range<usize>, Numbers<'_, U>)) {
    let Some(first) = numbers.first() else { return };
    let (mut tile, mut begin, mut len) = ([*first; TILE + HEAD], part.entries.start, 0);
    part.each(rows, |row, entries| {
        let Some(number) = numbers.get(row) else { return };
        let long = entries.len() > HEAD;
        if long || len >= TILE {
            f(begin..begin + len, Numbers::Each(&tile[..len]));
            (begin, len) = (begin + len, 0);
        }
        if long {
            begin = entries.end;
            f(entries, Numbers::One(*number));
        } else if let Some(head) = tile.get_mut(len..).and_then(|tile| tile.first_chunk_mut::<HEAD>()) {
            *head = [*number; HEAD];
            len += entries.len();
        }
    });
    f(begin..begin + len, Numbers::Each(&tile[..len]));
}
