//! Relations between numbers: facts decide them, or an operation requires them and records a promise.

use super::expr_graph::{Check, ExprGraph, Node, Promise};
use super::facts::{Facts, Truth};
use super::{SymInt, known};
use crate::error::{Cause, Result, ok};

/// Questions that facts decide.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::value::{ExprGraph, Facts, SymInt, Truth};
/// let mut scope = ExprGraph::<4>::new(Op::Parse);
/// let n = scope.input(Facts { lo: 8, hi: 64, div: 8 })?;
/// let [four, nine] = [4, 9].map(SymInt::small);
/// assert_eq!((scope.less(four, n), scope.equal(n, four), scope.divides(four, n)), (Truth::Yes, Truth::No, Truth::Yes));
/// assert_eq!((scope.less(nine, n), scope.equal(n, nine), scope.divides(nine, n)), (Truth::Unknown, Truth::Unknown, Truth::Unknown));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
impl<const E: usize> ExprGraph<E> {
    /// Returns whether facts prove or disprove `a == b`.
    #[inline]
    pub const fn equal(&self, a: SymInt, b: SymInt) -> Truth {
        if a.0 == b.0 {
            return Truth::Yes;
        }
        if known!(a.0) && known!(b.0) {
            return Truth::No;
        }
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo || y.hi < x.lo { Truth::No } else { Truth::Unknown }
    }

    /// Returns whether facts prove or disprove `a < b`.
    #[inline]
    pub const fn less(&self, a: SymInt, b: SymInt) -> Truth {
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
                (Some((base, c)), _) if base.same(a) => self.less(SymInt(0), c),
                (_, Some((base, c))) if base.same(b) => self.less(c, SymInt(0)),
                _ => Truth::Unknown,
            }
        }
    }

    /// Returns whether facts prove or disprove that `a` is a multiple of `b`. 0 is one of every number, and the only one of 0.
    #[inline]
    pub const fn divides(&self, b: SymInt, a: SymInt) -> Truth {
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
}

/// Requirements: refused if known to be false, recorded as promises if facts do not decide them.
impl<const E: usize> ExprGraph<E> {
    /// Requires `a` to be a multiple of `b`. Fails with `cause` and `numbers` if facts disprove it.
    #[inline]
    pub(crate) const fn require_multiple(&mut self, a: SymInt, b: SymInt, cause: Cause, numbers: (SymInt, SymInt)) -> Result<()> {
        if known!(a.0) && known!(b.0) && (a.0 == 0 || (b.0 != 0 && a.0 % b.0 == 0)) {
            return Ok(());
        }
        let truth = self.divides(b, a);
        ok!(self.require(truth, Check::Multiple, a, b, cause, numbers));
        if let (Truth::Unknown, Some(k), Some(factor)) = (truth, a.node(), b.value()) {
            // A promised divisor is a fact for later questions.
            self.div[k] = super::facts::lcm(self.div[k], factor);
        }
        Ok(())
    }

    /// Requires `a < b`. Fails with `cause` and `numbers` if facts disprove it.
    #[inline]
    pub(crate) const fn require_less(&mut self, a: SymInt, b: SymInt, cause: Cause, numbers: (SymInt, SymInt)) -> Result<()> {
        let truth = self.less(a, b);
        self.require(truth, Check::Less, a, b, cause, numbers)
    }

    /// Requires `a` to be positive, and records that as a fact. Fails if facts disprove it.
    pub(crate) const fn require_positive(&mut self, a: SymInt) -> Result<()> {
        ok!(self.require_less(SymInt(0), a, Cause::NotPositive, (a, SymInt(0))));
        self.learn(a, Facts::POSITIVE);
        Ok(())
    }

    /// Requires a stride that is only known at run time not to be 0. Accepts a known stride of 0, which the caller has handled.
    pub(crate) const fn require_moving(&mut self, stride: SymInt) -> Result<()> {
        if known!(stride.0) {
            return Ok(());
        }
        let size = ok!(self.abs(stride));
        self.require_less(SymInt(0), size, Cause::ZeroStride, (stride, SymInt(0)))
    }

    const fn require(&mut self, truth: Truth, check: Check, a: SymInt, b: SymInt, cause: Cause, numbers: (SymInt, SymInt)) -> Result<()> {
        match truth {
            Truth::Yes => Ok(()),
            Truth::No => Err(self.fail(cause, numbers.0, numbers.1)),
            Truth::Unknown => {
                let error = self.fail(cause, numbers.0, numbers.1);
                self.promised(Promise { check, a, b, error })
            }
        }
    }
}
