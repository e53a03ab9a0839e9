//! Random numbers, random tensors, and contractions by loops over all coordinates.

use sparse_contraction::{Contracted, Factor};
use sparse_formats::{Builder, Composite, Duplicates, Format, Indices, LevelKind, Scalar, Scheme, SparseOperand, SparseTensor};
use std::collections::BTreeMap;

/// A generator of random numbers, the same in every run.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) % end
    }

    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len() as u64) as usize]
    }

    pub fn shuffled<T: Clone>(&mut self, items: &[T]) -> Vec<T> {
        let mut out = items.to_vec();
        (1..out.len()).rev().for_each(|k| out.swap(k, self.below(k as u64 + 1) as usize));
        out
    }
}

/// All coordinates below these extents, the last axis fastest.
pub fn coordinates(shape: &[u64]) -> Vec<Vec<u64>> {
    shape.iter().fold(vec![Vec::new()], |all, extent| all.iter().flat_map(|c| (0..*extent).map(move |x| [&c[..], &[x]].concat())).collect())
}

/// An operand: its extents, its elements row-major, and its storage.
pub struct Tensor<T: Scalar> {
    pub shape: Vec<u64>,
    pub data: Vec<T>,
    pub stored: Stored<T>,
}

pub enum Stored<T: Scalar> {
    Dense,
    Sparse(SparseTensor<'static, T>),
    Composite(Composite<'static, T>),
}

impl<T: Scalar> Tensor<T> {
    pub fn factor(&self) -> Factor<'_, T> {
        match &self.stored {
            Stored::Dense => Factor::Dense { shape: &self.shape, data: &self.data },
            Stored::Sparse(tensor) => Factor::Sparse(tensor),
            Stored::Composite(tensor) => Factor::Sparse(tensor),
        }
    }

    pub fn format(&self) -> String {
        match &self.stored {
            Stored::Dense => "dense".into(),
            Stored::Sparse(tensor) => tensor.format().to_string(),
            Stored::Composite(_) => "composite".into(),
        }
    }

    pub fn at(&self, coordinate: &[u64]) -> T {
        self.data[coordinate.iter().zip(&self.shape).fold(0, |at, (c, extent)| at * extent + c) as usize]
    }
}

/// Returns a random format of this rank.
pub fn format(rng: &mut Rng, rank: usize) -> Format {
    let order = rng.shuffled(&(0..rank).collect::<Vec<_>>());
    let dense = if rank > 1 && rng.below(4) == 0 { 1 } else { 0 };
    let mut kinds: Vec<LevelKind> =
        (0..rank - dense).map(|_| *rng.pick(&[LevelKind::Indices, LevelKind::Pointers, LevelKind::IndexedPointers])).collect();
    if let Some(last) = kinds.last_mut() {
        *last = LevelKind::Indices;
    }
    Format::new(&kinds, &order).unwrap()
}

/// Returns a random tensor of numbers that `number` makes, with `T::ZERO` elsewhere.
pub fn tensor<T: Scalar>(rng: &mut Rng, shape: &[u64], number: impl Fn(u64) -> T) -> Tensor<T> {
    let all = coordinates(shape);
    let most = [1, 2, 4, 9][rng.below(4) as usize];
    let picked: Vec<Vec<u64>> = all.iter().filter(|_| rng.below(most) == 0).cloned().collect();
    let mut values: Vec<T> = picked.iter().map(|_| number(rng.below(1 << 20))).collect();
    let plus = |a: &T, b: &T| a.plus(*b);
    let build = |rows: &[Vec<u64>], values: Vec<T>, format: Format| {
        let columns: Vec<Indices> =
            (0..shape.len()).map(|axis| Indices::narrowest(&rows.iter().map(|row| row[axis]).collect::<Vec<_>>())).collect();
        Builder::new(format, T::ZERO).build(shape, &columns, values).unwrap()
    };
    let rank = shape.len();
    let stored = match rng.below(8) {
        0 | 1 => Stored::Dense,
        2 if rank == 2 || rank == 3 => {
            let tensor = build(&picked, values.clone(), Format::coo(rank));
            let names =
                if rank == 2 { &["blocks(2,2):C-S-R", "alto", "dia"][..] } else { &["alto", "hicoo(1,1,1)", "hbcsf[0,1,2](2)"][..] };
            let scheme: Scheme = rng.pick(names).parse().unwrap();
            Composite::new(&tensor, &scheme).map_or(Stored::Sparse(tensor), Stored::Composite)
        }
        3 if rank > 0 && !picked.is_empty() => {
            // Some coordinates twice.
            let format = Format::coo(rank).with_multigraph(true).unwrap();
            let mut rows = picked.clone();
            rows.extend(picked.iter().filter(|_| rng.below(2) == 0).cloned());
            let more: Vec<T> = rows.iter().map(|_| number(rng.below(1 << 20))).collect();
            let tensor = build(&rows, more, format);
            let sums = tensor.convert(&Builder::new(Format::coo(rank), T::ZERO).duplicates(Duplicates::Combine(&plus))).unwrap();
            values = picked.iter().map(|row| *sums.at(row).unwrap()).collect();
            Stored::Sparse(tensor)
        }
        _ => Stored::Sparse(build(&picked, values.clone(), format(rng, rank))),
    };
    let mut data = vec![T::ZERO; all.len()];
    for (row, value) in picked.iter().zip(values) {
        data[row.iter().zip(shape).fold(0, |at, (c, extent)| at * extent + c) as usize] = value;
    }
    Tensor { shape: shape.to_vec(), data, stored }
}

/// Computes a contraction by a loop over all coordinates of all letters.
pub fn naive<T: Scalar>(inputs: &[String], output: &str, tensors: &[Tensor<T>]) -> Contracted<T> {
    let mut extents: BTreeMap<char, u64> = BTreeMap::new();
    for (letters, tensor) in inputs.iter().zip(tensors) {
        extents.extend(letters.chars().zip(tensor.shape.iter().copied()));
    }
    let shape: Vec<u64> = output.chars().map(|letter| extents[&letter]).collect();
    let mut data = vec![T::ZERO; shape.iter().product::<u64>() as usize];
    let names: Vec<char> = extents.keys().copied().collect();
    for all in coordinates(&extents.values().copied().collect::<Vec<_>>()) {
        let of =
            |letters: &str| letters.chars().map(|letter| all[names.iter().position(|name| *name == letter).unwrap()]).collect::<Vec<_>>();
        let value = inputs.iter().zip(tensors).fold(T::ONE, |value, (letters, tensor)| value.times(tensor.at(&of(letters))));
        let at = of(output).iter().zip(&shape).fold(0, |at, (c, extent)| at * extent + c) as usize;
        data[at] = data[at].plus(value);
    }
    Contracted::Dense { shape, data }
}

/// Returns the dense form of a result.
pub fn densely<T: Scalar>(result: &Contracted<T>) -> Contracted<T> {
    match result {
        Contracted::Dense { .. } => result.clone(),
        Contracted::Sparse(tensor) => {
            assert_eq!(*tensor.fill(), T::ZERO);
            let shape = SparseOperand::shape(tensor).to_vec();
            let data = coordinates(&shape).iter().map(|c| *tensor.at(c).unwrap()).collect();
            Contracted::Dense { shape, data }
        }
    }
}

/// A dense or a sparse operand of floating-point numbers.
pub enum Contracting {
    Dense(Vec<u64>, Vec<f64>),
    Sparse(SparseTensor<'static, f64>),
}

impl Contracting {
    pub fn factor(&self) -> Factor<'_, f64> {
        match self {
            Contracting::Dense(shape, data) => Factor::Dense { shape, data },
            Contracting::Sparse(tensor) => Factor::Sparse(tensor),
        }
    }

    /// Returns the extents and all elements.
    pub fn dense(&self) -> (Vec<u64>, Vec<f64>) {
        match self {
            Contracting::Dense(shape, data) => (shape.clone(), data.clone()),
            Contracting::Sparse(tensor) => {
                let shape = tensor.shape().to_vec();
                let mut data = vec![0.0; shape.iter().product::<u64>() as usize];
                tensor
                    .for_each(|c, value| data[c.iter().zip(&shape).fold(0, |at, (c, extent)| at * extent + c) as usize] += value.unwrap());
                (shape, data)
            }
        }
    }
}
