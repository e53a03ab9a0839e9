//! Helpers of levels: ranges of positions, and a check of the number of parents.

use super::error::{Flaw, LevelArray, LevelError};
use super::index::Index;
use core::ops::{ControlFlow, Range};

/// Returns `offsets[parent]..offsets[parent + 1]`, or `0..0` if one of the two offsets does not exist.
#[inline(always)]
pub(super) fn pair<I: Index>(offsets: &[I], parent: usize) -> Range<usize> {
    let ends = offsets.split_first().map_or(&[][..], |(_, ends)| ends);
    match (offsets.get(parent), ends.get(parent)) {
        (Some(begin), Some(end)) => begin.to_usize()..end.to_usize(),
        _ => 0..0,
    }
}

/// Calls `f(position - range.start, position)` for the positions of `range`, and returns the first break of `f`.
#[inline(always)]
pub(super) fn walk_range<B>(range: Range<usize>, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
    let begin = range.start;
    for position in range {
        f(position - begin, position)?;
    }
    ControlFlow::Continue(())
}

/// Fails if `parents`, the number of parents of a level, is below `expected`.
pub(super) fn parents_of(parents: usize, expected: usize) -> Result<(), LevelError> {
    if parents < expected {
        return Err(LevelError::new(LevelArray::Level, 0, Flaw::Parents { parents, expected }));
    }
    Ok(())
}
