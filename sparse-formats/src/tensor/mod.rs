//! Sparse tensors: a pattern, values, a fill value for unstored elements, and attributes.

// `build` makes tensors from coordinates, `matrix` is its faster way for matrices, and `convert` changes the format.
// `values` has the values.
mod build;
mod convert;
mod matrix;
mod values;

pub use build::Builder;
pub(crate) use matrix::InputFacts;
pub use values::Values;

use crate::{Arrays, Attributes, Format, PatternParts, Rejected, SparseError, SparsityPattern};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::ControlFlow;

/// The extents, the format, the arrays, the values and the fill value of a [`SparseTensor`].
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, SparseTensor, TensorParts};
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![5, 6])?;
/// let TensorParts { shape, format, arrays, values, fill } = a.clone().into_parts();
/// assert_eq!((arrays.indices[1].as_ref(), &values), (Some(&vec![2u8, 0].into()), &vec![5, 6].into()));
/// assert_eq!(SparseTensor::from_parts(&shape, format, arrays, values, fill)?, a);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TensorParts<'a, V: Clone> {
    /// The extents, in the order of the axes.
    pub shape: Vec<u64>,
    /// The format.
    pub format: Format,
    /// The arrays of the levels.
    pub arrays: Arrays<'a>,
    /// The values, in storage order.
    pub values: Values<'a, V>,
    /// The fill value, which is the value of all elements that are not stored.
    pub fill: V,
}

/// A sparse tensor: stored coordinates and their values. All other elements are `fill`.
///
/// A stored element may equal `fill`. Only [`SparseTensor::pruned`] removes such elements.
///
/// ```
/// use sparse_formats::{Arrays, Format, SparseTensor};
/// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
/// let a = SparseTensor::from_parts(&[3, 4], Format::csr(), arrays, vec![1.0, 2.0, 3.0], 0.0)?;
/// assert_eq!((a.at(&[0, 3]), a.at(&[1, 3]), a.at(&[3, 0])), (Some(&2.0), Some(&0.0), None));
/// assert_eq!((a.shape(), a.format(), a.stored(), a.fill()), (&[3, 4][..], &Format::csr(), 3, &0.0));
/// assert_eq!((a.values(), a.attributes().symmetry), (&vec![1.0, 2.0, 3.0].into(), None));
/// let mut seen = Vec::new();
/// a.for_each(|coordinate, value| seen.push((coordinate.to_vec(), value.copied())));
/// assert_eq!(seen, [(vec![0, 1], Some(1.0)), (vec![0, 3], Some(2.0)), (vec![2, 0], Some(3.0))]);
/// let columns = a.to_format(&Format::csc())?;
/// assert_eq!(columns.pattern().pointers(0), Some(&vec![0u8, 1, 2, 2, 3].into()));
/// // A view borrows the arrays, and `into_owned` copies borrowed ones.
/// let copy: SparseTensor<'static, f64> = a.view().into_owned();
/// assert_eq!(copy.into_parts().values, a.into_parts().values);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SparseTensor<'a, V: Clone> {
    pub(crate) pattern: Arc<SparsityPattern<'a>>,
    pub(crate) values: Values<'a, V>,
    pub(crate) fill: V,
    pub(crate) attributes: Attributes,
}

