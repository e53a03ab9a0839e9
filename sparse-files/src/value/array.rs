//! `AnyArray`: arrays whose type of values is known only at run time, stored as words of one of six widths.

use super::element::{Element, Word};
use crate::ElementType;
use crate::error::{FileError, Result};
use layout_levels::Index;
use sparse_formats::{Indices, with_indices};
use std::borrow::Cow;

/// Evaluates `body` with `$array` bound to the words of an [`AnyArray`] or the tensor of an
/// [`AnyTensor`](super::AnyTensor), whatever their width.
macro_rules! with_words {
    ($words:expr, $array:ident => $body:expr) => {
        match $words {
            $crate::value::Words::B1($array) => $body,
            $crate::value::Words::B2($array) => $body,
            $crate::value::Words::B4($array) => $body,
            $crate::value::Words::B8($array) => $body,
            $crate::value::Words::B4x2($array) => $body,
            $crate::value::Words::B8x2($array) => $body,
        }
    };
}
pub(crate) use with_words;

/// Evaluates `body`, which maps words to a value, and wraps the result in the variant of the same width.
macro_rules! map_words {
    ($words:expr, $array:ident => $body:expr) => {
        match $words {
            $crate::value::Words::B1($array) => $crate::value::Words::B1($body),
            $crate::value::Words::B2($array) => $crate::value::Words::B2($body),
            $crate::value::Words::B4($array) => $crate::value::Words::B4($body),
            $crate::value::Words::B8($array) => $crate::value::Words::B8($body),
            $crate::value::Words::B4x2($array) => $crate::value::Words::B4x2($body),
            $crate::value::Words::B8x2($array) => $crate::value::Words::B8x2($body),
        }
    };
}
pub(crate) use map_words;

/// A container of words of one of six widths, such as an array or a tensor. `A` to `F` are the containers for each width.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Words<A, B, C, D, E, F> {
    /// Words of one byte.
    B1(A),
    /// Words of two bytes.
    B2(B),
    /// Words of four bytes.
    B4(C),
    /// Words of eight bytes.
    B8(D),
    /// Words of two numbers of four bytes.
    B4x2(E),
    /// Words of two numbers of eight bytes.
    B8x2(F),
}

