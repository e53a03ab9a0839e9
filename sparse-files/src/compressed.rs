//! Compressed rows and columns, by the names that SciPy gives their arrays: `indptr`, `indices` and `data`.

use crate::error::Result;
use crate::size_limits::coordinates;
use crate::value::{AnyArray, AnyTensor, AnyValues};
use sparse_formats::{Arrays, Format, Indices};

/// A function that reads the array of this name, which has one axis and at most this number of values.
pub(crate) type List<'l> = dyn FnMut(&str, u64) -> Result<AnyArray<'static>> + 'l;

/// Reads the pointers of rows. Also returns the number of entries that they announce, but at most `places`: indices
/// and values need no more.
pub(crate) fn pointers(list: &mut List<'_>, rows: u64, places: u64) -> Result<(Indices<'static>, u64)> {
    let pointers = list("indptr", rows.saturating_add(1))?.into_indices("indptr")?;
    let last = pointers.len().checked_sub(1).and_then(|last| pointers.get(last));
    Ok((pointers, last.unwrap_or(0).min(places)))
}

/// Reads a matrix of a format with pointers on its first level and indices on its second.
pub(crate) fn matrix(list: &mut List<'_>, extents: &[u64], format: Format) -> Result<AnyTensor<'static>> {
    let (pointers, most) = pointers(list, extents[format.axis_order()[0]], coordinates(extents))?;
    let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, list("indices", most)?.into_indices("indices")?);
    let data = list("data", most)?;
    let element = data.element();
    AnyTensor::of_arrays(extents, format, arrays, AnyValues::Each(data), element)
}
