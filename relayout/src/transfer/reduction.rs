//! Sums, maxima and other folds along the modes in which the target has stride 0.

use super::checked_copy::each;
use super::kernels::{StridedLoop, Task, wide};
use super::{InstructionSet, Offsets, Result, Transfer, TransferError, one_place};
use crate::order;
use crate::plan::{Loop, Plan, Side};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Folds the elements of a source into the elements of a target, along the modes in which the target has stride 0.
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
    instructions: InstructionSet,
    elements: PhantomData<fn(T)>,
}

/// A fold of the elements of one copy of the plan: `source` and `target` are its first offsets. Offsets and steps are in elements.
#[derive(Clone, Debug)]
struct Fold {
    source: isize,
    target: isize,
    /// The innermost loop, which has the least absolute step in the source.
    strip: StridedLoop,
    /// A loop that repeats a strip on the same elements of the target. It has one turn if there is no such loop, or if
    /// the strip itself has target step 0.
    across: StridedLoop,
    /// The loop around `strip` and `across`.
    around: StridedLoop,
    others: Vec<StridedLoop>,
    /// True if turns of different loops may reach the same element of the target.
    mixed: bool,
}

/// The maximum number of parts of a fold into one element. A fold of fewer than `SMALL` elements is not split.
const PARTS: usize = 64;
const SMALL: usize = 1 << 16;

