//! Gathers the matrix rows that coordinates choose, and prefetches the rows of later coordinates: step 3 of a
//! [`RowProduct`](super::row_product::RowProduct).

use super::Scalar;
use super::row_product::FactorMatrix;
use crate::kernels::prefetch::{prefetch, prefetch_row, splits_lines};
use alloc::vec::Vec;
use core::ops::Range;
use layout_levels::Index;

/// The distance of row prefetches, in fibers.
pub(super) const FIBER_LOOKAHEAD: usize = 8;

impl<'a, T> FactorMatrix<'a, T> {
    /// Returns a row of a matrix without gaps between rows.
    #[inline(always)]
    pub fn row(&self, row: u64) -> &'a [T] {
        &self.data[row as usize * self.stride..][..self.stride]
    }

    /// Prefetches a row of a matrix without gaps between rows.
    #[inline(always)]
    pub fn prefetch_row(&self, row: u64) {
        prefetch(self.data.as_ptr().wrapping_add(row as usize * self.stride), self.stride);
    }

    /// Returns `C` columns, from column `at` on, of the rows that the coordinates `here` choose.
    ///
    /// `WHOLE` promises that the rows have exactly `C` columns and no gaps between them. `next` has, for each slot of
    /// `here`, the coordinate of a later slot, whose row is prefetched.
    #[inline(always)]
    pub fn gather<'t, I, const C: usize, const WHOLE: bool>(
        &self,
        at: usize,
        [here, next]: [&'t [I]; 2],
    ) -> GatheredRows<'a, 't, T, I, C, WHOLE> {
        let lines = RowPrefetch::new(self.data.as_ptr().wrapping_add(at), self.stride);
        GatheredRows { chunks: self.data.as_chunks().0, data: self.data, stride: self.stride, at, lines, here, next }
    }
}

/// `C` columns of the matrix rows that the coordinates of slots choose.
#[derive(Clone, Copy)]
pub(super) struct GatheredRows<'a, 't, T, I, const C: usize, const WHOLE: bool> {
    chunks: &'a [[T; C]],
    data: &'a [T],
    stride: usize,
    at: usize,
    lines: RowPrefetch<T, C, WHOLE>,
    here: &'t [I],
    /// The coordinates of later slots, for prefetches.
    next: &'t [I],
}

impl<'a, T: Scalar, I: Index, const C: usize, const WHOLE: bool> GatheredRows<'a, '_, T, I, C, WHOLE> {
    /// Returns the rows of a range of slots.
    #[inline(always)]
    pub fn rows(&self, slots: Range<usize>) -> impl Iterator<Item = &'a [T; C]> {
        self.here[slots.clone()].iter().zip(&self.next[slots]).map(|(here, next)| self.row(*here, *next))
    }

    /// Returns row `here`, and prefetches row `next`.
    #[inline(always)]
    fn row(&self, here: I, next: I) -> &'a [T; C] {
        self.lines.prefetch(next.to_u64());
        let row = here.to_usize();
        if WHOLE {
            return &self.chunks[row];
        }
        match self.data[row * self.stride + self.at..].first_chunk() {
            Some(row) => row,
            None => unreachable!("a row has `C` columns"),
        }
    }

    /// Multiplies `products` by the row of a slot, element by element.
    #[inline(always)]
    pub fn multiply(&self, slot: usize, products: &mut [T; C]) {
        let row = self.row(self.here[slot], self.next[slot]);
        for k in 0..C {
            products[k] = products[k].times(row[k]);
        }
    }
}

/// The rows that slots choose in any number of matrices. The first two matrices need no loop.
pub(super) struct GatheredFactors<'a, 't, T, const C: usize, const WHOLE: bool> {
    first_two: [Option<GatheredRows<'a, 't, T, u64, C, WHOLE>>; 2],
    others: Vec<GatheredRows<'a, 't, T, u64, C, WHOLE>>,
}

impl<'a, 't, T: Scalar, const C: usize, const WHOLE: bool> GatheredFactors<'a, 't, T, C, WHOLE> {
    #[inline(always)]
    pub fn new(mut all: impl Iterator<Item = GatheredRows<'a, 't, T, u64, C, WHOLE>>) -> Self {
        GatheredFactors { first_two: [all.next(), all.next()], others: all.collect() }
    }

    /// Returns `products` times the rows of a slot in all matrices, element by element.
    #[inline(always)]
    pub fn multiply(&self, slot: usize, mut products: [T; C]) -> [T; C] {
        if let Some(first) = &self.first_two[0] {
            first.multiply(slot, &mut products);
        }
        if let Some(second) = &self.first_two[1] {
            second.multiply(slot, &mut products);
        }
        for other in &self.others {
            other.multiply(slot, &mut products);
        }
        products
    }
}

/// The address of `C` columns of the rows of a matrix, for prefetches by row number.
#[derive(Clone, Copy)]
pub(super) struct RowPrefetch<T, const C: usize, const WHOLE: bool> {
    begin: *const T,
    stride: usize,
    splits: bool,
}

impl<T, const C: usize, const WHOLE: bool> RowPrefetch<T, C, WHOLE> {
    #[inline(always)]
    pub fn new(begin: *const T, stride: usize) -> Self {
        RowPrefetch { begin, stride, splits: splits_lines(begin, stride, C) }
    }

    #[inline(always)]
    pub fn prefetch(&self, row: u64) {
        let from = (row as usize).wrapping_mul(if WHOLE { C } else { self.stride });
        prefetch_row::<T, C>(self.begin.wrapping_add(from), self.splits);
    }
}
