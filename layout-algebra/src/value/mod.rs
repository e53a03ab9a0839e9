//! The values of the algebra: known or symbolic integers, nested tuples of them, layouts, and the graph of their arithmetic.
//!
//! Every value has a fixed capacity of `N` leaves and lives on the stack, in a `const`, or in a register.

// `tree`, `basis`, `tuple` and `layout` have the values. `expr_graph` has the numbers that are not known, with their `facts`;
// `arithmetic` computes with numbers, and `decide` compares them.
mod arithmetic;
mod basis;
mod decide;
mod expr_graph;
mod facts;
mod layout;
mod tree;
mod tuple;

/// The maximum number of leaves of a layout type, of run-time leaves of all operands, and of nodes of one residual.
///
/// ```
/// use layout_algebra::{DynLayout, value::MAX_LEAVES};
/// // Values have a capacity of their own, which may be larger.
/// let l = DynLayout::<{ 2 * MAX_LEAVES }>::parse("(2,3):(3,1)")?;
/// assert_eq!((l.rank(), MAX_LEAVES), (2, 64));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const MAX_LEAVES: usize = 64;

pub use crate::sym_int::SymInt;
pub(crate) use crate::sym_int::fits;
#[doc(hidden)]
pub use crate::sym_int::known;
pub(crate) use arithmetic::{mul, product};
pub use basis::Basis;
pub use expr_graph::ExprGraph;
pub use expr_graph::{Check, Node, Promise};
pub use facts::{Facts, Truth, gcd, lcm};
pub use layout::LayoutValue;
pub use layout::Stride;
pub(crate) use layout::push_leaf;
pub(crate) use tree::MAX_DEPTH;
pub use tree::{Tree, TreeNode};
pub use tuple::TupleValue;
