//! `AnyTensor`: tensors whose type of values is known only at run time.

use super::element::InWords;
use super::widening::{Summed, TensorWord, built, convert, expanded, narrow, pruned, widened, words_of};
use super::{AnyArray, Element, WordVariant, Words, map_words, with_words};
use crate::element::ElementType;
use crate::error::{FileError, Result};
use crate::row_slice::RowSlice;
use sparse_formats::{
    Attributes, AxisSelection, Format, Indices, PatternParts, SparseTensor, SparsityPattern, TensorParts, Values, Widths,
};
use std::borrow::Cow;
use std::sync::Arc;

/// A tensor whose words are of one of six widths.
pub(crate) type TensorWords<'a> = Words<
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
/// assert!(columns.typed::<f32>().is_none());
/// // A view borrows the arrays.
/// let kept: AnyTensor<'static> = any.view().into_owned();
/// assert_eq!(kept, any);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AnyTensor<'a> {
    element: ElementType,
    words: TensorWords<'a>,
}

/// The values of an [`AnyTensor`].
///
/// ```
/// use sparse_files::{AnyArray, AnyValues, ElementType, matrix_market};
/// fn bytes(values: &AnyValues) -> usize {
///     match values {
///         AnyValues::Each(array) | AnyValues::Iso(array) => array.bytes().len(),
///         AnyValues::PatternOnly => 0,
///     }
/// }
/// let matrix = matrix_market::read(b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")?;
/// assert_eq!((bytes(&matrix.values()), matrix.values().element()), (0, ElementType::Bool));
/// assert_eq!(bytes(&AnyValues::Iso(AnyArray::from_values(vec![1.0]))), 8);
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum AnyValues<'a> {
    /// One value for each element.
    Each(AnyArray<'a>),
    /// One value for all elements: an array with this value.
    Iso(AnyArray<'a>),
    /// No values.
    PatternOnly,
}

impl AnyValues<'_> {
    /// Returns the type of the values, or bool if there are no values.
    pub fn element(&self) -> ElementType {
        match self {
            AnyValues::Each(array) | AnyValues::Iso(array) => array.element(),
            AnyValues::PatternOnly => ElementType::Bool,
        }
    }
}

/// The treatment of elements with the same coordinate.
///
/// ```
/// use sparse_files::{Dedupe, FileError, tns};
/// use sparse_formats::Format;
/// let a = tns::read(b"1 2 5\n2 1 1\n1 2 7\n", None)?;
/// let first_row = |dedupe| Ok::<_, FileError>(a.convert(&Format::csr(), dedupe)?.typed::<i64>().expect("int64")?.at(&[0, 1]).copied());
/// assert_eq!((first_row(Dedupe::Sum)?, first_row(Dedupe::First)?, first_row(Dedupe::Last)?), (Some(12), Some(5), Some(7)));
/// assert_eq!(first_row(Dedupe::Refuse).map_err(|error| error.class()), Err("levels/duplicate"));
/// # Ok::<(), FileError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dedupe {
    /// Replaces them by their sum. For bools, the result is true if any of them is.
    Sum,
    /// Keeps the first, in the order in which they are stored or given.
    First,
    /// Keeps the last, in the order in which they are stored or given.
    Last,
    /// Returns an error, unless the format is a multigraph, which keeps all.
    Refuse,
}

impl<'a> AnyTensor<'a> {
    /// Wraps a tensor with any type of values. Does not copy the values, except bools. A valid tensor does not fail.
    pub fn new<T: Element>(tensor: SparseTensor<'a, T>) -> Result<AnyTensor<'a>> {
        let fill = tensor.fill().to_word();
        let words = |values: Values<'a, T>| match values {
            Values::Each(Cow::Owned(values)) => Values::Each(Cow::Owned(T::into_words(values))),
            Values::Each(Cow::Borrowed(values)) => Values::Each(T::words_of(values)),
            Values::Iso(value) => Values::Iso(value.to_word()),
            Values::PatternOnly => Values::PatternOnly,
        };
        Ok(AnyTensor { element: T::TYPE, words: TensorWord::tensor(tensor.with_values(words, fill)?) })
    }

    /// Returns the tensor, or `None` if its values are not of type `T`. Does not copy the values, except bools. A valid tensor
    /// gives no error.
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

