//! The errors of contractions: values with numbers, each with a class for programs and a message for people.

use alloc::string::String;
use alloc::vec::Vec;
use sparse_formats::{OperationError, SparseError};

layout_core::errors! {
    /// The error of a contraction: of its subscripts, of its factors, or of a kernel that computes a step.
    ContractionError of Kernel(OperationError) {
        /// A character of the subscripts is no letter.
        Character { subscripts: String, found: char } => "contraction/subscripts", "`{subscripts}`: `{found}` is not a letter";
        /// The subscripts have more than one arrow.
        Arrow { subscripts: String } => "contraction/subscripts", "`{subscripts}`: `->` occurs more than once";
        /// The dots of an ellipsis are no three dots, or a list of letters has two ellipses.
        Ellipsis { subscripts: String } => "contraction/subscripts", "`{subscripts}`: dots form one ellipsis of three, `...`, in each list of letters";
        /// The subscripts have more letters than a contraction takes.
        Letters { subscripts: String, found: usize, most: usize } => "contraction/subscripts", "`{subscripts}`: {found} different axes are too many: at most {most} are possible";
        /// The number of lists of letters differs from the number of operands.
        Operands { subscripts: String, lists: usize, operands: usize } =>
            "contraction/shape", "`{subscripts}`: the subscripts name {lists} operands, but {operands} are given";
        /// The number of letters of an operand differs from its number of axes.
        Rank { subscripts: String, operand: usize, letters: usize, axes: usize } =>
            "contraction/shape", "`{subscripts}`: operand {operand} has {letters} letters, but {axes} axes";
        /// A letter has two extents.
        Extents { subscripts: String, letter: char, first: usize, extent: u64, second: usize, other: u64 } =>
            "contraction/shape", "`{subscripts}`: the letter {letter} is {extent} in operand {first} and {other} in operand {second}";
        /// Two axes that an ellipsis stands for have extents that do not match.
        Broadcast { subscripts: String, first: usize, extent: u64, second: usize, other: u64 } =>
            "contraction/shape", "`{subscripts}`: an axis of `...` is {extent} in operand {first} and {other} in operand {second}";
        /// A letter of the result is in no operand.
        Unknown { subscripts: String, letter: char } => "contraction/subscripts", "`{subscripts}`: the letter {letter} of the result is in no operand";
        /// A letter occurs twice in the result.
        Repeated { subscripts: String, letter: char } => "contraction/subscripts", "`{subscripts}`: the letter {letter} occurs twice in the result";
        /// The result has no ellipsis, but ellipses of operands stand for axes.
        NoEllipsis { subscripts: String, axes: usize } =>
            "contraction/subscripts", "`{subscripts}`: `...` stands for {axes} axes of the operands, but the result has no `...`";
        /// A dense operand has another number of elements than its extents say.
        Elements { operand: usize, found: usize, shape: Vec<u64> } =>
            "contraction/shape", "operand {operand} has {found} elements, but the extents {shape:?}";
        /// The elements that a sparse operand does not store have another value than the zero of the arithmetic.
        Fill { operand: usize, fill: String, zero: String } =>
            "contraction/fill", "operand {operand} has the fill value {fill}, but elements that are not stored must be {zero}, the zero of the arithmetic";
        /// An operand of max-times has a negative element.
        Negative { operand: usize, found: String } => "contraction/value", "operand {operand} has the element {found}, but max-times takes no negative numbers";
        /// The format asked for has another number of axes than the result.
        Format { format: String, axes: usize, rank: usize } => "contraction/format", "the format `{format}` has {axes} axes, but the result has {rank}";
    }
}

impl From<SparseError> for ContractionError {
    fn from(error: SparseError) -> Self {
        OperationError::from(error).into()
    }
}

/// Returns the error for `elements` elements that memory has no room for.
pub(crate) fn memory(elements: usize) -> ContractionError {
    SparseError::Memory { elements }.into()
}
