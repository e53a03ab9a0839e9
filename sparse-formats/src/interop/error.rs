//! Errors of interchange with other systems.

use crate::{ArrayName, Format, FormatError, Rejected, SparseError};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use ragged_arrays::RaggedError;

layout_core::errors! {
    /// The error of formats and arrays without a counterpart in another system, or of invalid arrays from there.
    ///
    /// ```
    /// use sparse_formats::{Custom, InterchangeError};
    /// let error = Custom::of(&"C-S-R+multigraph".parse()?).unwrap_err();
    /// assert_eq!(error, InterchangeError::NoCounterpart { level: 1, what: "coordinates that repeat" });
    /// assert_eq!(error.class(), "levels/counterpart");
    /// assert_eq!(error.to_string(), "level 1: the target format cannot represent coordinates that repeat");
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    #[non_exhaustive]
    InterchangeError of Tensor(SparseError), Ragged(RaggedError) {
        /// A level has a property that the other system cannot express.
        NoCounterpart { level: usize, what: &'static str } => "levels/counterpart", "level {level}: the target format cannot represent {what}";
        /// A level has no axis.
        EmptyLevel { level: usize } => "levels/token", "level {level} has no axis";
        /// The axes are no order of the axes that the levels have together.
        Axes { levels: usize, axes: Vec<usize> } => "levels/axes", "the axis order {axes:?} must name each of the {levels} axes of the levels once";
        /// A text names no level.
        Level { text: String } => "levels/token", "`{text}` is not a level";
        /// The levels break a rule of the other system.
        Rule { level: usize, rule: &'static str } => "levels/rule", "level {level}: {rule}";
        /// The positions of the first level differ from `[0, n]`.
        Root { found: Vec<u64>, expected: usize } => "levels/pointers", "the positions of level 0 are {found:?} instead of [0, {expected}]";
        /// The length of an array of tuples is no multiple of their width.
        Tuples { level: usize, found: usize, width: usize } =>
            "levels/length", "level {level}: {found} coordinates are not a multiple of {width}, the width of a tuple";

        /// sprs does not have this format: it is neither CSR nor CSC, or it is a multigraph or unsorted.
        Format { format: Box<Format> } => "levels/counterpart", "sprs has no matrix in the format {format}: convert the tensor to C-S-R or C-S-C";
        /// The fill value is not 0, but in sprs elements that are not stored are 0.
        Fill => "levels/counterpart", "the fill value is not 0, but in sprs elements that are not stored are 0";
        /// One triangle stands for both, which the other system cannot express.
        OneTriangle => "levels/structure", "the tensor stores one triangle for both: expand it first";
        /// The tensor does not store a value for each element.
        NoValues => "levels/missing", "the tensor does not store a value for each element";
        /// The width of an array differs from that of the index type.
        Width { array: ArrayName, found: u32, expected: u32 } =>
            "levels/width", "the numbers of {array} have {found} bits, but the index type has {expected}";
        /// An extent (for pointers, extent plus 1) does not fit the bits of the index type, less the sign.
        Extent { axis: usize, extent: u64, bits: u32 } =>
            "levels/overflow", "axis {axis}: the extent {extent} does not fit an index type of {bits} bits";
        /// The number of elements does not fit the bits of the type of pointers, not counting the sign.
        Stored { stored: usize, bits: u32 } => "levels/overflow", "{stored} elements are too many for pointers of {bits} bits";
        /// A diagonal is given twice.
        Diagonal { at: (usize, usize), offset: i64 } => "levels/duplicate", "offsets[{}] and offsets[{}] are both {offset}", at.0, at.1;
        /// An error of the other system, in its words.
        Refused { message: String } => "levels/structure", "{message}";

        /// A descriptor is not well-formed. The class is `header/` followed by the key or the kind of error.
        Header { class: &'static str, message: String } => class, "{message}";
        /// An array of a file is missing.
        MissingArray { array: String } => "array/missing", "{array} is missing";
        /// The length of an array differs from the length in the descriptor.
        ArrayLength { array: String, found: usize, expected: u64 } =>
            "array/length", "{array} has {found} elements instead of {expected}";
        /// The number of values in the arrays differs from the number in the descriptor.
        StoredValues { found: u64, said: u64 } =>
            "array/length", "{found} values are stored, but number_of_stored_values is {said}";
        /// An index is 0, but indices begin with 1.
        Base { array: String, at: usize } => if let [b'p', b'o', ..] = array.as_bytes() { "array/pointers" } else { "array/range" },
            "{array}[{at}] is 0, but index_base is 1";
        /// An error in an array of pointers. In files it is named after the level that it points to.
        Pointers { to: usize, error: SparseError } => error.class(), "pointers_to_{to}: {error}";

        /// The stored elements of a list have a gap: `found` is in the position of coordinate `expected`.
        Gap { axis: usize, list: usize, expected: usize, found: u64 } =>
            "ragged/gap", "axis {axis}: list {list} stores element {found} but not element {expected} before it";
        /// The tensor has no axis with stored coordinates.
        NoCoordinates => "ragged/coordinates", "the tensor stores no coordinates";
        /// The type of coordinates does not hold a coordinate.
        Coordinate { most: u64 } => "ragged/overflow", "the coordinate {most} does not fit the type of the coordinates";
    }
}

impl From<FormatError> for InterchangeError {
    fn from(error: FormatError) -> Self {
        SparseError::from(error).into()
    }
}

/// Drops the parts.
impl<P, E: Into<InterchangeError>> From<Rejected<P, E>> for InterchangeError {
    fn from(rejected: Rejected<P, E>) -> Self {
        rejected.error.into()
    }
}

#[cfg(feature = "sprs")]
impl From<sprs::errors::StructureError> for InterchangeError {
    fn from(error: sprs::errors::StructureError) -> Self {
        InterchangeError::Refused { message: alloc::string::ToString::to_string(&error) }
    }
}
