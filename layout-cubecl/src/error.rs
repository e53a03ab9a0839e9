//! The errors of layouts, threads, tiles and pages of kernels.

use layout_algebra::LayoutError;

layout_core::errors! {
    /// The reason why a layout, threads, tiles or pages cannot be used in a kernel. Every error occurs before a launch.
    ///
    /// ```
    /// use layout_cubecl::{CubeError, CubeLayout};
    /// let error = CubeLayout::<(u32, u32)>::parse("(4,8,2):(8,1,32)").unwrap_err();
    /// assert!(matches!(error, CubeError::Coordinate { .. }));
    /// assert_eq!(error.to_string(), "a coordinate (_,_) does not fit the layout (4,8,2):(8,1,32)");
    /// assert_eq!(error.class(), "cube/coordinate");
    /// ```
    #[non_exhaustive]
    CubeError of Layout(LayoutError) {
        /// The notation has run-time leaves, but no values for them.
        RunTime { layout: String, leaves: usize } => "cube/run_time", "{layout} has {leaves} run-time leaves; use `CubeLayout::of` with a layout that stores them";
        /// The layout of pages has run-time leaves.
        Dynamic { layout: String } => "cube/dynamic", "{layout} has run-time extents or strides, but the layout of a page is static";
        /// The form of the coordinates does not fit the layout.
        Coordinate { /** The form of the coordinates, such as `(_,_)`. */ form: String, layout: String } => "cube/coordinate", "a coordinate {form} does not fit the layout {layout}";
        /// The layout returns another number of integers than the kernel expects.
        Values { layout: String, got: usize, expected: usize } => "cube/values", "{layout} gives {got} integers for a coordinate, but the kernel expects {expected}";
        /// A number does not fit the 32-bit arithmetic of kernels.
        Width { layout: String, /** The number, or its greatest value, at most 2^63 - 1. */ value: i64 } => "cube/width", "{layout} needs the number {value}, which does not fit 32 bits";
        /// Kernels do not have an operation of the layout.
        Missing { layout: String, /** The operation. */ operation: String } => "cube/missing", "{layout} needs {operation}, which kernels do not have";
        /// An operation other than a sum or a product needs numbers that are not proven to fit.
        Unproven { layout: String, /** The operation. */ operation: String } => "cube/unproven", "{layout} needs {operation} of numbers that are not proven to fit 32 bits without a sign; give its leaves bounds";
        /// A coordinate has no element: an extent is 0.
        Empty { layout: String } => "cube/empty", "{layout} has no elements";
        /// The buffer is too short for the layout.
        Short { layout: String, needed: i64, len: usize } => "cube/short", "{layout} needs {needed} elements, but the buffer has {len}";
        /// An index of the layout is negative.
        Negative { layout: String } => "cube/negative", "{layout} has negative indices";
        /// The range of the indices is undecided.
        Undecided { layout: String } => "cube/undecided", "no proof bounds the indices of {layout}; give the layout strides without carries, or fewer elements";
        /// The buffer is an alias, whose length nothing proves.
        Alias { /** The position of the buffer among the inputs. */ input: usize } => "cube/alias", "the buffer is an alias of input {input}, whose length is not known; pass the buffer itself";
        /// The threads with their values are not exactly the elements of the tile.
        Threads { layout: String, got: i64, tile: String, elements: i64 } => "cube/threads", "the threads {layout} have {got} values, but the tile {tile} has {elements} elements, and each needs one";
        /// Two values of the threads are the same element of the tile.
        Shared { layout: String, tile: String } => "cube/shared", "two values of {layout} are the same element of the tile {tile}";
        /// A value of the threads is outside of the tile.
        Outside { layout: String, element: i64, tile: String, elements: i64 } => "cube/outside", "{layout} has element {element}, but the tile {tile} has {elements}";
        /// The table of pages is too short.
        Table { needed: usize, len: usize } => "cube/table", "the table of pages needs {needed} entries, but the buffer has {len}";
    }
}

/// The result of an operation that may fail with a [`CubeError`].
///
/// ```
/// use layout_cubecl::{CubeLayout, Result};
/// fn rows() -> Result<CubeLayout<(u32, u32)>> {
///     CubeLayout::parse("(4,8):(8,1)")
/// }
/// assert_eq!(rows()?.at((3, 5)), 29);
/// # Ok::<(), layout_cubecl::CubeError>(())
/// ```
pub type Result<T> = core::result::Result<T, CubeError>;
