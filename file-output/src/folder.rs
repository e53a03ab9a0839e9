//! Replaces folders as a whole.

use super::target::{Target, target};
use super::unfinished::{Listed, listed, undisturbed};
use super::whole::{keep, synced};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Calls `write` with a new temporary folder, gives it the name `path` once everything is written, and removes the
/// folder that had the name before. Symbolic links are followed.
///
/// The folder, and each file or folder in it with a counterpart of the same name in the old one, gets the mode and
/// the owner of the old one. The temporary folder is created beside `path`, or beside the enclosing folder `outer`,
/// so that readers who list `outer` do not see it. Functions that add files call [`undisturbed`] for each.
///
/// `spare` receives the old folder under the temporary name, with everything that other processes have added to it.
/// If `spare` fails, both folders get their names back. `spare` must not call [`undisturbed`].
///
/// Fails if `write` or `spare` fails, if `path` names something other than a folder, or if the system refuses an
/// operation. On systems that cannot exchange names, the name is missing for a moment. If the old folder cannot be
/// removed, it keeps the temporary name. This is not an error, because the new folder is in its place.
///
/// ```
/// use std::{fs, io};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("array");
/// let save = |content: &str| {
///     // Keep the old folder if it has files of others.
///     let spare = |old: &std::path::Path| match fs::read_dir(old)?.count() {
///         1 => Ok(()),
///         _ => Err(io::Error::other("the folder has other files")),
///     };
///     file_output::write_folder(&path, None, spare, |new| file_output::undisturbed(|| fs::write(new.join("chunk"), content)))
/// };
/// save("old")?;
/// save("new")?;
/// assert_eq!(fs::read_to_string(path.join("chunk"))?, "new");
///
/// fs::write(path.join("notes"), "by hand")?;
/// assert_eq!(save("newer").unwrap_err().to_string(), "the folder has other files");
/// assert_eq!(fs::read_to_string(path.join("chunk"))?, "new");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_folder<T, E: From<io::Error>>(
    path: &Path,
    outer: Option<&Path>,
    spare: impl FnOnce(&Path) -> Result<(), E>,
    write: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let (place, exists) = folder(path)?;
    let outer = match outer {
        Some(outer) => folder(outer)?.0,
        None => place.clone(),
    };
    let parent = outer.parent().ok_or_else(|| io::Error::from(ErrorKind::InvalidInput))?;
    let (_listed, new): (Listed, TempDir) = listed(|builder| private(builder.clone(), exists).tempdir_in(parent), TempDir::path)?;
    let written = write(new.path())?;
    if exists {
        keep_all(&place, new.path())?;
    }
    // The old folder has the temporary name until `spare` succeeds, so nothing may remove it meanwhile.
    undisturbed(|| {
        give(new.path(), &place, exists)?;
        if exists && let Err(error) = spare(new.path()) {
            give(new.path(), &place, exists)?;
            return Err(error);
        }
        Ok(())
    })?;
    place.parent().into_iter().for_each(synced);
    if exists {
        // The new folder already has its name. If removing the old one fails, it cannot be restored, because parts of
        // it may be gone.
        let _ = undisturbed(|| new.close());
    }
    Ok(written)
}

/// Calls `write` with a new temporary folder, and gives it the name `path` once everything is written.
///
/// Fails with [`ErrorKind::AlreadyExists`] if the name exists before the call or when everything is written: nothing is replaced, not
/// even an empty folder of another program. Systems that cannot refuse to replace a name replace an empty folder.
/// Fails if `write` fails, or if the system refuses an operation. Functions that add files call [`undisturbed`] for each.
///
/// ```
/// use std::{fs, io};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("array");
/// let save = |new: &std::path::Path| file_output::undisturbed(|| fs::write(new.join("chunk"), "content"));
/// file_output::create_folder(&path, save)?;
/// let again: io::Result<()> = file_output::create_folder(&path, save);
/// assert_eq!(again.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
/// # Ok::<(), io::Error>(())
/// ```
pub fn create_folder<T, E: From<io::Error>>(path: &Path, write: impl FnOnce(&Path) -> Result<T, E>) -> Result<T, E> {
    let Target::Nothing(place) = target(path)? else { return Err(io::Error::from(ErrorKind::AlreadyExists).into()) };
    let parent = place.parent().ok_or_else(|| io::Error::from(ErrorKind::InvalidInput))?;
    let (_listed, new): (Listed, TempDir) = listed(|builder| private(builder.clone(), false).tempdir_in(parent), TempDir::path)?;
    let written = write(new.path())?;
    undisturbed(|| give(new.path(), &place, false))?;
    synced(parent);
    Ok(written)
}

