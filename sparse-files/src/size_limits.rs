//! Limits on the sizes that files claim, derived from the number of their bytes. Readers of arrays check them before they
//! unpack values.

#[cfg(any(feature = "npz", feature = "hdf5", feature = "arrow", feature = "parquet"))]
use crate::error::{FileError, Result};
#[cfg(any(feature = "zarr", feature = "arrow"))]
use std::io::Read;

/// The maximum number of bytes that a deflated byte inflates to. It is also assumed for compressions that are not inspected.
pub(crate) const MOST_EXPANSION: u64 = 1032;

/// The maximum number of bytes that a byte of Zstandard unpacks to: a block of 128 KiB takes at least four bytes.
pub(crate) const ZSTD_EXPANSION: u64 = 1 << 15;

/// The ratio of unpacked to stored bytes that is always allowed: chunks may be missing, and elements may repeat.
pub(crate) const MOST_LEFT_OUT: u64 = 10;

/// The number of bytes to which a chunk may always be inflated, even if the array has fewer.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) const MOST_CHUNK: u64 = 1 << 24;

/// Returns all bytes of a decompressor, or the first `length + 1` if there are more than `length`. Allocates memory as they
/// arrive; `packed` is the number of compressed bytes. Fails if the decompressor fails.
#[cfg(any(feature = "zarr", feature = "arrow"))]
pub(crate) fn unpacked(from: impl Read, packed: usize, length: usize) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(length.min(packed.saturating_mul(4)));
    from.take(length as u64 + 1).read_to_end(&mut out)?;
    Ok(out)
}

/// Checks that an array is no larger than its tensor can need. Fails if it has more than `most` values and they take more than
/// ten times `file` bytes, the size of the file. A value takes `size` bytes.
///
/// The factor is for elements that repeat a coordinate, which `most` does not count.
#[cfg(any(feature = "npz", feature = "hdf5", feature = "parquet", feature = "arrow"))]
pub(crate) fn needed(array: &str, values: u64, size: usize, most: u64, file: u64) -> Result<()> {
    let bytes = values.saturating_mul(size as u64);
    if values <= most || bytes <= file.saturating_mul(MOST_LEFT_OUT) {
        return Ok(());
    }
    Err(FileError::Needless { array: array.into(), values, bytes, most })
}

/// Returns the number of coordinates of a shape, or `u64::MAX` if it is larger. It bounds the number of elements without
/// duplicates.
pub(crate) fn coordinates(shape: &[u64]) -> u64 {
    if shape.contains(&0) { 0 } else { shape.iter().fold(1, |product: u64, extent| product.saturating_mul(*extent)) }
}

/// Returns the number of bytes of an array of `values` values of `size` bytes each. Fails if it exceeds `most` or the address
/// space.
#[cfg(any(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet"))]
pub(crate) fn within(array: &str, values: u64, size: usize, most: u64) -> Result<usize> {
    let bytes = values.saturating_mul(size as u64);
    match usize::try_from(bytes) {
        Ok(fits) if bytes <= most => Ok(fits),
        _ => Err(FileError::Claim { array: array.into(), bytes, most }),
    }
}
