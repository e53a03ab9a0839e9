//! Elements times rows of dense matrices, added to rows of another: what MTTKRP, TTM and SpMM are.

use super::Scalar;
use super::stream::{AHEAD, Stream, Tile};
use crate::kernels::wide::{Task, fetch, widest};
use alloc::vec::Vec;
use core::ops::Range;

/// How many fibers ahead rows are fetched.
const FIBERS_AHEAD: usize = 8;

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

    /// `C` numbers of a row, from column `at` on.
    #[inline(always)]
    fn row<const C: usize>(&self, row: u64, at: usize) -> &[T; C] {
        let from = row as usize * self.stride + at;
        match self.data[from..from + C].first_chunk() {
            Some(row) => row,
            None => unreachable!("a slice of so many"),
        }
    }

    #[inline(always)]
    fn fetch<const C: usize>(&self, row: u64, at: usize) {
        fetch::<T>(self.row::<C>(row, at));
    }
}

/// Where products go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// The row of the coordinate in an axis.
    Axis(usize),
    /// The row of the fiber, by its entry in the levels.
    Fiber,
    /// The one row there is.
    Single,
}

/// `out[target(e)][..] += value(e) * product over inputs of input[coordinate(e)][..]`
pub(super) struct Product<'a, T> {
    /// Axes, and the matrices whose rows they choose.
    pub inputs: Vec<(usize, Rows<'a, T>)>,
    pub target: Target,
    /// How many numbers a row has.
    pub width: usize,
}

/// Some rows of a result, and one more that others own.
pub(super) struct Out<'o, T> {
    pub data: &'o mut [T],
    /// The number of the first row.
    pub first: usize,
    /// How many there are.
    pub count: usize,
    pub width: usize,
    /// Where everything goes that is for another row; without it, that is left out.
    pub carry: Option<&'o mut [T]>,
}

impl<T: Scalar> Out<'_, T> {
    /// Tests whether what is for a row is wanted.
    #[inline(always)]
    fn wants(&self, row: usize) -> bool {
        row.wrapping_sub(self.first) < self.count || self.carry.is_some()
    }

    #[inline(always)]
    fn row<const C: usize>(&mut self, row: usize, at: usize) -> Option<&mut [T; C]> {
        let row = row.wrapping_sub(self.first);
        if row < self.count {
            let from = row * self.width + at;
            self.data[from..from + C].first_chunk_mut()
        } else {
            self.carry.as_mut()?[at..at + C].first_chunk_mut()
        }
    }

    #[inline(always)]
    fn add<const C: usize>(&mut self, row: usize, at: usize, sums: &[T; C]) {
        if let Some(out) = self.row::<C>(row, at) {
            for x in 0..C {
                out[x] = out[x].plus(sums[x]);
            }
        }
    }

    #[inline(always)]
    fn fetch<const C: usize>(&self, row: usize, at: usize) {
        let row = row.wrapping_sub(self.first);
        if row < self.count {
            let from = row * self.width + at;
            fetch(&self.data[from..from + C]);
        }
    }
}

impl<'a, T: Scalar> Product<'a, T> {
    /// Adds the products of some elements to a result.
    pub fn add(&self, stream: &Stream<T>, elements: Range<usize>, tile: &mut Tile<T>, out: &mut Out<T>) {
        let leaf = stream.leaf();
        let fibers = leaf.is_some_and(|leaf| self.target == Target::Axis(leaf) || self.inputs.iter().any(|(axis, _)| *axis == leaf));
        stream.tiles(elements, fibers, tile, |tile| widest(Multiply { product: self, tile, leaf, out }));
    }
}

/// One tile.
struct Multiply<'m, 'a, 'o, T> {
    product: &'m Product<'a, T>,
    tile: &'m Tile<T>,
    leaf: Option<usize>,
    out: &'m mut Out<'o, T>,
}

impl<T: Scalar> Task for Multiply<'_, '_, '_, T> {
    #[inline(always)]
    fn run(mut self) {
        let (mut at, width) = (0, self.product.width);
        while width - at >= 32 {
            self.chunk::<32>(at);
            at += 32;
        }
        if width - at >= 16 {
            self.chunk::<16>(at);
            at += 16;
        }
        if width - at >= 8 {
            self.chunk::<8>(at);
            at += 8;
        }
        if width - at >= 4 {
            self.chunk::<4>(at);
            at += 4;
        }
        while width > at {
            self.chunk::<1>(at);
            at += 1;
        }
    }
}

