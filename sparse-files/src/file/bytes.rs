//! The bytes of files: as they lie in the system's memory, or read.

use crate::error::{FileError, Result};
use crate::progress::Progress;
use std::fs::File;
use std::io::Read;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file.
pub struct Bytes(Kept);

enum Kept {
    Read(Vec<u8>),
    #[cfg(feature = "map")]
    Mapped(memmap2::Mmap),
}

/// From this many bytes on files are mapped.
#[cfg(feature = "map")]
const MAPPED: u64 = 1 << 20;

impl Bytes {
    /// The bytes of a file. With the feature `map` a large regular file is mapped, not read: it must not be written to meanwhile.
    pub fn open(path: &Path) -> Result<Bytes> {
        let mut file = File::open(path)?;
        #[cfg(feature = "map")]
        if file.metadata().is_ok_and(|about| about.is_file() && about.len() >= MAPPED) {
            return Bytes::map(&file);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }

    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "a map is of bytes, and each of them is a byte whatever it is")]
    fn map(file: &File) -> Result<Bytes> {
        // SAFETY: the map is private to this value and only read. Another process that writes to the file changes bytes that are checked as they are read, and none of
        // which is trusted twice; one that cuts it ends this process with a signal, as documented.
        let map = unsafe { memmap2::Mmap::map(file)? };
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Sequential);
        Ok(Bytes(Kept::Mapped(map)))
    }

    /// The bytes that these are in gzip, if they are, and the name without `.gz`.
    pub(super) fn inflated<'n>(self, name: &'n str, progress: &Progress) -> Result<(Bytes, &'n str)> {
        if !self.starts_with(b"\x1f\x8b") {
            return Ok((self, name));
        }
        let inner = name.strip_suffix(".gz").unwrap_or(name);
        inflate(&self, progress).map(|bytes| (bytes.into(), inner))
    }

    /// The bytes as a vector; those of a map are copied.
    pub fn into_vec(self) -> Vec<u8> {
        match self.0 {
            Kept::Read(bytes) => bytes,
            #[cfg(feature = "map")]
            Kept::Mapped(map) => map.to_vec(),
        }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(Kept::Read(bytes))
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Kept::Read(bytes) => bytes,
            #[cfg(feature = "map")]
            Kept::Mapped(map) => map,
        }
    }
}

#[cfg(feature = "gzip")]
fn inflate(bytes: &[u8], progress: &Progress) -> Result<Vec<u8>> {
    use crate::progress::Counted;
    let mut out = Vec::new();
    progress.expect(bytes.len());
    let read = flate2::read::MultiGzDecoder::new(Counted(bytes, progress)).read_to_end(&mut out);
    read.map_err(|error| FileError::Container { what: "gzip", message: error.to_string() })?;
    Ok(out)
}

#[cfg(not(feature = "gzip"))]
fn inflate(_: &[u8], _: &Progress) -> Result<Vec<u8>> {
    Err(FileError::Feature { what: "gzip", feature: "gzip" })
}
