//! Loops over the leaves of a layout, nested, without divisions.

use super::layout::Layout;
use super::operand::{Coordinate, MAX_LEAVES, Slots};
use super::unrolled::unroll;
use crate::value::LayoutValue;
use core::ops::Range;

/// How often each leaf steps, and how far: the first `len` of both count, the first is the innermost loop.
#[derive(Clone, Copy)]
pub struct Loops {
    /// Number of loops.
    pub len: usize,
    /// How many steps each takes.
    pub extents: Slots,
    /// Where all begin.
    pub start: usize,
    /// How far each goes, modulo `2^usize::BITS`.
    pub steps: Slots,
}

/// What nested loops carry along: an index, one beside others, or an index and a coordinate.
pub trait Steps: Copy {
    /// What there is at each step.
    type Point: Copy;

    /// The loops that count.
    fn loops(&self) -> &Loops;

    /// The first point.
    fn start(&self) -> Self::Point;

    /// The point `count` steps of loop `k` on.
    fn after(&self, point: Self::Point, k: usize, count: usize) -> Self::Point;

    /// `f` of every point, the first loop innermost.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each(&self, f: impl FnMut(Self::Point)) {
        self.for_each_of::<AnyDepth>(f);
    }

    /// [`Steps::for_each`] of as many loops as are known to be.
    #[doc(hidden)]
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each_of<D: Depth>(&self, mut f: impl FnMut(Self::Point)) {
        let loops = self.loops();
        if const { D::SHORT } && loops.extents[0] < SHORT {
            let mut short = *loops;
            // Says how few there are.
            short.extents[0] %= SHORT;
            nested::<Self, D>(self, &short, &mut f);
        } else {
            nested::<Self, D>(self, loops, &mut f);
        }
    }
}

impl Steps for Loops {
    type Point = usize;

    #[inline(always)]
    fn loops(&self) -> &Loops {
        self
    }

    #[inline(always)]
    fn start(&self) -> usize {
        self.start
    }

    #[inline(always)]
    fn after(&self, point: usize, k: usize, count: usize) -> usize {
        point.wrapping_add(self.steps[k].wrapping_mul(count))
    }
}

/// Loops, and others of the same extents beside them.
impl<A: Steps, B: Steps> Steps for (A, B) {
    type Point = (A::Point, B::Point);

    #[inline(always)]
    fn loops(&self) -> &Loops {
        self.0.loops()
    }

    #[inline(always)]
    fn start(&self) -> Self::Point {
        (self.0.start(), self.1.start())
    }

    #[inline(always)]
    fn after(&self, point: Self::Point, k: usize, count: usize) -> Self::Point {
        (self.0.after(point.0, k, count), self.1.after(point.1, k, count))
    }
}

/// Loops together with a coordinate, of which each counts an integer.
#[derive(Clone, Copy)]
pub(crate) struct Counted<C> {
    loops: Loops,
    steps: [C; MAX_LEAVES],
    none: C,
}

impl<C: Coordinate> Steps for Counted<C> {
    type Point = (usize, C);

    #[inline(always)]
    fn loops(&self) -> &Loops {
        &self.loops
    }

    #[inline(always)]
    fn start(&self) -> (usize, C) {
        (self.loops.start, self.none)
    }

    #[inline(always)]
    fn after(&self, (index, c): (usize, C), k: usize, count: usize) -> (usize, C) {
        (self.loops.after(index, k, count), c.plus(self.steps[k], count))
    }
}

/// `f` of every point of the first loops of `counts`, from `start` on. Products, because the compiler knows them for what they are, and sums across loops
/// not always; functions, because closures that are called twice are not inlined at opt-level `z`.
macro_rules! nest {
    ($($name:ident $k:literal $inner:expr;)*) => { $(
        #[cfg_attr(not(unoptimized), inline(always))]
        fn $name<W: Steps, F: FnMut(W::Point)>(walk: &W, counts: &Loops, start: W::Point, f: &mut F) {
            let extent = if $k < counts.len { counts.extents[$k] } else { 1 };
            let inner = $inner;
            for i in 0..extent {
                inner(walk, counts, walk.after(start, $k, i), f);
            }
        }
    )* };
}

nest! {
    one 0 |_: &W, _: &Loops, at: W::Point, f: &mut F| f(at);
    two 1 one::<W, F>;
    three 2 two::<W, F>;
    four 3 three::<W, F>;
}

/// Innermost loops below this extent have code of their own, see [`Depth::SHORT`].
const SHORT: usize = 8;

