//! Files replaced as a whole: who reads one meanwhile reads the old one or the new.

use crate::error::Result;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A name beside a path.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Calls `write` with a new file beside `path`, and gives that file the name when all of it is on the disk.
///
/// Where anything fails nothing has changed.
pub fn replace<T>(path: &Path, write: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
    let beside = beside(path);
    let file = File::create_new(&beside)?;
    let _unfinished = Unfinished(&beside);
    // Closed before it is removed.
    let mut file = file;
    let written = write(&mut file)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    Ok(written)
}

/// A file or a folder that is removed in the end, unless it has got another name: what was not finished is of no use, whether it has failed or unwinds.
struct Unfinished<'p>(&'p Path);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        let remove = if self.0.is_dir() { fs::remove_dir_all } else { fs::remove_file };
        // The error that counts is the first one.
        let _ = remove(self.0);
    }
}

/// Calls `write` with a new folder beside `path`, and gives that folder the name when all of it is written; what had the name before is removed.
///
/// Where anything fails nothing has changed. Where the system cannot exchange names, one is without a folder for a moment.
#[cfg(feature = "zarr")]
pub fn replace_folder<T>(path: &Path, write: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let new = beside(path);
    fs::create_dir(&new)?;
    let _unfinished = Unfinished(&new);
    let written = write(&new)?;
    if !path.exists() {
        fs::rename(&new, path)?;
        return Ok(written);
    }
    if !exchange(&new, path) {
        let old = beside(&new);
        fs::rename(path, &old)?;
        fs::rename(&new, path)?;
        fs::rename(&old, &new)?;
    }
    fs::remove_dir_all(&new)?;
    Ok(written)
}

/// Exchanges the names of two folders at once, if the system can.
#[cfg(all(feature = "zarr", any(target_os = "linux", target_os = "macos")))]
fn exchange(a: &Path, b: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(all(feature = "zarr", not(any(target_os = "linux", target_os = "macos"))))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}
