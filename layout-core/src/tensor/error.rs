//! The errors of tensors.

use layout_algebra::error::LayoutError;

layout_algebra::errors! {
    /// The reason why a tensor, a view of one, or its windows cannot be made.
    ///
    /// `class` returns a name of the variant that stays the same when messages change.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, TensorError, make_layout};
    /// let error = Tensor::new(&[1, 2, 3], make_layout((2, 2), (Int::<1>, 2))).unwrap_err();
    /// assert_eq!(error, TensorError::Storage { first: 0, last: 3, elements: 3, origin: 0 });
    /// assert_eq!(error.class(), "tensor/storage");
    /// // The errors of operations keep the class and the message of their `LayoutError`.
    /// let t = Tensor::new(&[1, 2, 3, 4], make_layout((4,), (Int::<1>,)))?;
    /// let error = t.tiles((3,)).exact().err().expect("3 does not divide 4");
    /// assert!(matches!(error, TensorError::Layout(_)));
    /// assert_eq!(error.to_string(), "zipped_divide: tile 3 does not divide the extent 4 of mode 0");
    /// # Ok::<(), TensorError>(())
    /// ```
    #[derive(Copy)]
    TensorError of Layout(LayoutError) {
        /// An index lies outside of the storage.
        Storage {
            /// The least index of the layout.
            first: isize,
            /// The greatest index of the layout.
            last: isize,
            /// The number of elements of the storage.
            elements: usize,
            /// The position of the element that has index 0, from 0.
            origin: usize
        } => "tensor/storage", "the layout has indices from {first} to {last}, but the storage has {elements} elements, with index 0 at {origin}{}",
            if first.checked_add_unsigned(*origin).is_some_and(|first| first < 0) { ": negative strides walk down from the `origin` of `Tensor::with_origin`" } else { "" };
        /// An index of the right operand of a composition is not a coordinate of the tensor.
        Coordinates {
            /// The least index of the right operand.
            first: isize,
            /// The greatest index of the right operand.
            last: isize,
            /// The number of coordinates of the tensor.
            size: usize
        } => "tensor/coordinates", "composition: the right operand has indices from {first} to {last}, outside of the {size} coordinates of the tensor";
        /// A window reaches beyond a mode.
        Window {
            /// The number of the mode, from 0.
            mode: usize,
            /// The first coordinate of the window in the mode.
            first: usize,
            /// The number of coordinates of the window in the mode.
            count: usize,
            /// The extent of the mode.
            extent: usize
        } => "tensor/window", "the window has {count} coordinates of mode {mode} from {first} on, but the mode has {extent}";
        /// The windows of a tensor together may have more than `isize::MAX` coordinates.
        Windows {
            /// The number of coordinates of each window.
            each: usize,
            /// The number of coordinates of the tensor, a bound on the number of windows.
            size: usize
        } => "tensor/windows", "windows of {each} coordinates in a tensor of {size} may be more than {} together", isize::MAX;
        /// A convolution has padding, and a tensor has no elements there.
        Pad {
            /// The number of the mode, from 0.
            mode: usize,
            /// The number of padding coordinates before the mode.
            before: usize,
            /// The number of padding coordinates behind the mode.
            behind: usize
        } => "tensor/padding", "the windows reach {before} coordinates before the start of mode {mode} and {behind} beyond its end, where a tensor has no elements: use `assign_windows` with a boundary, or `tap`, which skips the padding";
        /// A mode has no single stride.
        Uneven {
            /// The number of the mode, from 0.
            mode: usize
        } => "tensor/uneven", "mode {mode} has no single stride: windows move along modes with one stride";
        /// Two coordinates share an index, so tiles or blocks cannot be written at once.
        Shared => "tensor/shared", "two coordinates of the layout share an index";
        /// It takes too long to decide whether two coordinates share an index.
        Undecided => "tensor/undecided", "whether two coordinates of the layout share an index takes too long to decide";
        /// The memory is not aligned for the wanted element type.
        Misaligned {
            /// The alignment that the element type needs, in bytes.
            align: usize
        } => "tensor/misaligned", "the memory is not aligned to {align} bytes";
    }
}

/// Returns the value, or panics with the error at the line that called the caller. `unwrap_or_else` would be a call at opt-level `z`.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
pub(super) fn or_panic<T>(result: Result<T, TensorError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
