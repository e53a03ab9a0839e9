//! The canonical polyadic decomposition of a sparse tensor by alternating least squares: a sum of outer products, one factor matrix after the other
//! (Kolda and Bader, 2009). All work on the tensor is one MTTKRP an axis, over one tree of fibers.
//!
//! `cargo run --release -p sparse-formats --example cp_als --features parallel -- [ELEMENTS]`

use sparse_formats::{Builder, Duplicates, Format, Indices, SparseTensor, mttkrp};

/// Outer products that the tensor is made of, and that it is taken apart into.
const RANK: usize = 8;
const SHAPE: [usize; 3] = [20_000, 15_000, 10_000];

/// splitmix64
struct Rng(u64);

impl Rng {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }
}

type Square = [[f64; RANK]; RANK];

/// Communities that act together: products of vectors that are 0 almost everywhere, and some noise.
fn tensor(elements: usize) -> Result<SparseTensor<'static, f64>, Box<dyn std::error::Error>> {
    let mut random = Rng(1);
    let edge = ((elements / RANK) as f64).cbrt() as usize;
    let (mut columns, mut values): ([Vec<u32>; 3], Vec<f64>) = Default::default();
    for component in 0..RANK {
        let strength = 1.0 + component as f64 / 4.0;
        let members: [Vec<(u32, f64)>; 3] =
            SHAPE.map(|extent| (0..edge).map(|_| ((random.word() % extent as u64) as u32, 0.5 + random.unit())).collect());
        for (i, x) in &members[0] {
            for (j, y) in &members[1] {
                for (k, z) in &members[2] {
                    [*i, *j, *k].into_iter().zip(&mut columns).for_each(|(c, column)| column.push(c));
                    values.push(strength * x * y * z + 0.02 * (random.unit() - 0.5));
                }
            }
        }
    }
    let shape = SHAPE.map(|extent| extent as u64);
    let builder = Builder::new(Format::csf(3), 0.0).duplicates(Duplicates::sum());
    Ok(builder.build(&shape, &columns.map(Indices::from), values)?)
}

/// The inner products of the columns of a matrix.
fn gram(matrix: &[f64]) -> Square {
    let mut out = [[0.0; RANK]; RANK];
    for row in matrix.as_chunks::<RANK>().0 {
        for (out, x) in out.iter_mut().zip(row) {
            out.iter_mut().zip(row).for_each(|(out, y)| *out += x * y);
        }
    }
    out
}

/// `x V = m` for each row `m` of a matrix, which `x` replaces: `V` is positive definite, but for a little on its diagonal.
fn solve(mut v: Square, matrix: &mut [f64]) {
    let largest = (0..RANK).map(|k| v[k][k]).fold(0.0, f64::max);
    // The factor of Cholesky, below the diagonal and on it.
    for j in 0..RANK {
        v[j][j] += 1e-12 * largest;
        for i in j..RANK {
            let sum: f64 = (0..j).map(|k| v[i][k] * v[j][k]).sum();
            v[i][j] -= sum;
            v[i][j] /= if i == j { v[i][j].max(f64::MIN_POSITIVE).sqrt() } else { v[j][j] };
        }
    }
    for row in matrix.as_chunks_mut::<RANK>().0 {
        for i in 0..RANK {
            let sum: f64 = (0..i).map(|k| v[i][k] * row[k]).sum();
            row[i] = (row[i] - sum) / v[i][i];
        }
        for i in (0..RANK).rev() {
            let sum: f64 = (i + 1..RANK).map(|k| v[k][i] * row[k]).sum();
            row[i] = (row[i] - sum) / v[i][i];
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let elements = std::env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse())?;
    let a = tensor(elements)?;
    println!("{:?}, {} elements, {}", a.shape(), a.stored(), a.format());
    let sparse_formats::Values::Each(values) = a.values() else { return Err("each element has a value".into()) };
    let norm = values.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut random = Rng(2);
    let mut factors = SHAPE.map(|extent| (0..extent * RANK).map(|_| random.unit()).collect::<Vec<f64>>());
    let (mut grams, mut fit) = ([0, 1, 2].map(|axis| gram(&factors[axis])), 0.0);
    for sweep in 1..=50 {
        let (mut inner, mut weights) = (0.0, [1.0; RANK]);
        for mode in 0..3 {
            let product = mttkrp(&a, mode, &[&factors[0], &factors[1], &factors[2]], RANK)?;
            let mut others = [[1.0; RANK]; RANK];
            for other in (0..3).filter(|other| *other != mode) {
                (0..RANK * RANK).for_each(|k| others[k / RANK][k % RANK] *= grams[other][k / RANK][k % RANK]);
            }
            let mut factor = product.clone();
            solve(others, &mut factor);
            inner = factor.iter().zip(&product).map(|(x, y)| x * y).sum();
            // Columns of length 1, so that no factor grows while another shrinks.
            weights =
                core::array::from_fn(|r| factor.iter().skip(r).step_by(RANK).map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE));
            factor.as_chunks_mut::<RANK>().0.iter_mut().for_each(|row| row.iter_mut().zip(&weights).for_each(|(x, w)| *x /= w));
            (grams[mode], factors[mode]) = (gram(&factor), factor);
        }
        let mut squares = 0.0;
        for (r, s) in (0..RANK * RANK).map(|k| (k / RANK, k % RANK)) {
            squares += weights[r] * weights[s] * grams.iter().map(|gram| gram[r][s]).product::<f64>();
        }
        let residual = (norm * norm + squares - 2.0 * inner).max(0.0).sqrt();
        let before = std::mem::replace(&mut fit, 1.0 - residual / norm);
        println!("sweep {sweep}: fit {fit:.6}");
        if (fit - before).abs() < 1e-7 {
            break;
        }
    }
    if fit > 0.95 { Ok(()) } else { Err(format!("a fit of {fit:.3} is no decomposition").into()) }
}
