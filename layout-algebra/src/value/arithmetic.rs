//! Arithmetic on numbers: exact for known operands, otherwise a simplified graph node. Every function fails if the graph is full.

use super::expr_graph::{ExprGraph, Node};
use super::facts::{Facts, Truth};
use super::{SymInt, fits, known};
use crate::error::{Cause, Result, ok, refuse_if};

/// Multiplies two words. Yields the word of `_` if the product is not a known number.
macro_rules! product {
    ($a:expr, $b:expr) => {{
        let (a, b): (i64, i64) = ($a, $b);
        let exact = a as i128 * b as i128;
        if $crate::sym_int::known!(a) && $crate::sym_int::known!(b) && $crate::sym_int::fits!(exact) {
            exact as i64
        } else {
            -0x7fff_ffff_ffff_ffff - 1
        }
    }};
}
pub(crate) use product;

/// Computes `a * b` in a scope, without a call if both are known.
macro_rules! mul {
    ($cx:expr, $a:expr, $b:expr) => {{
        let (a, b): ($crate::sym_int::SymInt, $crate::sym_int::SymInt) = ($a, $b);
        let exact = a.0 as i128 * b.0 as i128;
        if $crate::sym_int::known!(a.0) && $crate::sym_int::known!(b.0) && $crate::sym_int::fits!(exact) {
            $crate::sym_int::SymInt(exact as i64)
        } else {
            $crate::error::ok!($cx.mul(a, b))
        }
    }};
}
pub(crate) use mul;

/// Arithmetic.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::value::{ExprGraph, Facts, Node, SymInt};
/// let (low, seven, eight) = (SymInt::raw(-7), SymInt::small(7), SymInt::small(8));
/// let mut scope = ExprGraph::<8>::new(Op::Parse);
/// // Known numbers are computed. Quotients round down.
/// assert_eq!([scope.add(low, eight)?, scope.sub(low, eight)?, scope.mul(low, eight)?].map(SymInt::word), [1, -15, -56]);
/// assert_eq!([scope.div(low, eight)?, scope.ceil_div(low, eight)?, scope.rem(low, eight)?].map(SymInt::word), [-1, 0, 1]);
/// assert_eq!([scope.abs(low)?, scope.xor(seven, eight)?].map(SymInt::word), [7, 15]);
/// // Facts about a run-time number decide some results.
/// let n = scope.input(Facts { lo: 8, hi: 64, div: 8 })?;
/// assert_eq!((scope.min(n, seven)?, scope.max(n, seven)?), (seven, n));
/// assert_eq!((scope.rem(n, eight)?, scope.is_less(n, seven)?, scope.is_at_most(n, eight)?.node()), (SymInt::ZERO, SymInt::ZERO, Some(1)));
/// // All other results are nodes. Here one tests whether n = 8.
/// let last = scope.is_equal(n, eight)?;
/// assert_eq!(last.node().map(|k| scope.node(k)), Some(Node::Equal));
/// let more = scope.not(last)?;
/// assert_eq!((scope.not(more)?, scope.truth(last)?), (last, last));
/// assert_eq!((scope.select(seven, n, eight)?, scope.select(last, n, n)?), (n, n));
/// // Division by 0 is refused.
/// assert_eq!(scope.div(seven, SymInt::ZERO).unwrap_err().to_string(), "parse: 7 is divided by 0 in the layout");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
impl<const E: usize> ExprGraph<E> {
    /// Returns `a + b`. Fails if known numbers overflow, or the graph is full.
    #[inline]
    pub const fn add(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        if known!(a.0) && known!(b.0) {
            let exact = a.0 as i128 + b.0 as i128;
            refuse_if!(self, !fits!(exact), Overflow, a, b);
            return Ok(SymInt(exact as i64));
        }
        if a.is(0) {
            return Ok(b);
        }
        if b.is(0) {
            return Ok(a);
        }
        if a.is_known() {
            return self.add(b, a);
        }
        // (x + c) + d = x + (c + d)
        if let (Some((x, c)), true) = (self.operands(a, Node::Add), b.is_known())
            && c.is_known()
        {
            let sum = ok!(self.add(c, b));
            return self.add(x, sum);
        }
        // (x - y) + y = x
        if let Some((x, y)) = self.operands(a, Node::Sub)
            && y.same(b)
        {
            return Ok(x);
        }
        // x + (y + c) = (x + y) + c
        if let Some((y, c)) = self.operands(b, Node::Add)
            && c.is_known()
        {
            let sum = ok!(self.add(a, y));
            return self.add(sum, c);
        }
        let facts = self.facts(a).add(self.facts(b));
        self.push(Node::Add, a.word(), b.word(), facts)
    }

