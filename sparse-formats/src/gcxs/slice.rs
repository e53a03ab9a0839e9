//! Slices of compressed rows, which do not decode the elements that they leave out.

use super::Gcxs;
use crate::kernels::Value;
use crate::operations::{AxisSlice, staying, taken};
use crate::shape::product;
use crate::{
    Arrays, AxisMap, AxisSelection, Composite, Format, Indices, OperationError, Part, Scheme, SparseError, SparseTensor, with_indices,
};
use alloc::vec;
use alloc::vec::Vec;
use layout_levels::Index;

/// A slice of a group of axes. In the group, the element of the slice with coordinates `j` has the coordinate
/// `sum of stride[k] * (start[k] + step[k] * j[k])` over the axes `k` of the group.
struct GroupSlice {
    /// For each axis of the group its stride in the group, its extent and its slice.
    axes: Vec<(u64, u64, AxisSlice)>,
    /// The coordinates in the group of the first and of the last element of the slice, or `(1, 0)` if it is empty.
    bounds: (u64, u64),
    /// The number of elements of the slice.
    count: u64,
}

impl GroupSlice {
    /// Returns the slice of group number `group` of a map. `taken` has the slice of each axis of the tensor.
    fn new(map: &AxisMap, group: usize, taken: &[AxisSlice]) -> GroupSlice {
        let axes: Vec<(u64, u64, AxisSlice)> = map.digits_of(group).map(|digit| (digit.weight, digit.count, taken[digit.axis])).collect();
        let empty = axes.iter().any(|(.., taken)| taken.count == 0);
        let count = if empty { 0 } else { axes.iter().map(|(.., taken)| taken.count).product() };
        let bound = |end: bool| {
            axes.iter().map(|(stride, _, taken)| stride * (taken.start + if end { (taken.count - 1) * taken.step } else { 0 })).sum()
        };
        let bounds = if count == 0 { (1, 0) } else { (bound(false), bound(true)) };
        GroupSlice { axes, bounds, count }
    }

    /// Returns the coordinate in the group of element `j` of the slice, with the last axis fastest.
    fn coordinate(&self, mut j: u64) -> u64 {
        let mut out = 0;
        for (stride, _, taken) in self.axes.iter().rev() {
            out += stride * taken.at(j % taken.count);
            j /= taken.count;
        }
        out
    }

    /// Returns the number of the element of the slice that has this coordinate in the group, or `None` if the slice leaves
    /// it out. It is the inverse of `coordinate`.
    fn place(&self, coordinate: u64) -> Option<u64> {
        let mut rest = coordinate;
        let mut place = 0;
        for (stride, _, taken) in &self.axes {
            place = place * taken.count + taken.place(rest / stride)?;
            rest %= stride;
        }
        Some(place)
    }
}

impl<V: Value + PartialEq> Gcxs<'_, V> {
    /// Returns a slice of each axis. Axes with a single [`AxisSelection::Index`] are dropped.
    ///
    /// Reads only the selected rows, and in each row only the columns between the first and the last that the slice
    /// can have. Compressed axes that stay remain compressed. If these were all axes of the result, or none of several,
    /// the compressed axes are `AxisMap::default_rows` instead.
    ///
    /// ```
    /// use sparse_formats::{AxisSelection, Builder, Format, Gcxs, Indices};
    /// let columns: [Indices; 3] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into(), vec![3u8, 1, 2].into()];
    /// let a = Builder::new(Format::coo(3), 0).build(&[2, 3, 4], &columns, vec![5, 6, 7])?;
    /// let part = Gcxs::new(&a, &[0])?.slice(&[(0..2).into(), AxisSelection::Index(2), AxisSelection::All])?;
    /// assert_eq!((part.shape(), part.at(&[0, 3]), part.at(&[1, 2])), (&[2, 4][..], Some(&5), Some(&7)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails if a slice does not fit its axis, if no axis stays, or if memory has no room for the result.
    pub fn slice(&self, slices: &[AxisSelection]) -> Result<Gcxs<'static, V>, OperationError> {
        let taken = taken(self.shape(), slices)?;
        let (stays, shape) = staying(&taken);
        if stays.is_empty() {
            return Err(OperationError::Scalar);
        }
        let rows = self.compressed_axes();
        let compressed: Vec<usize> = (0..stays.len()).filter(|k| rows.contains(&stays[*k])).collect();
        let tensor = self.sliced_matrix(&taken)?;
        if let Ok(map) = AxisMap::rows(&shape, &compressed) {
            return Ok(Gcxs(Composite::of_part(Part { map, tensor })));
        }
        // The rows or the columns have no axis left, so one group has all axes.
        let map = AxisMap::grouped(&shape, &(0..shape.len()).collect::<Vec<_>>(), &[compressed.len()])?;
        Ok(Gcxs(Composite::of_part(Part { map, tensor }).to_scheme(&Scheme::Gcxs { compressed_axes: None })?))
    }

    /// Returns the matrix of the slice `taken[axis]` of every axis. Fails if memory has no room for the result.
    fn sliced_matrix(&self, taken: &[AxisSlice]) -> Result<SparseTensor<'static, V>, OperationError> {
        let group = |k: usize| GroupSlice::new(self.map(), k, taken);
        let (rows, columns) = (group(0), group(1));
        let count = product([rows.count, 1]).filter(|rows| *rows < isize::MAX as usize);
        let too_large = SparseError::Entries { level: 0, parents: 1, extents: vec![rows.count] };
        let (mut pointers, mut indices, mut places) = (vec![0u64], Vec::new(), Vec::new());
        pointers.try_reserve_exact(count.ok_or(too_large.clone())?).map_err(|_| too_large)?;
        for row in 0..rows.count {
            let row = rows.coordinate(row) as usize;
            let end = |k: usize| self.indptr().get(k).unwrap_or(0) as usize;
            let (first, last) = (end(row), end(row + 1));
            let start = first + self.lower(first, last, columns.bounds.0);
            for place in start..last {
                let column = self.indices().get(place).unwrap_or(0);
                if column > columns.bounds.1 {
                    break;
                }
                if let Some(column) = columns.place(column) {
                    indices.push(column);
                    places.push(place);
                }
            }
            pointers.push(indices.len() as u64);
        }
        let arrays = Arrays::new().with_pointers(0, Indices::narrowest(&pointers)).with_indices(1, Indices::narrowest(&indices));
        let count = places.len();
        let values = self.matrix().values().gather(places.into_iter().map(|place| place..place + 1), count, 1)?;
        let shape = [rows.count, columns.count];
        Ok(SparseTensor::from_parts(&shape, Format::csr(), arrays, values, self.matrix().fill().clone())
            .map_err(|rejected| rejected.error)?)
    }

    /// Returns how many of the columns at the positions `first..last`, which are of one row, are less than `bound`.
    fn lower(&self, first: usize, last: usize, bound: u64) -> usize {
        with_indices!(self.indices(), indices => indices[first..last].partition_point(|column| column.to_u64() < bound))
    }
}
