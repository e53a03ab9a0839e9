//! Boxes of coordinates of a layout whose modes are nested: an odometer over the digits of the leaves, without divisions but where it begins.

use super::loops::Loops;
use super::operand::{MAX_LEAVES, Slots, div_rem};
use core::array::from_fn;

/// Some coordinates of a layout: of each mode the integers from a corner on. Of a nested mode these are no box of its leaves.
#[derive(Clone, Copy)]
pub struct Part {
    /// The loops over the leaves of the whole layout, without those of one step.
    loops: Loops,
    /// Behind the last loop of each mode.
    ends: Slots,
    /// Number of modes, at least one.
    rank: usize,
    corner: Slots,
    extents: Slots,
}

impl Part {
    /// All coordinates of the modes of these extents, to each of which the next of the loops belong.
    pub fn whole(all: &Loops, rank: usize, extents: &Slots) -> Part {
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
        Part { loops, ends, rank, corner: [0; MAX_LEAVES], extents: *extents }
    }

    /// The coordinates from `corner` on, as many of each mode as `extents` says.
    #[must_use]
    pub fn cut(mut self, corner: &Slots, extents: &Slots) -> Part {
        for (own, further) in self.corner.iter_mut().zip(corner).take(self.rank) {
            *own = own.wrapping_add(*further);
        }
        self.extents = *extents;
        self
    }

    /// The loops of a mode.
    fn loops_of(&self, mode: usize) -> core::ops::Range<usize> {
        (if mode > 0 { self.ends[mode - 1] } else { 0 })..self.ends[mode]
    }

    /// `f` of the sum of steps and the integer of each mode, counted from the corner, of every coordinate in colexicographic order. Inlined, as what `f` sums up is in memory
    /// wherever else it is called, too, if it is not.
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

    /// The coordinates, to be gone through.
    pub fn odometer(self) -> Odometer {
        let ended = self.extents[..self.rank].contains(&0);
        let mut odometer =
            Odometer { part: self, digits: [0; MAX_LEAVES], sums: [0; MAX_LEAVES], modes: [0; MAX_LEAVES], base: self.loops.start, ended };
        (0..self.rank).for_each(|mode| odometer.begin(mode));
        odometer.rest();
        odometer
    }
}

/// Points in the order of coordinates, as many at a time as are the same step apart.
pub trait Runs {
    /// What there is at each coordinate.
    type Point: Copy;

    /// How many points there are before the next change of steps; 0 at the end.
    fn run(&self) -> usize;

    /// The point `k` steps on, at most [`Runs::run`].
    fn point(&self, k: usize) -> Self::Point;

    /// Goes so many steps on, at most [`Runs::run`].
    fn advance(&mut self, count: usize);

    /// `f` of every point.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each(mut self, mut f: impl FnMut(Self::Point))
    where
        Self: Sized,
    {
        let mut run = self.run();
        while run > 0 {
            (0..run).for_each(|k| f(self.point(k)));
            self.advance(run);
            run = self.run();
        }
    }
}

/// Points of both, whose extents are the same.
impl<A: Runs, B: Runs> Runs for (A, B) {
    type Point = (A::Point, B::Point);

    #[inline]
    fn run(&self) -> usize {
        self.0.run().min(self.1.run())
    }

    #[inline(always)]
    fn point(&self, k: usize) -> Self::Point {
        (self.0.point(k), self.1.point(k))
    }

    #[inline]
    fn advance(&mut self, count: usize) {
        self.0.advance(count);
        self.1.advance(count);
    }
}

/// Points of all of an array, whose extents are the same.
impl<A: Runs, const K: usize> Runs for [A; K] {
    type Point = [A::Point; K];

    #[inline]
    fn run(&self) -> usize {
        self.iter().map(A::run).min().unwrap_or(usize::MAX)
    }

    #[inline(always)]
    fn point(&self, k: usize) -> Self::Point {
        from_fn(|each| self[each].point(k))
    }

    #[inline]
    fn advance(&mut self, count: usize) {
        self.iter_mut().for_each(|runs| runs.advance(count));
    }
}

/// Where one is in a [`Part`]: each digit, and for each mode the sum of steps and the integer, counted from the corner.
#[derive(Clone, Copy)]
pub struct Odometer {
    part: Part,
    digits: Slots,
    sums: Slots,
    modes: Slots,
    /// The sum of steps of all modes but the first.
    base: usize,
    ended: bool,
}

impl Odometer {
    /// Sets the digits of a mode to those of its corner.
    fn begin(&mut self, mode: usize) {
        let (mut rest, mut sum) = (self.part.corner[mode], 0usize);
        for k in self.part.loops_of(mode) {
            let (extent, step) = self.part.loops.at(k);
            (rest, self.digits[k]) = div_rem(rest, extent);
            sum = sum.wrapping_add(self.digits[k].wrapping_mul(step));
        }
        (self.sums[mode], self.modes[mode]) = (sum, 0);
    }

    /// `count` steps of the first digit of a mode, at most to its end.
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

    /// Sums up the modes behind the first.
    fn rest(&mut self) {
        self.base = self.sums[1..self.part.rank].iter().fold(self.part.loops.start, |all, sum| all.wrapping_add(*sum));
    }

    /// The extent and the step of the first digit.
    #[inline(always)]
    fn first(&self) -> (usize, usize) {
        if self.part.ends[0] > 0 { self.part.loops.at(0) } else { (1, 0) }
    }

    /// How far a step is until [`Runs::run`] ends.
    #[inline(always)]
    fn step(&self) -> usize {
        self.first().1
    }
}

impl Runs for Odometer {
    type Point = usize;

    #[inline]
    fn run(&self) -> usize {
        let digit = if self.part.ends[0] > 0 { self.digits[0] } else { 0 };
        if self.ended { 0 } else { (self.first().0 - digit).min(self.part.extents[0] - self.modes[0]) }
    }

    #[inline(always)]
    fn point(&self, k: usize) -> usize {
        self.base.wrapping_add(self.sums[0]).wrapping_add(self.step().wrapping_mul(k))
    }

    fn advance(&mut self, count: usize) {
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