impl<'a, V: Clone> SparseTensor<'a, V> {
    /// Returns the tensor of these parts. Checks them as [`SparsityPattern::from_parts`] does, and the number of values.
    ///
    /// Fails at the first violation, and returns the parts.
    pub fn from_parts(
        shape: &[u64],
        format: Format,
        arrays: Arrays<'a>,
        values: impl Into<Values<'a, V>>,
        fill: V,
    ) -> Result<Self, Rejected<TensorParts<'a, V>, SparseError>> {
        SparseTensor::of_pattern(SparsityPattern::checked(shape, format, arrays, true), values.into(), fill)
    }

    /// Returns the tensor of these parts. Checks them only as far as [`SparsityPattern::from_parts_unchecked`] does, and
    /// the number of values. Fails at the first violation, and returns the parts.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparseTensor};
    /// // Arrays that this program has made itself.
    /// let arrays = || Arrays::new().with_pointers(0, vec![0u8, 1, 2]).with_indices(1, vec![2u8, 0]);
    /// assert_eq!(SparseTensor::from_parts_unchecked(&[2, 3], Format::csr(), arrays(), vec![5, 6], 0)?.at(&[1, 0]), Some(&6));
    /// let refused = SparseTensor::from_parts_unchecked(&[2, 3], Format::csr(), arrays(), vec![5], 0).unwrap_err();
    /// assert_eq!(refused.to_string(), "values has 1 elements instead of 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_parts_unchecked(
        shape: &[u64],
        format: Format,
        arrays: Arrays<'a>,
        values: impl Into<Values<'a, V>>,
        fill: V,
    ) -> Result<Self, Rejected<TensorParts<'a, V>, SparseError>> {
        SparseTensor::of_pattern(SparsityPattern::checked(shape, format, arrays, false), values.into(), fill)
    }

    /// Returns the tensor of a pattern. Fails if there is no pattern or the number of values is wrong, and returns the parts.
    fn of_pattern(
        pattern: Result<SparsityPattern<'a>, Rejected<PatternParts<'a>, SparseError>>,
        values: Values<'a, V>,
        fill: V,
    ) -> Result<Self, Rejected<TensorParts<'a, V>, SparseError>> {
        let all = |parts: PatternParts<'a>, values, fill, error| {
            let PatternParts { shape, format, arrays } = parts;
            Rejected::new(TensorParts { shape, format, arrays, values, fill }, error)
        };
        match pattern {
            Ok(pattern) => SparseTensor::new(pattern, values, fill).map_err(|Rejected { parts, error }| {
                let (pattern, values, fill) = *parts;
                all(Arc::unwrap_or_clone(pattern).into_parts(), values, fill, error)
            }),
            Err(Rejected { parts, error }) => Err(all(*parts, values, fill, error)),
        }
    }

    /// Returns the tensor of a pattern and values. Tensors can share a pattern.
    ///
    /// Fails unless there is one value for each element, and returns the pattern and the values.
    #[expect(clippy::type_complexity, reason = "the parts as they were given")]
    pub fn new(
        pattern: impl Into<Arc<SparsityPattern<'a>>>,
        values: impl Into<Values<'a, V>>,
        fill: V,
    ) -> Result<Self, Rejected<(Arc<SparsityPattern<'a>>, Values<'a, V>, V), SparseError>> {
        let (pattern, values) = (pattern.into(), values.into());
        match pattern.check_values(&[], values.len()) {
            Ok(()) => Ok(SparseTensor { pattern, values, fill, attributes: Attributes::default() }),
            Err(error) => Err(Rejected::new((pattern, values, fill), error)),
        }
    }

    /// Sets the attributes, which must hold, unchecked.
    pub(crate) fn with_believed(self, attributes: Attributes) -> Self {
        SparseTensor { attributes, ..self }
    }

    /// Consumes the tensor and returns its extents, format, arrays, values and fill value. Drops the attributes.
    pub fn into_parts(self) -> TensorParts<'a, V> {
        let PatternParts { shape, format, arrays } = Arc::unwrap_or_clone(self.pattern).into_parts();
        TensorParts { shape, format, arrays, values: self.values, fill: self.fill }
    }

    /// Returns a view of the tensor, over borrowed arrays.
    pub fn view(&self) -> SparseTensor<'_, V> {
        let (fill, attributes) = (self.fill.clone(), self.attributes.clone());
        SparseTensor { pattern: Arc::new(self.pattern.view()), values: self.values.view(), fill, attributes }
    }

    /// Returns the tensor with owned arrays. Copies borrowed ones.
    pub fn into_owned(self) -> SparseTensor<'static, V> {
        let SparseTensor { pattern, values, fill, attributes } = self;
        SparseTensor { pattern: Arc::new(Arc::unwrap_or_clone(pattern).into_owned()), values: values.into_owned(), fill, attributes }
    }

    /// Returns the pattern of the stored coordinates.
    pub fn pattern(&self) -> &SparsityPattern<'a> {
        &self.pattern
    }

    /// Returns the pattern of the stored coordinates, to share it.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, SparseTensor};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let distance = Builder::new(Format::csr(), 0.0).build(&[2, 3], &columns, vec![1.5, 2.5])?;
    /// let lanes = SparseTensor::new(distance.shared_pattern(), vec![2u8, 4], 0)?;
    /// assert!(std::ptr::eq(lanes.pattern(), distance.pattern()));
    /// assert_eq!((distance.at(&[1, 0]), lanes.at(&[1, 0])), (Some(&2.5), Some(&4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shared_pattern(&self) -> Arc<SparsityPattern<'a>> {
        self.pattern.clone()
    }

    /// Returns the extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        self.pattern.shape()
    }

    /// Returns the format.
    pub fn format(&self) -> &Format {
        self.pattern.format()
    }

    /// Returns the number of stored elements. With dense axes, each is a block.
    pub fn stored(&self) -> usize {
        self.pattern.stored()
    }

    /// Returns the values, in storage order.
    pub fn values(&self) -> &Values<'a, V> {
        &self.values
    }

    /// Returns the fill value, the value of all elements that are not stored.
    pub fn fill(&self) -> &V {
        &self.fill
    }

    /// Returns the attributes.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// Returns the value of the first stored element at a coordinate, or `fill` if no element is stored there. Returns
    /// `None` if the coordinate is out of range, or if an element is stored there and the tensor stores no values.
    pub fn at(&self, coordinate: &[u64]) -> Option<&V> {
        if coordinate.len() != self.shape().len() || coordinate.iter().zip(self.shape()).any(|(c, extent)| c >= extent) {
            return None;
        }
        match self.pattern.find(coordinate) {
            Some(element) => self.values.get(element * self.pattern.block() + self.pattern.block_offset(coordinate)),
            None => Some(&self.fill),
        }
    }

    /// Calls `each` with the coordinate of every stored element, in the order of the axes, and its value. Elements
    /// come in storage order; the elements of a block over dense axes come separately.
    ///
    /// A value is `None` if the tensor stores no values.
    pub fn for_each(&self, mut each: impl FnMut(&[u64], Option<&V>)) {
        let _ = self.pattern.visit_elements(|element, coordinate| {
            each(coordinate, self.values.get(element));
            ControlFlow::<Infallible>::Continue(())
        });
    }
}

impl SparsityPattern<'_> {
    /// Calls `each` with the index of the value and the coordinate, in the order of the axes, of every element, until it
    /// breaks. Returns what it breaks with.
    ///
    /// Elements come in storage order; the elements of blocks over dense axes come separately.
    pub(crate) fn visit_elements<B>(&self, mut each: impl FnMut(usize, &[u64]) -> ControlFlow<B>) -> ControlFlow<B> {
        let (levels, block) = (self.format().levels(), self.block());
        let (axes, extents) = (self.format().axis_order(), self.block_shape());
        let mut coordinate = alloc::vec![0; axes.len()];
        if block == 1 {
            return self.visit(&axes[..levels], &mut coordinate, &mut |coordinate, element| each(element, coordinate));
        }
        let mut inside = coordinate.clone();
        self.visit(&axes[..levels], &mut coordinate, &mut |coordinate, element| {
            inside.copy_from_slice(coordinate);
            for k in 0..block {
                let mut rest = k as u64;
                for (axis, extent) in axes[levels..].iter().zip(&extents).rev() {
                    inside[*axis] = rest % extent;
                    rest /= extent;
                }
                each(element * block + k, &inside)?;
            }
            ControlFlow::Continue(())
        })
    }
}
