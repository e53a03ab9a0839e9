//! Runs scheduled copies: the loops around a kernel, all turns or a range of them.

use super::gather::Gather;
use super::instruction_set::InstructionSet;
use super::kernels::{KernelCall, KernelKind, LINE, StridedLoop};
use super::schedule::{OuterLoop, STAGE, ScheduledCopy, Staging};
use alloc::vec::Vec;
use core::ops::Range;

/// The turns of a kernel loop, in blocks of `block` turns. The first block has only `first` turns, so that the others begin at cache lines
/// of the target.
#[derive(Clone, Copy)]
struct LoopBlocks {
    turn: StridedLoop,
    first: usize,
    block: usize,
}

impl LoopBlocks {
    fn new(turn: StridedLoop, block: usize, early: usize) -> Self {
        LoopBlocks { turn, first: (block - early.min(block - 1)).min(turn.count), block }
    }

    fn count(&self) -> usize {
        1 + (self.turn.count - self.first).div_ceil(self.block)
    }

    /// Returns the first turn of block `k`, and the number of its turns. Blocks and turns count from 0.
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

/// The state of the loops: the pointers, and the current block of `p` and of `q`, as its first turn and its number of turns.
#[derive(Clone, Copy)]
struct Cursor {
    source: *const u8,
    target: *mut u8,
    /// The buffer of a transposition or of a block that needs one.
    stage: *mut u8,
    p: (usize, usize),
    q: (usize, usize),
}

impl Cursor {
    /// Returns the cursor with its pointers moved by `turns` turns of a loop.
    #[inline]
    fn moved(self, turn: StridedLoop, turns: usize) -> Self {
        let turns = turns as isize;
        Cursor {
            source: self.source.wrapping_offset(turns * turn.source),
            target: self.target.wrapping_offset(turns * turn.target),
            ..self
        }
    }
}

/// A scheduled copy with its pointers.
pub(crate) struct Execution<'a> {
    step: &'a ScheduledCopy,
    instructions: InstructionSet,
    stream: bool,
    staged: Option<&'a Staging>,
    source: *const u8,
    target: *mut u8,
    p: LoopBlocks,
    q: LoopBlocks,
}

// SAFETY: only the unsafe `run` uses the pointers. Its caller promises that they are valid and that nothing else writes
// what these turns write, on whatever thread they run.
unsafe impl Send for Execution<'_> {}
// SAFETY: as above.
unsafe impl Sync for Execution<'_> {}

impl<'a> Execution<'a> {
    /// Creates the execution of a step. `source` and `target` are the addresses of offset 0.
    pub fn new(step: &'a ScheduledCopy, instructions: InstructionSet, source: *const u8, target: *mut u8) -> Self {
        let begins_line = target.wrapping_offset(step.target).addr().is_multiple_of(LINE);
        let step = step.off_lines.as_deref().filter(|_| !begins_line).unwrap_or(step);
        let (source, target) = (source.wrapping_offset(step.source), target.wrapping_offset(step.target));
        let stream = step.stream && instructions.streams();
        let form = &step.form;
        // In the target, the first element of the copy lies `early` elements behind the beginning of a cache line. The first block is
        // this much shorter, so that the other blocks begin at cache lines.
        let early = match form.kind {
            KernelKind::Transpose | KernelKind::Deinterleave if stream => target.addr() % LINE / form.width,
            _ => 0,
        };
        let (p, q) = (LoopBlocks::new(form.p, step.block[0], early), LoopBlocks::new(form.q, step.block[1], 0));
        Execution {
            step,
            instructions,
            stream,
            staged: step.staged.as_deref().filter(|staged| instructions >= staged.least),
            source,
            target,
            p,
            q,
        }
    }

    fn count(&self, around: &OuterLoop) -> usize {
        match around {
            OuterLoop::Loop(turn) => turn.count,
            OuterLoop::P => self.p.count(),
            OuterLoop::Q => self.q.count(),
        }
    }

    /// Returns the number of turns of all loops around the kernel together: the product of their counts.
    pub fn turns(&self) -> usize {
        self.count_of(&self.step.around)
    }

    fn count_of(&self, around: &[OuterLoop]) -> usize {
        around.iter().map(|around| self.count(around)).product()
    }

    /// Runs the kernel in a range of the turns that `Execution::turns` counts.
    ///
    /// # Safety
    ///
    /// The pointers are as in [`KernelCall`] for all loops. Nothing else writes what these turns write, or reads it
    /// before a fence.
    pub unsafe fn run(&self, turns: Range<usize>) {
        if turns.is_empty() {
            return;
        }
        let form = &self.step.form;
        // The buffer is on the heap, because a thread may have a small stack.
        let bytes = match &self.step.gather {
            Some(gather) => gather.bytes,
            None if self.staged.is_some() => STAGE,
            None => 0,
        };
        let mut stage: Vec<Line> = Vec::with_capacity(bytes / LINE);
        let stage = stage.as_mut_ptr().cast();
        let at = Cursor { source: self.source, target: self.target, stage, p: (0, form.p.count), q: (0, form.q.count) };
        // SAFETY: promised by the caller.
        unsafe { self.nest(&self.step.around, turns, at) }
    }

