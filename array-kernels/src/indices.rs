//! Index arrays of the narrowest width that fits, owned or borrowed.

use crate::memory::{self, room};
use crate::same_bits::same_bits;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use layout_levels::{Index, IndexSlice};

/// The width of the integers of an index array.
// `Width::bits` counts the variants, so each is twice as wide as the one before it.
/// ```
/// use array_kernels::Width;
/// // A matrix with 70,000 columns needs 32 bits for a column, and one with 65,536 needs 16.
/// assert_eq!((Width::below(70_000), Width::below(65_536)), (Width::U32, Width::U16));
/// assert_eq!((Width::U16.bits(), Width::U16.most()), (16, 65_535));
/// assert_eq!(Width::of(7).max(Width::U32), Width::U32); // the wider of two
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Width {
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
}

impl Width {
    /// Returns the narrowest width whose unsigned integers hold the numbers `0..=most`.
    ///
    /// ```
    /// use array_kernels::Width;
    /// assert_eq!((Width::of(255), Width::of(256), Width::of(1 << 32)), (Width::U8, Width::U16, Width::U64));
    /// ```
    pub const fn of(most: u64) -> Width {
        match most {
            0..=0xff => Width::U8,
            0x100..=0xffff => Width::U16,
            0x1_0000..=0xffff_ffff => Width::U32,
            _ => Width::U64,
        }
    }

    /// Returns the narrowest width for coordinates below `extent`.
    pub const fn below(extent: u64) -> Width {
        Width::of(extent.saturating_sub(1))
    }

    /// Returns the number of bits of one integer: 8, 16, 32 or 64.
    pub const fn bits(self) -> u32 {
        8 << self as u32
    }

