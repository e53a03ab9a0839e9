//! Why there is no such tensor.

use layout_algebra::error::LayoutError;

layout_algebra::errors! {
    /// Why a tensor, or a part of one, cannot be made.
    #[derive(Copy)]
    TensorError of Layout(LayoutError) {
        /// An index lies outside of the storage.
        Storage {
            /// The least index of the layout,
            first: isize,
            /// and the greatest.
            last: isize,
            /// Number of elements of the storage,
            elements: usize,
            /// of which this one has index 0.
            origin: usize
        } => "tensor/storage", "the layout has indices from {first} to {last}, the storage has {elements} elements, with index 0 at {origin}{}",
            if first.checked_add_unsigned(*origin).is_some_and(|first| first < 0) { ": negative strides walk down from the `origin` of `Tensor::with_origin`" } else { "" };
        /// An index of the right operand of a composition is no coordinate of the tensor.
        Coordinates {
            /// The least index of the right operand,
            first: isize,
            /// and the greatest.
            last: isize,
            /// Number of coordinates of the tensor.
            size: usize
        } => "tensor/coordinates", "composition: the right operand has indices from {first} to {last}, outside of the {size} coordinates of the tensor";
        /// A window reaches beyond a mode.
        Window {
            /// The mode,
            mode: usize,
            /// the first coordinate of the window in it,
            first: usize,
            /// how many there are,
            count: usize,
            /// and the extent of the mode.
            extent: usize
        } => "tensor/window", "the window has {count} coordinates of mode {mode} from {first} on, the mode has {extent}";
        /// The windows of a tensor together may have more coordinates than `isize` holds.
        Windows {
            /// Number of coordinates of a window,
            each: usize,
            /// and of the tensor, a bound on the number of windows.
            size: usize
        } => "tensor/windows", "windows of {each} coordinates in a tensor of {size} may be more than {} together", isize::MAX;
        /// A convolution has padding, and a tensor has no elements there.
        Pad {
            /// The mode,
            mode: usize,
            /// the number of padding coordinates before it,
            before: usize,
            /// and behind it.
            behind: usize
        } => "tensor/padding", "the windows reach {before} coordinates before mode {mode} and {behind} behind it, and a tensor has no elements there: `assign_windows` takes a boundary, `tap` skips the padding";
        /// A mode has no single stride.
        Uneven {
            /// The mode.
            mode: usize
        } => "tensor/uneven", "mode {mode} has no single stride: windows move along modes with one stride";
        /// Two coordinates share an index, so that no two parts can be written at once.
        Shared => "tensor/shared", "two coordinates of the layout share an index";
        /// Whether two coordinates share an index takes too long to decide.
        Undecided => "tensor/undecided", "whether two coordinates of the layout share an index takes too long to decide";
        /// The memory is not aligned for the elements that it is to be seen as.
        Misaligned {
            /// What their alignment is.
            align: usize
        } => "tensor/misaligned", "the memory is not aligned to {align} bytes";
    }
}

/// The value, or a panic with the error at the line of who called the caller. `unwrap_or_else` would be a call at opt-level z.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
pub(super) fn or_panic<T>(result: Result<T, TensorError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
