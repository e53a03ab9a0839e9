//! Sparse tensors of any rank as chains of levels, their kernels, and their arrays in other systems.
//!
//! A [`Format`] says how the coordinates of each axis are stored, level by level: `C-S-R` is CSR, `DC-DC-S-R` is CSF of three axes. A [`SparsityPattern`] has
//! the arrays of its levels, a [`SparseTensor`] a pattern and values, a [`Builder`] makes tensors of coordinates.
//!
//! ```
//! use sparse_formats::{Builder, Duplicates, Format, Indices};
//! let columns: [Indices; 3] = [vec![0u32, 1, 1].into(), vec![2u32, 0, 0].into(), vec![1u32, 3, 3].into()];
//! let a = Builder::new(Format::csf(3), 0.0).duplicates(Duplicates::sum()).build(&[2, 3, 4], &columns, vec![1.0, 2.0, 3.0])?;
//! assert_eq!((a.stored(), a.at(&[1, 0, 3])), (2, Some(&5.0)));
//! let other = a.to_format(&"C-S-S-X[2,0,1]".parse()?)?;
//! assert_eq!(other.at(&[1, 0, 3]), Some(&5.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Ragged arrays are in `ragged-arrays`; [`SparseTensor::from_ragged`] and [`SparseTensor::into_ragged`] convert them.
#![no_std]
#![deny(missing_docs, unsafe_code)]

extern crate alloc;
#[cfg(feature = "parallel")]
extern crate std;

mod attributes;
mod axis_map;
mod composite;
mod error;
mod format;
mod gcs;
mod gcxs;
mod interop;
pub mod kernels;
mod named;
mod operations;
mod pattern;
mod products;
mod rejected;
mod shape;
pub mod sort;
mod tensor;

pub use array_kernels::{Indices, Width, with_indices};
pub use attributes::{Attributes, Symmetry, Triangle};
pub use axis_map::{AxisMap, Digit};
pub use composite::{BlockOrder, Chain, Composite, Part, PartElements, Scheme};
pub use error::{ArrayName, FormatError, OperationError, TensorError};
pub use format::{Balance, Format, LevelKind, MAX_RANK};
pub use gcs::Gcs;
pub use gcxs::{Gcxs, GcxsParts};
#[cfg(feature = "sprs")]
pub use interop::SprsIndex;
#[cfg(feature = "json")]
pub use interop::binsparse;
pub use interop::{
    Custom, CustomArrays, CustomLevel, InterchangeError, InteropParts, LevelFormat, LevelType, MlirEncoding, MlirStorage, TacoFormat,
    TacoMode, TacoModeKind,
};
pub use kernels::Duplicates;
pub use layout_core::FixedGcs;
pub use named::{Elements, ValueArrays};
pub use operations::{Merge, Slice};
pub use pattern::{AnyLevel, Arrays, Entry, FromLevel, FromPattern, PatternParts, SparsityPattern, Walk, Widths};
pub use products::{
    Cells, Contracted, Dense, Elementwise, Factor, Major, Operand, Reduction, Scalar, Sddmm, Watched, Watcher, contract, count,
    elementwise, mttkrp, reduce, spgemm, spgemm_unsorted, spgemm_values, spmm, spmv, ttm, ttv,
};
pub use rejected::Rejected;
pub use tensor::{Builder, SparseTensor, TensorParts, Values};
