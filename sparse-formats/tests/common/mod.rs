//! Random tensors, their elements one by one, and the arrays of a format computed from its definition.
#![allow(dead_code, reason = "each test uses a part")]

pub mod random;
pub mod threads;

pub use random::Rng;
use sparse_formats::{Arrays, Builder, Format, Indices, LevelKind, SparseTensor, SparsityPattern};
use std::collections::{BTreeMap, BTreeSet};

/// Distinct elements, by coordinate.
pub type Elements = BTreeMap<Vec<u64>, i64>;

/// A tensor as a list of coordinates with values.
#[derive(Clone, Debug)]
pub struct Cells {
    pub shape: Vec<u64>,
    pub rows: Vec<Vec<u64>>,
    pub values: Vec<i64>,
}

impl Cells {
    /// Returns elements in random order. Coordinates repeat only if `repeated`.
    pub fn random(rng: &mut Rng, shape: &[u64], count: usize, repeated: bool) -> Cells {
        let mut rows: Vec<Vec<u64>> = Vec::new();
        if !shape.contains(&0) {
            rows.extend((0..count).map(|_| shape.iter().map(|extent| rng.below(*extent)).collect()));
        }
        if !repeated {
            rows = rows.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        }
        let order = rng.permutation(rows.len());
        let rows: Vec<Vec<u64>> = order.iter().map(|k| rows[*k].clone()).collect();
        Cells { shape: shape.to_vec(), values: (1..=rows.len() as i64).collect(), rows }
    }

    /// Returns a tensor that stores every element.
    pub fn full(shape: &[u64]) -> Cells {
        let count: u64 = shape.iter().product();
        let row = |mut k: u64| {
            let mut row: Vec<u64> = shape
                .iter()
                .rev()
                .map(|extent| {
                    let c = k % extent;
                    k /= extent;
                    c
                })
                .collect();
            row.reverse();
            row
        };
        Cells { shape: shape.to_vec(), rows: (0..count).map(row).collect(), values: (1..=count as i64).collect() }
    }

    /// Returns the elements, whose coordinates must be distinct.
    pub fn elements(&self) -> Elements {
        self.rows.iter().cloned().zip(self.values.iter().copied()).collect()
    }

    pub fn columns(&self) -> Vec<Indices<'static>> {
        (0..self.shape.len()).map(|axis| Indices::narrowest(&self.rows.iter().map(|row| row[axis]).collect::<Vec<_>>())).collect()
    }

    /// Returns the rows in storage order with their values, stably sorted.
    pub fn sorted(&self, axes: &[usize]) -> Vec<(Vec<u64>, i64)> {
        let mut out: Vec<(Vec<u64>, i64)> =
            self.rows.iter().zip(&self.values).map(|(row, value)| (axes.iter().map(|axis| row[*axis]).collect(), *value)).collect();
        out.sort_by(|a, b| a.0.cmp(&b.0));
        out
    }
}

/// Returns all lists of `length` kinds. The last kind is `S` unless `multigraph`.
pub fn structures(length: usize, multigraph: bool) -> Vec<Vec<LevelKind>> {
    let mut out = vec![Vec::new()];
    for k in 0..length {
        let kinds: &[LevelKind] = if k + 1 == length && !multigraph { &[LevelKind::Indices] } else { &LevelKind::ALL };
        out = out.iter().flat_map(|before: &Vec<LevelKind>| kinds.iter().map(move |kind| [before.as_slice(), &[*kind]].concat())).collect();
    }
    out
}

/// Returns all permutations of `0..n`.
pub fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new()];
    for _ in 0..n {
        out = out
            .iter()
            .flat_map(|before: &Vec<usize>| (0..n).filter(|k| !before.contains(k)).map(move |k| [before.as_slice(), &[k]].concat()))
            .collect();
    }
    out
}

/// Computes the arrays of sorted tuples level by level from the definition: entries are prefixes, and pointers
/// count the children of each.
pub fn defined(extents: &[u64], kinds: &[LevelKind], tuples: &[Vec<u64>]) -> Arrays<'static> {
    let n = kinds.len();
    let prefixes =
        |length: usize| tuples.iter().map(|tuple| tuple[..length].to_vec()).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
    let mut entries: Vec<Vec<Vec<u64>>> = vec![Vec::new(); n + 1];
    entries[n] = tuples.to_vec();
    for level in 0..n {
        entries[level] = match kinds[level] {
            LevelKind::Indices => continue,
            LevelKind::IndexedPointers => prefixes(level + 1),
            LevelKind::Pointers => {
                let parents = match level.checked_sub(1) {
                    None => vec![Vec::new()],
                    Some(before) if kinds[before] == LevelKind::Pointers => entries[before].clone(),
                    Some(_) => prefixes(level),
                };
                parents.iter().flat_map(|parent| (0..extents[level]).map(move |c| [parent.as_slice(), &[c]].concat())).collect()
            }
        };
    }
    for level in (0..n).rev().filter(|level| kinds[*level] == LevelKind::Indices) {
        entries[level] = entries[level + 1].iter().map(|entry| entry[..level + 1].to_vec()).collect();
    }
    let mut arrays = Arrays::new();
    for level in 0..n {
        if kinds[level] != LevelKind::Pointers {
            arrays = arrays.with_indices(level, Indices::narrowest(&entries[level].iter().map(|entry| entry[level]).collect::<Vec<_>>()));
        }
        if kinds[level] != LevelKind::Indices && kinds.get(level + 1) != Some(&LevelKind::Pointers) {
            let mut pointers = vec![0u64];
            for entry in &entries[level] {
                let children = entries[level + 1].iter().filter(|child| child[..level + 1] == entry[..]).count() as u64;
                pointers.push(pointers[pointers.len() - 1] + children);
            }
            arrays = arrays.with_pointers(level, Indices::narrowest(&pointers));
        }
    }
    arrays
}

/// Returns the format of these kinds and axes, as a multigraph or not.
pub fn format(kinds: &[LevelKind], axes: &[usize], multigraph: bool) -> Format {
    if multigraph { Format::multigraph(kinds, axes).unwrap() } else { Format::new(kinds, axes).unwrap() }
}

/// Builds the tensor of these elements, with fill value 0.
pub fn build(cells: &Cells, format: &Format) -> SparseTensor<'static, i64> {
    Builder::new(format.clone(), 0).build(&cells.shape, &cells.columns(), cells.values.clone()).unwrap()
}

/// Returns the distinct elements of a tensor in any format, and checks that its arrays keep the promises of the format.
pub fn elements(tensor: &SparseTensor<i64>) -> Elements {
    let mut out = Elements::new();
    tensor.for_each(|coordinate, value| assert_eq!(out.insert(coordinate.to_vec(), *value.unwrap()), None));
    let arrays = tensor.pattern().arrays().clone();
    if let Err(rejected) = SparsityPattern::from_parts(tensor.shape(), tensor.format().clone(), arrays) {
        panic!("{}: {}", tensor.format(), rejected.error);
    }
    out
}
