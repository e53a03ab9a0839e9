//! Transfers within one storage: the proof that they are right in any order, and their execution.

use super::checked_copy::{CheckedCopy, CopyBody};
use super::{Result, Transfer, TransferError};
use crate::plan::solve::{MOST_STEPS, Undecided, Unknown, solve};
use crate::plan::{self, PlanError};
use alloc::vec;
use alloc::vec::Vec;
use layout_core::tensor::PlainData;

/// A [`Transfer`] whose source and target may lie in one slice. No element moves to an offset where another element is
/// read.
///
/// ```
/// use relayout::{Side, Transfer};
/// // The left half of each row is copied to the right half.
/// let halves = Transfer::new(&Side::parse("(2,3):(1,4)")?, &Side::parse("(2,3):(1,4)")?.with_base(&[2]))?.in_place()?;
/// let mut rows = [1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0];
/// halves.run(&mut rows)?;
/// assert_eq!(rows, [1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6]);
///
/// // The first element stays where it is.
/// let apart = Transfer::new(&Side::parse("2:2")?, &Side::parse("2:3")?)?.in_place()?;
/// let mut numbers = [1, 2, 3, 4];
/// apart.run(&mut numbers)?;
/// assert_eq!(numbers, [1, 2, 3, 3]);
///
/// let transpose = Transfer::<u8>::new(&Side::parse("(2,3):(1,2)")?, &Side::parse("(2,3):(3,1)")?)?;
/// assert!(transpose.in_place().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct InPlace<T> {
    /// The copies that read no element that is written.
    transfer: Transfer<T>,
    /// The copies in which some elements stay and others move.
    mixed: Vec<CheckedCopy>,
}

/// Whether all elements of a copy move, or only some of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    All,
    Some,
}

impl<T: Copy> Transfer<T> {
    /// Proves that the transfer may run in one slice, and returns it in that form.
    ///
    /// The proof holds for any order of the moves: an element that is read is either not written, or its own copy
    /// writes it unchanged. Elements that stay are left out. A transfer that would be right only in one order, such as
    /// a shift by less than its length, is an error. The proof is exact for the existing elements, except that for
    /// swizzled copies only the ranges of offsets are compared.
    ///
    /// Fails with the offset of an element that is overwritten and needed elsewhere. It also fails if two copies are
    /// still undecided after 2^18 steps.
    ///
    /// ```
    /// use relayout::{Side, Transfer};
    /// let shift = |by| Transfer::<u8>::new(&Side::parse("4:1")?, &Side::parse("4:1")?.with_base(&[by]))?.in_place();
    /// let mut numbers = [1, 2, 3, 4, 0, 0, 0, 0];
    /// shift(4)?.run(&mut numbers)?;
    /// assert_eq!(numbers, [1, 2, 3, 4, 1, 2, 3, 4]);
    /// let error = shift(1).unwrap_err();
    /// assert!(error.to_string().ends_with("overwrites offset 3, whose element is still needed at offset 4"));
    /// # Ok::<(), relayout::TransferError>(())
    /// ```
    pub fn in_place(&self) -> Result<InPlace<T>> {
        let mut parts: Vec<(Moves, CheckedCopy)> = vec![];
        for part in self.parts.iter().filter(|part| !part.is_identity()) {
            parts.extend(moving::<T>(part)?);
        }
        parts.sort_by_key(|(_, part)| part.target());
        for (_, from) in &parts {
            let (first, last) = from.source();
            let below = parts.partition_point(|(_, part)| part.target().0 <= last);
            for (moves, to) in parts[..below].iter().filter(|(_, part)| first <= part.target().1) {
                apart(from, to, *moves)?;
            }
        }
        let (all, mixed): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(moves, _)| *moves == Moves::All);
        let [all, mixed] = [all, mixed].map(|parts| parts.into_iter().map(|(_, part)| part).collect());
        // Both sides must fit, including the elements that stay.
        let transfer =
            Transfer { source: self.source, target: self.target, ..Transfer::of_parts(all).with_instruction_set(self.instructions) };
        Ok(InPlace { transfer, mixed })
    }
}

impl<T: PlainData> InPlace<T> {
    /// Moves elements within `elements`.
    ///
    /// Fails if an offset of a layout lies outside of the slice.
    pub fn run(&self, elements: &mut [T]) -> Result<()> {
        self.transfer.check(elements.len(), elements.len())?;
        let elements = elements.as_mut_ptr();
        for part in &self.mixed {
            part.strips(|from, to, turn| {
                // Elements that are contiguous on both sides stay or move together.
                let (count, contiguous) = if (turn.source, turn.target) == (1, 1) { (turn.count, 1) } else { (1, turn.count as isize) };
                for k in 0..contiguous {
                    // SAFETY: all offsets lie in the slice, which is borrowed exclusively.
                    unsafe { elements.offset(from + k * turn.source).copy_to(elements.offset(to + k * turn.target), count) };
                }
            });
        }
        // SAFETY: all offsets lie in the slice, which is borrowed exclusively, and these copies read no element that
        // they write.
        unsafe { self.transfer.steps(self.transfer.instructions, elements.cast_const(), elements) };
        Ok(())
    }
}

