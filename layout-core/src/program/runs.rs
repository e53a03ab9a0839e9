//! Programs along one coordinate: where the outputs grow evenly, by how much, and how long.

use super::{Decoded, Output, Program};
use crate::error::Result;
use crate::heap::*;
use crate::value::{ExprGraph, Node, SymInt, Truth};

/// What a run without an end counts as: a number of any word.
const UNENDING: SymInt = SymInt::raw(i32::MAX as i64);

/// A number along the coordinate: `value + t step` for every `t` below `count`, or for every `t`.
#[derive(Clone, Copy)]
struct Line {
    step: SymInt,
    count: Option<SymInt>,
}

/// A number that is a multiple of a quotient, `scale (y / by)`, and something that stays: for comparisons, which `y` decides, it goes on where the quotient changes.
#[derive(Clone, Copy)]
struct Stair {
    y: SymInt,
    line: Line,
    by: SymInt,
    scale: SymInt,
}

impl Line {
    const CONSTANT: Line = Line { step: SymInt::ZERO, count: None };

    /// Nothing is known of the next number.
    const POINT: Line = Line { step: SymInt::ZERO, count: Some(SymInt::ONE) };

    /// The number is the same everywhere.
    fn is_fixed(self) -> bool {
        self.is_constant() && self.count.is_none()
    }

    fn is_constant(self) -> bool {
        self.step.is(0)
    }
}

