//! Elements times rows of dense matrices, added to rows of another: what MTTKRP, TTM and SpMM are.

use super::Scalar;
use super::stream::{AHEAD, Stream, Tile};
use crate::kernels::wide::{Task, fetch, fetch_after, widest};
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

    /// Fetches a row, where there are no gaps between them.
    #[inline(always)]
    pub fn fetch_whole(&self, row: u64) {
        fetch(self.data.as_ptr().wrapping_add(row as usize * self.stride), self.stride);
    }

    /// `C` columns, from `at` on; `WHOLE` if rows have no more, and follow each other.
    #[inline(always)]
    fn columns<const C: usize, const WHOLE: bool>(&self, at: usize) -> Columns<'a, T, C, WHOLE> {
        Columns { chunks: self.data.as_chunks().0, data: self.data, stride: self.stride, at }
    }
}

/// Some columns of a matrix.
#[derive(Clone, Copy)]
struct Columns<'a, T, const C: usize, const WHOLE: bool> {
    chunks: &'a [[T; C]],
    data: &'a [T],
    stride: usize,
    at: usize,
}

impl<'a, T, const C: usize, const WHOLE: bool> Columns<'a, T, C, WHOLE> {
    #[inline(always)]
    fn row(&self, row: u64) -> &'a [T; C] {
        if WHOLE {
            return &self.chunks[row as usize];
        }
        match self.data[row as usize * self.stride + self.at..].first_chunk() {
            Some(row) => row,
            None => unreachable!("a row of so many"),
        }
    }

    #[inline(always)]
    fn fetch(&self, row: u64) {
        let at = if WHOLE { row as usize * C } else { row as usize * self.stride + self.at };
        fetch(self.data.as_ptr().wrapping_add(at), C);
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
    /// The same rows, borrowed: what a loop has of its own stays in registers.
    #[inline(always)]
    fn here(&mut self) -> Out<'_, T> {
        Out { data: &mut *self.data, first: self.first, count: self.count, width: self.width, carry: self.carry.as_deref_mut() }
    }

    /// Tests whether what is for a row is wanted.
    #[inline(always)]
    fn wants(&self, row: u64) -> bool {
        (row as usize).wrapping_sub(self.first) < self.count || self.carry.is_some()
    }

    #[inline(always)]
    fn row<const C: usize, const WHOLE: bool>(&mut self, row: u64, at: usize) -> Option<&mut [T; C]> {
        let row = (row as usize).wrapping_sub(self.first);
        // Rows are as many as the data has: one look is enough.
        let of = if WHOLE {
            self.data.as_chunks_mut().0.get_mut(row)
        } else if row < self.count {
            self.data[row * self.width + at..].first_chunk_mut()
        } else {
            None
        };
        if of.is_some() { of } else { self.carry.as_mut()?[at..].first_chunk_mut() }
    }

    #[inline(always)]
    fn add<const C: usize, const WHOLE: bool>(&mut self, row: u64, at: usize, sums: &[T; C]) {
        if let Some(out) = self.row::<C, WHOLE>(row, at) {
            for x in 0..C {
                out[x] = out[x].plus(sums[x]);
            }
        }
    }

    #[inline(always)]
    fn fetch<const C: usize>(&self, row: u64, at: usize) {
        let row = (row as usize).wrapping_sub(self.first);
        if row < self.count {
            fetch(self.data.as_ptr().wrapping_add(row * self.width + at), C);
        }
    }
}

/// The row of a result that sums go to, in registers until one for another row comes.
struct Open<T, const C: usize> {
    row: Option<u64>,
    sums: [T; C],
}

impl<T: Scalar, const C: usize> Open<T, C> {
    #[inline(always)]
    fn new() -> Self {
        Open { row: None, sums: [T::ZERO; C] }
    }

    #[inline(always)]
    fn add<const WHOLE: bool>(&mut self, out: &mut Out<T>, row: u64, at: usize, sums: &[T; C]) {
        if self.row != Some(row) {
            self.close::<WHOLE>(out, at);
            let Some(of) = out.row::<C, WHOLE>(row, at) else { return };
            (self.row, self.sums) = (Some(row), *of);
        }
        (0..C).for_each(|x| self.sums[x] = self.sums[x].plus(sums[x]));
    }

    #[inline(always)]
    fn close<const WHOLE: bool>(&mut self, out: &mut Out<T>, at: usize) {
        if let Some(of) = self.row.take().and_then(|row| out.row::<C, WHOLE>(row, at)) {
            *of = self.sums;
        }
    }
}

