//! Runs of a program: stretches of one input along which every output grows by a fixed step. Each node gets a `Line`, by
//! the rule for its operation in `two`; a rule for a new operation goes there.

use super::{Decoded, Program, ProgramOutput};
use layout_algebra::error::Result;
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, Node, SymInt, Truth};

/// The count that stands for a run without an end. It fits a word of every target.
const UNENDING: SymInt = SymInt::raw(i32::MAX as i64);

/// The values of a node along the input: `value + t step` for every `t` in `0..count`, or for every `t` if `count` is
/// `None`.
#[derive(Clone, Copy)]
struct Line {
    step: SymInt,
    count: Option<SymInt>,
}

/// A node with the value `scale (y / by) + constant`, where `line` is the line of `y`.
///
/// A comparison of the node with a constant is the same as a comparison of `y`, so its answer may stay the same
/// although the quotient changes.
#[derive(Clone, Copy)]
struct Stair {
    y: SymInt,
    line: Line,
    by: SymInt,
    scale: SymInt,
}

impl Line {
    const CONSTANT: Line = Line { step: SymInt::ZERO, count: None };

    /// The line of a node whose next value is unknown.
    const POINT: Line = Line { step: SymInt::ZERO, count: Some(SymInt::ONE) };

    /// Returns true if the node has the same value for every value of the input.
    fn is_fixed(self) -> bool {
        self.is_constant() && self.count.is_none()
    }

    /// Returns true if the node has the same value for every `t` in `0..count`.
    fn is_constant(self) -> bool {
        self.step.is(0)
    }
}

impl Program {
    /// Returns the program of the runs along the input `along`: its outputs are the indices, a step for each index,
    /// `count`, and `valid`.
    ///
    /// Post-condition: let `y_0, .., step_0, .., count, valid` be the outputs of the result on `x`. For any `t` in
    /// `0..count`, add `t` to the input `along` of `x`. There this program has the outputs `y_k + t step_k`, and
    /// [`is_valid`](Program::is_valid) returns `valid`. The values of `along` must stay in the domain that the
    /// program was made for.
    ///
    /// `count` is at least 1 and at most 2^31 - 1. The next run may continue this one. If the program has no input
    /// `along`, one run covers everything.
    ///
    /// Fails if the result does not fit [`NODES`](super::NODES).
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(100))?;
    /// let [row, column] = [graph.add(Dimension::new("row").stride(32))?, graph.add(Dimension::new("column").size(20).stride(1))?];
    /// let k = graph.add(Dimension::new("k"))?;
    /// graph.connect(Transform::Tile, [x], [row, column])?;
    /// graph.connect(Transform::Join, [row, column], [k])?;
    /// let runs = graph.program(Direction::Forward, &["x".into()], &["k"], Domain::Declared)?.runs("x")?;
    /// // From 47 on: element 7 of row 2, and 12 more behind it.
    /// assert_eq!(runs.run(&[47])?, [2 * 32 + 7, 1, 13, 1]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn runs(&self, along: &str) -> Result<Program> {
        let mut out = self.clone();
        let lines = out.lines(self.inputs.iter().position(|input| input.name == along))?;
        let of = |x: SymInt| x.node().map_or(Line::CONSTANT, |k| lines[k]);
        let cx = &mut *out.scope;
        let (mut valid, mut even, mut inside, mut outside) = (SymInt::ONE, None, None, SymInt::ZERO);
        for condition in &self.conditions {
            let holds = cx.truth(*condition)?;
            let count = truth_count(*condition, of(*condition), cx)?;
            valid = cx.min(valid, holds)?;
            inside = shorter(inside, count, cx)?;
            // A run that is not valid continues while at least one of the failing conditions keeps failing.
            let fails = cx.select(holds, SymInt::ZERO, count.unwrap_or(UNENDING))?;
            outside = cx.max(outside, fails)?;
        }
        for output in &self.outputs {
            even = shorter(even, of(output.value).count, cx)?;
        }
        let alike = cx.select(valid, inside.unwrap_or(UNENDING), outside)?;
        let count = cx.min(alike, even.unwrap_or(UNENDING))?;
        let count = cx.min(count, UNENDING)?;
        let steps = self.outputs.iter().map(|output| ProgramOutput { name: format!("{}_step", output.name), value: of(output.value).step });
        out.outputs.extend(steps);
        out.outputs.push(ProgramOutput { name: "count".into(), value: count });
        out.outputs.push(ProgramOutput { name: "valid".into(), value: valid });
        out.conditions.clear();
        out.simplified()
    }

    /// Returns the line of every node along input number `along`. Fails if the program is full.
    fn lines(&mut self, along: Option<usize>) -> Result<Vec<Line>> {
        let mut lines: Vec<Line> = Vec::with_capacity(self.scope.len);
        let mut stairs: Vec<Option<Stair>> = Vec::with_capacity(self.scope.len);
        for k in 0..self.scope.len {
            let of = |x: SymInt| x.node().map_or(Line::CONSTANT, |n| lines[n]);
            let stair = |x: SymInt| x.node().and_then(|n| stairs[n]);
            let node = self.node(k);
            let cx = &mut *self.scope;
            let (line, next) = match node {
                Decoded::Input(input) if Some(input) == along => (Line { step: SymInt::ONE, count: None }, None),
                Decoded::Input(_) | Decoded::Pair => (Line::CONSTANT, None),
                Decoded::Lookup(at, _) if of(at).is_constant() => (of(at), None),
                Decoded::Lookup(..) => (Line::POINT, None),
                Decoded::Select(c, then, otherwise) => {
                    let count = truth_count(c, of(c), cx)?;
                    (chosen(c, count, of(then), of(otherwise), cx)?, None)
                }
                Decoded::Two(node, a, b) => {
                    let (mut x, mut y) = ((a, of(a)), (b, of(b)));
                    let mut of_x = stair(a);
                    // (y / b) / c = y / (b c)
                    if let (Node::Div, Some(quotient)) = (node, of_x)
                        && b.value().is_some_and(|b| b > 0)
                        && quotient.is_quotient(a, cx)?
                        && let Ok(by) = cx.mul(quotient.by, b)
                    {
                        (x, y, of_x) = ((quotient.y, quotient.line), (by, Line::CONSTANT), None);
                    }
                    // If a number of the comparison overflows, the node is a plain comparison.
                    let compared = match (node, stair(a), stair(b)) {
                        (Node::Less, Some(stair), None) if y.1.is_fixed() => stair.at_least_count(a, b, cx).ok(),
                        // `c < x` is `c + 1 <= x`.
                        (Node::Less, None, Some(stair)) if x.1.is_fixed() => {
                            cx.add(a, SymInt::ONE).and_then(|next| stair.at_least_count(b, next, cx)).ok()
                        }
                        _ => None,
                    };
                    match compared {
                        Some(count) => (Line { step: SymInt::ZERO, count }, None),
                        None => (two(node, x, y, cx)?, Stair::of(node, (x, of_x), (y, stair(b)), cx)?),
                    }
                }
            };
            lines.push(line);
            stairs.push(next);
        }
        Ok(lines)
    }
}

