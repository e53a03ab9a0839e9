//! Layouts as types and as values: their traits, their operands, layouts that contain other layouts, and the loops over them.

pub mod runs;

pub use crate::axis_map::FixedAxisMap;
pub use crate::types::{
    Affine, AsOperand, BitMap, Bits, Composed, Const, Coordinate, CoordinateBox, Descriptor, FEW, Hoisted, Identity, IdentityLayout,
    IndexMap, IntTuple, KnownSteps, Layout, Loops, MAX_LEAVES, NamedLayout, Padded, Pattern, RawLayout, Slots, StaticSwizzle, StorageSpan,
    Strided, Swizzled, TypedLayout, Vectorable, Vectored, Xored, const_coordinate, const_index, make_identity_layout, max_common_vector,
    max_vector,
};
pub use layout_algebra::{DynCoord, DynLayout, DynTiler, Swizzle};
