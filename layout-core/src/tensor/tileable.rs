//! The trait of layouts that tiles can be cut from, and the layout of a tile.

use super::certificate::Injective;
use super::error::TensorError;
use crate::types::{
    Composed, Composition, Derived, Descriptor, IndexMap, IntTuple, Layout, MAX_LEAVES, Pattern, RawLayout, Slots, TypedLayout, integers,
    op, unroll,
};
use layout_algebra::algebra::xor::bits_reached;
use layout_algebra::error::{Cause, LayoutError, Op};
use layout_algebra::value::LayoutValue;
use layout_algebra::{DynCoord, DynLayout, DynTiler};

/// A layout that can be cut into tiles of the shape `T`.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// use layout_core::tensor::{Storage, Tileable};
/// type Shape = (Int<2>, Int<2>);
/// /// Counts the tiles that are full, whatever the layout is.
/// fn full<S: Storage, L: Tileable<Shape>>(t: &Tensor<S, L>) -> usize {
///     t.tiles((Int, Int)).full().len()
/// }
/// let data = [0; 15];
/// assert_eq!(full(&Tensor::new(&data, make_layout((3, 5), (5, Int::<1>)))?), 2);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// The iterators cut each tile by `tile` and `tile_at`:
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::layouts::MAX_LEAVES;
/// use layout_core::tensor::Tileable;
/// fn cut<L: Tileable<(Int<2>, Int<2>)>>(layout: L) -> Result<(isize, L::Tile), layout_core::TensorError> {
///     assert!(L::UNCONDITIONAL && layout.begins_anywhere());
///     let mut corner = [0; MAX_LEAVES];
///     corner[..2].copy_from_slice(&[2, 4]);
///     // SAFETY: the layout is at least 4 by 6, so that it has all coordinates of the tile.
///     unsafe { Ok(layout.tile_at(&layout.tile(&(Int, Int))?, &corner)) }
/// }
/// let rows = make_layout((4, 6), (6, Int::<1>));
/// let (distance, tile) = cut(rows)?;
/// assert_eq!(distance + tile.crd2idx((1, 1)) as isize, rows.crd2idx((3, 5)) as isize);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// # Safety
///
/// [`Tileable::tile_at`] returns `(d, tile)` with `d + tile(c) = self(corner + c)`, for each `corner` of multiples of the integers
/// of `T`, and for every `corner` if [`Tileable::begins_anywhere`]. A tile has the extents of `T`, and the extents of this layout
/// in the other modes. Either their product fits `isize`, or the tile is used only for coordinates of a tensor's layout.
#[diagnostic::on_unimplemented(
    message = "tiles of the shape `{T}` are not cut from the layout `{Self}`: in generic code write `L: Tileable<{T}>`",
    label = "the layout is not `Tileable`"
)]
pub unsafe trait Tileable<T: IntTuple>: Layout {
    /// The type of the layout of a tile.
    type Tile: Layout;

    /// Whether the types prove that no tile crosses a boundary inside a mode.
    const UNCONDITIONAL: bool;

    /// Returns the layout of the first tile.
    ///
    /// Fails if an integer of `T` is 0 or belongs to no mode, or if a tile crosses a boundary inside a mode and is no layout of its own.
    ///
    /// # Safety
    ///
    /// No element is reached by a coordinate of the tile that is not a coordinate of this layout. A tile may be larger than the
    /// layout, and may still state facts of the layout alone: that no two coordinates share an index, or which indices exist.
    unsafe fn tile(&self, tiler: &T) -> Result<Self::Tile, TensorError>;

    /// Returns true if tiles may begin at any coordinate: no mode named by `T` is nested, and no stride is an XOR stride.
    fn begins_anywhere(&self) -> bool;

    /// Returns the distance of index 0 of the tile from `corner` on, in elements, and the layout of that tile.
    ///
    /// # Safety
    ///
    /// The conditions of [`Tileable::tile`] hold, `tile` is a tile of this layout, and `corner` is one at which tiles may begin.
    unsafe fn tile_at(&self, tile: &Self::Tile, corner: &Slots) -> (isize, Self::Tile);
}

