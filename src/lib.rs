//! Layouts: functions from coordinates to memory indices. Known shapes and strides fold to constants.
//!
//! A kernel knows coordinates: a row and a column, a lane and a loop counter. Memory knows one number. A **layout** is
//! the function between them: a shape and strides, nested to any depth. This crate makes layouts, divides them into
//! tiles, composes and inverts them. Its index arithmetic is what you would write by hand.
//!
//! ```
//! use crd2idx::prelude::*;
//!
//! let a = layout!((4, 6) : (6, 1));                 // shape : strides
//! assert_eq!(a.crd2idx((3, 2)), 20);                // row 3, column 2: 3 * 6 + 2 * 1
//!
//! let tiles = a.zipped_divide(shape!(2, 3));        // ((2,3),(2,2)): where in a tile, and which tile
//! assert_eq!(tiles.crd2idx(((1, 2), (0, 1))), 11);  // row 1, column 2 of the tile at the top right
//! assert_eq!(size_of_val(&tiles), 0);               // all its numbers are constants
//! ```
//!
//! The indices of `a` in four tiles, with the two of the code in brackets:
//!
//! ```text
//!  0   1   2 |  3   4   5
//!  6   7   8 |  9  10 [11]
//! -----------+------------
//! 12  13  14 | 15  16  17
//! 18  19 [20]| 21  22  23
//! ```
//!
//! A number that only the program knows is written in the same place. A layout stores these numbers and nothing else.
//! Operations check them once, and an error has the numbers:
//!
//! ```
//! use crd2idx::prelude::*;
//!
//! let (m, ld) = (96, 100);
//! let b = layout!((m, 64) : (ld, 1));
//! let tiles = b.try_zipped_divide(shape!(8, 4))?;
//! assert_eq!(tiles.crd2idx(((3, 1), (2, 0))), (8 * 2 + 3) * ld + 1);
//!
//! let error = b.try_zipped_divide(shape!(7, 4)).unwrap_err();
//! assert_eq!(error.to_string(), "zipped_divide: tile 7 does not divide the extent 96 of mode 0");
//! # Ok::<(), LayoutError>(())
//! ```
//!
//! # When to use it
//!
//! * **Use it** for the kernels under a numerical program: static tiles with their tails, swizzled shared memory, nested
//!   modes, ragged batches and sparse formats. It needs neither `std` nor a heap by default.
//! * **Use it** to compute index functions for devices and other languages as text, and copies between layouts or ranks.
//! * **Do not use it** for arithmetic on whole arrays or linear algebra. `ndarray`, `faer` and `nalgebra` have these, and
//!   tensors share their memory ([how][interop]).
//!
//! # Five names to know
//!
//! | name | what it is |
//! |---|---|
//! | [`layout!`] | the notation. Literals and names in capitals are static; anything else is a value of the program |
//! | [`Layout`] | the trait of all layouts: `crd2idx`, `idx2crd`, `shape`, `size`, `contains` |
//! | [`LayoutAlgebra`] | the operations as methods: `zipped_divide`, `composition`, `right_inverse`, `slice` and others, each with a `try_` form |
//! | [`Tensor`] | elements with a layout. It checks once that all indices lie in its storage; then it has tiles, windows and walks |
//! | [`DynLayout`] | a layout as a value, read from text and computed when the program runs |
//!
//! A tensor in tiles. Each tile is full, with constant extents, or partial, at an end:
//!
//! ```
//! use crd2idx::prelude::*;
//!
//! /// A kernel: compiled once for constant extents, and once for the tails.
//! fn add<L: Layout>(mut tile: ViewMut<'_, f32, L>) -> usize {
//!     tile.for_each_mut(|x| *x += 1.0);
//!     tile.size()
//! }
//! let (m, n, mut data) = (10, 6, [0.0; 60]);
//! let mut t = Tensor::new(&mut data, layout!((m, n) : (n, 1)))?.injective()?; // tiles share no element: proven once
//! let sizes = t.tiles_mut(shape!(4, 3)).map(|tile| match tile {
//!     Tile::Full(tile) => add(tile),
//!     Tile::Partial(tile) => add(tile),
//! });
//! assert_eq!(sizes.collect::<Vec<_>>(), [12, 12, 6, 12, 12, 6]);
//! assert_eq!(data, [1.0; 60]);
//! # Ok::<(), TensorError>(())
//! ```
//!
//! There are three ways to make a layout. Use [`layout!`] where a person writes the layout, because its notation shows
//! what is static. Use [`make_layout`] in generic code, which receives shapes and strides as types or values. Use
//! [`DynLayout::parse`] for text that the program reads when it runs.
//!
//! # By task
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
//! | tensors on meshes of devices | `placements`, a feature | [placements][] |
//! | int4, fp4 and other narrow elements | `packed`, a feature | [packed][] |
//! | layouts of tiles, chosen by cost | `choice`, a feature | [choose][] |
//! | verdicts on kernels | [`prove_kernel!`], `verdicts`, a feature | [races][] |
//! | arrays of other crates, threads | `interop` and `parallel`; features `ndarray`, `faer`, `nalgebra`, `dlpack`, `parallel` | [interop][] |
//! | your own kinds of dimensions | [`level`] | [levels][] |
//! | a message of the compiler | | [errors by text][errors] |
//!
//! # Modules
//!
//! The root has the names that nearly every program uses. [`prelude`] adds the operations with their types. The other
//! modules, the most used first:
//!
//! | module | has |
//! |---|---|
//! | [`tensor`] | storages, tiles, windows, stencils, convolutions, proofs |
//! | [`ops`] | the operations as types, for fields and signatures, and functions that make layouts |
//! | [`layouts`] | operands, swizzled and composed layouts, loops, runs |
//! | [`number`] | static and run-time integers: their arithmetic, `Signed`, `Keep`, `FastDiv` |
//! | [`macros`] | the spelling of leaves in all macros |
//! | [`error`] | causes of errors, with classes that do not change |
//! | [`algebra`] | the operations on values: expressions, bit matrices, bank conflicts, traces |
//! | [`atoms`] | thread and value layouts of matrix instructions |
//! | [`level`] | levels: kinds of dimensions, such as compressed and ragged ones, and chains of them |
//! | `ragged`, `sparse`, `relayout`, `placements` | ragged arrays; sparse tensors; plans of copies; tensors on meshes of devices. Features of these names |
//! | `contraction` | contractions of sparse tensors and dense arrays by subscripts. Feature `sparse` |
//! | `graph`, `program`, `json` | coordinate graphs as data, as programs and text, as JSON. Features `graph` and `json` |
//! | `interop`, `parallel` | arrays of other crates; tiles on several threads |
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
//! [choose]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/choose.md
//! [packed]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/packed.md
//! [races]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/races.md
//! [placements]: https://github.com/crd2idx/crd2idx/blob/main/docs/do/placements.md
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
#[cfg(feature = "verdicts")]
pub use kernel_verdicts as verdicts;
#[cfg(feature = "choice")]
pub use layout_choice as choice;
#[cfg(feature = "alloc")]
pub use layout_core::Boxed;
#[cfg(feature = "packed")]
pub use packed_elements as packed;
#[cfg(feature = "placements")]
pub use placements;
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
    pub use layout_macros::{coord, graph, int, layout, layout_text, prove_kernel, shape, stride, try_layout};

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

