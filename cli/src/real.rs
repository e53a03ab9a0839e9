//! The numbers of requests: one type for integers and floating-point numbers, so that each algorithm is compiled once.

use crd2idx::{ragged, sparse};
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// The kind of all numbers of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All are integers of 128 bits.
    Whole,
    /// Some are not integers; all are read as floating-point numbers.
    Floating,
}

impl Kind {
    /// Returns `Whole` if all these numbers are integers of 128 bits, else `Floating`.
    pub fn of(numbers: &[Number]) -> Kind {
        if numbers.iter().all(|number| number.as_i128().is_some()) { Kind::Whole } else { Kind::Floating }
    }

    pub fn read(self, number: &Number) -> Option<Real> {
        match self {
            Kind::Whole => number.as_i128().map(Real::Whole),
            Kind::Floating => number.as_f64().map(Real::Floating),
        }
    }

    pub fn write(self, number: Real) -> Value {
        let number = match (self, number) {
            (Kind::Whole, Real::Whole(number)) => Number::from_i128(number),
            (_, number) => Number::from_f64(number.float()),
        };
        number.map_or(Value::Null, Value::Number)
    }

    /// Returns a list of numbers as JSON.
    pub fn list(self, numbers: &[Real]) -> Value {
        numbers.iter().map(|number| self.write(*number)).collect()
    }
}

/// A number of a request, or a result. The zero with which an algorithm begins is an integer in either kind.
#[derive(Clone, Copy, Debug)]
pub enum Real {
    Whole(i128),
    Floating(f64),
}

impl Real {
    fn float(self) -> f64 {
        match self {
            Real::Whole(number) => number as f64,
            Real::Floating(number) => number,
        }
    }

    fn checked(self, other: Real, whole: fn(i128, i128) -> Option<i128>, float: fn(f64, f64) -> f64) -> Option<Real> {
        match (self, other) {
            (Real::Whole(a), Real::Whole(b)) => whole(a, b).map(Real::Whole),
            (a, b) => Some(Real::Floating(float(a.float(), b.float()))),
        }
    }

    fn with(self, other: Real, whole: fn(i128, i128) -> i128, float: fn(f64, f64) -> f64) -> Real {
        match (self, other) {
            (Real::Whole(a), Real::Whole(b)) => Real::Whole(whole(a, b)),
            (a, b) => Real::Floating(float(a.float(), b.float())),
        }
    }
}

impl Default for Real {
    fn default() -> Self {
        Real::Whole(0)
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        match (self, other) {
            (Real::Whole(a), Real::Whole(b)) => Some(a.cmp(b)),
            (a, b) => a.float().partial_cmp(&b.float()),
        }
    }
}

impl ragged::Number for Real {
    const ZERO: Real = Real::Whole(0);
    const ONE: Real = Real::Whole(1);

    fn plus(self, other: Real) -> Option<Real> {
        self.checked(other, i128::checked_add, |a, b| a + b)
    }

    fn times(self, other: Real) -> Option<Real> {
        self.checked(other, i128::checked_mul, |a, b| a * b)
    }

    fn order(self, other: Real) -> Ordering {
        match (self, other) {
            (Real::Whole(a), Real::Whole(b)) => a.cmp(&b),
            (a, b) => a.float().order(b.float()),
        }
    }

    fn to_f64(self) -> f64 {
        self.float()
    }

    fn unordered(self) -> bool {
        self.float().is_nan()
    }

    fn less(self, other: Real) -> bool {
        self < other
    }
}

impl sparse::Scalar for Real {
    const ZERO: Real = Real::Whole(0);
    const ONE: Real = Real::Whole(1);
    const GREATEST: Real = Real::Floating(f64::INFINITY);

    fn plus(self, other: Real) -> Real {
        self.with(other, i128::wrapping_add, |a, b| a + b)
    }

    fn minus(self, other: Real) -> Real {
        self.with(other, i128::wrapping_sub, |a, b| a - b)
    }

    fn times(self, other: Real) -> Real {
        self.with(other, i128::wrapping_mul, |a, b| a * b)
    }
}
