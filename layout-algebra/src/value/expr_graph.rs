//! Expression graphs: arithmetic over known and symbolic integers, with facts about the results and promises.

use super::facts::Facts;
use super::{SymInt, known};
use crate::error::{Cause, LayoutError, Op, Path, Result, refuse_if};

/// The kind of a node: how it is computed from its operands `a` and `b`.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::value::{ExprGraph, Facts, Node, SymInt};
/// let mut scope = ExprGraph::<4>::new(Op::Parse);
/// let n = scope.input(Facts::NATURAL)?;
/// let twice = scope.mul(n, SymInt::small(2))?;
/// let nodes: Vec<_> = (0..scope.len).map(|k| (scope.node(k), SymInt::raw(scope.a[k]), SymInt::raw(scope.b[k]))).collect();
/// assert_eq!(nodes[1], (Node::Mul, n, SymInt::small(2)));
/// assert_eq!((nodes[0].0, twice.node()), (Node::Input, Some(1)));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Node {
    /// The run-time input number `a`.
    Input,
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`, rounded down; 0 where `b` is 0.
    Div,
    /// `a` modulo `b`; `a` where `b` is 0.
    Rem,
    /// The smaller of `a` and `b`.
    Min,
    /// The larger of `a` and `b`.
    Max,
    /// `|a|`.
    Abs,
    /// 1 if `a < b`, else 0.
    Less,
    /// 1 if `a == b`, else 0.
    Equal,
    /// `a xor b`, bit by bit, of non-negative numbers.
    Xor,
    /// The two arms of a [`Select`](Node::Select). A pair is not a number.
    Pair,
    /// The first number of the pair `b` if `a` is not 0, else the second.
    Select,
    /// Entry `a` of the table number `b`; 0 outside the table.
    Lookup,
}

impl Node {
    /// All kinds, in the order of their numbers.
    const ALL: [Node; 15] = {
        use Node::*;
        let all = [Input, Add, Sub, Mul, Div, Rem, Min, Max, Abs, Less, Equal, Xor, Pair, Select, Lookup];
        each!(k, 0..all.len(), { assert!(all[k] as usize == k) });
        all
    };
}

/// A relation of two numbers on which a result depends.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::expression::evaluate;
/// use layout_algebra::value::{Check, ExprGraph, SymInt};
/// let mut scope = ExprGraph::<8>::new(Op::Parse);
/// evaluate::<8, 8>("logical_divide(?:1, 8)", &mut scope)?;
/// // `?` is the only symbol. A tool that reads its value `n` tests every promise.
/// let holds = |n: i64| {
///     (0..scope.promises).filter_map(|k| scope.promise(k)).all(|promise| {
///         let [a, b] = [promise.a, promise.b].map(|x| x.value().unwrap_or(n));
///         match promise.check {
///             Check::Multiple => a % b == 0,
///             Check::Less => a < b,
///         }
///     })
/// };
/// assert!(holds(32) && !holds(30));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// `a` is a multiple of `b`.
    Multiple,
    /// `a < b`.
    Less,
}

/// A promise: a relation that facts could not decide. It is evaluated once, when a value is made from run-time integers.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::expression::evaluate;
/// use layout_algebra::value::{Check, ExprGraph, SymInt};
/// let mut scope = ExprGraph::<8>::new(Op::Parse);
/// let tiles = evaluate::<8, 8>("logical_divide(?:1, 8)", &mut scope)?;
/// assert_eq!(tiles.to_string(), "(8,?):(1,8)");
/// // Nothing is known of `?`, so the division promises that 8 divides it.
/// let promise = scope.promise(0).expect("the division depends on `?`");
/// assert_eq!((promise.check, promise.a, promise.b), (Check::Multiple, SymInt::symbol(0), SymInt::small(8)));
/// assert_eq!(scope.promises, 1);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Promise {
    /// The relation between `a` and `b`.
    pub check: Check,
    /// The first number of the relation.
    pub a: SymInt,
    /// The second number of the relation.
    pub b: SymInt,
    /// The error if the promise does not hold.
    pub error: LayoutError,
}

/// The maximum number of promises of one operation.
pub const MAX_PROMISES: usize = 16;

/// The scope of a computation: the operation and mode that errors name, and a graph of at most `E` symbolic nodes.
///
/// With `E = 0` all integers are known and all decisions are exact. A node's operands come before it, so evaluating the nodes in
/// order is a straight-line program.
///
/// ```
/// use layout_algebra::error::{Cause, Op};
/// use layout_algebra::value::{ExprGraph, Facts, SymInt};
/// let mut scope = ExprGraph::<8>::new(Op::Parse);
/// // A run-time number, which is at least 1 and a multiple of 32.
/// let n = scope.input(Facts { div: 32, ..Facts::POSITIVE })?;
/// let quarter = scope.div(n, SymInt::small(4))?;
/// assert_eq!(scope.facts(quarter).div, 8);
/// // Nodes are simplified where facts permit it: this product is no new node.
/// assert_eq!(scope.mul(quarter, SymInt::small(4))?, n);
/// assert_eq!((scope.len, scope.inputs), (2, 1));
///
/// scope.begin(Op::Coalesce);
/// let error = scope.fail(Cause::NotPositive, SymInt::ZERO, SymInt::ZERO);
/// assert_eq!((scope.op(), error.to_string().as_str()), (Op::Coalesce, "coalesce: 0 must be positive"));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ExprGraph<const E: usize> {
    pub(super) op: Op,
    pub(super) path: Path,
    /// The number of nodes.
    pub len: usize,
    /// The number of run-time inputs.
    pub inputs: usize,
    /// The [`Node`] kind of each node, as its number: the compiler checks a constant array of bytes at once, not element by element.
    kind: [u8; E],
    /// The word of the first operand of each node; for an input, its number.
    pub a: [i64; E],
    /// The word of the second operand of each node.
    pub b: [i64; E],
    pub(super) lo: [i64; E],
    pub(super) hi: [i64; E],
    pub(super) div: [i64; E],
    /// The number of promises.
    pub promises: usize,
    /// The promises. Most graphs have none, and the compiler checks `None` faster than an array of `None`.
    promise: Option<[Option<Promise>; MAX_PROMISES]>,
}

