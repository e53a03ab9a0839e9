//! Levels known at run time as a chain that the compiler knows: kinds, widths and static layouts.

use super::{DynLevel, LevelView, Ranges, StoredCoordinates};
use crate::{Indices, OffsetIndex};
use layout_core::{Int, Layout, TypedLayout};
use layout_levels::{
    Block, Chain, Compressed, Cyclic, End, Fixed, Index, Inverse, Level, LevelError, Order, Part, Ragged, Root, Singleton, Then,
};

layout_core::errors! {
    /// Why levels are no chain of a type: they are of other kinds, widths or extents.
    #[derive(Copy)]
    #[non_exhaustive]
    ChainError of Level(LevelError) {
        /// A chain of another number of levels.
        Depth { expected: usize, found: usize } => "levels/chain", "a chain of {expected} levels for {found}";
        /// A level whose kind differs from the chain's.
        Kind { level: usize, expected: &'static str, found: &'static str } =>
            "levels/chain", "level {level} is {found}, not {expected}";
        /// An array whose integers differ from the chain's.
        Width { level: usize, part: Part, expected: u32, found: u32 } =>
            "levels/chain", "level {level}: {} of {found} bits, not {expected}", part.name();
        /// A static extent that is another one.
        Extent { level: usize, expected: usize, found: usize } =>
            "levels/chain", "level {level} has the extent {found}, not {expected}";
        /// Levels of fixed size that are no block.
        Block { level: usize, size: usize, expected: usize } =>
            "levels/chain", "a block has {expected} elements, but the fixed levels from {level} on have {size}";
        /// The chain promises more of the coordinates than the level does.
        Order { level: usize, ordered: bool, unique: bool } => "levels/chain", "level {level} is {}ordered{}",
            if *ordered { "" } else { "un" }, if *unique { "" } else { ", and coordinates repeat" };
    }
}

impl ChainError {
    /// The level, where the error is about one.
    pub const fn level(&self) -> Option<usize> {
        match self {
            ChainError::Level(error) => error.level,
            ChainError::Depth { .. } => None,
            ChainError::Kind { level, .. }
            | ChainError::Width { level, .. }
            | ChainError::Extent { level, .. }
            | ChainError::Block { level, .. }
            | ChainError::Order { level, .. } => Some(*level),
        }
    }
}

