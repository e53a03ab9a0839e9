//! Ranges of positions, and the parents that they need.

use super::error::{Flaw, LevelError, Part};
use super::index::Index;
use core::ops::{ControlFlow, Range};

/// The range of `parent` between two neighbours of an array of offsets, or none.
#[inline(always)]
pub(super) fn pair<I: Index>(offsets: &[I], parent: usize) -> Range<usize> {
    let ends = offsets.split_first().map_or(&[][..], |(_, ends)| ends);
    match (offsets.get(parent), ends.get(parent)) {
        (Some(begin), Some(end)) => begin.to_usize()..end.to_usize(),
        _ => 0..0,
    }
}

/// Calls `f` with `0..` and the positions of a range whose coordinates these are.
#[inline(always)]
pub(super) fn walk_range<B>(range: Range<usize>, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
    let begin = range.start;
    for position in range {
        f(position - begin, position)?;
    }
    ControlFlow::Continue(())
}

/// An error unless a level with `parents` parents is enough for `expected` of them.
pub(super) fn parents_of(parents: usize, expected: usize) -> Result<(), LevelError> {
    if parents < expected {
        return Err(LevelError::new(Part::Level, 0, Flaw::Parents { parents, expected }));
    }
    Ok(())
}
