//! Levels whose kind and widths are known at run time: from a file, another library, or a format's name.

// `rows` makes levels without stored coordinates, `search` finds positions and coordinates, and `chain` converts levels to
// the typed levels of `layout-levels`. A new kind is a level there, a variant of `Ranges`, and a line in `chain` and `kind`.
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

/// The rule that gives each parent its positions, over arrays of type `A`.
///
/// ```
/// use array_kernels::{DynLevel, Ranges};
/// let [fixed, rows] = [DynLevel::fixed(4), DynLevel::of_lengths(&[2, 0, 1])?];
/// let bytes = |level: &DynLevel| match level.ranges() {
///     Ranges::Pointers(offsets) => offsets.len() * offsets.width().bits() as usize / 8,
///     Ranges::Uniform(_) | Ranges::One(_) | Ranges::Root(_) => 0,
///     _ => unimplemented!("other kinds"),
/// };
/// assert_eq!((bytes(&fixed), bytes(&rows)), (0, 4 * 4));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranges<A> {
    /// One number `n` of positions for every parent: `p * n..(p + 1) * n` below parent `p`.
    Uniform(Fixed<usize>),
    /// One position below every parent, the parent's own. An unstored coordinate is the position modulo the extent.
    One(Cyclic),
    /// One parent, with the number 0, and this number of positions.
    Root(usize),
    /// The positions `array[p]..array[p + 1]` of parent `p`, from an array of pointers or offsets.
    Pointers(A),
    /// The positions `starts[p]..starts[p] + sizes[p]` of parent `p`. The two arrays have the same width.
    Views {
        /// The first position of each parent.
        starts: A,
        /// The number of positions of each parent.
        sizes: A,
        /// The number of positions of the level, an upper bound of every `starts[p] + sizes[p]` of a nonempty row.
        positions: usize,
    },
    /// The columns of the elements of diagonals. Each diagonal has room for `columns` positions.
    Diagonals {
        /// `column - row + rows - 1` of each diagonal.
        diagonals: A,
        /// The number of rows of the matrix.
        rows: usize,
        /// The number of columns of the matrix.
        columns: usize,
    },
}

/// The stored coordinates of all positions, and promises about the coordinates below one parent.
///
/// ```
/// use array_kernels::{DynLevel, Indices, Ranges, StoredCoordinates};
/// use layout_levels::{Level, Locate};
/// // The columns of a sparse matrix of two rows and six columns, in CSR.
/// let columns = StoredCoordinates { indices: Indices::from(vec![1_u16, 4, 0, 2, 5]), extent: 6, ordered: true, unique: true };
/// let level = DynLevel::trusted(Ranges::Pointers(Indices::from(vec![0_u32, 2, 5])), Some(columns));
/// assert_eq!((level.kind(), level.range(1), level.extent(1)), ("compressed", 2..5, 6));
/// assert_eq!((level.locate(1, 5), level.locate(1, 4)), (Some(4), None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredCoordinates<A> {
    /// The stored coordinate of each position.
    pub indices: A,
    /// An exclusive upper bound of the stored coordinates.
    pub extent: usize,
    /// True if the coordinates below one parent never decrease. They may repeat.
    pub ordered: bool,
    /// True if no coordinate repeats below one parent. If each parent has one position: true if neighbouring
    /// positions that agree in all levels above have different coordinates.
    pub unique: bool,
}

/// Returns the array behind `A`, for macros.
#[doc(hidden)]
#[inline(always)]
pub fn numbers<'s, 'a, A: Borrow<Indices<'a>>>(array: &'s A) -> &'s Indices<'a> {
    array.borrow()
}

/// Evaluates a body with the typed level of [`layout_levels`] that has these [`Ranges`].
///
/// There may be one body for all levels, or one for levels whose ranges follow one another and one for the others.
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

/// A level whose kind is known at run time, over arrays that it owns or borrows.
///
/// The kinds are [`Fixed`], [`Ragged`](layout_levels::Ragged), [`Views`](layout_levels::Views),
/// [`Compressed`], [`Singleton`], [`Cyclic`] and [`Range`](layout_levels::Range) of [`layout_levels`]. Every
/// method returns what the typed level returns. [`with_ranges!`](crate::with_ranges) hands the typed level to
/// a loop, and [`chain`] converts several levels to a typed chain. Views may overlap and leave gaps; for them
/// `parent` is the first row that has the position.
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
    /// True if the arrays were given as signed integers.
    signed: bool,
    arrays: PhantomData<&'a ()>,
}

/// A [`DynLevel`] over borrowed [`Indices`].
///
/// ```
/// use array_kernels::{DynLevel, LevelView};
/// use layout_levels::Level;
/// fn longest(level: LevelView<'_>) -> usize {
///     (0..level.rows().unwrap_or(0)).map(|row| level.range(row).len()).max().unwrap_or(0)
/// }
/// let level = DynLevel::of_lengths(&[2, 0, 5])?;
/// assert_eq!(longest(level.by_ref()), 5);
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
pub type LevelView<'a> = DynLevel<'a, &'a Indices<'a>>;

