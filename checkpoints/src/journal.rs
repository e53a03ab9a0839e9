//! The journal of a run: a file in the target folder that says which run writes there, and how far it is.
//!
//! The first line has the arguments and the names of all files. Every later line has the number of blocks that are written and
//! synced, or says that files get their names. A kill leaves at most an incomplete line, which is ignored.

use crate::error::{CheckpointError, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

pub(crate) const NAME: &str = ".reshard.journal";

#[derive(Serialize, Deserialize)]
struct Head {
    arguments: BTreeMap<String, Value>,
    files: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Entry {
    /// The number of blocks that are written.
    Blocks(usize),
    /// All blocks are written: files get their names.
    Naming,
}

/// The open journal. Only one run has it at a time.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// The number of blocks that are written.
    pub blocks: usize,
    /// Whether files may have their names already.
    pub naming: bool,
}

/// Returns the path under which a file is written.
pub(crate) fn partial(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let last = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    path.with_file_name(format!(".{last}.partial"))
}

/// Tests whether a name stays within its folder, and is the only one of its file.
pub(crate) fn is_inside(name: &str) -> bool {
    let normal = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    // Paths leave out parts that are empty or a dot.
    normal && name.split(std::path::is_separator).all(|part| !part.is_empty() && part != ".")
}

/// Locks a journal. Fails if another run has it, or removed it meanwhile.
fn lock(file: &File, path: &Path, folder: &Path) -> Result<()> {
    file.try_lock().map_err(|_| CheckpointError::target(folder, "another run writes to this folder"))?;
    if is_at(file, path) { Ok(()) } else { Err(CheckpointError::target(folder, "another run has just ended here: run again")) }
}

/// Tests whether an open file still has its path.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |about: fs::Metadata| (about.dev(), about.ino());
        file.metadata().map(place).ok() == fs::metadata(path).map(place).ok()
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

impl Journal {
    /// Begins a run that writes these files, or continues it. With `fresh`, an unfinished run is discarded first.
    ///
    /// Fails if a file exists already, and if the folder has an unfinished run of other arguments.
    pub fn open(folder: &Path, arguments: BTreeMap<String, Value>, files: Vec<String>, fresh: bool) -> Result<Journal> {
        let path = folder.join(NAME);
        let io = CheckpointError::io(&path);
        let head = Head { arguments, files };
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(&io)?;
        lock(&file, &path, folder)?;
        let mut journal = Journal { path, file, blocks: 0, naming: false };
        if let Some(before) = journal.read()? {
            if !fresh {
                return journal.same(folder, &before, &head);
            }
            journal.discard(folder, &before)?;
            (journal.blocks, journal.naming) = (0, false);
        }
        journal.file.set_len(0).map_err(&io)?;
        for name in &head.files {
            let taken = [folder.join(name), partial(folder, name)].into_iter().find(|path| fs::symlink_metadata(path).is_ok());
            if let Some(taken) = taken {
                journal.finish()?;
                return Err(CheckpointError::target(&taken, "it exists already: remove it, or choose another folder"));
            }
        }
        journal.add(&head)?;
        Ok(journal)
    }

    /// Reads the entries. Returns the first line, or `None` if it is not complete: that run created no file. Fails for any other file, and
    /// for names of files outside of the folder.
    fn read(&mut self) -> Result<Option<Head>> {
        let refuse = || CheckpointError::target(&self.path, "this is no journal of a run: remove it");
        let io = CheckpointError::io(&self.path);
        let mut text = String::new();
        self.file.read_to_string(&mut text).map_err(&io)?;
        let Some((first, lines)) = text.split_once('\n') else {
            return if text.is_empty() || text.starts_with('{') { Ok(None) } else { Err(refuse()) };
        };
        let head: Head = serde_json::from_str(first).map_err(|_| refuse())?;
        if !head.files.iter().all(|name| is_inside(name)) {
            return Err(refuse());
        }
        for entry in lines.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            match entry {
                Entry::Blocks(count) => self.blocks = count,
                Entry::Naming => self.naming = true,
            }
        }
        // The next line must not continue an incomplete one.
        if !text.ends_with('\n') {
            self.file.write_all(b"\n").map_err(&io)?;
        }
        Ok(Some(head))
    }

    /// Removes the files of an unfinished run.
    fn discard(&self, folder: &Path, head: &Head) -> Result<()> {
        for name in &head.files {
            // The unfinished run has named a file if it began to name files and the partial one is absent.
            let (target, partial) = (folder.join(name), partial(folder, name));
            let named = self.naming && !partial.exists();
            for gone in [Some(partial), named.then_some(target)].into_iter().flatten().filter(|path| path.exists()) {
                fs::remove_file(&gone).map_err(CheckpointError::io(&gone))?;
            }
        }
        Ok(())
    }

    /// Returns the journal if its run has the same arguments. Otherwise fails with the names of the different ones.
    fn same(self, folder: &Path, before: &Head, now: &Head) -> Result<Journal> {
        let differs = |key: &&String| before.arguments.get(*key) != now.arguments.get(*key);
        let mut keys: Vec<String> = now.arguments.keys().filter(differs).cloned().collect();
        if keys.is_empty() && before.files != now.files {
            keys.push("the names of files".into());
        }
        match keys.is_empty() {
            true => Ok(self),
            false => {
                let reason = format!(
                    "the folder has an unfinished run with other arguments ({}): continue that one, or discard it by `--fresh`",
                    keys.join(", ")
                );
                Err(CheckpointError::target(folder, reason))
            }
        }
    }

    /// Adds a line for the number of blocks that are written and synced.
    pub fn written(&mut self, blocks: usize) -> Result<()> {
        self.blocks = blocks;
        self.add(&Entry::Blocks(blocks))
    }

    /// Adds the line that files get their names.
    pub fn begin_naming(&mut self) -> Result<()> {
        self.naming = true;
        self.add(&Entry::Naming)
    }

    fn add(&mut self, entry: &impl Serialize) -> Result<()> {
        let line = format!("{}\n", serde_json::json!(entry));
        self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data()).map_err(CheckpointError::io(&self.path))
    }

    /// Removes the journal after the run.
    pub fn finish(self) -> Result<()> {
        fs::remove_file(&self.path).map_err(CheckpointError::io(&self.path))
    }
}
