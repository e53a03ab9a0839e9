//! The number types of leaves for arithmetic: integers with overflow checks, and floating-point numbers.

use core::cmp::Ordering;

/// A type of numbers that reductions can add, multiply and order.
///
/// All integers, `f32` and `f64` are such numbers. A function over arrays of numbers has the trait as its bound:
///
/// ```
/// use ragged_arrays::{Number, RaggedArray, Result};
/// /// Returns the greatest number of every row less the least one; 0 for an empty row.
/// fn spreads<T: Number>(rows: &RaggedArray<'_, T>) -> Result<Vec<f64>> {
///     let spread = |least: &Option<T>, most: &Option<T>| most.zip(*least).map_or(0.0, |(most, least)| most.to_f64() - least.to_f64());
///     Ok(rows.min(1)?.zip_with(&rows.max(1)?, spread)?.leaves().to_vec())
/// }
/// assert_eq!(spreads(&RaggedArray::from_lengths(vec![3, 0], vec![7_u8, 255, 5])?)?, [250.0, 0.0]);
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
///
/// Integers never wrap around, and NaN has a place in the order:
///
/// ```
/// use ragged_arrays::Number;
/// assert_eq!((200_u8.plus(u8::ONE), 200_u8.plus(100), 200_u8.times(2)), (Some(201), None, None));
/// assert!(1.5.order(f64::NAN).is_lt() && 1.5.below(f64::NAN)); // NaN comes last
/// assert!(f64::NAN.unordered() && !1.5.less(f64::NAN) && f64::ZERO.less(1.5)); // `<` does not order NaN
/// assert!((-2.5_f32).key() < 3.0.key() && f32::EXACT_KEY);
/// assert!(!u128::EXACT_KEY && u128::ZERO.key() == 1_u128.key()); // 128 bits do not fit a key
/// ```
pub trait Number: Copy + PartialEq + core::fmt::Debug + Send + Sync + 'static {
    /// The number 0.
    const ZERO: Self;
    /// The number 1.
    const ONE: Self;
    /// True if numbers with the same [`Number::key`] are equal.
    const EXACT_KEY: bool = false;
    /// Returns the sum; `None` if an integer overflows.
    fn plus(self, other: Self) -> Option<Self>;
    /// Returns the product; `None` if an integer overflows.
    fn times(self, other: Self) -> Option<Self>;
    /// Compares two numbers in a total order, in which NaN comes after all other numbers.
    fn order(self, other: Self) -> Ordering;
    /// Returns the `f64` nearest to the number.
    fn to_f64(self) -> f64;

    /// Tests whether this number comes before `other` in the order of `Number::order`.
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self.order(other).is_lt()
    }

    /// Tests whether this number is NaN, which `<` does not order.
    #[inline(always)]
    fn unordered(self) -> bool {
        false
    }

    /// Tests like [`Number::below`] whether this number comes before `other`, but returns false if either is NaN.
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self.below(other)
    }

    /// Returns a sort key that never decreases in the order of numbers; equal numbers have the same key. Numbers of
    /// the same key are compared themselves, unless [`Number::EXACT_KEY`].
    #[inline(always)]
    fn key(self) -> u64 {
        0
    }
}

macro_rules! integers {
    ($($type:ident $unsigned:ident;)*) => { $(
        impl Number for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const EXACT_KEY: bool = $type::BITS <= 64;
            #[inline(always)]
            fn plus(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Option<Self> {
                self.checked_mul(other)
            }
            #[inline(always)]
            fn order(self, other: Self) -> Ordering {
                self.cmp(&other)
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn key(self) -> u64 {
                // The least number has key 0. A wide type uses its upper half.
                let key = self.wrapping_sub($type::MIN) as $unsigned;
                (key >> ($type::BITS.saturating_sub(64))) as u64
            }
        }
    )* };
}

macro_rules! floats {
    ($($type:ident $bits:ident;)*) => { $(
        impl Number for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const EXACT_KEY: bool = true;
            #[inline(always)]
            fn plus(self, other: Self) -> Option<Self> {
                Some(self + other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Option<Self> {
                Some(self * other)
            }
            #[inline(always)]
            fn order(self, other: Self) -> Ordering {
                // Zeros are equal whatever their sign, as in comparisons.
                self.partial_cmp(&other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn below(self, other: Self) -> bool {
                // Avoid branches: a processor cannot predict them, because they depend on the numbers.
                (self < other) | (other.is_nan() & !self.is_nan())
            }
            #[inline(always)]
            fn unordered(self) -> bool {
                self.is_nan()
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn key(self) -> u64 {
                // Adding 0 removes the sign of zeros.
                let bits = (self + 0.0).to_bits();
                let sign = 1 << ($bits::BITS - 1);
                let key = if bits & sign == 0 { bits | sign } else { !bits };
                u64::from(if self.is_nan() { $bits::MAX } else { key })
            }
        }
    )* };
}

integers! {
    u8 u8; u16 u16; u32 u32; u64 u64; u128 u128; usize usize;
    i8 u8; i16 u16; i32 u32; i64 u64; i128 u128; isize usize;
}
floats! { f32 u32; f64 u64; }
