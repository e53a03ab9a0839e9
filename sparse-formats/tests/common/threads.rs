//! Runs on several numbers of threads.
#![allow(dead_code, reason = "each test uses a part")]

/// Returns the result of `run`. With the feature `parallel`, checks that it is the same on 2 and on 7 threads.
pub fn on_threads<T: PartialEq + std::fmt::Debug + Send>(run: impl Fn() -> T + Sync) -> T {
    let result = run();
    #[cfg(feature = "parallel")]
    {
        static POOLS: std::sync::LazyLock<Vec<rayon::ThreadPool>> = std::sync::LazyLock::new(|| {
            [2, 7].iter().map(|&threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")).collect()
        });
        for pool in POOLS.iter() {
            assert!(pool.install(&run) == result, "{} threads", pool.current_num_threads());
        }
    }
    result
}
