//! Writes to many runs of one array in turn, past the caches.
//!
//! A store to a line of memory that no cache holds first reads the line. An array that exceeds the caches
//! and is written in scattered order is read once and written once. Here elements wait until they fill a
//! line, which is then written past the caches, with half of the traffic.

use super::parallel;
use alloc::vec::Vec;
use core::any::TypeId;
use core::marker::PhantomData;
use core::mem;

/// The number of bytes of a cache line.
const LINE: usize = 64;

/// The size in bytes from which an array is assumed to have left the second-level cache before it is next read.
///
/// ```
/// use array_kernels::streaming_writes::LARGE;
/// let values = vec![0_f64; 100_000];
/// let past_caches = size_of_val(&values[..]) >= LARGE; // 800 KB stay in a cache
/// assert!(!past_caches);
/// ```
pub const LARGE: usize = 1 << 22;

/// Returns the number of elements of `T` that wait in a line: the greatest power of two that fits.
const fn width<T>() -> usize {
    match size_of::<T>() {
        0 => 1,
        size if size > LINE => 1,
        size => 1 << (LINE / size).ilog2(),
    }
}

/// Cuts an array into a run of `counts[block][bucket]` elements for each block of a source and each bucket.
///
/// The runs of one bucket follow one another, in the order of the blocks. `result[block][bucket]` is a run.
///
/// ```
/// use array_kernels::streaming_writes::cut;
/// let mut array = [0; 6];
/// // Block 0 has one element for bucket 0 and two for bucket 1, block 1 two and one.
/// for (block, runs) in cut(&mut array, &[vec![1, 2], vec![2, 1]]).into_iter().enumerate() {
///     runs.into_iter().for_each(|run| run.fill(block + 1));
/// }
/// assert_eq!(array, [1, 2, 2, 1, 1, 2]);
/// ```
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

/// Runs of two arrays, filled from their starts. Run `k` of one array is filled together with run `k` of the other.
///
/// ```
/// use array_kernels::streaming_writes::{StreamedRuns, cut};
/// // Two even numbers, then three odd ones.
/// let (numbers, mut out) = ([4_u32, 7, 1, 2, 9], [0; 5]);
/// let (parities, counts) = (numbers.map(|number| number as u16 % 2), [vec![2, 3]]);
/// StreamedRuns::fill(cut(&mut out, &counts).remove(0), false, |runs| runs.push(&parities, &numbers));
/// assert_eq!(out, [4, 2, 7, 1, 9]);
///
/// // The same, with a value for each number.
/// let (values, mut sorted) = ([0.4, 0.7, 0.1, 0.2, 0.9], ([0; 5], [0.0; 5]));
/// let runs = (cut(&mut sorted.0, &counts).remove(0), cut(&mut sorted.1, &counts).remove(0));
/// StreamedRuns::fill_two(runs, (false, false), |runs| runs.push_two(&parities, (&numbers, &values)));
/// assert_eq!(sorted, ([4, 2, 7, 1, 9], [0.4, 0.2, 0.7, 0.1, 0.9]));
/// ```
///
/// The runs stay on their thread:
///
/// ```compile_fail
/// fn sent<T: Send>() {}
/// sent::<array_kernels::streaming_writes::StreamedRuns<u64>>();
/// ```
///
/// Pushed elements are in the arrays once [`StreamedRuns::fill`] or [`StreamedRuns::fill_two`] returns. Neither function hands the
/// runs out, because a line that was written past the caches may be read only after the runs are dropped.
pub struct StreamedRuns<'a, A: Clone + 'static, B: Clone + 'static = ()> {
    /// The number of elements from address 0 to the next element of each run, modulo 256.
    fills: Vec<u8>,
    lines: (Lines<'a, A>, Lines<'a, B>),
    /// Makes the type `!Send`, because the fence after writes past the caches orders only the writes of its own thread.
    one_thread: PhantomData<*mut ()>,
}

impl<'a, A: Default + Clone + 'static> StreamedRuns<'a, A> {
    /// Calls `write` with these runs of one array and returns its result. `large` says that the array has at least
    /// [`LARGE`] bytes, so that lines are written past the caches.
    pub fn fill<R>(runs: Vec<&'a mut [A]>, large: bool, write: impl FnOnce(&mut Self) -> R) -> R {
        StreamedRuns::fill_two((runs, Vec::new()), (large, false), write)
    }

    /// Appends `elements[k]` to run number `runs[k]`, for each `k`. Drops a line that does not fit its run.
    pub fn push(&mut self, runs: &[u16], elements: &[A]) {
        for (&run, element) in runs.iter().zip(elements) {
            let fill = next(&mut self.fills[usize::from(run)]);
            self.lines.0.push(run, fill, element);
        }
    }
}

