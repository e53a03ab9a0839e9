//! Straight-line evaluation.
//!
//! A layout type and a coordinate type give a constant table, one row a leaf: where its coordinate comes from, its extent, its stride.
//! [`index`] walks the rows with steps that are written out and non-generic; inlined on a constant table they fold to the arithmetic on
//! the unknown leaves, at every opt-level (a loop over the table would not at `s` and `z`). The residual nodes go the same way.
//! Builds with debug assertions call the same steps instead: nothing would fold, and inlining them would double the build time.

use super::pattern::Pattern;
use super::term::{Form, MAX_LEAVES, Slots, div_rem};
use crate::error::{Cause, LayoutError, Op, Path, Result, ok, refuse};
use crate::value::{Lay, Node, Num, Span, known};

/// One number of a table: a constant, or the place of a run-time value.
const SLOT: u8 = 1;

/// How to compute an index, leaf by leaf.
pub struct Plan {
    /// Why the coordinate does not fit; the rest is then empty.
    refusal: Option<LayoutError>,
    len: usize,
    /// Whether every extent and stride is a constant.
    settled: bool,
    /// The leaf starts a new coordinate.
    first: [bool; MAX_LEAVES],
    /// The leaf takes what is left of its coordinate.
    last: [bool; MAX_LEAVES],
    kind: [[u8; MAX_LEAVES]; 3],
    coordinate: [usize; MAX_LEAVES],
    extent: [usize; MAX_LEAVES],
    stride: [usize; MAX_LEAVES],
}

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

impl Plan {
    /// The class of its length, odd where it is settled: one number, so that only its own arm of a `match const` is compiled.
    pub const fn class(&self) -> usize {
        class(self.len) + self.settled as usize
    }

    const EMPTY: Plan = Plan {
        refusal: None,
        len: 0,
        settled: true,
        first: [false; MAX_LEAVES],
        last: [false; MAX_LEAVES],
        kind: [[0; MAX_LEAVES]; 3],
        coordinate: [0; MAX_LEAVES],
        extent: [0; MAX_LEAVES],
        stride: [0; MAX_LEAVES],
    };

    /// The plan for coordinates of the type `form`. It is total, as every function on the way to its steps mentions it: [`Plan::require`] is
    /// what refuses a coordinate, in the function that the user called, so that the compiler names the user's line.
    pub(crate) const fn new(op: Op, pattern: &Pattern, form: &Form) -> Plan {
        if pattern.refusal().is_some() {
            return Plan::EMPTY;
        }
        match Plan::try_new(op, pattern, form) {
            Ok(plan) => plan,
            Err(error) => Plan { refusal: Some(error), ..Plan::EMPTY },
        }
    }

    /// Fails the build if the coordinate does not fit.
    #[track_caller]
    pub(crate) const fn require(&self) {
        if let Some(error) = self.refusal {
            refuse(error)
        }
    }

    const fn try_new(op: Op, pattern: &Pattern, form: &Form) -> Result<Plan> {
        let l = &pattern.lay;
        let mut plan = Plan { len: l.len(), ..Plan::EMPTY };
        let mut k = 0;
        while k < l.tree.len {
            if l.basis[k] != 0 {
                return Err(LayoutError::plain(op, Cause::BasisStride, 0, 0));
            }
            if known!(l.shape[k]) && known!(l.stride[k]) {
                plan.extent[k] = l.shape[k] as usize;
                plan.stride[k] = l.stride[k] as isize as usize;
            } else {
                plan.settled = false;
                (plan.kind[1][k], plan.extent[k]) = cell(l.extent(k));
                (plan.kind[2][k], plan.stride[k]) = cell(l.scale(k));
            }
            k += 1;
        }
        let mut inputs = 0;
        ok!(plan.address(op, l, l.root(), form, Path::ROOT, &mut inputs));
        Ok(plan)
    }

