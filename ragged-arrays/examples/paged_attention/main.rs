//! Computes attention over keys and values in pages, without gathering them. Three sequences are prefilled, two of
//! which share a prompt, and then decoded token by token.
//!
//! `cargo run --release -p ragged-arrays --example paged_attention`

mod attention;

use attention::{Cache, DIM};
use layout_core::{Int, Layout, Strided};
use ragged_arrays::paged::{Appender, PagedShape, PagedView};

const HEADS: usize = 2;
/// Number of query heads for each head of the keys.
const GROUP: usize = 2;
const PAGE: usize = 16;
const POOL: usize = 12;

/// Returns a number of a token that is the same in every run.
fn number(sequence: usize, token: usize, k: usize, salt: usize) -> f32 {
    // The first 32 tokens of sequences 0 and 1 are the same prompt.
    let sequence = if token < 32 { sequence.max(1) } else { sequence };
    let x = (sequence * 1_000_003 + token * 8191 + k * 131 + salt * 7).wrapping_mul(2_654_435_761) >> 7;
    (x % 2048) as f32 / 1024.0 - 1.0
}

/// Returns attention of one query over the first `seen` tokens, in double precision and without pages.
fn naive(sequence: usize, seen: usize, head: usize, query: &[f32]) -> Vec<f64> {
    let score = |token: usize| {
        let dot: f64 = (0..DIM).map(|d| f64::from(query[d]) * f64::from(number(sequence, token, head * DIM + d, 1))).sum();
        dot / (DIM as f64).sqrt()
    };
    let scores: Vec<f64> = (0..seen).map(score).collect();
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| (score - greatest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    (0..DIM)
        .map(|d| weights.iter().enumerate().map(|(t, w)| w * f64::from(number(sequence, t, head * DIM + d, 2))).sum::<f64>() / sum)
        .collect()
}

/// The layout (slot, head, dim) of a page, head by head.
type PageLayout = Strided<(Int<PAGE>, Int<HEADS>, Int<DIM>), (Int<DIM>, Int<{ PAGE * DIM }>, Int<1>)>;

/// The pool of keys and values.
struct Pool {
    keys: Vec<f32>,
    values: Vec<f32>,
}

impl Pool {
    /// Writes the elements of a token to its slot.
    fn write(&mut self, sequence: usize, token: usize, slot: usize) {
        let (page, slot) = (slot / PAGE * PAGE * HEADS * DIM, slot % PAGE);
        for k in 0..HEADS * DIM {
            let at = page + PageLayout::default().crd2idx((slot, k / DIM, k % DIM));
            (self.keys[at], self.values[at]) = (number(sequence, token, k, 1), number(sequence, token, k, 2));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let layout = PageLayout::default();
    let mut pool = Pool { keys: vec![0.0; POOL * layout.size()], values: vec![0.0; POOL * layout.size()] };
    // Sequences 0 and 1 begin with pages 7 and 3; the rest of their rows is in reserve.
    let table = vec![7_u32, 3, 0, 9, 7, 3, 5, 2, 10, 1, 4, 6];
    let shape = PagedShape::from_rectangle(Int::<PAGE>, POOL, &[32, 32, 0], 4, table)?;
    for token in 0..32 {
        pool.write(1, token, shape.slot(1, token)?);
    }
    let mut sequences = Appender::new(shape)?;
    let mut worst = 0.0_f64;
    // First append the other tokens of each prompt, then one token at a time.
    for (step, new) in [[6, 3, 17], [1; 3], [1; 3], [1; 3]].iter().enumerate() {
        for (sequence, new) in new.iter().enumerate() {
            for _ in 0..*new {
                let token = sequences.shape().lengths()[sequence];
                pool.write(sequence, token, sequences.append(sequence)?);
            }
        }
        let shape = sequences.shape();
        let cache = Cache::new(PagedView::new(shape, layout, &pool.keys)?, PagedView::new(shape, layout, &pool.values)?, layout);
        let cache = cache.ok_or("the numbers of a head are next to one another")?;
        // The pairs of new tokens and the tokens that each one sees: two ragged axes.
        let pairs = shape.causal_pairs(new)?;
        let mut first = 0;
        for (sequence, new) in new.iter().enumerate() {
            let seen: Vec<usize> = (first..first + new).map(|query| pairs.row(1, query).len()).collect();
            first += new;
            let queries: Vec<f32> = (0..seen.len() * HEADS * GROUP * DIM).map(|k| number(sequence, step, k, 3)).collect();
            let mut out = vec![0.0; queries.len()];
            cache.attend(sequence, &seen, &queries, &mut out);
            for (at, (query, out)) in queries.chunks(DIM).zip(out.chunks(DIM)).enumerate() {
                let expected = naive(sequence, seen[at / (HEADS * GROUP)], at / GROUP % HEADS, query);
                worst = out.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()).fold(worst, f64::max);
            }
        }
        let pages = sequences.uses().iter().filter(|uses| **uses > 0).count();
        println!("step {step}: {:?} tokens in {pages} pages, {} pairs", shape.lengths(), pairs.count(2));
    }
    println!("greatest difference from attention without pages: {worst:.1e}");
    if worst < 1e-5 { Ok(()) } else { Err("attention over pages differs".into()) }
}
