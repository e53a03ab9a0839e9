//! Tensors whose values are of a type known at run time.

use super::wide::{Summed, Tensors, built, convert, expanded, held, narrow, pruned, wide};
use super::{AnyArray, Element, Held, Words, map_words, with_words};
use crate::element::ElementType;
use crate::error::{FileError, Result};
use sparse_formats::{Attributes, Format, Indices, PatternParts, SparseTensor, SparsityPattern, TensorParts, Values, Widths};
use std::borrow::Cow;
use std::sync::Arc;

/// A tensor of words of any width.
pub type TensorWords<'a> = Words<
    SparseTensor<'a, u8>,
    SparseTensor<'a, u16>,
    SparseTensor<'a, u32>,
    SparseTensor<'a, u64>,
    SparseTensor<'a, [u32; 2]>,
    SparseTensor<'a, [u64; 2]>,
>;

/// A sparse tensor with values of one of the types of [`ElementType`].
///
/// ```
/// use sparse_files::{AnyTensor, Dedupe, ElementType};
/// use sparse_formats::{Builder, Format, Indices};
/// let columns: [Indices; 2] = [vec![0u8, 2].into(), vec![1u8, 0].into()];
/// let a = Builder::new(Format::coo(2), 0.0).build(&[3, 2], &columns, vec![1.5, 2.5])?;
/// let any = AnyTensor::new(a)?;
/// assert_eq!((any.element(), any.stored()), (ElementType::F64, 2));
/// let columns = any.convert(&Format::csc(), Dedupe::Refuse)?;
/// assert_eq!(columns.typed::<f64>().unwrap()?.at(&[2, 0]), Some(&2.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AnyTensor<'a> {
    element: ElementType,
    words: TensorWords<'a>,
}

/// The values of an [`AnyTensor`].
#[derive(Clone, Debug, PartialEq)]
pub enum AnyValues<'a> {
    /// One for each element.
    Each(AnyArray<'a>),
    /// One for all: an array of it.
    Iso(AnyArray<'a>),
    /// None.
    PatternOnly,
}

impl AnyValues<'_> {
    /// The type of the values; that of bools where there are none.
    pub fn element(&self) -> ElementType {
        match self {
            AnyValues::Each(array) | AnyValues::Iso(array) => array.element(),
            AnyValues::PatternOnly => ElementType::Bool,
        }
    }
}

/// What becomes of elements of one coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dedupe {
    /// One element, the sum; of bools, whether one is true.
    Sum,
    /// The first stays.
    First,
    /// The last stays.
    Last,
    /// An error, unless the format is that of a multigraph.
    Refuse,
}

impl<'a> AnyTensor<'a> {
    /// The tensor, whatever its values; they stay where they lie but for bools.
    pub fn new<T: Element>(tensor: SparseTensor<'a, T>) -> Result<AnyTensor<'a>> {
        let fill = tensor.fill().to_word();
        let words = |values: Values<'a, T>| match values {
            Values::Each(Cow::Owned(values)) => Values::Each(Cow::Owned(T::into_words(values))),
            Values::Each(Cow::Borrowed(values)) => Values::Each(T::words_of(values)),
            Values::Iso(value) => Values::Iso(value.to_word()),
            Values::PatternOnly => Values::PatternOnly,
        };
        Ok(AnyTensor { element: T::TYPE, words: Tensors::tensor(tensor.with_values(words, fill)?) })
    }

