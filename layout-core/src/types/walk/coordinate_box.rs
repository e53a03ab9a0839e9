//! Boxes of coordinates of a layout with nested modes: an odometer over the digits of the leaves, which divides only at its beginning.

use super::loops::{FEW, Loops};
use super::steps::Counted;
use crate::types::pattern::operand::{Coordinate, MAX_LEAVES, Slots, div_rem};

/// A box of coordinates of a layout: for each mode, `extent` integers from a corner on. In a nested mode these need not be a box of leaves.
///
/// ```
/// use layout_core::{Layout, make_layout};
/// use layout_core::layouts::{CoordinateBox, MAX_LEAVES, RawLayout};
/// let a = make_layout(((2, 4), 6), ((1, 12), 2)); // 8 rows, 6 columns
/// let all = CoordinateBox::whole(&a.loops().unwrap(), a.rank(), &a.extents()); // as `a.part()` returns it
/// let (mut corner, mut extents) = ([0; MAX_LEAVES], [1; MAX_LEAVES]);
/// corner[..2].copy_from_slice(&[3, 4]);
/// extents[..2].copy_from_slice(&[2, 2]);
/// let window = all.cut(&corner, &extents); // rows 3 and 4, columns 4 and 5
/// assert_eq!((all.size(), window.size()), (48, 4));
/// // Rows 3 and 4 are (1, 1) and (0, 2): no box of leaves has both.
/// window.for_each(|sum, modes| assert_eq!(sum, a.crd2idx((3 + modes[0], 4 + modes[1]))));
/// ```
#[derive(Clone, Copy)]
pub struct CoordinateBox {
    /// The loops over the leaves of the whole layout, without loops of one step.
    loops: Loops,
    /// For each mode, the number of the loop behind its last loop.
    ends: Slots,
    /// The number of modes, at least 1.
    rank: usize,
    corner: Slots,
    extents: Slots,
}

impl CoordinateBox {
    /// Makes the box of all coordinates. The loops of `all` belong to the modes in order; each mode takes loops until its extent is full.
    pub fn whole(all: &Loops, rank: usize, extents: &Slots) -> CoordinateBox {
        let (mut loops, mut ends, mut next) = (Loops { start: all.start, ..Loops::new(0) }, [0; MAX_LEAVES], 0);
        let rank = rank.max(1);
        for (end, mode_size) in ends.iter_mut().zip(extents).take(rank) {
            let mut size = 1;
            while size < *mode_size && next < all.len {
                let (extent, step) = all.at(next);
                if extent > 1 {
                    (loops.extents[loops.len], loops.steps[loops.len]) = (extent, step);
                    loops.len += 1;
                    size = usize::saturating_mul(size, extent);
                }
                next += 1;
            }
            *end = loops.len;
        }
        CoordinateBox { loops, ends, rank, corner: [0; MAX_LEAVES], extents: *extents }
    }

    /// Returns the box of `extents[k]` coordinates along each mode `k`, from `corner` on, which counts from the corner of this box.
    #[must_use]
    pub fn cut(mut self, corner: &Slots, extents: &Slots) -> CoordinateBox {
        for (own, further) in self.corner.iter_mut().zip(corner).take(self.rank) {
            *own = own.wrapping_add(*further);
        }
        self.extents = *extents;
        self
    }

    /// Returns the range of the numbers of the loops of a mode.
    fn loops_of(&self, mode: usize) -> core::ops::Range<usize> {
        (if mode > 0 { self.ends[mode - 1] } else { 0 })..self.ends[mode]
    }

    /// Returns the number of coordinates, at most `usize::MAX`.
    pub fn size(&self) -> usize {
        self.extents[..self.rank].iter().fold(1, |size, extent| size.saturating_mul(*extent))
    }

    /// Cuts this box into boxes of leaves and returns their number. Writes the corner of number `k` to `from` and its extents to `count`.
    ///
    /// `straight(mode, at, len)` returns the length of the longest range of a mode that begins at `at`, is at most `len` long, and
    /// lies in one box. If there are more than `most` boxes, the method stops early and returns a number above `most`.
    pub(crate) fn boxes(
        &self,
        mut k: usize,
        most: usize,
        straight: &dyn Fn(usize, usize, usize) -> usize,
        from: &mut Slots,
        count: &mut Slots,
    ) -> usize {
        let mut boxes: usize = 1;
        for mode in 0..self.rank {
            let cuts = self.pieces(mode, most, straight, from, count);
            boxes = boxes.saturating_mul(cuts);
            let Some(rest) = k.checked_div(cuts) else { return 0 };
            if boxes > most {
                return boxes;
            }
            self.pieces(mode, k % cuts, straight, from, count);
            k = rest;
        }
        boxes
    }

