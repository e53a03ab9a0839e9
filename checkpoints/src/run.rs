//! Runs of plans: blocks are read, cast and written by all threads, and the files get their names at the end.

use crate::block::Block;
use crate::cast::after;
use crate::error::{CheckpointError, Result};
use crate::handle::Handle;
use crate::journal::{Journal, partial};
use crate::plan::{ReshardPlan, TargetTensor};
use crate::source_paths::{INDEX, SINGLE};
use crate::spec::CheckpointSpec;
use crate::threads::on_threads;
use file_output::write_at;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

/// A progress callback. It receives the number of bytes read so far and in all, any thread may call it, and it may stop the run.
pub(crate) type OnProgress<'p> = dyn Fn(u64, u64) -> ControlFlow<()> + Sync + 'p;

/// The numbers of a run that the threads share.
struct Counters<'p> {
    read: AtomicU64,
    all: u64,
    progress: &'p OnProgress<'p>,
}

impl ReshardPlan<'_> {
    /// Writes the files of the target into a folder, which is created if it does not exist.
    ///
    /// Files get their names after all of them are written and synced. If the run is stopped or killed, the same run continues where
    /// the journal in the folder ends. With `fresh`, it discards an unfinished run instead. `progress` receives the number of bytes
    /// read so far and in all, from any thread; it stops the run by `ControlFlow::Break`.
    ///
    /// # Errors
    /// Fails if a file of the target exists, if the folder has an unfinished run of other arguments, if the system refuses to read
    /// or write, and with [`CheckpointError::Stopped`] if `progress` stops the run.
    pub fn run(&self, folder: &Path, fresh: bool, progress: &(dyn Fn(u64, u64) -> ControlFlow<()> + Sync)) -> Result<()> {
        fs::create_dir_all(folder).map_err(CheckpointError::io(folder))?;
        self.check(folder)?;
        let index = self.index.iter().map(|(name, _)| name);
        let names: Vec<String> = self.files.iter().map(|file| &file.name).chain(index).cloned().collect();
        let mut journal = Journal::open(folder, self.arguments()?, names, fresh)?;
        if !journal.naming {
            let handles = self.create(folder, &journal)?;
            on_threads(self.threads, || self.write(&handles, &mut journal, progress))?;
            journal.begin_naming()?;
        }
        self.name(folder)?;
        journal.finish()
    }

    /// Fails if the target is a folder of the source, or if readers of the target would read older files of whole tensors instead.
    fn check(&self, folder: &Path) -> Result<()> {
        let place = folder.canonicalize().map_err(CheckpointError::io(folder))?;
        let sources = self.source.files.iter().filter_map(|file| file.handle.path.parent()?.canonicalize().ok());
        if sources.into_iter().any(|source| source == place) {
            return Err(CheckpointError::target(folder, "the files of the source are there: choose another folder"));
        }
        // Each of both would read the files of the other.
        let source = self.source.folder.canonicalize().map_err(CheckpointError::io(&self.source.folder))?;
        let lists = |spec: &CheckpointSpec| spec.has_file_for_each_tensor();
        if lists(&self.source.spec) && place.starts_with(&source) || lists(&self.spec) && source.starts_with(&place) {
            return Err(CheckpointError::target(folder, "one of source and target is in the other: choose another folder"));
        }
        let older = [SINGLE, INDEX].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
        match older.filter(|_| self.spec.is_hugging_face() && !folder.join(crate::journal::NAME).exists()) {
            Some(older) => {
                Err(CheckpointError::target(&older, "readers would take it for this checkpoint: remove it, or choose another folder"))
            }
            None => Ok(()),
        }
    }

    /// Returns the arguments of the run and the state of its source, by the names that messages use.
    fn arguments(&self) -> Result<BTreeMap<String, Value>> {
        let mut sources = vec![];
        for file in &self.source.files {
            let path = &file.handle.path;
            let io = CheckpointError::io(path);
            let changed = fs::metadata(path).and_then(|about| about.modified()).map_err(&io)?;
            let changed = changed.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
            sources.push(json!([path.canonicalize().map_err(&io)?.to_string_lossy(), file.len, changed.to_string()]));
        }
        let pairs = [
            ("version", json!(1)),
            ("from", format!("{:?}", self.source.spec).into()),
            ("to", format!("{:?}", self.spec).into()),
            ("cast", self.options.cast.map(|dtype| dtype.to_string()).into()),
            ("shard size", self.options.shard_size.into()),
            ("memory", self.block_bytes.into()),
            ("source files", sources.into()),
        ];
        Ok(pairs.map(|(key, value)| (key.to_string(), value)).into_iter().collect())
    }

    /// Creates the partial files with their headers, unless a run continues. Fails if a partial file of an earlier run is missing.
    fn create(&self, folder: &Path, journal: &Journal) -> Result<Vec<Handle>> {
        let mut handles = vec![];
        for file in &self.files {
            let path = partial(folder, &file.name);
            let io = CheckpointError::io(&path);
            if journal.blocks == 0 {
                let parent = path.parent().unwrap_or(folder);
                fs::create_dir_all(parent).map_err(&io)?;
            } else if fs::metadata(&path).map_err(&io)?.len() != file.len {
                return Err(CheckpointError::target(&path, "another program has changed it: begin anew by `--fresh`"));
            }
            // The header of a file may be lost until blocks of it are synced: a continued run writes it again.
            let begin = || {
                let out = File::options().write(true).create(true).truncate(journal.blocks == 0).open(&path)?;
                out.set_len(file.len)?;
                write_at(&out, &file.header, 0)
            };
            begin().map_err(|error| self.full(&path, &error))?;
            handles.push(Handle::new(path, true, self.files.len()));
        }
        Ok(handles)
    }

    /// Returns the error of a write, with the number of bytes that the target needs.
    fn full(&self, path: &Path, error: &io::Error) -> CheckpointError {
        let reason =
            format!("{error}: the target needs {} bytes in all; the same run continues where this one ended", self.bytes_written());
        CheckpointError::Io { path: path.into(), reason }
    }

    /// Writes all blocks that the journal does not have yet.
    fn write(&self, handles: &[Handle], journal: &mut Journal, progress: &OnProgress) -> Result<()> {
        let numbers = |(number, tensor): (usize, &TargetTensor)| (0..tensor.blocks.len()).map(move |block| (number, block));
        let all: Vec<(usize, usize)> = self.tensors.iter().enumerate().flat_map(numbers).collect();
        let sizes: Vec<u64> = all.iter().map(|(number, block)| self.bytes_of(*number, &self.tensors[*number].blocks[*block])).collect();
        let done: u64 = sizes.iter().take(journal.blocks).sum();
        let counters = Counters { read: done.into(), all: self.bytes_read(), progress };
        // One thread more syncs a group while the others write the next one.
        let (mut synced, mut written) = (journal.blocks, journal.blocks);
        while journal.blocks < all.len() {
            let group = self.group(written, &sizes);
            let (before, now) = std::thread::scope(|scope| {
                let before = scope.spawn(|| self.sync(&all[synced..written], handles));
                let now = all[group.clone()].par_iter().try_for_each(|(number, block)| self.one(*number, *block, handles, &counters));
                (before.join(), now)
            });
            before.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            if written > journal.blocks {
                journal.written(written)?;
            }
            now?;
            (synced, written) = (written, group.end);
        }
        Ok(())
    }

    /// Syncs all files that have some of these blocks.
    fn sync(&self, blocks: &[(usize, usize)], handles: &[Handle]) -> Result<()> {
        let files: BTreeSet<usize> =
            blocks.iter().flat_map(|(number, _)| self.tensors[*number].parts.iter().map(|part| part.file)).collect();
        files.iter().try_for_each(|file| handles[*file].with(File::sync_data).map_err(|error| self.full(&handles[*file].path, &error)))
    }

    /// Returns the number of bytes to read for a block.
    fn bytes_of(&self, number: usize, block: &Block) -> u64 {
        let tensor = &self.source.tensors[number];
        crate::block::elements(block) as u64 * tensor.element_bytes() * tensor.summands.len() as u64
    }

    /// Returns the numbers of the blocks from `first` to the next entry of the journal.
    fn group(&self, first: usize, sizes: &[u64]) -> Range<usize> {
        let (mut end, mut bytes) = (first, 0);
        while end < sizes.len() && bytes < self.options.journal_bytes.max(1) {
            bytes += sizes[end];
            end += 1;
        }
        first..end
    }

    /// Reads a block and writes it to all files that have some of it.
    fn one(&self, number: usize, block: usize, handles: &[Handle], counters: &Counters) -> Result<()> {
        let (source, target) = (&self.source.tensors[number], &self.tensors[number]);
        let block = &target.blocks[block];
        let bytes = self.source.block(source, block, self.options.cast)?;
        let size = after(source.dtype(), self.options.cast).bitsize() / 8;
        let mut buffer = vec![];
        for part in &target.parts {
            let Some(share) = part.share(block) else { continue };
            let (len, at) = (share.len as usize * size, part.offset + share.first as u64 * size as u64);
            let stretch = match share.contiguous() {
                Some(first) => &bytes[first * size..][..len],
                None => {
                    buffer.clear();
                    share.runs(&mut |first, count| buffer.extend_from_slice(&bytes[first * size..][..count * size]));
                    &buffer[..]
                }
            };
            let handle = &handles[part.file];
            let failed = |error: io::Error| self.full(&handle.path, &error);
            handle.with(|file| write_at(file, stretch, at)).map_err(failed)?;
        }
        let bytes = self.bytes_of(number, block);
        let read = counters.read.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if (counters.progress)(read, counters.all).is_break() { Err(CheckpointError::Stopped) } else { Ok(()) }
    }

    /// Gives all files their names. Files that an earlier run has named already stay.
    fn name(&self, folder: &Path) -> Result<()> {
        let mut folders = BTreeSet::from([folder.to_path_buf()]);
        for file in &self.files {
            let (from, to) = (partial(folder, &file.name), folder.join(&file.name));
            folders.extend(to.parent().map(Path::to_path_buf));
            match (from.exists(), fs::symlink_metadata(&to).is_ok()) {
                (true, false) => {
                    // The headers of files without elements are not synced yet.
                    let named =
                        File::options().write(true).open(&from).and_then(|file| file.sync_all()).and_then(|()| fs::rename(&from, &to));
                    named.map_err(CheckpointError::io(&to))?;
                }
                (false, true) => {}
                (true, true) => {
                    return Err(CheckpointError::target(&to, "another program has written it during the run: remove it, and run again"));
                }
                (false, false) => return Err(CheckpointError::target(&from, "another program has removed it: begin anew by `--fresh`")),
            }
        }
        if let Some((name, text)) = &self.index {
            let path = folder.join(name);
            file_output::write(&path, |out| out.write_all(text.as_bytes())).map_err(CheckpointError::io(&path))?;
        }
        // Some systems cannot sync folders.
        folders.iter().filter_map(|folder| File::open(folder).ok()).for_each(|folder| drop(folder.sync_all()));
        Ok(())
    }
}
