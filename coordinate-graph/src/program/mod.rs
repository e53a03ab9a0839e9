//! Index functions as straight-line programs: the algebra's expression nodes with named inputs and outputs.
//!
//! A program comes from a coordinate graph or from a layout. It is simplified by what is known of its inputs, run on
//! numbers, and [printed](Program::emit) in the language of a kernel.

use layout_algebra::error::{Cause, LayoutError, Op, Result};
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, Facts, Node, SymInt};

mod cases;
mod emit;
mod expr;
mod layout;
mod runs;
mod simplify;

pub use cases::Cases;
pub use emit::{Emit, EmitError, Expression, Language, Source, Width, kernel};
pub use expr::{Expr, ExprOp};
pub use layout::Coordinates;
pub use simplify::Operations;

/// The most nodes of one program.
pub const NODES: usize = 2048;

/// When an input becomes known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Time {
    /// Once for each launch, on the host: extents, leading dimensions.
    Launch,
    /// In each thread: coordinates.
    Thread,
}

/// An input of a program.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name in the text.
    pub name: String,
    /// When it is known.
    pub time: Time,
    /// The number it stays below, where that is only known at run time; what is known before that is in the facts of its node.
    pub(crate) below: Option<SymInt>,
}

/// A result of a program.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name in the text.
    pub name: String,
    pub(crate) value: SymInt,
}

/// A constant table that a program looks entries up in.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name in the text.
    pub name: String,
    /// The entries.
    pub entries: Vec<i64>,
}

/// A node with its operands.
#[derive(Clone, Copy)]
pub(crate) enum Decoded {
    Input(usize),
    /// An operation on two numbers.
    Two(Node, SymInt, SymInt),
    /// The second number where the first is not 0, else the third.
    Select(SymInt, SymInt, SymInt),
    /// Where in which table.
    Lookup(SymInt, usize),
    /// The arms of a selection, which are no number.
    Pair,
}

/// A straight-line index function: outputs from inputs, and the conditions under which they are meaningful.
#[derive(Clone)]
pub struct Program {
    pub(crate) scope: Box<ExprGraph<NODES>>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Output>,
    /// Each is 0 or 1; the outputs are meaningful where all are 1.
    pub(crate) conditions: Vec<SymInt>,
    pub(crate) tables: Vec<Table>,
}

