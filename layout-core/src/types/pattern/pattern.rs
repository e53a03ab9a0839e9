//! The facts known of a layout type: its leaves as numbers or nodes, and the residual program that computes the nodes.

use super::descriptor::{Descriptor, operand, push_ints};
use layout_algebra::DynLayout;
use layout_algebra::algebra::composed;
use layout_algebra::algebra::dispatch::dispatch;
use layout_algebra::algebra::operands::Operand;
use layout_algebra::error::{Cause, LayoutError, Op, OperandKind, Path, Result, ok, refuse, refuse_if};
use layout_algebra::text::Parser;
use layout_algebra::value::{Check, ExprGraph, LayoutValue, MAX_LEAVES, Node, Promise, SymInt, TupleValue, known};

/// The values of the run-time leaves, or of the nodes over them, in order. Also an integer for each mode of a layout.
///
/// ```
/// use layout_core::{Layout, make_layout};
/// use layout_core::layouts::{RawLayout, Slots};
/// let a = make_layout((3, (2, 5)), (10, (5, 1)));
/// let extents: Slots = a.extents();
/// assert_eq!((&extents[..a.rank()], extents[2]), (&[3, 10][..], 1));
/// let mut last = extents.map(|extent| extent - 1);
/// assert_eq!(a.index_of(&last), 29);
/// ```
pub type Slots = [usize; MAX_LEAVES];

/// The array of ones. It is a constant, because filling an array with 1 becomes a loop where the compiler optimises for size.
pub(crate) const ONES: Slots = [1; MAX_LEAVES];

/// A layout whose leaves are known numbers or nodes of an expression graph over the run-time leaves.
///
/// Each layout type has one, [`TypedLayout::PATTERN`](crate::TypedLayout::PATTERN), and the macros make others from a type.
///
/// ```
/// use layout_core::{Int, algebra::value::ExprGraph, error::Op};
/// use layout_core::layouts::{AsOperand, Pattern, Strided};
/// type Rows = Strided<(usize, Int<8>), (Int<8>, Int<1>)>;
/// const TILES: Pattern = Pattern::derive(Op::ZippedDivide, &[Rows::DESCRIPTOR, <(Int<4>, Int<8>)>::DESCRIPTOR]);
/// const { TILES.require() }; // the build fails here if the operation is refused
/// assert_eq!(TILES.layout().to_string(), "((4,8),(?,1)):((8,1),(32,0))");
/// assert_eq!(TILES.instantiate(&[12])?.to_string(), "((4,8),(3,1)):((8,1),(32,0))");
///
/// // Programs that compute indices take the layout with its nodes: here the input, and its quotient by 4.
/// let mut nodes = ExprGraph::<16>::new(Op::Crd2Idx);
/// let imported = TILES.import(&mut nodes)?;
/// assert_eq!((imported.to_string(), nodes.inputs), ("((4,8),(?,1)):((8,1),(32,0))".to_string(), 1));
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Pattern {
    /// The layout.
    pub(crate) lay: LayoutValue<MAX_LEAVES>,
    /// The expression graph. Making a value of the type must check its promises.
    pub(crate) scope: ExprGraph<MAX_LEAVES>,
}

impl Pattern {
    /// Makes the pattern of `shape : stride`. It never fails, and neither does [`Pattern::derive`], because every function that a
    /// layout passes through mentions its pattern: [`TypedLayout::VALID`](crate::TypedLayout::VALID) reports the error.
    ///
    /// ```
    /// use layout_core::Int;
    /// use layout_core::layouts::{Pattern, AsOperand};
    /// const P: &Pattern = &Pattern::strided(&<(Int<4>, usize)>::DESCRIPTOR, &<(Int<1>, Int<4>)>::DESCRIPTOR);
    /// assert_eq!(P.layout().len(), 2);
    /// ```
    pub const fn strided(shape: &Descriptor, stride: &Descriptor) -> Pattern {
        match strided(shape, stride) {
            Ok(pattern) => pattern,
            Err(error) => Pattern::refused(error),
        }
    }

