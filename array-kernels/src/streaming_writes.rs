//! Writing to many places of one array in turn.
//!
//! A store to a line of memory that no cache holds first reads the line: an array that is larger than the caches and written all over is read once and
//! written once. So elements wait until they fill a line, which is then written past the caches, at half of the traffic.

use super::parallel;
use alloc::vec::Vec;
use core::any::TypeId;
use core::marker::PhantomData;
use core::mem;

/// The bytes of a line.
const LINE: usize = 64;

/// From this size on an array is not expected in a second-level cache when it is next read.
pub const LARGE: usize = 1 << 22;

/// How many elements of `T` wait in a line, a power of two: all that it holds, if their size is a power of two.
const fn width<T>() -> usize {
    match size_of::<T>() {
        0 => 1,
        size if size > LINE => 1,
        size => 1 << (LINE / size).ilog2(),
    }
}

/// An array cut into a run for each block of a source and each bucket, whose elements `counts[block][bucket]` are: those of a bucket follow one another, in
/// the order of the blocks.
pub fn cut<'a, T>(array: &'a mut [T], counts: &[Vec<usize>]) -> Vec<Vec<&'a mut [T]>> {
    let buckets = counts.first().map_or(0, Vec::len);
    let mut runs: Vec<Vec<&mut [T]>> = counts.iter().map(|_| Vec::with_capacity(buckets)).collect();
    let mut rest = array;
    for bucket in 0..buckets {
        for (runs, counts) in runs.iter_mut().zip(counts) {
            runs.push(parallel::carve(&mut rest, counts[bucket]));
        }
    }
    runs
}

/// Runs of two arrays, each of which is filled from its start: run `k` of one along with that of the other.
///
/// ```compile_fail
/// fn sent<T: Send>() {}
/// sent::<array_kernels::streaming_writes::Runs<u64>>();
/// ```
///
/// Elements that are pushed are in the arrays once [`Runs::fill`] or [`Runs::fill_two`] returns. Neither gives the runs away, because a line that was written past the caches may be read only after
/// they are dropped.
pub struct Runs<'a, A: Clone + 'static, B: Clone + 'static = ()> {
    /// How many elements have been pushed to each run, counted from a place in the arrays that all runs share, modulo 256.
    fills: Vec<u8>,
    lines: (Lines<'a, A>, Lines<'a, B>),
    /// Keeps the runs on their thread: the fence that ends writes past the caches orders the writes of its own thread alone.
    one_thread: PhantomData<*mut ()>,
}

impl<'a, A: Default + Clone + 'static> Runs<'a, A> {
    /// Calls `write` with these runs of an array of at least [`LARGE`] bytes, or of one that is not so `large`.
    pub fn fill<R>(runs: Vec<&'a mut [A]>, large: bool, write: impl FnOnce(&mut Self) -> R) -> R {
        Runs::fill_two((runs, Vec::new()), (large, false), write)
    }

    /// Adds elements, each to the run of this number; a line that does not fit its run is lost.
    pub fn push(&mut self, runs: &[u16], elements: &[A]) {
        for (&run, element) in runs.iter().zip(elements) {
            let fill = next(&mut self.fills[usize::from(run)]);
            self.lines.0.push(run, fill, element);
        }
    }
}

impl<'a, A: Default + Clone + 'static, B: Default + Clone + 'static> Runs<'a, A, B> {
    /// Calls `write` with these runs of two arrays, each of at least [`LARGE`] bytes or not so `large`. Lines are whole if a run begins at the same distance from
    /// the first run in both arrays.
    pub fn fill_two<R>(runs: (Vec<&'a mut [A]>, Vec<&'a mut [B]>), large: (bool, bool), write: impl FnOnce(&mut Self) -> R) -> R {
        let fills: Vec<u8> = runs.0.iter().map(|run| place(run)).collect();
        let lines = (Lines::new(runs.0, &fills, large.0), Lines::new(runs.1, &fills, large.1));
        write(&mut Runs { fills, lines, one_thread: PhantomData })
    }

    /// Adds pairs of elements, each to the runs of this number; a line that does not fit its run is lost.
    pub fn push_two(&mut self, runs: &[u16], elements: (&[A], &[B])) {
        for (&run, (a, b)) in runs.iter().zip(elements.0.iter().zip(elements.1)) {
            let fill = next(&mut self.fills[usize::from(run)]);
            self.lines.0.push(run, fill, a);
            self.lines.1.push(run, fill, b);
        }
    }
}

impl<A: Clone + 'static, B: Clone + 'static> Drop for Runs<'_, A, B> {
    fn drop(&mut self) {
        self.lines.0.finish(&self.fills);
        self.lines.1.finish(&self.fills);
    }
}

/// The fill, which goes on to the next one.
#[inline(always)]
fn next(fill: &mut u8) -> u8 {
    mem::replace(fill, fill.wrapping_add(1))
}

