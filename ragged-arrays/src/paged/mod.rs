//! Paged arrays: sequences of tokens that are stored in pages of a pool, named by a block table.
//!
//! Let `B` be the number of slots of a page. Entry `token / B` of a sequence's row names the page of a token, and the
//! token is in slot `token % B` of it. The last page of a sequence may be partly filled. A page may belong to several
//! sequences that begin with the same tokens. A slot may therefore have any number of owners, and a page that is used
//! twice cannot be written.
//!
//! | level | kind |
//! | --- | --- |
//! | sequence | a row of the block table: by offsets, of one size, or anywhere in the table ([`DynLevel`](crate::DynLevel)) |
//! | page | [`Indirect`](layout_levels::Indirect): the page of the pool that an entry names |
//! | slot, and the elements of a token | a [`Block`](layout_levels::Block): a layout of (slot, head, dim), in any order |
//!
//! [`PagedShape`] is the structure, checked when it is made. [`PagedView`] and [`PagedViewMut`] add a pool of
//! elements, and an [`Appender`] adds tokens. The pairs of new tokens and the tokens that each of them sees have two
//! ragged axes and are a [`RaggedShape`](crate::RaggedShape) ([`PagedShape::pairs`]).

mod appender;
mod array;
mod error;
mod shape;
mod slots;

pub use appender::Appender;
pub use array::{Page, PagedView, PagedViewMut};
pub use error::{PagedError, Result};
pub use shape::PagedShape;
pub use slots::SlotRun;
