//! Arithmetic over known and symbolic integers: the expression graph, the facts, the obligations.

use super::Num;
use super::facts::{Facts, Truth};
use crate::error::{Cause, LayoutError, Op, Path, Result, ok};

/// What a node of the expression graph computes from its operands `a` and `b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Node {
    /// The run-time input number `a`.
    Input,
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`, rounded down; 0 where `b` is 0.
    Div,
    /// `a` modulo `b`; `a` where `b` is 0.
    Rem,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// `|a|`.
    Abs,
}

/// What must hold between two numbers for a result to be right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// `a` is a multiple of `b`.
    Multiple,
    /// `a < b`.
    Less,
    /// `a == b`.
    Equal,
}

/// A promise that facts could not decide: it is evaluated once, when a value is made from run-time integers.
#[derive(Clone, Copy)]
pub struct Obligation {
    pub(crate) check: Check,
    pub(crate) a: Num,
    pub(crate) b: Num,
    pub(crate) error: LayoutError,
}

/// How many obligations one operation may leave.
pub const MAX_OBLIGATIONS: usize = 16;

/// Where the algebra computes: the operation and mode that errors name, and a graph of at most `E` symbolic nodes.
///
/// With `E = 0` only known integers occur and every decision is arithmetic. A node's operands come before it, so
/// evaluating the nodes in order is a straight-line program.
#[derive(Clone, Copy)]
pub struct Scope<const E: usize> {
    op: Op,
    path: Path,
    pub(crate) len: usize,
    pub(crate) inputs: usize,
    pub(crate) node: [u8; E],
    pub(crate) a: [i64; E],
    pub(crate) b: [i64; E],
    lo: [i64; E],
    hi: [i64; E],
    div: [i64; E],
    pub(crate) promises: usize,
    pub(crate) promise: [Option<Obligation>; MAX_OBLIGATIONS],
}

impl<const E: usize> Scope<E> {
    /// An empty scope for the operation `op`.
    pub const fn new(op: Op) -> Self {
        Scope {
            op,
            path: Path::ROOT,
            len: 0,
            inputs: 0,
            node: [0; E],
            a: [0; E],
            b: [0; E],
            lo: [0; E],
            hi: [0; E],
            div: [1; E],
            promises: 0,
            promise: [None; MAX_OBLIGATIONS],
        }
    }

    /// Names the operation and starts at the whole layout.
    pub const fn begin(&mut self, op: Op) {
        self.op = op;
        self.path = Path::ROOT;
    }

    pub(crate) const fn path(&self) -> Path {
        self.path
    }

    pub(crate) const fn at(&mut self, path: Path) {
        self.path = path;
    }

    /// An error of this operation at this mode.
    #[cold]
    pub(crate) const fn fail(&self, cause: Cause, a: Num, b: Num) -> LayoutError {
        LayoutError::new(self.op, self.path, cause, [a, b, Num::ZERO])
    }

    #[cold]
    pub(crate) const fn fail3(&self, cause: Cause, a: Num, b: Num, c: Num) -> LayoutError {
        LayoutError::new(self.op, self.path, cause, [a, b, c])
    }

    // Nodes and facts

    /// A run-time input with what is known of it.
    pub const fn input(&mut self, facts: Facts) -> Result<Num> {
        let k = self.inputs as i64;
        self.inputs += 1;
        self.push(Node::Input, k, 0, facts)
    }

    const fn push(&mut self, node: Node, a: i64, b: i64, facts: Facts) -> Result<Num> {
        if facts.lo == facts.hi && facts.lo >= Num::MIN && facts.lo != i64::MAX {
            return Ok(Num::raw(facts.lo));
        }
        let mut k = 0;
        while k < self.len {
            if self.node[k] == node as u8 && self.a[k] == a && self.b[k] == b {
                return Ok(Num::symbol(k));
            }
            k += 1;
        }
        if self.len == E {
            return Err(self.fail(Cause::TooManySymbols, Num::small(E), Num::ZERO));
        }
        self.node[self.len] = node as u8;
        self.a[self.len] = a;
        self.b[self.len] = b;
        self.lo[self.len] = facts.lo;
        self.hi[self.len] = facts.hi;
        self.div[self.len] = facts.div;
        self.len += 1;
        Ok(Num::symbol(self.len - 1))
    }

    /// What is known of `x`.
    pub const fn facts(&self, x: Num) -> Facts {
        match x.node() {
            Some(k) => Facts { lo: self.lo[k], hi: self.hi[k], div: self.div[k] },
            None => Facts::exactly(x.word()),
        }
    }

    /// The operands of `x` if it is a `node`.
    const fn operands(&self, x: Num, node: Node) -> Option<(Num, Num)> {
        match x.node() {
            Some(k) if self.node[k] == node as u8 => Some((Num::raw(self.a[k]), Num::raw(self.b[k]))),
            _ => None,
        }
    }

    // Arithmetic

    /// `a + b`.
    #[inline]
    pub const fn add(&mut self, a: Num, b: Num) -> Result<Num> {
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return self.checked(x.checked_add(y), a, b);
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
        if let (Some((x, c)), true) = (self.operands(a, Node::Add), b.is_known()) {
            if c.is_known() {
                let sum = ok!(self.add(c, b));
                return self.add(x, sum);
            }
        }
        // (x - y) + y = x
        if let Some((x, y)) = self.operands(a, Node::Sub) {
            if y.same(b) {
                return Ok(x);
            }
        }
        // x + (y + c) = (x + y) + c
        if let Some((y, c)) = self.operands(b, Node::Add) {
            if c.is_known() {
                let sum = ok!(self.add(a, y));
                return self.add(sum, c);
            }
        }
        let facts = self.facts(a).add(self.facts(b));
        self.push(Node::Add, a.word(), b.word(), facts)
    }

    /// `a - b`.
    #[inline]
    pub const fn sub(&mut self, a: Num, b: Num) -> Result<Num> {
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return self.checked(x.checked_sub(y), a, b);
        }
        if a.same(b) {
            return Ok(Num::ZERO);
        }
        if let Some(y) = b.value() {
            return match y.checked_neg() {
                Some(y) => self.add(a, Num::raw(y)),
                None => Err(self.fail(Cause::Overflow, a, b)),
            };
        }
        // x - (y + c) = (x - y) - c, and the same on the left
        if let Some((y, c)) = self.operands(b, Node::Add) {
            if c.is_known() {
                let rest = ok!(self.sub(a, y));
                return self.sub(rest, c);
            }
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

    /// `a * b`.
    #[inline]
    pub const fn mul(&mut self, a: Num, b: Num) -> Result<Num> {
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return self.checked(x.checked_mul(y), a, b);
        }
        if a.is(0) || b.is(0) {
            return Ok(Num::ZERO);
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
        if let (Some((x, c)), true) = (self.operands(a, Node::Mul), b.is_known()) {
            if c.is_known() {
                let factor = ok!(self.mul(c, b));
                return self.mul(x, factor);
            }
        }
        // (x / y) * y = x where y divides x
        if let Some((x, y)) = self.operands(a, Node::Div) {
            if matches!(self.divides(y, x), Truth::Yes) {
                if y.same(b) {
                    return Ok(x);
                }
                if let (Some(c), Some(d)) = (y.value(), b.value()) {
                    if c > 0 && d % c == 0 {
                        return self.mul(x, Num::raw(d / c));
                    }
                }
            }
        }
        if let Some((_, y)) = self.operands(b, Node::Div) {
            if y.same(a) {
                return self.mul(b, a);
            }
        }
        // x * (y * c) = (x * y) * c, and symbols in one order
        if let Some((y, c)) = self.operands(b, Node::Mul) {
            if c.is_known() {
                let product = ok!(self.mul(a, y));
                return self.mul(product, c);
            }
        }
        let (a, b) = if !b.is_known() && b.word() < a.word() { (b, a) } else { (a, b) };
        let facts = self.facts(a).mul(self.facts(b));
        self.push(Node::Mul, a.word(), b.word(), facts)
    }

    /// `a / b` rounded down, for positive `b`.
    #[inline]
    pub const fn div(&mut self, a: Num, b: Num) -> Result<Num> {
        if b.is(0) {
            return Err(self.fail(Cause::DivideByZero, a, b));
        }
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            let q = x / y;
            return Ok(Num::raw(if x % y != 0 && ((x < 0) != (y < 0)) { q - 1 } else { q }));
        }
        if b.is(1) || a.is(0) {
            return Ok(a);
        }
        let divisor = self.facts(b);
        if a.same(b) && divisor.lo > 0 {
            return Ok(Num::ONE);
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
                    return self.mul(x, Num::raw(c / d));
                }
                if c > 0 && d > 0 && d % c == 0 {
                    return self.div(x, Num::raw(d / c));
                }
            }
        }
        // (x / c) / d = x / (c * d)
        if let (Some((x, c)), true) = (self.operands(a, Node::Div), b.is_known()) {
            if c.is_known() {
                let divisor = ok!(self.mul(c, b));
                return self.div(x, divisor);
            }
        }
        let facts = self.facts(a).div(divisor);
        self.push(Node::Div, a.word(), b.word(), facts)
    }

    /// `a / b` rounded up, for positive `b`.
    #[inline]
    pub const fn ceil_div(&mut self, a: Num, b: Num) -> Result<Num> {
        if matches!(self.divides(b, a), Truth::Yes) {
            return self.div(a, b);
        }
        let less = ok!(self.sub(b, Num::ONE));
        let up = ok!(self.add(a, less));
        self.div(up, b)
    }

    /// `a` modulo `b`, in `[0, b)`, for positive `b`.
    #[inline]
    pub const fn rem(&mut self, a: Num, b: Num) -> Result<Num> {
        if b.is(0) {
            return Err(self.fail(Cause::DivideByZero, a, b));
        }
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return Ok(Num::raw(x.rem_euclid(y)));
        }
        match self.divides(b, a) {
            Truth::Yes => Ok(Num::ZERO),
            _ => {
                let (x, y) = (self.facts(a), self.facts(b));
                if x.lo >= 0 && x.hi < y.lo {
                    return Ok(a);
                }
                self.push(Node::Rem, a.word(), b.word(), x.rem(y))
            }
        }
    }

    /// The smaller of two.
    #[inline]
    pub const fn min(&mut self, a: Num, b: Num) -> Result<Num> {
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

    /// The larger of two.
    #[inline]
    pub const fn max(&mut self, a: Num, b: Num) -> Result<Num> {
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

    /// `|a|`.
    pub const fn abs(&mut self, a: Num) -> Result<Num> {
        let x = self.facts(a);
        if x.lo >= 0 {
            return Ok(a);
        }
        if let Some(value) = a.value() {
            return self.checked(value.checked_abs(), a, a);
        }
        self.push(Node::Abs, a.word(), 0, x.abs())
    }

    #[inline(always)]
    const fn checked(&self, result: Option<i64>, a: Num, b: Num) -> Result<Num> {
        match result {
            Some(value) if value >= Num::MIN => Ok(Num::raw(value)),
            _ => Err(self.fail(Cause::Overflow, a, b)),
        }
    }

    // Questions: decided by facts only

    /// Whether `a == b`.
    #[inline]
    pub const fn equal(&self, a: Num, b: Num) -> Truth {
        if a.same(b) {
            return Truth::Yes;
        }
        if a.is_known() && b.is_known() {
            return Truth::No;
        }
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo || y.hi < x.lo { Truth::No } else { Truth::Unknown }
    }

    /// Whether `a < b`.
    #[inline]
    pub const fn less(&self, a: Num, b: Num) -> Truth {
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo {
            Truth::Yes
        } else if x.lo >= y.hi || a.same(b) {
            Truth::No
        } else {
            // x < x + c, and x - c < x
            match (self.operands(b, Node::Add), self.operands(a, Node::Add)) {
                (Some((base, c)), _) if base.same(a) => self.less(Num::ZERO, c),
                (_, Some((base, c))) if base.same(b) => self.less(c, Num::ZERO),
                _ => Truth::Unknown,
            }
        }
    }

    /// Whether `a` is a multiple of `b`; 0 is a multiple of everything and nothing else is a multiple of 0.
    #[inline]
    pub const fn divides(&self, b: Num, a: Num) -> Truth {
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return if x == 0 || (y != 0 && x % y == 0) { Truth::Yes } else { Truth::No };
        }
        if a.is(0) || b.is(1) || a.same(b) {
            return Truth::Yes;
        }
        let (x, y) = (self.facts(a), self.facts(b));
        if b.is_known() && b.word() != 0 && x.div % b.word() == 0 {
            return Truth::Yes;
        }
        if let Some((p, q)) = self.operands(a, Node::Mul) {
            if p.same(b) || q.same(b) {
                return Truth::Yes;
            }
            if let Some((r, c)) = self.operands(b, Node::Mul) {
                if (p.same(r) && matches!(self.divides(c, q), Truth::Yes)) || (q.same(r) && matches!(self.divides(c, p), Truth::Yes)) {
                    return Truth::Yes;
                }
            }
            if matches!(self.divides(b, p), Truth::Yes) || matches!(self.divides(b, q), Truth::Yes) {
                return Truth::Yes;
            }
        }
        if x.lo > 0 && x.hi < y.lo { Truth::No } else { Truth::Unknown }
    }

    // Promises: refused where known to be false, recorded where not decided

    /// Requires `a` to be a multiple of `b`, or fails with `cause` and the numbers `(n0, n1)`.
    #[inline]
    pub(crate) const fn require_multiple(&mut self, a: Num, b: Num, cause: Cause, numbers: (Num, Num)) -> Result<()> {
        let truth = self.divides(b, a);
        ok!(self.require(truth, Check::Multiple, a, b, cause, numbers));
        if let (Truth::Unknown, Some(k), Some(factor)) = (truth, a.node(), b.value()) {
            // Once promised it is a fact.
            self.div[k] = super::facts::lcm(self.div[k], factor);
        }
        Ok(())
    }

    /// Requires `a < b`.
    #[inline]
    pub(crate) const fn require_less(&mut self, a: Num, b: Num, cause: Cause, numbers: (Num, Num)) -> Result<()> {
        let truth = self.less(a, b);
        self.require(truth, Check::Less, a, b, cause, numbers)
    }

    /// Requires `a == b`.
    #[inline]
    pub(crate) const fn require_equal(&mut self, a: Num, b: Num, cause: Cause, numbers: (Num, Num)) -> Result<()> {
        let truth = self.equal(a, b);
        self.require(truth, Check::Equal, a, b, cause, numbers)
    }

    const fn require(&mut self, truth: Truth, check: Check, a: Num, b: Num, cause: Cause, numbers: (Num, Num)) -> Result<()> {
        match truth {
            Truth::Yes => Ok(()),
            Truth::No => Err(self.fail(cause, numbers.0, numbers.1)),
            Truth::Unknown => {
                if self.promises == MAX_OBLIGATIONS {
                    return Err(self.fail(Cause::TooManySymbols, Num::small(MAX_OBLIGATIONS), Num::ZERO));
                }
                let error = self.fail(cause, numbers.0, numbers.1);
                self.promise[self.promises] = Some(Obligation { check, a, b, error });
                self.promises += 1;
                Ok(())
            }
        }
    }
}
