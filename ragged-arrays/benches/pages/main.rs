//! Measures attention over pages beside gathering the pages first, and beside reading them at full speed: `cargo bench
//! -p ragged-arrays --bench pages --features parallel,huge-pages -- [ROUNDS]`.
//!
//! There are two workloads: decoding, one token per sequence, on one thread and on two; and prefilling, the last
//! tokens of each sequence. Every round runs each variant in turn. Times are the least of all rounds: CPU time for one
//! thread, and clock time for two.

#[path = "../../examples/paged_attention/attention.rs"]
mod attention;
#[path = "../../../sparse-formats/benches/common/mod.rs"]
mod common;

use attention::{Cache, DIM};
use common::harness::time_twice;
use common::random::Rng;
use layout_core::{Int, Layout, make_layout};
use ragged_arrays::paged::{PagedShape, PagedView};

const PAGE: usize = 16;
const HEADS: usize = 8;
/// The number of tokens of each sequence. 4096 tokens of a pool are 16 MB. The last sequence fills its pages, so that
/// the pages of gathered tokens are exactly the tokens.
const LENGTHS: [usize; 8] = [4096, 3000, 8191, 100, 16_000, 2049, 7000, 5552];

/// Returns the sum of numbers in 64 partial sums: as fast as memory can be read.
fn read(numbers: &[f32]) -> f32 {
    let mut sums = [0.0; 64];
    for part in numbers.as_chunks::<64>().0 {
        sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
    }
    sums.iter().sum()
}

/// Returns numbers in memory like the memory of large arrays elsewhere.
fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut random = Rng(seed);
    let numbers: Vec<f32> = (0..len).map(|_| (random.word() >> 40) as f32 / (1 << 24) as f32).collect();
    match sparse_formats::Values::from(&numbers[..]).into_owned() {
        sparse_formats::Values::Each(copy) => copy.into_owned(),
        _ => unreachable!("as many values as numbers"),
    }
}

/// Runs `attend` on each sequence, the longest first, on `threads` threads. Each call gets its part of the queries and
/// of the result.
fn each_sequence(threads: usize, new: usize, queries: &[f32], attend: &Attend) -> Vec<f32> {
    let (mut out, part) = (vec![0.0; queries.len()], new * HEADS * DIM);
    let mut tasks: Vec<_> = queries.chunks(part).zip(out.chunks_mut(part)).enumerate().collect();
    tasks.sort_by_key(|(sequence, _)| LENGTHS[*sequence]);
    let tasks = std::sync::Mutex::new(tasks);
    let run = || {
        loop {
            let task = tasks.lock().expect("nobody panics").pop();
            let Some((sequence, (queries, out))) = task else { return };
            let new = new.min(LENGTHS[sequence]);
            let seen: Vec<usize> = (LENGTHS[sequence] - new + 1..=LENGTHS[sequence]).collect();
            attend(sequence, &seen, &queries[..new * HEADS * DIM], &mut out[..new * HEADS * DIM]);
        }
    };
    if threads == 1 {
        run();
    } else {
        rayon::join(run, run);
    }
    out
}

/// Runs both functions, on `threads` threads.
fn both<A: Send, B: Send>(threads: usize, a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if threads == 1 { (a(), b()) } else { rayon::join(a, b) }
}

