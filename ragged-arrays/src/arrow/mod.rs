//! Conversions of ragged arrays from and to the lists of Apache Arrow, without copies if the layouts agree.
//!
//! | Arrow | level | from Arrow | to Arrow, of owned parts |
//! | --- | --- | --- | --- |
//! | `List` | offsets of `i32` | borrowed | the same array; offsets of `u32` too, where the last one fits |
//! | `LargeList` | offsets of `i64` | borrowed | the same array; offsets of `u64` too; wide offsets of `u32` are copied |
//! | `FixedSizeList` | one size | nothing to copy | nothing to copy |
//! | `ListView` | starts and sizes of `i32` | borrowed | as offsets |
//! | `LargeListView` | starts and sizes of `i64` | borrowed | as offsets |
//! | primitive values | leaves | borrowed | the same array |
//!
//! [`RaggedArray`](crate::RaggedArray) has no nulls: they are errors, or replaced. [`OptionArray`](crate::OptionArray) keeps null lists and
//! leaves as missing ones.
//!
//! Slices need no special care: offsets that do not start at 0 stay as they are. Borrowed parts are copied on the way
//! to Arrow, whose buffers own their memory.
//!
//! ```
//! use arrow_array::types::Int32Type;
//! use arrow_array::{Array, ListArray, cast::AsArray};
//! use ragged_arrays::RaggedArray;
//!
//! let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(6), Some(5)]), Some(vec![]), Some(vec![Some(2)])]);
//! let tail = list.slice(1, 2);
//! let a = RaggedArray::from_arrow::<Int32Type>(&tail)?;
//! assert_eq!((a.len(), a.sum(1)?.leaves()), (2, &[0, 2][..]));
//!
//! let squares = a.map(|x| x * x)?.into_arrow::<Int32Type>()?;
//! assert_eq!(squares.as_list::<i32>().value(1).as_primitive::<Int32Type>().values(), &[4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod from;
mod into;
mod nulls;

pub use error::ListError;
pub use nulls::Nulls;
/// The Arrow crates, in the version that these conversions use.
pub use {arrow_array, arrow_buffer, arrow_schema};
