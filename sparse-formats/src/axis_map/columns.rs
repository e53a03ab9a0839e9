//! The methods of `AxisMap` for many coordinates at once: one column (an array) for each axis, on all threads. The
//! methods for a single coordinate are in the parent module.

use super::{AxisDigit, AxisMap, require_length};
use crate::kernels::below;
use crate::{Indices, OperationError, SparseError, Width, with_indices};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory::try_repeated;
use array_kernels::parallel;
use array_kernels::with_width;
use layout_core::number::FastDiv64;
use layout_levels::Index;

/// Maps many coordinates at once, given as one column for each axis.
///
/// ```
/// use sparse_formats::{AxisMap, Indices};
/// // The elements (0, 2, 3) and (1, 0, 1), with the first two axes joined to rows.
/// let rows = AxisMap::rows(&[2, 3, 4], &[0, 1])?;
/// let columns: [Indices; 3] = [vec![0u8, 1].into(), vec![2u8, 0].into(), vec![3u8, 1].into()];
/// let stored = rows.reduce_columns(&columns)?;
/// assert_eq!(stored, [Indices::from(vec![2u8, 3]), vec![3u8, 1].into()]);
/// assert_eq!(rows.promote_columns(&stored)?, columns);
/// // The same without checks, for columns that are known to be in range.
/// assert_eq!(rows.backward_columns(&rows.forward_columns(&columns)?)?, columns);
/// let error = rows.reduce_columns(&[vec![0u8, 1].into(), vec![2u8, 3].into(), vec![3u8, 1].into()]).unwrap_err();
/// assert_eq!(error.to_string(), "axis 1: coordinate 3 at position 1 is beyond its extent 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl AxisMap {
    /// Maps columns of coordinates, one for each axis, to columns of stored coordinates. The coordinates must be in
    /// range; `AxisMap::reduce_columns` checks them.
    ///
    /// # Errors
    /// Fails if memory has no room for the result.
    pub fn forward_columns(&self, columns: &[Indices]) -> Result<Vec<Indices<'static>>, SparseError> {
        if self.is_diagonal() {
            return self.reflected(columns, &self.extents);
        }
        let place = |digit: &AxisDigit| (digit.target, digit.weight, digit.axis, digit.step);
        moved(&self.digits, columns, &self.extents, &self.shape, place)
    }

    /// Maps columns of stored coordinates back to columns of coordinates.
    ///
    /// The integers of a returned column are wide enough for all stored coordinates in range. Stored coordinates out of
    /// range give wrong results, so the caller must check them.
    ///
    /// # Errors
    /// Fails if memory has no room for the result.
    pub fn backward_columns(&self, stored: &[Indices]) -> Result<Vec<Indices<'static>>, SparseError> {
        if self.is_diagonal() {
            return self.reflected(stored, &self.shape);
        }
        // Digits may form numbers beyond the extent, so the width of a result follows from the digits.
        let reach: Vec<u64> = (0..self.shape.len()).map(|axis| self.reach(axis)).collect();
        let place = |digit: &AxisDigit| (digit.axis, digit.step, digit.target, digit.weight);
        moved(&self.digits, stored, &reach, &self.extents, place)
    }

    /// Applies [`AxisMap::reflect`] to columns. `extents` has the extents of the results: a result that is not below its
    /// extent becomes the extent. Fails if memory has no room.
    fn reflected(&self, columns: &[Indices], extents: &[u64]) -> Result<Vec<Indices<'static>>, SparseError> {
        let len = columns.first().map_or(0, Indices::len);
        let memory = || SparseError::Memory { elements: len };
        let last = columns.last().map_or(Some(Cow::Borrowed(&[][..])), Indices::cast::<u64>).ok_or_else(memory)?;
        let of = |(axis, column): (usize, &Indices)| {
            let (extent, most) = (extents[axis], self.shape[axis].wrapping_sub(1));
            if axis + 1 == columns.len() {
                return Ok(column.clone().into_owned());
            }
            Ok(with_width!(Width::of(extent), T => {
                let mut out: Vec<T> = try_repeated(T::default(), len).ok_or_else(memory)?;
                with_indices!(column, column => for ((slot, x), last) in out.iter_mut().zip(column.iter()).zip(&*last) {
                    *slot = T::from_low_bits(last.wrapping_sub(x.to_u64()).wrapping_add(most).min(extent));
                });
                Indices::from(out)
            }))
        };
        columns.iter().enumerate().map(of).collect()
    }

    /// Checks that columns of coordinates are in range, and maps them to columns of stored coordinates. Each of these has
    /// the narrowest integers that hold the coordinates below its extent.
    ///
    /// # Errors
    /// Fails as [`AxisMap::reduce`] does, with the position in the column; also if columns have different lengths,
    /// or memory has no room for the result.
    pub fn reduce_columns(&self, columns: &[Indices]) -> Result<Vec<Indices<'static>>, OperationError> {
        require_alike(columns, self.shape())?;
        self.require_columns_in_shape(columns)?;
        Ok(self.forward_columns(columns)?)
    }

    /// Maps columns of stored coordinates back to coordinates. Checks that the stored coordinates are in range and
    /// stand for coordinates in the shape.
    ///
    /// # Errors
    /// Fails as [`AxisMap::promote`] does, with the position in the column; also if columns have different lengths,
    /// or memory has no room for the result.
    pub fn promote_columns(&self, stored: &[Indices]) -> Result<Vec<Indices<'static>>, OperationError> {
        require_alike(stored, self.extents())?;
        if let Some((group, at, coordinate)) = beyond(stored, self.extents()) {
            return Err(OperationError::GroupRange { group, at: Some(at), coordinate, size: self.extents()[group] });
        }
        let columns = self.backward_columns(stored)?;
        if (0..self.shape().len()).any(|axis| self.reach(axis) > self.shape()[axis]) {
            self.require_columns_in_shape(&columns)?;
        }
        Ok(columns)
    }

    fn require_columns_in_shape(&self, columns: &[Indices]) -> Result<(), OperationError> {
        match beyond(columns, self.shape()) {
            None => Ok(()),
            Some((axis, at, coordinate)) => Err(OperationError::Range { axis, at: Some(at), coordinate, extent: self.shape()[axis] }),
        }
    }
}

