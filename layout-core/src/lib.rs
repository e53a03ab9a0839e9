#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(doc, allow(rustdoc::redundant_explicit_links))]
#[cfg(feature = "alloc")]
extern crate alloc;
#[macro_use]
extern crate layout_algebra;
pub mod atoms;
mod axis_map;
pub mod layouts;
#[allow(unsafe_code)]
pub mod tensor;
#[allow(unsafe_code)] // for the promises of its `unsafe trait`s alone
mod types;
pub use layout_algebra::{DynLayout, LayoutError, error};
// Rust programs that `coordinate-graph` prints name these types by this path, such as `layout_core::FastDiv`.
#[doc(hidden)]
pub use layout_algebra::{FastDiv, FastDiv32, FastDiv64};
#[doc(hidden)]
pub use layout_algebra::{displayed_error, errors, named_enum};
#[cfg(feature = "alloc")]
pub use tensor::Boxed;
pub use tensor::{Owned, Tensor, TensorError, View, ViewMut};
pub use types::{Dyn, Int, Layout, LayoutAlgebra, Strided, TypedLayout, make_layout};

/// Integers: static ones with their arithmetic, run-time ones with their known facts, and fast division by a fixed number.
pub mod number {
    pub use crate::types::{CeilDiv, Dyn, FactError, Int, Keep, Min, Neg, Prod, Quot, Signed, StaticInt, Sum, Xor, typenum};
    pub use layout_algebra::{FastDiv, FastDiv32, FastDiv64};
}

/// The operations of the algebra: their methods, the types of their results, and the functions that make layouts.
pub mod ops {
    pub use crate::types::{
        Append, BlockedProduct, Coalesce, ColMajor, Complement, Composition, Concat, Derived, Dice, Downcast, Filter, FilterZeros,
        FlatDivide, FlatProduct, Flatten, Get, Group, IntoLayout, LayoutAlgebra, LayoutLike, LeftInverse, LogicalDivide, LogicalProduct,
        MaxCommonLayout, Nullspace, Operation, Ordered, Prepend, RakedProduct, Recast, Replace, RightInverse, RowMajor, Select, Slice,
        Take, TileToShape, TiledDivide, TiledProduct, Unflatten, Upcast, Windows, ZippedDivide, ZippedProduct, col_major, crd2idx,
        make_coord, make_layout, make_shape, make_stride, op, ordered, row_major, try_make_layout,
    };
}

/// The algebra on values: expressions in the notation, bits and swizzles, banks of shared memory, linear layouts, and traces of results.
pub mod algebra {
    pub use layout_algebra::algebra::{functions, relation, table};
    #[cfg(feature = "alloc")]
    pub use layout_algebra::{analysis, linear};
    pub use layout_algebra::{bits, expression, memory, swizzle, trace, value};
}
