//! Loops over the leaves of a layout, nested, without divisions.

use super::layout::Layout;
use super::operand::{Coordinate, MAX_LEAVES, Slots};
use super::unrolled::unroll;
use crate::value::LayoutValue;
use core::ops::Range;

/// How often each leaf steps, and how far: the first `len` of both count, the first is the innermost loop.
///
/// What steps is an index, two of them, or an index and a coordinate.
#[derive(Clone, Copy)]
pub struct Loops<P = usize> {
    /// Number of loops.
    pub len: usize,
    /// How many steps each takes.
    pub extents: Slots,
    /// Where all begin.
    pub start: P,
    /// How far each goes, modulo `2^usize::BITS`.
    pub steps: [P; MAX_LEAVES],
}

/// What loops carry along: an index, several, or an index and a coordinate.
pub trait Point: Copy {
    /// The point `count` steps on.
    fn after(self, step: Self, count: usize) -> Self;
}

impl Point for usize {
    #[inline(always)]
    fn after(self, step: usize, count: usize) -> usize {
        self.wrapping_add(step.wrapping_mul(count))
    }
}

impl<C: Coordinate> Point for (usize, C) {
    #[inline(always)]
    fn after(self, step: Self, count: usize) -> Self {
        (self.0.after(step.0, count), self.1.plus(step.1, count))
    }
}

/// `f` of every point of the first loops, from `start` on. Products, because the compiler knows them for what they are, and sums across loops
/// not always; functions, because closures that are called twice are not inlined at opt-level `z`.
macro_rules! nest {
    ($($name:ident $k:literal $inner:expr;)*) => {
        impl<P: Point> Loops<P> { $(
            #[cfg_attr(not(unoptimized), inline(always))]
            fn $name<F: FnMut(P)>(&self, start: P, f: &mut F) {
                let (extent, step) = (if $k < self.len { self.extents[$k] } else { 1 }, self.steps[$k]);
                let inner = $inner;
                for i in 0..extent {
                    inner(self, start.after(step, i), f);
                }
            }
        )* }
    };
}

nest! {
    one 0 |_: &Loops<P>, at: P, f: &mut F| f(at);
    two 1 Loops::one;
    three 2 Loops::two;
    four 3 Loops::three;
}

/// Innermost loops below this extent have code of their own, see [`Depth::SHORT`].
const SHORT: usize = 8;

impl<P: Point> Loops<P> {
    /// `f` of every point, the first loop innermost.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(&self, f: impl FnMut(P)) {
        self.for_each_of::<AnyDepth>(f);
    }

    /// [`Loops::for_each`] of as many loops as are known to be.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn for_each_of<D: Depth>(&self, mut f: impl FnMut(P)) {
        if const { D::SHORT } && self.extents[0] < SHORT {
            let mut short = *self;
            // Says how few there are.
            short.extents[0] %= SHORT;
            short.nested::<D>(&mut f);
        } else {
            self.nested::<D>(&mut f);
        }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn nested<D: Depth>(&self, f: &mut impl FnMut(P)) {
        // Of a constant only one arm is compiled.
        match const { D::LOOPS } {
            Some(0 | 1) => self.one(self.start, f),
            Some(2) => self.two(self.start, f),
            Some(3) => self.three(self.start, f),
            Some(4) => self.four(self.start, f),
            _ => self.many(f),
        }
    }

    /// Four loops nested, and an odometer of those beyond.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn many(&self, f: &mut impl FnMut(P)) {
        let mut beyond = Odometer { digits: [0; MAX_LEAVES], begin: [self.start; MAX_LEAVES] };
        if self.len > 4 && self.extents[4..self.len].contains(&0) {
            return;
        }
        loop {
            self.four(beyond.begin[4], f);
            if self.len <= 4 || beyond.step(self) {
                return;
            }
        }
    }
}

/// How many loops there are, if it is known before the program runs.
pub(crate) trait Depth {
    const LOOPS: Option<usize>;

    /// Whether an innermost loop of few steps has code of its own, which knows how few there are. Three loops and more leave no registers for what an innermost
    /// loop of unknown length is unrolled to, so that few steps take up to twice as long as in loops that are not. Only opt-level 3 pays for time with code.
    const SHORT: bool;
}

/// As many loops as there are.
pub(crate) struct AnyDepth;

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

impl<P: Point> Odometer<P> {
    /// One step; returns true behind the last.
    #[cfg_attr(not(unoptimized), inline)]
    fn step(&mut self, loops: &Loops<P>) -> bool {
        let mut k = 4;
        while self.digits[k] + 1 == loops.extents[k] {
            self.digits[k] = 0;
            k += 1;
            if k == loops.len {
                return true;
            }
        }
        self.digits[k] += 1;
        let next = self.begin[k].after(loops.steps[k], 1);
        self.begin[4..=k].fill(next);
        false
    }
}

/// The steps of one loop.
#[cfg_attr(not(unoptimized), inline(always))]
fn together<C: Coordinate, const N: usize>(mine: &Slots, others: &[Loops; N], steps: &mut [(usize, C); MAX_LEAVES], k: usize) {
    let (mut theirs, mut other) = ([0; N], 0);
    while other < N {
        theirs[other] = others[other].steps[k];
        other += 1;
    }
    steps[k] = (mine[k], C::from_values(&theirs, &mut 0));
}

/// The step of one loop and that of a coordinate, of which it counts the integer at its place: digits of one integer weigh as much as those before.
#[cfg_attr(not(unoptimized), inline(always))]
fn count<C: Coordinate>(loops: &Loops, places: &Slots, weight: &mut usize, steps: &mut [(usize, C); MAX_LEAVES], k: usize) {
    if k < loops.len {
        *weight = if k > 0 && places[k] == places[k - 1] { weight.wrapping_mul(loops.extents[k - 1]) } else { 1 };
        let mut unit = [0; MAX_LEAVES];
        unit[places[k] % MAX_LEAVES] = *weight;
        steps[k] = (loops.steps[k], C::from_values(&unit, &mut 0));
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

    /// These loops with `others` of the same extents beside them, an integer of `C` for each.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn beside<D: Depth, C: Coordinate, const N: usize>(&self, others: &[Loops; N]) -> Loops<(usize, C)> {
        let none = C::from_values(&[0; N], &mut 0);
        let (mut steps, mut starts, mut other) = ([(0, none); MAX_LEAVES], [0; N], 0);
        while other < N {
            starts[other] = others[other].start;
            other += 1;
        }
        each_loop!(D, self.len, together(&self.steps, others, &mut steps));
        Loops { len: self.len, extents: self.extents, start: (self.start, C::from_values(&starts, &mut 0)), steps }
    }

    /// These loops together with the coordinate, of which each counts the integer at its place.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn counted<D: Depth, C: Coordinate>(&self, places: &Slots) -> Loops<(usize, C)> {
        let none = C::from_values(&[0; MAX_LEAVES], &mut 0);
        let (mut steps, mut weight) = ([(0, none); MAX_LEAVES], 1);
        each_loop!(D, self.len, count(self, places, &mut weight, &mut steps));
        Loops { len: self.len, extents: self.extents, start: (self.start, none), steps }
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

    /// The range from the least sum of steps to the greatest, if its ends fit `isize`.
    #[inline]
    pub fn range(&self) -> Option<Range<isize>> {
        let start = self.start as isize;
        let (mut least, mut end, mut exact, mut empty) = (start, start.wrapping_add(1), start < isize::MAX, false);
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
