//! Facts about an integer that are known before the program runs.

/// An answer from facts, which may leave a question undecided.
///
/// ```
/// use layout_algebra::value::Truth;
/// assert_eq!(Truth::Yes.and(Truth::Unknown), Truth::Unknown);
/// assert_eq!(Truth::No.and(Truth::Unknown), Truth::No);
/// assert!(Truth::Yes.is_yes() && Truth::No.is_no() && !Truth::Unknown.is_yes() && !Truth::Unknown.is_no());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Facts prove it.
    Yes,
    /// Facts disprove it.
    No,
    /// Facts do not decide it.
    Unknown,
}

impl Truth {
    /// Returns true if the answer is `Yes`.
    pub const fn is_yes(self) -> bool {
        matches!(self, Truth::Yes)
    }

    /// Returns true if the answer is `No`.
    pub const fn is_no(self) -> bool {
        matches!(self, Truth::No)
    }

    /// Returns the answer to whether both hold: `No` if one is `No`, else `Yes` if both are.
    pub const fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::No, _) | (_, Truth::No) => Truth::No,
            (Truth::Yes, Truth::Yes) => Truth::Yes,
            _ => Truth::Unknown,
        }
    }
}

/// The facts `lo <= x <= hi` and `div` divides `x`. `i64::MIN` and `i64::MAX` mean unbounded.
///
/// ```
/// use layout_algebra::value::Facts;
/// let facts = |lo, hi, div| Facts { lo, hi, div };
/// // An extent from 8 to 64 in steps of 8, and the number 12.
/// let (n, twelve) = (facts(8, 64, 8), Facts::exactly(12));
/// assert_eq!((n.add(twelve), n.sub(twelve), n.mul(twelve)), (facts(20, 76, 4), facts(-4, 52, 4), facts(96, 768, 96)));
/// assert_eq!((n.div(Facts::exactly(4)), n.rem(twelve)), (facts(2, 16, 2), facts(0, 11, 4)));
/// assert_eq!((n.min(twelve), n.max(twelve), n.union(twelve)), (facts(8, 12, 4), facts(12, 64, 4), facts(8, 64, 4)));
/// assert_eq!((n.sub(twelve).abs(), n.xor(twelve)), (facts(0, 52, 4), facts(0, 127, 4)));
/// assert_eq!((Facts::POSITIVE.sub(Facts::exactly(1)), Facts::ANY.abs()), (Facts::NATURAL, Facts::NATURAL));
/// assert_eq!(Facts::exactly(0).union(Facts::exactly(1)), Facts::BOOLEAN);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The lower bound of `x`, included.
    pub lo: i64,
    /// The upper bound of `x`, included.
    pub hi: i64,
    /// A divisor of `x`, at least 1. For 0, which every number divides, it is `i64::MAX`.
    pub div: i64,
}

impl Facts {
    /// Only `x >= 0` is known about the number `x`.
    pub const NATURAL: Facts = Facts { lo: 0, hi: i64::MAX, div: 1 };
    /// Only `x >= 1` is known about the number `x`.
    pub const POSITIVE: Facts = Facts { lo: 1, hi: i64::MAX, div: 1 };
    /// Nothing is known about the number.
    pub const ANY: Facts = Facts { lo: i64::MIN, hi: i64::MAX, div: 1 };

    /// The number is 0 or 1.
    pub const BOOLEAN: Facts = Facts { lo: 0, hi: 1, div: 1 };

    /// Returns the facts of a known number `x == value`.
    #[inline]
    pub const fn exactly(value: i64) -> Facts {
        Facts { lo: value, hi: value, div: if value == 0 || value == i64::MIN { i64::MAX } else { value.abs() } }
    }

    const fn new(lo: i64, hi: i64, div: i64) -> Facts {
        Facts { lo, hi, div: if div < 1 { 1 } else { div } }
    }

    /// Returns the facts of `x + y`, from the facts of `x` and `y`.
    pub const fn add(self, other: Facts) -> Facts {
        Facts::new(bound_add(self.lo, other.lo), bound_add(self.hi, other.hi), gcd(self.div, other.div))
    }

    /// Returns the facts of `x - y`, from the facts of `x` and `y`.
    pub const fn sub(self, other: Facts) -> Facts {
        Facts::new(bound_add(self.lo, bound_neg(other.hi)), bound_add(self.hi, bound_neg(other.lo)), gcd(self.div, other.div))
    }

    /// Returns the facts of `x * y`, from the facts of `x` and `y`.
    pub const fn mul(self, other: Facts) -> Facts {
        let corners =
            [bound_mul(self.lo, other.lo), bound_mul(self.lo, other.hi), bound_mul(self.hi, other.lo), bound_mul(self.hi, other.hi)];
        let (mut lo, mut hi) = (corners[0], corners[0]);
        each!(k, 1..4, {
            lo = least(lo, corners[k]);
            hi = greatest(hi, corners[k]);
        });
        Facts::new(
            lo,
            hi,
            match self.div.checked_mul(other.div) {
                // `i64::MAX` is reserved for the divisor of 0.
                Some(div) if div < i64::MAX || self.div == i64::MAX || other.div == i64::MAX => div,
                _ => self.div,
            },
        )
    }

