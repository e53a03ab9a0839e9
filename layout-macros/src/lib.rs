#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod diag;
mod evaluate;
mod expand;
#[cfg(feature = "graph")]
mod graph;
mod parse;
#[cfg(feature = "graph")]
mod texts;
#[cfg(feature = "verdicts")]
mod verdicts;
#[cfg(not(feature = "graph"))]
mod without_graph;
#[cfg(not(feature = "verdicts"))]
mod without_verdicts;

use proc_macro::TokenStream;
#[cfg(not(feature = "graph"))]
use without_graph::{graph, texts};
#[cfg(not(feature = "verdicts"))]
use without_verdicts as verdicts;

/// Makes a static integer of type `Int<N>`, or `Neg<Int<N>>` for a negative one.
///
/// ```
/// use layout_core::Int;
/// use layout_macros::int;
/// const LANES: usize = 32;
/// let half: Int<16> = int!({ LANES / 2 });
/// // A known number folds, and takes no memory.
/// assert_eq!(size_of_val(&(half, int!(-3))), 0);
/// assert_eq!(size_of_val(&int!(LANES)), 0);
/// ```
#[proc_macro]
pub fn int(input: TokenStream) -> TokenStream {
    expand::or_error(expand::int(input.into())).into()
}

/// Makes a shape: a nested tuple of extents. In a tiler, `_` keeps a mode. `shape!(2, 4)` equals `shape!((2, 4))`.
///
/// ```
/// use layout_core::{Int, LayoutAlgebra, TypedLayout, make_layout};
/// use layout_macros::{shape, stride};
/// let rows = 100;
/// let s: ((Int<2>, Int<4>), usize) = shape!((2, 4), rows);
/// assert_eq!(size_of_val(&s), size_of::<usize>());
/// // A tile of 4 rows; the columns stay as they are.
/// let tiles = make_layout(shape!(8, 6), stride!(6, 1)).logical_divide(shape!(4, _));
/// assert_eq!(tiles.to_dyn::<16>()?.to_string(), "((4,2),6):((6,24),1)");
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
#[proc_macro]
pub fn shape(input: TokenStream) -> TokenStream {
    expand::or_error(expand::shape(input.into())).into()
}

/// Makes strides: a nested tuple of steps, which may be negative. `stride!(1, -4)` equals `stride!((1, -4))`.
///
/// ```
/// use layout_core::{Layout, make_layout};
/// use layout_macros::{shape, stride};
/// let pitch = 100;
/// let padded = make_layout(shape!(8, 64), stride!(pitch, 1));
/// assert_eq!(padded.crd2idx((3, 5)), 305);
/// // `^` marks a stride that is added without carries.
/// let swizzled = make_layout(shape!(8, 8), stride!(^9, ^1));
/// assert_eq!(swizzled.crd2idx((3, 5)), (3 * 9) ^ 5);
/// ```
#[proc_macro]
pub fn stride(input: TokenStream) -> TokenStream {
    expand::or_error(expand::stride(input.into())).into()
}

/// Makes a coordinate: a nested tuple of integers. In a slice, `_` keeps a mode. `coord!(2, _)` equals `coord!((2, _))`.
///
/// ```
/// use layout_core::{Layout, LayoutAlgebra};
/// use layout_macros::{coord, layout};
/// let a = layout!((4, 8) : (8, 1));
/// assert_eq!(a.crd2idx(coord!(3, 7)), 31);
/// let (column, first) = a.slice(coord!(_, 5));
/// assert_eq!((first, column.crd2idx(2)), (5, 16));
/// ```
#[proc_macro]
pub fn coord(input: TokenStream) -> TokenStream {
    expand::or_error(expand::coord(input.into())).into()
}

