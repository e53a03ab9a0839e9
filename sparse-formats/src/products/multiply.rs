//! Multiplies and accumulates one tile, some columns at a time in registers: step 4 of the five in `schedule.rs`.
//!
//! There is one loop for each relation between the elements of a tile and the rows of the result. The names of the
//! modes follow the kernels of SPLATT over compressed sparse fibers (Smith, Karypis, 2015), where the result is along
//! the root, an internal, or the leaf axis.

use super::Scalar;
use super::gather::{FIBER_LOOKAHEAD, GatheredFactors, GatheredRows, RowPrefetch};
use super::row_product::{OutputRow, RowProduct};
use super::tile::{LOOKAHEAD, Tile};
use crate::Indices;
use crate::kernels::vector_width::{Task, run_widest};
use alloc::vec::Vec;
use core::ops::Range;
use layout_levels::Index;

/// A range of rows of a result.
pub(super) struct OutputRows<'o, T> {
    pub data: &'o mut [T],
    /// The row of the whole result with which `data` begins.
    pub first: usize,
    /// True if elements choose rows outside this range too. `add_products` of `schedule.rs` removes such elements
    /// from a tile first.
    pub is_part: bool,
}

/// Adds the products of the elements of a tile to rows of the result. `leaf` is the leaf axis, if the tensor has
/// fibers.
pub(super) fn multiply<T: Scalar>(product: &RowProduct<T>, tile: &mut Tile<T>, leaf: Option<usize>, out: &mut OutputRows<T>) {
    if product.output == OutputRow::Fiber {
        tile.fiber_rows.clear();
        tile.fiber_rows.extend((0..tile.fiber_ends.len() + LOOKAHEAD).map(|slot| (tile.first_fiber + slot) as u64));
    }
    run_widest(Multiply { product, tile, leaf, out });
}

/// `C` columns of a range of rows of a result.
struct OutputColumns<'o, T, const C: usize, const WHOLE: bool> {
    data: &'o mut [T],
    first: usize,
    width: usize,
    at: usize,
    lines: RowPrefetch<T, C, WHOLE>,
}

impl<T: Scalar> OutputRows<'_, T> {
    #[inline(always)]
    fn columns<const C: usize, const WHOLE: bool>(&mut self, at: usize, width: usize) -> OutputColumns<'_, T, C, WHOLE> {
        // Prefetches use row numbers of the whole result, so begin at its row 0.
        let begin = self.data.as_ptr().wrapping_add(at).wrapping_sub(self.first.wrapping_mul(width));
        OutputColumns { data: self.data, first: self.first, width, at, lines: RowPrefetch::new(begin, width) }
    }
}

impl<T: Scalar, const C: usize, const WHOLE: bool> OutputColumns<'_, T, C, WHOLE> {
    #[inline(always)]
    fn row(&mut self, row: u64) -> &mut [T; C] {
        let row = (row as usize).wrapping_sub(self.first);
        if WHOLE {
            return &mut self.data.as_chunks_mut().0[row];
        }
        match self.data[row * self.width + self.at..].first_chunk_mut() {
            Some(row) => row,
            None => unreachable!("a row has `C` columns"),
        }
    }
}

/// The task that multiplies one tile.
struct Multiply<'m, 'a, 'o, T> {
    product: &'m RowProduct<'a, T>,
    tile: &'m Tile<'m, T>,
    leaf: Option<usize>,
    out: &'m mut OutputRows<'o, T>,
}

impl<T: Scalar> Task for Multiply<'_, '_, '_, T> {
    #[inline(always)]
    fn run(mut self) {
        let width = self.product.width;
        match width {
            // `RowProduct::has_whole_rows` lists the same widths.
            32 if self.product.has_whole_rows() => self.columns::<32, true>(0..32),
            16 if self.product.has_whole_rows() => self.columns::<16, true>(0..16),
            8 if self.product.has_whole_rows() => self.columns::<8, true>(0..8),
            _ => {
                let [wide, sixteens, eights, fours, twos] = [32, 16, 8, 4, 2].map(|columns| width - width % columns);
                self.columns::<32, false>(0..wide);
                self.columns::<16, false>(wide..sixteens);
                self.columns::<8, false>(sixteens..eights);
                self.columns::<4, false>(eights..fours);
                self.columns::<2, false>(fours..twos);
                self.columns::<1, false>(twos..width);
            }
        }
    }
}

