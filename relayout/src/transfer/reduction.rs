//! Sums, maxima and other folds along modes.

use super::kernels::{Task, Turn, wide};
use super::part::each;
use super::{Level, Offsets, Result, Transfer, TransferError, one_place};
use crate::plan::{Loop, Plan, Side};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Folds the elements of a source into those of a target, along the modes in which the target stands still (stride 0).
///
/// ```
/// use relayout::{Reduction, Side};
/// let matrix = Side::parse("(2,3):(3,1)")?;
/// let rows = Reduction::<i32>::new(&matrix, &Side::parse("(2,3):(1,0)")?)?;
/// let mut sums = [100, 200];
/// rows.run(&[1, 2, 3, 4, 5, 6], &mut sums, 0, |sum, x| sum + x, |a, b| a + b)?;
/// assert_eq!(sums, [106, 215]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reduction<T> {
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
    strip: Turn,
    /// The next loop inwards, along which the target stands still, if the strip moves in it.
    across: Turn,
    others: Vec<Turn>,
}

impl<T: Copy> Reduction<T> {
    /// From a source to a target of equal size, in which several coordinates may have one element if the strides say so: a mode of stride 0.
    ///
    /// Fails where there is no plan, or other elements of the target share a spot.
    pub fn new(source: &Side, target: &Side) -> Result<Self> {
        let (apart, period) = target.spread()?;
        let plan = Plan::new(source, &apart)?;
        let copies = one_place(&plan)?;
        // Offsets as if the target were no reduction are checked as those of any transfer.
        let checked = Transfer::<T>::of_plan(&plan)?;
        let mut new = Reduction { folds: Vec::new(), source: checked.source, target: None, level: Level::best(), elements: PhantomData };
        let kept = |offset: i64| offset - (offset + period / 2).div_euclid(period) * period;
        for copy in copies {
            let unit = Loop { count: copy.count, source: 1, target: 1 };
            let mut loops: Vec<Loop> = core::iter::once(unit).chain(copy.loops.iter().copied()).filter(|turn| turn.count > 1).collect();
            for turn in &mut loops {
                turn.target = if turn.target % period == 0 { 0 } else { turn.target };
            }
            let start = kept(copy.target);
            let reach = |sign: i64| loops.iter().map(|turn| (sign * (turn.count - 1) * turn.target).max(0)).sum::<i64>() * sign;
            let (first, last) = (start + reach(-1), start + reach(1));
            new.target = Some(new.target.map_or((first, last), |(a, b)| (first.min(a), last.max(b))));
            new.folds.push(Fold::new(copy.source, start, &loops));
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
        super::inside(&self.source, source.len()).map_err(|(first, last)| TransferError::Source { first, last, elements: source.len() })?;
        super::inside(&self.target, target.len()).map_err(|(first, last)| TransferError::Target { first, last, elements: target.len() })?;
        let (source, target) = (source.as_ptr(), target.as_mut_ptr());
        for fold in &self.folds {
            each(&fold.others, fold.source, fold.target, &mut |from, to| {
                // SAFETY: all offsets lie in the slices.
                let (source, target) = unsafe { (source.offset(from), target.offset(to)) };
                wide(self.level, Strips { source, target, strip: fold.strip, across: fold.across, first, f, join });
            });
        }
        Ok(())
    }
}

impl Fold {
    fn new(source: i64, target: i64, loops: &[Loop]) -> Fold {
        let turn = |turn: &Loop| Turn { count: turn.count as usize, source: turn.source as isize, target: turn.target as isize };
        let mut loops: Vec<Turn> = loops.iter().map(turn).collect();
        loops.sort_by_key(|turn| core::cmp::Reverse((turn.source.abs(), turn.target.abs())));
        let strip = loops.pop().unwrap_or(Turn::ONCE);
        // Of a strip that is kept many are folded into one place.
        let across = loops.iter().rposition(|turn| turn.target == 0).filter(|_| strip.target != 0);
        let across = across.map_or(Turn::ONCE, |k| loops.remove(k));
        loops.reverse();
        Fold { source: source as isize, target: target as isize, strip, across, others: loops }
    }
}

/// A strip, and those behind it that go to the same place.
struct Strips<T, U, F, J> {
    source: *const T,
    target: *mut U,
    strip: Turn,
    across: Turn,
    first: U,
    f: F,
    join: J,
}

impl<T: Copy, U: Copy, F: Fn(U, T) -> U, J: Fn(U, U) -> U> Task for Strips<T, U, F, J> {
    #[inline(always)]
    fn run(self) {
        let Strips { source, target, strip, across, first, f, join } = self;
        // SAFETY: an element on both sides for every turn of both loops.
        unsafe {
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

/// The fold of contiguous elements, in as many partial ones as fill the vectors of any processor.
#[inline(always)]
fn folded<T: Copy, U: Copy>(elements: &[T], first: U, f: impl Fn(U, T) -> U, join: impl Fn(U, U) -> U) -> U {
    const LANES: usize = 64;
    let mut partial = [first; LANES];
    let (chunks, rest) = elements.as_chunks::<LANES>();
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
unsafe fn columns<T: Copy, U: Copy>(source: *const T, target: &mut [U], rows: Turn, f: impl Fn(U, T) -> U) {
    const PIECE: usize = 16 << 10;
    let length = (PIECE / size_of::<U>().max(1)).max(1);
    for (piece, target) in target.chunks_mut(length).enumerate() {
        // SAFETY: a piece of a row.
        let count = target.len();
        let row = |r: usize| unsafe { core::slice::from_raw_parts(source.add(piece * length).offset(r as isize * rows.source), count) };
        let mut r = 0;
        while r + 4 <= rows.count {
            let (a, b, c, d) = (row(r), row(r + 1), row(r + 2), row(r + 3));
            for (k, sum) in target.iter_mut().enumerate() {
                *sum = f(f(f(f(*sum, a[k]), b[k]), c[k]), d[k]);
            }
            r += 4;
        }
        while r < rows.count {
            target.iter_mut().zip(row(r)).for_each(|(sum, x)| *sum = f(*sum, *x));
            r += 1;
        }
    }
}
