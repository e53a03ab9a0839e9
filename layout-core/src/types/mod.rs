//! Layouts as types: static numbers cost nothing at run time, and a value stores only the run-time numbers.
//!
//! Each module uses only those before it: `number` and `unroll`, `pattern` (types as the algebra reads them), `walk` (loops), `index`
//! (indices from constant tables), and `layout` (the public layouts). Items that users need are re-exported here, and in `layouts`, `ops`
//! and `number`. A new kind of layout is a file in `layout`.

mod index;
mod layout;
mod number;
mod pattern;
mod unroll;
mod walk;

pub use index::constant::{Const, const_coordinate, const_index};
pub(crate) use index::evaluate::inside;
pub use index::hoist::Hoisted;
pub use index::typed_layout::{NamedLayout, TypedLayout};
pub use layout::affine::Affine;
pub use layout::bit_map::{BitMap, Bits, Xored};
pub use layout::composed::{Composed, IndexMap, StaticSwizzle, Swizzled};
pub(crate) use layout::fixed::{Fixed, FixedInside};
pub use layout::identity::{Identity, IdentityLayout, Padded, make_identity_layout};
pub use layout::layout::Layout;
pub(crate) use layout::layout::whole_part;
pub use layout::ops::*;
pub use layout::strided::Strided;
pub(crate) use layout::vectored::regroups;
pub use layout::vectored::{Vectorable, Vectored, max_common_vector, max_vector};
pub use number::{CeilDiv, Dyn, FactError, Int, Keep, Min, Neg, Prod, Quot, Signed, StaticInt, Sum, Xor};
pub use pattern::operand::{AsOperand, Coordinate, Descriptor, IntTuple, MAX_LEAVES, Slots};
pub(crate) use pattern::operand::{Fits, div_rem, integers};
pub(crate) use pattern::pattern::ONES;
pub use pattern::pattern::Pattern;
/// The `typenum` crate. Its types are static integers, and the cosizes of [`StaticCosize`](crate::tensor::StaticCosize).
pub use typenum;
pub(crate) use unroll::unroll;
pub use walk::coordinate_box::{CoordinateBox, Odometer};
pub use walk::known_steps::KnownSteps;
pub use walk::loops::{FEW, Loops};
pub(crate) use walk::positions::{digits, position};
pub(crate) use walk::raw_layout::forward;
pub use walk::raw_layout::{RawLayout, StorageSpan};
pub use walk::steps::{Counted, Steps};
pub(crate) use walk::walk::{AnyDepth, Depth, InMemory, PerInteger, Rows, Walk, is_nested};
