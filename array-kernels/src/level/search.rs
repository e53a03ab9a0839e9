//! Searches for positions and coordinates of a level. Searches from a known position take steps logarithmic in the distance.

use super::{DynLevel, Ranges, numbers};
use crate::{Indices, with_indices};
use core::borrow::Borrow;
use core::ops::Range;
use layout_levels::{Consecutive, Index, Level};

/// ```
/// use array_kernels::{DynLevel, Indices, Ranges, StoredCoordinates};
/// // The columns of a sparse matrix of two rows. Row 0 has two entries in column 1.
/// let columns = StoredCoordinates { indices: Indices::from(vec![1_u8, 1, 4, 0, 4]), extent: 6, ordered: true, unique: false };
/// let level = DynLevel::trusted(Ranges::Pointers(Indices::from(vec![0_u8, 3, 5])), Some(columns));
/// assert_eq!(level.below(0..2), 0..5); // the positions of both rows
/// assert_eq!((level.at(0, 2), level.parent_near(0, 4)), (4, 1));
///
/// // Columns 1 and 2 of row 0, whose positions are 0..3.
/// assert_eq!((level.run(0..3, 1), level.run(0..3, 2)), (0..2, 3..3));
/// assert_eq!(level.run_end(0, 3), 2);
/// // The first position of row 0 whose column is at least 2.
/// assert_eq!(level.skip(0, 0, 3, 2), 2);
/// ```
impl<'a, A: Borrow<Indices<'a>>> DynLevel<'a, A> {
    /// Returns the coordinate of `position`, whose parent has `begin` as first position. A coordinate may exceed `usize`.
    #[inline(always)]
    pub fn at(&self, begin: usize, position: usize) -> u64 {
        match (&self.stored, &self.ranges) {
            (Some(stored), _) => with_indices!(numbers(&stored.indices), array => array.get(position).map_or(0, |x| x.to_u64())),
            (None, Ranges::One(level)) => level.coordinate(position, position) as u64,
            (None, Ranges::Diagonals { columns, .. }) => position.checked_rem(*columns).unwrap_or(0) as u64,
            (None, _) => position.wrapping_sub(begin) as u64,
        }
    }

    /// Returns the range of positions below the consecutive `parents`.
    #[inline(always)]
    pub fn below(&self, parents: Range<usize>) -> Range<usize> {
        self.begin(parents.start)..self.begin(parents.end)
    }

    /// Returns the parent of `position`, in few steps if that parent is `from` or shortly after it.
    pub fn parent_near(&self, from: usize, position: usize) -> usize {
        let begun = match &self.ranges {
            Ranges::Pointers(pointers) => {
                with_indices!(numbers(pointers), array => near(&array[from..], |begin| begin.to_usize() <= position))
            }
            _ => 0,
        };
        if begun > 0 { from + begun - 1 } else { self.parent(position) }
    }

    /// Returns the first run of positions with `coordinate` in `siblings`, the positions of one parent. In an ordered level
    /// it is the only run. If the coordinate is missing, returns `siblings.end..siblings.end`.
    #[inline(always)]
    pub fn run(&self, siblings: Range<usize>, coordinate: u64) -> Range<usize> {
        let none = siblings.end..siblings.end;
        let Some(stored) = &self.stored else {
            // Siblings of a cyclic level form one block, with the coordinates `0..extent` in order.
            return match coordinate.checked_sub(self.first_coordinate(siblings.start)) {
                Some(place) if place < siblings.len() as u64 => {
                    let position = siblings.start + place as usize;
                    position..position + 1
                }
                _ => none,
            };
        };
        let found = with_indices!(numbers(&stored.indices), array => {
            let among = array.get(siblings.clone()).unwrap_or(&[]);
            let equal = |x: &_| Index::to_u64(*x) == coordinate;
            let start = match stored.ordered {
                true => among.partition_point(|x| x.to_u64() < coordinate),
                false => among.iter().position(equal).unwrap_or(among.len()),
            };
            match among.get(start) {
                Some(x) if equal(x) => start..start + match (stored.ordered, stored.unique) {
                    (true, true) => 1,
                    (true, false) => near(&among[start..], equal),
                    (false, _) => among[start..].iter().take_while(|x| equal(x)).count(),
                },
                _ => return none,
            }
        });
        siblings.start + found.start..siblings.start + found.end
    }

    /// Returns the end of the run of equal coordinates that starts at position `start`, at most `end`, the end of its parent.
    #[inline(always)]
    pub fn run_end(&self, start: usize, end: usize) -> usize {
        match &self.stored {
            Some(stored) if !stored.unique => with_indices!(numbers(&stored.indices), array => {
                let among = array.get(start..end).unwrap_or(&[]);
                start + near(among, |x| *x == among[0]).max(1)
            }),
            _ => start + 1,
        }
    }

    /// Returns the first position in `start..end` whose coordinate is not less than `coordinate`, or `end`.
    /// The parent of these positions begins at `begin` and must have ordered coordinates.
    #[inline(always)]
    pub fn skip(&self, begin: usize, start: usize, end: usize, coordinate: u64) -> usize {
        match &self.stored {
            Some(stored) => with_indices!(numbers(&stored.indices), array => {
                start + near(array.get(start..end).unwrap_or(&[]), |x| x.to_u64() < coordinate)
            }),
            None => match usize::try_from(coordinate.saturating_sub(self.first_coordinate(begin))) {
                Ok(place) => start.max(begin.saturating_add(place)).min(end),
                Err(_) => end,
            },
        }
    }

    /// Returns the coordinate of `begin`, the first position of its parent, in a level without stored coordinates.
    #[inline(always)]
    fn first_coordinate(&self, begin: usize) -> u64 {
        if let Ranges::Diagonals { .. } = self.ranges { self.at(begin, begin) } else { 0 }
    }
}

/// Returns the number of leading elements for which `holds` is true, in steps logarithmic in that number.
/// Precondition: no element with `holds` follows one without.
#[inline]
fn near<T>(array: &[T], holds: impl Fn(&T) -> bool) -> usize {
    let mut far = 1;
    while array.get(far).is_some_and(&holds) {
        far *= 2;
    }
    let from = far / 2;
    from + array[from.min(array.len())..array.len().min(far + 1)].partition_point(holds)
}
