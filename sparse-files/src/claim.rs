//! What files claim, and how much of it their bytes can hold.

#[cfg(any(feature = "npz", feature = "hdf5", feature = "arrow", feature = "parquet"))]
use crate::error::{FileError, Result};
#[cfg(any(feature = "zarr", feature = "arrow"))]
use std::io::Read;

/// The most that deflated bytes can become, and what is believed of other compressions that are not looked into.
pub(crate) const MOST_EXPANSION: u64 = 1032;

/// The most that a byte of Zstandard can become: blocks of 128 KiB take four bytes at least.
pub(crate) const ZSTD_EXPANSION: u64 = 1 << 15;

/// The ratio of unpacked to stored bytes that is always believed: chunks may be left out, and elements may repeat.
pub(crate) const MOST_LEFT_OUT: u64 = 10;

/// The number of bytes to which a chunk may always be inflated, even if the array has fewer.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) const MOST_CHUNK: u64 = 1 << 24;

/// Unpacks all bytes, or `length + 1` if there are more than `length`. Memory is allocated as they arrive.
#[cfg(any(feature = "zarr", feature = "arrow"))]
pub(crate) fn unpacked(from: impl Read, packed: usize, length: usize) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(length.min(packed.saturating_mul(4)));
    from.take(length as u64 + 1).read_to_end(&mut out)?;
    Ok(out)
}

/// Tests that an array has at most `most` values of `size` bytes, the number that its tensor can need.
///
/// `most` does not count elements that repeat a coordinate, so ten times the bytes of the file are always allowed.
#[cfg(any(feature = "npz", feature = "hdf5", feature = "parquet", feature = "arrow"))]
pub(crate) fn needed(array: &str, values: u64, size: usize, most: u64, file: u64) -> Result<()> {
    let bytes = values.saturating_mul(size as u64);
    if values <= most || bytes <= file.saturating_mul(MOST_LEFT_OUT) {
        return Ok(());
    }
    Err(FileError::Needless { array: array.into(), values, bytes, most })
}

/// Returns the number of coordinates of a shape, which bounds the number of elements without duplicates.
pub(crate) fn coordinates(shape: &[u64]) -> u64 {
    if shape.contains(&0) { 0 } else { shape.iter().fold(1, |product: u64, extent| product.saturating_mul(*extent)) }
}

/// Returns the bytes of an array of `values` values of `size` bytes each. Fails if they exceed `most`.
#[cfg(any(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet"))]
pub(crate) fn within(array: &str, values: u64, size: usize, most: u64) -> Result<usize> {
    let bytes = values.saturating_mul(size as u64);
    match usize::try_from(bytes) {
        Ok(fits) if bytes <= most => Ok(fits),
        _ => Err(FileError::Claim { array: array.into(), bytes, most }),
    }
}
