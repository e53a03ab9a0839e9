//! Placements as sides of relayout's plans.

use crate::error::{LimitedItem, PlacementError, Result, at_most};
use crate::placement::Placement;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use relayout::{Piece, Side};

/// The maximum number of boxes of a side.
const MOST_BOXES: usize = 1 << 14;

impl Placement {
    /// Returns the placement as a side of a plan: one piece for each box of each device, in place `device`.
    ///
    /// A device stores its part row-major. Several devices may have one element, so plans to such a side need
    /// [`Planner::overlapping`](relayout::Planner::overlapping).
    ///
    /// # Errors
    /// Fails if there are partial results (see [`side_of`](Self::side_of)), and for more than 16384 boxes in all.
    ///
    /// ```
    /// use placements::{Mesh, Placement, Rule};
    /// use relayout::Planner;
    /// // DeepSpeed's vocabulary of 50257 rows, from 4 ranks to 8.
    /// let rows = |ranks| Placement::new(&Mesh::new([("tp", ranks)])?, &[50257, 1024])?.split(0, "tp", Rule::Chunk);
    /// let plan = Planner::new().extent(&[50257, 1024]).plan(&rows(4)?.side()?, &rows(8)?.side()?)?;
    /// assert_eq!(plan.messages().len(), 11);
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn side(&self) -> Result<Side> {
        match self.partial_axes().next() {
            Some(axis) => Err(PlacementError::Summands { axis: axis.to_string(), summands: self.summands() }),
            None => self.side_of(0),
        }
    }

    /// Returns the devices that have one of the summands of each element as a side of a plan, as [`side`](Self::side) does.
    ///
    /// # Errors
    /// Fails for more than 16384 boxes in all.
    ///
    /// ```
    /// use placements::{Mesh, Placement, ReduceOp};
    /// use relayout::Place;
    /// let sum = Placement::new(&Mesh::new([("x", 2)])?, &[3])?.partial("x", ReduceOp::Sum)?;
    /// assert_eq!(sum.side_of(1)?.spots(&[3], &[2])?, [(Place::from(1), 2)]);
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn side_of(&self, summand: usize) -> Result<Side> {
        let mut pieces = vec![];
        for device in 0..self.mesh().devices() {
            if self.cell(device).1 == summand {
                self.pieces(device, &mut pieces)?;
            }
        }
        Ok(Side::pieces(pieces))
    }

    /// Adds the boxes of a device to `pieces`.
    fn pieces(&self, device: usize, pieces: &mut Vec<Piece>) -> Result<()> {
        let ranges = self.ranges(device)?;
        let boxes = ranges.iter().fold(1_usize, |count, list| count.saturating_mul(list.len()));
        at_most(LimitedItem::Boxes, boxes.saturating_add(pieces.len()), MOST_BOXES)?;
        let mut step = 1;
        let mut strides: Vec<i64> = vec![];
        for extent in self.local_shape(device)?.iter().rev() {
            strides.insert(0, step);
            step *= *extent;
        }
        // A corner, the extents, and the offset of the corner.
        let mut boxes: Vec<(Vec<i64>, Vec<i64>, i64)> = vec![(vec![], vec![], 0)];
        for (list, stride) in ranges.iter().zip(&strides) {
            let mut local = 0;
            let mut longer = vec![];
            for [lo, hi] in list {
                let with = |all: &[i64], one: i64| [all, &[one]].concat();
                longer.extend(boxes.iter().map(|(at, extent, offset)| (with(at, *lo), with(extent, hi - lo), offset + local * stride)));
                local += hi - lo;
            }
            boxes = longer;
        }
        for (at, extent, offset) in boxes {
            let list = |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join(",");
            let shape = list(&mut extent.iter().map(|extent| extent.to_string()));
            let steps = list(&mut strides.iter().map(|stride| format!("{stride}@0")));
            pieces.push(Piece::new(&format!("({shape}):({steps})"), &at, &extent)?.with_base(&[offset, device as i64]));
        }
        Ok(())
    }
}