    /// Returns the tensor with a pattern and values of type `element`. The default of `fill` is zero. Fails if `values` or
    /// `fill` are of another type, or if there is not one value for each element.
    ///
    /// ```
    /// use sparse_files::{AnyArray, AnyTensor, AnyValues, ElementType};
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 2].into(), vec![1u8, 0].into()];
    /// let pattern = Builder::new(Format::csr(), 0.0).build(&[3, 2], &columns, vec![1.5, 2.5])?.shared_pattern();
    /// // Counts at the same coordinates; both tensors share the index arrays.
    /// let counts = AnyValues::Each(AnyArray::from_values(vec![3i64, 4]));
    /// let counts = AnyTensor::of_pattern(pattern.clone(), counts, None, ElementType::I64)?;
    /// assert_eq!(counts.typed::<i64>().expect("int64")?.at(&[2, 0]), Some(&4));
    /// let one = AnyValues::Each(AnyArray::from_values(vec![3i64]));
    /// assert!(AnyTensor::of_pattern(pattern, one, None, ElementType::I64).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
                    let words = if found == element { WordVariant::take(array.words) } else { None };
                    Values::Each(words.ok_or_else(wrong)?)
                }
            };
            let tensor = SparseTensor::new(pattern, values, fill.to_word()).map_err(|rejected| rejected.error)?;
            Ok(AnyTensor { element, words: TensorWord::tensor(tensor) })
        })
    }

    /// Returns the tensor with arrays that it owns.
    pub fn into_owned(self) -> AnyTensor<'static> {
        AnyTensor { element: self.element, words: map_words!(self.words, tensor => tensor.into_owned()) }
    }

    /// Returns a tensor that borrows the arrays of this one.
    pub fn view(&self) -> AnyTensor<'_> {
        AnyTensor { element: self.element, words: map_words!(&self.words, tensor => tensor.view()) }
    }

    /// Converts the tensor to another format. Index arrays become as narrow as possible.
    ///
    /// Fails as [`SparseTensor::convert`] does, and if the sum of duplicates is not a value of the type.
    pub fn convert(&self, format: &Format, dedupe: Dedupe) -> Result<AnyTensor<'static>> {
        self.convert_to(format, dedupe, &Widths::narrowest())
    }

    /// Converts the tensor like [`AnyTensor::convert`], with index arrays of these widths. Also fails if an index does not fit
    /// its width.
    ///
    /// ```
    /// use sparse_files::{Dedupe, tns};
    /// use sparse_formats::{Format, Width, Widths};
    /// let a = tns::read(b"1 300 5\n2 1 7\n", None)?;
    /// let csr = |width| a.convert_to(&Format::csr(), Dedupe::Refuse, &Widths::all(width));
    /// assert_eq!(csr(Width::U64)?.pattern().indices(1), Some(&vec![299u64, 0].into()));
    /// assert_eq!(csr(Width::U8).map_err(|error| error.class()), Err("levels/width"));
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn convert_to(&self, format: &Format, dedupe: Dedupe, widths: &Widths) -> Result<AnyTensor<'static>> {
        let summed = Summed::new(self.element);
        let words = map_words!(&self.words, tensor => narrow(convert(widened(tensor)?, format, dedupe, widths, &summed)?)?);
        summed.checked(AnyTensor { element: self.element, words })
    }

    /// Builds a tensor from coordinates, one column per axis, and values, in a format and with index arrays of these widths.
    /// The fill value is 0. Fails if columns and values differ in length, if a coordinate is out of range, or if duplicates are
    /// refused or overflow.
    ///
    /// ```
    /// use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe};
    /// use sparse_formats::{Format, Indices, Widths};
    /// let columns: [Indices; 2] = [vec![2u8, 0, 2].into(), vec![0u8, 1, 0].into()];
    /// let csr = |values: Vec<u8>| {
    ///     let values = AnyValues::Each(AnyArray::from_values(values));
    ///     AnyTensor::build(&[3, 2], &columns, &values, &Format::csr(), Dedupe::Sum, &Widths::narrowest())
    /// };
    /// assert_eq!(csr(vec![7, 1, 8])?.typed::<u8>().expect("uint8")?.at(&[2, 0]), Some(&15));
    /// let error = csr(vec![200, 1, 100]).unwrap_err();
    /// assert_eq!(error.to_string(), "the sum of the elements with one coordinate does not fit the type uint8");
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
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
            let values = words_of::<<T as InWords>::Word>(values, element)?;
            TensorWord::tensor(narrow::<<T as InWords>::Word>(built(shape, columns, TensorWord::widen_all(values), format, dedupe, widths, &summed)?)?)
        });
        summed.checked(AnyTensor { element, words })
    }

    /// Returns the tensor with both triangles stored, if it stores one that represents both. Elements that share a
    /// coordinate stay separate in both triangles.
    ///
    /// Fails if the type lacks the value of a mirror image, such as the negative of an unsigned number.
    ///
    /// ```
    /// let a = sparse_files::matrix_market::read(b"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 2\n")?;
    /// let whole = a.expand()?;
    /// let typed = whole.typed::<f64>().expect("float64")?;
    /// assert_eq!((typed.at(&[2, 0]), typed.at(&[0, 2])), (Some(&2.0), Some(&-2.0)));
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn expand(&self) -> Result<AnyTensor<'static>> {
        let element = self.element;
        Ok(AnyTensor { element, words: map_words!(&self.words, tensor => narrow(expanded(widened(tensor)?, element)?)?) })
    }

    /// Takes a range of the first axis. If one triangle stands for both, the rows of both are taken. Fails if the tensor has no axes.
    ///
    /// ```
    /// use sparse_files::tns;
    /// let a = tns::read(b"1 2 5\n3 1 7\n", None)?;
    /// let rows = a.rows((1..).into())?;
    /// assert_eq!((rows.shape(), rows.typed::<i64>().expect("int64")?.at(&[1, 0])), (&[2, 2][..], Some(&7)));
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn rows(&self, rows: RowSlice) -> Result<AnyTensor<'static>> {
        if self.attributes().is_one_triangle() {
            return self.expand()?.rows(rows);
        }
        let mut slices = vec![AxisSelection::All; self.shape().len()];
        if let Some(first) = slices.first_mut() {
            let range = rows.of(self.shape()[0]);
            *first = AxisSelection::Range { start: range.start, end: range.end, step: 1 };
        }
        let element = self.element;
        Ok(AnyTensor { element, words: map_words!(&self.words, tensor => tensor.slice(&slices)?) })
    }

    /// Returns the tensor without the stored elements that equal the fill value. A block stays if any of its values differs. If
    /// no axis has a level, or if there are no values, all elements stay. A valid tensor does not fail.
    ///
    /// ```
    /// use sparse_files::{AnyArray, AnyTensor, Dedupe, tns};
    /// use sparse_formats::Format;
    /// assert_eq!(tns::read(b"1 2 0\n3 1 7\n", None)?.drop_zeros()?.stored(), 1);
    /// // Convert a tensor that stores all elements first.
    /// let dense = AnyTensor::dense(&[2, 2], &[0, 1], AnyArray::from_values(vec![0.0, 5.0, 0.0, 0.0]))?;
    /// assert_eq!(dense.drop_zeros()?, dense);
    /// assert_eq!(dense.convert(&Format::coo(2), Dedupe::Refuse)?.drop_zeros()?.stored(), 1);
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn drop_zeros(&self) -> Result<AnyTensor<'static>> {
        let element = self.element;
        if self.format().levels() == 0 || self.values() == AnyValues::PatternOnly {
            return Ok(self.view().into_owned());
        }
        Ok(AnyTensor { element, words: map_words!(&self.words, tensor => narrow(pruned(widened(tensor)?, element)?)?) })
    }
}

