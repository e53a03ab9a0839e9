//! A level whose kind and widths are known at run time: from a file, from another library, of a format that a user names.

mod chain;
mod rows;
mod search;

pub use chain::{ChainError, FromLevel, FromLevels, chain};
pub use rows::RowLengths;

use crate::{Indices, with_indices};
use core::borrow::Borrow;
use core::marker::PhantomData;
use core::ops::{ControlFlow, Range};
use layout_levels::{Compressed, Consecutive, Cyclic, Fixed, Index, Level, LevelError, Locate, Singleton, Sorted};

/// The positions of each parent, over arrays `A`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranges<A> {
    /// The same number of positions below every parent.
    Uniform(Fixed<usize>),
    /// One position below every parent: the parent's own. Its coordinate, if it is not stored, is the position modulo the extent.
    One(Cyclic),
    /// This number of positions below one parent.
    Root(usize),
    /// The positions between neighbours of an array.
    Pointers(A),
    /// Between starts and starts plus sizes, arrays of one width, among so many positions.
    Views {
        /// The first position of each parent.
        starts: A,
        /// The number of positions of each parent.
        sizes: A,
        /// The number of all positions.
        positions: usize,
    },
    /// The columns of the elements of diagonals, among as many positions for each as there are columns.
    Diagonals {
        /// `column - row + rows - 1` of each diagonal.
        diagonals: A,
        /// The number of rows of the matrix.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
}

/// The stored coordinates of all positions, and the promise about those below one parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredCoordinates<A> {
    /// The coordinate of each position.
    pub indices: A,
    /// The number that all coordinates are less than.
    pub extent: usize,
    /// They ascend, or repeat.
    pub ordered: bool,
    /// They differ; with one position a parent, those of neighbours that agree in all levels above differ.
    pub unique: bool,
}

/// The array of `A`, for macros.
#[doc(hidden)]
#[inline(always)]
pub fn numbers<'s, 'a, A: Borrow<Indices<'a>>>(array: &'s A) -> &'s Indices<'a> {
    array.borrow()
}

/// Evaluates a body with the typed level of [`layout_levels`] that has these [`Ranges`]: one body for all, or one for levels whose ranges follow one
/// another and one for the others.
///
/// ```
/// use array_kernels::{DynLevel, with_ranges};
/// use layout_levels::Level;
/// let rows = DynLevel::offsets(vec![0_u32, 3, 3, 4])?;
/// let longest = with_ranges!(rows.ranges(), level => (0..3).map(|row| level.range(row).len()).max());
/// assert_eq!(longest, Some(3));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[macro_export]
macro_rules! with_ranges {
    ($ranges:expr, $level:ident => $body:expr) => {
        $crate::with_ranges!($ranges, follow($level) => $body, apart($level) => $body)
    };
    ($ranges:expr, follow($level:pat) => $body:expr, apart($other:pat) => $apart:expr) => {
        match $ranges {
            $crate::Ranges::Uniform($level) => $body,
            $crate::Ranges::One($level) => $body,
            $crate::Ranges::Root(entries) => {
                let $level = &$crate::levels::Ragged::trusted([0, *entries]);
                $body
            }
            $crate::Ranges::Pointers(pointers) => $crate::with_indices!($crate::numbers(pointers), array => {
                let $level = &$crate::levels::Ragged::trusted(&array[..]);
                $body
            }),
            $crate::Ranges::Views { starts, sizes, positions } => {
                $crate::with_ranges!(@ ($crate::numbers(starts), $crate::numbers(sizes)), positions, $other => $apart, U8 U16 U32 U64)
            }
            $crate::Ranges::Diagonals { diagonals, rows, columns } => $crate::with_indices!($crate::numbers(diagonals), array => {
                let $other = &$crate::levels::Range::trusted(&array[..], *rows, *columns);
                $apart
            }),
        }
    };
    (@ $arrays:expr, $positions:ident, $other:pat => $apart:expr, $($variant:ident)*) => {
        match $arrays {
            $(($crate::Indices::$variant(starts), $crate::Indices::$variant(sizes)) => {
                let $other = &$crate::levels::Views::trusted(&starts[..], &sizes[..], *$positions);
                $apart
            })*
            _ => {
                let $other = &$crate::levels::Fixed::new(0_usize);
                $apart
            }
        }
    };
}

