//! Work that Ctrl-C ends.

use pyo3::prelude::*;
use sparse_files::Progress;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often signals are looked at.
const PATIENCE: Duration = Duration::from_millis(20);

/// What ends work that is to be ended.
struct Stopped;

/// Runs `work` on a thread of its own, while other threads of Python run and this one handles signals; what a handler raises ends the work where it next says how far it is.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(Progress) -> T + Send) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = stop.clone();
    // What is dropped on the way out may write, too.
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