    /// The tensor, if its values are of this type; they stay where they lie but for bools.
    pub fn typed<T: Element>(&self) -> Option<Result<SparseTensor<'_, T>>> {
        if self.element != T::TYPE {
            return None;
        }
        let tensor = T::Word::of_tensor(&self.words)?;
        let values = match tensor.values() {
            Values::Each(words) => Values::Each(T::of_words(words)),
            Values::Iso(word) => Values::Iso(T::from_word(*word)),
            Values::PatternOnly => Values::PatternOnly,
        };
        Some(tensor.view().with_values(|_| values, T::from_word(*tensor.fill())).map_err(FileError::from))
    }

    /// The tensor of a pattern, with values of this type.
    pub fn of_pattern(
        pattern: impl Into<Arc<SparsityPattern<'a>>>,
        values: AnyValues<'a>,
        fill: Option<AnyArray<'_>>,
        element: ElementType,
    ) -> Result<AnyTensor<'a>> {
        let pattern = pattern.into();
        crate::with_element!(element, T => {
            let one = |array: &AnyArray<'_>, what: &'static str| match array.values::<T>().as_deref() {
                Some([value]) => Ok(*value),
                Some(values) => Err(FileError::ArrayShape { array: what.into(), found: vec![values.len() as u64], expected: "one value".into() }),
                None => Err(FileError::ArrayType { array: what.into(), found: array.element(), expected: element }),
            };
            let fill = fill.map_or(Ok(T::default()), |fill| one(&fill, "fill_value"))?;
            let values = match values {
                AnyValues::PatternOnly => Values::PatternOnly,
                AnyValues::Iso(value) => Values::Iso(one(&value, "values")?.to_word()),
                AnyValues::Each(array) => {
                    let found = array.element();
                    let wrong = || FileError::ArrayType { array: "values".into(), found, expected: element };
                    let words = if found == element { Held::take(array.words) } else { None };
                    Values::Each(words.ok_or_else(wrong)?)
                }
            };
            let tensor = SparseTensor::new(pattern, values, fill.to_word()).map_err(|rejected| rejected.error)?;
            Ok(AnyTensor { element, words: Tensors::tensor(tensor) })
        })
    }

    /// The tensor with these attributes; fails where stored coordinates contradict them.
    pub fn with_attributes(self, attributes: Attributes) -> Result<AnyTensor<'a>> {
        let AnyTensor { element, words } = self;
        let words = map_words!(words, tensor => tensor.with_attributes(attributes).map_err(|rejected| rejected.error)?);
        Ok(AnyTensor { element, words })
    }

    /// The type of the values.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        self.pattern().shape()
    }

    /// The format.
    pub fn format(&self) -> &Format {
        self.pattern().format()
    }

    /// The number of stored elements; each is a block where there are dense axes.
    pub fn stored(&self) -> usize {
        self.pattern().stored()
    }

    /// The stored coordinates.
    pub fn pattern(&self) -> &SparsityPattern<'a> {
        with_words!(&self.words, tensor => tensor.pattern())
    }

    /// The attributes.
    pub fn attributes(&self) -> &Attributes {
        with_words!(&self.words, tensor => tensor.attributes())
    }

    /// The values.
    pub fn values(&self) -> AnyValues<'_> {
        let (element, each) = (self.element, |words| AnyArray::of_any_words(self.element, words));
        with_words!(&self.words, tensor => match tensor.values() {
            Values::Each(words) => AnyValues::Each(each(Held::array(Cow::Borrowed(&words[..])))),
            Values::Iso(word) => AnyValues::Iso(AnyArray::of_any_words(element, Held::array(Cow::Owned(vec![*word])))),
            Values::PatternOnly => AnyValues::PatternOnly,
        })
    }

    /// The pattern and the values, in their memory.
    pub fn into_parts(self) -> (PatternParts<'a>, AnyValues<'a>) {
        let AnyTensor { element, words } = self;
        with_words!(words, tensor => {
            let TensorParts { shape, format, arrays, values, .. } = tensor.into_parts();
            let values = match values {
                Values::Each(words) => AnyValues::Each(AnyArray::of_any_words(element, Held::array(words))),
                Values::Iso(word) => AnyValues::Iso(AnyArray::of_any_words(element, Held::array(Cow::Owned(vec![word])))),
                Values::PatternOnly => AnyValues::PatternOnly,
            };
            (PatternParts { shape, format, arrays }, values)
        })
    }

    /// A value for each stored element: one for all is repeated, and where there are none each is `true`.
    pub fn each_value(&self) -> AnyArray<'_> {
        let count = self.values_len();
        match self.values() {
            AnyValues::PatternOnly => AnyArray::from_values(vec![true; count]),
            _ => with_words!(&self.words, tensor => match tensor.values() {
                Values::Each(words) => AnyArray::of_any_words(self.element, Held::array(Cow::Borrowed(&words[..]))),
                Values::Iso(word) => AnyArray::of_any_words(self.element, Held::array(Cow::Owned(vec![*word; count]))),
                Values::PatternOnly => AnyArray::from_values(Vec::<bool>::new()),
            }),
        }
    }

    /// The value of elements that are not stored: an array of it.
    pub fn fill(&self) -> AnyArray<'static> {
        with_words!(&self.words, tensor => AnyArray::of_any_words(self.element, Held::array(Cow::Owned(vec![*tensor.fill()]))))
    }

    /// The tensor with this value for elements that are not stored: an array of it.
    pub fn with_fill(self, fill: &AnyArray<'_>) -> Result<AnyTensor<'a>> {
        let AnyTensor { element, words } = self;
        let wrong = || FileError::ArrayType { array: "fill_value".into(), found: fill.element(), expected: element };
        if fill.element() != element || fill.len() != 1 {
            return Err(wrong());
        }
        let words = map_words!(words, tensor => {
            let fill = *Held::of(&fill.words).and_then(<[_]>::first).ok_or_else(wrong)?;
            tensor.with_values(|values| values, fill)?
        });
        Ok(AnyTensor { element, words })
    }

    /// Tests whether elements that are not stored are 0.
    pub fn fill_is_zero(&self) -> bool {
        crate::with_element!(self.element, T => self.fill().values::<T>().is_some_and(|fill| fill[..] == [T::default()]))
    }

    /// The tensor with arrays that it owns.
    pub fn into_owned(self) -> AnyTensor<'static> {
        AnyTensor { element: self.element, words: map_words!(self.words, tensor => tensor.into_owned()) }
    }

    /// The tensor over borrowed arrays.
    pub fn view(&self) -> AnyTensor<'_> {
        AnyTensor { element: self.element, words: map_words!(&self.words, tensor => tensor.view()) }
    }

    /// The tensor in another format; index arrays are as narrow as can be.
    ///
    /// Fails as [`SparseTensor::convert`], and where a sum is no value of the type.
    pub fn convert(&self, format: &Format, dedupe: Dedupe) -> Result<AnyTensor<'static>> {
        self.convert_to(format, dedupe, &Widths::narrowest())
    }

    /// [`AnyTensor::convert`] with index arrays of these widths.
    pub fn convert_to(&self, format: &Format, dedupe: Dedupe, widths: &Widths) -> Result<AnyTensor<'static>> {
        let summed = Summed::new(self.element);
        let words = map_words!(&self.words, tensor => narrow(convert(wide(tensor)?, format, dedupe, widths, &summed)?)?);
        summed.checked(AnyTensor { element: self.element, words })
    }

    /// The elements at these coordinates, an array for each axis, in a format and with index arrays of these widths; elements that are not given are 0.
    pub fn build(
        shape: &[u64],
        columns: &[Indices<'_>],
        values: &AnyValues<'_>,
        format: &Format,
        dedupe: Dedupe,
        widths: &Widths,
    ) -> Result<AnyTensor<'static>> {
        let element = values.element();
        let summed = Summed::new(element);
        let words = crate::with_element!(element, T => {
            let values = held::<<T as Element>::Word>(values, element)?;
            Tensors::tensor(narrow::<<T as Element>::Word>(built(shape, columns, Tensors::widen_all(values), format, dedupe, widths, &summed)?)?)
        });
        summed.checked(AnyTensor { element, words })
    }

    /// The tensor with both triangles stored, if it stores one for both. Elements that share a coordinate stay separate in both triangles.
    ///
    /// Fails if the type lacks the value of a mirror image, such as the negative of an unsigned number.
    pub fn expand(&self) -> Result<AnyTensor<'static>> {
        let element = self.element;
        Ok(AnyTensor { element, words: map_words!(&self.words, tensor => narrow(expanded(wide(tensor)?, element)?)?) })
    }

    /// The tensor without the stored elements that equal the fill value, which is 0 in most files. A block stays if it has another value. If no axis has a level, all
    /// elements stay.
    pub fn drop_zeros(&self) -> Result<AnyTensor<'static>> {
        let element = self.element;
        if self.format().levels() == 0 || self.values() == AnyValues::PatternOnly {
            return Ok(self.view().into_owned());
        }
        Ok(AnyTensor { element, words: map_words!(&self.words, tensor => narrow(pruned(wide(tensor)?, element)?)?) })
    }

    /// The number of stored values, those of blocks over dense axes included.
    pub fn values_len(&self) -> usize {
        let block = self.pattern().block_shape().iter().fold(1u64, |block, extent| block.saturating_mul(*extent));
        self.stored().saturating_mul(usize::try_from(block).unwrap_or(usize::MAX))
    }

    /// The coordinates of all stored values, one array for each axis; borrowed where the levels store just these.
    pub fn coordinates(&self) -> Result<Vec<Indices<'_>>> {
        Ok(match self.format().dense_axes() {
            0 => self.pattern().coordinates()?,
            _ => with_words!(&self.words, tensor => tensor.all_coordinates()?),
        })
    }

    /// Calls `each` with the coordinate and the value of every stored element, in storage order; values that are not stored are `None`.
    pub fn for_each<T: Element>(&self, mut each: impl FnMut(&[u64], Option<T>)) -> bool {
        match T::Word::of_tensor(&self.words).filter(|_| self.element == T::TYPE) {
            Some(tensor) => {
                tensor.for_each(|coordinate, word| each(coordinate, word.map(|word| T::from_word(*word))));
                true
            }
            None => false,
        }
    }
}