impl<T: Scalar> Multiply<'_, '_, '_, T> {
    #[inline(always)]
    fn chunk<const C: usize>(&mut self, at: usize) {
        match self.leaf.filter(|_| self.tile.by_fiber) {
            None => self.elements::<C>(at),
            Some(leaf) if self.product.target == Target::Axis(leaf) => self.leaves_out::<C>(leaf, at),
            Some(leaf) => self.leaves_in::<C>(leaf, at),
        }
    }

    /// Elements one by one.
    #[inline(always)]
    fn elements<const C: usize>(&mut self, at: usize) {
        let Multiply { product, tile, out, .. } = self;
        let column = |axis: usize| &tile.coordinates[axis][..tile.len + AHEAD];
        let target = match product.target {
            Target::Axis(axis) => Some(column(axis)),
            _ => None,
        };
        let row = |e: usize| target.map_or(0, |rows| rows[e] as usize);
        match &product.inputs[..] {
            [(a, first), (b, second)] => {
                let (x, y) = (column(*a), column(*b));
                for (e, value) in tile.values.iter().enumerate() {
                    first.fetch::<C>(x[e + AHEAD], at);
                    second.fetch::<C>(y[e + AHEAD], at);
                    let here = row(e);
                    if out.wants(here) {
                        out.fetch::<C>(row(e + AHEAD), at);
                        let (p, q) = (first.row::<C>(x[e], at), second.row::<C>(y[e], at));
                        let products = core::array::from_fn(|k| value.times(p[k]).times(q[k]));
                        out.add::<C>(here, at, &products);
                    }
                }
            }
            inputs => {
                for (e, value) in tile.values.iter().enumerate() {
                    let here = row(e);
                    if out.wants(here) {
                        out.fetch::<C>(row(e + AHEAD), at);
                        let mut products = [*value; C];
                        for (axis, input) in inputs {
                            let x = column(*axis);
                            input.fetch::<C>(x[e + AHEAD], at);
                            let p = input.row::<C>(x[e], at);
                            (0..C).for_each(|k| products[k] = products[k].times(p[k]));
                        }
                        out.add::<C>(here, at, &products);
                    }
                }
            }
        }
    }

    /// Fibers whose elements choose rows of a matrix: they are summed, and multiplied by the rows of the fiber once.
    #[inline(always)]
    fn leaves_in<const C: usize>(&mut self, leaf: usize, at: usize) {
        let Multiply { product, tile, out, .. } = self;
        let Some((_, rows)) = product.inputs.iter().find(|(axis, _)| *axis == leaf) else { return };
        let leaves = &tile.coordinates[leaf][..tile.len + AHEAD];
        let values = &tile.values[..tile.len];
        let target = match product.target {
            Target::Axis(axis) => Some(&tile.coordinates[axis][..tile.ends.len() + AHEAD]),
            _ => None,
        };
        let single = product.target == Target::Single;
        let row = |fiber: usize| match target {
            Some(rows) => rows[fiber] as usize,
            None if single => 0,
            None => tile.fibers[fiber],
        };
        let mut start = 0;
        for (fiber, &end) in tile.ends.iter().enumerate() {
            let from = core::mem::replace(&mut start, end);
            let here = row(fiber);
            if !out.wants(here) {
                continue;
            }
            let mut sums = [T::ZERO; C];
            for e in from..end {
                rows.fetch::<C>(leaves[e + AHEAD], at);
                let (value, row) = (values[e], rows.row::<C>(leaves[e], at));
                for k in 0..C {
                    sums[k] = sums[k].plus(value.times(row[k]));
                }
            }
            for (axis, input) in &product.inputs {
                if *axis != leaf {
                    let column = &tile.coordinates[*axis];
                    input.fetch::<C>(column[fiber + FIBERS_AHEAD], at);
                    let row = input.row::<C>(column[fiber], at);
                    (0..C).for_each(|k| sums[k] = sums[k].times(row[k]));
                }
            }
            if let Some(target) = target {
                out.fetch::<C>(target[fiber + FIBERS_AHEAD] as usize, at);
            }
            out.add::<C>(here, at, &sums);
        }
    }

    /// Fibers whose elements choose rows of the result: the rows of the fiber are multiplied once.
    #[inline(always)]
    fn leaves_out<const C: usize>(&mut self, leaf: usize, at: usize) {
        let Multiply { product, tile, out, .. } = self;
        let leaves = &tile.coordinates[leaf][..tile.len + AHEAD];
        let values = &tile.values[..tile.len];
        let mut start = 0;
        for (fiber, &end) in tile.ends.iter().enumerate() {
            let mut factors = [T::ONE; C];
            for (axis, input) in &product.inputs {
                let column = &tile.coordinates[*axis];
                input.fetch::<C>(column[fiber + FIBERS_AHEAD], at);
                let row = input.row::<C>(column[fiber], at);
                (0..C).for_each(|k| factors[k] = factors[k].times(row[k]));
            }
            for e in core::mem::replace(&mut start, end)..end {
                out.fetch::<C>(leaves[e + AHEAD] as usize, at);
                let value = values[e];
                let products = core::array::from_fn(|k| value.times(factors[k]));
                out.add::<C>(leaves[e] as usize, at, &products);
            }
        }
    }
}
