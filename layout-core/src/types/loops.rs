//! Loops over the leaves of a layout, nested, without divisions.

use super::layout::Layout;
use super::operand::{Coordinate, MAX_LEAVES, Slots};
use core::ops::Range;

/// How often each leaf steps, and how far: the first `len` of both count, the first is the innermost loop.
#[derive(Clone, Copy)]
pub struct Loops {
    /// Number of loops.
    pub len: usize,
    /// How many steps each takes.
    pub extents: Slots,
    /// How far each goes, modulo `2^usize::BITS`.
    pub steps: Slots,
}

/// `f` of every sum of steps of the first loops, from `start` on. Products, because the compiler knows them for what they are, and sums across loops
/// not always; functions, because closures that are called twice are not inlined at opt-level `z`.
macro_rules! nest {
    ($($name:ident $at:literal $inner:expr;)*) => {
        impl Loops { $(
            #[inline(always)]
            fn $name<F: FnMut(usize)>(&self, start: usize, f: &mut F) {
                let (extent, step) = self.at($at);
                let inner = $inner;
                for i in 0..extent {
                    inner(self, start.wrapping_add(i.wrapping_mul(step)), f);
                }
            }
        )* }
    };
}

nest! {
    one 0 |_: &Loops, at: usize, f: &mut F| f(at);
    two 1 Loops::one;
    three 2 Loops::two;
    four 3 Loops::three;
}

impl Loops {
    /// `len` loops of extent 0.
    #[inline(always)]
    pub const fn new(len: usize) -> Self {
        Loops { len, extents: [0; MAX_LEAVES], steps: [0; MAX_LEAVES] }
    }

    /// The loop `k`, extent and step; one that there is not takes one step.
    #[inline(always)]
    pub const fn at(&self, k: usize) -> (usize, usize) {
        if k < self.len { (self.extents[k], self.steps[k]) } else { (1, 0) }
    }

    /// The range from the least sum of steps to the greatest, if its ends fit `isize`.
    #[inline]
    pub fn range(&self) -> Option<Range<isize>> {
        let (mut least, mut end, mut exact, mut empty) = (0isize, 1isize, true, false);
        for k in 0..self.len {
            empty |= self.extents[k] == 0;
            let count = self.extents[k].saturating_sub(1);
            let (reach, over) = (count as isize).overflowing_mul(self.steps[k] as isize);
            let side = if reach < 0 { &mut least } else { &mut end };
            let (sum, beyond) = side.overflowing_add(reach);
            *side = sum;
            exact &= !over & !beyond & (count <= isize::MAX as usize);
        }
        // Nothing lies in an empty layout, whatever its other extents.
        if empty { Some(0..0) } else { exact.then_some(least..end) }
    }

    /// `f` of every sum of steps, the first loop innermost.
    #[inline(always)]
    pub fn for_each(&self, mut f: impl FnMut(usize)) {
        if self.len <= 4 { self.four(0, &mut f) } else { self.beyond(&mut f) }
    }

    /// [`Loops::for_each`] of the loops of a layout of type `L`: as many nested as there are, if that is known.
    #[inline(always)]
    pub(crate) fn for_each_of<L: Layout>(&self, mut f: impl FnMut(usize)) {
        // Of a constant only one arm is compiled.
        match const { L::LOOPS } {
            Some(0 | 1) => self.one(0, &mut f),
            Some(2) => self.two(0, &mut f),
            Some(3) => self.three(0, &mut f),
            Some(4) => self.four(0, &mut f),
            Some(_) => self.beyond(&mut f),
            None => self.for_each(f),
        }
    }

    /// [`Loops::for_each`] of more than four.
    #[inline(always)]
    fn beyond<F: FnMut(usize)>(&self, f: &mut F) {
        self.odometer(0, &|k| self.at(k).1, &mut |start| self.four(start, f))
    }

    /// `f` of every pair of sums of steps, of these loops and of `other` ones with the same extents.
    #[inline(always)]
    pub fn for_each_pair(&self, other: &Loops, f: impl FnMut((usize, usize))) {
        self.walk((0, 0), |k| (self.at(k).1, other.at(k).1), f)
    }

    /// `f` of every sum of steps and coordinate, of which each loop counts the integer at its place.
    #[inline(always)]
    pub fn for_each_at<C: Coordinate>(&self, places: &Slots, f: impl FnMut((usize, C))) {
        let step = |k: usize| {
            let (mut unit, mut weight) = ([0; MAX_LEAVES], 1usize);
            if k < self.len {
                for before in 0..k {
                    weight = if places[before] == places[k] { weight.wrapping_mul(self.extents[before]) } else { 1 };
                }
                unit[places[k] % MAX_LEAVES] = weight;
            }
            (self.at(k).1, C::from_values(&unit, &mut 0))
        };
        self.walk((0, C::from_values(&[0; MAX_LEAVES], &mut 0)), step, f)
    }

