//! The trait of the types of values, and the words that hold values. `ElementType` names the same types at run time.

use super::widening::TensorWord;
use crate::ElementType;
use bytemuck::Pod;
use num_complex::Complex;
use sparse_formats::Symmetry;
use std::borrow::Cow;
use std::fmt::Debug;

/// A type of values: numbers of fixed width, bools, or complex numbers.
///
/// ```
/// use sparse_files::{AnyArray, Element, with_element};
/// fn total<T: Element>(values: &[T]) -> Option<T> {
///     values.iter().try_fold(T::default(), |total, value| total.sum(*value))
/// }
/// assert_eq!(total(&[1.5f64, 2.0]), Some(3.5));
/// assert_eq!(total(&[200u8, 100]), None);
/// assert_eq!(total(&[false, true, true]), Some(true));
///
/// // A type that is known only at run time.
/// let array = AnyArray::from_values(vec![3u16, 7, 5]);
/// let most = with_element!(array.element(), T => {
///     array.values::<T>().unwrap_or_default().iter().map(|value| value.parts().0).fold(0.0, f64::max)
/// });
/// assert_eq!((most, u16::TYPE), (7.0, array.element()));
/// ```
#[expect(private_bounds, reason = "users need values, not the words that hold them")]
pub trait Element: InWords + Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// The same type as a value of `ElementType`.
    const TYPE: ElementType;

    /// Returns the sum, or `None` if it overflows an integer. The sum of bools is true if either is.
    fn sum(self, other: Self) -> Option<Self>;
    /// Returns the value at the mirrored coordinate: the value itself, its conjugate in a Hermitian matrix, or its negative in
    /// a skew-symmetric one. Returns `None` if the type lacks the negative: of an unsigned number above 0, of the least
    /// integer, or of `true`.
    ///
    /// ```
    /// use num_complex::Complex;
    /// use sparse_files::Element;
    /// use sparse_formats::Symmetry;
    /// assert_eq!(Complex::new(1.0, 2.0).mirrored(Symmetry::Hermitian), Some(Complex::new(1.0, -2.0)));
    /// assert_eq!((5i8.mirrored(Symmetry::Skew), 5u8.mirrored(Symmetry::Skew)), (Some(-5), None));
    /// ```
    fn mirrored(self, symmetry: Symmetry) -> Option<Self>;
    /// Returns the real and the imaginary part, rounded to `f64`.
    fn parts(self) -> (f64, f64);
}

/// The representation of the values of a type by words.
///
/// Tensors of all types are converted as tensors of six types of words. The meaning of a word matters only if values
/// are added, mirrored, or written as text.
pub(crate) trait InWords: Copy {
    /// The word that holds a value.
    type Word: TensorWord;

    /// Returns the word that holds the value.
    fn to_word(self) -> Self::Word;
    /// Returns the value that a word holds.
    fn from_word(word: Self::Word) -> Self;
    /// Returns the values that words hold, borrowed if the representation permits.
    fn of_words(words: &[Self::Word]) -> Cow<'_, [Self]>;
    /// Returns the words of values, borrowed if the representation permits.
    fn words_of(values: &[Self]) -> Cow<'_, [Self::Word]>;
    /// Converts values to their words, in the same memory if the representation permits.
    fn into_words(values: Vec<Self>) -> Vec<Self::Word>;
    /// Converts words to the values that they hold, in the same memory if the representation permits.
    fn from_words(words: Vec<Self::Word>) -> Vec<Self>;
}

/// A word: an unsigned integer, or a pair of them, with the bytes of one value of some type.
pub(crate) trait Word: Pod + Default + PartialEq + Debug + Send + Sync + 'static {
    /// Returns the word with the bytes of each of its numbers reversed.
    fn swapped(self) -> Self;
}

macro_rules! words {
    ($($type:ty)*) => { $(
        impl Word for $type {
            #[inline]
            fn swapped(self) -> Self {
                self.swap_bytes()
            }
        }

        impl Word for [$type; 2] {
            #[inline]
            fn swapped(self) -> Self {
                self.map(<$type>::swap_bytes)
            }
        }
    )* };
}
words! { u8 u16 u32 u64 }

