//! Merges two tensors element by element, in any formats. `merge_rows` has the loop for compressed rows, and
//! `coiterate` the loop for all other levels.

use super::coiterate::OnProgress;
use super::merge_rows::{has_rows, merged_rows};
use crate::attributes::Change;
use crate::kernels::Value;
use crate::{Builder, Format, OperationError, SparseTensor, SparsityPattern, Values};
use alloc::vec::Vec;
use core::ops::{Add, Mul};

/// The pattern and the values of a merge.
type Stored<U> = (SparsityPattern<'static>, Vec<U>);

/// The elements of two tensors that their merge stores.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, Merge};
/// let build = |at: Vec<u8>, values: Vec<i32>| Builder::new(Format::vector(), 0).build(&[9], &[Indices::from(at)], values);
/// let (a, b) = (build(vec![1, 4], vec![1, 2])?, build(vec![4, 7], vec![10, 20])?);
/// let merged = |merge| a.merge(&b, merge, &Format::vector(), |x, y| *x.max(y));
/// assert_eq!(merged(Merge::Union)?, build(vec![1, 4, 7], vec![1, 10, 20])?);
/// assert_eq!(merged(Merge::Intersection)?, build(vec![4], vec![10])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Merge {
    /// Elements stored in at least one of them. A missing element has the fill value.
    Union,
    /// Elements stored in both. All other elements are assumed to be `f` of the fill values.
    Intersection,
}

