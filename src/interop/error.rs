//! The errors of converting between tensors and arrays of other crates. `dlpack.rs` adds the errors of descriptors.

use crate::TensorError;

layout_core::errors! {
    /// The reason why an array of another crate cannot become a tensor without a copy, or a tensor such an array.
    ///
    #[cfg_attr(feature = "ndarray", doc = "```")]
    #[cfg_attr(not(feature = "ndarray"), doc = "```ignore")]
    /// use crd2idx::interop::{FromTensor, InteropError};
    /// use crd2idx::{Int, Tensor, make_layout};
    /// use ndarray::ArrayView2;
    /// let t = Tensor::new(&[0, 1, 2, 3, 4, 5, 6, 7], make_layout((2, (2, 2)), (Int::<1>, (4, 2))))?;
    /// // Mode 1 steps by 4, then back by 2: ndarray has one stride for each axis.
    /// let error = ArrayView2::from_tensor(t).unwrap_err();
    /// assert_eq!(error, InteropError::Stride { mode: 1, extent: 4 });
    /// assert_eq!(error.class(), "interop/stride");
    /// // Each leaf as a mode: three axes.
    /// assert_eq!(ndarray::ArrayView3::from_tensor(t.flatten())?[[1, 0, 1]], 3);
    /// # Ok::<(), InteropError>(())
    /// ```
    #[derive(Copy)]
    #[non_exhaustive]
    InteropError of Tensor(TensorError) {
        /// The other type has another number of dimensions.
        Rank {
            /// The rank of the tensor.
            rank: usize,
            /// The number of dimensions of the other type.
            dimensions: usize
        } => "interop/rank", "the tensor has rank {rank}, but the array of the other crate has rank {dimensions}";
        /// A mode has no single stride, because it is nested or the layout is swizzled.
        Stride {
            /// The number of the mode, from 0.
            mode: usize,
            /// The extent of the mode.
            extent: usize
        } => "interop/stride", "mode {mode} of extent {extent} has no single stride: it is nested, or the layout is swizzled";
        /// The other type has no negative strides.
        NegativeStride {
            /// The number of the mode, from 0.
            mode: usize,
            /// The stride of the mode.
            stride: isize
        } => "interop/negative_stride", "mode {mode} has the stride {stride}, but the array of the other crate cannot have negative strides";
        /// The other type has a fixed extent that differs.
        FixedExtent {
            /// The number of the mode, from 0.
            mode: usize,
            /// The extent of the mode.
            extent: usize,
            /// The fixed extent of the other type.
            fixed: usize
        } => "interop/fixed_extent", "mode {mode} has the extent {extent}, but the type of the other crate fixes it to {fixed}";
        /// The other type has a fixed stride that differs.
        FixedStride {
            /// The number of the mode, from 0.
            mode: usize,
            /// The stride of the mode.
            stride: isize,
            /// The fixed stride of the other type.
            fixed: usize
        } => "interop/fixed_stride", "mode {mode} has the stride {stride}, but the type of the other crate fixes it to {fixed}";
        /// The iterators of the other type cannot walk the mode by this stride. They step past the last element of
        /// a mode to find its end. The stride is 0, or the mode has one element and the fixed stride of the type
        /// would leave the elements.
        Walk {
            /// The number of the mode, from 0.
            mode: usize,
            /// The extent of the mode.
            extent: usize,
            /// The stride of the mode.
            stride: usize
        } => "interop/walk", "mode {mode} of extent {extent} has the stride {stride}, by which the iterators of the other crate cannot walk";
        /// The modes interleave, but the other type writes only to arrays whose strides nest.
        Interleaved => "interop/interleaved", "the modes of the layout interleave, but the other crate writes only to arrays whose strides nest";
        /// The product of the extents exceeds `isize::MAX`, so the other type cannot count the elements.
        Size => "interop/size", "the product of the extents exceeds {}", isize::MAX;
    }
}

impl From<crate::LayoutError> for InteropError {
    fn from(error: crate::LayoutError) -> Self {
        InteropError::Tensor(error.into())
    }
}
