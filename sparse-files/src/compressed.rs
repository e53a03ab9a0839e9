//! Compressed rows and columns, by the names that SciPy gives their arrays: `indptr`, `indices` and `data`.

use crate::error::Result;
use crate::size_limits::coordinates;
use crate::value::{AnyArray, AnyTensor, AnyValues};
use sparse_formats::{Arrays, Format, Indices};
#[cfg(any(feature = "hdf5", feature = "zarr"))]
use std::ops::Range;

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

/// A function that reads a range of an array of one axis, or all of it. Its last argument is the largest number of values that the
/// matrix can need.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) type RangeList<'l> = dyn FnMut(&str, Option<Range<u64>>, u64) -> Result<AnyArray<'static>> + 'l;

/// Reads a range of the rows of a matrix with compressed rows: their pointers, and the indices and values between the first and the
/// last. Fails as `matrix` does.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) fn rows(list: &mut RangeList<'_>, extents: [u64; 2], rows: Range<u64>) -> Result<AnyTensor<'static>> {
    let extents = [rows.end - rows.start, extents[1]];
    let pointers = list("indptr", Some(rows.start..rows.end.saturating_add(1)), extents[0].saturating_add(1))?.into_indices("indptr")?;
    let (pointers, range) = rebased(&pointers, 0);
    let most = coordinates(&extents);
    let indices = list("indices", Some(range.clone()), most)?.into_indices("indices")?;
    let data = list("data", Some(range), most)?;
    let element = data.element();
    let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, indices);
    AnyTensor::of_arrays(&extents, Format::csr(), arrays, AnyValues::Each(data), element)
}

/// Returns pointers that begin at `base` in place of the first one, and the range of positions between the first and the last.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) fn rebased(pointers: &Indices<'_>, base: u64) -> (Indices<'static>, Range<u64>) {
    let first = pointers.get(0).unwrap_or(base);
    let last = pointers.len().checked_sub(1).and_then(|last| pointers.get(last)).unwrap_or(first).max(first);
    // A pointer below the first stays below the base, or wraps, so that the check of the arrays refuses it.
    let moved: Vec<u64> = pointers.iter().map(|pointer| pointer.wrapping_sub(first).wrapping_add(base)).collect();
    (moved.into(), first.saturating_sub(base)..last.saturating_sub(base))
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
