//! Schedules a copy of a plan: chooses the kernel, the two loops that it runs, and the order and the blocks of the
//! loops around it.
//!
//! [`ScheduledCopy::new`] takes these steps, and comments in the code repeat their numbers. A copy has `d` loops; no
//! step depends on the number of elements.
//!
//! | step | what it does | cost | skipped when |
//! |---|---|---|---|
//! | 1. Bytes | Converts offsets and steps from elements to bytes. | `O(d)` | never |
//! //! | 2. Kernel | Finds the loops `p`, contiguous in the target, and `q`, contiguous in the source, and the kernel for this pair. | `O(d)` | runs do not have 1, 2, 4, 8 or 16 bytes: the kernel copies rows |
//! | 3. Fuse | Extends short loops of a transposition by the loops that continue them, as tables of offsets. | `O(d^2)`, tables of up to 2^18 bytes of elements | the kernel is no transposition, or both loops are long |
//! | 4. Order | Sorts the other loops by their steps: in the target, or in the source if writes go past the caches. | `O(d log d)` | never |
//! | 5. Block | Chooses how many turns of `p` and `q` one call of the kernel takes. | `O(1)` | never |
//! | 6. Prefetch | Chooses how far ahead of the reads the source is prefetched. | `O(1)` | the transfer moves less than 32 MiB, or writes through the caches |
//! | 7. Stage | Sends a transposition through a buffer of 68 KiB. | a second write and read of each byte, in cache | always, unless writes past the caches would begin within lines, or rows of both sides share one set of the nearest cache; also if vectors are too short |
//! | 8. Gather | Replaces the schedule by blocks of short loops that are gathered in a buffer (`gather.rs`), or adds them for targets that begin within a line. | `O(d^2)` | writes go through the caches, or the loops of the kernel are long |
//!
//! The result is the nest below, the outermost loop first. It has the structure of a tensor transposition in HPTT
//! (Springer, Su, Bientinesi, 2017): a macro-kernel over blocks of two loops, and a micro-kernel in registers. The
//! buffer of step 7 is the packed block of GotoBLAS (Goto, van de Geijn, 2008).
//!
//! ```text
//! for range of turns in threads                      execute.rs: Execution::run, ranges from Transfer::run_parallel
//!   for turn of each other loop, ordered             OuterLoop::Loop
//!     for block of p                                 OuterLoop::P
//!       for block of q                               OuterLoop::Q
//!         [ pack the block into the buffer ]         step 7
//!         for tile of the block                      macro-kernel: kernels/tiles.rs, kernels/rows.rs, kernels/weave.rs
//!           for row of the tile                      micro-kernel: a line of the target by a vector of the source, in registers
//!         [ copy the buffer to the target by rows ]  step 7
//! ```

use super::gather::{self, Gather};
use super::instruction_set::{InstructionSet, do_sets_hold_up};
use super::kernels::{KernelKind, KernelShape, LINE, OffsetTables, PAGE, StridedLoop};
use super::loops::{count, parts, sums};
use crate::{order, plan};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The default minimum number of bytes written for writes past the caches. A smaller target may fit the caches, where
/// the next reader should find it.
pub(crate) const STREAM: usize = 4 << 20;

/// The minimum bytes of a contiguous run that is streamed: written past the caches. The ends of a run are incomplete lines, which
/// are stored as usual.
const LONG: usize = 4 * LINE;

/// A loop of a transposition with at least this many bytes needs no extension: most of it is tiles of whole lines. A source
/// outside the caches is read along its own loop as far as that goes, so such a loop is extended only to whole lines.
const SHORT: [usize; 2] = [4 * LINE, LINE];

/// The minimum bytes of a row for which hardware reads ahead. Shorter runs are copied in blocks.
const ROW: usize = 1 << 10;

/// The minimum bytes of a transfer whose source is prefetched. A smaller source is in some last-level cache, and
/// prefetches would only get in the way.
const FAR: usize = 1 << 25;

