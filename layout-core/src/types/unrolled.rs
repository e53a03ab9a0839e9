//! Straight-line evaluation of the constant tables.
//!
//! Steps are written out and non-generic; inlined on a constant table they fold to the arithmetic on the unknown leaves, at every opt-level
//! (a loop over the table would not at `s` and `z`). Builds with debug assertions call the same steps instead: nothing would fold, and
//! inlining them would double the build time.

use super::index_table::{Cells, IndexTable};
use super::operand::{MAX_LEAVES, Slots, div_rem};
use super::pattern::Pattern;
use crate::value::{LayoutValue, Node, SymInt};
use core::num::NonZeroUsize;

/// How many steps are written out for a table of this length.
pub const fn class(len: usize) -> usize {
    match len {
        0 => 0,
        1..=2 => 2,
        3..=4 => 4,
        5..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        _ => 64,
    }
}

/// The walk over the digits and terms of a plan.
struct Walk {
    rest: usize,
    digits: Slots,
    product: usize,
    sum: usize,
    inside: bool,
}

/// One digit. `SETTLED` is the plan's: less to fold where nothing is unknown.
#[cfg_attr(not(debug_assertions), inline(always))]
fn digit<const SETTLED: bool>(plan: &IndexTable, coordinates: &Slots, slots: &Slots, walk: &mut Walk, k: usize) {
    if k >= plan.len {
        return;
    }
    if plan.first[k] {
        walk.rest = plan.coordinate.get(k, coordinates);
    }
    let extent = if SETTLED { plan.extent.settled(k) } else { plan.extent.get(k, slots) };
    let digit = if plan.last[k] {
        walk.inside &= walk.rest < extent;
        walk.rest
    } else {
        let (rest, digit) = if plan.positive[k] { div_rem_positive(walk.rest, extent) } else { div_rem(walk.rest, extent) };
        walk.rest = rest;
        digit
    };
    if plan.chained[k] {
        walk.digits[k] = digit;
    } else {
        let stride = if SETTLED { plan.stride.settled(k) } else { plan.stride.get(k, slots) };
        walk.sum = walk.sum.wrapping_add(digit.wrapping_mul(stride));
    }
}

/// `(x / d, x % d)` for a `d` that is not 0: no branch, also where the compiler does not know.
#[inline(always)]
fn div_rem_positive(x: usize, d: usize) -> (usize, usize) {
    let d = NonZeroUsize::new(d).unwrap_or(NonZeroUsize::MIN);
    (x / d, x % d)
}

/// One term.
#[cfg_attr(not(debug_assertions), inline(always))]
fn term<const SETTLED: bool>(plan: &IndexTable, slots: &Slots, walk: &mut Walk, k: usize) {
    if k >= plan.terms {
        return;
    }
    let factor = if SETTLED { plan.factor.settled(k) } else { plan.factor.get(k, slots) };
    let digit = walk.digits[plan.digit[k] as usize % MAX_LEAVES];
    walk.product = walk.product.wrapping_add(digit).wrapping_mul(factor);
    if plan.closed[k] {
        walk.sum = walk.sum.wrapping_add(walk.product);
        walk.product = 0;
    }
}

/// `f(args..., k)` for each `k` below the class.
macro_rules! each {
    ($class:expr, $f:ident $args:tt) => {
        if const { $class > 0 } {
            each!(@ $f $args: 0 1);
        }
        if const { $class > 2 } {
            each!(@ $f $args: 2 3);
        }
        if const { $class > 4 } {
            each!(@ $f $args: 4 5 6 7);
        }
        if const { $class > 8 } {
            each!(@ $f $args: 8 9 10 11 12 13 14 15);
        }
        if const { $class > 16 } {
            each!(@ $f $args: 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        }
        if const { $class > 32 } {
            each!(@ $f $args: 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
        }
    };
    (@ $f:ident $args:tt: $($k:literal)*) => { $(each!(@@ $f $args $k);)* };
    (@@ $f:ident ($($arg:expr),*) $k:literal) => { $f($($arg,)* $k) };
}

/// The index, and for a checked plan whether every coordinate lies in its mode. `CLASS` and `SETTLED` are the plan's.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn index<const CLASS: usize, const SETTLED: bool>(plan: &IndexTable, coordinates: &Slots, slots: &Slots) -> (usize, bool) {
    let walk = &mut Walk { rest: 0, digits: [0; MAX_LEAVES], product: 0, sum: 0, inside: true };
    let (digit, term) = (digit::<SETTLED>, term::<SETTLED>);
    if cfg!(debug_assertions) {
        for k in 0..plan.len {
            digit(plan, coordinates, slots, walk, k);
        }
        for k in 0..plan.terms {
            term(plan, slots, walk, k);
        }
    } else {
        each!(CLASS, digit(plan, coordinates, slots, walk));
        each!(CLASS, term(plan, slots, walk));
    }
    (walk.sum, walk.inside)
}

/// Whether the extent of a digit that is not the last of its coordinate allows any.
#[cfg_attr(not(debug_assertions), inline(always))]
fn allows(plan: &IndexTable, slots: &Slots, occupied: &mut bool, k: usize) {
    if k < plan.len && !plan.last[k] && plan.unknown[k] {
        *occupied &= plan.extent.get(k, slots) != 0;
    }
}

/// Whether no extent is 0, but for those of last digits, which [`index`] looks at. `CLASS` is the plan's.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn occupied<const CLASS: usize>(plan: &IndexTable, slots: &Slots) -> bool {
    let mut occupied = true;
    if cfg!(debug_assertions) {
        for k in 0..plan.len {
            allows(plan, slots, &mut occupied, k);
        }
    } else {
        each!(CLASS, allows(plan, slots, &mut occupied));
    }
    occupied
}

