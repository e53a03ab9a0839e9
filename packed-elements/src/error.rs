//! The errors of packed elements.

use layout_core::TensorError;

/// A result whose error is a [`PackedError`].
pub type Result<T> = core::result::Result<T, PackedError>;

layout_core::errors! {
    /// The reason why packed elements cannot be made, viewed or moved.
    ///
    /// `class` returns a name of the variant that stays the same when messages change.
    ///
    /// ```
    /// use packed_elements::{PackedError, PackedSlice, U6};
    /// let error = PackedSlice::<U6>::new(&[0; 3], 5).unwrap_err();
    /// assert_eq!(error, PackedError::Bytes { elements: 5, bits: 6, bytes: 3 });
    /// assert_eq!(error.to_string(), "5 elements of 6 bits do not fit 3 bytes");
    /// assert_eq!(error.class(), "packed/bytes");
    /// ```
    #[derive(Copy)]
    PackedError of Tensor(TensorError) {
        /// The bytes are too few for the elements.
        Bytes {
            /// The number of elements.
            elements: usize,
            /// The number of bits of an element.
            bits: u32,
            /// The number of bytes.
            bytes: usize
        } => "packed/bytes", "{elements} elements of {bits} bits do not fit {bytes} bytes";
        /// The number of elements to pack or to unpack is not the number of elements of the other side.
        Length {
            /// The number of packed elements.
            packed: usize,
            /// The number of elements of the other side.
            unpacked: usize
        } => "packed/length", "there are {packed} packed elements, and {unpacked} on the other side";
        /// An integer is beyond the range of the element type.
        Value {
            /// The integer.
            value: i32,
            /// The least integer of the type.
            least: i32,
            /// The greatest integer of the type.
            greatest: i32
        } => "packed/value", "{value} is not from {least} to {greatest}";
        /// Two layouts differ in the extent of a mode.
        Extents {
            /// The number of the mode, from 0.
            mode: usize,
            /// The extent of the mode in the source.
            source: usize,
            /// The extent of the mode in the target.
            target: usize
        } => "packed/extents", "mode {mode} has extent {source} in the source, and {target} in the target";
    }
}

impl From<core::convert::Infallible> for PackedError {
    fn from(never: core::convert::Infallible) -> Self {
        match never {}
    }
}