    /// Returns the greatest number that an integer of this width holds.
    pub const fn most(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
}

/// An index array: coordinates or positions, in one of four widths, owned or borrowed.
///
/// ```
/// use array_kernels::{Indices, Width};
/// let columns = Indices::from(vec![4_u16, 0, 9]);
/// assert_eq!((columns.len(), columns.is_empty(), columns.width()), (3, false, Width::U16));
/// assert_eq!((columns.get(2), columns.get(3)), (Some(9), None));
/// assert_eq!(columns.iter().sum::<u64>(), 13);
/// assert_eq!(columns.gather(&[2, 2, 0]), Indices::from(vec![9_u16, 9, 4]));
///
/// // Other widths copy, the same width does not.
/// assert_eq!(columns.cast::<u64>().as_deref(), Some(&[4, 0, 9][..]));
/// assert!(matches!(columns.cast::<u16>(), Some(std::borrow::Cow::Borrowed(_))));
///
/// // A view borrows, and arrays with equal numbers are equal in any width.
/// let (view, bytes) = (columns.view(), [4_u8, 0, 9]);
/// assert_eq!(view, Indices::from(&bytes[..]));
/// assert_eq!(view.into_owned(), columns);
/// ```
#[derive(Clone, Debug)]
pub enum Indices<'a> {
    /// 8 bits.
    U8(Cow<'a, [u8]>),
    /// 16 bits.
    U16(Cow<'a, [u16]>),
    /// 32 bits.
    U32(Cow<'a, [u32]>),
    /// 64 bits.
    U64(Cow<'a, [u64]>),
}

/// Evaluates `body` with `array` bound to the `Cow` inside `indices`. The body is compiled once for each of the four widths.
///
/// ```
/// use array_kernels::{Indices, with_indices};
/// /// Counts the ends of runs in an array of any width, at the speed of its own integers.
/// fn changes(indices: &Indices<'_>) -> usize {
///     with_indices!(indices, array => array.windows(2).filter(|pair| pair[0] != pair[1]).count())
/// }
/// assert_eq!(changes(&Indices::from(vec![7_u8, 7, 3, 3, 3, 7])), 2);
/// ```
#[macro_export]
macro_rules! with_indices {
    ($indices:expr, $array:ident => $body:expr) => {
        match $indices {
            $crate::Indices::U8($array) => $body,
            $crate::Indices::U16($array) => $body,
            $crate::Indices::U32($array) => $body,
            $crate::Indices::U64($array) => $body,
        }
    };
}

/// Evaluates `body` with `$type` as the integer type of a width.
///
/// ```
/// use array_kernels::{Indices, Width, with_width};
/// /// Returns the numbers `0, step, ..` below `extent` in the narrowest width.
/// fn multiples(extent: u64, step: usize) -> Indices<'static> {
///     with_width!(Width::below(extent), T => (0..extent).step_by(step).map(|x| x as T).collect::<Vec<T>>().into())
/// }
/// assert_eq!(multiples(1000, 300).width(), Width::U16);
/// assert_eq!(multiples(1000, 300), Indices::from(vec![0_u16, 300, 600, 900]));
/// ```
#[macro_export]
macro_rules! with_width {
    ($width:expr, $type:ident => $body:expr) => {
        $crate::with_width!(@ $width, $type => $body, U8 u8 U16 u16 U32 u32 U64 u64)
    };
    (@ $width:expr, $type:ident => $body:expr, $($variant:ident $index:ident)*) => {
        match $width {
            $($crate::Width::$variant => {
                type $type = $index;
                $body
            })*
        }
    };
}
impl Indices<'static> {
    /// Stores numbers in the narrowest width that holds them all.
    ///
    /// ```
    /// use array_kernels::{Indices, Width};
    /// let indices = Indices::narrowest(&[3, 256]);
    /// assert_eq!((indices.width(), indices.get(1)), (Width::U16, Some(256)));
    /// ```
    pub fn narrowest(numbers: &[u64]) -> Indices<'static> {
        let width = Width::of(numbers.iter().copied().max().unwrap_or(0));
        with_width!(width, T => numbers.iter().map(|number| T::from_low_bits(*number)).collect::<Vec<T>>().into())
    }
}

impl Indices<'_> {
    /// Returns the number of indices.
    pub fn len(&self) -> usize {
        with_indices!(self, array => array.len())
    }

    /// Returns true if the array has no indices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number at index `k`, or `None` if the array has `k` numbers or fewer.
    pub fn get(&self, k: usize) -> Option<u64> {
        with_indices!(self, array => array.get(k).map(|x| x.to_u64()))
    }

    /// Returns the numbers as a slice of `T`, or `None` if they have another type than `T`.
    ///
    /// ```
    /// use array_kernels::Indices;
    /// let indices = Indices::from(vec![3u16, 5]);
    /// assert_eq!((indices.as_slice::<u16>(), indices.as_slice::<u32>()), (Some(&[3, 5][..]), None));
    /// ```
    pub fn as_slice<T: Index>(&self) -> Option<&[T]> {
        T::downcast(self.erased())
    }

    fn erased(&self) -> IndexSlice<'_> {
        with_indices!(self, array => Index::erase(array))
    }

    /// Returns the width of the numbers of this array.
    pub const fn width(&self) -> Width {
        match self {
            Indices::U8(_) => Width::U8,
            Indices::U16(_) => Width::U16,
            Indices::U32(_) => Width::U32,
            Indices::U64(_) => Width::U64,
        }
    }

    /// Iterates over the indices of the array, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.len()).map(move |k| with_indices!(self, array => array[k].to_u64()))
    }

    /// Returns the array, copied if it is borrowed.
    pub fn into_owned(self) -> Indices<'static> {
        with_indices!(self, array => memory::owned(array).into())
    }

    /// Returns an array that borrows the numbers of this one.
    pub fn view(&self) -> Indices<'_> {
        with_indices!(self, array => array[..].into())
    }

    /// Converts the numbers to `T`, which must hold them. Copies if the type differs, and returns `None` if memory has no room.
    pub fn cast<T: Index>(&self) -> Option<Cow<'_, [T]>> {
        if let Some(slice) = self.as_slice() {
            return Some(Cow::Borrowed(slice));
        }
        let mut out = room(self.len())?;
        with_indices!(self, array => out.extend(array.iter().map(|x| T::from_low_bits(x.to_u64()))));
        Some(Cow::Owned(out))
    }

    /// Returns the numbers at the indices `places`, in that order. Panics if an index is not below the length.
    pub fn gather(&self, places: &[usize]) -> Indices<'static> {
        with_indices!(self, array => places.iter().map(|place| array[*place]).collect::<Vec<_>>().into())
    }
}

impl Eq for Indices<'_> {}