impl Program {
    /// A program of nothing yet.
    pub(crate) fn new() -> Program {
        Program {
            scope: Box::new(ExprGraph::new(Op::Identity)),
            inputs: Vec::new(),
            outputs: Vec::new(),
            conditions: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// Returns the smallest program of the outputs that `outputs` computes in a graph from the inputs: each has a name, a time and facts.
    ///
    /// Fails where `outputs` does, and where the program does not fit [`NODES`].
    ///
    /// ```
    /// use coordinate_graph::program::{Program, Time};
    /// use layout_algebra::value::Facts;
    /// let inputs = [("row", Time::Thread, Facts::NATURAL), ("pitch", Time::Launch, Facts::NATURAL)];
    /// let program = Program::build(inputs, |graph, inputs| Ok(vec![("first".into(), graph.mul(inputs[0], inputs[1])?)]))?;
    /// assert_eq!(program.run(&[3, 100])?, [300]);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn build<'a>(
        inputs: impl IntoIterator<Item = (&'a str, Time, Facts)>,
        outputs: impl FnOnce(&mut ExprGraph<NODES>, &[SymInt]) -> Result<Vec<(String, SymInt)>>,
    ) -> Result<Program> {
        let mut program = Program::new();
        let inputs = inputs.into_iter().map(|(name, time, facts)| program.input(name, time, facts, None)).collect::<Result<Vec<_>>>()?;
        let outputs = outputs(&mut program.scope, &inputs)?;
        program.outputs.extend(outputs.into_iter().map(|(name, value)| Output { name, value }));
        program.minimal()
    }

    /// Adds an input of which `facts` are known.
    pub(crate) fn input(&mut self, name: &str, time: Time, facts: Facts, below: Option<SymInt>) -> Result<SymInt> {
        let number = self.inputs.len();
        self.inputs.push(Input { name: name.into(), time, below });
        self.scope.input_at(number, facts)
    }

    /// Returns the program without the inputs that nothing reads.
    ///
    /// ```
    /// use coordinate_graph::program::{Program, Time};
    /// use layout_algebra::value::Facts;
    /// let inputs = ["i", "j"].map(|name| (name, Time::Thread, Facts::NATURAL));
    /// let program = Program::build(inputs, |graph, inputs| Ok(vec![("twice".into(), graph.add(inputs[1], inputs[1])?)]))?;
    /// assert_eq!(program.without_unused_inputs().run(&[4])?, [8]);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn without_unused_inputs(mut self) -> Program {
        self.drop_unused(&|_| true);
        self
    }

    /// Drops the inputs that `may_go` and that nothing needs.
    pub(crate) fn drop_unused(&mut self, may_go: &dyn Fn(&Input) -> bool) {
        let used = self.reached(&self.results(), &|_| false);
        let mut kept: Vec<bool> = self.inputs.iter().map(|input| !may_go(input)).collect();
        for k in (0..self.scope.len).filter(|k| used[*k]) {
            if let Decoded::Input(input) = self.node(k) {
                kept[input] = true;
            }
        }
        // What a coordinate stays below says nothing where it does not occur.
        let occurs = |x: &SymInt| x.node().is_none_or(|k| used[k]);
        for input in &mut self.inputs {
            input.below = input.below.filter(occurs);
        }
        let number: Vec<usize> = kept.iter().scan(0, |next, kept| Some(core::mem::replace(next, *next + *kept as usize))).collect();
        for k in 0..self.scope.len {
            if let Decoded::Input(old) = self.node(k) {
                // A dropped input stays as a node that nothing reads.
                self.scope.a[k] = if kept.get(old) == Some(&true) { number[old] as i64 } else { i64::MAX };
            }
        }
        let mut kept = kept.into_iter();
        self.inputs.retain(|_| kept.next().unwrap_or(true));
    }

    /// The inputs, in the order of [`run`](Program::run).
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The outputs alone: without the conditions, and without the inputs of the launch that only those need.
    pub fn without_conditions(mut self) -> Program {
        self.conditions.clear();
        self.drop_unused(&|input| input.time == Time::Launch);
        self
    }

    /// One output, `valid`: 1 where every condition holds, else 0; without the inputs of the launch that they do not need.
    ///
    /// Fails where it does not fit [`NODES`].
    pub fn validity(mut self) -> Result<Program> {
        // What the outputs share with the conditions must not shape them.
        self.outputs.clear();
        self = self.minimal()?;
        let mut valid = SymInt::ONE;
        for condition in core::mem::take(&mut self.conditions) {
            valid = self.scope.min(valid, condition)?;
        }
        self.outputs = vec![Output { name: "valid".into(), value: valid }];
        self.drop_unused(&|input| input.time == Time::Launch);
        Ok(self)
    }

    /// This program with every input known in each thread only: nothing is computed once for a launch.
    pub fn in_thread(mut self) -> Program {
        for input in &mut self.inputs {
            input.time = Time::Thread;
        }
        self
    }

    /// This program with other names of its inputs, in order; inputs without one keep theirs.
    pub fn with_input_names(mut self, names: impl IntoIterator<Item = String>) -> Program {
        self.inputs.iter_mut().zip(names).for_each(|(input, name)| input.name = name);
        self
    }

    /// Tests whether there are inputs within their bounds on which the outputs mean nothing.
    pub fn has_conditions(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// Facts of output `k`.
    pub fn facts_of_output(&self, k: usize) -> Facts {
        self.outputs.get(k).map_or(Facts::ANY, |output| self.scope.facts(output.value))
    }

    /// Facts of input `k`.
    pub fn facts_of_input(&self, k: usize) -> Facts {
        self.input_node(k).map_or(Facts::ANY, |node| self.scope.facts(node))
    }

    /// The node of input `k`, if anything reads it.
    fn input_node(&self, k: usize) -> Option<SymInt> {
        (0..self.scope.len).find(|n| matches!(self.node(*n), Decoded::Input(input) if input == k)).map(SymInt::symbol)
    }

    /// Node `k` and its operands.
    pub(crate) fn node(&self, k: usize) -> Decoded {
        let scope = &self.scope;
        let (a, b) = (SymInt::raw(scope.a[k]), SymInt::raw(scope.b[k]));
        match scope.node(k) {
            Node::Input => Decoded::Input(scope.a[k] as usize),
            Node::Pair => Decoded::Pair,
            Node::Lookup => Decoded::Lookup(a, scope.b[k] as usize),
            Node::Select => match b.node() {
                Some(pair) => Decoded::Select(a, SymInt::raw(scope.a[pair]), SymInt::raw(scope.b[pair])),
                None => Decoded::Select(a, b, b),
            },
            node => Decoded::Two(node, a, b),
        }
    }

    /// The value of output `k`, where it is the same on all inputs.
    pub fn constant(&self, k: usize) -> Option<i64> {
        self.outputs.get(k).and_then(|output| output.value.value())
    }

    /// The program with as few conditions and operations as what is known of its inputs allows.
    ///
    /// Fails where it does not fit [`NODES`].
    pub fn minimal(mut self) -> Result<Program> {
        self.prune_conditions()?;
        self.simplified()
    }

    /// The outputs on these inputs. Division by 0 gives 0.
    ///
    /// Fails where there are fewer inputs than the program has, or a number that an output needs overflows 64 bits.
    pub fn run(&self, inputs: &[i64]) -> Result<Vec<i64>> {
        let values = self.values(inputs);
        self.outputs.iter().map(|output| self.value_in(output.value, &values)).collect()
    }

    /// Tests whether the outputs are meaningful on these inputs: inside every extent and not in a pad.
    pub fn is_valid(&self, inputs: &[i64]) -> Result<bool> {
        let values = self.values(inputs);
        for condition in &self.conditions {
            if self.value_in(*condition, &values)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The conditions of [`is_valid`](Program::is_valid), one by one.
    ///
    /// Fails as [`run`](Program::run) does.
    pub fn conditions(&self, inputs: &[i64]) -> Result<Vec<bool>> {
        let values = self.values(inputs);
        self.conditions.iter().map(|condition| Ok(self.value_in(*condition, &values)? != 0)).collect()
    }

    fn value_in(&self, x: SymInt, values: &[Option<i64>]) -> Result<i64> {
        let value = match x.node() {
            Some(k) => values[k],
            None => x.value(),
        };
        value.ok_or_else(|| LayoutError::plain(Op::Identity, Cause::TooLong, 0, 0))
    }

    /// The value of every node; `None` where it, or an input that it needs, is missing or overflows.
    fn values(&self, inputs: &[i64]) -> Vec<Option<i64>> {
        let mut values: Vec<Option<i64>> = Vec::with_capacity(self.scope.len);
        for k in 0..self.scope.len {
            let of = |x: SymInt| x.node().map_or(Some(x.word()), |n| values[n]);
            values.push(match self.node(k) {
                Decoded::Input(input) => inputs.get(input).copied(),
                Decoded::Pair => None,
                Decoded::Select(c, then, otherwise) => of(c).and_then(|c| of(if c != 0 { then } else { otherwise })),
                Decoded::Lookup(at, table) => {
                    let entries = &self.tables[table].entries;
                    of(at).map(|at| usize::try_from(at).ok().and_then(|at| entries.get(at)).copied().unwrap_or(0))
                }
                Decoded::Two(node, a, b) => of(a).zip(of(b)).and_then(|(a, b)| apply(node, a, b)),
            });
        }
        values
    }
}

/// The value of a node of two numbers.
fn apply(node: Node, a: i64, b: i64) -> Option<i64> {
    let (x, y) = (SymInt::known(a)?, SymInt::known(b)?);
    match node {
        Node::Div if b == 0 => Some(0),
        Node::Rem if b == 0 => Some(a),
        _ => ExprGraph::<0>::new(Op::Identity).replay(node, x, y).ok()?.value(),
    }
}

/// The facts of a node of two numbers, by the facts of these.
fn facts_of(node: Node, x: Facts, y: Facts) -> Facts {
    match node {
        Node::Add => x.add(y),
        Node::Sub => x.sub(y),
        Node::Mul => x.mul(y),
        Node::Div => x.div(y),
        Node::Rem => x.rem(y),
        Node::Min => x.min(y),
        Node::Max => x.max(y),
        Node::Abs => x.abs(),
        Node::Xor => x.xor(y),
        Node::Less | Node::Equal => Facts::BOOLEAN,
        _ => Facts::ANY,
    }
}