/// A level of a kind known at run time: [`Fixed`], [`Ragged`](layout_levels::Ragged), [`Views`](layout_levels::Views), [`Compressed`], [`Singleton`], [`Cyclic`] or
/// [`Range`](layout_levels::Range) of [`layout_levels`], over arrays that it owns or borrows, or over those of somebody else ([`LevelView`]).
///
/// Every answer is that of the typed level, chosen by kind and width: [`with_ranges!`](crate::with_ranges) hands it to a loop. [`chain`] makes
/// levels a chain that the compiler knows. Views may overlap and may leave gaps: `parent` is the first row that has a position then.
///
/// ```
/// use array_kernels::DynLevel;
/// use layout_levels::{Level, Locate};
/// let rows = DynLevel::offsets(vec![0_i64, 2, 2, 3])?;
/// assert_eq!((rows.range(0), rows.locate(0, 1), rows.kind(), rows.rows()), (0..2, Some(1), "i64 offsets", Some(3)));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DynLevel<'a, A = Indices<'a>> {
    ranges: Ranges<A>,
    stored: Option<StoredCoordinates<A>>,
    /// The arrays came as signed integers.
    signed: bool,
    arrays: PhantomData<&'a ()>,
}

/// A [`DynLevel`] over the arrays of somebody else, which it does not own.
pub type LevelView<'a> = DynLevel<'a, &'a Indices<'a>>;

impl<'a> DynLevel<'a> {
    /// The level with arrays of its own.
    pub fn into_owned(self) -> DynLevel<'static> {
        self.map(Indices::into_owned)
    }

    /// The level over the same arrays, borrowed.
    pub fn view(&self) -> DynLevel<'_> {
        self.by_ref().map(Indices::view)
    }

    /// The level over the arrays of this one.
    pub fn by_ref(&self) -> LevelView<'_> {
        let ranges = match &self.ranges {
            Ranges::Uniform(level) => Ranges::Uniform(*level),
            Ranges::One(level) => Ranges::One(*level),
            Ranges::Root(entries) => Ranges::Root(*entries),
            Ranges::Pointers(pointers) => Ranges::Pointers(pointers),
            Ranges::Views { starts, sizes, positions } => Ranges::Views { starts, sizes, positions: *positions },
            Ranges::Diagonals { diagonals, rows, columns } => Ranges::Diagonals { diagonals, rows: *rows, columns: *columns },
        };
        let stored = self.stored.as_ref().map(|stored| {
            let StoredCoordinates { indices, extent, ordered, unique } = stored;
            StoredCoordinates { indices, extent: *extent, ordered: *ordered, unique: *unique }
        });
        DynLevel { signed: self.signed, ..DynLevel::trusted(ranges, stored) }
    }
}

impl<'a, A> DynLevel<'a, A> {
    /// The level of these ranges and coordinates, without a look at their numbers: of arrays that a checked constructor refuses, the answers are some
    /// numbers.
    #[inline(always)]
    pub const fn trusted(ranges: Ranges<A>, stored: Option<StoredCoordinates<A>>) -> Self {
        DynLevel { ranges, stored, signed: false, arrays: PhantomData }
    }

    /// The level with each of its arrays replaced by `f` of it.
    fn map<'b, B>(self, f: impl Fn(A) -> B) -> DynLevel<'b, B> {
        let ranges = match self.ranges {
            Ranges::Uniform(level) => Ranges::Uniform(level),
            Ranges::One(level) => Ranges::One(level),
            Ranges::Root(entries) => Ranges::Root(entries),
            Ranges::Pointers(pointers) => Ranges::Pointers(f(pointers)),
            Ranges::Views { starts, sizes, positions } => Ranges::Views { starts: f(starts), sizes: f(sizes), positions },
            Ranges::Diagonals { diagonals, rows, columns } => Ranges::Diagonals { diagonals: f(diagonals), rows, columns },
        };
        let stored = self.stored.map(|stored| {
            let StoredCoordinates { indices, extent, ordered, unique } = stored;
            StoredCoordinates { indices: f(indices), extent, ordered, unique }
        });
        DynLevel { signed: self.signed, ..DynLevel::trusted(ranges, stored) }
    }

    /// The positions of each parent.
    #[inline(always)]
    pub const fn ranges(&self) -> &Ranges<A> {
        &self.ranges
    }

    /// The coordinates, if they are stored; else they follow from the ranges.
    #[inline(always)]
    pub const fn stored(&self) -> Option<&StoredCoordinates<A>> {
        self.stored.as_ref()
    }