/// The distance of prefetches ahead of the reads, in bytes. A transposition of at most `NEAR` bytes prefetches the
/// whole next one while it runs.
const READ: usize = 1 << 13;
const NEAR: usize = 1 << 17;

/// Rows whose step is a multiple of this share few sets of the second-level cache, which would evict prefetched lines
/// before they are read.
const CROWDED: isize = 4 * PAGE as isize;

/// The maximum numbers of consecutive runs of a block in the target and in the source. `LEAST` is the minimum number in the
/// target.
const BLOCK: [usize; 2] = [16, 64];
const LEAST: usize = 4;

/// The row of a block that is transposed in a buffer, in bytes, the maximum number of rows, the bytes of the buffer,
/// and the distance of its rows: a line more than a row, so that rows begin in different cache sets.
const STAGED_ROW: usize = 1 << 10;
const STAGED_ROWS: usize = 64;
pub(crate) const STAGE: usize = STAGED_ROWS * STAGED_APART;
const STAGED_APART: usize = STAGED_ROW + LINE;

/// Returns the number of rows of a block that is transposed in cache, for elements of `width` bytes: the rows of one tile, so
/// that the buffer stays in the nearest cache.
fn near_rows(width: usize) -> usize {
    (LINE / width).max(16)
}

/// The minimum number of loops around a kernel for which a block is worth its buffer even if the kernel writes whole lines.
const MANY: usize = 8;

/// A loop around the kernel: a loop of the copy, or the loop over the blocks of `p` or `q`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OuterLoop {
    Loop(StridedLoop),
    P,
    Q,
}

/// A copy with its kernel and the order of its loops, ready to run. Offsets and steps are in bytes.
#[derive(Clone, Debug)]
pub(crate) struct ScheduledCopy {
    /// Offset in bytes of the first element, in the source and in the target.
    pub source: isize,
    pub target: isize,
    pub form: KernelShape,
    /// Number of turns of `p` and of `q` in one block.
    pub block: [usize; 2],
    /// The loops around the kernel, the outermost first. The kernel itself runs `p` and `q` within a block.
    pub around: Vec<OuterLoop>,
    pub stream: bool,
    /// The buffer through which blocks are transposed; `None` if they are transposed in registers alone.
    pub staged: Option<Box<Staging>>,
    /// The buffer in which blocks of short loops are gathered, and how they are written out; `None` without one.
    pub gather: Option<Box<Gather>>,
    /// The schedule for a target that does not begin at a line; `None` if it is this one.
    pub off_lines: Option<Box<ScheduledCopy>>,
    /// Number of bytes that all turns write.
    #[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "only `run_parallel` reads it"))]
    pub bytes: usize,
}

/// A transposition through a buffer of [`STAGE`] bytes: the kernel into the buffer, and the kernel that copies its
/// rows out.
#[derive(Clone, Debug)]
pub(crate) struct Staging {
    pub into: KernelShape,
    pub out: KernelShape,
    /// The loop around `out` if the rows come from two loops; one turn otherwise.
    pub around: StridedLoop,
    /// The lowest instruction set at which staging is worth its cost.
    pub least: InstructionSet,
    /// True if the rows are written past the caches.
    pub stream: bool,
}

impl Staging {
    /// Creates the two kernels of a transposition. `q` and `around` are the loops over the columns of the target.
    fn new(form: &KernelShape, [q, around]: [StridedLoop; 2], stream: bool) -> Self {
        let apart = STAGED_APART as isize;
        let mut into = KernelShape { q: StridedLoop { target: apart, ..form.q }, ..form.clone() };
        if let KernelKind::OffsetTables(digits) = &mut into.kind {
            digits.target = (0..form.q.count as isize).map(|row| row * apart).collect();
            digits.on_lines = true;
        }
        let p = StridedLoop { count: form.p.count * form.width, source: 1, target: 1 };
        let around = StridedLoop { source: q.count as isize * apart, ..around };
        let out = KernelShape {
            kind: KernelKind::Rows,
            width: 1,
            p,
            q: StridedLoop { source: apart, ..q },
            along_target: false,
            narrow: false,
            ahead: 0,
        };
        let least = if stream { InstructionSet::Avx2 } else { InstructionSet::Avx512 };
        Staging { into, out, around, least, stream }
    }
}

