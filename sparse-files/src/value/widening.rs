//! Widens tensors of words, and implements the operations that depend on the meaning of the words.

use super::element::InWords;
use super::tensor::TensorWords;
use super::{AnyArray, AnyValues, Dedupe, Element, WordVariant, Words};
use crate::element::{ElementType, types};
use crate::error::{FileError, Result};
use sparse_formats::{Attributes, Builder, Duplicates, Format, Indices, SparseTensor, Symmetry, Values, Widths};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A word of a tensor, of one of six widths, and the wider word that operations use in its place.
pub(crate) trait TensorWord: WordVariant {
    /// The words with which tensors are built. Only a few widths exist, because sorting is compiled for each.
    type Wide: WideWord;

    /// Returns the wide word with the same bits, extended by zeros.
    fn widen(self) -> Self::Wide;
    /// Returns the word with the lowest bits of a wide word.
    fn narrow(wide: Self::Wide) -> Self;
    /// Returns the values as wide words, without a copy if they already are.
    fn widen_all(values: Values<'_, Self>) -> Values<'_, Self::Wide>;
    /// Returns the values as words of this width, without a copy if they already are.
    fn narrow_all(values: Values<'_, Self::Wide>) -> Values<'_, Self>;
    /// Wraps a tensor in the variant of this width.
    fn tensor(tensor: SparseTensor<'_, Self>) -> TensorWords<'_>;
    /// Returns the tensor, or `None` if its words are of another width.
    fn of_tensor<'w, 'a>(words: &'w TensorWords<'a>) -> Option<&'w SparseTensor<'a, Self>>;
}

macro_rules! tensor_words {
    ($($type:ty as $wide:ty, $variant:ident, $widen:expr, $narrow:expr, $widen_all:expr, $narrow_all:expr;)*) => { $(
        impl TensorWord for $type {
            type Wide = $wide;

            fn widen(self) -> $wide {
                $widen(self)
            }
            fn narrow(wide: $wide) -> Self {
                $narrow(wide)
            }
            fn widen_all(values: Values<'_, Self>) -> Values<'_, $wide> {
                $widen_all(values)
            }
            fn narrow_all(values: Values<'_, $wide>) -> Values<'_, Self> {
                $narrow_all(values)
            }
            fn tensor(tensor: SparseTensor<'_, Self>) -> TensorWords<'_> {
                Words::$variant(tensor)
            }
            fn of_tensor<'w, 'a>(words: &'w TensorWords<'a>) -> Option<&'w SparseTensor<'a, Self>> {
                match words {
                    Words::$variant(tensor) => Some(tensor),
                    _ => None,
                }
            }
        }
    )* };
}
tensor_words! {
    u8 as u32, B1, u32::from, |wide| wide as u8, |values: Values<u8>| values.map(|x| x.widen()), |wide: Values<u32>| wide.map(|x| u8::narrow(*x));
    u16 as u32, B2, u32::from, |wide| wide as u16, |values: Values<u16>| values.map(|x| x.widen()), |wide: Values<u32>| wide.map(|x| u16::narrow(*x));
    u32 as u32, B4, |x| x, |x| x, |x| x, |x| x;
    u64 as u64, B8, |x| x, |x| x, |x| x, |x| x;
    [u32; 2] as u64, B4x2, bytemuck::cast, bytemuck::cast,
        |values: Values<[u32; 2]>| values.map(|x| x.widen()), |wide: Values<u64>| wide.map(|x| <[u32; 2]>::narrow(*x));
    [u64; 2] as [u64; 2], B8x2, |x| x, |x| x, |x| x, |x| x;
}

/// A wide word, and the operations that depend on its meaning.
pub(crate) trait WideWord: TensorWord<Wide = Self> {
    /// Returns the sum of two words that hold values of a type, or `None` if it is not a value of the type.
    fn sum(element: ElementType, a: Self, b: Self) -> Option<Self>;
    /// Returns the mirror image of a word that holds a value of a type, or `None` if the type lacks it.
    fn mirrored(element: ElementType, word: Self, symmetry: Symmetry) -> Option<Self>;
    /// Tests whether two words hold equal values, or both hold a NaN.
    fn same(element: ElementType, a: Self, b: Self) -> bool;
    /// Returns the text of a word that holds a value of a type.
    fn text(element: ElementType, word: Self) -> String;
}

/// Tests whether two values are equal, or both NaN.
#[allow(clippy::eq_op, reason = "a NaN differs from itself")]
fn same<T: PartialEq>(a: T, b: T) -> bool {
    a == b || a != a && b != b
}

macro_rules! wide_words {
    ($($type:ty, $($element:ident)*;)*) => { $(
        impl WideWord for $type {
            fn sum(element: ElementType, a: Self, b: Self) -> Option<Self> {
                match element {
                    $(ElementType::$element => {
                        let [a, b] = [a, b].map(|wide| <types::$element as InWords>::from_word(TensorWord::narrow(wide)));
                        a.sum(b).map(|sum| sum.to_word().widen())
                    })*
                    _ => None,
                }
            }
            fn mirrored(element: ElementType, word: Self, symmetry: Symmetry) -> Option<Self> {
                match element {
                    $(ElementType::$element => {
                        let value = <types::$element as InWords>::from_word(TensorWord::narrow(word));
                        value.mirrored(symmetry).map(|mirrored| mirrored.to_word().widen())
                    })*
                    _ => None,
                }
            }
            fn same(element: ElementType, a: Self, b: Self) -> bool {
                match element {
                    $(ElementType::$element => {
                        let [a, b] = [a, b].map(|wide| <types::$element as InWords>::from_word(TensorWord::narrow(wide)));
                        same(a, b)
                    })*
                    _ => false,
                }
            }
            fn text(element: ElementType, word: Self) -> String {
                match element {
                    $(ElementType::$element => format!("{:?}", <types::$element as InWords>::from_word(TensorWord::narrow(word))),)*
                    _ => String::new(),
                }
            }
        }
    )* };
}
wide_words! { u32, U8 I8 Bool U16 I16 U32 I32 F32; u64, U64 I64 F64 C64; [u64; 2], C128; }

/// Returns the tensor with wide words. A valid tensor does not fail.
pub(super) fn widened<'t, W: TensorWord>(tensor: &'t SparseTensor<'_, W>) -> Result<SparseTensor<'t, W::Wide>> {
    Ok(tensor.view().with_values(W::widen_all, tensor.fill().widen())?)
}

/// Returns the tensor with words of width `W`, from wide words. A valid tensor does not fail.
pub(super) fn narrow<W: TensorWord>(tensor: SparseTensor<'static, W::Wide>) -> Result<SparseTensor<'static, W>> {
    let fill = W::narrow(*tensor.fill());
    Ok(tensor.with_values(W::narrow_all, fill)?)
}

/// Returns the values as words of this width. Fails if the array has another width, or has no value where one stands for all.
pub(super) fn words_of<'v, W: TensorWord>(values: &'v AnyValues<'_>, element: ElementType) -> Result<Values<'v, W>> {
    let wrong = |array: &AnyArray<'_>| FileError::ArrayType { array: "values".into(), found: array.element(), expected: element };
    Ok(match values {
        AnyValues::Each(array) => Values::Each(Cow::Borrowed(W::of(&array.words).ok_or_else(|| wrong(array))?)),
        AnyValues::Iso(array) => Values::Iso(*W::of(&array.words).and_then(|words| words.first()).ok_or_else(|| wrong(array))?),
        AnyValues::PatternOnly => Values::PatternOnly,
    })
}

pub(super) fn convert<W: WideWord>(
    tensor: SparseTensor<'_, W>,
    format: &Format,
    dedupe: Dedupe,
    widths: &Widths,
    summed: &Summed,
) -> Result<SparseTensor<'static, W>> {
    let sum = summed.sum();
    Ok(tensor.convert(&builder(format, *tensor.fill(), dedupe, &sum).widths(widths.clone()))?)
}

pub(super) fn built<W: WideWord>(
    shape: &[u64],
    columns: &[Indices<'_>],
    values: Values<'_, W>,
    format: &Format,
    dedupe: Dedupe,
    widths: &Widths,
    summed: &Summed,
) -> Result<SparseTensor<'static, W>> {
    let sum = summed.sum();
    Ok(builder(format, W::default(), dedupe, &sum).widths(widths.clone()).build(shape, columns, values)?)
}

pub(super) fn expanded<W: WideWord>(tensor: SparseTensor<'_, W>, element: ElementType) -> Result<SparseTensor<'static, W>> {
    let fill = *tensor.fill();
    // Elements that are not stored have mirror images, too.
    if let (Some(symmetry), true) = (tensor.attributes().symmetry, tensor.attributes().is_one_triangle())
        && !W::mirrored(element, fill, symmetry).is_some_and(|mirrored| W::same(element, mirrored, fill))
    {
        let what = format!("the fill value {}, whose mirror image differs", W::text(element, fill));
        return Err(FileError::NoPlace { what, kind: "a matrix with both triangles" });
    }
    let mut none = None;
    let expanded = tensor.expand(|word, symmetry| {
        W::mirrored(element, *word, symmetry).unwrap_or_else(|| {
            none.get_or_insert(*word);
            *word
        })
    })?;
    match none {
        Some(word) => Err(FileError::Mirror { value: W::text(element, word), element }),
        None => Ok(expanded),
    }
}

pub(super) fn pruned<W: WideWord>(tensor: SparseTensor<'_, W>, element: ElementType) -> Result<SparseTensor<'static, W>> {
    let fill = *tensor.fill();
    let pruned = tensor.pruned(|word| !W::same(element, *word, fill))?;
    // Comments describe the file, whatever its elements.
    let attributes = Attributes { user: tensor.attributes().user.clone(), ..pruned.attributes().clone() };
    Ok(pruned.with_attributes(attributes).map_err(|rejected| rejected.error)?)
}

fn builder<'f, W: WideWord>(format: &Format, fill: W, dedupe: Dedupe, sum: &'f (dyn Fn(&W, &W) -> W + Sync)) -> Builder<'f, W> {
    Builder::new(format.clone(), fill).duplicates(match dedupe {
        Dedupe::Sum => Duplicates::Combine(sum),
        Dedupe::First => Duplicates::First,
        Dedupe::Last => Duplicates::Last,
        Dedupe::Refuse if format.is_multigraph() => Duplicates::Keep,
        Dedupe::Refuse => Duplicates::Refuse,
    })
}

/// A function that sums words of values of type `element`, and a flag that records whether a sum was not a value of the type.
/// `checked` reports it at the end.
pub(super) struct Summed {
    element: ElementType,
    overflow: AtomicBool,
}

impl Summed {
    pub fn new(element: ElementType) -> Summed {
        Summed { element, overflow: AtomicBool::new(false) }
    }

    fn sum<W: WideWord>(&self) -> impl Fn(&W, &W) -> W + Sync {
        |a, b| {
            W::sum(self.element, *a, *b).unwrap_or_else(|| {
                self.overflow.store(true, Ordering::Relaxed);
                W::default()
            })
        }
    }

    pub fn checked<T>(self, made: T) -> Result<T> {
        if self.overflow.into_inner() { Err(FileError::Sum { element: self.element }) } else { Ok(made) }
    }
}
