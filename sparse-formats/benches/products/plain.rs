//! Loops that one writes first, over the arrays of CSF, with rows added element by element. Also rows gathered as
//! fast as possible.

use sparse_formats::{Indices, SparseTensor, Values};
use std::ops::Range;

/// Compressed sparse fibers of three axes, with all numbers of 32 bits.
pub struct Csf {
    shape: [usize; 3],
    indices: [Vec<u32>; 3],
    pointers: [Vec<u32>; 2],
    values: Vec<f64>,
}

impl Csf {
    pub fn new(tensor: &SparseTensor<'_, f64>) -> Csf {
        let pattern = tensor.pattern();
        let Values::Each(values) = tensor.values() else { unreachable!("each has a value") };
        Csf {
            shape: std::array::from_fn(|axis| tensor.shape()[axis] as usize),
            indices: std::array::from_fn(|level| numbers(pattern.indices(level))),
            pointers: std::array::from_fn(|level| numbers(pattern.pointers(level))),
            values: values.to_vec(),
        }
    }

    /// Runs the loops of Smith et al. (SPLATT, 2015): one row for the sums of fibers, multiplied when a fiber ends.
    pub fn mttkrp(&self, mode: usize, factors: &[&[f64]], rank: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.shape[mode] * rank];
        let mut sums = vec![0.0; rank];
        let row = |matrix: usize, row: u32| &factors[matrix][row as usize * rank..][..rank];
        for (slice, i) in self.indices[0].iter().enumerate() {
            for fiber in self.pointers[0][slice] as usize..self.pointers[0][slice + 1] as usize {
                let j = self.indices[1][fiber];
                let elements = self.pointers[1][fiber] as usize..self.pointers[1][fiber + 1] as usize;
                if mode == 2 {
                    for ((sum, a), b) in sums.iter_mut().zip(row(0, *i)).zip(row(1, j)) {
                        *sum = a * b;
                    }
                    for e in elements {
                        let out = &mut out[self.indices[2][e] as usize * rank..][..rank];
                        out.iter_mut().zip(&sums).for_each(|(out, x)| *out += self.values[e] * x);
                    }
                    continue;
                }
                sums.fill(0.0);
                for e in elements {
                    sums.iter_mut().zip(row(2, self.indices[2][e])).for_each(|(sum, x)| *sum += self.values[e] * x);
                }
                let (target, other) = if mode == 0 { (*i, row(1, j)) } else { (j, row(0, *i)) };
                let out = &mut out[target as usize * rank..][..rank];
                for ((out, sum), x) in out.iter_mut().zip(&sums).zip(other) {
                    *out += sum * x;
                }
            }
        }
        out
    }
}

fn numbers(array: Option<&Indices>) -> Vec<u32> {
    array.expect("an array").iter().map(|x| x as u32).collect()
}

/// The coordinates of a last level. They choose the rows of a factor that are summed.
pub struct Leaves(Vec<u32>);

impl Leaves {
    pub fn new(tensor: &SparseTensor<'_, f64>) -> Leaves {
        Leaves(numbers(tensor.pattern().indices(tensor.shape().len() - 1)))
    }

    /// Returns half the leaves: the first for 0, the second for 1.
    pub fn half(&self, half: usize) -> Range<usize> {
        half * self.0.len() / 2..(half + 1) * self.0.len() / 2
    }

    pub fn all(&self) -> Range<usize> {
        0..self.0.len()
    }

    /// Sums the rows that leaves choose: a sum in registers for each column, rows prefetched sixteen leaves ahead.
    pub fn gather(&self, leaves: Range<usize>, factor: &[f64], rank: usize) -> f64 {
        match rank {
            16 => self.columns::<16>(leaves, factor),
            32 => self.columns::<32>(leaves, factor),
            _ => unreachable!("a rank that is measured"),
        }
    }

    fn columns<const R: usize>(&self, leaves: Range<usize>, factor: &[f64]) -> f64 {
        #[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
        fn sum<const R: usize>(leaves: &[u32], rows: &[[f64; R]]) -> f64 {
            let mut total = [0.0; R];
            for (e, leaf) in leaves.iter().enumerate() {
                fetch(&rows[leaves[(e + 16).min(leaves.len() - 1)] as usize]);
                total.iter_mut().zip(&rows[*leaf as usize]).for_each(|(sum, x)| *sum += x);
            }
            total.iter().sum()
        }
        sum(&self.0[leaves], factor.as_chunks::<R>().0)
    }
}

#[cfg(target_arch = "x86_64")]
fn fetch(row: &[f64]) {
    for part in row.chunks(8) {
        // SAFETY: a prefetch is a hint, and the address is that of a slice.
        unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(part.as_ptr().cast()) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn fetch(_: &[f64]) {}
