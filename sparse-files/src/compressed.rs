//! Compressed rows and columns, by the names that SciPy gives their arrays: `indptr`, `indices` and `data`.

use crate::error::Result;
use crate::size_limits::coordinates;
use crate::value::{AnyArray, AnyTensor, AnyValues};
use sparse_formats::{Arrays, Format, Indices};

/// A function that reads an array of one axis. Its arguments are the name of the array and the largest number of values that
/// the matrix can need.
pub(crate) type List<'l> = dyn FnMut(&str, u64) -> Result<AnyArray<'static>> + 'l;

/// Reads `indptr`, the pointers of `rows` compressed rows. Also returns the last pointer, which is the number of entries, but
/// at most `places`: the other arrays need no more values. Fails if `list` fails, or if a pointer is negative or no integer.
pub(crate) fn pointers(list: &mut List<'_>, rows: u64, places: u64) -> Result<(Indices<'static>, u64)> {
    let pointers = list("indptr", rows.saturating_add(1))?.into_indices("indptr")?;
    let last = pointers.len().checked_sub(1).and_then(|last| pointers.get(last));
    Ok((pointers, last.unwrap_or(0).min(places)))
}

/// Reads a matrix of a format with pointers on its first level and indices on its second. Fails if `list` fails, or if the
/// three arrays do not form a matrix of these extents.
pub(crate) fn matrix(list: &mut List<'_>, extents: &[u64], format: Format) -> Result<AnyTensor<'static>> {
    let (pointers, most) = pointers(list, extents[format.axis_order()[0]], coordinates(extents))?;
    let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, list("indices", most)?.into_indices("indices")?);
    let data = list("data", most)?;
    let element = data.element();
    AnyTensor::of_arrays(extents, format, arrays, AnyValues::Each(data), element)
}
