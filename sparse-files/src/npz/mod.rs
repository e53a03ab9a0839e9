//! Archives of NumPy arrays (`.npz`): SciPy matrices, PyData tensors, and arrays by name.

mod archive;
mod place;
mod pydata;
mod scipy;

pub use archive::{Archive, ArchiveWriter};
pub use place::array_places;
pub use pydata::{Pydata, read as read_pydata, write as write_pydata};
pub(crate) use pydata::{arrays as pydata_arrays, is_untagged};
pub(crate) use scipy::arrays as scipy_arrays;
pub use scipy::{Scipy, read as read_scipy, write as write_scipy};

use crate::error::{FileError, Result};
use crate::value::AnyArray;
use layout_levels::Index;
use sparse_formats::{Indices, with_indices};

/// Reads the extents from the array `shape`. Fails if it is missing, or if its values are no indices.
fn shape(archive: &mut Archive<'_>) -> Result<Vec<u64>> {
    let indices = archive.list("shape", sparse_formats::MAX_RANK as u64)?.into_indices("shape")?;
    Ok(indices.iter().collect())
}

/// Returns indices as signed integers like those of NumPy: of 32 bits if they fit, else of 64. Fails if an index needs 64 bits
/// without a sign.
fn signed<'i>(indices: &'i Indices<'_>, name: &str) -> Result<AnyArray<'i>> {
    let most = indices.iter().max().unwrap_or(0);
    let array = match indices {
        Indices::U32(numbers) if most <= i32::MAX as u64 => AnyArray::of_words::<i32>(numbers[..].into()),
        Indices::U64(numbers) if most <= i64::MAX as u64 => AnyArray::of_words::<i64>(numbers[..].into()),
        numbers if most <= i32::MAX as u64 => {
            AnyArray::from_values(with_indices!(numbers, numbers => numbers.iter().map(|x| x.to_u64() as i32).collect::<Vec<i32>>()))
        }
        numbers if most <= i64::MAX as u64 => {
            AnyArray::from_values(with_indices!(numbers, numbers => numbers.iter().map(|x| x.to_u64() as i64).collect::<Vec<i64>>()))
        }
        _ => {
            return Err(FileError::NoPlace {
                what: format!("the number {most} of `{name}`"),
                kind: "an array of signed indices, as NumPy has them,",
            });
        }
    };
    Ok(array)
}
