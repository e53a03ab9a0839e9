//! The threads of the package. A process that was forked makes its own, because a fork has only the thread that called it.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem::forget;
use std::process;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{ThreadId, available_parallelism};

/// The number of elements from which on work is worth a change of thread.
const SMALL: usize = 1 << 14;

thread_local! {
    /// A pool that is this thread: parallel iterators run here, and no other thread has to wake up. Rayon never frees such a pool.
    static ALONE: Option<ThreadPool> = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
}

/// The thread that imported the package, the only one that becomes a pool.
static HOME: OnceLock<ThreadId> = OnceLock::new();

/// Remembers the thread that imports the package.
pub fn imported() {
    HOME.get_or_init(|| std::thread::current().id());
}

/// Threads, and the number of the process to which they belong.
struct Pool {
    process: u32,
    pool: Arc<ThreadPool>,
}

/// The threads, once work has needed them.
static POOL: Mutex<Option<Pool>> = Mutex::new(None);
/// The number that `set_threads` was given.
static WANTED: Mutex<Option<usize>> = Mutex::new(None);

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of threads: from `set_threads`, the environment variable `CRD2IDX_THREADS` or `RAYON_NUM_THREADS`, or one for each processor.
#[pyfunction]
pub fn get_threads() -> usize {
    let of = |name: &str| std::env::var(name).ok().and_then(|text| text.trim().parse().ok()).filter(|count| *count > 0);
    let wanted = *locked(&WANTED);
    wanted
        .or_else(|| of("CRD2IDX_THREADS"))
        .or_else(|| of("RAYON_NUM_THREADS"))
        .unwrap_or_else(|| available_parallelism().map_or(1, usize::from))
}

/// Returns the number of threads that `set_threads` set, or `None` if the default applies.
#[pyfunction]
pub fn wanted_threads() -> Option<usize> {
    *locked(&WANTED)
}

/// Sets the number of threads. `None` returns to the default.
#[pyfunction]
pub fn set_threads(count: Option<usize>) -> PyResult<()> {
    if count == Some(0) {
        return Err(PyValueError::new_err("the number of threads is 0; at least 1 is needed"));
    }
    *locked(&WANTED) = count;
    *locked(&POOL) = None;
    Ok(())
}

/// Returns the threads of this process.
fn pool() -> Option<Arc<ThreadPool>> {
    let mut held = locked(&POOL);
    match held.take() {
        Some(Pool { process, pool }) if process == process::id() => {
            *held = Some(Pool { process, pool: pool.clone() });
            return Some(pool);
        }
        // The threads of the parent do not exist here, and may have held locks of the pool: leave it as it is.
        Some(Pool { pool, .. }) => forget(pool),
        None => {}
    }
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(get_threads()).build().ok()?);
    *held = Some(Pool { process: process::id(), pool: pool.clone() });
    Some(pool)
}

/// Runs `work`, which processes `count` elements, with the threads of the package.
pub fn run<R: Send>(count: usize, work: impl FnOnce() -> R + Send) -> R {
    match if count < SMALL { None } else { pool() } {
        Some(pool) if pool.current_num_threads() == 1 && HOME.get() == Some(&std::thread::current().id()) => {
            ALONE.with(|alone| alone.as_ref().unwrap_or(&pool).install(work))
        }
        Some(pool) => pool.install(work),
        None => work(),
    }
}
