//! Writes swizzled copies out: the runs within a block of the swizzle as a table, and loops over whole blocks as loops.
//!
//! A swizzle moves bits below a power of two, its block. Adding a multiple of the block to an index adds the same amount to
//! its image. Loops whose steps are such multiples stay loops, and the elements within a block are written out once.

use super::TransferError;
use super::kernels::{KernelKind, KernelShape, LINE, Lines, Runs, StridedLoop};
use super::schedule::{OuterLoop, ScheduledCopy, TransferVolume};
use crate::order;
use crate::plan::{self, Loop};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The maximum number of elements of a copy that are written out in a table.
const MOST: i64 = 1 << 20;

/// The maximum bytes that a table moves after inner loops are written into it. The table then stays in the nearest
/// cache beside these bytes.
const TABLE: usize = 1 << 13;

/// The function from the sum of steps of a side to the offset in memory. Adding a multiple of `block` to the sum adds
/// the same amount to the offset.
pub(crate) struct OffsetMap<'a> {
    pub of: &'a dyn Fn(i64) -> i64,
    pub block: i64,
}

/// A copy between swizzled layouts: contiguous runs, and loops around them. Offsets are in elements.
#[derive(Clone, Debug)]
pub(crate) struct RunCopy {
    /// Number of elements of a run.
    pub run: i64,
    /// The first offset of each run in the first turn of all loops, in the source and in the target.
    pub starts: Vec<(i64, i64)>,
    pub loops: Vec<Loop>,
}

/// Writes the copy out as one or several run copies, which together move the same elements between the images of its offsets.
/// Fails if a copy has more than 2^20 elements inside its loops over whole blocks.
pub(crate) fn run_copies(copy: &plan::Copy, images: &[OffsetMap; 2]) -> Result<Vec<RunCopy>, TransferError> {
    let [from, to] = images;
    let (mut inner, mut outer) = (vec![], vec![]);
    let unit = Loop { count: copy.count, source: 1, target: 1 };
    for turn in core::iter::once(&unit).chain(&copy.loops) {
        let (a, b) = (from.block / gcd(from.block, turn.source), to.block / gcd(to.block, turn.target));
        let period = a / gcd(a, b) * b;
        let rest = turn.count % period;
        if turn.count <= period {
            inner.push(*turn);
        } else if rest == 0 {
            inner.push(Loop { count: period, ..*turn });
            outer.push(Loop { count: turn.count / period, source: turn.source * period, target: turn.target * period });
        } else {
            // Split the loop into whole periods and the rest.
            let whole = turn.count - rest;
            let at = core::ptr::from_ref(turn);
            let part = |count: i64, skip: i64| {
                let mut part = copy.clone();
                part.source += skip * turn.source;
                part.target += skip * turn.target;
                match copy.loops.iter().position(|other| core::ptr::eq(other, at)) {
                    Some(k) => part.loops[k].count = count,
                    None => part.count = count,
                }
                run_copies(&part, images)
            };
            let mut parts = part(whole, 0)?;
            parts.extend(part(rest, whole)?);
            return Ok(parts);
        }
    }
    let elements = inner.iter().try_fold(1_i64, |all, turn| all.checked_mul(turn.count)).unwrap_or(i64::MAX);
    if elements > MOST {
        return Err(TransferError::Table { elements, limit: MOST });
    }
    let all = plan::Copy { count: 1, loops: inner, ..copy.clone() };
    let mut starts: Vec<(i64, i64)> = all.offsets().map(|(source, target)| ((from.of)(source), (to.of)(target))).collect();
    starts.sort_unstable_by_key(|(_, target)| *target);
    let mut runs: Vec<(i64, i64, i64)> = vec![];
    for (source, target) in starts {
        match runs.last_mut() {
            Some((s, t, length)) if *s + *length == source && *t + *length == target => *length += 1,
            _ => runs.push((source, target, 1)),
        }
    }
    let run = runs.iter().fold(0, |common, (.., length)| gcd(common, *length));
    let starts = runs.iter().flat_map(|(s, t, length)| (0..length / run).map(move |k| (s + k * run, t + k * run))).collect();
    Ok(vec![RunCopy { run, starts, loops: outer }])
}

