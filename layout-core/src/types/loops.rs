//! Loops over the leaves of a layout, nested, without divisions.

use super::layout::Layout;
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

    /// `f` of every sum of steps: four loops nested, and an odometer over those beyond.
    #[inline(always)]
    pub fn for_each(&self, mut f: impl FnMut(usize)) {
        if self.len <= 4 { self.four(0, &mut f) } else { self.odometer(&mut |start| self.four(start, &mut f)) }
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
            Some(_) => self.odometer(&mut |start| self.four(start, &mut f)),
            None => self.for_each(f),
        }
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