#[cfg_attr(not(unoptimized), inline(always))]
fn nested<W: Steps, D: Depth>(walk: &W, counts: &Loops, f: &mut impl FnMut(W::Point)) {
    if cfg!(unoptimized) && counts.extents[..counts.len].contains(&0) {
        return;
    }
    let start = walk.start();
    // Of a constant only one arm is compiled.
    match const { D::LOOPS } {
        Some(0 | 1) => one(walk, counts, start, f),
        Some(2) => two(walk, counts, start, f),
        Some(3) => three(walk, counts, start, f),
        Some(4) => four(walk, counts, start, f),
        _ => many(walk, counts, f),
    }
}

/// Four loops nested, and an odometer of those beyond.
#[cfg_attr(not(unoptimized), inline(always))]
fn many<W: Steps>(walk: &W, counts: &Loops, f: &mut impl FnMut(W::Point)) {
    let mut beyond = Odometer { digits: [0; MAX_LEAVES], begin: [walk.start(); MAX_LEAVES] };
    // The loops around an empty one would step as often as theirs say.
    if counts.len > 4 && counts.extents[..counts.len].contains(&0) {
        return;
    }
    loop {
        four(walk, counts, beyond.begin[4], f);
        if counts.len <= 4 || beyond.step(walk, counts) {
            return;
        }
    }
}

/// How many loops there are, if it is known before the program runs.
pub trait Depth {
    const LOOPS: Option<usize>;

    /// Whether an innermost loop of few steps has code of its own, which knows how few there are. Three loops and more leave no registers for what an innermost
    /// loop of unknown length is unrolled to, so that few steps take up to twice as long as in loops that are not. Only opt-level 3 pays for time with code.
    const SHORT: bool;
}

/// As many loops as there are.
pub struct AnyDepth;

impl Depth for AnyDepth {
    const LOOPS: Option<usize> = None;
    const SHORT: bool = cfg!(fast);
}

impl<L: Layout> Depth for L {
    const LOOPS: Option<usize> = <L as Layout>::LOOPS;
    const SHORT: bool = cfg!(fast) && !innermost_is_static::<L>() && !matches!(<L as Layout>::LOOPS, Some(..3));
}

const fn innermost_is_static<L: Layout>() -> bool {
    match L::TYPED {
        Some(pattern) => !pattern.lay.is_empty() && pattern.lay.extent(0).value().is_some(),
        None => false,
    }
}

/// One loop for each integer of a coordinate.
pub(crate) struct PerInteger<C>(core::marker::PhantomData<C>);

impl<C: Coordinate> Depth for PerInteger<C> {
    const LOOPS: Option<usize> = Some(C::DESCRIPTOR.inputs());
    const SHORT: bool = cfg!(fast) && !matches!(Self::LOOPS, Some(..3));
}

/// The loops of the layout type `L` in the order of memory, if it is static.
pub(crate) struct InMemory<L>(core::marker::PhantomData<L>);

impl<L: Layout> InMemory<L> {
    pub(crate) const LOOPS: Option<Loops> = match L::TYPED {
        Some(pattern) if L::LOOPS.is_some() => static_loops(&pattern.lay),
        _ => None,
    };
}

impl<L: Layout> Depth for InMemory<L> {
    const LOOPS: Option<usize> = match Self::LOOPS {
        Some(loops) => Some(loops.len),
        None => None,
    };
    const SHORT: bool = false;
}

/// The loops over the leaves of a static layout in the order of memory.
const fn static_loops(l: &LayoutValue<MAX_LEAVES>) -> Option<Loops> {
    let mut loops = Loops::new(l.len());
    each!(k, 0..l.len(), {
        match (l.extent(k).value(), l.scale(k).value()) {
            (Some(extent), Some(step)) => (loops.extents[k], loops.steps[k]) = (extent as usize, step as isize as usize),
            _ => return None,
        }
    });
    Some(loops.by_stride())
}

/// Where each loop from the fifth on stands, and where it began: a loop that ends begins again where the next one is.
struct Odometer<P> {
    digits: Slots,
    begin: [P; MAX_LEAVES],
}

impl<P: Copy> Odometer<P> {
    /// One step; returns true behind the last.
    #[cfg_attr(not(unoptimized), inline)]
    fn step<W: Steps<Point = P>>(&mut self, walk: &W, counts: &Loops) -> bool {
        let mut k = 4;
        while self.digits[k] + 1 == counts.extents[k] {
            self.digits[k] = 0;
            k += 1;
            if k == counts.len {
                return true;
            }
        }
        self.digits[k] += 1;
        let next = walk.after(self.begin[k], k, 1);
        self.begin[4..=k].fill(next);
        false
    }
}