impl<'m, 'a, T: Scalar> Multiply<'m, 'a, '_, T> {
    /// Multiplies all elements of the tile, for `C` columns at a time.
    #[inline(always)]
    fn columns<const C: usize, const WHOLE: bool>(&mut self, columns: Range<usize>) {
        let Multiply { tile, leaf, .. } = *self;
        for at in columns.step_by(C) {
            let Some(leaf) = leaf.filter(|_| tile.by_fiber) else {
                self.elements::<C, WHOLE>(at);
                continue;
            };
            // Each stored width needs its own compiled loop, which is worth the compile time only for whole rows.
            match tile.stored_leaves.filter(|_| WHOLE) {
                Some(Indices::U8(leaves)) => self.fibers::<_, C, WHOLE>(leaf, tile.part_of(leaves), at),
                Some(Indices::U16(leaves)) => self.fibers::<_, C, WHOLE>(leaf, tile.part_of(leaves), at),
                Some(Indices::U32(leaves)) => self.fibers::<_, C, WHOLE>(leaf, tile.part_of(leaves), at),
                // Leaf coordinates stored in 64 bits, or decoded to 64 bits.
                leaves => {
                    let stored = if let Some(Indices::U64(leaves)) = leaves { Some(tile.part_of(leaves)) } else { None };
                    self.fibers::<u64, C, WHOLE>(leaf, stored.unwrap_or_else(|| tile.column::<LOOKAHEAD>(leaf, tile.len)), at);
                }
            }
        }
    }

    /// Multiplies the fibers of the tile, whose elements have these leaf coordinates.
    #[inline(always)]
    fn fibers<I: Index, const C: usize, const WHOLE: bool>(&mut self, leaf: usize, leaves: [&[I]; 2], at: usize) {
        if self.product.output == OutputRow::Axis(leaf) {
            self.leaf_mode::<I, C, WHOLE>(leaf, leaves, at);
        } else {
            self.root_mode::<I, C, WHOLE>(leaf, leaves, at);
        }
    }

    /// Multiplies the tile element by element.
    #[inline(always)]
    fn elements<const C: usize, const WHOLE: bool>(&mut self, at: usize) {
        // With a constant number of factors, the loop keeps their addresses in registers.
        match self.product.factors.len() {
            1 => self.element_runs::<C, WHOLE>(at, [self.of_elements(0, at)]),
            2 => self.element_runs::<C, WHOLE>(at, [self.of_elements(0, at), self.of_elements(1, at)]),
            3 => self.element_runs::<C, WHOLE>(at, [self.of_elements(0, at), self.of_elements(1, at), self.of_elements(2, at)]),
            more => self.element_runs::<C, WHOLE>(at, &(0..more).map(|factor| self.of_elements(factor, at)).collect::<Vec<_>>()[..]),
        }
    }

    /// Returns `C` columns, from column `at` on, of the rows of a factor that elements choose. It is a method, because the
    /// result of a closure would stay in memory.
    #[inline(always)]
    fn of_elements<const C: usize, const WHOLE: bool>(&self, factor: usize, at: usize) -> GatheredRows<'a, 'm, T, u64, C, WHOLE> {
        let Multiply { product, tile, .. } = *self;
        let (axis, matrix) = &product.factors[factor];
        matrix.gather(at, tile.column::<LOOKAHEAD>(*axis, tile.len))
    }

    /// Adds the products of elements. The sums of neighbours with the same row stay in registers.
    #[inline(always)]
    fn element_runs<const C: usize, const WHOLE: bool>(
        &mut self,
        at: usize,
        factors: impl AsRef<[GatheredRows<'a, 'm, T, u64, C, WHOLE>]>,
    ) {
        let Multiply { product, tile, .. } = *self;
        let mut out = self.out.columns::<C, WHOLE>(at, product.width);
        let (len, alone) = (tile.len, tile.unordered);
        let values = &tile.values()[..len];
        let rows = product.output.axis().map(|axis| tile.column::<LOOKAHEAD>(axis, len));
        let (mut start, mut lookahead) = (0, tile.element_lookahead());
        while start < len {
            let (mut e, end) = (start, lookahead.batch(start, len));
            start = end;
            while e < end {
                let here = rows.map_or(0, |[row, _]| row[e]);
                if let Some([_, next]) = rows {
                    out.lines.prefetch(next[e]);
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
                    // No branch on the next row if only chance decides it.
                    if alone || e >= end || rows.is_some_and(|[row, _]| row[e] != here) {
                        break;
                    }
                }
                *of = sums;
            }
        }
    }

    /// Returns the factor rows for the coordinates that the elements of a fiber share: first the rows per fiber, then
    /// the rows per group of fibers.
    #[inline(always)]
    fn shared<const C: usize, const WHOLE: bool>(&self, leaf: usize, at: usize) -> [GatheredFactors<'a, 'm, T, C, WHOLE>; 2] {
        let Multiply { product, tile, .. } = *self;
        let gathered = |of_groups: bool, slots: usize| {
            let factors = product.factors.iter().filter(move |(axis, _)| *axis != leaf && tile.is_grouped[*axis] == of_groups);
            GatheredFactors::new(factors.map(move |(axis, matrix)| matrix.gather(at, tile.column::<FIBER_LOOKAHEAD>(*axis, slots))))
        };
        [gathered(false, tile.fibers()), gathered(true, tile.group_ends.len())]
    }

    /// Multiplies fibers whose elements choose rows of a factor: sums each fiber, and multiplies the sum once by the
    /// rows that its elements share.
    #[inline(always)]
    fn root_mode<I: Index, const C: usize, const WHOLE: bool>(&mut self, leaf: usize, leaves: [&[I]; 2], at: usize) {
        let Multiply { product, tile, .. } = *self;
        let Some(factor) = product.factors.iter().position(|(axis, _)| *axis == leaf) else { return };
        let (len, fibers) = (tile.len, tile.fibers());
        // Step 3: gather the rows.
        let (leaf_rows, values) = (product.factors[factor].1.gather::<I, C, WHOLE>(at, leaves), &tile.values()[..len]);
        let [of_fibers, of_groups] = self.shared::<C, WHOLE>(leaf, at);
        // The rows of the result, one per fiber or one per group of fibers.
        let (is_grouped, rows) = match product.output {
            OutputRow::Axis(axis) => (tile.is_grouped[axis], &tile.coordinates[axis]),
            OutputRow::Fiber => (false, &tile.fiber_rows),
        };
        let slots = if is_grouped { tile.group_ends.len() } else { fibers };
        let (rows, next) = (&rows[..slots], &rows[FIBER_LOOKAHEAD..][..slots]);
        let mut out = self.out.columns::<C, WHOLE>(at, product.width);
        // Step 4: multiply.
        let (mut slot, mut start, mut lookahead, ends) = (0, 0, tile.fiber_lookahead(), &tile.fiber_ends[..fibers]);
        for (group, last) in tile.group_ends.iter().enumerate() {
            let common = of_groups.multiply(group, [T::ONE; C]);
            while slot < *last {
                let (which, after) = if is_grouped { (group, *last) } else { (slot, slot + 1) };
                out.lines.prefetch(next[which]);
                let of = out.row(rows[which]);
                let mut all = *of;
                while slot < after {
                    let (fiber, end) = (slot, ends[slot]);
                    slot += 1;
                    if start >= end {
                        continue;
                    }
                    let mut sums = [T::ZERO; C];
                    while start < end {
                        let batch = start..lookahead.batch(start, end);
                        start = batch.end;
                        for (value, row) in values[batch.clone()].iter().zip(leaf_rows.rows(batch)) {
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

    /// Multiplies fibers whose elements choose rows of the result: multiplies the rows that the elements of a fiber
    /// share once per fiber.
    #[inline(always)]
    fn leaf_mode<I: Index, const C: usize, const WHOLE: bool>(&mut self, leaf: usize, [leaves, next]: [&[I]; 2], at: usize) {
        let Multiply { product, tile, .. } = *self;
        let values = &tile.values()[..tile.len];
        // Step 3: gather the rows.
        let [of_fibers, of_groups] = self.shared::<C, WHOLE>(leaf, at);
        let mut out = self.out.columns::<C, WHOLE>(at, product.width);
        // Step 4: multiply.
        let (mut slot, mut start, mut lookahead, ends) = (0, 0, tile.fiber_lookahead(), &tile.fiber_ends[..]);
        for (group, last) in tile.group_ends.iter().enumerate() {
            let common = of_groups.multiply(group, [T::ONE; C]);
            while slot < *last {
                let (fiber, end) = (slot, ends[slot]);
                slot += 1;
                if start >= end {
                    continue;
                }
                let factors = of_fibers.multiply(fiber, common);
                while start < end {
                    let batch = start..lookahead.batch(start, end);
                    start = batch.end;
                    let coordinates = leaves[batch.clone()].iter().zip(&next[batch.clone()]);
                    for (value, (here, next)) in values[batch].iter().zip(coordinates) {
                        out.lines.prefetch(next.to_u64());
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
