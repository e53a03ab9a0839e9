//! One transfer, and transfers as messages of relayout.

use super::{Reshard, elements};
use crate::error::{PlacementError, Result};
use crate::overlay::IndexRun;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use relayout::{Copy, Loop, Message, Place};

/// Elements that one device gets from another one, or from itself: the product of a run of indices for each tensor axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceTransfer {
    /// The device that has the elements.
    pub from: usize,
    /// The device that gets the elements.
    pub to: usize,
    /// The number of the summand that the elements are: 0 if there are no partial results.
    pub summand: usize,
    /// The indices on each tensor axis.
    pub runs: Vec<IndexRun>,
}

impl DeviceTransfer {
    /// Returns the number of elements.
    pub fn elements(&self) -> i64 {
        elements(&self.runs)
    }

    /// Tests whether the elements stay on their device.
    pub fn is_local(&self) -> bool {
        self.from == self.to
    }
}

impl Reshard {
    /// Returns the number of the part of the target that a device takes. Fails if it takes none.
    pub(crate) fn part(&self, device: usize) -> Result<usize> {
        let part = self.parts.get(device).copied().flatten();
        part.ok_or(PlacementError::Device { device, devices: self.parts.len() })
    }

    /// Returns a transfer of this move as a copy between the memories of two devices. Each stores its part row-major.
    ///
    /// # Errors
    /// Fails if a device of the transfer is not in its mesh.
    ///
    /// ```
    /// use placements::{Mesh, Placement, Reshard, Rule};
    /// let all = Placement::new(&Mesh::new([("x", 2)])?, &[4, 6])?;
    /// let plan = Reshard::new(&all.clone().split(0, "x", Rule::Even)?, &all.split(1, "x", Rule::Even)?)?;
    /// // Columns 3 to 5 of two rows.
    /// assert_eq!(plan.copy(&plan.transfers()?[2])?.to_string(), "3 from 3 to 0, 2 times (+6 -> +3)");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn copy(&self, transfer: &DeviceTransfer) -> Result<Copy> {
        let (from, to) = (self.source().local_shape(transfer.from)?, self.target().local_shape(self.part(transfer.to)?)?);
        let mut copy = Copy { source: 0, target: 0, count: 1, loops: vec![] };
        let (mut source, mut target) = (1, 1);
        // The fastest loop comes first. A loop that continues the one before it joins it.
        for ((run, from), to) in transfer.runs.iter().zip(from).zip(to).rev() {
            copy.source += run.source * source;
            copy.target += run.target * target;
            let inside = Loop { count: run.len, source, target };
            let blocks = Loop { count: run.count, source: run.source_step * source, target: run.target_step * target };
            for turn in [inside, blocks].into_iter().filter(|turn| turn.count > 1) {
                let last = copy.loops.last_mut();
                match last.filter(|last| (turn.source, turn.target) == (last.count * last.source, last.count * last.target)) {
                    Some(last) => last.count *= turn.count,
                    None => copy.loops.push(turn),
                }
            }
            (source, target) = (source * from, target * to);
        }
        if let Some(first) = copy.loops.first().filter(|first| (first.source, first.target) == (1, 1)) {
            copy.count = first.count;
            copy.loops.remove(0);
        }
        Ok(copy)
    }

    /// Returns the transfers as messages of relayout: a list for each summand, by source device and target device, which are the
    /// places. A source without partial results has one summand.
    ///
    /// # Errors
    /// Fails as [`transfers`](Self::transfers) does.
    ///
    /// ```
    /// use placements::{Mesh, Placement, Reshard, Rule};
    /// let all = Placement::new(&Mesh::new([("x", 2)])?, &[4])?;
    /// let gather = Reshard::new(&all.clone().split(0, "x", Rule::Even)?, &all)?;
    /// let messages = &gather.messages()?[0];
    /// assert_eq!((messages.len(), messages[1].elements()), (4, 2));
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn messages(&self) -> Result<Vec<Vec<Message>>> {
        let mut summands = vec![BTreeMap::<(usize, usize), Vec<Copy>>::new(); self.source().summands()];
        for transfer in &self.transfers()? {
            summands[transfer.summand].entry((transfer.from, transfer.to)).or_default().push(self.copy(transfer)?);
        }
        let message = |((from, to), mut copies): ((usize, usize), Vec<Copy>)| {
            copies.sort_unstable_by_key(|copy| copy.target);
            Message { from: Place::from(from as i64), to: Place::from(to as i64), copies }
        };
        Ok(summands.into_iter().map(|messages| messages.into_iter().map(message).collect()).collect())
    }
}
