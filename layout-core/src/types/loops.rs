//! Loops over the leaves of a layout, nested, without divisions.

use super::operand::{MAX_LEAVES, Slots};
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
    pub fn for_each(&self, mut f: impl FnMut(usize)) {
        let [(e0, d0), (e1, d1), (e2, d2), (e3, d3)] = [self.at(0), self.at(1), self.at(2), self.at(3)];
        let mut inner = |start: usize| {
            let mut at3 = start;
            for _ in 0..e3 {
                let mut at2 = at3;
                for _ in 0..e2 {
                    let mut at1 = at2;
                    for _ in 0..e1 {
                        let mut at0 = at1;
                        for _ in 0..e0 {
                            f(at0);
                            at0 = at0.wrapping_add(d0);
                        }
                        at1 = at1.wrapping_add(d1);
                    }
                    at2 = at2.wrapping_add(d2);
                }
                at3 = at3.wrapping_add(d3);
            }
        };
        if self.len <= 4 { inner(0) } else { self.odometer(&mut inner) }
    }

    /// `inner(start)` for every sum of steps of the loops from the fifth on.
    fn odometer(&self, inner: &mut impl FnMut(usize)) {
        let (extents, steps) = (&self.extents[..self.len], &self.steps);
        if extents[4..].contains(&0) {
            return;
        }
        let (mut digits, mut start) = ([0; MAX_LEAVES], 0usize);
        loop {
            inner(start);
            let mut k = 4;
            loop {
                if k == self.len {
                    return;
                }
                digits[k] += 1;
                start = start.wrapping_add(steps[k]);
                if digits[k] < extents[k] {
                    break;
                }
                start = start.wrapping_sub(steps[k].wrapping_mul(extents[k]));
                digits[k] = 0;
                k += 1;
            }
        }
    }
}