/// The size of a whole transfer. It decides whether steps write past the caches and prefetch, however small each step is.
#[derive(Clone, Copy)]
pub(crate) struct TransferVolume {
    stream: bool,
    far: bool,
}

impl TransferVolume {
    /// Classifies a transfer of `bytes` bytes, which writes past the caches from `least` bytes on.
    pub fn new(bytes: usize, least: usize) -> Self {
        TransferVolume { stream: bytes >= least, far: bytes >= FAR }
    }

    pub fn is_streamed(self) -> bool {
        self.stream
    }
}

impl ScheduledCopy {
    /// Schedules a copy of elements of `size` bytes. A [`CheckedCopy`](super::checked_copy::CheckedCopy) has checked
    /// its numbers.
    pub fn new(copy: &plan::Copy, size: usize, volume: TransferVolume) -> ScheduledCopy {
        // Step 1: convert elements to bytes.
        let bytes = |elements: i64| elements as isize * size as isize;
        let run = copy.count as usize * size;
        let loops: Vec<StridedLoop> = copy
            .loops
            .iter()
            .map(|turn| StridedLoop { count: turn.count as usize, source: bytes(turn.source), target: bytes(turn.target) })
            .collect();
        let total = run * loops.iter().map(|turn| turn.count).product::<usize>();
        let TransferVolume { stream, far } = volume;
        ScheduleDraft {
            source: bytes(copy.source),
            target: bytes(copy.target),
            run,
            rest: loops,
            stream,
            far,
            narrow: false,
            staged: None,
            total,
        }
        .step()
    }
}

/// Tests whether a transposition with long loops reads lines that share few sets of the caches, so that a line is evicted
/// before all of it is read.
fn is_crowded(form: &KernelShape) -> bool {
    let long = |turn: StridedLoop| turn.count * form.width >= 2 * LONG;
    form.kind == KernelKind::Transpose && form.width >= 4 && form.p.source % PAGE as isize == 0 && long(form.p) && long(form.q)
}

/// A copy whose loops are being assigned to the kernel and to the nest around it.
#[derive(Clone)]
struct ScheduleDraft {
    source: isize,
    target: isize,
    /// Number of bytes that are contiguous on both sides.
    run: usize,
    rest: Vec<StridedLoop>,
    stream: bool,
    /// True if the transfer is large enough to prefetch the source. Step 6 prefetches only if `stream` is also true.
    far: bool,
    /// True if tiles of a transposition have few columns.
    narrow: bool,
    /// The loops over the columns of a transposition that goes through a buffer.
    staged: Option<[StridedLoop; 2]>,
    total: usize,
}

impl ScheduleDraft {
    /// Schedules the copy. Step 8: past the caches, short loops are gathered in blocks if the target begins within a line, and for
    /// every target if there are many loops, if single elements do not make whole lines, or if rows are whole pages apart.
    fn step(self) -> ScheduledCopy {
        let draft = self.stream.then(|| self.clone());
        let mut direct = self.direct();
        let Some(gathered) = draft.and_then(|draft| draft.gathered(&direct)) else { return direct };
        let through_caches = !direct.stream && direct.form.kind != KernelKind::Rows;
        if through_caches || direct.around.len() >= MANY || is_crowded(&direct.form) {
            return gathered;
        }
        direct.off_lines = direct.stream.then(|| Box::new(gathered));
        direct
    }

