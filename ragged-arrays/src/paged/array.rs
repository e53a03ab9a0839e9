//! A pool of elements with the structure and the layout of its pages.

use super::error::{PagedError, Result};
use super::shape::PagedShape;
use super::slots::SlotRun;
use alloc::vec::Vec;
use array_kernels::memory;
use core::ops::Range;
use layout_core::layouts::IntTuple;
use layout_core::tensor::Window;
use layout_core::{Layout, View, ViewMut};
use layout_levels::{Consecutive, Index};

/// The tokens of a sequence that are in one page, as a tensor. Its first mode counts the slots in use.
///
/// ```
/// use layout_core::{Layout, make_layout};
/// use ragged_arrays::paged::{Page, PagedShape, PagedView};
/// /// Returns the number of elements of the slots in use.
/// fn used<L: Layout>(page: &Page<'_, f32, L>) -> usize {
///     page.size()
/// }
/// // Three tokens of two numbers, in pages of two slots: the second page is partly filled.
/// let (shape, pool) = (PagedShape::from_rectangle(2, 3, &[3], 2, vec![2_u32, 0])?, [0.0; 12]);
/// let view = PagedView::new(&shape, make_layout((2, 2), (2, 1)), &pool)?;
/// assert_eq!(view.pages(0).map(|(tokens, page)| (tokens, used(&page))).collect::<Vec<_>>(), [(0..2, 4), (2..3, 2)]);
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
pub type Page<'a, T, L> = View<'a, T, Window<L, (usize,), ()>>;

/// The layout of the elements of a page. The first mode counts the slots, the others the elements of a token.
#[derive(Clone, Copy, Debug)]
struct Block<L> {
    layout: L,
    /// Number of elements from one page to the next: the end of the layout's indices.
    elements: usize,
    /// Number of elements of a token.
    token: usize,
}

impl<L: Layout> Block<L> {
    /// Creates the layout for the pages of a structure over a pool of `elements_of_pool` elements. Fails if they do
    /// not fit one another.
    fn new<I: Index, P: IntTuple>(shape: &PagedShape<'_, I, P>, layout: L, elements_of_pool: usize) -> Result<Self> {
        let (slots, page) = (layout.mode_size::<0>(), shape.page_size());
        if slots != page {
            return Err(PagedError::PageLayout { slots, page });
        }
        let range = layout.index_range().map_err(|_| PagedError::Overflow)?;
        let elements = usize::try_from(range.end).unwrap_or(0);
        if range.start < 0 {
            return Err(PagedError::Layout);
        }
        let expected = elements.checked_mul(shape.pool()).ok_or(PagedError::Overflow)?;
        if elements_of_pool != expected {
            return Err(PagedError::Elements { elements: elements_of_pool, expected });
        }
        Ok(Block { layout, elements, token: layout.size() / page })
    }

    /// Returns the index in the pool of an element of the token in slot `slot` of the pool. Fails if there is no such element.
    fn index<I: Index, P: IntTuple>(&self, shape: &PagedShape<'_, I, P>, slot: usize, of_token: &[usize]) -> Result<usize> {
        let (extents, rank) = (self.layout.extents(), self.layout.rank());
        let mut modes = [0; layout_core::layouts::MAX_LEAVES];
        if of_token.len() + 1 != rank {
            return Err(PagedError::NoSuchElement { mode: of_token.len() + 1, coordinate: 0, extent: 0 });
        }
        for (mode, coordinate) in (1..).zip(of_token) {
            if *coordinate >= extents[mode] {
                return Err(PagedError::NoSuchElement { mode, coordinate: *coordinate, extent: extents[mode] });
            }
            modes[mode] = *coordinate;
        }
        let (page, place) = shape.page.split(slot);
        modes[0] = place;
        Ok(page * self.elements + self.layout.index_of(&modes))
    }

    /// Returns the range of the elements of a page in the pool.
    fn range(&self, page: usize) -> Range<usize> {
        page * self.elements..(page + 1) * self.elements
    }