impl<'a, T: Scalar> Product<'a, T> {
    /// Adds the products of some elements to a result.
    pub fn add<'p>(&self, stream: &Stream<'p, T>, elements: Range<usize>, tile: &mut Tile<'p, T>, out: &mut Out<T>) {
        let leaf = stream.leaf();
        let fibers = leaf.is_some_and(|leaf| self.target == Target::Axis(leaf) || self.inputs.iter().any(|(axis, _)| *axis == leaf));
        stream.tiles(elements, fibers, tile, |tile| widest(Multiply { product: self, tile, leaf, out }));
    }
}

/// One tile.
struct Multiply<'m, 'a, 'o, T> {
    product: &'m Product<'a, T>,
    tile: &'m Tile<'m, T>,
    leaf: Option<usize>,
    out: &'m mut Out<'o, T>,
}

impl<T: Scalar> Task for Multiply<'_, '_, '_, T> {
    #[inline(always)]
    fn run(mut self) {
        let width = self.product.width;
        let follow = self.product.inputs.iter().all(|(_, rows)| rows.stride == width);
        match width {
            32 if follow => self.chunks::<32, true>(0..32),
            16 if follow => self.chunks::<16, true>(0..16),
            8 if follow => self.chunks::<8, true>(0..8),
            _ => {
                let [wide, eights, fours] = [32, 8, 4].map(|columns| width - width % columns);
                self.chunks::<32, false>(0..wide);
                self.chunks::<8, false>(wide..eights);
                self.chunks::<4, false>(eights..fours);
                self.chunks::<1, false>(fours..width);
            }
        }
    }
}

impl<'a, T: Scalar> Multiply<'_, 'a, '_, T> {
    #[inline(always)]
    fn chunks<const C: usize, const WHOLE: bool>(&mut self, columns: Range<usize>) {
        for at in columns.step_by(C) {
            match self.leaf.filter(|_| self.tile.by_fiber) {
                None => self.elements::<C, WHOLE>(at),
                Some(leaf) if self.product.target == Target::Axis(leaf) => self.leaves_out::<C, WHOLE>(leaf, at),
                Some(leaf) => self.leaves_in::<C, WHOLE>(leaf, at),
            }
        }
    }

    /// Elements one by one.
    #[inline(always)]
    fn elements<const C: usize, const WHOLE: bool>(&mut self, at: usize) {
        let Multiply { product, tile, .. } = *self;
        let mut out = self.out.here();
        let targets = match product.target {
            Target::Axis(axis) => Some(&tile.coordinates[axis][..tile.len + AHEAD]),
            _ => None,
        };
        let row = |e: usize| targets.map_or(0, |rows| rows[e]);
        if let (Some(targets), [(a, first), (b, second)]) = (targets, &product.inputs[..]) {
            let (first, second) = (first.columns::<C, WHOLE>(at), second.columns::<C, WHOLE>(at));
            let [x, y, rows] =
                [&tile.coordinates[*a], &tile.coordinates[*b], targets].map(|column| column[..tile.len].iter().zip(&column[AHEAD..]));
            for (((value, (x, next_x)), (y, next_y)), (here, next)) in tile.values().iter().zip(x).zip(y).zip(rows) {
                fetch_after(value);
                first.fetch(*next_x);
                second.fetch(*next_y);
                if out.wants(*here) {
                    out.fetch::<C>(*next, at);
                    let (p, q) = (first.row(*x), second.row(*y));
                    out.add::<C, WHOLE>(*here, at, &core::array::from_fn(|k| value.times(p[k]).times(q[k])));
                }
            }
            return;
        }
        for (e, value) in tile.values()[..tile.len].iter().enumerate() {
            let here = row(e);
            fetch_after(value);
            if out.wants(here) {
                out.fetch::<C>(row(e + AHEAD), at);
                let mut products = [*value; C];
                for (x, input) in inputs::<T, C, WHOLE>(product, tile, None, tile.len, at) {
                    input.fetch(x[e + AHEAD]);
                    let p = input.row(x[e]);
                    (0..C).for_each(|k| products[k] = products[k].times(p[k]));
                }
                out.add::<C, WHOLE>(here, at, &products);
            }
        }
    }

