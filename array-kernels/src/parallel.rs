//! Work on several threads. With the feature `parallel` rayon's threads do it; without the feature, the caller's thread does.

use alloc::vec::Vec;
use core::ops::Range;

/// The number of entries for each thread below which one more thread costs more than it saves.
const SMALL: usize = 1 << 13;

/// The number of entries that a kernel processes at a time, so that several arrays of them stay in a first-level cache.
///
/// ```
/// use array_kernels::parallel::TILE;
/// // The keys of a tile stay in a first-level cache while the tile is counted and summed.
/// let (rows, mut keys, mut sum) = ((0..3000_u64).collect::<Vec<_>>(), [0; TILE], 0);
/// for tile in rows.chunks(TILE) {
///     keys.iter_mut().zip(tile).for_each(|(key, row)| *key = row % 10);
///     sum += keys[..tile.len()].iter().sum::<u64>();
/// }
/// assert_eq!(sum, 300 * 45);
/// ```
pub const TILE: usize = 1024;

/// Returns how many of the available threads are worth their cost for `work` entries, at least 1.
///
/// ```
/// use array_kernels::parallel::threads;
/// assert_eq!(threads(1000), 1); // not worth a second thread
/// assert!(threads(1 << 30) >= 1);
/// ```
pub fn threads(work: usize) -> usize {
    #[cfg(feature = "parallel")]
    let most = rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    let most = 1;
    most.min(work / SMALL).max(1)
}

/// Calls `run` on each task and returns the results in the order of the tasks.
///
/// ```
/// use array_kernels::parallel::{map, ranges};
/// let numbers: Vec<u64> = (1..=1000).collect();
/// let sums = map(ranges(numbers.len(), 4), |range| numbers[range].iter().sum::<u64>());
/// assert_eq!(sums, [31_375, 93_875, 156_375, 218_875]);
/// ```
#[cfg(not(feature = "parallel"))]
pub fn map<T: Send, R: Send>(tasks: Vec<T>, run: impl Fn(T) -> R + Sync) -> Vec<R> {
    // A loop, because iterators would be compiled anew for each type of task.
    let mut results = Vec::with_capacity(tasks.len());
    for task in tasks {
        results.push(run(task));
    }
    results
}

/// Calls `run` on each task and returns the results in the order of the tasks.
///
/// ```
/// use array_kernels::parallel::{map, ranges};
/// let numbers: Vec<u64> = (1..=1000).collect();
/// let sums = map(ranges(numbers.len(), 4), |range| numbers[range].iter().sum::<u64>());
/// assert_eq!(sums, [31_375, 93_875, 156_375, 218_875]);
/// ```
#[cfg(feature = "parallel")]
pub fn map<T: Send, R: Send>(tasks: Vec<T>, run: impl Fn(T) -> R + Sync) -> Vec<R> {
    use std::sync::{Mutex, PoisonError};
    let (mut slots, mut results) = (Vec::with_capacity(tasks.len()), Vec::with_capacity(tasks.len()));
    for task in tasks {
        slots.push(Mutex::new((Some(task), None)));
    }
    for_each(slots.len(), &|k| {
        let mut slot = slots[k].lock().unwrap_or_else(PoisonError::into_inner);
        slot.1 = slot.0.take().map(&run);
    });
    for slot in slots {
        results.extend(slot.into_inner().unwrap_or_else(PoisonError::into_inner).1);
    }
    results
}

/// Calls `run` on each number below `count`. A thread takes one number at a time, because tasks are few and large.
///
/// All tasks run through this one function. Otherwise rayon's code for each type of task would be most of
/// what a program with tensors compiles.
#[cfg(feature = "parallel")]
fn for_each(count: usize, run: &(dyn Fn(usize) + Sync)) {
    use rayon::prelude::*;
    match count {
        1 => run(0),
        _ => (0..count).into_par_iter().with_max_len(1).for_each(run),
    }
}

/// Cuts `0..len` into `blocks` consecutive ranges, whose lengths differ by at most 1.
///
/// ```
/// use array_kernels::parallel::ranges;
/// assert_eq!(ranges(10, 3), [0..3, 3..6, 6..10]);
/// ```
pub fn ranges(len: usize, blocks: usize) -> Vec<Range<usize>> {
    let at = |k: usize| (len as u128 * k as u128 / blocks as u128) as usize;
    (0..blocks).map(|k| at(k)..at(k + 1)).collect()
}