/// The page "Errors by text" of the book in Markdown: each message of the compiler and each refusal, with what it means and what to do.
/// `crd2idx why` searches it.
///
/// ```
/// assert!(crd2idx::ERRORS_BY_TEXT.contains("zipped_divide: tile 8 does not divide the extent 30 of mode 0"));
/// ```
pub const ERRORS_BY_TEXT: &str = include_str!("../docs/look-up/errors.md");

/// The examples of the README and of the book, as tests.
#[cfg(doctest)]
mod book {
    macro_rules! pages {
        ($($name:ident $page:literal)*) => { $(#[doc = include_str!($page)] mod $name {})* };
    }
    pages! {
        readme "../README.md"
        do_bank_conflicts "../docs/do/bank-conflicts.md"
        do_choose "../docs/do/choose.md"
        do_contract "../docs/do/contract.md"
        do_convolution "../docs/do/convolution.md"
        do_embedded "../docs/do/embedded.md"
        do_emit "../docs/do/emit.md"
        do_explain "../docs/do/explain.md"
        do_from_cute "../docs/do/from-cute.md"
        do_from_triton "../docs/do/from-triton.md"
        do_packed "../docs/do/packed.md"
        do_pages "../docs/do/pages.md"
        do_kv_caches "../docs/do/kv-caches.md"
        do_placements "../docs/do/placements.md"
        do_races "../docs/do/races.md"
        do_ragged_kernels "../docs/do/ragged-kernels.md"
        do_ragged "../docs/do/ragged.md"
        do_kernels_in_rust "../docs/do/kernels-in-rust.md"
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
