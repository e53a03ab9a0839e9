//! The operations, each written once as `const fn` over known and symbolic integers.
//!
//! Every function computes in an [`ExprGraph`](crate::value::ExprGraph), exactly if operands are known. With symbols, facts decide the
//! structure of the result, and open relations become promises. Every function fails if a number overflows or leaves are too many;
//! docstrings name other reasons. A new operation is a function in the file whose header has its law, and a row in `operations.rs`.

pub(crate) mod accesses;
mod by_mode;
pub(crate) mod cast;
pub mod coalesce;
pub(crate) mod common;
pub(crate) mod complement;
pub(crate) mod compose;
mod compose_known;
mod compose_symbolic;
pub mod composed;
pub(crate) mod coordinate_layouts;
pub(crate) mod coords;
pub mod dispatch;
pub(crate) mod divide;
pub mod functions;
pub mod injective;
pub(crate) mod inverse;
pub(crate) mod modes;
pub mod operands;
pub(crate) mod order;
pub(crate) mod product;
pub mod relation;
pub(crate) mod size;
pub(crate) mod slice;
pub mod table;
pub mod tiler;
pub mod trace;
pub(crate) mod tuples;
pub(crate) mod windows;
pub mod xor;
