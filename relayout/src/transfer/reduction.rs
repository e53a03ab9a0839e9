//! Sums, maxima and other folds along modes.

use super::checked_copy::each;
use super::kernels::{StridedLoop, Task, wide};
use super::{Level, Offsets, Result, Transfer, TransferError, one_place};
use crate::order;
use crate::plan::{Loop, Plan, Side};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Folds the elements of a source into those of a target, along the modes in which the target stands still (stride 0).
///
/// ```
/// use relayout::{ReducingTransfer, Side};
/// let matrix = Side::parse("(2,3):(3,1)")?;
/// let rows = ReducingTransfer::<i32>::new(&matrix, &Side::parse("(2,3):(1,0)")?)?;
/// let mut sums = [100, 200];
/// rows.run(&[1, 2, 3, 4, 5, 6], &mut sums, 0, |sum, x| sum + x, |a, b| a + b)?;
/// assert_eq!(sums, [106, 215]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReducingTransfer<T> {
    folds: Vec<Fold>,
    source: Offsets,
    target: Offsets,
    level: Level,
    elements: PhantomData<fn(T)>,
}

/// A copy of the plan: offsets and steps are in elements.
#[derive(Clone, Debug)]
struct Fold {
    source: isize,
    target: isize,
    /// The innermost loop, contiguous in the source where there is such a one.
    strip: StridedLoop,
    /// The next loop inwards, along which the target stands still, if the strip moves in it.
    across: StridedLoop,
    /// The loop around these.
    around: StridedLoop,
    others: Vec<StridedLoop>,
    /// Turns of different loops may come to one element of the target.
    mixed: bool,
}

/// The most parts of a fold into one element, which are folded on their own, and the least elements that make it worth that.
const PARTS: usize = 64;
const SMALL: usize = 1 << 16;

impl<T: Copy> ReducingTransfer<T> {
    /// From a source to a target of equal size, in which several coordinates may have one element if the strides say so: a mode of stride 0.
    ///
    /// Fails where there is no plan, or other elements of the target share a spot.
    pub fn new(source: &Side, target: &Side) -> Result<Self> {
        let (apart, period) = target.spread()?;
        let plan = Plan::new(source, &apart)?;
        let copies = one_place(&plan)?;
        // Offsets as if the target were no reduction are checked as those of any transfer.
        let checked = Transfer::<T>::of_plan(&plan)?;
        let mut new =
            ReducingTransfer { folds: Vec::new(), source: checked.source, target: None, level: Level::best(), elements: PhantomData };
        // An offset, or a step, without the multiples of the period that keep coordinates of one element apart.
        let kept = |offset: i64| offset - (offset + period / 2).div_euclid(period) * period;
        for copy in copies {
            let unit = Loop { count: copy.count, source: 1, target: 1 };
            let mut loops: Vec<Loop> = core::iter::once(unit).chain(copy.loops.iter().copied()).filter(|turn| turn.count > 1).collect();
            // A loop may move along a mode of stride 0 and along another one at once.
            let mixed = loops.iter().any(|turn| ![0, turn.target].contains(&kept(turn.target)));
            loops.iter_mut().for_each(|turn| turn.target = kept(turn.target));
            let start = kept(copy.target);
            let reach = |sign: i64| loops.iter().map(|turn| (sign * (turn.count - 1) * turn.target).max(0)).sum::<i64>() * sign;
            let (first, last) = (start + reach(-1), start + reach(1));
            new.target = Some(new.target.map_or((first, last), |(a, b)| (first.min(a), last.max(b))));
            new.folds.push(Fold::new(copy.source, start, &loops, mixed));
        }
        Ok(new)
    }

    /// With no more than the instructions of `level`.
    pub fn with_level(mut self, level: Level) -> Self {
        self.level = level.at_most_best();
        self
    }

