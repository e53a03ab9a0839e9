//! Rows of dense matrices that coordinates choose, fetched before they are read.

use super::Scalar;
use crate::kernels::wide::{fetch, fetch_row, splits_lines};
use alloc::vec::Vec;
use core::ops::Range;
use layout_levels::Index;

/// How many fibers ahead rows are fetched.
pub(super) const FIBERS_AHEAD: usize = 8;

/// A row-major matrix, or some columns of one.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, T> {
    pub data: &'a [T],
    /// How far rows are apart.
    pub stride: usize,
}

impl<'a, T> Rows<'a, T> {
    /// A row, where there are no gaps between them.
    #[inline(always)]
    pub fn whole(&self, row: u64) -> &'a [T] {
        &self.data[row as usize * self.stride..][..self.stride]
    }

    /// Fetches a row, where there are no gaps between them.
    #[inline(always)]
    pub fn fetch_whole(&self, row: u64) {
        fetch(self.data.as_ptr().wrapping_add(row as usize * self.stride), self.stride);
    }

    /// `C` columns, from `at` on, of the rows that coordinates choose; `WHOLE` if rows have no more, and follow each other.
    #[inline(always)]
    pub fn chosen<'t, I, const C: usize, const WHOLE: bool>(
        &self,
        at: usize,
        [here, next]: [&'t [I]; 2],
    ) -> Chosen<'a, 't, T, I, C, WHOLE> {
        let lines = Lines::new(self.data.as_ptr().wrapping_add(at), self.stride);
        Chosen { chunks: self.data.as_chunks().0, data: self.data, stride: self.stride, at, lines, here, next }
    }
}

/// Some columns of a matrix, of the rows that the coordinates of slots choose.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'a, 't, T, I, const C: usize, const WHOLE: bool> {
    chunks: &'a [[T; C]],
    data: &'a [T],
    stride: usize,
    at: usize,
    lines: Lines<T, C, WHOLE>,
    here: &'t [I],
    /// The coordinates of slots further on.
    next: &'t [I],
}

impl<'a, T: Scalar, I: Index, const C: usize, const WHOLE: bool> Chosen<'a, '_, T, I, C, WHOLE> {
    /// The rows of some of the slots.
    #[inline(always)]
    pub fn rows(&self, slots: Range<usize>) -> impl Iterator<Item = &'a [T; C]> {
        self.here[slots.clone()].iter().zip(&self.next[slots]).map(|(here, next)| self.row(*here, *next))
    }

    /// A row; one that is read later is fetched.
    #[inline(always)]
    fn row(&self, here: I, next: I) -> &'a [T; C] {
        self.lines.fetch(next.to_u64());
        let row = here.to_usize();
        if WHOLE {
            return &self.chunks[row];
        }
        match self.data[row * self.stride + self.at..].first_chunk() {
            Some(row) => row,
            None => unreachable!("a row of so many"),
        }
    }

    /// Multiplies by the row of a slot.
    #[inline(always)]
    pub fn multiply(&self, slot: usize, products: &mut [T; C]) {
        let row = self.row(self.here[slot], self.next[slot]);
        for k in 0..C {
            products[k] = products[k].times(row[k]);
        }
    }
}

/// Rows of any number of matrices that slots choose: of the first two without a look for how many there are.
pub(super) struct Several<'a, 't, T, const C: usize, const WHOLE: bool> {
    few: [Option<Chosen<'a, 't, T, u64, C, WHOLE>>; 2],
    others: Vec<Chosen<'a, 't, T, u64, C, WHOLE>>,
}

impl<'a, 't, T: Scalar, const C: usize, const WHOLE: bool> Several<'a, 't, T, C, WHOLE> {
    #[inline(always)]
    pub fn new(mut all: impl Iterator<Item = Chosen<'a, 't, T, u64, C, WHOLE>>) -> Self {
        Several { few: [all.next(), all.next()], others: all.collect() }
    }

    /// Multiplies by the rows of a slot.
    #[inline(always)]
    pub fn multiply(&self, slot: usize, mut products: [T; C]) -> [T; C] {
        if let Some(first) = &self.few[0] {
            first.multiply(slot, &mut products);
        }
        if let Some(second) = &self.few[1] {
            second.multiply(slot, &mut products);
        }
        for other in &self.others {
            other.multiply(slot, &mut products);
        }
        products
    }
}

/// The memory of some columns of rows, which is asked for before it is read.
#[derive(Clone, Copy)]
pub(super) struct Lines<T, const C: usize, const WHOLE: bool> {
    begin: *const T,
    stride: usize,
    splits: bool,
}

impl<T, const C: usize, const WHOLE: bool> Lines<T, C, WHOLE> {
    #[inline(always)]
    pub fn new(begin: *const T, stride: usize) -> Self {
        Lines { begin, stride, splits: splits_lines(begin, stride, C) }
    }

    #[inline(always)]
    pub fn fetch(&self, row: u64) {
        let from = (row as usize).wrapping_mul(if WHOLE { C } else { self.stride });
        fetch_row::<T, C>(self.begin.wrapping_add(from), self.splits);
    }
}
