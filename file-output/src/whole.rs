//! Replaces files as a whole.

use super::target::{Target, target};
use super::unfinished::{Listed, listed, undisturbed};
use std::fs::{self, File, Metadata};
use std::io::{self, Cursor, ErrorKind, Seek, Write};
use std::path::Path;
use tempfile::{Builder, NamedTempFile, PersistError};

/// An output for new content, which can be written at any position.
///
/// ```
/// use file_output::WriteSeek;
/// use std::io::{self, SeekFrom};
/// /// Writes the number of lines, which is known at the end, and the lines after it.
/// fn counted(out: &mut dyn WriteSeek, lines: impl Iterator<Item = &'static str>) -> io::Result<()> {
///     out.write_all(b"0\n")?;
///     let mut count = 0;
///     for line in lines {
///         writeln!(out, "{line}")?;
///         count += 1;
///     }
///     out.seek(SeekFrom::Start(0))?;
///     write!(out, "{count}")
/// }
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.txt");
/// file_output::write(&path, |out| counted(out, ["a", "b"].into_iter()))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "2\na\nb\n");
/// # Ok::<(), io::Error>(())
/// ```
pub trait WriteSeek: Write + Seek + Send {}

impl<W: Write + Seek + Send> WriteSeek for W {}

/// Calls `write` with the new content for `path`.
///
/// * A regular file is replaced by a new one when `write` has succeeded and everything is on the disk. Other hard
///   links keep the old content.
/// * A device, a FIFO or a socket is opened first, and gets all bytes when `write` has succeeded. A descriptor of
///   this process does too, at its position.
/// * Symbolic links are followed, even to a file that does not exist yet.
///
/// Fails if `write` fails, if `path` names a folder, or if the system refuses an operation.
///
/// ```
/// use std::{fs, io::{self, Write}};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.txt");
/// file_output::write(&path, |out| out.write_all(b"old"))?;
/// let failed: io::Result<()> = file_output::write(&path, |out| {
///     out.write_all(b"half of the n")?;
///     Err(io::Error::other("the input ends early"))
/// });
/// assert_eq!(failed.unwrap_err().to_string(), "the input ends early");
/// assert_eq!(fs::read_to_string(&path)?, "old");
/// # Ok::<(), io::Error>(())
/// ```
pub fn write<T, E: From<io::Error>>(path: &Path, write: impl FnOnce(&mut dyn WriteSeek) -> Result<T, E>) -> Result<T, E> {
    match target(path)? {
        Target::File(place) => replace(&place, Some(&writable(&place)?), |file| write(file.as_file_mut())),
        Target::Nothing(place) => replace(&place, None, |file| write(file.as_file_mut())),
        Target::Stream(place) => through(File::options().write(true).open(place)?, write),
        Target::Descriptor(number) => through(duplicate(number)?, write),
        Target::Folder(_) => Err(io::Error::from(ErrorKind::IsADirectory).into()),
    }
}

/// Calls `write` with the content of a new file, which gets the name `path` when everything is on the disk.
///
/// Fails with [`ErrorKind::AlreadyExists`] if the name exists before the call or when everything is written: nothing is replaced.
/// Fails if `write` fails, or if the system refuses an operation.
///
/// ```
/// use std::io::{self, Write};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.txt");
/// file_output::create(&path, |out| out.write_all(b"one"))?;
/// let again: io::Result<()> = file_output::create(&path, |out| out.write_all(b"two"));
/// assert_eq!(again.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
/// assert_eq!(std::fs::read(&path)?, b"one");
/// # Ok::<(), io::Error>(())
/// ```
pub fn create<T, E: From<io::Error>>(path: &Path, write: impl FnOnce(&mut dyn WriteSeek) -> Result<T, E>) -> Result<T, E> {
    match target(path)? {
        Target::Nothing(place) => named(&place, None, |file| write(file.as_file_mut()), |file, place| file.persist_noclobber(place)),
        _ => Err(io::Error::from(ErrorKind::AlreadyExists).into()),
    }
}

