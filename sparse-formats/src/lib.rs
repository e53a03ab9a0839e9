#![doc = include_str!("../README.md")]
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
mod gcxs;
mod interop;
pub mod kernels;
mod operations;
mod pattern;
mod products;
mod rejected;
mod shape;
pub mod sort;
mod tensor;
mod value_arrays;

pub use array_kernels::{
    ChainError, DynLevel, FromLevel, FromLevels, Indices, LevelView, Ranges, StoredCoordinates, Width, with_indices, with_ranges,
};
pub use attributes::{Attributes, Symmetry, Triangle};
pub use axis_map::{AxisDigit, AxisMap};
pub use composite::{BlockOrder, Composite, MappedFormat, Part, PartElements, Scheme};
pub use error::{ArrayName, FormatError, OperationError, SparseError};
pub use format::{Balance, Format, LevelKind, MAX_RANK};
pub use gcxs::{Gcxs, GcxsParts};
#[cfg(feature = "sprs")]
pub use interop::SprsIndex;
#[cfg(feature = "json")]
pub use interop::binsparse;
pub use interop::{
    Custom, CustomArrays, CustomLevel, DiaArrays, InterchangeError, InteropParts, LevelFormat, LevelType, MlirEncoding, MlirStorage,
    TacoFormat, TacoMode, TacoModeKind,
};
pub use kernels::Duplicates;
pub use layout_core::layouts::FixedAxisMap;
pub use operations::{AxisSelection, Merge};
pub use pattern::{Arrays, Entry, PatternParts, SparsityPattern, Walk, Widths};
pub use products::{
    Cells, Dense, Elementwise, Major, Reduction, Scalar, Sddmm, SparseOperand, Watched, Watcher, count, elementwise, mttkrp, reduce,
    spgemm, spgemm_unsorted, spgemm_values, spmm, spmv, ttm, ttv, visit_columns,
};
pub use rejected::Rejected;
pub use tensor::{Builder, SparseTensor, TensorParts, Values};
pub use value_arrays::{Elements, ValueArrays};
