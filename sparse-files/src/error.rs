//! The errors of reading and writing files: `FileError` declares each with its numbers, its class and its message.

use crate::ElementType;
use layout_core::error::from_fn;
use sparse_formats::{InterchangeError, OperationError, SparseError};

/// The largest number of tensor names in a message.
const MOST_SHOWN: usize = 12;

/// A result whose error is a [`FileError`].
///
/// ```
/// use std::path::Path;
/// fn density(path: &Path) -> sparse_files::Result<f64> {
///     let (tensor, _) = sparse_files::read(path, &Default::default())?;
///     Ok(tensor.stored() as f64 / tensor.shape().iter().product::<u64>() as f64)
/// }
/// assert_eq!(density(Path::new("missing.mtx")).map_err(|error| error.class()), Err("file/system"));
/// ```
pub type Result<T> = std::result::Result<T, FileError>;

layout_core::errors! {
    /// The reason why a file cannot be read, or a tensor cannot be written to it.
    ///
    /// ```
    /// use sparse_files::{FileError, matrix_market};
    /// let error = matrix_market::read(b"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 4 0.5\n").unwrap_err();
    /// // Programs branch on the variant and its numbers, or on the class, which stays the same in every version.
    /// assert!(matches!(error, FileError::TextRange { line: 3, axis: 1, found: 4, .. }));
    /// assert_eq!(error.class(), "text/range");
    /// assert_eq!(error.to_string(), "line 3, column 3: coordinate 4 of axis 1 is out of range; expected 1 to 3");
    /// ```
    #[non_exhaustive]
    FileError of Tensor(SparseError), Interchange(InterchangeError), Operation(OperationError) {
        /// The arrays of a file do not form a tensor.
        Arrays { error: InterchangeError } => of_arrays(error.class()), "{error}";
        /// The operating system refused an operation, or JSON could not be parsed or printed; the message says which.
        System { message: String } => "file/system", "{message}";
        /// Neither the content nor the name of a file belongs to a known kind.
        Kind { what: String } => "file/kind", "{what} is not of a known kind; the kinds are .mtx, .tns, .npy, .npz, .h5, .zarr, .arrow, .parquet";
        /// A kind of file that needs a feature of this crate that is off.
        Feature { what: &'static str, feature: &'static str } => "file/feature", "{what} needs the feature `{feature}`";
        /// A damaged container, or one that its library cannot read; the message is from the library.
        Container { what: &'static str, message: String } => "file/container", "{what}: {message}";
        /// A panic in the library that reads a container, with its message and source line.
        Caught { what: &'static str, message: String, place: String } =>
            "file/panic", "{what}: the library that reads it failed on these bytes: {message} ({place})";
        /// A container that claims more data than its bytes can hold.
        Claim { array: String, bytes: u64, most: u64 } => "file/claim", "{array} claims {}, but the file can hold at most {most} for it", from_fn(|f| match *bytes {
            u64::MAX => f.write_str("2^64 bytes or more"),
            bytes => write!(f, "{bytes} bytes"),
        });
        /// A compressed file that inflates to more bytes than its size and its first lines allow.
        Inflated { what: &'static str, packed: u64, most: u64, entries: Option<u64> } =>
            "file/claim", "{what}: {packed} compressed bytes become more than {most}, {}", from_fn(|f| match entries {
                Some(entries) => write!(f, "the most that its {entries} entries can need"),
                None => f.write_str("the limit for a file that does not announce its length"),
            });
        /// An allocation of this number of bytes that the system refused.
        Memory { what: &'static str, bytes: u64 } => "file/memory", "{what}: there is no memory for {bytes} bytes";
        /// A file with bytes that follow the end of an array and belong to no array.
        LeftOver { array: String, bytes: u64, left: u64 } => "file/claim", "{array} takes {bytes} bytes, but {left} more bytes follow it";
        /// The target of a write contains more than a tensor, and the rest would be lost.
        Occupied { lost: String } => "file/occupied", "{lost} would be lost: name another file or group, or use `force` to replace it";
        /// An array with more values than the shape and the other arrays can need.
        Needless { array: String, values: u64, bytes: u64, most: u64 } =>
            "file/claim", "{array} has {values} values ({bytes} bytes when inflated), but the shape and the other arrays need at most {most}";
        /// A tensor, a group or a file that the target cannot hold.
        NoPlace { what: String, kind: &'static str } => "file/counterpart", "{kind} cannot hold {what}";

        /// A syntax error in a text. Lines and columns count from 1.
        Text { line: u64, column: u64, what: String } => "text/syntax", "line {line}, column {column}: {what}";
        /// A coordinate in a text that is out of range. `found` and `base` count as the text does, `axis` from 0. An unknown
        /// `extent` is `u64::MAX`.
        TextRange { line: u64, column: u64, axis: usize, found: u64, extent: u64, base: u64 } =>
            "text/range", "line {line}, column {column}: coordinate {found} of axis {axis} is out of range; expected {}", from_fn(|f| match *extent {
                u64::MAX => write!(f, "{base} or more"),
                0 => f.write_str("none, because the extent of the axis is 0"),
                extent => write!(f, "{base} to {}", (extent - 1).saturating_add(*base)),
            });
        /// A coordinate 0 in a text with coordinates that count from 1.
        Base { line: u64, column: u64, axis: usize } =>
            "text/range", "line {line}, column {column}: coordinate 0 of axis {axis} is out of range; expected 1 or more (to read a text that counts from 0, use `base` 0)";
        /// An entry outside of the triangle that contains the other entries. Coordinates count from 1.
        TextTriangle { line: u64, found: Vec<u64>, triangle: &'static str } =>
            "levels/structure", "line {line}: the entry at {found:?} is outside the {triangle} triangle, but other entries are inside: the file must store one triangle only";
        /// A text with another number of entries than it announces.
        Entries { said: u64, found: u64 } => "text/length", "the text announces {said} entries, but has {found}";

        /// The bytes of an array are not a whole number of values.
        Bytes { array: String, found: usize, size: usize } => "array/length", "{array}: {found} bytes are not a multiple of {size}, the number of bytes of a value";
        /// A bool that is neither 0 nor 1. `at` is its index in the array, from 0.
        Bool { array: String, at: usize, found: u8 } => "array/value", "{array}[{at}] is {found}, but a bool is 0 or 1";
        /// An array of indices whose elements are not whole numbers.
        IndexType { array: String, found: ElementType } => "array/type", "{array} is of type {found}, but indices are integers";
        /// An array of another type than its descriptor or its use requires.
        ArrayType { array: String, found: ElementType, expected: ElementType } => "array/type", "{array} is of type {found} instead of {expected}";
        /// An index that is negative. `at` is its position in the array, from 0.
        NegativeIndex { array: String, at: usize } => "array/range", "{array}[{at}] is negative, but indices are at least 0";
        /// An index into the dictionary of a column that is out of range.
        Dictionary { array: String, at: usize, found: u64, values: u64 } => "array/range", "{array}[{at}] is entry {found} of a dictionary, which has only {values} values (counted from 0)";
        /// An array with another number of axes or with other extents than expected.
        ArrayShape { array: String, found: Vec<u64>, expected: String } => "array/shape", "{array} has the shape {found:?}; expected: {expected}";
        /// An array with another number of values than its descriptor says.
        Stored { found: u64, said: u64 } => "array/length", "values has {found} elements, but `number_of_stored_values` is {said}";
        /// An array of several values, where the descriptor declares one value for all elements.
        Iso { found: u64 } => "array/length", "values has {found} elements, but its type is `iso`, which needs exactly one";
        /// An array that is missing.
        Missing { array: String } => "array/missing", "{array} is missing";
        /// A path that names no tensor in a container of groups, with the paths of all tensors in it.
        NoTensor { place: String, tensors: Vec<String> } => "array/missing", "there is no tensor {place}{}", from_fn(|f| {
            let shown = &tensors[..tensors.len().min(MOST_SHOWN)];
            match shown {
                [] => return f.write_str("; to read a dense array, name its path"),
                [one] => write!(f, "; there is one in the group {one}")?,
                shown => write!(f, "; name one of these groups: {}", shown.join(", "))?,
            }
            if shown.len() < tensors.len() { write!(f, " and {} more", tensors.len() - shown.len()) } else { Ok(()) }
        });
        /// A column of a table in which entries are missing.
        Null { array: String } => "array/null", "{array} has missing entries (nulls); every row needs a value";
        /// An index column of a pandas frame that has either several other columns or none.
        Labels { column: String, columns: usize } =>
            "array/labels", "{column} is a pandas index next to {columns} columns: turn it into a column with `reset_index()`, or drop it with `reset_index(drop=True)` if it is not a coordinate";
        /// An array whose header, metadata or type cannot be used; `what` is the reason.
        ArrayHeader { array: String, what: String } => "array/header", "{array}: {what}";

        /// An element whose mirror image has a value that does not fit the type.
        Mirror { value: String, element: ElementType } => "values/overflow", "the negative of {value}, which the mirror image in a skew-symmetric matrix needs, does not fit the type {element}";
        /// A sum of elements with the same coordinate that does not fit their type.
        Sum { element: ElementType } => "values/overflow", "the sum of the elements with one coordinate does not fit the type {element}";
    }
}

impl From<std::io::Error> for FileError {
    fn from(error: std::io::Error) -> Self {
        FileError::System { message: error.to_string() }
    }
}

/// Returns the class `array/..` of an error of arrays in a file, from the class `levels/..` of level arrays. Other classes stay
/// as they are.
const fn of_arrays(class: &'static str) -> &'static str {
    match class.as_bytes() {
        b"levels/pointers" => "array/pointers",
        b"levels/length" => "array/length",
        b"levels/range" => "array/range",
        b"levels/unsorted" => "array/unsorted",
        b"levels/duplicate" => "array/duplicate",
        b"levels/structure" => "array/structure",
        b"levels/missing" => "array/missing",
        b"levels/unexpected" => "array/unexpected",
        b"levels/overflow" => "array/overflow",
        b"levels/repetition" => "array/repetition",
        b"levels/shape" => "array/shape",
        _ => class,
    }
}
