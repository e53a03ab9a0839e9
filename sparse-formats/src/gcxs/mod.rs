//! GCXS: a tensor as a matrix of compressed rows, whose rows and columns are groups of axes.

mod slice;

use crate::kernels::Value;
use crate::{
    ArrayName, Arrays, AxisMap, Composite, Format, Indices, OperationError, Part, Rejected, Scheme, SparseError, SparseTensor, Values,
};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Deref;

/// A tensor as a matrix of compressed rows, with the names that PyData's `sparse` has for the arrays.
///
/// It wraps a [`Composite`] of the scheme `gcxs[..]`, whose conversions and look-ups it shares. Products take the
/// [`Composite`].
/// The compressed axes together are the rows, the other axes the columns. A tensor of one axis has no compressed
/// axes and one row. Only the sizes of the two groups must fit 64 bits.
///
/// ```
/// use sparse_formats::{Builder, Format, Gcxs, Indices};
/// let columns: [Indices; 3] = [vec![0u8, 1].into(), vec![2u8, 0].into(), vec![3u8, 1].into()];
/// let a = Builder::new(Format::coo(3), 0).build(&[2, 3, 4], &columns, vec![5, 6])?;
/// let gcxs = Gcxs::new(&a, &[0, 1])?;
/// assert_eq!(gcxs.indptr(), &vec![0u8, 0, 0, 1, 2, 2, 2].into());
/// assert_eq!((gcxs.indices(), gcxs.data()), (&vec![3u8, 1].into(), &vec![5, 6].into()));
/// assert_eq!(gcxs.to_string(), "(x0*3 + x1, x2): C-S-R");
/// assert_eq!((gcxs.compressed_axes(), gcxs.map().extents(), gcxs.matrix().shape()), (vec![0, 1], &[6, 4][..], &[6, 4][..]));
/// // The methods of `Composite` take coordinates of the tensor.
/// assert_eq!((gcxs.at(&[1, 0, 1]), gcxs.to_tensor(&Format::coo(3))?), (Some(&6), a));
/// let by_last = gcxs.with_compressed_axes(&[2])?;
/// assert_eq!(by_last.into_parts().indptr, vec![0u8, 0, 1, 1, 2].into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Gcxs<'a, V: Clone>(Composite<'a, V>);

impl<'a, V: Clone> Deref for Gcxs<'a, V> {
    type Target = Composite<'a, V>;

    fn deref(&self) -> &Composite<'a, V> {
        &self.0
    }
}

impl<'a, V: Clone> From<Gcxs<'a, V>> for Composite<'a, V> {
    fn from(gcxs: Gcxs<'a, V>) -> Self {
        gcxs.0
    }
}

/// The extents, axes, arrays and values of a [`Gcxs`], for `Gcxs::from_parts`.
///
/// ```
/// use sparse_formats::{Gcxs, GcxsParts};
/// let parts = |indptr: Vec<u8>| GcxsParts {
///     shape: vec![2, 3],
///     compressed_axes: vec![0],
///     indptr: indptr.into(),
///     indices: vec![2u8, 0].into(),
///     data: vec![5, 6].into(),
///     fill: 0,
/// };
/// let a = Gcxs::from_parts(parts(vec![0, 1, 2]))?;
/// assert_eq!(a.at(&[0, 2]), Some(&5));
/// assert_eq!(a.into_parts(), parts(vec![0, 1, 2]));
/// let refused = Gcxs::from_parts(parts(vec![0, 1])).unwrap_err();
/// assert_eq!(refused.to_string(), "indptr: pointers_0 has 2 elements instead of 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GcxsParts<'a, V: Clone> {
    /// The extents, in the order of the axes.
    pub shape: Vec<u64>,
    /// The axes that form the rows, in increasing order.
    pub compressed_axes: Vec<usize>,
    /// The position of the first element of each row in `indices`, and then the number of all elements. May be empty for a
    /// tensor of one axis.
    pub indptr: Indices<'a>,
    /// The column of each element: its coordinate in the group of the axes that are not compressed.
    pub indices: Indices<'a>,
    /// The values of the elements, in the order of `indices`.
    pub data: Values<'a, V>,
    /// The fill value, which is the value of all elements that are not stored.
    pub fill: V,
}