    /// Returns true if the coordinates below one parent ascend, or repeat.
    pub fn is_ordered(&self) -> bool {
        self.stored.as_ref().is_none_or(|stored| stored.ordered)
    }

    /// Returns true if the coordinates below one parent differ; of a level with one position a parent, those of neighbours that agree in all levels above.
    pub fn is_unique(&self) -> bool {
        self.stored.as_ref().is_none_or(|stored| stored.unique)
    }

    /// Returns true if every coordinate below a parent has a position.
    pub fn is_full(&self) -> bool {
        self.stored.is_none() && !matches!(self.ranges, Ranges::One(_) | Ranges::Diagonals { .. })
    }

    /// Returns true if every parent has one position, its own.
    pub fn is_branchless(&self) -> bool {
        matches!(self.ranges, Ranges::One(_))
    }

    /// Returns true if the ranges follow one another, as offsets make them.
    pub const fn is_consecutive(&self) -> bool {
        !matches!(self.ranges, Ranges::Views { .. } | Ranges::Diagonals { .. })
    }
}

/// Ranges that need not follow one another, out of line: loops over those that do stay short.
impl<'a, A: Borrow<Indices<'a>>> DynLevel<'a, A> {
    #[inline(never)]
    fn range_apart(&self, parent: usize) -> Range<usize> {
        with_ranges!(&self.ranges, follow(_) => 0..0, apart(level) => level.range(parent))
    }

    /// The first position of a parent; after the last parent, the end of all positions.
    #[inline(never)]
    fn begin_apart(&self, parent: usize) -> usize {
        match &self.ranges {
            Ranges::Diagonals { columns, .. } => parent.wrapping_mul(*columns),
            Ranges::Views { positions, .. } if self.rows().is_some_and(|rows| parent >= rows) => *positions,
            _ => self.range_apart(parent).start,
        }
    }
}

/// The kind is known at run time, so the constants promise nothing.
impl<'a, A: Borrow<Indices<'a>>> Level for DynLevel<'a, A> {
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        let positions = with_ranges!(&self.ranges, level => level.size(parents)?);
        match &self.stored {
            Some(stored) => {
                with_indices!(numbers(&stored.indices), array => Singleton::trusted(&array[..], stored.extent, Sorted).size(positions))
            }
            None => Ok(positions),
        }
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        with_ranges!(&self.ranges, follow(level) => level.range(parent), apart(_) => self.range_apart(parent))
    }

    #[inline(always)]
    fn coordinate(&self, parent: usize, position: usize) -> usize {
        match &self.stored {
            Some(stored) => with_indices!(numbers(&stored.indices), array => array.get(position).map_or(0, |x| x.to_usize())),
            None => with_ranges!(&self.ranges, level => level.coordinate(parent, position)),
        }
    }

    #[inline(always)]
    fn extent(&self, parent: usize) -> usize {
        match &self.stored {
            Some(stored) => stored.extent,
            None => with_ranges!(&self.ranges, level => level.extent(parent)),
        }
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        let range = self.range(parent);
        match &self.stored {
            Some(stored) => with_indices!(numbers(&stored.indices), array => {
                Compressed::trusted([range.start, range.end], &array[..], stored.extent, Sorted).walk(0, f)
            }),
            None => range.clone().try_for_each(|position| f(self.at(range.start, position) as usize, position)),
        }
    }
}

impl<'a, A: Borrow<Indices<'a>>> Consecutive for DynLevel<'a, A> {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        with_ranges!(&self.ranges, follow(level) => level.begin(parent), apart(_) => self.begin_apart(parent))
    }

    #[inline]
    fn parent(&self, position: usize) -> usize {
        with_ranges!(&self.ranges, follow(level) => level.parent(position), apart(level) => match &self.ranges {
            Ranges::Diagonals { columns, .. } => position.checked_div(*columns).unwrap_or(0),
            _ => (0..self.rows().unwrap_or(0)).find(|row| level.range(*row).contains(&position)).unwrap_or(0),
        })
    }
}

impl<'a, A: Borrow<Indices<'a>>> Locate for DynLevel<'a, A> {
    #[inline]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        match &self.stored {
            Some(_) => Some(self.run(self.range(parent), coordinate as u64)).filter(|run| !run.is_empty()).map(|run| run.start),
            None => with_ranges!(&self.ranges, level => level.locate(parent, coordinate)),
        }
    }
}
