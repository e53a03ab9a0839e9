//! Compressed rows of groups of axes.

mod slice;

use crate::kernels::{Linear, Value};
use crate::tensor::Known;
use crate::{ArrayName, Arrays, Builder, Format, FormatError, Gcs, Indices, OperationError, Rejected, SparseError, SparseTensor, Values};
use alloc::vec;
use alloc::vec::Vec;

/// A tensor as a matrix of compressed rows: the compressed axes together are the rows, the others the columns.
///
/// A tensor of one axis has no compressed axes, and one row. Only the sizes of the two groups must fit 64 bits.
///
/// ```
/// use sparse_formats::{Builder, Format, Gcxs, Indices};
/// let columns: [Indices; 3] = [vec![0u8, 1].into(), vec![2u8, 0].into(), vec![3u8, 1].into()];
/// let a = Builder::new(Format::coo(3), 0).build(&[2, 3, 4], &columns, vec![5, 6])?;
/// let gcxs = Gcxs::new(&a, &[0, 1])?;
/// assert_eq!(gcxs.indptr(), &vec![0u8, 0, 0, 1, 2, 2, 2].into());
/// assert_eq!(gcxs.indices(), &vec![3u8, 1].into());
/// assert_eq!(gcxs.to_tensor(&Format::coo(3))?, a);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Gcxs<'a, V: Clone> {
    gcs: Gcs,
    compressed: Vec<usize>,
    matrix: SparseTensor<'a, V>,
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

impl<'a, V: Value> Gcxs<'a, V> {
    /// The axis that is compressed where none is given: the first of the least extent; none of one axis.
    pub fn default_axes(shape: &[u64]) -> Vec<usize> {
        let least = (0..shape.len()).filter(|_| shape.len() > 1).min_by_key(|axis| shape[*axis]);
        least.into_iter().collect()
    }

    /// The groups that compressed axes make: these, and the others, each in increasing order.
    ///
    /// Fails unless they are increasing, some and not all of the axes, or none of one axis, and the sizes of the groups fit 64 bits.
    pub fn groups(shape: &[u64], compressed_axes: &[usize]) -> Result<Gcs, FormatError> {
        let rank = shape.len();
        let proper = if rank == 1 { compressed_axes.is_empty() } else { !compressed_axes.is_empty() && compressed_axes.len() < rank };
        if rank == 0 || !proper || !compressed_axes.is_sorted_by(|a, b| a < b) || compressed_axes.iter().any(|axis| *axis >= rank) {
            return Err(FormatError::CompressedAxes { axes: compressed_axes.to_vec(), rank });
        }
        let others = (0..rank).filter(|axis| compressed_axes.binary_search(axis).is_err());
        let order: Vec<usize> = compressed_axes.iter().copied().chain(others).collect();
        Gcs::new(shape, &order, &[compressed_axes.len()])
    }

