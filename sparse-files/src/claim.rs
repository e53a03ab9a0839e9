//! What files claim, and how much of it their bytes can hold.

#[cfg(any(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet"))]
use crate::error::{FileError, Result};
#[cfg(feature = "npz")]
use std::io::Cursor;
#[cfg(any(feature = "zarr", feature = "arrow"))]
use std::io::Read;
#[cfg(feature = "npz")]
use zip::ZipArchive;

/// The most that deflated bytes can become, and what is believed of other compressions that are not looked into.
pub(crate) const MOST_EXPANSION: u64 = 1032;

/// The most that a byte of Zstandard can become: blocks of 128 KiB take four bytes at least.
#[cfg(any(feature = "zarr", feature = "parquet"))]
pub(crate) const ZSTD_EXPANSION: u64 = 1 << 15;

/// How many times as much as all that is stored may be left out, as it is nothing but the fill value.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) const MOST_LEFT_OUT: u64 = 10;

/// All bytes of what unpacks so many, or one more than there should be; memory is taken as they come.
#[cfg(any(feature = "zarr", feature = "arrow"))]
pub(crate) fn unpacked(from: impl Read, packed: usize, length: usize) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(length.min(packed.saturating_mul(4)));
    from.take(length as u64 + 1).read_to_end(&mut out)?;
    Ok(out)
}

/// The archive of these bytes, unless an end of one says more files than are listed before it: room for all is made before the first is looked at.
///
/// What an end has is said in section 4.3.16 of PKWARE's APPNOTE.
#[cfg(feature = "npz")]
pub(crate) fn archive(bytes: &[u8]) -> zip::result::ZipResult<ZipArchive<Cursor<&[u8]>>> {
    /// The fewest bytes of a file in the list.
    const LISTED: usize = 46;
    for at in memchr::memmem::find_iter(bytes, b"PK\x05\x06") {
        let [.., d0, d1, d2, d3, n0, n1, m0, m1] = bytes[at..].first_chunk::<12>().copied().unwrap_or_default();
        let one_disk = [d0, d1, d2, d3] == [0; 4] && [n0, n1] == [m0, m1];
        let (files, elsewhere) = (u16::from_le_bytes([n0, n1]), at >= 20 && bytes[at - 20..].starts_with(b"PK\x06\x07"));
        if one_disk && !elsewhere && usize::from(files) * LISTED > at {
            return Err(zip::result::ZipError::InvalidArchive(format!("{files} files in a list before byte {at}").into()));
        }
    }
    /// The bytes of an end without a comment.
    const END: usize = 22;
    let ends = memchr::memmem::rfind(bytes, b"PK\x05\x06").is_some_and(|at| bytes.len() - at >= END);
    if !ends && bytes.starts_with(b"PK\x03\x04") {
        return Err(zip::result::ZipError::InvalidArchive("the file is cut off: there is no list of files at its end".into()));
    }
    ZipArchive::new(Cursor::new(bytes))
}

/// Tests that an array, of so many values of so many bytes, is not more than there can be; its bytes.
#[cfg(any(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet"))]
pub(crate) fn within(array: &str, values: u64, size: usize, most: u64) -> Result<usize> {
    let bytes = values.saturating_mul(size as u64);
    match usize::try_from(bytes) {
        Ok(fits) if bytes <= most => Ok(fits),
        _ => Err(FileError::Claim { array: array.into(), bytes, most }),
    }
}
