//! Joins blocks into fewer copies: blocks of one shape whose starts form a progression, and blocks that continue one
//! another.
//!
//! A block is a set of points (target, source) `{p + i g + j h + ...}`. Target offsets are distinct, so every step can
//! be made positive in the target, and the smallest step is the difference of the first two points. This decides
//! exactly whether a set is one block, without trying all steps.

use super::copy::{Block, Loop, Point};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// The maximum number of starts for which the greedy cover is also tried.
const MOST_STARTS: usize = 300;

/// The maximum number of points for which blocks are also taken apart and joined anew.
const MOST_POINTS: i64 = 1 << 11;

/// Returns the points of `blocks` in fewer blocks, or in these if there is no way. A block with more than `most` loops around its
/// contiguous elements counts as the several copies that it will be.
pub(crate) fn join(mut blocks: Vec<Block>, most: usize) -> Vec<Block> {
    blocks.iter_mut().for_each(Block::normalize);
    if blocks.len() < 2 {
        return blocks;
    }
    // The two orders of the rules give different results, and neither is always better: try both.
    let continued = until_stable(blocks.clone(), &[extended, by_shape]);
    if copies(&continued, most) == 1 {
        return continued;
    }
    let together = until_stable(blocks, &[by_shape, extended]);
    let blocks = fewer(continued, together, most);
    match by_runs(&blocks, most) {
        Some(apart) => fewer(blocks, apart, most),
        None => blocks,
    }
}

/// Returns the number of copies of at most `most` loops that these blocks become.
fn copies(blocks: &[Block], most: usize) -> i64 {
    let parts = |block: &Block| block.clone().copy().parts(most).unwrap_or(i64::MAX);
    blocks.iter().fold(0, |total, block| total.saturating_add(parts(block)))
}

/// Returns the list that becomes fewer copies of at most `most` loops; `one` if both become equally many.
fn fewer(one: Vec<Block>, other: Vec<Block>, most: usize) -> Vec<Block> {
    if copies(&other, most) < copies(&one, most) { other } else { one }
}

/// Takes blocks apart into contiguous runs and joins runs of one length anew, independently of the digits that made
/// them. Returns `None` if there are more than [`MOST_POINTS`] points.
fn by_runs(blocks: &[Block], most: usize) -> Option<Vec<Block>> {
    let points = |block: &Block| block.loops.iter().try_fold(1_i64, |points, turn| points.checked_mul(turn.count));
    let total = blocks.iter().try_fold(0_i64, |total, block| total.checked_add(points(block)?))?;
    if total > MOST_POINTS {
        return None;
    }
    let mut points: Vec<Point> = blocks.iter().flat_map(Block::points).collect();
    points.sort_unstable();
    if let Some(loops) = progression(&points) {
        return Some(vec![Block { start: points[0], loops }]);
    }
    let mut lengths: BTreeMap<i64, Vec<Point>> = BTreeMap::new();
    let mut k = 0;
    while k < points.len() {
        let goes_on = |j: &usize| points.get(*j).is_some_and(|next| *next == (points[j - 1].0 + 1, points[j - 1].1 + 1));
        let end = (k + 1..).find(|j| !goes_on(j)).unwrap_or(points.len());
        lengths.entry((end - k) as i64).or_default().push(points[k]);
        k = end;
    }
    let of_length = |(length, starts): (i64, Vec<Point>)| {
        let run = Loop { count: length, target: 1, source: 1 };
        few(&starts).into_iter().map(move |block| Block { start: block.start, loops: [&block.loops[..], &[run]].concat() })
    };
    let mut out: Vec<Block> = lengths.into_iter().flat_map(of_length).collect();
    out.iter_mut().for_each(Block::normalize);
    if out.len() > 2 && points.len() <= MOST_STARTS {
        let mut other = greedy(&points);
        other.iter_mut().for_each(Block::normalize);
        return Some(fewer(out, other, most));
    }
    Some(out)
}

/// A function that returns the same points, in fewer blocks if it can.
type Rule = fn(Vec<Block>) -> Vec<Block>;