impl<'a, V: Value + PartialEq> Gcxs<'a, V> {
    /// Converts a tensor, with these axes compressed.
    ///
    /// Fails as [`Scheme::chains`] does, for a multigraph, if the tensor stores one triangle for both, or if memory has no
    /// room.
    pub fn new(tensor: &SparseTensor<V>, compressed_axes: &[usize]) -> Result<Gcxs<'static, V>, OperationError> {
        Gcxs::with_at_most(tensor, compressed_axes, usize::MAX)
    }

    /// Converts like [`Gcxs::new`], but fails if an array would have more than `most` elements. Use it for extents
    /// from untrusted sources, because the array of pointers grows with the number of rows.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Gcxs, Indices};
    /// let columns: [Indices; 3] = [vec![7u8].into(), vec![7u8].into(), vec![7u8].into()];
    /// let a = Builder::new(Format::coo(3), 0).build(&[1_000_000, 1_000_000, 8], &columns, vec![5])?;
    /// assert!(Gcxs::with_at_most(&a, &[0, 1], 1 << 20).is_err(), "a pointer for each of 10^12 rows");
    /// assert_eq!(Gcxs::with_at_most(&a, &[2], 1 << 20)?.indptr().len(), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_at_most(tensor: &SparseTensor<V>, compressed_axes: &[usize], most: usize) -> Result<Gcxs<'static, V>, OperationError> {
        Ok(Gcxs(Composite::with_at_most(tensor, &Scheme::gcxs(compressed_axes), most)?))
    }

    /// Converts the tensor to other compressed axes. Fails as `Gcxs::new` does.
    pub fn with_compressed_axes(&self, compressed_axes: &[usize]) -> Result<Gcxs<'static, V>, OperationError> {
        Ok(Gcxs(self.0.to_scheme(&Scheme::gcxs(compressed_axes))?))
    }

    /// Returns the tensor of these arrays. Checks axes, lengths, pointers, ranges, and that the columns of each row
    /// strictly increase.
    ///
    /// Fails at the first violation, and returns the parts.
    ///
    /// ```
    /// use sparse_formats::{Gcxs, GcxsParts};
    /// // A vector has no compressed axes and one row, whose pointers may be absent.
    /// let (indptr, indices) = (vec![0u8; 0].into(), vec![1u8, 1].into());
    /// let parts = GcxsParts { shape: vec![4], compressed_axes: vec![], indptr, indices, data: vec![5, 6].into(), fill: 0 };
    /// let refused = Gcxs::from_parts(parts).unwrap_err();
    /// assert_eq!(refused.to_string(), "indices: indices_1[1] repeats 1");
    /// let parts = GcxsParts { indices: vec![1u8, 3].into(), ..*refused.parts };
    /// assert_eq!(Gcxs::from_parts(parts)?.at(&[3]), Some(&6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_parts(parts: GcxsParts<'a, V>) -> Result<Self, Rejected<GcxsParts<'a, V>, OperationError>> {
        let map = match AxisMap::rows(&parts.shape, &parts.compressed_axes) {
            Ok(map) => map,
            Err(error) => return Err(Rejected::new(parts, error.into())),
        };
        let GcxsParts { shape, compressed_axes, indptr, indices, data, fill } = parts;
        let absent = shape.len() == 1 && indptr.is_empty();
        let pointers = if absent { Indices::narrowest(&[0, indices.len() as u64]) } else { indptr };
        let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, indices);
        match SparseTensor::from_parts(map.extents(), Format::csr(), arrays, data, fill) {
            Ok(tensor) => Ok(Gcxs(Composite::of_part(Part { map, tensor }))),
            Err(Rejected { parts, error }) => {
                let mut given = of_matrix(shape, compressed_axes, *parts);
                if absent {
                    given.indptr = vec![0u8; 0].into();
                }
                Err(Rejected::new(given, renamed(error)))
            }
        }
    }
}

impl<'a, V: Clone> Gcxs<'a, V> {
    /// Consumes the tensor and returns its axes, arrays and values.
    pub fn into_parts(self) -> GcxsParts<'a, V> {
        let (shape, axes) = (self.shape().to_vec(), self.compressed_axes());
        match self.0.into_parts().pop() {
            Some(part) => of_matrix(shape, axes, part.tensor.into_parts()),
            None => unreachable!("there is one part"),
        }
    }

    /// Returns the axes that form the rows.
    pub fn compressed_axes(&self) -> Vec<usize> {
        self.map().digits_of(0).map(|digit| digit.axis).collect()
    }

    /// Returns the map from a coordinate of the tensor to its row and its column.
    pub fn map(&self) -> &AxisMap {
        &self.parts()[0].map
    }

    /// Returns the matrix of compressed rows, a tensor of two axes.
    pub fn matrix(&self) -> &SparseTensor<'a, V> {
        &self.parts()[0].tensor
    }

    /// Returns the position of the first element of each row, and then the number of all elements.
    pub fn indptr(&self) -> &Indices<'a> {
        array(self.matrix().pattern().pointers(0))
    }

    /// Returns the column of each element in the matrix.
    pub fn indices(&self) -> &Indices<'a> {
        array(self.matrix().pattern().indices(1))
    }

    /// Returns the values of the elements, in the order of the rows.
    pub fn data(&self) -> &Values<'a, V> {
        self.matrix().values()
    }
}

/// Returns the given array, or an empty one for `None`, which does not occur: the matrix has pointers and indices.
fn array<'s, 'a>(array: Option<&'s Indices<'a>>) -> &'s Indices<'a> {
    const NONE: &Indices = &Indices::U8(alloc::borrow::Cow::Borrowed(&[]));
    array.unwrap_or(NONE)
}

/// Returns the parts of a `Gcxs` from the parts of its matrix.
fn of_matrix<'a, V: Clone>(shape: Vec<u64>, compressed_axes: Vec<usize>, parts: crate::TensorParts<'a, V>) -> GcxsParts<'a, V> {
    let take = |arrays: Vec<Option<Indices<'a>>>, level: usize| arrays.into_iter().nth(level).flatten().unwrap_or(vec![0u8; 0].into());
    let (indptr, indices) = (take(parts.arrays.pointers, 0), take(parts.arrays.indices, 1));
    GcxsParts { shape, compressed_axes, indptr, indices, data: parts.values, fill: parts.fill }
}

/// Converts the error of an array of the matrix to one that calls the array `indptr`, `indices` or `data`.
fn renamed(error: SparseError) -> OperationError {
    let name = match error.array() {
        Some(ArrayName::Pointers(_)) => "indptr",
        Some(ArrayName::Indices(_)) => "indices",
        Some(ArrayName::Values) => "data",
        _ => return error.into(),
    };
    OperationError::Array { name, error }
}
