//! Edges of a coordinate graph: transforms of coordinates, and relations of storage.

use super::{DimId, Expr};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A transform between an ordered list of inputs and one of outputs.
///
/// *Forward* computes outputs from inputs, *reverse* inputs from outputs. `n` are sizes, `d` strides of the dimensions named; `/` rounds down.
/// A direction that has no formula is undefined: an error, never an identity.
#[derive(Clone, PartialEq, Debug)]
pub enum Transform {
    /// Many to one. Forward, by sizes: `(x0 n1 + x1) n2 + ...`; by strides: `x0 d0 + x1 d1 + ...` (see [`FlattenMode`](super::FlattenMode)).
    /// Reverse: the digits; the slowest takes the whole quotient.
    Flatten,
    /// One to many. Forward: the digits of `x` in the sizes of the outputs; the first takes the whole quotient, its size is not needed.
    /// Reverse: `(x0 n1 + x1) n2 + ...`.
    Tile,
    /// Many to one. Forward: `x0 d0 + x1 d1 + ...`. Reverse: the digits, where the strides are provably those of a packed order.
    Join,
    /// One to many. Reverse: `x0 d0 + x1 d1 + ...`. Forward: the digits, where the strides are provably those of a packed order.
    Split,
    /// One side has one dimension, the other branches `b0, b1, ...` and, last, a switch `s`. From the many to the one: `b_s + n_0 + ... + n_(s-1)`,
    /// of which only branch `s` is evaluated. Undefined from the one to the many.
    Sunder,
    /// Identity both ways, pairwise.
    PassThrough,
    /// Identity both ways, pairwise: the outputs are the inputs seen from another tensor.
    Inherit,
    /// Identity both ways, pairwise: the outputs are results.
    MakeOutput,
    /// The coordinate is given up: undefined both ways.
    Forget,
    /// Many on one side, one on the other. From the many to the one: `sum x strides[0] + initial[0]` where `condition` is not 0, else with index 1.
    /// Only dimensions that the condition or the chosen sum mentions are evaluated. Undefined from the one to the many.
    PiecewiseAffineJoin {
        /// Over [`Expr::Arg`], the coordinates of the many.
        condition: Expr,
        /// One stride for each of the many, for each case.
        strides: [Vec<Expr>; 2],
        /// The constant of each case.
        initial: [Expr; 2],
    },
    /// A tile is made of its dimensions: storage, no index math.
    ConstructMacroTile,
    /// A tile is taken apart into its dimensions: storage, no index math.
    DestructMacroTile,
    /// `p <- (col, row)`. Reverse: `p = col xor ((g xor 1) and 1)` with `g = row / rows_per_group`. Undefined forward.
    PairSwap {
        /// Rows that are exchanged alike.
        rows_per_group: Expr,
    },
    /// `p <- (col, row)`. Reverse: `p = (col - h) mod positions`, or `(col + h) mod positions` if `inverse`, with
    /// `h = 2 (row / rows_per_group / 2)`. Undefined forward.
    Rotate {
        /// Rows that are rotated alike.
        rows_per_group: Expr,
        /// Columns.
        positions: Expr,
        /// Which way.
        inverse: bool,
    },
    /// `u = x + left`, and back, where `u` ranges over `left + n + right`: valid only where `x` lies in its size.
    Pad {
        /// Elements before the first.
        left: Expr,
        /// Elements after the last.
        right: Expr,
    },
    /// `u = x - begin`, and back: `u` numbers the elements `begin..end` of `x`.
    Slice {
        /// The first element.
        begin: Expr,
        /// The one after the last.
        end: Expr,
    },
    /// One to many. Reverse: `sum u c`. As [`Split`](Transform::Split) with the strides in the edge.
    Embed {
        /// One for each output.
        coefficients: Vec<Expr>,
    },
    /// Reverse: `x = u mod modulus`. Undefined forward.
    Modulo {
        /// Above 0.
        modulus: Expr,
    },
    /// Two to two: `(a, b) -> (a, b xor (a mod n))` with `n` the size of the second output; its own inverse where `n` is a power of two.
    Xor,
    /// One to none. Reverse: `x = at`. Undefined forward.
    Freeze {
        /// The coordinate.
        at: Expr,
    },
    /// None to one: a dimension that nothing depends on. Undefined both ways.
    Insert,
    /// None to many: dimensions that nothing depends on. Undefined both ways.
    Replicate,
    /// Reverse: `x = table[u]`. Forward: the `u` with `table[u] = x`, where the entries differ.
    Gather {
        /// The entries.
        table: Box<[i64]>,
    },
}

