//! Maps before levels: they split coordinates into digits and join these to the coordinates that levels store. A new map
//! is a constructor here. Every map must be one-to-one; `columns` applies maps to arrays of coordinates.

mod columns;

use crate::{FormatError, OperationError};
use alloc::vec;
use alloc::vec::Vec;
use layout_core::algebra::value::{ExprGraph, TupleValue};
use layout_core::error::{Cause, Op};
use layout_core::layouts::DynCoord;
use layout_core::{DynLayout, LayoutError};

/// The number of bits in a word of a key. A word of 64 bits would have the extent 2^64, which does not fit 64 bits.
const WORD: u32 = 63;

/// A digit `(x / step) % count` of a coordinate `x`. It adds `weight` times its value to a stored coordinate.
///
/// ```
/// use sparse_formats::{AxisDigit, AxisMap};
/// // Two columns of three: the low digit of `x` becomes the high digit of the stored coordinate.
/// let low = AxisDigit { axis: 0, step: 1, count: 2, target: 0, weight: 3 };
/// let high = AxisDigit { axis: 0, step: 2, count: 3, target: 0, weight: 1 };
/// let map = AxisMap::new(&[6], 1, vec![low, high])?;
/// assert_eq!(map.to_string(), "(x0%2*3 + x0/2)");
/// assert_eq!([0, 1, 2, 3, 4, 5].map(|x| map.forward(&[x])[0]), [0, 3, 1, 4, 2, 5]);
/// # Ok::<(), sparse_formats::FormatError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct AxisDigit {
    /// The axis, from 0, whose coordinate has this digit.
    pub axis: usize,
    /// The weight of the digit in the coordinate of the axis.
    pub step: u64,
    /// The number of values of the digit, which are `0..count`.
    pub count: u64,
    /// The index, from 0, of the stored coordinate that has this digit.
    pub target: usize,
    /// The weight of the digit in the stored coordinate.
    pub weight: u64,
}

/// A one-to-one map of coordinates to those that levels store: it moves digits, or replaces coordinates by diagonals.
///
/// Stored coordinates of blocks are `x / B` and `x % B`: two digits for each axis, each a coordinate of its own. A
/// group of axes is one coordinate in which each axis is a digit. A linearised key is one coordinate of single
/// bits. The inverse is linear: `x = sum of digit * step`.
///
/// ```
/// use sparse_formats::AxisMap;
/// let blocks = AxisMap::blocks(&[7, 5], &[3, 2])?;
/// assert_eq!(blocks.to_string(), "(x0/3, x1/2, x0%3, x1%2)");
/// assert_eq!((blocks.shape(), blocks.extents()), (&[7, 5][..], &[3, 3, 3, 2][..]));
/// assert_eq!((blocks.forward(&[5, 4]), blocks.backward(&[1, 2, 2, 0])), (vec![1, 2, 2, 0], vec![5, 4]));
/// // `reduce` and `promote` compute the same and check their argument. Blocks at the edge reach beyond the shape.
/// assert_eq!((blocks.reduce(&[5, 4])?, blocks.promote(&[1, 2, 2, 0])?), (vec![1, 2, 2, 0], vec![5, 4]));
/// assert_eq!(blocks.promote(&[2, 0, 1, 0]).unwrap_err().to_string(), "axis 0: coordinate 7 is beyond its extent 7");
/// // Each axis has two digits; the third stored coordinate is the digit `x0 % 3`.
/// assert_eq!((blocks.digits().len(), blocks.digits_of(2).map(|digit| digit.count).collect()), (4, vec![3]));
/// assert!(AxisMap::identity(&[7, 5]).is_identity() && !blocks.is_identity() && !blocks.is_diagonal());
/// let key = AxisMap::linearised(&[4, 8, 2])?;
/// assert_eq!((key.mask(0), key.mask(1), key.mask(2)), (vec![10], vec![52], vec![1]));
/// # Ok::<(), sparse_formats::OperationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct AxisMap {
    shape: Vec<u64>,
    extents: Vec<u64>,
    digits: Vec<AxisDigit>,
    /// True if each coordinate `x` but the last is stored as the number of its diagonal, `x_last - x + extent - 1`.
    diagonal: bool,
}