    /// The tensor with these axes compressed.
    ///
    /// Fails as [`Gcxs::groups`], and for a multigraph.
    pub fn new(tensor: &SparseTensor<V>, compressed_axes: &[usize]) -> Result<Gcxs<'static, V>, OperationError> {
        Gcxs::with_at_most(tensor, compressed_axes, usize::MAX)
    }

    /// [`Gcxs::new`] with no array longer than `most`: extents that come from elsewhere ask for as many rows as they say.
    pub fn with_at_most(tensor: &SparseTensor<V>, compressed_axes: &[usize], most: usize) -> Result<Gcxs<'static, V>, OperationError> {
        let gcs = Self::groups(tensor.shape(), compressed_axes)?;
        if tensor.format().is_multigraph() {
            return Err(OperationError::Repeats);
        }
        let columns = tensor.pattern().coordinates()?;
        let builder = Builder::new(Format::csr(), tensor.fill().clone()).at_most(most);
        let matrix = matrix(&gcs, &tensor.expanded(&columns)?, tensor.values().view(), tensor.sorted_axes(), builder)?;
        Ok(Gcxs { gcs, compressed: compressed_axes.to_vec(), matrix })
    }

    /// The tensor in a format.
    pub fn to_tensor(&self, format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        let reduced: Vec<Indices> = self.matrix.pattern().coordinates()?;
        let columns = self.gcs.promote_columns(&reduced)?;
        Ok(Builder::new(format.clone(), self.matrix.fill().clone()).build(self.shape(), &columns, self.matrix.values().view())?)
    }

    /// The tensor with other axes compressed.
    pub fn with_compressed_axes(&self, compressed_axes: &[usize]) -> Result<Gcxs<'static, V>, OperationError> {
        let gcs = Self::groups(self.shape(), compressed_axes)?;
        let columns = self.gcs.promote_columns(&self.matrix.pattern().coordinates()?)?;
        let builder = Builder::new(Format::csr(), self.matrix.fill().clone());
        let matrix = matrix(&gcs, &columns, self.matrix.values().view(), self.gcs.axis_order(), builder)?;
        Ok(Gcxs { gcs, compressed: compressed_axes.to_vec(), matrix })
    }

    /// The tensor of these arrays, if they are what they should be: axes, lengths, pointers, ranges, columns of each row sorted and distinct.
    ///
    /// Fails with the first violation, and gives the parts back.
    pub fn from_parts(parts: GcxsParts<'a, V>) -> Result<Self, Rejected<GcxsParts<'a, V>, OperationError>> {
        let gcs = match Self::groups(&parts.shape, &parts.compressed_axes) {
            Ok(gcs) => gcs,
            Err(error) => return Err(Rejected::new(parts, error.into())),
        };
        let GcxsParts { shape, compressed_axes, indptr, indices, data, fill } = parts;
        let absent = shape.len() == 1 && indptr.is_empty();
        let pointers = if absent { Indices::narrowest(&[0, indices.len() as u64]) } else { indptr };
        let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, indices);
        match SparseTensor::from_parts(gcs.group_shape(), Format::csr(), arrays, data, fill) {
            Ok(matrix) => Ok(Gcxs { gcs, compressed: compressed_axes, matrix }),
            Err(Rejected { parts, error }) => {
                let mut given = of_matrix(shape, compressed_axes, *parts);
                if absent {
                    given.indptr = vec![0u8; 0].into();
                }
                Err(Rejected::new(given, renamed(error)))
            }
        }
    }

    /// The parts.
    pub fn into_parts(self) -> GcxsParts<'a, V> {
        of_matrix(self.gcs.shape().to_vec(), self.compressed, self.matrix.into_parts())
    }

    /// The extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        self.gcs.shape()
    }

    /// The axes that make the rows.
    pub fn compressed_axes(&self) -> &[usize] {
        &self.compressed
    }

    /// The groups of axes.
    pub fn gcs(&self) -> &Gcs {
        &self.gcs
    }

    /// The matrix.
    pub fn matrix(&self) -> &SparseTensor<'a, V> {
        &self.matrix
    }

    /// Where each row begins, and the end of the last.
    pub fn indptr(&self) -> &Indices<'a> {
        self.array(self.matrix.pattern().pointers(0))
    }

    /// The column of each element.
    pub fn indices(&self) -> &Indices<'a> {
        self.array(self.matrix.pattern().indices(1))
    }

    fn array<'s>(&'s self, array: Option<&'s Indices<'a>>) -> &'s Indices<'a> {
        const NONE: &Indices = &Indices::U8(alloc::borrow::Cow::Borrowed(&[]));
        array.unwrap_or(NONE)
    }

    /// The values.
    pub fn data(&self) -> &Values<'a, V> {
        self.matrix.values()
    }

    /// The value at a coordinate; `None` out of range, and where values are not stored.
    pub fn at(&self, coordinate: &[u64]) -> Option<&V> {
        self.matrix.at(&self.gcs.reduce(coordinate).ok()?)
    }
}

/// The matrix of two groups of axes, from distinct coordinates in range that are in the order of the axes `order`.
fn matrix<V: Value>(
    gcs: &Gcs,
    columns: &[Indices],
    values: Values<V>,
    order: &[usize],
    builder: Builder<V>,
) -> Result<SparseTensor<'static, V>, OperationError> {
    // Entries of a row rise if, without the axes of the rows, the order is that of the columns.
    let rising = order.iter().filter(|axis| !gcs.axes(0).contains(axis)).eq(gcs.axes(1));
    let known = Known { in_range: true, rising, distinct: true, ..Known::default() };
    let group = |group: usize| gcs.axes(group).iter().map(|axis| (columns[*axis].view(), gcs.shape()[*axis])).unzip();
    let groups: [(Vec<Indices>, Vec<u64>); 2] = core::array::from_fn(group);
    let linear = groups.each_ref().map(|(columns, extents)| Linear { columns, extents });
    if let Some((pattern, values)) = builder.matrix(gcs.group_shape(), linear, &values, known)? {
        return Ok(builder.tensor(pattern, values)?);
    }
    Ok(builder.build_known(gcs.group_shape(), &gcs.reduce_columns(columns)?, values, known)?)
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
