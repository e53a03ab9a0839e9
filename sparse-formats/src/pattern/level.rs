//! The levels of a pattern as levels of `layout_levels` whose kinds and widths are known at run time.

use super::SparsityPattern;
use crate::format::Group;
use crate::{Format, LevelKind, SparseError};
use alloc::vec::Vec;
use array_kernels::{FromLevels, LevelView, Ranges, StoredCoordinates};
use layout_levels::{Cyclic, Fixed, Root};

/// The promise of a format about the coordinates of a level below one parent: they do not decrease (`ordered`), and are
/// distinct (`unique`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Promise {
    pub ordered: bool,
    pub unique: bool,
}

/// Returns the promise of a format for each level.
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
    /// Returns level `k` of the pattern.
    ///
    /// After the last level, a multigraph whose last level has pointers has one more: the elements of each
    /// coordinate. Returns `None` if there is no such level, or if its extent exceeds `usize`, the type of
    /// coordinates of [`Level`](layout_levels::Level).
    ///
    /// ```
    /// use layout_levels::{Level, Locate};
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u32, 3, 0]);
    /// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays)?;
    /// let columns = pattern.level(1).ok_or(sparse_formats::SparseError::Rank { shape: 2, format: 2 })?;
    /// assert_eq!((columns.range(0), columns.coordinate(2, 2), columns.locate(0, 3)), (0..2, 0, Some(1)));
    /// assert!(columns.is_ordered() && columns.is_unique() && !columns.is_full() && !columns.is_branchless());
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    #[inline]
    pub fn level(&self, k: usize) -> Option<LevelView<'_>> {
        let words = self.extents.get(k).is_none_or(|extent| usize::try_from(*extent).is_ok());
        self.any_level(k).filter(|_| words)
    }

    /// Returns the level that [`SparsityPattern::level`] returns, but also if its extent exceeds `usize`, for callers that
    /// use all 64 bits of coordinates.
    #[inline]
    pub(super) fn any_level(&self, k: usize) -> Option<LevelView<'_>> {
        let before = k.checked_sub(1).and_then(|before| self.format.kinds().get(before).copied());
        let Some(kind) = self.format.kinds().get(k) else {
            let elements = k == self.format.levels() && before.is_some_and(|kind| kind != LevelKind::Indices);
            let ranges = Ranges::Pointers(self.pointers(k.checked_sub(1)?)?);
            return elements.then_some(LevelView::trusted(ranges, None));
        };
        // An extent beyond `usize` is clamped. Levels with stored coordinates do not compute with it, and the
        // entries of a `C` level of such an extent would not fit memory.
        let extent = usize::try_from(self.extents[k]).unwrap_or(usize::MAX);
        let ranges = match (kind, before) {
            (_, Some(LevelKind::Indices)) => Ranges::One(Cyclic::new(extent)),
            (LevelKind::Pointers, _) => Ranges::Uniform(Fixed::new(extent)),
            (_, None) => Ranges::Root(self.counts[0]),
            _ => Ranges::Pointers(self.pointers(k - 1)?),
        };
        let Promise { ordered, unique } = self.promises[k];
        let stored = match kind {
            LevelKind::Pointers => None,
            _ => Some(StoredCoordinates { indices: self.indices(k)?, extent, ordered, unique }),
        };
        Some(LevelView::trusted(ranges, stored))
    }

    /// Returns all levels, and the level of the elements of each coordinate if there is one.
    pub(crate) fn any_levels(&self) -> Vec<LevelView<'_>> {
        (0..).map_while(|k| self.any_level(k)).collect()
    }

    /// Converts the pattern to a chain of typed levels over its arrays. Fails if the number, a kind, width, extent or order
    /// of the levels differs from `C`, or if an extent exceeds `usize`.
    ///
    /// Kernels take such a chain: they then read slices. A first level that stores coordinates is a
    /// `Compressed<[usize; 2], ..>` with all its entries below one parent. A level that stores coordinates
    /// below an `S` level is a `Singleton`. Other levels that store coordinates are `Compressed` over slices.
    ///
    /// ```
    /// use layout_levels::{Compressed, End, Fixed, Then};
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// type Csr<'p, P> = Then<Fixed<usize>, Then<Compressed<&'p [P], &'p [u32]>, End>>;
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u32, 3, 0]);
    /// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays)?;
    /// let (values, x, mut y) = ([0.5, 1.5, 2.5], [1.0, 2.0, 3.0, 4.0], [0.0; 3]);
    /// pattern.chain::<Csr<u8>>()?.for_each(|(i, (j, ())), k| y[i] += values[k] * x[j]);
    /// assert_eq!(y, [7.0, 0.0, 2.5]);
    /// assert_eq!(pattern.chain::<Csr<u32>>().unwrap_err().to_string(), "level 1: the numbers of positions have 8 bits instead of 32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chain<'p, C: FromLevels<'p>>(&'p self) -> Result<Root<C>, SparseError> {
        let beyond = |extent: &u64| usize::try_from(*extent).is_err();
        if let Some((level, extent)) = self.extents.iter().enumerate().find(|(_, extent)| beyond(extent)) {
            return Err(SparseError::ChainWord { level, extent: *extent });
        }
        // The arrays of a checked pattern form a chain, so this fails only if `C` has other levels.
        Ok(array_kernels::chain(&self.any_levels())?)
    }
}
