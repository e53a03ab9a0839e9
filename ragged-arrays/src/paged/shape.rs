//! The structure of a paged array: page size, pool, lengths and block table.

use super::error::{PagedError, Result};
use crate::{DynLevel, OffsetIndex, RaggedError, RaggedShape};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory;
use layout_core::layouts::IntTuple;
use layout_levels::{Consecutive, Fixed, Index, Level};

/// The structure of sequences of tokens in pages of `P` slots. It gives the slot of each token in the pool.
///
/// `P` is an extent as in a shape: with `Int<16>`, a shift and a mask find a slot. `I` is the type of the table's
/// numbers. A row may have more entries than its tokens need; these are in reserve and may have any value.
///
/// ```
/// use layout_core::Int;
/// use ragged_arrays::paged::PagedShape;
/// let table = [5_u32, 2, 0, 7, 3, 6, 5, 1];
/// let a = PagedShape::from_offsets(Int::<4>, 8, &[6, 0, 9, 5], vec![0_u32, 2, 2, 6, 8], &table[..])?;
/// assert_eq!((a.slot(2, 8)?, a.pages(2)), (3 * 4, &[0, 7, 3][..]));
/// assert_eq!(a.slot(0, 6).unwrap_err().to_string(), "sequence 0: token 6 is out of range: there are 6 tokens");
/// assert_eq!((a.slot(0, 0)?, a.slot(3, 0)?), (20, 20)); // page 5 is shared
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PagedShape<'a, I: Index = u32, P = usize> {
    /// The number of slots of a page.
    pub(super) page: Fixed<P>,
    /// The number of pages of the pool.
    pub(super) pool: usize,
    /// The number of tokens of each sequence.
    pub(super) lengths: Vec<usize>,
    /// The range of table entries of each sequence, one row a sequence.
    pub(super) rows: DynLevel<'a>,
    /// Page numbers. Entries that tokens need are below `pool`.
    pub(super) table: Cow<'a, [I]>,
}