    /// Returns the ranges of the elements of each token, slot by slot, with the last mode innermost.
    fn pieces(&self) -> Pieces {
        let (extents, rank) = (self.layout.extents(), self.layout.rank());
        let mut out = Pieces { pieces: Vec::new(), slots: alloc::vec![0] };
        let mut modes = [0; layout_core::layouts::MAX_LEAVES];
        for slot in 0..extents[0] {
            modes[0] = slot;
            let first = out.pieces.len();
            for _ in 0..self.token {
                let index = self.layout.index_of(&modes);
                match out.pieces[first..].last_mut() {
                    Some(piece) if piece.end == index => piece.end += 1,
                    _ => out.pieces.push(index..index + 1),
                }
                for mode in (1..rank).rev() {
                    modes[mode] += 1;
                    if modes[mode] < extents[mode] {
                        break;
                    }
                    modes[mode] = 0;
                }
            }
            out.slots.push(out.pieces.len());
        }
        out
    }
}

/// Ranges of contiguous elements of a page.
struct Pieces {
    pieces: Vec<Range<usize>>,
    /// Slot `k` has the ranges `slots[k]..slots[k + 1]` of `pieces`.
    slots: Vec<usize>,
}

impl Pieces {
    /// Calls `f` with the ranges of the first `slots` slots. Adjacent ranges are joined.
    fn for_each(&self, slots: usize, mut f: impl FnMut(Range<usize>)) {
        let mut joined: Range<usize> = 0..0;
        for piece in &self.pieces[..self.slots[slots]] {
            if piece.start == joined.end {
                joined.end = piece.end;
            } else {
                f(core::mem::replace(&mut joined, piece.clone()));
            }
        }
        f(joined);
    }
}

/// A pool of elements for reading. It gives the tokens of each sequence page by page, without gathering them.
///
/// The first mode of the layout of a page counts the slots. The others are the elements of a token, as (slot, head,
/// dim) or in any order and nesting.
///
/// ```
/// use layout_core::{Int, make_layout};
/// use ragged_arrays::paged::{PagedShape, PagedView};
/// let shape = PagedShape::from_rectangle(Int::<2>, 3, &[3], 2, vec![2_u32, 0])?;
/// // Pages of 2 slots with 2 heads of 2 numbers each, head by head.
/// let layout = make_layout((Int::<2>, Int::<2>, Int::<2>), (Int::<2>, Int::<4>, Int::<1>));
/// let pool: Vec<i32> = (0..24).collect();
/// let a = PagedView::new(&shape, layout, &pool)?;
/// assert_eq!(a.get(0, 1, &[1, 0])?, &(2 * 8 + 4 + 2));
/// assert_eq!(a.gather()?, [16, 17, 20, 21, 18, 19, 22, 23, 0, 1, 4, 5]);
/// let mut sum = 0;
/// for (tokens, page) in a.pages(0) {
///     sum += tokens.map(|token| page[(token % 2, 0, 0)]).sum::<i32>();
/// }
/// assert_eq!(sum, 16 + 18);
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PagedView<'s, T, L, I: Index = u32, P = usize> {
    shape: &'s PagedShape<'s, I, P>,
    block: Block<L>,
    data: &'s [T],
}

/// ```
/// use layout_core::make_layout;
/// use ragged_arrays::paged::{PagedShape, PagedView};
/// // Three tokens of two numbers, in the pages 2 and 0 of a pool of 3 pages of two slots.
/// let shape = PagedShape::from_rectangle(2, 3, &[3], 2, vec![2_u32, 0])?;
/// let pool: Vec<i32> = (0..12).collect();
/// let view = PagedView::new(&shape, make_layout((2, 2), (2, 1)), &pool)?;
/// assert_eq!((view.index(0, 1, &[1])?, view.get(0, 2, &[0])?), (2 * 4 + 2 + 1, &0));
/// assert_eq!(view.blocks(0).collect::<Vec<_>>(), [(0..2, &pool[8..]), (2..3, &pool[..4])]); // whole pages
/// let mut tokens = [0; 6];
/// view.gather_into(&mut tokens)?; // the slots in use
/// assert_eq!(tokens, [8, 9, 10, 11, 0, 1]);
/// assert_eq!(view.index(0, 3, &[0]).unwrap_err().to_string(), "sequence 0: token 3 is out of range: there are 3 tokens");
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
impl<'s, T, L: Layout, I: Index, P: IntTuple> PagedView<'s, T, L, I, P> {
    /// Creates a view of the elements of the pages of a pool, one page after the other. All pages have this layout.
    ///
    /// Fails if the layout has another number of slots or negative indices, or if the pool has another number of elements.
    pub fn new(shape: &'s PagedShape<'s, I, P>, layout: L, data: &'s [T]) -> Result<Self> {
        Ok(PagedView { shape, block: Block::new(shape, layout, data.len())?, data })
    }

