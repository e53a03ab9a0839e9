//! One copy: contiguous elements, and the loops that repeat them.

use crate::order;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

/// A loop of a copy. Each turn moves `source` elements on in the source and `target` elements on in the target.
///
/// ```
/// use relayout::{Loop, Plan, Side};
/// // Six columns of 8 are padded to 10.
/// let plan = Plan::new(&Side::parse("(8,6):(1,8)")?, &Side::parse("(8,6):(1,10)")?)?;
/// let copy = &plan.messages()[0].copies[0];
/// assert_eq!((copy.count, &copy.loops[..]), (8, &[Loop { count: 6, source: 8, target: 10 }][..]));
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loop {
    /// Number of turns, at least 1 in a plan.
    pub count: i64,
    /// Elements from one turn to the next in the source; may be 0 or negative.
    pub source: i64,
    /// Elements from one turn to the next in the target; positive.
    pub target: i64,
}

/// `count` contiguous elements from offset `source` to offset `target`, once for each point of the loops.
///
/// Offsets and steps are in elements. Loops are in ascending order of their steps in the target; the last is the outermost.
///
/// ```
/// use relayout::{Copy, Loop};
/// let columns = Copy { source: 1, target: 0, count: 2, loops: vec![Loop { count: 3, source: 4, target: 2 }] };
/// assert_eq!((columns.runs(), columns.elements()), (3, 6));
/// assert_eq!(columns.to_string(), "2 from 1 to 0, 3 times (+4 -> +2)");
/// // An executor of one's own.
/// let (from, mut to) = (b"-ab--cd--ef-", [0; 6]);
/// for (source, target) in columns.offsets() {
///     to[target as usize..][..2].copy_from_slice(&from[source as usize..][..2]);
/// }
/// assert_eq!(&to, b"abcdef");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Copy {
    /// Offset of the first element in the source.
    pub source: i64,
    /// Offset of the first element in the target.
    pub target: i64,
    /// Number of elements that are contiguous on both sides.
    pub count: i64,
    /// The loops that repeat the contiguous elements.
    pub loops: Vec<Loop>,
}

impl Copy {
    /// Returns the number of contiguous runs, at most `i64::MAX`; 0 if a loop has a count below 1.
    pub fn runs(&self) -> i64 {
        let mut counts = self.loops.iter().map(|turn| turn.count);
        if counts.clone().any(|count| count < 1) { 0 } else { counts.try_fold(1_i64, i64::checked_mul).unwrap_or(i64::MAX) }
    }

    /// Returns the number of elements copied, at most `i64::MAX`.
    pub fn elements(&self) -> i64 {
        self.count.max(0).saturating_mul(self.runs())
    }

    /// Iterates over the contiguous runs and yields the offset of each in the source and in the target.
    ///
    /// ```
    /// use relayout::{Copy, Loop};
    /// let columns = Copy { source: 0, target: 5, count: 4, loops: vec![Loop { count: 3, source: 8, target: 4 }] };
    /// assert_eq!(columns.offsets().collect::<Vec<_>>(), [(0, 5), (8, 9), (16, 13)]);
    /// ```
    ///
    /// Offsets beyond 64 bits wrap around. [`Copy::spans`] returns `None` for such a copy.
    pub fn offsets(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        (0..self.runs()).map(|k| self.offset(k))
    }

    /// Returns the source offset and the target offset of run `k`, counted from 0, the first loop fastest.
    fn offset(&self, mut k: i64) -> (i64, i64) {
        self.loops.iter().fold((self.source, self.target), |(source, target), turn| {
            let i = k % turn.count;
            k /= turn.count;
            (source.wrapping_add(i.wrapping_mul(turn.source)), target.wrapping_add(i.wrapping_mul(turn.target)))
        })
    }

    /// Returns the least and the greatest offset in the source and in the target; `None` if there are no elements, or
    /// if an offset exceeds 64 bits.
    ///
    /// ```
    /// use relayout::{Copy, Loop};
    /// let columns = Copy { source: 8, target: 5, count: 4, loops: vec![Loop { count: 3, source: -4, target: 4 }] };
    /// assert_eq!(columns.spans(), Some([(0, 11), (5, 16)]));
    /// ```
    pub fn spans(&self) -> Option<[(i64, i64); 2]> {
        if self.count < 1 || self.loops.iter().any(|turn| turn.count < 1) {
            return None;
        }
        let span = |start: i64, step: fn(&Loop) -> i64| {
            let steps = self.loops.iter().map(|turn| (turn.count, step(turn)));
            span((start, start), steps.chain([(self.count, 1)]))
        };
        Some([span(self.source, |turn| turn.source)?, span(self.target, |turn| turn.target)?])
    }

