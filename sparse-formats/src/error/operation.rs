//! Why an operation is refused.

use super::{FormatError, SparseError, from_fn};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;

layout_core::errors! {
    /// Why an operation on tensors, or on coordinates in groups of axes, is refused.
    OperationError of Tensor(SparseError) {
        /// Another number of slices, axes or coordinates than the tensor has axes.
        Rank { found: usize, expected: usize } => "levels/shape", "{found} axes are given, but the tensor has {expected}";
        /// A slice beyond the extent of its axis, or in no steps.
        Slice { axis: usize, start: u64, end: u64, step: u64, extent: u64 } =>
            "levels/slice", "axis {axis}: {start}..{end} in steps of {step} is not a slice of the extent {extent}";
        /// A slice of no axis, of what must have one.
        Scalar => "levels/slice", "a slice that leaves no axis";
        /// An axis that the tensor does not have, or that is dense.
        Axis { axis: usize, rank: usize } => "levels/axes", "axis {axis} is not an axis with a level of a tensor of {rank} axes";
        /// Two tensors, or a tensor and an array, of different extents.
        Shapes { left: Vec<u64>, right: Vec<u64> } => "levels/shape", "extents {left:?} and {right:?} do not match";
        /// A shape of another number of elements.
        Size { from: Vec<u64>, to: Vec<u64> } => "levels/shape", "{from:?} and {to:?} have different numbers of elements";
        /// Groups of extents of equal products that do not fit 64 bits, and cannot be cut.
        Overflow { from: Vec<u64>, to: Vec<u64> } =>
            "levels/overflow", "{from:?} as {to:?}: products of extents that must be equal do not fit 64 bits";
        /// Values are not stored, but the operation needs them.
        PatternOnly => "levels/missing", "the tensor has no values";
        /// Coordinates that repeat: which elements belong together is not said.
        Multigraph => "levels/multigraph", "coordinates repeat in a multigraph: convert it with a treatment of duplicates first";
        /// A result in blocks over dense axes whose coordinates may repeat: elements come one by one, and each would be a block of its own.
        MultigraphBlocks { format: String } =>
            "levels/multigraph", "`{format}` may have a block twice, and elements do not say which are of one: ask for it without `+multigraph`";
        /// Coordinates that repeat, where compressed rows of groups of axes have each once.
        Repeats => "levels/duplicate", "coordinates may not repeat";
        /// An array of a matrix of groups of axes, by the name that it has there.
        Array { name: &'static str, error: SparseError } => error.class(), "{name}: {error}";
        /// Another number of coordinates than of axes or groups.
        Coordinates { found: usize, expected: usize } => "gcs/rank", "{found} coordinates instead of {expected}";
        /// An operand of a kernel of other extents or another length.
        Operand { what: &'static str, found: Vec<u64>, expected: Vec<u64> } => "kernel/shape", "{what}: {found:?} instead of {expected:?}";
        /// A pattern for the result that lacks a place which has a product.
        NoPlace { found: Vec<u64> } => "kernel/pattern", "the pattern has no place for the product at {found:?}";
        /// An axis that a kernel is asked for and that the tensor does not have, or a tensor of another rank than the kernel takes.
        Mode { mode: usize, rank: usize } => "kernel/shape", "mode {mode} of a tensor of {rank} axes";
        /// Axes that are not those of the tensor, each once, in increasing order.
        Modes { modes: Vec<usize>, rank: usize } => "kernel/shape", "modes {modes:?} are not axes of {rank} in increasing order";
        /// A kernel for tensors of another rank.
        KernelRank { found: usize, expected: usize } => "kernel/shape", "a tensor of {found} axes, where the kernel takes {expected}";
        /// A result that memory has no room for.
        Result { extents: Vec<u64> } => "kernel/overflow", "a result of {extents:?} elements does not fit memory";
        /// A contraction that is none, or that no kernel computes.
        Contraction { subscripts: String, lacks: String } => "kernel/unsupported", "`{subscripts}`: {lacks}";
        /// Arrays of coordinates of different lengths.
        Lengths { first: usize, found: usize } => "gcs/length", "arrays of {first} and of {found} coordinates";
        /// A coordinate beyond the extent of its axis, at a position of an array of coordinates if there is one.
        Range { axis: usize, at: Option<usize>, coordinate: u64, extent: u64 } =>
            "gcs/range", "axis {axis}: coordinate {coordinate}{} is beyond its extent {extent}", position(*at);
        /// A coordinate beyond the size of its group, at a position of an array of coordinates if there is one.
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
