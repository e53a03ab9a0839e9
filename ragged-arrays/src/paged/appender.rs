//! Appends tokens to a paged structure one after the other, without writing to a page that another sequence reads.

use super::error::{PagedError, Result};
use super::shape::PagedShape;
use alloc::vec::Vec;
use layout_core::layouts::IntTuple;
use layout_levels::{Consecutive, Index, Level};

/// A paged structure that grows. It knows how often each page is used, so that no token is written to a page that
/// another sequence reads.
///
/// ```
/// use ragged_arrays::paged::{Appender, PagedShape};
/// // Two sequences share page 5; the second has page 1 in reserve.
/// let shape = PagedShape::from_rectangle(4, 8, &[3, 4], 2, vec![5_u32, 9, 5, 1])?;
/// let mut a = Appender::new(shape)?;
/// assert_eq!((a.uses()[5], a.uses()[1]), (2, 0));
/// assert_eq!(a.append(1)?, 4);
/// assert_eq!(a.append(0).unwrap_err().to_string(), "sequence 0: the next token would go to page 5, which is already in use");
/// assert_eq!(a.replace(0, 7)?, 5); // the caller copies the content of page 5 to page 7
/// assert_eq!(a.append(0)?, 7 * 4 + 3);
/// assert_eq!(a.append(0).unwrap_err().class(), "paged/no_page");
/// a.provide(0, 0)?;
/// assert_eq!(a.append(0)?, 0);
/// assert_eq!(a.into_shape().lengths(), [5, 5]);
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Appender<'a, I: Index = u32, P = usize> {
    shape: PagedShape<'a, I, P>,
    uses: Vec<u32>,
}

impl<'a, I: Index, P: IntTuple> Appender<'a, I, P> {
    /// Creates an appender to a structure. Fails if memory is short.
    pub fn new(shape: PagedShape<'a, I, P>) -> Result<Self> {
        let uses = shape.uses()?;
        Ok(Appender { shape, uses })
    }

    /// Returns the structure with the tokens appended so far.
    pub fn shape(&self) -> &PagedShape<'a, I, P> {
        &self.shape
    }

    /// Returns the structure with the tokens appended so far, and drops the appender.
    pub fn into_shape(self) -> PagedShape<'a, I, P> {
        self.shape
    }

    /// Returns, for each page of the pool, the number of entries with tokens that name it.
    pub fn uses(&self) -> &[u32] {
        &self.uses
    }

    /// Returns the slot in the pool that the next token of a sequence would get.
    ///
    /// Fails if there is no such sequence, if its row has no page for the token ([`Appender::provide`] sets one), and if that
    /// page is in use elsewhere ([`Appender::replace`] replaces it).
    pub fn next(&self, sequence: usize) -> Result<usize> {
        let length = self.shape.length(sequence)?;
        let (entry, slot) = self.shape.page.split(length);
        let page = self.shape.row(sequence).get(entry).and_then(|page| page.address()).filter(|page| *page < self.shape.pool);
        let page = page.ok_or(PagedError::NoPage { sequence, entry })?;
        // The sequence itself uses a page that it has begun.
        if self.uses[page] > u32::from(slot > 0) {
            return Err(PagedError::SharedPage { sequence, page });
        }
        Ok(self.shape.page.begin(page) + slot)
    }

    /// Appends a token to a sequence, and returns its slot in the pool. Fails as [`Appender::next`] does.
    pub fn append(&mut self, sequence: usize) -> Result<usize> {
        let slot = self.next(sequence)?;
        let (page, place) = self.shape.page.split(slot);
        self.uses[page] += u32::from(place == 0);
        self.shape.lengths[sequence] += 1;
        Ok(slot)
    }

    /// Makes `page` the next page of a sequence: that of the tokens that its pages with tokens have no slot for.
    ///
    /// Fails if the sequence does not exist, if the page is in use or not in the pool, or if the row has no entry for it.
    pub fn provide(&mut self, sequence: usize, page: usize) -> Result<()> {
        let entry = self.shape.length(sequence)?.div_ceil(self.shape.page.extent(0));
        self.set(sequence, entry, page)
    }

    /// Makes `page` the last page of a sequence that has tokens. Returns the page that it replaces, whose content the caller must
    /// copy.
    ///
    /// Fails if the sequence has no page, or if `page` is in use or not in the pool.
    pub fn replace(&mut self, sequence: usize, page: usize) -> Result<usize> {
        let entry = self.shape.pages(sequence).len().checked_sub(1).ok_or(PagedError::NoPage { sequence, entry: 0 })?;
        let before = self.shape.pages(sequence)[entry].to_usize();
        self.set(sequence, entry, page)?;
        self.uses[page] += 1;
        self.uses[before] -= 1;
        Ok(before)
    }

    fn set(&mut self, sequence: usize, entry: usize, page: usize) -> Result<()> {
        let pages = self.shape.pool;
        match (self.uses.get(page), I::from_usize(page)) {
            (Some(0), Some(number)) => {
                let place = Some(self.shape.rows.range(sequence)).filter(|row| entry < row.len()).map(|row| row.start + entry);
                let place = place.and_then(|place| self.shape.table.to_mut().get_mut(place));
                *place.ok_or(PagedError::NoPage { sequence, entry })? = number;
                Ok(())
            }
            (Some(_), Some(_)) => Err(PagedError::SharedPage { sequence, page }),
            _ => Err(PagedError::PageRange { sequence, entry, page: page as i128, pages }),
        }
    }
}
