//! Random numbers, and runs on several numbers of threads.

/// splitmix64
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `extent`; 0 where it is 0.
    #[allow(dead_code)]
    pub fn below(&mut self, extent: u64) -> u64 {
        self.next().checked_rem(extent).unwrap_or(0)
    }
}

/// The result of `run`, which is the same on 2 and 7 threads where there may be several.
#[allow(dead_code)]
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
