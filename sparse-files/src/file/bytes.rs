//! The bytes of files, read into memory or mapped.

use super::compression::{Compression, inner_name};
use super::{FileKind, ReadOptions};
use crate::error::Result;
use std::fs::File;
use std::io::Read;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file, read into memory or mapped. It dereferences to a slice of bytes.
///
/// ```
/// use sparse_files::{Bytes, FileKind};
/// // From a socket, an archive, or memory.
/// let bytes = Bytes::from(b"1 2 0.5\n".to_vec());
/// assert_eq!((bytes.len(), FileKind::of(&bytes, "a.tns")?), (8, FileKind::Tns));
/// assert_eq!(bytes.into_vec(), b"1 2 0.5\n");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub struct Bytes(Kept);

enum Kept {
    Read(Vec<u8>),
    #[cfg(feature = "map")]
    Mapped(memmap2::Mmap),
}

impl Bytes {
    /// Reads a file. Fails if the system cannot read it.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("sparse-files-bytes-{}", std::process::id()));
    /// # std::fs::write(&path, "1 2 0.5\n")?;
    /// use sparse_files::{Bytes, FileKind, ReadOptions, read_bytes};
    /// let bytes = Bytes::open(&path)?;
    /// // The file was uploaded under another name.
    /// let (_, kind) = read_bytes(bytes, "weights.tns", &ReadOptions::default())?;
    /// assert_eq!(kind, FileKind::Tns);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path) -> Result<Bytes> {
        let mut bytes = Vec::new();
        File::open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }

    /// Maps a regular file instead of reading it. The system reads its pages when they are needed, and shares them between
    /// processes. Fails if the system cannot map the file.
    ///
    /// ```
    /// # use sparse_files::{Bytes, ReadOptions, read_bytes};
    /// # let path = std::env::temp_dir().join("sparse_files_mapped.mtx");
    /// # std::fs::write(&path, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n")?;
    /// // SAFETY: this process has just written the file, and no other knows of it.
    /// let bytes = unsafe { Bytes::map(&path)? };
    /// let (tensor, _) = read_bytes(bytes, "a.mtx", &ReadOptions::default())?;
    /// assert_eq!(tensor.shape(), [2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Safety
    ///
    /// While the returned value lives, nobody may write to the file or truncate it, in this process or another. Bytes
    /// that change under a `&[u8]` are undefined behaviour, and access to a page past the end of the file ends the
    /// process by a signal. Replacing the file by another, as [`replace`](crate::replace) does, is safe: it does not
    /// write to the mapped one.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "a map is of bytes that others may write to")]
    pub unsafe fn map(path: &Path) -> Result<Bytes> {
        let file = File::open(path)?;
        // SAFETY: the caller promises that the file stays as it is; the map is private to this value and only read.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Sequential);
        Ok(Bytes(Kept::Mapped(map)))
    }

    /// Inflates the bytes of a compressed file; returns other bytes as they are. Also returns the name without the ending of
    /// the compression. Fails if the compressed bytes are damaged or inflate to too many.
    pub(super) fn inflated<'n>(self, name: &'n str, options: &ReadOptions) -> Result<(Bytes, &'n str)> {
        let Some(compression) = Compression::of(&self) else { return Ok((self, name)) };
        let inner = inner_name(name);
        let kind = options.kind.or_else(|| FileKind::of_name(inner));
        compression.inflate(&self, kind, &options.progress).map(|bytes| (bytes.into(), inner))
    }

    /// Returns the bytes as a vector. Copies the bytes of a map.
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
