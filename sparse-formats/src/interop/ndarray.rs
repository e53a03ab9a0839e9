//! Conversions from and to dense arrays of `ndarray`.

use crate::kernels::Value;
use crate::{Builder, Duplicates, Format, Indices, LevelKind, OperationError, SparseError, SparseTensor, Values, Width};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::filled;
use array_kernels::with_width;
use layout_levels::Index;
use ndarray::{ArrayD, ArrayRef, Dimension, IxDyn};

/// Tests whether two values are equal, or both are NaN (unequal to themselves).
fn same<V: PartialEq>(a: &V, b: &V) -> bool {
    #[expect(clippy::eq_op, reason = "a NaN is not equal to itself")]
    let nan = |x: &V| x != x;
    a == b || (nan(a) && nan(b))
}

impl<V: Value> Builder<'_, V> {
    /// Builds the tensor of the elements of an array that differ from the builder's fill value.
    ///
    /// All NaN count as one value: a NaN is stored unless the fill value is a NaN. `-0.0` equals `0.0`, so it is
    /// not stored if that is the fill value. [`Builder::build_ndarray_where`] takes any other rule.
    ///
    /// ```
    /// use ndarray::array;
    /// use sparse_formats::{Builder, Format};
    /// let dense = array![[0.0, 1.5, 0.0], [f64::NAN, 0.0, 2.5]];
    /// let a = Builder::new(Format::csr(), 0.0).build_ndarray(&dense)?;
    /// assert_eq!((a.stored(), a.at(&[0, 1]), a.at(&[1, 1])), (3, Some(&1.5), Some(&0.0)));
    /// // Columns of the transposed view are rows of the array.
    /// let b = Builder::new(Format::csc(), 0.0).build_ndarray(&dense.t())?;
    /// assert_eq!(b.pattern().arrays(), a.pattern().arrays());
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    ///
    /// Fails if the format has another rank, and as [`Builder::build`] does.
    pub fn build_ndarray<D: Dimension>(&self, array: &ArrayRef<V, D>) -> Result<SparseTensor<'static, V>, SparseError>
    where
        V: PartialEq,
    {
        self.build_ndarray_where(array, |value| !same(value, self.fill()))
    }

    /// Builds the tensor of the elements of an array for whose values `stored` returns true. Fails as
    /// `Builder::build_ndarray` does.
    ///
    /// ```
    /// use ndarray::array;
    /// use sparse_formats::{Builder, Format};
    /// let dense = array![[0.0, 1.5, 1e-9], [-2.5, 0.0, 0.0]];
    /// let a = Builder::new(Format::csr(), 0.0).build_ndarray_where(&dense, |x: &f64| x.abs() > 1e-6)?;
    /// assert_eq!((a.stored(), a.at(&[0, 2]), a.at(&[1, 0])), (2, Some(&0.0), Some(&-2.5)));
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    pub fn build_ndarray_where<D: Dimension>(
        &self,
        array: &ArrayRef<V, D>,
        mut stored: impl FnMut(&V) -> bool,
    ) -> Result<SparseTensor<'static, V>, SparseError> {
        let shape: Vec<u64> = array.shape().iter().map(|extent| *extent as u64).collect();
        let most = shape.iter().copied().max().unwrap_or(0).saturating_sub(1);
        let mut values = Vec::new();
        let columns: Vec<Indices> = with_width!(Width::of(most), T => {
            let mut columns: Vec<Vec<T>> = vec![Vec::new(); shape.len()];
            let mut coordinate = vec![0u64; shape.len()];
            for value in array {
                if stored(value) {
                    columns.iter_mut().zip(&coordinate).for_each(|(column, c)| column.push(T::from_low_bits(*c)));
                    values.push(value.clone());
                }
                // The array's iterator runs with the last axis fastest, whatever its strides.
                for (c, extent) in coordinate.iter_mut().zip(&shape).rev() {
                    *c += 1;
                    if *c < *extent {
                        break;
                    }
                    *c = 0;
                }
            }
            columns.into_iter().map(Indices::from).collect()
        });
        self.build(&shape, &columns, values)
    }
}

impl<V: Value> SparseTensor<'_, V> {
    /// Converts to a dense array, row-major. Elements that are not stored have the fill value.
    ///
    /// Fails if several elements have the same coordinate ([`SparseTensor::to_ndarray_with`] takes a treatment for
    /// them), if the tensor stores no values, or if memory has no room for the array. Fails if one triangle stands for
    /// both; [`SparseTensor::expand`] stores the second triangle first.
    ///
    /// ```
    /// use ndarray::array;
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![1u8, 0].into(), vec![0u8, 2].into()];
    /// let a = Builder::new(Format::coo(2), 0).build(&[2, 3], &columns, vec![5, 6])?;
    /// assert_eq!(a.to_ndarray()?, array![[0, 0, 6], [5, 0, 0]].into_dyn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_ndarray(&self) -> Result<ArrayD<V>, OperationError> {
        self.to_ndarray_with(Duplicates::Refuse)
    }

    /// Converts to a dense array as `SparseTensor::to_ndarray` does, but treats elements that share a coordinate by
    /// `duplicates`. `Keep` fails for them, as `Refuse` does.
    ///
    /// ```
    /// use ndarray::array;
    /// use sparse_formats::{Builder, Duplicates, Format, Indices};
    /// let columns: [Indices; 1] = [vec![1u8, 1].into()];
    /// let a = Builder::new(Format::vector().with_multigraph(true)?, 0).build(&[3], &columns, vec![5, 6])?;
    /// assert!(a.to_ndarray().is_err(), "two elements are at 1");
    /// assert_eq!(a.to_ndarray_with(Duplicates::sum())?, array![0, 11, 0].into_dyn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_ndarray_with(&self, duplicates: Duplicates<V>) -> Result<ArrayD<V>, OperationError> {
        if self.attributes().is_one_triangle() {
            return Err(SparseError::OneTriangle.into());
        }
        let single;
        let tensor = if self.format().is_multigraph() {
            let format = Format::new(&vec![LevelKind::Indices; self.format().levels()], self.format().axis_order());
            let builder = Builder::new(format?, self.fill().clone()).duplicates(duplicates);
            single = self.convert(&builder)?;
            &single
        } else {
            self
        };
        if let (Values::PatternOnly, 1..) = (tensor.values(), tensor.stored()) {
            return Err(OperationError::PatternOnly);
        }
        let too_large = || SparseError::Blocks { blocks: 1, extents: self.shape().to_vec() };
        let size = crate::shape::product(self.shape().iter().copied()).ok_or_else(too_large)?;
        let mut dense = filled(size, self.fill().clone()).ok_or_else(too_large)?;
        tensor.for_each(|coordinate, value| {
            // The index is less than the size, which fits `usize`.
            let index = coordinate.iter().zip(self.shape()).fold(0, |index, (c, extent)| index * *extent as usize + *c as usize);
            if let Some(value) = value {
                dense[index] = value.clone();
            }
        });
        let extents: Option<Vec<usize>> = self.shape().iter().map(|extent| usize::try_from(*extent).ok()).collect();
        Ok(ArrayD::from_shape_vec(IxDyn(&extents.ok_or_else(too_large)?), dense).map_err(|_| too_large())?)
    }
}
