//! Typed chains of levels over the arrays of a pattern: kinds and widths known to the compiler.

use super::SparsityPattern;
use super::level::{AnyLevel, Coordinates, Ranges};
use crate::{ArrayName, Indices, SparseError};
use layout_core::Int;
use layout_levels::{Chain, Compressed, Cyclic, End, Fixed, Index, Level, Order, Ragged, Root, Singleton, Then};

/// Chains that a pattern can be: of `Fixed`, `Compressed`, `Singleton`, `Cyclic`, `Ragged` over slices, or [`AnyLevel`].
pub trait FromPattern<'p>: Chain + Sized {
    /// The chain of the levels from `level` on.
    fn from_pattern(pattern: &'p SparsityPattern<'_>, level: usize) -> Result<Self, SparseError>;
}

/// Levels that a level of a pattern can be.
pub trait FromLevel<'p>: Level + Sized {
    /// Level `k` of a pattern.
    fn from_level(level: AnyLevel<'p>, k: usize) -> Result<Self, SparseError>;
}

impl<'p> FromPattern<'p> for End {
    fn from_pattern(pattern: &'p SparsityPattern<'_>, level: usize) -> Result<Self, SparseError> {
        match pattern.level(level) {
            None => Ok(End),
            Some(_) => Err(SparseError::ChainDepth { expected: level, found: pattern.any_levels().len() }),
        }
    }
}

impl<'p, L: FromLevel<'p>, R: FromPattern<'p>> FromPattern<'p> for Then<L, R> {
    fn from_pattern(pattern: &'p SparsityPattern<'_>, k: usize) -> Result<Self, SparseError> {
        let level = pattern.level(k).ok_or(SparseError::ChainDepth { expected: k + 1 + R::DEPTH, found: k })?;
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
    /// use layout_levels::{Compressed, End, Fixed, Then};
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
    pub fn chain<'p, C: FromPattern<'p>>(&'p self) -> Result<Root<C>, SparseError> {
        let beyond = |extent: &u64| usize::try_from(*extent).is_err();
        if let Some((level, extent)) = self.extents.iter().enumerate().find(|(_, extent)| beyond(extent)) {
            return Err(SparseError::ChainWord { level, extent: *extent });
        }
        // Levels fit each other, unless parts were not checked.
        Ok(Root::new(C::from_pattern(self, 0)?)?)
    }
}

/// Makes levels of these types of the ranges and coordinates of a level of a pattern.
macro_rules! from_level {
    ($([$($generic:tt)*] $level:ty, $expected:literal, |$this:ident, $k:ident| $ranges_and_coordinates:pat => $made:expr;)*) => { $(
        impl<'p, $($generic)*> FromLevel<'p> for $level {
            fn from_level($this: AnyLevel<'p>, $k: usize) -> Result<Self, SparseError> {
                match ($this.ranges, $this.coordinates) {
                    $ranges_and_coordinates => $made,
                    _ => Err(SparseError::ChainKind { level: $k, expected: $expected, found: $this.kind() }),
                }
            }
        }
    )* };
}

from_level! {
    [] Fixed<usize>, "dense", |level, k| (Ranges::Uniform(level), _) => Ok(level);
    [const N: usize] Fixed<Int<N>>, "dense", |level, k| (Ranges::Uniform(_), _) => match level.extent {
        extent if extent == N => Ok(Fixed::new(Int)),
        found => Err(SparseError::ChainExtent { level: k, expected: N, found }),
    };
    [] Cyclic, "cyclic", |level, k| (_, Coordinates::Cyclic(level)) => Ok(level);
    [P: Index] Ragged<&'p [P]>, "ragged", |level, k| (Ranges::Pointers(pointers), Coordinates::Counted) =>
        Ok(Ragged::trusted(pointers_of(pointers, k)?));
    [I: Index, O: Order] Singleton<&'p [I], O>, "singleton", |level, k| (Ranges::One, Coordinates::Stored(indices)) =>
        Ok(Singleton::trusted(level.stored::<I, O>(indices, k)?, level.extent, O::default()));
    [P: Index, I: Index, O: Order] Compressed<&'p [P], &'p [I], O>, "compressed",
        |level, k| (Ranges::Pointers(pointers), Coordinates::Stored(indices)) => {
            let coordinates = level.stored::<I, O>(indices, k)?;
            Ok(Compressed::trusted(pointers_of(pointers, k)?, coordinates, level.extent, O::default()))
        };
    [I: Index, O: Order] Compressed<[usize; 2], &'p [I], O>, "compressed below one parent",
        |level, k| (Ranges::Root(entries), Coordinates::Stored(indices)) =>
            Ok(Compressed::trusted([0, entries], level.stored::<I, O>(indices, k)?, level.extent, O::default()));
}

impl<'p> FromLevel<'p> for AnyLevel<'p> {
    fn from_level(level: AnyLevel<'p>, _: usize) -> Result<Self, SparseError> {
        Ok(level)
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

    /// The coordinates of level `k`, if the format promises of them what an order does.
    fn stored<'p, I: Index, O: Order>(&self, indices: &'p Indices<'_>, k: usize) -> Result<&'p [I], SparseError> {
        let (ordered, unique) = (self.promise.ordered, self.promise.unique);
        if (O::ORDERED && !ordered) || (O::UNIQUE && !unique) {
            return Err(SparseError::ChainOrder { level: k, ordered, unique });
        }
        slice(indices, ArrayName::Indices(k))
    }
}

fn slice<'p, T: Index>(indices: &'p Indices<'_>, array: ArrayName) -> Result<&'p [T], SparseError> {
    indices.as_slice().ok_or(SparseError::ChainWidth { array, expected: T::BITS, found: indices.width().bits() })
}

/// The positions of level `k`, which are the pointers of the level before it.
fn pointers_of<'p, T: Index>(pointers: &'p Indices<'_>, k: usize) -> Result<&'p [T], SparseError> {
    slice(pointers, ArrayName::Pointers(k.saturating_sub(1)))
}