impl<V: Value> SparseTensor<'_, V> {
    /// Applies `f` to the elements of two tensors of one shape, and stores the result in `format`. The fill value
    /// is `f` of the fill values.
    ///
    /// Levels that store the axes in the order of the format are merged in step: two dense levels by index, a dense
    /// and a sorted one by look-up, two sorted ones by a linear merge. A tensor with another order, other dense
    /// axes or unsorted levels is converted first. Results that equal the fill value are stored too, and a stored
    /// block over dense axes stores all its elements. With the feature `parallel`, several threads merge compressed rows.
    ///
    /// Fails if the shapes or the rank of `format` differ, if a tensor is a multigraph or stores no values, if the result
    /// would lack a symmetry or triangle that stands for elements, or if memory has no room.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, Merge};
    /// // Weights where a mask is set, and 0 elsewhere.
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let weights = Builder::new(Format::csr(), 0.0).build(&[2, 3], &columns, vec![0.5, 2.0])?;
    /// let columns: [Indices; 2] = [vec![1u8, 1].into(), vec![0u8, 1].into()];
    /// let mask = Builder::new(Format::coo(2), 0u8).build(&[2, 3], &columns, vec![1, 1])?;
    /// let masked = weights.merge(&mask, Merge::Intersection, &Format::dcsr(), |x, bit| x * f64::from(*bit))?;
    /// assert_eq!((masked.stored(), masked.at(&[1, 0]), masked.at(&[0, 2])), (1, Some(&2.0), Some(&0.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge<W: Value, U: Value>(
        &self,
        other: &SparseTensor<W>,
        merge: Merge,
        format: &Format,
        f: impl Fn(&V, &W) -> U + Sync,
    ) -> Result<SparseTensor<'static, U>, OperationError> {
        self.merge_as(other, merge, format, false, &f)
    }

    /// Merges as [`SparseTensor::merge`] does, with a function that remembers: it is called in the order of the elements. Calls
    /// `told` after each row.
    pub(crate) fn merge_in_order<W: Value, U: Value>(
        &self,
        other: &SparseTensor<W>,
        merge: Merge,
        format: &Format,
        told: Option<OnProgress<'_>>,
        mut f: impl FnMut(&V, &W) -> U,
    ) -> Result<SparseTensor<'static, U>, OperationError> {
        self.merge_by(other, format, false, |left, right, format| {
            let merged = super::coiterate::merged(left, right, merge == Merge::Union, format, told, &mut f)?;
            Ok((merged, f(self.fill(), other.fill())))
        })
    }

    /// Merges as `SparseTensor::merge` does. `sum` says that `f` is a sum, which keeps every symmetry.
    fn merge_as<W: Value, U: Value>(
        &self,
        other: &SparseTensor<W>,
        merge: Merge,
        format: &Format,
        sum: bool,
        f: &(impl Fn(&V, &W) -> U + Sync),
    ) -> Result<SparseTensor<'static, U>, OperationError> {
        let union = merge == Merge::Union;
        self.merge_by(other, format, sum, |left, right, format| {
            let merged = match has_rows(left, right, format) {
                true => merged_rows(left, right, union, format, f)?,
                false => super::coiterate::merged(left, right, union, format, None, f)?,
            };
            Ok((merged, f(self.fill(), other.fill())))
        })
    }

    /// Merges by `merged`, which receives both tensors with sorted levels in the order of the sorted format that it also
    /// receives. It returns the pattern and the values in this format, and the fill value.
    fn merge_by<W: Value, U: Value>(
        &self,
        other: &SparseTensor<W>,
        format: &Format,
        sum: bool,
        merged: impl FnOnce(&SparseTensor<V>, &SparseTensor<W>, &Format) -> Result<(Stored<U>, U), OperationError>,
    ) -> Result<SparseTensor<'static, U>, OperationError> {
        if self.shape() != other.shape() {
            return Err(OperationError::Shapes { left: self.shape().to_vec(), right: other.shape().to_vec() });
        }
        if format.rank() != self.shape().len() {
            return Err(OperationError::Rank { found: format.rank(), expected: self.shape().len() });
        }
        if self.format().is_multigraph() || other.format().is_multigraph() {
            return Err(OperationError::Multigraph);
        }
        let attributes = self.attributes().after(Change::Merged { with: other.attributes(), sum })?;
        let attributes = attributes.after(Change::Format { padded: format.dense_axes() > 0, combined: false })?;
        // `coiterate` writes only formats that are sorted, without repeated coordinates and split nodes.
        let sorted = format.of_axes(&(0..format.rank()).collect::<Vec<_>>(), false)?;
        let (left, right) = (self.in_order(&sorted)?, other.in_order(&sorted)?);
        let ((pattern, values), fill) = merged(&left, &right, &sorted)?;
        let plain = format.balanced().is_none() && format.kinds() == sorted.kinds();
        let pattern = if plain { pattern.with_format(format.clone()) } else { pattern };
        let built = SparseTensor::new(pattern, values, fill).map_err(|rejected| rejected.error)?;
        let built = if plain { built } else { built.convert(&Builder::new(format.clone(), built.fill().clone()))? };
        Ok(built.with_believed(attributes))
    }

    /// Returns the tensor with sorted levels, which store the axes in the order of `format`. Borrows the arrays if they already
    /// do, whatever the kinds of the levels. Otherwise converts the tensor to `format`.
    ///
    /// Fails if a conversion finds no values or no memory.
    fn in_order(&self, format: &Format) -> Result<SparseTensor<'_, V>, OperationError> {
        let own = self.format();
        let fits = self.pattern().is_sorted() && own.levels() == format.levels() && own.axis_order() == format.axis_order();
        if fits {
            return Ok(self.view());
        }
        if let Values::PatternOnly = self.values() {
            return Err(OperationError::PatternOnly);
        }
        let plain = SparseTensor::new(self.pattern().view(), self.values().view(), self.fill().clone());
        Ok(plain.map_err(|rejected| rejected.error)?.to_format(format)?)
    }

    /// Adds two tensors, in this tensor's format. Stores the elements that are stored in at least one of them. Fails as
    /// `SparseTensor::merge` does.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let build = |at: Vec<u8>, values: Vec<i32>| Builder::new(Format::vector(), 0).build(&[9], &[Indices::from(at)], values);
    /// let (a, b) = (build(vec![1, 4], vec![1, 2])?, build(vec![4, 7], vec![10, 20])?);
    /// assert_eq!(a.add(&b)?, build(vec![1, 4, 7], vec![1, 12, 20])?);
    /// assert_eq!(a.multiply(&b)?, build(vec![4], vec![20])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&self, other: &SparseTensor<V>) -> Result<SparseTensor<'static, V>, OperationError>
    where
        V: Add<Output = V>,
    {
        self.merge_as(other, Merge::Union, self.format(), true, &|a: &V, b: &V| a.clone() + b.clone())
    }

    /// Multiplies two tensors element by element, in this tensor's format.
    ///
    /// If both fill values are the zero `V::default()`, stores the elements that both tensors store. An infinity that only
    /// one tensor stores is then not multiplied by a zero. With another fill value, stores the elements that at least one
    /// tensor stores. Fails as `SparseTensor::merge` does.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let build = |at: Vec<u8>, values: Vec<i32>, fill| Builder::new(Format::vector(), fill).build(&[9], &[Indices::from(at)], values);
    /// let a = build(vec![1, 4], vec![2, 3], 0)?;
    /// assert_eq!(a.multiply(&build(vec![4, 7], vec![10, 20], 0)?)?, build(vec![4], vec![30], 0)?);
    /// // Elements that are not stored multiply by 1 here.
    /// assert_eq!(a.multiply(&build(vec![4, 7], vec![10, 20], 1)?)?, build(vec![1, 4, 7], vec![2, 30, 0], 0)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn multiply(&self, other: &SparseTensor<V>) -> Result<SparseTensor<'static, V>, OperationError>
    where
        V: Mul<Output = V> + Default + PartialEq,
    {
        let zero = V::default();
        let merge = if *self.fill() == zero && *other.fill() == zero { Merge::Intersection } else { Merge::Union };
        self.merge(other, merge, self.format(), |a, b| a.clone() * b.clone())
    }
}