/// The scope, its inputs, nodes and promises.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::value::{ExprGraph, Facts, SymInt};
/// let mut scope = ExprGraph::<8>::new(Op::Size);
/// let (m, n) = (scope.input(Facts::POSITIVE)?, scope.input(Facts::POSITIVE)?);
/// let padded = scope.add(n, SymInt::ONE)?;
/// let size = scope.mul(m, padded)?;
///
/// // The value of every node at m = 6 and n = 7.
/// let inputs = [6, 7].map(SymInt::small);
/// let (mut value, mut known) = ([SymInt::ZERO; 8], ExprGraph::<0>::new(scope.op()));
/// for k in 0..scope.len {
///     let operand = |word| SymInt::raw(word).node().map_or(SymInt::raw(word), |node| value[node]);
///     value[k] = match scope.is_input(k) {
///         true => inputs[scope.a[k] as usize],
///         false => known.replay(scope.node(k), operand(scope.a[k]), operand(scope.b[k]))?,
///     };
/// }
/// assert_eq!(size.node().map(|k| value[k].word()), Some(6 * 8));
/// // A sum and a product of positive numbers need no promise.
/// assert!(scope.promise(0).is_none());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
impl<const E: usize> ExprGraph<E> {
    /// Returns an empty scope for the operation `op`.
    pub const fn new(op: Op) -> Self {
        ExprGraph {
            op,
            path: Path::ROOT,
            len: 0,
            inputs: 0,
            kind: [0; E],
            a: [0; E],
            b: [0; E],
            lo: [0; E],
            hi: [0; E],
            div: [1; E],
            promises: 0,
            promise: None,
        }
    }

    /// Makes `op` the operation, and the whole layout the mode, that errors name from now on.
    pub const fn begin(&mut self, op: Op) {
        self.op = op;
        self.path.clear();
    }

    pub(crate) const fn path(&self) -> Path {
        self.path
    }