    /// Schedules the copy with a kernel that writes the target directly, or through a buffer for one transposition.
    fn direct(mut self) -> ScheduledCopy {
        // Step 2: a run that is not 1, 2, 4, 8 or 16 bytes long is copied as a row of bytes.
        if !(self.run.is_power_of_two() && self.run <= 16) {
            let stream = self.stream && (self.run >= LONG || self.run.is_multiple_of(LINE) && self.on_lines(&[]));
            // Step 4: order the other loops.
            self.order(stream);
            if stream && self.run < ROW {
                self.blocks();
            }
            let p = StridedLoop { count: self.run, source: 1, target: 1 };
            let q = self.innermost();
            return self.finish(KernelKind::Rows, 1, p, q, stream);
        }
        // Step 2: a run of a few bytes is an element.
        let width = self.run as isize;
        let Some(a) = self.take(|turn| turn.target == width) else {
            self.order(false);
            let p = self.take(|turn| turn.source.abs() == width).unwrap_or_else(|| self.innermost());
            let q = self.innermost();
            return self.finish(KernelKind::Nest, width, p, q, false);
        };
        let long = self.stream && a.count * self.run >= LONG;
        if a.source == 0 || a.source == -width {
            self.order(long);
            let q = self.innermost();
            return self.finish(if a.source == 0 { KernelKind::Fill } else { KernelKind::Reverse }, width, a, q, long);
        }
        if let Some(b) = self.take(|turn| turn.source.abs() == width) {
            return self.both(width, a, b);
        }
        let every = width < 16 && (2..=4).any(|k| a.source == k * width);
        // Step 4: order the other loops.
        self.order(long && every);
        let q = self.innermost();
        self.finish(if every { KernelKind::Every } else { KernelKind::Nest }, width, a, q, long && every)
    }

    /// Schedules a copy that is gathered in blocks instead of the schedule `direct`. Returns `None` if the loops of the kernel
    /// are long enough without a block, or too short with one.
    fn gathered(mut self, direct: &ScheduledCopy) -> Option<ScheduledCopy> {
        let form = &direct.form;
        let [p, q] = [form.p, form.q].map(|turn| turn.count * form.width);
        let wanted = match form.kind {
            KernelKind::Transpose if is_crowded(form) => true,
            KernelKind::Transpose | KernelKind::OffsetTables(_) => direct.staged.is_none() && p < STAGED_ROW,
            KernelKind::Interleave | KernelKind::Deinterleave => p * q <= 4 * ROW * form.width,
            KernelKind::Rows => self.run < ROW,
            _ => false,
        };
        if !wanted {
            return None;
        }
        let (form, gather) = gather::block(self.run, &mut self.rest, self.far)?;
        self.order(true);
        Some(ScheduledCopy {
            form,
            block: [usize::MAX; 2],
            around: self.rest.iter().copied().rev().map(OuterLoop::Loop).collect(),
            stream: true,
            staged: None,
            gather: Some(Box::new(gather)),
            off_lines: None,
            source: self.source,
            target: self.target,
            bytes: self.total,
        })
    }

