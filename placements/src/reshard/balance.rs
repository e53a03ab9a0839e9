//! Shares of the devices that hold the same elements.

use super::elements;
use crate::overlay::IndexRun;
use crate::placement::Placement;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// The needs of each group of holders. A device holds one summand of one box of classes, so it is in one group, and equal shares
/// within each group are the best balance.
pub(crate) struct Shares {
    /// The distances from the first device of a group to its devices.
    offsets: Vec<usize>,
    /// The number of elements that others need of each group, and the number served, by the first device of the group.
    groups: BTreeMap<usize, (i64, i64)>,
}

impl Shares {
    pub fn new(from: &Placement) -> Shares {
        Shares { offsets: from.replica_offsets(), groups: BTreeMap::new() }
    }

    /// Adds to the needs of the group of device `first`.
    pub fn need(&mut self, first: usize, elements: i64) {
        self.groups.entry(first).or_insert((0, 0)).0 += elements;
    }

    /// Serves a box that was added to the needs: calls `send` with a device and its part of the box, for each part.
    pub fn serve(&mut self, first: usize, runs: &[IndexRun], mut send: impl FnMut(usize, Vec<IndexRun>)) {
        let Some((needed, served)) = self.groups.get_mut(&first) else { return };
        let (count, all) = (self.offsets.len() as i128, elements(runs));
        let (begin, end) = (*served, *served + all);
        *served = end;
        // Holder `k` serves the elements from `floor(k needed / count)` on.
        let bound = |k: i128| (k * i128::from(*needed) / count) as i64;
        let mut holder = (i128::from(begin) * count / i128::from(*needed)).min(count - 1);
        while bound(holder) > begin {
            holder -= 1;
        }
        let mut at = begin;
        while at < end {
            let stop = bound(holder + 1).min(end);
            if stop > at {
                let device = first + self.offsets[holder as usize];
                let mut parts = vec![];
                take(runs, [at - begin, stop - begin], &mut parts);
                parts.into_iter().for_each(|part| send(device, part));
                at = stop;
            }
            holder += 1;
        }
    }
}

/// Adds boxes of the elements `lo..hi` of a box, in row-major order, to `out`.
pub(crate) fn take(runs: &[IndexRun], [lo, hi]: [i64; 2], out: &mut Vec<Vec<IndexRun>>) {
    let whole: Vec<[[i64; 2]; 2]> = runs.iter().map(|run| [[0, run.count], [0, run.len]]).collect();
    within(runs, &mut whole.as_flattened().to_vec(), 0, [lo, hi], out);
}

/// Adds the elements `lo..hi` of a box, counted over its digits from `k` on. Digits are blocks and indices of a block, of each
/// run in turn.
fn within(runs: &[IndexRun], digits: &mut Vec<[i64; 2]>, k: usize, [lo, hi]: [i64; 2], out: &mut Vec<Vec<IndexRun>>) {
    if lo >= hi {
        return;
    }
    let inner: i64 = digits[(k + 1).min(digits.len())..].iter().map(|digit| digit[1] - digit[0]).product();
    let Some(digit) = digits.get(k).copied() else { return push(runs, digits, out) };
    if lo == 0 && hi == inner * (digit[1] - digit[0]) {
        return push(runs, digits, out);
    }
    let mut part = |digits: &mut Vec<[i64; 2]>, turn: i64, range: [i64; 2]| {
        digits[k] = [digit[0] + turn, digit[0] + turn + 1];
        within(runs, digits, k + 1, range, out);
    };
    let (first, last) = (lo / inner, hi / inner);
    if first == last {
        part(digits, first, [lo - first * inner, hi - first * inner]);
    } else {
        let begin = first + i64::from(lo % inner != 0);
        if begin > first {
            part(digits, first, [lo - first * inner, inner]);
        }
        if begin < last {
            digits[k] = [digit[0] + begin, digit[0] + last];
            push(runs, digits, out);
        }
        let mut part = |digits: &mut Vec<[i64; 2]>| {
            digits[k] = [digit[0] + last, digit[0] + last + 1];
            within(runs, digits, k + 1, [0, hi - last * inner], out);
        };
        part(digits);
    }
    digits[k] = digit;
}

fn push(runs: &[IndexRun], digits: &[[i64; 2]], out: &mut Vec<Vec<IndexRun>>) {
    out.push(runs.iter().zip(digits.chunks_exact(2)).map(|(run, digits)| run.part(digits[0], digits[1])).collect());
}
