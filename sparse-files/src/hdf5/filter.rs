//! The filters of chunks, undone: compression, the order of bytes and checksums.

use crate::shuffle::bytes_in_order;
use flate2::bufread::ZlibDecoder;
use hdf5_pure::Dataset;
use std::io::{Error, Read, Result};

/// The numbers of the filters in files. Source: section IV.A.2.l of the HDF5 File Format Specification, and the list of registered filters.
mod numbers {
    pub(super) const DEFLATE: u16 = 1;
    pub(super) const SHUFFLE: u16 = 2;
    pub(super) const FLETCHER: u16 = 3;
    pub(super) const LZF: u16 = 32000;
}

/// The number of bytes of a checksum.
const CHECKSUM: usize = 4;

/// A filter that can be undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Filter {
    Deflate,
    /// Gathers the bytes of equal weight.
    Shuffle,
    /// Appends Fletcher's checksum.
    Fletcher,
    /// The fast compression of h5py.
    Lzf,
}

impl Filter {
    /// Returns the filters of a dataset, in the order in which they were applied, or the name of one that cannot be undone.
    pub fn all(dataset: &Dataset) -> std::result::Result<Vec<Filter>, String> {
        let of = |filter: &hdf5_pure::Filter| match filter.id {
            numbers::DEFLATE => Ok(Filter::Deflate),
            numbers::SHUFFLE => Ok(Filter::Shuffle),
            numbers::FLETCHER => Ok(Filter::Fletcher),
            numbers::LZF => Ok(Filter::Lzf),
            _ => Err(filter.to_string()),
        };
        dataset.filter_pipeline().iter().map(of).collect()
    }
}

/// Returns the `length` bytes of a chunk from its bytes in the file. Bit `i` of `skipped` is set if filter `i` was not applied.
/// Elements have `size` bytes. Fails if the bytes are damaged.
///
/// Has at most three buffers of the length of a chunk at one time, `stored` included.
pub(super) fn undone(filters: &[Filter], skipped: u32, size: usize, stored: Vec<u8>, length: usize) -> Result<Vec<u8>> {
    let applied = |at: usize| skipped.checked_shr(at as u32).unwrap_or(0) & 1 == 0;
    let mut bytes = stored;
    for (at, filter) in filters.iter().enumerate().rev().filter(|(at, _)| applied(*at)) {
        // The filters before this one append checksums only.
        let checksums = filters[..at].iter().enumerate().filter(|(at, filter)| **filter == Filter::Fletcher && applied(*at)).count();
        let expected = length + checksums * CHECKSUM;
        match filter {
            Filter::Deflate => bytes = inflated(&bytes, expected)?,
            Filter::Lzf => bytes = unpacked(&bytes, expected)?,
            Filter::Shuffle if size > 1 => {
                let mut out = Vec::with_capacity(bytes.len());
                bytes_in_order(&bytes, size, &mut out);
                bytes = out;
            }
            Filter::Shuffle => {}
            Filter::Fletcher => checked(&mut bytes)?,
        }
    }
    match bytes.len() == length {
        true => Ok(bytes),
        false => Err(Error::other(format!("it has {} bytes; expected: {length}", bytes.len()))),
    }
}

/// Returns the `length` bytes to which bytes inflate. Fails if they are damaged, or inflate to another number of bytes.
fn inflated(packed: &[u8], length: usize) -> Result<Vec<u8>> {
    let mut decoder = ZlibDecoder::new(packed);
    let mut out = vec![0; length];
    decoder.read_exact(&mut out)?;
    // The checksum is after the last byte.
    match decoder.read(&mut [0])? {
        0 => Ok(out),
        _ => Err(Error::other(format!("it inflates to more than {length} bytes"))),
    }
}