    /// For each element of the target: `target = join(target, fold)`, where `fold` is `f(.. f(f(first, x), y) .., z)` over the elements of the source
    /// that belong to it.
    ///
    /// `first` changes nothing (0 of a sum), and `join` joins two folds. The order and the number of partial folds depend on the layouts alone: a sum
    /// of floating-point numbers may be rounded otherwise than one after the other, and is the same on every processor.
    ///
    /// Fails where a layout has an offset outside of its slice.
    pub fn run<U: Copy>(
        &self,
        source: &[T],
        target: &mut [U],
        first: U,
        f: impl Fn(U, T) -> U + Copy,
        join: impl Fn(U, U) -> U + Copy,
    ) -> Result<()> {
        self.check(source.len(), target.len())?;
        let target = target.as_mut_ptr();
        for fold in &self.folds {
            // SAFETY: all offsets lie in the slices.
            let target = unsafe { target.offset(fold.target) };
            if fold.is_still() {
                let mut partial = [first; PARTS];
                let parts = fold.parts(PARTS);
                for (own, part) in partial.iter_mut().zip(&parts) {
                    // SAFETY: as above; all goes into one element.
                    unsafe { part.run(self.level, source.as_ptr(), own, first, f, join) };
                }
                // SAFETY: an element of the target.
                unsafe { *target = partial[..parts.len()].iter().fold(*target, |sum, own| join(sum, *own)) };
            } else {
                // SAFETY: as above.
                unsafe { fold.run(self.level, source.as_ptr(), target, first, f, join) };
            }
        }
        Ok(())
    }

    /// [`ReducingTransfer::run`] on all threads of the current pool of rayon, with the same result. Threads share the elements of the target, so that few
    /// elements behind one another are left to few threads; of a single one all have a part.
    #[cfg(feature = "parallel")]
    pub fn run_parallel<U: Copy + Send + Sync>(
        &self,
        source: &[T],
        target: &mut [U],
        first: U,
        f: impl Fn(U, T) -> U + Copy + Send + Sync,
        join: impl Fn(U, U) -> U + Copy + Send + Sync,
    ) -> Result<()>
    where
        T: Sync,
    {
        use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator};
        self.check(source.len(), target.len())?;
        for fold in &self.folds {
            if fold.is_still() {
                let (mut partial, parts) = ([first; PARTS], fold.parts(PARTS));
                partial[..parts.len()].par_iter_mut().zip(&parts).for_each(|(own, part)| {
                    // SAFETY: all offsets lie in the slice; all goes into one element.
                    unsafe { part.run(self.level, source.as_ptr(), own, first, f, join) };
                });
                let to = &mut target[fold.target as usize];
                *to = partial[..parts.len()].iter().fold(*to, |sum, own| join(sum, *own));
            } else {
                let to = Shared(target.as_mut_ptr());
                fold.parts(rayon::current_num_threads() * 4).par_iter().for_each(|part| {
                    // SAFETY: all offsets lie in the slices; no two parts have an element of the target.
                    unsafe { part.run(self.level, source.as_ptr(), to.at(part.target), first, f, join) };
                });
            }
        }
        Ok(())
    }

    fn check(&self, source: usize, target: usize) -> Result<()> {
        super::inside(&self.source, source).map_err(|(first, last)| TransferError::Source { first, last, elements: source })?;
        super::inside(&self.target, target).map_err(|(first, last)| TransferError::Target { first, last, elements: target })
    }
}

/// The target, of which each thread has elements of its own.
#[cfg(feature = "parallel")]
struct Shared<U>(*mut U);

#[cfg(feature = "parallel")]
// SAFETY: who writes through it has elements that no other thread has.
unsafe impl<U: Send> Sync for Shared<U> {}

#[cfg(feature = "parallel")]
impl<U> Shared<U> {
    /// # Safety
    ///
    /// The offset is that of an element.
    unsafe fn at(&self, offset: isize) -> *mut U {
        // SAFETY: promised by the caller.
        unsafe { self.0.offset(offset) }
    }
}

