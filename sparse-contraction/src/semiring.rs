//! Arithmetics other than sums of products: numbers whose `plus` and `times` are other operations. Every kernel computes
//! with them, because each is a [`Scalar`].

use core::fmt::{self, Display, Formatter};
use sparse_formats::Scalar;

/// The arithmetic of a contraction. An element that is not stored is the zero of the arithmetic, which changes no sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Semiring {
    /// Sums of products. The zero is 0.
    #[default]
    SumProduct,
    /// The least of sums, as for shortest paths. The zero is the greatest number, infinity for floating-point numbers.
    MinPlus,
    /// The greatest of products of numbers that are not negative. The zero is 0.
    MaxTimes,
    /// 1 where at least one product has no factor that is 0, as for paths that exist. The zero is 0.
    OrAnd,
}

impl Semiring {
    /// All arithmetics.
    pub const ALL: [Semiring; 4] = [Semiring::SumProduct, Semiring::MinPlus, Semiring::MaxTimes, Semiring::OrAnd];

    /// Returns the name, which is also the displayed text.
    ///
    /// ```
    /// use sparse_contraction::Semiring;
    /// assert_eq!(Semiring::ALL.map(Semiring::name), ["sum-product", "min-plus", "max-times", "or-and"]);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Semiring::SumProduct => "sum-product",
            Semiring::MinPlus => "min-plus",
            Semiring::MaxTimes => "max-times",
            Semiring::OrAnd => "or-and",
        }
    }

    /// Returns the arithmetic with this name, or `None` if none has it.
    ///
    /// ```
    /// use sparse_contraction::Semiring;
    /// assert_eq!((Semiring::from_name("min-plus"), Semiring::from_name("plus-min")), (Some(Semiring::MinPlus), None));
    /// ```
    pub fn from_name(name: &str) -> Option<Semiring> {
        Semiring::ALL.into_iter().find(|semiring| semiring.name() == name)
    }
}

impl Display for Semiring {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A number of an arithmetic other than sums of products.
///
/// ```
/// use sparse_contraction::{Arithmetic, MinPlus, OrAnd};
/// assert_eq!((MinPlus::of(3).number(), OrAnd::of(3).number()), (3, 1));
/// ```
pub trait Arithmetic<T>: Scalar {
    /// True if numbers may be negative.
    const NEGATIVE: bool;

    /// Returns the number of this arithmetic for a plain number.
    fn of(number: T) -> Self;

    /// Returns the plain number.
    fn number(self) -> T;
}

macro_rules! semirings {
    ($($(#[$doc:meta])* $name:ident: $zero:expr, $one:expr, $greatest:expr, $plus:expr, $times:expr, $of:expr, $negative:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
        pub struct $name<T>(
            /// The number.
            pub T,
        );

        impl<T: Scalar> Default for $name<T> {
            fn default() -> Self {
                Self::ZERO
            }
        }

        impl<T: Scalar> Scalar for $name<T> {
            const ZERO: Self = $name($zero);
            const ONE: Self = $name($one);
            const GREATEST: Self = $name($greatest);
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                let plus: fn(T, T) -> T = $plus;
                $name(plus(self.0, other.0))
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                $name(self.0.minus(other.0))
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                let times: fn(T, T) -> T = $times;
                $name(times(self.0, other.0))
            }
        }

        impl<T: Scalar> Arithmetic<T> for $name<T> {
            const NEGATIVE: bool = $negative;

            fn of(number: T) -> Self {
                let of: fn(T) -> T = $of;
                $name(of(number))
            }

            fn number(self) -> T {
                self.0
            }
        }
    )* };
}

semirings! {
    /// A number of the arithmetic in which the sum is the lesser number, and the product is the sum. The zero is
    /// [`Scalar::GREATEST`], and the sum of it and any number is it. `minus` subtracts the numbers.
    ///
    /// ```
    /// use sparse_contraction::MinPlus;
    /// use sparse_formats::Scalar;
    /// assert_eq!(MinPlus(3).plus(MinPlus(5)), MinPlus(3));
    /// assert_eq!(MinPlus(3).times(MinPlus(5)), MinPlus(8));
    /// assert_eq!(MinPlus(3).times(MinPlus::ZERO), MinPlus(i32::MAX));
    /// ```
    MinPlus: T::GREATEST, T::ZERO, T::GREATEST, least, |a, b| if a == T::GREATEST || b == T::GREATEST { T::GREATEST } else { a.plus(b) }, |x| x, true;

    /// A number of the arithmetic in which the sum is the greater number, for numbers that are not negative. `minus`
    /// subtracts the numbers.
    ///
    /// ```
    /// use sparse_contraction::MaxTimes;
    /// use sparse_formats::Scalar;
    /// assert_eq!(MaxTimes(0.5).plus(MaxTimes(0.25)), MaxTimes(0.5));
    /// assert_eq!(MaxTimes(0.5).times(MaxTimes(0.5)), MaxTimes(0.25));
    /// ```
    MaxTimes: T::ZERO, T::ONE, T::GREATEST, greatest, T::times, |x| x, false;

    /// A number of the arithmetic of truth: 0 is false, and all other numbers are true. Results are 0 or 1. `minus`
    /// subtracts the numbers.
    ///
    /// ```
    /// use sparse_contraction::OrAnd;
    /// use sparse_formats::Scalar;
    /// assert_eq!(OrAnd(0).plus(OrAnd(7)), OrAnd(1));
    /// assert_eq!(OrAnd(0).times(OrAnd(7)), OrAnd(0));
    /// ```
    OrAnd: T::ZERO, T::ONE, T::GREATEST, |a, b| truth(a != T::ZERO || b != T::ZERO), |a, b| truth(a != T::ZERO && b != T::ZERO), |x| if x == T::ZERO { x } else { T::ONE }, true;
}

/// Returns the lesser number, or a NaN if there is one.
#[inline(always)]
#[allow(clippy::eq_op, reason = "a number that differs from itself is a NaN")]
fn least<T: Scalar>(a: T, b: T) -> T {
    if b < a || b != b { b } else { a }
}

/// Returns the greater number, or a NaN if there is one.
#[inline(always)]
#[allow(clippy::eq_op, reason = "a number that differs from itself is a NaN")]
fn greatest<T: Scalar>(a: T, b: T) -> T {
    if b > a || b != b { b } else { a }
}

#[inline(always)]
fn truth<T: Scalar>(holds: bool) -> T {
    if holds { T::ONE } else { T::ZERO }
}
