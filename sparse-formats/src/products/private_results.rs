//! Step 5 of a [`RowProduct`](super::row_product::RowProduct): private results, each of a part of the elements, and their sum.
//!
//! Threads that add to rows in any order would race for them. Parts of the elements with a result of their own do not, and as the numbers of elements and rows
//! alone decide how many parts there are, sums do not depend on the number of threads.

use super::Scalar;
use super::tile::TILE;
use crate::kernels::prefetch::LINE;
use alloc::vec::Vec;
use array_kernels::parallel;

/// The most private results.
const MOST: usize = 8;

/// The elements for each row of a private result: setting it to 0 and adding it takes little beside them.
const PER_ROW: usize = 64;

/// The elements for each row from which on there are two results: with one, two threads would both go through all elements.
const PER_ROW_OF_TWO: usize = 12;

/// The number of private results of so many elements and rows: a power of two, which threads share evenly.
pub(super) fn private_results(elements: usize, rows: usize) -> usize {
    let worth = |per_row: usize| (elements / per_row).checked_div(rows).unwrap_or(1);
    let results = worth(PER_ROW).max(worth(PER_ROW_OF_TWO).min(2)).min(elements / TILE).clamp(1, MOST);
    1 << results.ilog2()
}

/// The elements of a cache line.
pub(super) const fn per_line<T>() -> usize {
    let count = LINE / if size_of::<T>() == 0 { 1 } else { size_of::<T>() };
    if count == 0 { 1 } else { count }
}

/// The number of elements from here to the first that begins a line.
fn to_line<T>(elements: *const T) -> usize {
    let beyond = elements.addr() % LINE;
    if size_of::<T>() > 0 && beyond.is_multiple_of(size_of::<T>()) { (LINE - beyond) % LINE / size_of::<T>() } else { 0 }
}

/// Rows that begin with a cache line, so that each lies in as few of these as can be. A few elements before them are no part of them.
pub(super) struct AlignedRows<T> {
    memory: Vec<T>,
    begin: usize,
    len: usize,
}

impl<T: Copy> AlignedRows<T> {
    /// `len` elements in memory that has room for some more.
    pub fn new(memory: Vec<T>, len: usize) -> Self {
        let begin = to_line(memory.as_ptr()).min(memory.len() - len);
        AlignedRows { memory, begin, len }
    }

    /// The rows.
    pub fn rows(&mut self) -> &mut [T] {
        &mut self.memory[self.begin..][..self.len]
    }

    /// The rows as a vector, moved down to its begin.
    pub fn into_vec(mut self) -> Vec<T> {
        if self.begin > 0 {
            self.memory.copy_within(self.begin..self.begin + self.len, 0);
        }
        self.memory.truncate(self.len);
        self.memory
    }
}

/// Adds a private result to another, on all threads.
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