impl Fold {
    fn new(source: i64, target: i64, loops: &[Loop], mixed: bool) -> Fold {
        let turn = |turn: &Loop| StridedLoop { count: turn.count as usize, source: turn.source as isize, target: turn.target as isize };
        let mut loops: Vec<StridedLoop> = loops.iter().map(turn).collect();
        order::by_key(&mut loops, |turn| core::cmp::Reverse((turn.source.abs(), turn.target.abs())));
        let strip = loops.pop().unwrap_or(StridedLoop::ONCE);
        // Of a strip that is kept many are folded into one place.
        let across = loops.iter().rposition(|turn| turn.target == 0).filter(|_| strip.target != 0);
        let across = across.map_or(StridedLoop::ONCE, |k| loops.remove(k));
        let around = loops.pop().unwrap_or(StridedLoop::ONCE);
        loops.reverse();
        Fold { source: source as isize, target: target as isize, strip, across, around, others: loops, mixed }
    }

    fn turns(&mut self) -> impl Iterator<Item = &mut StridedLoop> {
        [&mut self.strip, &mut self.across, &mut self.around].into_iter().chain(&mut self.others)
    }

    /// All goes into one element.
    fn is_still(&self) -> bool {
        [self.strip, self.across, self.around].iter().chain(&self.others).all(|turn| turn.target == 0)
    }

    /// At most so many parts, of which no two have an element of the target, or all have the only one there is: cut along one loop.
    fn parts(&self, most: usize) -> Vec<Fold> {
        /// Elements of a strip that is worth cutting off.
        const LONG: usize = 512;
        let (mut whole, still) = (self.clone(), self.is_still());
        if self.mixed && !still || whole.turns().map(|turn| turn.count).product::<usize>() < SMALL {
            return alloc::vec![whole];
        }
        let pieces = |k: usize, turn: &StridedLoop| if k == 0 { turn.count.div_ceil(LONG) } else { turn.count }.min(most);
        let loops = whole.turns().enumerate().filter(|(_, turn)| still || turn.target != 0);
        let Some((pieces, k, turn)) = loops.map(|(k, turn)| (pieces(k, turn), k, *turn)).max_by_key(|(pieces, k, _)| (*pieces, *k)) else {
            return alloc::vec![whole];
        };
        let cut = |piece: usize| piece * turn.count / pieces;
        let part = |piece: usize| {
            let (mut part, begin) = (self.clone(), cut(piece));
            (part.source, part.target) = (part.source + begin as isize * turn.source, part.target + begin as isize * turn.target);
            part.turns().skip(k).take(1).for_each(|turn| turn.count = cut(piece + 1) - begin);
            part
        };
        (0..pieces).map(part).collect()
    }

    /// Folds from `source`, the place of index 0, into the elements around `target`.
    ///
    /// # Safety
    ///
    /// An element on both sides at all offsets, those of the target from `target` on, which nothing else writes or reads meanwhile.
    unsafe fn run<T: Copy, U: Copy>(
        &self,
        level: Level,
        source: *const T,
        target: *mut U,
        first: U,
        f: impl Fn(U, T) -> U + Copy,
        join: impl Fn(U, U) -> U + Copy,
    ) {
        let Fold { strip, across, around, .. } = *self;
        each(&self.others, self.source, 0, &mut |from, to| {
            // SAFETY: promised by the caller.
            let (source, target) = unsafe { (source.offset(from), target.offset(to)) };
            wide(level, Strips { source, target, strip, across, around, first, f, join });
        });
    }
}

/// A strip, those behind it that go to the same place, and that as often as the loop around says.
struct Strips<T, U, F, J> {
    source: *const T,
    target: *mut U,
    strip: StridedLoop,
    across: StridedLoop,
    around: StridedLoop,
    first: U,
    f: F,
    join: J,
}

