//! Cuts one axis into the boxes of a pass, each at most so long, with as few bytes read twice as possible.

use crate::grid::Axis;
use std::collections::VecDeque;

/// One way to cut an axis.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The boxes.
    pub boxes: Axis,
    /// The longest box, in positions that the chunks within it have in their files.
    pub longest: u64,
    /// The sum over all boxes of the positions of the chunks that overlap the box.
    pub covered: u64,
    /// The sum over all boxes of the number of chunks that overlap the box.
    pub reads: u64,
}

/// Cuts an axis into unions of consecutive chunks of `units`, each of at most `limit` positions in a file. Whole chunks of `read` are
/// read for each box: a chunk on a cut is read once more. Returns the cuts with the fewest positions read, and among these with the
/// fewest boxes. `limit` is at least the longest unit.
///
/// The cost of a cut is the length of the chunk that it divides. The cheapest cuts before a position are those before the best
/// position within the limit, which a queue of ascending costs finds in constant time.
pub(super) fn cut(units: &Axis, read: &Axis, limit: u64) -> Cut {
    let count = units.chunks();
    let ends: Vec<u64> = (0..count).map(|unit| units.range(unit).end).collect();
    let start = |unit: usize| unit.checked_sub(1).map_or(0, |before| ends[before]);
    // The cost of a cut at the start of a unit is the length of the divided chunk.
    let divided = |unit: usize| {
        let position = start(unit);
        let chunk = read.range(read.chunk_at(position));
        if chunk.start == position { 0 } else { chunk.end - chunk.start }
    };
    // `best[n]` has the cost of the first n units and the first unit of their last box.
    let mut best = vec![((0u64, 0u64), 0usize)];
    let mut queue: VecDeque<((u64, u64), usize)> = VecDeque::new();
    for unit in 0..ends.len() {
        let (positions, boxes) = best[unit].0;
        let here = (positions + if unit == 0 { 0 } else { divided(unit) }, boxes + 1);
        while queue.back().is_some_and(|(cost, _)| *cost >= here) {
            queue.pop_back();
        }
        queue.push_back((here, unit));
        let stored_end = start(unit) + units.stored_length(unit as u64);
        while queue.len() > 1 && queue.front().is_some_and(|(_, first)| stored_end - start(*first) > limit) {
            queue.pop_front();
        }
        best.push(queue.front().copied().unwrap_or((here, unit)));
    }
    let mut cuts = Vec::new();
    let mut at = ends.len();
    let mut longest = 0;
    while at > 0 {
        cuts.push(ends[at - 1]);
        let first = best[at].1;
        longest = longest.max(start(at - 1) + units.stored_length(at as u64 - 1) - start(first));
        at = first;
    }
    cuts.reverse();
    let boxes = Axis::ending(cuts);
    let (mut covered, mut reads) = (0u64, 0u64);
    for piece in 0..boxes.chunks() {
        let chunks = read.overlapping(&boxes.range(piece));
        covered = covered.saturating_add(read.range(chunks.end - 1).end - read.range(chunks.start).start);
        reads += chunks.end - chunks.start;
    }
    Cut { boxes, longest, covered, reads }
}

/// Returns lengths of boxes to try along an axis: few, many, and multiples of the chunks.
pub(super) fn limits(units: &Axis, read: &Axis) -> Vec<u64> {
    let (unit, chunk, extent) = (units.longest().max(1), read.longest().max(1), units.extent());
    let most = units.chunks().saturating_mul(unit);
    let mut out: Vec<u64> = (1..=16).map(|count| unit.saturating_mul(count)).collect();
    // Boxes that end with chunks of the source: multiples of the common multiple, and lengths just above a multiple of a chunk.
    let common = unit / gcd(unit, chunk);
    if let Some(common) = common.checked_mul(chunk) {
        out.extend((1..=16).filter_map(|count| common.checked_mul(count)));
    }
    // Lengths beyond the axis are dropped below, so those that overflow are too.
    out.extend((0..24).filter_map(|power| chunk.checked_mul(1 << power)?.checked_next_multiple_of(unit)));
    out.extend((1..=24).filter_map(|boxes| extent.div_ceil(boxes).checked_next_multiple_of(unit)));
    out.extend((0..64).map(|power| unit.saturating_mul(1 << power)).take_while(|length| *length < most));
    out.push(most);
    out.retain(|length| (unit..=most.max(unit)).contains(length));
    out.sort_unstable();
    out.dedup();
    out
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the fewest positions read of all cuts, by trying each.
    fn naive(units: &Axis, read: &Axis, limit: u64) -> u64 {
        let ends: Vec<u64> = (0..units.chunks()).map(|unit| units.range(unit).end).collect();
        let Some((last, inner)) = ends.split_last() else { return 0 };
        let mut best = u64::MAX;
        for chosen in 0..1u32 << inner.len() {
            let kept = inner.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, end)| *end);
            let boxes = Axis::ending(kept.chain([*last]));
            if (0..boxes.chunks()).any(|piece| boxes.stored_length(piece) > limit) {
                continue;
            }
            let covered = |piece: u64| {
                let chunks = read.overlapping(&boxes.range(piece));
                chunks.map(|chunk| read.range(chunk).end - read.range(chunk).start).sum::<u64>()
            };
            best = best.min((0..boxes.chunks()).map(covered).sum());
        }
        best
    }

    #[test]
    fn cuts_read_the_fewest_positions() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        for _ in 0..300 {
            let mut axis = |extent: u64| {
                let mut ends: Vec<u64> = (1..extent).filter(|_| random(3) == 0).collect();
                ends.push(extent);
                Axis::ending(ends)
            };
            let (units, read) = (axis(12), axis(12));
            for limit in units.longest()..=12 {
                let found = cut(&units, &read, limit);
                assert!(found.longest <= limit);
                assert_eq!(found.covered, naive(&units, &read, limit), "{units:?} {read:?} {limit}");
            }
        }
    }

    #[test]
    fn a_last_chunk_beyond_the_axis_counts_whole() {
        let found = cut(&Axis::regular(10, 4), &Axis::regular(10, 10), 8);
        assert_eq!((found.longest, found.covered, found.boxes.chunks()), (8, 20, 2));
        assert_eq!(cut(&Axis::regular(0, 4), &Axis::regular(0, 3), 4).boxes.chunks(), 0);
    }
}
