//! Refines several digit systems of one coordinate into progressions on which each of them is affine.
//!
//! Within an interval, the slowest digits that change have a common period: the least common multiple of their
//! weights. If the period fits at least twice, one period is refined and repeated, and the rests before and behind it
//! are refined on their own. Otherwise the interval is cut at the boundaries of the slowest digit. The work grows with
//! the number of progressions, never with the number of elements.

use super::digits::{ComponentStep, ModeDigits};
use alloc::vec;
use alloc::vec::Vec;

/// The coordinates `start + i_1 w_1 + i_2 w_2 + ...`. A loop has a count, and the step of one increment of `i_k` on each side.
#[derive(Clone, Debug)]
pub(crate) struct Progression {
    pub start: i64,
    pub loops: Vec<(i64, Vec<ComponentStep>)>,
}

/// The error of a refinement that needs more progressions than its budget: at least this many.
pub(crate) struct TooMany(pub i64);

/// Splits `lo..hi` at each weight where all sides cut the coordinate alike, into independent factors. Returns the digits of the
/// sides, the least number and the end of the numbers of each factor, the fastest first.
pub(crate) fn independent(mut chains: Vec<ModeDigits>, mut lo: i64, mut hi: i64) -> Vec<(Vec<ModeDigits>, i64, i64)> {
    // Each side counts from its own 0, so a cut needs an interval that begins at a multiple of the weight on every side.
    let mut out = vec![];
    let mut weights: Vec<i64> = chains.iter().flat_map(|chain| chain.weights.iter().copied()).filter(|weight| *weight > 1).collect();
    weights.sort_unstable();
    weights.dedup();
    let mut done = 1;
    for weight in weights {
        let cut = weight / done;
        let whole = weight % done == 0
            && cut > 1
            && (hi - lo) % cut == 0
            && hi - lo > cut
            && chains.iter().all(|chain| (lo - chain.at) % cut == 0 && chain.can_cut(cut));
        if !whole {
            continue;
        }
        let (low, high): (Vec<ModeDigits>, Vec<ModeDigits>) = chains
            .iter()
            .map(|chain| {
                let (low, mut high) = chain.cut(cut);
                high.at = -((lo - chain.at) / cut);
                (low, high)
            })
            .unzip();
        out.push((low, 0, cut));
        (lo, hi) = (0, (hi - lo) / cut);
        chains = high;
        done = weight;
    }
    out.push((chains, lo, hi));
    out
}

/// Returns the refinement of `lo..hi` for the digits of all sides. Fails if it needs more than `budget` progressions.
pub(crate) fn refine(chains: &[ModeDigits], lo: i64, hi: i64, budget: i64) -> Result<Vec<Progression>, TooMany> {
    let mut refinement = Refinement { chains, loops: vec![], out: vec![], budget };
    if lo < hi {
        refinement.interval(lo, hi)?;
    }
    Ok(refinement.out)
}

struct Refinement<'a> {
    chains: &'a [ModeDigits],
    loops: Vec<(i64, Vec<ComponentStep>)>,
    out: Vec<Progression>,
    budget: i64,
}

impl Refinement<'_> {
    fn interval(&mut self, lo: i64, hi: i64) -> Result<(), TooMany> {
        let chains = self.chains;
        let slowest: Vec<usize> = chains.iter().map(|chain| chain.slowest(lo, hi)).collect();
        let weight = |k: usize| if slowest[k] == 0 { 1 } else { chains[k].weights[slowest[k]] };
        let Some(coarsest) = (0..chains.len()).filter(|k| slowest[*k] > 0).max_by_key(|k| weight(*k)) else {
            let steps = chains.iter().map(|chain| chain.step(0, 1)).collect();
            return self.strand(lo, hi - lo, steps);
        };
        let coarse = weight(coarsest);
        // The first boundary of the coarsest digit, from `lo` on.
        let from = lo - chains[coarsest].at;
        let start = lo + (coarse - from % coarse) % coarse;
        let period = (0..chains.len()).map(weight).try_fold(1, least_common_multiple).unwrap_or(i64::MAX);
        let times = (hi - start) / period;
        if times >= 2 {
            if lo < start {
                self.interval(lo, start)?;
            }
            self.loops.push((times, (0..chains.len()).map(|k| chains[k].step(slowest[k], period)).collect()));
            self.interval(start, start + period)?;
            self.loops.pop();
            let end = start + times * period;
            return if end < hi { self.interval(end, hi) } else { Ok(()) };
        }
        if (hi - lo) / coarse > self.budget - self.out.len() as i64 {
            return Err(TooMany((hi - lo) / coarse));
        }
        let mut at = lo;
        let mut next = if start == lo { lo + coarse } else { start };
        while at < hi {
            self.interval(at, next.min(hi))?;
            at = next.min(hi);
            next = at.saturating_add(coarse);
        }
        Ok(())
    }

    fn strand(&mut self, start: i64, count: i64, steps: Vec<ComponentStep>) -> Result<(), TooMany> {
        if self.out.len() as i64 >= self.budget {
            return Err(TooMany(self.budget + 1));
        }
        let mut loops = self.loops.clone();
        if count > 1 {
            loops.push((count, steps));
        }
        self.out.push(Progression { start, loops });
        Ok(())
    }
}

pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn least_common_multiple(a: i64, b: i64) -> Option<i64> {
    (a / gcd(a.into(), b.into()) as i64).checked_mul(b)
}
