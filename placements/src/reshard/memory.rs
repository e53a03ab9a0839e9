//! Moves within the memory of one process.

use super::Reshard;
use crate::error::{PlacementError, Result};
use alloc::vec::Vec;

impl Reshard {
    /// Runs the move in one memory: `sources[d]` and `targets[d]` are the parts of device `d`, row-major.
    ///
    /// `combine` joins a result with the next summand, in ascending order of the summands. For a mean, add the summands, and
    /// divide the results by [`Placement::summands`](crate::Placement::summands) afterwards.
    ///
    /// # Errors
    /// Fails as [`transfers`](Self::transfers) does, and if a list has another number of elements than its part.
    ///
    /// ```
    /// use placements::{Mesh, Placement, ReduceOp, Reshard, Rule};
    /// let all = Placement::new(&Mesh::new([("x", 2)])?, &[4])?;
    /// let scatter = Reshard::new(&all.clone().partial("x", ReduceOp::Sum)?, &all.split(0, "x", Rule::Even)?)?;
    /// let (mut low, mut high) = ([0; 2], [0; 2]);
    /// scatter.run(&[&[1, 2, 3, 4], &[10, 20, 30, 40]], &mut [&mut low, &mut high], |sum, next| sum + next)?;
    /// assert_eq!((low, high), ([11, 22], [33, 44]));
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn run<T: Copy>(&self, sources: &[&[T]], targets: &mut [&mut [T]], combine: impl Fn(T, T) -> T) -> Result<()> {
        let (from, to) = (self.source(), self.target());
        check(from.mesh().devices(), &sources.iter().map(|list| list.len()).collect::<Vec<_>>(), |device| from.elements(device))?;
        let part = |device: usize| match self.parts.get(device) {
            Some(None) => Ok(0),
            _ => to.elements(self.part(device)?),
        };
        check(self.parts.len(), &targets.iter().map(|list| list.len()).collect::<Vec<_>>(), part)?;
        for transfer in &self.transfers()? {
            let copy = self.copy(transfer)?;
            let (source, target) = (sources[transfer.from], &mut targets[transfer.to]);
            for (from, to) in copy.offsets() {
                for k in 0..copy.count {
                    let (value, result) = (source[(from + k) as usize], &mut target[(to + k) as usize]);
                    *result = if transfer.summand == 0 { value } else { combine(*result, value) };
                }
            }
        }
        Ok(())
    }
}

/// Fails unless there is a list for each device, with the number of elements of its part.
fn check(devices: usize, lengths: &[usize], elements: impl Fn(usize) -> Result<i64>) -> Result<()> {
    for device in 0..devices.max(lengths.len()) {
        let (found, expected) = (lengths.get(device).copied().unwrap_or(0), elements(device)?);
        if found as i64 != expected {
            return Err(PlacementError::Memory { device, found, expected });
        }
    }
    Ok(())
}
