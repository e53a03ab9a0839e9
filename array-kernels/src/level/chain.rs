//! The conversion of levels known at run time to a typed chain. A new kind of level gets a line in `from_level!` here.

use super::{DynLevel, LevelView, Ranges, StoredCoordinates};
use crate::{Indices, OffsetIndex};
use layout_core::{Int, Layout, TypedLayout};
use layout_levels::{
    Block, Chain, Compressed, Cyclic, End, Fixed, Index, Inverse, Level, LevelArray, LevelError, Order, Ragged, Root, Singleton, Then,
};

layout_core::errors! {
    /// The error of levels that do not match a chain type: their number, kinds, widths or extents differ.
    ///
    /// ```
    /// use array_kernels::{ChainError, DynLevel, chain};
    /// use layout_levels::{End, Fixed, Then};
    /// let levels = [DynLevel::fixed(3), DynLevel::of_lengths(&[2, 0, 1])?];
    /// let views: Vec<_> = levels.iter().map(DynLevel::by_ref).collect();
    /// let error = chain::<Then<Fixed<usize>, Then<Fixed<usize>, End>>>(&views).unwrap_err();
    /// assert_eq!(error, ChainError::Kind { level: 1, expected: "fixed", found: "u32 offsets" });
    /// assert_eq!((error.level(), error.class()), (Some(1), "levels/chain"));
    /// let error = chain::<Then<Fixed<usize>, End>>(&views).unwrap_err();
    /// assert_eq!((error.level(), error.to_string().as_str()), (None, "the chain has 1 levels, but 2 are given"));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    #[derive(Copy)]
    #[non_exhaustive]
    ChainError of Level(LevelError) {
        /// The number of levels differs from the number in the chain type.
        Depth { expected: usize, found: usize } => "levels/chain", "the chain has {expected} levels, but {found} are given";
        /// A level has another kind than the chain type expects.
        Kind { level: usize, expected: &'static str, found: &'static str } =>
            "levels/chain", "level {level}: the kind is {found}; expected: {expected}";
        /// The integers of an array have another width than the chain's.
        Width { level: usize, part: LevelArray, expected: u32, found: u32 } =>
            "levels/chain", "level {level}: the numbers of {} have {found} bits instead of {expected}", part.name();
        /// A static extent of the chain differs from the level's extent.
        Extent { level: usize, expected: usize, found: usize } =>
            "levels/chain", "level {level} has the extent {found}, not {expected}";
        /// The sizes of levels of fixed size do not multiply to the size of a block.
        Block { level: usize, size: usize, expected: usize } =>
            "levels/chain", "a block has {expected} elements, but the fixed levels from level {level} on have {size}";
        /// The chain promises more about the coordinates than the level does.
        Order { level: usize, ordered: bool, unique: bool } => "levels/chain",
            "level {level} may have {} coordinates, but the chain promises that it does not: use a chain without this promise",
            match (ordered, unique) { (false, true) => "unordered", (true, false) => "repeated", _ => "unordered and repeated" };
    }
}

