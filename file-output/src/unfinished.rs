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
///
/// ```standalone_crate
/// use std::{fs, io, io::Write, process};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.txt");
/// fs::write(&path, "old")?;
/// file_output::write(&path, |out| -> io::Result<()> {
///     out.write_all(b"half of the n")?;
///     // The program gives up here. `exit` drops no values, so it would leave the temporary file.
///     file_output::discard_unfinished();
///     let only_old = fs::read_to_string(&path)? == "old" && fs::read_dir(&folder)?.count() == 1;
/// #   let _ = fs::remove_dir_all(&folder);
///     process::exit(if only_old { 0 } else { 1 })
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
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
///
/// ```
/// use std::fs;
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("array");
/// file_output::write_folder(&path, None, |_| Ok(()), |new| {
///     // A signal does not remove the folder between the two steps.
///     file_output::undisturbed(|| {
///         fs::write(new.join("part"), "chunk")?;
///         fs::rename(new.join("part"), new.join("0.0"))
///     })
/// })?;
/// assert_eq!(fs::read_to_string(path.join("0.0"))?, "chunk");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn undisturbed<T>(step: impl FnOnce() -> T) -> T {
    let _list = UNFINISHED.read().unwrap_or_else(PoisonError::into_inner);
    step()
}
