//! Four ways to find the parent of a position (the row of an element) in ranges that are stored as offsets.

use super::error::{Flaw, LevelArray, LevelError};
use super::index::{Index, IndexArray};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::cell::Cell;

/// A method that finds the parent of a position.
///
/// | | time | memory | for |
/// | --- | --- | --- | --- |
/// | [`Search`] | `log2` of the parents | none | random access now and then |
/// | [`Cursor`] | constant for the next position | one number | walks, one each thread |
/// | [`Tiled`] | `log2` of the parents in a tile | one number a tile | random access often |
/// | [`Table`] | one read | one number a position | random access always |
///
/// A method of your own serves levels whose offsets have a rule:
///
/// ```
/// use layout_levels::{Consecutive, Flaw, Index, Inverse, LevelArray, LevelError, Ragged};
/// /// All rows have this many elements.
/// struct Equal(usize);
/// impl Inverse for Equal {
///     fn find<I: Index>(&self, _: &[I], position: usize) -> usize {
///         position / self.0
///     }
///     fn check<I: Index>(&self, offsets: &[I]) -> Result<(), LevelError> {
///         match offsets.iter().map(|offset| offset.to_usize()).enumerate().find(|(row, offset)| *offset != row * self.0) {
///             None => Ok(()),
///             Some((row, value)) => Err(LevelError::new(LevelArray::Offsets, row, Flaw::Differs { value, expected: row * self.0 })),
///         }
///     }
/// }
/// assert_eq!(Ragged::with([0_u8, 3, 6], Equal(3))?.parent(4), 1);
/// assert_eq!(Ragged::with([0_u8, 3, 7], Equal(3)).map(|_| ()).unwrap_err().to_string(), "offsets[2] = 7 must be 6");
/// # Ok::<(), LevelError>(())
/// ```
pub trait Inverse {
    /// Returns the last parent that begins at or before `position`, which is the parent that contains it.
    ///
    /// Empty parents are skipped. `offsets` must be the offsets that the level was made with.
    fn find<I: Index>(&self, offsets: &[I], position: usize) -> usize;

    /// Fails if the method stores parents that disagree with `offsets`. A method that stores none never fails.
    fn check<I: Index>(&self, _offsets: &[I]) -> Result<(), LevelError> {
        Ok(())
    }
}

/// Returns the last parent of `offsets` that begins at or before `position`, or 0 if none does.
#[inline]
fn last_begun<I: Index>(offsets: &[I], position: usize) -> usize {
    offsets.partition_point(|begin| begin.to_usize() <= position).saturating_sub(1)
}

/// The method that runs a binary search in the offsets at each call.
///
/// ```
/// use layout_levels::{Inverse, Search};
/// // Row 1 is empty.
/// assert_eq!([0, 1, 2, 4].map(|position| Search.find(&[0_u8, 2, 2, 5], position)), [0, 0, 2, 2]);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Search;

impl Inverse for Search {
    #[inline]
    fn find<I: Index>(&self, offsets: &[I], position: usize) -> usize {
        last_begun(offsets, position)
    }
}

/// The method that reads the parent of a position from a table with the parent of every position.
///
/// ```
/// use layout_levels::{Consecutive, Ragged, Table};
/// let rows = Ragged::with([0_u8, 0, 3, 4], Table([1_u8, 1, 1, 2]))?;
/// assert_eq!((rows.parent(2), rows.parent(3)), (1, 2));
/// assert!(Ragged::with([0_u8, 0, 3, 4], Table([1_u8, 1, 2, 2])).is_err());
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Table<T>(pub T);

impl<T: IndexArray> Inverse for Table<T> {
    #[inline(always)]
    fn find<I: Index>(&self, _: &[I], position: usize) -> usize {
        self.0.at(position)
    }

    fn check<I: Index>(&self, offsets: &[I]) -> Result<(), LevelError> {
        let table = self.0.indices();
        let expected = offsets.last().map_or(0, |end| end.to_usize());
        if table.len() < expected {
            return Err(LevelError::new(LevelArray::Parents, 0, Flaw::Length { len: table.len(), expected }));
        }
        for (parent, pair) in offsets.windows(2).enumerate() {
            for position in pair[0].to_usize()..pair[1].to_usize() {
                agrees(table, position, parent)?;
            }
        }
        Ok(())
    }
}

fn agrees<I: Index>(table: &[I], at: usize, expected: usize) -> Result<(), LevelError> {
    match table.get(at).and_then(|word| word.address()) {
        Some(value) if value == expected => Ok(()),
        Some(value) => Err(LevelError::new(LevelArray::Parents, at, Flaw::Differs { value, expected })),
        None => Err(LevelError::new(LevelArray::Parents, at, Flaw::NotAnAddress { value: table.get(at).map_or(0, |word| word.exact()) })),
    }
}

/// The method that starts its search at the parent found last: constant time if positions ascend.
///
/// A cursor is not shared between threads. Each thread makes its own level over the same borrowed offsets.
///
/// ```
/// use layout_levels::{Consecutive, Cursor, Ragged};
/// static OFFSETS: [u32; 5] = [0, 2, 2, 5, 6];
/// let rows = Ragged::new(&OFFSETS)?.inverted(Cursor::default())?;
/// assert!((0..6).map(|element| rows.parent(element)).eq([0, 0, 2, 2, 2, 3]));
/// assert_eq!(rows.parent(1), 0); // backwards it searches
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Cursor(Cell<usize>);

