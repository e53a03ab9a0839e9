//! Reads and writes at positions of files, from any thread.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Fills `bytes` from a position on. Fails if the file ends before.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Writes all bytes from a position on.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Fills `bytes` from a position on. Fails if the file ends before.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (bytes, offset) = (&mut bytes[read..], offset + read as u64),
        }
    }
    Ok(())
}

/// Writes all bytes from a position on.
#[cfg(windows)]
pub(crate) fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => (bytes, offset) = (&bytes[written..], offset + written as u64),
        }
    }
    Ok(())
}

/// The maximum number of files that stay open. Systems allow a process about a thousand.
const MAX_OPEN: usize = 400;

/// A file that is opened when it is first used, and stays open if there are not too many.
pub(crate) struct Handle {
    pub path: PathBuf,
    writes: bool,
    stays: bool,
    open: OnceLock<File>,
}

impl Handle {
    /// Returns the handle of one of `count` files.
    pub fn new(path: PathBuf, writes: bool, count: usize) -> Handle {
        Handle { path, writes, stays: count <= MAX_OPEN, open: OnceLock::new() }
    }

    /// Calls `work` with the open file. Fails if the file cannot be opened, or if `work` fails.
    pub fn with<T>(&self, work: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
        if let Some(file) = self.open.get() {
            return work(file);
        }
        let file = OpenOptions::new().read(!self.writes).write(self.writes).open(&self.path)?;
        // Two threads may open the file at once: one of both is kept.
        if self.stays { work(self.open.get_or_init(|| file)) } else { work(&file) }
    }
}
