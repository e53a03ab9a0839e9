//! Moves in two steps: combine shards of partial results, then spread them.

use super::Reshard;
use crate::error::Result;
use crate::placement::Placement;
use crate::rule::Rule;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

impl Placement {
    /// Returns the placement after a reduce-scatter: the devices along the mesh axes with partial results have chunks of tensor axis
    /// `dim` instead of summands.
    ///
    /// # Errors
    /// Fails as [`Placement::split`] does.
    ///
    /// ```
    /// use placements::{Mesh, Placement, ReduceOp};
    /// let sum = Placement::new(&Mesh::new([("x", 4)])?, &[10, 3])?.partial("x", ReduceOp::Sum)?;
    /// assert_eq!(sum.scattered(0)?.to_string(), "[10, 3] on x=4: axis 0 by x (chunk)");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn scattered(&self, dim: usize) -> Result<Placement> {
        let axes: Vec<String> = self.partial_axes().map(String::from).collect();
        axes.iter().try_fold(self.without_partial(), |placement, axis| placement.split(dim, axis, Rule::Chunk))
    }
}

impl Reshard {
    /// Returns the moves that bring a tensor from one placement to another, in order: one, or a reduce-scatter and the move of its
    /// result where these two move fewer elements. An all-reduce is such a pair.
    ///
    /// # Errors
    /// Fails as [`Reshard::new`] does for the direct move. Scatters that fail are left out.
    ///
    /// ```
    /// use placements::{Mesh, Placement, ReduceOp, Reshard};
    /// // An all-reduce over 4 devices. Directly, each device reads 3 summands of all elements.
    /// let all = Placement::new(&Mesh::new([("x", 4)])?, &[8])?;
    /// let sum = all.clone().partial("x", ReduceOp::Sum)?;
    /// assert_eq!(Reshard::new(&sum, &all)?.moved(), 4 * 3 * 8);
    /// let steps: Vec<_> = Reshard::steps(&sum, &all)?.iter().map(Reshard::moved).collect();
    /// assert_eq!(steps, [3 * 8, 3 * 8]);
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn steps(from: &Placement, to: &Placement) -> Result<Vec<Reshard>> {
        let direct = Reshard::new(from, to)?;
        let (mut least, mut steps) = (direct.moved(), vec![direct]);
        if from.summands() == 1 {
            return Ok(steps);
        }
        for dim in 0..from.shape().len() {
            let pair = from.scattered(dim).and_then(|between| Ok([Reshard::new(from, &between)?, Reshard::new(&between, to)?]));
            let Ok(pair) = pair else { continue };
            let moved = pair[0].moved().saturating_add(pair[1].moved());
            if moved < least {
                (least, steps) = (moved, pair.into());
            }
        }
        Ok(steps)
    }
}