/// The number of parents that [`Cursor`] tests one by one before it takes larger steps.
const NEAR: usize = 8;

impl Inverse for Cursor {
    #[inline]
    fn find<I: Index>(&self, offsets: &[I], position: usize) -> usize {
        let last = self.0.get();
        let begun = |parent: usize| offsets.get(parent).is_some_and(|begin| begin.to_usize() <= position);
        let found = if !begun(last) {
            last_begun(offsets, position)
        } else if !begun(last + 1) {
            return last;
        } else {
            // Most often the parent is one of the next few, some of which may be empty.
            for next in last + 1..last + 1 + NEAR {
                if !begun(next + 1) {
                    self.0.set(next);
                    return next;
                }
            }
            // Double the step until it passes the position, then search within the last step.
            let (mut near, mut step) = (last + 1 + NEAR, 1);
            while begun(near + step) {
                near += step;
                step *= 2;
            }
            let end = offsets.len().min(near + step);
            near + last_begun(offsets.get(near..end).unwrap_or(&[]), position)
        };
        self.0.set(found);
        found
    }
}

/// The method that stores the parent of every `TILE`-th position and searches for other parents between two entries.
///
/// ```
/// use layout_levels::{Consecutive, Ragged, Tiled};
/// // The parents of the positions 0, 4 and 8.
/// let rows = Ragged::with([0_u8, 0, 3, 4, 9], Tiled::<_, 4>([1_u8, 3, 3]))?;
/// assert_eq!([0, 2, 3, 4, 8].map(|k| rows.parent(k)), [1, 1, 2, 3, 3]);
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tiled<T, const TILE: usize>(pub T);

impl<T, const TILE: usize> Tiled<T, TILE> {
    const TILES: () = assert!(TILE > 0, "Tiled: a tile must have at least one position");
}

impl<T: IndexArray, const TILE: usize> Inverse for Tiled<T, TILE> {
    #[inline]
    fn find<I: Index>(&self, offsets: &[I], position: usize) -> usize {
        let () = Self::TILES;
        let (table, tile) = (self.0.indices(), position / TILE);
        let first = self.0.at(tile);
        // The parent of the next tile's first position is the last that this tile can reach.
        let last = table.get(tile + 1).map_or(offsets.len(), |word| word.to_usize() + 1);
        first + last_begun(offsets.get(first..last).unwrap_or(&[]), position)
    }

    fn check<I: Index>(&self, offsets: &[I]) -> Result<(), LevelError> {
        let () = Self::TILES;
        let (begin, end) = (offsets.first().map_or(0, |word| word.to_usize()), offsets.last().map_or(0, |word| word.to_usize()));
        let (table, expected) = (self.0.indices(), end.div_ceil(TILE));
        if table.len() < expected {
            return Err(LevelError::new(LevelArray::Parents, 0, Flaw::Length { len: table.len(), expected }));
        }
        for tile in 0..expected {
            // Positions before the first offset have no parent; their tiles store the first parent.
            agrees(table, tile, last_begun(offsets, (tile * TILE).max(begin)))?;
        }
        Ok(())
    }
}

#[cfg(feature = "alloc")]
impl<I: Index> Table<Vec<I>> {
    /// Makes the table with the parent of every position. `offsets` must not decrease. Returns `None` if a parent does not fit
    /// `I`.
    ///
    /// ```
    /// use layout_levels::Table;
    /// assert_eq!(Table::<Vec<u8>>::of(&[0, 0, 3, 4]), Some(Table(vec![1, 1, 1, 2])));
    /// ```
    pub fn of(offsets: &impl IndexArray) -> Option<Self> {
        let words = offsets.indices();
        // Positions before the first offset have no parent; their entries are 0.
        let mut table = alloc::vec![I::default(); words.first().map_or(0, |begin| begin.to_usize())];
        for (parent, pair) in words.windows(2).enumerate() {
            if pair[0] < pair[1] {
                table.resize(pair[1].to_usize(), I::from_usize(parent)?);
            }
        }
        Some(Table(table))
    }
}

#[cfg(feature = "alloc")]
impl<I: Index, const TILE: usize> Tiled<Vec<I>, TILE> {
    /// Makes the table with the parent of every `TILE`-th position, from position 0. `offsets` must not decrease. Returns `None`
    /// if a parent does not fit `I`.
    ///
    /// ```
    /// use layout_levels::Tiled;
    /// assert_eq!(Tiled::<Vec<u8>, 4>::of(&[0, 0, 3, 4, 9]), Some(Tiled(vec![1, 3, 3])));
    /// ```
    pub fn of(offsets: &impl IndexArray) -> Option<Self> {
        let () = Self::TILES;
        let words = offsets.indices();
        let (begin, end) = (words.first().map_or(0, |word| word.to_usize()), words.last().map_or(0, |word| word.to_usize()));
        let parents = (0..end.div_ceil(TILE)).map(|tile| I::from_usize(last_begun(words, (tile * TILE).max(begin))));
        Some(Tiled(parents.collect::<Option<_>>()?))
    }
}
