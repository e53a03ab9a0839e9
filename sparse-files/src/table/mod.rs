//! Tables of coordinates and values: Arrow's files and streams, and Parquet.
//!
//! A row is a stored element: a column for each axis, `indices_0` to `indices_N` from 0 on, and `values`. Complex values are two columns `values.re` and `values.im`. The
//! metadata has a descriptor of Binsparse under `binsparse`, and, as texts, arrays of one value: `fill_value`, and `values` where all are one.
//!
//! Other tables need no metadata. The column `value` or `values`, or else the last one, has the values; the others are the coordinates of the axes in their order. The readers drop
//! labels of rows, which pandas keeps in a column without a name.

mod columns;
#[cfg(feature = "arrow")]
mod dictionary;
#[cfg(feature = "arrow")]
mod ipc;
#[cfg(feature = "arrow")]
mod messages;
mod pandas;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod standard;
#[cfg(feature = "parquet")]
mod thrift;

#[cfg(feature = "arrow")]
pub use ipc::{read as read_arrow, write as write_arrow};
#[cfg(feature = "parquet")]
pub use parquet::{read as read_parquet, write as write_parquet};
