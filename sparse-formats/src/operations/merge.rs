//! Two tensors element by element.

use super::OperationError;
use crate::attributes::Change;
use crate::{Builder, Format, Indices, SparseTensor};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::{Add, Mul};

/// Which elements of two tensors are stored in their merger.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Merge {
    /// Those that are stored in one of them; the other's is its fill value.
    Union,
    /// Those that are stored in both; all others are believed to be `f` of the fill values.
    Intersection,
}

impl<V: crate::kernels::Value> SparseTensor<'_, V> {
    /// `f` of the elements of two tensors of one shape, in a format; the fill value is `f` of theirs. Values that are not stored are refused.
    ///
    /// Sorted elements are merged by their coordinates in the axis order of the format; a tensor in another order is sorted first.
    pub fn merge<W: Clone, U: crate::kernels::Value>(
        &self,
        other: &SparseTensor<W>,
        merge: Merge,
        format: &Format,
        f: impl FnMut(&V, &W) -> U,
    ) -> Result<SparseTensor<'static, U>, OperationError> {
        self.merge_as(other, merge, format, false, f)
    }

    fn merge_as<W: Clone, U: crate::kernels::Value>(
        &self,
        other: &SparseTensor<W>,
        merge: Merge,
        format: &Format,
        sum: bool,
        mut f: impl FnMut(&V, &W) -> U,
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
        let (left, right) = (Stream::new(self, format.axis_order())?, Stream::new(other, format.axis_order())?);
        let fill = f(self.fill(), other.fill());
        let mut columns: Vec<Vec<u64>> = alloc::vec![Vec::new(); self.shape().len()];
        let mut values = Vec::new();
        let (mut i, mut j) = (0, 0);
        while i < left.length || j < right.length {
            let side = left.compare(i, &right, j);
            let value = match side {
                Ordering::Equal => Some(f(left.value(i)?, right.value(j)?)),
                _ if merge == Merge::Intersection => None,
                Ordering::Less => Some(f(left.value(i)?, other.fill())),
                Ordering::Greater => Some(f(self.fill(), right.value(j)?)),
            };
            if let Some(value) = value {
                let (columns_of, k) =
                    if side == Ordering::Greater { (&right.columns, right.place(j)) } else { (&left.columns, left.place(i)) };
                columns.iter_mut().zip(columns_of).for_each(|(column, of)| column.extend(of.get(k)));
                values.push(value);
            }
            i += usize::from(side != Ordering::Greater);
            j += usize::from(side != Ordering::Less);
        }
        // The columns are in storage order, those of a tensor in the order of its axes.
        let place = crate::shape::inverse(format.axis_order());
        let columns: Vec<Indices> = place.iter().map(|k| Indices::narrowest(&columns[*k])).collect();
        let builder = Builder::new(format.clone(), fill);
        Ok(builder.build(self.shape(), &columns, values)?.with_believed(attributes))
    }

    /// The sum, in this tensor's format: elements that are stored in one of them.
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
        self.merge_as(other, Merge::Union, self.format(), true, |a, b| a.clone() + b.clone())
    }

    /// The product element by element, in this tensor's format: elements that are stored in both where both fill values are the zero that
    /// `V::default()` is, and in one of them otherwise. A zero times an infinity that is stored in one of them only is not computed.
    pub fn multiply(&self, other: &SparseTensor<V>) -> Result<SparseTensor<'static, V>, OperationError>
    where
        V: Mul<Output = V> + Default + PartialEq,
    {
        let zero = V::default();
        let merge = if *self.fill() == zero && *other.fill() == zero { Merge::Intersection } else { Merge::Union };
        self.merge(other, merge, self.format(), |a, b| a.clone() * b.clone())
    }
}

/// The elements of a tensor in some axis order.
struct Stream<'t, V: Clone> {
    tensor: &'t SparseTensor<'t, V>,
    /// The coordinates, in that order.
    columns: Vec<Indices<'static>>,
    permutation: Option<Vec<usize>>,
    length: usize,
}

impl<'t, V: Clone> Stream<'t, V> {
    fn new(tensor: &'t SparseTensor<'_, V>, axes: &[usize]) -> Result<Self, OperationError> {
        let mut columns: Vec<Option<Indices>> = tensor.all_coordinates()?.into_iter().map(Some).collect();
        let length = columns.first().map_or(tensor.stored(), |column| column.as_ref().map_or(0, Indices::len));
        let columns: Vec<Indices<'static>> = axes.iter().filter_map(|axis| columns[*axis].take()).collect();
        let order = crate::sort::order(&columns).map_err(|_| crate::BuildError::Memory { elements: length })?;
        let permutation = (!order.is_identity()).then(|| order.iter().collect());
        Ok(Stream { tensor, columns, permutation, length })
    }

    fn place(&self, k: usize) -> usize {
        self.permutation.as_ref().map_or(k, |permutation| permutation[k])
    }

    fn value(&self, k: usize) -> Result<&V, OperationError> {
        self.tensor.values().get(self.place(k)).ok_or(OperationError::PatternOnly)
    }

    /// Which of two elements comes first; a stream that has ended comes last.
    fn compare<W: Clone>(&self, i: usize, other: &Stream<W>, j: usize) -> Ordering {
        match (i < self.length, j < other.length) {
            (true, true) => {
                let (i, j) = (self.place(i), other.place(j));
                let pairs = self.columns.iter().zip(&other.columns).map(|(a, b)| a.get(i).cmp(&b.get(j)));
                pairs.fold(Ordering::Equal, Ordering::then)
            }
            (more, _) => {
                if more {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}
