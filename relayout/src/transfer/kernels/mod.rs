//! Moves of two nested loops, with the instructions of a level.
//!
//! Everything here is given pointers; what is promised of them is written once, at [`KernelCall`].

// On other processors `plain` is all that runs.
#![cfg_attr(not(all(target_arch = "x86_64", not(miri))), allow(dead_code))]

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod family;
mod plain;
mod rows;
mod tables;
mod tiles;
mod vector;
mod weave;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86;

use super::level::Level;
use alloc::boxed::Box;
pub(crate) use vector::{LINE, PAGE};

/// A loop: how often, and how many bytes on in the source and in the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StridedLoop {
    pub count: usize,
    pub source: isize,
    pub target: isize,
}

impl StridedLoop {
    pub const ONCE: StridedLoop = StridedLoop { count: 1, source: 0, target: 0 };
}

/// What is special about the two loops `p` and `q` of a form, of elements of `width` bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum KernelKind {
    /// `p` is contiguous on both sides, of single bytes.
    Rows,
    /// `p` is contiguous in the target and stands still in the source.
    Fill,
    /// `p` is contiguous in the target and goes back in the source.
    Reverse,
    /// `p` is contiguous in the target and `q` in the source.
    Transpose,
    /// As `Transpose`, of several loops each: these continue one another in the target for `p` and in the source for `q`.
    OffsetTables(OffsetTables),
    /// As `Transpose`, `p` takes 2, 3, 4 or 8 turns, and `q` continues them in the target.
    Interleave,
    /// As `Transpose`, `q` takes 2, 3, 4 or 8 turns, and `p` continues them in the source.
    Deinterleave,
    /// `p` is contiguous in the target and every second, third or fourth element of the source.
    Every,
    /// Nothing.
    Nest,
    /// `p` counts the runs of this table; strides are not looked at.
    Table(Runs),
}

/// Where the turns of `p` are in the source, and those of `q` in the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OffsetTables {
    pub source: Box<[isize]>,
    pub target: Box<[isize]>,
    /// Those in the target are whole lines apart.
    pub on_lines: bool,
}

/// Runs by the offsets of their first bytes, in the source and in the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Runs {
    pub starts: Box<[(isize, isize)]>,
    /// The same as whole lines, if they are some.
    pub lines: Option<Lines>,
}

/// As many bytes as a line has, in another order: those of the first offset at the second one, in the order of that number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    pub starts: Box<[(isize, isize, usize)]>,
    /// Where each byte comes from.
    pub orders: Box<[[u8; LINE]]>,
}

/// Two nested loops over elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KernelShape {
    pub kind: KernelKind,
    /// Bytes of an element: 1, 2, 4, 8 or 16; in a table any number.
    pub width: usize,
    pub p: StridedLoop,
    pub q: StridedLoop,
    /// Tiles are taken along the target first, not along the source.
    pub along_target: bool,
    /// They have few columns.
    pub narrow: bool,
    /// How far in the source behind what is read lies what is asked for meanwhile; 0 where nothing is.
    pub ahead: isize,
}

/// A form at one place: `p` turns of its loop `p` and `q` of its loop `q`, both at least 1; and that once for each turn of a loop around it.
///
/// # Safety
///
/// Of what runs it: the source may be read and the target written at all sums of turns (and offsets of the table), for `width` bytes, and no element
/// of the target is one of the source. The processor has the instructions of the level. If it streams, a fence follows before others read.
/// Above [`Level::Scalar`] every byte of the source is a value.
pub(crate) struct KernelCall<'a> {
    pub form: &'a KernelShape,
    pub source: *const u8,
    pub target: *mut u8,
    pub p: usize,
    pub q: usize,
    pub around: StridedLoop,
    /// Whole lines go past the caches.
    pub stream: bool,
}

impl KernelCall<'_> {
    /// Does it.
    ///
    /// # Safety
    ///
    /// That of [`KernelCall`].
    #[inline]
    pub unsafe fn run(&self, level: Level) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if level > Level::Scalar {
            // SAFETY: promised by the caller.
            return unsafe { self.vectors(level) };
        }
        let _ = level;
        // SAFETY: as above.
        (0..self.around.count).for_each(|turn| unsafe { self.at(turn).plain() });
    }

    /// One turn of the loop around.
    #[inline(always)]
    fn at(&self, turn: usize) -> Self {
        let offset = |step: isize| turn as isize * step;
        KernelCall {
            source: self.source.wrapping_offset(offset(self.around.source)),
            target: self.target.wrapping_offset(offset(self.around.target)),
            around: StridedLoop::ONCE,
            ..*self
        }
    }

    /// The part of it from turn `p` and turn `q` on.
    #[inline(always)]
    fn part(&self, p: (usize, usize), q: (usize, usize)) -> Self {
        let KernelShape { p: along, q: across, .. } = self.form;
        let offset = |a: isize, b: isize| p.0 as isize * a + q.0 as isize * b;
        let (source, target) = (
            self.source.wrapping_offset(offset(along.source, across.source)),
            self.target.wrapping_offset(offset(along.target, across.target)),
        );
        KernelCall { form: self.form, source, target, p: p.1, q: q.1, around: StridedLoop::ONCE, stream: false }
    }
}

/// Work that is compiled for the vectors of every level.
pub(crate) trait Task {
    /// Does it. It has to be inlined, and so has what it calls.
    fn run(self);
}

/// Does a task with the vectors of a level, which the processor has.
#[inline]
pub(crate) fn wide(level: Level, task: impl Task) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(task: impl Task) {
            task.run();
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
        fn avx512(task: impl Task) {
            task.run();
        }
        match level {
            // SAFETY: a level that the processor does not have is never chosen.
            Level::Avx512 => return unsafe { avx512(task) },
            // SAFETY: as above.
            Level::Avx2 => return unsafe { avx2(task) },
            Level::Scalar => {}
        }
    }
    let _ = level;
    task.run();
}

/// Waits until what was streamed can be read by others.
pub(crate) fn fence() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every processor of this architecture has it.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}