    /// Returns the structure of the pages and sequences.
    pub fn shape(&self) -> &'s PagedShape<'s, I, P> {
        self.shape
    }

    /// Returns the index in the pool of an element of a token. `of_token` has the coordinates in the modes after the
    /// first. Fails if the sequence, the token or the element does not exist.
    pub fn index(&self, sequence: usize, token: usize, of_token: &[usize]) -> Result<usize> {
        self.block.index(self.shape, self.shape.slot(sequence, token)?, of_token)
    }

    /// Returns an element of a token. `of_token` has the coordinates in the modes after the first. Fails as
    /// [`PagedView::index`] does.
    pub fn get(&self, sequence: usize, token: usize, of_token: &[usize]) -> Result<&'s T> {
        Ok(&self.data[self.index(sequence, token, of_token)?])
    }

    /// Iterates over the pages of a sequence as slices of the pool, with their tokens. There are none if the sequence
    /// does not exist.
    #[inline]
    pub fn blocks(&self, sequence: usize) -> impl Iterator<Item = (Range<usize>, &'s [T])> + use<'s, T, L, I, P> {
        let PagedView { shape, block, data } = *self;
        shape.runs(sequence).map(move |SlotRun { page, tokens }| (tokens, &data[block.range(page)]))
    }

    /// Iterates over the pages of a sequence as tensors, with their tokens. There are none if the sequence does not exist.
    pub fn pages(&self, sequence: usize) -> impl Iterator<Item = (Range<usize>, Page<'s, T, L>)> + use<'s, T, L, I, P> {
        let layout = self.block.layout;
        self.blocks(sequence).filter_map(move |(tokens, block)| {
            // A block has all indices of the layout, so this succeeds.
            let page = View::new(block, Window::clipped(layout, (tokens.len(),))).ok()?;
            Some((tokens, page))
        })
    }

    /// Returns the tokens of all sequences one after the other. The elements of a token are in the order of the modes, the last
    /// one innermost. Fails if memory is short.
    pub fn gather(&self) -> Result<Vec<T>>
    where
        T: Clone,
    {
        let mut out = memory::room(self.gathered()?).ok_or(PagedError::Overflow)?;
        self.for_each_piece(|piece| out.extend_from_slice(piece));
        Ok(out)
    }

    /// Gathers as [`PagedView::gather`] does into `out`. Fails unless its length is the number of elements of all tokens.
    pub fn gather_into(&self, out: &mut [T]) -> Result<()>
    where
        T: Clone,
    {
        let expected = self.gathered()?;
        if out.len() != expected {
            return Err(PagedError::Elements { elements: out.len(), expected });
        }
        let mut rest = out;
        self.for_each_piece(|piece| {
            let (first, others) = core::mem::take(&mut rest).split_at_mut(piece.len());
            first.clone_from_slice(piece);
            rest = others;
        });
        Ok(())
    }

    /// Returns the number of elements of all tokens. Fails if it overflows.
    fn gathered(&self) -> Result<usize> {
        self.shape.lengths().iter().sum::<usize>().checked_mul(self.block.token).ok_or(PagedError::Overflow)
    }

    /// Calls `f` with the elements of all tokens, in contiguous ranges.
    fn for_each_piece(&self, mut f: impl FnMut(&[T])) {
        let pieces = self.block.pieces();
        for (tokens, block) in (0..self.shape.len()).flat_map(|sequence| self.blocks(sequence)) {
            pieces.for_each(tokens.len(), |piece| f(&block[piece]));
        }
    }
}

/// A pool of elements for writing, in which no page is used twice.
///
/// ```
/// use layout_core::make_layout;
/// use ragged_arrays::paged::{PagedShape, PagedViewMut};
/// let shape = PagedShape::from_rectangle(2, 3, &[3], 2, vec![2_u32, 0])?;
/// let mut pool = [0; 6];
/// let mut a = PagedViewMut::new(&shape, make_layout((2,), (1,)), &mut pool)?;
/// a.scatter(&[7, 8, 9])?;
/// *a.get_mut(0, 1, &[])? += 1;
/// assert_eq!(a.view().get(0, 1, &[])?, &9);
/// assert_eq!(pool, [9, 0, 0, 0, 7, 9]);
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
#[derive(Debug)]
pub struct PagedViewMut<'s, T, L, I: Index = u32, P = usize> {
    shape: &'s PagedShape<'s, I, P>,
    block: Block<L>,
    data: &'s mut [T],
}

