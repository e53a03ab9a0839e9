//! Unpacks Blosc frames of version 1: separately compressed blocks, whose bytes or bits may be ordered by
//! significance.
//!
//! The file `README_CHUNK_FORMAT.rst` of c-blosc defines the frame.

use crate::shuffle::bytes_in_order;
use crate::size_limits::unpacked;
use flate2::read::ZlibDecoder;
use std::io::{Error, ErrorKind, Result};

/// The number of bytes before the list of positions, which has four bytes for each block.
const HEADER: usize = 16;
/// The largest number of streams of a block, and the smallest number of values of a block with several streams.
const MOST_STREAMS: usize = 16;
const LEAST_STREAM: usize = 128;
/// The number of bytes to which a block may always be unpacked, even if fewer are needed. Blosc makes its blocks as
/// large as a cache.
const MOST_BLOCK: usize = 1 << 24;

mod flags {
    pub const BYTES_SHUFFLED: u8 = 1;
    pub const COPIED: u8 = 2;
    pub const BITS_SHUFFLED: u8 = 4;
    pub const DELTA: u8 = 8;
    pub const WHOLE_BLOCKS: u8 = 16;
}

fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("Blosc: {what}"))
}

/// Returns the four bytes from byte `at` as a number. Fails if the frame ends before.
fn number(bytes: &[u8], at: usize) -> Result<usize> {
    let four = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or_else(|| damaged("the frame is cut short"))?;
    usize::try_from(u32::from_le_bytes(*four)).map_err(Error::other)
}

/// Returns the unpacked bytes of a frame: at least the first `wanted` of its `length` bytes, up to the end of a block or of the
/// frame. Fails if the frame is damaged or announces another length, or if its compression or its filters are not supported.
pub(super) fn unpack(frame: &[u8], length: usize, wanted: usize) -> Result<Vec<u8>> {
    let (bytes, block) = (number(frame, 4)?, number(frame, 8)?);
    let [version, _, flags, size, ..] = frame else { return Err(damaged("the frame is cut short")) };
    let size = usize::from(*size).max(1);
    let shuffled = flags & (flags::BYTES_SHUFFLED | flags::BITS_SHUFFLED);
    if *version > 2 || shuffled == flags::BYTES_SHUFFLED | flags::BITS_SHUFFLED || flags & flags::DELTA != 0 {
        return Err(damaged("the filters of version 2 are not supported"));
    }
    if bytes != length {
        return Err(damaged(&format!("the frame announces {bytes} bytes instead of {length}")));
    }
    if flags & flags::COPIED != 0 {
        return frame.get(HEADER..HEADER + bytes).map(<[u8]>::to_vec).ok_or_else(|| damaged("the frame is cut short"));
    }
    if block == 0 && bytes > 0 {
        return Err(damaged("the block size is 0"));
    }
    if block > wanted.max(frame.len().saturating_mul(10)).max(MOST_BLOCK) {
        return Err(damaged(&format!("its blocks of {block} bytes are too large, as only {wanted} bytes are needed")));
    }
    let mut out = Vec::with_capacity(bytes.min(frame.len().saturating_mul(4)));
    for (at_block, start) in (0..bytes.min(wanted)).step_by(block.max(1)).enumerate() {
        let length = block.min(bytes - start);
        let whole = flags & flags::WHOLE_BLOCKS != 0 || size > MOST_STREAMS || block / size < LEAST_STREAM || length < block;
        let streams = if whole { 1 } else { size };
        let mut at = number(frame, HEADER + 4 * at_block)?;
        let mut shuffled_block = Vec::with_capacity(length.min(frame.len().saturating_mul(4)));
        for _ in 0..streams {
            let packed = number(frame, at)?;
            at = at.saturating_add(4);
            let stream = frame.get(at..at.saturating_add(packed)).ok_or_else(|| damaged("a block is cut short"))?;
            at += packed;
            shuffled_block.extend_from_slice(&unpacked_stream(flags >> 5, stream, length / streams)?);
        }
        if shuffled_block.len() != length {
            return Err(damaged("the streams of a block do not add up to its length"));
        }
        match shuffled {
            flags::BYTES_SHUFFLED if size > 1 => bytes_in_order(&shuffled_block, size, &mut out),
            flags::BITS_SHUFFLED if (length / size).is_multiple_of(8) => bits_in_order(&shuffled_block, size, &mut out),
            _ => out.extend_from_slice(&shuffled_block),
        }
    }
    Ok(out)
}

/// Unpacks a stream to `length` bytes. `compression` is the number that the frame gives: 1 for LZ4, 3 for zlib, 4 for
/// Zstandard. Fails if the stream is damaged or the compression is not supported.
fn unpacked_stream(compression: u8, stream: &[u8], length: usize) -> Result<Vec<u8>> {
    if stream.len() == length {
        return Ok(stream.to_vec());
    }
    match compression {
        1 => {
            // A byte of LZ4 expands to at most 255 bytes.
            if length > stream.len().saturating_mul(255) {
                return Err(damaged("a block has too few compressed bytes for its length"));
            }
            lz4_flex::block::decompress(stream, length).map_err(|error| damaged(&error.to_string()))
        }
        3 => unpacked(ZlibDecoder::new(stream), stream.len(), length),
        4 => unpacked(zstd::Decoder::with_buffer(stream)?, stream.len(), length),
        0 => Err(damaged("the compression BloscLZ is not supported; lz4, zlib and zstd are")),
        2 => Err(damaged("the compression Snappy is not supported; lz4, zlib and zstd are")),
        other => Err(damaged(&format!("the compression number {other} is unknown"))),
    }
}

/// Appends values of `size` bytes from a block that has the first bit of each value, then the second bit of each value,
/// and so on. Bytes beyond the last whole value are at the end of the block.
fn bits_in_order(block: &[u8], size: usize, out: &mut Vec<u8>) {
    let values = block.len() / size;
    let row = values / 8;
    for value in 0..values {
        let bit = |byte: usize, bit: usize| (block[(byte * 8 + bit) * row + value / 8] >> (value % 8) & 1) << bit;
        out.extend((0..size).map(|byte| (0..8).fold(0, |bits, at| bits | bit(byte, at))));
    }
    out.extend_from_slice(&block[values * size..]);
}