/// Two arrays are equal if their numbers are, even if their widths differ.
impl PartialEq for Indices<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

macro_rules! from_array {
    ($($type:ident $variant:ident)*) => { $(
        impl From<Vec<$type>> for Indices<'_> {
            fn from(array: Vec<$type>) -> Self {
                Indices::$variant(Cow::Owned(array))
            }
        }

        impl<'a> From<&'a [$type]> for Indices<'a> {
            fn from(array: &'a [$type]) -> Self {
                Indices::$variant(Cow::Borrowed(array))
            }
        }
    )* };
}

from_array! { u8 U8 u16 U16 u32 U32 u64 U64 }

/// An integer type of offsets, signed or unsigned. [`Indices`] share the memory of signed arrays too, as no offset is negative.
///
/// ```
/// use array_kernels::{Indices, OffsetIndex};
/// /// Returns the number of entries of each row, read as the integers of another library.
/// fn lengths<I: OffsetIndex>(offsets: &Indices<'_>) -> Result<Vec<u64>, String> {
///     let offsets = I::slice_of(offsets).ok_or(format!("expected {}", I::OFFSETS))?;
///     Ok(offsets.windows(2).map(|pair| pair[1].to_u64() - pair[0].to_u64()).collect())
/// }
/// let offsets = i32::into_indices(vec![0, 2, 5].into());
/// assert_eq!(lengths::<i32>(&offsets), Ok(vec![2, 3]));
/// assert_eq!(lengths::<i64>(&offsets), Err("expected i64 offsets".to_string()));
/// assert_eq!(i64::WORD, "i64");
/// ```
pub trait OffsetIndex: Index {
    /// The name of the type, such as `u32`.
    const WORD: &'static str;

    /// The name of a level of offsets of this type, such as `u32 offsets`.
    const OFFSETS: &'static str;

    /// Returns `numbers` as unsigned integers with the same bits. A negative number becomes a large one.
    ///
    /// ```
    /// use array_kernels::{Indices, OffsetIndex};
    /// assert_eq!(i32::into_indices(vec![0, 2, 3].into()), Indices::from(vec![0_u32, 2, 3]));
    /// ```
    fn into_indices(numbers: Cow<'_, [Self]>) -> Indices<'_>;

    /// Converts the numbers to this type, or returns `None` if one does not fit. The same width needs no copy.
    ///
    /// ```
    /// use array_kernels::{Indices, OffsetIndex};
    /// assert_eq!(i8::of_indices(vec![1_u32, 127].into()).as_deref(), Some(&[1, 127][..]));
    /// assert_eq!(i8::of_indices(vec![1_u8, 128].into()), None);
    /// ```
    fn of_indices(indices: Indices<'_>) -> Option<Cow<'_, [Self]>>;

    /// Returns the numbers with their bits read as this type, or `None` if `indices` has another width.
    fn slice_of<'s>(indices: &'s Indices<'_>) -> Option<&'s [Self]>;
}

macro_rules! offset_index {
    ($($type:ident $variant:ident;)*) => { $(
        impl OffsetIndex for $type {
            const WORD: &'static str = stringify!($type);
            const OFFSETS: &'static str = concat!(stringify!($type), " offsets");

            fn into_indices(numbers: Cow<'_, [Self]>) -> Indices<'_> {
                Indices::$variant(same_bits(numbers))
            }

            fn of_indices(indices: Indices<'_>) -> Option<Cow<'_, [Self]>> {
                match indices {
                    Indices::$variant(array) if array.iter().all(|x| Self::from_u64(x.to_u64()).is_some()) => Some(same_bits(array)),
                    other => other.iter().map(Self::from_u64).collect::<Option<Vec<Self>>>().map(Cow::Owned),
                }
            }

            #[inline]
            fn slice_of<'s>(indices: &'s Indices<'_>) -> Option<&'s [Self]> {
                match indices {
                    Indices::$variant(array) => match same_bits(Cow::Borrowed(&array[..])) {
                        Cow::Borrowed(array) => Some(array),
                        Cow::Owned(_) => None,
                    },
                    _ => None,
                }
            }
        }
    )* };
}

offset_index! { u8 U8; u16 U16; u32 U32; u64 U64; i8 U8; i16 U16; i32 U32; i64 U64; }