impl AxisMap {
    /// Returns the map with these digits, from coordinates in `shape` to `targets` stored coordinates.
    ///
    /// ```
    /// use sparse_formats::{AxisDigit, AxisMap};
    /// let digit = AxisDigit { axis: 0, step: 1, count: 10, target: 0, weight: 1 };
    /// assert_eq!(AxisMap::new(&[10], 1, vec![digit])?, AxisMap::identity(&[10]));
    /// let error = AxisMap::new(&[12], 1, vec![digit]).unwrap_err();
    /// assert_eq!(error.to_string(), "axis 0: the digits count 10 numbers, which does not fit the extent 12");
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a digit has an axis or a target that does not exist, if digits leave a gap in an axis or a target or
    /// overlap there, if they do not cover the extent of their axis, or if an extent needs more than 64 bits.
    pub fn new(shape: &[u64], targets: usize, digits: Vec<AxisDigit>) -> Result<AxisMap, FormatError> {
        for digit in &digits {
            if digit.axis >= shape.len() || digit.target >= targets {
                return Err(FormatError::Digit { axis: digit.axis, axes: shape.len(), target: digit.target, targets });
            }
        }
        // Returns the exclusive bound of the numbers that digits `(step, count)` form. It is `None` unless each step equals
        // the bound of the lower digits, and every bound is at most 2^64.
        let number = |places: Vec<(u64, u64)>| {
            let mut places = places;
            places.sort_unstable();
            places.iter().try_fold(1u128, |end, (step, count)| {
                (u128::from(*step) == end).then(|| end.saturating_mul(u128::from(*count).max(1))).filter(|end| *end <= 1 << 64)
            })
        };
        for (axis, extent) in shape.iter().enumerate() {
            let of: Vec<_> = digits.iter().filter(|digit| digit.axis == axis).map(|digit| (digit.step, digit.count)).collect();
            let empty = of.iter().any(|(_, count)| *count == 0);
            match number(of) {
                Some(reach) if if empty { *extent == 0 } else { reach >= u128::from(*extent) } => {}
                reach => return Err(FormatError::Digits { what: "axis", number: axis, reach, extent: *extent }),
            }
        }
        let mut extents = Vec::with_capacity(targets);
        for target in 0..targets {
            let of: Vec<_> = digits.iter().filter(|digit| digit.target == target).map(|digit| (digit.weight, digit.count)).collect();
            let empty = of.iter().any(|(_, count)| *count == 0);
            let reach = number(of);
            match reach.map(u64::try_from) {
                Some(Ok(extent)) => extents.push(if empty { 0 } else { extent }),
                _ => return Err(FormatError::Digits { what: "target", number: target, reach, extent: u64::MAX }),
            }
        }
        Ok(AxisMap { shape: shape.to_vec(), extents, digits, diagonal: false })
    }

    /// Returns the map that stores every coordinate unchanged.
    pub fn identity(shape: &[u64]) -> AxisMap {
        let digit = |(axis, extent): (usize, &u64)| AxisDigit { axis, step: 1, count: *extent, target: axis, weight: 1 };
        let digits = shape.iter().enumerate().map(digit).collect();
        AxisMap { shape: shape.to_vec(), extents: shape.to_vec(), digits, diagonal: false }
    }

    /// Returns the map to diagonals. It stores the last coordinate unchanged, and instead of each other coordinate
    /// `x` its distance to the last one, `x_last - x + extent - 1`, which is never negative.
    ///
    /// ```
    /// use sparse_formats::AxisMap;
    /// let map = AxisMap::diagonals(&[3, 4])?;
    /// assert_eq!((map.extents(), map.to_string().as_str()), (&[6, 4][..], "(x1 - x0 + 2, x1)"));
    /// assert_eq!((map.forward(&[2, 0]), map.backward(&[3, 3])), (vec![0, 0], vec![2, 3]));
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if there are fewer than two axes, or the sum of two extents exceeds 64 bits.
    pub fn diagonals(shape: &[u64]) -> Result<AxisMap, FormatError> {
        let Some((last, others @ [_, ..])) = shape.split_last() else {
            return Err(FormatError::Parameter { name: "shape", given: shape.to_vec(), expected: "at least two axes" });
        };
        let diagonals = |(number, extent): (usize, &u64)| match extent.min(last) {
            0 => Ok(0),
            _ => (extent - 1).checked_add(*last).ok_or(FormatError::Digits { what: "target", number, reach: None, extent: *extent }),
        };
        let extents: Vec<u64> = others.iter().enumerate().map(diagonals).chain([Ok(*last)]).collect::<Result<_, _>>()?;
        Ok(AxisMap { shape: shape.to_vec(), diagonal: true, ..AxisMap::identity(&extents) })
    }

