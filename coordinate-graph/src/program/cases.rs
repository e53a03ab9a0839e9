//! Splits a program into two cases by a condition that selects its outputs, so that each thread computes only one of them.

use super::simplify::Supposed;
use super::{Decoded, Program, ProgramOutput};
use layout_algebra::error::Result;
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, Node, SymInt};

/// A program as two cases, each a program of its own, and the condition that chooses between them.
///
/// ```
/// use coordinate_graph::program::{Cases, Program, Time};
/// use layout_algebra::value::{Facts, SymInt};
/// // Numbers below 70 by blocks of 7, the others one by one.
/// let program = Program::build([("x", Time::Thread, Facts::NATURAL)], |graph, inputs| {
///     let (x, number) = (inputs[0], |value| SymInt::known(value).expect("a small number"));
///     let (low, blocks) = (graph.is_less(x, number(70))?, graph.div(x, number(7))?);
///     let rest = graph.sub(x, number(60))?;
///     Ok(vec![("at".into(), graph.select(low, blocks, rest)?)])
/// })?;
/// let Some(Cases { condition, then, otherwise }) = program.cases()? else { panic!("one arm has a division") };
/// let at = |x| if condition.run(&[x])? == [0] { otherwise.run(&[x]) } else { then.run(&[x]) };
/// assert_eq!((at(69)?, at(70)?), (vec![9], vec![10]));
/// // A thread of the second case does not divide.
/// assert_eq!((then.operations().div, otherwise.operations().div), (1, 0));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct Cases {
    /// The program of the condition. Its one output is not 0 for `then` and 0 for `otherwise`.
    pub condition: Program,
    /// The program for a condition that is not 0, simplified under it.
    pub then: Program,
    /// The program for a condition that is 0, simplified under it.
    pub otherwise: Program,
}

impl Program {
    /// Splits the program into two cases with the same inputs, if its outputs select between two numbers and one of the
    /// numbers needs a division.
    ///
    /// Returns `None` if there is no such selection, if one case is impossible, or if the program has conditions. Fails if
    /// a case does not fit [`NODES`](super::NODES).
    ///
    /// ```
    /// use coordinate_graph::graph::{Bound, CoordGraph, Dimension, Direction, Domain, Expr, ExprOp, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(100))?;
    /// let [block, i] = [graph.add(Dimension::new("block"))?, graph.add(Dimension::new("i").size(7))?];
    /// let at = graph.add(Dimension::new("at"))?;
    /// graph.connect(Transform::Tile, [x], [block, i])?;
    /// // Blocks of 7 below 70, then one after the other.
    /// let condition = Expr::Op(ExprOp::Less, Box::new([Expr::Arg(0), Expr::Int(70)]));
    /// let strides = [[0, 1].map(Expr::Int).into(), [1, 0].map(Expr::Int).into()];
    /// let join = Transform::PiecewiseAffineJoin { condition, strides, initial: [0, -60].map(Expr::Int) };
    /// graph.connect(join, [x, block], [at])?;
    ///
    /// let program = graph.program(Direction::Forward, &[Bound::Thread("x")], &["at"], Domain::Declared)?;
    /// let cases = program.cases()?.expect("a choice with a division");
    /// assert_eq!((cases.condition.run(&[69]), cases.then.run(&[69])), (Ok(vec![1]), Ok(vec![9])));
    /// assert_eq!((cases.condition.run(&[70]), cases.otherwise.run(&[70])), (Ok(vec![0]), Ok(vec![10])));
    /// assert_eq!(cases.otherwise.facts_of_output(0).lo, 10);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn cases(&self) -> Result<Option<Cases>> {
        let scope = &self.scope;
        let needed = self.reached(&self.results(), &|_| false);
        let worth = |k: usize| {
            let Decoded::Select(_, then, otherwise) = self.node(k) else { return false };
            let computed = self.reached(&[then, otherwise], &|_| false);
            (0..k).any(|k| computed[k] && self.divides(k))
        };
        let Some(chosen) = (0..scope.len).rev().find(|k| needed[*k] && worth(*k)) else { return Ok(None) };
        let condition = SymInt::raw(scope.a[chosen]);
        if !self.conditions.is_empty() || condition.node().is_none() {
            return Ok(None);
        }
        let outputs = vec![ProgramOutput { name: "case".into(), value: condition }];
        let which = Program { outputs, ..self.clone() };
        let (Some(then), Some(otherwise)) = (self.case(condition, true)?, self.case(condition, false)?) else { return Ok(None) };
        Ok(Some(Cases { condition: which.simplified()?, then, otherwise }))
    }

    /// Returns the program, simplified for a `condition` that is not 0 (if `holds`) or is 0 (if not). Returns `None` if no
    /// input gives the condition that value. The result is never an error.
    fn case(&self, condition: SymInt, holds: bool) -> Result<Option<Program>> {
        let mut out = self.clone();
        for (input, lo, hi) in self.ranges_where(condition, holds) {
            out.scope.learn(input, Facts { lo, hi, div: 1 });
            let facts = out.scope.facts(input);
            if facts.lo > facts.hi {
                return Ok(None);
            }
        }
        for k in 0..out.scope.len {
            if let Decoded::Select(c, then, otherwise) = out.node(k)
                && c == condition
            {
                // Replace the selection by the arm that this case takes.
                let arm = if holds { then } else { otherwise };
                out.scope.replace(k, Node::Add, arm.word(), 0);
            }
        }
        out.simplified_where(Some(Supposed { condition, holds })).map(Some)
    }
}
