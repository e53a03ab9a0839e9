//! What files claim, and how much of it their bytes can hold.

#[cfg(any(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet"))]
use crate::error::{FileError, Result};

/// The most that deflated bytes can become, and what is believed of other compressions that are not looked into.
pub(crate) const MOST_EXPANSION: u64 = 1032;

/// How many times as much as all that is stored may be left out, as it is nothing but the fill value.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) const MOST_LEFT_OUT: u64 = 10;

/// Tests that an array, of so many values of so many bytes, is not more than there can be; its bytes.
#[cfg(any(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet"))]
pub(crate) fn within(array: &str, values: u64, size: usize, most: u64) -> Result<usize> {
    let bytes = values.checked_mul(size as u64).unwrap_or(u64::MAX);
    match usize::try_from(bytes) {
        Ok(fits) if bytes <= most => Ok(fits),
        _ => Err(FileError::Claim { array: array.into(), bytes, most }),
    }
}
