//! Deterministic random numbers and layouts.

use super::layout::{flat, leaf};
use super::{Layout, Tree};

/// The random generator xorshift64*.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 8
    }

    /// Returns a number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Returns a number in `lo..=hi`.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + (self.next() % (hi - lo + 1) as u64) as i64
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for k in (1..n).rev() {
            order.swap(k, self.below(k + 1));
        }
        order
    }

    /// Returns one to `most` extents in 1..=6 with a product of at most `size`.
    pub fn extents(&mut self, most: usize, size: i64) -> Vec<i64> {
        let mut extents = Vec::new();
        let mut left = size;
        for _ in 0..1 + self.below(most) {
            let n = self.between(1, left.min(6));
            extents.push(n);
            left /= n;
        }
        extents
    }

    /// Returns strides: compact in a random order of the modes, with gaps between some, or arbitrary. Zeros and negatives are rare.
    pub fn strides(&mut self, extents: &[i64]) -> Vec<i64> {
        let mut strides = vec![0; extents.len()];
        let gaps = self.one_in(3);
        let mut span = if gaps { self.between(1, 3) } else { 1 };
        for k in self.shuffled(extents.len()) {
            strides[k] = span;
            span *= extents[k];
            if gaps && self.one_in(2) {
                span *= self.between(1, 3);
            }
        }
        let style = self.below(8);
        for stride in &mut strides {
            match style {
                0 => *stride = *self.pick(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24]),
                1 if self.one_in(2) => *stride = 0,
                2 if self.one_in(2) => *stride = -*stride,
                _ => {}
            }
        }
        strides
    }

    /// Returns a random nesting of these leaves, in their order.
    pub fn nested<T: Clone>(&mut self, leaves: &[Tree<T>]) -> Tree<T> {
        if leaves.len() == 1 && self.one_in(2) {
            return leaves[0].clone();
        }
        let mut modes = Vec::new();
        let mut k = 0;
        while k < leaves.len() {
            let n = if self.one_in(2) { 1 } else { 1 + self.below(leaves.len() - k) };
            // A tuple of all leaves again is rare.
            if n == 1 || (n == leaves.len() && !self.one_in(4)) {
                modes.push(leaves[k].clone());
                k += 1;
            } else {
                modes.push(self.nested(&leaves[k..k + n]));
                k += n;
            }
        }
        Tree::Node(modes)
    }

    pub fn layout(&mut self, most: usize, size: i64) -> Layout {
        let extents = self.extents(most, size);
        let strides = self.strides(&extents);
        let leaves: Vec<Layout> = extents.iter().zip(&strides).map(|(n, d)| leaf(*n, *d)).collect();
        self.nested(&leaves)
    }

    /// Returns a layout of at most `most` leaves and `size` elements that has each index from 0 on once. Strides and nesting are random.
    pub fn compact(&mut self, most: usize, size: i64) -> Layout {
        let extents = self.extents(most, size);
        let mut strides = vec![0; extents.len()];
        let mut span = 1;
        for k in self.shuffled(extents.len()) {
            strides[k] = span;
            span *= extents[k];
        }
        let pairs: Vec<_> = extents.into_iter().zip(strides).collect();
        let leaves = flat(&pairs).modes();
        self.nested(&leaves)
    }

    pub fn layouts(&mut self, count: usize, most: usize, size: i64) -> Vec<Layout> {
        (0..count).map(|_| self.layout(most, size)).collect()
    }
}
