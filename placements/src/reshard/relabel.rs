//! Devices that exchange their parts of the target, so that less moves.

use super::Reshard;
use crate::error::{LimitedItem, Result, at_most};
use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;

/// The maximum number of devices of a move that is relabelled.
const MAX_RELABELLED: usize = 1 << 10;

impl Reshard {
    /// Returns the move in which devices take other parts of the target, such that the fewest elements move.
    ///
    /// `takers()[p]` is the device that takes part `p`. It is one of the devices of both meshes. If several
    /// assignments are equal, the result gives the most devices the parts of their own numbers. The Hungarian method finds it in `O(n^3)`.
    ///
    /// # Errors
    /// Fails for more than 1024 devices, which take some seconds.
    ///
    /// ```
    /// use placements::{Mesh, Placement, Reshard, Rule};
    /// // Ranks are numbered in another order: every part is on one device already.
    /// let from = Placement::new(&Mesh::new([("tp", 2), ("pp", 2)])?, &[8])?.split(0, "tp", Rule::Even)?.split(0, "pp", Rule::Even)?;
    /// let to = Placement::new(&Mesh::new([("pp", 2), ("tp", 2)])?, &[8])?.split(0, "tp", Rule::Even)?.split(0, "pp", Rule::Even)?;
    /// let plan = Reshard::new(&from, &to)?;
    /// assert_eq!(plan.moved(), 4);
    /// let plan = plan.relabelled()?;
    /// assert_eq!((plan.moved(), plan.takers()), (0, &[0, 2, 1, 3][..]));
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn relabelled(self) -> Result<Reshard> {
        let parts = self.to.mesh().devices();
        let devices = parts.max(self.from.mesh().devices());
        at_most(LimitedItem::Devices, devices, MAX_RELABELLED)?;
        let targets: alloc::vec::Vec<_> = (0..parts).map(|part| self.to.cell(part).0).collect();
        let weights = Matrix::from_fn(parts, devices, |(part, device)| {
            // The numbers of devices decide among equal sums.
            i128::from(self.own_elements(device, &targets[part])) * (parts as i128 + 1) + i128::from(part == device)
        });
        let takers = kuhn_munkres(&weights).1;
        Ok(self.with_takers(takers))
    }
}
