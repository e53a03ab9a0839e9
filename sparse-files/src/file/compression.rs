//! Compression of whole files, mostly of text. The first bytes of a file decide when it is read, the ending of its name when it
//! is written.

use super::FileKind;
use crate::error::{FileError, Result};
use crate::isolate::isolated;
use crate::progress::{Counted, Progress};
use crate::size_limits::{MOST_EXPANSION, MOST_LEFT_OUT, ZSTD_EXPANSION};
use crate::text::Claim;
use crate::{matrix_market, tns};
use std::io::{BufWriter, Read, Write};

/// A compression of a whole file, which reading undoes before the kind of the content is determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compression {
    Gzip,
    Bzip2,
    Zstandard,
    Xz,
}

/// The compressions, each with the ending of the names of its files.
const ENDINGS: [(Compression, &str); 4] =
    [(Compression::Gzip, ".gz"), (Compression::Bzip2, ".bz2"), (Compression::Zstandard, ".zst"), (Compression::Xz, ".xz")];

/// The number of bytes that are inflated at a time. Every file may inflate to this size.
const STEP: u64 = 1 << 16;

impl Compression {
    /// Returns the compression of a file by its first bytes, or `None` if they are of no known compression.
    pub fn of(bytes: &[u8]) -> Option<Compression> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Compression::Bzip2),
            // A frame, or a skippable frame, which parallel writers put before each frame.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Compression::Zstandard),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            _ => None,
        }
    }

    /// Returns the compression that a name ends with, in letters of either case, and the name before the ending. Returns `None`
    /// for names with another ending.
    pub fn of_name(name: &str) -> Option<(Compression, &str)> {
        ENDINGS.iter().find_map(|(compression, ending)| {
            let (inner, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
            end.eq_ignore_ascii_case(ending).then_some((*compression, inner))
        })
    }

    /// Returns the name of the compression in messages.
    fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Zstandard => "Zstandard",
            Compression::Xz => "xz",
        }
    }

    /// Returns the error of a compression whose feature is off.
    #[cfg(not(all(feature = "gzip", feature = "bzip2", feature = "zstd", feature = "xz")))]
    fn lacking(self) -> FileError {
        let feature = if self == Compression::Zstandard { "zstd" } else { self.name() };
        FileError::Feature { what: self.name(), feature }
    }

    /// Inflates the bytes of a compressed file, and concatenates its members. `kind` is the kind of the content, if it is
    /// known.
    ///
    /// Fails if the bytes are damaged, if the feature of the compression is off, or as soon as the output exceeds a limit. The
    /// limit follows from the first lines of the output or, if they announce nothing, from the compressed size.
    pub fn inflate(self, bytes: &[u8], kind: Option<FileKind>, progress: &Progress) -> Result<Vec<u8>> {
        progress.expect(bytes.len());
        isolated(self.name(), || {
            let damaged = |error: std::io::Error| FileError::Container { what: self.name(), message: error.to_string() };
            let mut from = self.decoder(Counted(bytes, progress))?;
            let (mut out, packed) = (Vec::new(), bytes.len() as u64);
            let least = packed.saturating_mul(MOST_LEFT_OUT).saturating_add(STEP);
            let mut believed = least;
            loop {
                let step = STEP as usize;
                out.try_reserve(step).map_err(|_| FileError::Memory { what: self.name(), bytes: (out.len() + step) as u64 })?;
                if from.by_ref().take(STEP).read_to_end(&mut out).map_err(damaged)? == 0 {
                    return Ok(out);
                }
                let length = out.len() as u64;
                if length > believed {
                    let claim = claim(&out, kind);
                    let most = match claim {
                        Some(claim) => claim.most().min(packed.saturating_mul(ZSTD_EXPANSION)),
                        None => packed.saturating_mul(MOST_EXPANSION),
                    };
                    let most = most.max(least);
                    if length > most {
                        return Err(FileError::Inflated { what: self.name(), packed, most, entries: claim.map(|claim| claim.entries) });
                    }
                    believed = most.min(length.saturating_mul(2));
                }
            }
        })
    }

    /// Returns a reader of the uncompressed bytes. Fails if the feature of the compression is off.
    #[cfg_attr(
        not(any(feature = "gzip", feature = "bzip2", feature = "zstd", feature = "xz")),
        allow(unused_variables, reason = "nothing is compressed without a feature")
    )]
    fn decoder<'b>(self, bytes: impl Read + 'b) -> Result<Box<dyn Read + 'b>> {
        match self {
            #[cfg(feature = "gzip")]
            Compression::Gzip => Ok(Box::new(flate2::read::MultiGzDecoder::new(bytes))),
            #[cfg(feature = "bzip2")]
            Compression::Bzip2 => Ok(Box::new(bzip2::read::MultiBzDecoder::new(bytes))),
            #[cfg(feature = "zstd")]
            Compression::Zstandard => Ok(Box::new(zstd::Decoder::new(bytes)?)),
            #[cfg(feature = "xz")]
            Compression::Xz => Ok(Box::new(lzma_rust2::XzReader::new(std::io::BufReader::new(bytes), true))),
            #[cfg(not(all(feature = "gzip", feature = "bzip2", feature = "zstd", feature = "xz")))]
            _ => Err(self.lacking()),
        }
    }

    /// Compresses the bytes that `write` writes, into `file`. Fails if `write` or `file` fails, or if the feature is off.
    #[cfg_attr(
        not(any(feature = "gzip", feature = "bzip2", feature = "zstd", feature = "xz")),
        allow(unused_variables, reason = "nothing is compressed without a feature")
    )]
    pub fn deflate(self, file: impl Write, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        let file = BufWriter::new(file);
        match self {
            #[cfg(feature = "gzip")]
            Compression::Gzip => {
                let mut out = flate2::write::GzEncoder::new(file, flate2::Compression::default());
                write(&mut out)?;
                Ok(out.finish()?.flush()?)
            }
            #[cfg(feature = "bzip2")]
            Compression::Bzip2 => {
                let mut out = bzip2::write::BzEncoder::new(file, bzip2::Compression::best());
                write(&mut out)?;
                Ok(out.finish()?.flush()?)
            }
            #[cfg(feature = "zstd")]
            Compression::Zstandard => {
                let mut out = zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                // A checksum detects changed bytes; the command `zstd` writes one, too.
                out.include_checksum(true)?;
                write(&mut out)?;
                Ok(out.finish()?.flush()?)
            }
            #[cfg(feature = "xz")]
            Compression::Xz => {
                let mut out = lzma_rust2::XzWriter::new(file, lzma_rust2::XzOptions::default())?;
                write(&mut out)?;
                Ok(out.finish()?.flush()?)
            }
            #[cfg(not(all(feature = "gzip", feature = "bzip2", feature = "zstd", feature = "xz")))]
            _ => Err(self.lacking()),
        }
    }
}

/// Returns the name of a file without the ending of a compression: `a.mtx` of `a.mtx.gz`.
///
/// ```
/// assert_eq!(["a.mtx.gz", "b.tns.ZST", "c.mtx"].map(sparse_files::inner_name), ["a.mtx", "b.tns", "c.mtx"]);
/// ```
pub fn inner_name(name: &str) -> &str {
    Compression::of_name(name).map_or(name, |(_, inner)| inner)
}

/// Returns the bounds that the first lines of a text announce. Returns `None` if these lines are not complete, or if the text
/// is neither Matrix Market nor `.tns`.
fn claim(text: &[u8], kind: Option<FileKind>) -> Option<Claim> {
    let text = &text[..memchr::memrchr(b'\n', text)? + 1];
    match kind {
        _ if matrix_market::is_first_line(text) => matrix_market::claim(text),
        Some(FileKind::Tns) => tns::claim(text),
        _ => None,
    }
}