    /// Cuts a mode into straight ranges up to number `last`, and returns their number. Writes the first integer of the last
    /// range to `from` and its length to `count`.
    fn pieces(
        &self,
        mode: usize,
        last: usize,
        straight: &dyn Fn(usize, usize, usize) -> usize,
        from: &mut Slots,
        count: &mut Slots,
    ) -> usize {
        let (mut pieces, mut at) = (0, 0);
        while at < self.extents[mode] && pieces <= last {
            (from[mode], count[mode]) = (at, straight(mode, at, self.extents[mode] - at));
            at += count[mode];
            pieces += 1;
        }
        pieces
    }

    /// Calls `f` with each loop over a box of leaves, innermost first: its extent, its step, its mode, and the amount that a
    /// step adds to the integer of the mode. Returns the sum of steps at the first coordinate.
    fn loops_of_box(&self, from: &Slots, count: &Slots, f: &mut dyn FnMut(usize, usize, usize, usize)) -> usize {
        let mut start = self.loops.start;
        for mode in 0..self.rank {
            let (mut rest, mut left, mut weight) = (self.corner[mode].wrapping_add(from[mode]), count[mode], 1);
            for k in self.loops_of(mode) {
                let (extent, step) = self.loops.at(k);
                let (above, digit) = div_rem(rest, extent);
                start = start.wrapping_add(digit.wrapping_mul(step));
                let steps = left.min(extent);
                if steps > 1 {
                    f(steps, step, mode, weight);
                    left /= steps;
                }
                (rest, weight) = (above, weight.wrapping_mul(extent));
            }
        }
        start
    }

    /// Returns the loops over a box, or `None` if there are more than [`FEW`].
    pub(crate) fn box_loops(&self, from: &Slots, count: &Slots) -> Option<Loops<FEW>> {
        let (mut loops, mut few) = (Loops::new(0), true);
        loops.start = self.loops_of_box(from, count, &mut |extent, step, _, _| {
            few &= loops.len < FEW;
            if few {
                (loops.extents[loops.len], loops.steps[loops.len]) = (extent, step);
                loops.len += 1;
            }
        });
        few.then_some(loops)
    }

    /// Returns the loops over a box together with coordinates of one integer for each mode, or `None` as [`CoordinateBox::box_loops`] does.
    pub(crate) fn counted_box<C: Coordinate>(&self, from: &Slots, count: &Slots) -> Option<(Loops<FEW>, Counted<C>)> {
        let loops = self.box_loops(from, count)?;
        let (mut steps, mut next) = ([C::from_values(&[0; MAX_LEAVES], &mut 0); FEW], 0);
        self.loops_of_box(from, count, &mut |_, _, mode, weight| {
            let mut one = [0; MAX_LEAVES];
            one[mode] = weight;
            steps[next] = C::from_values(&one, &mut 0);
            next += 1;
        });
        Some((loops, Counted::new(C::from_values(from, &mut 0), steps)))
    }

    /// Returns the length of the longest range of a mode that begins at `at`, is at most `len` long, and is a box of leaves:
    /// all of the first digits, and a range of the next digit.
    pub(crate) fn straight(&self, mode: usize, at: usize, len: usize) -> usize {
        let (mut rest, mut size, mut most) = (self.corner[mode].wrapping_add(at), 1, 1);
        for k in self.loops_of(mode) {
            let extent = self.loops.at(k).0;
            let (above, digit) = div_rem(rest, extent);
            most = most.max((len / size).min(extent - digit) * size);
            if digit != 0 || len / size < extent {
                break;
            }
            (rest, size) = (above, size * extent);
        }
        most
    }

    /// Calls `f` with the sum of steps and the integers of the modes, counted from the corner, for every coordinate in
    /// colexicographic order. It is inlined: otherwise sums that `f` keeps would stay in memory in other callers, too.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(self, mut f: impl FnMut(usize, &Slots)) {
        let mut odometer = self.odometer();
        let mut run = odometer.run();
        while run > 0 {
            let (first, step) = (odometer.point(0), odometer.step());
            let mut modes = odometer.modes;
            for k in 0..run {
                f(first.wrapping_add(step.wrapping_mul(k)), &modes);
                modes[0] += 1;
            }
            odometer.advance(run);
            run = odometer.run();
        }
    }

    /// Returns an odometer over the coordinates.
    pub(crate) fn odometer(self) -> Odometer {
        let ended = self.extents[..self.rank].contains(&0);
        let mut odometer =
            Odometer { part: self, digits: [0; MAX_LEAVES], sums: [0; MAX_LEAVES], modes: [0; MAX_LEAVES], base: self.loops.start, ended };
        (0..self.rank).for_each(|mode| odometer.begin(mode));
        odometer.rest();
        odometer
    }
}