    /// Schedules a copy in which `a` is contiguous in the target and `b` in the source, forwards or backwards.
    fn both(mut self, width: isize, a: StridedLoop, mut b: StridedLoop) -> ScheduledCopy {
        const FEW: [usize; 4] = [2, 3, 4, 8];
        if b.source < 0 {
            let last = b.count as isize - 1;
            (self.source, self.target) = (self.source + last * b.source, self.target + last * b.target);
            (b.source, b.target) = (-b.source, -b.target);
        }
        // Step 2: weave if one loop has few turns, and transpose otherwise.
        let few = |few: StridedLoop| width < 16 && FEW.contains(&few.count);
        let kind = if few(a) && b.target == a.count as isize * width {
            KernelKind::Interleave
        } else if few(b) && a.source == b.count as isize * width {
            KernelKind::Deinterleave
        } else {
            KernelKind::Transpose
        };
        let long = |turn: StridedLoop, by: usize| turn.count * by * width as usize >= LONG;
        // The columns of a tile do not fit the nearest cache if they share one set. The same holds for rows.
        let one_set = |step: isize| do_sets_hold_up() && !self.stream && step % PAGE as isize == 0;
        let [rows, columns] = [one_set(a.source), one_set(b.target)];
        self.narrow = columns && !rows;
        // Step 3: fuse short loops.
        let digits = match kind {
            KernelKind::Transpose if rows && columns => self.through(width, a, b).unwrap_or_else(|| self.digits(width, a, b)),
            KernelKind::Transpose => self.digits(width, a, b),
            _ => [vec![a], vec![b]],
        };
        let stream = self.stream
            && match kind {
                KernelKind::Interleave => long(b, a.count),
                KernelKind::Deinterleave => long(a, 1),
                _ => count(&digits[0]) * width as usize >= LINE && self.on_lines(&digits[1]),
            };
        // Step 4: order the other loops.
        self.order(stream);
        if let [[p], [q]] = digits.each_ref().map(Vec::as_slice) {
            if kind == KernelKind::Transpose && self.stream && !stream && p.count * width as usize >= STAGED_ROW {
                self.staged = Some([*q, StridedLoop::ONCE]);
            }
            return self.finish(kind, width, *p, *q, stream);
        }
        let [p, q] = digits;
        let target = sums(&q, |turn| turn.target);
        let on_lines = target.iter().all(|target| target % LINE as isize == 0);
        let kind = KernelKind::OffsetTables(OffsetTables { source: sums(&p, |turn| turn.source), target, on_lines, far: false });
        let (p, q) =
            (StridedLoop { count: count(&p), source: 0, target: width }, StridedLoop { count: count(&q), source: width, target: 0 });
        self.finish(kind, width, p, q, stream)
    }

    /// Returns the loops of a transposition that goes through a buffer in cache. The buffer is written out column by
    /// column, each as far as `p` and the loops that continue it go. Returns `None` if the rows or the columns are too
    /// short.
    fn through(&mut self, width: isize, p: StridedLoop, q: StridedLoop) -> Option<[Vec<StridedLoop>; 2]> {
        let (size, mut rest) = (width as usize, self.rest.clone());
        let columns = continued(&mut rest, q, |turn| turn.source, width, [near_rows(size), 2]);
        let rows = continued(&mut rest, p, |turn| turn.target, width, [STAGED_ROW / size, usize::MAX]);
        // Single loops can be cut anywhere, so keep them whole.
        let (rows, columns) = if rows.len().max(columns.len()) == 1 { (vec![p], vec![q]) } else { (rows, columns) };
        if count(&rows) * size < LONG || count(&columns) * size < LINE {
            return None;
        }
        if rows.len().max(columns.len()) > 1 {
            self.rest = rest;
        }
        self.staged = Some([columns[0], columns.get(1).copied().unwrap_or(StridedLoop::ONCE)]);
        Some([rows, columns])
    }

    /// Returns the loops of a transposition. Short loops are extended by the loops that continue them: `p` in the
    /// target, `q` in the source.
    fn digits(&mut self, width: isize, p: StridedLoop, q: StridedLoop) -> [Vec<StridedLoop>; 2] {
        let mut digits = [vec![p], vec![q]];
        let mut bytes = [p, q].map(|turn| turn.count as isize * width);
        let short = SHORT[usize::from(self.stream)] as isize;
        loop {
            let fits = |turn: &StridedLoop| bytes[0].saturating_mul(bytes[1] / width).saturating_mul(turn.count as isize) <= PIECE as isize;
            let next = |draft: &mut ScheduleDraft, k: usize| {
                let turn = if bytes[k] < short { draft.take(|turn| fits(turn) && [turn.target, turn.source][k] == bytes[k]) } else { None };
                turn.map(|turn| (k, turn))
            };
            // A loop that continues both `p` and `q` is added to the one that has fewer bytes.
            let first = usize::from(bytes[1] < bytes[0]);
            let Some((k, turn)) = next(self, first).or_else(|| next(self, 1 - first)) else { return digits };
            digits[k].push(turn);
            bytes[k] *= turn.count as isize;
        }
    }

