//! Layouts: functions from coordinates to memory indices. Known shapes and strides fold to constants.
//!
//! Use this crate to write kernels over tensors whose shapes, strides and tiles are partly known when compiling. A
//! layout stores only its run-time numbers, and its index arithmetic is what you would write by hand. By default, the
//! crate needs neither `std` nor a heap.
//!
//! ```
//! use crd2idx::prelude::*;
//!
//! // A static layout is a value of size 0. Its index at a known coordinate is a constant.
//! let l = layout!(((2,4),(3,5)) : ((3,6),(1,24)));
//! assert_eq!(l.crd2idx((11, 12)), 129);
//!
//! // A layout stores only the numbers that are known at run time.
//! let (m, ld) = (100, 128);
//! let a = layout!((m, 64) : (1, ld));
//! assert_eq!(a.crd2idx((3, 5)), 3 + 5 * 128);
//!
//! // Operations are methods. In the notation, they are called by name.
//! let tiles = layout!((32, 16) : (1, 32)).logical_divide(shape!(8, 4));
//! assert_eq!(tiles.to_dyn::<16>()?.to_string(), "((8,4),(4,4)):((1,8),(32,128))");
//! # Ok::<(), LayoutError>(())
//! ```
//!
//! # Guide
//!
//! | task | begin with | in the book |
//! |---|---|---|
//! | layouts whose numbers are mostly constants | [`layout!`], [`Layout`], [`LayoutAlgebra`] | [start][], [layouts][] |
//! | numbers known at run time | [`try_layout!`], [`Dyn`], [`number::Signed`] | [mixed and run-time layouts][mixed] |
//! | elements with a layout, tiles | [`Tensor`], [`tensor::Tiles`], [`Owned`] | [tensors][] |
//! | layouts known only when the program runs | [`DynLayout`] | [the algebra][] |
//! | layouts in fields, `Vec`, `dyn`, `impl` | [`Strided`], [`DynLayout`], [`TypedLayout::to_dyn`] | [layouts in structs and collections][structs] |
//! | coordinate transforms as functions | [`graph!`], feature `graph` | [coordinate graphs][graphs] |
//! | sparse tensors, ragged arrays | `sparse` and `ragged`, features of these names | [sparse][], [ragged][] |
//! | copies between layouts, ranks, pages | `relayout`, a feature | [relayout][] |
//! | arrays of other crates, threads | `interop` and `parallel`; features `ndarray`, `faer`, `nalgebra`, `dlpack`, `parallel` | [interop][] |
//! | your own kinds of dimensions | [`level`] | [levels][] |
//! | a message of the compiler | | [errors by text][errors] |
//!
//! There are three ways to make a layout. Use [`layout!`] where a person writes the layout, because its notation shows
//! what is static. Use [`make_layout`] in generic code, which receives shapes and strides as types or values. Use
//! [`DynLayout::parse`] for text that the program reads when it runs.
//!
//! # Names
//!
//! The root has the names that nearly every program uses. [`prelude`] adds the operations with their types; everything
//! else is in modules.
//!
//! | group | names in the root | modules |
//! |---|---|---|
//! | layouts | [`Layout`], [`TypedLayout`], [`Strided`], [`make_layout`], [`DynLayout`], [`LayoutError`] | [`layouts`]: operands, swizzled and composed layouts, loops; [`algebra`]: the operations on values; [`atoms`]: instructions; [`error`] |
//! | operations | [`LayoutAlgebra`] | [`ops`] |
//! | numbers | [`Int`], [`Dyn`] | [`number`]: their arithmetic, `Signed`, `Keep`, `FastDiv` |
//! | tensors | [`Tensor`], [`View`], [`ViewMut`], [`Owned`], `Boxed`, [`TensorError`] | [`tensor`]: storage, tiles, windows, convolutions |
//! | macros | [`layout!`], [`try_layout!`], [`shape!`], [`stride!`], [`coord!`], [`int!`], [`table!`], [`graph!`], [`layout_text!`] | [`macros`]: the spelling of leaves |
//! | packages | | [`level`], `graph`, `program`, `json`, `ragged`, `sparse`, `contraction`, `relayout`, `interop`, `parallel` |
//!
//! This crate re-exports the packages below it. If an example imports from `layout_core`, write `crd2idx` instead.
//!
//! [tensors]: https://github.com/crd2idx/crd2idx/blob/main/docs/learn/tensors.md
//! [start]: https://github.com/crd2idx/crd2idx/blob/main/docs/learn/start.md
//! [layouts]: https://github.com/crd2idx/crd2idx/blob/main/docs/learn/in-rust.md
//! [mixed]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/run-time-layouts.md
//! [the algebra]: https://github.com/crd2idx/crd2idx/blob/main/docs/look-up/algebra/overview.md
//! [graphs]: https://github.com/crd2idx/crd2idx/blob/main/docs/look-up/graphs.md
//! [relayout]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/relayout.md
//! [interop]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/other-crates.md
//! [sparse]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/sparse.md
//! [ragged]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/ragged.md
//! [levels]: https://github.com/crd2idx/crd2idx/blob/main/docs/look-up/levels.md
//! [structs]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/structs.md
//! [errors]: https://github.com/crd2idx/crd2idx/blob/main/docs/look-up/errors.md
#![deny(unsafe_code)]
#![no_std]
#![deny(missing_docs)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub use layout_core::{
    Dyn, DynLayout, Int, Layout, LayoutAlgebra, LayoutError, Owned, Strided, Tensor, TensorError, TypedLayout, View, ViewMut, algebra,
    atoms, error, layouts, make_layout, number, ops, tensor,
};
// The Rust texts of programs use these names.
#[doc(hidden)]
pub use layout_core::{FastDiv, FastDiv32, FastDiv64};
#[doc(hidden)]
pub use layout_core::{displayed_error, errors};
pub use layout_levels as level;
// Each module is re-exported by name, so that without its feature the compiler reports the feature that it needs.
#[cfg(feature = "graph")]
pub use coordinate_graph::graph;
#[cfg(all(feature = "json", not(feature = "graph")))]
pub use coordinate_graph::graph;
#[cfg(feature = "alloc")]
pub use layout_core::Boxed;
#[cfg(feature = "ragged")]
pub use ragged_arrays as ragged;
#[cfg(feature = "relayout")]
pub use relayout;
#[cfg(feature = "sparse")]
pub use sparse_contraction as contraction;
#[cfg(feature = "sparse")]
pub use sparse_formats as sparse;

