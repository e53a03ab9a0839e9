//! Zip files: reads members by name, and inflates only as many bytes as can be needed.

use crate::error::{FileError, Result};
use crate::isolate::isolated;
use crate::size_limits::MOST_EXPANSION;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// The name of zip files in messages.
pub(crate) const ZIP: &str = "the archive";

/// Returns the error of a damaged archive.
pub(crate) fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::Container { what: ZIP, message: error.to_string() }
}

/// Opens the archive in these bytes. Fails if it is damaged or cut off.
///
/// Also fails if an end record announces more files than the list before it can have: the package allocates for all files
/// before it reads the first. Section 4.3.16 of PKWARE's APPNOTE defines the record.
pub(crate) fn archive(bytes: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>> {
    /// The smallest number of bytes of a file in the list.
    const LISTED: usize = 46;
    for at in memchr::memmem::find_iter(bytes, b"PK\x05\x06") {
        let [.., d0, d1, d2, d3, n0, n1, m0, m1] = bytes[at..].first_chunk::<12>().copied().unwrap_or_default();
        let one_disk = [d0, d1, d2, d3] == [0; 4] && [n0, n1] == [m0, m1];
        let (files, elsewhere) = (u16::from_le_bytes([n0, n1]), at >= 20 && bytes[at - 20..].starts_with(b"PK\x06\x07"));
        if one_disk && !elsewhere && usize::from(files) * LISTED > at {
            return Err(damaged(format_args!("the end record announces {files} files, more than the {at} bytes before it can list")));
        }
    }
    /// The number of bytes of an end record without a comment.
    const END: usize = 22;
    let ends = memchr::memmem::rfind(bytes, b"PK\x05\x06").is_some_and(|at| bytes.len() - at >= END);
    if !ends && bytes.starts_with(b"PK\x03\x04") {
        return Err(damaged("the file is cut off: there is no list of files at its end"));
    }
    isolated(ZIP, || ZipArchive::new(Cursor::new(bytes)).map_err(damaged))
}

/// Returns the bytes of the member of this name, and the number of compressed bytes. Returns `None` if there is none. Fails if
/// the member is damaged, or if `all` fails.
///
/// Inflates the first `least` bytes, and passes them to `all`, which returns the largest number of bytes that the
/// member may have. Then inflates at most one byte more than this.
pub(crate) fn member(
    zip: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    least: u64,
    all: impl FnOnce(&[u8]) -> Result<u64>,
) -> Result<Option<(Vec<u8>, u64)>> {
    let Some(index) = zip.index_for_name(name) else { return Ok(None) };
    isolated(ZIP, || {
        let mut file = zip.by_index(index).map_err(damaged)?;
        let packed = file.compressed_size();
        // Do not trust the size in the archive. The bound is the number of bytes that deflate can make of the packed
        // bytes.
        let most = packed.saturating_add(1).saturating_mul(MOST_EXPANSION);
        let mut bytes = Vec::new();
        file.by_ref().take(least.min(most)).read_to_end(&mut bytes).map_err(damaged)?;
        let all = all(&bytes)?.min(most);
        // One byte more shows that a file is too long.
        let more = all.saturating_add(1).saturating_sub(bytes.len() as u64);
        file.take(more).read_to_end(&mut bytes).map_err(damaged)?;
        Ok(Some((bytes, packed)))
    })
}

/// Returns the number of compressed bytes of all members whose names begin with `prefix`. Fails if the archive is damaged.
pub(crate) fn stored(zip: &mut ZipArchive<Cursor<&[u8]>>, prefix: &str) -> Result<u64> {
    isolated(ZIP, || {
        (0..zip.len()).try_fold(0u64, |sum, index| {
            let file = zip.by_index_raw(index).map_err(damaged)?;
            let inside = file.name().is_ok_and(|name| name.starts_with(prefix));
            Ok(if inside { sum.saturating_add(file.compressed_size()) } else { sum })
        })
    })
}

/// Returns the number of bytes before the first file, or before the list of files if there are none. Fails if the archive is
/// damaged.
pub(crate) fn start(zip: &mut ZipArchive<Cursor<&[u8]>>) -> Result<u64> {
    isolated(ZIP, || {
        let list = zip.central_directory_start();
        (0..zip.len()).try_fold(list, |start, index| Ok(start.min(zip.by_index_raw(index).map_err(damaged)?.header_start())))
    })
}
