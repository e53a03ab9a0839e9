//! Elements times rows of dense matrices, added to rows of another: what MTTKRP, TTM and SpMM are.

use super::Scalar;
use super::stream::{AHEAD, Stream, Tile};
use crate::kernels::wide::{Task, fetch, fetch_row, splits_lines, widest};
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
        Columns { chunks: self.data.as_chunks().0, data: self.data, stride: self.stride, at, lines: Lines::new(self.data, self.stride, at) }
    }
}

/// Some columns of a matrix.
#[derive(Clone, Copy)]
struct Columns<'a, T, const C: usize, const WHOLE: bool> {
    chunks: &'a [[T; C]],
    data: &'a [T],
    stride: usize,
    at: usize,
    lines: Lines<T, C, WHOLE>,
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
        self.lines.fetch(row as usize);
    }
}

/// The memory of some columns of rows, which is asked for before it is read.
#[derive(Clone, Copy)]
struct Lines<T, const C: usize, const WHOLE: bool> {
    begin: *const T,
    stride: usize,
    splits: bool,
}

impl<T, const C: usize, const WHOLE: bool> Lines<T, C, WHOLE> {
    #[inline(always)]
    fn new(data: &[T], stride: usize, at: usize) -> Self {
        let begin = data.as_ptr().wrapping_add(at);
        Lines { begin, stride, splits: splits_lines(begin, stride, C) }
    }