#[cfg(any(feature = "ndarray", feature = "faer", feature = "nalgebra", feature = "dlpack"))]
#[allow(unsafe_code)] // only for pointers of other crates, whose types promise that they are valid
pub mod interop;
#[cfg(feature = "json")]
pub mod json;
pub mod macros;
#[cfg(feature = "parallel")]
pub mod parallel;
#[cfg(feature = "graph")]
pub mod program;
#[cfg(all(feature = "json", not(feature = "graph")))]
pub mod program;

/// Stand-ins for names of the prelude that need the feature `alloc`. Their errors name the feature.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
pub mod without_alloc {
    /// The feature `alloc`, as a trait that nothing implements.
    #[diagnostic::on_unimplemented(
        message = "`Boxed` needs the feature `alloc`: `cargo add crd2idx --features alloc`",
        label = "a tensor that owns its elements without a heap is an `Owned` or a `Stored`"
    )]
    pub trait Alloc {}

    /// A stand-in for the tensor on the heap.
    #[deprecated(note = "`Boxed` needs the feature `alloc`: `cargo add crd2idx --features alloc`")]
    pub struct Boxed<T, L>(core::marker::PhantomData<(T, L)>);

    #[allow(deprecated)]
    impl<T, L> Boxed<T, L> {
        /// Cannot be called: the bound names the missing feature.
        pub fn filled(_: L, _: T) -> Result<Self, crate::TensorError>
        where
            Self: Alloc,
        {
            unreachable!()
        }
    }
}

#[doc(hidden)]
pub mod __macros {
    pub use layout_macros::{coord, graph, int, layout, layout_text, shape, stride, try_layout};

    const fn known(number: Option<usize>) -> usize {
        match number {
            Some(number) => number,
            None => panic!("table: the layout is not static"),
        }
    }

    /// Returns the number of coordinates of a static layout.
    pub const fn size<L: crate::TypedLayout>() -> usize {
        known(L::SIZE)
    }

    /// Returns the number of elements that a static layout spans.
    pub const fn cosize<L: crate::TypedLayout>() -> usize {
        known(L::COSIZE)
    }
}

/// The names that most programs need.
pub mod prelude {
    #[cfg(feature = "alloc")]
    pub use crate::Boxed;
    pub use crate::layouts::{AsOperand, DynCoord, DynTiler, IntTuple, StaticSwizzle, Swizzled, Vectorable};
    pub use crate::macros::{coord, graph, int, layout, shape, stride, table, try_layout};
    pub use crate::number::{Dyn, Int, Keep, Neg, Signed, StaticInt};
    pub use crate::ops::{BlockedProduct, FlatProduct, LogicalProduct, RakedProduct, TiledProduct, ZippedProduct};
    pub use crate::ops::{Coalesce, Complement, Composition, FlatDivide, LogicalDivide, Select, Slice, TiledDivide, ZippedDivide};
    pub use crate::ops::{col_major, crd2idx, make_coord, make_shape, make_stride, ordered, row_major, try_make_layout};
    pub use crate::tensor::{Boundary, Convolution, Injective, Rearrange, StaticCosize, Stored, Tile, Tileable, Window};
    #[doc(hidden)]
    pub use crate::tensor::{RearrangedTensor, WrittenTensor};
    #[cfg(not(feature = "alloc"))]
    #[doc(hidden)]
    #[allow(deprecated)]
    pub use crate::without_alloc::Boxed;
    pub use crate::{DynLayout, Layout, LayoutAlgebra, LayoutError, Strided, TypedLayout, make_layout};
    pub use crate::{Owned, Tensor, TensorError, View, ViewMut};
}

