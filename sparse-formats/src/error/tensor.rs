//! Why data are those of no tensor, or do not fit.

use super::{FormatError, from_fn};
use alloc::vec::Vec;
use array_kernels::{ChainError, Width};
use core::fmt::{Display, Formatter, Result};
use layout_levels::Part;

/// An array that an error is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum ArrayName {
    /// The coordinates of a level: `indices_0`.
    Indices(usize),
    /// The bounds of the children of the entries of a level: `pointers_0`.
    Pointers(usize),
    /// The values.
    Values,
    /// An argument of a function on slices, by its name.
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
    /// Why arrays, coordinates or attributes are those of no tensor, or a tensor does not fit what is asked for.
    SparseError of Format(FormatError), Chain(ChainError) {
        /// The shape has another number of axes than the format.
        Rank { shape: usize, format: usize } => "levels/shape", "{shape} extents for a format of {format} axes";
        /// The level has this array, which is missing.
        Missing { array: ArrayName } => "levels/missing", "{array} is missing";
        /// The level has no such array.
        Unexpected { array: ArrayName } => "levels/unexpected", "{array} has no place in this format";
        /// An array of another length than the levels above, or the arrays beside it, ask for.
        Length { array: ArrayName, found: usize, expected: usize } => "levels/length", "{array} has {found} elements instead of {expected}";
        /// The first pointer is not 0.
        First { array: ArrayName, found: u64 } => "levels/pointers", "{array}[0] is {found} instead of 0";
        /// A pointer that is less than the one before it.
        Decreasing { array: ArrayName, at: usize, before: u64, found: u64 } =>
            "levels/pointers", "{array}[{at}] is {found}, less than {before} before it";
        /// The last pointer is not the number of children.
        Last { array: ArrayName, found: u64, expected: usize } =>
            "levels/pointers", "{array} ends with {found}, but there are {expected} children";
        /// An entry that occurs has no element below it.
        Childless { level: usize, at: usize } => "levels/pointers", "indices_{level}[{at}] has no element below it";
        /// A coordinate beyond the extent of its axis.
        Range { array: ArrayName, at: usize, found: u64, extent: u64 } =>
            "levels/range", "{array}[{at}] is {found}, but the extent is {extent}";
        /// An entry of a group of levels that is less than the one before it below the same parent; `level` is the last of the group.
        Unsorted { level: usize, at: usize, before: Vec<u64>, found: Vec<u64> } =>
            "levels/unsorted", "{} is {}, less than {} before it", place(*level, *at, found), tuple(found), tuple(before);
        /// An entry of a group of levels that occurs twice below the same parent; `level` is the last of the group.
        Duplicate { level: usize, at: usize, found: Vec<u64> } =>
            "levels/duplicate", "{} repeats {}", place(*level, *at, found), tuple(found);
        /// An entry before a `C` level that is not repeated for each coordinate of it.
        Repetition { array: ArrayName, at: usize, expected: u64, found: u64 } =>
            "levels/repetition", "{array}[{at}] is {found}, but its block before a compressed level began with {expected}";
        /// The entries before a `C` level are no blocks of its extent; `found` is their number, or the pointer that ends between blocks.
        PartialBlock { array: ArrayName, found: u64, extent: u64 } =>
            "levels/length", "{array}: {found} is no multiple of the extent {extent} of the compressed level after it";
        /// A node that should have been split.
        Children { level: usize, at: usize, found: u64, most: usize } =>
            "levels/balance", "indices_{level}[{at}] has {found} children, but there may be {most}";
        /// More entries than memory can address, in a level, or of values where `level` is the number of levels.
        Overflow { level: usize, parents: usize, extent: u64 } =>
            "levels/overflow", "level {level}: {parents} times {extent} entries do not fit memory";

        /// Another number of coordinate arrays than of axes.
        Columns { found: usize, expected: usize } => "levels/shape", "{found} arrays of coordinates for {expected} axes";
        /// Coordinate arrays of different lengths.
        ColumnLength { axis: usize, found: usize, expected: usize } =>
            "levels/length", "axis {axis}: {found} coordinates, but the first axis has {expected}";
        /// A coordinate of an element beyond the extent of its axis.
        Coordinate { axis: usize, at: usize, found: u64, extent: u64 } =>
            "levels/range", "axis {axis}: coordinate {found} of element {at} is beyond the extent {extent}";
        /// Two elements of one coordinate, where there may be one.
        Repeated { at: (usize, usize), found: Vec<u64> } =>
            "levels/duplicate", "elements {} and {} are both at {found:?} in storage order", at.0, at.1;
        /// An array of a given width that does not hold its numbers.
        Width { array: ArrayName, width: Width, most: u64 } => "levels/width", "{array}: {} bits do not hold {most}", width.bits();
        /// More entries of a level than memory can hold.
        Entries { level: usize, parents: usize, extents: Vec<u64> } =>
            "levels/overflow", "level {level}: {parents} times {extents:?} entries do not fit memory, or the limit that is set";
        /// Blocks over dense axes that memory cannot hold.
        Blocks { blocks: usize, extents: Vec<u64> } =>
            "levels/overflow", "{blocks} blocks of {extents:?} elements do not fit memory, or the limit that is set";
        /// Memory has no room for so many elements.
        Memory { elements: usize } => "levels/overflow", "{elements} elements do not fit memory";
        /// Elements of a multigraph with dense axes: which of them are in one block is not said.
        MultigraphBlocks => "levels/multigraph", "elements of a multigraph with dense axes must be given as blocks";

        /// A symmetry or a triangle of a tensor whose extents differ.
        Extents { shape: Vec<u64> } => "levels/shape", "extents {shape:?} are not equal: the tensor has no triangles";
        /// A stored element outside of the triangle.
        Outside { at: usize, coordinate: Vec<u64>, triangle: &'static str } =>
            "levels/structure", "element {at} at {coordinate:?} is outside of the {triangle} triangle";
        /// A stored element without its mirror image.
        Unmatched { at: usize, coordinate: Vec<u64> } => "levels/structure", "element {at} at {coordinate:?} has no mirror image";
        /// Another number of diagonal elements.
        Diagonal { found: u64, said: u64 } => "levels/structure", "{found} elements on the diagonal instead of {said}";
        /// The operation would drop the elements that a triangle stands for.
        OneTriangle => "levels/structure", "one triangle stands for both: the operation would drop the other";

        /// An extent beyond the words of the machine, which the coordinates of a chain are.
        ChainWord { level: usize, extent: u64 } => "levels/chain", "level {level}: {} bits do not hold the extent {extent}", usize::BITS;

        /// Another number of parts, or a part of other extents or levels than its place has.
        Parts { found: usize, expected: usize } => "blocked/parts", "{found} parts instead of {expected}";
        /// A part whose coordinates are not those that its map stores.
        PartShape { part: usize, found: Vec<u64>, expected: Vec<u64> } => "blocked/parts", "part {part} has extents {found:?} instead of {expected:?}";
        /// A part with another value for what is not stored.
        PartFill { part: usize } => "blocked/parts", "part {part} has another fill value";
        /// A part in which coordinates may repeat.
        MultigraphPart { part: usize } => "blocked/parts", "part {part} is a multigraph: its coordinates may repeat";
        /// An element of a part whose stored coordinates are those of a coordinate beyond the extents.
        PartRange { part: usize, at: usize, axis: usize, found: u64, extent: u64 } =>
            "blocked/range", "part {part}: element {at} has coordinate {found} in axis {axis}, but the extent is {extent}";
        /// An element that two parts store.
        Shared { parts: (usize, usize), found: Vec<u64> } => "blocked/duplicate", "parts {} and {} both store {found:?}", parts.0, parts.1;
        /// Elements that are not in the order of their format.
        PartOrder { part: usize, at: usize } => "blocked/unsorted", "part {part}: element {at} comes before the one before it";
        /// A slice in a group that its elements and fibers do not put it in, or in two.
        Slice { part: usize, slice: u64, elements: usize, fibers: usize } =>
            "blocked/slice", "part {part}: slice {slice} with {elements} elements in {fibers} fibers has no place in it";

        /// An entry of a list that is below the one before it, where they have to be in order.
        Descending { at: usize } => "levels/unsorted", "entry {at} is below the entry before it";
        /// A number that does not fit the index type, or memory.
        TooLarge { what: &'static str, number: u64, most: u64 } => "levels/overflow", "{number} {what}, at most {most} fit";
    }
}

impl SparseError {
    /// The array that the error is about, if it is about one.
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
            SparseError::Chain(ChainError::Width { level, part: Part::Coordinates, .. }) => Some(ArrayName::Indices(*level)),
            // The positions of a level are the pointers of the level before it.
            SparseError::Chain(ChainError::Width { level, .. }) => level.checked_sub(1).map(ArrayName::Pointers),
            SparseError::Unsorted { level, .. } | SparseError::Duplicate { level, .. } => Some(ArrayName::Indices(*level)),
            _ => None,
        }
    }
}

/// A position in the arrays of a group of levels that ends with this one: `indices_1[7]`, `(indices_0, indices_1)[7]`.
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

/// A coordinate alone, or a tuple of them.
fn tuple(coordinates: &[u64]) -> impl Display {
    from_fn(move |f| match coordinates {
        [one] => write!(f, "{one}"),
        all => write!(f, "{all:?}"),
    })
}
