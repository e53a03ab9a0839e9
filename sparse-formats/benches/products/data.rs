//! Random tensors of rank 3 and 4 with short and long fibers, even and uneven.

use crate::common::random::{Rng, in_huge_pages};
use sparse_formats::{Builder, Duplicates, Format, Indices, SparseTensor};
use std::ops::Deref;

/// A tensor and its name.
pub struct Case {
    pub name: String,
    pub tensor: SparseTensor<'static, f64>,
}

/// A dense array in huge pages that begins at a cache line, as other libraries get it.
pub struct Aligned {
    memory: Vec<f64>,
    begin: usize,
}

impl Aligned {
    pub fn new(len: usize) -> Self {
        const LINE: usize = 64;
        // Allocations this large get fresh memory. Smaller ones may reuse memory of the allocator with small pages.
        const OWN: usize = 1 << 23;
        let mut random = Rng(7);
        let mut memory = in_huge_pages(&vec![0.0; (len + LINE / size_of::<f64>()).max(OWN)]);
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

/// Builds `len` entries with coordinates `extent * u^power`, in fibers of about `fiber` elements or one by one.
fn tensor(extents: &[u32], len: usize, fiber: usize, power: i32, seed: u64) -> SparseTensor<'static, f64> {
    let (mut random, rank) = (Rng(seed), extents.len());
    let mut coordinate = |axis: usize| (random.unit().powi(power) * f64::from(extents[axis])) as u32;
    let mut columns = vec![Vec::new(); rank];
    while columns[0].len() < len {
        let above: Vec<u32> = (0..rank - 1).map(&mut coordinate).collect();
        for _ in 0..fiber {
            columns.iter_mut().zip(&above).for_each(|(column, x)| column.push(*x));
            columns[rank - 1].push(coordinate(rank - 1));
        }
    }
    let values: Vec<f64> = (0..columns[0].len()).map(|k| 1.0 + (k % 7) as f64).collect();
    let shape: Vec<u64> = extents.iter().map(|extent| u64::from(*extent)).collect();
    let columns: Vec<Indices> = columns.into_iter().map(Indices::from).collect();
    Builder::new(Format::coo(rank), 0.0).duplicates(Duplicates::First).build(&shape, &columns, values).expect("a tensor")
}

/// Iterates over the cases whose names contain `part`. Cases of rank 4 have half as many entries.
pub fn cases(len: usize, part: &str) -> impl Iterator<Item = Case> {
    let all: [(&str, &[u32], usize, i32); 6] = [
        ("fibers of 7", &[12_092, 9_184, 28_818], 7, 1),
        ("fibers of 33", &[550, 550, 550], 1, 1),
        ("even", &[10_000, 10_000, 10_000], 1, 1),
        ("power law", &[160_000, 240_000, 320_000], 1, 3),
        ("rank 4, fibers of 7", &[1_200, 900, 300, 20_000], 7, 1),
        ("rank 4, power law", &[20_000, 30_000, 10_000, 40_000], 1, 3),
    ];
    let chosen: Vec<_> = all.into_iter().filter(|(name, ..)| name.contains(part)).collect();
    let tensor = move |extents: &[u32], fiber, power| tensor(extents, if extents.len() == 3 { len } else { len / 2 }, fiber, power, 5);
    chosen.into_iter().map(move |(name, extents, fiber, power)| Case { name: name.into(), tensor: tensor(extents, fiber, power) })
}
