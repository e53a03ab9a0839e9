//! The numbers of requests: one type for integers and floating-point numbers, in every arithmetic, so that each algorithm is
//! compiled once.

use crd2idx::contraction::{MaxTimes, MinPlus, OrAnd, Semiring};
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
    /// An integer that is added and multiplied in another arithmetic than sums of products.
    WholeIn(Semiring, i128),
    /// A floating-point number in another arithmetic.
    FloatingIn(Semiring, f64),
}

impl Real {
    fn float(self) -> f64 {
        match self {
            Real::Whole(number) | Real::WholeIn(_, number) => number as f64,
            Real::Floating(number) | Real::FloatingIn(_, number) => number,
        }
    }

    /// Returns the arithmetic of a number, or `None` for a number that has none of its own.
    fn arithmetic(self) -> Option<Semiring> {
        match self {
            Real::WholeIn(semiring, _) | Real::FloatingIn(semiring, _) => Some(semiring),
            Real::Whole(_) | Real::Floating(_) => None,
        }
    }

    /// Returns the number for computations in an arithmetic.
    pub fn tagged(self, semiring: Semiring) -> Real {
        match (semiring, self) {
            (Semiring::SumProduct, _) => self,
            (Semiring::OrAnd, _) if self != Real::Whole(0) => Real::WholeIn(semiring, 1),
            (_, Real::Whole(number) | Real::WholeIn(_, number)) => Real::WholeIn(semiring, number),
            (_, Real::Floating(number) | Real::FloatingIn(_, number)) => Real::FloatingIn(semiring, number),
        }
    }

    /// Returns the plain number that this one is in an arithmetic. The zero and the one of algorithms have no arithmetic, and are
    /// its zero and its one.
    pub fn plain(self, semiring: Semiring) -> Real {
        match (self, semiring) {
            (Real::WholeIn(_, number), _) => Real::Whole(number),
            (Real::FloatingIn(_, number), _) => Real::Floating(number),
            (Real::Whole(0), Semiring::MinPlus) => <Real as sparse::Scalar>::GREATEST,
            (_, Semiring::MinPlus) => Real::Whole(0),
            (number, _) => number,
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
            (a, b) => match a.arithmetic().or(b.arithmetic()) {
                Some(semiring) => a.plain(semiring).partial_cmp(&b.plain(semiring)),
                None => a.float().partial_cmp(&b.float()),
            },
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

impl Real {
    /// Computes in the arithmetic of the operands: by `plain` if they have none, otherwise by the function of that arithmetic.
    fn in_arithmetic(self, other: Real, plain: fn(Real, Real) -> Real, [least, greatest, truth]: [fn(Real, Real) -> Real; 3]) -> Real {
        let Some(semiring) = self.arithmetic().or(other.arithmetic()) else { return plain(self, other) };
        let (a, b) = (self.plain(semiring), other.plain(semiring));
        let number = match semiring {
            Semiring::SumProduct => plain(a, b),
            Semiring::MinPlus => least(a, b),
            Semiring::MaxTimes => greatest(a, b),
            Semiring::OrAnd => truth(a, b),
        };
        number.tagged(semiring)
    }
}

impl sparse::Scalar for Real {
    const ZERO: Real = Real::Whole(0);
    const ONE: Real = Real::Whole(1);
    const GREATEST: Real = Real::Floating(f64::INFINITY);

    fn plus(self, other: Real) -> Real {
        let others: [fn(Real, Real) -> Real; 3] =
            [|a, b| MinPlus(a).plus(MinPlus(b)).0, |a, b| MaxTimes(a).plus(MaxTimes(b)).0, |a, b| OrAnd(a).plus(OrAnd(b)).0];
        self.in_arithmetic(other, |a, b| a.with(b, i128::wrapping_add, |a, b| a + b), others)
    }

    /// No contraction subtracts, so the numbers have no arithmetic of their own.
    fn minus(self, other: Real) -> Real {
        self.with(other, i128::wrapping_sub, |a, b| a - b)
    }

    fn times(self, other: Real) -> Real {
        let others: [fn(Real, Real) -> Real; 3] =
            [|a, b| MinPlus(a).times(MinPlus(b)).0, |a, b| MaxTimes(a).times(MaxTimes(b)).0, |a, b| OrAnd(a).times(OrAnd(b)).0];
        self.in_arithmetic(other, |a, b| a.with(b, i128::wrapping_mul, |a, b| a * b), others)
    }
}
