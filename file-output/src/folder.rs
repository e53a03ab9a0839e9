//! Folders as a whole.

use super::target::{Target, target};
use super::unfinished::{Listed, listed, undisturbed};
use super::whole::{keep, synced};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Calls `write` with a new temporary folder, and gives it the name `path` when all is written; the folder that had the name before is removed. Symbolic links are followed.
///
/// The folder, and each file or folder in it that has a counterpart of the same name in the old one, keeps mode and owner of the old one. The temporary folder is beside the old one, or
/// beside `outer`, which contains both: readers who list `outer` then see no temporary folder in it. Functions that add files call [`undisturbed`] for each.
///
/// Fails where `write` fails, where `path` names something else than a folder, and where the system refuses. Where the system cannot exchange names, there is no folder of the name for
/// a moment.
pub fn write_folder<T, E: From<io::Error>>(path: &Path, outer: Option<&Path>, write: impl FnOnce(&Path) -> Result<T, E>) -> Result<T, E> {
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
    undisturbed(|| give(new.path(), &place, exists))?;
    place.parent().into_iter().for_each(synced);
    if exists {
        // The old folder has the temporary name now.
        undisturbed(|| new.close())?;
    }
    Ok(written)
}

/// The folder that a path names, and whether it exists.
fn folder(path: &Path) -> io::Result<(PathBuf, bool)> {
    match target(path)? {
        Target::Folder(place) => Ok((place, true)),
        Target::Nothing(place) => Ok((place, false)),
        _ => Err(ErrorKind::NotADirectory.into()),
    }
}

/// Lets nobody else read a folder until it has the mode of the old one.
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

/// Gives a new folder, and what in it has a counterpart in the old one, the mode and the owner of the old one.
fn keep_all(old: &Path, new: &Path) -> io::Result<()> {
    for entry in fs::read_dir(new)? {
        let entry = entry?;
        let before = old.join(entry.file_name());
        let Ok(about) = fs::symlink_metadata(&before) else { continue };
        let kind = entry.file_type()?;
        if kind.is_dir() && about.is_dir() {
            keep_all(&before, &entry.path())?;
        } else if kind.is_file() && about.is_file() {
            keep(&about, &entry.path())?;
        }
    }
    // Last, as a folder may forbid changes.
    keep(&fs::metadata(old)?, new)
}

/// Gives a new folder its name, and the old one, if there is one, that of the new one.
fn give(new: &Path, place: &Path, exists: bool) -> io::Result<()> {
    if !exists {
        return fs::rename(new, place);
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

/// Exchanges the names of two folders at once, if the system can.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(a: &Path, b: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}