/// The nodes of a pattern as straight-line code.
pub struct Residual {
    len: usize,
    node: [u8; MAX_LEAVES],
    /// Whether an operand may be negative.
    signed: [bool; MAX_LEAVES],
    a: Cells,
    b: Cells,
}

impl Residual {
    /// The residual of `pattern`.
    pub const fn new(pattern: &Pattern) -> Residual {
        let scope = &pattern.scope;
        let mut out = Residual { len: scope.len, node: [0; MAX_LEAVES], signed: [false; MAX_LEAVES], a: Cells::ZERO, b: Cells::ZERO };
        let mut k = 0;
        while k < scope.len {
            let (a, b) = (SymInt::raw(scope.a[k]), SymInt::raw(scope.b[k]));
            out.node[k] = scope.node[k];
            out.a.set(k, a);
            if scope.node[k] != Node::Input as u8 {
                out.b.set(k, b);
                out.signed[k] = scope.facts(a).lo < 0 || scope.facts(b).lo < 0;
            }
            k += 1;
        }
        out
    }
}

const INPUT: u8 = Node::Input as u8;
const ADD: u8 = Node::Add as u8;
const SUB: u8 = Node::Sub as u8;
const MUL: u8 = Node::Mul as u8;
const DIV: u8 = Node::Div as u8;
const REM: u8 = Node::Rem as u8;
const MIN: u8 = Node::Min as u8;
const MAX: u8 = Node::Max as u8;

#[cfg_attr(not(debug_assertions), inline(always))]
fn evaluate(residual: &Residual, inputs: &Slots, slots: &mut Slots, k: usize) {
    if k >= residual.len {
        return;
    }
    if residual.node[k] == INPUT {
        slots[k] = inputs[residual.a.settled(k) % MAX_LEAVES];
        return;
    }
    let (a, b) = (residual.a.get(k, slots), residual.b.get(k, slots));
    slots[k] = match (residual.node[k], residual.signed[k]) {
        (ADD, _) => a.wrapping_add(b),
        (SUB, _) => a.wrapping_sub(b),
        (MUL, _) => a.wrapping_mul(b),
        (DIV, false) => div_rem(a, b).0,
        (DIV, true) => (a as isize).checked_div_euclid(b as isize).unwrap_or(0) as usize,
        (REM, false) => div_rem(a, b).1,
        (REM, true) => (a as isize).checked_rem_euclid(b as isize).unwrap_or(a as isize) as usize,
        (MIN, false) => a.min(b),
        (MIN, true) => (a as isize).min(b as isize) as usize,
        (MAX, false) => a.max(b),
        (MAX, true) => (a as isize).max(b as isize) as usize,
        _ => (a as isize).unsigned_abs(),
    };
}

/// The value of every node. `CLASS` is the residual's.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn residual<const CLASS: usize>(residual: &Residual, inputs: &Slots) -> Slots {
    let mut values = [0; MAX_LEAVES];
    if cfg!(debug_assertions) {
        for k in 0..residual.len {
            evaluate(residual, inputs, &mut values, k);
        }
    } else {
        each!(CLASS, evaluate(residual, inputs, &mut values));
    }
    values
}

/// One extent of a size.
#[cfg_attr(not(debug_assertions), inline(always))]
fn extent(l: &LayoutValue<MAX_LEAVES>, leaves: (usize, usize), slots: &Slots, size: &mut usize, k: usize) {
    if leaves.0 <= k && k < leaves.1 {
        *size = size.wrapping_mul(match l.extent(k).node() {
            Some(node) => slots[node % MAX_LEAVES],
            None => l.shape[k] as usize,
        });
    }
}

/// The product of the extents of leaves `leaves.0..leaves.1`. `CLASS` is that of the layout's length.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn size<const CLASS: usize>(l: &LayoutValue<MAX_LEAVES>, leaves: (usize, usize), slots: &Slots) -> usize {
    let mut size = 1;
    if cfg!(debug_assertions) {
        for k in leaves.0..leaves.1 {
            extent(l, leaves, slots, &mut size, k);
        }
    } else {
        each!(CLASS, extent(l, leaves, slots, &mut size));
    }
    size
}
