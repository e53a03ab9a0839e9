//! The chunks of an array: along each axis, positions at which chunks begin.

use crate::error::RechunkError;

/// The chunks of one axis.
///
/// ```
/// use chunked_arrays::Axis;
/// let axis = Axis::regular(10, 4);
/// assert_eq!((axis.chunks(), axis.range(2), axis.stored_length(2)), (3, 8..10, 4));
/// let axis = Axis::rectilinear(vec![3, 5, 2]);
/// assert_eq!((axis.extent(), axis.range(1), axis.chunk_at(8)), (10, 3..8, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis(Kind);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Regular {
        extent: u64,
        chunk: u64,
    },
    /// The end of each chunk.
    Rectilinear(Vec<u64>),
}

impl Axis {
    /// Returns an axis of chunks of one length. The last chunk may reach beyond the axis. A length of 0 counts as 1.
    pub fn regular(extent: u64, chunk: u64) -> Axis {
        Axis(Kind::Regular { extent, chunk: chunk.max(1) })
    }

    /// Returns an axis of chunks of these lengths. Its extent is their sum.
    pub fn rectilinear(lengths: Vec<u64>) -> Axis {
        Axis::ending(lengths.into_iter().scan(0u64, |end, length| {
            *end = end.saturating_add(length);
            Some(*end)
        }))
    }

    /// Returns an axis of chunks that end at these ascending positions.
    pub(crate) fn ending(ends: impl IntoIterator<Item = u64>) -> Axis {
        Axis(Kind::Rectilinear(ends.into_iter().collect()))
    }

    /// Returns the number of elements along the axis.
    pub fn extent(&self) -> u64 {
        match &self.0 {
            Kind::Regular { extent, .. } => *extent,
            Kind::Rectilinear(ends) => ends.last().copied().unwrap_or(0),
        }
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        match &self.0 {
            Kind::Regular { extent, chunk } => extent.div_ceil(*chunk),
            Kind::Rectilinear(ends) => ends.len() as u64,
        }
    }

    /// Returns the positions of a chunk that are within the axis.
    pub fn range(&self, chunk: u64) -> std::ops::Range<u64> {
        match &self.0 {
            Kind::Regular { extent, chunk: length } => chunk * length..chunk.saturating_add(1).saturating_mul(*length).min(*extent),
            Kind::Rectilinear(ends) => {
                let chunk = chunk as usize;
                chunk.checked_sub(1).map_or(0, |before| ends[before])..ends[chunk]
            }
        }
    }

    /// Returns the number of positions that a file has for a chunk, including those beyond the axis.
    pub fn stored_length(&self, chunk: u64) -> u64 {
        match &self.0 {
            Kind::Regular { chunk: length, .. } => *length,
            Kind::Rectilinear(_) => self.range(chunk).end - self.range(chunk).start,
        }
    }

    /// Returns the largest stored length of all chunks, or 0 if there are none.
    pub fn longest(&self) -> u64 {
        match &self.0 {
            Kind::Regular { extent: 0, .. } => 0,
            Kind::Regular { chunk, .. } => *chunk,
            Kind::Rectilinear(_) => (0..self.chunks()).map(|chunk| self.stored_length(chunk)).max().unwrap_or(0),
        }
    }

    /// Returns the number of the chunk that holds a position.
    pub fn chunk_at(&self, position: u64) -> u64 {
        match &self.0 {
            Kind::Regular { chunk, .. } => position / chunk,
            Kind::Rectilinear(ends) => ends.partition_point(|end| *end <= position) as u64,
        }
    }

    /// Returns the numbers of the chunks that share positions with a range.
    pub fn overlapping(&self, range: &std::ops::Range<u64>) -> std::ops::Range<u64> {
        if range.is_empty() { 0..0 } else { self.chunk_at(range.start)..self.chunk_at(range.end - 1) + 1 }
    }