    /// Returns true if each coordinate but the last is stored as a diagonal.
    pub fn is_diagonal(&self) -> bool {
        self.diagonal
    }

    /// Replaces each `x` but the last by `x_last - x + extent - 1`, if this map is to diagonals. The formula is its own
    /// inverse, so it also turns diagonals back into coordinates.
    fn reflect(&self, coordinates: &mut [u64]) {
        if let (true, Some((last, others))) = (self.diagonal, coordinates.split_last_mut()) {
            let along = |(x, extent): (&mut u64, &u64)| *x = last.wrapping_sub(*x).wrapping_add(extent - 1);
            others.iter_mut().zip(&self.shape).filter(|(_, extent)| **extent > 0).for_each(along);
        }
    }

    /// Returns the map that stores each group of axes as one coordinate (GCS).
    ///
    /// The groups are the axes in `axis_order`, cut before the positions `splits`. There is one more group than
    /// splits, and a group may be empty. `stored[g] = sum of coordinate[axis] * weight[axis]` over the axes of
    /// group `g`, with the last axis fastest, as in the index of a row-major array.
    ///
    /// # Errors
    /// Fails if the order is no permutation of the axes, if splits decrease, or if the size of a group exceeds 64 bits.
    ///
    /// ```
    /// use sparse_formats::AxisMap;
    /// let map = AxisMap::grouped(&[2, 3, 4, 5], &[0, 1, 2, 3], &[2])?;
    /// assert_eq!(map.extents(), [6, 20]);
    /// assert_eq!(map.reduce(&[1, 2, 3, 4])?, [5, 19]);
    /// assert_eq!(map.promote(&[5, 19])?, [1, 2, 3, 4]);
    /// assert_eq!(map.promote(&[6, 0]).unwrap_err().to_string(), "group 0: coordinate 6 is beyond its size 6");
    /// # Ok::<(), sparse_formats::OperationError>(())
    /// ```
    pub fn grouped(shape: &[u64], axis_order: &[usize], splits: &[usize]) -> Result<AxisMap, FormatError> {
        let rank = shape.len();
        let mut seen = vec![false; rank];
        let fresh = |axis: &usize| seen.get_mut(*axis).is_some_and(|seen| !core::mem::replace(seen, true));
        if axis_order.len() != rank || !axis_order.iter().all(fresh) {
            return Err(FormatError::GroupAxes { axes: axis_order.to_vec(), rank });
        }
        if !splits.is_sorted() || splits.last().is_some_and(|last| *last > rank) {
            return Err(FormatError::Splits { splits: splits.to_vec(), rank });
        }
        let (mut digits, mut extents) = (Vec::with_capacity(rank), Vec::with_capacity(splits.len() + 1));
        let mut start = 0;
        for (target, end) in splits.iter().copied().chain([rank]).enumerate() {
            let axes = &axis_order[start..end];
            // A group without elements has no coordinates, so its weights do not matter.
            let empty = axes.iter().any(|axis| shape[*axis] == 0);
            let mut size = 1u64;
            for axis in axes.iter().rev().copied() {
                digits.push(AxisDigit { axis, step: 1, count: shape[axis], target, weight: size });
                let next = if empty { Some(1) } else { size.checked_mul(shape[axis]) };
                size = next.ok_or_else(|| FormatError::GroupSize { group: target, extents: crate::shape::pick(shape, axes) })?;
            }
            digits[start..].reverse();
            extents.push(if empty { 0 } else { size });
            start = end;
        }
        Ok(AxisMap { shape: shape.to_vec(), extents, digits, diagonal: false })
    }

