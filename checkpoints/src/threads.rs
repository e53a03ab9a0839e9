//! Pools of threads.

/// Runs `work` on this number of threads.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // The system has no more threads: the work runs on the threads of the process.
        Err(_) => work(),
    }
}
