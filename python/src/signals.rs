//! Runs long work so that Ctrl-C ends it.

use crd2idx::sparse::Watcher;
use pyo3::prelude::*;
use sparse_files::Progress;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The time between two checks for signals.
const PATIENCE: Duration = Duration::from_millis(20);

/// The payload of the unwind that ends the work.
struct Stopped;

/// Runs `work` on a new thread. Meanwhile other Python threads run, and this thread handles signals. If a signal handler raises an exception, the work ends at
/// its next progress report. This thread also calls `report` with the numbers of bytes done and expected, when they change; an exception of it ends the work too.
pub fn interruptible<T: Send>(py: Python<'_>, report: Option<&Py<PyAny>>, work: impl FnOnce(Progress) -> T + Send) -> PyResult<T> {
    reporting(py, report, |told| {
        work(Progress::new(move |done, all| {
            // During an unwind, destructors may report progress, too: this does not unwind again.
            if told.report(done, all).is_break() && !thread::panicking() {
                resume_unwind(Box::new(Stopped));
            }
        }))
    })
}

/// The progress of work on another thread.
#[derive(Clone, Default)]
pub struct Told(Arc<(AtomicBool, [AtomicU64; 2])>);

impl Told {
    /// Reports the numbers done and expected so far. Tells the work to end if an exception was raised.
    pub fn report(&self, done: u64, all: u64) -> ControlFlow<()> {
        let (stop, numbers) = &*self.0;
        numbers[0].fetch_max(done, Ordering::Relaxed);
        numbers[1].fetch_max(all, Ordering::Relaxed);
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs `work` as [`interruptible`] does. The work ends itself if a report returns `Break`.
pub fn reporting<T: Send>(py: Python<'_>, report: Option<&Py<PyAny>>, work: impl FnOnce(Told) -> T + Send) -> PyResult<T> {
    let told = Told::default();
    let (stop, numbers) = &*told.0;
    let mut last = [0; 2];
    let mut tell = |py: Python<'_>| -> PyResult<()> {
        let now = [0, 1].map(|k| numbers[k].load(Ordering::Relaxed));
        if let Some(report) = report
            && now != last
        {
            last = now;
            report.call1(py, (now[0], now[1]))?;
        }
        Ok(())
    };
    let given = told.clone();
    py.detach(|| attended(stop, &mut tell, || work(given)))
}

/// Runs a kernel on a new thread. Meanwhile this thread handles signals and other Python threads run. These may write to NumPy's arrays, so the kernel must own
/// its operands. If a signal handler raises an exception, the kernel ends at the next call of the watcher that it gets.
pub fn stoppable<T: Send>(py: Python<'_>, kernel: impl FnOnce(Watcher<'_>) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    py.detach(|| attended(&stop, &mut |_| Ok(()), || kernel(&|_| unwind_if(&stop))))
}

/// Unwinds if the work should end. During an unwind, destructors may report progress, too: this does not unwind again.
fn unwind_if(stop: &AtomicBool) {
    if stop.load(Ordering::Relaxed) && !thread::panicking() {
        resume_unwind(Box::new(Stopped));
    }
}

/// Runs `work` on a new thread. Until it ends, handles signals and calls `tell` from time to time. Sets `stop` if one of them raises an exception.
fn attended<T: Send>(
    stop: &AtomicBool,
    tell: &mut (dyn FnMut(Python<'_>) -> PyResult<()> + Send),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (done, finished) = channel::<()>();
        let worker = scope.spawn(move || {
            let _done = done;
            work()
        });
        let mut raised = None;
        while raised.is_none() && finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            raised = Python::attach(|py| py.check_signals().and_then(|()| tell(py))).err();
        }
        if raised.is_none() {
            raised = Python::attach(&mut *tell).err();
        }
        stop.store(raised.is_some(), Ordering::Relaxed);
        match (worker.join(), raised) {
            (_, Some(raised)) => Err(raised),
            (Ok(done), None) => Ok(done),
            (Err(panic), None) => resume_unwind(panic),
        }
    })
}
