//! The levels of a pattern as levels of `layout_levels`, with kinds and widths known at run time.

use super::SparsityPattern;
use crate::format::Group;
use crate::kernels::prefetch::prefetch_stream;
use crate::{Format, Indices, LevelKind, with_indices};
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};
use layout_levels::{Compressed, Consecutive, Cyclic, Fixed, Index, Level, LevelError, Locate, Ragged, Singleton, Sorted};

/// Where the positions of a parent are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ranges<'p> {
    /// As many below every parent.
    Uniform(Fixed<usize>),
    /// One: that of the parent.
    One,
    /// All of so many, below one parent.
    Root(usize),
    /// Between pointers.
    Pointers(&'p Indices<'p>),
}

/// Evaluates `body` with `$level` the typed level that has these ranges.
macro_rules! with_ranges {
    ($ranges:expr, $level:ident => $body:expr) => {
        match $ranges {
            Ranges::Uniform($level) => $body,
            Ranges::One => {
                let $level = Cyclic::new(0);
                $body
            }
            Ranges::Root(entries) => {
                let $level = Ragged::trusted([0, entries]);
                $body
            }
            Ranges::Pointers(pointers) => with_indices!(pointers, array => {
                let $level = Ragged::trusted(&array[..]);
                $body
            }),
        }
    };
}

/// The coordinates of positions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Coordinates<'p> {
    /// Counted from the first position of the parent.
    Counted,
    /// Of the one position of each parent: its number modulo the extent.
    Cyclic(Cyclic),
    /// Stored.
    Stored(&'p Indices<'p>),
}

/// The order of the coordinates below one parent, as a format promises it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Promise {
    pub ordered: bool,
    pub unique: bool,
}

/// A level of a [`SparsityPattern`]: `Fixed`, `Compressed`, `Singleton`, `Cyclic` or `Ragged` of `layout_levels`, over the arrays of the pattern.
///
/// Every answer is that of the typed level, chosen by kind and width. [`SparsityPattern::chain`] gives typed levels where both are known.
///
/// ```
/// use layout_levels::{Level, Locate};
/// use sparse_formats::{Arrays, Format, SparsityPattern};
/// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u32, 3, 0]);
/// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays).map_err(|rejected| rejected.error)?;
/// let columns = pattern.level(1).ok_or(sparse_formats::SparseError::Rank { shape: 2, format: 2 })?;
/// assert_eq!((columns.range(0), columns.coordinate(2, 2), columns.locate(0, 3)), (0..2, 0, Some(1)));
/// assert!(columns.is_ordered() && columns.is_unique() && !columns.is_full() && !columns.is_branchless());
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AnyLevel<'p> {
    pub(super) ranges: Ranges<'p>,
    pub(super) coordinates: Coordinates<'p>,
    pub(super) extent: usize,
    pub(super) promise: Promise,
}

impl<'p> AnyLevel<'p> {
    /// The coordinates of all positions, if they are stored.
    pub(crate) fn indices(&self) -> Option<&'p Indices<'p>> {
        match self.coordinates {
            Coordinates::Stored(indices) => Some(indices),
            _ => None,
        }
    }

    /// Returns true if coordinates below one parent ascend, or repeat.
    pub fn is_ordered(&self) -> bool {
        self.promise.ordered
    }

    /// Returns true if coordinates below one parent differ; of a level with one position a parent, those of neighbours that agree in all levels above.
    pub fn is_unique(&self) -> bool {
        self.promise.unique
    }

    /// Returns true if every coordinate below a parent has a position.
    pub fn is_full(&self) -> bool {
        matches!(self.coordinates, Coordinates::Counted)
    }

    /// Returns true if every parent has one position, its own.
    pub fn is_branchless(&self) -> bool {
        matches!(self.ranges, Ranges::One)
    }

    /// The coordinate of a position among siblings that start at `begin`; it may be beyond the words of the machine.
    #[inline(always)]
    pub(crate) fn at(&self, begin: usize, position: usize) -> u64 {
        match self.coordinates {
            Coordinates::Counted => position.wrapping_sub(begin) as u64,
            Coordinates::Cyclic(level) => level.coordinate(position, position) as u64,
            Coordinates::Stored(indices) => with_indices!(indices, array => array.get(position).map_or(0, |x| x.to_u64())),
        }
    }

    /// The positions below consecutive parents.
    #[inline(always)]
    pub(crate) fn below(&self, parents: Range<usize>) -> Range<usize> {
        self.begin(parents.start)..self.begin(parents.end)
    }

    /// The parent of a position, found in few steps where it is not far after another parent.
    pub(crate) fn parent_near(&self, from: usize, position: usize) -> usize {
        let begun = match self.ranges {
            Ranges::Pointers(pointers) => with_indices!(pointers, array => near(&array[from..], |begin| begin.to_usize() <= position)),
            _ => 0,
        };
        if begun > 0 { from + begun - 1 } else { self.parent(position) }
    }

