//! Tensors: a pattern, values, what unstored elements are, and attributes.

mod build;
mod convert;
mod matrix;
mod values;

pub use build::Builder;
pub(crate) use matrix::Known;
pub use values::Values;

use crate::{Arrays, Attributes, Format, PatternParts, Rejected, SparseError, SparsityPattern};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::ControlFlow;

/// The parts of a [`SparseTensor`].
#[derive(Clone, Debug, PartialEq)]
pub struct TensorParts<'a, V: Clone> {
    /// The extents, in the order of the axes.
    pub shape: Vec<u64>,
    /// The format.
    pub format: Format,
    /// The arrays of its levels.
    pub arrays: Arrays<'a>,
    /// The values.
    pub values: Values<'a, V>,
    /// The value of elements that are not stored.
    pub fill: V,
}

/// A sparse tensor: stored coordinates and their values; all other elements are `fill`.
///
/// A stored element may be equal to `fill`: nothing removes it but [`SparseTensor::pruned`].
///
/// ```
/// use sparse_formats::{Arrays, Format, SparseTensor};
/// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
/// let a = SparseTensor::from_parts(&[3, 4], Format::csr(), arrays, vec![1.0, 2.0, 3.0], 0.0).map_err(|rejected| rejected.error)?;
/// assert_eq!((a.at(&[0, 3]), a.at(&[1, 3])), (Some(&2.0), Some(&0.0)));
/// let columns = a.to_format(&Format::csc())?;
/// assert_eq!(columns.pattern().pointers(0), Some(&vec![0u8, 1, 2, 2, 3].into()));
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
    /// The tensor of these parts, checked as by [`SparsityPattern::from_parts`].
    ///
    /// Fails with the first violation, and gives the parts back.
    pub fn from_parts(
        shape: &[u64],
        format: Format,
        arrays: Arrays<'a>,
        values: impl Into<Values<'a, V>>,
        fill: V,
    ) -> Result<Self, Rejected<TensorParts<'a, V>, SparseError>> {
        SparseTensor::of_pattern(SparsityPattern::checked(shape, format, arrays, true), values.into(), fill)
    }

    /// The tensor of these parts, checked as by [`SparsityPattern::from_parts_unchecked`].
    pub fn from_parts_unchecked(
        shape: &[u64],
        format: Format,
        arrays: Arrays<'a>,
        values: impl Into<Values<'a, V>>,
        fill: V,
    ) -> Result<Self, Rejected<TensorParts<'a, V>, SparseError>> {
        SparseTensor::of_pattern(SparsityPattern::checked(shape, format, arrays, false), values.into(), fill)
    }

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

    /// The tensor of a pattern and values; patterns can be shared.
    ///
    /// Fails where there is not one value for each element.
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

    /// With attributes that hold.
    pub(crate) fn with_believed(self, attributes: Attributes) -> Self {
        SparseTensor { attributes, ..self }
    }

    /// The parts.
    pub fn into_parts(self) -> TensorParts<'a, V> {
        let PatternParts { shape, format, arrays } = Arc::unwrap_or_clone(self.pattern).into_parts();
        TensorParts { shape, format, arrays, values: self.values, fill: self.fill }
    }

    /// A view of the tensor, over borrowed arrays.
    pub fn view(&self) -> SparseTensor<'_, V> {
        let (fill, attributes) = (self.fill.clone(), self.attributes.clone());
        SparseTensor { pattern: Arc::new(self.pattern.view()), values: self.values.view(), fill, attributes }
    }

    /// The tensor with arrays that it owns.
    pub fn into_owned(self) -> SparseTensor<'static, V> {
        let SparseTensor { pattern, values, fill, attributes } = self;
        SparseTensor { pattern: Arc::new(Arc::unwrap_or_clone(pattern).into_owned()), values: values.into_owned(), fill, attributes }
    }

    /// The stored coordinates.
    pub fn pattern(&self) -> &SparsityPattern<'a> {
        &self.pattern
    }

    /// The stored coordinates, to be shared.
    pub fn shared_pattern(&self) -> Arc<SparsityPattern<'a>> {
        self.pattern.clone()
    }

    /// The extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        self.pattern.shape()
    }

    /// The format.
    pub fn format(&self) -> &Format {
        self.pattern.format()
    }

    /// Number of stored elements; each is a block where there are dense axes.
    pub fn stored(&self) -> usize {
        self.pattern.stored()
    }

    /// The values.
    pub fn values(&self) -> &Values<'a, V> {
        &self.values
    }

    /// The value of elements that are not stored.
    pub fn fill(&self) -> &V {
        &self.fill
    }

    /// The attributes.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// The value of the first stored element at a coordinate, or `fill`; `None` out of range, and where values are not stored.
    pub fn at(&self, coordinate: &[u64]) -> Option<&V> {
        if coordinate.len() != self.shape().len() || coordinate.iter().zip(self.shape()).any(|(c, extent)| c >= extent) {
            return None;
        }
        match self.pattern.find(coordinate) {
            Some(element) => self.values.get(element * self.pattern.block() + self.pattern.block_offset(coordinate)),
            None => Some(&self.fill),
        }
    }

    /// Calls `each` with the coordinate, in the order of the axes, and the value of every stored element, in storage order.
    ///
    /// Values that are not stored are `None`.
    pub fn for_each(&self, mut each: impl FnMut(&[u64], Option<&V>)) {
        let _ = self.pattern.visit_elements(|element, coordinate| {
            each(coordinate, self.values.get(element));
            ControlFlow::<Infallible>::Continue(())
        });
    }
}

impl SparsityPattern<'_> {
    /// Calls `each` with the number of every stored element, those of blocks over dense axes one by one, and its coordinate in the order of the axes, in
    /// storage order, until it breaks.
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
