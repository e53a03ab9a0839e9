//! Why an array is no tensor, or a tensor no array of another crate.

use crate::TensorError;

layout_core::errors! {
    /// Why an array of another crate cannot be made a tensor where it lies, or a tensor one of its arrays.
    #[derive(Copy)]
    #[non_exhaustive]
    InteropError of Tensor(TensorError) {
        /// The other side has another number of dimensions.
        Rank {
            /// The rank of the tensor.
            rank: usize,
            /// What the other side has.
            dimensions: usize
        } => "interop/rank", "the tensor has rank {rank}, the other side {dimensions} dimensions";
        /// A mode has no single stride: it is nested, or the layout is swizzled.
        Stride {
            /// The mode,
            mode: usize,
            /// and its extent.
            extent: usize
        } => "interop/stride", "mode {mode} of extent {extent} has no single stride: it is nested, or the layout is swizzled";
        /// The other side has no strides below 0.
        NegativeStride {
            /// The mode,
            mode: usize,
            /// and its stride.
            stride: isize
        } => "interop/negative_stride", "mode {mode} has the stride {stride}, the other side none below 0";
        /// The other side's type has another extent.
        FixedExtent {
            /// The mode,
            mode: usize,
            /// its extent,
            extent: usize,
            /// and that of the type.
            fixed: usize
        } => "interop/fixed_extent", "mode {mode} has the extent {extent}, the other side's type {fixed}";
        /// The other side's type has another stride.
        FixedStride {
            /// The mode,
            mode: usize,
            /// its stride,
            stride: isize,
            /// and that of the type.
            fixed: usize
        } => "interop/fixed_stride", "mode {mode} has the stride {stride}, the other side's type {fixed}";
        /// The other side's iterators, which step past the last element of the mode to find its end, cannot walk it by this stride: 0, or, of a single
        /// element, one of the type that leaves the elements.
        Walk {
            /// The mode,
            mode: usize,
            /// its extent,
            extent: usize,
            /// and the stride.
            stride: usize
        } => "interop/walk", "mode {mode} of extent {extent} has the stride {stride}, by which the other side's iterators cannot walk";
        /// The modes interleave, and the other side writes only to arrays whose strides nest.
        Interleaved => "interop/interleaved", "the modes of the layout interleave, the other side writes only to arrays whose strides nest";
        /// The extents have a product beyond `isize::MAX`, which is more than the other side can count.
        Size => "interop/size", "the product of the extents exceeds {}", isize::MAX;
    }
}

impl From<crate::LayoutError> for InteropError {
    fn from(error: crate::LayoutError) -> Self {
        InteropError::Tensor(error.into())
    }
}