impl ChainError {
    /// Returns the level that the error is about, or `None` if it is about the whole chain.
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

/// Converts levels to the chain type `C` over their arrays. Fails if their number, kinds, widths, extents or orders differ from `C`.
///
/// Kernels take typed chains: they then read slices and divide by constants. A [`Block`] of a static layout
/// takes the fewest levels of fixed size, at least one, whose sizes multiply to the size of the layout. A
/// level of stored coordinates below one parent is a `Compressed<[usize; 2], ..>`.
///
/// ```
/// use array_kernels::{DynLevel, Indices, chain};
/// use layout_levels::{Cursor, End, Fixed, Ragged, Then};
/// let levels = [DynLevel::fixed(3), DynLevel::offsets(vec![0_u32, 2, 2, 3])?];
/// let views: Vec<_> = levels.iter().map(DynLevel::by_ref).collect();
/// type Rows<'p, I> = Then<Fixed<usize>, Then<Ragged<&'p [I], Cursor>, End>>;
/// assert_eq!(chain::<Rows<u32>>(&views)?.decompose(2), (2, (0, ())));
/// assert_eq!(chain::<Rows<i64>>(&views).unwrap_err().to_string(), "level 1: the kind is u32 offsets; expected: i64 offsets");
/// # Ok::<(), array_kernels::ChainError>(())
/// ```
pub fn chain<'p, C: FromLevels<'p>>(levels: &[LevelView<'p>]) -> Result<Root<C>, ChainError> {
    Ok(Root::new(C::from_levels(levels, 0)?)?)
}

/// A chain of typed levels that [`chain`] can make from levels known at run time.
///
/// ```
/// use array_kernels::{ChainError, DynLevel, FromLevels, LevelView, chain};
/// use layout_levels::{End, Fixed, Ragged, Then};
/// /// Returns the number of elements of the levels, if they have the type `C`.
/// fn elements<'p, C: FromLevels<'p>>(levels: &[LevelView<'p>]) -> Result<usize, ChainError> {
///     Ok(chain::<C>(levels)?.size())
/// }
/// let levels = [DynLevel::fixed(3), DynLevel::offsets(vec![0_u32, 2, 2, 3])?];
/// let views: Vec<_> = levels.iter().map(DynLevel::by_ref).collect();
/// assert_eq!(elements::<Then<Fixed<usize>, Then<Ragged<&[u32]>, End>>>(&views)?, 3);
/// // The levels from number 1 on are a chain too.
/// let Then(rows, End) = Then::<Ragged<&[u32]>, End>::from_levels(&views, 1)?;
/// assert_eq!(rows.into_offsets(), [0, 2, 2, 3]);
/// # Ok::<(), ChainError>(())
/// ```
pub trait FromLevels<'p>: Chain + Sized {
    /// Returns the chain of `levels[level..]`.
    ///
    /// # Errors
    /// Fails if the number of levels, or the kind, width, extent or order of a level, differs from this chain type.
    fn from_levels(levels: &[LevelView<'p>], level: usize) -> Result<Self, ChainError>;
}

/// A typed level that [`chain`] can make from a level known at run time.
///
/// These are [`Fixed`], [`Block`], [`Ragged`], [`Compressed`], [`Singleton`], [`Cyclic`] and
/// [`Range`](layout_levels::Range) over slices, and [`LevelView`].
///
/// ```
/// use array_kernels::{DynLevel, FromLevel};
/// use layout_core::{Int, Strided};
/// use layout_levels::{Block, Fixed, Level};
/// let levels = [DynLevel::fixed(2), DynLevel::fixed(4)];
/// let views: Vec<_> = levels.iter().map(DynLevel::by_ref).collect();
/// let (rows, next) = Fixed::<Int<2>>::from_level(&views, 0)?;
/// assert_eq!((rows.range(3), next), (6..8, 1));
/// // A block of 2 by 4 elements covers both levels.
/// type Tile = Block<Strided<(Int<2>, Int<4>), (Int<4>, Int<1>)>>;
/// let (tile, next) = Tile::from_level(&views, 0)?;
/// assert_eq!((tile.range(3), next), (24..32, 2));
/// # Ok::<(), array_kernels::ChainError>(())
/// ```
pub trait FromLevel<'p>: Level + Sized {
    /// Converts `levels[k]`, and for a block also the later levels that the block covers. Returns the typed level and
    /// the number of the next level to convert.
    ///
    /// # Errors
    /// Fails if there is no level `k`, or the kind, width, extent or order of a level differs.
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

/// Implements [`FromLevel`] for typed levels by a match on the ranges and the stored coordinates of a level.
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
        layout_levels::Range::trusted(slice(diagonals, k, LevelArray::Diagonals)?, rows, columns);
    [I: Index, O: Order] Singleton<&'p [I], O>, "singleton", |level, k| (Ranges::One(_), Some(stored)) =>
        Singleton::trusted(stored.slice::<I, O>(k)?, stored.extent, O::default());
    [P: Index, I: Index, O: Order] Compressed<&'p [P], &'p [I], O>, "compressed", |level, k| (Ranges::Pointers(pointers), Some(stored)) => {
        let coordinates = stored.slice::<I, O>(k)?;
        Compressed::trusted(slice(pointers, k, LevelArray::Positions)?, coordinates, stored.extent, O::default())
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
    /// Returns the coordinates of level `k` as a slice of `I`. Fails if they do not promise the order `O` or have another width.
    fn slice<I: Index, O: Order>(&self, k: usize) -> Result<&'p [I], ChainError> {
        let (ordered, unique) = (self.ordered, self.unique);
        if (O::ORDERED && !ordered) || (O::UNIQUE && !unique) {
            return Err(ChainError::Order { level: k, ordered, unique });
        }
        slice(self.indices, k, LevelArray::Coordinates)
    }
}

fn slice<'p, T: Index>(array: &'p Indices<'p>, level: usize, part: LevelArray) -> Result<&'p [T], ChainError> {
    array.as_slice().ok_or(ChainError::Width { level, part, expected: T::BITS, found: array.width().bits() })
}
