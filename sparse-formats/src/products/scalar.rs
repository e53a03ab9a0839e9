//! The number types that kernels add and multiply. A new type is a line of `scalars!` below.

use crate::kernels::Value;
use core::fmt::Debug;

/// A number type that kernels accumulate in without conversion. Floating-point numbers round after each operation,
/// integers wrap around.
pub trait Scalar: Value + Copy + PartialEq + PartialOrd + Debug {
    /// The number 0.
    const ZERO: Self;
    /// The number 1.
    const ONE: Self;
    /// The greatest number: infinity for floating-point numbers.
    const GREATEST: Self;
    /// Returns `self + other`.
    fn plus(self, other: Self) -> Self;
    /// Returns `self - other`.
    fn minus(self, other: Self) -> Self;
    /// Returns `self * other`.
    fn times(self, other: Self) -> Self;
}

macro_rules! scalars {
    ($($type:ident $zero:literal $one:literal $greatest:expr, $plus:expr, $minus:expr, $times:expr;)*) => { $(
        impl Scalar for $type {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            const GREATEST: Self = $greatest;
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                $plus(self, other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                $minus(self, other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                $times(self, other)
            }
        }
    )* };
}

scalars! {
    f32 0.0 1.0 f32::INFINITY, |a, b| a + b, |a, b| a - b, |a, b| a * b;
    f64 0.0 1.0 f64::INFINITY, |a, b| a + b, |a, b| a - b, |a, b| a * b;
    i32 0 1 i32::MAX, i32::wrapping_add, i32::wrapping_sub, i32::wrapping_mul;
    i64 0 1 i64::MAX, i64::wrapping_add, i64::wrapping_sub, i64::wrapping_mul;
    i128 0 1 i128::MAX, i128::wrapping_add, i128::wrapping_sub, i128::wrapping_mul;
}
