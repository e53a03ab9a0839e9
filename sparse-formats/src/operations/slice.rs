//! Slices of tensors: what a caller selects, and the way for any format. `descend` has the faster way for sorted levels, and
//! `slice_rows` that for compressed rows.

use super::descend::{AxisSlice, SlicedPattern, part};
use super::slice_rows::sliced_rows;
use crate::attributes::Change;
use crate::kernels::Value;
use crate::shape::pick;
use crate::tensor::InputFacts;
use crate::{Builder, Indices, OperationError, SparseError, SparseTensor, Values};
use alloc::vec::Vec;
use array_kernels::memory::room;
use core::ops::{Range, RangeFull};

/// The coordinates of an axis that a slice selects.
///
/// ```
/// use sparse_formats::{AxisSelection, Builder, Format, Indices};
/// assert_eq!(AxisSelection::from(2..5), AxisSelection::Range { start: 2, end: 5, step: 1 });
/// let columns: [Indices; 3] = [vec![0u8, 1].into(), vec![2u8, 0].into(), vec![3u8, 2].into()];
/// let a = Builder::new(Format::csf(3), 0).build(&[2, 3, 4], &columns, vec![5, 6])?;
/// let b = a.slice(&[1.into(), (..).into(), (2..4).into()])?;
/// assert_eq!((b.shape(), b.at(&[0, 0])), (&[3, 2][..], Some(&6)));
/// let error = a.slice(&[2.into(), (..).into(), (..).into()]).unwrap_err();
/// assert_eq!(error.to_string(), "axis 0: the slice 2..3 in steps of 1 exceeds the extent 2, or its step is 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AxisSelection {
    /// All coordinates.
    All,
    /// One coordinate. The axis is dropped.
    Index(u64),
    /// The coordinates `start, start + step, ...` below `end`.
    Range {
        /// The first coordinate.
        start: u64,
        /// The end of the coordinates, exclusive.
        end: u64,
        /// The step, at least 1.
        step: u64,
    },
}

impl From<u64> for AxisSelection {
    fn from(index: u64) -> AxisSelection {
        AxisSelection::Index(index)
    }
}

impl From<Range<u64>> for AxisSelection {
    fn from(range: Range<u64>) -> AxisSelection {
        AxisSelection::Range { start: range.start, end: range.end, step: 1 }
    }
}

impl From<RangeFull> for AxisSelection {
    fn from(_: RangeFull) -> AxisSelection {
        AxisSelection::All
    }
}

/// Converts the selections `slices` to the coordinates of each axis. Fails unless there is one selection per axis, or if a
/// selection exceeds its extent, ends before its start, or has the step 0.
pub(crate) fn taken(shape: &[u64], slices: &[AxisSelection]) -> Result<Vec<AxisSlice>, OperationError> {
    if slices.len() != shape.len() {
        return Err(OperationError::Rank { found: slices.len(), expected: shape.len() });
    }
    let of = |(axis, (slice, extent)): (usize, (&AxisSelection, &u64))| {
        let (start, end, step, stays) = match *slice {
            AxisSelection::All => (0, *extent, 1, true),
            AxisSelection::Index(index) => (index, index.saturating_add(1), 1, false),
            AxisSelection::Range { start, end, step } => (start, end, step, true),
        };
        if start > end || end > *extent || step == 0 {
            return Err(OperationError::Slice { axis, start, end, step, extent: *extent });
        }
        Ok(AxisSlice { start, step, count: (end - start).div_ceil(step), stays })
    };
    slices.iter().zip(shape).enumerate().map(of).collect()
}

/// Returns the axes that the slice keeps, and for each its new extent.
pub(crate) fn staying(taken: &[AxisSlice]) -> (Vec<usize>, Vec<u64>) {
    taken.iter().enumerate().filter(|(_, taken)| taken.stays).map(|(axis, taken)| (axis, taken.count)).unzip()
}

