//! Steps run: the loops around a kernel, whole or a range of their turns.

use super::kernels::{Call, Form, Kind, LINE, Turn};
use super::level::Level;
use super::schedule::{Around, STAGE, Step};
use core::mem::MaybeUninit;
use core::ops::Range;

/// The turns of a loop of the kernel, in blocks: the first may be shorter, so that the others begin with lines of the target.
#[derive(Clone, Copy)]
struct Blocks {
    turn: Turn,
    first: usize,
    block: usize,
}

impl Blocks {
    fn new(turn: Turn, block: usize, early: usize) -> Self {
        Blocks { turn, first: (block - early.min(block - 1)).min(turn.count), block }
    }

    fn count(&self) -> usize {
        1 + (self.turn.count - self.first).div_ceil(self.block)
    }

    /// The first turn of a block, and how many it has.
    fn at(&self, k: usize) -> (usize, usize) {
        match k {
            0 => (0, self.first),
            k => {
                let begin = self.first + (k - 1) * self.block;
                (begin, self.block.min(self.turn.count - begin))
            }
        }
    }
}

/// A step with its pointers.
pub(crate) struct Run<'a> {
    step: &'a Step,
    level: Level,
    stream: bool,
    staged: bool,
    source: *const u8,
    target: *mut u8,
    p: Blocks,
    q: Blocks,
}

// SAFETY: what it does with the pointers is promised by who calls `turns`.
unsafe impl Send for Run<'_> {}
// SAFETY: as above.
unsafe impl Sync for Run<'_> {}

impl<'a> Run<'a> {
    /// `source` and `target` are the places of index 0.
    pub fn new(step: &'a Step, level: Level, source: *const u8, target: *mut u8) -> Self {
        let (source, target) = (source.wrapping_offset(step.source), target.wrapping_offset(step.target));
        let stream = step.stream && level > Level::Scalar;
        let form = &step.form;
        // How far the first element is into its line.
        let early = match form.kind {
            Kind::Transpose | Kind::Deinterleave if stream => target.addr() % LINE / form.width,
            _ => 0,
        };
        let (p, q) = (Blocks::new(form.p, step.block[0], early), Blocks::new(form.q, step.block[1], 0));
        Run { step, level, stream, staged: step.staged && level > Level::Scalar, source, target, p, q }
    }

    fn count(&self, around: &Around) -> usize {
        match around {
            Around::Loop(turn) => turn.count,
            Around::P => self.p.count(),
            Around::Q => self.q.count(),
        }
    }

    /// Number of turns of all loops around the kernel.
    pub fn turns(&self) -> usize {
        self.step.around.iter().map(|around| self.count(around)).product()
    }

    /// Runs the kernel in these turns.
    ///
    /// # Safety
    ///
    /// The pointers are as in [`Call`] for all loops; no one else writes what these turns write, or reads it before a fence.
    pub unsafe fn run(&self, turns: Range<usize>) {
        let form = &self.step.form;
        let mut at = turns.start;
        while at < turns.end {
            // The loops but the innermost; that goes on as far as it can.
            let (mut rest, mut source, mut target) = (at, 0isize, 0isize);
            let (mut p, mut q, mut inner) = ((0, form.p.count), (0, form.q.count), None);
            let mut left = 1;
            for (depth, around) in self.step.around.iter().rev().enumerate() {
                let count = self.count(around);
                let digit = rest % count;
                rest /= count;
                match around {
                    Around::Loop(turn) => {
                        source += digit as isize * turn.source;
                        target += digit as isize * turn.target;
                    }
                    Around::P => p = self.p.at(digit),
                    Around::Q => q = self.q.at(digit),
                }
                if depth == 0 {
                    left = count - digit;
                    inner = Some((around, digit));
                }
            }
            let steps = left.min(turns.end - at);
            // A loop around is the kernel's; blocks differ.
            let (around, calls) = match inner {
                Some((Around::Loop(turn), _)) => (Turn { count: steps, ..*turn }, 1),
                _ => (Turn::ONCE, steps),
            };
            for k in 0..calls {
                match inner {
                    Some((Around::P, digit)) => p = self.p.at(digit + k),
                    Some((Around::Q, digit)) => q = self.q.at(digit + k),
                    _ => {}
                }
                let source = source + p.0 as isize * form.p.source + q.0 as isize * form.q.source;
                let target = target + p.0 as isize * form.p.target + q.0 as isize * form.q.target;
                let (source, target) = (self.source.wrapping_offset(source), self.target.wrapping_offset(target));
                let call = Call { form, source, target, p: p.1, q: q.1, around, stream: self.stream };
                // SAFETY: promised by the caller; blocks are parts of the loops.
                unsafe { if self.staged { self.staged(&call) } else { call.run(self.level) } };
            }
            at += steps;
        }
    }

    /// A call of a transposition through a buffer, for each turn of the loop around it.
    ///
    /// # Safety
    ///
    /// That of [`Call`].
    unsafe fn staged(&self, call: &Call<'_>) {
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let row = call.p * call.form.width;
        let apart = (row + LINE) as isize;
        let q = call.form.q;
        let to_stage = Form { q: Turn { target: apart, ..q }, ..call.form.clone() };
        let p = Turn { count: row, source: 1, target: 1 };
        let from_stage = Form { kind: Kind::Rows, width: 1, p, q: Turn { source: apart, ..q }, along_target: false };
        for turn in 0..call.around.count as isize {
            let (source, target) =
                (call.source.wrapping_offset(turn * call.around.source), call.target.wrapping_offset(turn * call.around.target));
            let stage = stage.0.as_mut_ptr().cast::<u8>();
            // SAFETY: a block has at most as many rows as the buffer has room for; what is read of it was written.
            unsafe {
                Call { form: &to_stage, source, target: stage, p: call.p, q: call.q, around: Turn::ONCE, stream: false }.run(self.level);
                Call { form: &from_stage, source: stage, target, p: row, q: call.q, around: Turn::ONCE, stream: true }.run(self.level);
            }
        }
    }
}

/// Room for a block, in whole lines.
#[repr(align(64))]
struct Stage([MaybeUninit<u8>; STAGE]);
