//! The values the algebra computes on: integers known or symbolic, nested tuples of them, layouts.
//!
//! Every value has a fixed capacity of `N` leaves and lives on the stack, in a `const`, or in a register.

mod arithmetic;
mod basis;
mod decide;
mod facts;
mod ints;
mod lay;
mod num;
mod scope;
mod tree;

pub use basis::Basis;
#[cfg(feature = "alloc")]
pub(crate) use facts::lcm;
pub use facts::{Facts, Truth, gcd};
pub use ints::Ints;
pub use lay::Lay;
pub(crate) use lay::Stride;
pub(crate) use lay::push_leaf;
pub use num::Num;
pub(crate) use num::{fits, known, mul, product};
pub use scope::{Check, MAX_OBLIGATIONS, Node, Obligation, Scope};
pub use tree::{Span, Tree};