    /// Returns the groups of compressed rows (GCXS): the given axes as rows, then the others in increasing order.
    ///
    /// # Errors
    /// Fails if the given axes do not increase, exceed the rank, or are none or all of the axes, or if the size of a
    /// group exceeds 64 bits. A tensor of one axis must have none instead, and a tensor without axes always fails.
    ///
    /// ```
    /// use sparse_formats::AxisMap;
    /// assert_eq!(AxisMap::rows(&[2, 3, 4], &[1])?, AxisMap::grouped(&[2, 3, 4], &[1, 0, 2], &[1])?);
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn rows(shape: &[u64], compressed_axes: &[usize]) -> Result<AxisMap, FormatError> {
        let rank = shape.len();
        let proper = if rank == 1 { compressed_axes.is_empty() } else { !compressed_axes.is_empty() && compressed_axes.len() < rank };
        if rank == 0 || !proper || !compressed_axes.is_sorted_by(|a, b| a < b) || compressed_axes.iter().any(|axis| *axis >= rank) {
            return Err(FormatError::CompressedAxes { axes: compressed_axes.to_vec(), rank });
        }
        let others = (0..rank).filter(|axis| compressed_axes.binary_search(axis).is_err());
        let order: Vec<usize> = compressed_axes.iter().copied().chain(others).collect();
        AxisMap::grouped(shape, &order, &[compressed_axes.len()])
    }

    /// Returns the default axes of [rows](AxisMap::rows): the first axis with the least extent, or no axis if the rank is
    /// 0 or 1.
    ///
    /// ```
    /// use sparse_formats::AxisMap;
    /// assert_eq!(AxisMap::default_rows(&[5, 3, 3]), [1]);
    /// assert!(AxisMap::default_rows(&[5]).is_empty());
    /// ```
    pub fn default_rows(shape: &[u64]) -> Vec<usize> {
        (0..shape.len()).filter(|_| shape.len() > 1).min_by_key(|axis| shape[*axis]).into_iter().collect()
    }

    /// Returns the map to blocks with these edges, aligned at 0: first the coordinates `x / edge` of the block,
    /// then the coordinates `x % edge` in the block.
    ///
    /// # Errors
    /// Fails if the number of edges differs from the number of axes, or an edge is 0.
    pub fn blocks(shape: &[u64], edges: &[u64]) -> Result<AxisMap, FormatError> {
        AxisMap::nested(shape, &[edges])
    }

