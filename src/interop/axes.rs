//! The first index, the extents and the strides of a layout. Other crates describe their arrays by these. The module of
//! each crate checks here, and has only what its own types need.

use super::InteropError;
use crate::layouts::{Affine, DynCoord, IntTuple};
use crate::number::Signed;
use crate::{DynLayout, Layout, Strided};

/// The index of the first element, and the extent and the stride of each mode.
pub(super) struct Axes(Affine);

impl Axes {
    /// Returns the axes of a layout.
    ///
    /// Fails if a mode has no single stride, or if the product of all extents other than 0 exceeds `isize::MAX`.
    pub(super) fn of<L: Layout>(layout: &L) -> Result<Self, InteropError> {
        let affine = Affine::of(layout).map_err(|mode| InteropError::Stride { mode, extent: layout.extents()[mode] })?;
        let product = affine.extents().iter().filter(|extent| **extent > 0).try_fold(1usize, |size, extent| size.checked_mul(*extent));
        match product {
            Some(size) if size <= isize::MAX as usize => Ok(Axes(affine)),
            _ => Err(InteropError::Size),
        }
    }

    /// Returns the distance of the first element from index 0, in elements; 0 if there are no elements.
    pub(super) fn first(&self) -> isize {
        self.0.first()
    }

    /// Returns the pointer `distance` elements after `origin`. If there are no elements, `origin` may be anything,
    /// and the result is a dangling pointer that is aligned and not null.
    pub(super) fn place<T>(&self, origin: *const T, distance: isize) -> *const T {
        if self.extents().contains(&0) { core::ptr::dangling() } else { origin.wrapping_offset(distance) }
    }

    /// Returns the extent of each mode.
    pub(super) fn extents(&self) -> &[usize] {
        self.0.extents()
    }

    /// Returns the stride of each mode, in elements.
    pub(super) fn strides(&self) -> &[isize] {
        self.0.strides()
    }

    /// Fails unless no two coordinates share an index and the strides nest: in ascending order, each stride is greater than
    /// the distance that all smaller strides together reach.
    ///
    /// `layout` is the layout of these axes. Other crates treat arrays whose strides do not nest as shared.
    pub(super) fn nesting<L: Layout>(&self, layout: &L) -> Result<(), InteropError> {
        let (extents, strides) = (self.extents(), self.strides());
        let mut order: [usize; crate::layouts::MAX_LEAVES] = core::array::from_fn(|axis| axis);
        let order = &mut order[..extents.len()];
        order.sort_unstable_by_key(|axis| strides[*axis].unsigned_abs());
        let (mut reach, mut nests) = (0, true);
        for axis in order.iter().filter(|axis| extents[**axis] > 1) {
            nests &= strides[*axis].unsigned_abs() > reach;
            // The product overflows only if there are no elements.
            reach = reach.wrapping_add((extents[*axis] - 1).wrapping_mul(strides[*axis].unsigned_abs()));
        }
        if nests || extents.contains(&0) {
            return Ok(());
        }
        crate::tensor::Injective::new(*layout)?;
        Err(InteropError::Interleaved)
    }

    /// Returns [`Axes::extents`] and [`Axes::strides`] as arrays. Fails if the rank is not `N`.
    pub(super) fn fixed<const N: usize>(&self) -> Result<([usize; N], [isize; N]), InteropError> {
        let wrong = InteropError::Rank { rank: self.extents().len(), dimensions: N };
        match (self.extents().try_into(), self.strides().try_into()) {
            (Ok(extents), Ok(strides)) => Ok((extents, strides)),
            _ => Err(wrong),
        }
    }
}

/// The layout of a matrix whose extents and strides are all known only at run time.
pub(super) type Matrix = Strided<(usize, usize), (Signed, Signed)>;

/// Returns a layout of the extents and strides of an array whose type has the rank `N`. Fails if there are not `N` extents
/// and `N` strides.
pub(super) fn strided<const N: usize, S, D>(extents: &[usize], strides: &[isize]) -> Result<Strided<S, D>, InteropError>
where
    S: IntTuple + From<[usize; N]>,
    D: IntTuple + From<[Signed; N]>,
{
    let wrong = InteropError::Rank { rank: N, dimensions: extents.len() };
    match (extents.try_into(), strides.try_into()) {
        (Ok(extents), Ok(strides)) => Ok(Strided::new(S::from(extents), D::from(<[isize; N]>::map(strides, Signed)))),
        _ => Err(wrong),
    }
}

/// Returns a layout of extents and strides of any rank up to 16, the capacity of [`DynLayout`]. Fails if the rank is
/// greater, or if an extent or an index does not fit 64 bits.
pub(super) fn dynamic(extents: &[usize], strides: &[isize]) -> Result<DynLayout, InteropError> {
    const CAPACITY: usize = 16;
    let (rank, mut shape, mut stride) = (extents.len(), [0; CAPACITY], [0; CAPACITY]);
    if rank > CAPACITY {
        return Err(InteropError::Rank { rank: CAPACITY, dimensions: rank });
    }
    for k in 0..rank {
        shape[k] = i64::try_from(extents[k]).map_err(|_| InteropError::Size)?;
        stride[k] = strides[k] as i64;
    }
    Ok(DynLayout::new(&DynCoord::flat(&shape[..rank])?, &DynCoord::flat(&stride[..rank])?)?)
}
