//! Reads shards: files of several chunks, with a list of their positions.
//!
//! The codec `sharding_indexed` follows version 1.0 of the Zarr specifications.

use super::codec::Codec;
use super::store::damaged;
use crate::error::{FileError, Result};
use crate::size_limits::coordinates;
use serde_json::Value;

/// The number of bytes of an entry of the list: the first byte of a chunk and the number of its bytes, in eight bytes each.
const ENTRY: u64 = 16;
/// The number of bytes of the checksum of the list.
const SUM: usize = 4;

/// The encoding of the values of a chunk as bytes.
pub(super) struct Codecs {
    /// True if numbers are big-endian.
    pub big_endian: bool,
    pub compression: Option<Codec>,
}

impl Codecs {
    /// Parses a list of codecs of version 3: `bytes`, then at most one compression. Fails for any other list. `name` is the
    /// name of the array in errors.
    pub fn of(name: &str, codecs: &Value) -> Result<Codecs> {
        let wrong = |what: String| FileError::ArrayHeader { array: name.into(), what };
        let (bytes, compression) = match codecs.as_array().map_or(&[][..], Vec::as_slice) {
            [bytes] => (bytes, None),
            [bytes, codec] => (bytes, Some(Codec::of(codec["name"].as_str().unwrap_or_default(), name)?)),
            codecs => {
                return Err(wrong(format!("its {} codecs are not supported; expected bytes, then at most one compression", codecs.len())));
            }
        };
        if bytes["name"] != "bytes" {
            return Err(wrong(format!("its first codec is {}, but only \"bytes\" is supported there", bytes["name"])));
        }
        Ok(Codecs { big_endian: bytes["configuration"]["endian"] == "big", compression })
    }
}

/// The layout of a file with several chunks.
pub(super) struct Shard {
    /// The number of chunks of a file along each axis.
    pub chunks: Vec<u64>,
    at_start: bool,
    big_endian: bool,
    summed: bool,
}

impl Shard {
    /// Parses the configuration of shards. `extents` are the extents of a file, and become the extents of a chunk in it. Fails
    /// if chunks do not divide a file, or if the codecs of the list are not supported.
    pub fn of(name: &str, about: &Value, extents: &mut [u64]) -> Result<Shard> {
        let wrong = |what: String| FileError::ArrayHeader { array: name.into(), what };
        let chunk = about["chunk_shape"].as_array().map(|list| list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>());
        let divides = |chunk: &Vec<u64>| {
            chunk.len() == extents.len()
                && chunk.iter().zip(extents.iter()).all(|(chunk, whole)| *chunk > 0 && whole.is_multiple_of(*chunk))
        };
        let chunk = chunk.flatten().filter(divides);
        let chunk = chunk.ok_or_else(|| {
            wrong(format!("its shards of extents {extents:?} have chunks of extents {}, which do not divide them", about["chunk_shape"]))
        })?;
        let at_start = match &about["index_location"] {
            Value::Null => false,
            location if location == "end" => false,
            location if location == "start" => true,
            other => return Err(wrong(format!("the index_location of its shards is {other}; expected \"start\" or \"end\""))),
        };
        let codecs = about["index_codecs"].as_array().map_or(&[][..], Vec::as_slice);
        let summed = match codecs {
            [bytes] if bytes["name"] == "bytes" => false,
            [bytes, sum] if bytes["name"] == "bytes" && sum["name"] == "crc32c" => true,
            _ => return Err(wrong("the index_codecs of its shards are not supported; expected bytes, then at most crc32c".into())),
        };
        let big_endian = codecs[0]["configuration"]["endian"] == "big";
        let chunks = chunk.iter().zip(extents.iter()).map(|(chunk, whole)| whole / chunk).collect();
        extents.copy_from_slice(&chunk);
        Ok(Shard { chunks, at_start, big_endian, summed })
    }

    /// Returns the list of the chunks in a file, which has one entry per chunk. Fails if the file is too short, or if the
    /// checksum does not match. `key` names the file in errors.
    pub fn list<'f>(&self, key: &str, file: &'f [u8]) -> Result<&'f [u8]> {
        let entries = coordinates(&self.chunks).checked_mul(ENTRY).and_then(|bytes| usize::try_from(bytes).ok());
        let sum = if self.summed { SUM } else { 0 };
        let short = || damaged(format_args!("{key} has {} bytes, too few for the list of its {:?} chunks", file.len(), self.chunks));
        let length = entries.and_then(|entries| entries.checked_add(sum)).filter(|length| *length <= file.len()).ok_or_else(short)?;
        let list = if self.at_start { &file[..length] } else { &file[file.len() - length..] };
        let (list, stored) = list.split_at(length - sum);
        if self.summed && crc32c(list).to_le_bytes() != *stored {
            return Err(damaged(format_args!("the list of chunks of {key} does not match its checksum")));
        }
        Ok(list)
    }

    /// Returns the bytes of the chunk with these numbers along the axes of a file, or `None` if the chunk is left out. Fails if
    /// the chunk ends after the file.
    pub fn chunk<'f>(&self, key: &str, file: &'f [u8], list: &[u8], numbers: &[u64]) -> Result<Option<&'f [u8]>> {
        let at = numbers.iter().zip(&self.chunks).fold(0, |at, (number, chunks)| at * chunks + number);
        let number = |at: u64| {
            let bytes = list.get(usize::try_from(at * 8).ok()?..)?.first_chunk::<8>()?;
            Some(if self.big_endian { u64::from_be_bytes(*bytes) } else { u64::from_le_bytes(*bytes) })
        };
        let ends = || damaged(format_args!("a chunk of {key} ends after the file"));
        let [start, length] = [at * 2, at * 2 + 1].map(number);
        let (start, length) = start.zip(length).ok_or_else(ends)?;
        if [start, length] == [u64::MAX; 2] {
            return Ok(None);
        }
        let range = usize::try_from(start).ok().zip(start.checked_add(length).and_then(|end| usize::try_from(end).ok()));
        range.and_then(|(start, end)| file.get(start..end)).map(Some).ok_or_else(ends)
    }
}

/// Computes the CRC-32C checksum (Castagnoli polynomial).
fn crc32c(bytes: &[u8]) -> u32 {
    let bit = |sum: u32| (sum >> 1) ^ (0x82f6_3b78 & (sum & 1).wrapping_neg());
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| bit(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_rfc_3720() {
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(crc32c(&(0..32).collect::<Vec<u8>>()), 0x46dd_794e);
    }
}