    /// Takes steps 5 to 7, once the loops of the kernel are known and the other loops are ordered.
    fn finish(self, kind: KernelKind, width: isize, p: StridedLoop, q: StridedLoop, stream: bool) -> ScheduledCopy {
        // Step 5: choose the blocks.
        let line = LINE / width as usize;
        let (block, along_target) = match kind {
            // A block is several lines of the target by some pages of the source. Tiles follow one another along the
            // target, so that neighbouring lines go to memory together. They follow the source if its rows are short
            // and far apart, because hardware could not read ahead otherwise.
            KernelKind::Transpose if stream => ([4 * line, 1024], q.count * width as usize >= ROW || p.source.unsigned_abs() <= PAGE),
            // Lines of the target begin anywhere, so rows in the buffer are long: then few lines are shared. In cache,
            // the buffer fits the nearest cache.
            KernelKind::Transpose if self.staged.is_some() => {
                let rows = if self.stream { (4 * line).clamp(32, STAGED_ROWS) } else { near_rows(width as usize) };
                ([STAGED_ROW / width as usize, rows], false)
            }
            // Rows are short: take few of them, so that each line stays in cache until its neighbours are written.
            KernelKind::Transpose if self.stream => ([4096, line.max(32)], false),
            // In cache, stores take the most time. Take a few rows of the target at a time, unless all rows of a tile
            // are in one page.
            KernelKind::Transpose => {
                let near = q.target.unsigned_abs() * line <= PAGE && p.source % PAGE as isize != 0;
                ([256, 16 * line], !near)
            }
            KernelKind::OffsetTables(ref digits) => ([usize::MAX; 2], !self.stream || !digits.on_lines),
            // A single loop reuses nothing in a cache.
            KernelKind::Nest if q.count == 1 => ([PIECE / width as usize, 1], false),
            KernelKind::Nest => ([1024, 64], false),
            KernelKind::Rows | KernelKind::Fill | KernelKind::Reverse | KernelKind::Every => {
                ([PIECE / width as usize, (PIECE / (p.count * width as usize)).clamp(1, 1024)], false)
            }
            KernelKind::Table(_) => ([usize::MAX, 1], false),
            KernelKind::Interleave => ([usize::MAX, PIECE / width as usize], false),
            KernelKind::Deinterleave => ([PIECE / width as usize, usize::MAX], false),
        };
        let mut around: Vec<OuterLoop> = self.rest.iter().copied().rev().map(OuterLoop::Loop).collect();
        for (blocks, count, block) in [(OuterLoop::P, p.count, block[0]), (OuterLoop::Q, q.count, block[1])] {
            if count > block {
                around.push(blocks);
            }
        }
        // Step 6: choose how far ahead to prefetch.
        let ahead = if self.stream && self.far { self.ahead(&kind, width, [p, q], block, along_target) } else { 0 };
        let form = KernelShape { kind, width: width as usize, p, q, along_target, narrow: self.narrow, ahead };
        // Step 7: choose the buffer.
        let staged = self.staged.map(|columns| Box::new(Staging::new(&form, columns, self.stream)));
        ScheduledCopy {
            source: self.source,
            target: self.target,
            form,
            block,
            around,
            stream,
            staged,
            gather: None,
            off_lines: None,
            bytes: self.total,
        }
    }

