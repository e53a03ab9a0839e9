//! Compressed rows of groups of axes.

mod slice;

use crate::kernels::Value;
use crate::{
    ArrayName, Arrays, AxisMap, Composite, Format, Indices, OperationError, Part, Rejected, Scheme, SparseError, SparseTensor, Values,
};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Deref;

/// A tensor as a matrix of compressed rows, by the names that PyData's `sparse` has for its arrays: a [`Composite`] of the scheme `gcxs[..]`.
///
/// The compressed axes together are the rows, the others the columns. A tensor of one axis has no compressed axes, and one row. Only the sizes of the two groups must fit 64 bits.
/// Conversions and look-ups are those of the [`Composite`], and it is what products take.
///
/// ```
/// use sparse_formats::{Builder, Format, Gcxs, Indices};
/// let columns: [Indices; 3] = [vec![0u8, 1].into(), vec![2u8, 0].into(), vec![3u8, 1].into()];
/// let a = Builder::new(Format::coo(3), 0).build(&[2, 3, 4], &columns, vec![5, 6])?;
/// let gcxs = Gcxs::new(&a, &[0, 1])?;
/// assert_eq!(gcxs.indptr(), &vec![0u8, 0, 0, 1, 2, 2, 2].into());
/// assert_eq!(gcxs.indices(), &vec![3u8, 1].into());
/// assert_eq!(gcxs.to_tensor(&Format::coo(3))?, a);
/// assert_eq!(gcxs.to_string(), "(x0*3 + x1, x2): C-S-R");
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

/// The parts of a [`Gcxs`].
#[derive(Clone, Debug, PartialEq)]
pub struct GcxsParts<'a, V: Clone> {
    /// The extents.
    pub shape: Vec<u64>,
    /// The axes that make the rows, in increasing order.
    pub compressed_axes: Vec<usize>,
    /// Where each row begins, and the end of the last; of a tensor of one axis it may be empty.
    pub indptr: Indices<'a>,
    /// The column of each element.
    pub indices: Indices<'a>,
    /// The values.
    pub data: Values<'a, V>,
    /// The value of elements that are not stored.
    pub fill: V,
}

impl<'a, V: Value + PartialEq> Gcxs<'a, V> {
    /// The tensor with these axes compressed.
    ///
    /// Fails as [`Scheme::chains`], and for a multigraph.
    pub fn new(tensor: &SparseTensor<V>, compressed_axes: &[usize]) -> Result<Gcxs<'static, V>, OperationError> {
        Gcxs::with_at_most(tensor, compressed_axes, usize::MAX)
    }

    /// [`Gcxs::new`] with no array longer than `most`: extents that come from elsewhere ask for as many rows as they say.
    pub fn with_at_most(tensor: &SparseTensor<V>, compressed_axes: &[usize], most: usize) -> Result<Gcxs<'static, V>, OperationError> {
        Ok(Gcxs(Composite::with_at_most(tensor, &Scheme::gcxs(compressed_axes), most)?))
    }

    /// The tensor with other axes compressed.
    pub fn with_compressed_axes(&self, compressed_axes: &[usize]) -> Result<Gcxs<'static, V>, OperationError> {
        Ok(Gcxs(self.0.to_scheme(&Scheme::gcxs(compressed_axes))?))
    }

    /// The tensor of these arrays, if they are what they should be: axes, lengths, pointers, ranges, columns of each row sorted and distinct.
    ///
    /// Fails with the first violation, and gives the parts back.
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
    /// The parts.
    pub fn into_parts(self) -> GcxsParts<'a, V> {
        let (shape, axes) = (self.shape().to_vec(), self.compressed_axes());
        match self.0.into_parts().pop() {
            Some(part) => of_matrix(shape, axes, part.tensor.into_parts()),
            None => unreachable!("there is one part"),
        }
    }

    /// The axes that make the rows.
    pub fn compressed_axes(&self) -> Vec<usize> {
        self.map().digits_of(0).map(|digit| digit.axis).collect()
    }

    /// The two groups of axes.
    pub fn map(&self) -> &AxisMap {
        &self.parts()[0].map
    }

    /// The matrix.
    pub fn matrix(&self) -> &SparseTensor<'a, V> {
        &self.parts()[0].tensor
    }

    /// Where each row begins, and the end of the last.
    pub fn indptr(&self) -> &Indices<'a> {
        array(self.matrix().pattern().pointers(0))
    }

    /// The column of each element.
    pub fn indices(&self) -> &Indices<'a> {
        array(self.matrix().pattern().indices(1))
    }

    /// The values.
    pub fn data(&self) -> &Values<'a, V> {
        self.matrix().values()
    }
}

/// An array that the matrix has.
fn array<'s, 'a>(array: Option<&'s Indices<'a>>) -> &'s Indices<'a> {
    const NONE: &Indices = &Indices::U8(alloc::borrow::Cow::Borrowed(&[]));
    array.unwrap_or(NONE)
}

fn of_matrix<'a, V: Clone>(shape: Vec<u64>, compressed_axes: Vec<usize>, parts: crate::TensorParts<'a, V>) -> GcxsParts<'a, V> {
    let take = |arrays: Vec<Option<Indices<'a>>>, level: usize| arrays.into_iter().nth(level).flatten().unwrap_or(vec![0u8; 0].into());
    let (indptr, indices) = (take(parts.arrays.pointers, 0), take(parts.arrays.indices, 1));
    GcxsParts { shape, compressed_axes, indptr, indices, data: parts.values, fill: parts.fill }
}

/// The error of an array of the matrix, by the name that it has here.
fn renamed(error: SparseError) -> OperationError {
    let name = match error.array() {
        Some(ArrayName::Pointers(_)) => "indptr",
        Some(ArrayName::Indices(_)) => "indices",
        Some(ArrayName::Values) => "data",
        _ => return error.into(),
    };
    OperationError::Array { name, error }
}