/// A position in a [`CoordinateBox`]: each digit, and for each mode the sum of steps and the integer, counted from the corner.
#[derive(Clone, Copy)]
pub struct Odometer {
    part: CoordinateBox,
    digits: Slots,
    sums: Slots,
    modes: Slots,
    /// The sum of steps of all modes but the first.
    base: usize,
    ended: bool,
}

impl Odometer {
    /// Moves a mode to its corner: sets its digits, its sum of steps and its integer.
    fn begin(&mut self, mode: usize) {
        let (mut rest, mut sum) = (self.part.corner[mode], 0usize);
        for k in self.part.loops_of(mode) {
            let (extent, step) = self.part.loops.at(k);
            (rest, self.digits[k]) = div_rem(rest, extent);
            sum = sum.wrapping_add(self.digits[k].wrapping_mul(step));
        }
        (self.sums[mode], self.modes[mode]) = (sum, 0);
    }

    /// Advances the integer of a mode by `count`, at most to the end of its first digit, and carries into the next digits.
    fn count(&mut self, mode: usize, count: usize) {
        self.modes[mode] += count;
        let mut by = count;
        for k in self.part.loops_of(mode) {
            let (extent, step) = self.part.loops.at(k);
            self.digits[k] += by;
            self.sums[mode] = self.sums[mode].wrapping_add(by.wrapping_mul(step));
            if self.digits[k] < extent {
                return;
            }
            self.sums[mode] = self.sums[mode].wrapping_sub(extent.wrapping_mul(step));
            self.digits[k] = 0;
            by = 1;
        }
    }

    /// Sums the steps of the modes behind the first.
    fn rest(&mut self) {
        self.base = self.sums[1..self.part.rank].iter().fold(self.part.loops.start, |all, sum| all.wrapping_add(*sum));
    }

    /// Returns the extent and the step of the first digit.
    #[inline(always)]
    fn first(&self) -> (usize, usize) {
        if self.part.ends[0] > 0 { self.part.loops.at(0) } else { (1, 0) }
    }

    /// Returns the amount that a step adds until [`Odometer::run`] ends.
    #[inline(always)]
    fn step(&self) -> usize {
        self.first().1
    }

    /// Returns [`CoordinateBox::straight`] of the whole box.
    pub fn straight(&self, mode: usize, at: usize, len: usize) -> usize {
        self.part.straight(mode, at, len)
    }

    /// Writes the loops over a box to `theirs`, and splits them and `ours` to equal extents. Returns false if that is impossible.
    pub fn loops(&self, from: &Slots, count: &Slots, ours: &mut Loops<FEW>, theirs: &mut Loops<FEW>) -> bool {
        self.part.box_loops(from, count).and_then(|loops| ours.refined(&loops)).is_some_and(|cut| {
            (*ours, *theirs) = cut;
            true
        })
    }

    /// Returns the number of coordinates before the next change of steps; 0 at the end.
    #[inline]
    pub fn run(&self) -> usize {
        let digit = if self.part.ends[0] > 0 { self.digits[0] } else { 0 };
        if self.ended { 0 } else { (self.first().0 - digit).min(self.part.extents[0] - self.modes[0]) }
    }

    /// Returns the sum of steps at the coordinate `k` after the current one, for `k` below [`Odometer::run`]: the start of
    /// the loops, plus each digit times its step, over all modes.
    #[inline(always)]
    pub fn point(&self, k: usize) -> usize {
        self.base.wrapping_add(self.sums[0]).wrapping_add(self.step().wrapping_mul(k))
    }

    /// Advances by `count` coordinates, at most [`Odometer::run`].
    pub fn advance(&mut self, count: usize) {
        self.count(0, count);
        if self.modes[0] < self.part.extents[0] {
            return;
        }
        self.begin(0);
        for mode in 1..self.part.rank {
            self.count(mode, 1);
            if self.modes[mode] < self.part.extents[mode] {
                return self.rest();
            }
            self.begin(mode);
        }
        self.ended = true;
    }
}