/// Returns true if no tile crosses a boundary inside a mode: each product of a mode's first extents divides the tile's, or vice versa.
const fn nests<const N: usize>(l: &LayoutValue<N>, rank: usize, tile: &Slots) -> bool {
    let (mut lo, mut k) = (0, 0);
    while k < rank && lo < l.len() {
        let end = l.tree.mode_end(lo);
        let (mut before, extent) = (1i128, tile[k] as i128);
        each!(leaf, lo..end.saturating_sub(1), {
            before *= l.shape[leaf] as i128;
            if before != 0 && before % extent != 0 && extent % before != 0 {
                return false;
            }
        });
        (lo, k) = (end, k + 1);
    }
    true
}

/// Returns the bits that the XOR strides of tile corners reach, and those of these bits that coordinates inside a tile
/// reach, too. If there are any of the second kind, adding an offset cannot move a tile to its corner.
const fn shared_bits<const N: usize>(l: &LayoutValue<N>, rank: usize, tile: &Slots) -> (u64, u64) {
    let (mut lo, mut k) = (0, 0);
    let (mut inside, mut corners) = (0, 0);
    while lo < l.len() {
        let end = l.tree.mode_end(lo);
        // A mode without a tile is whole in each tile.
        let mut left = if k < rank { tile[k] as i64 } else { i64::MAX };
        each!(leaf, lo..end, {
            let (extent, stride) = (l.shape[leaf], l.stride[leaf]);
            let taken = if left < extent { left } else { extent };
            if l.basis(leaf).is_xor() {
                let bits = bits_reached(taken, stride);
                inside |= bits;
                if taken < extent {
                    // Multiples of other numbers may have any bits.
                    corners |= if taken.count_ones() == 1 {
                        bits_reached((extent as u64).div_ceil(taken as u64) as i64, stride * taken)
                    } else {
                        bits_reached(extent, stride)
                    };
                }
            }
            left = if extent > 1 { left / extent } else { left };
            left = if left > 1 { left } else { 1 };
        });
        (lo, k) = (end, k + 1);
    }
    (corners, inside & corners)
}

/// Fails if a tile crosses a boundary inside a mode, or if its XOR strides share bits with those of the corners.
fn require_tiles<const N: usize>(l: &LayoutValue<N>, rank: usize, tile: &Slots) -> Result<(), TensorError> {
    if !nests(l, rank, tile) {
        return Err(LayoutError::plain(Op::Composition, Cause::Undecided, 0, 0).into());
    }
    match shared_bits(l, rank, tile) {
        (_, 0) => Ok(()),
        (corners, shared) => Err(LayoutError::plain(Op::Composition, Cause::NotLinear, corners as i64, shared as i64).into()),
    }
}

/// Returns true if the types prove that [`require_tiles`] accepts: the modes are leaves, or their static extents fit.
const fn tiles_are_known(pattern: &Pattern, form: &Descriptor) -> bool {
    let (l, rank) = (&pattern.lay, form.modes());
    if begins_anywhere(l, rank) {
        return true;
    }
    let mut tile = [0; MAX_LEAVES];
    let mut k = 0;
    while k < rank {
        tile[k] = match form {
            Descriptor::Known(extent) if *extent > 0 => *extent as usize,
            Descriptor::Tuple(modes) => match &modes[k] {
                Descriptor::Known(extent) if *extent > 0 => *extent as usize,
                _ => return false,
            },
            _ => return false,
        };
        k += 1;
    }
    pattern.scope.len == 0 && nests(l, rank, &tile) && shared_bits(l, rank, &tile).1 == 0
}

