//! Index functions as straight-line programs: nodes of an expression graph with named inputs and outputs.
//!
//! A [`Program`] comes from a [coordinate graph](crate::graph::CoordGraph::program), from a
//! [layout](Program::parse_layout), or from [code](Program::build). It is simplified under the facts of its
//! inputs, [run](Program::run) on numbers, and [printed](Program::emit) in the language of a kernel.

use layout_algebra::error::{Cause, LayoutError, Op, Result};
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, Facts, Node, SymInt};

// `expr` has expressions, and `layout` makes the programs of layouts. `cases` and `runs` derive programs from others,
// `simplify` makes them smaller, and `emit` prints them.
mod cases;
mod emit;
mod expr;
mod layout;
mod runs;
mod simplify;

pub use cases::Cases;
pub use emit::{Emit, EmitError, Expression, Instruction, Instructions, Language, LookupBounds, Source, WordWidth, kernel};
pub use expr::{Expr, ExprOp};
pub use layout::Coordinates;
pub use simplify::Operations;

/// The maximum number of nodes of a program.
///
/// ```
/// use coordinate_graph::program::{NODES, Program, Time};
/// use layout_algebra::value::{ExprGraph, Facts, SymInt};
/// /// Adds `x * x` to a program.
/// fn square(graph: &mut ExprGraph<NODES>, x: SymInt) -> layout_algebra::error::Result<SymInt> {
///     graph.mul(x, x)
/// }
/// let inputs = [("x", Time::Thread, Facts::ANY)];
/// let program = Program::build(inputs, |graph, inputs| Ok(vec![("square".into(), square(graph, inputs[0])?)]))?;
/// assert_eq!(program.run(&[-7])?, [49]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const NODES: usize = 2048;

/// The time at which an input becomes known.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Program, Time};
/// let index = Program::parse_layout("(8,?):(?,1)", Coordinates::Modes)?;
/// let host: Vec<_> = index.inputs().iter().filter(|input| input.time == Time::Launch).map(|input| input.name.as_str()).collect();
/// assert_eq!(host, ["d0"]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Time {
    /// The input is known once per launch, on the host. Examples are extents and leading dimensions.
    Launch,
    /// The input is known in each thread. Examples are coordinates.
    Thread,
}

/// An input of a program.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Program};
/// let index = Program::parse_layout("(8,?):(?,1)", Coordinates::Modes)?;
/// let inputs: Vec<_> = index.inputs().iter().map(|input| format!("{} per {:?}", input.name, input.time)).collect();
/// assert_eq!(inputs, ["d0 per Launch", "i0 per Thread", "i1 per Thread"]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Input {
    /// The name in the emitted text.
    pub name: String,
    /// The time at which the input becomes known.
    pub time: Time,
    /// The node of the number that the input is less than, if that number is known only at run time. Bounds that are known
    /// before are in the facts of the input's own node.
    pub(crate) below: Option<SymInt>,
}

/// A result of a program.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Transform};
/// let mut graph = CoordGraph::new();
/// let [x, t, i] = [graph.add(Dimension::new("x"))?, graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(16))?];
/// graph.connect(Transform::Tile, [x], [t, i])?;
/// let program = graph.program(Direction::Forward, &["x".into()], &["i", "t"], Domain::Declared)?;
/// let named: Vec<_> = program.outputs().iter().map(|output| output.name.as_str()).zip(program.run(&[35])?).collect();
/// assert_eq!(named, [("i", 3), ("t", 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProgramOutput {
    /// The name in the emitted text.
    pub name: String,
    pub(crate) value: SymInt,
}

/// A constant table that a program reads entries from.
#[derive(Clone, Debug)]
pub(crate) struct LookupTable {
    /// The name in the emitted text.
    pub name: String,
    /// The entries of the table.
    pub entries: Vec<i64>,
}

/// The operation of a node, with its operands.
#[derive(Clone, Copy)]
pub(crate) enum Decoded {
    Input(usize),
    /// An operation on two nodes or known numbers.
    Two(Node, SymInt, SymInt),
    /// A selection: the second number if the first is not 0, else the third.
    Select(SymInt, SymInt, SymInt),
    /// An entry of a table: the node of its position, and the number of the table.
    Lookup(SymInt, usize),
    /// The two arms of a selection. This node has no value of its own.
    Pair,
}