    /// These loops and `other` ones over as many coordinates, cut where either begins anew, so that extents agree.
    /// `None` where their digits do not nest.
    pub fn refined(&self, other: &Loops) -> Option<(Loops, Loops)> {
        if self.len == other.len && self.extents[..self.len] == other.extents[..self.len] {
            return Some((*self, *other));
        }
        let (mut mine, mut theirs) = (Loops::new(0), Loops::new(0));
        let (mut i, mut j, mut a, mut b) = (0, 0, self.at(0), other.at(0));
        loop {
            while a.0 == 1 && i < self.len {
                i += 1;
                a = self.at(i);
            }
            while b.0 == 1 && j < other.len {
                j += 1;
                b = other.at(j);
            }
            if i >= self.len && j >= other.len {
                return Some((mine, theirs));
            }
            let extent = a.0.min(b.0);
            if extent == 0 {
                // Nothing to walk.
                (mine.len, theirs.len) = (1, 1);
                (mine.extents[0], theirs.extents[0]) = (0, 0);
                return Some((mine, theirs));
            }
            if mine.len == MAX_LEAVES || a.0 % extent != 0 || b.0 % extent != 0 || extent == 1 {
                return None;
            }
            for (out, side) in [(&mut mine, &mut a), (&mut theirs, &mut b)] {
                (out.extents[out.len], out.steps[out.len]) = (extent, side.1);
                out.len += 1;
                *side = (side.0 / extent, side.1.wrapping_mul(extent));
            }
        }
    }

    /// The step of one loop over all that the loops `leaves` visit, in their order, if there is one: each loop begins where the one before ends.
    #[inline]
    pub fn merged(&self, leaves: Range<usize>) -> Option<isize> {
        let (mut first, mut next, mut step) = (leaves.start, 1usize, None);
        let extents = &self.extents[leaves.clone()];
        if extents.contains(&0) {
            return Some(self.at(leaves.start).1 as isize);
        }
        for k in leaves {
            // One step goes nowhere.
            if self.extents[k] == 1 {
                continue;
            }
            match step {
                None => (first, step) = (k, Some(self.steps[k])),
                Some(step) if self.steps[k] == usize::wrapping_mul(step, next) => {}
                Some(_) => return None,
            }
            next = next.wrapping_mul(self.extents[k]);
        }
        Some(self.at(first).1 as isize)
    }

    /// `f` of every sum of steps: four loops nested, and an odometer over those beyond.
    #[inline(always)]
    fn walk<P: Point>(&self, start: P, step: impl Fn(usize) -> P, mut f: impl FnMut(P)) {
        let [e0, e1, e2, e3] = [self.at(0).0, self.at(1).0, self.at(2).0, self.at(3).0];
        let [d0, d1, d2, d3] = [step(0), step(1), step(2), step(3)];
        let mut inner = |start: P| {
            let mut at3 = start;
            for _ in 0..e3 {
                let mut at2 = at3;
                for _ in 0..e2 {
                    let mut at1 = at2;
                    for _ in 0..e1 {
                        let mut at0 = at1;
                        for _ in 0..e0 {
                            f(at0);
                            at0 = at0.after(d0);
                        }
                        at1 = at1.after(d1);
                    }
                    at2 = at2.after(d2);
                }
                at3 = at3.after(d3);
            }
        };
        if self.len <= 4 { inner(start) } else { self.odometer(start, &step, &mut inner) }
    }

    /// `inner(start)` for every sum of steps of the loops from the fifth on.
    fn odometer<P: Point>(&self, start: P, step: &impl Fn(usize) -> P, inner: &mut impl FnMut(P)) {
        let extents = &self.extents[..self.len];
        if extents[4..].contains(&0) {
            return;
        }
        // Where each loop stands: a loop that ends begins again where the next one is.
        let (mut digits, mut begin) = ([0; MAX_LEAVES], [start; MAX_LEAVES]);
        loop {
            inner(begin[4]);
            let mut k = 4;
            while digits[k] + 1 == extents[k] {
                digits[k] = 0;
                k += 1;
                if k == self.len {
                    return;
                }
            }
            digits[k] += 1;
            let next = begin[k].after(step(k));
            begin[4..=k].fill(next);
        }
    }
}

/// What a walk carries along: an index, several, or an index and a coordinate.
pub trait Point: Copy {
    /// The point one step on.
    fn after(self, step: Self) -> Self;
}

impl Point for usize {
    #[inline(always)]
    fn after(self, step: usize) -> usize {
        self.wrapping_add(step)
    }
}

impl<C: Coordinate> Point for (usize, C) {
    #[inline(always)]
    fn after(self, step: Self) -> Self {
        (self.0.wrapping_add(step.0), self.1.plus(step.1))
    }
}