/// Fails if one of the first `rank` extents of a tile is 0.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn positive(rank: usize, tile: &Slots) -> Result<(), TensorError> {
    let first = |k: usize| k >= rank || tile[k] != 0;
    let positive = first(0) & first(1) & first(2) & first(3) && (rank <= 4 || !tile[4..rank].contains(&0));
    if positive { Ok(()) } else { Err(LayoutError::plain(Op::Composition, Cause::ZeroExtent, 0, 0).into()) }
}

/// Multiplies `points` by extent `k` of a tile: the tile's own in the first `named` modes, the extent of the layout in the
/// others. If the product exceeds `isize`, stores the extent in `other` instead.
#[inline(always)]
fn factor(rank: usize, named: usize, tile: &Slots, whole: &Slots, points: &mut usize, other: &mut usize, k: usize) {
    if k < rank {
        let extent = if k < named { tile[k] } else { whole[k] };
        match points.checked_mul(extent) {
            Some(product) if product <= isize::MAX as usize => *points = product,
            _ => *other = extent,
        }
    }
}

/// Fails if [`factor`] found more coordinates in a tile than `isize` holds. A partial tile is a window of a full one.
#[inline(always)]
fn counted(points: usize, other: usize) -> Result<(), TensorError> {
    if other == 0 { Ok(()) } else { Err(LayoutError::plain(Op::Composition, Cause::Overflow, points as i64, other as i64).into()) }
}

/// Fails if a tile has more coordinates than `isize` holds. It has the extents `tile` in the first `named` modes, and whole modes else.
#[cfg_attr(not(unoptimized), inline(always))]
fn countable<L: TypedLayout>(layout: &L, named: usize, tile: &Slots) -> Result<(), TensorError> {
    let (whole, mut points, mut other) = (layout.extents(), 1, 0);
    unroll!(L::RANK, factor(const { L::RANK }, named, tile, &whole, &mut points, &mut other));
    counted(points, other)
}

/// Returns true if a tile over the first `rank` modes may begin at every coordinate: if each of these modes is one leaf, and no stride
/// of the layout is an XOR stride.
const fn begins_anywhere<const N: usize>(l: &LayoutValue<N>, rank: usize) -> bool {
    let (mut lo, mut k) = (0, 0);
    if l.has_xor() {
        return false;
    }
    while k < rank && lo < l.tree.len {
        let end = l.tree.mode_end(lo);
        if end - lo != 1 {
            return false;
        }
        (lo, k) = (end, k + 1);
    }
    true
}

// SAFETY: the modes are leaves with a linear index, or the tile crosses no boundary; XOR strides of tile and corner share no bit.
#[diagnostic::do_not_recommend]
unsafe impl<L: TypedLayout, T: IntTuple> Tileable<T> for L {
    type Tile = Composition<L, T>;

    const UNCONDITIONAL: bool = {
        let () = Composition::<L, T>::VALID;
        assert!(T::DESCRIPTOR.is_flat(L::RANK), "tiles: the shape of a tile has an integer for each of the first modes of the tensor");
        Composition::<L, T>::PATTERN.scope.promises == 0 && tiles_are_known(L::PATTERN, &T::DESCRIPTOR)
    };

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn tile(&self, tiler: &T) -> Result<Self::Tile, TensorError> {
        let (rank, extents) = integers(tiler);
        positive(rank, &extents)?;
        countable(self, rank, &extents)?;
        if const { <L as Tileable<T>>::UNCONDITIONAL } {
            return Ok(Derived::<op::Composition, (L, T)>::unchecked((*self, *tiler)));
        }
        require_tiles(self.to_dyn::<MAX_LEAVES>()?.value(), rank, &extents)?;
        Ok(Derived::<op::Composition, (L, T)>::try_new((*self, *tiler))?)
    }

    #[inline(always)]
    fn begins_anywhere(&self) -> bool {
        const { begins_anywhere(&L::PATTERN.lay, T::DESCRIPTOR.modes()) }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn tile_at(&self, tile: &Self::Tile, corner: &Slots) -> (isize, Self::Tile) {
        (self.index_of(corner) as isize, *tile)
    }
}

// SAFETY: as for layout types.
unsafe impl<const N: usize, T: IntTuple> Tileable<T> for DynLayout<N> {
    type Tile = DynLayout<N>;
    const UNCONDITIONAL: bool = false;