type Scope = ExprGraph<{ super::NODES }>;

/// A node with its line, and the node as a stair; `None` if it is not one.
type Operand = ((SymInt, Line), Option<Stair>);

impl Stair {
    /// Returns a node of two operands as a stair; `None` if it is not one. Fails if the program is full.
    fn of(node: Node, (x, of_x): Operand, (y, of_y): Operand, cx: &mut Scope) -> Result<Option<Stair>> {
        let positive = |x: SymInt| x.value().is_some_and(|x| x > 0);
        Ok(match (node, of_x, of_y) {
            (Node::Div, _, None) if positive(y.0) && !x.1.is_constant() => Some(Stair { y: x.0, line: x.1, by: y.0, scale: SymInt::ONE }),
            // (y / b) mod c = (y mod b c) / b
            (Node::Rem, Some(stair), None) if positive(y.0) && stair.is_quotient(x.0, cx)? => {
                let Ok(whole) = cx.mul(stair.by, y.0) else { return Ok(None) };
                let line = two(Node::Rem, (stair.y, stair.line), (whole, Line::CONSTANT), cx)?;
                Some(Stair { y: cx.rem(stair.y, whole)?, line, ..stair })
            }
            (Node::Add | Node::Sub, Some(stair), None) if y.1.is_fixed() => Some(stair),
            (Node::Add, None, Some(stair)) if x.1.is_fixed() => Some(stair),
            (Node::Mul, Some(stair), None) if positive(y.0) => cx.mul(stair.scale, y.0).ok().map(|scale| Stair { scale, ..stair }),
            _ => None,
        })
    }