/// The conversion between arrays of one width of words and the variants of [`Words`].
pub(crate) trait WordVariant: Word {
    /// Wraps an array in the variant of this width.
    fn array(array: Cow<'_, [Self]>) -> ArrayWords<'_>;
    /// Borrows the words, or returns `None` if they are of another width.
    fn of<'w>(words: &'w ArrayWords<'_>) -> Option<&'w [Self]>;
    /// Returns the words, or `None` if they are of another width.
    fn take(words: ArrayWords<'_>) -> Option<Cow<'_, [Self]>>;
}

pub(crate) type ArrayWords<'a> =
    Words<Cow<'a, [u8]>, Cow<'a, [u16]>, Cow<'a, [u32]>, Cow<'a, [u64]>, Cow<'a, [[u32; 2]]>, Cow<'a, [[u64; 2]]>>;

macro_rules! word_variants {
    ($($type:ty, $variant:ident;)*) => { $(
        impl WordVariant for $type {
            fn array(array: Cow<'_, [Self]>) -> ArrayWords<'_> {
                Words::$variant(array)
            }
            fn of<'w>(words: &'w ArrayWords<'_>) -> Option<&'w [Self]> {
                match words {
                    Words::$variant(array) => Some(array),
                    _ => None,
                }
            }
            fn take(words: ArrayWords<'_>) -> Option<Cow<'_, [Self]>> {
                match words {
                    Words::$variant(array) => Some(array),
                    _ => None,
                }
            }
        }
    )* };
}
word_variants! { u8, B1; u16, B2; u32, B4; u64, B8; [u32; 2], B4x2; [u64; 2], B8x2; }

/// An array of values of one of the types of [`ElementType`], owned or borrowed.
///
/// ```
/// use sparse_files::{AnyArray, ElementType};
/// let array = AnyArray::from_values(vec![1.5, -2.0]);
/// assert_eq!((array.element(), array.len(), array.is_empty()), (ElementType::F64, 2, false));
/// assert_eq!(array.values::<f64>().as_deref(), Some(&[1.5, -2.0][..]));
/// assert_eq!(array.values::<f32>(), None);
/// // A view borrows the values. `bytes` returns them in the byte order of this machine.
/// let view = array.view();
/// assert_eq!(view.bytes()[..8], 1.5f64.to_ne_bytes());
/// let kept: AnyArray<'static> = view.into_owned();
/// assert_eq!(kept.into_values(), Some(vec![1.5, -2.0]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AnyArray<'a> {
    element: ElementType,
    pub(crate) words: ArrayWords<'a>,
}

impl<'a> AnyArray<'a> {
    /// Returns the array of these values, in the same memory if possible.
    pub fn from_values<T: Element>(values: Vec<T>) -> AnyArray<'a> {
        AnyArray { element: T::TYPE, words: WordVariant::array(Cow::Owned(T::into_words(values))) }
    }

    /// Returns the array of the values that these words hold.
    pub(crate) fn of_words<T: Element>(words: Cow<'a, [T::Word]>) -> AnyArray<'a> {
        AnyArray { element: T::TYPE, words: WordVariant::array(words) }
    }

    /// Returns the array of values of type `element`, from words of the same width as `element`.
    pub(crate) fn of_any_words(element: ElementType, words: ArrayWords<'a>) -> AnyArray<'a> {
        AnyArray { element, words }
    }

    /// Returns the array of the values that these bytes hold. Borrows the bytes if memory has the same representation. `name`
    /// is the name of the array in errors.
    ///
    /// Fails if bytes are left over, or if a bool is neither 0 nor 1.
    ///
    /// ```
    /// use sparse_files::{AnyArray, ElementType};
    /// let counts = AnyArray::from_bytes("counts", ElementType::U16, [0, 1, 2, 0][..].into(), true)?;
    /// assert_eq!(counts.values::<u16>().as_deref(), Some(&[1, 512][..]));
    /// let error = AnyArray::from_bytes("counts", ElementType::U16, vec![0; 3].into(), true).unwrap_err();
    /// assert_eq!(error.to_string(), "counts: 3 bytes are not a multiple of 2, the number of bytes of a value");
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn from_bytes(name: &str, element: ElementType, bytes: Cow<'a, [u8]>, big_endian: bool) -> Result<AnyArray<'a>> {
        check(name, element, &bytes)?;
        Ok(crate::with_element!(element, T => AnyArray::of_words::<T>(words(bytes, big_endian))))
    }

    /// Returns the type of the values.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        with_words!(&self.words, words => words.len())
    }

    /// Tests whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the values, or `None` if they are not of type `T`.
    pub fn values<T: Element>(&self) -> Option<Cow<'_, [T]>> {
        if self.element == T::TYPE { T::Word::of(&self.words).map(T::of_words) } else { None }
    }

    /// Returns the values, or `None` if they are not of type `T`. Reuses the memory of an owned array if possible.
    pub fn into_values<T: Element>(self) -> Option<Vec<T>> {
        if self.element != T::TYPE {
            return None;
        }
        T::Word::take(self.words).map(|words| T::from_words(words.into_owned()))
    }

    /// Returns the bytes of the values in the byte order of this machine.
    pub fn bytes(&self) -> &[u8] {
        with_words!(&self.words, words => bytemuck::cast_slice(words))
    }

    /// Returns an array that borrows the values of this one.
    pub fn view(&self) -> AnyArray<'_> {
        AnyArray { element: self.element, words: map_words!(&self.words, words => Cow::Borrowed(&words[..])) }
    }

    /// Returns the array with values that it owns.
    pub fn into_owned(self) -> AnyArray<'static> {
        AnyArray { element: self.element, words: map_words!(self.words, words => Cow::Owned(words.into_owned())) }
    }

    /// Reinterprets the bytes of the array as values of another type. `name` is the name of the array in errors.
    ///
    /// Fails if bytes are left over, or if a bool is neither 0 nor 1.
    ///
    /// ```
    /// use num_complex::Complex;
    /// use sparse_files::{AnyArray, ElementType};
    /// let pairs = AnyArray::from_values(vec![1.0, 2.0, 3.0, 4.0]);
    /// let complex = pairs.reinterpreted("values", ElementType::C128)?;
    /// assert_eq!(complex.into_values(), Some(vec![Complex::new(1.0, 2.0), Complex::new(3.0, 4.0)]));
    /// let error = AnyArray::from_values(vec![0u8, 2]).reinterpreted("values", ElementType::Bool).unwrap_err();
    /// assert_eq!(error.to_string(), "values[1] is 2, but a bool is 0 or 1");
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn reinterpreted(self, name: &str, element: ElementType) -> Result<AnyArray<'a>> {
        check(name, element, self.bytes())?;
        Ok(crate::with_element!(element, T => with_words!(self.words, words => AnyArray::of_words::<T>(recast(words)))))
    }

