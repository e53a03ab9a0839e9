//! The notation of layouts as macros: `int!`, `shape!`, `stride!`, `coord!`, `layout!`; and coordinate graphs: `graph!`.
//!
//! Literals, constants, `const` blocks and braces are static leaves; any other expression is a leaf of its own type, `usize` for what is known only
//! at run time. The documentation of `crd2idx::macros` has the rule in full, `parse` is where it is written.
//!
//! The crate `crd2idx` exports them with its own path; used from here they refer to `::layout_core`.
#![deny(missing_docs)]

mod diag;
mod evaluate;
mod expand;
mod graph;
mod parse;

use proc_macro::TokenStream;

/// A static integer.
///
/// ```
/// use layout_core::{Int, Neg};
/// use layout_macros::int;
/// const BLOCK_M: usize = 128;
/// let eight: Int<8> = int!(8);
/// let block: Int<128> = int!(BLOCK_M);
/// let half: Int<64> = int!({ BLOCK_M / 2 });
/// let back: Neg<Int<3>> = int!(-3);
/// # let _ = (eight, block, half, back);
/// ```
#[proc_macro]
pub fn int(input: TokenStream) -> TokenStream {
    expand::or_error(expand::int(input.into())).into()
}

/// A shape: a nested tuple of extents; `_` where it serves as a tiler. `shape!(2, 4)` is `shape!((2, 4))`.
///
/// ```
/// use layout_core::Int;
/// use layout_macros::shape;
/// let rows = 100;
/// let s: ((Int<2>, Int<4>), usize) = shape!((2, 4), rows);
/// # let _ = s;
/// ```
#[proc_macro]
pub fn shape(input: TokenStream) -> TokenStream {
    expand::or_error(expand::shape(input.into())).into()
}

/// Strides: a nested tuple of steps, negative ones included. `stride!(1, -4)` is `stride!((1, -4))`.
///
/// ```
/// use layout_core::{Int, Neg};
/// use layout_macros::stride;
/// let d: (Int<1>, Neg<Int<4>>) = stride!(1, -4);
/// # let _ = d;
/// ```
#[proc_macro]
pub fn stride(input: TokenStream) -> TokenStream {
    expand::or_error(expand::stride(input.into())).into()
}

/// A coordinate: a nested tuple of integers; `_` keeps a mode in a slice. `coord!(2, _)` is `coord!((2, _))`.
///
/// ```
/// use layout_core::{Int, Keep};
/// use layout_macros::coord;
/// let i = 3;
/// let c: (usize, (Int<1>, Keep)) = coord!(i, (1, _));
/// # let _ = c;
/// ```
#[proc_macro]
pub fn coord(input: TokenStream) -> TokenStream {
    expand::or_error(expand::coord(input.into())).into()
}

/// A layout, or types that name layouts.
///
/// `layout!(shape : stride)` is the value; leaves that are static take no room in it. An operation by name is applied to its operands; where
/// all of them are literals the algebra runs at expansion and the result is a plain static layout. Tilers by mode are written `[4:1;_]`,
/// layouts as operands may stand in parentheses, and an operation whose answer depends on run-time leaves has a `try_` form that gives a `Result`.
///
/// ```
/// use layout_core::Layout;
/// use layout_macros::layout;
/// let (m, ld) = (100, 128);
/// let a = layout!((m, 64) : (1, ld));
/// assert_eq!(a.crd2idx((3, 5)), 3 + 5 * 128);
///
/// let tiles = layout!(logical_divide(((4,2,3):(2,1,8)), 4:2));
/// assert_eq!(size_of_val(&tiles), 0);
///
/// let rows = layout!(logical_divide(a, [_;8]));
/// assert_eq!(rows.crd2idx((3, (5, 2))), 3 + 21 * 128);
/// let blocks = layout!(try_zipped_divide(a, (4, 8)))?;
/// assert_eq!(blocks.crd2idx(((1, 2), (3, 4))), 13 + 34 * 128);
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
///
/// `layout! { pub type Tile = layout; }` makes a type of no size that is the layout, under a name that errors show. Its leaves are static; a type
/// that was named before is an operand like any other. What is wrong with it shows on `cargo check` already. If all leaves are literals it also
/// implements [`StaticCosize`](layout_core::StaticCosize), for any size.
///
/// ```
/// use layout_core::{Layout, Stored};
/// use layout_macros::layout;
/// const LD: usize = 33;
/// layout! {
///     /// Padded by one column against bank conflicts.
///     pub type Tile = (32, 32) : (LD, 1);
///     type Warps = zipped_divide(Tile, (8, 4));
///     type Scratch = (40, 50) : (50, 1);
/// }
/// assert_eq!(Tile::NOTATION, "(32,32):(33,1)");
/// assert_eq!(Warps.crd2idx(((1, 2), (3, 4))), Tile.crd2idx((25, 18)));
/// assert_eq!(Stored::filled(Scratch, 0u8).as_slice().len(), 2000);
/// ```
#[proc_macro]
pub fn layout(input: TokenStream) -> TokenStream {
    expand::or_error(expand::layout(input.into())).into()
}

/// Functions of a coordinate graph, as straight-line code.
///
/// The documentation of `crd2idx::graph!` has the statements.
///
/// ```
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