    /// Returns true if `x`, the node of this stair, is exactly `y / by`: `scale` is 1 and the constant is 0. Fails if the
    /// program is full.
    fn is_quotient(self, x: SymInt, cx: &mut Scope) -> Result<bool> {
        Ok(cx.div(self.y, self.by)?.same(x))
    }

    /// Returns the number of steps for which the answer to `c <= x` stays the same; `None` if it always does. `x` is the
    /// node of this stair, and `c` is fixed. Fails if a number overflows or the program is full.
    fn at_least_count(self, x: SymInt, c: SymInt, cx: &mut Scope) -> Result<Option<SymInt>> {
        // scale (y / by) + rest >= c if and only if y >= by ceil((c - rest) / scale)
        let quotient = cx.div(self.y, self.by)?;
        let steps = cx.mul(quotient, self.scale)?;
        let rest = cx.sub(x, steps)?;
        let height = cx.sub(c, rest)?;
        let first = cx.ceil_div(height, self.scale)?;
        let first = cx.mul(first, self.by)?;
        let count = at_most_count((first, SymInt::ZERO), (self.y, self.line.step), cx)?;
        shorter(self.line.count, count, cx)
    }
}

/// Returns the line of the operation `node` on the nodes `a` and `b`, whose lines are `x` and `y`. Fails if the program is
/// full.
fn two(node: Node, (a, x): (SymInt, Line), (b, y): (SymInt, Line), cx: &mut Scope) -> Result<Line> {
    let count = shorter(x.count, y.count, cx)?;
    let line = |step, more, cx: &mut Scope| Ok(Line { step, count: shorter(count, more, cx)? });
    if x.is_constant() && y.is_constant() {
        return Ok(Line { step: SymInt::ZERO, count });
    }
    match node {
        Node::Add => line(cx.add(x.step, y.step)?, None, cx),
        Node::Sub => line(cx.sub(x.step, y.step)?, None, cx),
        Node::Mul if y.is_constant() => line(cx.mul(x.step, b)?, None, cx),
        Node::Mul if x.is_constant() => line(cx.mul(a, y.step)?, None, cx),
        Node::Div | Node::Rem if y.is_constant() && cx.facts(b).lo > 0 => {
            let whole = cx.divides(b, x.step) == Truth::Yes;
            let same = if whole { None } else { quotient_count(a, x.step, b, cx)? };
            let step = match (whole, node) {
                (true, Node::Div) => cx.div(x.step, b)?,
                (false, Node::Rem) => x.step,
                _ => SymInt::ZERO,
            };
            line(step, same, cx)
        }
        Node::Min => {
            let (less, same) = (cx.is_at_most(a, b)?, at_most_count((a, x.step), (b, y.step), cx)?);
            // The answer of the comparison holds only while both operands stay on their lines, so include the count of the
            // operand that is not chosen.
            let same = shorter(count, same, cx)?;
            chosen(less, same, x, y, cx)
        }
        Node::Max => {
            let (less, same) = (cx.is_at_most(b, a)?, at_most_count((b, y.step), (a, x.step), cx)?);
            let same = shorter(count, same, cx)?;
            chosen(less, same, x, y, cx)
        }
        Node::Abs => {
            let (natural, same) = (cx.is_at_most(SymInt::ZERO, a)?, at_most_count((SymInt::ZERO, SymInt::ZERO), (a, x.step), cx)?);
            let back = Line { step: cx.sub(SymInt::ZERO, x.step)?, ..x };
            chosen(natural, same, x, back, cx)
        }
        // `a < b` is the negation of `b <= a`.
        Node::Less => {
            let same = at_most_count((b, y.step), (a, x.step), cx)?;
            line(SymInt::ZERO, same, cx)
        }
        Node::Equal => {
            let same = equal_count((a, x.step), (b, y.step), cx)?;
            line(SymInt::ZERO, same, cx)
        }
        Node::Xor if y.is_constant() || x.is_constant() => {
            // The exclusive-or does not change the bits below the lowest bit that the fixed operand may have.
            let (moving, step, fixed) = if y.is_constant() { (a, x.step, b) } else { (b, y.step, a) };
            match cx.facts(fixed).div {
                0 => Ok(Line::POINT),
                div => {
                    let low = SymInt::raw(1 << div.trailing_zeros().min(62));
                    let same = quotient_count(moving, step, low, cx)?;
                    line(step, same, cx)
                }
            }
        }
        _ => Ok(Line::POINT),
    }
}