/// Measures attention of the last `new` tokens of each sequence.
fn measure<L: Layout + Sync>(name: &str, layout: L, rounds: usize, threads: usize, new: usize) {
    let mut random = Rng(3);
    let counts: Vec<usize> = LENGTHS.iter().map(|length| length.div_ceil(PAGE)).collect();
    let pool = counts.iter().sum::<usize>();
    let table: Vec<u32> = random.permutation(pool).into_iter().map(|page| page as u32).collect();
    let offsets: Vec<u32> = (0..=counts.len()).map(|k| counts[..k].iter().sum::<usize>() as u32).collect();
    let shape = PagedShape::from_offsets(Int::<PAGE>, pool, &LENGTHS, offsets, table).expect("a table");
    let (keys, values) = (numbers(pool * PAGE * HEADS * DIM, 1), numbers(pool * PAGE * HEADS * DIM, 2));
    let view = |data| PagedView::new(&shape, layout, data).expect("a pool");
    let cache = Cache::new(view(&keys), view(&values), layout).expect("heads next to one another");
    let queries = numbers(LENGTHS.len() * new * HEADS * DIM, 5);
    let over_pages = || {
        each_sequence(threads, new, &queries, &|sequence, seen, queries: &[f32], out: &mut [f32]| {
            cache.attend(sequence, seen, queries, out)
        })
    };
    // Gathered tokens are computed in pages, too; these are consecutive.
    let firsts: Vec<usize> = (0..LENGTHS.len()).map(|k| LENGTHS[..k].iter().sum()).collect();
    let gathered = |keys: &[f32], values: &[f32]| {
        each_sequence(threads, new, &queries, &|sequence, seen, queries: &[f32], out: &mut [f32]| {
            let shape = &SHAPES.get().expect("made")[sequence];
            let range = firsts[sequence] * HEADS * DIM..(firsts[sequence] + shape.pool() * PAGE) * HEADS * DIM;
            let of = |data| PagedView::new(shape, packed(), data).expect("tokens");
            let cache = Cache::new(of(&keys[range.clone()]), of(&values[range]), packed()).expect("heads next to one another");
            cache.attend(0, seen, queries, out);
        })
    };
    let (mut least, mut check) = ([f64::INFINITY; 5], Vec::new());
    let bytes = LENGTHS.iter().sum::<usize>() * HEADS * DIM * 8;
    let (mut spare_keys, mut spare_values) = (view(&keys).gather().expect("memory"), view(&values).gather().expect("memory"));
    for _ in 0..rounds {
        let mut run = |k: usize, f: &mut dyn FnMut() -> Vec<f32>| {
            let time = time_twice(|| check.push(f()))[usize::from(threads == 1)];
            least[k] = least[k].min(time);
        };
        run(0, &mut || {
            let (a, b) = both(threads, || read(&keys), || read(&values));
            vec![a + b]
        });
        run(1, &mut || over_pages());
        run(2, &mut || {
            let (keys, values) = both(threads, || view(&keys).gather().expect("memory"), || view(&values).gather().expect("memory"));
            gathered(&keys, &values)
        });
        run(3, &mut || {
            let (first, second) = (&mut spare_keys, &mut spare_values);
            let (a, b) = both(threads, || view(&keys).gather_into(first), || view(&values).gather_into(second));
            a.and(b).expect("as many");
            gathered(&spare_keys, &spare_values)
        });
        run(4, &mut || gathered(&spare_keys, &spare_values));
        let (pages, contiguous) = (&check[check.len() - 4], &check[check.len() - 3]);
        assert!(pages.iter().zip(contiguous).all(|(a, b)| (a - b).abs() < 1e-4), "the same attention");
        check.clear();
    }
    let [read, pages, gather, reused, contiguous] = least;
    println!(
        "{name}, {new} new tokens, {threads} threads: {} MB read {read:.1} ms ({:.1} GB/s), over pages {pages:.1} ({:.2} of the bandwidth), gathered first {gather:.1} ({:.2}), into memory in use {reused:.1} ({:.2}), computing alone {contiguous:.1}",
        bytes >> 20,
        bytes as f64 / read / 1e6,
        read / pages,
        gather / pages,
        reused / pages,
    );
}

/// The structure of each sequence in consecutive pages.
static SHAPES: std::sync::OnceLock<Vec<PagedShape<'static, u32, Int<PAGE>>>> = std::sync::OnceLock::new();

/// Returns the layout of tokens one after the other.
fn packed() -> impl Layout + Sync {
    make_layout((Int::<PAGE>, Int::<HEADS>, Int::<DIM>), (Int::<{ HEADS * DIM }>, Int::<DIM>, Int::<1>))
}

/// Computes attention of a sequence from its number, the tokens that each query sees, the queries, and the result to write.
type Attend<'a> = dyn Fn(usize, &[usize], &[f32], &mut [f32]) + Sync + 'a;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rounds = arguments.first().and_then(|n| n.parse().ok()).unwrap_or(7_usize);
    let in_order = |length: &usize| {
        let pages = length.div_ceil(PAGE);
        PagedShape::from_rectangle(Int::<PAGE>, pages, &[*length], pages, (0..pages as u32).collect::<Vec<_>>()).expect("pages in order")
    };
    SHAPES.get_or_init(|| LENGTHS.iter().map(in_order).collect());
    let (page, heads, dim) = (Int::<PAGE>, Int::<HEADS>, Int::<DIM>);
    rayon::ThreadPoolBuilder::new().num_threads(2).build_global().expect("threads");
    for (threads, new, rounds) in [(1, 1, rounds), (2, 1, rounds), (1, 16, rounds.div_ceil(3))] {
        measure("token by token", make_layout((page, heads, dim), (Int::<{ HEADS * DIM }>, Int::<DIM>, Int::<1>)), rounds, threads, new);
        measure("head by head", make_layout((page, heads, dim), (Int::<DIM>, Int::<{ PAGE * DIM }>, Int::<1>)), rounds, threads, new);
    }
}
