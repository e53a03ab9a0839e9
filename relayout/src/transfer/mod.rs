//! Runs plans in memory, between layouts in one storage each: in slices and in tensors.
//!
//! A transfer is a list of copies with checked numbers (`checked_copy`); swizzled copies are tables (`table`).
//! `schedule` chooses a kernel and the order of the loops for each copy, `gather` fuses short loops into blocks, `execute`
//! runs the loops, and `kernels` moves the bytes. `loops` counts and splits nested loops. `places`, `tensors`, `in_place` and `reduction` are other ways to make or run a transfer. All unsafe
//! code of the crate is here, behind the checks of `checked_copy`.

mod checked_copy;
mod error;
mod execute;
mod gather;
mod in_place;
mod instruction_set;
#[allow(clippy::needless_range_loop, reason = "arrays of vectors are registers: loops over their numbers are unrolled")]
mod kernels;
mod loops;
mod places;
mod reduction;
mod schedule;
mod table;
mod tensors;

pub use error::TransferError;
pub use in_place::InPlace;
pub use instruction_set::InstructionSet;
pub use reduction::ReducingTransfer;
pub use tensors::Between;

use crate::plan::{self, Plan, Side};
use alloc::vec;
use alloc::vec::Vec;
use checked_copy::{CheckedCopy, CopyBody};
use core::marker::PhantomData;
use execute::Execution;
use layout_core::layouts::Swizzle;
use layout_core::tensor::PlainData;
use schedule::{ScheduledCopy, TransferVolume};
use table::OffsetMap;

/// The result of an operation that may fail with a [`TransferError`].
type Result<T> = core::result::Result<T, TransferError>;

/// Moves the elements of a tensor from one layout to another in memory. It is made once for two layouts, and runs for
/// any number of tensors.
///
/// The target receives at each coordinate what the source has there. Any permutation, slice, flip, broadcast or tiling
/// is a transfer. Loops are fused and ordered by the strides of both sides, tiles are transposed in registers, and a
/// large target is written past the caches.
///
/// ```
/// use relayout::{Side, Transfer};
/// let transpose = Transfer::<f32>::new(&Side::parse("(3,2):(2,1)")?, &Side::parse("(3,2):(1,3)")?)?;
/// let mut columns = [0.0; 6];
/// transpose.run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut columns)?;
/// assert_eq!(columns, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Transfer<T> {
    parts: Vec<CheckedCopy>,
    steps: Vec<ScheduledCopy>,
    source: Offsets,
    target: Offsets,
    instructions: InstructionSet,
    /// True if no element of the target is written twice, so that threads may share the work.
    #[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "only `run_parallel` reads it"))]
    once: bool,
    elements: PhantomData<fn(T)>,
}

/// The least and the greatest offset of a side, in elements; `None` if the side is empty.
type Offsets = Option<(i64, i64)>;

impl<T: Copy> Transfer<T> {
    /// Creates a transfer between two layouts of equal size. Elements correspond by coordinate if both have the same extents, and
    /// by linear coordinate otherwise.
    ///
    /// Fails as `of_plan` does, or if there is no plan: two elements of the target have the same offset, or the sizes differ.
    pub fn new(source: &Side, target: &Side) -> Result<Self> {
        Transfer::of_plan(&Plan::new(source, target)?)
    }