    pub(crate) const fn at(&mut self, path: Path) {
        self.path = path;
    }

    /// Returns an error of the current operation at the current mode.
    #[cold]
    pub const fn fail(&self, cause: Cause, a: SymInt, b: SymInt) -> LayoutError {
        LayoutError::new(self.op, self.path, cause, [a, b, SymInt(0)])
    }

    #[cold]
    pub(crate) const fn fail3(&self, cause: Cause, a: SymInt, b: SymInt, c: SymInt) -> LayoutError {
        LayoutError::new(self.op, self.path, cause, [a, b, c])
    }

    /// Adds the next run-time input with its facts, and returns its symbol. Fails if the graph is full.
    pub const fn input(&mut self, facts: Facts) -> Result<SymInt> {
        let k = self.inputs as i64;
        self.inputs += 1;
        self.push(Node::Input, k, 0, facts)
    }

    /// Returns the node of the run-time input number `k`, from 0. Fails if the graph is full.
    ///
    /// ```
    /// # use layout_algebra::{error::Op, value::{ExprGraph, Facts, SymInt}};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let third = scope.input_at(2, Facts::NATURAL)?;
    /// assert_eq!((third, scope.a[0], scope.inputs), (SymInt::symbol(0), 2, 0));
    /// assert_eq!(scope.input_at(2, Facts::NATURAL)?, third);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn input_at(&mut self, k: usize, facts: Facts) -> Result<SymInt> {
        self.push(Node::Input, k as i64, 0, facts)
    }

    /// Returns the operation that errors name.
    pub const fn op(&self) -> Op {
        self.op
    }

    /// Returns the simplified node of kind `node` (not an input) of `a` and `b`. Fails as the arithmetic of that kind does.
    pub const fn replay(&mut self, node: Node, a: SymInt, b: SymInt) -> Result<SymInt> {
        match node {
            Node::Add => self.add(a, b),
            Node::Sub => self.sub(a, b),
            Node::Mul => self.mul(a, b),
            Node::Div => self.div(a, b),
            Node::Rem => self.rem(a, b),
            Node::Min => self.min(a, b),
            Node::Max => self.max(a, b),
            Node::Less => self.is_less(a, b),
            Node::Equal => self.is_equal(a, b),
            Node::Xor => self.xor(a, b),
            Node::Pair => self.push(Node::Pair, a.word(), b.word(), self.facts(a).union(self.facts(b))),
            Node::Select => match self.operands(b, Node::Pair) {
                Some((then, otherwise)) => self.select(a, then, otherwise),
                // `select` does not pair two equal arms.
                None => Ok(b),
            },
            // The caller adds the facts about the entries.
            Node::Lookup => self.push(Node::Lookup, a.word(), b.word(), Facts::ANY),
            _ => self.abs(a),
        }
    }

    /// Adds facts about `x` from another source. Ignores them for a known number.
    ///
    /// ```
    /// # use layout_algebra::{error::Op, value::{ExprGraph, Facts, SymInt, Truth}};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let n = scope.input(Facts::NATURAL)?;
    /// assert_eq!(scope.divides(SymInt::small(4), n), Truth::Unknown);
    /// scope.learn(n, Facts { div: 8, ..Facts::POSITIVE });
    /// assert_eq!(scope.divides(SymInt::small(4), n), Truth::Yes);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn learn(&mut self, x: SymInt, facts: Facts) {
        if let Some(k) = x.node() {
            if facts.lo > self.lo[k] {
                self.lo[k] = facts.lo;
            }
            if facts.hi < self.hi[k] {
                self.hi[k] = facts.hi;
            }
            self.div[k] = super::facts::lcm(self.div[k], facts.div);
        }
    }

    /// Keeps only the nodes `k` with `used[k]`. Returns the new scope, and the new symbol of each kept node.
    ///
    /// ```
    /// # use layout_algebra::{error::Op, value::{ExprGraph, Facts, SymInt}};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let (m, n) = (scope.input(Facts::NATURAL)?, scope.input(Facts::NATURAL)?);
    /// let (_, product) = (scope.add(m, n)?, scope.mul(m, n)?);
    /// let (kept, symbol) = scope.keep(&[true, true, false, true]);
    /// assert_eq!((scope.len, product), (4, SymInt::symbol(3)));
    /// assert_eq!((kept.len, symbol[3]), (3, SymInt::symbol(2)));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn keep(self, used: &[bool; E]) -> (Self, [SymInt; E]) {
        let mut out = self;
        let mut map = [SymInt(0); E];
        out.len = 0;
        each!(k, 0..self.len, {
            if used[k] {
                let n = out.len;
                let input = self.is_input(k);
                out.kind[n] = self.kind[k];
                out.a[n] = if input { self.a[k] } else { moved(SymInt::raw(self.a[k]), &map).word() };
                out.b[n] = if input { 0 } else { moved(SymInt::raw(self.b[k]), &map).word() };
                out.lo[n] = self.lo[k];
                out.hi[n] = self.hi[k];
                out.div[n] = self.div[k];
                map[k] = SymInt::symbol(n);
                out.len += 1;
            }
        });
        each!(k, 0..self.promises, {
            if let Some(promise) = self.promise(k) {
                let numbers = promise.error.symbols();
                let numbers = [moved(numbers[0], &map), moved(numbers[1], &map), moved(numbers[2], &map)];
                let error = LayoutError::new(promise.error.op, promise.error.path, promise.error.cause, numbers);
                out.set_promise(k, Promise { check: promise.check, a: moved(promise.a, &map), b: moved(promise.b, &map), error });
            }
        });
        (out, map)
    }

    /// Returns promise number `k`, from 0, or `None` if there are `k` promises or fewer.
    pub const fn promise(&self, k: usize) -> Option<&Promise> {
        match &self.promise {
            Some(promise) if k < self.promises => promise[k].as_ref(),
            _ => None,
        }
    }

    const fn set_promise(&mut self, k: usize, promise: Promise) {
        let mut all = match self.promise {
            Some(all) => all,
            None => [None; MAX_PROMISES],
        };
        all[k] = Some(promise);
        self.promise = Some(all);
    }

    /// Adds a promise. Fails after `MAX_PROMISES` promises.
    ///
    /// ```
    /// use layout_algebra::error::{Cause, Op};
    /// use layout_algebra::value::{Check, ExprGraph, Facts, Promise, SymInt};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let n = scope.input(Facts::NATURAL)?;
    /// let error = scope.fail(Cause::ZeroExtent, SymInt::ZERO, SymInt::ZERO);
    /// scope.promised(Promise { check: Check::Less, a: SymInt::ZERO, b: n, error })?;
    /// assert_eq!(scope.promise(0).map(|promise| promise.error.to_string()).as_deref(), Some("parse: the extent of the layout is 0"));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn promised(&mut self, promise: Promise) -> Result<()> {
        refuse_if!(self, self.promises == MAX_PROMISES, TooManySymbols, SymInt::small(MAX_PROMISES));
        self.set_promise(self.promises, promise);
        self.promises += 1;
        Ok(())
    }

    /// Returns the kind of node `k`, which must be below the number of nodes.
    pub const fn node(&self, k: usize) -> Node {
        Node::ALL[self.kind[k] as usize]
    }

    /// Returns true if node `k` is an input.
    pub const fn is_input(&self, k: usize) -> bool {
        self.kind[k] == Node::Input as u8
    }

    /// Returns the graph with every node turned into an input, and without promises.
    ///
    /// ```
    /// # use layout_algebra::{error::Op, value::{ExprGraph, Facts}};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let (m, n) = (scope.input(Facts::NATURAL)?, scope.input(Facts::NATURAL)?);
    /// scope.mul(m, n)?;
    /// let hoisted = scope.hoisted();
    /// assert_eq!((scope.is_input(2), hoisted.is_input(2)), (false, true));
    /// assert_eq!((scope.inputs, hoisted.inputs), (2, 3));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn hoisted(mut self) -> Self {
        each!(k, 0..self.len, {
            self.kind[k] = Node::Input as u8;
            self.a[k] = k as i64;
        });
        (self.inputs, self.promises) = (self.len, 0);
        self
    }

    /// Replaces node `k` by a node of the kind `node` with the operand words `a` and `b`.
    ///
    /// ```
    /// # use layout_algebra::{error::Op, value::{ExprGraph, Facts, Node, SymInt}};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let (m, n) = (scope.input(Facts::NATURAL)?, scope.input(Facts::NATURAL)?);
    /// let sum = scope.add(m, n)?;
    /// scope.replace(2, Node::Max, m.word(), n.word());
    /// assert_eq!((sum, scope.node(2)), (SymInt::symbol(2), Node::Max));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub const fn replace(&mut self, k: usize, node: Node, a: i64, b: i64) {
        (self.kind[k], self.a[k], self.b[k]) = (node as u8, a, b);
    }

    /// Returns an equal or new node of the words `a` and `b`, or the one number that `facts` allow. Fails if the graph is full.
    ///
    /// ```
    /// # use layout_algebra::{error::Op, value::{ExprGraph, Facts, Node, SymInt}};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let n = scope.input(Facts::NATURAL)?;
    /// let half = scope.push(Node::Div, n.word(), 2, Facts::NATURAL)?;
    /// assert_eq!(scope.push(Node::Div, n.word(), 2, Facts::NATURAL)?, half);
    /// assert_eq!(scope.push(Node::Rem, n.word(), 2, Facts::exactly(0))?, SymInt::ZERO);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn push(&mut self, node: Node, a: i64, b: i64, facts: Facts) -> Result<SymInt> {
        if facts.lo == facts.hi && known!(facts.lo) && facts.lo != i64::MAX {
            return Ok(SymInt::raw(facts.lo));
        }
        each!(k, 0..self.len, {
            if self.kind[k] == node as u8 && self.a[k] == a && self.b[k] == b {
                return Ok(SymInt::symbol(k));
            }
        });
        refuse_if!(self, self.len == E, TooManySymbols, SymInt::small(E));
        self.kind[self.len] = node as u8;
        self.a[self.len] = a;
        self.b[self.len] = b;
        self.lo[self.len] = facts.lo;
        self.hi[self.len] = facts.hi;
        self.div[self.len] = facts.div;
        self.len += 1;
        Ok(SymInt::symbol(self.len - 1))
    }

    /// Returns the facts about `x`, which is a known number or a symbol of this graph. `_` has none.
    pub const fn facts(&self, x: SymInt) -> Facts {
        if known!(x.0) {
            return Facts {
                lo: x.0,
                hi: x.0,
                div: if x.0 == 0 {
                    i64::MAX
                } else if x.0 < 0 {
                    -x.0
                } else {
                    x.0
                },
            };
        }
        match x.node() {
            Some(k) => Facts { lo: self.lo[k], hi: self.hi[k], div: self.div[k] },
            None => Facts::ANY,
        }
    }

    /// Returns `(a, b)` if `x` is the product `a * b`, otherwise `None`. A known factor is `b`.
    ///
    /// ```
    /// # use layout_algebra::{error::Op, value::{ExprGraph, Facts, SymInt}};
    /// let mut scope = ExprGraph::<4>::new(Op::Parse);
    /// let n = scope.input(Facts::NATURAL)?;
    /// let product = scope.mul(SymInt::small(8), n)?;
    /// assert_eq!(scope.factors(product), Some((n, SymInt::small(8))));
    /// assert_eq!(scope.factors(n), None);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn factors(&self, x: SymInt) -> Option<(SymInt, SymInt)> {
        self.operands(x, Node::Mul)
    }

    /// Returns the operands of `x` if it is a node of the kind `node`, otherwise `None`.
    pub(super) const fn operands(&self, x: SymInt, node: Node) -> Option<(SymInt, SymInt)> {
        match x.node() {
            Some(k) if self.kind[k] == node as u8 => Some((SymInt::raw(self.a[k]), SymInt::raw(self.b[k]))),
            _ => None,
        }
    }
}

const fn moved<const E: usize>(x: SymInt, map: &[SymInt; E]) -> SymInt {
    match x.node() {
        Some(k) => map[k],
        None => x,
    }
}
