//! Brings new files to the disk in the background, while others are written.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// The number of threads. They wait for the disk, which writes the journal once for all files that wait together.
const THREADS: usize = 8;

/// Threads that flush files to the disk.
pub(crate) struct Durable {
    sender: Option<Mutex<Sender<PathBuf>>>,
    threads: Vec<JoinHandle<io::Result<()>>>,
    /// The folders of all files.
    folders: Mutex<BTreeSet<PathBuf>>,
    stopped: Arc<AtomicBool>,
}

impl Durable {
    /// Starts the threads. Fails if the system refuses.
    pub fn new() -> io::Result<Durable> {
        let (sender, receiver) = channel();
        let (receiver, stopped) = (Arc::new(Mutex::new(receiver)), Arc::new(AtomicBool::new(false)));
        let mut durable = Durable { sender: Some(Mutex::new(sender)), threads: Vec::new(), folders: Mutex::default(), stopped };
        for _ in 0..THREADS {
            let (receiver, stopped) = (receiver.clone(), durable.stopped.clone());
            durable.threads.push(std::thread::Builder::new().name("sync".into()).spawn(move || flush(&receiver, &stopped))?);
        }
        Ok(durable)
    }

    /// Begins to flush a file that is completely written. A missing file is ignored: chunks of fill values have none.
    pub fn begin(&self, path: PathBuf) {
        if let Some(parent) = path.parent() {
            let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
            if !folders.contains(parent) {
                folders.insert(parent.to_owned());
            }
        }
        if let Some(sender) = &self.sender {
            // The threads end early only with an error, which `finish` returns.
            let _ = sender.lock().unwrap_or_else(PoisonError::into_inner).send(path);
        }
    }

    /// Waits until all files, and their names in the folders within `root`, are on the disk. Fails if a file cannot be flushed.
    pub fn finish(mut self, root: &Path) -> io::Result<()> {
        self.sender = None;
        for thread in std::mem::take(&mut self.threads) {
            thread.join().map_err(|_| io::Error::other("a thread that flushes files panicked"))??;
        }
        let folders = std::mem::take(&mut *self.folders.lock().unwrap_or_else(PoisonError::into_inner));
        let within = folders.iter().flat_map(|folder| folder.ancestors().take_while(|folder| folder.starts_with(root)));
        for folder in within.collect::<BTreeSet<_>>() {
            // Some systems, like Windows, cannot flush folders.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

impl Drop for Durable {
    /// Stops the threads, so that nothing uses the files any more.
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.sender = None;
        for thread in std::mem::take(&mut self.threads) {
            let _ = thread.join();
        }
    }
}

/// Flushes the files that arrive, until no more can arrive. Fails with the first error.
fn flush(files: &Mutex<Receiver<PathBuf>>, stopped: &AtomicBool) -> io::Result<()> {
    loop {
        let next = files.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(path) = next else { return Ok(()) };
        if stopped.load(Ordering::Relaxed) {
            return Ok(());
        }
        // Windows flushes only files that are open for writing.
        match OpenOptions::new().write(true).open(path) {
            Ok(file) => file.sync_all()?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_flushed_and_errors_returned() {
        let folder = tempfile::tempdir().expect("a folder");
        let durable = Durable::new().expect("threads");
        for number in 0..100 {
            let path = folder.path().join(number.to_string());
            if number % 3 > 0 {
                std::fs::write(&path, "chunk").expect("a file");
            }
            durable.begin(path);
        }
        durable.finish(folder.path()).expect("all files");
        let durable = Durable::new().expect("threads");
        durable.begin(folder.path().to_owned());
        assert!(durable.finish(folder.path()).is_err(), "a folder is no file");
    }
}
