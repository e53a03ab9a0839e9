//! Products of matrices beside the loops that one writes first, and beside other libraries if there is an interpreter.

use super::data::Aligned;
use super::{Loop, cpu, least};
use crate::common::harness::Peers;
use crate::common::probe::read;
use crate::common::random::{Rng, write};
use sparse_formats::{
    Builder, Composite, Dense, Duplicates, Format, Indices, Major, Scheme, Sddmm, SparseTensor, Values, spgemm, spgemm_unsorted, spmm, spmv,
};
use std::cell::RefCell;

/// A matrix by rows, with numbers of 32 bits.
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

    /// Squares the matrix with a dense accumulator, and sorts each row.
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

/// Builds a matrix of `side` rows and columns from `len` elements at coordinates `side * u^power`. Each is the
/// corner of a block with edge `edge`.
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

/// A matrix, and the products to measure.
pub struct Case {
    pub name: &'static str,
    side: u32,
    len: usize,
    power: i32,
    /// The edge of the blocks that elements form.
    pub edge: u32,
    /// The numbers of columns of dense matrices.
    widths: &'static [usize],
    pub squared: bool,
}

impl Case {
    pub fn matrix(&self) -> SparseTensor<'static, f64> {
        matrix(self.side, self.len, self.power, self.edge)
    }

    pub fn blocked(&self, a: &SparseTensor<'static, f64>) -> Composite<'static, f64> {
        let scheme = format!("blocks({0},{0}):C-S-R", self.edge).parse::<Scheme>().expect("a name");
        Composite::new(a, &scheme).expect("blocks")
    }
}

pub const CASES: [Case; 5] = [
    Case { name: "matrix, even", side: 200_000, len: 2_000_000, power: 1, edge: 1, widths: &[16, 64], squared: true },
    Case { name: "matrix, power law", side: 200_000, len: 4_000_000, power: 2, edge: 1, widths: &[16, 64], squared: false },
    Case { name: "matrix, large", side: 1_000_000, len: 10_000_000, power: 1, edge: 1, widths: &[16], squared: false },
    Case { name: "matrix, power law, to square", side: 100_000, len: 1_000_000, power: 2, edge: 1, widths: &[], squared: true },
    Case { name: "matrix of blocks", side: 1_000_000, len: 16_000_000, power: 1, edge: 4, widths: &[], squared: false },
];

/// Measures all products of a uniform matrix, of matrices with a power law, and of a matrix of blocks.
pub fn all(rounds: usize, part: &str) {
    let folder = std::env::temp_dir().join(format!("products-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/products/peers.py");
    for case in CASES.iter().filter(|case| case.name.contains(part)) {
        let a = case.matrix();
        let plain = Csr::new(&a);
        let file = |what: &str| folder.join(format!("{}.{what}", case.name));
        write(&file("pointers"), plain.pointers.iter().flat_map(|p| (*p as u32).to_le_bytes()));
        write(&file("indices"), plain.indices.iter().flat_map(|i| i.to_le_bytes()));
        write(&file("values"), plain.values.iter().flat_map(|x| x.to_le_bytes()));
        let peers = RefCell::new(Peers::start("PRODUCTS_PEERS", script, &folder));
        products(case, &a, &plain, &peers, rounds);
    }
    std::fs::remove_dir_all(folder).expect("the folder of the run");
}

fn products(case: &Case, a: &SparseTensor<'static, f64>, plain: &Csr, peers: &RefCell<Peers>, rounds: usize) {
    println!("\n{}, {} elements: ms, and how many times ours each takes", case.name, a.stored());
    let side = a.shape()[0] as usize;
    let peer = |peer: &str, what: &str, width: usize| -> Loop<'_> {
        let name = format!("{peer} {what} {width} {}", case.name);
        (format!("{peer} {what}"), Box::new(move || peers.borrow_mut().time(&name)))
    };
    let x = Aligned::new(side);
    if case.edge > 1 {
        let blocked = case.blocked(a);
        let numbers = Aligned::new(blocked.parts()[0].tensor.stored() * (case.edge * case.edge) as usize);
        report(
            rounds,
            "spmv of blocks",
            ("blocks".into(), Box::new(|| cpu(|| spmv(&blocked, false, &x)))),
            vec![
                ("plain".into(), Box::new(|| cpu(|| plain.spmv(&x)))),
                ("read".into(), Box::new(|| cpu(|| read(&numbers)))),
                peer("scipy", "bsr", 1),
            ],
        );
    }
    report(
        rounds,
        "spmv",
        ("csr".into(), Box::new(|| cpu(|| a.times_vector(&x)))),
        vec![("plain".into(), Box::new(|| cpu(|| plain.spmv(&x)))), peer("scipy", "spmv", 1)],
    );
    for &width in case.widths {
        let b = Aligned::new(side * width);
        let packed = |major| Dense::packed(&b, [side, width], major).expect("a matrix");
        let (rows, columns) = (packed(Major::Rows), packed(Major::Columns));
        report(
            rounds,
            &format!("spmm k = {width}"),
            ("rows".into(), Box::new(|| cpu(|| spmm(a, false, rows, Major::Rows)))),
            vec![
                ("columns".into(), Box::new(|| cpu(|| spmm(a, false, columns, Major::Columns)))),
                ("plain".into(), Box::new(|| cpu(|| plain.spmm(&b, width)))),
                peer("scipy", "spmm", width),
                peer("mkl", "spmm", width),
            ],
        );
        report(
            rounds,
            &format!("sddmm k = {width}"),
            ("csr".into(), Box::new(|| cpu(|| a.sddmm(rows, rows)))),
            vec![("plain".into(), Box::new(|| cpu(|| plain.sddmm(&b, &b, width)))), peer("numpy", "sddmm", width)],
        );
    }
    if case.squared {
        report(
            rounds.min(3),
            "spgemm, rows sorted",
            ("csr".into(), Box::new(|| cpu(|| spgemm(a, a)))),
            vec![
                ("plain".into(), Box::new(|| cpu(|| plain.square()))),
                ("rows as they come".into(), Box::new(|| cpu(|| spgemm_unsorted(a, a)))),
                peer("mkl", "sorted", 0),
                peer("mkl", "unsorted", 0),
                peer("scipy", "spgemm", 0),
            ],
        );
    }
}

fn report<'l>(rounds: usize, what: &str, ours: Loop<'l>, others: Vec<Loop<'l>>) {
    let loops: Vec<Loop> = core::iter::once(ours).chain(others).collect();
    let times = least(rounds, &loops);
    let each = loops.iter().zip(&times).skip(1).map(|((name, _), time)| format!("{name} {time:.1} ({:.2})", time / times[0]));
    println!("  {what}: {} {:.1}, {}", loops[0].0, times[0], each.collect::<Vec<_>>().join(", "));
}