    /// Makes the pattern of `op(args...)`. An error of the operation becomes a refused pattern.
    ///
    /// ```
    /// use layout_core::{Int, Strided, error::Op};
    /// use layout_core::layouts::{Pattern, AsOperand};
    /// const P: &Pattern = &Pattern::derive(Op::Flatten, &[<Strided<(Int<4>, (Int<2>,)), (Int<1>, (Int<4>,))>>::DESCRIPTOR]);
    /// assert_eq!(P.layout().to_string(), "(4,2):(1,4)");
    /// ```
    pub const fn derive(op: Op, args: &[Descriptor]) -> Pattern {
        match derive(op, args) {
            Ok(pattern) => pattern,
            Err(error) => Pattern::refused(error),
        }
    }

    /// Makes the pattern of a layout of static leaves from the notation.
    pub(crate) const fn notation(text: &str) -> Pattern {
        let mut scope = ExprGraph::new(Op::Parse);
        match Parser::whole(text, &mut scope) {
            Ok(Operand::Layout(lay)) if scope.inputs == 0 && lay.gives_integers() => Pattern { lay, scope },
            Ok(other) => Pattern::refused(other.instead_of(OperandKind::Layout)),
            Err(error) => Pattern::refused(error),
        }
    }

    /// Makes a pattern from a layout value and its expression graph, for tests of the algebra.
    ///
    /// # Safety
    ///
    /// Every node of the layout is a node of the graph, as the algebra makes them: tensors index memory by patterns.
    #[doc(hidden)]
    pub const unsafe fn from_parts(lay: LayoutValue<MAX_LEAVES>, scope: ExprGraph<MAX_LEAVES>) -> Pattern {
        Pattern { lay, scope }
    }

    /// Returns the layout; its run-time leaves are nodes.
    pub const fn layout(&self) -> &LayoutValue<MAX_LEAVES> {
        &self.lay
    }

    /// Makes the pattern of a refused layout: it has no leaves, and its only promise never holds and carries the error.
    pub(in crate::types) const fn refused(error: LayoutError) -> Pattern {
        let mut scope = ExprGraph::new(error.op);
        let added = scope.promised(Promise { check: Check::Less, a: SymInt(0), b: SymInt(0), error });
        assert!(added.is_ok(), "there is room for one promise");
        Pattern { lay: LayoutValue::empty(), scope }
    }

    /// Returns the layout with its nodes appended to `scope`, after its inputs. Fails if the pattern is refused, or `scope` is full.
    pub const fn import<const E: usize>(&self, scope: &mut ExprGraph<E>) -> Result<LayoutValue<MAX_LEAVES>> {
        if let Some(error) = self.refusal() {
            return Err(error);
        }
        let from = &self.scope;
        let base = scope.inputs;
        scope.inputs += from.inputs;
        if from.len == 0 {
            return Ok(self.lay);
        }
        let mut map = [SymInt(0); MAX_LEAVES];
        each!(k, 0..from.len, {
            let facts = from.facts(SymInt::symbol(k));
            let (a, b) = (SymInt::raw(from.a[k]), SymInt::raw(from.b[k]));
            let made = if from.is_input(k) {
                ok!(scope.input_at(base + from.a[k] as usize, facts))
            } else {
                ok!(scope.replay(from.node(k), through(a, &map), through(b, &map)))
            };
            scope.learn(made, facts);
            map[k] = made;
        });
        let mut lay = self.lay;
        each!(k, 0..lay.len(), {
            lay.shape[k] = through(lay.extent(k), &map).word();
            lay.stride[k] = through(lay.scale(k), &map).word();
        });
        Ok(lay)
    }

    /// Returns true if the nodes are exactly the inputs, in order.
    pub(in crate::types) const fn is_plain(&self) -> bool {
        let scope = &self.scope;
        let mut k = 0;
        while k < scope.len && scope.is_input(k) && scope.a[k] == k as i64 {
            k += 1;
        }
        k == scope.len && k == scope.inputs
    }

    /// Returns the pattern with every node as an input.
    pub(in crate::types) const fn hoisted(&self) -> Pattern {
        let mut pattern = *self;
        pattern.scope = self.scope.hoisted();
        pattern
    }

    /// Returns the error of a refused pattern, or `None` if the layout exists.
    pub(crate) const fn refusal(&self) -> Option<LayoutError> {
        match self.scope.promise(0) {
            // Only a refused pattern has a promise over known numbers: the algebra decides those at once.
            Some(Promise { check: Check::Less, a: SymInt(0), b: SymInt(0), error }) => Some(*error),
            _ => None,
        }
    }

