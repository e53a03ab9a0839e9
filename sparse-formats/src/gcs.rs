//! Groups of axes as one axis each: the reduction of `N` coordinates to `M`, and their promotion.

use crate::kernels::{below, linear};
use crate::shape::pick;
use crate::{FormatError, Indices, OperationError, SparseError, Width, with_indices};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::parallel;
use array_kernels::with_width;
use core::ops::Range;
use layout_core::layouts::DynCoord;
use layout_core::number::FastDiv64;
use layout_core::{DynLayout, LayoutError};
use layout_levels::Index;

/// The axes of a tensor, in any order, in groups; each group is one axis, its last the fastest.
///
/// `reduced[g] = sum of dense[axis] * stride[axis]` over the axes of group `g`: what a row-major layout of the group computes.
///
/// ```
/// use sparse_formats::Gcs;
/// let gcs = Gcs::new(&[2, 3, 4, 5], &[0, 1, 2, 3], &[2])?;
/// assert_eq!(gcs.group_shape(), [6, 20]);
/// assert_eq!(gcs.reduce(&[1, 2, 3, 4])?, [5, 19]);
/// assert_eq!(gcs.promote(&[5, 19])?, [1, 2, 3, 4]);
/// assert_eq!(gcs.promote(&[6, 0]).unwrap_err().to_string(), "group 0: coordinate 6 is beyond its size 6");
/// # Ok::<(), sparse_formats::OperationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gcs {
    shape: Vec<u64>,
    order: Vec<usize>,
    /// Where each group ends in the order.
    ends: Vec<usize>,
    /// The stride of each axis in its group, in the order.
    strides: Vec<u64>,
    /// The size of each group.
    sizes: Vec<u64>,
}

impl Gcs {
    /// The axes in this order, cut before the places that `splits` names: one more group than splits, which may be empty.
    ///
    /// Fails unless `axis_order` is a permutation of the axes, `splits` do not decrease, and the size of each group fits 64 bits.
    pub fn new(shape: &[u64], axis_order: &[usize], splits: &[usize]) -> Result<Gcs, FormatError> {
        let rank = shape.len();
        let mut seen = vec![false; rank];
        let fresh = |axis: &usize| seen.get_mut(*axis).is_some_and(|seen| !core::mem::replace(seen, true));
        if axis_order.len() != rank || !axis_order.iter().all(fresh) {
            return Err(FormatError::GroupAxes { axes: axis_order.to_vec(), rank });
        }
        if !splits.is_sorted() || splits.last().is_some_and(|last| *last > rank) {
            return Err(FormatError::Splits { splits: splits.to_vec(), rank });
        }
        let ends: Vec<usize> = splits.iter().copied().chain([rank]).collect();
        let (mut strides, mut sizes) = (vec![0; rank], Vec::with_capacity(ends.len()));
        let mut start = 0;
        for (group, end) in ends.iter().enumerate() {
            let extents = || axis_order[start..*end].iter().map(|axis| shape[*axis]);
            // A group without elements has no coordinates whose strides could matter.
            let empty = extents().any(|extent| extent == 0);
            let mut size = 1u64;
            for (stride, extent) in strides[start..*end].iter_mut().zip(extents()).rev() {
                *stride = size;
                let next = if empty { Some(0) } else { size.checked_mul(extent) };
                size = next.ok_or_else(|| FormatError::GroupSize { group, extents: extents().collect() })?;
            }
            sizes.push(size);
            start = *end;
        }
        Ok(Gcs { shape: shape.to_vec(), order: axis_order.to_vec(), ends, strides, sizes })
    }

    /// The extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The axes, group after group.
    pub fn axis_order(&self) -> &[usize] {
        &self.order
    }

    /// The sizes of the groups.
    pub fn group_shape(&self) -> &[u64] {
        &self.sizes
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.ends.len()
    }

    fn places(&self, group: usize) -> Range<usize> {
        group.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[group]
    }

    /// The axes of a group.
    pub fn axes(&self, group: usize) -> &[usize] {
        &self.order[self.places(group)]
    }

    /// The strides of the axes of a group.
    pub fn strides(&self, group: usize) -> &[u64] {
        &self.strides[self.places(group)]
    }