    /// Runs a range of turns of the loops `around`; the first loop is the outermost.
    ///
    /// # Safety
    ///
    /// The promises of [`Execution::run`].
    unsafe fn nest(&self, around: &[OuterLoop], turns: Range<usize>, at: Cursor) {
        if turns.is_empty() {
            return;
        }
        // SAFETY: promised by the caller; every block is a range of a loop.
        unsafe {
            match around {
                [] => self.kernel(at, StridedLoop::ONCE),
                // The kernel runs the innermost loop itself.
                [OuterLoop::Loop(turn)] => {
                    let at = at.moved(*turn, turns.start);
                    self.kernel(at, StridedLoop { count: turns.len(), ..*turn });
                }
                [first, rest @ ..] => {
                    let each = self.count_of(rest);
                    for digit in turns.start / each..turns.end.div_ceil(each) {
                        let (begin, end) = (turns.start.max(digit * each), turns.end.min((digit + 1) * each));
                        let at = match first {
                            OuterLoop::Loop(turn) => at.moved(*turn, digit),
                            OuterLoop::P => Cursor { p: self.p.at(digit), ..at },
                            OuterLoop::Q => Cursor { q: self.q.at(digit), ..at },
                        };
                        self.nest(rest, begin - digit * each..end - digit * each, at);
                    }
                }
            }
        }
    }

    /// Runs the kernel on the current blocks.
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`].
    #[inline]
    unsafe fn kernel(&self, at: Cursor, around: StridedLoop) {
        let form = &self.step.form;
        if let Some(gather) = &self.step.gather {
            // SAFETY: promised by the caller; the buffer has the bytes of the block.
            return unsafe { self.gather(gather, at, around) };
        }
        let Cursor { source, target, stage, p, q } = at.moved(form.p, at.p.0).moved(form.q, at.q.0);
        let call = KernelCall { form, source, target, p: p.1, q: q.1, around, stream: self.stream };
        // SAFETY: promised by the caller.
        unsafe {
            match self.staged {
                Some(staged) => self.through(staged, &call, stage),
                None => call.run(self.instructions),
            }
        }
    }

    /// Gathers a block in the buffer and writes it out, for each turn of the loop around it.
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`]; the buffer has the bytes of the block and begins at a line.
    unsafe fn gather(&self, gather: &Gather, at: Cursor, around: StridedLoop) {
        let (form, out) = (&self.step.form, &gather.out);
        for turn in 0..around.count {
            let Cursor { source, target, stage, .. } = at.moved(around, turn);
            for (from, to) in &gather.starts {
                let (source, target) = (source.wrapping_offset(*from), stage.wrapping_offset(*to));
                let call = KernelCall { form, source, target, p: form.p.count, q: form.q.count, around: gather.around, stream: false };
                // SAFETY: the offsets of the block lie in the copy and in the buffer.
                unsafe { call.run(self.instructions) };
            }
            for (from, to) in &gather.rows {
                let (source, target) = (stage.cast_const().wrapping_offset(*from), target.wrapping_offset(*to));
                let call = KernelCall {
                    form: out,
                    source,
                    target,
                    p: out.p.count,
                    q: out.q.count,
                    around: gather.out_around,
                    stream: self.stream,
                };
                // SAFETY: as above; the first kernel has written what this one reads.
                unsafe { call.run(self.instructions) };
            }
        }
    }

    /// Runs one call of a transposition through a buffer, for each turn of the loop around it.
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`]; the buffer has [`STAGE`] bytes and begins at a line.
    unsafe fn through(&self, staged: &Staging, call: &KernelCall<'_>, stage: *mut u8) {
        let (row, rows) = (call.p * call.form.width, call.q / staged.around.count);
        for turn in 0..call.around.count as isize {
            let (source, target) =
                (call.source.wrapping_offset(turn * call.around.source), call.target.wrapping_offset(turn * call.around.target));
            // SAFETY: a block has at most as many rows as fit the buffer, and the second kernel reads only bytes that
            // the first has written.
            unsafe {
                KernelCall { form: &staged.into, source, target: stage, p: call.p, q: call.q, around: StridedLoop::ONCE, stream: false }
                    .run(self.instructions);
                KernelCall { form: &staged.out, source: stage, target, p: row, q: rows, around: staged.around, stream: staged.stream }
                    .run(self.instructions);
            }
        }
    }
}

/// The memory of one line of a buffer, aligned.
#[repr(align(64))]
#[expect(dead_code, reason = "reached by pointers")]
struct Line([u8; LINE]);
