//! Typed chains of levels over the arrays of a shape: kinds, widths and static layouts known to the compiler.

use super::level::DynLevel;
use super::offset_index::OffsetIndex;
use super::shape::RaggedShape;
use crate::{RaggedError, Result};
use layout_core::{Int, Layout, TypedLayout};
use layout_levels::{Block, Chain, End, Fixed, Inverse, Level, Ragged, Root, Then};

/// Chains that a shape can be: of `Fixed`, `Block`, `Ragged` over slices, or [`DynLevel`].
pub trait FromShape<'s>: Chain + Sized {
    /// The chain of the axes from `axis` on; an error where an axis is of another kind, width or size.
    fn from_shape(shape: &'s RaggedShape<'_>, axis: usize) -> Result<Self>;
}

/// Levels that axes of a shape can be.
pub trait FromAxes<'s>: Level + Sized {
    /// The level of `axis`, or of as many axes from there on as it has, and the first axis after them; an error where one is of another kind, width or size.
    fn from_axes(shape: &'s RaggedShape<'_>, axis: usize) -> Result<(Self, usize)>;
}

impl<'s> FromShape<'s> for End {
    fn from_shape(shape: &'s RaggedShape<'_>, axis: usize) -> Result<Self> {
        if axis == shape.depth() { Ok(End) } else { Err(shape.not(axis, "the end")) }
    }
}

impl<'s, L: FromAxes<'s>, R: FromShape<'s>> FromShape<'s> for Then<L, R> {
    fn from_shape(shape: &'s RaggedShape<'_>, axis: usize) -> Result<Self> {
        let (level, next) = L::from_axes(shape, axis)?;
        Ok(Then(level, R::from_shape(shape, next)?))
    }
}

impl RaggedShape<'_> {
    /// The shape as a chain of typed levels over its arrays, if they are of these kinds and widths: for kernels, which then read slices, and divide by
    /// constants.
    ///
    /// Axis 0 is a `Fixed`. A `Block` of a static layout takes the fewest axes of fixed size, at least one, axis 0 among them, that have as many
    /// elements as the layout: innermost it is a tile, outermost a grid of rows. Leaves are numbered as the arrays number them, from `chain.span().start` on.
    ///
    /// ```
    /// use layout_levels::{Block, Cursor, End, Fixed, Ragged, Then};
    /// use layout_core::{Int, Strided};
    /// use ragged_arrays::RaggedArray;
    /// // Rows of tiles of 2 x 4, each column by column.
    /// type Tile = Strided<(Int<2>, Int<4>), (Int<1>, Int<2>)>;
    /// type Rows<'s, W> = Then<Fixed<usize>, Then<Ragged<&'s [W], Cursor>, Then<Block<Tile>, End>>>;
    /// let tiles = RaggedArray::from_cu_seqlens(vec![0_u32, 2, 2, 3], &[4, 2], (0..24).collect::<Vec<i32>>())?;
    /// let chain = tiles.shape().chain::<Rows<u32>>()?;
    /// let (row, (place, (inside, ()))) = chain.decompose(21);
    /// assert_eq!((row, place, Tile::default().idx2crd(inside)), (2, 0, (1, 2)));
    /// let error = tiles.shape().chain::<Rows<i64>>().err();
    /// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some("axis 1 is u32 offsets, not i64 offsets"));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn chain<'s, C: FromShape<'s>>(&'s self) -> Result<Root<C>> {
        Ok(Root::new(C::from_shape(self, 0)?)?)
    }

    /// The error of an axis that is something else.
    #[cold]
    pub(crate) fn not(&self, axis: usize, expected: &'static str) -> RaggedError {
        match axis.checked_sub(1).map(|q| self.levels().get(q)) {
            Some(None) => RaggedError::Axis { axis, least: 0, depth: self.depth() },
            Some(Some(level)) => RaggedError::Kind { axis, expected, found: level.kind() },
            None => RaggedError::Kind { axis, expected, found: "fixed" },
        }
    }
}

impl<'s> FromAxes<'s> for DynLevel<'s> {
    fn from_axes(shape: &'s RaggedShape<'_>, axis: usize) -> Result<(Self, usize)> {
        let level = match shape.axis(axis, 0)?.checked_sub(1) {
            None => DynLevel::fixed(shape.count(0)),
            Some(q) => shape.levels()[q].view(),
        };
        Ok((level, axis + 1))
    }
}

impl<'s> FromAxes<'s> for Fixed<usize> {
    fn from_axes(shape: &'s RaggedShape<'_>, axis: usize) -> Result<(Self, usize)> {
        let size = shape.fixed(axis).ok_or_else(|| shape.not(axis, "fixed"))?;
        Ok((Fixed::new(size), axis + 1))
    }
}

impl<'s, const N: usize> FromAxes<'s> for Fixed<Int<N>> {
    fn from_axes(shape: &'s RaggedShape<'_>, axis: usize) -> Result<(Self, usize)> {
        let size = shape.fixed(axis).ok_or_else(|| shape.not(axis, "fixed"))?;
        if size == N { Ok((Fixed::new(Int), axis + 1)) } else { Err(RaggedError::NotABlock { axis, size, expected: N }) }
    }
}

impl<'s, L: TypedLayout + Default> FromAxes<'s> for Block<L> {
    fn from_axes(shape: &'s RaggedShape<'_>, axis: usize) -> Result<(Self, usize)> {
        let layout = L::default();
        Ok((Block::new(layout), shape.axis_below_block(axis, layout.size())?))
    }
}

impl<'s, I: OffsetIndex, V: Inverse + Default> FromAxes<'s> for Ragged<&'s [I], V> {
    fn from_axes(shape: &'s RaggedShape<'_>, axis: usize) -> Result<(Self, usize)> {
        let level = axis.checked_sub(1).and_then(|q| shape.levels().get(q)?.as_ragged());
        let level = level.ok_or_else(|| shape.not(axis, I::OFFSETS))?;
        Ok((level.inverted(V::default()).map_err(|error| error.at_level(axis - 1))?, axis + 1))
    }
}
