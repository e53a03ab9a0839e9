//! Straight-line code that computes the unknown numbers of a pattern.

use super::index_table::Cells;
use crate::types::pattern::operand::{MAX_LEAVES, Slots, div_rem};
use crate::types::pattern::pattern::Pattern;
use crate::types::unroll::unroll;
use layout_algebra::value::{Node, SymInt};

/// The nodes of a pattern as straight-line code.
pub struct Residual {
    len: usize,
    node: [Node; MAX_LEAVES],
    /// Whether an operand may be negative.
    signed: [bool; MAX_LEAVES],
    a: Cells,
    b: Cells,
}

impl Residual {
    /// Makes the code that computes the nodes of `pattern`.
    pub const fn new(pattern: &Pattern) -> Residual {
        let scope = &pattern.scope;
        let mut out =
            Residual { len: scope.len, node: [Node::Input; MAX_LEAVES], signed: [false; MAX_LEAVES], a: Cells::ZERO, b: Cells::ZERO };
        let mut k = 0;
        while k < scope.len {
            let (a, b) = (SymInt::raw(scope.a[k]), SymInt::raw(scope.b[k]));
            out.node[k] = scope.node(k);
            out.a.set(k, a);
            if !scope.is_input(k) {
                out.b.set(k, b);
                out.signed[k] = scope.facts(a).lo < 0 || scope.facts(b).lo < 0;
            }
            k += 1;
        }
        out
    }
}

#[cfg_attr(not(unoptimized), inline(always))]
fn node(residual: &Residual, inputs: &Slots, slots: &mut Slots, k: usize) {
    if k >= residual.len {
        return;
    }
    if matches!(residual.node[k], Node::Input) {
        slots[k % MAX_LEAVES] = inputs[residual.a.settled(k) % MAX_LEAVES];
        return;
    }
    let (a, b) = (residual.a.get(k, slots), residual.b.get(k, slots));
    slots[k % MAX_LEAVES] = match (residual.node[k], residual.signed[k]) {
        (Node::Add, _) => a.wrapping_add(b),
        (Node::Sub, _) => a.wrapping_sub(b),
        (Node::Mul, _) => a.wrapping_mul(b),
        (Node::Div, false) => div_rem(a, b).0,
        (Node::Div, true) => (a as isize).checked_div_euclid(b as isize).unwrap_or(0) as usize,
        (Node::Rem, false) => div_rem(a, b).1,
        (Node::Rem, true) => (a as isize).checked_rem_euclid(b as isize).unwrap_or(a as isize) as usize,
        (Node::Min, false) => a.min(b),
        (Node::Min, true) => (a as isize).min(b as isize) as usize,
        (Node::Max, false) => a.max(b),
        (Node::Max, true) => (a as isize).max(b as isize) as usize,
        _ => (a as isize).unsigned_abs(),
    };
}

/// Computes the value of every node in at most `CLASS` unrolled steps. `CLASS` must not be below the number of nodes.
#[cfg_attr(not(unoptimized), inline(always))]
pub fn evaluate<const CLASS: usize>(residual: &Residual, inputs: &Slots, values: &mut Slots) {
    if cfg!(unoptimized) {
        for k in 0..residual.len {
            node(residual, inputs, values, k);
        }
    } else {
        unroll!(CLASS, node(residual, inputs, values));
    }
}

/// Copies value `k` from `from` to `to`, if both arrays have it.
#[inline(always)]
fn copy_value<const X: usize, const N: usize>(from: &[usize; X], to: &mut [usize; N], k: usize) {
    if k < X && k < N {
        to[k] = from[k];
    }
}

/// Copies the values that both arrays have room for, in at most `CLASS` unrolled steps.
#[inline(always)]
pub fn copy<const CLASS: usize, const X: usize, const N: usize>(from: &[usize; X], to: &mut [usize; N]) {
    if cfg!(unoptimized) {
        let mut k = 0;
        while k < const { if X < N { X } else { N } } {
            to[k] = from[k];
            k += 1;
        }
    } else {
        unroll!(CLASS, copy_value(from, to));
    }
}