    #[inline(always)]
    fn fetch(&self, row: usize) {
        fetch_row::<T, C>(self.begin.wrapping_add(row.wrapping_mul(if WHOLE { C } else { self.stride })), self.splits);
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

impl Target {
    /// The axis whose coordinates say which row.
    fn axis(self) -> Option<usize> {
        match self {
            Target::Axis(axis) => Some(axis),
            _ => None,
        }
    }
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

    /// How its rows are fetched.
    #[inline(always)]
    fn lines<const C: usize, const WHOLE: bool>(&self, at: usize) -> OutLines<T, C, WHOLE> {
        OutLines { lines: Lines::new(self.data, self.width, at), first: self.first, count: self.count }
    }
}

/// The memory of the rows of a result, which is asked for before they are added to; not those that others own.
#[derive(Clone, Copy)]
struct OutLines<T, const C: usize, const WHOLE: bool> {
    lines: Lines<T, C, WHOLE>,
    first: usize,
    count: usize,
}

impl<T, const C: usize, const WHOLE: bool> OutLines<T, C, WHOLE> {
    #[inline(always)]
    fn fetch(&self, row: u64) {
        let row = (row as usize).wrapping_sub(self.first);
        if row < self.count {
            self.lines.fetch(row);
        }
    }
}

impl<'a, T: Scalar> Product<'a, T> {
    /// Adds the products of some elements to a result.
    pub fn add<'p>(&self, stream: &Stream<'p, T>, elements: Range<usize>, tile: &mut Tile<'p, T>, out: &mut Out<T>) {
        let leaf = stream.leaf().filter(|_| stream.shares() || self.target == Target::Fiber);
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

    /// Elements one by one; the sums of those for one row, one after the other, are in registers.
    #[inline(always)]
    fn elements<const C: usize, const WHOLE: bool>(&mut self, at: usize) {
        let Multiply { product, tile, .. } = *self;
        let (len, mut out) = (tile.len, self.out.here());
        let (values, lines) = (&tile.values()[..len], out.lines::<C, WHOLE>(at));
        let targets = product.target.axis().map(|axis| tile.column::<AHEAD>(axis, len));
        let mut e = 0;
        if let (Some([target, next]), [(a, first), (b, second)]) = (targets, &product.inputs[..]) {
            let (first, second) = (first.columns::<C, WHOLE>(at), second.columns::<C, WHOLE>(at));
            let ([x, x_next], [y, y_next]) = (tile.column::<AHEAD>(*a, len), tile.column::<AHEAD>(*b, len));
            while e < len {
                let here = target[e];
                let Some(of) = out.row::<C, WHOLE>(here, at) else {
                    e += 1;
                    continue;
                };
                let mut sums = *of;
                loop {
                    tile.fetch_after(e, &values[e]);
                    lines.fetch(next[e]);
                    first.fetch(x_next[e]);
                    second.fetch(y_next[e]);
                    let (value, p, q) = (values[e], first.row(x[e]), second.row(y[e]));
                    for k in 0..C {
                        sums[k] = sums[k].plus(value.times(p[k]).times(q[k]));
                    }
                    e += 1;
                    // What chance alone decides is not guessed.
                    if tile.scattered || e == len || target[e] != here {
                        break;
                    }
                }
                *of = sums;
            }
            return;
        }
        while e < len {
            let here = targets.map_or(0, |[target, _]| target[e]);
            let Some(of) = out.row::<C, WHOLE>(here, at) else {
                e += 1;
                continue;
            };
            let mut sums = *of;
            loop {
                tile.fetch_after(e, &values[e]);
                if let Some([_, next]) = targets {
                    lines.fetch(next[e]);
                }
                let mut products = [values[e]; C];
                for (axis, input) in &product.inputs {
                    let ([x, x_next], input) = (tile.column::<AHEAD>(*axis, len), input.columns::<C, WHOLE>(at));
                    input.fetch(x_next[e]);
                    let p = input.row(x[e]);
                    for k in 0..C {
                        products[k] = products[k].times(p[k]);
                    }
                }
                for k in 0..C {
                    sums[k] = sums[k].plus(products[k]);
                }
                e += 1;
                if tile.scattered || e == len || targets.is_some_and(|[target, _]| target[e] != here) {
                    break;
                }
            }
            *of = sums;
        }
    }

    /// Fibers whose elements choose rows of a matrix: they are summed, and multiplied by the rows of the fiber once.
    #[inline(always)]
    fn leaves_in<const C: usize, const WHOLE: bool>(&mut self, leaf: usize, at: usize) {
        let Multiply { product, tile, .. } = *self;
        let Some((_, rows)) = product.inputs.iter().find(|(axis, _)| *axis == leaf) else { return };
        let (rows, len, fibers) = (rows.columns::<C, WHOLE>(at), tile.len, tile.fibers());
        let ([leaves, next], values) = (tile.column::<AHEAD>(leaf, len), &tile.values()[..len]);
        let fiber = |axis: usize| tile.column::<FIBERS_AHEAD>(axis, fibers);
        let targets = product.target.axis().map(fiber);
        let row = |slot: usize| match (targets, product.target) {
            (Some([here, _]), _) => here[slot],
            (None, Target::Single) => 0,
            (None, _) => (tile.first_fiber + slot) as u64,
        };
        // The first of the other inputs is often the only one.
        let mut others = product.inputs.iter().filter(|(axis, _)| *axis != leaf);
        let first = others.next().map(|(axis, input)| (fiber(*axis), input.columns::<C, WHOLE>(at)));
        let several = product.inputs.len() > 2;
        let mut out = self.out.here();
        let lines = out.lines::<C, WHOLE>(at);
        let mut slot = 0;
        while slot < fibers {
            let here = row(slot);
            let Some(of) = out.row::<C, WHOLE>(here, at) else {
                slot += 1;
                continue;
            };
            let mut all = *of;
            while slot < fibers && row(slot) == here {
                let elements = tile.fiber(slot);
                if elements.is_empty() {
                    slot += 1;
                    continue;
                }
                if let Some([_, next]) = targets {
                    lines.fetch(next[slot]);
                }
                if let Some(([_, next], input)) = &first {
                    input.fetch(next[slot]);
                }
                let mut sums = [T::ZERO; C];
                let (leaves, next) = (&leaves[elements.clone()], &next[elements.clone()]);
                for (((value, leaf), next), e) in values[elements.clone()].iter().zip(leaves).zip(next).zip(elements) {
                    tile.fetch_after(e, value);
                    rows.fetch(*next);
                    let row = rows.row(*leaf);
                    for k in 0..C {
                        sums[k] = sums[k].plus(value.times(row[k]));
                    }
                }
                if let Some(([x, _], input)) = &first {
                    let row = input.row(x[slot]);
                    for k in 0..C {
                        sums[k] = sums[k].times(row[k]);
                    }
                }
                if several {
                    for (axis, input) in others.clone() {
                        let ([x, next], input) = (fiber(*axis), input.columns::<C, WHOLE>(at));
                        input.fetch(next[slot]);
                        let row = input.row(x[slot]);
                        for k in 0..C {
                            sums[k] = sums[k].times(row[k]);
                        }
                    }
                }
                for k in 0..C {
                    all[k] = all[k].plus(sums[k]);
                }
                slot += 1;
            }
            *of = all;
        }
    }

    /// Fibers whose elements choose rows of the result: the rows of the fiber are multiplied once.
    #[inline(always)]
    fn leaves_out<const C: usize, const WHOLE: bool>(&mut self, leaf: usize, at: usize) {
        let Multiply { product, tile, .. } = *self;
        let (len, fibers) = (tile.len, tile.fibers());
        let ([leaves, next], values) = (tile.column::<AHEAD>(leaf, len), &tile.values()[..len]);
        let fiber = |axis: usize| tile.column::<FIBERS_AHEAD>(axis, fibers);
        let pair = match &product.inputs[..] {
            [(a, first), (b, second)] => Some((fiber(*a), first.columns::<C, WHOLE>(at), fiber(*b), second.columns::<C, WHOLE>(at))),
            _ => None,
        };
        let mut out = self.out.here();
        let lines = out.lines::<C, WHOLE>(at);
        for slot in 0..fibers {
            let elements = tile.fiber(slot);
            if elements.is_empty() {
                continue;
            }
            let mut factors = [T::ONE; C];
            if let Some(([x, x_next], first, [y, y_next], second)) = &pair {
                first.fetch(x_next[slot]);
                second.fetch(y_next[slot]);
                let (p, q) = (first.row(x[slot]), second.row(y[slot]));
                for k in 0..C {
                    factors[k] = p[k].times(q[k]);
                }
            } else {
                for (axis, input) in &product.inputs {
                    let ([x, next], input) = (fiber(*axis), input.columns::<C, WHOLE>(at));
                    input.fetch(next[slot]);
                    let row = input.row(x[slot]);
                    for k in 0..C {
                        factors[k] = factors[k].times(row[k]);
                    }
                }
            }
            let (leaves, next) = (&leaves[elements.clone()], &next[elements.clone()]);
            for (((value, here), next), e) in values[elements.clone()].iter().zip(leaves).zip(next).zip(elements) {
                tile.fetch_after(e, value);
                lines.fetch(*next);
                let value = *value;
                if let Some(of) = out.row::<C, WHOLE>(*here, at) {
                    let mut sums = *of;
                    for k in 0..C {
                        sums[k] = sums[k].plus(value.times(factors[k]));
                    }
                    *of = sums;
                }
            }
        }
    }
}
