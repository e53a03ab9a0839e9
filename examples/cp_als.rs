//! CP-ALS: approximates a sparse tensor by a sum of products of vectors, one vector for each axis, by alternating
//! least squares. `cargo run --release --example cp_als -- 10000000` uses a tensor of ten million elements.
//!
//! A step solves for the factor of one axis:
//! `factor = mttkrp(tensor, other factors) * (elementwise product of their Gram matrices)^-1`.

use crd2idx::sparse::{Builder, Duplicates, Format, Indices, OperationError, SparseTensor, mttkrp};

/// The rank: the number of products of vectors.
const RANK: usize = 8;

/// A matrix of `RANK` by `RANK` numbers, by row and column.
type Square = [[f64; RANK]; RANK];

/// The random numbers of SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Returns a random number from 0.5 to 1.5.
    fn weight(&mut self) -> f64 {
        0.5 + (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Makes a tensor with about `elements` elements: a sum of `RANK` products of vectors that are mostly 0. Fails if the
/// tensor cannot be built.
fn made(elements: usize) -> Result<SparseTensor<'static, f64>, Box<dyn std::error::Error>> {
    let mut random = Random(1);
    let support = ((elements / RANK) as f64).cbrt().round().max(1.0) as usize;
    let extent = 50 * support;
    let (mut columns, mut values): ([Vec<u64>; 3], Vec<f64>) = Default::default();
    for _ in 0..RANK {
        let [first, second, third] =
            [(); 3].map(|()| (0..support).map(|_| (random.below(extent) as u64, random.weight())).collect::<Vec<_>>());
        for (i, a) in &first {
            for (j, b) in &second {
                for (k, c) in &third {
                    columns.iter_mut().zip([i, j, k]).for_each(|(column, at)| column.push(*at));
                    values.push(a * b * c);
                }
            }
        }
    }
    let columns = columns.map(Indices::from);
    Ok(Builder::new(Format::csf(3), 0.0).duplicates(Duplicates::sum()).build(&[extent as u64; 3], &columns, values)?)
}

/// Returns the Gram matrix of a factor: `sum over rows of row[i] * row[j]`.
fn gram(factor: &[f64]) -> Square {
    let mut out = [[0.0; RANK]; RANK];
    for row in factor.as_chunks::<RANK>().0 {
        for (out, x) in out.iter_mut().zip(row) {
            out.iter_mut().zip(row).for_each(|(out, y)| *out += x * y);
        }
    }
    out
}

/// Returns the elementwise product of `a` and `b`.
fn times(a: Square, b: Square) -> Square {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] * b[i][j]))
}

/// Returns the lower triangle `L` with `L transposed(L) = a`, for a positive definite `a`.
fn cholesky(a: Square) -> Square {
    let mut l: Square = [[0.0; RANK]; RANK];
    for i in 0..RANK {
        for j in 0..=i {
            let rest = a[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / l[j][j] };
        }
    }
    l
}

/// Replaces `row` by the solution `x` of `x L transposed(L) = row`.
fn solve(l: &Square, row: &mut [f64; RANK]) {
    for i in 0..RANK {
        row[i] = (row[i] - (0..i).map(|k| l[i][k] * row[k]).sum::<f64>()) / l[i][i];
    }
    for i in (0..RANK).rev() {
        row[i] = (row[i] - (i + 1..RANK).map(|k| l[k][i] * row[k]).sum::<f64>()) / l[i][i];
    }
}

/// Improves the factors of all axes once. Returns the norm of the remaining difference, relative to `norm`, the norm of the
/// tensor. Fails if the operation refuses the factors.
fn sweep(tensor: &SparseTensor<f64>, norm: f64, factors: &mut [Vec<f64>]) -> Result<f64, OperationError> {
    let mut left = norm;
    for axis in 0..factors.len() {
        let views: Vec<&[f64]> = factors.iter().map(Vec::as_slice).collect();
        let product = mttkrp(tensor, axis, &views, RANK)?;
        let others = (0..factors.len()).filter(|other| *other != axis).map(|other| gram(&factors[other]));
        let others = others.fold([[1.0; RANK]; RANK], times);
        let l = cholesky(others);
        let mut factor = product.clone();
        factor.as_chunks_mut::<RANK>().0.iter_mut().for_each(|row| solve(&l, row));
        // |X - M|^2 = |X|^2 - 2 <X, M> + |M|^2, where <X, M> is the product with the factor.
        let both: f64 = product.iter().zip(&factor).map(|(x, y)| x * y).sum();
        let model: f64 = times(others, gram(&factor)).iter().flatten().sum();
        left = (norm * norm - 2.0 * both + model).max(0.0).sqrt();
        factors[axis] = factor;
    }
    Ok(left / norm)
}

/// Finds the factors of a tensor that is made from known factors.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let elements = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let tensor = made(elements)?;
    let norm = (0..tensor.stored()).filter_map(|k| tensor.values().get(k)).map(|x| x * x).sum::<f64>().sqrt();
    println!("{:?}: {} elements", tensor.shape(), tensor.stored());
    let mut random = Random(2);
    // If two of the products converge to the same product, they stay together and another one is missing. Then try
    // another start.
    for start in 1..=20 {
        let mut factor = |extent: &u64| (0..*extent as usize * RANK).map(|_| random.weight() - 1.0).collect();
        let mut factors: Vec<Vec<f64>> = tensor.shape().iter().map(&mut factor).collect();
        let (mut left, mut before, mut sweeps) = (1.0, 2.0, 0);
        while left > 1e-6 && left < 0.999 * before {
            before = left;
            left = sweep(&tensor, norm, &mut factors)?;
            sweeps += 1;
        }
        if left <= 1e-6 {
            println!("start {start}: less than 1e-6 of it is left after {sweeps} sweeps");
            return Ok(());
        }
        println!("start {start}: {left:.2} of it is left");
    }
    Err("no start came to an end".into())
}
