//! Runs nested loops without divisions, in the order of coordinates or in the order of memory.

use super::known_steps::KnownSteps;
use super::loops::{FEW, Loops};
use super::raw_layout::RawLayout;
use super::steps::{Counted, Steps};
use crate::types::pattern::operand::{Coordinate, MAX_LEAVES, Slots};
use crate::types::unroll::unroll;
use layout_algebra::value::LayoutValue;

/// Nested loops, and the state that they advance.
pub(crate) trait Walk: Steps {
    /// Returns the loops whose extents bound the walk.
    fn loops(&self) -> &Loops<FEW>;

    /// Calls `f` with every point; the first loop is innermost.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each(&self, f: impl FnMut(Self::Point)) {
        self.for_each_of::<AnyDepth>(f);
    }

    /// Calls `f` as [`Walk::for_each`] does, with the number of loops that `D` knows.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each_of<D: Depth>(&self, mut f: impl FnMut(Self::Point)) {
        let loops = self.loops();
        let each = &mut Points { walk: self, f: &mut f };
        if const { D::SHORT } && loops.extents[0] < SHORT {
            let mut short = *loops;
            // The remainder changes nothing, but tells the compiler that the innermost loop has fewer than `SHORT` steps.
            short.extents[0] %= SHORT;
            nested::<Self, D>(self, &short, usize::MAX, each);
        } else {
            nested::<Self, D>(self, loops, usize::MAX, each);
        }
    }

    /// Arranges the loops in the memory order of [`Walk::loops`]: all step upwards, and the shortest step is innermost.
    /// Joins loops that continue each other, unless a run-time layout has a known step of 1.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn arrange<D: Depth>(&mut self) {
        if cfg!(unoptimized) || const { !matches!(D::LOOPS, Some(0..=4)) } {
            return arrange_any::<_, D>(self);
        }
        if const { D::STEPS.falls } {
            unroll!(number::<D>(), turned(self));
        }
        // Known steps of 1 come first, whatever the other steps are.
        fronted::<_, D, 0>(self);
        fronted::<_, D, 1>(self);
        fronted::<_, D, 2>(self);
        sorted::<_, D>(self, 0, 1);
        sorted::<_, D>(self, 1, 2);
        sorted::<_, D>(self, 2, 3);
        sorted::<_, D>(self, 0, 1);
        sorted::<_, D>(self, 1, 2);
        sorted::<_, D>(self, 0, 1);
        if const { D::STEPS.known == 0 || D::SETTLED } {
            joined::<_, D>(self, 3);
            joined::<_, D>(self, 2);
            joined::<_, D>(self, 1);
        }
    }

    /// Visits every innermost loop as a row, in blocks of at most `block` steps of the first two loops: longer rows take several visits.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each_row<D: Depth>(&self, block: usize, rows: &mut impl Rows<Self::Point>) {
        nested::<Self, D>(self, self.loops(), block, rows);
    }

    /// Exchanges loop 1 with the first loop behind the innermost that steps to the next element of some tensor, or returns false.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn cross<D: Depth>(&mut self) -> bool {
        let mut found = false;
        if cfg!(unoptimized) || const { !matches!(D::LOOPS, Some(0..=4)) } {
            (1..self.loops().len).for_each(|k| crossed(self, &mut found, k));
        } else {
            unroll!(number::<D>(), crossed(self, &mut found));
        }
        found
    }
}

/// A visitor of rows. It is a trait because the compiler does not inline closures that contain a loop at opt-level `z`.
pub(crate) trait Rows<P> {
    /// Visits `count` points from `first` on, each one step of the innermost loop apart.
    fn row(&mut self, first: P, count: usize);
}

/// A visitor that calls `f` with every point.
struct Points<'a, W, F> {
    walk: &'a W,
    f: &'a mut F,
}

impl<W: Walk, F: FnMut(W::Point)> Rows<W::Point> for Points<'_, W, F> {
    #[cfg_attr(not(unoptimized), inline(always))]
    fn row(&mut self, first: W::Point, count: usize) {
        for k in 0..count {
            (self.f)(self.walk.after(first, 0, k));
        }
    }
}

/// Reverses loop `k` if its step is negative.
#[cfg_attr(not(unoptimized), inline(always))]
fn turned<W: Walk>(walk: &mut W, k: usize) {
    let loops = walk.loops();
    if k < loops.len && (loops.steps[k] as isize) < 0 {
        let last = loops.extents[k].wrapping_sub(1);
        walk.turn(k, last);
    }
}