impl<'a, A: Default + Clone + 'static, B: Default + Clone + 'static> StreamedRuns<'a, A, B> {
    /// Calls `write` with these runs of two arrays and returns its result. `large` says of each array that it has at
    /// least [`LARGE`] bytes, so that its lines are written past the caches. Lines are whole if each run begins at
    /// one distance, in elements, from the first run in both arrays.
    pub fn fill_two<R>(runs: (Vec<&'a mut [A]>, Vec<&'a mut [B]>), large: (bool, bool), write: impl FnOnce(&mut Self) -> R) -> R {
        let fills: Vec<u8> = runs.0.iter().map(|run| place(run)).collect();
        let lines = (Lines::new(runs.0, &fills, large.0), Lines::new(runs.1, &fills, large.1));
        write(&mut StreamedRuns { fills, lines, one_thread: PhantomData })
    }

    /// Appends `elements.0[k]` and `elements.1[k]` to run `runs[k]` of the two arrays. Drops a line that does not fit its run.
    pub fn push_two(&mut self, runs: &[u16], elements: (&[A], &[B])) {
        for (&run, (a, b)) in runs.iter().zip(elements.0.iter().zip(elements.1)) {
            let fill = next(&mut self.fills[usize::from(run)]);
            self.lines.0.push(run, fill, a);
            self.lines.1.push(run, fill, b);
        }
    }
}

impl<A: Clone + 'static, B: Clone + 'static> Drop for StreamedRuns<'_, A, B> {
    fn drop(&mut self) {
        self.lines.0.finish(&self.fills);
        self.lines.1.finish(&self.fills);
    }
}

/// Increments the fill of a run, modulo 256, and returns the old value.
#[inline(always)]
fn next(fill: &mut u8) -> u8 {
    mem::replace(fill, fill.wrapping_add(1))
}

/// Returns the number of elements between address 0 and the start of a run, modulo 256.
fn place<T>(run: &[T]) -> u8 {
    (run.as_ptr().addr() / size_of::<T>().max(1)) as u8
}

/// The lines of the runs of one array: elements that wait to be written.
struct Lines<'a, T> {
    /// The unwritten rest of each run.
    rests: Vec<&'a mut [T]>,
    /// The number of elements of the current line that precede each run.
    skipped: Vec<u8>,
    /// The elements of one line for each run.
    lines: Vec<T>,
    /// An element pushed at `fill` takes slot `fill + phase` of its line, modulo the elements of a line.
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

/// Returns the index in its line, from 0, of an element that is pushed at `fill`.
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

/// Moves the elements of `line` to `out`, which has the same length. Runs no code of a user's type, because
/// the thread may be unwinding from a panic in such code.
#[inline(always)]
fn write<T: Clone + 'static>(out: &mut [T], line: &mut [T], past_caches: bool) {
    if past_caches && write_past_caches(out, line) {
    } else if is_plain::<T>() {
        // A copy does not read the old elements of `out`, whose memory may be untouched.
        out.clone_from_slice(line);
    } else {
        out.swap_with_slice(line);
    }
}

/// Returns true if `T` is a primitive number type: all its bytes are initialised, and copying them copies the value.
fn is_plain<T: 'static>() -> bool {
    macro_rules! any {
        ($($number:ty)*) => { $(TypeId::of::<T>() == TypeId::of::<$number>())||* };
    }
    any! { u8 i8 u16 i16 u32 i32 f32 u64 i64 f64 u128 i128 usize isize }
}

/// Copies one line to one aligned line past the caches and returns true, or returns false and writes nothing.
/// [`settle`] must follow before another thread reads `out`.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
#[inline(always)]
fn write_past_caches<T: 'static>(out: &mut [T], line: &[T]) -> bool {
    use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    if !is_plain::<T>() || size_of_val(out) != LINE || size_of_val(line) != LINE || !out.as_ptr().addr().is_multiple_of(LINE) {
        return false;
    }
    let (to, from) = (out.as_mut_ptr().cast::<__m128i>(), line.as_ptr().cast::<__m128i>());
    for k in 0..LINE / size_of::<__m128i>() {
        // SAFETY: both slices are the bytes of one line, as the test above shows. `to` is aligned to a line
        // and exclusively borrowed. The bytes of numbers are initialised, and any bytes are numbers. No other
        // store of this thread touches the line before `StreamedRuns` is dropped, which waits for these stores, and
        // no other thread owns the line.
        unsafe { _mm_stream_si128(to.add(k), _mm_loadu_si128(from.add(k))) };
    }
    true
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
fn write_past_caches<T>(_: &mut [T], _: &[T]) -> bool {
    false
}

/// Waits until other threads see the lines that were written past the caches.
fn settle() {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    // SAFETY: the target has the instruction, as `cfg` tests, and the instruction only orders stores.
    unsafe {
        core::arch::x86_64::_mm_sfence()
    };
}

#[cfg(test)]
mod tests;
