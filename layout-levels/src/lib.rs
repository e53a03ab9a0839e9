//! Levels: how the coordinates of one dimension are stored below the positions of the dimension above it.
//!
//! A dense, sparse or ragged array is a [`Chain`] of levels around its values. Each level maps a *parent*, which is a
//! position of the level above, to a range of its own positions, and each of these to a coordinate. Uniform levels are
//! modes of a layout and fold to constants. The other levels read their arrays, which may be borrowed from anywhere: a
//! file in memory, or a table in flash. Only `LevelBuilder`, which builds levels, needs a heap.
//!
//! Take this crate for kernels over arrays whose format the compiler knows. Formats that are known only when the program
//! runs are in `sparse-formats` and `ragged-arrays`, which are made of these levels.
//!
//! ```
//! use layout_levels::{Compressed, End, Fixed, Root, Then};
//! // A CSR matrix of 3 x 4 times a vector, from tables in flash.
//! static POSITIONS: [u16; 4] = [0, 2, 2, 3];
//! static COLUMNS: [u8; 3] = [1, 3, 2];
//! static VALUES: [f32; 3] = [0.5, 1.5, 2.5];
//! let matrix = Root::new(Then(Fixed::new(3), Then(Compressed::new(&POSITIONS, &COLUMNS, 4)?, End)))?;
//! let (x, mut y) = ([1.0, 2.0, 3.0, 4.0], [0.0; 3]);
//! matrix.for_each(|(i, (j, ())), leaf| y[i] += VALUES[leaf] * x[j]);
//! assert_eq!(y, [7.0, 0.0, 7.5]);
//! assert_eq!(matrix.locate((0, (3, ()))), Some(1)); // element (0, 3) is value 1
//! # Ok::<(), layout_levels::LevelError>(())
//! ```
//!
//! The main items are [`Root`], the index structure of an array; [`Then`], which puts a level above others; [`Level`], the
//! trait of levels; [`Fixed`], [`Compressed`] and [`Ragged`], the dense level, the sparse one and rows of any length; and
//! [`LevelError`]. A constructor checks its arrays once. After that no call panics.
//!
//! | level | positions of parent `p` | S, C, DC | TACO | MLIR | binsparse |
//! | --- | --- | --- | --- | --- | --- |
//! | [`Fixed`] | `p * N .. (p + 1) * N` | C | dense | `dense` | `dense(1)` |
//! | [`Block`] | `p * N .. (p + 1) * N`, in the order of a layout | C C ... | dense, dense, ... | `dense`, ... | `dense(r)` |
//! | [`Compressed`] | `pos[p] .. pos[p + 1]` | DC, or S without S before or after | compressed | `compressed` | `sparse(1)` |
//! | [`Compressed`] of [`Sorted`] | `pos[p] .. pos[p + 1]` | first S of several, also if the last is DC | compressed, not unique | `compressed(nonunique)` | first of `sparse(r)` |
//! | [`Singleton`] | `p` | further S, or the DC after an S | singleton | `singleton` | rest of `sparse(r)` |
//! | [`Singleton`] of [`Sorted`] | `p` | further S or DC before the last of them | singleton, not unique | `singleton(nonunique)` | rest of `sparse(r)` |
//! | [`Cyclic`] | `p` | C after an S, each of whose entries stands once for every coordinate | | | |
//! | [`Loose`] | `pos[2p] .. pos[2p + 1]` | | | `loose_compressed` | |
//! | [`Ragged`] | `offsets[p] .. offsets[p + 1]` | | compressed without `crd` | | |
//! | [`Views`] | `starts[p] .. starts[p] + sizes[p]` | | | | |
//! | [`Range`] | `p * columns + c` of the columns `c` of diagonal `p` | | range, then offset | `dense` over `(j - i, j)` | |
//! | [`Indirect`] | the positions of parent `table[p]` of another level | | | | |
//!
//! The column "S, C, DC" has the levels of formats such as `DC-S-R`. In that scheme the array `pointers_i` is the
//! array of positions of level `i + 1` here. [`Unordered`] is the absence of TACO's property *ordered*, and
//! MLIR's `nonordered`. Arrow's `List` is [`Ragged`], and its `ListView` is [`Views`].
//!
//! A level does not say what an element that is not stored means. The array around the chain does: in a
//! ragged array the element does not exist, in a sparse array it has the fill value.
#![no_std]
#![deny(unsafe_code)]
#[cfg(feature = "alloc")]
extern crate alloc;
#[macro_use]
extern crate layout_algebra;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod aligned;
mod block;
#[cfg(feature = "alloc")]
mod builder;
mod chain;
mod compressed;
mod cyclic;
mod error;
mod fixed;
mod index;
mod indirect;
mod inverse;
mod loose;
mod order;
mod ragged;
mod range;
mod ranges;
mod root;
mod singleton;
mod stored;
mod traits;
mod uniform;
mod views;

pub use aligned::Aligned;
pub use block::Block;
#[cfg(feature = "alloc")]
pub use builder::{CompressedBuilder, LevelBuilder, RaggedBuilder, SingletonBuilder};
pub use chain::{Ascend, Chain, Decompose, End, Leaves, Lookup, Then};
pub use compressed::Compressed;
pub use cyclic::Cyclic;
pub use error::{Flaw, LevelArray, LevelError};
pub use fixed::Fixed;
pub use index::{Index, IndexArray, IndexSlice};
pub use indirect::Indirect;
pub use inverse::{Cursor, Inverse, Search, Table, Tiled};
pub use loose::Loose;
pub use order::{Ascending, Order, Sorted, Unordered};
pub use ragged::Ragged;
pub use range::Range;
pub use root::Root;
pub use singleton::Singleton;
pub use traits::{Consecutive, Level, Locate};
pub use views::Views;
