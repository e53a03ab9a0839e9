//! Elements times rows of dense matrices, added to rows of another: what MTTKRP, TTM and SpMM are.

use super::Scalar;
use super::factors::{Chosen, FIBERS_AHEAD, Lines, Rows, Several};
use super::stream::{AHEAD, Stream};
use super::tile::Tile;
use crate::Indices;
use crate::kernels::wide::{Task, widest};
use alloc::vec::Vec;
use core::ops::Range;
use layout_levels::Index;

/// Where products go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// The row of the coordinate in an axis.
    Axis(usize),
    /// The row of the fiber, by its entry in the levels; of one level, all of whose elements are one fiber, the only row.
    Fiber,
}

impl Target {
    /// The axis whose coordinates say which row.
    fn axis(self) -> Option<usize> {
        match self {
            Target::Axis(axis) => Some(axis),
            Target::Fiber => None,
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

/// Some rows of a result.
pub(super) struct Out<'o, T> {
    pub data: &'o mut [T],
    /// The number of the first row.
    pub first: usize,
    /// True if elements choose other rows too: those are left out.
    pub part: bool,
}

/// Some columns of them.
struct Sums<'o, T, const C: usize, const WHOLE: bool> {
    data: &'o mut [T],
    first: usize,
    width: usize,
    at: usize,
    lines: Lines<T, C, WHOLE>,
}

impl<T: Scalar> Out<'_, T> {
    #[inline(always)]
    fn columns<const C: usize, const WHOLE: bool>(&mut self, at: usize, width: usize) -> Sums<'_, T, C, WHOLE> {
        // Lines are asked for by the number of the row, that of the first included.
        let begin = self.data.as_ptr().wrapping_add(at).wrapping_sub(self.first.wrapping_mul(width));
        Sums { data: self.data, first: self.first, width, at, lines: Lines::new(begin, width) }
    }
}

impl<T: Scalar, const C: usize, const WHOLE: bool> Sums<'_, T, C, WHOLE> {
    #[inline(always)]
    fn row(&mut self, row: u64) -> &mut [T; C] {
        let row = (row as usize).wrapping_sub(self.first);
        if WHOLE {
            return &mut self.data.as_chunks_mut().0[row];
        }
        match self.data[row * self.width + self.at..].first_chunk_mut() {
            Some(row) => row,
            None => unreachable!("a row of so many"),
        }
    }
}

impl<'a, T: Scalar> Product<'a, T> {
    /// Tests whether there are as many columns as there is a loop for, all that matrices have, and rows follow each other.
    fn has_whole_rows(&self) -> bool {
        matches!(self.width, 8 | 16 | 32) && self.inputs.iter().all(|(_, rows)| rows.stride == self.width)
    }

    /// Adds the products of some elements to a result.
    pub fn add<'p>(&self, stream: &Stream<'p, T>, elements: Range<usize>, tile: &mut Tile<'p, T>, out: &mut Out<T>) {
        let leaf = stream.leaf().filter(|_| stream.shares() || self.target == Target::Fiber);
        let fibers = leaf.is_some_and(|leaf| self.target == Target::Axis(leaf) || self.inputs.iter().any(|(axis, _)| *axis == leaf));
        let (first, rows) = (out.first as u64, (out.data.len() / self.width.max(1)) as u64);
        let part = self.target.axis().filter(|_| out.part);
        // Each width that they are stored in has code of its own, on which compile time is spent for whole rows alone.
        tile.takes_leaves = part.is_none() && self.has_whole_rows();
        stream.tiles(elements, fibers, tile, |tile| {
            if let Some(axis) = part {
                tile.keep(axis, first..first + rows, leaf);
            }
            if self.target == Target::Fiber {
                tile.rows.clear();
                tile.rows.extend((0..tile.fibers() + AHEAD).map(|slot| (tile.first_fiber + slot) as u64));
            }
            widest(Multiply { product: self, tile, leaf, out });
        });
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
        match width {
            32 if self.product.has_whole_rows() => self.chunks::<32, true>(0..32),
            16 if self.product.has_whole_rows() => self.chunks::<16, true>(0..16),
            8 if self.product.has_whole_rows() => self.chunks::<8, true>(0..8),
            _ => {
                let [wide, sixteens, eights, fours, twos] = [32, 16, 8, 4, 2].map(|columns| width - width % columns);
                self.chunks::<32, false>(0..wide);
                self.chunks::<16, false>(wide..sixteens);
                self.chunks::<8, false>(sixteens..eights);
                self.chunks::<4, false>(eights..fours);
                self.chunks::<2, false>(fours..twos);
                self.chunks::<1, false>(twos..width);
            }
        }
    }
}

