//! What MTTKRP, TTM, SpMM and SpMV compute: products of values and rows of matrices, added to rows of a result.

use alloc::vec::Vec;

/// `out[row(e)][..] += value(e) * product over factors of matrix[coordinate(e)][..]` for each element `e`.
pub(super) struct RowProduct<'a, T> {
    /// Axes, and the matrices whose rows their coordinates choose.
    pub factors: Vec<(usize, FactorMatrix<'a, T>)>,
    pub output: OutputRow,
    /// The numbers of a row.
    pub width: usize,
}

/// A row-major matrix, or some columns of one.
#[derive(Clone, Copy)]
pub(super) struct FactorMatrix<'a, T> {
    pub data: &'a [T],
    /// The distance between rows.
    pub stride: usize,
}

/// The row of the result that an element is added to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputRow {
    /// The row of its coordinate in an axis.
    Axis(usize),
    /// The row of its fiber, by its entry in the levels. The elements of one level are one fiber, with the only row.
    Fiber,
}

impl<T> RowProduct<'_, T> {
    /// Tests whether there is a loop for rows of this width, and neither the matrices nor the result have gaps between rows.
    pub fn has_whole_rows(&self) -> bool {
        matches!(self.width, 8 | 16 | 32) && self.factors.iter().all(|(_, matrix)| matrix.stride == self.width)
    }
}

impl OutputRow {
    /// The axis whose coordinates choose the row.
    pub fn axis(self) -> Option<usize> {
        match self {
            OutputRow::Axis(axis) => Some(axis),
            OutputRow::Fiber => None,
        }
    }
}
