//! The common form of MTTKRP, TTM, SpMM and SpMV: multiplies each value by rows of matrices, and adds the product to
//! a row of the result. `schedule` runs it.

use alloc::vec::Vec;

/// The operation `out[row(e)][..] += value(e) * product over factors of matrix[coordinate(e)][..]` for each element
/// `e`.
pub(super) struct RowProduct<'a, T> {
    /// The factors: axes, and the matrices whose rows the coordinates of these axes choose.
    pub factors: Vec<(usize, FactorMatrix<'a, T>)>,
    pub output: OutputRow,
    /// The number of columns of the matrices and of the result.
    pub width: usize,
}

/// A row-major matrix, or a range of its columns.
#[derive(Clone, Copy)]
pub(super) struct FactorMatrix<'a, T> {
    pub data: &'a [T],
    /// The distance between rows, in elements.
    pub stride: usize,
}

/// The rule that maps an element to its row of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputRow {
    /// The row number is the coordinate of the element in this axis.
    Axis(usize),
    /// The row number is the fiber of the element, that is, its entry in the last level above the leaf. The elements
    /// of a single level form one fiber, with row 0.
    Fiber,
}

impl<T> RowProduct<'_, T> {
    /// Tests whether a loop over whole rows exists for this width, and neither the matrices nor the result have gaps
    /// between rows.
    pub fn has_whole_rows(&self) -> bool {
        matches!(self.width, 8 | 16 | 32) && self.factors.iter().all(|(_, matrix)| matrix.stride == self.width)
    }
}

impl OutputRow {
    /// Returns the axis whose coordinates are row numbers, or `None` if fibers are.
    pub fn axis(self) -> Option<usize> {
        match self {
            OutputRow::Axis(axis) => Some(axis),
            OutputRow::Fiber => None,
        }
    }
}