/// The examples of the README and of the book, as tests.
#[cfg(doctest)]
mod book {
    macro_rules! pages {
        ($($name:ident $page:literal)*) => { $(#[doc = include_str!($page)] mod $name {})* };
    }
    pages! {
        readme "../README.md"
        do_bank_conflicts "../docs/do/bank-conflicts.md"
        do_contract "../docs/do/contract.md"
        do_convolution "../docs/do/convolution.md"
        do_embedded "../docs/do/embedded.md"
        do_emit "../docs/do/emit.md"
        do_explain "../docs/do/explain.md"
        do_from_cute "../docs/do/from-cute.md"
        do_from_triton "../docs/do/from-triton.md"
        do_pages "../docs/do/pages.md"
        do_ragged_kernels "../docs/do/ragged-kernels.md"
        do_ragged "../docs/do/ragged.md"
        do_relayout "../docs/do/relayout.md"
        do_run_time_layouts "../docs/do/run-time-layouts.md"
        do_sparse_kernels "../docs/do/sparse-kernels.md"
        do_sparse "../docs/do/sparse.md"
        do_stencils "../docs/do/stencils.md"
        do_structs "../docs/do/structs.md"
        do_tails "../docs/do/tails.md"
        do_tile_a_kernel "../docs/do/tile-a-kernel.md"
        do_walk "../docs/do/walk.md"
        learn_coordinates "../docs/learn/coordinates.md"
        learn_in_rust "../docs/learn/in-rust.md"
        learn_nesting "../docs/learn/nesting.md"
        learn_one_dimension "../docs/learn/one-dimension.md"
        learn_start "../docs/learn/start.md"
        learn_tensors "../docs/learn/tensors.md"
        learn_tiles "../docs/learn/tiles.md"
        learn_two_dimensions "../docs/learn/two-dimensions.md"
        look_up_algebra_blocked_product "../docs/look-up/algebra/blocked-product.md"
        look_up_algebra_coalesce "../docs/look-up/algebra/coalesce.md"
        look_up_algebra_complement "../docs/look-up/algebra/complement.md"
        look_up_algebra_composition "../docs/look-up/algebra/composition.md"
        look_up_algebra_coshape "../docs/look-up/algebra/coshape.md"
        look_up_algebra_crd2idx "../docs/look-up/algebra/crd2idx.md"
        look_up_algebra_downcast "../docs/look-up/algebra/downcast.md"
        look_up_algebra_filter "../docs/look-up/algebra/filter.md"
        look_up_algebra_flat_divide "../docs/look-up/algebra/flat-divide.md"
        look_up_algebra_flat_product "../docs/look-up/algebra/flat-product.md"
        look_up_algebra_idx2crd "../docs/look-up/algebra/idx2crd.md"
        look_up_algebra_left_inverse "../docs/look-up/algebra/left-inverse.md"
        look_up_algebra_logical_divide "../docs/look-up/algebra/logical-divide.md"
        look_up_algebra_logical_product "../docs/look-up/algebra/logical-product.md"
        look_up_algebra_max_common_layout "../docs/look-up/algebra/max-common-layout.md"
        look_up_algebra_modes "../docs/look-up/algebra/modes.md"
        look_up_algebra_nullspace "../docs/look-up/algebra/nullspace.md"
        look_up_algebra_raked_product "../docs/look-up/algebra/raked-product.md"
        look_up_algebra_recast "../docs/look-up/algebra/recast.md"
        look_up_algebra_right_inverse "../docs/look-up/algebra/right-inverse.md"
        look_up_algebra_slice "../docs/look-up/algebra/slice.md"
        look_up_algebra_swizzle "../docs/look-up/algebra/swizzle.md"
        look_up_algebra_tile_to_shape "../docs/look-up/algebra/tile-to-shape.md"
        look_up_algebra_tiled_divide "../docs/look-up/algebra/tiled-divide.md"
        look_up_algebra_tiled_product "../docs/look-up/algebra/tiled-product.md"
        look_up_algebra_unflatten "../docs/look-up/algebra/unflatten.md"
        look_up_algebra_upcast "../docs/look-up/algebra/upcast.md"
        look_up_algebra_windows "../docs/look-up/algebra/windows.md"
        look_up_algebra_xor_strides "../docs/look-up/algebra/xor-strides.md"
        look_up_algebra_zipped_divide "../docs/look-up/algebra/zipped-divide.md"
        look_up_algebra_zipped_product "../docs/look-up/algebra/zipped-product.md"
        look_up_blocked_formats "../docs/look-up/blocked-formats.md"
        look_up_errors "../docs/look-up/errors.md"
        look_up_graphs "../docs/look-up/graphs.md"
        look_up_levels "../docs/look-up/levels.md"
        look_up_sparse_formats "../docs/look-up/sparse-formats.md"
        understand_strides "../docs/understand/strides.md"
    }
    #[cfg(all(feature = "ndarray", feature = "parallel"))]
    pages! {
        do_other_crates "../docs/do/other-crates.md"
        do_threads "../docs/do/threads.md"
    }
}