/// The description of a tensor.
///
/// ```
/// use sparse_files::{ElementType, matrix_market};
/// use sparse_formats::Symmetry;
/// let text = b"%%MatrixMarket matrix coordinate real symmetric\n% a mesh\n3 3 2\n1 1 0.5\n3 2 4\n";
/// let a = matrix_market::read(text)?;
/// assert_eq!((a.element(), a.shape()), (ElementType::F64, &[3, 3][..]));
/// assert_eq!((a.format().to_string(), a.stored()), ("S-S-R".into(), 2));
/// assert_eq!(a.pattern().find(&[2, 1]), Some(1));
/// assert_eq!(a.attributes().symmetry, Some(Symmetry::Symmetric));
/// assert_eq!(a.attributes().user["comment"], " a mesh");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
impl<'a> AnyTensor<'a> {
    /// Returns the type of the values.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Returns the extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        self.pattern().shape()
    }

    /// Returns the format: the levels, and the order of the axes.
    pub fn format(&self) -> &Format {
        self.pattern().format()
    }

    /// Returns the number of stored elements. With dense axes, each block counts as one element.
    pub fn stored(&self) -> usize {
        self.pattern().stored()
    }

    /// Returns the pattern: the stored coordinates.
    pub fn pattern(&self) -> &SparsityPattern<'a> {
        with_words!(&self.words, tensor => tensor.pattern())
    }

    /// Returns the attributes: the symmetry, the stored triangle, and texts by the keys of the user.
    pub fn attributes(&self) -> &Attributes {
        with_words!(&self.words, tensor => tensor.attributes())
    }

    /// Returns the tensor with these attributes. Fails if stored coordinates contradict them.
    ///
    /// ```
    /// use sparse_files::tns;
    /// use sparse_formats::{Attributes, Symmetry, Triangle};
    /// let a = tns::read(b"3 1 5\n", Some(&[3, 3]))?;
    /// let of = |triangle| Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(triangle), ..Attributes::default() };
    /// assert!(a.clone().with_attributes(of(Triangle::Upper)).is_err());
    /// assert_eq!(a.with_attributes(of(Triangle::Lower))?.expand()?.stored(), 2);
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn with_attributes(self, attributes: Attributes) -> Result<AnyTensor<'a>> {
        let AnyTensor { element, words } = self;
        let words = map_words!(words, tensor => tensor.with_attributes(attributes).map_err(|rejected| rejected.error)?);
        Ok(AnyTensor { element, words })
    }
}