    /// Creates a transfer that writes the only element of its source to every offset of a target.
    ///
    /// Fails as [`Transfer::new`] does, if the target was made of pieces, and if its number of elements does not fit `i64`.
    ///
    /// ```
    /// use relayout::{Side, Transfer};
    /// let mut rows = [0; 10];
    /// Transfer::fill(&Side::parse("(2,3):(5,1)")?)?.run(&[7], &mut rows)?;
    /// assert_eq!(rows, [7, 7, 7, 0, 0, 7, 7, 7, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill(target: &Side) -> Result<Self> {
        let size = target.size()?;
        Transfer::new(&Side::parse(&alloc::format!("{size}:0"))?, target)
    }

    /// Creates a transfer between two layouts, one or both of them swizzled. The element at coordinate `c` of a side `L` with the
    /// base `b` and the swizzle `S` has the index `S(b + L(c))`; `from` and `to` are the swizzles.
    ///
    /// Fails as [`Transfer::new`] does, and if a copy has more than 2^20 elements inside its loops over whole blocks
    /// of the swizzles.
    ///
    /// ```
    /// use layout_core::layouts::Swizzle;
    /// use relayout::{Side, Transfer};
    /// let (rows, tile) = (Side::parse("(4,4):(4,1)")?, Swizzle::new(2, 0, 2)?);
    /// let mut swizzled = [0; 16];
    /// let numbers: Vec<i32> = (0..16).collect();
    /// Transfer::swizzled(&rows, None, &rows, Some(tile))?.run(&numbers, &mut swizzled)?;
    /// assert_eq!(swizzled, [0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn swizzled(source: &Side, from: Option<Swizzle>, target: &Side, to: Option<Swizzle>) -> Result<Self> {
        let image = |swizzle: Option<Swizzle>| move |index: i64| swizzle.map_or(index, |swizzle| swizzle.apply(index));
        let block = |swizzle: Option<Swizzle>| {
            swizzle.map_or(1, |swizzle| 1 << (i64::BITS - (swizzle.source() | swizzle.target()).leading_zeros()))
        };
        let images = [OffsetMap { of: &image(from), block: block(from) }, OffsetMap { of: &image(to), block: block(to) }];
        Transfer::of_images(&Plan::new(source, target)?, &images)
    }

    /// Creates a transfer from a plan between two sides in one place.
    ///
    /// Fails if the plan has several places (use [`Transfer::of_places`] for these), or if an offset in bytes does not
    /// fit a pointer.
    ///
    /// ```
    /// use relayout::{Planner, Side, Transfer};
    /// // The first two rows and three columns of 4 by 4 elements, packed.
    /// let (square, packed) = (Side::parse("(4,4):(4,1)")?, Side::parse("(2,3):(3,1)")?);
    /// let transfer = Transfer::of_plan(&Planner::new().extent(&[2, 3]).plan(&square, &packed)?)?;
    /// let (numbers, mut corner) = ((0..16).collect::<Vec<u16>>(), [0; 6]);
    /// transfer.run(&numbers, &mut corner)?;
    /// assert_eq!(corner, [0, 1, 2, 4, 5, 6]);
    /// let places = Planner::new().plan(&Side::parse("(4,4):(1@0,1@1)")?, &Side::parse("16:1")?)?;
    /// let error = Transfer::<u16>::of_plan(&places).unwrap_err();
    /// assert_eq!(error.to_string(), "the plan has 4 messages between places, but a transfer in one memory has one place");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_plan(plan: &Plan) -> Result<Self> {
        Transfer::of_bodies(one_place(plan)?.iter().cloned().map(CopyBody::Copy))
    }

    /// Creates a transfer from copies between two storages, for example the copies of one message, or of packed data.
    ///
    /// The transfer runs on one thread, because its copies may write an element twice. Such an element then has either
    /// value. A count of 0 copies nothing, and a loop whose steps are both 0 counts as one turn.
    ///
    /// Fails if a count is negative, or if an offset or the size of all elements of a copy in bytes does not fit a pointer.
    ///
    /// ```
    /// use relayout::{Copy, Loop, Transfer};
    /// let columns = Copy { source: 1, target: 0, count: 2, loops: vec![Loop { count: 2, source: 4, target: 2 }] };
    /// let mut packed = [0; 4];
    /// Transfer::of_copies([columns])?.run(&[0, 1, 2, 3, 4, 5, 6, 7], &mut packed)?;
    /// assert_eq!(packed, [1, 2, 5, 6]);
    /// # Ok::<(), relayout::TransferError>(())
    /// ```
    pub fn of_copies(copies: impl IntoIterator<Item = plan::Copy>) -> Result<Self> {
        // A loop whose steps are both 0 only repeats the same copy.
        let moving = |mut copy: plan::Copy| {
            copy.loops.retain(|turn| turn.count < 1 || (turn.source, turn.target) != (0, 0));
            copy
        };
        let transfer = Transfer::of_bodies(copies.into_iter().map(moving).map(CopyBody::Copy))?;
        Ok(Transfer { once: false, ..transfer })
    }

    /// Creates a transfer from a plan whose offsets are mapped to memory by an image on each side. Fails as `swizzled` does.
    fn of_images(plan: &Plan, images: &[OffsetMap; 2]) -> Result<Self> {
        if images.iter().all(|image| image.block == 1) {
            // An image whose block is 1 only adds a constant.
            let [source, target] = images.each_ref().map(|image| (image.of)(0));
            let moved = |copy: &plan::Copy| places::moved(copy, source, target).ok_or(TransferError::Overflow);
            return Transfer::of_bodies(one_place(plan)?.iter().map(moved).collect::<Result<Vec<_>>>()?.into_iter().map(CopyBody::Copy));
        }
        let mut bodies = vec![];
        for copy in one_place(plan)? {
            bodies.extend(table::run_copies(copy, images)?.into_iter().map(CopyBody::Runs));
        }
        Transfer::of_bodies(bodies)
    }

    /// Creates a transfer from bodies. Fails if `CheckedCopy::new` refuses one of them.
    fn of_bodies(bodies: impl IntoIterator<Item = CopyBody>) -> Result<Self> {
        let parts = bodies.into_iter().filter_map(|body| CheckedCopy::new(body, size_of::<T>()).transpose());
        Ok(Transfer::of_parts(parts.collect::<Result<_>>()?))
    }

    fn of_parts(parts: Vec<CheckedCopy>) -> Self {
        let wider = |one: Offsets, other: (i64, i64)| Some(one.map_or(other, |one| (one.0.min(other.0), one.1.max(other.1))));
        let (source, target) =
            parts.iter().fold((None, None), |(source, target), part| (wider(source, part.source()), wider(target, part.target())));
        let new =
            Transfer { parts, steps: vec![], source, target, instructions: InstructionSet::best(), once: true, elements: PhantomData };
        new.with_streaming(schedule::STREAM)
    }

    /// Writes past the caches if the processor can and the transfer writes at least `least` bytes in all. The default
    /// is 4 MiB.
    ///
    /// Raise this number for a target that is read soon and fits the caches.
    ///
    /// ```
    /// use relayout::{Side, Transfer};
    /// // The next step reads the target at once, so it stays in the caches, however long it is.
    /// let pad = Transfer::<f32>::new(&Side::parse("(3,2):(1,3)")?, &Side::parse("(3,2):(1,4)")?)?.with_streaming(usize::MAX);
    /// let mut padded = [0.0; 8];
    /// pad.run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut padded)?;
    /// assert_eq!(padded, [1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_streaming(mut self, least: usize) -> Self {
        let size = size_of::<T>();
        let bytes = self.parts.iter().fold(0_usize, |bytes, part| bytes.saturating_add(part.elements() as usize * size));
        let volume = TransferVolume::new(bytes, least);
        self.steps = self.parts.iter().filter(|_| size > 0).map(|part| part.step(size, volume)).collect();
        self
    }

    /// Limits the transfer to this instruction set. No instruction set exceeds [`InstructionSet::best`].
    ///
    /// ```
    /// use relayout::{InstructionSet, Side, Transfer};
    /// let reverse = Transfer::new(&Side::parse("4:-1")?.with_base(&[3]), &Side::parse("4:1")?)?;
    /// let mut out = [0; 4];
    /// reverse.with_instruction_set(InstructionSet::Avx2).run(&[1, 2, 3, 4], &mut out)?; // on any processor
    /// assert_eq!(out, [4, 3, 2, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_instruction_set(mut self, instructions: InstructionSet) -> Self {
        self.instructions = instructions.at_most_best();
        self
    }

    /// Moves elements from `source` to `target`. The other elements of the target keep their values.
    ///
    /// Fails if an offset of a layout lies outside of its slice.
    pub fn run(&self, source: &[T], target: &mut [T]) -> Result<()>
    where
        T: PlainData,
    {
        self.check(source.len(), target.len())?;
        // SAFETY: all offsets lie in the slices, and the target is borrowed exclusively; every byte pattern of plain
        // data is a value.
        unsafe { self.steps(self.instructions, source.as_ptr(), target.as_mut_ptr()) };
        Ok(())
    }

    /// Runs like [`Transfer::run`], for values that may have padding or be references, and fails like it. Copies elements as
    /// opaque memory, without vector instructions.
    ///
    /// ```
    /// use relayout::{Side, Transfer};
    /// let reverse = Transfer::new(&Side::parse("3:-1")?.with_base(&[2]), &Side::parse("3:1")?)?;
    /// let mut words = [""; 3];
    /// reverse.run_any(&["one", "two", "three"], &mut words)?;
    /// assert_eq!(words, ["three", "two", "one"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_any(&self, source: &[T], target: &mut [T]) -> Result<()> {
        self.check(source.len(), target.len())?;
        // SAFETY: as in `run`; at this instruction set elements are copied as opaque memory.
        unsafe { self.steps(InstructionSet::Scalar, source.as_ptr(), target.as_mut_ptr()) };
        Ok(())
    }

    /// Runs and fails like [`Transfer::run`], on all threads of the rayon pool, or on one if two copies may write one element.
    ///
    /// ```
    /// use relayout::{Side, Transfer};
    /// let transpose = Transfer::<u32>::new(&Side::parse("(500,300):(300,1)")?, &Side::parse("(500,300):(1,500)")?)?;
    /// let (rows, mut columns) = ((0..150_000).collect::<Vec<u32>>(), vec![0; 150_000]);
    /// transpose.run_parallel(&rows, &mut columns)?;
    /// assert_eq!((columns[1], columns[500]), (300, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn run_parallel(&self, source: &[T], target: &mut [T]) -> Result<()>
    where
        T: PlainData,
    {
        if !self.once {
            return self.run(source, target);
        }
        self.check(source.len(), target.len())?;
        // SAFETY: as in `run`; no two steps write the same element.
        unsafe { self.steps_parallel(source.as_ptr(), target.as_mut_ptr()) };
        Ok(())
    }

    /// Calls `f` with every element of the target and the corresponding element of the source. It serves for maps,
    /// sums of two tensors, and type conversions.
    ///
    /// The order of the calls is not specified. Fails as [`Transfer::run`] does.
    ///
    /// ```
    /// use relayout::{Side, Transfer};
    /// let transpose = Transfer::<u8>::new(&Side::parse("(2,3):(3,1)")?, &Side::parse("(2,3):(1,2)")?)?;
    /// let mut halves = [1.0_f32; 6];
    /// transpose.transform(&[0, 1, 2, 3, 4, 5], &mut halves, |to, from| *to += f32::from(*from) / 2.0)?;
    /// assert_eq!(halves, [1.0, 2.5, 1.5, 3.0, 2.0, 3.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn transform<U>(&self, source: &[T], target: &mut [U], mut f: impl FnMut(&mut U, &T)) -> Result<()> {
        self.check(source.len(), target.len())?;
        let (source, target) = (source.as_ptr(), target.as_mut_ptr());
        for part in &self.parts {
            part.strips(|from, to, turn| {
                // SAFETY: all offsets lie in the slices.
                let (source, target) = unsafe { (source.offset(from), target.offset(to)) };
                if (turn.source, turn.target) == (1, 1) {
                    // SAFETY: these `turn.count` elements are contiguous on both sides.
                    let (source, target) =
                        unsafe { (core::slice::from_raw_parts(source, turn.count), core::slice::from_raw_parts_mut(target, turn.count)) };
                    target.iter_mut().zip(source).for_each(|(to, from)| f(to, from));
                } else {
                    for k in 0..turn.count as isize {
                        // SAFETY: each offset is an element of its side; elements of the target are borrowed one at a time.
                        unsafe { f(&mut *target.offset(k * turn.target), &*source.offset(k * turn.source)) };
                    }
                }
            });
        }
        Ok(())
    }

    /// Checks that every offset lies in a storage: of `source` elements on the one side, of `target` elements on the other.
    fn check(&self, source: usize, target: usize) -> Result<()> {
        inside(&self.source, source).map_err(|(first, last)| TransferError::Source { first, last, elements: source })?;
        inside(&self.target, target).map_err(|(first, last)| TransferError::Target { first, last, elements: target })
    }

    /// Runs all copies one after another.
    ///
    /// # Safety
    ///
    /// All offsets belong to elements. No element is both read and written, and nothing else accesses the written
    /// elements meanwhile. Above [`InstructionSet::Scalar`], every byte pattern is a value of `T`.
    unsafe fn steps(&self, instructions: InstructionSet, source: *const T, target: *mut T) {
        for step in &self.steps {
            let run = Execution::new(step, instructions, source.cast(), target.cast());
            // SAFETY: promised by the caller.
            unsafe { run.run(0..run.turns()) };
        }
        if self.steps.iter().any(|step| step.stream || step.staged.is_some()) {
            kernels::fence();
        }
    }

    /// Runs all copies on the threads of the current rayon pool.
    ///
    /// # Safety
    ///
    /// The promises of `steps`, at the instruction set of the transfer. Besides, no element is written twice.
    #[cfg(feature = "parallel")]
    unsafe fn steps_parallel(&self, source: *const T, target: *mut T) {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};
        /// The minimum number of bytes that is worth waking a thread for.
        const WORTH: usize = 1 << 17;
        let runs: Vec<Execution<'_>> =
            self.steps.iter().map(|step| Execution::new(step, self.instructions, source.cast(), target.cast())).collect();
        let all: usize = self.steps.iter().map(|step| step.bytes).sum();
        // Several pieces per thread: the other threads take the pieces of one that is delayed.
        let pieces = (all / WORTH).clamp(1, rayon::current_num_threads() * 8);
        let part = |k: usize, of: usize, parts: usize| (k as u128 * of as u128 / parts as u128) as usize;
        let piece = |k: usize| {
            let (begin, end) = (part(k, all, pieces), part(k + 1, all, pieces));
            let mut byte = 0;
            for (run, step) in runs.iter().zip(&self.steps) {
                let [from, to] = [begin, end].map(|at: usize| at.saturating_sub(byte).min(step.bytes));
                byte += step.bytes;
                if from < to {
                    let turns = run.turns();
                    // SAFETY: promised by the caller; no two turns write the same element, and readers come after the
                    // fence.
                    unsafe { run.run(part(from, turns, step.bytes)..part(to, turns, step.bytes)) };
                }
            }
            kernels::fence();
        };
        if pieces == 1 { piece(0) } else { (0..pieces).into_par_iter().for_each(piece) }
    }
}

/// Returns the copies of a plan within one place. Fails if the plan has several places.
fn one_place(plan: &Plan) -> Result<&[plan::Copy]> {
    match plan.messages() {
        [] => Ok(&[]),
        [message] if message.is_local() => Ok(&message.copies),
        messages => Err(TransferError::Places { messages: messages.len() }),
    }
}

/// Checks that offsets lie in a storage of `elements` elements. Fails with the least and the greatest offset.
fn inside(offsets: &Offsets, elements: usize) -> core::result::Result<(), (i64, i64)> {
    match offsets {
        Some((first, last)) if usize::try_from(*first).is_err() || !usize::try_from(*last).is_ok_and(|last| last < elements) => {
            Err((*first, *last))
        }
        _ => Ok(()),
    }
}