    /// Replaces `out` by where the positions of each of some parents end, up to the end of `positions`, and counted from their start.
    #[inline(always)]
    pub(crate) fn ends_into(&self, parents: Range<usize>, positions: &Range<usize>, out: &mut Vec<usize>) {
        out.resize(parents.len(), 0);
        match self.ranges {
            Ranges::Pointers(pointers) => with_indices!(pointers, array => {
                let array = &array[parents.start + 1..parents.end + 1];
                prefetch_stream(array);
                for (slot, end) in out.iter_mut().zip(array) {
                    *slot = end.to_usize().min(positions.end) - positions.start;
                }
            }),
            _ => {
                let end = |parent: usize| self.begin(parent + 1).min(positions.end) - positions.start;
                out.iter_mut().zip(parents).for_each(|(slot, parent)| *slot = end(parent));
            }
        }
    }

    /// Where a stored coordinate is in memory, and how many bytes it has.
    pub(crate) fn address(&self, position: usize) -> Option<[usize; 2]> {
        match self.coordinates {
            Coordinates::Stored(indices) => with_indices!(indices, array => {
                let address = array.as_ptr().wrapping_add(position);
                Some([address.addr(), size_of_val(&array[..]) / array.len().max(1)])
            }),
            _ => None,
        }
    }

    /// Replaces `out` by the coordinates of some positions, if they are not counted from pointers. Those that come after them are asked for, if `ahead`.
    #[inline(always)]
    pub(crate) fn coordinates_into(&self, positions: Range<usize>, ahead: bool, out: &mut Vec<u64>) {
        out.resize(positions.len(), 0);
        match self.coordinates {
            Coordinates::Stored(indices) => with_indices!(indices, array => {
                let array = &array[positions];
                if ahead {
                    prefetch_stream(array);
                }
                for (slot, x) in out.iter_mut().zip(array) {
                    *slot = x.to_u64();
                }
            }),
            _ => {
                let extent = self.extent.max(1);
                let mut next = positions.start % extent;
                for slot in out {
                    *slot = next as u64;
                    next = if next + 1 == extent { 0 } else { next + 1 };
                }
            }
        }
    }

    /// The first run of `coordinate` among siblings, all of it where they are ordered; empty, at their end, where there is none.
    #[inline(always)]
    pub(crate) fn run(&self, siblings: Range<usize>, coordinate: u64) -> Range<usize> {
        let none = siblings.end..siblings.end;
        let indices = match self.coordinates {
            Coordinates::Stored(indices) => indices,
            // Siblings of a cyclic level are one block of equal parents.
            _ if coordinate < siblings.len() as u64 => {
                let position = siblings.start + coordinate as usize;
                return position..position + 1;
            }
            _ => return none,
        };
        let Promise { ordered, unique } = self.promise;
        let found = with_indices!(indices, array => {
            let among = array.get(siblings.clone()).unwrap_or(&[]);
            let equal = |x: &_| Index::to_u64(*x) == coordinate;
            let start = match ordered {
                true => among.partition_point(|x| x.to_u64() < coordinate),
                false => among.iter().position(equal).unwrap_or(among.len()),
            };
            match among.get(start) {
                Some(x) if equal(x) => start..start + match (ordered, unique) {
                    (true, true) => 1,
                    (true, false) => near(&among[start..], equal),
                    (false, _) => among[start..].iter().take_while(|x| equal(x)).count(),
                },
                _ => return none,
            }
        });
        siblings.start + found.start..siblings.start + found.end
    }

    /// The end of the run of equal coordinates that starts at `start`, among siblings up to `end`.
    #[inline(always)]
    pub(crate) fn run_end(&self, start: usize, end: usize) -> usize {
        match self.coordinates {
            Coordinates::Stored(indices) if !self.promise.unique => with_indices!(indices, array => {
                let among = array.get(start..end).unwrap_or(&[]);
                start + near(among, |x| *x == among[0]).max(1)
            }),
            _ => start + 1,
        }
    }

    /// The first position from `start` on, among siblings from `begin` to `end`, whose coordinate is not less than `coordinate`; they are ordered.
    #[inline(always)]
    pub(crate) fn skip(&self, begin: usize, start: usize, end: usize, coordinate: u64) -> usize {
        match self.coordinates {
            Coordinates::Stored(indices) => with_indices!(indices, array => {
                start + near(array.get(start..end).unwrap_or(&[]), |x| x.to_u64() < coordinate)
            }),
            _ => usize::try_from(coordinate).map_or(end, |coordinate| start.max(begin.saturating_add(coordinate)).min(end)),
        }
    }
}

/// How many leading elements hold, found in few steps where they are few.
#[inline]
fn near<T>(array: &[T], holds: impl Fn(&T) -> bool) -> usize {
    let mut far = 1;
    while array.get(far).is_some_and(&holds) {
        far *= 2;
    }
    let from = far / 2;
    from + array[from.min(array.len())..array.len().min(far + 1)].partition_point(holds)
}

