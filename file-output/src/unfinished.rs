//! The list of temporary files and folders that do not have their final names yet. `listed` creates each of them, and every
//! renaming runs in `undisturbed`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use tempfile::Builder;

/// The paths of all unfinished files and folders of this process. Code that changes names of files holds the lock for
/// reading.
static UNFINISHED: RwLock<BTreeSet<PathBuf>> = RwLock::new(BTreeSet::new());

/// A temporary file or folder on the list, for as long as this value lives.
pub(crate) struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        UNFINISHED.write().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Creates a temporary file or folder with `make`, and puts its `path` on the list. Fails if `make` fails. The entry comes
/// first in the pair, so that a pattern of both drops the entry last.
pub(crate) fn listed<T>(make: impl FnOnce(&Builder<'_, '_>) -> io::Result<T>, path: impl FnOnce(&T) -> &Path) -> io::Result<(Listed, T)> {
    let mut builder = Builder::new();
    // A short name fits beside the longest file names.
    builder.prefix("crd2idx-").suffix(".tmp");
    let mut list = UNFINISHED.write().unwrap_or_else(PoisonError::into_inner);
    let made = make(&builder)?;
    let path = path(&made).to_owned();
    list.insert(path.clone());
    Ok((Listed(path), made))
}

/// Removes all temporary files and folders of this process and stops all writing by this package. Call it when the
/// program ends without returning from the functions that write.
///
/// Other threads that write block forever afterwards.
pub fn discard_unfinished() {
    let list = UNFINISHED.write().unwrap_or_else(PoisonError::into_inner);
    for path in list.iter() {
        let remove = if path.is_dir() { fs::remove_dir_all } else { fs::remove_file };
        // The process is about to end, so errors are ignored.
        let _ = remove(path);
    }
    std::mem::forget(list);
}

/// Calls `step`, which changes names of files in a temporary folder, and returns its result. [`discard_unfinished`]
/// waits until `step` returns. Once it has begun, this thread blocks instead of calling `step`.
pub fn undisturbed<T>(step: impl FnOnce() -> T) -> T {
    let _list = UNFINISHED.read().unwrap_or_else(PoisonError::into_inner);
    step()
}