    /// Returns the numbers as indices, without a copy. `name` is the name of the array in errors.
    ///
    /// An empty array may be of any type, because NumPy gives an empty list the type `float64`.
    ///
    /// Fails if the numbers are not integers, or if one is negative.
    ///
    /// ```
    /// use sparse_files::AnyArray;
    /// let pointers = AnyArray::from_values(vec![0i32, 2, 3]).into_indices("indptr")?;
    /// assert_eq!(pointers, vec![0u32, 2, 3].into());
    /// let error = AnyArray::from_values(vec![0i32, -1]).into_indices("indptr").unwrap_err();
    /// assert_eq!(error.to_string(), "indptr[1] is negative, but indices are at least 0");
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn into_indices(self, name: &str) -> Result<Indices<'a>> {
        if self.is_empty() {
            return Ok(Indices::narrowest(&[]));
        }
        let signed = matches!(self.element, ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64);
        if !signed && !matches!(self.element, ElementType::U8 | ElementType::U16 | ElementType::U32 | ElementType::U64) {
            return Err(FileError::IndexType { array: name.into(), found: self.element });
        }
        let indices = match self.words {
            Words::B1(words) => Indices::U8(words),
            Words::B2(words) => Indices::U16(words),
            Words::B4(words) => Indices::U32(words),
            Words::B8(words) => Indices::U64(words),
            Words::B4x2(_) | Words::B8x2(_) => return Err(FileError::IndexType { array: name.into(), found: self.element }),
        };
        let most = indices.width().most() >> 1;
        if signed && let Some(at) = with_indices!(&indices, array => array.iter().position(|x| x.to_u64() > most)) {
            return Err(FileError::NegativeIndex { array: name.into(), at });
        }
        Ok(indices)
    }
}

impl<'a> From<Indices<'a>> for AnyArray<'a> {
    fn from(indices: Indices<'a>) -> Self {
        match indices {
            Indices::U8(words) => AnyArray::of_words::<u8>(words),
            Indices::U16(words) => AnyArray::of_words::<u16>(words),
            Indices::U32(words) => AnyArray::of_words::<u32>(words),
            Indices::U64(words) => AnyArray::of_words::<u64>(words),
        }
    }
}

/// Returns the words in these bytes. The number of bytes must be a multiple of the size of a word.
fn words<W: Word>(bytes: Cow<'_, [u8]>, big_endian: bool) -> Cow<'_, [W]> {
    let foreign = big_endian != cfg!(target_endian = "big");
    let mut words: Vec<W> = match bytes {
        Cow::Borrowed(bytes) => match bytemuck::try_cast_slice(bytes) {
            Ok(words) if !foreign => return Cow::Borrowed(words),
            _ => bytemuck::allocation::pod_collect_to_vec(bytes),
        },
        // A vector of bytes cannot be freed as one of words, so copy it to aligned memory.
        Cow::Owned(bytes) if size_of::<W>() > 1 => bytemuck::allocation::pod_collect_to_vec(&bytes),
        Cow::Owned(bytes) => {
            bytemuck::allocation::try_cast_vec(bytes).unwrap_or_else(|(_, bytes)| bytemuck::allocation::pod_collect_to_vec(&bytes))
        }
    };
    if foreign {
        words.iter_mut().for_each(|word| *word = word.swapped());
    }
    Cow::Owned(words)
}

/// Reinterprets words of type `A` as words of type `B`. The number of bytes must be a multiple of the size of `B`. Copies only
/// if the alignment requires it.
fn recast<A: Word, B: Word>(words: Cow<'_, [A]>) -> Cow<'_, [B]> {
    match words {
        Cow::Borrowed(words) => match bytemuck::try_cast_slice(words) {
            Ok(words) => Cow::Borrowed(words),
            Err(_) => Cow::Owned(bytemuck::allocation::pod_collect_to_vec(words)),
        },
        Cow::Owned(words) => Cow::Owned(
            bytemuck::allocation::try_cast_vec(words).unwrap_or_else(|(_, words)| bytemuck::allocation::pod_collect_to_vec(&words)),
        ),
    }
}

/// Checks that bytes are values of a type. Fails if bytes are left over, or if a bool is neither 0 nor 1.
fn check(name: &str, element: ElementType, bytes: &[u8]) -> Result<()> {
    if !bytes.len().is_multiple_of(element.size()) {
        return Err(FileError::Bytes { array: name.into(), found: bytes.len(), size: element.size() });
    }
    if element != ElementType::Bool {
        return Ok(());
    }
    match bytes.iter().position(|byte| *byte > 1) {
        Some(at) => Err(FileError::Bool { array: name.into(), at, found: bytes[at] }),
        None => Ok(()),
    }
}