    /// Returns the facts of `x / y`, rounded down, from the facts of `x` and `y`. Division by 0 yields 0.
    pub const fn div(self, by: Facts) -> Facts {
        if by.lo < 0 || (self.lo < 0 && by.lo == 0) {
            return Facts::ANY;
        }
        if self.lo < 0 {
            // The least divisor yields the quotients of greatest magnitude.
            let lo = if self.lo == i64::MIN { i64::MIN } else { self.lo.div_euclid(by.lo) };
            let hi = if self.hi < 0 {
                -1
            } else if self.hi == i64::MAX {
                i64::MAX
            } else {
                self.hi / by.lo
            };
            let exact = by.lo == by.hi && self.div % by.lo == 0;
            return Facts::new(lo, hi, if exact { self.div / by.lo } else { 1 });
        }
        // Division by 0 yields 0.
        let lo = if by.lo == 0 || by.hi == i64::MAX { 0 } else { self.lo / by.hi };
        let hi = if self.hi == i64::MAX { i64::MAX } else { self.hi / greatest(by.lo, 1) };
        let exact = by.lo == by.hi && by.lo > 0 && self.div % by.lo == 0;
        Facts::new(lo, hi, if exact { self.div / by.lo } else { 1 })
    }

    /// Returns the facts of `x` modulo `y`, from the facts of `x` and `y`. Modulo 0 it is `x`.
    pub const fn rem(self, by: Facts) -> Facts {
        if by.lo < 1 {
            return if self.lo >= 0 { Facts::new(0, greatest(self.hi, by.hi), gcd(self.div, by.div)) } else { Facts::ANY };
        }
        let hi = if by.hi == i64::MAX { i64::MAX } else { by.hi - 1 };
        Facts::new(0, if self.lo >= 0 { least(hi, self.hi) } else { hi }, gcd(self.div, by.div))
    }

    /// Returns the facts of the smaller of `x` and `y`, from the facts of `x` and `y`.
    pub const fn min(self, other: Facts) -> Facts {
        Facts::new(least(self.lo, other.lo), least(self.hi, other.hi), gcd(self.div, other.div))
    }

    /// Returns the facts of the larger of `x` and `y`, from the facts of `x` and `y`.
    pub const fn max(self, other: Facts) -> Facts {
        Facts::new(greatest(self.lo, other.lo), greatest(self.hi, other.hi), gcd(self.div, other.div))
    }

    /// Returns true if the number is known to be 0 or 1.
    pub(crate) const fn is_boolean(self) -> bool {
        self.lo >= 0 && self.hi <= 1
    }

    /// Returns the facts of a number that is one of two, but it is not known which.
    pub const fn union(self, other: Facts) -> Facts {
        Facts::new(least(self.lo, other.lo), greatest(self.hi, other.hi), gcd(self.div, other.div))
    }

    /// Returns the facts of the exclusive-or of non-negative numbers: it has no bit above the highest bit of both.
    pub const fn xor(self, other: Facts) -> Facts {
        let hi = greatest(self.hi, other.hi);
        if self.lo < 0 || other.lo < 0 || hi >= 1 << 62 {
            return Facts::NATURAL;
        }
        // Low bits that both have clear stay clear.
        let div = gcd(self.div, other.div);
        Facts::new(0, (hi as u64 + 1).next_power_of_two() as i64 - 1, 1 << if div == 0 { 0 } else { div.trailing_zeros() })
    }

    /// Returns the facts of `|x|`, from the facts of `x`.
    pub const fn abs(self) -> Facts {
        Facts::new(0, greatest(self.hi, bound_neg(self.lo)), self.div)
    }
}

const fn least(a: i64, b: i64) -> i64 {
    if a < b { a } else { b }
}

const fn greatest(a: i64, b: i64) -> i64 {
    if a > b { a } else { b }
}

const fn unbounded(a: i64) -> bool {
    a == i64::MIN || a == i64::MAX
}

const fn bound_neg(a: i64) -> i64 {
    match a {
        i64::MIN => i64::MAX,
        i64::MAX => i64::MIN,
        _ => -a,
    }
}

const fn bound_add(a: i64, b: i64) -> i64 {
    if unbounded(a) {
        a
    } else if unbounded(b) {
        b
    } else {
        a.saturating_add(b)
    }
}

const fn bound_mul(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 {
        0
    } else if unbounded(a) || unbounded(b) {
        if (a < 0) == (b < 0) { i64::MAX } else { i64::MIN }
    } else {
        a.saturating_mul(b)
    }
}

/// Returns the greatest common divisor of two non-negative numbers.
///
/// ```
/// use layout_algebra::value::gcd;
/// assert_eq!((gcd(12, 18), gcd(0, 18)), (6, 18));
/// // `i64::MAX` stands for the divisor of 0, so it divides like 0.
/// assert_eq!(gcd(i64::MAX, 18), 18);
/// ```
pub const fn gcd(mut a: i64, mut b: i64) -> i64 {
    // `i64::MAX` is the `div` of 0, because every number divides 0.
    if a == i64::MAX {
        return b;
    }
    if b == i64::MAX {
        return a;
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns the least common multiple of two non-negative numbers, or `a` if it does not fit 64 bits.
///
/// ```
/// use layout_algebra::value::lcm;
/// assert_eq!((lcm(12, 18), lcm(0, 18)), (36, 0));
/// assert_eq!(lcm(1 << 62, 3), 1 << 62);
/// ```
pub const fn lcm(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 {
        return 0;
    }
    match (a / gcd(a, b)).checked_mul(b) {
        Some(value) => value,
        None => a,
    }
}
