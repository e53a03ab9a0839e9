//! Builders of levels, row by row.

use super::compressed::Compressed;
use super::error::{Flaw, LevelArray, LevelError};
use super::index::Index;
use super::inverse::Search;
use super::order::{Ascending, Order};
use super::ragged::Ragged;
use super::singleton::Singleton;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// A level under construction. It takes coordinates in order, parent after parent.
///
/// ```
/// use layout_levels::{LevelBuilder, CompressedBuilder, IndexArray};
/// let mut columns = CompressedBuilder::<u16, u8>::new(4);
/// columns.push(1);
/// columns.push(3);
/// columns.close();
/// columns.close();
/// let columns = columns.finish()?;
/// assert_eq!((columns.positions().indices(), columns.coordinates().indices()), (&[0, 2, 2][..], &[1, 3][..]));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
pub trait LevelBuilder {
    /// The level that the builder returns.
    type Level;

    /// Adds a position with this coordinate below the open parent.
    fn push(&mut self, coordinate: usize);

    /// Closes the open parent and opens the next one.
    fn close(&mut self);

    /// Returns the level of the closed parents. Fails if a number did not fit its width, or if the constructor
    /// of the level refuses the arrays, such as coordinates that break the promised order.
    fn finish(self) -> Result<Self::Level, LevelError>;
}

/// An index array that grows. `refused` is the index and the value of the first number that did not fit `I`.
#[derive(Clone, Debug)]
struct Growing<I> {
    indices: Vec<I>,
    refused: Option<(usize, usize)>,
}

impl<I: Index> Growing<I> {
    /// Returns an empty array, or the array `[0]` if `offsets`, because offsets begin with 0.
    fn new(offsets: bool) -> Self {
        Growing { indices: alloc::vec![I::default(); usize::from(offsets)], refused: None }
    }

    fn push(&mut self, value: usize) {
        match I::from_usize(value) {
            Some(index) => self.indices.push(index),
            None => {
                self.refused.get_or_insert((self.indices.len(), value));
            }
        }
    }

    fn finish(self, part: LevelArray) -> Result<Vec<I>, LevelError> {
        match self.refused {
            None => Ok(self.indices),
            Some((index, value)) => Err(LevelError::new(part, index, Flaw::Beyond { value, most: I::MOST })),
        }
    }
}

/// A [`Compressed`] level under construction, with positions of width `P` and coordinates of width `C`.
///
/// ```
/// use layout_levels::{CompressedBuilder, Level, LevelBuilder, LevelError};
/// /// Returns the columns of the elements that are not 0: the CSR level of a matrix.
/// fn columns<const N: usize>(rows: &[[f32; N]]) -> Result<<CompressedBuilder<u32, u8> as LevelBuilder>::Level, LevelError> {
///     let mut columns = CompressedBuilder::<u32, u8>::new(N);
///     for row in rows {
///         (0..N).filter(|column| row[*column] != 0.0).for_each(|column| columns.push(column));
///         columns.close();
///     }
///     columns.finish()
/// }
/// let level = columns(&[[0.0, 2.0, 0.0, 3.0], [0.0; 4], [0.0, 0.0, 4.0, 0.0]])?;
/// assert_eq!((level.range(0), level.range(2), level.coordinate(0, 1)), (0..2, 2..3, 3));
/// // The width of a number is checked at the end.
/// let mut wide = CompressedBuilder::<u32, u8>::new(1000);
/// wide.push(256);
/// wide.close();
/// assert_eq!(wide.finish().unwrap_err().to_string(), "coordinates[0] = 256 is greater than 255");
/// # Ok::<(), LevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompressedBuilder<P, C, O = Ascending> {
    positions: Growing<P>,
    coordinates: Growing<C>,
    pushed: usize,
    extent: usize,
    order: PhantomData<O>,
}

impl<P: Index, C: Index, O: Order> CompressedBuilder<P, C, O> {
    /// Returns a builder without parents, for coordinates below `extent`.
    pub fn new(extent: usize) -> Self {
        CompressedBuilder { positions: Growing::new(true), coordinates: Growing::new(false), pushed: 0, extent, order: PhantomData }
    }
}

