//! Probes that measure the gain of two threads on this machine at this moment, with loops of the same bounds as the
//! operations.

use super::random::Rng;
use std::ops::Range;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

/// The resource that bounds a loop.
#[derive(Clone, Copy)]
pub enum Probe {
    /// Copies entries of 16 bytes to 256 runs in turn, in fresh memory.
    Scatter,
    /// Reads 8 MB in random order beside a stream of 12 bytes for each entry.
    Gather,
    /// Sums a stream of 8 bytes for each entry.
    Read,
    /// Copies a stream of 8 bytes for each entry to fresh memory.
    Copy,
    /// Fills fresh memory, 8 bytes for each entry.
    Fill,
    /// Fills memory in use, 8 bytes for each entry.
    Write,
    /// Computes in registers.
    Compute,
    /// Runs nothing: the operation has one thread.
    None,
}

const LEN: usize = 5_000_000;

fn numbers() -> &'static (Vec<u32>, Vec<f64>) {
    static NUMBERS: OnceLock<(Vec<u32>, Vec<f64>)> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let mut random = Rng(9);
        ((0..LEN).map(|_| (random.word() % 1_000_000) as u32).collect(), (0..LEN).map(|_| random.unit()).collect())
    })
}

/// Returns memory to write to, for each half.
fn spare() -> &'static [Mutex<Vec<u64>>; 2] {
    static SPARE: OnceLock<[Mutex<Vec<u64>>; 2]> = OnceLock::new();
    SPARE.get_or_init(|| std::array::from_fn(|_| Mutex::new(vec![1; LEN])))
}

fn scatter(entries: Range<usize>) -> f64 {
    let (keys, values) = (&numbers().0[entries.clone()], &numbers().1[entries]);
    let run = keys.len() / 250 * 2;
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

fn gather(entries: Range<usize>) -> f64 {
    let (keys, values) = numbers();
    keys[entries.clone()].iter().zip(&values[entries]).map(|(&key, value)| values[key as usize] * value).sum()
}

/// Sums numbers in eight accumulators, as fast as memory is read.
pub fn read(numbers: &[f64]) -> f64 {
    let (eights, rest) = numbers.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for eight in eights {
        sums.iter_mut().zip(eight).for_each(|(sum, x)| *sum += x);
    }
    sums.iter().chain(rest).sum()
}

fn compute() -> f64 {
    (0..4 * LEN as u64).fold([1u64, 2, 3, 4], |x, k| x.map(|x| (x ^ k).wrapping_mul(0x9E37_79B9_7F4A_7C15)))[0] as f64
}

impl Probe {
    /// Returns the milliseconds of two runs of the loop on the threads of the pool.
    pub fn time(self, pool: &rayon::ThreadPool) -> f64 {
        // Each half has its own entries, so neither finds in a cache what the other has read.
        let own = |half: usize| half * LEN / 2..(half + 1) * LEN / 2;
        let run = |half: usize| match self {
            Probe::Scatter => scatter(own(half)),
            Probe::Gather => gather(own(half)),
            Probe::Read => read(&numbers().1[own(half)]),
            Probe::Copy => std::hint::black_box(numbers().1.clone())[LEN / 2],
            Probe::Fill => {
                let mut out = vec![0u64; LEN];
                out.fill(std::hint::black_box(7));
                std::hint::black_box(&out)[LEN / 2] as f64
            }
            Probe::Write => {
                let mut out = spare()[half].lock().expect("no other thread");
                out.fill(std::hint::black_box(7));
                out[LEN / 2] as f64
            }
            Probe::Compute => compute(),
            Probe::None => f64::NAN,
        };
        if let Probe::None = self {
            return f64::NAN;
        }
        numbers();
        spare();
        let start = Instant::now();
        std::hint::black_box(pool.install(|| rayon::join(|| run(0), || run(1))));
        start.elapsed().as_secs_f64() * 1e3
    }
}
