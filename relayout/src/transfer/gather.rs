//! Fuses many short loops into blocks that go through a buffer in cache.
//!
//! A block is the product of two sets of loops: loops that together make a long run in the target, and loops that make one
//! in the source. A loop may be in both sets. The kernel reads whole lines of the source, wherever rows of the source lie in
//! the sets of a cache. The buffer is in the order of the target, so that it is written out in long runs of whole lines,
//! wherever in a line they begin.

use super::kernels::{KernelKind, KernelShape, LINE, OffsetTables, StridedLoop};
use super::loops::{count, parts, sums};
use crate::order;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The wanted bytes of a contiguous run in the source and in the target. Runs of the target are longer, because their ends
/// are incomplete lines.
const GOAL: [usize; 2] = [1 << 9, 1 << 12];

/// The minimum bytes of a contiguous run in the source and in the target. With shorter runs, the buffer gains nothing.
const LEAST: [usize; 2] = [2 * LINE, 8 * LINE];

/// The maximum bytes of a block, which should stay in the second-level cache.
const BLOCK: usize = 1 << 18;

/// A block that a kernel gathers in a buffer, in the order of the target, and another kernel writes out. The first kernel
/// is the shape of the scheduled copy. Offsets are in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Gather {
    /// The loop around the first kernel, with steps in the source and in the buffer.
    pub around: StridedLoop,
    /// The offsets of the calls of the first kernel, in the source and in the buffer.
    pub starts: Box<[(isize, isize)]>,
    /// The second kernel, which copies rows of the buffer to the target.
    pub out: KernelShape,
    /// The loop around the second kernel, with steps in the buffer and in the target.
    pub out_around: StridedLoop,
    /// The offsets of the calls of the second kernel, in the buffer and in the target.
    pub rows: Box<[(isize, isize)]>,
    /// The bytes of the buffer: whole lines.
    pub bytes: usize,
}

/// A loop of a block.
#[derive(Clone, Copy)]
struct Digit {
    turn: StridedLoop,
    /// True if the loop is part of the run in the target.
    in_row: bool,
}

/// The loops of a block, while they are being chosen.
struct BlockDraft {
    digits: Vec<Digit>,
    rest: Vec<StridedLoop>,
    /// The bytes of the contiguous run in the source and in the target.
    reach: [usize; 2],
    bytes: usize,
}

/// Returns the step of a loop in the source (side 0) or in the target (side 1).
fn step(turn: &StridedLoop, side: usize) -> isize {
    [turn.source, turn.target][side]
}

impl BlockDraft {
    /// Adds the loop that continues the run of a side. Returns false if there is none, or if the run is long enough and the
    /// block would grow.
    fn extend(&mut self, side: usize) -> bool {
        let reach = self.reach[side];
        let continues = |turn: &StridedLoop| step(turn, side) == reach as isize;
        if let Some(digit) = self.digits.iter_mut().find(|digit| continues(&digit.turn)) {
            digit.in_row |= side == 1;
            self.reach[side] *= digit.turn.count;
            return true;
        }
        if reach >= GOAL[side] {
            return false;
        }
        let Some(k) = self.rest.iter().position(continues) else { return false };
        let [inner, outer] = parts(self.rest[k], (2 * GOAL[side] / reach).min(BLOCK / self.bytes));
        if inner.count == 1 {
            return false;
        }
        self.rest[k] = outer;
        self.rest.retain(|turn| turn.count > 1);
        self.digits.push(Digit { turn: inner, in_row: side == 1 });
        self.bytes *= inner.count;
        self.reach[side] *= inner.count;
        true
    }
}