/// Returns the folder that a path names, and whether it exists. Fails if the path names something other than a folder.
fn folder(path: &Path) -> io::Result<(PathBuf, bool)> {
    match target(path)? {
        Target::Folder(place) => Ok((place, true)),
        Target::Nothing(place) => Ok((place, false)),
        _ => Err(ErrorKind::NotADirectory.into()),
    }
}

/// Makes `builder` create folders with the default mode or, if the old folder `exists`, with access for the owner alone until
/// `keep_all` copies the old mode.
#[cfg(unix)]
fn private<'a, 'b>(mut builder: tempfile::Builder<'a, 'b>, exists: bool) -> tempfile::Builder<'a, 'b> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(if exists { 0o700 } else { 0o777 }));
    builder
}

#[cfg(not(unix))]
fn private<'a, 'b>(builder: tempfile::Builder<'a, 'b>, _: bool) -> tempfile::Builder<'a, 'b> {
    builder
}

/// Gives a new folder, and each file and folder in it with a counterpart in the old folder, the mode and the owner of the
/// counterpart. Fails if the system refuses to list a folder or to set a mode.
fn keep_all(old: &Path, new: &Path) -> io::Result<()> {
    for entry in fs::read_dir(new)? {
        let entry = entry?;
        let before = old.join(entry.file_name());
        let about = match fs::symlink_metadata(&before) {
            Ok(about) => about,
            // A new entry has no counterpart.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let kind = entry.file_type()?;
        if kind.is_dir() && about.is_dir() {
            keep_all(&before, &entry.path())?;
        } else if kind.is_file() && about.is_file() {
            keep(&about, &entry.path())?;
        }
    }
    // The folder comes last, as its mode may forbid changes in it.
    keep(&fs::metadata(old)?, new)
}

/// Renames the folder `new` to `place`. If a folder `exists` at `place`, that one gets the name `new`. Fails if the system
/// refuses to rename, and if nothing should exist at `place` but another program has created it.
fn give(new: &Path, place: &Path, exists: bool) -> io::Result<()> {
    if !exists {
        return rename_new(new, place);
    }
    if exchange(new, place) {
        return Ok(());
    }
    let mut aside = new.as_os_str().to_owned();
    aside.push(".old");
    fs::rename(place, &aside)?;
    if let Err(error) = fs::rename(new, place) {
        fs::rename(&aside, place)?;
        return Err(error);
    }
    fs::rename(&aside, new)
}

/// Exchanges the names of two folders at once. Returns false, without a change, if the system cannot.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(a: &Path, b: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

/// Renames a folder to a name that does not exist. Fails if it does.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename_new(old: &Path, new: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, old, CWD, new, RenameFlags::NOREPLACE) {
        // The file system cannot refuse to replace a name.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => renamed(old, new),
        done => Ok(done?),
    }
}

/// Renames a folder to a name that does not exist. Fails if it does.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn rename_new(old: &Path, new: &Path) -> io::Result<()> {
    renamed(old, new)
}

/// Renames a folder after a look at the new name. A folder that appears in between is replaced only if it is empty.
fn renamed(old: &Path, new: &Path) -> io::Result<()> {
    match fs::symlink_metadata(new) {
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(old, new),
    }
}
