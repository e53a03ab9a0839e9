//! Runs long work so that Ctrl-C ends it.

use pyo3::prelude::*;
use sparse_files::Progress;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The time between two checks for signals.
const PATIENCE: Duration = Duration::from_millis(20);

/// The payload of the unwind that ends the work.
struct Stopped;

/// Runs `work` on a new thread. Meanwhile other Python threads run, and this thread handles signals. If a signal handler raises an exception, the work ends at
/// its next progress report.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(Progress) -> T + Send) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = stop.clone();
    // During an unwind, destructors may write and report progress, too: do not unwind again.
    let progress = Progress::new(move |_, _| {
        if told.load(Ordering::Relaxed) && !thread::panicking() {
            resume_unwind(Box::new(Stopped));
        }
    });
    py.detach(|| {
        thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            let worker = scope.spawn(move || {
                let _done = done;
                work(progress)
            });
            let mut raised = None;
            while raised.is_none() && finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                raised = Python::attach(|py| py.check_signals()).err();
            }
            stop.store(raised.is_some(), Ordering::Relaxed);
            match (worker.join(), raised) {
                (_, Some(raised)) => Err(raised),
                (Ok(done), None) => Ok(done),
                (Err(panic), None) => resume_unwind(panic),
            }
        })
    })
}