/// ```
/// use array_kernels::{DynLevel, Indices, LevelView, Ranges};
/// fn rows(offsets: &[u32]) -> Result<DynLevel<'static>, layout_levels::LevelError> {
///     let borrowed = DynLevel::offsets(offsets)?;
///     assert!(matches!(borrowed.ranges(), Ranges::Pointers(Indices::U32(std::borrow::Cow::Borrowed(_)))));
///     Ok(borrowed.into_owned())
/// }
/// let level = rows(&[0, 2, 5])?;
/// // A view is a level again, and `by_ref` is a level that can be copied.
/// let (view, by_ref): (DynLevel, LevelView) = (level.view(), level.by_ref());
/// assert_eq!((view.rows(), by_ref.rows()), (Some(2), Some(2)));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
impl<'a> DynLevel<'a> {
    /// Returns the level with owned arrays. Copies borrowed ones.
    pub fn into_owned(self) -> DynLevel<'static> {
        self.map(Indices::into_owned)
    }

    /// Returns a level that borrows the arrays of this one, each as an [`Indices`].
    pub fn view(&self) -> DynLevel<'_> {
        self.by_ref().map(Indices::view)
    }

    /// Returns a level that holds references to the arrays of this one.
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

/// ```
/// use array_kernels::{DynLevel, Indices, Ranges, StoredCoordinates};
/// // The columns of a sparse matrix, where duplicates follow one another.
/// let columns = StoredCoordinates { indices: Indices::from(vec![1_u8, 1, 4]), extent: 6, ordered: true, unique: false };
/// let sparse = DynLevel::trusted(Ranges::Pointers(Indices::from(vec![0_u8, 2, 3])), Some(columns));
/// assert_eq!(sparse.stored().map(|stored| stored.extent), Some(6));
/// assert!(sparse.is_ordered() && !sparse.is_unique() && !sparse.is_full());
///
/// // Rows that lie anywhere, and overlap.
/// let views = DynLevel::views(vec![1_u8, 0], vec![2, 2], 3)?;
/// assert!(views.is_full() && !views.is_consecutive() && !views.is_branchless());
/// assert!(matches!(views.ranges(), Ranges::Views { positions: 3, .. }));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
impl<'a, A> DynLevel<'a, A> {
    /// Returns the level of these ranges and coordinates, without checking their numbers. If a checked
    /// constructor would refuse the arrays, the level returns arbitrary numbers.
    #[inline(always)]
    pub const fn trusted(ranges: Ranges<A>, stored: Option<StoredCoordinates<A>>) -> Self {
        DynLevel { ranges, stored, signed: false, arrays: PhantomData }
    }

    /// Replaces each array of the level by `f` of the array.
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

    /// Returns the rule that gives each parent its positions.
    #[inline(always)]
    pub const fn ranges(&self) -> &Ranges<A> {
        &self.ranges
    }

    /// Returns the stored coordinates, or `None` if coordinates follow from the ranges.
    #[inline(always)]
    pub const fn stored(&self) -> Option<&StoredCoordinates<A>> {
        self.stored.as_ref()
    }

    /// Returns true if the coordinates below one parent never decrease. They may repeat.
    pub fn is_ordered(&self) -> bool {
        self.stored.as_ref().is_none_or(|stored| stored.ordered)
    }

    /// Returns true if no coordinate repeats below one parent. If each parent has one position, returns true if
    /// neighbouring positions that agree in all levels above have different coordinates.
    pub fn is_unique(&self) -> bool {
        self.stored.as_ref().is_none_or(|stored| stored.unique)
    }

    /// Returns true if every coordinate below a parent has a position.
    pub fn is_full(&self) -> bool {
        self.stored.is_none() && !matches!(self.ranges, Ranges::One(_) | Ranges::Diagonals { .. })
    }

    /// Returns true if every parent has exactly one position, with the parent's number.
    pub fn is_branchless(&self) -> bool {
        matches!(self.ranges, Ranges::One(_))
    }

    /// Returns true if the range of each parent begins where the range of the parent before it ends.
    pub const fn is_consecutive(&self) -> bool {
        !matches!(self.ranges, Ranges::Views { .. } | Ranges::Diagonals { .. })
    }
}

/// Methods for ranges that need not follow one another, out of line to keep loops over consecutive ranges short.
impl<'a, A: Borrow<Indices<'a>>> DynLevel<'a, A> {
    #[inline(never)]
    fn range_apart(&self, parent: usize) -> Range<usize> {
        with_ranges!(&self.ranges, follow(_) => 0..0, apart(level) => level.range(parent))
    }

    /// Returns the first position of `parent`. Beyond the last parent of views, returns the number of positions.
    #[inline(never)]
    fn begin_apart(&self, parent: usize) -> usize {
        match &self.ranges {
            Ranges::Diagonals { columns, .. } => parent.wrapping_mul(*columns),
            Ranges::Views { positions, .. } if self.rows().is_some_and(|rows| parent >= rows) => *positions,
            _ => self.range_apart(parent).start,
        }
    }
}

/// The constants promise nothing, because the kind is known only at run time.
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
