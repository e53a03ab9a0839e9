//! Maps of many coordinates at once, an array for each axis, on all threads.

use super::{AxisMap, Digit, require_length};
use crate::kernels::below;
use crate::{Indices, OperationError, SparseError, Width, with_indices};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory::try_repeated;
use array_kernels::parallel;
use array_kernels::with_width;
use layout_core::number::FastDiv64;
use layout_levels::Index;

impl AxisMap {
    /// The columns of stored coordinates of these columns, one for each axis, which are in range.
    ///
    /// # Errors
    /// Memory has no room for them.
    pub fn forward_columns(&self, columns: &[Indices]) -> Result<Vec<Indices<'static>>, SparseError> {
        if self.is_diagonal() {
            return self.reflected(columns, &self.extents);
        }
        let place = |digit: &Digit| (digit.target, digit.weight, digit.axis, digit.step);
        moved(&self.digits, columns, &self.extents, &self.shape, place)
    }

    /// The columns of the coordinates of stored ones. They are cut to the width of the extents: what is beyond them is for the caller to find.
    ///
    /// # Errors
    /// Memory has no room for them.
    pub fn backward_columns(&self, stored: &[Indices]) -> Result<Vec<Indices<'static>>, SparseError> {
        if self.is_diagonal() {
            return self.reflected(stored, &self.shape);
        }
        // Digits may count beyond the extent.
        let reach: Vec<u64> = (0..self.shape.len()).map(|axis| self.reach(axis)).collect();
        let place = |digit: &Digit| (digit.axis, digit.step, digit.target, digit.weight);
        moved(&self.digits, stored, &reach, &self.extents, place)
    }

    /// [`AxisMap::reflect`] of columns. A number that is not below its extent becomes the extent.
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

    /// Returns the stored columns of columns that may be out of range, as narrow as can be.
    ///
    /// # Errors
    /// What [`AxisMap::reduce`] refuses, with the position; columns of different lengths; memory has no room for them.
    pub fn reduce_columns(&self, columns: &[Indices]) -> Result<Vec<Indices<'static>>, OperationError> {
        require_alike(columns, self.shape())?;
        self.require_columns_in_shape(columns)?;
        Ok(self.forward_columns(columns)?)
    }

    /// Returns the columns of stored ones that may be out of range, or stand for none.
    ///
    /// # Errors
    /// What [`AxisMap::promote`] refuses, with the position; columns of different lengths; memory has no room for them.
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

/// Tests that there is a column for each extent, and that all have one length.
fn require_alike(columns: &[Indices], extents: &[u64]) -> Result<(), OperationError> {
    require_length(columns, extents)?;
    let first = columns.first().map_or(0, Indices::len);
    match columns.iter().find(|column| column.len() != first) {
        Some(column) => Err(OperationError::Lengths { first, found: column.len() }),
        None => Ok(()),
    }
}

/// The first column with a number that is not less than its extent, where that is, and the number.
fn beyond(columns: &[Indices], extents: &[u64]) -> Option<(usize, usize, u64)> {
    let found = |(k, (column, extent)): (usize, (&Indices, &u64))| match with_indices!(column, column => below("column", column, *extent)) {
        Err(SparseError::Range { at, found, .. }) => Some((k, at, found)),
        _ => None,
    };
    columns.iter().zip(extents).enumerate().find_map(found)
}

/// `(to, weight, from, step)` of each digit: adds `weight` times the digit of column `from` to column `to`.
fn moved(
    digits: &[Digit],
    columns: &[Indices],
    extents: &[u64],
    sources: &[u64],
    place: impl Fn(&Digit) -> (usize, u64, usize, u64) + Sync,
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
                        // The last digit of a coordinate is what is left of it.
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

/// How a digit is taken out of a number.
enum Take {
    /// Bits.
    Bits { shift: u32, mask: u64 },
    /// By divisions; `count` 0 takes all that is left.
    Number { step: FastDiv64, count: FastDiv64, whole: bool },
}

impl Take {
    fn new(step: u64, count: u64) -> Take {
        if step.is_power_of_two() && (count == 0 || count.is_power_of_two()) {
            return Take::Bits { shift: step.trailing_zeros(), mask: count.wrapping_sub(1) };
        }
        Take::Number { step: FastDiv64::total(step), count: FastDiv64::total(count), whole: count == 0 }
    }

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