impl Transform {
    /// The name in JSON and in drawings.
    pub const fn name(&self) -> &'static str {
        match self {
            Transform::Flatten => "Flatten",
            Transform::Tile => "Tile",
            Transform::Join => "Join",
            Transform::Split => "Split",
            Transform::Sunder => "Sunder",
            Transform::PassThrough => "PassThrough",
            Transform::Inherit => "Inherit",
            Transform::MakeOutput => "MakeOutput",
            Transform::Forget => "Forget",
            Transform::PiecewiseAffineJoin { .. } => "PiecewiseAffineJoin",
            Transform::ConstructMacroTile => "ConstructMacroTile",
            Transform::DestructMacroTile => "DestructMacroTile",
            Transform::PairSwap { .. } => "PairSwap",
            Transform::Rotate { .. } => "Rotate",
            Transform::Pad { .. } => "Pad",
            Transform::Slice { .. } => "Slice",
            Transform::Embed { .. } => "Embed",
            Transform::Modulo { .. } => "Modulo",
            Transform::Xor => "Xor",
            Transform::Freeze { .. } => "Freeze",
            Transform::Insert => "Insert",
            Transform::Replicate => "Replicate",
            Transform::Gather { .. } => "Gather",
        }
    }

    /// The quantities it carries.
    pub(crate) fn quantities(&self) -> Vec<&Expr> {
        match self {
            Transform::PiecewiseAffineJoin { condition, strides, initial } => {
                let sums = strides.iter().flatten();
                sums.chain(initial).chain([condition]).collect()
            }
            Transform::PairSwap { rows_per_group } => [rows_per_group].into(),
            Transform::Rotate { rows_per_group, positions, .. } => [rows_per_group, positions].into(),
            Transform::Pad { left, right } => [left, right].into(),
            Transform::Slice { begin, end } => [begin, end].into(),
            Transform::Embed { coefficients } => coefficients.iter().collect(),
            Transform::Modulo { modulus } => [modulus].into(),
            Transform::Freeze { at } => [at].into(),
            _ => Vec::new(),
        }
    }

    /// How many inputs and outputs it takes, as least and most numbers of both; the first form is how it is usually drawn.
    pub(crate) const fn arities(&self) -> &'static [(Arity, Arity)] {
        const ONE: Arity = (1, 1);
        const MANY: Arity = (1, usize::MAX);
        const NONE: Arity = (0, 0);
        match self {
            Transform::Flatten | Transform::Join | Transform::ConstructMacroTile => &[(MANY, ONE)],
            Transform::Tile | Transform::Split | Transform::Embed { .. } | Transform::DestructMacroTile => &[(ONE, MANY)],
            Transform::Sunder => &[(ONE, (2, usize::MAX)), ((2, usize::MAX), ONE)],
            Transform::PiecewiseAffineJoin { .. } => &[(ONE, MANY), (MANY, ONE)],
            Transform::PassThrough | Transform::Inherit | Transform::MakeOutput => &[(MANY, MANY)],
            Transform::Forget => &[(MANY, (0, usize::MAX))],
            Transform::PairSwap { .. } | Transform::Rotate { .. } => &[(ONE, (2, 2))],
            Transform::Pad { .. } | Transform::Slice { .. } | Transform::Modulo { .. } | Transform::Gather { .. } => &[(ONE, ONE)],
            Transform::Xor => &[((2, 2), (2, 2))],
            Transform::Freeze { .. } => &[(ONE, NONE)],
            Transform::Insert => &[(NONE, ONE)],
            Transform::Replicate => &[(NONE, MANY)],
        }
    }

    /// Whether inputs and outputs belong together one by one.
    pub(crate) const fn is_pairwise(&self) -> bool {
        matches!(self, Transform::PassThrough | Transform::Inherit | Transform::MakeOutput)
    }
}

