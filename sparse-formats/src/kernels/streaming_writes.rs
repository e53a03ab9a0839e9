//! Writing to many places of one array in turn.
//!
//! A store to a line of memory that no cache holds first reads the line: an array that is larger than the caches and written all over is read once and
//! written once. So elements wait until they fill a line, which is then written past the caches, at half of the traffic.

use super::parallel;
use alloc::vec::Vec;
use core::any::TypeId;
use core::mem;

/// The bytes of a line.
const LINE: usize = 64;

/// From this size on an array is not expected in a second-level cache when it is next read.
pub(crate) const LARGE: usize = 1 << 22;

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
pub(crate) fn cut<'a, T>(array: &'a mut [T], counts: &[Vec<usize>]) -> Vec<Vec<&'a mut [T]>> {
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
/// Elements that are pushed are in the arrays once this is dropped.
pub(crate) struct Runs<'a, A: Clone + 'static, B: Clone + 'static = ()> {
    /// How many elements have been pushed to each run, counted from a place in the arrays that all runs share, modulo 256.
    fills: Vec<u8>,
    lines: (Lines<'a, A>, Lines<'a, B>),
}

impl<'a, A: Default + Clone + 'static> Runs<'a, A> {
    /// These runs of an array of at least [`LARGE`] bytes, or of one that is not so `large`.
    pub fn new(runs: Vec<&'a mut [A]>, large: bool) -> Self {
        Runs::of_two((runs, Vec::new()), (large, false))
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
    /// These runs of two arrays, each of at least [`LARGE`] bytes or not so `large`. Lines are whole where a run begins as many elements after the first
    /// one in both.
    pub fn of_two(runs: (Vec<&'a mut [A]>, Vec<&'a mut [B]>), large: (bool, bool)) -> Self {
        let fills: Vec<u8> = runs.0.iter().map(|run| place(run)).collect();
        let lines = (Lines::new(runs.0, &fills, large.0), Lines::new(runs.1, &fills, large.1));
        Runs { fills, lines }
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
        // initialised, and any are numbers. No other store of this thread touches the line before `Runs` is dropped, which waits for these.
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
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    /// Runs of these lengths, filled in turn with consecutive elements.
    fn filled<T: Default + Clone + PartialEq + core::fmt::Debug + 'static>(lengths: &[usize], skip: usize, element: impl Fn(usize) -> T) {
        let total: usize = lengths.iter().sum();
        let mut out = alloc::vec![T::default(); skip + total];
        let (mut rest, mut expected, mut begin) = (&mut out[skip..], Vec::new(), 0);
        let mut slices = Vec::new();
        for length in lengths {
            slices.push(rest.split_off_mut(..*length).expect("the sum of the lengths"));
            expected.extend((0..*length).map(|k| element(begin + k)));
            begin += length;
        }
        let mut runs = Runs::new(slices, size_of::<T>() * total >= LARGE);
        for k in 0..lengths.iter().copied().max().unwrap_or(0) {
            let mut begin = 0;
            for (run, &length) in lengths.iter().enumerate() {
                if k < length {
                    runs.push(&[run as u16], &[element(begin + k)]);
                }
                begin += length;
            }
        }
        drop(runs);
        assert!(out[..skip].iter().all(|x| *x == T::default()));
        assert_eq!(out[skip..], expected);
    }

    #[test]
    fn runs_are_filled_wherever_they_start() {
        let short = [0, 1, 7, 8, 9, 0, 63, 64, 65, 200, 3];
        for skip in 0..9 {
            filled(&short, skip, |k| k as u8);
            filled(&short, skip, |k| k as f64);
            filled(&short, skip, |k| k.to_string());
            filled(&short, skip, |k| [k as u32; 3]);
            filled(&short, skip, |k| [k as u64; 12]);
            filled(&short, skip, |_| ());
        }
        filled::<String>(&[], 0, |_| String::new());
    }

    #[test]
    fn lines_of_large_arrays() {
        let long = |size: usize| if cfg!(miri) { [90, 1, 70] } else { [LARGE / size, 5, 70] };
        for skip in [0, 1, 6] {
            filled(&long(2), skip, |k| k as u16);
            filled(&long(4), skip, |k| k as u32);
            filled(&long(8), skip, |k| k as f64);
            filled(&long(16), skip, |k| k as u128);
            filled(&long(24), skip, |k| [k as u64; 3]);
        }
    }

    /// Wherever lines of the one and of the other array begin.
    #[test]
    fn runs_of_two_arrays() {
        let most = if cfg!(miri) { 300 } else { LARGE };
        for skips in [(0, 0), (4, 2), (1, 7), (15, 3)] {
            for lengths in [[most, 5, 70], [0, 33, 64]] {
                let total: usize = lengths.iter().sum();
                let (mut keys, mut values) = (alloc::vec![0u32; skips.0 + total], alloc::vec![0.0; skips.1 + total]);
                let counts = [lengths.to_vec()];
                let (mut of_keys, mut of_values) = (cut(&mut keys[skips.0..], &counts), cut(&mut values[skips.1..], &counts));
                let mut runs = Runs::of_two((of_keys.remove(0), of_values.remove(0)), (total > 300, total > 300));
                for k in 0..most {
                    for run in (0..lengths.len()).filter(|run| k < lengths[*run]) {
                        let number = lengths[..run].iter().sum::<usize>() + k;
                        runs.push_two(&[run as u16], (&[number as u32], &[number as f64]));
                    }
                }
                drop(runs);
                assert!(keys[skips.0..].iter().copied().eq(0..total as u32) && keys[..skips.0].iter().all(|key| *key == 0), "{skips:?}");
                assert!(values[skips.1..].iter().copied().eq((0..total).map(|k| k as f64)) && values[..skips.1].iter().all(|x| *x == 0.0));
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_lost() {
        let mut out = [0u32; 20];
        let (first, second) = out.split_at_mut(3);
        let mut runs = Runs::new(alloc::vec![first, second], false);
        runs.push(&[0; 40], &[7; 40]);
        drop(runs);
        assert_eq!(out[3..], [0; 17]);
    }
}