/// Fails unless there is a column for each extent, and all columns have the same length.
fn require_alike(columns: &[Indices], extents: &[u64]) -> Result<(), OperationError> {
    require_length(columns, extents)?;
    let first = columns.first().map_or(0, Indices::len);
    match columns.iter().find(|column| column.len() != first) {
        Some(column) => Err(OperationError::Lengths { first, found: column.len() }),
        None => Ok(()),
    }
}

/// Returns `(k, at, number)` for the first column `k` that has a number not less than `extents[k]`: its first such number
/// and the position `at` of this number. Returns `None` if all numbers are in range.
fn beyond(columns: &[Indices], extents: &[u64]) -> Option<(usize, usize, u64)> {
    let found = |(k, (column, extent)): (usize, (&Indices, &u64))| match with_indices!(column, column => below("column", column, *extent)) {
        Err(SparseError::Range { at, found, .. }) => Some((k, at, found)),
        _ => None,
    };
    columns.iter().zip(extents).enumerate().find_map(found)
}

/// Returns one column for each of `extents`, a sum of digits of `columns`. `place` gives `(to, weight, from, step)` of a
/// digit: `weight` times the digit `(x / step) % count` of column `from` is added to column `to` of the result. The numbers
/// of `columns[k]` are below `sources[k]`, those of result `k` below `extents[k]`. Fails if memory has no room.
fn moved(
    digits: &[AxisDigit],
    columns: &[Indices],
    extents: &[u64],
    sources: &[u64],
    place: impl Fn(&AxisDigit) -> (usize, u64, usize, u64) + Sync,
) -> Result<Vec<Indices<'static>>, SparseError> {
    let len = columns.first().map_or(0, Indices::len);
    let of = |(target, extent): (usize, &u64)| {
        Ok(with_width!(Width::below(*extent), T => {
            let mut out: Vec<T> = try_repeated(T::default(), len).ok_or(SparseError::Memory { elements: len })?;
            parallel::each(&mut out, |start, out| {
                for (tile, out) in out.chunks_mut(parallel::TILE).enumerate() {
                    let start = start + tile * parallel::TILE;
                    for digit in digits.iter().filter(|digit| place(digit).0 == target) {
                        let (_, weight, from, step) = place(digit);
                        // The highest digit of a coordinate needs no remainder.
                        let whole = u128::from(step) * u128::from(digit.count) >= u128::from(sources[from]);
                        let take = Take::new(step, if whole { 0 } else { digit.count });
                        with_indices!(&columns[from], column => take.add(&column[start..start + out.len()], weight, out));
                    }
                }
            });
            Indices::from(out)
        }))
    };
    extents.iter().enumerate().map(of).collect()
}

/// The arithmetic that extracts a digit `(x / step) % count` from a number `x`.
enum Take {
    /// Shift and mask, for powers of two.
    Bits { shift: u32, mask: u64 },
    /// Divisions. With `whole`, the digit is `x / step`.
    Number { step: FastDiv64, count: FastDiv64, whole: bool },
}

impl Take {
    /// Prepares the digit `(x / step) % count`. A `count` of 0 means `x / step`.
    fn new(step: u64, count: u64) -> Take {
        if step.is_power_of_two() && (count == 0 || count.is_power_of_two()) {
            return Take::Bits { shift: step.trailing_zeros(), mask: count.wrapping_sub(1) };
        }
        Take::Number { step: FastDiv64::total(step), count: FastDiv64::total(count), whole: count == 0 }
    }

    /// Adds `weight` times the digit of `column[k]` to `out[k]`, for each `k`.
    #[inline(always)]
    fn add<S: Index, T: Index>(&self, column: &[S], weight: u64, out: &mut [T]) {
        let mut add = |take: &dyn Fn(u64) -> u64| {
            for (slot, x) in out.iter_mut().zip(column) {
                *slot = T::from_low_bits(slot.to_u64().wrapping_add(take(x.to_u64()).wrapping_mul(weight)));
            }
        };
        match self {
            Take::Bits { shift, mask } => {
                for (slot, x) in out.iter_mut().zip(column) {
                    *slot = T::from_low_bits(slot.to_u64().wrapping_add(((x.to_u64() >> shift) & mask).wrapping_mul(weight)));
                }
            }
            Take::Number { step, whole: true, .. } => add(&|x| step.quotient(x)),
            Take::Number { step, count, .. } => add(&|x| count.remainder(step.quotient(x))),
        }
    }
}