/// Removes the first `len` elements of `rest` and returns them. If `rest` has fewer, removes and returns none.
///
/// ```
/// use array_kernels::parallel::carve;
/// let mut out = [0; 5];
/// let mut rest = &mut out[..];
/// carve(&mut rest, 2).fill(1);
/// carve(&mut rest, 3).fill(2);
/// assert!(carve(&mut rest, 1).is_empty());
/// assert_eq!(out, [1, 1, 2, 2, 2]);
/// ```
pub fn carve<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    rest.split_off_mut(..len).unwrap_or_default()
}

/// Calls `run(start, slice)` on consecutive slices of `out`, where `start` is the index of the first element. There is one
/// slice for each of the `threads` that `out` is worth. Returns the results in the order of the slices.
///
/// ```
/// use array_kernels::parallel::each;
/// let mut squares = vec![0_u64; 100_000];
/// let sums = each(&mut squares, |start, slice| {
///     slice.iter_mut().zip(start as u64..).for_each(|(square, k)| *square = k * k);
///     slice.iter().sum::<u64>()
/// });
/// assert_eq!(squares[99_999], 9_999_800_001);
/// assert_eq!(sums.iter().sum::<u64>(), squares.iter().sum());
/// ```
pub fn each<T: Send, R: Send>(out: &mut [T], run: impl Fn(usize, &mut [T]) -> R + Sync) -> Vec<R> {
    let (len, mut rest, mut parts) = (out.len(), out, Vec::new());
    for range in ranges(len, threads(len)) {
        parts.push((range.start, carve(&mut rest, range.len())));
    }
    map(parts, |(start, part)| run(start, part))
}

/// Sets `values[to]` to a copy of `values[from]`.
///
/// ```
/// use array_kernels::parallel::set;
/// // Keeps the odd numbers.
/// let (mut values, mut kept) = ([1, 2, 3, 4, 5], 0);
/// for from in 0..values.len() {
///     set(&mut values, kept, from);
///     kept += values[from] % 2;
/// }
/// assert_eq!(values[..kept], [1, 3, 5]);
/// ```
#[inline(always)]
pub fn set<T: Clone>(values: &mut [T], to: usize, from: usize) {
    values[to] = values[from].clone();
}

/// Moves element `k` to index `k - by`, for every `k` from `by` on. The last `by` elements stay as they are.
///
/// ```
/// use array_kernels::parallel::move_down;
/// let mut array = [1, 2, 3, 4, 5];
/// move_down(&mut array, 2);
/// assert_eq!(array, [3, 4, 5, 4, 5]);
/// ```
pub fn move_down<T: Clone>(values: &mut [T], by: usize) {
    const FAR: usize = 16;
    if by < FAR {
        (by..values.len()).for_each(|from| set(values, from - by, from));
        return;
    }
    // Copy `by` elements at once: source and target do not overlap.
    for from in (by..values.len()).step_by(by) {
        let (to, from) = values[from - by..].split_at_mut(by);
        let len = by.min(from.len());
        to[..len].clone_from_slice(&from[..len]);
    }
}

/// Moves the first `kept` elements of every piece `(length, kept)` of `array` together to its front. The pieces follow one another.
///
/// A piece moves down by the number of elements dropped before it. All pieces move at once, on several
/// threads. First each thread sets the head of its piece aside, so that the rest moves within the piece. Then
/// the heads are copied to their targets, which are free by then.
///
/// ```
/// use array_kernels::parallel::close_gaps;
/// // Two pieces of three elements, of which the first two and the first one are kept.
/// let mut array = [1, 2, 0, 3, 0, 0];
/// close_gaps(&mut array, &[(3, 2), (3, 1)]);
/// assert_eq!(array[..3], [1, 2, 3]);
/// ```
pub fn close_gaps<T: Clone + Send>(array: &mut [T], pieces: &[(usize, usize)]) {
    let (mut rest, mut parts, mut shift) = (&mut *array, Vec::new(), 0);
    for &(len, kept) in pieces {
        parts.push((carve(&mut rest, len), kept, shift));
        shift += len - kept;
    }
    let heads = map(parts, |(part, kept, shift)| {
        let head = part[..kept.min(shift)].to_vec();
        if shift > 0 && shift < kept {
            move_down(&mut part[..kept], shift);
        }
        head
    });
    let (mut start, mut shift) = (0, 0);
    for (head, &(len, kept)) in heads.iter().zip(pieces) {
        array[start - shift..][..head.len()].clone_from_slice(head);
        start += len;
        shift += len - kept;
    }
}