impl Level for AnyLevel<'_> {
    const COMPACT: bool = true;
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        let positions = with_ranges!(self.ranges, level => level.size(parents)?);
        match self.coordinates {
            Coordinates::Stored(indices) => {
                with_indices!(indices, array => Singleton::trusted(&array[..], self.extent, Sorted).size(positions))
            }
            _ => Ok(positions),
        }
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        with_ranges!(self.ranges, level => level.range(parent))
    }

    #[inline(always)]
    fn coordinate(&self, parent: usize, position: usize) -> usize {
        let begin = if let Coordinates::Counted = self.coordinates { self.begin(parent) } else { 0 };
        self.at(begin, position) as usize
    }

    #[inline(always)]
    fn extent(&self, parent: usize) -> usize {
        if let (Coordinates::Counted, Ranges::Pointers(_)) = (self.coordinates, self.ranges) {
            self.range(parent).len()
        } else {
            self.extent
        }
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        let range = self.range(parent);
        match self.coordinates {
            Coordinates::Stored(indices) => with_indices!(indices, array => {
                Compressed::trusted([range.start, range.end], &array[..], self.extent, Sorted).walk(0, f)
            }),
            _ => range.clone().try_for_each(|position| f(self.at(range.start, position) as usize, position)),
        }
    }
}

impl Consecutive for AnyLevel<'_> {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        with_ranges!(self.ranges, level => level.begin(parent))
    }

    #[inline]
    fn parent(&self, position: usize) -> usize {
        with_ranges!(self.ranges, level => level.parent(position))
    }
}

impl Locate for AnyLevel<'_> {
    #[inline]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        match self.coordinates {
            // The range is not the block that the position is in.
            Coordinates::Cyclic(level) => level.locate(parent, coordinate),
            _ => Some(self.run(self.range(parent), coordinate as u64)).filter(|run| !run.is_empty()).map(|run| run.start),
        }
    }
}

/// The order that a format promises of the coordinates of each level below one parent.
pub(super) fn promises(format: &Format) -> Vec<Promise> {
    let mut out = Vec::with_capacity(format.levels());
    for group in format.groups() {
        match group {
            Group::Dense { .. } => out.push(Promise { ordered: true, unique: true }),
            Group::Tuples { first, end, repeats } => {
                let sorted = first + format.sorted_levels(first, end);
                let lists = format.is_multigraph() && end == format.levels() && format.kinds()[end - 1] == LevelKind::Indices;
                let splits = format.balanced().is_some_and(|balance| balance.level + 1 == end);
                let unique = |level| level + 1 == end && !repeats && !lists && !splits;
                out.extend((first..end).map(|level| Promise { ordered: level < sorted, unique: unique(level) }));
            }
        }
    }
    out
}

impl<'a> SparsityPattern<'a> {
    /// Level `k`; after the last level of a multigraph whose last level has pointers, the level of the elements of one coordinate.
    ///
    /// None also where the extent is beyond the words of the machine, which the coordinates of [`Level`] are.
    #[inline]
    pub fn level(&self, k: usize) -> Option<AnyLevel<'_>> {
        let words = self.extents.get(k).is_none_or(|extent| usize::try_from(*extent).is_ok());
        self.any_level(k).filter(|_| words)
    }

    /// [`SparsityPattern::level`] of any extent: for those who go by all 64 bits of coordinates.
    #[inline]
    pub(super) fn any_level(&self, k: usize) -> Option<AnyLevel<'_>> {
        let before = k.checked_sub(1).and_then(|before| self.format.kinds().get(before).copied());
        let Some(kind) = self.format.kinds().get(k) else {
            let elements = k == self.format.levels() && before.is_some_and(|kind| kind != LevelKind::Indices);
            let ranges = Ranges::Pointers(self.pointers(k.checked_sub(1)?)?);
            let promise = Promise { ordered: true, unique: true };
            return elements.then_some(AnyLevel { ranges, coordinates: Coordinates::Counted, extent: self.stored(), promise });
        };
        // Stored coordinates are below extents beyond the memory, if any are stored; a compressed level of such an extent would not fit.
        let extent = usize::try_from(self.extents[k]).unwrap_or(usize::MAX);
        let coordinates = match (kind, before) {
            (LevelKind::Pointers, Some(LevelKind::Indices)) => Coordinates::Cyclic(Cyclic::new(extent)),
            (LevelKind::Pointers, _) => Coordinates::Counted,
            _ => Coordinates::Stored(self.indices(k)?),
        };
        let ranges = match (kind, before) {
            (_, Some(LevelKind::Indices)) => Ranges::One,
            (LevelKind::Pointers, _) => Ranges::Uniform(Fixed::new(extent)),
            (_, None) => Ranges::Root(self.counts[0]),
            _ => Ranges::Pointers(self.pointers(k - 1)?),
        };
        Some(AnyLevel { ranges, coordinates, extent, promise: self.promises[k] })
    }

    /// All levels, the level of elements too where there is one.
    pub(crate) fn any_levels(&self) -> Vec<AnyLevel<'_>> {
        (0..).map_while(|k| self.any_level(k)).collect()
    }
}