    /// Fails the build at the caller's line if there is no such layout.
    #[track_caller]
    pub const fn require(&self) {
        if let Some(error) = self.refusal() {
            refuse(error)
        }
        // Other patterns, such as those of the notation, are checked only here; `strided` and `derive` have checked theirs.
        if usize::BITS < i64::BITS
            && let Err(error) = addressable(&self.lay, &self.scope)
        {
            refuse(error)
        }
    }
}

const fn strided(shape: &Descriptor, stride: &Descriptor) -> Result<Pattern> {
    let mut scope = ExprGraph::new(Op::MakeLayout);
    let mut extents = TupleValue::empty();
    ok!(push_ints(shape, &mut extents, None, 0, 0, &mut scope));
    let (mut strides, mut bases) = (TupleValue::empty(), [0; MAX_LEAVES]);
    ok!(push_ints(stride, &mut strides, Some(&mut bases), 0, 0, &mut scope));
    let (mut k, mut xor) = (0, 0);
    while k < strides.tree.len {
        let same = k < extents.tree.len && extents.tree.depth[k] == strides.tree.depth[k] && extents.tree.join[k] == strides.tree.join[k];
        if !same || strides.leaf[k] == SymInt::KEEP_WORD || extents.leaf[k] == SymInt::KEEP_WORD {
            return Err(unlike(&extents, &strides, &scope));
        }
        refuse_if!(scope, extents.leaf[k] < 0 && known!(extents.leaf[k]), NegativeExtent, SymInt::raw(extents.leaf[k]));
        xor |= bases[k];
        k += 1;
    }
    if extents.tree.len != k {
        return Err(unlike(&extents, &strides, &scope));
    }
    let mut lay = LayoutValue::empty();
    lay.tree = strides.tree;
    lay.shape = extents.leaf;
    lay.stride = strides.leaf;
    if xor != 0 {
        lay.basis = bases;
        ok!(lay.check(&mut scope));
    }
    ok!(addressable(&lay, &scope));
    Ok(Pattern { lay, scope })
}

/// Returns the error for a shape and a stride that make no layout.
#[cold]
const fn unlike(shape: &TupleValue<MAX_LEAVES>, stride: &TupleValue<MAX_LEAVES>, scope: &ExprGraph<MAX_LEAVES>) -> LayoutError {
    let congruent = shape.tree.congruent(shape.root(), &stride.tree, stride.root());
    scope.fail(if congruent { Cause::UnexpectedKeep } else { Cause::ShapeStrideMismatch }, SymInt(0), SymInt(0))
}

