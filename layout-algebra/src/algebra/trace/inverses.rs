//! The traces of inverses: the modes of a layout as the inverses take them. They fail unless all numbers are known integers.

use super::require_integers;
use crate::algebra::coalesce::Omit;
use crate::algebra::inverse::Moving;
use crate::error::{Op, Result};
use crate::value::{Basis, ExprGraph, LayoutValue, SymInt};

/// A mode of a layout and the coordinate at which it begins: `L(place) = stride`.
///
/// ```
/// use layout_algebra::{DynLayout, trace::{InverseMode, places}};
/// let a: DynLayout = "(4,8):(8,1)".parse()?;
/// let first = places(a.value())?.next();
/// // The mode of stride 1 begins at coordinate 4.
/// assert_eq!(first, Some(InverseMode { extent: 8, stride: 1, place: 4 }));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InverseMode {
    /// The extent of the mode.
    pub extent: i64,
    /// The stride of the mode.
    pub stride: i64,
    /// The product of the extents before the mode: the integer coordinate at which it begins.
    pub place: i64,
}

/// Returns the moving modes of `coalesce(L)` by `|stride|`, equal ones in domain order. `left_inverse(L)` has first `|stride_1| : 0` if
/// `|stride_1|` is not 1, then the modes `|stride_{i+1}| / |stride_i| : place_i`, at last `extent_i : place_i`.
///
/// ```
/// use layout_algebra::{DynLayout, trace};
/// let l: DynLayout = "(4,8):(8,1)".parse()?;
/// let places: Vec<_> = trace::places(l.value())?.map(|mode| (mode.extent, mode.stride, mode.place)).collect();
/// assert_eq!(places, [(8, 1, 4), (4, 8, 1)]);
/// assert_eq!(l.left_inverse()?.to_string(), "(8,4):(4,1)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn places<const N: usize>(l: &LayoutValue<N>) -> Result<impl Iterator<Item = InverseMode> + use<N>> {
    let mut cx = ExprGraph::<0>::new(Op::LeftInverse);
    require_integers(l, &cx)?;
    let flat = l.merged(l.root(), Omit::Single, &mut cx)?;
    let moving = Moving::of(&flat, Basis::INTEGER, &mut cx)?;
    Ok((0..moving.order.len).map(move |i| {
        let leaf = moving.order.leaf[i];
        InverseMode { extent: flat.shape[leaf], stride: flat.stride[leaf], place: moving.place[leaf].word() }
    }))
}

/// Returns the modes of `coalesce(L)` whose strides chain from 1: each stride is the product of the extents before it in the
/// chain. `right_inverse(L)` has the modes `extent : place`, coalesced.
///
/// ```
/// use layout_algebra::{DynLayout, trace};
/// let l: DynLayout = "(4,8,3):(8,1,33)".parse()?;
/// let chain: Vec<_> = trace::chained(l.value())?.map(|mode| (mode.extent, mode.stride, mode.place)).collect();
/// assert_eq!(chain, [(8, 1, 4), (4, 8, 1)]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn chained<const N: usize>(l: &LayoutValue<N>) -> Result<impl Iterator<Item = InverseMode> + use<N>> {
    let mut cx = ExprGraph::<0>::new(Op::RightInverse);
    require_integers(l, &cx)?;
    let chain = l.chain(Basis::INTEGER, SymInt(1), &mut cx)?;
    let mut stride = 1;
    Ok((0..chain.len()).map(move |k| {
        let place = InverseMode { extent: chain.shape[k], stride, place: chain.stride[k] };
        stride *= place.extent;
        place
    }))
}
