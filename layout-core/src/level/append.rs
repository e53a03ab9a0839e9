//! Levels built row by row.

use super::error::{Flaw, LevelError, Part};
use super::index::Index;
use super::order::{Ascending, Order};
use super::{Compressed, Ragged, Search, Singleton};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// A level under construction: its coordinates in order, parent after parent.
///
/// ```
/// use layout_core::level::{Append, AppendCompressed, IndexArray};
/// let mut columns = AppendCompressed::<u16, u8>::new(4);
/// columns.push(1);
/// columns.push(3);
/// columns.close();
/// columns.close();
/// let columns = columns.finish()?;
/// assert_eq!((columns.positions().words(), columns.coordinates().words()), (&[0, 2, 2][..], &[1, 3][..]));
/// # Ok::<(), layout_core::level::LevelError>(())
/// ```
pub trait Append {
    /// What it becomes.
    type Level;

    /// A position below the parent that is open, with this coordinate.
    fn push(&mut self, coordinate: usize);

    /// No further position for the parent that is open; the next one is.
    fn close(&mut self);

    /// The level of the parents that were closed. An error if a number did not fit its width, or coordinates are not as promised.
    fn finish(self) -> Result<Self::Level, LevelError>;
}

/// An array that grows, and remembers the first number that did not fit.
#[derive(Clone, Debug)]
struct Growing<I> {
    words: Vec<I>,
    refused: Option<(usize, usize)>,
}

impl<I: Index> Growing<I> {
    fn push(&mut self, value: usize) {
        match I::from_usize(value) {
            Some(word) => self.words.push(word),
            None => {
                self.refused.get_or_insert((self.words.len(), value));
            }
        }
    }

    fn finish(self, part: Part) -> Result<Vec<I>, LevelError> {
        match self.refused {
            None => Ok(self.words),
            Some((index, value)) => Err(LevelError::new(part, index, Flaw::Beyond { value, most: I::MOST })),
        }
    }
}

/// A [`Compressed`] level under construction, with positions of width `P` and coordinates of width `C`.
#[derive(Clone, Debug)]
pub struct AppendCompressed<P, C, O = Ascending> {
    positions: Growing<P>,
    coordinates: Growing<C>,
    pushed: usize,
    extent: usize,
    order: PhantomData<O>,
}

impl<P: Index, C: Index, O: Order> AppendCompressed<P, C, O> {
    /// Without a parent; coordinates will be below `extent`.
    pub fn new(extent: usize) -> Self {
        let positions = Growing { words: alloc::vec![P::default()], refused: None };
        AppendCompressed { positions, coordinates: Growing { words: Vec::new(), refused: None }, pushed: 0, extent, order: PhantomData }
    }
}

impl<P: Index, C: Index, O: Order> Append for AppendCompressed<P, C, O> {
    type Level = Compressed<Vec<P>, Vec<C>, O>;

    fn push(&mut self, coordinate: usize) {
        self.coordinates.push(coordinate);
        self.pushed += 1;
    }

    fn close(&mut self) {
        self.positions.push(self.pushed);
    }

    fn finish(self) -> Result<Self::Level, LevelError> {
        let coordinates = self.coordinates.finish(Part::Coordinates)?;
        Compressed::with(self.positions.finish(Part::Positions)?, coordinates, self.extent, O::default(), Search)
    }
}

/// A [`Ragged`] level under construction, with offsets of width `I`. Coordinates are counted, whatever is pushed.
#[derive(Clone, Debug)]
pub struct AppendRagged<I> {
    offsets: Growing<I>,
    pushed: usize,
}

impl<I: Index> AppendRagged<I> {
    /// Without a row.
    pub fn new() -> Self {
        AppendRagged { offsets: Growing { words: alloc::vec![I::default()], refused: None }, pushed: 0 }
    }
}

impl<I: Index> Default for AppendRagged<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Index> Append for AppendRagged<I> {
    type Level = Ragged<Vec<I>>;

    fn push(&mut self, _: usize) {
        self.pushed += 1;
    }

    fn close(&mut self) {
        self.offsets.push(self.pushed);
    }

    fn finish(self) -> Result<Self::Level, LevelError> {
        Ragged::new(self.offsets.finish(Part::Offsets)?)
    }
}

/// A [`Singleton`] level under construction, with coordinates of width `C`: one for each parent.
#[derive(Clone, Debug)]
pub struct AppendSingleton<C, O = Ascending> {
    coordinates: Growing<C>,
    closed: usize,
    extent: usize,
    order: PhantomData<O>,
}

impl<C: Index, O: Order> AppendSingleton<C, O> {
    /// Without a parent; coordinates will be below `extent`.
    pub fn new(extent: usize) -> Self {
        AppendSingleton { coordinates: Growing { words: Vec::new(), refused: None }, closed: 0, extent, order: PhantomData }
    }
}

impl<C: Index, O: Order> Append for AppendSingleton<C, O> {
    type Level = Singleton<Vec<C>, O>;

    fn push(&mut self, coordinate: usize) {
        self.coordinates.push(coordinate);
    }

    fn close(&mut self) {
        self.closed += 1;
    }

    fn finish(self) -> Result<Self::Level, LevelError> {
        let coordinates = self.coordinates.finish(Part::Coordinates)?;
        if coordinates.len() != self.closed {
            return Err(LevelError::new(Part::Coordinates, 0, Flaw::Length { len: coordinates.len(), expected: self.closed }));
        }
        Singleton::with(coordinates, self.extent, O::default())
    }
}
