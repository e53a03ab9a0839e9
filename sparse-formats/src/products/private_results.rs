//! Adds up private results: step 5 of a [`RowProduct`](super::row_product::RowProduct).
//!
//! A private result is a full result that receives the products of one part of the elements. Threads that added to
//! the same rows in any order would race for them. The number of parts depends only on the numbers of elements and
//! rows, so sums do not depend on the number of threads.

use super::Scalar;
use super::tile::TILE;
use crate::kernels::prefetch::LINE;
use alloc::vec::Vec;
use array_kernels::parallel;

/// The largest number of private results.
const MOST: usize = 8;

/// The number of elements per row that each private result needs. With this many, clearing and adding the result
/// costs little in comparison.
const PER_ROW: usize = 64;

/// The number of elements per row that two private results need. With a single result, two threads would each decode
/// all elements.
const PER_ROW_OF_TWO: usize = 12;

/// Returns the number of private results for these numbers of elements and rows: a power of two, which threads share
/// evenly.
pub(super) fn private_results(elements: usize, rows: usize) -> usize {
    let worth = |per_row: usize| (elements / per_row).checked_div(rows).unwrap_or(1);
    let results = worth(PER_ROW).max(worth(PER_ROW_OF_TWO).min(2)).min(elements / TILE).clamp(1, MOST);
    1 << results.ilog2()
}

/// Returns the number of elements in a cache line, at least 1.
pub(super) const fn per_line<T>() -> usize {
    let count = LINE / if size_of::<T>() == 0 { 1 } else { size_of::<T>() };
    if count == 0 { 1 } else { count }
}

/// Returns the number of elements up to the first one that begins a cache line, or 0 if no element does.
fn to_line<T>(elements: *const T) -> usize {
    let beyond = elements.addr() % LINE;
    if size_of::<T>() > 0 && beyond.is_multiple_of(size_of::<T>()) { (LINE - beyond) % LINE / size_of::<T>() } else { 0 }
}

/// Rows of a result that begin at a cache line, so that each row touches the fewest possible lines. The memory may
/// have a few unused elements before the rows.
pub(super) struct AlignedRows<T> {
    memory: Vec<T>,
    begin: usize,
    len: usize,
}

impl<T: Copy> AlignedRows<T> {
    /// Aligns `len` elements within `memory`, which must have at least `len` elements. More memory allows a better
    /// alignment.
    pub fn new(memory: Vec<T>, len: usize) -> Self {
        let begin = to_line(memory.as_ptr()).min(memory.len() - len);
        AlignedRows { memory, begin, len }
    }

    /// Returns the rows, without the unused memory around them.
    pub fn rows(&mut self) -> &mut [T] {
        &mut self.memory[self.begin..][..self.len]
    }

    /// Returns the rows as a vector, in which they are moved to the start.
    pub fn into_vec(mut self) -> Vec<T> {
        if self.begin > 0 {
            self.memory.copy_within(self.begin..self.begin + self.len, 0);
        }
        self.memory.truncate(self.len);
        self.memory
    }
}

/// Adds `other` to `out` element by element, on all threads.
pub(super) fn add<T: Scalar>(out: &mut [T], other: &[T]) {
    let (len, mut rest, mut parts) = (out.len(), out, Vec::new());
    for range in parallel::ranges(len, parallel::threads(len)) {
        parts.push((parallel::carve(&mut rest, range.len()), &other[range]));
    }
    parallel::map(parts, |(out, other)| out.iter_mut().zip(other).for_each(|(x, y)| *x = x.plus(*y)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_begin_with_a_line() {
        let line = 64 as *const f64;
        assert_eq!([0, 1, 7].map(|at| to_line(line.wrapping_add(at))), [0, 7, 1]);
        assert_eq!((per_line::<f64>(), per_line::<[u64; 100]>(), per_line::<()>()), (8, 1, 64));
    }
}
