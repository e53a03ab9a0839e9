//! Files that are opened when they are first used.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

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
