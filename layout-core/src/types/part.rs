//! Boxes of coordinates of a layout whose modes are nested: an odometer over the digits of the leaves, without divisions but where it begins.

use super::loops::Loops;
use super::operand::{MAX_LEAVES, Slots, div_rem};

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

/// Where the odometer stands in one mode: each digit, and the sum of steps.
struct Place<'a> {
    digits: &'a mut Slots,
    sum: &'a mut usize,
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

    /// Sets the digits of a mode to those of its corner.
    fn begin(&self, mode: usize, place: Place) {
        let mut rest = self.corner[mode];
        *place.sum = 0;
        for k in self.loops_of(mode) {
            (rest, place.digits[k]) = div_rem(rest, self.loops.extents[k]);
            *place.sum = place.sum.wrapping_add(place.digits[k].wrapping_mul(self.loops.steps[k]));
        }
    }

    /// `count` steps of the first digit of a mode, at most to its end.
    fn step(&self, mode: usize, count: usize, place: Place) {
        let mut by = count;
        for k in self.loops_of(mode) {
            let (extent, step) = self.loops.at(k);
            place.digits[k] += by;
            *place.sum = place.sum.wrapping_add(by.wrapping_mul(step));
            if place.digits[k] < extent {
                return;
            }
            *place.sum = place.sum.wrapping_sub(extent.wrapping_mul(step));
            place.digits[k] = 0;
            by = 1;
        }
    }

    /// `f` of the sum of steps and the integer of each mode, counted from the corner, of every coordinate in colexicographic order. Inlined, as what `f` sums up is in memory
    /// wherever else it is called, too, if it is not.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(&self, mut f: impl FnMut(usize, &Slots)) {
        if self.extents[..self.rank].contains(&0) {
            return;
        }
        let (mut digits, mut sums, mut modes) = ([0; MAX_LEAVES], [0; MAX_LEAVES], [0; MAX_LEAVES]);
        for (mode, sum) in sums.iter_mut().enumerate().take(self.rank).skip(1) {
            self.begin(mode, Place { digits: &mut digits, sum });
        }
        loop {
            let base = sums[1..self.rank].iter().fold(self.loops.start, |all, sum| all.wrapping_add(*sum));
            self.begin(0, Place { digits: &mut digits, sum: &mut sums[0] });
            modes[0] = 0;
            while modes[0] < self.extents[0] {
                // As far as the first digit goes.
                let (extent, step) = if self.ends[0] > 0 { self.loops.at(0) } else { (1, 0) };
                let (first, left) = (base.wrapping_add(sums[0]), self.extents[0] - modes[0]);
                let run = (extent - digits[0]).min(left);
                for k in 0..run {
                    f(first.wrapping_add(step.wrapping_mul(k)), &modes);
                    modes[0] += 1;
                }
                self.step(0, run, Place { digits: &mut digits, sum: &mut sums[0] });
            }
            let mut mode = 1;
            loop {
                if mode == self.rank {
                    return;
                }
                modes[mode] += 1;
                let place = Place { digits: &mut digits, sum: &mut sums[mode] };
                if modes[mode] < self.extents[mode] {
                    self.step(mode, 1, place);
                    break;
                }
                modes[mode] = 0;
                self.begin(mode, place);
                mode += 1;
            }
        }
    }
}