/// Chooses a block of runs of `run` bytes inside the loops `rest`. Returns the kernel that gathers it, and the block; removes
/// its loops from `rest`. Returns `None` if the runs of the block would be too short. The kernel prefetches if `far`.
pub(super) fn block(run: usize, rest: &mut Vec<StridedLoop>, far: bool) -> Option<(KernelShape, Gather)> {
    let mut draft = BlockDraft { digits: vec![], rest: rest.clone(), reach: [run; 2], bytes: run };
    loop {
        let shorter = usize::from(draft.reach[1] < draft.reach[0]);
        if !draft.extend(shorter) && !draft.extend(1 - shorter) {
            break;
        }
    }
    let [from, row] = draft.reach;
    if from < LEAST[0] || row < LEAST[1] {
        return None;
    }
    *rest = draft.rest;
    // Rows of the buffer are an odd number of lines apart, so that they begin in different sets of a cache.
    let apart = row.next_multiple_of(2 * LINE) + LINE;
    let mut bytes = apart;
    // `into` moves in the source and in the buffer, `out` in the buffer and in the target.
    let (mut into, mut out) = (vec![], vec![]);
    order::by_key(&mut draft.digits, |digit| digit.turn.target.abs());
    for Digit { turn, in_row } in draft.digits {
        if in_row {
            into.push(turn);
        } else {
            into.push(StridedLoop { target: bytes as isize, ..turn });
            out.push(StridedLoop { source: bytes as isize, ..turn });
            bytes *= turn.count;
        }
    }
    let shape = if run.is_power_of_two() && run <= 16 { tiles(run, &mut into, far) } else { runs(run, &mut into) };
    let around = innermost(&mut into);
    let q = innermost(&mut out);
    let out_around = innermost(&mut out);
    let p = StridedLoop { count: row, source: 1, target: 1 };
    let copied = KernelShape { kind: KernelKind::Rows, width: 1, p, q, along_target: false, narrow: false, ahead: 0 };
    Some((shape, Gather { around, starts: offsets(&into), out: copied, out_around, rows: offsets(&out), bytes }))
}

/// Takes the first loop, or a loop of one turn if there is none.
fn innermost(loops: &mut Vec<StridedLoop>) -> StridedLoop {
    if loops.is_empty() { StridedLoop::ONCE } else { loops.remove(0) }
}

/// Returns the offsets of all turns of nested loops on both sides, the first loop innermost.
fn offsets(loops: &[StridedLoop]) -> Box<[(isize, isize)]> {
    sums(loops, |turn| turn.source).into_iter().zip(sums(loops, |turn| turn.target)).collect()
}

/// Returns the kernel that transposes elements of `width` bytes into the buffer, and takes its loops from `loops`. A loop that
/// continues the runs of both sides belongs to the side where its step is smaller, so that both have whole vectors.
fn tiles(width: usize, loops: &mut Vec<StridedLoop>, far: bool) -> KernelShape {
    let mut take = |side: usize| {
        let (mut taken, mut reach) = (vec![], width as isize);
        let continues = |turn: &StridedLoop, reach| step(turn, side) == reach && step(turn, 1 - side).abs() >= reach;
        while let Some(k) = loops.iter().position(|turn| continues(turn, reach)) {
            let turn = loops.remove(k);
            reach *= turn.count as isize;
            taken.push(turn);
        }
        taken
    };
    let (q, p) = (take(0), take(1));
    let target = sums(&q, |turn| turn.target);
    let on_lines = target.iter().all(|target| target % LINE as isize == 0);
    KernelShape {
        kind: KernelKind::OffsetTables(OffsetTables { source: sums(&p, |turn| turn.source), target, on_lines, far }),
        width,
        p: StridedLoop { count: count(&p), source: 0, target: width as isize },
        q: StridedLoop { count: count(&q), source: width as isize, target: 0 },
        along_target: false,
        narrow: false,
        ahead: 0,
    }
}

/// Returns the kernel that copies runs of `run` bytes into the buffer, and takes its loop from `loops`.
fn runs(run: usize, loops: &mut Vec<StridedLoop>) -> KernelShape {
    order::by_key(loops, |turn| turn.source.abs());
    let p = StridedLoop { count: run, source: 1, target: 1 };
    KernelShape { kind: KernelKind::Rows, width: 1, p, q: innermost(loops), along_target: false, narrow: false, ahead: 0 }
}