macro_rules! plain {
    ($($type:ty, $word:ty, $variant:ident, $sum:expr, $mirrored:expr, $parts:expr;)*) => { $(
        impl InWords for $type {
            type Word = $word;

            #[inline]
            fn to_word(self) -> $word {
                bytemuck::cast(self)
            }
            #[inline]
            fn from_word(word: $word) -> Self {
                bytemuck::cast(word)
            }
            fn of_words(words: &[$word]) -> Cow<'_, [Self]> {
                Cow::Borrowed(bytemuck::cast_slice(words))
            }
            fn words_of(values: &[Self]) -> Cow<'_, [$word]> {
                Cow::Borrowed(bytemuck::cast_slice(values))
            }
            fn into_words(values: Vec<Self>) -> Vec<$word> {
                bytemuck::allocation::cast_vec(values)
            }
            fn from_words(words: Vec<$word>) -> Vec<Self> {
                bytemuck::allocation::cast_vec(words)
            }
        }

        impl Element for $type {
            const TYPE: ElementType = ElementType::$variant;

            fn sum(self, other: Self) -> Option<Self> {
                $sum(self, other)
            }
            fn mirrored(self, symmetry: Symmetry) -> Option<Self> {
                $mirrored(self, symmetry)
            }
            fn parts(self) -> (f64, f64) {
                $parts(self)
            }
        }
    )* };
}

macro_rules! unsigned {
    ($($type:ident $variant:ident)*) => {
        plain! { $($type, $type, $variant, $type::checked_add, skew($type::checked_neg), |x: $type| (x as f64, 0.0);)* }
    };
}
unsigned! { u8 U8 u16 U16 u32 U32 u64 U64 }

plain! {
    i8, u8, I8, i8::checked_add, skew(i8::checked_neg), |x: i8| (f64::from(x), 0.0);
    i16, u16, I16, i16::checked_add, skew(i16::checked_neg), |x: i16| (f64::from(x), 0.0);
    i32, u32, I32, i32::checked_add, skew(i32::checked_neg), |x: i32| (f64::from(x), 0.0);
    i64, u64, I64, i64::checked_add, skew(i64::checked_neg), |x: i64| (x as f64, 0.0);
    f32, u32, F32, |a, b| Some(a + b), skew(|x: f32| Some(-x)), |x: f32| (f64::from(x), 0.0);
    f64, u64, F64, |a, b| Some(a + b), skew(|x: f64| Some(-x)), |x: f64| (x, 0.0);
    Complex<f32>, [u32; 2], C64, |a: Complex<f32>, b: Complex<f32>| Some(Complex::new(a.re + b.re, a.im + b.im)),
        |x: Complex<f32>, symmetry| turned(x, symmetry), |x: Complex<f32>| (f64::from(x.re), f64::from(x.im));
    Complex<f64>, [u64; 2], C128, |a: Complex<f64>, b: Complex<f64>| Some(Complex::new(a.re + b.re, a.im + b.im)),
        |x: Complex<f64>, symmetry| turned(x, symmetry), |x: Complex<f64>| (x.re, x.im);
}

/// Returns a function that mirrors a real number: the result is the negative in a skew-symmetric matrix, and the
/// number itself otherwise.
fn skew<T>(negative: impl Fn(T) -> Option<T>) -> impl Fn(T, Symmetry) -> Option<T> {
    move |x, symmetry| if symmetry == Symmetry::Skew { negative(x) } else { Some(x) }
}

fn turned<T: Copy + std::ops::Neg<Output = T>>(x: Complex<T>, symmetry: Symmetry) -> Option<Complex<T>> {
    Some(match symmetry {
        Symmetry::Symmetric => x,
        Symmetry::Hermitian => Complex::new(x.re, -x.im),
        Symmetry::Skew => Complex::new(-x.re, -x.im),
    })
}

impl InWords for bool {
    type Word = u8;

    fn to_word(self) -> u8 {
        u8::from(self)
    }
    fn from_word(word: u8) -> bool {
        word != 0
    }
    fn of_words(words: &[u8]) -> Cow<'_, [bool]> {
        Cow::Owned(words.iter().map(|word| *word != 0).collect())
    }
    fn words_of(values: &[bool]) -> Cow<'_, [u8]> {
        Cow::Borrowed(bytemuck::cast_slice(values))
    }
    fn into_words(values: Vec<bool>) -> Vec<u8> {
        values.into_iter().map(u8::from).collect()
    }
    fn from_words(words: Vec<u8>) -> Vec<bool> {
        words.into_iter().map(|word| word != 0).collect()
    }
}

impl Element for bool {
    const TYPE: ElementType = ElementType::Bool;

    fn sum(self, other: bool) -> Option<bool> {
        Some(self || other)
    }
    fn mirrored(self, symmetry: Symmetry) -> Option<bool> {
        (symmetry != Symmetry::Skew || !self).then_some(self)
    }
    fn parts(self) -> (f64, f64) {
        (f64::from(u8::from(self)), 0.0)
    }
}
