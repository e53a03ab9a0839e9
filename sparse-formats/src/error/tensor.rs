//! Errors of tensors: of arrays, coordinates and attributes.

use super::{FormatError, from_fn};
use alloc::vec::Vec;
use array_kernels::{ChainError, Width};
use core::fmt::{Display, Formatter, Result};
use layout_levels::LevelArray;

/// The name of an array in an error.
///
/// ```
/// use sparse_formats::{ArrayName, Arrays, Format, SparseError, SparsityPattern};
/// let names = [ArrayName::Indices(1), ArrayName::Pointers(0), ArrayName::Values].map(|array| array.to_string());
/// assert_eq!(names, ["indices_1", "pointers_0", "values"]);
/// let error = SparsityPattern::from_parts(&[2, 3], Format::csr(), Arrays::new()).unwrap_err().error;
/// assert_eq!(error, SparseError::Missing { array: ArrayName::Pointers(0) });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum ArrayName {
    /// The coordinates of a level, as in `indices_0`.
    Indices(usize),
    /// The bounds of the children of the entries of a level, as in `pointers_0`.
    Pointers(usize),
    /// The values.
    Values,
    /// An argument of a function on slices.
    Argument(&'static str),
}

impl Display for ArrayName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            ArrayName::Indices(level) => write!(f, "indices_{level}"),
            ArrayName::Pointers(level) => write!(f, "pointers_{level}"),
            ArrayName::Values => f.write_str("values"),
            ArrayName::Argument(name) => f.write_str(name),
        }
    }
}

