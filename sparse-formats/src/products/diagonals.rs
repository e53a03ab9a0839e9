//! Multiplies matrices of diagonals by vectors: a diagonal is one loop over three slices.

use super::{Scalar, SparseOperand};
use crate::composite::levels;
use crate::kernels::vector_width::{Task, run_widest};
use crate::{Values, with_indices};
use array_kernels::{Ranges, parallel};
use layout_levels::{Index, Level, Range};

/// Computes `y = A x`, or `y = A^T x` with `transpose`, if the matrix is stored by diagonals. Returns false, with `y`
/// unchanged, for all other matrices.
pub(super) fn multiply<T: Scalar>(a: &impl SparseOperand<T>, transpose: bool, x: &[T], y: &mut [T]) -> bool {
    let [(Some(map), tensor)] = a.tensors()[..] else { return false };
    let levels = levels(map, tensor);
    let (Some(Ranges::Diagonals { diagonals, rows, columns }), Values::Each(values)) =
        (levels.get(1).map(|level| level.ranges()), tensor.values())
    else {
        return false;
    };
    with_indices!(diagonals, diagonals => {
        let level = Range::trusted(&diagonals[..], *rows, *columns);
        // Each thread owns a range of the result and processes all diagonals, so sums do not depend on the number of
        // threads.
        parallel::each(y, |start, y| {
            run_widest(Part { level: &level, diagonals: diagonals.len(), values, fill: tensor.fill(), transpose, x, start, y });
        });
    });
    a.watcher().inspect(|watcher| watcher(tensor.stored()));
    true
}

/// The task that computes `y`, the elements of the result from element `start` on.
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
            // The elements of the diagonal that contribute to this range of the result.
            let first = start.saturating_sub(to);
            let end = (start + y.len()).saturating_sub(to).min(positions.len());
            if first >= end {
                continue;
            }
            let values = &values[positions][first..end];
            for ((y, value), x) in y[to + first - start..].iter_mut().zip(values).zip(&x[from + first..]) {
                // A value equal to the fill value is not a stored element, so it adds nothing, even if `x` is
                // infinite or NaN.
                *y = y.plus(if value == fill { T::ZERO } else { value.times(*x) });
            }
        }
    }
}
