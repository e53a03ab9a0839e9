//! Nested lists as the naive form of a ragged array, and arrays of them stored in every way.
#![allow(dead_code, reason = "each test uses a part")]

use crate::random::Rng;
use ragged_arrays::{DynLevel, RaggedArray};

/// A leaf, or a list.
#[derive(Clone, PartialEq, Debug)]
pub enum Nested<T> {
    Leaf(T),
    List(Vec<Nested<T>>),
}
use Nested::{Leaf, List};

impl<T: Clone + 'static> Nested<T> {
    pub fn list(&self) -> &[Nested<T>] {
        match self {
            List(list) => list,
            Leaf(_) => panic!("a leaf is no list"),
        }
    }

    pub fn leaf(&self) -> T {
        match self {
            Leaf(leaf) => leaf.clone(),
            List(_) => panic!("a list is no leaf"),
        }
    }

    /// Applies `f` to every list of `axis`.
    pub fn at(&self, axis: usize, f: &mut impl FnMut(&[Nested<T>]) -> Nested<T>) -> Nested<T> {
        match axis {
            0 => f(self.list()),
            _ => List(self.list().iter().map(|below| below.at(axis - 1, f)).collect()),
        }
    }

    /// Returns the lists of `axis`, in order.
    pub fn lists(&self, axis: usize) -> Vec<Nested<T>> {
        match axis {
            0 => vec![self.clone()],
            _ => self.list().iter().flat_map(|below| below.lists(axis - 1)).collect(),
        }
    }

    /// Returns the elements of `axis`, in order.
    pub fn elements(&self, axis: usize) -> Vec<Nested<T>> {
        self.lists(axis).iter().flat_map(|list| list.list().to_vec()).collect()
    }

    /// Applies `f` to every leaf.
    pub fn map<U>(&self, f: &mut impl FnMut(&T) -> U) -> Nested<U> {
        match self {
            Leaf(leaf) => Leaf(f(leaf)),
            List(list) => List(list.iter().map(|below| below.map(f)).collect()),
        }
    }

    /// Returns the array with packed offsets.
    pub fn packed(&self, depth: usize) -> RaggedArray<'static, T> {
        let offsets = |axis: usize| {
            let mut end = 0;
            let ends = self.lists(axis).into_iter().map(|list| {
                end += list.list().len() as u32;
                end
            });
            DynLevel::offsets([0].into_iter().chain(ends).collect::<Vec<u32>>()).expect("offsets")
        };
        let leaves: Vec<T> = self.elements(depth - 1).iter().map(Nested::leaf).collect();
        RaggedArray::new(self.list().len(), (1..depth).map(offsets).collect(), leaves).expect("an array")
    }

    /// Returns the same array with unused elements around every axis, with offsets of any width, or fixed sizes if all
    /// lists have one length.
    pub fn stored(&self, depth: usize, rng: &mut Rng) -> RaggedArray<'static, T>
    where
        T: Default,
    {
        let (mut levels, mut leaves, mut junk) = (Vec::new(), Vec::new(), 0);
        for axis in 1..depth {
            let lists = self.lists(axis);
            let lengths: Vec<usize> = lists.iter().map(|list| list.list().len()).collect();
            let (before, after) = (rng.below(3), rng.below(3));
            let regular = lengths.windows(2).all(|pair| pair[0] == pair[1]) && !lengths.is_empty();
            if regular && junk == 0 && rng.one_in(2) {
                levels.push(DynLevel::fixed(lengths[0]));
                continue;
            }
            // Unused rows of the level above are empty rows here.
            let (left, right) = (junk, if levels.is_empty() { 0 } else { 2 });
            let mut offsets: Vec<i64> = vec![before as i64; left + 1];
            for len in lengths {
                offsets.push(offsets[offsets.len() - 1] + len as i64);
            }
            offsets.extend(vec![offsets[offsets.len() - 1]; right]);
            // Choose a width of offsets.
            levels.push(match rng.below(4) {
                0 => DynLevel::offsets(offsets.iter().map(|x| *x as u32).collect::<Vec<_>>()).expect("offsets"),
                1 => DynLevel::offsets(offsets.iter().map(|x| *x as u64).collect::<Vec<_>>()).expect("offsets"),
                2 => DynLevel::offsets(offsets.iter().map(|x| *x as i32).collect::<Vec<_>>()).expect("offsets"),
                _ => DynLevel::offsets(offsets).expect("offsets"),
            });
            junk = before;
            if axis + 1 == depth {
                leaves.extend(vec![T::default(); before]);
                leaves.extend(self.elements(axis).iter().map(Nested::leaf));
                leaves.extend(vec![T::default(); after]);
                return RaggedArray::new(self.list().len(), levels, leaves).expect("an array");
            }
        }
        leaves.extend(self.elements(depth - 1).iter().map(Nested::leaf));
        RaggedArray::new(self.list().len(), levels, leaves).expect("an array")
    }
}

/// Returns the nested lists of an array.
pub fn of<T: Clone + 'static>(array: &RaggedArray<'_, T>) -> Nested<T> {
    let array = array.pack().expect("packs");
    let mut elements: Vec<Nested<T>> = array.leaves().iter().map(|leaf| Leaf(leaf.clone())).collect();
    for q in (0..array.depth() - 1).rev() {
        let rows = (0..array.shape().count(q)).map(|row| List(elements[array.shape().row(q, row)].to_vec()));
        elements = rows.collect();
    }
    List(elements)
}

/// Generates lists nested to `depth`, some of them empty on every axis.
pub fn random(depth: usize, rng: &mut Rng) -> Nested<i64> {
    let most = if rng.one_in(12) { 0 } else { 4 };
    list(depth, most, rng)
}

fn list(depth: usize, most: usize, rng: &mut Rng) -> Nested<i64> {
    let len = if rng.one_in(4) { 0 } else { rng.below(most + 1) };
    let element = |rng: &mut Rng| if depth == 1 { Leaf(rng.between(-20, 20)) } else { list(depth - 1, most, rng) };
    List((0..len).map(|_| element(rng)).collect())
}