/// ```
/// use ragged_arrays::paged::PagedShape;
/// // Sequences of 6, 0 and 9 tokens, in pages of 4 slots. The table has three entries for each.
/// let table = vec![5_u32, 2, 0, 0, 0, 0, 7, 3, 6];
/// let shape = PagedShape::from_rectangle(4, 8, &[6, 0, 9], 3, &table[..])?;
/// assert_eq!((shape.len(), shape.is_empty(), shape.lengths()), (3, false, &[6, 0, 9][..]));
/// assert_eq!((shape.page_size(), shape.pool()), (4, 8));
/// assert_eq!((shape.row(0), shape.pages(0)), (&[5, 2, 0][..], &[5, 2][..])); // one entry is in reserve
/// assert_eq!((shape.tokens()?.offsets(), shape.used_pages()?.offsets()), (vec![vec![0, 6, 6, 15]], vec![vec![0, 2, 2, 5]]));
/// let kept = shape.view().into_owned(); // no longer borrows the table
/// drop(table);
/// assert_eq!(kept.pages(2), [7, 3, 6]);
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
impl<'a, I: Index, P: IntTuple> PagedShape<'a, I, P> {
    /// Creates the structure of sequences with these lengths, whose entries are these rows of the table.
    ///
    /// Fails if a page has no slots, if the number of rows differs from the number of sequences, or if a row is not inside
    /// the table. Then it fails, sequence by sequence, if a length is negative, or if an entry is missing or no page.
    ///
    /// ```
    /// use ragged_arrays::{DynLevel, paged::PagedShape};
    /// // Both sequences have the row of the table that begins at entry 1.
    /// let rows = DynLevel::views(vec![1_u32, 1], vec![2, 2], 3)?;
    /// let shape = PagedShape::new(4, 8, &[3, 7], rows, vec![0_u32, 5, 2])?;
    /// assert_eq!((shape.pages(0), shape.pages(1)), (&[5][..], &[5, 2][..]));
    /// let error = PagedShape::new(4, 8, &[9], DynLevel::fixed(2), vec![5_u32, 2]).unwrap_err();
    /// assert_eq!(error.to_string(), "sequence 0: entry 2 is missing, but 9 tokens need it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(page: P, pool: usize, lengths: &[impl Index], rows: DynLevel<'a>, table: impl Into<Cow<'a, [I]>>) -> Result<Self> {
        let (page, table) = (Fixed::new(page), table.into());
        let slots = page.extent(0);
        positive(slots)?;
        slots.checked_mul(pool).filter(|slots| *slots <= isize::MAX as usize).ok_or(PagedError::Overflow)?;
        checked_rows(&rows, lengths.len(), table.len())?;
        let mut all: Vec<usize> = memory::room(lengths.len()).ok_or(PagedError::Overflow)?;
        let mut tokens = 0_usize;
        for (sequence, length) in lengths.iter().enumerate() {
            let length = length.address().ok_or(PagedError::Length { sequence, length: length.exact() })?;
            let row = table.get(rows.range(sequence)).unwrap_or(&[]);
            let needed = length.div_ceil(slots);
            for (entry, number) in row.iter().take(needed).enumerate() {
                if number.address().is_none_or(|number| number >= pool) {
                    return Err(PagedError::PageRange { sequence, entry, page: number.exact(), pages: pool });
                }
            }
            if row.len() < needed {
                return Err(PagedError::TooFewPages { sequence, entry: row.len(), length });
            }
            tokens = tokens.checked_add(length).ok_or(PagedError::Overflow)?;
            all.push(length);
        }
        Ok(PagedShape { page, pool, lengths: all, rows, table })
    }

    /// Creates the structure of a table with rows of any length, given by their offsets. Fails as `PagedShape::new` does.
    pub fn from_offsets<O: OffsetIndex>(
        page: P,
        pool: usize,
        lengths: &[impl Index],
        offsets: impl Into<Cow<'a, [O]>>,
        table: impl Into<Cow<'a, [I]>>,
    ) -> Result<Self> {
        let rows = DynLevel::offsets(offsets).map_err(|error| PagedError::Table { error })?;
        PagedShape::new(page, pool, lengths, rows, table)
    }

    /// Creates the structure of a rectangular table, with `width` entries for each sequence. Fails as `PagedShape::new` does.
    pub fn from_rectangle(page: P, pool: usize, lengths: &[impl Index], width: usize, table: impl Into<Cow<'a, [I]>>) -> Result<Self> {
        let table = table.into();
        let entries = lengths.len().checked_mul(width).ok_or(PagedError::Overflow)?;
        if table.len() != entries {
            return Err(PagedError::Rows { rows: table.len() / width.max(1), sequences: lengths.len() });
        }
        PagedShape::new(page, pool, lengths, DynLevel::fixed(width), table)
    }

    /// Creates the structure of a table without reserve, given by offsets, from the number of tokens in the last page of each
    /// sequence. Fails if that number is not in `1..=B`, for `B` slots a page (0 without pages), or as `new` does.
    ///
    /// ```
    /// use ragged_arrays::paged::PagedShape;
    /// let a = PagedShape::from_last_pages(4, 8, vec![0_i32, 2, 2, 5], vec![5_i32, 2, 0, 7, 3], &[2, 0, 1])?;
    /// assert_eq!(a.lengths(), [6, 0, 9]);
    /// # Ok::<(), ragged_arrays::paged::PagedError>(())
    /// ```
    pub fn from_last_pages<O: OffsetIndex>(
        page: P,
        pool: usize,
        offsets: impl Into<Cow<'a, [O]>>,
        table: impl Into<Cow<'a, [I]>>,
        last_pages: &[impl Index],
    ) -> Result<Self> {
        let (rows, table) = (DynLevel::offsets(offsets).map_err(|error| PagedError::Table { error })?, table.into());
        let slots = Fixed::new(page).extent(0);
        positive(slots)?;
        checked_rows(&rows, last_pages.len(), table.len())?;
        let length = |(sequence, last): (usize, _)| {
            let (last, pages) = (Index::exact(last), rows.range(sequence).len());
            let (least, most) = if pages == 0 { (0, 0) } else { (1, slots as i128) };
            if !(least..=most).contains(&last) {
                return Err(PagedError::LastPage { sequence, last, page: slots });
            }
            let before = pages.saturating_sub(1).checked_mul(slots).ok_or(PagedError::Overflow)?;
            before.checked_add(last as usize).ok_or(PagedError::Overflow)
        };
        let lengths = last_pages.iter().copied().enumerate().map(length).collect::<Result<Vec<usize>>>()?;
        PagedShape::new(page, pool, &lengths, rows, table)
    }

    /// Returns the number of sequences.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Tests whether there is no sequence.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Returns the number of tokens of each sequence.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// Returns the number of slots of a page.
    #[inline(always)]
    pub fn page_size(&self) -> usize {
        self.page.extent(0)
    }

    /// Returns the number of pages of the pool.
    pub fn pool(&self) -> usize {
        self.pool
    }

    /// Returns the table entries of a sequence, including those in reserve. There are none if the sequence does not exist.
    pub fn row(&self, sequence: usize) -> &[I] {
        if sequence >= self.len() {
            return &[];
        }
        self.table.get(self.rows.range(sequence)).unwrap_or(&[])
    }

    /// Returns the pages of the tokens of a sequence. There are none if the sequence does not exist.
    #[inline]
    pub fn pages(&self, sequence: usize) -> &[I] {
        let needed = self.lengths.get(sequence).map_or(0, |length| self.pages_for(*length));
        self.row(sequence).get(..needed).unwrap_or(&[])
    }

    #[inline(always)]
    fn pages_for(&self, length: usize) -> usize {
        let (pages, slots) = self.page.split(length);
        pages + usize::from(slots > 0)
    }

    /// Returns the length of a sequence. Fails if it does not exist.
    pub(super) fn length(&self, sequence: usize) -> Result<usize> {
        let sequences = self.len();
        self.lengths.get(sequence).copied().ok_or(PagedError::NoSuchSequence { sequence, sequences })
    }

    /// Returns the axes (sequence, token) as the structure of a ragged array. Fails if memory is short.
    pub fn tokens(&self) -> Result<RaggedShape<'static>> {
        shape_of(&self.lengths)
    }

    /// Returns the axes (sequence, page of the sequence) as the structure of a ragged array. Fails if memory is short.
    pub fn used_pages(&self) -> Result<RaggedShape<'static>> {
        shape_of(&self.lengths.iter().map(|length| self.pages_for(*length)).collect::<Vec<_>>())
    }

    /// Returns a structure that borrows the table of this one.
    pub fn view(&self) -> PagedShape<'_, I, P> {
        let PagedShape { page, pool, ref lengths, ref rows, ref table } = *self;
        PagedShape { page, pool, lengths: lengths.clone(), rows: rows.view(), table: Cow::Borrowed(table) }
    }

    /// Returns a structure that owns its arrays. Borrowed ones are copied.
    pub fn into_owned(self) -> PagedShape<'static, I, P> {
        let PagedShape { page, pool, lengths, rows, table } = self;
        PagedShape { page, pool, lengths, rows: rows.into_owned(), table: Cow::Owned(table.into_owned()) }
    }
}

/// Returns the structure of lists of these lengths. Fails if their sum overflows, or if memory is short.
fn shape_of(lengths: &[usize]) -> Result<RaggedShape<'static>> {
    let leaves = lengths.iter().try_fold(0_usize, |sum, length| sum.checked_add(*length)).ok_or(RaggedError::Overflow)?;
    Ok(RaggedShape::new(lengths.len(), alloc::vec![DynLevel::of_lengths(lengths).map_err(RaggedError::from)?], leaves)?)
}

fn positive(slots: usize) -> Result<()> {
    if slots == 0 { Err(PagedError::PageSize { page: 0, parts: 1 }) } else { Ok(()) }
}

/// Fails unless there is one row for each sequence, and all rows are inside a table of `entries` entries.
fn checked_rows(rows: &DynLevel<'_>, sequences: usize, entries: usize) -> Result<()> {
    match rows.rows() {
        Some(rows) if rows != sequences => return Err(PagedError::Rows { rows, sequences }),
        _ => {}
    }
    rows.check_within(sequences, entries).map_err(|error| PagedError::Table { error })
}