    /// Returns the map to blocks in blocks. The stored coordinates are those of the outermost block, then those of each
    /// inner block within the block around it, and last those of the element in the innermost block.
    ///
    /// ```
    /// use sparse_formats::AxisMap;
    /// let map = AxisMap::nested(&[100], &[&[32], &[8]])?;
    /// assert_eq!((map.extents(), map.to_string().as_str()), (&[4, 4, 8][..], "(x0/32, x0/8%4, x0%8)"));
    /// assert_eq!(map.forward(&[77]), [2, 1, 5]);
    /// assert!(AxisMap::nested(&[100], &[&[32], &[5]]).is_err(), "5 does not divide 32");
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`AxisMap::blocks`] does, or if an edge does not divide the edge around it.
    pub fn nested(shape: &[u64], edges: &[&[u64]]) -> Result<AxisMap, FormatError> {
        let rank = shape.len();
        let mut digits = Vec::with_capacity(rank * (edges.len() + 1));
        for (k, of) in edges.iter().enumerate() {
            if of.len() != rank || of.contains(&0) {
                return Err(FormatError::Parameter { name: "edges", given: of.to_vec(), expected: "a number above 0 for each axis" });
            }
            if k > 0 && edges[k - 1].iter().zip(*of).any(|(outer, inner)| outer % inner != 0) {
                return Err(FormatError::Parameter {
                    name: "edges",
                    given: of.to_vec(),
                    expected: "divisors of the edges of the enclosing blocks",
                });
            }
        }
        for k in 0..=edges.len() {
            for (axis, extent) in shape.iter().enumerate() {
                let step = edges.get(k).map_or(1, |edges| edges[axis]);
                let count = if k == 0 { extent.div_ceil(step) } else { edges[k - 1][axis] / step };
                digits.push(AxisDigit { axis, step, count, target: k * rank + axis, weight: 1 });
            }
        }
        AxisMap::new(shape, rank * (edges.len() + 1), digits)
    }

    /// Returns the map to one key of all bits (ALTO, Helal et al., 2021).
    ///
    /// Bits are dealt in rounds from the lowest. Each round takes a bit of each axis that has bits left, the axes
    /// with the fewest bits first. Keys of more than 63 bits become several coordinates, the highest bits first. Every
    /// shape has such a map, so the result is never an error.
    pub fn linearised(shape: &[u64]) -> Result<AxisMap, FormatError> {
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        axes.sort_by_key(|axis| bits(shape[*axis]));
        AxisMap::dealt(shape, &axes)
    }

    /// Returns the map to one key of all bits in Morton order: bits are interleaved from the highest, and among bits of
    /// equal weight the first axis comes first. Keys and errors are as for `AxisMap::linearised`.
    ///
    /// ```
    /// use sparse_formats::AxisMap;
    /// let morton = AxisMap::interleaved(&[4, 4])?;
    /// assert_eq!(morton.forward(&[0b10, 0b11]), [0b11_01]);
    /// assert_eq!(AxisMap::linearised(&[4, 4])?.forward(&[0b10, 0b11]), [0b11_10]);
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn interleaved(shape: &[u64]) -> Result<AxisMap, FormatError> {
        AxisMap::dealt(shape, &(0..shape.len()).rev().collect::<Vec<_>>())
    }

    /// Returns the map that deals the bits of all axes to words of 63 bits, from the lowest bit of the last word up. Round
    /// `k` deals bit `k` of each axis whose coordinates have it, in the order of `axes`.
    fn dealt(shape: &[u64], axes: &[usize]) -> Result<AxisMap, FormatError> {
        let total: u32 = shape.iter().map(|extent| bits(*extent)).sum();
        let words = total.div_ceil(WORD).max(1) as usize;
        let mut digits: Vec<AxisDigit> = Vec::new();
        let mut at = 0;
        for round in 0..u64::BITS {
            for &axis in axes.iter().filter(|axis| bits(shape[**axis]) > round) {
                let (target, weight) = (words - 1 - (at / WORD) as usize, 1 << (at % WORD));
                at += 1;
                match digits.last_mut() {
                    // Adjacent bits of one axis are one digit.
                    Some(last) if last.axis == axis && last.target == target => last.count *= 2,
                    _ => digits.push(AxisDigit { axis, step: 1 << round, count: 2, target, weight }),
                }
            }
        }
        AxisMap::new(shape, words, digits)
    }

    /// Returns the extents of the coordinates before the map, one for each axis.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the extents of the stored coordinates, the results of the map.
    pub fn extents(&self) -> &[u64] {
        &self.extents
    }

    /// Returns the digits of all axes. If `AxisMap::is_diagonal`, these are the digits of an identity and not of this map.
    pub fn digits(&self) -> &[AxisDigit] {
        &self.digits
    }

    /// Tests whether the map stores every coordinate unchanged.
    pub fn is_identity(&self) -> bool {
        !self.diagonal
            && self.shape == self.extents
            && self.digits.iter().all(|digit| digit.axis == digit.target && digit.step == 1 && digit.weight == 1)
    }

    /// Returns the digits of the stored coordinate with index `target`.
    pub fn digits_of(&self, target: usize) -> impl Iterator<Item = &AxisDigit> + Clone {
        self.digits.iter().filter(move |digit| digit.target == target)
    }

    /// Returns the layout that computes the stored coordinate with index `target` from the coordinates of its axes.
    ///
    /// Each axis with a digit in that stored coordinate is a mode, in the order of these digits. An axis of several digits is
    /// a mode of several leaves; the stride of a digit of another stored coordinate is 0. Fails if there are more digits than
    /// a layout has leaves, if a number exceeds 63 bits, and for a stored diagonal, which would need a negative stride.
    ///
    /// ```
    /// use sparse_formats::AxisMap;
    /// let groups = AxisMap::grouped(&[2, 3, 4, 5], &[0, 1, 2, 3], &[2])?;
    /// assert_eq!(groups.layout(1)?.to_string(), "(4,5):(5,1)");
    /// assert_eq!(groups.layout(1)?.index(&[3, 4]), Some(19));
    /// let blocks = AxisMap::blocks(&[9, 8], &[3, 2])?;
    /// assert_eq!([blocks.layout(0)?.to_string(), blocks.layout(2)?.to_string()], ["((3,3)):((0,1))", "((3,3)):((1,0))"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout(&self, target: usize) -> Result<DynLayout<16>, LayoutError> {
        if self.diagonal && target + 1 < self.extents.len() {
            return Err(LayoutError::plain(Op::MakeLayout, Cause::NegativeStride, -1, 0));
        }
        let mut parts = [TupleValue::<16>::empty(); 2];
        let cx = ExprGraph::<0>::new(Op::MakeLayout);
        let mut seen = vec![false; self.shape.len()];
        for axis in self.digits_of(target).map(|digit| digit.axis) {
            if core::mem::replace(&mut seen[axis], true) {
                continue;
            }
            let mut of: Vec<&AxisDigit> = self.digits.iter().filter(|digit| digit.axis == axis).collect();
            of.sort_by_key(|digit| digit.step);
            let weight = |digit: &AxisDigit| if digit.target == target { digit.weight } else { 0 };
            let too_long = |_| LayoutError::plain(Op::MakeLayout, Cause::TooLong, 0, 0);
            let numbers = |of_digit: &dyn Fn(&AxisDigit) -> u64| -> Result<Vec<i64>, LayoutError> {
                of.iter().map(|digit| i64::try_from(of_digit(digit)).map_err(too_long)).collect()
            };
            for (part, numbers) in parts.iter_mut().zip([numbers(&|digit| digit.count)?, numbers(&weight)?]) {
                let mode: DynCoord<16> = if let [number] = numbers[..] { DynCoord::integer(number)? } else { DynCoord::flat(&numbers)? };
                part.push(mode.value(), mode.value().root(), 1, 1, &cx)?;
            }
        }
        let [shape, strides] = parts.map(DynCoord::from_value);
        DynLayout::new(&shape?, &strides?)
    }

    /// Returns the stored coordinates of a coordinate in the shape. For a coordinate out of range, the result is
    /// unspecified.
    pub fn forward(&self, coordinate: &[u64]) -> Vec<u64> {
        if self.diagonal {
            let mut out = coordinate.to_vec();
            self.reflect(&mut out);
            return out;
        }
        let mut out = vec![0u64; self.extents.len()];
        for digit in &self.digits {
            let value = coordinate[digit.axis] / digit.step % digit.count.max(1);
            out[digit.target] = out[digit.target].wrapping_add(value.wrapping_mul(digit.weight));
        }
        out
    }

    /// Checks that a coordinate is in range, and returns its stored coordinates.
    ///
    /// # Errors
    /// Fails if the number of coordinates differs from the number of axes, or at the first axis whose coordinate is
    /// out of range.
    pub fn reduce(&self, coordinate: &[u64]) -> Result<Vec<u64>, OperationError> {
        require_length(coordinate, &self.shape)?;
        self.require_in_shape(coordinate)?;
        Ok(self.forward(coordinate))
    }

    /// Checks that stored coordinates are in range, and returns the coordinate that they stand for.
    ///
    /// # Errors
    /// Fails if the number of stored coordinates is wrong, at the first stored coordinate that is out of range, or
    /// at the first axis whose coordinate is not below its extent.
    pub fn promote(&self, stored: &[u64]) -> Result<Vec<u64>, OperationError> {
        require_length(stored, &self.extents)?;
        if let Some(group) = stored.iter().zip(&self.extents).position(|(coordinate, extent)| coordinate >= extent) {
            return Err(OperationError::GroupRange { group, at: None, coordinate: stored[group], size: self.extents[group] });
        }
        let coordinate = self.backward(stored);
        self.require_in_shape(&coordinate)?;
        Ok(coordinate)
    }

    fn require_in_shape(&self, coordinate: &[u64]) -> Result<(), OperationError> {
        match coordinate.iter().zip(&self.shape).position(|(coordinate, extent)| coordinate >= extent) {
            None => Ok(()),
            Some(axis) => Err(OperationError::Range { axis, at: None, coordinate: coordinate[axis], extent: self.shape[axis] }),
        }
    }

    /// Returns the coordinate that the stored coordinates `stored` stand for. It may exceed the shape if digits form
    /// numbers beyond the extent.
    pub fn backward(&self, stored: &[u64]) -> Vec<u64> {
        let mut out = vec![0; self.shape.len()];
        self.backward_into(stored, &mut out);
        out
    }

    /// Writes the result of [`AxisMap::backward`] to `out`, one number for each axis.
    pub(crate) fn backward_into(&self, stored: &[u64], out: &mut [u64]) {
        out.fill(0);
        for digit in &self.digits {
            out[digit.axis] += stored[digit.target] / digit.weight % digit.count.max(1) * digit.step;
        }
        self.reflect(out);
    }

    /// Returns for each stored coordinate the mask of the bits that hold digits of `axis`. The mask is meaningful only if
    /// the count and the weight of every digit are powers of two.
    pub fn mask(&self, axis: usize) -> Vec<u64> {
        let mut out = vec![0; self.extents.len()];
        let of = self.digits.iter().filter(|digit| digit.axis == axis);
        of.for_each(|digit| out[digit.target] |= digit.count.saturating_sub(1).wrapping_mul(digit.weight));
        out
    }

    /// Returns an exclusive upper bound of the numbers that the digits of `axis` form: the product of their counts.
    pub(crate) fn reach(&self, axis: usize) -> u64 {
        let of = self.digits.iter().filter(|digit| digit.axis == axis);
        of.fold(1, |reach: u64, digit| reach.saturating_mul(digit.count.max(1)))
    }
}