impl<'s, T, L: Layout, I: Index, P: IntTuple> PagedViewMut<'s, T, L, I, P> {
    /// Creates a view of the elements of the pages of a pool.
    ///
    /// Fails as [`PagedView::new`] does, and if a page is used twice, or if the layout is known to have one index twice.
    pub fn new(shape: &'s PagedShape<'s, I, P>, layout: L, data: &'s mut [T]) -> Result<Self> {
        let block = Block::new(shape, layout, data.len())?;
        if layout.is_injective() == Some(false) {
            return Err(PagedError::Layout);
        }
        shape.check_writable()?;
        Ok(PagedViewMut { shape, block, data })
    }

    /// Returns a view of the same pool for reading.
    pub fn view(&self) -> PagedView<'_, T, L, I, P> {
        PagedView { shape: self.shape, block: self.block, data: self.data }
    }

    /// Returns an element of a token for writing. `of_token` has the coordinates in the modes after the first. Fails
    /// as [`PagedView::index`] does.
    pub fn get_mut(&mut self, sequence: usize, token: usize, of_token: &[usize]) -> Result<&mut T> {
        let index = self.view().index(sequence, token, of_token)?;
        Ok(&mut self.data[index])
    }

    /// Calls `f` with the tokens and the tensor of each page of a sequence. It makes no call if the sequence does not
    /// exist.
    ///
    /// ```
    /// use layout_core::make_layout;
    /// use ragged_arrays::paged::{PagedShape, PagedViewMut};
    /// // Three tokens of two numbers each, in pages of two slots, the second one partly filled.
    /// let shape = PagedShape::from_rectangle(2, 3, &[3], 2, vec![2_u32, 0])?;
    /// let mut pool = [0; 12];
    /// let mut a = PagedViewMut::new(&shape, make_layout((2, 2), (2, 1)), &mut pool)?;
    /// a.for_each_page(0, |tokens, mut page| {
    ///     for (slot, token) in tokens.enumerate() {
    ///         (page[(slot, 0)], page[(slot, 1)]) = (token + 1, 10 * (token + 1));
    ///     }
    /// });
    /// assert_eq!(pool, [3, 30, 0, 0, 0, 0, 0, 0, 1, 10, 2, 20]);
    /// # Ok::<(), ragged_arrays::paged::PagedError>(())
    /// ```
    pub fn for_each_page(&mut self, sequence: usize, mut f: impl FnMut(Range<usize>, ViewMut<'_, T, Window<L, (usize,), ()>>)) {
        for SlotRun { page, tokens } in self.shape.runs(sequence) {
            let clipped = Window::clipped(self.block.layout, (tokens.len(),));
            // A block has all indices of the layout, so this succeeds.
            if let Ok(page) = ViewMut::new(&mut self.data[self.block.range(page)], clipped) {
                f(tokens, page);
            }
        }
    }

    /// Writes the tokens of all sequences. `tokens` has them in the order of [`PagedView::gather`]. Fails if it has
    /// another length.
    pub fn scatter(&mut self, tokens: &[T]) -> Result<()>
    where
        T: Clone,
    {
        let expected = self.view().gathered()?;
        if tokens.len() != expected {
            return Err(PagedError::Elements { elements: tokens.len(), expected });
        }
        let (pieces, mut rest) = (self.block.pieces(), tokens);
        for sequence in 0..self.shape.len() {
            for SlotRun { page, tokens } in self.shape.runs(sequence) {
                let block = &mut self.data[self.block.range(page)];
                pieces.for_each(tokens.len(), |piece| {
                    let (first, others) = rest.split_at(piece.len());
                    block[piece].clone_from_slice(first);
                    rest = others;
                });
            }
        }
        Ok(())
    }
}
