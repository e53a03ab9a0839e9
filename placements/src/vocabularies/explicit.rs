//! Explicit ranges.

use super::refuse;
use crate::error::{LimitedItem, PlacementError, Result, at_most};
use crate::mesh::{MAX_DEVICES, Mesh};
use crate::placement::Placement;
use crate::rule::Rule;
use alloc::format;

impl Placement {
    /// Splits tensor axis `dim` into explicit ranges `[start, stop]`, one for each device, on a mesh with the axis `device`.
    ///
    /// # Errors
    /// Fails unless the ranges follow one another from 0 to the extent of the axis, and as [`Placement::new`] does.
    ///
    /// ```
    /// use placements::Placement;
    /// let rows = Placement::from_ranges(&[10, 4], 0, &[[0, 3], [3, 3], [3, 10]])?;
    /// assert_eq!(rows.local_shape(2)?, [7, 4]);
    /// let error = Placement::from_ranges(&[10, 4], 0, &[[0, 3], [4, 10]]).unwrap_err();
    /// assert_eq!(error.to_string(), "ranges: `start` is 4, but device 1 continues at 3");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn from_ranges(shape: &[i64], dim: usize, ranges: &[[i64; 2]]) -> Result<Placement> {
        at_most(LimitedItem::Devices, ranges.len(), MAX_DEVICES)?;
        let Some(extent) = shape.get(dim) else { return Err(PlacementError::Dim { dim: dim as i64, rank: shape.len() }) };
        let mut next = 0;
        for (device, [start, stop]) in ranges.iter().enumerate() {
            if *start != next {
                return refuse("ranges", "start", *start, format!("device {device} continues at {next}"));
            }
            if stop < start || stop > extent {
                return refuse("ranges", "stop", *stop, format!("device {device} begins at {start} and the axis ends at {extent}"));
            }
            next = *stop;
        }
        if next != *extent {
            return refuse("ranges", "stop", next, format!("the axis ends at {extent}"));
        }
        let mesh = Mesh::new([("device", ranges.len() as i64)])?;
        Placement::new(&mesh, shape)?.split(dim, "device", Rule::Cuts(ranges[1..].iter().map(|range| range[0]).collect()))
    }
}
