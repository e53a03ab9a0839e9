//! The operations, each written once as `const fn` over known and symbolic integers.
//!
//! Every function takes the [`ExprGraph`](crate::value::ExprGraph) it computes in: with known operands the answer is exact
//! arithmetic; with symbols, facts decide the structure and what they leave open becomes an obligation.
//! The header of each file states the law its operations satisfy.

mod by_mode;
pub mod cast;
pub mod coalesce;
pub mod common;
pub mod complement;
pub mod compose;
mod compose_known;
mod compose_symbolic;
pub mod composed;
pub mod coordinate_layouts;
pub mod coords;
pub mod dispatch;
pub mod divide;
pub mod inverse;
pub mod modes;
pub(crate) mod operands;
pub mod order;
pub mod product;
pub mod size;
pub mod slice;
pub mod tiler;
pub mod trace;
pub mod tuples;
