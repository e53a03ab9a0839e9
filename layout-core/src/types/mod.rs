//! Layouts as types: what is static costs nothing, what is not is all that a value stores.

mod affine;
mod bit_map;
mod common_factors;
mod composed;
mod descriptor;
mod dynamic;
mod evaluate;
mod hoist;
mod identity;
mod index_table;
mod int;
mod layout;
mod loops;
mod operand;
mod ops;
mod part;
mod pattern;
mod positions;
#[cfg(unoptimized)]
mod products;
mod residual;
mod steps;
mod strided;
mod typed_layout;
mod unrolled;
mod vectored;
mod walk;
mod xor;

pub use affine::Affine;
pub use bit_map::{BitMap, Bits, Xored};
pub use composed::{Composed, IndexMap, StaticSwizzle, Swizzled};
pub(crate) use evaluate::{Fits, Fixed, FixedInside, inside};
pub use hoist::Hoisted;
pub use identity::{Identity, IdentityLayout, Padded, make_identity_layout};
pub use int::{CeilDiv, Dyn, FactError, Int, Keep, Min, Neg, Prod, Quot, Signed, StaticInt, Sum, Xor};
pub use layout::{Layout, Span};
pub use loops::{FEW, Loops};
pub use operand::{AsOperand, Coordinate, Descriptor, IntTuple, MAX_LEAVES, Slots};
pub(crate) use operand::{div_rem, integers};
pub use ops::*;
pub use part::{Boxes, Odometer, Part, Runs};
pub(crate) use pattern::ONES;
pub use pattern::Pattern;
pub(crate) use positions::{digits, position};
pub use steps::{Counted, Steps};
pub use strided::{Const, Strided, const_coordinate, const_index};
pub use typed_layout::{NamedLayout, TypedLayout};
/// The typenum that static integers and [`StaticCosize`](crate::StaticCosize) are made of.
pub use typenum;
pub(crate) use unrolled::unroll;
pub(crate) use vectored::regroups;
pub use vectored::{Vectorable, Vectored, max_common_vector, max_vector};
pub(crate) use walk::{AnyDepth, Depth, InMemory, PerInteger, Rows, is_nested};
pub use walk::{KnownSteps, Walk};
