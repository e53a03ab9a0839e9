//! The position at which a container begins in a file.

use crate::error::Result;
use std::io::{Read, Seek, SeekFrom};

/// Reads up to `most` bytes of a file from position `from`.
pub(crate) fn at(file: &mut (impl Read + Seek), from: u64, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the size of the user block, if the file is HDF5: 0, or 512 times a power of two.
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