/// Calls `edit` with the path of a copy of a regular file. The copy replaces the file when `edit` has succeeded and
/// everything is on the disk.
///
/// Fails if `edit` fails, if `path` does not name a regular file, or if the system refuses an operation.
///
/// ```
/// use std::{fs, io::{self, Write}};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("log.txt");
/// fs::write(&path, "one\n")?;
/// file_output::edit(&path, |copy| fs::File::options().append(true).open(copy)?.write_all(b"two\n"))?;
/// assert_eq!(fs::read_to_string(&path)?, "one\ntwo\n");
/// assert!(file_output::edit(folder.path(), |_| Ok::<(), io::Error>(())).is_err());
/// # Ok::<(), io::Error>(())
/// ```
pub fn edit<T, E: From<io::Error>>(path: &Path, edit: impl FnOnce(&Path) -> Result<T, E>) -> Result<T, E> {
    let Target::File(place) = target(path)? else {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "the path does not name a regular file, so its content cannot be changed in place",
        )
        .into());
    };
    replace(&place, Some(&writable(&place)?), |file| {
        io::copy(&mut File::open(&place)?, file)?;
        edit(file.path())
    })
}

/// Returns the metadata of a file. Fails if the file is protected against writing, as it must not be replaced either.
fn writable(place: &Path) -> io::Result<Metadata> {
    File::options().write(true).open(place)?.metadata()
}

fn replace<T, E: From<io::Error>>(
    place: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut NamedTempFile) -> Result<T, E>,
) -> Result<T, E> {
    named(place, old, write, |file, place| file.persist(place))
}

/// Writes a temporary file beside `place`, with the mode of an old one, and calls `persist` to give it its name.
fn named<T, E: From<io::Error>>(
    place: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut NamedTempFile) -> Result<T, E>,
    persist: impl FnOnce(NamedTempFile, &Path) -> Result<File, PersistError>,
) -> Result<T, E> {
    let folder = place.parent().unwrap_or(Path::new("/"));
    let (_listed, mut file): (Listed, NamedTempFile) =
        listed(|builder| permitted(builder.clone(), old).tempfile_in(folder), NamedTempFile::path)?;
    let written = write(&mut file)?;
    if let Some(old) = old {
        keep(old, file.path())?;
    }
    file.as_file().sync_all()?;
    undisturbed(|| persist(file, place)).map_err(|error| error.error)?;
    synced(folder);
    Ok(written)
}

/// Sets the mode of a new file: as the system's mask permits, or for the owner only until it gets the mode of an old file.
#[cfg(unix)]
fn permitted<'a, 'b>(mut builder: Builder<'a, 'b>, old: Option<&Metadata>) -> Builder<'a, 'b> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(if old.is_some() { 0o600 } else { 0o666 }));
    builder
}

#[cfg(not(unix))]
fn permitted<'a, 'b>(builder: Builder<'a, 'b>, _: Option<&Metadata>) -> Builder<'a, 'b> {
    builder
}

/// Gives a new file or folder the owner, the group and the mode of an old one, as far as the system permits it. Fails only if
/// the mode cannot be read or set.
#[cfg(unix)]
pub(crate) fn keep(old: &Metadata, new: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let now = fs::metadata(new)?;
    let mut mode = old.mode() & 0o7777;
    let owned = (now.uid(), now.gid()) == (old.uid(), old.gid()) || chown(new, Some(old.uid()), Some(old.gid())).is_ok();
    if !owned {
        // Drop setuid and setgid, which the new owner did not grant.
        mode &= !0o6000;
        if now.gid() != old.gid() && chown(new, None, Some(old.gid())).is_err() {
            // The old mode is for another group, so the new group gets the rights of everybody.
            mode = mode & !0o070 | (mode & 0o007) << 3;
        }
    }
    fs::set_permissions(new, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(crate) fn keep(_: &Metadata, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Flushes new names in a folder to the disk, if the system can.
pub(crate) fn synced(folder: &Path) {
    // Ignore errors: the content is on the disk, and some systems cannot open a folder.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Collects all bytes that `write` writes, and sends them to a stream when `write` has succeeded: a stream cannot take bytes
/// back. Fails if `write` or the stream fails.
fn through<T, E: From<io::Error>>(mut stream: File, write: impl FnOnce(&mut dyn WriteSeek) -> Result<T, E>) -> Result<T, E> {
    let mut content = Cursor::new(Vec::new());
    let written = write(&mut content)?;
    stream.write_all(content.get_ref())?;
    Ok(written)
}

/// Duplicates a descriptor; both share one position. Fails if it is not open.
#[cfg(unix)]
#[allow(unsafe_code, reason = "a descriptor that a path names is only a number")]
fn duplicate(number: i32) -> io::Result<File> {
    use std::os::fd::BorrowedFd;
    // SAFETY: the number is not negative, as `target` checks, and is borrowed only for the call that duplicates it.
    // The system fails if it is not open, and no memory depends on it.
    let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
    descriptor.try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
fn duplicate(_: i32) -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}
