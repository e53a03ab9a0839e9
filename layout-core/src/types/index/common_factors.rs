//! Multiplies strides with a common factor by it once, as in `((i n) + j) p + k`.
//!
//! A digit is the part of a coordinate that is multiplied by one stride: here `i`, `j` and `k`. A chain is a list of digits in
//! which the stride of each digit divides the stride of the digit before it.
//!
//! The constructor of [`IndexTable`] calls `share` after `join`, which marks digits with XOR strides as chained, and
//! before `exchange`, which appends the terms of these digits: they must be last. Each other digit is in at most one
//! chain. The terms of a chain stand side by side, and the last one is closed. `unrolled.rs` evaluates them, and
//! multiplies a digit that is not chained by its own stride.

use super::index_table::IndexTable;
use crate::types::pattern::operand::MAX_LEAVES;
use layout_algebra::value::{ExprGraph, SymInt, known};

/// The maximum number of digits of a table that shares products of known strides. A digit is the part of a coordinate that is
/// multiplied by one stride. With more digits, the operands no longer fit in registers.
const FEW: usize = 8;

impl IndexTable {
    /// Chains each digit to one whose stride divides its own, so that a common factor is multiplied once.
    pub(in crate::types) const fn share(&mut self, scope: &ExprGraph<MAX_LEAVES>, stride: &[SymInt; MAX_LEAVES]) {
        // Most tables have nothing to share: they have no unknown stride, and no two plain coordinates.
        let (mut unknown, mut inputs, mut k) = (false, 0, 0);
        while k < self.len {
            unknown = unknown || !known!(stride[k].0);
            inputs += (self.first[k] && self.last[k] && self.coordinate.slot[k] && !self.chained[k]) as usize;
            k += 1;
        }
        if !unknown && inputs < 2 {
            return;
        }
        each!(k, 0..self.len, {
            // A chain starts at a stride that divides no other.
            let mut starts = !self.chained[k];
            let mut other = 0;
            while starts && other < self.len {
                starts = other == k || self.chained[other] || self.link(scope, stride, other, k).is_none();
                other += 1;
            }
            if starts {
                self.follow(scope, stride, k);
            }
        });
    }

    /// Adds the terms of the chain that begins at digit number `top`. Adds nothing if no other digit continues the chain.
    const fn follow(&mut self, scope: &ExprGraph<MAX_LEAVES>, stride: &[SymInt; MAX_LEAVES], top: usize) {
        let (mut at, mut length) = (top, 1);
        loop {
            let mut next: Option<(usize, SymInt)> = None;
            each!(k, 0..self.len, {
                if k != top
                    && !self.chained[k]
                    && let Some(ratio) = self.link(scope, stride, at, k)
                {
                    // Of the strides that divide the stride of `at`, take the greatest: `k` replaces the digit found so far if its
                    // stride is a multiple of the stride of that digit.
                    let nearer = match next {
                        Some((found, _)) => self.link(scope, stride, k, found).is_some(),
                        None => true,
                    };
                    if nearer {
                        next = Some((k, ratio));
                    }
                }
            });
            let Some((next, ratio)) = next else { break };
            if length == 1 {
                self.push(at);
            }
            self.factor.set(self.terms - 1, ratio);
            self.push(next);
            at = next;
            length += 1;
        }
        if length > 1 {
            self.factor.set(self.terms - 1, stride[at]);
            self.closed[self.terms - 1] = true;
        }
    }

    const fn push(&mut self, k: usize) {
        self.chained[k] = true;
        self.digit[self.terms] = k as u8;
        self.terms += 1;
    }

    /// Returns the stride of digit `a` divided by the stride of digit `b`, or `None` if that is not exact or sharing it saves no work.
    /// Bit fields of one coordinate combine better if each has its own stride.
    const fn link(&self, scope: &ExprGraph<MAX_LEAVES>, stride: &[SymInt; MAX_LEAVES], a: usize, b: usize) -> Option<SymInt> {
        let shares = !stride[b].is_known() || (self.len <= FEW && self.is_input(a) && self.is_input(b));
        if a != b && shares { ratio(scope, stride[a], stride[b]) } else { None }
    }
}

/// Returns `a / b`, or `None` unless it is exact for all run-time leaves, and is known or a node.
const fn ratio(scope: &ExprGraph<MAX_LEAVES>, a: SymInt, b: SymInt) -> Option<SymInt> {
    let ((x, c), (y, d)) = (scaled(scope, a), scaled(scope, b));
    if c == 0 || d == 0 || c % d != 0 {
        return None;
    }
    let symbol = if x.same(y) {
        SymInt(1)
    } else if y.is(1) {
        x
    } else {
        match scope.factors(x) {
            Some((p, q)) if p.same(y) => q,
            Some((p, q)) if q.same(y) => p,
            _ => return None,
        }
    };
    if symbol.is(1) {
        SymInt::known(c / d)
    } else if c == d {
        Some(symbol)
    } else {
        None
    }
}

/// Returns `(s, c)` with `x = s * c` and a known `c`.
const fn scaled(scope: &ExprGraph<MAX_LEAVES>, x: SymInt) -> (SymInt, i64) {
    match (x.value(), scope.factors(x)) {
        (Some(value), _) => (SymInt(1), value),
        (None, Some((s, c))) if c.is_known() => (s, c.word()),
        _ => (x, 1),
    }
}