    /// Fibers whose elements choose rows of a matrix: they are summed, and multiplied by the rows of the fiber once.
    #[inline(always)]
    fn leaves_in<const C: usize, const WHOLE: bool>(&mut self, leaf: usize, at: usize) {
        let Multiply { product, tile, .. } = *self;
        let Some((_, rows)) = product.inputs.iter().find(|(axis, _)| *axis == leaf) else { return };
        let rows = rows.columns::<C, WHOLE>(at);
        let (leaves, values, fibers) = (&tile.coordinates[leaf][..tile.len + AHEAD], &tile.values()[..tile.len], tile.ends.len());
        let targets = match product.target {
            Target::Axis(axis) => Some(&tile.coordinates[axis][..fibers + AHEAD]),
            _ => None,
        };
        let row = |fiber: usize| match (targets, product.target) {
            (Some(rows), _) => rows[fiber],
            (None, Target::Single) => 0,
            (None, _) => (tile.first_fiber + fiber) as u64,
        };
        // The first of the other inputs is often the only one.
        let first = inputs::<T, C, WHOLE>(product, tile, Some(leaf), fibers, at).next();
        let several = product.inputs.len() > 2;
        let (mut out, mut open, mut start) = (self.out.here(), Open::<T, C>::new(), 0);
        for (fiber, &end) in tile.ends.iter().enumerate() {
            let from = core::mem::replace(&mut start, end);
            let here = row(fiber);
            if from == end || !out.wants(here) {
                continue;
            }
            if let Some(targets) = targets {
                out.fetch::<C>(targets[fiber + FIBERS_AHEAD], at);
            }
            if let Some((column, input)) = &first {
                input.fetch(column[fiber + FIBERS_AHEAD]);
            }
            let mut sums = [T::ZERO; C];
            for ((value, leaf), next) in values[from..end].iter().zip(&leaves[from..end]).zip(&leaves[from + AHEAD..end + AHEAD]) {
                fetch_after(value);
                rows.fetch(*next);
                let row = rows.row(*leaf);
                for k in 0..C {
                    sums[k] = sums[k].plus(value.times(row[k]));
                }
            }
            if let Some((column, input)) = &first {
                let row = input.row(column[fiber]);
                (0..C).for_each(|k| sums[k] = sums[k].times(row[k]));
            }
            if several {
                for (column, input) in inputs::<T, C, WHOLE>(product, tile, Some(leaf), fibers, at).skip(1) {
                    input.fetch(column[fiber + FIBERS_AHEAD]);
                    let row = input.row(column[fiber]);
                    (0..C).for_each(|k| sums[k] = sums[k].times(row[k]));
                }
            }
            open.add::<WHOLE>(&mut out, here, at, &sums);
        }
        open.close::<WHOLE>(&mut out, at);
    }

    /// Fibers whose elements choose rows of the result: the rows of the fiber are multiplied once.
    #[inline(always)]
    fn leaves_out<const C: usize, const WHOLE: bool>(&mut self, leaf: usize, at: usize) {
        let Multiply { product, tile, .. } = *self;
        let (leaves, values, fibers) = (&tile.coordinates[leaf][..tile.len + AHEAD], &tile.values()[..tile.len], tile.ends.len());
        let pair = match &product.inputs[..] {
            [(a, first), (b, second)] => Some((
                (&tile.coordinates[*a][..fibers + AHEAD], first.columns::<C, WHOLE>(at)),
                (&tile.coordinates[*b][..fibers + AHEAD], second.columns::<C, WHOLE>(at)),
            )),
            _ => None,
        };
        let (mut out, mut start) = (self.out.here(), 0);
        for (fiber, &end) in tile.ends.iter().enumerate() {
            let from = core::mem::replace(&mut start, end);
            if from == end {
                continue;
            }
            let mut factors = [T::ONE; C];
            if let Some(((x, first), (y, second))) = &pair {
                first.fetch(x[fiber + FIBERS_AHEAD]);
                second.fetch(y[fiber + FIBERS_AHEAD]);
                let (p, q) = (first.row(x[fiber]), second.row(y[fiber]));
                (0..C).for_each(|k| factors[k] = p[k].times(q[k]));
            } else {
                for (column, input) in inputs::<T, C, WHOLE>(product, tile, None, fibers, at) {
                    input.fetch(column[fiber + FIBERS_AHEAD]);
                    let row = input.row(column[fiber]);
                    (0..C).for_each(|k| factors[k] = factors[k].times(row[k]));
                }
            }
            for ((value, here), next) in values[from..end].iter().zip(&leaves[from..end]).zip(&leaves[from + AHEAD..end + AHEAD]) {
                fetch_after(value);
                out.fetch::<C>(*next, at);
                out.add::<C, WHOLE>(*here, at, &core::array::from_fn(|k| value.times(factors[k])));
            }
        }
    }
}

/// The inputs but that of one axis, with the coordinates of so many slots and some more.
#[inline(always)]
fn inputs<'m, 'a, T: Scalar, const C: usize, const WHOLE: bool>(
    product: &'m Product<'a, T>,
    tile: &'m Tile<T>,
    but: Option<usize>,
    slots: usize,
    at: usize,
) -> impl Iterator<Item = (&'m [u64], Columns<'a, T, C, WHOLE>)> {
    let inputs = product.inputs.iter().filter(move |(axis, _)| Some(*axis) != but);
    inputs.map(move |(axis, input)| (&tile.coordinates[*axis][..slots + AHEAD], input.columns(at)))
}
