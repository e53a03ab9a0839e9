//! Steps run: the loops around a kernel, whole or a range of their turns.

use super::kernels::{KernelCall, KernelKind, LINE, StridedLoop};
use super::level::Level;
use super::schedule::{OuterLoop, STAGE, ScheduledCopy, Staging};
use alloc::vec::Vec;
use core::ops::Range;

/// The turns of a loop of the kernel, in blocks: the first may be shorter, so that the others begin with lines of the target.
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

/// Where loops have come to: the pointers, and the blocks of the loops of the kernel.
#[derive(Clone, Copy)]
struct Cursor {
    source: *const u8,
    target: *mut u8,
    /// The buffer of transpositions that need one.
    stage: *mut u8,
    p: (usize, usize),
    q: (usize, usize),
}

impl Cursor {
    /// So many turns of a loop on.
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

/// A step with its pointers.
pub(crate) struct Execution<'a> {
    step: &'a ScheduledCopy,
    level: Level,
    stream: bool,
    staged: Option<&'a Staging>,
    source: *const u8,
    target: *mut u8,
    p: LoopBlocks,
    q: LoopBlocks,
}

// SAFETY: what it does with the pointers is promised by who calls `turns`.
unsafe impl Send for Execution<'_> {}
// SAFETY: as above.
unsafe impl Sync for Execution<'_> {}

impl<'a> Execution<'a> {
    /// `source` and `target` are the places of index 0.
    pub fn new(step: &'a ScheduledCopy, level: Level, source: *const u8, target: *mut u8) -> Self {
        let (source, target) = (source.wrapping_offset(step.source), target.wrapping_offset(step.target));
        let stream = step.stream && level > Level::Scalar;
        let form = &step.form;
        // How far the first element is into its line.
        let early = match form.kind {
            KernelKind::Transpose | KernelKind::Deinterleave if stream => target.addr() % LINE / form.width,
            _ => 0,
        };
        let (p, q) = (LoopBlocks::new(form.p, step.block[0], early), LoopBlocks::new(form.q, step.block[1], 0));
        Execution { step, level, stream, staged: step.staged.as_deref().filter(|staged| level >= staged.least), source, target, p, q }
    }

    fn count(&self, around: &OuterLoop) -> usize {
        match around {
            OuterLoop::Loop(turn) => turn.count,
            OuterLoop::P => self.p.count(),
            OuterLoop::Q => self.q.count(),
        }
    }

    /// Number of turns of all loops around the kernel.
    pub fn turns(&self) -> usize {
        self.count_of(&self.step.around)
    }

    fn count_of(&self, around: &[OuterLoop]) -> usize {
        around.iter().map(|around| self.count(around)).product()
    }

    /// Runs the kernel in these turns.
    ///
    /// # Safety
    ///
    /// The pointers are as in [`KernelCall`] for all loops; no one else writes what these turns write, or reads it before a fence.
    pub unsafe fn run(&self, turns: Range<usize>) {
        let form = &self.step.form;
        // On the heap: a thread may have a small stack.
        let mut stage: Vec<Line> = Vec::with_capacity(if self.staged.is_some() { STAGE / LINE } else { 0 });
        let stage = stage.as_mut_ptr().cast();
        let at = Cursor { source: self.source, target: self.target, stage, p: (0, form.p.count), q: (0, form.q.count) };
        // SAFETY: promised by the caller.
        unsafe { self.nest(&self.step.around, turns, at) }
    }

    /// The turns of some of the loops, of which the first is the outermost.
    ///
    /// # Safety
    ///
    /// That of [`Execution::run`].
    unsafe fn nest(&self, around: &[OuterLoop], turns: Range<usize>, at: Cursor) {
        if turns.is_empty() {
            return;
        }
        // SAFETY: promised by the caller; blocks are parts of the loops.
        unsafe {
            match around {
                [] => self.kernel(at, StridedLoop::ONCE),
                // A loop that is the innermost is the kernel's.
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

    /// # Safety
    ///
    /// That of [`KernelCall`].
    #[inline]
    unsafe fn kernel(&self, at: Cursor, around: StridedLoop) {
        let form = &self.step.form;
        let Cursor { source, target, stage, p, q } = at.moved(form.p, at.p.0).moved(form.q, at.q.0);
        let call = KernelCall { form, source, target, p: p.1, q: q.1, around, stream: self.stream };
        // SAFETY: promised by the caller.
        unsafe {
            match self.staged {
                Some(staged) => self.through(staged, &call, stage),
                None => call.run(self.level),
            }
        }
    }

    /// A call of a transposition through a buffer, for each turn of the loop around it.
    ///
    /// # Safety
    ///
    /// That of [`KernelCall`]; the buffer has [`STAGE`] bytes and begins with a line.
    unsafe fn through(&self, staged: &Staging, call: &KernelCall<'_>, stage: *mut u8) {
        let (row, rows) = (call.p * call.form.width, call.q / staged.around.count);
        for turn in 0..call.around.count as isize {
            let (source, target) =
                (call.source.wrapping_offset(turn * call.around.source), call.target.wrapping_offset(turn * call.around.target));
            // SAFETY: a block has at most as many rows as the buffer has room for; what is read of it was written.
            unsafe {
                KernelCall { form: &staged.into, source, target: stage, p: call.p, q: call.q, around: StridedLoop::ONCE, stream: false }
                    .run(self.level);
                KernelCall { form: &staged.out, source: stage, target, p: row, q: rows, around: staged.around, stream: staged.stream }
                    .run(self.level);
            }
        }
    }
}

/// Room for a line of a block.
#[repr(align(64))]
#[expect(dead_code, reason = "reached by pointers")]
struct Line([u8; LINE]);
