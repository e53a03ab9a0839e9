//! Loops over the leaves of a layout: their extents and steps. `walk` runs them.

use crate::types::pattern::operand::MAX_LEAVES;
use core::ops::Range;

/// The most loops that walks nest. Layouts with more are walked digit by digit.
///
/// ```
/// use layout_core::{DynLayout, LayoutError};
/// use layout_core::layouts::{FEW, RawLayout};
/// let bits = DynLayout::<16>::parse("(2,2,2,2,2,2,2,2,2):(256,128,64,32,16,8,4,2,1)")?;
/// assert!(bits.loops::<FEW>().is_none() && bits.loops::<16>().is_some());
/// # Ok::<(), LayoutError>(())
/// ```
pub const FEW: usize = 8;

/// Nested loops: the number of steps of each, and what a step adds. The first `len` entries count; the first loop is the innermost.
///
/// ```
/// use layout_core::make_layout;
/// use layout_core::layouts::{FEW, Loops, RawLayout};
/// use layout_core::number::Signed;
/// // The rows of an image go upwards in memory.
/// let image: Loops<FEW> = make_layout((2, 3), (Signed(-3), 1)).loops().unwrap();
/// assert_eq!((image.len, image.at(1), image.range()), (2, (3, 1), Some(-3..3)));
/// let mut sums = Vec::new();
/// image.for_each(|sum| sums.push(sum as isize));
/// assert_eq!(sums, [0, -3, 1, -2, 2, -1]);
/// // In the order of memory, it is one loop from the lowest index on.
/// let upwards = image.by_stride();
/// assert_eq!((upwards.len, upwards.at(0), upwards.start as isize), (1, (6, 1), -3));
///
/// // Loops of your own, and the same coordinates in other loops: `refined` splits both to equal extents.
/// let mut row = Loops::<FEW>::new(1);
/// (row.extents[0], row.steps[0]) = (6, 1);
/// let (row, image) = row.refined(&image).unwrap();
/// assert_eq!(([row.at(0), row.at(1)], image.at(0).0), ([(2, 1), (3, 2)], 2));
/// // `merged` joins the loops of a nested mode.
/// assert_eq!((row.merged(0..2), image.merged(0..2)), (Some(1), None));
/// ```
#[derive(Clone, Copy)]
pub struct Loops<const N: usize = MAX_LEAVES> {
    /// The number of loops.
    pub len: usize,
    /// The number of steps of each loop.
    pub extents: [usize; N],
    /// The sum before the first step.
    pub start: usize,
    /// The amount that one step of each loop adds, modulo `2^usize::BITS`.
    pub steps: [usize; N],
}

/// The range of the sums of some loops, and whether it is exact.
pub(crate) struct Reach {
    least: isize,
    end: isize,
    points: usize,
    exact: bool,
    empty: bool,
    many: bool,
}

impl Reach {
    /// Makes the range of no loops.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn new(start: usize) -> Self {
        let start = start as isize;
        Reach { least: start, end: start.wrapping_add(1), points: 1, exact: start < isize::MAX, empty: false, many: false }
    }

    /// Adds loop `k`. A loop behind the last adds nothing.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn extend<const N: usize>(&mut self, loops: &Loops<N>, k: usize) {
        let (extent, step) = loops.at(k);
        self.empty |= extent == 0;
        let (product, over) = self.points.overflowing_mul(extent.max(1));
        (self.points, self.many) = (product, self.many | over);
        let (reach, over) = (extent.saturating_sub(1) as isize).overflowing_mul(step as isize);
        let side = if reach < 0 { &mut self.least } else { &mut self.end };
        let (sum, beyond) = side.overflowing_add(reach);
        *side = sum;
        self.exact &= !over & !beyond;
    }

    /// Adds loop `k`, whose step is not negative, to loops from 0 with such steps.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn extend_upward<const N: usize>(&mut self, loops: &Loops<N>, k: usize) {
        let (extent, step) = loops.at(k);
        self.empty |= extent == 0;
        let (points, many) = self.points.overflowing_mul(extent.max(1));
        let (reach, over) = extent.saturating_sub(1).overflowing_mul(step);
        let (end, beyond) = (self.end as usize).overflowing_add(reach);
        (self.points, self.end) = (points, end as isize);
        self.many |= many;
        self.exact &= !over & !beyond;
    }

    /// Returns the answer of [`Loops::range`].
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn range(&self) -> Option<Range<isize>> {
        if self.many || self.points > isize::MAX as usize {
            return None;
        }
        // An empty layout has no index, whatever its strides. An end that is not above the least index is one beyond `isize`.
        if self.empty { Some(0..0) } else { (self.exact & (self.end > self.least)).then_some(self.least..self.end) }
    }
}