/// Fails unless the number of coordinates (or columns) equals the number of extents.
fn require_length<T>(given: &[T], extents: &[u64]) -> Result<(), OperationError> {
    if given.len() == extents.len() { Ok(()) } else { Err(OperationError::Coordinates { found: given.len(), expected: extents.len() }) }
}

/// Returns the number of bits that hold every coordinate below `extent`. It is 0 for the extents 0 and 1.
pub(crate) fn bits(extent: u64) -> u32 {
    u64::BITS - extent.saturating_sub(1).leading_zeros()
}

/// Prints a formula for each stored coordinate: `(x0/3, x1/2, x0%3, x1%2)`.
impl core::fmt::Display for AxisMap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("(")?;
        if let (true, Some((_, others))) = (self.diagonal, self.shape.split_last()) {
            let last = others.len();
            others.iter().enumerate().try_for_each(|(axis, extent)| write!(f, "x{last} - x{axis} + {}, ", extent.saturating_sub(1)))?;
            return write!(f, "x{last})");
        }
        for target in 0..self.extents.len() {
            let mut of: Vec<&AxisDigit> = self.digits.iter().filter(|digit| digit.target == target).collect();
            of.sort_by_key(|digit| core::cmp::Reverse(digit.weight));
            f.write_str(if target == 0 { "" } else { ", " })?;
            if of.is_empty() {
                f.write_str("0")?;
            }
            for (k, digit) in of.iter().enumerate() {
                let AxisDigit { axis, step, count, weight, .. } = **digit;
                write!(f, "{}x{axis}", if k == 0 { "" } else { " + " })?;
                if step != 1 {
                    write!(f, "/{step}")?;
                }
                if u128::from(step) * u128::from(count) < u128::from(self.reach(axis)) {
                    write!(f, "%{count}")?;
                }
                if weight != 1 {
                    write!(f, "*{weight}")?;
                }
            }
        }
        f.write_str(")")
    }
}