/// The elements of a tensor.
///
/// ```
/// use sparse_files::{AnyArray, AnyValues, Dedupe, tns};
/// use sparse_formats::{Format, LevelKind};
/// let a = tns::read(b"1 2 5\n3 1 7\n", None)?;
/// assert_eq!(a.values(), AnyValues::Each(AnyArray::from_values(vec![5i64, 7])));
/// assert_eq!(a.coordinates()?, [vec![0u32, 2].into(), vec![1u32, 0].into()]);
/// let mut seen = Vec::new();
/// assert!(a.for_each::<i64>(|coordinate, value| seen.push((coordinate.to_vec(), value))));
/// assert_eq!(seen, [(vec![0, 1], Some(5)), (vec![2, 0], Some(7))]);
/// assert!(!a.for_each::<f64>(|_, _| ()));
///
/// // Each row that has an element is stored whole, as a block of two values.
/// let rows = a.convert(&Format::new(&[LevelKind::Indices], &[0, 1])?, Dedupe::Refuse)?;
/// assert_eq!((rows.stored(), rows.values_len()), (2, 4));
/// assert_eq!(rows.each_value(), AnyArray::from_values(vec![0i64, 5, 7, 0]));
/// assert_eq!(rows.coordinates()?, [vec![0u8, 0, 2, 2].into(), vec![0u8, 1, 0, 1].into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'a> AnyTensor<'a> {
    /// Returns the values: one for each element, one for all, or none.
    pub fn values(&self) -> AnyValues<'_> {
        let (element, each) = (self.element, |words| AnyArray::of_any_words(self.element, words));
        with_words!(&self.words, tensor => match tensor.values() {
            Values::Each(words) => AnyValues::Each(each(WordVariant::array(Cow::Borrowed(&words[..])))),
            Values::Iso(word) => AnyValues::Iso(AnyArray::of_any_words(element, WordVariant::array(Cow::Owned(vec![*word])))),
            Values::PatternOnly => AnyValues::PatternOnly,
        })
    }

    /// Returns one value per stored element. A value for all elements is repeated; without values, each is `true`.
    ///
    /// ```
    /// use sparse_files::{AnyArray, matrix_market};
    /// let pattern = matrix_market::read(b"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n")?;
    /// assert_eq!(pattern.each_value(), AnyArray::from_values(vec![true, true]));
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn each_value(&self) -> AnyArray<'_> {
        let count = self.values_len();
        match self.values() {
            AnyValues::PatternOnly => AnyArray::from_values(vec![true; count]),
            _ => with_words!(&self.words, tensor => match tensor.values() {
                Values::Each(words) => AnyArray::of_any_words(self.element, WordVariant::array(Cow::Borrowed(&words[..]))),
                Values::Iso(word) => AnyArray::of_any_words(self.element, WordVariant::array(Cow::Owned(vec![*word; count]))),
                Values::PatternOnly => AnyArray::from_values(Vec::<bool>::new()),
            }),
        }
    }

    /// Returns the number of stored values. For blocks, every value of a block counts.
    pub fn values_len(&self) -> usize {
        let block = self.pattern().block_shape().iter().fold(1u64, |block, extent| block.saturating_mul(*extent));
        self.stored().saturating_mul(usize::try_from(block).unwrap_or(usize::MAX))
    }

    /// Returns the coordinates of all stored values, one column per axis. Borrows the columns if the levels store exactly
    /// these. Fails if the columns do not fit in memory.
    pub fn coordinates(&self) -> Result<Vec<Indices<'_>>> {
        Ok(match self.format().dense_axes() {
            0 => self.pattern().coordinates()?,
            _ => with_words!(&self.words, tensor => tensor.all_coordinates()?),
        })
    }

    /// Calls `each` with the coordinate and the value of every stored element, in storage order. The value is `None`
    /// for a pattern. Returns false, without a call, if the values are not of type `T`.
    pub fn for_each<T: Element>(&self, mut each: impl FnMut(&[u64], Option<T>)) -> bool {
        match T::Word::of_tensor(&self.words).filter(|_| self.element == T::TYPE) {
            Some(tensor) => {
                tensor.for_each(|coordinate, word| each(coordinate, word.map(|word| T::from_word(*word))));
                true
            }
            None => false,
        }
    }

    /// Takes the tensor apart into its pattern and its values, without a copy.
    ///
    /// ```
    /// use sparse_files::{AnyArray, AnyValues, tns};
    /// let (pattern, values) = tns::read(b"1 2 5\n3 1 7\n", None)?.into_parts();
    /// assert_eq!((&pattern.shape[..], pattern.format.to_string()), (&[3, 2][..], "S-S-R".into()));
    /// assert_eq!(values, AnyValues::Each(AnyArray::from_values(vec![5i64, 7])));
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn into_parts(self) -> (PatternParts<'a>, AnyValues<'a>) {
        let AnyTensor { element, words } = self;
        with_words!(words, tensor => {
            let TensorParts { shape, format, arrays, values, .. } = tensor.into_parts();
            let values = match values {
                Values::Each(words) => AnyValues::Each(AnyArray::of_any_words(element, WordVariant::array(words))),
                Values::Iso(word) => AnyValues::Iso(AnyArray::of_any_words(element, WordVariant::array(Cow::Owned(vec![word])))),
                Values::PatternOnly => AnyValues::PatternOnly,
            };
            (PatternParts { shape, format, arrays }, values)
        })
    }
}