    /// The index where coordinate and layout are static, or a compile error.
    #[track_caller]
    pub(crate) const fn known_index(&self) -> usize {
        self.require();
        let (mut rest, mut sum) = (0i128, 0i128);
        let mut k = 0;
        while k < self.len {
            if self.kind[0][k] == SLOT || self.kind[1][k] == SLOT || self.kind[2][k] == SLOT {
                refuse(LayoutError::plain(Op::Crd2Idx, Cause::Undecided, 0, 0));
            }
            if self.first[k] {
                rest = self.coordinate[k] as isize as i128;
            }
            let extent = self.extent[k] as i128;
            let digit = if self.last[k] || extent == 0 { rest } else { rest % extent };
            rest = if extent == 0 { 0 } else { rest / extent };
            sum += digit * (self.stride[k] as isize as i128);
            k += 1;
        }
        if sum > isize::MAX as i128 || sum < isize::MIN as i128 {
            refuse(LayoutError::plain(Op::Crd2Idx, Cause::Overflow, sum as i64, 0));
        }
        sum as usize
    }

    /// Gives the leaves of the node `at` the coordinate of the type `form`.
    const fn address(&mut self, op: Op, l: &Lay<MAX_LEAVES>, at: Span, form: &Form, path: Path, inputs: &mut usize) -> Result<()> {
        let (kind, value) = match form {
            Form::Tuple(modes) => {
                if l.tree.is_leaf(at) {
                    return Err(LayoutError::new(op, path, Cause::NotCongruent, [Num::small(modes.len()), Num(0), Num(0)]));
                }
                let rank = l.tree.rank(at);
                if rank != modes.len() {
                    return Err(LayoutError::new(op, path, Cause::RankMismatch, [Num::small(modes.len()), Num::small(rank), Num(0)]));
                }
                let (mut lo, mut k) = (at.lo, 0);
                while lo < at.hi {
                    let mode = l.tree.child_from(at, lo);
                    lo = mode.hi;
                    match &modes[k] {
                        Form::Known(value) => self.feed(mode, 0, *value as isize as usize),
                        Form::Input(_) => {
                            self.feed(mode, SLOT, *inputs);
                            *inputs += 1;
                        }
                        form => ok!(self.address(op, l, mode, form, path.then(k), inputs)),
                    }
                    k += 1;
                }
                return Ok(());
            }
            Form::Known(value) => (0, *value as isize as usize),
            Form::Input(_) => {
                *inputs += 1;
                (SLOT, *inputs - 1)
            }
            // A slice fixes the other modes: what is kept starts at 0.
            Form::Keep if matches!(op, Op::Slice) => (0, 0),
            Form::Keep => {
                return Err(LayoutError::new(op, path, Cause::UnexpectedKeep, [Num(0); 3]));
            }
            Form::Layout(_) => {
                return Err(LayoutError::new(op, path, Cause::OperandKind, [Num(1), Num(0), Num(0)]));
            }
        };
        self.feed(at, kind, value);
        Ok(())
    }

    /// The leaves of `at` take their digits from one integer.
    const fn feed(&mut self, at: Span, kind: u8, value: usize) {
        if at.lo < at.hi {
            self.first[at.lo] = true;
            self.last[at.hi - 1] = true;
            self.kind[0][at.lo] = kind;
            self.coordinate[at.lo] = value;
        }
    }
}

/// A number of the algebra as a cell of a table.
const fn cell(x: Num) -> (u8, usize) {
    match x.node() {
        Some(k) => (SLOT, k),
        None => (0, x.word() as isize as usize),
    }
}

/// The walk over the rows of a plan.
struct Walk {
    rest: usize,
    sum: usize,
    inside: bool,
}

/// The value at a place of a table; places are below the length, the mask only tells the compiler.
#[inline(always)]
fn at(values: &Slots, place: usize) -> usize {
    values[place % MAX_LEAVES]
}

/// One leaf. `SETTLED` is the plan's: less to fold where nothing is unknown.
#[cfg_attr(not(debug_assertions), inline(always))]
fn step<const SETTLED: bool>(plan: &Plan, coordinates: &Slots, slots: &Slots, walk: &mut Walk, k: usize) {
    if k >= plan.len {
        return;
    }
    if plan.first[k] {
        walk.rest = if plan.kind[0][k] == SLOT { at(coordinates, plan.coordinate[k]) } else { plan.coordinate[k] };
    }
    let (mut extent, mut stride) = (plan.extent[k], plan.stride[k]);
    if !SETTLED {
        extent = if plan.kind[1][k] == SLOT { at(slots, extent) } else { extent };
        stride = if plan.kind[2][k] == SLOT { at(slots, stride) } else { stride };
    }
    let digit = if plan.last[k] {
        walk.inside &= walk.rest < extent;
        walk.rest
    } else {
        let (rest, digit) = div_rem(walk.rest, extent);
        walk.rest = rest;
        digit
    };
    walk.sum = walk.sum.wrapping_add(digit.wrapping_mul(stride));
}