/// Moves loop `place[K]` to position `K`; the other loops keep their order.
#[cfg_attr(not(unoptimized), inline(always))]
fn fronted<W: Walk, D: Depth, const K: usize>(walk: &mut W) {
    if const { K < 3 && D::STEPS.place[K] > 2 } {
        walk.exchange(2, 3);
    }
    if const { K < 2 && D::STEPS.place[K] > 1 } {
        walk.exchange(1, 2);
    }
    if const { K < 1 && D::STEPS.place[K] > 0 } {
        walk.exchange(0, 1);
    }
}

/// Exchanges loops `j` and `k` if loop `k` has the shorter step. A step of 0 counts as the longest.
#[cfg_attr(not(unoptimized), inline(always))]
fn sorted<W: Walk, D: Depth>(walk: &mut W, j: usize, k: usize) {
    let loops = walk.loops();
    if k < loops.len && j >= const { D::STEPS.known } && loops.steps[k].wrapping_sub(1) < loops.steps[j].wrapping_sub(1) {
        walk.exchange(j, k);
    }
}

/// Joins loop `k` to loop `k - 1` if it continues where that ends. A loop `k - 1` of extent 1 moves to `k`, except loop 0 of known step 1.
#[cfg_attr(not(unoptimized), inline(always))]
fn joined<W: Walk, D: Depth>(walk: &mut W, k: usize) {
    let loops = walk.loops();
    if k < loops.len {
        let (inner, outer) = (loops.extents[k - 1], loops.extents[k]);
        if inner == 1 && !(k == 1 && const { D::STEPS.known > 0 }) {
            walk.exchange(k - 1, k);
        } else if walk.continues(k - 1, k) {
            walk.lengthen(k - 1, k, inner.wrapping_mul(outer));
        }
    }
}

/// Exchanges loop `k` with loop 1 if it steps to the next element of some tensor and no earlier loop did.
#[cfg_attr(not(unoptimized), inline(always))]
fn crossed<W: Walk>(walk: &mut W, found: &mut bool, k: usize) {
    if k > 0 && k < walk.loops().len && !*found && walk.crosses(k) {
        walk.exchange(1, k);
        *found = true;
    }
}

/// Runs [`Walk::arrange`] for any number of loops.
fn arrange_any<W: Walk, D: Depth>(walk: &mut W) {
    let len = walk.loops().len;
    (0..len).for_each(|k| turned(walk, k));
    // Use the same order as for known depths.
    (0..D::STEPS.known).for_each(|k| (k..D::STEPS.place[k]).rev().for_each(|j| walk.exchange(j, j + 1)));
    for k in 1..len {
        (1..=k).rev().for_each(|k| sorted::<_, D>(walk, k - 1, k));
    }
    if D::STEPS.known == 0 || D::SETTLED {
        (1..len).rev().for_each(|k| joined::<_, D>(walk, k));
    }
    (1..len).for_each(|k| {
        // Joining leaves loops of extent 1; move them to the end.
        (1..=k).rev().for_each(|k| {
            if walk.loops().extents[k - 1] == 1 {
                walk.exchange(k - 1, k)
            }
        });
    });
    let left = (1..=len).rev().find(|k| walk.loops().extents[k - 1] != 1).unwrap_or(0);
    walk.keep(left);
}

impl Walk for Loops<FEW> {
    #[inline(always)]
    fn loops(&self) -> &Self {
        self
    }
}

impl<A: Walk, B: Steps> Walk for (A, B) {
    #[inline(always)]
    fn loops(&self) -> &Loops<FEW> {
        self.0.loops()
    }
}

/// Visits the rows of the first two loops from `start` on, in blocks of at most `block` steps of both.
#[cfg_attr(not(unoptimized), inline(always))]
fn two<W: Walk, R: Rows<W::Point>>(walk: &W, counts: &Loops<FEW>, start: W::Point, block: usize, visit: &mut R) {
    let ((row, _), (rows, _)) = (counts.at(0), counts.at(1));
    let mut done = 0;
    loop {
        let end = done + if rows - done > block { block } else { rows - done };
        let mut from = 0;
        loop {
            let count = if row - from > block { block } else { row - from };
            for j in done..end {
                visit.row(walk.after(walk.after(start, 1, j), 0, from), count);
            }
            from += count;
            if from == row {
                break;
            }
        }
        done = end;
        if done == rows {
            return;
        }
    }
}

