//! Layouts as types and as values: their traits, their operands, layouts that contain other layouts, and the loops over them.
//!
//! | for | names |
//! |---|---|
//! | bounds of generic code | [`Layout`], [`TypedLayout`], [`IntTuple`], [`Coordinate`], [`AsOperand`], [`Vectorable`] |
//! | layouts in fields and signatures | [`Strided`], [`DynLayout`], [`Swizzled`], [`Composed`], [`Xored`], [`Identity`], [`Padded`], [`Hoisted`] |
//! | operands of [`DynLayout`] | [`DynCoord`], [`DynTiler`], [`Swizzle`] |
//! | calls of other libraries | [`Affine`]: a first index, extents and strides |
//! | constants and tables | [`Const`], [`const_index`], [`const_coordinate`] |
//! | widths of vectors | [`max_vector`], [`max_common_vector`] |
//! | loops along indices | [`Loops`], [`runs`] |
//!
//! ```
//! use layout_core::{Int, Layout, make_layout};
//! use layout_core::layouts::{IntTuple, StaticSwizzle, Strided, Swizzled};
//! /// A tile in shared memory: rows of 8, swizzled against bank conflicts.
//! type Shared<Rows> = Swizzled<3, 0, 3, Strided<(Rows, Int<8>), (Int<8>, Int<1>)>>;
//! fn tile<Rows: IntTuple>(rows: Rows) -> Shared<Rows> {
//!     StaticSwizzle.composition(make_layout((rows, Int), (Int, Int)))
//! }
//! let static_tile = tile(Int::<8>);
//! assert_eq!((static_tile.crd2idx((3, 5)), size_of_val(&static_tile)), (24 + (5 ^ 3), 0));
//! assert_eq!((tile(16).crd2idx((3, 5)), size_of_val(&tile(16))), (24 + (5 ^ 3), size_of::<usize>()));
//! ```

pub mod runs;

pub use crate::axis_map::FixedAxisMap;
pub use crate::types::{
    Affine, AsOperand, BitMap, Bits, Composed, Const, Coordinate, CoordinateBox, Descriptor, FEW, Hoisted, Identity, IdentityLayout,
    IndexMap, IntTuple, KnownSteps, Layout, Loops, MAX_LEAVES, NamedLayout, Padded, Pattern, RawLayout, Slots, StaticSwizzle, StorageSpan,
    Strided, Swizzled, TypedLayout, Vectorable, Vectored, Xored, const_coordinate, const_index, make_identity_layout, max_common_vector,
    max_vector,
};
pub use layout_algebra::{DynCoord, DynLayout, DynTiler, Swizzle};