/// `f(args..., k)` for each `k`, written out.
macro_rules! each {
    ($f:ident $args:tt: $($k:literal)*) => { $(each!(@ $f $args $k);)* };
    (@ $f:ident ($($arg:ident),*) $k:literal) => { $f($($arg,)* $k) };
}

/// The index, and whether every coordinate lies in its mode. `CLASS` and `SETTLED` are the plan's.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn index<const CLASS: usize, const SETTLED: bool>(plan: &Plan, coordinates: &Slots, slots: &Slots) -> (usize, bool) {
    let walk = &mut Walk { rest: 0, sum: 0, inside: true };
    let row = step::<SETTLED>;
    if cfg!(debug_assertions) {
        for k in 0..plan.len {
            row(plan, coordinates, slots, walk, k);
        }
        return (walk.sum, walk.inside);
    }
    if const { CLASS > 0 } {
        each!(row(plan, coordinates, slots, walk): 0 1);
    }
    if const { CLASS > 2 } {
        each!(row(plan, coordinates, slots, walk): 2 3);
    }
    if const { CLASS > 4 } {
        each!(row(plan, coordinates, slots, walk): 4 5 6 7);
    }
    if const { CLASS > 8 } {
        each!(row(plan, coordinates, slots, walk): 8 9 10 11 12 13 14 15);
    }
    if const { CLASS > 16 } {
        each!(row(plan, coordinates, slots, walk): 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    }
    if const { CLASS > 32 } {
        each!(row(plan, coordinates, slots, walk): 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    }
    (walk.sum, walk.inside)
}

/// The nodes of a pattern as straight-line code.
pub struct Residual {
    len: usize,
    node: [u8; MAX_LEAVES],
    /// Whether an operand may be negative.
    signed: [bool; MAX_LEAVES],
    kind: [[u8; MAX_LEAVES]; 2],
    a: [usize; MAX_LEAVES],
    b: [usize; MAX_LEAVES],
}

impl Residual {
    /// The residual of `pattern`.
    pub const fn new(pattern: &Pattern) -> Residual {
        let scope = &pattern.scope;
        let mut out = Residual {
            len: scope.len,
            node: [0; MAX_LEAVES],
            signed: [false; MAX_LEAVES],
            kind: [[0; MAX_LEAVES]; 2],
            a: [0; MAX_LEAVES],
            b: [0; MAX_LEAVES],
        };
        let mut k = 0;
        while k < scope.len {
            let (a, b) = (Num::raw(scope.a[k]), Num::raw(scope.b[k]));
            out.node[k] = scope.node[k];
            if scope.node[k] == Node::Input as u8 {
                out.a[k] = a.word() as usize;
            } else {
                (out.kind[0][k], out.a[k]) = cell(a);
                (out.kind[1][k], out.b[k]) = cell(b);
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
        slots[k] = at(inputs, residual.a[k]);
        return;
    }
    let a = if residual.kind[0][k] == SLOT { at(slots, residual.a[k]) } else { residual.a[k] };
    let b = if residual.kind[1][k] == SLOT { at(slots, residual.b[k]) } else { residual.b[k] };
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
    let slots = &mut values;
    if cfg!(debug_assertions) {
        for k in 0..residual.len {
            evaluate(residual, inputs, slots, k);
        }
        return values;
    }
    if const { CLASS > 0 } {
        each!(evaluate(residual, inputs, slots): 0 1);
    }
    if const { CLASS > 2 } {
        each!(evaluate(residual, inputs, slots): 2 3);
    }
    if const { CLASS > 4 } {
        each!(evaluate(residual, inputs, slots): 4 5 6 7);
    }
    if const { CLASS > 8 } {
        each!(evaluate(residual, inputs, slots): 8 9 10 11 12 13 14 15);
    }
    if const { CLASS > 16 } {
        each!(evaluate(residual, inputs, slots): 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    }
    if const { CLASS > 32 } {
        each!(evaluate(residual, inputs, slots): 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    }
    values
}
