//! The copies of a transfer with checked numbers, plain or written out as a table.

use super::kernels::StridedLoop;
use super::schedule::{ScheduledCopy, TransferVolume};
use super::table::RunCopy;
use super::{Result, TransferError};
use crate::order;
use crate::plan::{self, Loop};
use alloc::vec::Vec;

/// A copy of a transfer with checked numbers: offsets and sizes in bytes fit a pointer, counts are at least 1, and counts of
/// loops at least 2.
///
/// The unsafe code that runs a transfer relies on this, so the fields are private and [`CheckedCopy::new`] is the only
/// constructor.
#[derive(Clone, Debug)]
pub(crate) struct CheckedCopy {
    body: CopyBody,
    source: (i64, i64),
    target: (i64, i64),
    elements: i64,
}

/// The two forms of a copy: plain, or written out as a table of runs.
#[derive(Clone, Debug)]
pub(crate) enum CopyBody {
    Copy(plan::Copy),
    Runs(RunCopy),
}

impl CopyBody {
    fn loops(&self) -> &Vec<Loop> {
        match self {
            CopyBody::Copy(copy) => &copy.loops,
            CopyBody::Runs(table) => &table.loops,
        }
    }

    /// Removes loops of one turn: their step is never taken and may be any number.
    fn without_single_turns(mut self) -> Self {
        match &mut self {
            CopyBody::Copy(copy) => copy.loops.retain(|turn| turn.count != 1),
            CopyBody::Runs(table) => table.loops.retain(|turn| turn.count != 1),
        }
        self
    }

    /// Returns the number of elements of a run, and the number of runs in one turn of all loops.
    fn runs(&self) -> (i64, usize) {
        match self {
            CopyBody::Copy(copy) => (copy.count, 1),
            CopyBody::Runs(table) => (table.run, table.starts.len()),
        }
    }

    /// Iterates over the source and target offsets of the runs in the first turn of all loops.
    fn starts(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let (copy, table) = match self {
            CopyBody::Copy(copy) => (Some((copy.source, copy.target)), &[][..]),
            CopyBody::Runs(table) => (None, &table.starts[..]),
        };
        copy.into_iter().chain(table.iter().copied())
    }
}

impl CheckedCopy {
    /// Checks the numbers of a body whose elements have `size` bytes. Returns `None` if it has no elements.
    ///
    /// Fails if a count is negative, or if an offset or a size in bytes does not fit a pointer.
    pub fn new(body: CopyBody, size: usize) -> Result<Option<CheckedCopy>> {
        let body = body.without_single_turns();
        let (run, runs) = body.runs();
        let counts = || body.loops().iter().map(|turn| turn.count).chain([run]);
        if let Some(count) = counts().find(|count| *count < 0) {
            return Err(TransferError::Count { count });
        }
        if runs == 0 || counts().any(|count| count == 0) {
            return Ok(None);
        }
        let fits = |elements: i128| isize::try_from(elements * size.max(1) as i128).is_ok();
        let range = |side: fn((i64, i64)) -> i64, step: fn(&Loop) -> i64| {
            let loops = body.loops().iter().map(|turn| (turn.count, step(turn)));
            let starts = (body.starts().map(side).min()?, body.starts().map(side).max()?);
            let (first, last) = plan::span(starts, loops.chain([(run, 1)]))?;
            let (lowest, highest) = (i128::from(first), i128::from(last));
            [lowest, highest + 1, highest - lowest + 1].into_iter().all(fits).then_some((first, last))
        };
        let source = range(|(source, _)| source, |turn| turn.source).ok_or(TransferError::Overflow)?;
        let target = range(|(_, target)| target, |turn| turn.target).ok_or(TransferError::Overflow)?;
        // A plan writes distinct offsets, so their number fits. Other copies may write an element many times.
        let elements = counts().try_fold(runs as i64, |all, count| all.checked_mul(count)).filter(|elements| fits((*elements).into()));
        let elements = elements.ok_or(TransferError::Overflow)?;
        Ok(Some(CheckedCopy { body, source, target, elements }))
    }

    pub fn loops(&self) -> &[Loop] {
        self.body.loops()
    }

