//! What two threads give on this machine at this moment, on loops with the bounds of the operations.

use crate::data::Random;
use std::sync::OnceLock;
use std::time::Instant;

/// What bounds the loop.
#[derive(Clone, Copy)]
pub enum Probe {
    /// Entries of 16 bytes copied to 256 places in turn, into fresh memory.
    Scatter,
    /// Random reads from 8 MB beside a stream of 12 bytes an entry.
    Gather,
}

const LEN: usize = 5_000_000;

fn numbers() -> &'static (Vec<u32>, Vec<f64>) {
    static NUMBERS: OnceLock<(Vec<u32>, Vec<f64>)> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let mut random = Random(9);
        ((0..LEN).map(|_| (random.next() % 1_000_000) as u32).collect(), (0..LEN).map(|_| random.unit()).collect())
    })
}

fn scatter() -> f64 {
    let (keys, values) = numbers();
    let run = LEN / 250 * 2;
    let (mut out_keys, mut out_values) = (vec![0u32; 256 * run], vec![0f64; 256 * run]);
    let mut at = [0; 256];
    for (&key, &value) in keys.iter().zip(values) {
        let bucket = (key >> 12) as usize;
        let place = bucket * run + at[bucket];
        out_keys[place] = key;
        out_values[place] = value;
        at[bucket] += 1;
    }
    out_values[run]
}

fn gather() -> f64 {
    let (keys, values) = numbers();
    keys.iter().zip(values).map(|(&key, value)| values[key as usize] * value).sum()
}

impl Probe {
    /// Milliseconds of the loop done twice on the threads of the pool.
    pub fn time(self, pool: &rayon::ThreadPool) -> f64 {
        let run = || match self {
            Probe::Scatter => scatter(),
            Probe::Gather => gather(),
        };
        numbers();
        let start = Instant::now();
        std::hint::black_box(pool.install(|| rayon::join(run, run)));
        start.elapsed().as_secs_f64() * 1e3
    }
}
