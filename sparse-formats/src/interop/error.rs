//! Why there is no counterpart in another system, or what comes from there is refused.

use crate::{ArrayName, Format, FormatError, SparseError};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use ragged_arrays::RaggedError;

layout_core::errors! {
    /// Why a format or an array has no counterpart in another system, or arrays and descriptors from there have none here.
    #[non_exhaustive]
    InterchangeError of Tensor(SparseError), Ragged(RaggedError) {
        /// A level that says what cannot be said there.
        NoCounterpart { level: usize, what: &'static str } => "levels/counterpart", "level {level}: {what} has no counterpart";
        /// A level of no axis.
        EmptyLevel { level: usize } => "levels/token", "level {level} has no axis";
        /// Levels of another number of axes.
        Axes { levels: usize, axes: Vec<usize> } => "levels/axes", "{axes:?} is not an order of the axes of levels of {levels} axes";
        /// A text that names no level.
        Level { text: String } => "levels/token", "`{text}` is not a level";
        /// A rule of the other system that the levels break.
        Rule { level: usize, rule: &'static str } => "levels/rule", "level {level}: {rule}";
        /// The positions of the first level are not `[0, n]`.
        Root { found: Vec<u64>, expected: usize } => "levels/pointers", "the positions of level 0 are {found:?} instead of [0, {expected}]";
        /// An array of tuples that is no whole number of them.
        Tuples { level: usize, found: usize, width: usize } =>
            "levels/length", "level {level}: {found} coordinates are no whole number of tuples of {width}";

        /// A format that sprs does not have: another than CSR and CSC, or that of a multigraph or of unsorted levels.
        Format { format: Box<Format> } => "levels/counterpart", "{format} has no counterpart in sprs: C-S-R and C-S-C have";
        /// A fill value that is not 0: in sprs, what is not stored is 0.
        Fill => "levels/counterpart", "the fill value is not 0: in sprs, what is not stored is 0";
        /// One triangle that stands for both, which the other system cannot say.
        OneTriangle => "levels/structure", "one triangle stands for both: expand it first";
        /// Values that are not stored one for each element.
        NoValues => "levels/missing", "the tensor has not a value for each element";
        /// An array whose width is not that of the index type.
        Width { array: ArrayName, found: u32, expected: u32 } =>
            "levels/width", "{array} has {found} bits, but the index type has {expected}";
        /// An extent, or one more than an extent for pointers, that does not fit the bits of the index type, its sign not counted.
        Extent { axis: usize, extent: u64, bits: u32 } =>
            "levels/overflow", "axis {axis}: the extent {extent} does not fit an index type of {bits} bits";
        /// More elements than the type of pointers counts in its bits, the sign not counted.
        Stored { stored: usize, bits: u32 } => "levels/overflow", "{stored} elements are more than pointers of {bits} bits count";
        /// A diagonal that is given twice.
        Diagonal { at: (usize, usize), offset: i64 } => "levels/duplicate", "offsets[{}] and offsets[{}] are both {offset}", at.0, at.1;
        /// A refusal of the other system, in its words.
        Refused { message: String } => "levels/structure", "{message}";

        /// A descriptor that is not well-formed; its class is `header/` and the key, or the kind of the error.
        Header { class: &'static str, message: String } => class, "{message}";
        /// An array of a file that is missing.
        MissingArray { array: String } => "array/missing", "{array} is missing";
        /// An array of a file that has another length than the descriptor says.
        ArrayLength { array: String, found: usize, expected: u64 } =>
            "array/length", "{array} has {found} elements instead of {expected}";
        /// The arrays store another number of values than the descriptor says.
        StoredValues { found: u64, said: u64 } =>
            "array/length", "{found} values are stored, but number_of_stored_values is {said}";
        /// A 0 where indices begin with 1.
        Base { array: String, at: usize } => if let [b'p', b'o', ..] = array.as_bytes() { "array/pointers" } else { "array/range" },
            "{array}[{at}] is 0, but index_base is 1";
        /// An array of pointers, by the name that it has in files: that of the level it points to.
        Pointers { to: usize, error: SparseError } => error.class(), "pointers_to_{to}: {error}";

        /// The stored elements of a list are not its first ones, in order: coordinate `expected` is missing, and `found` in its place.
        Gap { axis: usize, list: usize, expected: usize, found: u64 } =>
            "ragged/gap", "axis {axis}: list {list} has no element {expected}, but element {found} after it";
        /// A tensor without an axis with coordinates.
        NoCoordinates => "ragged/coordinates", "the tensor stores no coordinates";
        /// A coordinate that its type does not hold.
        Coordinate { most: u64 } => "ragged/overflow", "the type of the coordinates does not hold {most}";
    }
}

impl From<FormatError> for InterchangeError {
    fn from(error: FormatError) -> Self {
        SparseError::from(error).into()
    }
}

#[cfg(feature = "sprs")]
impl From<sprs::errors::StructureError> for InterchangeError {
    fn from(error: sprs::errors::StructureError) -> Self {
        InterchangeError::Refused { message: alloc::string::ToString::to_string(&error) }
    }
}
