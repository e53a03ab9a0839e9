//! Rows of dense matrices that coordinates choose, fetched before they are read.

use super::Scalar;
use super::tile::Tile;
use crate::kernels::wide::{fetch, fetch_row, splits_lines};
use core::ops::Range;
use layout_core::level::Index;

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

/// Any number of matrices, some columns of each.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'i, 'a, T, const AHEAD: usize, const C: usize, const WHOLE: bool> {
    pub inputs: &'i [(usize, Rows<'a, T>)],
    pub tile: &'i Tile<'i, T>,
    /// How many elements choose rows, or fibers.
    pub slots: usize,
    pub at: usize,
}

impl<'i, 'a, T: Scalar, const AHEAD: usize, const C: usize, const WHOLE: bool> Inputs<'i, 'a, T, AHEAD, C, WHOLE> {
    #[inline(always)]
    pub fn chosen(&self, input: usize) -> Chosen<'a, 'i, T, u64, C, WHOLE> {
        let (axis, rows) = &self.inputs[input];
        rows.chosen(self.at, self.tile.column::<AHEAD>(*axis, self.slots))
    }
}

/// The rows that all elements of a fiber choose.
pub(super) struct Above<'i, 'a, T, const C: usize, const WHOLE: bool> {
    fibers: Inputs<'i, 'a, T, FIBERS_AHEAD, C, WHOLE>,
    groups: Inputs<'i, 'a, T, FIBERS_AHEAD, C, WHOLE>,
    /// The axis of the coordinates that elements have of their own.
    leaf: usize,
    /// The first of those that coordinates of fibers choose, which are often all.
    few: [Option<Chosen<'a, 'i, T, u64, C, WHOLE>>; 2],
    /// Inputs that have all others.
    others: Range<usize>,
}

impl<'i, 'a, T: Scalar, const C: usize, const WHOLE: bool> Above<'i, 'a, T, C, WHOLE> {
    #[inline(always)]
    pub fn new(inputs: &'i [(usize, Rows<'a, T>)], tile: &'i Tile<'i, T>, leaf: usize, at: usize) -> Self {
        let [fibers, groups] = [tile.fibers(), tile.groups.len()].map(|slots| Inputs { inputs, tile, slots, at });
        let above = Above { fibers, groups, leaf, few: [None; 2], others: 0..0 };
        let mut chosen = (0..inputs.len()).filter(|input| above.is_of(*input, false));
        let few = [chosen.next(), chosen.next()].map(|input| input.map(|input| fibers.chosen(input)));
        let others = chosen.next().map_or(0..0, |next| next..inputs.len());
        Above { few, others, ..above }
    }

    /// Tests whether coordinates of groups choose the rows of an input, or of fibers.
    #[inline(always)]
    fn is_of(&self, input: usize, groups: bool) -> bool {
        let axis = self.fibers.inputs[input].0;
        axis != self.leaf && self.fibers.tile.above[axis] == groups
    }

    /// The product of the rows that a group of fibers chooses.
    #[inline(always)]
    pub fn of_group(&self, group: usize) -> [T; C] {
        let mut out = [T::ONE; C];
        for input in 0..self.groups.inputs.len() {
            if self.is_of(input, true) {
                self.groups.chosen(input).multiply(group, &mut out);
            }
        }
        out
    }

    /// The product of those that a fiber chooses and others.
    #[inline(always)]
    pub fn of_fiber(&self, fiber: usize, mut out: [T; C]) -> [T; C] {
        if let Some(first) = &self.few[0] {
            first.multiply(fiber, &mut out);
        }
        if let Some(second) = &self.few[1] {
            second.multiply(fiber, &mut out);
        }
        for input in self.others.clone() {
            if self.is_of(input, false) {
                self.fibers.chosen(input).multiply(fiber, &mut out);
            }
        }
        out
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
