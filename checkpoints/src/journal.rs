//! The journal of a run: a file in the target folder that says which run writes there, and how far it is.
//!
//! The first line has the arguments and the names of all files. Every later line has the number of blocks that are written and
//! synced, or says that files get their names. A kill leaves at most an incomplete line, which is ignored.

use crate::error::{CheckpointError, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

pub(crate) const NAME: &str = ".reshard.journal";

#[derive(Serialize, Deserialize)]
struct Head {
    arguments: Map<String, Value>,
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

/// Tests whether a name stays within its folder.
pub(crate) fn is_inside(name: &str) -> bool {
    let normal = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    normal && !name.is_empty() && !name.ends_with(std::path::is_separator)
}

/// Locks a journal. Fails if another run has it, or removed it meanwhile.
fn lock(file: &File, path: &Path, folder: &Path) -> Result<()> {
    file.try_lock().map_err(|_| CheckpointError::target(folder, "another run writes to this folder"))?;
    match path.exists() {
        true => Ok(()),
        false => Err(CheckpointError::target(folder, "another run has just ended here: run again")),
    }
}

impl Journal {
    /// Begins a run that writes these files, or continues it. With `fresh`, an unfinished run is discarded first.
    ///
    /// Fails if a file exists already, and if the folder has an unfinished run of other arguments.
    pub fn open(folder: &Path, arguments: Map<String, Value>, files: Vec<String>, fresh: bool) -> Result<Journal> {
        let path = folder.join(NAME);
        let io = CheckpointError::io(&path);
        let head = Head { arguments, files };
        if path.exists() {
            let file = OpenOptions::new().read(true).append(true).open(&path).map_err(&io)?;
            lock(&file, &path, folder)?;
            match Journal::read(path.clone(), file)? {
                Some((before, journal)) if !fresh => return journal.same(folder, &before, &head),
                Some((before, journal)) => journal.discard(folder, &before)?,
                // The run ended before it created a file.
                None => {}
            }
            fs::remove_file(&path).map_err(&io)?;
        }
        // Of two runs, only one creates the journal.
        let file = OpenOptions::new().append(true).create_new(true).open(&path).map_err(&io)?;
        lock(&file, &path, folder)?;
        let mut journal = Journal { path, file, blocks: 0, naming: false };
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

    /// Reads a journal. Returns `None` if its run ended before the first line was complete. Fails for any other file, and for names of
    /// files outside of the folder.
    fn read(path: PathBuf, file: File) -> Result<Option<(Head, Journal)>> {
        let refuse = || CheckpointError::target(&path, "this is no journal of a run: remove it");
        let mut text = String::new();
        (&file).read_to_string(&mut text).map_err(CheckpointError::io(&path))?;
        let Some((first, lines)) = text.split_once('\n') else {
            return if text.is_empty() || text.starts_with('{') { Ok(None) } else { Err(refuse()) };
        };
        let head: Head = serde_json::from_str(first).map_err(|_| refuse())?;
        if !head.files.iter().all(|name| is_inside(name)) {
            return Err(refuse());
        }
        let (mut blocks, mut naming) = (0, false);
        for entry in lines.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            match entry {
                Entry::Blocks(count) => blocks = count,
                Entry::Naming => naming = true,
            }
        }
        // The next line must not continue an incomplete one.
        if !text.ends_with('\n') {
            (&file).write_all(b"\n").map_err(CheckpointError::io(&path))?;
        }
        Ok(Some((head, Journal { path, file, blocks, naming })))
    }

    /// Removes the files of an unfinished run.
    fn discard(&self, folder: &Path, head: &Head) -> Result<()> {
        for name in &head.files {
            // In the phase of naming, a file whose partial one is gone was written by the unfinished run.
            let (target, partial) = (folder.join(name), partial(folder, name));
            let named = self.naming && !partial.exists();
            for gone in [Some(partial), named.then_some(target)].into_iter().flatten().filter(|path| path.exists()) {
                fs::remove_file(&gone).map_err(CheckpointError::io(&gone))?;
            }
        }
        Ok(())
    }

    /// Returns the journal if its run has the same arguments. Fails with the names of those that differ.
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
