//! Typed chains of levels over the arrays of a pattern: kinds and widths known to the compiler.

use super::level::{AnyLevel, Coordinates, Ranges};
use super::{ArrayName, SparsityPattern};
use crate::Indices;
use core::fmt::{Display, Formatter};
use layout_core::Int;
use layout_core::level::{Chain, Compressed, Cyclic, End, Fixed, Index, Level, LevelError, Order, Ragged, Root, Singleton, Then};

/// Why a pattern is not the chain that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChainError {
    /// Another number of levels.
    Depth {
        /// The levels of the chain.
        expected: usize,
        /// Those of the pattern, with the level of elements of a multigraph whose last level has pointers.
        found: usize,
    },
    /// A level of another kind.
    Kind {
        /// The level.
        level: usize,
        /// The kind in the chain.
        expected: &'static str,
        /// The kind in the pattern.
        found: &'static str,
    },
    /// An array of another width.
    Width {
        /// The array.
        array: ArrayName,
        /// The bits of a number in the chain.
        expected: u32,
        /// The bits in the pattern.
        found: u32,
    },
    /// A static extent that is another one.
    Extent {
        /// The level.
        level: usize,
        /// The extent in the chain.
        expected: usize,
        /// The extent in the pattern.
        found: usize,
    },
    /// Coordinates of which the format promises less than the chain.
    Order {
        /// The level.
        level: usize,
        /// Whether the format promises that they are ordered.
        ordered: bool,
        /// Whether it promises that they differ.
        unique: bool,
    },
    /// Coordinates beyond the words of the machine, which those of levels are.
    Word {
        /// The level.
        level: usize,
        /// Its extent.
        extent: u64,
    },
    /// Levels that do not fit each other: only of parts that were not checked.
    Level(LevelError),
}

impl Display for ChainError {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        match self {
            ChainError::Depth { expected, found } => write!(f, "a chain of {expected} levels for a pattern of {found}"),
            ChainError::Kind { level, expected, found } => write!(f, "level {level} is {found}, not {expected}"),
            ChainError::Width { array, expected, found } => write!(f, "{array} has {found} bits, not {expected}"),
            ChainError::Extent { level, expected, found } => write!(f, "level {level} has the extent {found}, not {expected}"),
            ChainError::Order { level, ordered, unique } => {
                let ordered = if *ordered { "ordered" } else { "unordered" };
                write!(f, "level {level} is {ordered}{}", if *unique { "" } else { ", and coordinates repeat" })
            }
            ChainError::Word { level, extent } => write!(f, "level {level}: {} bits do not hold the extent {extent}", usize::BITS),
            ChainError::Level(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ChainError {}

/// Chains that a pattern can be: of `Fixed`, `Compressed`, `Singleton`, `Cyclic`, `Ragged` over slices, or [`AnyLevel`].
pub trait FromPattern<'p>: Chain + Sized {
    /// The chain of the levels from `level` on.
    fn from_pattern(pattern: &'p SparsityPattern<'_>, level: usize) -> Result<Self, ChainError>;
}

/// Levels that a level of a pattern can be.
pub trait FromLevel<'p>: Level + Sized {
    /// Level `k` of a pattern.
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, ChainError>;
}

impl<'p> FromPattern<'p> for End {
    fn from_pattern(pattern: &'p SparsityPattern<'_>, level: usize) -> Result<Self, ChainError> {
        match pattern.level(level) {
            None => Ok(End),
            Some(_) => Err(ChainError::Depth { expected: level, found: pattern.any_levels().len() }),
        }
    }
}

impl<'p, L: FromLevel<'p>, R: FromPattern<'p>> FromPattern<'p> for Then<L, R> {
    fn from_pattern(pattern: &'p SparsityPattern<'_>, k: usize) -> Result<Self, ChainError> {
        let level = pattern.level(k).ok_or(ChainError::Depth { expected: k + 1 + R::DEPTH, found: k })?;
        Ok(Then(L::from_level(level, k)?, R::from_pattern(pattern, k + 1)?))
    }
}

impl<'a> SparsityPattern<'a> {
    /// The pattern as a chain of typed levels over its arrays, if they are of these kinds and widths: for kernels, which then read slices.
    ///
    /// A first level that stores coordinates is a `Compressed<[usize; 2], ..>`, whose positions are all of them; a level that stores them below a
    /// sparse one is a `Singleton`, any other a `Compressed` of slices.
    ///
    /// ```
    /// use layout_core::level::{Compressed, End, Fixed, Then};
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// type Csr<'p, P> = Then<Fixed<usize>, Then<Compressed<&'p [P], &'p [u32]>, End>>;
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u32, 3, 0]);
    /// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays).map_err(|rejected| rejected.error)?;
    /// let (values, x, mut y) = ([0.5, 1.5, 2.5], [1.0, 2.0, 3.0, 4.0], [0.0; 3]);
    /// pattern.chain::<Csr<u8>>()?.for_each(|(i, (j, ())), k| y[i] += values[k] * x[j]);
    /// assert_eq!(y, [7.0, 0.0, 2.5]);
    /// assert_eq!(pattern.chain::<Csr<u32>>().unwrap_err().to_string(), "pointers_0 has 8 bits, not 32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chain<'p, C: FromPattern<'p>>(&'p self) -> Result<Root<C>, ChainError> {
        let beyond = |extent: &u64| usize::try_from(*extent).is_err();
        if let Some((level, extent)) = self.extents.iter().enumerate().find(|(_, extent)| beyond(extent)) {
            return Err(ChainError::Word { level, extent: *extent });
        }
        Root::new(C::from_pattern(self, 0)?).map_err(ChainError::Level)
    }
}

