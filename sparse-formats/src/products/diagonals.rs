//! Matrices of diagonals times vectors: three slices in step for each diagonal.

use super::{Operand, Scalar};
use crate::composite::levels;
use crate::kernels::vector_width::{Task, run_widest};
use crate::{Values, with_indices};
use array_kernels::{Ranges, parallel};
use layout_levels::{Index, Level, Range};

/// `y = A x`, or of the transposed matrix, if the matrix is of diagonals.
pub(super) fn multiply<T: Scalar>(a: &impl Operand<T>, transpose: bool, x: &[T], y: &mut [T]) -> bool {
    let [(Some(map), tensor)] = a.tensors()[..] else { return false };
    let levels = levels(map, tensor);
    let (Some(Ranges::Diagonals { diagonals, rows, columns }), Values::Each(values)) =
        (levels.get(1).map(|level| level.ranges()), tensor.values())
    else {
        return false;
    };
    with_indices!(diagonals, diagonals => {
        let level = Range::trusted(&diagonals[..], *rows, *columns);
        // Each thread has a part of the result and goes through all diagonals, so that sums do not depend on the number of threads.
        parallel::each(y, |start, y| {
            run_widest(Part { level: &level, diagonals: diagonals.len(), values, fill: tensor.fill(), transpose, x, start, y });
        });
    });
    a.watcher().inspect(|watcher| watcher(tensor.stored()));
    true
}

/// A part of the result, from element `start` on.
struct Part<'p, D, T> {
    level: &'p Range<D>,
    diagonals: usize,
    values: &'p [T],
    fill: &'p T,
    transpose: bool,
    x: &'p [T],
    start: usize,
    y: &'p mut [T],
}

impl<I: Index, T: Scalar> Task for Part<'_, &[I], T> {
    #[inline(always)]
    fn run(self) {
        let Part { level, diagonals, values, fill, transpose, x, start, y } = self;
        for diagonal in 0..diagonals {
            let (positions, column) = (level.range(diagonal), level.columns(diagonal).start);
            let row = level.row(diagonal, column);
            let (to, from) = if transpose { (column, row) } else { (row, column) };
            // The elements of the diagonal whose sums are in this part.
            let first = start.saturating_sub(to);
            let end = (start + y.len()).saturating_sub(to).min(positions.len());
            if first >= end {
                continue;
            }
            let values = &values[positions][first..end];
            for ((y, value), x) in y[to + first - start..].iter_mut().zip(values).zip(&x[from + first..]) {
                // What is the fill value is no element, whatever it is multiplied with.
                *y = y.plus(if value == fill { T::ZERO } else { value.times(*x) });
            }
        }
    }
}
