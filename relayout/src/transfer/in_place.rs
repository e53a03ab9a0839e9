//! Transfers within one storage.

use super::part::Part;
use super::{Result, Transfer, TransferError};
use crate::plan::solve::{Unknown, solve};
use crate::plan::{self, PlanError};
use alloc::vec::Vec;
use layout_core::PlainData;

/// A [`Transfer`] of which source and target may lie in one slice: no element that it writes is another that it reads.
///
/// ```
/// use relayout::{Side, Transfer};
/// // The left half of each row to the right half.
/// let halves = Transfer::new(&Side::parse("(2,3):(1,4)")?, &Side::parse("(2,3):(1,4)")?.with_base(&[2]))?.in_place()?;
/// let mut rows = [1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0];
/// halves.run(&mut rows)?;
/// assert_eq!(rows, [1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6]);
///
/// let transpose = Transfer::<u8>::new(&Side::parse("(2,3):(1,2)")?, &Side::parse("(2,3):(3,1)")?)?;
/// assert!(transpose.in_place().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct InPlace<T> {
    transfer: Transfer<T>,
}

impl<T: Copy> Transfer<T> {
    /// The transfer with the proof that it may run in one slice. Elements that stay where they are are left out.
    ///
    /// Fails where an element is written whose old value another one needs. Parts that are swizzled are told apart by their ranges alone.
    pub fn in_place(&self) -> Result<InPlace<T>> {
        let parts: Vec<Part> = self.parts.iter().filter(|part| !part.is_identity()).cloned().collect();
        for from in &parts {
            for to in &parts {
                apart(from, to)?;
            }
        }
        let mut transfer = Transfer::of_parts(parts)?.with_level(self.level);
        // Both sides have to fit, elements that stay too.
        (transfer.source, transfer.target) = (self.source, self.target);
        Ok(InPlace { transfer })
    }
}

impl<T: PlainData> InPlace<T> {
    /// Moves elements within `elements`.
    ///
    /// Fails where a layout has an offset outside of them.
    pub fn run(&self, elements: &mut [T]) -> Result<()> {
        self.transfer.check(elements.len(), elements.len())?;
        let elements = elements.as_mut_ptr();
        // SAFETY: all offsets lie in the slice, which is borrowed exclusively, and none is read and written.
        unsafe { self.transfer.steps(self.transfer.level, elements.cast_const(), elements) };
        Ok(())
    }
}

/// No element that `from` reads is one that `to` writes.
fn apart(from: &Part, to: &Part) -> Result<()> {
    let ((first, last), (lowest, highest)) = (from.source(), to.target());
    if last < lowest || highest < first {
        return Ok(());
    }
    let (Some(reads), Some(writes)) = (from.as_copy(), to.as_copy()) else {
        return Err(TransferError::InPlace { offset: first.max(lowest) });
    };
    let side = |copy: &plan::Copy, step: fn(&plan::Loop) -> i64, sign: i64| {
        let unit = Unknown { step: sign, lo: 0, hi: copy.count - 1 };
        let loops = copy.loops.iter().map(move |turn| Unknown { step: sign * step(turn), lo: 0, hi: turn.count - 1 });
        core::iter::once(unit).chain(loops).collect::<Vec<_>>()
    };
    let mut unknowns = side(reads, |turn| turn.source, 1);
    let own = unknowns.len();
    unknowns.extend(side(writes, |turn| turn.target, -1));
    match solve(&unknowns, writes.target - reads.source) {
        Ok(None) => Ok(()),
        Ok(Some(found)) => {
            let offset = unknowns[..own].iter().zip(found).map(|(unknown, value)| unknown.step * value).sum::<i64>();
            Err(TransferError::InPlace { offset: reads.source + offset })
        }
        Err(_) => Err(PlanError::Undecided { steps: plan::solve::MOST_STEPS }.into()),
    }
}
