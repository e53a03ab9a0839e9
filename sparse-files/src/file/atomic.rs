//! Files replaced as a whole: who reads one meanwhile reads the old one or the new.

use crate::error::Result;
use std::fs::{self, File};
use std::path::Path;

/// Calls `write` with a new file beside `path`, and gives that file the name when all of it is on the disk.
///
/// Where anything fails nothing has changed.
pub fn replace<T>(path: &Path, write: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let mut file = File::create_new(&beside)?;
    let written = write(&mut file).and_then(|written| {
        file.sync_all()?;
        fs::rename(&beside, path)?;
        Ok(written)
    });
    if written.is_err() {
        // What was not finished is of no use; the first error is the one that counts.
        let _ = fs::remove_file(&beside);
    }
    written
}