    /// Returns the number of copies of at most `most` loops that [`split`](Copy::split) makes, or `None` if it overflows.
    pub(crate) fn parts(&self, most: usize) -> Option<i64> {
        let mut counts: Vec<i64> = self.loops.iter().map(|turn| turn.count).collect();
        order::by_key(&mut counts, |count| Reverse(*count));
        counts.iter().skip(most).try_fold(1_i64, |all, count| all.checked_mul(*count))
    }

    /// Splits the copy into copies of at most `most` loops. The loops with the greatest counts stay; the others are
    /// written out.
    pub(crate) fn split(mut self, most: usize) -> Vec<Copy> {
        if self.loops.len() <= most {
            return vec![self];
        }
        let mut by_count = core::mem::take(&mut self.loops);
        order::by_key(&mut by_count, |turn| Reverse(turn.count));
        let written = Copy { loops: by_count.split_off(most), ..self };
        order::by_key(&mut by_count, |turn| (turn.target, turn.source));
        written.offsets().map(|(source, target)| Copy { source, target, count: written.count, loops: by_count.clone() }).collect()
    }
}

/// Returns the least and the greatest value of `start + i_1 step_1 + i_2 step_2 + ...`, for `start` within `starts` and `i_k` in
/// `0..count_k`, where `loops` yields `(count_k, step_k)` with counts of at least 1. Returns `None` beyond 64 bits.
pub(crate) fn span(starts: (i64, i64), mut loops: impl Iterator<Item = (i64, i64)>) -> Option<(i64, i64)> {
    loops.try_fold(starts, |(first, last), (count, step)| {
        let reach = if count == 1 { 0 } else { (count - 1).checked_mul(step)? };
        Some((first.checked_add(reach.min(0))?, last.checked_add(reach.max(0))?))
    })
}

impl fmt::Display for Copy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} to {}", self.count, self.source, self.target)?;
        for Loop { count, source, target } in &self.loops {
            write!(f, ", {count} times ({source:+} -> {target:+})")?;
        }
        Ok(())
    }
}

/// A copy in the making: a set of points (target, source), as loops from a first point. A loop of step (1, 1) may be
/// among them.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub start: Point,
    pub loops: Vec<Loop>,
}

/// An offset in the target and an offset in the source.
pub(crate) type Point = (i64, i64);

impl Block {
    /// Makes every step positive in the target, drops loops of one turn, merges loops that continue one another, and sorts them.
    pub fn normalize(&mut self) {
        let start = &mut self.start;
        self.loops.retain_mut(|turn| {
            if turn.target < 0 {
                *start = (start.0 + (turn.count - 1) * turn.target, start.1 + (turn.count - 1) * turn.source);
                (turn.source, turn.target) = (-turn.source, -turn.target);
            }
            turn.count > 1
        });
        order::by_key(&mut self.loops, |turn| (turn.target, turn.source));
        let mut k = 0;
        while k < self.loops.len() {
            let turn = self.loops[k];
            let next = (turn.count * turn.target, turn.count * turn.source);
            match self.loops.iter().position(|other| (other.target, other.source) == next) {
                Some(j) => {
                    self.loops[k].count *= self.loops[j].count;
                    self.loops.remove(j);
                }
                None => k += 1,
            }
        }
    }

    /// Iterates over all points of the block, the first loop fastest.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let copy = Copy { source: self.start.1, target: self.start.0, count: 1, loops: self.loops.clone() };
        (0..copy.runs()).map(move |k| copy.offset(k)).map(|(source, target)| (target, source))
    }

    /// Returns the copy of these points. A loop of step 1 on both sides becomes its contiguous elements.
    pub fn copy(mut self) -> Copy {
        let contiguous = self.loops.iter().position(|turn| (turn.source, turn.target) == (1, 1));
        let count = contiguous.map_or(1, |k| self.loops.remove(k).count);
        Copy { source: self.start.1, target: self.start.0, count, loops: self.loops }
    }
}