    /// Returns the axis whose chunks end wherever a chunk of either axis ends.
    pub(crate) fn refined(&self, other: &Axis) -> Axis {
        let ends = |axis: &Axis| (0..axis.chunks()).map(|chunk| axis.range(chunk).end).collect::<Vec<u64>>();
        let mut both = [ends(self), ends(other)].concat();
        both.sort_unstable();
        both.dedup();
        Axis::ending(both)
    }

    /// Returns the length of all chunks and true, or false if the lengths differ or the axis lists them.
    pub fn regular_chunk(&self) -> Option<u64> {
        match &self.0 {
            Kind::Regular { chunk, .. } => Some(*chunk),
            Kind::Rectilinear(_) => None,
        }
    }
}

/// The chunks of an array: every combination of a chunk of each axis.
///
/// ```
/// use chunked_arrays::{Axis, Grid};
/// let grid = Grid::regular(&[10, 6], &[4, 6])?;
/// assert_eq!((grid.shape(), grid.chunks()), (vec![10, 6], 3));
/// let grid = Grid::new(vec![Axis::rectilinear(vec![3, 7]), Axis::regular(6, 2)])?;
/// assert_eq!(grid.chunks(), 6);
/// let wrong = Grid::regular(&[10, 6], &[4, 0]).unwrap_err();
/// assert_eq!(wrong.to_string(), "axis 1: the chunk length is 0; it must be at least 1");
/// # Ok::<(), chunked_arrays::RechunkError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid(Vec<Axis>);

impl Grid {
    /// Checks the axes of a grid. Fails if a listed chunk has length 0, or if the array has more than 2^63 elements.
    pub fn new(axes: Vec<Axis>) -> Result<Grid, RechunkError> {
        for (axis, of) in axes.iter().enumerate() {
            if let Kind::Rectilinear(ends) = &of.0
                && let Some(chunk) = (0..ends.len()).find(|chunk| of.range(*chunk as u64).is_empty())
            {
                return Err(RechunkError::Grid(format!("axis {axis}: chunk {chunk} has length 0; it must be at least 1")));
            }
        }
        let elements = axes.iter().try_fold(1u64, |product, axis| product.checked_mul(axis.extent().max(1)));
        let stored = axes.iter().try_fold(1u64, |product, axis| product.checked_mul(axis.longest().max(1)));
        if elements.max(stored).is_none_or(|elements| elements > 1 << 63) || elements.is_none() || stored.is_none() {
            let shape: Vec<u64> = axes.iter().map(Axis::extent).collect();
            return Err(RechunkError::Grid(format!("the shape {shape:?} or its chunks have more than 2^63 elements")));
        }
        Ok(Grid(axes))
    }

    /// Returns the grid of chunks of one shape. Fails if the ranks differ, or if a chunk has an extent of 0.
    pub fn regular(shape: &[u64], chunk: &[u64]) -> Result<Grid, RechunkError> {
        if shape.len() != chunk.len() {
            return Err(RechunkError::Grid(format!("the chunk {chunk:?} has {} axes, but the array has {}", chunk.len(), shape.len())));
        }
        if let Some(axis) = chunk.iter().position(|length| *length == 0) {
            return Err(RechunkError::Grid(format!("axis {axis}: the chunk length is 0; it must be at least 1")));
        }
        Grid::new(shape.iter().zip(chunk).map(|(extent, chunk)| Axis::regular(*extent, *chunk)).collect())
    }

    /// Returns the axes.
    pub fn axes(&self) -> &[Axis] {
        &self.0
    }

    /// Returns the extents of the array.
    pub fn shape(&self) -> Vec<u64> {
        self.0.iter().map(Axis::extent).collect()
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        self.0.iter().fold(1, |product, axis| product.saturating_mul(axis.chunks()))
    }

    /// Returns the number of elements of the array.
    pub fn elements(&self) -> u64 {
        self.0.iter().map(Axis::extent).product()
    }

    /// Returns the number of elements of the largest chunk in a file.
    pub fn largest(&self) -> u64 {
        self.0.iter().map(Axis::longest).product()
    }

