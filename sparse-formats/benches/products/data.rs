//! Random tensors of rank 3 with short and long fibers, even and uneven.

use crate::common::random::{Rng, in_huge_pages};
use sparse_formats::{Builder, Duplicates, Format, Indices, SparseTensor};
use std::ops::Deref;

/// A tensor and what it is called.
pub struct Case {
    pub name: String,
    pub tensor: SparseTensor<'static, f64>,
}

/// A dense array in memory like that of other libraries: it begins with a line.
pub struct Aligned {
    memory: Vec<f64>,
    begin: usize,
}

impl Aligned {
    pub fn new(len: usize) -> Self {
        const LINE: usize = 64;
        let mut random = Rng(7);
        let mut memory = in_huge_pages(&vec![0.0; len + LINE / size_of::<f64>()]);
        let begin = memory.as_ptr().align_offset(LINE);
        memory.truncate(begin + len);
        memory[begin..].fill_with(|| random.unit());
        Aligned { memory, begin }
    }
}

impl Deref for Aligned {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.memory[self.begin..]
    }
}

/// `len` entries: of fibers of about so many, or each for itself, with coordinates `extent * u^power`.
fn tensor(extents: [u32; 3], len: usize, fiber: usize, power: i32, seed: u64) -> SparseTensor<'static, f64> {
    let mut random = Rng(seed);
    let mut coordinate = |axis: usize| (random.unit().powi(power) * f64::from(extents[axis])) as u32;
    let mut columns: [Vec<u32>; 3] = Default::default();
    while columns[0].len() < len {
        let (i, j) = (coordinate(0), coordinate(1));
        for _ in 0..fiber {
            columns[0].push(i);
            columns[1].push(j);
            columns[2].push(coordinate(2));
        }
    }
    let values: Vec<f64> = (0..columns[0].len()).map(|k| 1.0 + (k % 7) as f64).collect();
    let shape = extents.map(u64::from);
    let columns = columns.map(Indices::from);
    Builder::new(Format::coo(3), 0.0).duplicates(Duplicates::First).build(&shape, &columns, values).expect("a tensor")
}

/// Those whose names have a part.
pub fn cases(len: usize, part: &str) -> impl Iterator<Item = Case> {
    let all = [
        ("fibers of 7", [12_092, 9_184, 28_818], 7, 1),
        ("fibers of 33", [550, 550, 550], 1, 1),
        ("even", [10_000, 10_000, 10_000], 1, 1),
        ("power law", [160_000, 240_000, 320_000], 1, 3),
    ];
    let chosen: Vec<_> = all.into_iter().filter(|(name, ..)| name.contains(part)).collect();
    chosen.into_iter().map(move |(name, extents, fiber, power)| Case { name: name.into(), tensor: tensor(extents, len, fiber, power, 5) })
}
