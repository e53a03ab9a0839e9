//! What one writes first: loops over the arrays of CSF, rows added element by element.

use sparse_formats::{SparseTensor, Values};

/// Compressed sparse fibers of three axes, all numbers of 32 bits.
pub struct Csf {
    shape: [usize; 3],
    indices: [Vec<u32>; 3],
    pointers: [Vec<u32>; 2],
    values: Vec<f64>,
}

impl Csf {
    pub fn new(tensor: &SparseTensor<'_, f64>) -> Csf {
        let numbers = |array: Option<&sparse_formats::Indices>| array.expect("an array").iter().map(|x| x as u32).collect::<Vec<u32>>();
        let pattern = tensor.pattern();
        let Values::Each(values) = tensor.values() else { unreachable!("each has a value") };
        Csf {
            shape: std::array::from_fn(|axis| tensor.shape()[axis] as usize),
            indices: std::array::from_fn(|level| numbers(pattern.indices(level))),
            pointers: std::array::from_fn(|level| numbers(pattern.pointers(level))),
            values: values.to_vec(),
        }
    }

    /// The loops of Smith et al. (SPLATT, 2015): a row for sums of fibers, multiplied when a fiber ends.
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

    /// The sum of the rows that the leaves choose, sixteen elements ahead of which are fetched.
    pub fn gather(&self, factor: &[f64], rank: usize) -> f64 {
        let leaves = &self.indices[2];
        let mut total = [0.0; 8];
        for (e, leaf) in leaves.iter().enumerate() {
            let next = leaves[(e + 16).min(leaves.len() - 1)] as usize * rank;
            fetch(&factor[next..next + rank]);
            let (eights, _) = factor[*leaf as usize * rank..][..rank].as_chunks::<8>();
            for eight in eights {
                total.iter_mut().zip(eight).for_each(|(sum, x)| *sum += x);
            }
        }
        total.iter().sum()
    }
}

#[cfg(target_arch = "x86_64")]
fn fetch(row: &[f64]) {
    for part in row.chunks(8) {
        // SAFETY: a hint, at the address of a slice.
        unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(part.as_ptr().cast()) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn fetch(_: &[f64]) {}