impl<'p> FromLevel<'p> for AnyLevel<'p> {
    fn from_level(level: AnyLevel<'p>, _: usize) -> Result<Self, ChainError> {
        Ok(level)
    }
}

impl<'p> FromLevel<'p> for Fixed<usize> {
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, ChainError> {
        match level.ranges {
            Ranges::Uniform(level) => Ok(level),
            _ => Err(level.not(k, "dense")),
        }
    }
}

impl<'p, const N: usize> FromLevel<'p> for Fixed<Int<N>> {
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, ChainError> {
        match level.ranges {
            Ranges::Uniform(_) if level.extent == N => Ok(Fixed::new(Int)),
            Ranges::Uniform(_) => Err(ChainError::Extent { level: k, expected: N, found: level.extent }),
            _ => Err(level.not(k, "dense")),
        }
    }
}

impl<'p> FromLevel<'p> for Cyclic {
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, ChainError> {
        match level.coordinates {
            Coordinates::Cyclic(level) => Ok(level),
            _ => Err(level.not(k, "cyclic")),
        }
    }
}

impl<'p, P: Index> FromLevel<'p> for Ragged<&'p [P]> {
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, ChainError> {
        match (level.ranges, level.coordinates) {
            (Ranges::Pointers(pointers), Coordinates::Counted) => Ok(Ragged::trusted(pointers_of(pointers, k)?)),
            _ => Err(level.not(k, "ragged")),
        }
    }
}

impl<'p, I: Index, O: Order> FromLevel<'p> for Singleton<&'p [I], O> {
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, ChainError> {
        match (level.ranges, level.coordinates) {
            (Ranges::One, Coordinates::Stored(indices)) => {
                level.promises::<O>(k)?;
                Ok(Singleton::trusted(slice(indices, ArrayName::Indices(k))?, level.extent, O::default()))
            }
            _ => Err(level.not(k, "singleton")),
        }
    }
}

impl<'p, P: Index, I: Index, O: Order> FromLevel<'p> for Compressed<&'p [P], &'p [I], O> {
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, ChainError> {
        match (level.ranges, level.coordinates) {
            (Ranges::Pointers(pointers), Coordinates::Stored(indices)) => {
                level.promises::<O>(k)?;
                let (positions, coordinates) = (pointers_of(pointers, k)?, slice(indices, ArrayName::Indices(k))?);
                Ok(Compressed::trusted(positions, coordinates, level.extent, O::default()))
            }
            _ => Err(level.not(k, "compressed")),
        }
    }
}

impl<'p, I: Index, O: Order> FromLevel<'p> for Compressed<[usize; 2], &'p [I], O> {
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, ChainError> {
        match (level.ranges, level.coordinates) {
            (Ranges::Root(entries), Coordinates::Stored(indices)) => {
                level.promises::<O>(k)?;
                Ok(Compressed::trusted([0, entries], slice(indices, ArrayName::Indices(k))?, level.extent, O::default()))
            }
            _ => Err(level.not(k, "compressed below one parent")),
        }
    }
}

impl AnyLevel<'_> {
    /// The kind of the typed level.
    pub fn kind(&self) -> &'static str {
        match (self.ranges, self.coordinates) {
            (Ranges::Uniform(_), _) => "dense",
            (Ranges::Root(_), _) => "compressed below one parent",
            (Ranges::Pointers(_), Coordinates::Stored(_)) => "compressed",
            (Ranges::Pointers(_), _) => "ragged",
            (Ranges::One, Coordinates::Cyclic(_)) => "cyclic",
            (Ranges::One, _) => "singleton",
        }
    }

    #[cold]
    fn not(&self, level: usize, expected: &'static str) -> ChainError {
        ChainError::Kind { level, expected, found: self.kind() }
    }

    /// An error unless the format promises what an order does.
    fn promises<O: Order>(&self, level: usize) -> Result<(), ChainError> {
        let (ordered, unique) = (self.promise.ordered, self.promise.unique);
        if (O::ORDERED && !ordered) || (O::UNIQUE && !unique) { Err(ChainError::Order { level, ordered, unique }) } else { Ok(()) }
    }
}

fn slice<'p, T: Index>(indices: &'p Indices<'_>, array: ArrayName) -> Result<&'p [T], ChainError> {
    indices.as_slice().ok_or(ChainError::Width { array, expected: T::BITS, found: indices.width().bits() })
}

/// The positions of level `k`, which are the pointers of the level before it.
fn pointers_of<'p, T: Index>(pointers: &'p Indices<'_>, k: usize) -> Result<&'p [T], ChainError> {
    slice(pointers, ArrayName::Pointers(k.saturating_sub(1)))
}