/// Returns the line of a selection: `x` if `which` is not 0, otherwise `y`. `same` is the count for which `which` stays 0
/// or stays different from 0. Fails if the program is full.
fn chosen(which: SymInt, same: Option<SymInt>, x: Line, y: Line, cx: &mut Scope) -> Result<Line> {
    let step = cx.select(which, x.step, y.step)?;
    let count = either(which, x.count, y.count, cx)?;
    Ok(Line { step, count: shorter(same, count, cx)? })
}

/// Returns the smaller of two counts. `None` is a count without a limit. Fails if the program is full.
fn shorter(a: Option<SymInt>, b: Option<SymInt>, cx: &mut Scope) -> Result<Option<SymInt>> {
    match (a, b) {
        (Some(a), Some(b)) => cx.min(a, b).map(Some),
        _ => Ok(a.or(b)),
    }
}

/// Returns the count `then` if `which` is not 0, else `otherwise`. `None` is a count without a limit. Fails if the program
/// is full.
fn either(which: SymInt, then: Option<SymInt>, otherwise: Option<SymInt>, cx: &mut Scope) -> Result<Option<SymInt>> {
    if then.is_none() && otherwise.is_none() {
        return Ok(None);
    }
    cx.select(which, then.unwrap_or(UNENDING), otherwise.unwrap_or(UNENDING)).map(Some)
}

/// Returns the number of `t >= 0` with `t step < room`, for a positive `room`; `None` if every `t` satisfies it. Fails if
/// the program is full.
fn below_count(room: SymInt, step: SymInt, cx: &mut Scope) -> Result<Option<SymInt>> {
    let facts = cx.facts(step);
    if facts.hi <= 0 {
        return Ok(None);
    }
    let by = cx.max(step, SymInt::ONE)?;
    let count = cx.ceil_div(room, by)?;
    if facts.lo > 0 {
        return Ok(Some(count));
    }
    let grows = cx.is_less(SymInt::ZERO, step)?;
    cx.select(grows, count, UNENDING).map(Some)
}

/// Returns the number of steps for which `(a + t step) / b` stays the same, for a positive `b`; `None` if it always does.
/// Fails if the program is full.
fn quotient_count(a: SymInt, step: SymInt, b: SymInt, cx: &mut Scope) -> Result<Option<SymInt>> {
    let rest = cx.rem(a, b)?;
    let (up, down, back) = (cx.sub(b, rest)?, cx.add(rest, SymInt::ONE)?, cx.sub(SymInt::ZERO, step)?);
    let (up, down) = (below_count(up, step, cx)?, below_count(down, back, cx)?);
    shorter(up, down, cx)
}

/// Returns the number of steps for which the answer to `a <= b` stays the same; `None` if it always does. Each operand is a
/// value and its step. Fails if the program is full.
fn at_most_count((a, x): (SymInt, SymInt), (b, y): (SymInt, SymInt), cx: &mut Scope) -> Result<Option<SymInt>> {
    let (grows, falls) = (cx.sub(x, y)?, cx.sub(y, x)?);
    let (room, beyond) = (cx.sub(b, a)?, cx.sub(a, b)?);
    let room = cx.add(room, SymInt::ONE)?;
    let (holds, fails) = (below_count(room, grows, cx)?, below_count(beyond, falls, cx)?);
    let which = cx.is_at_most(a, b)?;
    either(which, holds, fails, cx)
}

/// Returns the number of steps for which the answer to `a == b` stays the same; `None` if it always does. Each operand is a
/// value and its step. Fails if the program is full.
fn equal_count((a, x): (SymInt, SymInt), (b, y): (SymInt, SymInt), cx: &mut Scope) -> Result<Option<SymInt>> {
    let (step, apart) = (cx.sub(x, y)?, cx.sub(a, b)?);
    if step.is(0) {
        return Ok(None);
    }
    let (step, apart) = (cx.abs(step)?, cx.abs(apart)?);
    let step = cx.max(step, SymInt::ONE)?;
    let (apart, which) = (cx.ceil_div(apart, step)?, cx.is_equal(a, b)?);
    cx.select(which, SymInt::ONE, apart).map(Some)
}

/// Returns the number of steps for which the answer to `x == 0` stays the same, for a node `x` and its line; `None` if it
/// always does. Fails if the program is full.
fn truth_count(x: SymInt, line: Line, cx: &mut Scope) -> Result<Option<SymInt>> {
    let same = equal_count((x, line.step), (SymInt::ZERO, SymInt::ZERO), cx)?;
    shorter(line.count, same, cx)
}