    /// Returns the grid whose chunks are the intersections of the chunks of both grids.
    pub(crate) fn refined(&self, other: &Grid) -> Grid {
        Grid(self.0.iter().zip(&other.0).map(|(a, b)| a.refined(b)).collect())
    }

    /// Returns the region of a chunk that is within the array.
    pub(crate) fn region(&self, chunk: &[u64]) -> Region {
        let ranges = self.0.iter().zip(chunk).map(|(axis, chunk)| axis.range(*chunk));
        let (start, shape) = ranges.map(|range| (range.start, range.end - range.start)).unzip();
        Region { start, shape }
    }

    /// Returns the extents that a file has for a chunk.
    pub(crate) fn stored_shape(&self, chunk: &[u64]) -> Vec<u64> {
        self.0.iter().zip(chunk).map(|(axis, chunk)| axis.stored_length(*chunk)).collect()
    }

    /// Returns the ranges of chunks that overlap a region.
    pub(crate) fn overlapping(&self, region: &Region) -> Vec<std::ops::Range<u64>> {
        let ranges = self.0.iter().zip(region.start.iter().zip(&region.shape));
        ranges.map(|(axis, (start, length))| axis.overlapping(&(*start..start + length))).collect()
    }

    /// Returns the number of elements before a chunk, if chunks follow each other in C order, each without a gap.
    pub(crate) fn elements_before(&self, chunk: &[u64]) -> u64 {
        let mut rest: u64 = self.elements();
        let (mut before, mut length) = (0, 1);
        for (axis, chunk) in self.0.iter().zip(chunk) {
            rest = rest.checked_div(axis.extent()).unwrap_or(0);
            let range = axis.range(*chunk);
            before += length * range.start * rest;
            length *= range.end - range.start;
        }
        before
    }
}

/// A box of elements of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Region {
    pub start: Vec<u64>,
    pub shape: Vec<u64>,
}

impl Region {
    pub fn elements(&self) -> u64 {
        self.shape.iter().product()
    }

    /// Returns the elements of both regions.
    pub fn intersection(&self, other: &Region) -> Region {
        let mut out = self.clone();
        for axis in 0..out.start.len() {
            let start = self.start[axis].max(other.start[axis]);
            let end = (self.start[axis] + self.shape[axis]).min(other.start[axis] + other.shape[axis]);
            (out.start[axis], out.shape[axis]) = (start, end.saturating_sub(start));
        }
        out
    }
}

/// Iterates over every combination of numbers in these ranges, in C order. Without ranges, there is one empty combination.
pub(crate) fn product(ranges: Vec<std::ops::Range<u64>>) -> impl Iterator<Item = Vec<u64>> {
    let empty = ranges.iter().any(|range| range.is_empty());
    let mut next = (!empty).then(|| ranges.iter().map(|range| range.start).collect::<Vec<u64>>());
    std::iter::from_fn(move || {
        let now = next.clone()?;
        let at = next.as_mut()?;
        let mut axis = ranges.len();
        loop {
            if axis == 0 {
                next = None;
                break;
            }
            axis -= 1;
            at[axis] += 1;
            if at[axis] < ranges[axis].end {
                break;
            }
            at[axis] = ranges[axis].start;
        }
        Some(now)
    })
}

/// Returns the number of combinations of numbers in these ranges.
pub(crate) fn combinations(ranges: &[std::ops::Range<u64>]) -> u64 {
    ranges.iter().fold(1, |product, range| product.saturating_mul(range.end - range.start))
}

/// Returns a combination of numbers in these ranges by its position in C order.
pub(crate) fn combination(ranges: &[std::ops::Range<u64>], mut position: u64) -> Vec<u64> {
    let mut out: Vec<u64> = ranges.iter().map(|range| range.start).collect();
    for (number, range) in out.iter_mut().zip(ranges).rev() {
        let count = range.end - range.start;
        *number += position % count;
        position /= count;
    }
    out
}