    /// Returns `a - b`. Fails if known numbers overflow, or the graph is full.
    #[inline]
    pub const fn sub(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        if known!(a.0) && known!(b.0) {
            let exact = a.0 as i128 - b.0 as i128;
            refuse_if!(self, !fits!(exact), Overflow, a, b);
            return Ok(SymInt(exact as i64));
        }
        if a.same(b) {
            return Ok(SymInt(0));
        }
        if let Some(y) = b.value() {
            return match y.checked_neg() {
                Some(y) if known!(y) => self.add(a, SymInt::raw(y)),
                _ => Err(self.fail(Cause::Overflow, a, b)),
            };
        }
        // x - (y + c) = (x - y) - c, and likewise (x + c) - y = (x - y) + c
        if let Some((y, c)) = self.operands(b, Node::Add)
            && c.is_known()
        {
            let rest = ok!(self.sub(a, y));
            return self.sub(rest, c);
        }
        if let Some((x, c)) = self.operands(a, Node::Add) {
            if c.is_known() {
                let rest = ok!(self.sub(x, b));
                return self.add(rest, c);
            }
            if c.same(b) {
                return Ok(x);
            }
            if x.same(b) {
                return Ok(c);
            }
        }
        let facts = self.facts(a).sub(self.facts(b));
        self.push(Node::Sub, a.word(), b.word(), facts)
    }

    /// Returns `a * b`. Fails if known numbers overflow, or the graph is full.
    #[inline]
    pub const fn mul(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        if known!(a.0) && known!(b.0) {
            let exact = a.0 as i128 * b.0 as i128;
            refuse_if!(self, !fits!(exact), Overflow, a, b);
            return Ok(SymInt(exact as i64));
        }
        if a.is(0) || b.is(0) {
            return Ok(SymInt(0));
        }
        if a.is(1) {
            return Ok(b);
        }
        if b.is(1) {
            return Ok(a);
        }
        if a.is_known() {
            return self.mul(b, a);
        }
        // (x * c) * d = x * (c * d)
        if let (Some((x, c)), true) = (self.operands(a, Node::Mul), b.is_known())
            && c.is_known()
        {
            let factor = ok!(self.mul(c, b));
            return self.mul(x, factor);
        }
        // (x / y) * y = x where y divides x
        if let Some((x, y)) = self.operands(a, Node::Div)
            && matches!(self.divides(y, x), Truth::Yes)
        {
            if y.same(b) {
                return Ok(x);
            }
            if let (Some(c), Some(d)) = (y.value(), b.value())
                && c > 0
                && d % c == 0
            {
                return self.mul(x, SymInt::raw(d / c));
            }
        }
        if let Some((_, y)) = self.operands(b, Node::Div)
            && y.same(a)
        {
            return self.mul(b, a);
        }
        // x * (y * c) = (x * y) * c, and symbols are ordered by number
        if let Some((y, c)) = self.operands(b, Node::Mul)
            && c.is_known()
        {
            let product = ok!(self.mul(a, y));
            return self.mul(product, c);
        }
        let (a, b) = if !b.is_known() && b.word() < a.word() { (b, a) } else { (a, b) };
        let facts = self.facts(a).mul(self.facts(b));
        self.push(Node::Mul, a.word(), b.word(), facts)
    }