    /// Returns the distance from the current read to the prefetched bytes of the source; 0 without prefetches.
    fn ahead(&self, kind: &KernelKind, width: isize, [p, q]: [StridedLoop; 2], block: [usize; 2], along_target: bool) -> isize {
        let all = p.count * q.count * width as usize;
        let run = p.count * p.source.unsigned_abs();
        let turns = |bytes: usize, turn: StridedLoop| turn.source.wrapping_mul((READ / bytes).max(1) as isize);
        match (kind, self.rest.first()) {
            // Prefetch the same tile of the next transposition. If that is far, prefetch the next tile, or the next
            // block if a block has few tiles.
            (KernelKind::Transpose, Some(next)) if all <= NEAR => next.source,
            (KernelKind::Transpose, _) if along_target && p.source % CROWDED == 0 => 0,
            (KernelKind::Transpose, _) if along_target => LINE as isize,
            (KernelKind::Transpose, _) if block[1] < q.count => block[1] as isize * width,
            // Prefetch within a long run. Otherwise prefetch in a later run, because the bytes behind a run may not
            // belong to the source.
            (KernelKind::Rows | KernelKind::Every | KernelKind::Reverse, _) if q.count == 1 || run > 8 * READ => {
                p.source.signum() * READ as isize
            }
            (KernelKind::Rows, Some(next)) if next.source.abs() < q.source.abs() => turns(run * q.count, *next),
            (KernelKind::Rows | KernelKind::Every | KernelKind::Reverse, _) => turns(run, q),
            (KernelKind::Deinterleave, _) => READ as isize,
            (KernelKind::Interleave, _) => (READ / p.count) as isize,
            _ => 0,
        }
    }

    /// Orders the remaining loops, the innermost first. If writes go past the caches, the order follows the source,
    /// where hardware reads ahead. Otherwise it follows the target.
    fn order(&mut self, stream: bool) {
        order::by_key(&mut self.rest, |turn| if stream { (turn.source.abs(), turn.target) } else { (turn.target, turn.source.abs()) });
    }

    /// Blocks two loops if short runs are consecutive along one loop in the source and along another in the target.
    /// Then neither side is accessed with large steps only.
    fn blocks(&mut self) {
        let run = self.run as isize;
        let Some(k) = self.rest.iter().position(|turn| turn.target == run).filter(|k| *k > 0) else { return };
        let (across, along) = (self.rest[k], self.rest[0]);
        let [[few, across], [many, along]] = [parts(across, BLOCK[0]), parts(along, BLOCK[1])];
        if few.count < LEAST {
            return;
        }
        (self.rest[k], self.rest[0]) = (across, along);
        self.rest.retain(|turn| turn.count > 1);
        self.order(true);
        self.rest.splice(..0, [few, many]);
    }

    fn take(&mut self, which: impl Fn(&StridedLoop) -> bool) -> Option<StridedLoop> {
        let k = self.rest.iter().position(which)?;
        Some(self.rest.remove(k))
    }

    fn innermost(&mut self) -> StridedLoop {
        if self.rest.is_empty() { StridedLoop::ONCE } else { self.rest.remove(0) }
    }

    /// Tests whether the remaining loops and `others` move by whole lines in the target.
    fn on_lines(&self, others: &[StridedLoop]) -> bool {
        self.rest.iter().chain(others).all(|turn| turn.target % LINE as isize == 0)
    }
}

/// The bytes of a block of contiguous elements: small enough to share among threads, large enough that loops cost nothing.
const PIECE: usize = 1 << 18;

/// Returns `first` and the loops that continue it and one another: at most `turns` turns together, in at most `loops` loops.
/// `place` returns the step of a loop on the side where they must continue. A loop with too many turns is split. The other loops
/// stay in `rest`.
fn continued(
    rest: &mut Vec<StridedLoop>,
    first: StridedLoop,
    place: fn(&StridedLoop) -> isize,
    width: isize,
    [turns, loops]: [usize; 2],
) -> Vec<StridedLoop> {
    let (mut out, mut next) = (vec![], Some(first));
    while let Some(turn) = next {
        let [inner, outer] = parts(turn, turns / count(&out));
        out.push(inner);
        rest.extend((outer.count > 1).then_some(outer));
        // The rest of a split loop continues its part, so no other loop can.
        let whole = outer.count == 1 && out.len() < loops && 2 * count(&out) <= turns;
        let behind = count(&out) as isize * width;
        next = rest.iter().position(|turn| whole && place(turn) == behind).map(|k| rest.remove(k));
    }
    out
}
