//! Errors of operations on tensors, and on coordinates in groups of axes.

use super::{FormatError, SparseError, from_fn};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;

layout_core::errors! {
    /// The error of an operation on tensors, or on coordinates in groups of axes.
    OperationError of Tensor(SparseError) {
        /// The number of slices, axes or coordinates differs from the number of axes of the tensor.
        Rank { found: usize, expected: usize } => "levels/shape", "{found} axes are given, but the tensor has {expected}";
        /// A slice exceeds the extent of its axis, ends before its start, or has the step 0.
        Slice { axis: usize, start: u64, end: u64, step: u64, extent: u64 } =>
            "levels/slice", "axis {axis}: the slice {start}..{end} in steps of {step} exceeds the extent {extent}, or its step is 0";
        /// A slice leaves no axis, although the result must have one.
        Scalar => "levels/slice", "the slice fixes all axes; at least one must stay";
        /// The tensor lacks an axis, or the axis is dense.
        Axis { axis: usize, rank: usize } => "levels/axes", "axis {axis} is dense or does not exist: the tensor has {rank} axes";
        /// Two tensors, or a tensor and an array, have different extents.
        Shapes { left: Vec<u64>, right: Vec<u64> } => "levels/shape", "the extents {left:?} and {right:?} do not match";
        /// Two shapes have different numbers of elements.
        Size { from: Vec<u64>, to: Vec<u64> } => "levels/shape", "the shapes {from:?} and {to:?} have different numbers of elements";
        /// A product of extents that must equal another exceeds 64 bits, and the extents cannot be split.
        Overflow { from: Vec<u64>, to: Vec<u64> } =>
            "levels/overflow", "the shape {from:?} cannot become {to:?}: products of extents exceed 64 bits";
        /// The operation needs values, but the tensor stores none.
        PatternOnly => "levels/missing", "the operation needs values, but the tensor stores none";
        /// The tensor is a multigraph, whose coordinates may repeat, so it is unknown which elements belong together.
        Multigraph => "levels/multigraph", "the tensor is a multigraph, whose coordinates may repeat: first convert it to a format without `+multigraph`, with its duplicates summed or dropped";
        /// The result would have blocks over dense axes and repeated coordinates. Elements come one by one,
        /// so each would become its own block.
        MultigraphBlocks { format: String } =>
            "levels/multigraph", "`{format}` may store a block twice, and single elements do not say to which copy they belong: use the format without `+multigraph`";
        /// The tensor is a multigraph, whose coordinates may repeat, but compressed rows of groups of axes store each
        /// once.
        Repeats => "levels/duplicate", "coordinates may repeat, but the format stores each once: first convert the tensor with its duplicates summed or dropped";
        /// An error in an array of a matrix over groups of axes, with the array's name there.
        Array { name: &'static str, error: SparseError } => error.class(), "{name}: {error}";
        /// The number of coordinates differs from the number of axes or groups.
        Coordinates { found: usize, expected: usize } => "gcs/rank", "{found} coordinates are given instead of {expected}";
        /// An operand of a kernel has wrong extents or a wrong length.
        Operand { what: &'static str, found: Vec<u64>, expected: Vec<u64> } => "kernel/shape", "{what}: the extents are {found:?} instead of {expected:?}";
        /// The pattern given for the result lacks the coordinate of a product.
        NoPlace { found: Vec<u64> } => "kernel/pattern", "the pattern of the result does not store the coordinate {found:?} of a product";
        /// A kernel got an axis that the tensor does not have, or a tensor of another rank than it takes.
        Mode { mode: usize, rank: usize } => "kernel/shape", "mode {mode} is not possible for a tensor of {rank} axes";
        /// The modes are not axes of the tensor, each once, in increasing order.
        Modes { modes: Vec<usize>, rank: usize } => "kernel/shape", "the modes {modes:?} must be in increasing order and less than {rank}, the number of axes";
        /// A kernel takes tensors of another rank.
        KernelRank { found: usize, expected: usize } => "kernel/shape", "the tensor has {found} axes, but the kernel takes {expected}";
        /// Memory has no room for a result.
        Result { extents: Vec<u64> } => "kernel/overflow", "a result of extents {extents:?} does not fit memory";
        /// Arrays of coordinates have different lengths.
        Lengths { first: usize, found: usize } => "gcs/length", "one array has {first} coordinates and another {found}";
        /// A coordinate exceeds the extent of its axis, at a position of an array of coordinates if there is one.
        Range { axis: usize, at: Option<usize>, coordinate: u64, extent: u64 } =>
            "gcs/range", "axis {axis}: coordinate {coordinate}{} is beyond its extent {extent}", position(*at);
        /// A coordinate exceeds the size of its group, at a position of an array of coordinates if there is one.
        GroupRange { group: usize, at: Option<usize>, coordinate: u64, size: u64 } =>
            "gcs/range", "group {group}: coordinate {coordinate}{} is beyond its size {size}", position(*at);
    }
}

fn position(at: Option<usize>) -> impl Display {
    from_fn(move |f| at.map_or(Ok(()), |at| write!(f, " at position {at}")))
}

impl From<FormatError> for OperationError {
    fn from(error: FormatError) -> Self {
        SparseError::from(error).into()
    }
}
