//! Moves elements along two nested loops, with the instructions of a set.
//!
//! All functions here take pointers. [`KernelCall`] states once what callers promise about them.
//!
//! `tiles` transposes, `rows` copies runs, `weave` interleaves, and `plain` does everything without vectors. `vector`
//! has the traits of vectors, `x86`, `neon` and `simd128` their instructions, `pair` two vectors as one, `tables` the byte
//! permutations, and `family` one function per instruction set.

// Builds without vectors run only `plain`.
#![cfg_attr(any(not(target_arch = "x86_64"), miri), allow(dead_code))]

mod family;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", not(miri)))]
mod neon;
#[cfg(any(target_arch = "aarch64", target_arch = "wasm32"))]
mod pair;
mod plain;
mod rows;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(miri)))]
mod simd128;
mod tables;
mod tiles;
mod vector;
mod weave;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86;

use super::instruction_set::InstructionSet;
use alloc::boxed::Box;
pub(crate) use vector::{LINE, PAGE};

/// A loop: the number of turns, and the bytes that each turn moves on in the source and in the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StridedLoop {
    pub count: usize,
    pub source: isize,
    pub target: isize,
}

impl StridedLoop {
    pub const ONCE: StridedLoop = StridedLoop { count: 1, source: 0, target: 0 };
}

/// The property of the two loops `p` and `q` that a kernel exploits, for elements of `width` bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum KernelKind {
    /// `p` is contiguous on both sides and counts single bytes.
    Rows,
    /// `p` is contiguous in the target and has step 0 in the source.
    Fill,
    /// `p` is contiguous in the target and runs backwards in the source.
    Reverse,
    /// `p` is contiguous in the target and `q` in the source.
    Transpose,
    /// Like `Transpose`, but `p` and `q` are several loops each. The loops of `p` continue one another in the target,
    /// the loops of `q` in the source.
    OffsetTables(OffsetTables),
    /// Like `Transpose`; `p` has 2, 3, 4 or 8 turns, and `q` continues it in the target.
    Interleave,
    /// Like `Transpose`; `q` has 2, 3, 4 or 8 turns, and `p` continues it in the source.
    Deinterleave,
    /// `p` is contiguous in the target and reads every second, third or fourth element of the source.
    Every,
    /// The loops have no special property.
    Nest,
    /// `p` counts the runs of this table; strides are unused.
    Table(Runs),
}

/// Offsets in bytes: for each turn of the loop `p` of a [`KernelShape`], in the source, and for each turn of its loop
/// `q`, in the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OffsetTables {
    pub source: Box<[isize]>,
    pub target: Box<[isize]>,
    /// True if the offsets in the target are whole lines apart.
    pub on_lines: bool,
    /// True if the source is prefetched, one tile ahead along `p`.
    pub far: bool,
}

/// Runs of `width` bytes, given by the offsets of their first bytes in the source and in the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Runs {
    pub starts: Box<[(isize, isize)]>,
    /// The same runs as whole cache lines; `None` if they do not form lines.
    pub lines: Option<Lines>,
}

/// Lines whose bytes change their order: offset in the source, offset in the target, and index of the byte order in `orders`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    pub starts: Box<[(isize, isize, usize)]>,
    /// The byte orders: for each byte of a target line, the number of the source byte.
    pub orders: Box<[[u8; LINE]]>,
}

/// Two nested loops over elements, and how a kernel runs them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KernelShape {
    pub kind: KernelKind,
    /// Number of bytes of an element: 1, 2, 4, 8 or 16; any number in a table.
    pub width: usize,
    pub p: StridedLoop,
    pub q: StridedLoop,
    /// True if tiles follow one another along the target, false if along the source.
    pub along_target: bool,
    /// True if tiles of a transposition should have few columns, because columns share one set of the nearest cache.
    pub narrow: bool,
    /// Distance in bytes from the current read of the source to the prefetched bytes; 0 without prefetches.
    pub ahead: isize,
}

/// A kernel shape at given addresses: `p` turns of its loop `p` and `q` turns of its loop `q`, both at least 1,
/// repeated for each turn of a loop around them.
///
/// # Safety
///
/// Callers promise: the source is readable and the target writable at all sums of turns (and offsets of the table), for
/// `width` bytes, and source and target share no element. The processor has the instructions of the set. If the kernel
/// streams, a fence follows before others read. Above [`InstructionSet::Scalar`], every byte pattern of the source is a value.
pub(crate) struct KernelCall<'a> {
    pub form: &'a KernelShape,
    pub source: *const u8,
    pub target: *mut u8,
    pub p: usize,
    pub q: usize,
    pub around: StridedLoop,
    /// True if whole lines go past the caches.
    pub stream: bool,
}

impl KernelCall<'_> {
    /// Runs the kernel for all turns of the loop around, with the vectors of an instruction set.
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`].
    #[inline]
    pub unsafe fn run(&self, instructions: InstructionSet) {
        if instructions > InstructionSet::Scalar {
            // SAFETY: promised by the caller.
            return unsafe { self.vectors(instructions) };
        }
        // SAFETY: as above.
        (0..self.around.count).for_each(|turn| unsafe { self.at(turn).plain() });
    }

    /// Returns the call for turn `turn` of the loop around, counted from 0.
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

    /// Returns the part of the call with `p.1` turns from turn `p.0` on, and `q.1` turns from turn `q.0` on.
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

/// A computation that is compiled for the vectors of every instruction set.
pub(crate) trait Task {
    /// Runs it. This function must be inlined, and so must everything that it calls.
    fn run(self);
}

/// Runs a task with the vectors of an instruction set, or of the best instruction set if the processor lacks them.
#[inline]
pub(crate) fn wide(instructions: InstructionSet, task: impl Task) {
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
        match instructions.at_most_best() {
            // SAFETY: the processor has the instructions of its best instruction set and of those below.
            InstructionSet::Avx512 => return unsafe { avx512(task) },
            // SAFETY: as above.
            InstructionSet::Avx2 => return unsafe { avx2(task) },
            // Others are enabled in the whole build.
            _ => {}
        }
    }
    let _ = instructions;
    task.run();
}

/// Waits until other threads can read what was streamed.
pub(crate) fn fence() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every processor of this architecture has the instruction.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}
