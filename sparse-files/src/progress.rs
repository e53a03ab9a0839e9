//! Progress reports of reading and writing.

use std::fmt::{Debug, Formatter};
use std::io::{Read, Result, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A callback for the progress of reading or writing. It receives the number of bytes done and the number expected so
/// far, which is 0 if it is not known.
///
/// ```
/// use sparse_files::{Progress, ReadOptions};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// let last = Arc::new(AtomicU64::new(0));
/// let told = last.clone();
/// let progress = Progress::new(move |done, all| {
///     assert!(done <= all);
///     told.fetch_max(done, Ordering::Relaxed);
/// });
/// let text = b"1 1 0.5\n2 3 4\n".to_vec();
/// sparse_files::read_bytes(text.into(), "a.tns", &ReadOptions { progress, ..ReadOptions::default() })?;
/// assert_eq!(last.load(Ordering::Relaxed), 14);
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<ProgressState>>);

struct ProgressState {
    done: AtomicU64,
    all: AtomicU64,
    tell: Box<dyn Fn(u64, u64) + Send + Sync>,
}

impl Progress {
    /// Returns a callback that runs `tell`. Readers and writers call it repeatedly, from any thread, with the numbers of bytes
    /// done and expected. If `tell` unwinds, the work ends, and the file to write stays as it was.
    pub fn new(tell: impl Fn(u64, u64) + Send + Sync + 'static) -> Progress {
        Progress(Some(Arc::new(ProgressState { done: AtomicU64::new(0), all: AtomicU64::new(0), tell: Box::new(tell) })))
    }

    /// Adds to the number of expected bytes.
    pub(crate) fn expect(&self, bytes: usize) {
        if let Some(told) = &self.0 {
            told.all.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }

    /// Adds to the number of bytes done, and reports.
    pub(crate) fn add(&self, bytes: usize) {
        if let Some(told) = &self.0 {
            let done = told.done.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
            crate::isolate::passing(|| (told.tell)(done, told.all.load(Ordering::Relaxed)));
        }
    }
}

impl Debug for Progress {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(..)" } else { "Progress" })
    }
}

/// A reader or writer that reports the bytes it moves.
pub(crate) struct Counted<'p, S>(pub S, pub &'p Progress);

impl<S> Counted<'_, S> {
    fn count(&self, moved: Result<usize>) -> Result<usize> {
        moved.inspect(|bytes| self.1.add(*bytes))
    }
}

impl<S: Read> Read for Counted<'_, S> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        let read = self.0.read(bytes);
        self.count(read)
    }
}

impl<S: Write> Write for Counted<'_, S> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let written = self.0.write(bytes);
        self.count(written)
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

impl<S: Seek> Seek for Counted<'_, S> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.0.seek(to)
    }
}