impl Program {
    /// How far the outputs grow evenly along the input number `along`, from each of its values on.
    ///
    /// Post-condition: let `y_0, .., step_0, .., count, valid` be the outputs on `x`. Then for every `t` in `0..count` the outputs of this program on `x`, with `t` added to `along`, are
    /// `y_k + t step_k`, and they are meaningful or not as `valid` says. That is so as far as the values of `along` are those that the program is for. `count` is at least 1, and at most 2^31 - 1;
    /// what follows may go on in the same way.
    ///
    /// Along an input that there is not, nothing changes. Fails where the result does not fit [`NODES`](super::NODES).
    ///
    /// ```
    /// use layout_core::graph::{CoordGraph, Dimension, Direction, Domain, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(100))?;
    /// let [row, column] = [graph.add(Dimension::new("row").stride(32))?, graph.add(Dimension::new("column").size(20).stride(1))?];
    /// let k = graph.add(Dimension::new("k"))?;
    /// graph.connect(Transform::Tile, [x], [row, column])?;
    /// graph.connect(Transform::Join, [row, column], [k])?;
    /// let runs = graph.program(Direction::Forward, &["x".into()], &["k"], Domain::Declared)?.runs(0)?;
    /// // From 47 on: element 7 of row 2, and 12 more behind it.
    /// assert_eq!(runs.run(&[47])?, [2 * 32 + 7, 1, 13, 1]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn runs(&self, along: usize) -> Result<Program> {
        let mut out = self.clone();
        let lines = out.lines(along)?;
        let of = |x: SymInt| x.node().map_or(Line::CONSTANT, |k| lines[k]);
        let cx = &mut *out.scope;
        let (mut valid, mut even, mut inside, mut outside) = (SymInt::ONE, None, None, SymInt::ZERO);
        for condition in &self.conditions {
            let holds = cx.truth(*condition)?;
            let count = truth_count(*condition, of(*condition), cx)?;
            valid = cx.min(valid, holds)?;
            inside = shorter(inside, count, cx)?;
            // While one of them fails, the others do not matter.
            let fails = cx.select(holds, SymInt::ZERO, count.unwrap_or(UNENDING))?;
            outside = cx.max(outside, fails)?;
        }
        for output in &self.outputs {
            even = shorter(even, of(output.value).count, cx)?;
        }
        let alike = cx.select(valid, inside.unwrap_or(UNENDING), outside)?;
        let count = cx.min(alike, even.unwrap_or(UNENDING))?;
        let count = cx.min(count, UNENDING)?;
        let steps = self.outputs.iter().map(|output| Output { name: format!("{}_step", output.name), value: of(output.value).step });
        out.outputs.extend(steps);
        out.outputs.push(Output { name: "count".into(), value: count });
        out.outputs.push(Output { name: "valid".into(), value: valid });
        out.conditions.clear();
        out.simplified()
    }

    /// Every node along an input.
    fn lines(&mut self, along: usize) -> Result<Vec<Line>> {
        let mut lines: Vec<Line> = Vec::with_capacity(self.scope.len);
        let mut stairs: Vec<Option<Stair>> = Vec::with_capacity(self.scope.len);
        for k in 0..self.scope.len {
            let of = |x: SymInt| x.node().map_or(Line::CONSTANT, |n| lines[n]);
            let stair = |x: SymInt| x.node().and_then(|n| stairs[n]);
            let node = self.node(k);
            let cx = &mut *self.scope;
            let (line, next) = match node {
                Decoded::Input(input) if input == along => (Line { step: SymInt::ONE, count: None }, None),
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
                    // Numbers beyond 64 bits are no comparison.
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

/// A number and its line, and the stair that it may be.
type Operand = ((SymInt, Line), Option<Stair>);

impl Stair {
    /// A node of two numbers as a stair.
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

    /// Whether `x`, which is this stair, is the quotient and nothing else.
    fn is_quotient(self, x: SymInt, cx: &mut Scope) -> Result<bool> {
        Ok(cx.div(self.y, self.by)?.same(x))
    }

    /// How long the answer to `c <= x` stays, where `x` is this stair and `c` is the same everywhere.
    fn at_least_count(self, x: SymInt, c: SymInt, cx: &mut Scope) -> Result<Option<SymInt>> {
        // scale (y / by) + rest >= c where y >= by ceil((c - rest) / scale)
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

/// A node of two numbers.
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
            // The answer is known as long as both go on, the one that is not chosen, too.
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
        // `a < b` is not `b <= a`.
        Node::Less => {
            let same = at_most_count((b, y.step), (a, x.step), cx)?;
            line(SymInt::ZERO, same, cx)
        }
        Node::Equal => {
            let same = equal_count((a, x.step), (b, y.step), cx)?;
            line(SymInt::ZERO, same, cx)
        }
        Node::Xor if y.is_constant() || x.is_constant() => {
            // Bits below the lowest that the fixed number may have are as they were.
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

/// The first line where `which` is not 0, which stays so for `same`, else the second.
fn chosen(which: SymInt, same: Option<SymInt>, x: Line, y: Line, cx: &mut Scope) -> Result<Line> {
    let step = cx.select(which, x.step, y.step)?;
    let count = either(which, x.count, y.count, cx)?;
    Ok(Line { step, count: shorter(same, count, cx)? })
}

/// The smaller number of the two that are limits.
fn shorter(a: Option<SymInt>, b: Option<SymInt>, cx: &mut Scope) -> Result<Option<SymInt>> {
    match (a, b) {
        (Some(a), Some(b)) => cx.min(a, b).map(Some),
        _ => Ok(a.or(b)),
    }
}

/// The first where `which` is not 0, else the second.
fn either(which: SymInt, then: Option<SymInt>, otherwise: Option<SymInt>, cx: &mut Scope) -> Result<Option<SymInt>> {
    if then.is_none() && otherwise.is_none() {
        return Ok(None);
    }
    cx.select(which, then.unwrap_or(UNENDING), otherwise.unwrap_or(UNENDING)).map(Some)
}

/// How many `t` from 0 on have `t step < room`, of a `room` above 0.
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

/// How long `(a + t step) / b` stays, of a `b` above 0.
fn quotient_count(a: SymInt, step: SymInt, b: SymInt, cx: &mut Scope) -> Result<Option<SymInt>> {
    let rest = cx.rem(a, b)?;
    let (up, down, back) = (cx.sub(b, rest)?, cx.add(rest, SymInt::ONE)?, cx.sub(SymInt::ZERO, step)?);
    let (up, down) = (below_count(up, step, cx)?, below_count(down, back, cx)?);
    shorter(up, down, cx)
}

/// How long the answer to `a <= b` stays.
fn at_most_count((a, x): (SymInt, SymInt), (b, y): (SymInt, SymInt), cx: &mut Scope) -> Result<Option<SymInt>> {
    let (grows, falls) = (cx.sub(x, y)?, cx.sub(y, x)?);
    let (room, beyond) = (cx.sub(b, a)?, cx.sub(a, b)?);
    let room = cx.add(room, SymInt::ONE)?;
    let (holds, fails) = (below_count(room, grows, cx)?, below_count(beyond, falls, cx)?);
    let which = cx.is_at_most(a, b)?;
    either(which, holds, fails, cx)
}

/// How long the answer to `a == b` stays.
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

/// How long `x` stays 0, or another number.
fn truth_count(x: SymInt, line: Line, cx: &mut Scope) -> Result<Option<SymInt>> {
    let same = equal_count((x, line.step), (SymInt::ZERO, SymInt::ZERO), cx)?;
    shorter(line.count, same, cx)
}
