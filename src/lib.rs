//! Layouts: functions from coordinates to memory indices that fold to constants where shapes and strides are known.
//!
//! ```
//! use crd2idx::prelude::*;
//!
//! // A static layout is a value of no size; its index at a known coordinate is a constant.
//! let l = layout!(((2,4),(3,5)) : ((3,6),(1,24)));
//! assert_eq!(l.crd2idx((11, 12)), 129);
//!
//! // What is known only at run time is all that a layout stores.
//! let (m, ld) = (100, 128);
//! let a = layout!((m, 64) : (1, ld));
//! assert_eq!(a.crd2idx((3, 5)), 3 + 5 * 128);
//!
//! // Operations are methods, and names in the notation.
//! let tiles = layout!((32, 16) : (1, 32)).logical_divide(shape!(8, 4));
//! assert_eq!(tiles.to_dyn::<16>()?.to_string(), "((8,4),(4,4)):((1,8),(32,128))");
//! # Ok::<(), LayoutError>(())
//! ```
#![no_std]
#![deny(missing_docs)]

#[cfg(feature = "json")]
extern crate alloc;

pub use layout_core::*;
#[cfg(feature = "sparse")]
pub use sparse_formats as sparse;

#[cfg(feature = "json")]
pub mod json;
pub mod macros;

#[doc(hidden)]
pub mod __macros {
    pub use layout_macros::{coord, graph, int, layout, shape, stride};
}

/// The names that most programs need.
pub mod prelude {
    pub use crate::macros::{coord, graph, int, layout, shape, stride};
    pub use crate::{Dyn, Int, Keep, Neg, Signed, StaticInt};
    pub use crate::{DynCoord, DynLayout, DynTiler, LayoutError};
    pub use crate::{IntTuple, Layout, LayoutAlgebra, Owned, StaticCosize, Stored, Strided, Term};
    pub use crate::{col_major, crd2idx, make_coord, make_layout, make_shape, make_stride, ordered, row_major, try_make_layout};
}

/// The examples of the README and of the book, as tests.
#[cfg(doctest)]
mod book {
    macro_rules! pages {
        ($($name:ident $page:literal)*) => { $(#[doc = include_str!($page)] mod $name {})* };
    }
    pages! { readme "../README.md" layouts "../docs/layouts.md" contract "../docs/contract.md" from_cute "../docs/from-cute.md" graphs "../docs/graphs.md" sparse "../docs/sparse.md" levels "../docs/levels.md" }
}