    /// Returns `a / b` rounded down, for positive `b`. Fails if `b` is 0, or the graph is full.
    #[inline]
    pub const fn div(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        refuse_if!(self, b.0 == 0, DivideByZero, a, b);
        if known!(a.0) && known!(b.0) {
            let (quotient, rem) = (a.0 / b.0, a.0 % b.0);
            // A negative divisor can turn one of the highest numbers into a value below `SymInt::MIN`.
            refuse_if!(self, !known!(quotient), Overflow, a, b);
            return Ok(SymInt(if rem != 0 && ((a.0 < 0) != (b.0 < 0)) { quotient - 1 } else { quotient }));
        }
        if b.is(1) || a.is(0) {
            return Ok(a);
        }
        let divisor = self.facts(b);
        if a.same(b) && divisor.lo > 0 {
            return Ok(SymInt(1));
        }
        if let Some((x, y)) = self.operands(a, Node::Mul) {
            if y.same(b) && divisor.lo > 0 {
                return Ok(x);
            }
            if x.same(b) && divisor.lo > 0 {
                return Ok(y);
            }
            if let (Some(c), Some(d)) = (y.value(), b.value()) {
                if d > 0 && c % d == 0 {
                    return self.mul(x, SymInt::raw(c / d));
                }
                if c > 0 && d > 0 && d % c == 0 {
                    return self.div(x, SymInt::raw(d / c));
                }
            }
        }
        // (x / c) / d = x / (c * d) for positive d
        if let (Some((x, c)), Some(d)) = (self.operands(a, Node::Div), b.value())
            && let Some(c) = c.value()
            && d > 0
        {
            let exact = c as i128 * d as i128;
            if fits!(exact) {
                return self.div(x, SymInt(exact as i64));
            }
        }
        let facts = self.facts(a).div(divisor);
        self.push(Node::Div, a.word(), b.word(), facts)
    }

    /// Returns `a / b` rounded up, for positive `b`. Fails if `b` is 0, known numbers overflow, or the graph is full.
    #[inline]
    pub const fn ceil_div(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        if matches!(self.divides(b, a), Truth::Yes) {
            return self.div(a, b);
        }
        if a.is_known() && b.is_known() && b.word() > 0 {
            let below = ok!(self.div(a, b));
            return self.add(below, SymInt(1));
        }
        let less = ok!(self.sub(b, SymInt(1)));
        let up = ok!(self.add(a, less));
        self.div(up, b)
    }

    /// Returns `a` modulo `b`, in `[0, b)`, for positive `b`. Fails if `b` is 0, or the graph is full.
    #[inline]
    pub const fn rem(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        refuse_if!(self, b.0 == 0, DivideByZero, a, b);
        if known!(a.0) && known!(b.0) {
            let rem = a.0 % b.0;
            return Ok(SymInt(if rem < 0 { rem + if b.0 < 0 { -b.0 } else { b.0 } } else { rem }));
        }
        match self.divides(b, a) {
            Truth::Yes => Ok(SymInt(0)),
            _ => {
                let (x, y) = (self.facts(a), self.facts(b));
                if x.lo >= 0 && x.hi < y.lo {
                    return Ok(a);
                }
                self.push(Node::Rem, a.word(), b.word(), x.rem(y))
            }
        }
    }

    /// Returns the smaller of `a` and `b`. Fails if the graph is full.
    #[inline]
    pub const fn min(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        if known!(a.0) && known!(b.0) {
            return Ok(if a.0 <= b.0 { a } else { b });
        }
        let (x, y) = (self.facts(a), self.facts(b));
        if a.same(b) || x.hi <= y.lo {
            return Ok(a);
        }
        if y.hi <= x.lo {
            return Ok(b);
        }
        if a.is_known() {
            return self.min(b, a);
        }
        self.push(Node::Min, a.word(), b.word(), x.min(y))
    }

    /// Returns the larger of `a` and `b`. Fails if the graph is full.
    #[inline]
    pub const fn max(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        if known!(a.0) && known!(b.0) {
            return Ok(if a.0 >= b.0 { a } else { b });
        }
        let (x, y) = (self.facts(a), self.facts(b));
        if a.same(b) || x.lo >= y.hi {
            return Ok(a);
        }
        if y.lo >= x.hi {
            return Ok(b);
        }
        if a.is_known() {
            return self.max(b, a);
        }
        self.push(Node::Max, a.word(), b.word(), x.max(y))
    }

    /// Returns `|a|`. Fails if the graph is full.
    pub const fn abs(&mut self, a: SymInt) -> Result<SymInt> {
        let x = self.facts(a);
        if x.lo >= 0 {
            return Ok(a);
        }
        if let Some(value) = a.value() {
            return self.checked(value.checked_abs(), a, a);
        }
        self.push(Node::Abs, a.word(), 0, x.abs())
    }

