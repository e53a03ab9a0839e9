//! Attention over pages beside gathering them first, and beside reading them as fast as they can be: `cargo bench -p sparse-formats --bench pages --features parallel,huge-pages -- [ROUNDS]`.
//!
//! Every round runs each in turn; times are those that the thread ran, the least of all rounds.

#[path = "../../examples/paged_attention/attention.rs"]
mod attention;
#[path = "../common/mod.rs"]
mod common;

use attention::{Cache, DIM};
use common::harness::time_twice;
use common::random::Rng;
use layout_core::{Int, Layout, make_layout};
use sparse_formats::paged::{PagedShape, PagedView};

const PAGE: usize = 16;
const HEADS: usize = 8;
/// Tokens of each sequence: 4096 of each pool are 16 MB.
const LENGTHS: [usize; 8] = [4096, 3000, 8191, 100, 16_000, 2049, 7000, 5555];

/// The sum of numbers in 64 parts: as fast as they are read.
fn read(numbers: &[f32]) -> f32 {
    let mut sums = [0.0; 64];
    for part in numbers.as_chunks::<64>().0 {
        sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
    }
    sums.iter().sum()
}

/// Numbers in memory like that of large arrays elsewhere.
fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut random = Rng(seed);
    let numbers: Vec<f32> = (0..len).map(|_| (random.word() >> 40) as f32 / (1 << 24) as f32).collect();
    match sparse_formats::Values::from(&numbers[..]).into_owned() {
        sparse_formats::Values::Each(copy) => copy.into_owned(),
        _ => unreachable!("as many values as numbers"),
    }
}

fn measure<L: Layout>(name: &str, layout: L, rounds: usize) {
    let mut random = Rng(3);
    let counts: Vec<usize> = LENGTHS.iter().map(|length| length.div_ceil(PAGE)).collect();
    let pool = counts.iter().sum::<usize>();
    let table: Vec<u32> = random.permutation(pool).into_iter().map(|page| page as u32).collect();
    let offsets: Vec<u32> = (0..=counts.len()).map(|k| counts[..k].iter().sum::<usize>() as u32).collect();
    let shape = PagedShape::from_offsets(Int::<PAGE>, pool, &LENGTHS, offsets, table).expect("a table");
    let (keys, values) = (numbers(pool * PAGE * HEADS * DIM, 1), numbers(pool * PAGE * HEADS * DIM, 2));
    let view = |data| PagedView::new(&shape, layout, data).expect("a pool");
    let cache = Cache::new(view(&keys), view(&values), layout).expect("heads next to one another");
    let queries = numbers(LENGTHS.len() * HEADS * DIM, 5);
    let decode = |attend: &Attend| {
        let mut out = vec![0.0; queries.len()];
        for (sequence, (queries, out)) in queries.chunks(HEADS * DIM).zip(out.chunks_mut(HEADS * DIM)).enumerate() {
            attend(sequence, &[LENGTHS[sequence]], queries, out);
        }
        out
    };
    // Gathered tokens are the pages of one sequence each, token by token.
    let tokens: Vec<usize> = LENGTHS.to_vec();
    let gathered = |keys: &[f32], values: &[f32]| {
        let mut first = 0;
        let mut out = vec![0.0; queries.len()];
        for (sequence, length) in tokens.iter().enumerate() {
            let of = |data| -> PagedView<'_, f32, _, u32, usize> {
                PagedView::new(SHAPES.get().map(|all| &all[sequence]).expect("made"), packed(*length), data).expect("tokens")
            };
            let range = first * HEADS * DIM..(first + length) * HEADS * DIM;
            let cache = Cache::new(of(&keys[range.clone()]), of(&values[range]), packed(*length)).expect("heads next to one another");
            let part = sequence * HEADS * DIM..(sequence + 1) * HEADS * DIM;
            cache.attend(0, &[*length], &queries[part.clone()], &mut out[part]);
            first += length;
        }
        out
    };
    let (mut least, mut check) = ([f64::INFINITY; 5], Vec::new());
    let bytes = LENGTHS.iter().sum::<usize>() * HEADS * DIM * 8;
    let (mut spare_keys, mut spare_values) = (view(&keys).gather().expect("memory"), view(&values).gather().expect("memory"));
    for _ in 0..rounds {
        let mut run = |k: usize, f: &mut dyn FnMut() -> Vec<f32>| {
            let time = time_twice(|| check.push(f()))[1];
            least[k] = least[k].min(time);
        };
        run(0, &mut || vec![read(&keys) + read(&values)]);
        run(1, &mut || decode(&|sequence, seen, queries, out| cache.attend(sequence, seen, queries, out)));
        run(2, &mut || gathered(&view(&keys).gather().expect("memory"), &view(&values).gather().expect("memory")));
        run(3, &mut || {
            view(&keys).gather_into(&mut spare_keys).expect("as many");
            view(&values).gather_into(&mut spare_values).expect("as many");
            gathered(&spare_keys, &spare_values)
        });
        run(4, &mut || gathered(&spare_keys, &spare_values));
        let (pages, contiguous) = (&check[check.len() - 4], &check[check.len() - 3]);
        assert!(pages.iter().zip(contiguous).all(|(a, b)| (a - b).abs() < 1e-4), "the same attention");
        check.clear();
    }
    let [read, pages, gather, reused, contiguous] = least;
    println!(
        "{name}: {} MB read {read:.1} ms ({:.1} GB/s), decode over pages {pages:.1} ({:.2} of the bandwidth), gathered first {gather:.1} ({:.2}), into memory in use {reused:.1} ({:.2}), computing alone {contiguous:.1}",
        bytes >> 20,
        bytes as f64 / read / 1e6,
        read / pages,
        gather / pages,
        reused / pages,
    );
}

/// One page with all tokens of each sequence.
static SHAPES: std::sync::OnceLock<Vec<PagedShape<'static>>> = std::sync::OnceLock::new();

/// Tokens one after the other.
fn packed(length: usize) -> impl Layout {
    make_layout((length, Int::<HEADS>, Int::<DIM>), (Int::<{ HEADS * DIM }>, Int::<DIM>, Int::<1>))
}

/// Attention of a sequence: its number, its length so far, the query, the result.
type Attend<'a> = dyn Fn(usize, &[usize], &[f32], &mut [f32]) + 'a;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rounds = arguments.first().and_then(|n| n.parse().ok()).unwrap_or(7);
    let one = |length: &usize| PagedShape::from_rectangle(*length, 1, &[*length], 1, vec![0_u32]).expect("one page");
    SHAPES.get_or_init(|| LENGTHS.iter().map(one).collect());
    let (page, heads, dim) = (Int::<PAGE>, Int::<HEADS>, Int::<DIM>);
    measure("token by token", make_layout((page, heads, dim), (Int::<{ HEADS * DIM }>, Int::<DIM>, Int::<1>)), rounds);
    measure("head by head", make_layout((page, heads, dim), (Int::<DIM>, Int::<{ PAGE * DIM }>, Int::<1>)), rounds);
}
