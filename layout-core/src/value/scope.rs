//! Arithmetic over known and symbolic integers: the expression graph, the facts, the obligations.

use super::facts::{Facts, Truth};
use super::{Num, fits, known};
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
        self.path.clear();
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
        LayoutError::new(self.op, self.path, cause, [a, b, Num(0)])
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

    /// The run-time input number `k`.
    pub(crate) const fn input_at(&mut self, k: usize, facts: Facts) -> Result<Num> {
        self.push(Node::Input, k as i64, 0, facts)
    }

    /// The operation under way.
    pub(crate) const fn op(&self) -> Op {
        self.op
    }

    /// The node of kind `node` (not an input) of `a` and `b`, simplified.
    pub(crate) const fn replay(&mut self, node: u8, a: Num, b: Num) -> Result<Num> {
        const ADD: u8 = Node::Add as u8;
        const SUB: u8 = Node::Sub as u8;
        const MUL: u8 = Node::Mul as u8;
        const DIV: u8 = Node::Div as u8;
        const REM: u8 = Node::Rem as u8;
        const MIN: u8 = Node::Min as u8;
        const MAX: u8 = Node::Max as u8;
        match node {
            ADD => self.add(a, b),
            SUB => self.sub(a, b),
            MUL => self.mul(a, b),
            DIV => self.div(a, b),
            REM => self.rem(a, b),
            MIN => self.min(a, b),
            MAX => self.max(a, b),
            _ => self.abs(a),
        }
    }

    /// Adds what is known of `x` from elsewhere.
    pub(crate) const fn learn(&mut self, x: Num, facts: Facts) {
        if let Some(k) = x.node() {
            if facts.lo > self.lo[k] {
                self.lo[k] = facts.lo;
            }
            if facts.hi < self.hi[k] {
                self.hi[k] = facts.hi;
            }
            self.div[k] = super::facts::lcm(self.div[k], facts.div);
        }
    }

    /// The scope with the marked nodes only, and where each went.
    pub(crate) const fn keep(self, used: &[bool; E]) -> (Self, [Num; E]) {
        let mut out = self;
        let mut map = [Num(0); E];
        out.len = 0;
        let mut k = 0;
        while k < self.len {
            if used[k] {
                let n = out.len;
                let input = self.node[k] == Node::Input as u8;
                out.node[n] = self.node[k];
                out.a[n] = if input { self.a[k] } else { moved(Num::raw(self.a[k]), &map).word() };
                out.b[n] = if input { 0 } else { moved(Num::raw(self.b[k]), &map).word() };
                out.lo[n] = self.lo[k];
                out.hi[n] = self.hi[k];
                out.div[n] = self.div[k];
                map[k] = Num::symbol(n);
                out.len += 1;
            }
            k += 1;
        }
        k = 0;
        while k < self.promises {
            if let Some(promise) = self.promise[k] {
                let numbers = promise.error.symbols();
                let numbers = [moved(numbers[0], &map), moved(numbers[1], &map), moved(numbers[2], &map)];
                let error = LayoutError::new(promise.error.op, promise.error.path, promise.error.cause, numbers);
                out.promise[k] = Some(Obligation { check: promise.check, a: moved(promise.a, &map), b: moved(promise.b, &map), error });
            }
            k += 1;
        }
        (out, map)
    }

    const fn push(&mut self, node: Node, a: i64, b: i64, facts: Facts) -> Result<Num> {
        if facts.lo == facts.hi && known!(facts.lo) && facts.lo != i64::MAX {
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
            return Err(self.fail(Cause::TooManySymbols, Num::small(E), Num(0)));
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
        if known!(x.0) {
            return Facts {
                lo: x.0,
                hi: x.0,
                div: if x.0 == 0 {
                    i64::MAX
                } else if x.0 < 0 {
                    -x.0
                } else {
                    x.0
                },
            };
        }
        match x.node() {
            Some(k) => Facts { lo: self.lo[k], hi: self.hi[k], div: self.div[k] },
            None => Facts::ANY,
        }
    }

    /// `(a, b)` if `x` is the product `a * b`; a known factor is `b`.
    pub(crate) const fn factors(&self, x: Num) -> Option<(Num, Num)> {
        self.operands(x, Node::Mul)
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
        if known!(a.0) && known!(b.0) {
            let exact = a.0 as i128 + b.0 as i128;
            if !fits!(exact) {
                return Err(self.fail(Cause::Overflow, a, b));
            }
            return Ok(Num(exact as i64));
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

    /// `a - b`.
    #[inline]
    pub const fn sub(&mut self, a: Num, b: Num) -> Result<Num> {
        if known!(a.0) && known!(b.0) {
            let exact = a.0 as i128 - b.0 as i128;
            if !fits!(exact) {
                return Err(self.fail(Cause::Overflow, a, b));
            }
            return Ok(Num(exact as i64));
        }
        if a.same(b) {
            return Ok(Num(0));
        }
        if let Some(y) = b.value() {
            return match y.checked_neg() {
                Some(y) => self.add(a, Num::raw(y)),
                None => Err(self.fail(Cause::Overflow, a, b)),
            };
        }
        // x - (y + c) = (x - y) - c, and the same on the left
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

    /// `a * b`.
    #[inline]
    pub const fn mul(&mut self, a: Num, b: Num) -> Result<Num> {
        if known!(a.0) && known!(b.0) {
            let exact = a.0 as i128 * b.0 as i128;
            if !fits!(exact) {
                return Err(self.fail(Cause::Overflow, a, b));
            }
            return Ok(Num(exact as i64));
        }
        if a.is(0) || b.is(0) {
            return Ok(Num(0));
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
                return self.mul(x, Num::raw(d / c));
            }
        }
        if let Some((_, y)) = self.operands(b, Node::Div)
            && y.same(a)
        {
            return self.mul(b, a);
        }
        // x * (y * c) = (x * y) * c, and symbols in one order
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

    /// `a / b` rounded down, for positive `b`.
    #[inline]
    pub const fn div(&mut self, a: Num, b: Num) -> Result<Num> {
        if b.is(0) {
            return Err(self.fail(Cause::DivideByZero, a, b));
        }
        if known!(a.0) && known!(b.0) {
            let (quotient, rem) = (a.0 / b.0, a.0 % b.0);
            return Ok(Num(if rem != 0 && ((a.0 < 0) != (b.0 < 0)) { quotient - 1 } else { quotient }));
        }
        if b.is(1) || a.is(0) {
            return Ok(a);
        }
        let divisor = self.facts(b);
        if a.same(b) && divisor.lo > 0 {
            return Ok(Num(1));
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
        if let (Some((x, c)), true) = (self.operands(a, Node::Div), b.is_known())
            && c.is_known()
        {
            let divisor = ok!(self.mul(c, b));
            return self.div(x, divisor);
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
        if a.is_known() && b.is_known() && b.word() > 0 {
            let below = ok!(self.div(a, b));
            return self.add(below, Num(1));
        }
        let less = ok!(self.sub(b, Num(1)));
        let up = ok!(self.add(a, less));
        self.div(up, b)
    }

    /// `a` modulo `b`, in `[0, b)`, for positive `b`.
    #[inline]
    pub const fn rem(&mut self, a: Num, b: Num) -> Result<Num> {
        if b.is(0) {
            return Err(self.fail(Cause::DivideByZero, a, b));
        }
        if known!(a.0) && known!(b.0) {
            let rem = a.0 % b.0;
            return Ok(Num(if rem < 0 { rem + if b.0 < 0 { -b.0 } else { b.0 } } else { rem }));
        }
        match self.divides(b, a) {
            Truth::Yes => Ok(Num(0)),
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

    /// The larger of two.
    #[inline]
    pub const fn max(&mut self, a: Num, b: Num) -> Result<Num> {
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
            Some(value) if known!(value) => Ok(Num::raw(value)),
            _ => Err(self.fail(Cause::Overflow, a, b)),
        }
    }

    // Questions: decided by facts only

    /// Whether `a == b`.
    #[inline]
    pub const fn equal(&self, a: Num, b: Num) -> Truth {
        if a.0 == b.0 {
            return Truth::Yes;
        }
        if known!(a.0) && known!(b.0) {
            return Truth::No;
        }
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo || y.hi < x.lo { Truth::No } else { Truth::Unknown }
    }

    /// Whether `a < b`.
    #[inline]
    pub const fn less(&self, a: Num, b: Num) -> Truth {
        if known!(a.0) && known!(b.0) {
            return if a.0 < b.0 { Truth::Yes } else { Truth::No };
        }
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo {
            Truth::Yes
        } else if x.lo >= y.hi || a.same(b) {
            Truth::No
        } else {
            // x < x + c, and x - c < x
            match (self.operands(b, Node::Add), self.operands(a, Node::Add)) {
                (Some((base, c)), _) if base.same(a) => self.less(Num(0), c),
                (_, Some((base, c))) if base.same(b) => self.less(c, Num(0)),
                _ => Truth::Unknown,
            }
        }
    }

    /// Whether `a` is a multiple of `b`; 0 is a multiple of everything and nothing else is a multiple of 0.
    #[inline]
    pub const fn divides(&self, b: Num, a: Num) -> Truth {
        if known!(a.0) && known!(b.0) {
            return if a.0 == 0 || (b.0 != 0 && a.0 % b.0 == 0) { Truth::Yes } else { Truth::No };
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
            if let Some((r, c)) = self.operands(b, Node::Mul)
                && ((p.same(r) && matches!(self.divides(c, q), Truth::Yes)) || (q.same(r) && matches!(self.divides(c, p), Truth::Yes)))
            {
                return Truth::Yes;
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
        if known!(a.0) && known!(b.0) && (a.0 == 0 || (b.0 != 0 && a.0 % b.0 == 0)) {
            return Ok(());
        }
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

    /// Requires `a` to be positive; once promised it is a fact.
    pub(crate) const fn require_positive(&mut self, a: Num) -> Result<()> {
        ok!(self.require_less(Num(0), a, Cause::NotPositive, (a, Num(0))));
        self.learn(a, Facts::POSITIVE);
        Ok(())
    }

    /// Requires a stride that is only known at run time not to be 0: known zeros have been told apart before.
    pub(crate) const fn require_moving(&mut self, stride: Num) -> Result<()> {
        if known!(stride.0) {
            return Ok(());
        }
        let size = ok!(self.abs(stride));
        self.require_less(Num(0), size, Cause::ZeroStride, (stride, Num(0)))
    }

    const fn require(&mut self, truth: Truth, check: Check, a: Num, b: Num, cause: Cause, numbers: (Num, Num)) -> Result<()> {
        match truth {
            Truth::Yes => Ok(()),
            Truth::No => Err(self.fail(cause, numbers.0, numbers.1)),
            Truth::Unknown => {
                if self.promises == MAX_OBLIGATIONS {
                    return Err(self.fail(Cause::TooManySymbols, Num::small(MAX_OBLIGATIONS), Num(0)));
                }
                let error = self.fail(cause, numbers.0, numbers.1);
                self.promise[self.promises] = Some(Obligation { check, a, b, error });
                self.promises += 1;
                Ok(())
            }
        }
    }
}

const fn moved<const E: usize>(x: Num, map: &[Num; E]) -> Num {
    match x.node() {
        Some(k) => map[k],
        None => x,
    }
}