/// Applies each rule as long as it helps, and starts again until none helps.
fn until_stable(mut blocks: Vec<Block>, steps: &[Rule]) -> Vec<Block> {
    loop {
        let before = blocks.len();
        for step in steps {
            loop {
                let count = blocks.len();
                blocks = step(blocks);
                if blocks.len() == count || count < 2 {
                    break;
                }
            }
        }
        if blocks.len() == before {
            return blocks;
        }
    }
}

/// Joins blocks whose loops are equal and whose starts form progressions.
fn by_shape(blocks: Vec<Block>) -> Vec<Block> {
    let mut shapes: BTreeMap<Vec<Loop>, Vec<Point>> = BTreeMap::new();
    for block in blocks {
        shapes.entry(block.loops).or_default().push(block.start);
    }
    let mut out = vec![];
    for (shape, mut starts) in shapes {
        starts.sort_unstable();
        for progression in few(&starts) {
            let mut block = Block { start: progression.start, loops: [&shape[..], &progression.loops].concat() };
            block.normalize();
            out.push(block);
        }
    }
    out
}

/// Joins pairs of blocks that differ in the count of one loop only, if one block begins where this loop of the other ends.
fn extended(blocks: Vec<Block>) -> Vec<Block> {
    // Index the blocks by loops and start (`whole`), and by the other loops, the step of one loop, and start (`parted`).
    let mut whole: BTreeMap<(Vec<Loop>, Point), usize> = BTreeMap::new();
    let mut parted: BTreeMap<(Vec<Loop>, Point, Point), usize> = BTreeMap::new();
    for (k, block) in blocks.iter().enumerate() {
        whole.insert((block.loops.clone(), block.start), k);
        for (turn, others) in parts(block) {
            parted.insert((others, (turn.target, turn.source), block.start), k);
        }
    }
    let mut taken = vec![false; blocks.len()];
    let mut out = vec![];
    for (k, block) in blocks.iter().enumerate() {
        if taken[k] {
            continue;
        }
        let after = |turn: &Loop, count: i64| (block.start.0 + count * turn.target, block.start.1 + count * turn.source);
        let joined = parts(block).find_map(|(turn, others)| {
            let free = |j: &&usize| **j != k && !taken[**j];
            let (end, before) = (after(&turn, turn.count), after(&turn, -1));
            let step = (turn.target, turn.source);
            if let Some(next) = parted.get(&(others.clone(), step, end)).filter(free) {
                let more = blocks[*next].loops.iter().find(|other| (other.target, other.source) == step).map_or(0, |other| other.count);
                return Some((block.start, turn, more, others, *next));
            }
            if let Some(next) = whole.get(&(others.clone(), end)).filter(free) {
                return Some((block.start, turn, 1, others, *next));
            }
            whole.get(&(others.clone(), before)).filter(free).map(|first| (before, turn, 1, others, *first))
        });
        if let Some((start, turn, more, mut loops, other)) = joined {
            (taken[k], taken[other]) = (true, true);
            loops.push(Loop { count: turn.count + more, ..turn });
            let mut block = Block { start, loops };
            block.normalize();
            out.push(block);
        }
    }
    let left = blocks.into_iter().zip(taken).filter(|(_, taken)| !taken).map(|(block, _)| block);
    out.extend(left);
    out
}

/// Iterates over the loops of a block, each with the remaining loops of the block.
fn parts(block: &Block) -> impl Iterator<Item = (Loop, Vec<Loop>)> + '_ {
    block.loops.iter().enumerate().map(|(k, turn)| {
        let mut others = block.loops.clone();
        others.remove(k);
        (*turn, others)
    })
}

/// Divides the sorted points into few progressions: one if possible.
fn few(points: &[Point]) -> Vec<Block> {
    if let Some(loops) = progression(points) {
        return vec![Block { start: points[0], loops }];
    }
    let blocks = in_lines(points);
    if points.len() > MOST_STARTS {
        return blocks;
    }
    let other = greedy(points);
    if other.len() < blocks.len() { other } else { blocks }
}

