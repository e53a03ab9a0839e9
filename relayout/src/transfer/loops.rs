//! Counts, splits and writes out nested loops.

use super::kernels::StridedLoop;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Returns the number of turns of nested loops together: the product of their counts.
pub(crate) fn count(loops: &[StridedLoop]) -> usize {
    loops.iter().map(|turn| turn.count).product()
}

/// Splits a loop in two: an inner loop whose count is the greatest divisor up to `most`, and the outer loop over it.
pub(crate) fn parts(turn: StridedLoop, most: usize) -> [StridedLoop; 2] {
    let count = (1..=turn.count.min(most)).rev().find(|count| turn.count.is_multiple_of(*count)).unwrap_or(1);
    let by = count as isize;
    // The steps of an outer loop of one turn are never taken, and may exceed a pointer.
    let outer = |step: isize| step.wrapping_mul(by);
    [StridedLoop { count, ..turn }, StridedLoop { count: turn.count / count, source: outer(turn.source), target: outer(turn.target) }]
}

/// Returns the sum of steps of every turn of the nested loops, the first loop innermost.
pub(crate) fn sums(loops: &[StridedLoop], step: fn(&StridedLoop) -> isize) -> Box<[isize]> {
    let sums = loops.iter().fold(vec![0], |sums, turn| {
        let from = |k: usize| sums.iter().map(move |sum: &isize| sum + k as isize * step(turn));
        (0..turn.count).flat_map(from).collect::<Vec<isize>>()
    });
    sums.into()
}