/// What one loop adds to a coordinate, of which it counts the integer at its place: digits of one integer weigh as much as those before.
#[cfg_attr(not(unoptimized), inline(always))]
fn count<C: Coordinate>(loops: &Loops, places: &Slots, weight: &mut usize, steps: &mut [C; MAX_LEAVES], k: usize) {
    if k < loops.len {
        *weight = if k > 0 && places[k] == places[k - 1] { weight.wrapping_mul(loops.extents[k - 1]) } else { 1 };
        let mut unit = [0; MAX_LEAVES];
        unit[places[k] % MAX_LEAVES] = *weight;
        steps[k] = C::from_values(&unit, &mut 0);
    }
}

/// The number of loops, where it is known.
const fn number<D: Depth>() -> usize {
    match D::LOOPS {
        Some(loops) => loops,
        None => 0,
    }
}

/// `f(args..., k)` for each loop.
macro_rules! each_loop {
    ($d:ident, $len:expr, $f:ident $args:tt) => {
        if cfg!(unoptimized) || const { $d::LOOPS.is_none() } {
            for k in 0..$len {
                each_loop!(@ $f $args k);
            }
        } else {
            unroll!(number::<$d>(), $f $args);
        }
    };
    (@ $f:ident ($($arg:expr),*) $k:ident) => { $f($($arg,)* $k) };
}

impl Loops {
    /// `len` loops of extent 0.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub const fn new(len: usize) -> Self {
        Loops { len, extents: [0; MAX_LEAVES], start: 0, steps: [0; MAX_LEAVES] }
    }

    /// The loop `k`, extent and step; one that there is not takes one step.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub const fn at(&self, k: usize) -> (usize, usize) {
        if k < self.len { (self.extents[k], self.steps[k]) } else { (1, 0) }
    }

    /// These loops together with the coordinate, of which each counts the integer at its place.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn counted<D: Depth, C: Coordinate>(&self, places: &Slots) -> Counted<C> {
        let none = C::from_values(&[0; MAX_LEAVES], &mut 0);
        let (mut steps, mut weight) = ([none; MAX_LEAVES], 1);
        each_loop!(D, self.len, count(self, places, &mut weight, &mut steps));
        Counted { loops: *self, steps, none }
    }

    /// The place of each integer of a coordinate, if each loop counts one for itself.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn places<C: Coordinate>(&self, places: &Slots) -> Option<&'static Slots> {
        const ORDER: Slots = {
            let (mut order, mut k) = ([0; MAX_LEAVES], 0);
            while k < MAX_LEAVES {
                order[k] = k;
                k += 1;
            }
            order
        };
        let count = const { C::DESCRIPTOR.inputs() };
        (self.len == count && places[..count] == ORDER[..count]).then_some(&ORDER)
    }

    /// Returns the range from the least sum of steps to the greatest, if its ends and the number of points fit `isize`.
    ///
    /// Extents of 0 are left out of that number, as loops over the other leaves alone have points.
    #[inline]
    pub fn range(&self) -> Option<Range<isize>> {
        let start = self.start as isize;
        let (mut least, mut end, mut exact, mut empty) = (start, start.wrapping_add(1), start < isize::MAX, false);
        let (mut points, mut many) = (1usize, false);
        for k in 0..self.len {
            empty |= self.extents[k] == 0;
            let (product, over) = points.overflowing_mul(self.extents[k].max(1));
            (points, many) = (product, many | over);
            let count = self.extents[k].saturating_sub(1);
            let (reach, over) = (count as isize).overflowing_mul(self.steps[k] as isize);
            let side = if reach < 0 { &mut least } else { &mut end };
            let (sum, beyond) = side.overflowing_add(reach);
            *side = sum;
            exact &= !over & !beyond;
        }
        if many || points > isize::MAX as usize {
            return None;
        }
        // An empty layout has no index, wherever its strides lead.
        if empty { Some(0..0) } else { exact.then_some(least..end) }
    }

    /// These loops and `other` ones over as many coordinates, cut where either begins anew, so that extents agree.
    /// `None` where their digits do not nest.
    pub fn refined(&self, other: &Loops) -> Option<(Loops, Loops)> {
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

    /// Loops over the same sums in the order of memory: the least step innermost, upwards, and one loop where several follow each other.
    pub const fn by_stride(&self) -> Loops {
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
                while place > 0 && out.steps[place - 1] > step {
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