impl<V: Value> SparseTensor<'_, V> {
    /// Takes a slice of each axis. Axes with an [`AxisSelection::Index`] are dropped.
    ///
    /// The levels of the axes that stay keep their kinds, but the last becomes `S` unless the tensor is a
    /// multigraph. In a multigraph, all elements or blocks of one coordinate stay.
    ///
    /// Fails unless each axis gets one selection that fits it, or if memory has no room. Fails if one triangle stands for
    /// both, unless all axes get the same range. If no axis with a level stays, fails if more than one element does.
    ///
    /// ```
    /// use sparse_formats::{AxisSelection, Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 3].into()];
    /// let a = Builder::new(Format::csr(), 0).build(&[2, 4], &columns, vec![5, 6, 7])?;
    /// let row = a.slice(&[AxisSelection::Index(1), (0..4).into()])?;
    /// assert_eq!((row.shape(), row.at(&[3])), (&[4][..], Some(&7)));
    /// let odd = a.slice(&[AxisSelection::All, AxisSelection::Range { start: 1, end: 4, step: 2 }])?;
    /// assert_eq!((odd.shape(), odd.stored(), odd.at(&[1, 1])), (&[2, 2][..], 1, Some(&7)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slice(&self, slices: &[AxisSelection]) -> Result<SparseTensor<'static, V>, OperationError> {
        let taken = taken(self.shape(), slices)?;
        let principal = taken.windows(2).all(|pair| pair[0] == pair[1]) && taken.iter().all(|taken| taken.stays);
        let attributes = self.attributes().after(Change::Slice { principal })?;
        if let Some(sliced) = self.sliced(&taken)? {
            return Ok(sliced.with_believed(attributes));
        }
        // Slice the blocks over dense axes one by one, also those with equal coordinates.
        let (format, columns) = (self.format(), self.pattern().coordinates()?);
        let mut levels = format.axis_order()[..format.levels()].to_vec();
        levels.sort_unstable();
        let columns = || levels.iter().map(|axis| taken[*axis]).zip(&columns);
        let mut kept: Vec<usize> = room(self.stored()).ok_or(SparseError::Memory { elements: self.stored() })?;
        kept.extend(0..self.stored());
        for (taken, column) in columns() {
            kept.retain(|k| column.get(*k).is_some_and(|c| taken.place(c).is_some()));
        }
        let parts = columns()
            .filter(|(taken, _)| taken.stays)
            .map(|(taken, column)| Indices::narrowest(&kept.iter().filter_map(|k| taken.place(column.get(*k)?)).collect::<Vec<_>>()));
        let parts: Vec<Indices> = parts.collect();
        if let ([], [first, second, ..]) = (&parts[..], &kept[..]) {
            // Without levels, the elements have equal coordinates.
            return Err(SparseError::Repeated { at: (*first, *second), found: Vec::new() }.into());
        }
        let (axes, counts) = staying(&taken);
        let builder = Builder::new(format.of_axes(&axes, format.is_multigraph())?, self.fill().clone());
        let known = InputFacts { elements: Some(kept.len()), in_range: true, ..InputFacts::default() };
        Ok(builder.build_known(&counts, &parts, self.blocks(&kept, &taken)?, known)?.with_believed(attributes))
    }

    /// Returns the values of the elements `kept`. For blocks, returns only the slice of the dense axes.
    fn blocks(&self, kept: &[usize], taken: &[AxisSlice]) -> Result<Values<'static, V>, SparseError> {
        self.values().with_each(|values| {
            if kept.is_empty() {
                // If extents exceed memory, there are no blocks.
                return Ok(Vec::new());
            }
            let mut places = alloc::vec![0];
            for axis in &self.format().axis_order()[self.format().levels()..] {
                let (taken, extent) = (taken[*axis], self.shape()[*axis] as usize);
                places = places.iter().flat_map(|place| (0..taken.count).map(move |k| place * extent + taken.at(k) as usize)).collect();
            }
            let block = self.pattern().block();
            let mut out = kept.len().checked_mul(places.len()).and_then(room).ok_or(SparseError::Memory { elements: kept.len() })?;
            kept.iter().for_each(|number| out.extend(places.iter().map(|place| values[number * block + place].clone())));
            Ok(out)
        })
    }

    /// Slices level by level and skips entries outside the slice. Returns `None` unless levels are sorted, dense
    /// axes stay whole, and an axis with a level stays. Fails if memory has no room.
    fn sliced(&self, taken: &[AxisSlice]) -> Result<Option<SparseTensor<'static, V>>, OperationError> {
        let (format, pattern) = (self.format(), self.pattern());
        let (levels, dense) = format.axis_order().split_at(format.levels());
        let whole = |axis: &usize| taken[*axis] == AxisSlice::all(self.shape()[*axis]);
        if !pattern.is_sorted() || !dense.iter().all(whole) || !levels.iter().any(|axis| taken[*axis].stays) {
            return Ok(None);
        }
        let (axes, counts) = staying(taken);
        let to = format.of_axes(&axes, false)?;
        if let [rows, columns] = pick(taken, levels)[..]
            && let Some(sliced) = sliced_rows(self, [rows, columns], &counts, &to)
        {
            return Ok(Some(sliced?));
        }
        let SlicedPattern { pattern: sliced, elements } = part(pattern, &pick(taken, levels), false, &counts, &to)?;
        let values = self.values().gather(elements, sliced.stored(), pattern.block())?;
        Ok(Some(SparseTensor::new(sliced, values, self.fill().clone()).map_err(|rejected| rejected.error)?))
    }
}
