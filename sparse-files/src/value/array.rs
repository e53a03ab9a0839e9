//! Arrays of values whose type is known at run time.

use super::element::{Element, Word};
use crate::ElementType;
use crate::error::{FileError, Result};
use layout_levels::Index;
use sparse_formats::{Indices, with_indices};
use std::borrow::Cow;

/// Evaluates `body` with `$array` bound to the words of an [`AnyArray`] or the tensor of an [`AnyTensor`](super::AnyTensor), whatever their width.
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

/// Evaluates `body`, which makes something of words, and names the width of the result as that of the words.
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

/// One of six kinds of things that are made of words.
#[derive(Clone, Debug, PartialEq)]
pub enum Words<A, B, C, D, E, F> {
    /// One byte.
    B1(A),
    /// Two bytes.
    B2(B),
    /// Four bytes.
    B4(C),
    /// Eight bytes.
    B8(D),
    /// Two numbers of four bytes.
    B4x2(E),
    /// Two numbers of eight bytes.
    B8x2(F),
}

/// What is made of words of a width, as a variant of [`Words`].
pub trait Held: Word {
    /// Arrays as the variant of this width.
    fn array(array: Cow<'_, [Self]>) -> ArrayWords<'_>;
    /// The words, if they are of this width.
    fn of<'w>(words: &'w ArrayWords<'_>) -> Option<&'w [Self]>;
    /// The words, if they are of this width.
    fn take(words: ArrayWords<'_>) -> Option<Cow<'_, [Self]>>;
}

pub type ArrayWords<'a> = Words<Cow<'a, [u8]>, Cow<'a, [u16]>, Cow<'a, [u32]>, Cow<'a, [u64]>, Cow<'a, [[u32; 2]]>, Cow<'a, [[u64; 2]]>>;

macro_rules! held {
    ($($type:ty, $variant:ident;)*) => { $(
        impl Held for $type {
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
held! { u8, B1; u16, B2; u32, B4; u64, B8; [u32; 2], B4x2; [u64; 2], B8x2; }

/// An array of values of one of the types of [`ElementType`], owned or borrowed.
///
/// ```
/// use sparse_files::{AnyArray, ElementType};
/// let array = AnyArray::from_values(vec![1.5, -2.0]);
/// assert_eq!((array.element(), array.len()), (ElementType::F64, 2));
/// assert_eq!(array.values::<f64>().as_deref(), Some(&[1.5, -2.0][..]));
/// assert_eq!(array.values::<f32>(), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AnyArray<'a> {
    element: ElementType,
    pub(crate) words: ArrayWords<'a>,
}

impl<'a> AnyArray<'a> {
    /// The array of these values.
    pub fn from_values<T: Element>(values: Vec<T>) -> AnyArray<'a> {
        AnyArray { element: T::TYPE, words: Held::array(Cow::Owned(T::into_words(values))) }
    }

    /// The array of values that these words hold.
    pub(crate) fn of_words<T: Element>(words: Cow<'a, [T::Word]>) -> AnyArray<'a> {
        AnyArray { element: T::TYPE, words: Held::array(words) }
    }

    /// The array of values that words of their width hold.
    pub(crate) fn of_any_words(element: ElementType, words: ArrayWords<'a>) -> AnyArray<'a> {
        AnyArray { element, words }
    }

    /// The array of the bytes of values, of which there are as many as fit: where they lie, if they lie as memory has them.
    ///
    /// Fails where bytes are left over, and for a bool that is neither 0 nor 1.
    pub fn from_bytes(name: &str, element: ElementType, bytes: Cow<'a, [u8]>, big_endian: bool) -> Result<AnyArray<'a>> {
        check(name, element, &bytes)?;
        Ok(crate::with_element!(element, T => AnyArray::of_words::<T>(words(bytes, big_endian))))
    }

    /// The type of the values.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        with_words!(&self.words, words => words.len())
    }

    /// Tests whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values, if they are of this type.
    pub fn values<T: Element>(&self) -> Option<Cow<'_, [T]>> {
        if self.element == T::TYPE { T::Word::of(&self.words).map(T::of_words) } else { None }
    }

    /// The values, if they are of this type, in their memory if they are owned.
    pub fn into_values<T: Element>(self) -> Option<Vec<T>> {
        if self.element != T::TYPE {
            return None;
        }
        T::Word::take(self.words).map(|words| T::from_words(words.into_owned()))
    }

    /// The bytes of the values, as memory has them.
    pub fn bytes(&self) -> &[u8] {
        with_words!(&self.words, words => bytemuck::cast_slice(words))
    }

    /// The array, borrowed.
    pub fn view(&self) -> AnyArray<'_> {
        AnyArray { element: self.element, words: map_words!(&self.words, words => Cow::Borrowed(&words[..])) }
    }

    /// The array, owned.
    pub fn into_owned(self) -> AnyArray<'static> {
        AnyArray { element: self.element, words: map_words!(self.words, words => Cow::Owned(words.into_owned())) }
    }

    /// The array with its bytes as values of another type, of which there is a whole number.
    ///
    /// Fails where bytes are left over, and for a bool that is neither 0 nor 1.
    pub fn reinterpreted(self, name: &str, element: ElementType) -> Result<AnyArray<'a>> {
        check(name, element, self.bytes())?;
        Ok(crate::with_element!(element, T => with_words!(self.words, words => AnyArray::of_words::<T>(recast(words)))))
    }

    /// The numbers as indices: they stay where they lie.
    ///
    /// An array without numbers may be of any type: NumPy makes it one of real numbers.
    ///
    /// Fails for numbers that are not whole, and for the first that is negative.
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

/// The words of bytes, of which there is a whole number.
fn words<W: Word>(bytes: Cow<'_, [u8]>, big_endian: bool) -> Cow<'_, [W]> {
    let foreign = big_endian != cfg!(target_endian = "big");
    let mut words: Vec<W> = match bytes {
        Cow::Borrowed(bytes) => match bytemuck::try_cast_slice(bytes) {
            Ok(words) if !foreign => return Cow::Borrowed(words),
            _ => bytemuck::allocation::pod_collect_to_vec(bytes),
        },
        // A vector of bytes is freed as one: its content is copied to where words may lie.
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

/// The bytes of words as other words, of which there is a whole number: where they lie, if memory permits.
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

/// Tests that bytes are values of a type.
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