    /// The layout that computes a group's coordinate of those of its axes.
    ///
    /// Fails where the group has more axes than a layout has leaves, or its size is beyond 63 bits.
    ///
    /// ```
    /// use sparse_formats::Gcs;
    /// let gcs = Gcs::new(&[2, 3, 4, 5], &[0, 1, 2, 3], &[2])?;
    /// assert_eq!(gcs.layout(1)?.to_string(), "(4,5):(5,1)");
    /// assert_eq!(gcs.layout(1)?.index(&[3, 4]), Some(19));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout(&self, group: usize) -> Result<DynLayout<16>, LayoutError> {
        let signed = |numbers: &mut dyn Iterator<Item = u64>| {
            // Beyond 63 bits every size is refused alike.
            DynCoord::flat(&numbers.map(|number| i64::try_from(number).unwrap_or(i64::MAX)).collect::<Vec<_>>())
        };
        let extents = signed(&mut self.axes(group).iter().map(|axis| self.shape[*axis]))?;
        DynLayout::new(&extents, &signed(&mut self.strides(group).iter().copied())?)
    }

    /// The coordinates in the groups of those in the axes.
    ///
    /// Fails with the first axis whose coordinate is out of range.
    pub fn reduce(&self, dense: &[u64]) -> Result<Vec<u64>, OperationError> {
        if dense.len() != self.shape.len() {
            return Err(OperationError::Coordinates { found: dense.len(), expected: self.shape.len() });
        }
        let beyond = dense.iter().zip(&self.shape).position(|(coordinate, extent)| coordinate >= extent);
        if let Some(axis) = beyond {
            return Err(OperationError::Range { axis, at: None, coordinate: dense[axis], extent: self.shape[axis] });
        }
        let reduced = |group| self.axes(group).iter().zip(self.strides(group)).map(|(axis, stride)| dense[*axis] * stride).sum();
        Ok((0..self.groups()).map(reduced).collect())
    }

    /// The coordinates in the axes of those in the groups.
    ///
    /// Fails with the first group whose coordinate is out of range.
    pub fn promote(&self, reduced: &[u64]) -> Result<Vec<u64>, OperationError> {
        if reduced.len() != self.groups() {
            return Err(OperationError::Coordinates { found: reduced.len(), expected: self.groups() });
        }
        let beyond = reduced.iter().zip(&self.sizes).position(|(coordinate, size)| coordinate >= size);
        if let Some(group) = beyond {
            return Err(OperationError::GroupRange { group, at: None, coordinate: reduced[group], size: self.sizes[group] });
        }
        let mut dense = vec![0; self.shape.len()];
        for (group, coordinate) in reduced.iter().enumerate() {
            let mut rest = *coordinate;
            for (axis, stride) in self.axes(group).iter().zip(self.strides(group)) {
                // Strides are products of later extents: none is 0 where a coordinate is in range.
                (dense[*axis], rest) = (rest / stride, rest % stride);
            }
        }
        Ok(dense)
    }

    /// [`Gcs::reduce`] of many coordinates: an array for each axis becomes one for each group, as narrow as can be.
    pub fn reduce_columns(&self, dense: &[Indices]) -> Result<Vec<Indices<'static>>, OperationError> {
        let length = lengths(dense, self.shape.len())?;
        let group = |group: usize| {
            let columns: Vec<Indices> = self.axes(group).iter().map(|axis| dense[*axis].view()).collect();
            let extents = pick(&self.shape, self.axes(group));
            if columns.is_empty() {
                // A group of no axes has the coordinate 0.
                return Ok(vec![0u8; length].into());
            }
            let width = Width::of(self.sizes[group].saturating_sub(1));
            let reduced = with_width!(width, T => linear::<T>(&columns, &extents).map(Indices::from));
            reduced.map_err(|_| FormatError::GroupSize { group, extents }.into())
        };
        (0..self.groups()).map(group).collect::<Result<_, _>>().map_err(|error: OperationError| {
            // The sizes of the groups fit: what can be wrong is a coordinate.
            let columns = dense.iter().zip(&self.shape).enumerate();
            let mut wrong = columns.filter_map(|(axis, (column, &extent))| beyond(column, extent).map(|found| (axis, found, extent)));
            wrong.next().map_or(error, |(axis, (at, coordinate), extent)| OperationError::Range { axis, at: Some(at), coordinate, extent })
        })
    }

    /// [`Gcs::promote`] of many coordinates: an array for each group becomes one for each axis, as narrow as can be.
    pub fn promote_columns(&self, reduced: &[Indices]) -> Result<Vec<Indices<'static>>, OperationError> {
        lengths(reduced, self.groups())?;
        for (group, (column, size)) in reduced.iter().zip(&self.sizes).enumerate() {
            if let Some((at, coordinate)) = beyond(column, *size) {
                return Err(OperationError::GroupRange { group, at: Some(at), coordinate, size: *size });
            }
        }
        let mut out: Vec<Indices> = vec![Vec::<u8>::new().into(); self.shape.len()];
        for (group, column) in reduced.iter().enumerate() {
            for (axis, stride) in self.axes(group).iter().zip(self.strides(group)) {
                let (by, extent) = (FastDiv64::total(*stride), FastDiv64::total(self.shape[*axis]));
                out[*axis] = with_width!(Width::of(self.shape[*axis].saturating_sub(1)), T => with_indices!(column, column => {
                    let mut out: Vec<T> = memory::defaults(column.len());
                    parallel::each(&mut out, |start, out| {
                        let of = |c: u64| T::from_low_bits(extent.remainder(by.quotient(c)));
                        out.iter_mut().zip(&column[start..]).for_each(|(out, c)| *out = of(c.to_u64()));
                    });
                    out.into()
                }));
            }
        }
        Ok(out)
    }
}

/// The first number that is not less than a bound.
fn beyond(column: &Indices, bound: u64) -> Option<(usize, u64)> {
    match with_indices!(column, column => below("column", column, bound)) {
        Err(SparseError::Range { at, found, .. }) => Some((at, found)),
        _ => None,
    }
}

/// The length of as many columns as there must be.
fn lengths(columns: &[Indices], expected: usize) -> Result<usize, OperationError> {
    if columns.len() != expected {
        return Err(OperationError::Coordinates { found: columns.len(), expected });
    }
    let length = columns.first().map_or(0, Indices::len);
    match columns.iter().find(|column| column.len() != length) {
        Some(column) => Err(OperationError::Lengths { first: length, found: column.len() }),
        None => Ok(length),
    }
}