layout_core::errors! {
    /// The error of arrays, coordinates or attributes that form no tensor, or of a tensor that does not fit a request.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, SparseError};
    /// let columns: [Indices; 2] = [vec![1u8, 1].into(), vec![0u8, 0].into()];
    /// let error = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![5, 6]).unwrap_err();
    /// assert_eq!(error, SparseError::Repeated { at: (0, 1), found: vec![1, 0] });
    /// assert_eq!(error.class(), "levels/duplicate");
    /// assert_eq!(error.to_string(), "elements 0 and 1 are both at [1, 0]");
    /// ```
    SparseError of Format(FormatError), Chain(ChainError) {
        /// The number of extents differs from the number of axes of the format.
        Rank { shape: usize, format: usize } => "levels/shape", "{shape} extents are given for a format of {format} axes";
        /// A level needs this array, which is missing.
        Missing { array: ArrayName } => "levels/missing", "{array} is missing";
        /// A level has no such array.
        Unexpected { array: ArrayName } => "levels/unexpected", "{array} is given, but the format has no such array";
        /// The length of an array contradicts the levels above or the arrays beside it.
        Length { array: ArrayName, found: usize, expected: usize } => "levels/length", "{array} has {found} elements instead of {expected}";
        /// The first pointer is not 0.
        First { array: ArrayName, found: u64 } => "levels/pointers", "{array}[0] is {found} instead of 0";
        /// A pointer is less than the one before it.
        Decreasing { array: ArrayName, at: usize, before: u64, found: u64 } =>
            "levels/pointers", "{array}[{at}] is {found}, less than the {before} before it";
        /// The last pointer differs from the number of children.
        Last { array: ArrayName, found: u64, expected: usize } =>
            "levels/pointers", "{array} ends with {found}, but there are {expected} children";
        /// An entry of a level has no element below it.
        Childless { level: usize, at: usize } => "levels/pointers", "indices_{level}[{at}] has no element below it";
        /// A coordinate exceeds the extent of its axis.
        Range { array: ArrayName, at: usize, found: u64, extent: u64 } =>
            "levels/range", "{array}[{at}] is {found}, but the extent is {extent}";
        /// An entry of a group of levels, ending with `level`, is less than the one before it below the same parent.
        Unsorted { level: usize, at: usize, before: Vec<u64>, found: Vec<u64> } =>
            "levels/unsorted", "{} is {}, less than the {} before it", place(*level, *at, found), tuple(found), tuple(before);
        /// An entry of a group of levels, ending with `level`, occurs twice below the same parent.
        Duplicate { level: usize, at: usize, found: Vec<u64> } =>
            "levels/duplicate", "{} repeats {}", place(*level, *at, found), tuple(found);
        /// An entry before a `C` level is not repeated for each coordinate of that level.
        Repetition { array: ArrayName, at: usize, expected: u64, found: u64 } =>
            "levels/repetition", "{array}[{at}] is {found} instead of {expected}: before a C level, an entry repeats for each coordinate of that level";
        /// The entries before a `C` level are no whole blocks of its extent. `found` is their number, or the
        /// pointer that ends within a block.
        PartialBlock { array: ArrayName, found: u64, extent: u64 } =>
            "levels/length", "{array}: {found} is not a multiple of {extent}, the extent of the C level after it";
        /// A node has more children than the balance of the format allows.
        Children { level: usize, at: usize, found: u64, most: usize } =>
            "levels/balance", "indices_{level}[{at}] has {found} children, but at most {most} are allowed";
        /// A level has more entries than memory can address. With `level` equal to the number of levels, the values do.
        Overflow { level: usize, parents: usize, extent: u64 } =>
            "levels/overflow", "level {level}: {parents} times {extent} entries do not fit memory";

        /// The number of coordinate arrays differs from the number of axes.
        Columns { found: usize, expected: usize } => "levels/shape", "{found} arrays of coordinates are given for {expected} axes";
        /// Coordinate arrays have different lengths.
        ColumnLength { axis: usize, found: usize, expected: usize } =>
            "levels/length", "axis {axis}: {found} coordinates, but the first axis has {expected}";
        /// A coordinate of an element exceeds the extent of its axis.
        Coordinate { axis: usize, at: usize, found: u64, extent: u64 } =>
            "levels/range", "axis {axis}: coordinate {found} of element {at} is beyond the extent {extent}";
        /// Two elements have the same coordinate, although coordinates may not repeat.
        Repeated { at: (usize, usize), found: Vec<u64> } =>
            "levels/duplicate", "elements {} and {} are both at {found:?}", at.0, at.1;
        /// The given width of an array cannot hold its numbers.
        Width { array: ArrayName, width: Width, most: u64 } => "levels/width", "{array}: {most} does not fit {} bits", width.bits();
        /// A level has more entries than memory or the given limit allows.
        Entries { level: usize, parents: usize, extents: Vec<u64> } =>
            "levels/overflow", "level {level}: {parents} times {extents:?} entries exceed memory or the given limit";
        /// The blocks over dense axes exceed memory or the given limit.
        Blocks { blocks: usize, extents: Vec<u64> } =>
            "levels/overflow", "{blocks} blocks of {extents:?} elements exceed memory or the given limit";
        /// Memory has no room for this number of elements.
        Memory { elements: usize } => "levels/overflow", "{elements} elements do not fit memory";
        /// A multigraph with dense axes got single elements, so it is unknown which of them form a block.
        MultigraphBlocks => "levels/multigraph", "a multigraph with dense axes is built from whole blocks, not from single elements";

        /// A tensor with a symmetry or a triangle has unequal extents.
        Extents { shape: Vec<u64> } => "levels/shape", "the extents {shape:?} differ, but a triangle or a symmetry needs equal ones";
        /// A stored element is outside the triangle.
        Outside { at: usize, coordinate: Vec<u64>, triangle: &'static str } =>
            "levels/structure", "element {at} at {coordinate:?} is outside the {triangle} triangle";
        /// A stored element lacks its mirror image.
        Unmatched { at: usize, coordinate: Vec<u64>, mirror: Vec<u64> } => "levels/structure",
            "element {at} at {coordinate:?} has no mirror image: the symmetry needs an element at {mirror:?}";
        /// The number of diagonal elements differs from the given one.
        Diagonal { found: u64, said: u64 } => "levels/structure", "the diagonal has {found} elements instead of {said}";
        /// The operation would drop the elements that a stored triangle stands for.
        OneTriangle => "levels/structure", "the tensor stores one triangle for both, and the operation would drop the other: expand the tensor first";

        /// An extent exceeds `usize`, the type of coordinates in a chain.
        ChainWord { level: usize, extent: u64 } => "levels/chain", "level {level}: the extent {extent} does not fit {} bits", usize::BITS;

        /// The number of parts differs from the number that the composite format needs.
        Parts { found: usize, expected: usize } => "blocked/parts", "{found} parts are given instead of {expected}";
        /// The extents of a part differ from those that its map stores.
        PartShape { part: usize, found: Vec<u64>, expected: Vec<u64> } => "blocked/parts", "part {part} has extents {found:?} instead of {expected:?}";
        /// A part has another fill value than the tensor.
        PartFill { part: usize } => "blocked/parts", "part {part} has a different fill value than the tensor";
        /// Coordinates of a part may repeat.
        MultigraphPart { part: usize } => "blocked/parts", "part {part} is a multigraph, but coordinates of a part must not repeat";
        /// The stored coordinates of an element of a part decode to a coordinate that exceeds an extent.
        PartRange { part: usize, at: usize, axis: usize, found: u64, extent: u64 } =>
            "blocked/range", "part {part}: element {at} has coordinate {found} in axis {axis}, but the extent is {extent}";
        /// Two parts store the same element.
        Shared { parts: (usize, usize), found: Vec<u64> } => "blocked/duplicate", "parts {} and {} both store the element {found:?}", parts.0, parts.1;
        /// The elements of a part are not in the order of its format.
        PartOrder { part: usize, at: usize } => "blocked/unsorted", "part {part}: element {at} is less than the element before it in the order of the format";
        /// A slice is in the wrong group for its numbers of elements and fibers, or in two groups.
        Slice { part: usize, slice: u64, elements: usize, fibers: usize } =>
            "blocked/slice", "part {part}: slice {slice} with {elements} elements in {fibers} fibers belongs to another part, or is in two parts";

        /// An entry of a list is less than the one before it, although the list must be sorted.
        Descending { at: usize } => "levels/unsorted", "entry {at} is less than the entry before it";
        /// A number does not fit the index type, or memory.
        TooLarge { what: &'static str, number: u64, most: u64 } => "levels/overflow", "{number} {what} are too many: at most {most} fit";
    }
}

impl SparseError {
    /// Returns the array that the error is about, or `None` if it is about no array.
    ///
    /// ```
    /// use sparse_formats::{ArrayName, Arrays, Format, SparsityPattern};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 1]).with_indices(1, vec![0u8]);
    /// let error = SparsityPattern::from_parts(&[2, 3], Format::csr(), arrays).unwrap_err().error;
    /// assert_eq!(error.to_string(), "pointers_0[2] is 1, less than the 2 before it");
    /// assert_eq!(error.array(), Some(ArrayName::Pointers(0)));
    /// ```
    pub fn array(&self) -> Option<ArrayName> {
        match self {
            SparseError::Missing { array }
            | SparseError::Unexpected { array }
            | SparseError::Length { array, .. }
            | SparseError::First { array, .. }
            | SparseError::Decreasing { array, .. }
            | SparseError::Last { array, .. }
            | SparseError::Range { array, .. }
            | SparseError::Repetition { array, .. }
            | SparseError::PartialBlock { array, .. }
            | SparseError::Width { array, .. } => Some(*array),
            SparseError::Chain(ChainError::Width { level, part: LevelArray::Coordinates, .. }) => Some(ArrayName::Indices(*level)),
            // The positions of a level are the pointers of the level before it.
            SparseError::Chain(ChainError::Width { level, .. }) => level.checked_sub(1).map(ArrayName::Pointers),
            SparseError::Unsorted { level, .. } | SparseError::Duplicate { level, .. } => Some(ArrayName::Indices(*level)),
            _ => None,
        }
    }
}

/// Displays a position in a group of levels that ends with `level`: `indices_1[7]`, `(indices_0, indices_1)[7]`.
fn place(level: usize, at: usize, tuple: &[u64]) -> impl Display {
    let levels = level + 1 - tuple.len()..=level;
    from_fn(move |f| {
        if levels.start() == levels.end() {
            return write!(f, "indices_{level}[{at}]");
        }
        for level in levels.clone() {
            write!(f, "{}indices_{level}", if level == *levels.start() { "(" } else { ", " })?;
        }
        write!(f, ")[{at}]")
    })
}

/// Displays a single coordinate, or a tuple of several.
fn tuple(coordinates: &[u64]) -> impl Display {
    from_fn(move |f| match coordinates {
        [one] => write!(f, "{one}"),
        all => write!(f, "{all:?}"),
    })
}
