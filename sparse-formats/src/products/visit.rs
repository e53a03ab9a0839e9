//! Visits the elements of an operand by columns of coordinates, some thousand at a time.

use super::stream::TileOptions;
use super::tile::Tile;
use super::{Scalar, SparseOperand, streams};
use crate::OperationError;
use alloc::vec::Vec;

/// Calls `each` with all stored elements, some at a time, in storage order: a column of coordinates for each axis, and their
/// values.
///
/// Elements of blocks are elements, and so are the elements of a [`Composite`](crate::Composite) with its own coordinates. Two
/// parts of it may have elements with the same coordinate.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, visit_columns};
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
/// let mut weighted = 0;
/// visit_columns(&a, |columns, values| {
///     let rows = columns[0].iter().zip(values);
///     weighted += rows.map(|(row, value)| *row as i32 * value).sum::<i32>();
/// })?;
/// assert_eq!(weighted, 3 + 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the operand stores no values, or one triangle for both.
pub fn visit_columns<T: Scalar>(a: &impl SparseOperand<T>, mut each: impl FnMut(&[&[u64]], &[T])) -> Result<(), OperationError> {
    let mut tile = Tile::new();
    for stream in &streams(a)? {
        let mut tiles = stream.tiles(0..stream.elements, TileOptions::ELEMENTS);
        while tiles.decode_next(&mut tile) {
            let columns: Vec<&[u64]> = tile.coordinates.iter().map(|column| &column[..tile.len]).collect();
            each(&columns, tile.values());
        }
    }
    Ok(())
}
