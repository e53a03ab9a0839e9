//! The product of two sparse matrices at the elements of a third, as in counting triangles: for each element of the mask, the
//! rows of both matrices are compared.

use super::OfSparse;
use crate::ContractionError;
use crate::value::{Columns, room};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;
use sparse_formats::{Builder, Format, Indices, Scalar, SparseOperand, SparseTensor};

/// A row that is this number of times longer than another is searched, not read.
const LONGER: usize = 16;

/// Returns `m[x, y] * sum over z of a[x, z] * b[y, z]` for the elements of the mask `m` that have a product. The axes of `a` and `b`
/// may have any order. Fails if memory has no room.
pub(super) fn run<T: Scalar>([(of_mask, mask), a, b]: [OfSparse<T>; 3]) -> Result<SparseTensor<'static, T>, ContractionError> {
    let (a, b) = if a.0.contains(&of_mask[0]) { (a, b) } else { (b, a) };
    let (left, right) = (Rows::new(a, of_mask[0])?, Rows::new(b, of_mask[1])?);
    let elements = mask.sorted(&[0, 1])?;
    let mut columns: [Vec<u64>; 2] = [room(elements.values.len())?, room(elements.values.len())?];
    let mut values = room(elements.values.len())?;
    for (k, x) in elements.values.iter().enumerate() {
        let at = [elements.columns[0][k], elements.columns[1][k]];
        if let Some(sum) = product(left.row(at[0]), right.row(at[1])) {
            columns.iter_mut().zip(at).for_each(|(column, c)| column.push(c));
            values.push(x.times(sum));
        }
    }
    let columns = columns.map(|column| Indices::narrowest(&column));
    Ok(Builder::new(Format::coo(2), T::ZERO).build(mask.shape(), &columns, values)?)
}

/// A matrix by rows.
struct Rows<T> {
    elements: Columns<T>,
    /// The first element of each row, unless there are many more rows than elements.
    starts: Option<Vec<usize>>,
}

impl<T: Scalar> Rows<T> {
    /// Returns the rows of a matrix along the axis of the letter `row`.
    fn new((letters, operand): OfSparse<T>, row: usize) -> Result<Self, ContractionError> {
        let axis = usize::from(letters[0] != row);
        let elements = operand.sorted(&[axis, 1 - axis])?;
        let (rows, count) = (operand.shape()[axis], elements.values.len());
        let mut starts = None;
        if rows <= 8 * count as u64 + 1024 {
            let mut of = room(rows as usize + 1)?;
            for (k, row) in elements.columns[0].iter().enumerate() {
                of.resize(of.len().max(*row as usize + 1), k);
            }
            of.resize(rows as usize + 1, count);
            starts = Some(of);
        }
        Ok(Rows { elements, starts })
    }

    /// Returns the columns and the values of a row.
    fn row(&self, row: u64) -> (&[u64], &[T]) {
        let range: Range<usize> = match &self.starts {
            Some(starts) => starts[row as usize]..starts[row as usize + 1],
            None => {
                let rows = &self.elements.columns[0];
                let start = rows.partition_point(|other| *other < row);
                start..start + rows[start..].partition_point(|other| *other == row)
            }
        };
        (&self.elements.columns[1][range.clone()], &self.elements.values[range])
    }
}

/// Returns the sum of the products of two rows, or `None` if they have no column in common.
fn product<T: Scalar>((mut x, mut a): (&[u64], &[T]), (mut y, mut b): (&[u64], &[T])) -> Option<T> {
    let mut sum: Option<T> = None;
    let mut add = |a: T, b: T| sum = Some(sum.map_or(a.times(b), |sum| sum.plus(a.times(b))));
    while let (Some(c), Some(d)) = (x.first(), y.first()) {
        let (mut left, mut right) = (0, 0);
        match c.cmp(d) {
            Ordering::Equal => {
                add(a[0], b[0]);
                (left, right) = (1, 1);
            }
            Ordering::Less if x.len() > LONGER * y.len() => left = x.partition_point(|c| c < d),
            Ordering::Less => left = 1,
            Ordering::Greater if y.len() > LONGER * x.len() => right = y.partition_point(|d| d < c),
            Ordering::Greater => right = 1,
        }
        (x, a, y, b) = (&x[left..], &a[left..], &y[right..], &b[right..]);
    }
    sum
}
