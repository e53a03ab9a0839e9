//! Pools of threads.

/// Runs `work` on this number of threads.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // Without threads of its own, the work runs on those of the process.
        Err(_) => work(),
    }
}