    /// Returns the least and the greatest offset in the source, in elements.
    pub fn source(&self) -> (i64, i64) {
        self.source
    }

    /// Returns the least and the greatest offset in the target, in elements.
    pub fn target(&self) -> (i64, i64) {
        self.target
    }

    /// Returns the number of elements that the copy moves; those written twice count twice.
    pub fn elements(&self) -> i64 {
        self.elements
    }

    /// Schedules the copy for elements of `size` bytes, the size given to [`CheckedCopy::new`].
    pub fn step(&self, size: usize, volume: TransferVolume) -> ScheduledCopy {
        match &self.body {
            CopyBody::Copy(copy) => ScheduledCopy::new(copy, size, volume),
            CopyBody::Runs(table) => table.step(self.elements, size, volume),
        }
    }

    /// Tests whether source and target offset of every element are equal, so that elements stay where they are.
    pub fn is_identity(&self) -> bool {
        self.loops().iter().all(|turn| turn.source == turn.target) && self.body.starts().all(|(source, target)| source == target)
    }

    /// Returns the plain copy, or `None` if the copy is written out as a table.
    pub fn as_copy(&self) -> Option<&plan::Copy> {
        match &self.body {
            CopyBody::Copy(copy) => Some(copy),
            CopyBody::Runs(_) => None,
        }
    }

    /// Calls `f` with strips of elements: the offsets of the first element in source and target, and a loop. Offsets
    /// and steps are in elements.
    #[inline(always)]
    pub fn strips(&self, mut f: impl FnMut(isize, isize, StridedLoop)) {
        /// The maximum length of a strip whose loop is not contiguous in the source. Strips of this length are repeated
        /// along the loop that is contiguous there, so that both sides stay in the caches.
        const SHORT: usize = 32;
        let turn = |turn: &Loop| StridedLoop { count: turn.count as usize, source: turn.source as isize, target: turn.target as isize };
        let mut loops: Vec<StridedLoop> = self.loops().iter().map(turn).collect();
        match &self.body {
            CopyBody::Copy(copy) => {
                loops.insert(0, StridedLoop { count: copy.count as usize, source: 1, target: 1 });
                loops.retain(|turn| turn.count > 1);
                order::by_key(&mut loops, |turn| (turn.target.abs(), turn.source.abs()));
                let take = |loops: &mut Vec<StridedLoop>, k| if k < loops.len() { loops.remove(k) } else { StridedLoop::ONCE };
                let along = take(&mut loops, 0);
                let across = loops.iter().position(|turn| turn.source.abs() == 1).unwrap_or(0);
                let across = take(&mut loops, across);
                let step = if along.source.abs() == 1 { usize::MAX } else { SHORT };
                let (source, target) = (copy.source as isize, copy.target as isize);
                each(&loops, source, target, &mut |source, target| {
                    let mut from = 0;
                    while from < along.count {
                        let count = step.min(along.count - from);
                        for k in 0..across.count as isize {
                            let skip = |along: isize, across: isize| from as isize * along + k * across;
                            f(
                                source + skip(along.source, across.source),
                                target + skip(along.target, across.target),
                                StridedLoop { count, ..along },
                            );
                        }
                        from += count;
                    }
                });
            }
            CopyBody::Runs(table) => each(&loops, 0, 0, &mut |source, target| {
                for (from, to) in &table.starts {
                    f(source + *from as isize, target + *to as isize, StridedLoop { count: table.run as usize, source: 1, target: 1 });
                }
            }),
        }
    }
}

/// Calls `f` with the source and target offsets of all turns of the loops, from `source` and `target`, the last loop outermost.
pub(crate) fn each(loops: &[StridedLoop], source: isize, target: isize, f: &mut impl FnMut(isize, isize)) {
    let count: usize = loops.iter().map(|turn| turn.count).product();
    for k in 0..count {
        let mut rest = k;
        let (mut from, mut to) = (source, target);
        for turn in loops {
            let digit = (rest % turn.count) as isize;
            rest /= turn.count;
            (from, to) = (from + digit * turn.source, to + digit * turn.target);
        }
        f(from, to);
    }
}
