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
#[cfg(not(feature = "graph"))]
mod without_graph;

use proc_macro::TokenStream;
#[cfg(not(feature = "graph"))]
use without_graph::{graph, texts};

/// Makes a static integer of type `Int<N>`, or `Neg<Int<N>>` for a negative one.
#[proc_macro]
pub fn int(input: TokenStream) -> TokenStream {
    expand::or_error(expand::int(input.into())).into()
}

/// Makes a shape: a nested tuple of extents. In a tiler, `_` keeps a mode. `shape!(2, 4)` equals `shape!((2, 4))`.
#[proc_macro]
pub fn shape(input: TokenStream) -> TokenStream {
    expand::or_error(expand::shape(input.into())).into()
}

/// Makes strides: a nested tuple of steps, which may be negative. `stride!(1, -4)` equals `stride!((1, -4))`.
#[proc_macro]
pub fn stride(input: TokenStream) -> TokenStream {
    expand::or_error(expand::stride(input.into())).into()
}

/// Makes a coordinate: a nested tuple of integers. In a slice, `_` keeps a mode. `coord!(2, _)` equals `coord!((2, _))`.
#[proc_macro]
pub fn coord(input: TokenStream) -> TokenStream {
    expand::or_error(expand::coord(input.into())).into()
}

/// Makes a layout, or types that name layouts.
#[proc_macro]
pub fn layout(input: TokenStream) -> TokenStream {
    expand::or_error(expand::layout(input.into(), false)).into()
}

/// Makes a layout like `layout!`, and checks everything that depends on run-time numbers. Returns a `Result`.
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