impl RunCopy {
    /// Schedules the copy, which has `elements` elements of `size` bytes in all.
    pub fn step(&self, elements: i64, size: usize, volume: TransferVolume) -> ScheduledCopy {
        let bytes = |elements: i64| elements as isize * size as isize;
        let turn = |turn: &Loop| StridedLoop { count: turn.count as usize, source: bytes(turn.source), target: bytes(turn.target) };
        let mut loops: Vec<StridedLoop> = self.loops.iter().map(turn).collect();
        order::by_key(&mut loops, |turn| core::cmp::Reverse(turn.target.abs()));
        let width = self.run as usize * size;
        let mut starts: Vec<(isize, isize)> = self.starts.iter().map(|(source, target)| (bytes(*source), bytes(*target))).collect();
        // Write short inner loops out, too, so that a call of the kernel has enough work.
        while let Some(turn) = loops.pop_if(|turn| starts.len() * turn.count * width <= TABLE) {
            let moved = |k: isize| starts.iter().map(move |(source, target)| (source + k * turn.source, target + k * turn.target));
            starts = (0..turn.count as isize).flat_map(moved).collect();
        }
        let count = starts.len();
        let starts: Box<[(isize, isize)]> = starts.into();
        let lines = lines(&starts, width);
        // Only aligned vectors can be streamed: whole lines, or 16 bytes of a run.
        let moves = || loops.iter().map(|turn| turn.target);
        let aligned = match &lines {
            Some(lines) => lines.starts.iter().map(|line| line.1).chain(moves()).all(|target| target % LINE as isize == 0),
            None => starts.iter().map(|run| run.1).chain(moves()).all(|target| target % 16 == 0),
        };
        let form = KernelShape {
            kind: KernelKind::Table(Runs { starts, lines }),
            width,
            p: StridedLoop { count, ..StridedLoop::ONCE },
            q: StridedLoop::ONCE,
            along_target: false,
            narrow: false,
            ahead: 0,
        };
        let around = loops.into_iter().map(OuterLoop::Loop).collect();
        ScheduledCopy {
            source: 0,
            target: 0,
            form,
            block: [count, 1],
            around,
            stream: aligned && volume.is_streamed(),
            staged: None,
            gather: None,
            off_lines: None,
            bytes: elements as usize * size,
        }
    }
}

/// Returns the runs of `width` bytes as lines, or `None` unless each line of the target has the bytes of one line of the source.
fn lines(runs: &[(isize, isize)], width: usize) -> Option<Lines> {
    /// The maximum number of byte orders, which should stay in the nearest cache.
    const MOST: usize = 64;
    if width > LINE || !LINE.is_multiple_of(width) || !runs.len().is_multiple_of(LINE / width) {
        return None;
    }
    let (mut starts, mut orders) = (vec![], vec![]);
    for line in runs.chunks_exact(LINE / width) {
        let first = line.iter().map(|run| run.0).min()?;
        let mut order = [u8::MAX; LINE];
        let mut seen = [false; LINE];
        for (k, (source, target)) in line.iter().enumerate() {
            let from = usize::try_from(source - first).ok().filter(|from| from + width <= LINE)?;
            if *target != line[0].1 + (k * width) as isize {
                return None;
            }
            for byte in 0..width {
                order[k * width + byte] = (from + byte) as u8;
                seen[from + byte] = true;
            }
        }
        // The source may have no other bytes here, so a line must use all of them.
        if seen.contains(&false) {
            return None;
        }
        let number = orders.iter().position(|other| *other == order).unwrap_or(orders.len());
        if number == orders.len() {
            orders.push(order);
        }
        if orders.len() > MOST {
            return None;
        }
        starts.push((first, line[0].1, number));
    }
    Some(Lines { starts: starts.into(), orders: orders.into() })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