/// The number of elements before a run, counted from a line, modulo 256.
fn place<T>(run: &[T]) -> u8 {
    (run.as_ptr().addr() / size_of::<T>().max(1)) as u8
}

/// Elements that wait to be written to the runs of one array.
struct Lines<'a, T> {
    /// The part of each run that is still to be written.
    rests: Vec<&'a mut [T]>,
    /// How many elements of the line come before the run.
    skipped: Vec<u8>,
    /// A line for each run.
    lines: Vec<T>,
    /// An element that is pushed at `fill` has the place `fill + phase` of its line, modulo the elements of a line.
    phase: u8,
    past_caches: bool,
}

impl<'a, T: Default + Clone + 'static> Lines<'a, T> {
    fn new(rests: Vec<&'a mut [T]>, fills: &[u8], large: bool) -> Self {
        let phase = rests.first().zip(fills.first()).map_or(0, |(run, fill)| place(run).wrapping_sub(*fill));
        let skipped = fills.iter().map(|fill| slot::<T>(*fill, phase) as u8).collect();
        let lines = alloc::vec![T::default(); rests.len() * width::<T>()];
        Lines { rests, skipped, lines, phase, past_caches: large && is_plain::<T>() }
    }

    #[inline(always)]
    fn push(&mut self, run: u16, fill: u8, element: &T) {
        let (run, slot) = (usize::from(run), slot::<T>(fill, self.phase));
        self.lines[run * width::<T>() + slot].clone_from(element);
        if slot == width::<T>() - 1 {
            let line = &mut self.lines[run * width::<T>()..][..width::<T>()];
            let line = &mut line[usize::from(mem::take(&mut self.skipped[run]))..];
            if let Some(out) = self.rests[run].split_off_mut(..line.len()) {
                write(out, line, self.past_caches);
            }
        }
    }
}

/// The place in its line of an element of `T`.
#[inline(always)]
fn slot<T>(fill: u8, phase: u8) -> usize {
    usize::from(fill.wrapping_add(phase)) % width::<T>()
}

impl<T: Clone + 'static> Lines<'_, T> {
    fn finish(&mut self, fills: &[u8]) {
        for (run, (rest, fill)) in self.rests.iter_mut().zip(fills).enumerate() {
            let waiting = usize::from(self.skipped[run])..slot::<T>(*fill, self.phase);
            if let Some(line) = self.lines.get_mut(run * width::<T>()..).and_then(|lines| lines.get_mut(waiting))
                && let Some(out) = rest.get_mut(..line.len())
            {
                write(out, line, false);
            }
        }
        if self.past_caches {
            settle();
        }
    }
}

/// Moves the elements of `line` to `out`, which has as many. No code of a user's type is run, as a thread may be panicking in it.
#[inline(always)]
fn write<T: Clone + 'static>(out: &mut [T], line: &mut [T], past_caches: bool) {
    if past_caches && write_past_caches(out, line) {
    } else if is_plain::<T>() {
        // Memory that nothing has touched is not read.
        out.clone_from_slice(line);
    } else {
        out.swap_with_slice(line);
    }
}

/// Tests whether elements are numbers: all their bytes mean something, and a copy of these is the same number.
fn is_plain<T: 'static>() -> bool {
    macro_rules! any {
        ($($number:ty)*) => { $(TypeId::of::<T>() == TypeId::of::<$number>())||* };
    }
    any! { u8 i8 u16 i16 u32 i32 f32 u64 i64 f64 u128 i128 usize isize }
}

/// Copies one line to one line, if they are that; then [`settle`] must follow before another thread reads `out`.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
#[inline(always)]
fn write_past_caches<T: 'static>(out: &mut [T], line: &[T]) -> bool {
    use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    if !is_plain::<T>() || size_of_val(out) != LINE || size_of_val(line) != LINE || !out.as_ptr().addr().is_multiple_of(LINE) {
        return false;
    }
    let (to, from) = (out.as_mut_ptr().cast::<__m128i>(), line.as_ptr().cast::<__m128i>());
    for k in 0..LINE / size_of::<__m128i>() {
        // SAFETY: both are the bytes of one line, as was just seen; `to` is borrowed for nobody else and aligned to a line; the bytes of numbers are
        // initialised, and any are numbers. No other store of this thread touches the line before `Runs` is dropped, which waits for these, and which nobody else owns.
        unsafe { _mm_stream_si128(to.add(k), _mm_loadu_si128(from.add(k))) };
    }
    true
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
fn write_past_caches<T>(_: &mut [T], _: &[T]) -> bool {
    false
}

/// Waits until lines that were written past the caches are where other threads see them.
fn settle() {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    // SAFETY: the instruction is there, as was just asked, and only orders stores.
    unsafe {
        core::arch::x86_64::_mm_sfence()
    };
}

#[cfg(test)]
mod tests;