impl<T: Copy> ReducingTransfer<T> {
    /// Creates a fold from a source into a target of equal size. Several coordinates share an element of the target
    /// along modes of stride 0.
    ///
    /// Fails as `Transfer::new` does, if the target was made of pieces, or if its elements share an offset for another reason.
    pub fn new(source: &Side, target: &Side) -> Result<Self> {
        let (apart, period) = target.spread()?;
        let plan = Plan::new(source, &apart)?;
        let copies = one_place(&plan)?;
        // This checks the offsets of a transfer to `apart`: the target in which multiples of `period` replace the strides of 0, so that
        // coordinates along these modes have offsets of their own.
        let checked = Transfer::<T>::of_plan(&plan)?;
        let mut new = ReducingTransfer {
            folds: Vec::new(),
            source: checked.source,
            target: None,
            instructions: InstructionSet::best(),
            elements: PhantomData,
        };
        // Removes the multiples of the period that keep the coordinates of one element apart.
        let kept = |offset: i64| offset - (offset + period / 2).div_euclid(period) * period;
        for copy in copies {
            let unit = Loop { count: copy.count, source: 1, target: 1 };
            let mut loops: Vec<Loop> = core::iter::once(unit).chain(copy.loops.iter().copied()).filter(|turn| turn.count > 1).collect();
            // A loop may move along a mode of stride 0 and along another mode at once.
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

    /// Limits the fold to this instruction set. No instruction set exceeds [`InstructionSet::best`].
    ///
    /// ```
    /// use relayout::{InstructionSet, ReducingTransfer, Side};
    /// let total = ReducingTransfer::<f32>::new(&Side::parse("1000:1")?, &Side::parse("1000:0")?)?;
    /// let numbers: Vec<f32> = (1..=1000).map(|k| 1.0 / k as f32).collect();
    /// let sum = |total: &ReducingTransfer<f32>| {
    ///     let mut sum = [0.0_f32];
    ///     total.run(&numbers, &mut sum, 0.0, |sum, x| sum + x, |a, b| a + b).map(|()| sum[0].to_bits())
    /// };
    /// // The same bits on every processor.
    /// assert_eq!(sum(&total)?, sum(&total.clone().with_instruction_set(InstructionSet::Scalar))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_instruction_set(mut self, instructions: InstructionSet) -> Self {
        self.instructions = instructions.at_most_best();
        self
    }

    /// Computes `target = join(target, fold)` for each element of the target. `fold` is `f(.. f(f(first, x), y) ..,
    /// z)` over the elements of the source that belong to it.
    ///
    /// `first` changes nothing (0 for a sum), and `join` combines two folds. The order and the number of partial folds
    /// depend on the layouts alone. A floating-point sum may differ from a sequential one by rounding, but it is the
    /// same on every processor.
    ///
    /// Fails if an offset of a layout lies outside of its slice.
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
                    // SAFETY: as above; every turn folds into the one element `own`.
                    unsafe { part.run(self.instructions, source.as_ptr(), own, first, f, join) };
                }
                // SAFETY: the offset belongs to an element of the target.
                unsafe { *target = partial[..parts.len()].iter().fold(*target, |sum, own| join(sum, *own)) };
            } else {
                // SAFETY: as above.
                unsafe { fold.run(self.instructions, source.as_ptr(), target, first, f, join) };
            }
        }
        Ok(())
    }

    /// Runs and fails like [`ReducingTransfer::run`], on all threads of the rayon pool, with the same result. The
    /// threads divide the elements of the target, so a target of few elements keeps few threads busy. For a single
    /// element, they divide the source.
    ///
    /// ```
    /// use relayout::{ReducingTransfer, Side};
    /// // The greatest of each of 200 columns of 300 numbers.
    /// let most = ReducingTransfer::<u32>::new(&Side::parse("(300,200):(200,1)")?, &Side::parse("(300,200):(0,1)")?)?;
    /// let (numbers, mut columns) = ((0..60_000).collect::<Vec<u32>>(), [0; 200]);
    /// most.run_parallel(&numbers, &mut columns, 0, u32::max, u32::max)?;
    /// assert_eq!((columns[0], columns[199]), (59_800, 59_999));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
                    // SAFETY: all offsets lie in the slice; every turn folds into the one element `own`.
                    unsafe { part.run(self.instructions, source.as_ptr(), own, first, f, join) };
                });
                let to = &mut target[fold.target as usize];
                *to = partial[..parts.len()].iter().fold(*to, |sum, own| join(sum, *own));
            } else {
                let to = Shared(target.as_mut_ptr());
                fold.parts(rayon::current_num_threads() * 4).par_iter().for_each(|part| {
                    // SAFETY: all offsets lie in the slices; no two parts share an element of the target.
                    unsafe { part.run(self.instructions, source.as_ptr(), to.at(part.target), first, f, join) };
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

/// A pointer to the target for several threads, each of which has its own elements.
#[cfg(feature = "parallel")]
struct Shared<U>(*mut U);

#[cfg(feature = "parallel")]
// SAFETY: each thread writes only elements that no other thread accesses.
unsafe impl<U: Send> Sync for Shared<U> {}

#[cfg(feature = "parallel")]
impl<U> Shared<U> {
    /// Returns the pointer to an element of the target.
    ///
    /// # Safety
    ///
    /// `offset` is the offset of an element.
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
        // If the strip moves in the target, a loop of target step 0 folds many strips into the same elements.
        let across = loops.iter().rposition(|turn| turn.target == 0).filter(|_| strip.target != 0);
        let across = across.map_or(StridedLoop::ONCE, |k| loops.remove(k));
        let around = loops.pop().unwrap_or(StridedLoop::ONCE);
        loops.reverse();
        Fold { source: source as isize, target: target as isize, strip, across, around, others: loops, mixed }
    }

    fn turns(&mut self) -> impl Iterator<Item = &mut StridedLoop> {
        [&mut self.strip, &mut self.across, &mut self.around].into_iter().chain(&mut self.others)
    }

    /// Tests whether all turns fold into one element of the target.
    fn is_still(&self) -> bool {
        [self.strip, self.across, self.around].iter().chain(&self.others).all(|turn| turn.target == 0)
    }

    /// Splits the fold along one loop into at most `most` folds. No two of them share an element of the target, or all fold into
    /// its only element.
    fn parts(&self, most: usize) -> Vec<Fold> {
        /// The minimum number of elements of a strip that is worth splitting off.
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

    /// Folds from `source`, the address of offset 0, into the target from `target`, the address of offset `self.target`, on.
    ///
    /// # Safety
    ///
    /// At every turn of the loops, the offset from `source`, `self.source` included, is an element of the source, and
    /// the offset from `target` an element of the target. Nothing else accesses these elements of the target meanwhile.
    unsafe fn run<T: Copy, U: Copy>(
        &self,
        instructions: InstructionSet,
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
            wide(instructions, Strips { source, target, strip, across, around, first, f, join });
        });
    }
}

/// A strip, repeated by `across` into the same elements, and both repeated by `around`.
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
            // SAFETY: each turn of the three loops has an element on both sides.
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

/// Folds contiguous elements into 64 partial folds, enough for the vectors of any processor, and joins these.
#[inline(always)]
fn folded<T: Copy, U: Copy>(elements: &[T], first: U, f: impl Fn(U, T) -> U, join: impl Fn(U, U) -> U) -> U {
    const LANES: usize = 64;
    /// Aligned to a cache line, so that no vector of it spans two lines.
    #[repr(align(64))]
    struct Partial<U>([U; LANES]);
    let Partial(partial) = &mut Partial([first; LANES]);
    let (chunks, rest) = elements.as_chunks::<LANES>();
    // Take four chunks per pass: the partial folds stay in memory, because no compiler keeps so many in registers.
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

/// Folds `rows.count` rows from `source` on into `target`, four at a time, in blocks that fit the nearest cache.
///
/// # Safety
///
/// From `source` on, and again from each turn of `rows` on, `target.len()` elements are readable.
#[inline(always)]
unsafe fn columns<T: Copy, U: Copy>(source: *const T, target: &mut [U], rows: StridedLoop, f: impl Fn(U, T) -> U) {
    const PIECE: usize = 16 << 10;
    let length = (PIECE / size_of::<U>().max(1)).max(1);
    for (piece, target) in target.chunks_mut(length).enumerate() {
        let count = target.len();
        // SAFETY: this is a block of a row, and the caller promises that rows are readable for the length of the target.
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

/// Folds four rows into one. The rows are separate arguments, because the compiler then knows that they do not alias
/// the target.
#[inline(always)]
fn four<T: Copy, U: Copy>(target: &mut [U], a: &[T], b: &[T], c: &[T], d: &[T], f: impl Fn(U, T) -> U) {
    for ((((sum, a), b), c), d) in target.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *sum = f(f(f(f(*sum, *a), *b), *c), *d);
    }
}
