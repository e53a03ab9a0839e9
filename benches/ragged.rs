//! Chains of a ragged level, and copies: 10 000 000 leaves in 1 000 000 rows, either of one length or of lengths
//! by a power law. Run `cargo bench --bench ragged`. Operations that other libraries also have are measured in
//! `ragged-arrays/benches/ragged`.

use criterion::{Criterion, criterion_group, criterion_main};
use layout_levels::{Cursor, End, Fixed, Ragged, Root, Table, Then};
use ragged_arrays::RaggedArray;
use std::hint::black_box;

const ROWS: usize = 1_000_000;
const LEAVES: usize = 10_000_000;

/// Returns the lengths of `ROWS` rows by a power law: half of the rows are empty, and one has more than a tenth of all
/// leaves.
fn power_law() -> Vec<usize> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let weights: Vec<f64> = (0..ROWS).map(|_| random().max(1e-6).powf(-0.95)).collect();
    let mut lengths: Vec<usize> = weights.iter().map(|w| 2 * (w * 0.49) as usize).collect();
    // The longest row gets the remaining leaves.
    let longest = (0..ROWS).max_by_key(|row| lengths[*row]).unwrap_or(0);
    lengths[longest] += LEAVES - lengths.iter().sum::<usize>();
    lengths
}

fn ragged(c: &mut Criterion) {
    for (name, lengths) in [("uniform", vec![LEAVES / ROWS; ROWS]), ("power", power_law())] {
        let longest = lengths.iter().max().copied().unwrap_or(0);
        println!("{name}: longest {longest}, {} empty", lengths.iter().filter(|len| **len == 0).count());
        let leaves: Vec<f64> = (0..LEAVES).map(|k| (k % 1000) as f64).collect();
        let array = RaggedArray::from_lengths(lengths.clone(), leaves).expect("lengths");
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        group.bench_function("reverse axis 1", |b| b.iter(|| black_box(array.reverse(1))));
        group.bench_function("reverse axis 0", |b| b.iter(|| black_box(array.reverse(0))));
        if longest < 100 {
            group.bench_function("padded", |b| b.iter(|| black_box(array.to_padded(&0.0))));
        }
        let offsets: Vec<u32> = array.shape().offsets()[0].iter().map(|x| *x as u32).collect();
        let rows = Ragged::new(&offsets[..]).expect("offsets");
        let table = Table::<Vec<u32>>::of(&offsets).expect("rows fit");
        let by_search = Root::new(Then(Fixed::new(ROWS), Then(rows, End))).expect("a chain");
        let by_cursor = Root::new(Then(Fixed::new(ROWS), Then(rows.inverted(Cursor::default()).expect("offsets"), End))).expect("a chain");
        let by_table = Root::new(Then(Fixed::new(ROWS), Then(rows.inverted(table).expect("its own"), End))).expect("a chain");
        macro_rules! decompose {
            ($name:literal, $chain:ident) => {
                group.bench_function($name, |b| {
                    b.iter(|| {
                        (0..LEAVES).fold(0, |sum: usize, k| {
                            let (i, (j, ())) = $chain.decompose(k);
                            sum.wrapping_add(i ^ j)
                        })
                    })
                });
            };
        }
        decompose!("decompose search", by_search);
        decompose!("decompose cursor", by_cursor);
        decompose!("decompose table", by_table);
        group.bench_function("chain for_each", |b| {
            b.iter(|| {
                let mut sum = 0_usize;
                by_search.for_each(|(i, (j, ())), _| sum = sum.wrapping_add(i ^ j));
                black_box(sum)
            })
        });
        group.bench_function("chain iter", |b| {
            b.iter(|| {
                let mut sum = 0_usize;
                for ((i, (j, ())), _) in by_search.iter() {
                    sum = sum.wrapping_add(i ^ j);
                }
                black_box(sum)
            })
        });
        group.finish();
    }
}

criterion_group!(benches, ragged);
criterion_main!(benches);
