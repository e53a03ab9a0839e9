//! What a transfer is made of: copies of the plan, some of them written out.

use super::kernels::Turn;
use super::schedule::{Step, Volume};
use super::table::Written;
use crate::plan::{self, Loop};
use alloc::vec::Vec;

/// A part of a transfer.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Copy(plan::Copy),
    Written(Written),
}

/// The least and the greatest of some sums of steps.
fn range(start: (i64, i64), loops: &[Loop], step: impl Fn(&Loop) -> i64) -> (i64, i64) {
    loops.iter().fold(start, |(first, last), turn| {
        let reach = (turn.count - 1) * step(turn);
        (first + reach.min(0), last + reach.max(0))
    })
}

impl Part {
    /// The elements of one run, and where the first run is; of a table where the first and the last are.
    fn runs(&self, side: impl Fn(i64, i64) -> i64) -> (i64, i64) {
        match self {
            Part::Copy(copy) => (side(copy.source, copy.target), side(copy.source, copy.target) + copy.count - 1),
            Part::Written(table) => {
                let starts = || table.starts.iter().map(|(source, target)| side(*source, *target));
                (starts().min().unwrap_or(0), starts().max().unwrap_or(0) + table.run - 1)
            }
        }
    }

    pub fn loops(&self) -> &[Loop] {
        match self {
            Part::Copy(copy) => &copy.loops,
            Part::Written(table) => &table.loops,
        }
    }

    /// The least and the greatest offset in the source.
    pub fn source(&self) -> (i64, i64) {
        range(self.runs(|source, _| source), self.loops(), |turn| turn.source)
    }

    /// The least and the greatest offset in the target.
    pub fn target(&self) -> (i64, i64) {
        range(self.runs(|_, target| target), self.loops(), |turn| turn.target)
    }

    /// Number of elements that are written.
    pub fn elements(&self) -> i64 {
        match self {
            Part::Copy(copy) => copy.elements(),
            Part::Written(table) => table.elements(),
        }
    }

    /// The step for elements of `size` bytes.
    pub fn step(&self, size: usize, volume: Volume) -> Step {
        match self {
            Part::Copy(copy) => Step::new(copy, size, volume),
            Part::Written(table) => table.step(size, volume),
        }
    }

    /// Every element stays where it is.
    pub fn is_identity(&self) -> bool {
        let loops = self.loops().iter().all(|turn| turn.source == turn.target);
        loops
            && match self {
                Part::Copy(copy) => copy.source == copy.target,
                Part::Written(table) => table.starts.iter().all(|(source, target)| source == target),
            }
    }

    /// The copy, if it is one.
    pub fn as_copy(&self) -> Option<&plan::Copy> {
        match self {
            Part::Copy(copy) => Some(copy),
            Part::Written(_) => None,
        }
    }

    /// Gives strips of elements to `f`: the offsets of the first in source and target, and a loop. Offsets and steps are in elements.
    #[inline(always)]
    pub fn strips(&self, mut f: impl FnMut(isize, isize, Turn)) {
        /// Strips of this length alternate where one side is contiguous along another loop.
        const SHORT: usize = 32;
        let turn = |turn: &Loop| Turn { count: turn.count as usize, source: turn.source as isize, target: turn.target as isize };
        let mut loops: Vec<Turn> = self.loops().iter().map(turn).collect();
        match self {
            Part::Copy(copy) => {
                loops.insert(0, Turn { count: copy.count as usize, source: 1, target: 1 });
                loops.retain(|turn| turn.count > 1);
                loops.sort_by_key(|turn| (turn.target.abs(), turn.source.abs()));
                let take = |loops: &mut Vec<Turn>, k| if k < loops.len() { loops.remove(k) } else { Turn::ONCE };
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
                                Turn { count, ..along },
                            );
                        }
                        from += count;
                    }
                });
            }
            Part::Written(table) => each(&loops, 0, 0, &mut |source, target| {
                for (from, to) in &table.starts {
                    f(source + *from as isize, target + *to as isize, Turn { count: table.run as usize, source: 1, target: 1 });
                }
            }),
        }
    }
}

/// `f` of the sums of steps of all turns, the last loop outermost.
pub(crate) fn each(loops: &[Turn], source: isize, target: isize, f: &mut impl FnMut(isize, isize)) {
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
