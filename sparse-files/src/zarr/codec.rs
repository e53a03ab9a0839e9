//! Compresses and decompresses the bytes of chunks.

use super::blosc;
use super::store::damaged;
use crate::error::{FileError, Result};
use crate::isolate::isolated;
use crate::size_limits::{MOST_EXPANSION, ZSTD_EXPANSION, unpacked};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use serde_json::{Value, json};
use std::borrow::Cow;

/// A compression of the chunks of a Zarr array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Codec {
    Gzip,
    Zlib,
    Zstd,
    Blosc,
}

impl Codec {
    /// Returns the compression with this name, and fails for other names. `array` is the name of the array in errors.
    pub fn of(name: &str, array: &str) -> Result<Codec> {
        match name {
            "gzip" => Ok(Codec::Gzip),
            "zlib" => Ok(Codec::Zlib),
            "zstd" => Ok(Codec::Zstd),
            "blosc" => Ok(Codec::Blosc),
            _ => Err(FileError::ArrayHeader {
                array: array.into(),
                what: format!("its codec `{name}` is not supported; the supported codecs are bytes, gzip, zlib, zstd, blosc"),
            }),
        }
    }

    /// Returns the maximum number of bytes that one compressed byte can expand to.
    pub const fn expansion(self) -> u64 {
        match self {
            Codec::Gzip | Codec::Zlib => MOST_EXPANSION,
            Codec::Zstd | Codec::Blosc => ZSTD_EXPANSION,
        }
    }

    /// Unpacks a chunk of `length` bytes: returns the first `wanted` bytes, and possibly some more. Fails if the compressed
    /// bytes are damaged.
    pub fn unpack(self, packed: &[u8], length: usize, wanted: usize) -> Result<Vec<u8>> {
        isolated("Zarr", || {
            let out = match self {
                Codec::Gzip => unpacked(MultiGzDecoder::new(packed), packed.len(), wanted),
                Codec::Zlib => unpacked(ZlibDecoder::new(packed), packed.len(), wanted),
                Codec::Blosc => blosc::unpack(packed, length, wanted),
                Codec::Zstd => zstd::Decoder::with_buffer(packed).and_then(|from| unpacked(from, packed.len(), wanted)),
            };
            out.map_err(damaged)
        })
    }

    /// Returns the bytes compressed by Zstandard, or borrows the bytes if not `compressed`. Fails if the library fails.
    pub fn packed(compressed: bool, bytes: &[u8]) -> std::io::Result<Cow<'_, [u8]>> {
        if compressed { zstd::bulk::compress(bytes, zstd::DEFAULT_COMPRESSION_LEVEL).map(Cow::Owned) } else { Ok(Cow::Borrowed(bytes)) }
    }

    /// Returns the list of codecs for the metadata of an array to write.
    pub fn written(compressed: bool) -> Value {
        let endian = if cfg!(target_endian = "big") { "big" } else { "little" };
        let bytes = json!({ "name": "bytes", "configuration": { "endian": endian } });
        let zstd = json!({ "name": "zstd", "configuration": { "level": zstd::DEFAULT_COMPRESSION_LEVEL, "checksum": false } });
        if compressed { json!([bytes, zstd]) } else { json!([bytes]) }
    }
}
