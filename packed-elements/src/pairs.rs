//! Loops over the coordinates of two layouts of the same extents, with the index in each.

use crate::error::{PackedError, Result};
use layout_core::Layout;
use layout_core::layouts::MAX_LEAVES;

/// A loop over two sides: its count, and the amount that a step adds to the index of each side, modulo `2^usize::BITS`.
#[derive(Clone, Copy)]
pub struct PairLoop {
    pub count: usize,
    pub source: usize,
    pub target: usize,
}

/// Nested loops over two sides, the innermost first, from a first index on each side. All counts are at least 2; without coordinates,
/// there is one loop of count 0.
pub struct PairLoops {
    pub source: usize,
    pub target: usize,
    loops: [PairLoop; MAX_LEAVES],
    len: usize,
}

/// Fails with the first mode in which the extents of two layouts differ.
pub fn same_extents<L: Layout, M: Layout>(source: &L, target: &M) -> Result<()> {
    let (ours, theirs) = (source.extents(), target.extents());
    match (0..source.rank().max(target.rank())).find(|mode| ours[*mode] != theirs[*mode]) {
        Some(mode) => Err(PackedError::Extents { mode, source: ours[mode], target: theirs[mode] }),
        None => Ok(()),
    }
}

/// Calls `f` with the indices of each coordinate in two layouts of the same extents, in colexicographic order.
pub fn for_each_pair<L: Layout, M: Layout>(source: &L, target: &M, mut f: impl FnMut(usize, usize)) {
    match PairLoops::sums(source, target) {
        Some(pairs) => pairs.for_each(0, |from, to| f(source.image(from), target.image(to))),
        None => (0..source.size()).for_each(|k| f(source.crd2idx(k), target.crd2idx(k))),
    }
}

impl PairLoops {
    /// Returns the loops over the indices of two layouts, if both are sums of strides. The order is by the stride of the target, the
    /// least innermost, all upwards there. Loops that continue each other on both sides are one.
    pub fn by_target<L: Layout, M: Layout>(source: &L, target: &M) -> Option<PairLoops> {
        if (source.period(), target.period()) != (Some(1), Some(1)) {
            return None;
        }
        let mut pairs = PairLoops::sums(source, target)?;
        // With a period of 1, `image` adds a constant.
        (pairs.source, pairs.target) = (source.image(pairs.source), target.image(pairs.target));
        for pair in &mut pairs.loops[..pairs.len] {
            if (pair.target as isize) < 0 {
                let last = pair.count - 1;
                pairs.source = pairs.source.wrapping_add(last.wrapping_mul(pair.source));
                pairs.target = pairs.target.wrapping_add(last.wrapping_mul(pair.target));
                (pair.source, pair.target) = (pair.source.wrapping_neg(), pair.target.wrapping_neg());
            }
        }
        pairs.loops[..pairs.len].sort_unstable_by_key(|pair| pair.target);
        let mut joined = 0;
        for k in 1..pairs.len {
            let (last, next) = (pairs.loops[joined], pairs.loops[k]);
            let continues = |last_step: usize, next_step: usize| last.count.wrapping_mul(last_step) == next_step;
            match last.count.checked_mul(next.count) {
                Some(count) if continues(last.source, next.source) && continues(last.target, next.target) => {
                    pairs.loops[joined].count = count;
                }
                _ => {
                    joined += 1;
                    pairs.loops[joined] = next;
                }
            }
        }
        pairs.len = pairs.len.min(joined + 1);
        Some(pairs)
    }

    /// Returns the loops over the sums of steps of two layouts, or `None` if there are no common loops.
    fn sums<L: Layout, M: Layout>(source: &L, target: &M) -> Option<PairLoops> {
        let (ours, theirs) = source.loops::<MAX_LEAVES>()?.refined(&target.loops::<MAX_LEAVES>()?)?;
        let mut pairs = PairLoops {
            source: ours.start,
            target: theirs.start,
            loops: [PairLoop { count: 1, source: 0, target: 0 }; MAX_LEAVES],
            len: 0,
        };
        for k in 0..ours.len {
            let ((count, source), (_, target)) = (ours.at(k), theirs.at(k));
            if count == 0 {
                // Strides of a layout without coordinates may be any numbers.
                (pairs.loops[0], pairs.len) = (PairLoop { count, source: 0, target: 0 }, 1);
                return Some(pairs);
            }
            if count != 1 {
                pairs.loops[pairs.len] = PairLoop { count, source, target };
                pairs.len += 1;
            }
        }
        Some(pairs)
    }

    /// Returns loop `k`, the innermost is 0. A loop behind the last takes one step.
    pub fn at(&self, k: usize) -> PairLoop {
        if k < self.len { self.loops[k] } else { PairLoop { count: 1, source: 0, target: 0 } }
    }

    /// Splits loop `k` in two, the inner one with `count` steps. Returns false if there is no room, or if `count` does not divide.
    pub fn split(&mut self, k: usize, count: usize) -> bool {
        if k >= self.len || self.len == MAX_LEAVES || !self.loops[k].count.is_multiple_of(count) {
            return false;
        }
        let whole = self.loops[k];
        self.loops.copy_within(k..self.len, k + 1);
        self.len += 1;
        self.loops[k].count = count;
        let (source, target) = (whole.source.wrapping_mul(count), whole.target.wrapping_mul(count));
        self.loops[k + 1] = PairLoop { count: whole.count / count, source, target };
        true
    }

    /// Calls `f` with both indices at each point of the loops from loop `from` on; the loops before it stay at their first steps.
    #[inline]
    pub fn for_each(&self, from: usize, mut f: impl FnMut(usize, usize)) {
        let inner = self.at(from);
        let outer = self.loops.get(from + 1..self.len).unwrap_or_default();
        if inner.count == 0 {
            return;
        }
        let (mut source, mut target, mut steps) = (self.source, self.target, [0; MAX_LEAVES]);
        loop {
            let (mut at, mut to) = (source, target);
            for _ in 0..inner.count {
                f(at, to);
                (at, to) = (at.wrapping_add(inner.source), to.wrapping_add(inner.target));
            }
            let mut digits = outer.iter().zip(&mut steps);
            loop {
                let Some((pair, step)) = digits.next() else { return };
                (source, target) = (source.wrapping_add(pair.source), target.wrapping_add(pair.target));
                *step += 1;
                if *step < pair.count {
                    break;
                }
                source = source.wrapping_sub(pair.count.wrapping_mul(pair.source));
                target = target.wrapping_sub(pair.count.wrapping_mul(pair.target));
                *step = 0;
            }
        }
    }
}
