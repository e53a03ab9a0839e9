//! Tables of coordinates and values: Arrow files and streams, and Parquet.
//!
//! Each row is a stored element. The columns are `indices_0` to `indices_N`, which count from 0, and `values`.
//! Complex values have two columns, `values.re` and `values.im`. The metadata contains a Binsparse descriptor under
//! `binsparse`. It also contains arrays of one value as texts: `fill_value`, and `values` if one value stands for
//! all.
//!
//! Other tables need no metadata. The column `value` or `values`, or else the last one, contains the values. The
//! others are the coordinates of the axes, in their order. The readers drop labels of rows, which pandas keeps in a
//! column without a name.

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
pub(crate) use ipc::read_batches;
#[cfg(feature = "arrow")]
pub use ipc::{read as read_arrow, write as write_arrow};
#[cfg(feature = "parquet")]
pub(crate) use parquet::read_groups;
#[cfg(feature = "parquet")]
pub use parquet::{read as read_parquet, write as write_parquet};