/// A straight-line index function: outputs computed from inputs, with the conditions under which they are meaningful.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
/// use layout_algebra::value::Facts;
/// let index = Program::parse_layout("(8,?{max=64}):(?{max=64},1)", Coordinates::Modes)?;
/// assert_eq!(index.inputs().iter().map(|input| input.name.as_str()).collect::<Vec<_>>(), ["d0", "i0", "i1"]);
/// assert_eq!((index.outputs()[0].name.as_str(), index.run(&[64, 3, 5])?), ("index", vec![3 * 64 + 5]));
///
/// // Facts bound every number, so 32 bits suffice.
/// assert_eq!(index.facts_of_input(1), Facts { lo: 0, hi: 7, div: 1 });
/// assert_eq!(index.facts_of_output(0).hi, 7 * 64 + 63);
/// assert_eq!(index.constant(0), None);
///
/// let named = index.with_input_names(["pitch", "row", "column"].map(String::from));
/// assert_eq!(named.emit_expression(0, Language::Cuda)?.to_string(), "pitch * row + column");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Program {
    pub(crate) scope: Box<ExprGraph<NODES>>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<ProgramOutput>,
    /// The nodes of the conditions. Each is 0 or 1, and the outputs are meaningful if all are 1.
    pub(crate) conditions: Vec<SymInt>,
    pub(crate) tables: Vec<LookupTable>,
}

impl Program {
    /// Creates a program without inputs, outputs and conditions.
    pub(crate) fn new() -> Program {
        Program {
            scope: Box::new(ExprGraph::new(Op::Identity)),
            inputs: Vec::new(),
            outputs: Vec::new(),
            conditions: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// Builds a program from inputs with names, times and facts, and returns the [minimal](Program::minimal) program.
    /// `outputs` gets the nodes of the inputs and returns the name and the node of each output.
    ///
    /// Fails if `outputs` fails or if the program does not fit [`NODES`].
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
        program.outputs.extend(outputs.into_iter().map(|(name, value)| ProgramOutput { name, value }));
        program.minimal()
    }

    /// Adds an input with these facts, less than the node `below` if there is one, and returns its node. Fails if the
    /// program is full.
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

    /// Drops the inputs for which `may_go` is true and that nothing needs.
    pub(crate) fn drop_unused(&mut self, may_go: &dyn Fn(&Input) -> bool) {
        let used = self.reached(&self.results(), &|_| false);
        let mut kept: Vec<bool> = self.inputs.iter().map(|input| !may_go(input)).collect();
        for k in (0..self.scope.len).filter(|k| used[*k]) {
            if let Decoded::Input(input) = self.node(k) {
                kept[input] = true;
            }
        }
        // The bound of a coordinate is dropped if nothing else uses the bound.
        let occurs = |x: &SymInt| x.node().is_none_or(|k| used[k]);
        for input in &mut self.inputs {
            input.below = input.below.filter(occurs);
        }
        let number: Vec<usize> = kept.iter().scan(0, |next, kept| Some(core::mem::replace(next, *next + *kept as usize))).collect();
        for k in 0..self.scope.len {
            if let Decoded::Input(old) = self.node(k) {
                // The node of a dropped input stays, but nothing reads it.
                self.scope.a[k] = if kept.get(old) == Some(&true) { number[old] as i64 } else { i64::MAX };
            }
        }
        let mut kept = kept.into_iter();
        self.inputs.retain(|_| kept.next().unwrap_or(true));
    }

    /// Returns the inputs in the order that [`run`](Program::run) takes them.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Returns the outputs.
    pub fn outputs(&self) -> &[ProgramOutput] {
        &self.outputs
    }

    /// Returns the program of the outputs alone, without conditions. Launch inputs that only the conditions need
    /// are dropped.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(100))?;
    /// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(16))?];
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// let program = graph.program(Direction::Reverse, &["t".into(), "i".into()], &["x"], Domain::Declared)?;
    /// // The last tile has 4 elements.
    /// assert!(program.has_conditions());
    /// assert_eq!((program.is_valid(&[6, 3])?, program.is_valid(&[6, 4])?), (true, false));
    /// // A caller that never leaves the size needs no test.
    /// let unchecked = program.without_conditions();
    /// assert_eq!((unchecked.has_conditions(), unchecked.run(&[6, 3])?), (false, vec![99]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_conditions(mut self) -> Program {
        self.conditions.clear();
        self.drop_unused(&|input| input.time == Time::Launch);
        self
    }