/// The fill value of a tensor, the value of elements that are not stored.
///
/// ```
/// use sparse_files::{AnyArray, tns};
/// let a = tns::read(b"1 2 5\n", None)?;
/// assert!(a.fill_is_zero() && a.fill() == AnyArray::from_values(vec![0i64]));
/// let error = a.clone().with_fill(&AnyArray::from_values(vec![0.5])).unwrap_err();
/// assert_eq!(error.to_string(), "fill_value is of type float64 instead of int64");
/// let a = a.with_fill(&AnyArray::from_values(vec![-1i64]))?;
/// assert_eq!((a.fill().into_values(), a.fill_is_zero()), (Some(vec![-1i64]), false));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
impl<'a> AnyTensor<'a> {
    /// Returns the fill value, the value of elements that are not stored, as an array of one value.
    pub fn fill(&self) -> AnyArray<'static> {
        with_words!(&self.words, tensor => AnyArray::of_any_words(self.element, WordVariant::array(Cow::Owned(vec![*tensor.fill()]))))
    }

    /// Returns the tensor with another fill value, given as an array of one value. Fails if `fill` is of another type than the
    /// values, or is not one value.
    pub fn with_fill(self, fill: &AnyArray<'_>) -> Result<AnyTensor<'a>> {
        let AnyTensor { element, words } = self;
        let wrong = || FileError::ArrayType { array: "fill_value".into(), found: fill.element(), expected: element };
        if fill.element() != element || fill.len() != 1 {
            return Err(wrong());
        }
        let words = map_words!(words, tensor => {
            let fill = *WordVariant::of(&fill.words).and_then(<[_]>::first).ok_or_else(wrong)?;
            tensor.with_values(|values| values, fill)?
        });
        Ok(AnyTensor { element, words })
    }

    /// Tests whether the fill value is 0.
    pub fn fill_is_zero(&self) -> bool {
        crate::with_element!(self.element, T => self.fill().values::<T>().is_some_and(|fill| fill[..] == [T::default()]))
    }
}