    /// Returns 1 if `a < b`, else 0. Fails if the graph is full.
    pub const fn is_less(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        match self.less(a, b) {
            Truth::Yes => Ok(SymInt(1)),
            Truth::No => Ok(SymInt(0)),
            Truth::Unknown => self.push(Node::Less, a.word(), b.word(), Facts::BOOLEAN),
        }
    }

    /// Returns 1 if `a == b`, else 0. Fails if the graph is full.
    pub const fn is_equal(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        match self.equal(a, b) {
            Truth::Yes => Ok(SymInt(1)),
            Truth::No => Ok(SymInt(0)),
            Truth::Unknown if a.is_known() => self.is_equal(b, a),
            Truth::Unknown => self.push(Node::Equal, a.word(), b.word(), Facts::BOOLEAN),
        }
    }

    /// Returns 1 if `a <= b`, else 0. Fails if the graph is full.
    pub const fn is_at_most(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        if b.is_known() && b.word() < i64::MAX {
            return self.is_less(a, SymInt::raw(b.word() + 1));
        }
        let greater = ok!(self.is_less(b, a));
        self.not(greater)
    }

    /// Returns 1 if `a` is 0, else 0. Fails if the graph is full.
    pub const fn not(&mut self, a: SymInt) -> Result<SymInt> {
        // not (not a) = a if a is 0 or 1
        if let Some((x, y)) = self.operands(a, Node::Equal)
            && y.is(0)
            && self.facts(x).is_boolean()
        {
            return Ok(x);
        }
        self.is_equal(a, SymInt(0))
    }

    /// Returns 0 if `a` is 0, else 1. Fails if the graph is full.
    pub const fn truth(&mut self, a: SymInt) -> Result<SymInt> {
        if self.facts(a).is_boolean() {
            return Ok(a);
        }
        let zero = ok!(self.is_equal(a, SymInt(0)));
        self.is_equal(zero, SymInt(0))
    }

    /// Returns `a xor b`, bit by bit. Fails if a number is known to be negative, or the graph is full.
    pub const fn xor(&mut self, a: SymInt, b: SymInt) -> Result<SymInt> {
        let (x, y) = (self.facts(a), self.facts(b));
        refuse_if!(self, x.hi < 0 || y.hi < 0, NegativeBits, a, b);
        if known!(a.0) && known!(b.0) {
            return Ok(SymInt(a.0 ^ b.0));
        }
        if a.same(b) {
            return Ok(SymInt(0));
        }
        if a.is(0) {
            return Ok(b);
        }
        if b.is(0) {
            return Ok(a);
        }
        if a.is_known() {
            return self.xor(b, a);
        }
        self.push(Node::Xor, a.word(), b.word(), x.xor(y))
    }

    /// Returns `then` if `condition` is not 0, else `otherwise`. Fails if the graph is full.
    pub const fn select(&mut self, condition: SymInt, then: SymInt, otherwise: SymInt) -> Result<SymInt> {
        let known = self.facts(condition);
        if known.lo > 0 || known.hi < 0 || then.same(otherwise) {
            return Ok(then);
        }
        if condition.is(0) {
            return Ok(otherwise);
        }
        let facts = self.facts(then).union(self.facts(otherwise));
        let arms = ok!(self.push(Node::Pair, then.word(), otherwise.word(), facts));
        self.push(Node::Select, condition.word(), arms.word(), facts)
    }

    /// Returns entry `index` of table number `table`, both from 0. `facts` must hold for every entry. Fails if the graph is full.
    ///
    /// ```
    /// # use layout_algebra::{error::Op, value::{ExprGraph, Facts, Node}};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let page = scope.input(Facts::NATURAL)?;
    /// // Entry `page` of table 3, whose entries are below 1024.
    /// let frame = scope.lookup(page, 3, Facts { hi: 1023, ..Facts::NATURAL })?;
    /// assert_eq!((scope.node(1), scope.b[1], scope.facts(frame).hi), (Node::Lookup, 3, 1023));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn lookup(&mut self, index: SymInt, table: usize, facts: Facts) -> Result<SymInt> {
        self.push(Node::Lookup, index.word(), SymInt::small(table).word(), facts)
    }

    #[inline(always)]
    const fn checked(&self, result: Option<i64>, a: SymInt, b: SymInt) -> Result<SymInt> {
        match result {
            Some(value) if known!(value) => Ok(SymInt::raw(value)),
            _ => Err(self.fail(Cause::Overflow, a, b)),
        }
    }
}