    /// Returns a program with one output, `valid`: 1 if every condition holds, else 0. Launch inputs that the
    /// conditions do not need are dropped.
    ///
    /// Fails if the program does not fit [`NODES`].
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(100))?;
    /// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(16))?];
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// let program = graph.program(Direction::Reverse, &["t".into(), "i".into()], &["x"], Domain::Declared)?;
    /// let mask = program.validity()?;
    /// assert_eq!((mask.outputs()[0].name.as_str(), mask.run(&[6, 3])?, mask.run(&[6, 4])?), ("valid", vec![1], vec![0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn validity(mut self) -> Result<Program> {
        // Without the outputs, simplification considers only the conditions.
        self.outputs.clear();
        self = self.minimal()?;
        let mut valid = SymInt::ONE;
        for condition in core::mem::take(&mut self.conditions) {
            valid = self.scope.min(valid, condition)?;
        }
        self.outputs = vec![ProgramOutput { name: "valid".into(), value: valid }];
        self.drop_unused(&|input| input.time == Time::Launch);
        Ok(self)
    }

    /// Returns this program with every input known only in each thread, so that nothing is computed once for a launch.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// let index = Program::parse_layout("(?{min=1,max=64},8):(8,1)", Coordinates::Linear)?;
    /// let emit = Emit::new(Language::Cuda, "element");
    /// assert!(index.emit(&emit)?.host.is_some());
    /// // Each thread has its own extent, so the host has nothing to prepare.
    /// assert_eq!(index.in_thread().emit(&emit)?.host, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_thread(mut self) -> Program {
        for input in &mut self.inputs {
            input.time = Time::Thread;
        }
        self
    }

    /// Returns this program with other names for its inputs, in order. Inputs without a new name keep theirs.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Language, Program};
    /// let index = Program::parse_layout("(4,8):(8,1)", Coordinates::Modes)?.with_input_names(["row".to_string()]);
    /// assert_eq!(index.emit_expression(0, Language::C)?.to_string(), "row * 8 + i1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_input_names(mut self, names: impl IntoIterator<Item = String>) -> Program {
        self.inputs.iter_mut().zip(names).for_each(|(input, name)| input.name = name);
        self
    }

    /// Tests whether the program has conditions, which some inputs within their bounds may fail.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Program};
    /// // Every coordinate of a layout within its extents has an index.
    /// assert!(!Program::parse_layout("(4,8):(8,1)", Coordinates::Modes)?.has_conditions());
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn has_conditions(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// Returns the facts of output `k`, from 0.
    pub fn facts_of_output(&self, k: usize) -> Facts {
        self.outputs.get(k).map_or(Facts::ANY, |output| self.scope.facts(output.value))
    }

    /// Returns the facts of input `k`, from 0; `Facts::ANY` if the program has no node for it.
    pub fn facts_of_input(&self, k: usize) -> Facts {
        self.input_node(k).map_or(Facts::ANY, |node| self.scope.facts(node))
    }

    /// Returns the node of input `k`; `None` if it has none, for example because its facts leave only one value.
    fn input_node(&self, k: usize) -> Option<SymInt> {
        (0..self.scope.len).find(|n| matches!(self.node(*n), Decoded::Input(input) if input == k)).map(SymInt::symbol)
    }

    /// Returns node `k` with its operands.
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

    /// Returns the value of output `k` if it is a known number, the same for all inputs; otherwise `None`.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Program};
    /// let index = Program::parse_layout("(4,8):(0,0)", Coordinates::Modes)?; // a broadcast of one element
    /// assert_eq!(index.constant(0), Some(0));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn constant(&self, k: usize) -> Option<i64> {
        self.outputs.get(k).and_then(|output| output.value.value())
    }

    /// Returns the program without the conditions that follow from others, simplified under the facts of its inputs. The
    /// result never has more operations than this program.
    ///
    /// Fails if the program does not fit [`NODES`].
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(64))?;
    /// let [t, i] = [graph.add(Dimension::new("t").size(4))?, graph.add(Dimension::new("i").size(16))?];
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// let raw = graph.unsimplified(Direction::Reverse, &["t".into(), "i".into()], &["x"], Domain::Declared)?;
    /// // The sizes of `t` and `i` imply `x < 64`.
    /// let program = raw.minimal()?;
    /// assert!(!program.has_conditions());
    /// assert_eq!(program.operations().to_string(), "1 add, 1 shift");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn minimal(mut self) -> Result<Program> {
        self.prune_conditions()?;
        self.simplified()
    }

    /// Returns the outputs on these inputs, in order. `a / 0` is 0, and `a` modulo 0 is `a`.
    ///
    /// Fails if an output needs an input that is missing, or a number that overflows 64 bits.
    ///
    /// ```
    /// use coordinate_graph::program::{Program, Time};
    /// use layout_algebra::value::Facts;
    /// let inputs = ["a", "b"].map(|name| (name, Time::Thread, Facts::ANY));
    /// let quotient = Program::build(inputs, |graph, inputs| Ok(vec![("quotient".into(), graph.div(inputs[0], inputs[1])?)]))?;
    /// // Quotients are rounded down.
    /// assert_eq!((quotient.run(&[-7, 2])?, quotient.run(&[7, 0])?), (vec![-4], vec![0]));
    /// assert!(quotient.run(&[7]).is_err());
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn run(&self, inputs: &[i64]) -> Result<Vec<i64>> {
        let values = self.values(inputs);
        self.outputs.iter().map(|output| self.value_in(output.value, &values)).collect()
    }

    /// Tests whether the outputs are meaningful on these inputs: every coordinate lies in its extent and not in padding.
    /// Fails if a condition needs a missing input or a number that overflows.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Expr, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [x, padded] = [graph.add(Dimension::new("x").size(10))?, graph.add(Dimension::new("padded"))?];
    /// graph.connect(Transform::Pad { left: Expr::Int(2), right: Expr::Int(2) }, [x], [padded])?;
    /// let program = graph.program(Direction::Reverse, &["padded".into()], &["x"], Domain::Declared)?;
    /// assert_eq!((program.is_valid(&[1])?, program.is_valid(&[2])?, program.is_valid(&[12])?), (false, true, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_valid(&self, inputs: &[i64]) -> Result<bool> {
        let values = self.values(inputs);
        for condition in &self.conditions {
            if self.value_in(*condition, &values)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the conditions of [`is_valid`](Program::is_valid), one by one.
    ///
    /// Fails as [`run`](Program::run) does.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Expr, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [row, column] = [graph.add(Dimension::new("row").size(30))?, graph.add(Dimension::new("column").size(50))?];
    /// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(16))?];
    /// let [u, j] = [graph.add(Dimension::new("u"))?, graph.add(Dimension::new("j").size(16))?];
    /// graph.connect(Transform::Tile, [row], [t, i])?;
    /// graph.connect(Transform::Tile, [column], [u, j])?;
    /// let sources = ["t", "i", "u", "j"].map(Into::into);
    /// let program = graph.program(Direction::Reverse, &sources, &["row", "column"], Domain::Declared)?;
    /// // Row 30 does not exist, column 49 does.
    /// assert_eq!(program.conditions(&[1, 14, 3, 1])?, [false, true]);
    /// assert!(!program.is_valid(&[1, 14, 3, 1])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Returns the value of every node; `None` if the node overflows, or if it needs a missing input or a node without a
    /// value.
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

/// Returns the operation `node` on `a` and `b`; `None` if the result overflows. `a / 0` is 0, and `a` modulo 0 is `a`.
fn apply(node: Node, a: i64, b: i64) -> Option<i64> {
    let (x, y) = (SymInt::known(a)?, SymInt::known(b)?);
    match node {
        Node::Div if b == 0 => Some(0),
        Node::Rem if b == 0 => Some(a),
        _ => ExprGraph::<0>::new(Op::Identity).replay(node, x, y).ok()?.value(),
    }
}

/// Returns the facts of the operation `node` on two numbers with the facts `x` and `y`.
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
