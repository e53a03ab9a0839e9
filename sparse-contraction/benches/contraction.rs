//! Times expressions of the literature on tensors of about a million elements, beside the kernel alone or a loop over pairs of
//! elements by hand, and prints the ratios. `cargo bench -p sparse-contraction`

use sparse_contraction::{Contraction, Factor, explain};
use sparse_formats::{Builder, Duplicates, Format, Indices, SparseTensor, mttkrp, spgemm, ttm};
use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The number of elements of the tensors, as far as their extents allow.
const ELEMENTS: u64 = 1_000_000;

/// Returns a random tensor, the same in every run.
fn random(seed: u64, shape: &[u64], count: u64) -> SparseTensor<'static, f64> {
    let mut word = seed;
    let mut below = |end: u64| {
        word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (word >> 33) % end
    };
    let columns: Vec<Indices> =
        shape.iter().map(|extent| Indices::narrowest(&(0..count).map(|_| below(*extent)).collect::<Vec<_>>())).collect();
    let values: Vec<f64> = (0..count).map(|_| below(100) as f64 / 100.0).collect();
    let format = if shape.len() == 2 { Format::csr() } else { Format::csf(shape.len()) };
    Builder::new(format, 0.0).duplicates(Duplicates::sum()).build(shape, &columns, values).expect("a tensor")
}

/// Returns the least time of three runs.
fn least(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..3).map(time).min().unwrap_or_default()
}

/// Prints the time of a contraction, and its ratio to the time of `other`.
fn compare(subscripts: &str, factors: &[Factor<f64>], name: &str, other: impl FnMut()) {
    let plan = explain(subscripts, factors).expect("a plan");
    let kernels: Vec<&str> = plan.steps().iter().map(|step| step.kernel().name()).collect();
    let ours = least(|| drop(black_box(Contraction::new(subscripts).run(factors).expect(subscripts))));
    let other = least(other);
    let ratio = ours.as_secs_f64() / other.as_secs_f64();
    println!("{subscripts:<20} {:<20} {ours:>10.1?}   {name:<20} {other:>10.1?}   {ratio:.2}", kernels.join(", "));
}

/// Multiplies two matrices by a hash table of their products.
fn by_hash(a: &SparseTensor<f64>, b: &SparseTensor<f64>) -> HashMap<(u64, u64), f64> {
    let mut rows: HashMap<u64, Vec<(u64, f64)>> = HashMap::new();
    b.for_each(|c, x| rows.entry(c[0]).or_default().push((c[1], *x.unwrap_or(&0.0))));
    let mut sums = HashMap::new();
    a.for_each(|c, x| {
        for (column, y) in rows.get(&c[1]).into_iter().flatten() {
            *sums.entry((c[0], *column)).or_default() += x.unwrap_or(&0.0) * y;
        }
    });
    sums
}

fn main() {
    println!("{:<20} {:<20} {:>10}   {:<20} {:>10}   ratio", "expression", "kernels", "time", "beside", "time");
    let cube = random(1, &[1000, 1000, 1000], ELEMENTS);
    let four = random(2, &[200, 200, 200, 200], ELEMENTS);
    let graph = random(3, &[50_000, 50_000], ELEMENTS);
    let [b, c] = [4, 5].map(|seed| random(seed, &[1000, 1000], ELEMENTS / 10));
    let ones = vec![1.0; 1_000_000];
    let matrix = |rows, columns| (vec![rows, columns], &ones[..(rows * columns) as usize]);
    let (wide, narrow, tall) = (matrix(1000, 1000), matrix(200, 16), matrix(1000, 16));
    let [wide, narrow, tall] = [&wide, &narrow, &tall].map(|(shape, data)| Factor::Dense { shape, data });
    compare("ijk,jk->i", &[Factor::Sparse(&cube), wide], "a loop", || {
        let mut sums = vec![0.0; 1000];
        cube.for_each(|c, x| sums[c[0] as usize] += x.unwrap_or(&0.0) * ones[(c[1] * 1000 + c[2]) as usize]);
        drop(black_box(sums));
    });
    compare("ij,jk,ki->", &[Factor::Sparse(&graph); 3], "spgemm alone", || drop(black_box(spgemm(&graph, &graph))));
    let factor = &ones[..200 * 16];
    let factors = [&[][..], factor, factor, factor];
    compare("ijkl,jr,kr,lr->ir", &[Factor::Sparse(&four), narrow, narrow, narrow], "mttkrp", || {
        drop(black_box(mttkrp(&four, 0, &factors, 16)));
    });
    let chain = [Factor::Sparse(&b), Factor::Sparse(&c), Factor::Sparse(&b)];
    compare("ij,jk,kl->il", &chain, "spgemm twice", || drop(black_box(spgemm(&b, &c).and_then(|product| spgemm(&product, &b)))));
    compare("ij,jk->ik", &chain[..2], "a hash table", || drop(black_box(by_hash(&b, &c))));
    compare("ijk,jl,km->ilm", &[Factor::Sparse(&cube), tall, tall], "ttm twice", || {
        let first = ttm(&cube, 2, &ones[..16_000], 16).expect("a tensor");
        drop(black_box(ttm(&first, 1, &ones[..16_000], 16)));
    });
}
