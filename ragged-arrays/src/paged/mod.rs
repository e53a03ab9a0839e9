//! Paged arrays: sequences of tokens whose storage is pages of a pool, named by a block table.
//!
//! A token of a sequence is in slot `token % B` of the page that entry `token / B` of the sequence's row names. The last page of a sequence may be partly filled,
//! and a page may be in several sequences, which share what they begin with. So slots have any number of owners, and a page used twice is not written to.
//!
//! | level | is |
//! | --- | --- |
//! | sequence | a row of the block table: of offsets, of one size, or anywhere in it ([`DynLevel`](crate::DynLevel)) |
//! | page | [`Indirect`](layout_levels::Indirect): the page of the pool that an entry names |
//! | slot, and what a token has | a [`Block`](layout_levels::Block): a layout of (slot, head, dim), in any order |
//!
//! [`PagedShape`] is the structure, checked when it is made; [`PagedView`] and [`PagedViewMut`] are a pool of elements with it, [`Appender`] adds tokens. Two ragged axes,
//! new tokens by the tokens that each one sees, are a [`RaggedShape`](crate::RaggedShape) ([`PagedShape::pairs`]).

mod appender;
mod array;
mod error;
mod shape;
mod slots;

pub use appender::Appender;
pub use array::{Page, PagedView, PagedViewMut};
pub use error::{PagedError, Result};
pub use shape::PagedShape;
pub use slots::Run;
