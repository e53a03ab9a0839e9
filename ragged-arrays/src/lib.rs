//! Ragged arrays of any depth: lists of lists whose lengths differ.
//!
//! Take them for batches of sequences, words of sentences of documents, or neighbours of nodes. They need no padding. Rows of
//! one length are tensors of [`layout_core`]. Rows whose elements have column numbers are sparse tensors of `sparse-formats`.
//!
//! ```
//! use ragged_arrays::RaggedArray;
//! // A packed batch of three sequences, of 3, 0 and 2 tokens.
//! let batch = RaggedArray::from_cu_seqlens(vec![0_i32, 3, 3, 5], &[], vec![6, 5, 5, 2, 9])?;
//! assert_eq!((batch.row(0), batch.get(&[2, 1])?), (&[6, 5, 5][..], &9));
//! assert_eq!(batch.shape().parents(0), [0, 0, 0, 2, 2]); // the sequence of each token
//! assert_eq!(batch.sum(1)?.leaves(), [16, 0, 11]);
//! let long = batch.filter(&batch.map(|token| *token > 4)?)?;
//! assert_eq!(long.shape().offsets(), [[0, 3, 3, 4]]);
//! # Ok::<(), ragged_arrays::RaggedError>(())
//! ```
//!
//! | item | what it is |
//! | --- | --- |
//! | [`RaggedArray`] | leaves and, for every axis but the first, a level. Constructors check everything |
//! | [`OptionArray`] | a ragged array in which lists may be missing, too |
//! | [`RaggedShape`] | the structure without the leaves |
//! | [`DynLevel`] | a level: offsets, one size for all lists, or views. It is a level of [`layout_levels`] of a kind known at run time |
//! | [`RaggedError`] | the error, with the position and the numbers |
//! | [`paged`] | sequences of tokens in the pages of a pool |
//! | `emit`, `arrow` | text of kernels over ragged and paged arrays; lists of Arrow. Each is a feature and a module |
//!
//! | question | answer |
//! | --- | --- |
//! | in which row is leaf `k` (I), where does that row start (S), which local index has the leaf (J)? | [`RaggedShape::parents`], [`RaggedShape::starts`], [`RaggedShape::local_indices`], at every level |
//! | the same, across all levels below an axis | [`RaggedShape::leaf_rows`], [`RaggedShape::leaf_starts`], [`RaggedShape::leaf_offsets`] |
//! | the coordinates of one leaf, and back | [`RaggedShape::decompose`], [`RaggedShape::locate`] |
//! | elements of every list of an axis: one, some, by indices or a mask, some of them missing | [`RaggedArray::index`], [`RaggedArray::slice`], [`RaggedArray::gather`], [`RaggedArray::filter`], [`RaggedArray::gather_some`] |
//! | lists in order, without repeats, padded, joined, in pairs | [`RaggedArray::sort_along`], [`RaggedArray::unique`], [`RaggedArray::pad_to`], [`RaggedArray::concatenate`], [`RaggedArray::combinations`] |
//! | every leaf with its coordinates | [`RaggedArray::visit`], [`RaggedArray::visit_mut`], and both with the prefix `par_` under the feature `parallel` |
//!
//! | from elsewhere | and back |
//! | --- | --- |
//! | [`RaggedArray::from_offsets`], [`RaggedArray::from_jagged`], [`RaggedArray::from_cu_seqlens`] | [`RaggedShape::packed_offsets`] |
//! | [`RaggedArray::from_nested_lengths`], [`RaggedArray::from_nested_row_ids`], [`RaggedArray::from_views`] | [`RaggedArray::num`], [`RaggedShape::parents`] |
//! | [`RaggedArray::from_nested`], [`RaggedArray::from_regular`], [`RaggedArray::from_padded`], [`RaggedArray::from_padded_rows`] | [`RaggedArray::to_nested`], [`RaggedArray::to_regular`], [`RaggedArray::to_padded`] |
//! | [`RaggedArray::blocks`], arrays as elements | [`RaggedArray::unblock`] |
//! | | [`RaggedShape::chain`], levels whose kinds the compiler knows |
//! | `SparseTensor::into_ragged` and `into_lists`, of `sparse-formats` | `SparseTensor::from_ragged` |
//! | `RaggedArray::from_arrow`, with the feature `arrow` | `RaggedArray::into_arrow` |
//!
//! Axes are numbered from 0, the outermost. An operation on an axis acts in each of its lists. Empty lists count
//! wherever they are: first, last, in a row, on every level. There is no element beyond the end of a list; it is an
//! error to read one, and never 0.
#![no_std]
#![deny(unsafe_code)]
extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod array;
#[cfg(feature = "arrow")]
pub mod arrow;
mod build;
#[cfg(feature = "emit")]
pub mod emit;
mod error;
mod option;
mod packed;
pub mod paged;
mod rearrange;
mod reduce;
pub(crate) mod structure;
mod visit;

pub use array::RaggedArray;
pub use array_kernels::{
    ChainError, DynLevel, FromLevel, FromLevels, Indices, LevelView, OffsetIndex, Ranges, RowLengths, StoredCoordinates, with_ranges,
};
pub use build::Nest;
pub(crate) use build::whole_arrays;
pub use error::{RaggedError, Result};
pub(crate) use error::{add_up, product, sum};
pub use option::{OptionArray, OptionNest};
pub use reduce::Number;
pub use structure::{RaggedShape, Split};
