//! The lines of earlier sessions, in a file.

use std::fs::OpenOptions;
use std::io::{Result, Write};
use std::path::PathBuf;

/// The maximum number of lines that a session reads.
const MOST: usize = 1000;

/// A file with a line for each entry. It is only appended to, so that sessions at the same time keep the lines of each other.
pub struct History {
    pub path: PathBuf,
}

impl History {
    /// Returns the history of the user, or `None` if there is no home directory.
    pub fn of_user() -> Option<History> {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = |folder: &str| std::env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(folder));
        let state = variable("XDG_STATE_HOME").or_else(|| {
            if cfg!(windows) {
                variable("LOCALAPPDATA")
            } else if cfg!(target_os = "macos") {
                home("Library/Application Support")
            } else {
                home(".local/state")
            }
        })?;
        Some(History { path: state.join("crd2idx").join("history") })
    }

    /// Returns the last lines, the oldest first. There are none without a file. Fails if the file cannot be read or is not UTF-8.
    pub fn read(&self) -> Result<Vec<String>> {
        let text = match std::fs::read_to_string(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        Ok(lines[lines.len().saturating_sub(MOST)..].iter().map(|line| (*line).to_owned()).collect())
    }

    /// Appends an entry as one line. Creates the file, which only the user can read. Fails if it cannot be written.
    pub fn append(&self, entry: &str) -> Result<()> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let line = entry.split(['\r', '\n']).collect::<Vec<_>>().join(" ") + "\n";
        // One call appends the whole line, so lines of two sessions do not mix.
        options.open(&self.path)?.write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::{History, MOST};

    fn history(name: &str) -> History {
        let folder = std::env::temp_dir().join(format!("crd2idx-history-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        History { path: folder.join("inner").join("history") }
    }

    #[test]
    fn two_sessions_keep_the_lines_of_each_other() {
        let [one, other] = [(), ()].map(|()| history("two"));
        assert_eq!(one.read().expect("no file yet"), [""; 0]);
        one.append("a = 4:1").expect("a file");
        other.append("size(\na)").expect("a file");
        one.append("a").expect("a file");
        assert_eq!(other.read().expect("lines"), ["a = 4:1", "size( a)", "a"]);
        (0..MOST).for_each(|k| one.append(&k.to_string()).expect("a file"));
        let lines = one.read().expect("lines");
        assert_eq!((lines.len(), lines[0].as_str()), (MOST, "0"));
        // The file keeps them all.
        assert!(std::fs::read_to_string(&one.path).expect("a file").starts_with("a = 4:1\n"));
    }

    #[test]
    fn other_files_are_refused() {
        let history = history("other");
        let folder = history.path.parent().expect("a folder");
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(&history.path, b"\xff\n").expect("a file");
        assert!(history.read().is_err());
        assert!(History { path: folder.into() }.append("a").is_err(), "a folder is no file");
        assert!(History { path: history.path.join("below") }.append("a").is_err(), "a file is no folder");
        assert_eq!(std::fs::read(&history.path).expect("a file"), b"\xff\n");
    }
}
