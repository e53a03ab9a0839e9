//! The errors of paged arrays.

use crate::RaggedError;
use layout_levels::LevelError;

layout_core::errors! {
    /// The error of a constructor or an operation of paged arrays, with the sequence, the entry of its row, and the
    /// numbers.
    ///
    /// ```
    /// use ragged_arrays::paged::PagedShape;
    /// // Two sequences of 6 and 9 tokens in pages of 4, in a pool of 8 pages: the third entry of the second row is no page.
    /// let error = PagedShape::from_rectangle(4, 8, &[6, 9], 3, vec![5_i32, 2, -1, 0, 7, 8]).unwrap_err();
    /// assert_eq!(error.to_string(), "sequence 1: entry 2 is page 8, but there are 8 pages");
    /// assert_eq!((error.class(), error.sequence(), error.index()), ("paged/page_range", Some(1), Some(2)));
    /// ```
    #[derive(Copy)]
    #[non_exhaustive]
    PagedError of Ragged(RaggedError) {
        /// A page has no slots, or its slots do not divide into the requested parts.
        PageSize { page: usize, parts: usize } => "paged/page_size", "a page of {page} slots cannot be divided into {parts} equal parts";
        /// The extent of the first mode of the layout is not the number of slots of a page.
        PageLayout { slots: usize, page: usize } => "paged/page_size", "the layout has {slots} slots, but a page has {page}";
        /// The layout has negative indices, or it is to be written and two elements share an index.
        Layout => "paged/layout", "the layout of a page has a negative index, or the same index twice";
        /// The number of rows, or of last pages, is not the number of sequences.
        Rows { rows: usize, sequences: usize } => "paged/table", "the table has {rows} rows, but there are {sequences} sequences";
        /// The rows do not fit the table.
        Table { error: LevelError } => "paged/table", "{error}";
        /// The length of a sequence is negative, or exceeds what can be addressed.
        Length { sequence: usize, length: i128 } => "paged/length", "sequence {sequence}: the length {length} is not a number of tokens";
        /// The number of tokens in the last page is out of range.
        LastPage { sequence: usize, last: i128, page: usize } =>
            "paged/last_page", "sequence {sequence}: the last page has {last} tokens, but a page has {page} slots";
        /// A row has fewer entries than the tokens need.
        TooFewPages { sequence: usize, entry: usize, length: usize } =>
            "paged/too_few_pages", "sequence {sequence}: entry {entry} is missing, but {length} tokens need it";
        /// An entry is not a page of the pool.
        PageRange { sequence: usize, entry: usize, page: i128, pages: usize } =>
            "paged/page_range", "sequence {sequence}: entry {entry} is page {page}, but there are {pages} pages";
        /// A page is used twice, but is to be written.
        SharedWrite { sequence: usize, entry: usize, page: usize, other: usize } =>
            "paged/shared_write", "sequence {sequence}: entry {entry} is page {page}, which sequence {other} also uses";
        /// A row has no page for a further token.
        NoPage { sequence: usize, entry: usize } => "paged/no_page", "sequence {sequence}: the next token needs a page at entry {entry}, but there is none";
        /// The page of a further token is in use elsewhere.
        SharedPage { sequence: usize, page: usize } =>
            "paged/shared_page", "sequence {sequence}: the next token would go to page {page}, which is already in use";
        /// A sequence has fewer tokens than the number of new tokens.
        NewTokens { sequence: usize, new: usize, length: usize } =>
            "paged/q_lengths", "sequence {sequence}: {new} tokens are new, but the sequence has only {length}";
        /// There is no such sequence.
        NoSuchSequence { sequence: usize, sequences: usize } => "paged/sequence", "sequence {sequence} is out of range: there are {sequences} sequences";
        /// There is no such token.
        NoSuchToken { sequence: usize, token: usize, length: usize } =>
            "paged/token", "sequence {sequence}: token {token} is out of range: there are {length} tokens";
        /// A coordinate of an element of a token is beyond its mode, or there are too many or too few.
        NoSuchElement { mode: usize, coordinate: usize, extent: usize } =>
            "paged/element", "mode {mode}: coordinate {coordinate} is beyond the extent {extent}";
        /// The pool, or the list of gathered or scattered elements, has another length.
        Elements { elements: usize, expected: usize } => "paged/elements", "there are {elements} elements instead of {expected}";
        /// A number exceeds its integer type, or memory has no room for an array.
        Overflow => "paged/overflow", "a number is too large for its integer type, or an array is too large for memory";
    }
}

impl PagedError {
    /// Returns the number of the sequence of the error, from 0, or `None` if it has none.
    pub const fn sequence(&self) -> Option<usize> {
        match self {
            PagedError::Length { sequence, .. }
            | PagedError::LastPage { sequence, .. }
            | PagedError::TooFewPages { sequence, .. }
            | PagedError::PageRange { sequence, .. }
            | PagedError::SharedWrite { sequence, .. }
            | PagedError::NoPage { sequence, .. }
            | PagedError::SharedPage { sequence, .. }
            | PagedError::NewTokens { sequence, .. }
            | PagedError::NoSuchSequence { sequence, .. }
            | PagedError::NoSuchToken { sequence, .. } => Some(*sequence),
            _ => None,
        }
    }

    /// Returns the number of the entry in the sequence's row, from 0, or `None` if the error has none.
    pub const fn index(&self) -> Option<usize> {
        match self {
            PagedError::TooFewPages { entry, .. }
            | PagedError::PageRange { entry, .. }
            | PagedError::SharedWrite { entry, .. }
            | PagedError::NoPage { entry, .. } => Some(*entry),
            _ => None,
        }
    }
}

/// The result of an operation that may fail with a [`PagedError`].
///
/// ```
/// use ragged_arrays::paged::{PagedShape, Result};
/// fn last_slots(shape: &PagedShape<'_>) -> Result<Vec<usize>> {
///     shape.new_slots(&vec![1; shape.len()])
/// }
/// assert_eq!(last_slots(&PagedShape::from_rectangle(4, 8, &[6, 4], 2, vec![5_u32, 2, 7, 0])?)?, [9, 31]);
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
pub type Result<T> = core::result::Result<T, PagedError>;