impl<const N: usize> Loops<N> {
    /// Makes `len` loops of extent 0.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub const fn new(len: usize) -> Self {
        Loops { len, extents: [0; N], start: 0, steps: [0; N] }
    }

    /// Returns the extent and the step of loop `k`. A loop behind the last takes one step.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub const fn at(&self, k: usize) -> (usize, usize) {
        if k < self.len { (self.extents[k], self.steps[k]) } else { (1, 0) }
    }

    /// Returns the same loops with room for `M` loops, or `None` if there are more than `M`.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) const fn resized<const M: usize>(&self) -> Option<Loops<M>> {
        if self.len > M {
            return None;
        }
        let mut out = Loops { start: self.start, ..Loops::new(self.len) };
        let mut k = 0;
        while k < N && k < M {
            (out.extents[k], out.steps[k]) = (self.extents[k], self.steps[k]);
            k += 1;
        }
        Some(out)
    }

    /// Returns the range from the least sum of steps to the greatest, or `None` if an end or the number of points does not fit `isize`.
    ///
    /// That number leaves out extents of 0, because loops over the other leaves alone have points.
    #[inline]
    pub fn range(&self) -> Option<Range<isize>> {
        let mut reach = Reach::new(self.start);
        for k in 0..self.len {
            reach.extend(self, k);
        }
        reach.range()
    }

    /// Splits these loops and `other` loops over equally many coordinates where either begins anew, so that their extents
    /// agree. Returns `None` if their digits do not nest, or if there would be more than `N` loops.
    pub fn refined(&self, other: &Self) -> Option<(Self, Self)> {
        if self.len == other.len && self.extents[..self.len] == other.extents[..self.len] {
            return Some((*self, *other));
        }
        let (mut mine, mut theirs) = (Loops { start: self.start, ..Loops::new(0) }, Loops { start: other.start, ..Loops::new(0) });
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
                // An empty loop has no point, so one empty loop on each side is enough.
                (mine.len, theirs.len) = (1, 1);
                (mine.extents[0], theirs.extents[0]) = (0, 0);
                return Some((mine, theirs));
            }
            if mine.len == N || a.0 % extent != 0 || b.0 % extent != 0 || extent == 1 {
                return None;
            }
            for (out, side) in [(&mut mine, &mut a), (&mut theirs, &mut b)] {
                (out.extents[out.len], out.steps[out.len]) = (extent, side.1);
                out.len += 1;
                *side = (side.0 / extent, side.1.wrapping_mul(extent));
            }
        }
    }

    /// Returns the step of one loop that replaces the loops `leaves`, or `None` if a loop does not continue where the loop before it ends.
    #[inline]
    pub fn merged(&self, leaves: Range<usize>) -> Option<isize> {
        let (mut first, mut next, mut step) = (leaves.start, 1usize, None);
        let extents = &self.extents[leaves.clone()];
        if extents.contains(&0) {
            return Some(self.at(leaves.start).1 as isize);
        }
        for k in leaves {
            // A loop of one step moves nothing.
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

    /// Returns loops over the same sums, sorted by step: all upwards, the least step innermost, and loops that continue each other joined.
    pub const fn by_stride(&self) -> Self {
        self.upwards(0)
    }

    /// Returns the loops in the order of [`Loops::by_stride`], but with steps of 0 outermost.
    pub(crate) const fn in_memory_order(&self) -> Self {
        self.upwards(1)
    }

    /// Returns the loops upwards, sorted by step, and joined. A step of 0 is the longest if `above` is 1, and the shortest if it is 0.
    const fn upwards(&self, above: usize) -> Self {
        let mut out = Loops::new(0);
        out.start = self.start;
        each!(k, 0..self.len, {
            let (extent, mut step) = self.at(k);
            if extent == 0 {
                return Loops::new(1);
            }
            if extent > 1 {
                if (step as isize) < 0 {
                    out.start = out.start.wrapping_add(step.wrapping_mul(extent - 1));
                    step = step.wrapping_neg();
                }
                let mut place = out.len;
                while place > 0 && out.steps[place - 1].wrapping_sub(above) > step.wrapping_sub(above) {
                    (out.extents[place], out.steps[place]) = (out.extents[place - 1], out.steps[place - 1]);
                    place -= 1;
                }
                (out.extents[place], out.steps[place]) = (extent, step);
                out.len += 1;
            }
        });
        let mut last = 0;
        each!(k, 1..out.len, {
            match (out.steps[last].checked_mul(out.extents[last]), out.extents[last].checked_mul(out.extents[k])) {
                (Some(reach), Some(both)) if reach == out.steps[k] => out.extents[last] = both,
                _ => {
                    last += 1;
                    (out.extents[last], out.steps[last]) = (out.extents[k], out.steps[k]);
                }
            }
        });
        if out.len > last + 1 {
            out.len = last + 1;
        }
        out
    }
}
