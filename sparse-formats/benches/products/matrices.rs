//! Products of matrices beside the loops one writes first.

use super::data::dense;
use super::{Loop, cpu, least};
use crate::common::random::Rng;
use sparse_formats::{
    Builder, Composite, Dense, Duplicates, Format, Indices, Major, Scheme, Sddmm, SparseTensor, Values, spgemm, spmm, spmv,
};

/// A matrix by rows, numbers of 32 bits.
struct Csr {
    rows: usize,
    pointers: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Csr {
    fn new(tensor: &SparseTensor<'_, f64>) -> Csr {
        let Values::Each(values) = tensor.values() else { unreachable!("each has a value") };
        let pattern = tensor.pattern();
        let numbers = |array: Option<&Indices>| array.expect("an array").iter().collect::<Vec<u64>>();
        Csr {
            rows: tensor.shape()[0] as usize,
            pointers: numbers(pattern.pointers(0)).iter().map(|p| *p as usize).collect(),
            indices: numbers(pattern.indices(1)).iter().map(|i| *i as u32).collect(),
            values: values.to_vec(),
        }
    }

    fn elements(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let row = |i: usize| self.pointers[i]..self.pointers[i + 1];
        (0..self.rows).flat_map(move |i| row(i).map(move |e| (i, self.indices[e] as usize, self.values[e])))
    }

    fn spmv(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows)
            .map(|i| (self.pointers[i]..self.pointers[i + 1]).map(|e| self.values[e] * x[self.indices[e] as usize]).sum())
            .collect()
    }

    fn spmm(&self, b: &[f64], width: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.rows * width];
        for (i, j, value) in self.elements() {
            out[i * width..][..width].iter_mut().zip(&b[j * width..]).for_each(|(y, x)| *y += value * x);
        }
        out
    }

    fn sddmm(&self, left: &[f64], right: &[f64], width: usize) -> Vec<f64> {
        let dot = |i: usize, j: usize| left[i * width..][..width].iter().zip(&right[j * width..]).map(|(a, b)| a * b).sum::<f64>();
        self.elements().map(|(i, j, value)| value * dot(i, j)).collect()
    }

    /// Rows in a dense accumulator, each sorted.
    fn square(&self) -> (Vec<u32>, Vec<f64>) {
        let (mut sums, mut marks) = (vec![0.0; self.rows], vec![usize::MAX; self.rows]);
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        for i in 0..self.rows {
            let from = indices.len();
            for e in self.pointers[i]..self.pointers[i + 1] {
                let k = self.indices[e] as usize;
                for f in self.pointers[k]..self.pointers[k + 1] {
                    let j = self.indices[f] as usize;
                    if marks[j] != i {
                        (marks[j], sums[j]) = (i, 0.0);
                        indices.push(j as u32);
                    }
                    sums[j] += self.values[e] * self.values[f];
                }
            }
            indices[from..].sort_unstable();
            values.extend(indices[from..].iter().map(|j| sums[*j as usize]));
        }
        (indices, values)
    }
}

/// `side` rows and columns with `len` elements, at coordinates `side * u^power`, each the corner of a block of this edge.
fn matrix(side: u32, len: usize, power: i32, edge: u32) -> SparseTensor<'static, f64> {
    let mut random = Rng(11);
    let mut columns: [Vec<u32>; 2] = Default::default();
    for _ in 0..len / (edge * edge) as usize {
        let corner: [u32; 2] = std::array::from_fn(|_| (random.unit().powi(power) * f64::from(side / edge)) as u32 * edge);
        for at in 0..edge * edge {
            columns[0].push(corner[0] + at / edge);
            columns[1].push(corner[1] + at % edge);
        }
    }
    let values: Vec<f64> = (0..columns[0].len()).map(|k| 1.0 + (k % 7) as f64).collect();
    let builder = Builder::new(Format::csr(), 0.0).duplicates(Duplicates::First);
    builder.build(&[side.into(), side.into()], &columns.map(Indices::from), values).expect("a matrix")
}

/// All products of a uniform matrix, one with a power law, and one of blocks.
pub fn all(rounds: usize, part: &str) {
    for (name, side, len, power, edge) in [
        ("matrix, even", 200_000, 2_000_000, 1, 1),
        ("matrix, power law", 200_000, 4_000_000, 2, 1),
        ("matrix of blocks", 1_000_000, 16_000_000, 1, 4),
    ] {
        if name.contains(part) {
            products(name, &matrix(side, len, power, edge), rounds, edge as usize);
        }
    }
}

fn products(name: &str, a: &SparseTensor<'static, f64>, rounds: usize, edge: usize) {
    println!("\n{name}, {} elements: ms", a.stored());
    let (plain, side) = (Csr::new(a), a.shape()[0] as usize);
    let x = dense(side);
    let blocked = Composite::new(a, &format!("blocks({edge},{edge}):C-S-R").parse::<Scheme>().expect("a name")).expect("blocks");
    report(
        rounds,
        "spmv",
        &[
            ("plain".into(), Box::new(|| cpu(|| plain.spmv(&x)))),
            ("csr".into(), Box::new(|| cpu(|| a.times_vector(&x)))),
            ("blocks".into(), Box::new(|| cpu(|| spmv(&blocked, false, &x)))),
        ],
    );
    if edge > 1 {
        return;
    }
    for width in [16, 64] {
        let b = dense(side * width);
        let (rows, columns) = (
            Dense::packed(&b, [side, width], Major::Rows).expect("a matrix"),
            Dense::packed(&b, [side, width], Major::Columns).expect("a matrix"),
        );
        let loops: [Loop; 3] = [
            ("plain".into(), Box::new(|| cpu(|| plain.spmm(&b, width)))),
            ("rows".into(), Box::new(|| cpu(|| spmm(a, false, rows, Major::Rows)))),
            ("columns".into(), Box::new(|| cpu(|| spmm(a, false, columns, Major::Columns)))),
        ];
        report(rounds, &format!("spmm k = {width}"), &loops);
        let loops: [Loop; 2] =
            [("plain".into(), Box::new(|| cpu(|| plain.sddmm(&b, &b, width)))), ("csr".into(), Box::new(|| cpu(|| a.sddmm(rows, rows))))];
        report(rounds, &format!("sddmm k = {width}"), &loops);
    }
    let loops: [Loop; 2] = [("plain".into(), Box::new(|| cpu(|| plain.square()))), ("csr".into(), Box::new(|| cpu(|| spgemm(a, a))))];
    report(1, "spgemm", &loops);
}

fn report(rounds: usize, what: &str, loops: &[Loop]) {
    let times = least(rounds, loops);
    let each = loops.iter().zip(&times).skip(1).map(|((name, _), time)| format!("{name} {time:.0} ({:.2})", times[0] / time));
    println!("  {what}: plain {:.0}, {}", times[0], each.collect::<Vec<_>>().join(", "));
}
