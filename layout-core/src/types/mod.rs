//! Layouts as types: what is static costs nothing, what is not is all that a value stores.

mod composed;
mod dynamic;
mod evaluate;
mod hoist;
mod index_table;
mod int;
mod layout;
mod loops;
mod operand;
mod ops;
mod pattern;
#[cfg(unoptimized)]
mod products;
mod strided;
mod unrolled;
mod vectored;

pub use composed::{Composed, IndexMap, StaticSwizzle, Swizzled};
pub(crate) use evaluate::{Fits, Fixed, FixedInside, inside};
pub use hoist::Hoisted;
pub use int::{CeilDiv, Dyn, FactError, Int, Keep, Min, Neg, Prod, Quot, Signed, StaticInt, Sum};
pub use layout::{Layout, NamedLayout, Span, TypedLayout};
pub use loops::Loops;
pub(crate) use operand::{ONES, div_rem};
pub use operand::{AsOperand, Coordinate, Descriptor, IntTuple, MAX_LEAVES, Slots};
pub use ops::*;
pub use pattern::Pattern;
pub(crate) use unrolled::written_out;
pub use strided::{Const, Strided, const_index};
pub(crate) use vectored::regroups;
pub use vectored::{Vectored, max_common_vector, max_vector};
/// The typenum that static integers and [`StaticCosize`] are made of.
pub use typenum;