impl<T: Copy, U: Copy, F: Fn(U, T) -> U, J: Fn(U, U) -> U> Task for Strips<T, U, F, J> {
    #[inline(always)]
    fn run(self) {
        let Strips { strip, across, around, first, f, join, .. } = self;
        for turn in 0..around.count as isize {
            // SAFETY: an element on both sides for every turn of the three loops.
            unsafe {
                let (source, target) = (self.source.offset(turn * around.source), self.target.offset(turn * around.target));
                if strip.target == 0 {
                    let sum = if strip.source == 1 {
                        folded(core::slice::from_raw_parts(source, strip.count), first, &f, &join)
                    } else {
                        (0..strip.count as isize).fold(first, |sum, k| f(sum, *source.offset(k * strip.source)))
                    };
                    *target = join(*target, sum);
                } else if (strip.source, strip.target) == (1, 1) {
                    columns(source, core::slice::from_raw_parts_mut(target, strip.count), across, &f);
                } else {
                    for r in 0..across.count as isize {
                        for k in 0..strip.count as isize {
                            let to = &mut *target.offset(k * strip.target);
                            *to = f(*to, *source.offset(k * strip.source + r * across.source));
                        }
                    }
                }
            }
        }
    }
}

/// The fold of contiguous elements, in as many partial ones as fill the vectors of any processor.
#[inline(always)]
fn folded<T: Copy, U: Copy>(elements: &[T], first: U, f: impl Fn(U, T) -> U, join: impl Fn(U, U) -> U) -> U {
    const LANES: usize = 64;
    /// Vectors of it lie in one line each.
    #[repr(align(64))]
    struct Partial<U>([U; LANES]);
    let Partial(partial) = &mut Partial([first; LANES]);
    let (chunks, rest) = elements.as_chunks::<LANES>();
    // Four at a time: partial folds are in memory, as no compiler keeps so many in registers.
    let (fours, chunks) = chunks.as_chunks::<4>();
    for [a, b, c, d] in fours {
        four(partial, a, b, c, d, &f);
    }
    for chunk in chunks {
        for (sum, x) in partial.iter_mut().zip(chunk) {
            *sum = f(*sum, *x);
        }
    }
    for (sum, x) in partial.iter_mut().zip(rest) {
        *sum = f(*sum, *x);
    }
    let mut left = LANES;
    while left > 1 {
        left /= 2;
        for k in 0..left {
            partial[k] = join(partial[k], partial[k + left]);
        }
    }
    partial[0]
}

/// Folds rows into one row, four at a time, in pieces that stay in the nearest cache.
///
/// # Safety
///
/// As many elements as `target` has may be read from `source` on, and so at each turn of `rows`.
#[inline(always)]
unsafe fn columns<T: Copy, U: Copy>(source: *const T, target: &mut [U], rows: StridedLoop, f: impl Fn(U, T) -> U) {
    const PIECE: usize = 16 << 10;
    let length = (PIECE / size_of::<U>().max(1)).max(1);
    for (piece, target) in target.chunks_mut(length).enumerate() {
        let count = target.len();
        // SAFETY: a piece of a row, which the caller promises to be readable for the length of the target.
        let row = |r: usize| unsafe { core::slice::from_raw_parts(source.add(piece * length).offset(r as isize * rows.source), count) };
        let mut r = 0;
        while r + 4 <= rows.count {
            four(target, row(r), row(r + 1), row(r + 2), row(r + 3), &f);
            r += 4;
        }
        while r < rows.count {
            target.iter_mut().zip(row(r)).for_each(|(sum, x)| *sum = f(*sum, *x));
            r += 1;
        }
    }
}

/// Four rows into one. Arguments are what tells the compiler that rows are not the target.
#[inline(always)]
fn four<T: Copy, U: Copy>(target: &mut [U], a: &[T], b: &[T], c: &[T], d: &[T], f: impl Fn(U, T) -> U) {
    for ((((sum, a), b), c), d) in target.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *sum = f(f(f(f(*sum, *a), *b), *c), *d);
    }
}
