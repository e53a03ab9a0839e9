//! What leaves must be for arithmetic: integers, checked, and floating-point numbers.

use core::cmp::Ordering;

/// A number that lists of can be added, multiplied and ordered.
pub trait Number: Copy + PartialEq + core::fmt::Debug + Send + Sync + 'static {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The sum; `None` if an integer overflows.
    fn plus(self, other: Self) -> Option<Self>;
    /// The product; `None` if an integer overflows.
    fn times(self, other: Self) -> Option<Self>;
    /// The order of numbers, which is total: NaN comes after all others.
    fn order(self, other: Self) -> Ordering;
    /// The nearest `f64`.
    fn to_f64(self) -> f64;
}

macro_rules! integers {
    ($($type:ident)*) => { $(
        impl Number for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
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
        }
    )* };
}

macro_rules! floats {
    ($($type:ident)*) => { $(
        impl Number for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
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
        }
    )* };
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
floats! { f32 f64 }
