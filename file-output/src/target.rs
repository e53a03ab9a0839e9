//! Resolves the target of a path through all links.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The target of a path, with all symbolic links followed.
///
/// ```
/// use file_output::{Target, target};
/// use std::path::Path;
/// // A program refuses outputs that it could not write at any position.
/// fn is_seekable(path: &Path) -> std::io::Result<bool> {
///     Ok(match target(path)? {
///         Target::File(_) | Target::Nothing(_) => true,
///         Target::Folder(_) | Target::Stream(_) | Target::Descriptor(_) => false,
///     })
/// }
/// # let folder = tempfile::tempdir()?;
/// assert!(is_seekable(&folder.path().join("new"))? && !is_seekable(folder.path())?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A regular file.
    File(PathBuf),
    /// A folder.
    Folder(PathBuf),
    /// A device, a FIFO or a socket.
    Stream(PathBuf),
    /// An open descriptor of this process, named as in `/dev/stdout` or `/proc/self/fd/3`.
    Descriptor(i32),
    /// An unused name in an existing folder.
    Nothing(PathBuf),
}

/// The maximum number of links that are followed, as in Linux.
const MOST_LINKS: usize = 40;

/// Returns the target of a path, with the absolute path of the target. Only the last name may be missing.
///
/// Fails if the enclosing folder does not exist, or if the path leads through more than 40 links, as it does in a circle.
///
/// ```
/// use file_output::{Target, target};
/// # let temporary = tempfile::tempdir()?;
/// # let folder = temporary.path().canonicalize()?;
/// assert_eq!(target(&folder.join("a.txt"))?, Target::Nothing(folder.join("a.txt")));
/// std::fs::write(folder.join("a.txt"), "")?;
/// # #[cfg(unix)]
/// std::os::unix::fs::symlink("a.txt", folder.join("link"))?;
/// # #[cfg(unix)]
/// assert_eq!(target(&folder.join("link"))?, Target::File(folder.join("a.txt")));
/// # #[cfg(unix)]
/// assert_eq!(target("/dev/stdout".as_ref())?, Target::Descriptor(1));
/// assert!(target(&folder.join("missing/a.txt")).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn target(path: &Path) -> io::Result<Target> {
    let mut path = path.to_owned();
    for _ in 0..=MOST_LINKS {
        // `/` and `..` name folders.
        let Some(name) = path.file_name() else { return path.canonicalize().map(Target::Folder) };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let parent = parent.canonicalize()?;
        // The link that the system shows for a descriptor may not name a file, and opening it would give another
        // position.
        if let Some(number) = descriptor(&parent, name) {
            return Ok(Target::Descriptor(number));
        }
        let place = parent.join(name);
        match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Target::Nothing(place)),
            Err(error) => return Err(error),
            Ok(about) if about.is_symlink() => path = parent.join(fs::read_link(&place)?),
            Ok(about) if about.is_dir() => return Ok(Target::Folder(place)),
            Ok(about) if about.is_file() => return Ok(Target::File(place)),
            Ok(_) => return Ok(Target::Stream(place)),
        }
    }
    Err(io::Error::other(format!("the path goes through more than {MOST_LINKS} symbolic links")))
}

/// Returns the descriptor that a name in a folder stands for. Returns `None` if the folder does not list the descriptors of
/// this process, or if the name is not the decimal form of a number.
fn descriptor(folder: &Path, name: &OsStr) -> Option<i32> {
    let name = name.to_str()?;
    // Only the canonical form names a descriptor: `+1` and `01` do not.
    let number = name.parse().ok().filter(|number: &i32| *number >= 0 && number.to_string() == name)?;
    let of_process = || Path::new("/proc/self").canonicalize().is_ok_and(|own| folder.starts_with(own) && folder.ends_with("fd"));
    (cfg!(unix) && (folder == Path::new("/dev/fd") || of_process())).then_some(number)
}