/// Returns the `length` bytes that LZF packed. Fails if they are damaged.
///
/// A first byte below 32 begins a run of literal bytes, one more than it says. Any other begins a copy of earlier bytes: its upper three bits,
/// and one more byte if all are set, are the length less 2. Its lower five bits and the next byte are the distance less 1.
fn unpacked(packed: &[u8], length: usize) -> Result<Vec<u8>> {
    let wrong = || Error::other("it is not what LZF packs");
    let mut out = Vec::with_capacity(length);
    let mut rest = packed;
    while let [first, after @ ..] = rest {
        let first = usize::from(*first);
        if first < 32 {
            let (literal, after) = after.split_at_checked(first + 1).ok_or_else(wrong)?;
            if out.len() + literal.len() > length {
                return Err(wrong());
            }
            out.extend_from_slice(literal);
            rest = after;
            continue;
        }
        let (more, low, after) = match after {
            [more, low, after @ ..] if first >> 5 == 7 => (usize::from(*more), low, after),
            [low, after @ ..] if first >> 5 < 7 => (0, low, after),
            _ => return Err(wrong()),
        };
        let (count, distance) = ((first >> 5) + more + 2, ((first & 31) << 8 | usize::from(*low)) + 1);
        let start = out.len().checked_sub(distance).ok_or_else(wrong)?;
        if out.len() + count > length {
            return Err(wrong());
        }
        // The copied bytes may be among the new ones.
        (start..start + count).for_each(|at| out.push(out[at]));
        rest = after;
    }
    if out.len() == length { Ok(out) } else { Err(wrong()) }
}

/// Removes the checksum at the end of bytes. Fails if it is not theirs.
fn checked(bytes: &mut Vec<u8>) -> Result<()> {
    let Some((content, last)) = bytes.split_last_chunk::<CHECKSUM>() else { return Err(Error::other("it has no checksum")) };
    let (found, expected) = (fletcher(content), u32::from_le_bytes(*last));
    if found != expected {
        return Err(Error::other(format!("its checksum is {found:#010x}; expected: {expected:#010x}")));
    }
    bytes.truncate(bytes.len() - CHECKSUM);
    Ok(())
}

/// Returns Fletcher's checksum of bytes as big-endian words of 16 bits. A last odd byte is the high half of a word.
fn fletcher(bytes: &[u8]) -> u32 {
    /// The most words whose sums fit 32 bits.
    const WORDS: usize = 360;
    let (mut a, mut b) = (0u32, 0u32);
    let folded = |sum: u32| (sum & 0xffff) + (sum >> 16);
    for block in bytes.chunks(2 * WORDS) {
        for word in block.chunks(2) {
            a += u32::from(word[0]) << 8 | word.get(1).map_or(0, |low| u32::from(*low));
            b += a;
        }
        (a, b) = (folded(a), folded(b));
    }
    folded(b) << 16 | folded(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_bytes_are_errors() {
        assert_eq!(
            unpacked(&[2, 7, 8, 9, 1 << 5, 2, 7 << 5, 1, 0], 16).expect("16 bytes"),
            [[7, 8, 9, 7, 8, 9].as_slice(), &[9; 10]].concat()
        );
        for (packed, length) in [(&[2, 7, 8][..], 3), (&[0, 7, 1 << 5, 1], 4), (&[0, 7, 1 << 5, 0], 3), (&[0, 7, 1 << 5], 4), (&[0, 7], 2)]
        {
            assert!(unpacked(packed, length).is_err(), "{packed:?}");
        }
        assert!(unpacked(&[0, 7, 7 << 5, 1], 11).is_err() && unpacked(&[], 0).is_ok_and(|out| out.is_empty()));
        assert!(checked(&mut vec![1, 2, 3]).is_err() && checked(&mut vec![1, 2, 3, 4, 5]).is_err());
        let mut bytes = [&[1, 2, 3], &fletcher(&[1, 2, 3]).to_le_bytes()[..]].concat();
        assert!(checked(&mut bytes).is_ok() && bytes == [1, 2, 3]);
        assert!(inflated(b"no stream", 4).is_err());
        // A mask leaves filters out.
        assert_eq!(undone(&[Filter::Shuffle, Filter::Lzf], 0b11, 2, vec![1, 2], 2).expect("2 bytes"), [1, 2]);
        assert!(undone(&[Filter::Shuffle], 0, 2, vec![1, 2], 4).is_err());
    }
}