/// Makes a layout, or types that name layouts.
///
/// ```
/// use layout_core::{Layout, TypedLayout};
/// use layout_macros::layout;
/// let ld = 100;
/// let a = layout!((96, 64) : (ld, 1));
/// // The algebra by name. A tile that does not divide is an error of the compiler.
/// let tiles = layout!(zipped_divide(a, (8, 4)));
/// assert_eq!(tiles.crd2idx(((1, 2), (3, 4))), a.crd2idx((1 + 8 * 3, 2 + 4 * 4)));
///
/// layout! {
///     type Tile = (8, 8) : (8, 1);
///     type Rows = logical_divide(Tile, [4;_]);
/// }
/// assert_eq!((Tile::NOTATION, Rows.crd2idx(((3, 1), 5))), ("(8,8):(8,1)", 7 * 8 + 5));
/// // A swizzle of the index.
/// let swizzled = layout!(S<3, 0, 3> o 0 o (8, 8) : (8, 1));
/// assert_eq!(swizzled.crd2idx((3, 5)), 24 + (5 ^ 3));
/// ```
#[proc_macro]
pub fn layout(input: TokenStream) -> TokenStream {
    expand::or_error(expand::layout(input.into(), false)).into()
}

/// Makes a layout like `layout!`, and checks everything that depends on run-time numbers. Returns a `Result`.
///
/// ```
/// use layout_core::{Layout, LayoutError};
/// use layout_macros::try_layout;
/// fn tile_at(rows: usize) -> Result<usize, LayoutError> {
///     let tiles = try_layout!(zipped_divide((rows, 64) : (64, 1), (8, 4)))?;
///     Ok(tiles.crd2idx(((0, 0), (1, 2))))
/// }
/// assert_eq!(tile_at(96), Ok(8 * 64 + 2 * 4));
/// assert_eq!(tile_at(100).unwrap_err().to_string(), "zipped_divide: tile 8 does not divide the extent 100 of mode 0");
/// ```
#[proc_macro]
pub fn try_layout(input: TokenStream) -> TokenStream {
    expand::or_error(expand::layout(input.into(), true)).into()
}

/// Makes functions of a coordinate graph, as straight-line code.
///
/// The documentation of `crd2idx::graph!` lists the statements.
///
#[cfg_attr(feature = "graph", doc = "```")]
#[cfg_attr(not(feature = "graph"), doc = "```compile_fail")]
/// layout_macros::graph! {
///     dim k, i = 2, j = 3;
///     Flatten(i, j -> k);
///     fn number = forward(i, j) -> k;
///     fn place = reverse(k) -> (i, j);
/// }
/// const FIVE: usize = number(1, 2);
/// assert_eq!((FIVE, place(4)), (5, (1, 1)));
/// ```
#[proc_macro]
pub fn graph(input: TokenStream) -> TokenStream {
    expand::or_error(graph::graph(input.into())).into()
}

/// Makes constants with the text of index functions of layouts, for devices.
///
#[cfg_attr(feature = "graph", doc = "```")]
#[cfg_attr(not(feature = "graph"), doc = "```compile_fail")]
/// layout_macros::layout_text! {
///     pub swizzled(row, col) = "S<3,3,3> o 0 o (64,64):(64,1)" as cuda, wgsl;
/// }
/// assert!(SWIZZLED_WGSL.contains("fn swizzled(row: u32, col: u32) -> u32 {"));
/// assert!(SWIZZLED_CUDA.contains("return ((row & 7) * 8) ^ (row * 64 + col);"));
/// ```
#[proc_macro]
pub fn layout_text(input: TokenStream) -> TokenStream {
    expand::or_error(texts::layout_text(input.into())).into()
}

/// Proves the claims about a kernel while the compiler runs. Expands to nothing, or to a constant that has the text.
///
/// The documentation of `crd2idx::prove_kernel!` has the forms and the errors.
///
#[cfg_attr(feature = "verdicts", doc = "```")]
#[cfg_attr(not(feature = "verdicts"), doc = "```compile_fail")]
/// layout_macros::prove_kernel! { file "../kernel-verdicts/kernels/transpose.kernel" }
/// layout_macros::prove_kernel! {
///     pub const FILL = "
///         kernel fill
///         param n >= 1
///         grid b < ceil(n / 64)
///         block t < 64
///         global y (n) written
///         if 64 * b + t < n {
///             store y[64 * b + t]
///         }
///     ";
/// }
/// assert!(FILL.contains("store y[64 * b + t]"));
/// ```
#[proc_macro]
pub fn prove_kernel(input: TokenStream) -> TokenStream {
    expand::or_error(verdicts::prove_kernel(input.into())).into()
}