/// Returns the loops of the sorted points if these are one progression of progressions, and `None` otherwise.
fn progression(points: &[Point]) -> Option<Vec<Loop>> {
    let [first, second, ..] = points else { return Some(vec![]) };
    let step = (second.0 - first.0, second.1 - first.1);
    let find = |point: Point| points.binary_search(&point).ok();
    let on = |point: Point| (point.0 + step.0, point.1 + step.1);
    let mut longest = 1;
    let mut at = *first;
    while find(on(at)).is_some() {
        longest += 1;
        at = on(at);
    }
    // All points must be lines of one length along the first step, and the starts of the lines a progression.
    'lengths: for count in (2..=longest).rev().filter(|count| points.len().is_multiple_of(*count)) {
        let mut used = vec![false; points.len()];
        let mut starts = vec![];
        for k in 0..points.len() {
            if used[k] {
                continue;
            }
            let mut at = points[k];
            starts.push(at);
            for _ in 0..count {
                match find(at) {
                    Some(j) if !used[j] => used[j] = true,
                    _ => continue 'lengths,
                }
                at = on(at);
            }
        }
        if let Some(mut loops) = progression(&starts) {
            loops.push(Loop { count: count as i64, target: step.0, source: step.1 });
            return Some(loops);
        }
    }
    None
}

/// Divides the points into lines of equal steps, from the first point on. The starts of lines of one shape are divided
/// in the same way.
fn in_lines(points: &[Point]) -> Vec<Block> {
    let mut kinds: BTreeMap<(i64, Point), Vec<Point>> = BTreeMap::new();
    let mut k = 0;
    while k < points.len() {
        let step = |j: usize| (points[j + 1].0 - points[j].0, points[j + 1].1 - points[j].1);
        let (mut count, mut by) = (1, (0, 0));
        if k + 1 < points.len() {
            by = step(k);
            while k + count < points.len() && step(k + count - 1) == by {
                count += 1;
            }
        }
        kinds.entry((count as i64, by)).or_default().push(points[k]);
        k += count;
    }
    let mut out = vec![];
    for ((count, by), starts) in kinds {
        let line = Loop { count, target: by.0, source: by.1 };
        // No line joined any points, so the same points would come again: make each a block.
        let blocks = if starts.len() == points.len() {
            starts.iter().map(|start| Block { start: *start, loops: vec![] }).collect()
        } else {
            in_blocks(&starts)
        };
        for mut block in blocks {
            if count > 1 {
                block.loops.push(line);
            }
            out.push(block);
        }
    }
    out
}

fn in_blocks(points: &[Point]) -> Vec<Block> {
    match progression(points) {
        Some(loops) => vec![Block { start: points[0], loops }],
        None => in_lines(points),
    }
}

/// Takes the largest block found that begins at the first point, and repeats this with the remaining points.
fn greedy(points: &[Point]) -> Vec<Block> {
    let mut left = points.to_vec();
    let mut out = vec![];
    while let Some(first) = left.first().copied() {
        if let Some(loops) = progression(&left) {
            out.push(Block { start: first, loops });
            break;
        }
        let mut largest = (vec![first], vec![]);
        for next in left.iter().skip(1).take(60) {
            let found = grow(vec![first], vec![], *next, &left);
            if found.0.len() > largest.0.len() {
                largest = found;
            }
        }
        let (mut gone, loops) = largest;
        gone.sort_unstable();
        left.retain(|point| gone.binary_search(point).is_err());
        out.push(Block { start: first, loops });
    }
    out
}

/// Repeats `block`, which has these loops, along the step to `next` as often as all repeated points are in `points`, and then
/// along every further step that works. Returns the points and the loops of the grown block.
fn grow(mut block: Vec<Point>, mut loops: Vec<Loop>, next: Point, points: &[Point]) -> (Vec<Point>, Vec<Loop>) {
    let first = block[0];
    let mut candidates = core::iter::once(&next).chain(points);
    while let Some(next) = candidates.next() {
        if block.binary_search(next).is_ok() {
            continue;
        }
        let step = (next.0 - first.0, next.1 - first.1);
        let on = |point: &Point, by: i64| (point.0 + by * step.0, point.1 + by * step.1);
        let mut larger = block.clone();
        let mut count = 1;
        while block
            .iter()
            .map(|point| on(point, count))
            .all(|point| points.binary_search(&point).is_ok() && larger.binary_search(&point).is_err())
        {
            larger.extend(block.iter().map(|point| on(point, count)));
            larger.sort_unstable();
            count += 1;
        }
        if count > 1 {
            loops.push(Loop { count, target: step.0, source: step.1 });
            block = larger;
            candidates = core::iter::once(&first).chain(points);
        }
    }
    (block, loops)
}
