//! A range of rows of a tensor: the coordinates of the first axis that are read.

use std::ops::{Bound, Range, RangeBounds};

/// A slice of the first axis, as NumPy writes it: `start` and `end` may be absent, count from the end if they are negative, and are cut
/// at the extent.
///
/// ```
/// use sparse_files::{ReadOptions, RowSlice, read_bytes};
/// let text = b"1 1 5\n2 3 7\n4 2 1\n".to_vec();
/// let options = ReadOptions { rows: Some(RowSlice::from(1..3)), ..ReadOptions::default() };
/// let (rows, _) = read_bytes(text.into(), "a.tns", &options)?;
/// assert_eq!((rows.shape(), rows.typed::<i64>().expect("int64")?.at(&[0, 2])), (&[2, 3][..], Some(&7)));
/// // The last two rows, and rows beyond the extent.
/// assert_eq!(RowSlice { start: Some(-2), end: None }.of(4), 2..4);
/// assert_eq!((RowSlice::from(3..9).of(4), RowSlice::from(7..9).of(4)), (3..4, 4..4));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RowSlice {
    /// The first row, or the first of all rows if absent.
    pub start: Option<i64>,
    /// The end of the rows, exclusive. If absent, the rows end with the tensor.
    pub end: Option<i64>,
}

impl RowSlice {
    /// Returns the rows of a tensor with `extent` rows.
    pub fn of(self, extent: u64) -> Range<u64> {
        let place = |bound: i64| if bound < 0 { extent.saturating_sub(bound.unsigned_abs()) } else { extent.min(bound as u64) };
        let start = self.start.map_or(0, place);
        start..self.end.map_or(extent, place).max(start)
    }
}

impl<R: RangeBounds<u64>> From<R> for RowSlice {
    fn from(range: R) -> RowSlice {
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let start = match range.start_bound() {
            Bound::Included(start) => Some(number(*start)),
            Bound::Excluded(start) => Some(number(start.saturating_add(1))),
            Bound::Unbounded => None,
        };
        let end = match range.end_bound() {
            Bound::Included(end) => Some(number(end.saturating_add(1))),
            Bound::Excluded(end) => Some(number(*end)),
            Bound::Unbounded => None,
        };
        RowSlice { start, end }
    }
}