/// Levels as a chain of typed levels over their arrays, if they are of these kinds and widths: for kernels, which then read slices, and divide by constants.
///
/// A [`Block`] of a static layout takes the fewest levels of fixed size, at least one, that have as many elements as the layout. A level of stored
/// coordinates below one parent is a `Compressed<[usize; 2], ..>`.
///
/// ```
/// use array_kernels::{DynLevel, Indices, chain};
/// use layout_levels::{Cursor, End, Fixed, Ragged, Then};
/// let levels = [DynLevel::fixed(3), DynLevel::offsets(vec![0_u32, 2, 2, 3])?];
/// let views: Vec<_> = levels.iter().map(DynLevel::by_ref).collect();
/// type Rows<'p, I> = Then<Fixed<usize>, Then<Ragged<&'p [I], Cursor>, End>>;
/// assert_eq!(chain::<Rows<u32>>(&views)?.decompose(2), (2, (0, ())));
/// assert_eq!(chain::<Rows<i64>>(&views).unwrap_err().to_string(), "level 1 is u32 offsets, not i64 offsets");
/// # Ok::<(), array_kernels::ChainError>(())
/// ```
pub fn chain<'p, C: FromLevels<'p>>(levels: &[LevelView<'p>]) -> Result<Root<C>, ChainError> {
    Ok(Root::new(C::from_levels(levels, 0)?)?)
}

/// Chains of typed levels that levels known at run time can be.
pub trait FromLevels<'p>: Chain + Sized {
    /// The chain of the levels from `level` on.
    ///
    /// # Errors
    /// Another number of levels, or a level of another kind, width or extent.
    fn from_levels(levels: &[LevelView<'p>], level: usize) -> Result<Self, ChainError>;
}

/// Typed levels that levels known at run time can be: [`Fixed`], [`Block`], [`Ragged`], [`Compressed`], [`Singleton`], [`Cyclic`] and [`Range`](layout_levels::Range) over slices, or a
/// [`LevelView`].
pub trait FromLevel<'p>: Level + Sized {
    /// Level `k`, or as many levels from there on as it takes, and the first level after them.
    ///
    /// # Errors
    /// A level of another kind, width or extent.
    fn from_level(levels: &[LevelView<'p>], k: usize) -> Result<(Self, usize), ChainError>;
}

impl<'p> FromLevels<'p> for End {
    fn from_levels(levels: &[LevelView<'p>], level: usize) -> Result<Self, ChainError> {
        if level == levels.len() { Ok(End) } else { Err(ChainError::Depth { expected: level, found: levels.len() }) }
    }
}

impl<'p, L: FromLevel<'p>, R: FromLevels<'p>> FromLevels<'p> for Then<L, R> {
    fn from_levels(levels: &[LevelView<'p>], level: usize) -> Result<Self, ChainError> {
        if level >= levels.len() {
            return Err(ChainError::Depth { expected: level + 1 + R::DEPTH, found: levels.len() });
        }
        let (first, next) = L::from_level(levels, level)?;
        Ok(Then(first, R::from_levels(levels, next)?))
    }
}

/// Makes levels of these types of the ranges of a level, and of its coordinates where they are stored.
macro_rules! from_level {
    ($([$($generic:tt)*] $level:ty, $expected:expr, |$this:ident, $k:ident| $ranges_and_coordinates:pat $(if $condition:expr)? => $made:expr;)*) => { $(
        impl<'p, $($generic)*> FromLevel<'p> for $level {
            fn from_level(levels: &[LevelView<'p>], $k: usize) -> Result<(Self, usize), ChainError> {
                let $this = levels.get($k).ok_or(ChainError::Depth { expected: $k + 1, found: levels.len() })?;
                match ($this.ranges, $this.stored) {
                    $ranges_and_coordinates $(if $condition)? => Ok(($made, $k + 1)),
                    _ => Err(ChainError::Kind { level: $k, expected: $expected, found: $this.kind() }),
                }
            }
        }
    )* };
}

from_level! {
    [] Fixed<usize>, "fixed", |level, k| (Ranges::Uniform(level), None) => level;
    [const N: usize] Fixed<Int<N>>, "fixed", |level, k| (Ranges::Uniform(size), None) => match size.extent(0) {
        extent if extent == N => Fixed::new(Int),
        found => return Err(ChainError::Extent { level: k, expected: N, found }),
    };
    [] Cyclic, "cyclic", |level, k| (Ranges::One(level), None) => level;
    [I: OffsetIndex, V: Inverse + Default] Ragged<&'p [I], V>, I::OFFSETS, |level, k| (Ranges::Pointers(offsets), None)
        if level.signed == I::SIGNED && I::slice_of(offsets).is_some() => {
            let rows = Ragged::trusted(I::slice_of(offsets).unwrap_or(&[]));
            rows.inverted(V::default()).map_err(|error| error.at_level(k))?
        };
    [D: Index] layout_levels::Range<&'p [D]>, "range", |level, k| (Ranges::Diagonals { diagonals, rows, columns }, None) =>
        layout_levels::Range::trusted(slice(diagonals, k, Part::Diagonals)?, rows, columns);
    [I: Index, O: Order] Singleton<&'p [I], O>, "singleton", |level, k| (Ranges::One(_), Some(stored)) =>
        Singleton::trusted(stored.slice::<I, O>(k)?, stored.extent, O::default());
    [P: Index, I: Index, O: Order] Compressed<&'p [P], &'p [I], O>, "compressed", |level, k| (Ranges::Pointers(pointers), Some(stored)) => {
        let coordinates = stored.slice::<I, O>(k)?;
        Compressed::trusted(slice(pointers, k, Part::Positions)?, coordinates, stored.extent, O::default())
    };
    [I: Index, O: Order] Compressed<[usize; 2], &'p [I], O>, "compressed below one parent", |level, k| (Ranges::Root(entries), Some(stored)) =>
        Compressed::trusted([0, entries], stored.slice::<I, O>(k)?, stored.extent, O::default());
}

impl<'p> FromLevel<'p> for LevelView<'p> {
    fn from_level(levels: &[LevelView<'p>], k: usize) -> Result<(Self, usize), ChainError> {
        let level = levels.get(k).ok_or(ChainError::Depth { expected: k + 1, found: levels.len() })?;
        Ok((*level, k + 1))
    }
}

impl<'p, L: TypedLayout + Default> FromLevel<'p> for Block<L> {
    fn from_level(levels: &[LevelView<'p>], k: usize) -> Result<(Self, usize), ChainError> {
        let layout = L::default();
        let (expected, mut next, mut size) = (layout.size(), k, 1_usize);
        while (next == k || size < expected)
            && let Some(fixed) = levels.get(next).and_then(DynLevel::fixed_size)
        {
            (next, size) = (next + 1, size.saturating_mul(fixed));
        }
        if next == k || size != expected {
            return Err(ChainError::Block { level: k, size, expected });
        }
        Ok((Block::new(layout), next))
    }
}

impl<'p> StoredCoordinates<&'p Indices<'p>> {
    /// The coordinates of level `k`, if as much is promised of them as an order does.
    fn slice<I: Index, O: Order>(&self, k: usize) -> Result<&'p [I], ChainError> {
        let (ordered, unique) = (self.ordered, self.unique);
        if (O::ORDERED && !ordered) || (O::UNIQUE && !unique) {
            return Err(ChainError::Order { level: k, ordered, unique });
        }
        slice(self.indices, k, Part::Coordinates)
    }
}

fn slice<'p, T: Index>(array: &'p Indices<'p>, level: usize, part: Part) -> Result<&'p [T], ChainError> {
    array.as_slice().ok_or(ChainError::Width { level, part, expected: T::BITS, found: array.width().bits() })
}
