//! The position at which a container begins in a file.

use crate::error::Result;
use std::io::{Read, Seek, SeekFrom};

/// Reads `most` bytes of a file from byte `from`, or fewer if the file ends before. Fails if the file cannot be read.
pub(crate) fn at(file: &mut (impl Read + Seek), from: u64, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the number of bytes of the user block before the contents of an HDF5 file: 0, or 512 times a power of two. Returns
/// `None` if the file is not HDF5. Fails if the file cannot be read.
///
/// Source: section II.A of the HDF5 File Format Specification.
pub(crate) fn user_block(file: &mut (impl Read + Seek)) -> Result<Option<u64>> {
    let length = file.seek(SeekFrom::End(0))?;
    let places = std::iter::successors(Some(512u64), |place| place.checked_mul(2)).take_while(|place| *place < length);
    for place in [0].into_iter().chain(places) {
        if at(file, place, 8)? == *b"\x89HDF\r\n\x1a\n" {
            return Ok(Some(place));
        }
    }
    Ok(None)
}
