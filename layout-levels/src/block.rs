//! A layout as a level: a run of uniform levels whose index folds as one.

use super::error::{Flaw, LevelArray, LevelError};
use super::traits::Consecutive;
use super::uniform::uniform;
use core::ops::ControlFlow;
use layout_algebra::DynLayout;
use layout_algebra::fast_div::div_rem;
use layout_core::layouts::{IntTuple, RawLayout, StorageSpan};
use layout_core::ops::LeftInverse;
use layout_core::{Layout, LayoutAlgebra, TypedLayout};

/// A level from a layout `L`: coordinate `c` below parent `p` has the position `p * size(L) + L(c)`. It serves
/// tiles inside a sparse or ragged array, or dense dimensions around one.
///
/// The layout is a bijection onto `0..size(L)`. A coordinate of this level is the colexicographic number of a
/// coordinate of `L`. [`Block::position`] also takes tuples, down to any depth, and folds;
/// [`Layout::idx2crd`](layout_core::Layout::idx2crd) turns a number back into a tuple. A run of
/// [`Fixed`](super::Fixed) levels equals the block of the row-major layout of their extents.
///
/// ```
/// use layout_core::{Int, Strided};
/// use layout_levels::{Block, Consecutive, Level};
/// // Tiles of 2 x 4 in row-major order.
/// let tile = Block::new(Strided::<(Int<2>, Int<4>), (Int<4>, Int<1>)>::default());
/// assert_eq!(tile.position(10, (1, 2)), 86);
/// assert_eq!((tile.parent(86), tile.layout().idx2crd(tile.coordinate(10, 86))), (10, (1, 2)));
/// ```
///
/// `I` is the type of the inverse of `L`: for a static layout a layout type, which folds, otherwise a [`DynLayout`].
#[derive(Clone, Copy)]
pub struct Block<L, I = LeftInverse<L>> {
    layout: L,
    inverse: I,
}

impl<L: TypedLayout> Block<L> {
    const IS_BIJECTION: () = match (L::SIZE, L::COSIZE, L::INJECTIVE, L::SPAN) {
        (None, ..) | (_, None, ..) => panic!("Block: whether the layout fills its range is known only at run time; use `Block::try_new`"),
        (_, _, Some(true), StorageSpan::Below) => panic!("Block: the layout has negative indices"),
        (Some(size), Some(cosize), Some(true), StorageSpan::Elements(_)) if size == cosize => (),
        (_, _, Some(true), _) => panic!("Block: the layout leaves gaps in its range"),
        (_, _, Some(false), _) => panic!("Block: two coordinates of the layout share an index"),
        (_, _, None, _) => panic!("Block: whether two coordinates of the layout share an index takes too long to decide"),
    };

    /// Returns the level of a static layout. A layout that is not a bijection onto `0..size` is a compile error.
    ///
    /// ```compile_fail
    /// use layout_core::{Int, Strided};
    /// // The indices are 0, 3, 0, 3: two coordinates share each.
    /// layout_levels::Block::new(Strided::<(Int<2>, Int<2>), (Int<3>, Int<0>)>::default());
    /// ```
    #[inline(always)]
    pub fn new(layout: L) -> Self {
        let () = Self::IS_BIJECTION;
        Block { layout, inverse: layout.left_inverse() }
    }
}

impl<L: TypedLayout> Block<L, DynLayout> {
    /// Returns the level of a layout. Fails if the layout has more than 16 leaves or is not a bijection onto `0..size`.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// use layout_levels::{Block, Level};
    /// let (rows, ld) = (6, 6);
    /// let columns = Block::try_new(make_layout((Int::<8>, rows), (ld, Int::<1>)))?;
    /// assert_eq!((columns.position(1, (3, 2)), columns.coordinate(1, 68)), (68, 3 + 8 * 2));
    /// assert!(Block::try_new(make_layout((Int::<8>, rows), (ld + 1, Int::<1>))).is_err());
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    pub fn try_new(layout: L) -> Result<Self, LevelError> {
        let refused = |size, cosize| LevelError::new(LevelArray::Level, 0, Flaw::NotABijection { size, cosize });
        let dynamic = layout.to_dyn::<16>().map_err(|_| refused(layout.size(), 0))?;
        let (size, cosize) = (dynamic.size() as usize, dynamic.cosize() as usize);
        let positive = layout.index_range().is_ok_and(|range| range.start == 0);
        if size != cosize || !positive || layout.is_injective() != Some(true) {
            return Err(refused(size, cosize));
        }
        let inverse = dynamic.left_inverse().and_then(|inverse| inverse.group(0, inverse.rank()));
        Ok(Block { layout, inverse: inverse.map_err(|_| refused(size, cosize))? })
    }
}

impl<L: TypedLayout, I: Layout> Block<L, I> {
    /// Returns the layout `L`.
    #[inline(always)]
    pub fn layout(&self) -> L {
        self.layout
    }

    /// Returns the position of `coordinate` below `parent`: `parent * size(L) + L(coordinate)`.
    #[inline(always)]
    pub fn position<C: IntTuple>(&self, parent: usize, coordinate: C) -> usize {
        self.begin(parent).wrapping_add(self.layout.crd2idx(coordinate))
    }

    #[inline(always)]
    fn number(&self) -> usize {
        match const { L::SIZE } {
            Some(size) => size,
            None => self.layout.size(),
        }
    }

    #[inline(always)]
    fn inside(&self, coordinate: usize) -> usize {
        self.layout.crd2idx(coordinate)
    }

    #[inline(always)]
    fn outside(&self, place: usize) -> usize {
        self.inverse.crd2idx(place)
    }
}

uniform! { [L: TypedLayout, I: Layout] Block<L, I>, ordered: false, fanout: L::SIZE }