impl<P: Index, C: Index, O: Order> LevelBuilder for CompressedBuilder<P, C, O> {
    type Level = Compressed<Vec<P>, Vec<C>, O>;

    fn push(&mut self, coordinate: usize) {
        self.coordinates.push(coordinate);
        self.pushed += 1;
    }

    fn close(&mut self) {
        self.positions.push(self.pushed);
    }

    fn finish(self) -> Result<Self::Level, LevelError> {
        let coordinates = self.coordinates.finish(LevelArray::Coordinates)?;
        Compressed::with(self.positions.finish(LevelArray::Positions)?, coordinates, self.extent, O::default(), Search)
    }
}

/// A [`Ragged`] level under construction, with offsets of width `I`. It counts coordinates and ignores their values.
///
/// ```
/// use layout_levels::{LevelBuilder, RaggedBuilder};
/// // The words of each line. A line without words is a row, too.
/// let mut words = RaggedBuilder::<u32>::new();
/// for line in ["one two three", "", "four"] {
///     line.split_whitespace().enumerate().for_each(|(k, _)| words.push(k));
///     words.close();
/// }
/// assert_eq!(words.finish()?.offsets(), &[0, 3, 3, 4]);
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RaggedBuilder<I> {
    offsets: Growing<I>,
    pushed: usize,
}

impl<I: Index> RaggedBuilder<I> {
    /// Returns a builder without rows.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<I: Index> Default for RaggedBuilder<I> {
    fn default() -> Self {
        RaggedBuilder { offsets: Growing::new(true), pushed: 0 }
    }
}

impl<I: Index> LevelBuilder for RaggedBuilder<I> {
    type Level = Ragged<Vec<I>>;

    fn push(&mut self, _: usize) {
        self.pushed += 1;
    }

    fn close(&mut self) {
        self.offsets.push(self.pushed);
    }

    fn finish(self) -> Result<Self::Level, LevelError> {
        Ragged::new(self.offsets.finish(LevelArray::Offsets)?)
    }
}

/// A [`Singleton`] level under construction, with coordinates of width `C`. Every parent takes exactly one coordinate.
///
/// ```
/// use layout_levels::{LevelBuilder, SingletonBuilder};
/// // The columns of a coordinate list: each entry is a parent.
/// let mut columns = SingletonBuilder::<u16>::new(4);
/// for column in [1, 3, 2] {
///     columns.push(column);
///     columns.close();
/// }
/// assert_eq!(columns.clone().finish()?.coordinates(), &[1, 3, 2]);
/// columns.close(); // an entry without a column
/// assert_eq!(columns.finish().unwrap_err().to_string(), "coordinates has 3 numbers, but 4 are needed");
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SingletonBuilder<C, O = Ascending> {
    coordinates: Growing<C>,
    closed: usize,
    extent: usize,
    order: PhantomData<O>,
}

impl<C: Index, O: Order> SingletonBuilder<C, O> {
    /// Returns a builder without parents, for coordinates below `extent`.
    pub fn new(extent: usize) -> Self {
        SingletonBuilder { coordinates: Growing::new(false), closed: 0, extent, order: PhantomData }
    }
}

impl<C: Index, O: Order> LevelBuilder for SingletonBuilder<C, O> {
    type Level = Singleton<Vec<C>, O>;

    fn push(&mut self, coordinate: usize) {
        self.coordinates.push(coordinate);
    }

    fn close(&mut self) {
        self.closed += 1;
    }

    fn finish(self) -> Result<Self::Level, LevelError> {
        let coordinates = self.coordinates.finish(LevelArray::Coordinates)?;
        if coordinates.len() != self.closed {
            return Err(LevelError::new(LevelArray::Coordinates, 0, Flaw::Length { len: coordinates.len(), expected: self.closed }));
        }
        Singleton::with(coordinates, self.extent, O::default())
    }
}