/// Visits the rows of three or four loops. Points are products of step and count, because the compiler does not always recognise running
/// sums across loops. Each depth is a function, because the compiler does not inline closures that are called twice at opt-level `z`.
macro_rules! nest {
    ($($name:ident $k:literal $inner:ident;)*) => { $(
        #[cfg_attr(not(unoptimized), inline(always))]
        fn $name<W: Walk, R: Rows<W::Point>>(walk: &W, counts: &Loops<FEW>, start: W::Point, block: usize, visit: &mut R) {
            for i in 0..counts.at($k).0 {
                $inner(walk, counts, walk.after(start, $k, i), block, visit);
            }
        }
    )* };
}

nest! {
    three 2 two;
    four 3 three;
}

/// The extent below which an innermost loop has code of its own, see [`Depth::SHORT`].
const SHORT: usize = 8;

/// Visits every row.
#[cfg_attr(not(unoptimized), inline(always))]
fn nested<W: Walk, D: Depth>(walk: &W, counts: &Loops<FEW>, block: usize, visit: &mut impl Rows<W::Point>) {
    let (start, empty) = (walk.start(), |k: usize| counts.at(k).0 == 0);
    // The scrutinee is a constant, so only one arm is compiled. Loops around an empty loop would still step: return early.
    match const { D::LOOPS } {
        Some(0 | 1) => visit.row(start, counts.at(0).0),
        Some(2) if empty(0) | empty(1) => {}
        Some(2) => two(walk, counts, start, block, visit),
        Some(3) if empty(0) | empty(1) | empty(2) => {}
        Some(3) => three(walk, counts, start, block, visit),
        Some(4) if empty(0) | empty(1) | empty(2) | empty(3) => {}
        Some(4) => four(walk, counts, start, block, visit),
        _ if counts.extents[..counts.len].contains(&0) => {}
        _ => many(walk, counts, block, visit),
    }
}

/// Runs four nested loops, and an odometer over the others.
#[cfg_attr(not(unoptimized), inline(always))]
fn many<W: Walk>(walk: &W, counts: &Loops<FEW>, block: usize, visit: &mut impl Rows<W::Point>) {
    let mut beyond = Odometer { digits: [0; FEW], begin: [walk.start(); FEW] };
    loop {
        four(walk, counts, beyond.begin[4], block, visit);
        if counts.len <= 4 || beyond.step(walk, counts) {
            return;
        }
    }
}

/// The number of loops, as far as it is known before the program runs.
pub(crate) trait Depth {
    /// The number of loops, if it is known.
    const LOOPS: Option<usize>;

    /// The steps of the loops, as far as the type determines them.
    const STEPS: KnownSteps = KnownSteps::NONE;

    /// Whether all steps and extents are known.
    const SETTLED: bool = false;

    /// Whether an innermost loop of few steps has code of its own, which knows how few steps there are. With three or more
    /// loops, the compiler has no registers left for an unrolled innermost loop of unknown length, and few steps take up to
    /// twice as long as in loops without unrolling. Only opt-level 3 trades code size for time.
    const SHORT: bool;
}

/// Returns true if every layout of the type has [`RawLayout::loops`], at most [`FEW`].
pub(crate) const fn is_nested<L: RawLayout>() -> bool {
    matches!(L::LOOPS, Some(..=FEW))
}

/// The depth of loops whose number is known only at run time.
pub(crate) struct AnyDepth;

impl Depth for AnyDepth {
    const LOOPS: Option<usize> = None;
    const SHORT: bool = cfg!(fast);
}

impl<L: RawLayout> Depth for L {
    const LOOPS: Option<usize> = <L as RawLayout>::LOOPS;
    const STEPS: KnownSteps = <L as RawLayout>::STEPS;
    const SETTLED: bool = InMemory::<L>::LOOPS.is_some();
    const SHORT: bool = cfg!(fast) && !innermost_is_static::<L>() && !matches!(<L as RawLayout>::LOOPS, Some(..3));
}

const fn innermost_is_static<L: RawLayout>() -> bool {
    match L::TYPED {
        Some(pattern) => !pattern.lay.is_empty() && pattern.lay.extent(0).value().is_some(),
        None => false,
    }
}