/// Returns the elements of a copy that move, as copies. If one loop alone decides which elements stay, these are cut out. If
/// several loops decide together, the copy stays whole. Fails as `CheckedCopy::new` does.
fn moving<T>(part: &CheckedCopy) -> Result<Vec<(Moves, CheckedCopy)>> {
    let Some(copy) = part.as_copy() else { return Ok(vec![(Moves::All, part.clone())]) };
    // An element stays if the sum of `by` over its turns is `apart`.
    let apart = i128::from(copy.target) - i128::from(copy.source);
    let by = |turn: &plan::Loop| i128::from(turn.source) - i128::from(turn.target);
    let deciding: Vec<usize> = (0..copy.loops.len()).filter(|k| by(&copy.loops[*k]) != 0).collect();
    if let [k] = deciding[..] {
        let turn = copy.loops[k];
        let stays = apart / by(&turn);
        if apart % by(&turn) == 0 && (0..i128::from(turn.count)).contains(&stays) {
            let stays = stays as i64;
            let piece = |from: i64, to: i64| {
                let mut piece = copy.clone();
                (piece.source, piece.target) = (copy.source + from * turn.source, copy.target + from * turn.target);
                piece.loops[k].count = to - from;
                CheckedCopy::new(CopyBody::Copy(piece), size_of::<T>())
            };
            let pieces = [piece(0, stays)?, if stays + 1 < turn.count { piece(stays + 1, turn.count)? } else { None }];
            return Ok(pieces.into_iter().flatten().map(|part| (Moves::All, part)).collect());
        }
    } else if !deciding.is_empty() {
        let unknowns: Vec<Unknown> = copy.loops.iter().map(|turn| Unknown { step: by(turn), lo: 0, hi: turn.count - 1 }).collect();
        // If the search does not decide whether an element stays at its offset, assume that some elements do.
        if !matches!(solve(&unknowns, apart, &mut { MOST_STEPS }), Ok(None)) {
            return Ok(vec![(Moves::Some, part.clone())]);
        }
    }
    Ok(vec![(Moves::All, part.clone())])
}

/// Checks that no element of `to` moves to an offset where an element of `from` is read. Fails with the elements. The
/// ranges of both must meet: if one of the copies is written out, this alone is an error.
fn apart(from: &CheckedCopy, to: &CheckedCopy, moves: Moves) -> Result<()> {
    let (Some(reads), Some(writes)) = (from.as_copy(), to.as_copy()) else {
        let ((first, last), (lowest, highest)) = (from.source(), to.target());
        return Err(TransferError::InPlaceTable { first: first.max(lowest), last: last.min(highest) });
    };
    let found = match moves {
        Moves::All => met(reads, writes, None),
        Moves::Some => met(reads, writes, Some(1)).and_then(|found| if found.is_some() { Ok(found) } else { met(reads, writes, Some(-1)) }),
    };
    match found {
        Ok(None) => Ok(()),
        Ok(Some(found)) => {
            let (read, written) = found.split_at(1 + reads.loops.len());
            let offset = |copy: &plan::Copy, numbers: &[i64], first: i64, step: fn(&plan::Loop) -> i64| {
                first + numbers[0] + copy.loops.iter().zip(&numbers[1..]).map(|(turn, number)| step(turn) * number).sum::<i64>()
            };
            Err(TransferError::InPlace {
                offset: offset(reads, read, reads.source, |turn| turn.source),
                from: offset(writes, written, writes.source, |turn| turn.source),
                to: offset(reads, read, reads.target, |turn| turn.target),
            })
        }
        Err(Undecided) => Err(PlanError::Undecided { steps: MOST_STEPS }.into()),
    }
}

/// Finds an element of `reads` that is read where an element of `writes` is written. Returns the turns of the loops of both,
/// contiguous elements first, or `None` without such elements. If `way` is 1 or -1, the element of `writes` must also move: it is
/// read behind (1) or before (-1) the offset where it is written. Fails if the search takes too many steps.
fn met(reads: &plan::Copy, writes: &plan::Copy, way: Option<i128>) -> core::result::Result<Option<Vec<i64>>, Undecided> {
    let turns = |copy: &plan::Copy| {
        let loops = copy.loops.iter().map(|turn| (turn.count - 1, turn.source.into(), turn.target.into()));
        core::iter::once((copy.count - 1, 1, 1)).chain(loops).collect::<Vec<(i64, i128, i128)>>()
    };
    let (read, written) = (turns(reads), turns(writes));
    let sum = i128::from(writes.target) - i128::from(reads.source);
    let Some(way) = way else {
        let read = read.iter().map(|(hi, source, _)| Unknown { step: *source, lo: 0, hi: *hi });
        let written = written.iter().map(|(hi, _, target)| Unknown { step: -target, lo: 0, hi: *hi });
        return solve(&read.chain(written).collect::<Vec<_>>(), sum, &mut { MOST_STEPS });
    };
    // The distance that the second element moves is one more unknown, at least 1, with a second equation. Both
    // equations become one, because `unit`, the factor of the first, exceeds every value of the second.
    let ahead = way * (i128::from(writes.source) - i128::from(writes.target));
    let far = |number: &(i64, i128, i128)| way * i128::from(number.0) * (number.1 - number.2);
    let [least, most] = [i128::min, i128::max].map(|of| written.iter().map(far).map(|far| of(far, 0)).sum::<i128>() + ahead);
    if most < 1 {
        return Ok(None);
    }
    let (more, unit) = (i64::try_from(most).map_err(|_| Undecided)?, most - least.min(0) + most + 1);
    let read = read.iter().map(|(hi, source, _)| Unknown { step: unit * source, lo: 0, hi: *hi });
    let moved = written.iter().map(|(hi, source, target)| Unknown { step: way * (source - target) - unit * target, lo: 0, hi: *hi });
    let unknowns: Vec<Unknown> = read.chain(moved).chain([Unknown { step: -1, lo: 1, hi: more }]).collect();
    Ok(solve(&unknowns, unit * sum - ahead, &mut { MOST_STEPS })?.map(|mut found| {
        found.pop();
        found
    }))
}
