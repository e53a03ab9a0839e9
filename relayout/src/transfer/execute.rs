//! Steps run: the loops around a kernel, whole or a range of their turns.

use super::kernels::{Call, Kind, LINE, Turn};
use super::level::Level;
use super::schedule::{Around, STAGE, Staged, Step};
use alloc::vec::Vec;
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

/// Where loops have come to: the pointers, and the blocks of the loops of the kernel.
#[derive(Clone, Copy)]
struct At {
    source: *const u8,
    target: *mut u8,
    /// The buffer of transpositions that need one.
    stage: *mut u8,
    p: (usize, usize),
    q: (usize, usize),
}

impl At {
    /// So many turns of a loop on.
    #[inline]
    fn moved(self, turn: Turn, turns: usize) -> Self {
        let turns = turns as isize;
        At { source: self.source.wrapping_offset(turns * turn.source), target: self.target.wrapping_offset(turns * turn.target), ..self }
    }
}

/// A step with its pointers.
pub(crate) struct Run<'a> {
    step: &'a Step,
    level: Level,
    stream: bool,
    staged: Option<&'a Staged>,
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
        Run { step, level, stream, staged: step.staged.as_deref().filter(|staged| level >= staged.least), source, target, p, q }
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
        self.count_of(&self.step.around)
    }

    fn count_of(&self, around: &[Around]) -> usize {
        around.iter().map(|around| self.count(around)).product()
    }

    /// Runs the kernel in these turns.
    ///
    /// # Safety
    ///
    /// The pointers are as in [`Call`] for all loops; no one else writes what these turns write, or reads it before a fence.
    pub unsafe fn run(&self, turns: Range<usize>) {
        let form = &self.step.form;
        // On the heap: a thread may have a small stack.
        let mut stage: Vec<Line> = Vec::with_capacity(if self.staged.is_some() { STAGE / LINE } else { 0 });
        let stage = stage.as_mut_ptr().cast();
        let at = At { source: self.source, target: self.target, stage, p: (0, form.p.count), q: (0, form.q.count) };
        // SAFETY: promised by the caller.
        unsafe { self.nest(&self.step.around, turns, at) }
    }

    /// The turns of some of the loops, of which the first is the outermost.
    ///
    /// # Safety
    ///
    /// That of [`Run::run`].
    unsafe fn nest(&self, around: &[Around], turns: Range<usize>, at: At) {
        if turns.is_empty() {
            return;
        }
        // SAFETY: promised by the caller; blocks are parts of the loops.
        unsafe {
            match around {
                [] => self.kernel(at, Turn::ONCE),
                // A loop that is the innermost is the kernel's.
                [Around::Loop(turn)] => {
                    let at = at.moved(*turn, turns.start);
                    self.kernel(at, Turn { count: turns.len(), ..*turn });
                }
                [first, rest @ ..] => {
                    let each = self.count_of(rest);
                    for digit in turns.start / each..turns.end.div_ceil(each) {
                        let (begin, end) = (turns.start.max(digit * each), turns.end.min((digit + 1) * each));
                        let at = match first {
                            Around::Loop(turn) => at.moved(*turn, digit),
                            Around::P => At { p: self.p.at(digit), ..at },
                            Around::Q => At { q: self.q.at(digit), ..at },
                        };
                        self.nest(rest, begin - digit * each..end - digit * each, at);
                    }
                }
            }
        }
    }

    /// # Safety
    ///
    /// That of [`Call`].
    #[inline]
    unsafe fn kernel(&self, at: At, around: Turn) {
        let form = &self.step.form;
        let At { source, target, stage, p, q } = at.moved(form.p, at.p.0).moved(form.q, at.q.0);
        let call = Call { form, source, target, p: p.1, q: q.1, around, stream: self.stream };
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
    /// That of [`Call`]; the buffer has [`STAGE`] bytes and begins with a line.
    unsafe fn through(&self, staged: &Staged, call: &Call<'_>, stage: *mut u8) {
        let (row, rows) = (call.p * call.form.width, call.q / staged.around.count);
        for turn in 0..call.around.count as isize {
            let (source, target) =
                (call.source.wrapping_offset(turn * call.around.source), call.target.wrapping_offset(turn * call.around.target));
            // SAFETY: a block has at most as many rows as the buffer has room for; what is read of it was written.
            unsafe {
                Call { form: &staged.into, source, target: stage, p: call.p, q: call.q, around: Turn::ONCE, stream: false }.run(self.level);
                Call { form: &staged.out, source: stage, target, p: row, q: rows, around: staged.around, stream: staged.stream }
                    .run(self.level);
            }
        }
    }
}

/// Room for a line of a block.
#[repr(align(64))]
#[expect(dead_code, reason = "reached by pointers")]
struct Line([u8; LINE]);