/// A least and a most number.
pub(crate) type Arity = (usize, usize);

/// A relation of storage between dimensions: validated, queried and drawn, but no index math.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Dataflow {
    /// The outputs are computed from the inputs.
    DataFlow,
    /// The output is stored where the input is.
    Alias,
    /// The output is the buffer descriptor of the input.
    Buffer,
    /// The output is a copy that holds the same values.
    Duplicate,
    /// The output shows elements of the input's storage.
    View,
    /// The output is part number `k` of the input's storage.
    Segment(usize),
    /// The output is entry number `k` of the input's storage.
    Index(usize),
    /// The output holds the offset of the input.
    Offset,
    /// The output holds the stride of the input.
    Stride,
    /// The output holds the base address of the input.
    BaseAddress,
}

impl Dataflow {
    /// Every relation; those with a number have 0.
    pub const ALL: &'static [Dataflow] = &[
        Dataflow::DataFlow,
        Dataflow::Alias,
        Dataflow::Buffer,
        Dataflow::Duplicate,
        Dataflow::View,
        Dataflow::Segment(0),
        Dataflow::Index(0),
        Dataflow::Offset,
        Dataflow::Stride,
        Dataflow::BaseAddress,
    ];

    /// The name in JSON and in drawings.
    pub const fn name(self) -> &'static str {
        match self {
            Dataflow::DataFlow => "DataFlow",
            Dataflow::Alias => "Alias",
            Dataflow::Buffer => "Buffer",
            Dataflow::Duplicate => "Duplicate",
            Dataflow::View => "View",
            Dataflow::Segment(_) => "Segment",
            Dataflow::Index(_) => "Index",
            Dataflow::Offset => "Offset",
            Dataflow::Stride => "Stride",
            Dataflow::BaseAddress => "BaseAddress",
        }
    }

    /// The relation with that name, with number 0.
    pub fn from_name(name: &str) -> Option<Dataflow> {
        Dataflow::ALL.iter().copied().find(|relation| relation.name() == name)
    }

    /// The number of a segment or of an entry.
    pub const fn number(self) -> Option<usize> {
        match self {
            Dataflow::Segment(number) | Dataflow::Index(number) => Some(number),
            _ => None,
        }
    }

    /// Whether the output lies in the storage of the input.
    pub const fn shares_storage(self) -> bool {
        matches!(self, Dataflow::Alias | Dataflow::View | Dataflow::Segment(_) | Dataflow::Index(_))
    }

    /// Whether the values of the output come from the input.
    pub const fn carries_values(self) -> bool {
        matches!(self, Dataflow::DataFlow | Dataflow::Duplicate)
    }
}

/// What an edge is.
#[derive(Clone, PartialEq, Debug)]
pub enum EdgeKind {
    /// Coordinates.
    Transform(Transform),
    /// Storage.
    Dataflow(Dataflow),
}

impl EdgeKind {
    /// The name in JSON and in drawings.
    pub const fn name(&self) -> &'static str {
        match self {
            EdgeKind::Transform(transform) => transform.name(),
            EdgeKind::Dataflow(relation) => relation.name(),
        }
    }
}

impl From<Transform> for EdgeKind {
    fn from(transform: Transform) -> Self {
        EdgeKind::Transform(transform)
    }
}

impl From<Dataflow> for EdgeKind {
    fn from(relation: Dataflow) -> Self {
        EdgeKind::Dataflow(relation)
    }
}

/// An edge: ordered inputs and outputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// What it is.
    pub kind: EdgeKind,
    /// In order.
    pub inputs: Vec<DimId>,
    /// In order.
    pub outputs: Vec<DimId>,
}