impl<'m, 'a, T: Scalar> Multiply<'m, 'a, '_, T> {
    #[inline(always)]
    fn chunks<const C: usize, const WHOLE: bool>(&mut self, columns: Range<usize>) {
        let Multiply { tile, leaf, .. } = *self;
        for at in columns.step_by(C) {
            let Some(leaf) = leaf.filter(|_| tile.by_fiber) else {
                self.elements::<C, WHOLE>(at);
                continue;
            };
            match tile.leaves.filter(|_| WHOLE) {
                Some(Indices::U8(leaves)) => self.fibers::<_, C, WHOLE>(leaf, tile.stored_from(leaves), at),
                Some(Indices::U16(leaves)) => self.fibers::<_, C, WHOLE>(leaf, tile.stored_from(leaves), at),
                Some(Indices::U32(leaves)) => self.fibers::<_, C, WHOLE>(leaf, tile.stored_from(leaves), at),
                // Stored in 64 bits, or decoded to as many.
                leaves => {
                    let stored = if let Some(Indices::U64(leaves)) = leaves { Some(tile.stored_from(leaves)) } else { None };
                    self.fibers::<u64, C, WHOLE>(leaf, stored.unwrap_or_else(|| tile.column::<AHEAD>(leaf, tile.len)), at);
                }
            }
        }
    }

    /// Fibers, whose elements have these coordinates of their own.
    #[inline(always)]
    fn fibers<I: Index, const C: usize, const WHOLE: bool>(&mut self, leaf: usize, leaves: [&[I]; 2], at: usize) {
        if self.product.target == Target::Axis(leaf) {
            self.leaves_out::<I, C, WHOLE>(leaf, leaves, at);
        } else {
            self.leaves_in::<I, C, WHOLE>(leaf, leaves, at);
        }
    }

    /// Elements one by one.
    #[inline(always)]
    fn elements<const C: usize, const WHOLE: bool>(&mut self, at: usize) {
        // A loop that knows how many there are keeps what it has of them in registers.
        match self.product.inputs.len() {
            1 => self.runs::<C, WHOLE>(at, [self.of_elements(0, at)]),
            2 => self.runs::<C, WHOLE>(at, [self.of_elements(0, at), self.of_elements(1, at)]),
            3 => self.runs::<C, WHOLE>(at, [self.of_elements(0, at), self.of_elements(1, at), self.of_elements(2, at)]),
            more => self.runs::<C, WHOLE>(at, &(0..more).map(|input| self.of_elements(input, at)).collect::<Vec<_>>()[..]),
        }
    }

    /// The rows of an input that elements choose. What a closure would return instead stays in memory.
    #[inline(always)]
    fn of_elements<const C: usize, const WHOLE: bool>(&self, input: usize, at: usize) -> Chosen<'a, 'm, T, u64, C, WHOLE> {
        let Multiply { product, tile, .. } = *self;
        let (axis, rows) = &product.inputs[input];
        rows.chosen(at, tile.column::<AHEAD>(*axis, tile.len))
    }

    /// Adds the products of elements; the sums of those for one row, one after the other, are in registers.
    #[inline(always)]
    fn runs<const C: usize, const WHOLE: bool>(&mut self, at: usize, factors: impl AsRef<[Chosen<'a, 'm, T, u64, C, WHOLE>]>) {
        let Multiply { product, tile, .. } = *self;
        let mut out = self.out.columns::<C, WHOLE>(at, product.width);
        let (len, alone) = (tile.len, tile.scattered);
        let values = &tile.values()[..len];
        let targets = product.target.axis().map(|axis| tile.column::<AHEAD>(axis, len));
        let (mut start, mut pieces) = (0, tile.pieces());
        while start < len {
            let (mut e, end) = (start, pieces.piece(start, len));
            start = end;
            while e < end {
                let here = targets.map_or(0, |[target, _]| target[e]);
                if let Some([_, next]) = targets {
                    out.lines.fetch(next[e]);
                }
                let of = out.row(here);
                let mut sums = *of;
                loop {
                    let mut products = [values[e]; C];
                    for factor in factors.as_ref() {
                        factor.multiply(e, &mut products);
                    }
                    for k in 0..C {
                        sums[k] = sums[k].plus(products[k]);
                    }
                    e += 1;
                    // What chance alone decides is not guessed.
                    if alone || e >= end || targets.is_some_and(|[target, _]| target[e] != here) {
                        break;
                    }
                }
                *of = sums;
            }
        }
    }

    /// The rows that the elements of fibers have in common, whose own coordinates are those of an axis: of each fiber, and of each group of fibers.
    #[inline(always)]
    fn in_common<const C: usize, const WHOLE: bool>(&self, leaf: usize, at: usize) -> [Several<'a, 'm, T, C, WHOLE>; 2] {
        let Multiply { product, tile, .. } = *self;
        let those = |of_groups: bool, slots: usize| {
            let inputs = product.inputs.iter().filter(move |(axis, _)| *axis != leaf && tile.above[*axis] == of_groups);
            Several::new(inputs.map(move |(axis, rows)| rows.chosen(at, tile.column::<FIBERS_AHEAD>(*axis, slots))))
        };
        [those(false, tile.fibers()), those(true, tile.groups.len())]
    }

    /// Fibers whose elements choose rows of a matrix: they are summed, and multiplied by the rows of the fiber once.
    #[inline(always)]
    fn leaves_in<I: Index, const C: usize, const WHOLE: bool>(&mut self, leaf: usize, leaves: [&[I]; 2], at: usize) {
        let Multiply { product, tile, .. } = *self;
        let Some(rows) = product.inputs.iter().position(|(axis, _)| *axis == leaf) else { return };
        let (len, fibers) = (tile.len, tile.fibers());
        let (rows, values) = (product.inputs[rows].1.chosen::<I, C, WHOLE>(at, leaves), &tile.values()[..len]);
        // Where results of fibers go, or those of groups of them.
        let (is_above, targets) = match product.target {
            Target::Axis(axis) => (tile.above[axis], &tile.coordinates[axis]),
            Target::Fiber => (false, &tile.rows),
        };
        let slots = if is_above { tile.groups.len() } else { fibers };
        let (targets, next) = (&targets[..slots], &targets[FIBERS_AHEAD..][..slots]);
        let [of_fibers, of_groups] = self.in_common::<C, WHOLE>(leaf, at);
        let mut out = self.out.columns::<C, WHOLE>(at, product.width);
        let (mut slot, mut start, mut ahead, ends) = (0, 0, tile.ahead(), &tile.ends[..fibers]);
        for (group, last) in tile.groups.iter().enumerate() {
            let common = of_groups.multiply(group, [T::ONE; C]);
            while slot < *last {
                let (which, after) = if is_above { (group, *last) } else { (slot, slot + 1) };
                out.lines.fetch(next[which]);
                let of = out.row(targets[which]);
                let mut all = *of;
                while slot < after {
                    let (fiber, end) = (slot, ends[slot]);
                    slot += 1;
                    if start >= end {
                        continue;
                    }
                    let mut sums = [T::ZERO; C];
                    while start < end {
                        let piece = start..ahead.piece(start, end);
                        start = piece.end;
                        for (value, row) in values[piece.clone()].iter().zip(rows.rows(piece)) {
                            for k in 0..C {
                                sums[k] = sums[k].plus(value.times(row[k]));
                            }
                        }
                    }
                    let factors = of_fibers.multiply(fiber, common);
                    for k in 0..C {
                        all[k] = all[k].plus(sums[k].times(factors[k]));
                    }
                }
                *of = all;
            }
        }
    }

    /// Fibers whose elements choose rows of the result: the rows of the fiber are multiplied once.
    #[inline(always)]
    fn leaves_out<I: Index, const C: usize, const WHOLE: bool>(&mut self, leaf: usize, [leaves, next]: [&[I]; 2], at: usize) {
        let Multiply { product, tile, .. } = *self;
        let values = &tile.values()[..tile.len];
        let [of_fibers, of_groups] = self.in_common::<C, WHOLE>(leaf, at);
        let mut out = self.out.columns::<C, WHOLE>(at, product.width);
        let (mut slot, mut start, mut ahead, ends) = (0, 0, tile.ahead(), &tile.ends[..]);
        for (group, last) in tile.groups.iter().enumerate() {
            let common = of_groups.multiply(group, [T::ONE; C]);
            while slot < *last {
                let (fiber, end) = (slot, ends[slot]);
                slot += 1;
                if start >= end {
                    continue;
                }
                let factors = of_fibers.multiply(fiber, common);
                while start < end {
                    let piece = start..ahead.piece(start, end);
                    start = piece.end;
                    let places = leaves[piece.clone()].iter().zip(&next[piece.clone()]);
                    for (value, (here, next)) in values[piece].iter().zip(places) {
                        out.lines.fetch(next.to_u64());
                        let of = out.row(here.to_u64());
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
}