/// The depth of one loop for each integer of a coordinate.
pub(crate) struct PerInteger<C>(core::marker::PhantomData<C>);

impl<C: Coordinate> Depth for PerInteger<C> {
    const LOOPS: Option<usize> = Some(C::DESCRIPTOR.inputs());
    const SHORT: bool = cfg!(fast) && !matches!(Self::LOOPS, Some(..3));
}

/// The loops of the layout type `L` in the order of memory, if the layout is static and the loops are few.
pub(crate) struct InMemory<L>(core::marker::PhantomData<L>);

impl<L: RawLayout> InMemory<L> {
    /// The loops sorted by step, with steps of 0 outermost; `None` if the layout is not static or more than `FEW` loops remain.
    pub(crate) const LOOPS: Option<Loops<FEW>> = match Self::STATIC {
        Some(loops) => loops.in_memory_order().resized(),
        None => None,
    };

    /// The loops sorted by step, with steps of 0 innermost; `None` if the layout is not static or more than `FEW` loops remain.
    pub(crate) const BY_STRIDE: Option<Loops<FEW>> = match Self::STATIC {
        Some(loops) => loops.by_stride().resized(),
        None => None,
    };

    const STATIC: Option<Loops> = match L::TYPED {
        Some(pattern) if L::LOOPS.is_some() => static_loops(&pattern.lay),
        _ => None,
    };
}

impl<L: RawLayout> Depth for InMemory<L> {
    const LOOPS: Option<usize> = match Self::LOOPS {
        Some(loops) => Some(loops.len),
        None => None,
    };
    const SHORT: bool = false;
}

/// Returns the loops over the leaves of a layout, or `None` if a leaf is not static.
const fn static_loops(l: &LayoutValue<MAX_LEAVES>) -> Option<Loops> {
    let mut loops = Loops::new(l.len());
    each!(k, 0..l.len(), {
        match (l.extent(k).value(), l.scale(k).value()) {
            (Some(extent), Some(step)) => (loops.extents[k], loops.steps[k]) = (extent as usize, step as isize as usize),
            _ => return None,
        }
    });
    Some(loops)
}

/// The digits of the loops from the fifth on, and the points where each began. A loop that ends begins at the point of the next one.
struct Odometer<P> {
    digits: [usize; FEW],
    begin: [P; FEW],
}

impl<P: Copy> Odometer<P> {
    /// Advances to the next point. Returns true if there is none.
    #[cfg_attr(not(unoptimized), inline)]
    fn step<W: Steps<Point = P>>(&mut self, walk: &W, counts: &Loops<FEW>) -> bool {
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

/// Sets the amount that a step of loop `k` adds to a coordinate: 1 for its integer, times the extents of earlier loops of that integer.
#[cfg_attr(not(unoptimized), inline(always))]
fn count<C: Coordinate>(loops: &Loops<FEW>, places: &Slots, weight: &mut usize, steps: &mut [C; FEW], k: usize) {
    if k < loops.len {
        *weight = if k > 0 && places[k] == places[k - 1] { weight.wrapping_mul(loops.extents[k - 1]) } else { 1 };
        let mut unit = [0; MAX_LEAVES];
        unit[places[k] % MAX_LEAVES] = *weight;
        steps[k] = C::from_values(&unit, &mut 0);
    }
}

/// Returns the number of loops, or 0 if it is not known.
const fn number<D: Depth>() -> usize {
    match D::LOOPS {
        Some(loops) => loops,
        None => 0,
    }
}

/// Calls `f(args..., k)` for each loop.
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

impl Loops<FEW> {
    /// Calls `f` with the sum of steps at every point, the first loop innermost.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(&self, f: impl FnMut(usize)) {
        Walk::for_each(self, f);
    }

    /// Returns these loops together with the coordinate that they count. Loop `k` counts the integer number `places[k]`, from 0.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn counted<D: Depth, C: Coordinate>(&self, places: &Slots) -> (Self, Counted<C>) {
        let start = C::from_values(&[0; MAX_LEAVES], &mut 0);
        let (mut steps, mut weight) = ([start; FEW], 1);
        each_loop!(D, self.len, count(self, places, &mut weight, &mut steps));
        (*self, Counted::new(start, steps))
    }

    /// Returns `0, 1, 2, ..` if loop `k` counts integer `k` of `C` and no other loop does. Returns `None` otherwise.
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
}