const fn derive(op: Op, args: &[Descriptor]) -> Result<Pattern> {
    let mut scope = ExprGraph::new(op);
    let mut operands = [Operand::Tuple(TupleValue::empty()); 3];
    each!(k, 0..args.len(), {
        operands[k] = ok!(operand(&args[k], &mut scope));
    });
    let (operands, _) = operands.split_at(args.len());
    let result = match ok!(dispatch(op, operands, &mut scope)) {
        // The result is a layout type, so a swizzled layout becomes the same function with XOR strides.
        Operand::Composed(l) => Operand::Layout(ok!(composed::as_layout(&l, 0, &mut scope))),
        result => result,
    };
    match result {
        Operand::Layout(lay) => {
            ok!(addressable(&lay, &scope));
            Ok(compact(lay, scope))
        }
        _ => Err(scope.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
    }
}

/// Fails for a static layout that the target cannot address, and for numbers beyond the integers of the target.
const fn addressable(lay: &LayoutValue<MAX_LEAVES>, scope: &ExprGraph<MAX_LEAVES>) -> Result<()> {
    // Compiled code computes with integers of the target. Most targets have 64 bits, and every number fits there.
    if usize::BITS < i64::BITS {
        each!(k, 0..lay.tree.len, {
            ok!(representable(lay.extent(k), scope));
            ok!(representable(lay.scale(k), scope));
        });
        each!(k, 0..scope.len, {
            if !scope.is_input(k) {
                ok!(representable(SymInt::raw(scope.a[k]), scope));
                ok!(representable(SymInt::raw(scope.b[k]), scope));
            }
        });
    }
    let reach = lay.reach();
    // A pointer offset is at most `isize::MAX` elements.
    if reach > isize::MAX as i128 {
        let shown = if reach > i64::MAX as i128 { i64::MAX } else { reach as i64 };
        return Err(scope.fail(Cause::TooLarge, SymInt(shown), SymInt(0)));
    }
    Ok(())
}

/// Fails for a known number beyond `isize`.
const fn representable(x: SymInt, scope: &ExprGraph<MAX_LEAVES>) -> Result<()> {
    match x.value() {
        Some(value) if value as isize as i64 != value => Err(scope.fail(Cause::TooLarge, x, SymInt(0))),
        _ => Ok(()),
    }
}

const fn through(x: SymInt, map: &[SymInt; MAX_LEAVES]) -> SymInt {
    match x.node() {
        Some(k) => map[k],
        None => x,
    }
}

/// Returns the pattern with only those nodes that its leaves and promises use.
pub(in crate::types) const fn compact(mut lay: LayoutValue<MAX_LEAVES>, scope: ExprGraph<MAX_LEAVES>) -> Pattern {
    if scope.len == 0 {
        return Pattern { lay, scope };
    }
    let mut used = [false; MAX_LEAVES];
    each!(k, 0..lay.len(), {
        mark(lay.extent(k), &mut used);
        mark(lay.scale(k), &mut used);
    });
    each!(k, 0..scope.promises, {
        if let Some(promise) = scope.promise(k) {
            mark(promise.a, &mut used);
            mark(promise.b, &mut used);
            let numbers = promise.error.symbols();
            mark(numbers[0], &mut used);
            mark(numbers[1], &mut used);
            mark(numbers[2], &mut used);
        }
    });
    let mut k = scope.len;
    while k > 0 {
        k -= 1;
        if used[k] && !scope.is_input(k) {
            mark(SymInt::raw(scope.a[k]), &mut used);
            mark(SymInt::raw(scope.b[k]), &mut used);
        }
    }
    let (scope, map) = scope.keep(&used);
    each!(k, 0..lay.len(), {
        lay.shape[k] = through(lay.extent(k), &map).word();
        lay.stride[k] = through(lay.scale(k), &map).word();
    });
    Pattern { lay, scope }
}

const fn mark(x: SymInt, used: &mut [bool; MAX_LEAVES]) {
    if let Some(k) = x.node() {
        used[k] = true;
    }
}

/// Fails the build if making a value of the layout needs a check at run time.
#[track_caller]
pub(crate) const fn require_unconditional(pattern: &Pattern) {
    if let Some(promise) = pattern.scope.promise(0) {
        let mut text = layout_algebra::error::Text::<256>::EMPTY;
        let op = promise.error.op.name();
        text.push_str(op);
        let run_time_tile = matches!(promise.error.cause, Cause::TileDoesNotDivide) && promise.error.numbers()[0].is_none();
        text.push_str(if run_time_tile {
            ": the tile is a run-time number: write a static one, as in `shape!(8, 4)`, or use try_"
        } else {
            ": depends on run-time leaves, use try_"
        });
        text.push_str(op);
        text.push_str(", which fails where ");
        promise.error.push_reason(&mut text);
        panic!("{}", text.as_str())
    }
}

impl Pattern {
    /// Returns the layout for the run-time leaves `inputs`, in the order of the inputs. Fails if they break a promise.
    ///
    /// ```
    /// use layout_core::{Int, Strided, TypedLayout};
    /// use layout_core::ops::LogicalDivide;
    /// type Tiled = LogicalDivide<Strided<(usize, Int<4>), (Int<1>, usize)>, (Int<8>,)>;
    /// assert_eq!(Tiled::PATTERN.instantiate(&[32, 50])?.to_string(), "((8,4),4):((1,8),50)");
    /// let error = Tiled::PATTERN.instantiate(&[30, 50]).unwrap_err();
    /// assert_eq!(error.to_string(), "logical_divide: tile 8 does not divide the extent 30 of mode 0");
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    pub fn instantiate(&self, inputs: &[usize]) -> Result<DynLayout<MAX_LEAVES>> {
        let values = self.values(inputs)?;
        let mut lay = self.lay;
        for k in 0..lay.len() {
            lay.shape[k] = through(lay.extent(k), &values).word();
            lay.stride[k] = through(lay.scale(k), &values).word();
        }
        DynLayout::from_value(lay)
    }

    /// Returns the value of every node for these inputs. Fails if they break a fact of their types or a promise.
    pub(crate) fn values(&self, inputs: &[usize]) -> Result<[SymInt; MAX_LEAVES]> {
        let scope = &self.scope;
        let mut values = [SymInt(0); MAX_LEAVES];
        let mut plain = ExprGraph::<0>::new(scope.op());
        for k in 0..scope.len {
            values[k] = if scope.is_input(k) {
                self.number(k, inputs.get(scope.a[k] as usize).copied())?
            } else {
                self.exact(k, &values, &mut plain)?
            };
        }
        for promise in (0..scope.promises).filter_map(|k| scope.promise(k)) {
            let (a, b) = (through(promise.a, &values), through(promise.b, &values));
            let holds = match promise.check {
                Check::Multiple => plain.divides(b, a),
                Check::Less => plain.less(a, b),
            };
            if !holds.is_yes() {
                let numbers = promise.error.symbols().map(|x| through(x, &values));
                return Err(LayoutError::new(promise.error.op, promise.error.path, promise.error.cause, numbers));
            }
        }
        // Check facts after promises: a promise makes the facts of a leaf stricter, and its own error says more.
        (0..scope.len).filter(|k| scope.is_input(*k)).try_for_each(|k| self.require_facts(k, values[k].word()))?;
        Ok(values)
    }

    fn leaf_error(&self, cause: Cause, numbers: [i64; 3]) -> LayoutError {
        LayoutError::new(self.scope.op(), Path::ROOT, cause, numbers.map(SymInt::raw))
    }

    /// Returns the number of the input node `k`. Fails if the algebra cannot hold it, or its type does not allow its sign.
    fn number(&self, k: usize, input: Option<usize>) -> Result<SymInt> {
        let value = input.map_or(i64::MIN, |input| input as isize as i64);
        match SymInt::known(value) {
            None => Err(self.leaf_error(Cause::Overflow, [value, 0, 0])),
            Some(_) if value < 0 && self.scope.facts(SymInt::symbol(k)).lo >= 0 => Err(self.leaf_error(Cause::NotNatural, [value, 0, 0])),
            Some(value) => Ok(value),
        }
    }

    /// Returns the error of the first leaf whose sign its type does not allow. There must be one.
    #[cold]
    #[inline(never)]
    pub(in crate::types) fn sign_error(&self, slots: &Slots) -> LayoutError {
        let refused = (0..self.scope.inputs).find_map(|k| self.number(k, Some(slots[k])).err());
        refused.unwrap_or(LayoutError::plain(Op::MakeLayout, Cause::NotNatural, 0, 0))
    }

    /// Fails if the value of the input node `k` breaks its facts.
    fn require_facts(&self, k: usize, value: i64) -> Result<()> {
        let facts = self.scope.facts(SymInt::symbol(k));
        let holds = facts.lo <= value && value <= facts.hi && value % facts.div == 0;
        if holds { Ok(()) } else { Err(self.leaf_error(Cause::LeafFacts, [value, facts.div, facts.lo])) }
    }

    /// Returns the number of the node `k`, which is not an input. Fails if the number does not fit.
    fn exact(&self, k: usize, values: &[SymInt; MAX_LEAVES], plain: &mut ExprGraph<0>) -> Result<SymInt> {
        let scope = &self.scope;
        let (a, b) = (through(SymInt(scope.a[k]), values), through(SymInt(scope.b[k]), values));
        // Division by 0 is harmless here: a promise of its own decides whether it may occur.
        match scope.node(k) {
            Node::Div if b.is(0) => Ok(SymInt(0)),
            Node::Rem if b.is(0) => Ok(a),
            node => plain.replay(node, a, b),
        }
    }

    /// Fails if a number in `slots`, which has the value of every node, breaks the facts of its type or does not fit `isize`.
    ///
    /// The decisions of the algebra hold only for numbers that keep these facts.
    #[cold]
    #[inline(never)]
    pub(in crate::types) fn require_exact(&self, slots: &Slots) -> Result<()> {
        let mut values = [SymInt(0); MAX_LEAVES];
        let mut plain = ExprGraph::<0>::new(Op::MakeLayout);
        for k in 0..self.scope.len {
            values[k] = if self.scope.is_input(k) {
                let value = self.number(k, Some(slots[k]))?;
                self.require_facts(k, value.word())?;
                value
            } else {
                self.exact(k, &values, &mut plain)?
            };
            if values[k].word() != slots[k] as isize as i64 {
                return Err(LayoutError::plain(Op::MakeLayout, Cause::TooLong, 0, 0));
            }
        }
        Ok(())
    }
}