    unsafe fn tile(&self, tiler: &T) -> Result<Self, TensorError> {
        if !T::DESCRIPTOR.is_flat(DynLayout::rank(self)) {
            return Err(LayoutError::plain(
                Op::Composition,
                Cause::RankMismatch,
                T::DESCRIPTOR.modes() as i64,
                DynLayout::rank(self) as i64,
            )
            .into());
        }
        let (rank, extents) = integers(tiler);
        positive(rank, &extents)?;
        let (whole, mut points, mut other) = (Layout::extents(self), 1, 0);
        (0..DynLayout::rank(self)).for_each(|k| factor(DynLayout::rank(self), rank, &extents, &whole, &mut points, &mut other, k));
        counted(points, other)?;
        require_tiles(self.value(), rank, &extents)?;
        // Refuse an extent beyond `i64`, which no target can address, as `i64::MAX`.
        let integers = extents.map(|extent| i64::try_from(extent).unwrap_or(i64::MAX));
        let shape = if matches!(T::DESCRIPTOR, Descriptor::Tuple(_)) {
            DynCoord::flat(&integers[..rank])?
        } else {
            DynCoord::integer(integers[0])?
        };
        Ok(self.composition_by(&DynTiler::shape(&shape)?)?)
    }

    fn begins_anywhere(&self) -> bool {
        begins_anywhere(self.value(), T::DESCRIPTOR.modes())
    }

    unsafe fn tile_at(&self, tile: &Self, corner: &Slots) -> (isize, Self) {
        (self.index_of(corner) as isize, *tile)
    }
}

// SAFETY: `tile_at` adds the distance of the tile to the offset, so the index map sees the same sum.
unsafe impl<I: IndexMap, O: IntTuple, L: Tileable<T>, T: IntTuple> Tileable<T> for Composed<I, O, L> {
    type Tile = Composed<I, usize, L::Tile>;
    const UNCONDITIONAL: bool = L::UNCONDITIONAL;

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn tile(&self, tiler: &T) -> Result<Self::Tile, TensorError> {
        // SAFETY: the caller promises this.
        let outer = unsafe { self.outer().tile(tiler)? };
        Ok(Composed::new(self.inner(), self.offset(), outer))
    }

    #[inline(always)]
    fn begins_anywhere(&self) -> bool {
        self.outer().begins_anywhere()
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn tile_at(&self, tile: &Self::Tile, corner: &Slots) -> (isize, Self::Tile) {
        // SAFETY: the caller promises this.
        let (offset, outer) = unsafe { self.outer().tile_at(&tile.outer(), corner) };
        (0, Composed::new(self.inner(), self.offset().wrapping_add_signed(offset), outer))
    }
}

// SAFETY: the inner layout keeps the promises. Tiles of an injective layout are injective, and coordinates beyond it reach nothing.
unsafe impl<L: Tileable<T>, T: IntTuple> Tileable<T> for Injective<L> {
    type Tile = Injective<L::Tile>;
    const UNCONDITIONAL: bool = L::UNCONDITIONAL;

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn tile(&self, tiler: &T) -> Result<Self::Tile, TensorError> {
        // SAFETY: the caller promises this.
        Ok(Injective::known(unsafe { self.into_inner().tile(tiler)? }))
    }

    #[inline(always)]
    fn begins_anywhere(&self) -> bool {
        self.into_inner().begins_anywhere()
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn tile_at(&self, tile: &Self::Tile, corner: &Slots) -> (isize, Self::Tile) {
        // SAFETY: the caller promises this.
        let (offset, tile) = unsafe { self.into_inner().tile_at(&tile.into_inner(), corner) };
        (offset, Injective::known(tile))
    }
}
