//! Views and arrays of `ndarray`.
//!
//! ```
//! use crd2idx::interop::{FromTensor, IntoTensor};
//! use crd2idx::Int;
//! use crd2idx::tensor::Tile;
//! use ndarray::{Array, ArrayView2, array, s};
//!
//! // A view, rows reversed, as a tensor: the same elements, the strides -4 and 1.
//! let a = Array::from_shape_fn((3, 4), |(i, j)| 10 * i + j);
//! let t = a.slice(s![..;-1, ..]).into_tensor()?;
//! assert_eq!((t[(0, 0)], t[(2, 3)]), (20, 3));
//!
//! // A tensor as a view: a tile of it.
//! let tile = t.tiles((Int::<2>, Int::<2>)).exact();
//! assert_eq!(tile.err().unwrap().to_string(), "zipped_divide: tile 2 does not divide the extent 3 of mode 0");
//! let Some(Tile::Full(tile)) = t.tiles((Int::<2>, Int::<2>)).next() else { panic!() };
//! assert_eq!(ArrayView2::from_tensor(tile)?, array![[20, 21], [10, 11]]);
//!
//! // To be written: in tiles, and by ndarray again.
//! let mut b = Array::zeros((4, 6));
//! let mut w = b.view_mut().into_tensor()?.injective()?;
//! w.tiles_mut((Int::<2>, Int::<3>)).enumerate().for_each(|(k, mut tile)| tile.fill(k));
//! assert_eq!(b, array![[0, 0, 0, 2, 2, 2], [0, 0, 0, 2, 2, 2], [1, 1, 1, 3, 3, 3], [1, 1, 1, 3, 3, 3]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::axes::{Axes, dynamic, strided};
use super::{FromTensor, InteropError, IntoTensor};
use crate::number::Signed;
use crate::tensor::{Heap, Shared, Storage, StorageMut, Unique};
use crate::{Boxed, DynLayout, Layout, Strided, Tensor, View, ViewMut};
use ::ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, ShapeBuilder, StrideShape};
use ::ndarray::{Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

/// The dimension of an array with the layout that it is: a tuple of extents and one of signed strides, and a [`DynLayout`] of [`IxDyn`](type@IxDyn).
pub trait LayoutDimension: Dimension {
    /// The layout.
    type Layout: Layout;

    /// The layout of these extents and strides.
    ///
    /// Fails where their number is not that of the dimension, or exceeds the capacity of a [`DynLayout`].
    fn layout(extents: &[usize], strides: &[isize]) -> Result<Self::Layout, InteropError>;
}

macro_rules! dimensions {
    ($($dim:ident $n:literal: $($extent:ident)*, $($stride:ident)*;)*) => { $(
        impl LayoutDimension for $dim {
            type Layout = Strided<($($extent,)*), ($($stride,)*)>;

            fn layout(extents: &[usize], strides: &[isize]) -> Result<Self::Layout, InteropError> {
                strided::<$n, _, _>(extents, strides)
            }
        }
    )* };
}

dimensions! {
    Ix1 1: usize, Signed;
    Ix2 2: usize usize, Signed Signed;
    Ix3 3: usize usize usize, Signed Signed Signed;
    Ix4 4: usize usize usize usize, Signed Signed Signed Signed;
    Ix5 5: usize usize usize usize usize, Signed Signed Signed Signed Signed;
    Ix6 6: usize usize usize usize usize usize, Signed Signed Signed Signed Signed Signed;
}

impl LayoutDimension for Ix0 {
    type Layout = Strided<(), ()>;

    fn layout(extents: &[usize], _: &[isize]) -> Result<Self::Layout, InteropError> {
        if extents.is_empty() { Ok(Strided::default()) } else { Err(InteropError::Rank { rank: 0, dimensions: extents.len() }) }
    }
}

impl LayoutDimension for IxDyn {
    type Layout = DynLayout;

    fn layout(extents: &[usize], strides: &[isize]) -> Result<DynLayout, InteropError> {
        dynamic(extents, strides)
    }
}

/// The layout of an array, whose indices fit.
fn layout<D: LayoutDimension>(extents: &[usize], strides: &[isize]) -> Result<D::Layout, InteropError> {
    let layout = D::layout(extents, strides)?;
    layout.index_range()?;
    Ok(layout)
}

impl<'a, T, D: LayoutDimension> IntoTensor for ArrayView<'a, T, D> {
    type Storage = Shared<'a, T>;
    type Layout = D::Layout;

    fn into_tensor(self) -> Result<View<'a, T, D::Layout>, InteropError> {
        let layout = layout::<D>(self.shape(), self.strides())?;
        // SAFETY: the elements of the view are at the sums of its strides from its pointer, and borrowed for `'a`.
        Ok(unsafe { View::from_raw(self.as_ptr(), layout) })
    }
}

impl<'a, T, D: LayoutDimension> IntoTensor for ArrayViewMut<'a, T, D> {
    type Storage = Unique<'a, T>;
    type Layout = D::Layout;

    fn into_tensor(mut self) -> Result<ViewMut<'a, T, D::Layout>, InteropError> {
        let layout = layout::<D>(self.shape(), self.strides())?;
        // SAFETY: as of `ArrayView`; the view is used up, and was the only one.
        Ok(unsafe { ViewMut::from_raw_mut(self.as_mut_ptr(), layout) })
    }
}

/// The elements stay where they are, unless the vector of the array has more room than elements: then it is shrunk.
///
/// ```
/// use crd2idx::interop::{FromTensor, IntoTensor};
/// use crd2idx::{Boxed, Tensor, make_layout};
/// use crd2idx::number::Signed;
/// use ndarray::{Array2, array};
/// let t = array![[1, 2, 3], [4, 5, 6]].reversed_axes().into_tensor()?;
/// assert_eq!((t[(2, 0)], t[(0, 1)]), (3, 4));
/// let reversed = Tensor::with_origin(t.into_storage().into_boxed_slice(), 5, make_layout((2, 3), (Signed(-3), Signed(-1))))?;
/// assert_eq!(Array2::from_tensor(reversed)?, array![[6, 5, 4], [3, 2, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<T, D: LayoutDimension> IntoTensor for Array<T, D> {
    type Storage = Heap<T>;
    type Layout = D::Layout;

    fn into_tensor(self) -> Result<Boxed<T, D::Layout>, InteropError> {
        let layout = D::layout(self.shape(), self.strides())?;
        let (elements, origin) = self.into_raw_vec_and_offset();
        // Of no elements no index is 0.
        Ok(Tensor::with_origin(elements, origin.unwrap_or(0), layout)?)
    }
}

/// A shape of strides that are not negative, the distance from index 0 of its first element in memory, and which axes are to be inverted.
struct Shape<D: Dimension> {
    shape: StrideShape<D>,
    least: isize,
    inverted: [bool; crate::layouts::MAX_LEAVES],
}

impl<D: Dimension> Shape<D> {
    /// That of some axes.
    fn of(axes: &Axes) -> Result<Self, InteropError> {
        let rank = axes.extents().len();
        if let Some(dimensions) = D::NDIM.filter(|dimensions| *dimensions != rank) {
            return Err(InteropError::Rank { rank, dimensions });
        }
        let (mut extents, mut strides) = (D::zeros(rank), D::zeros(rank));
        let (mut least, mut inverted) = (axes.first(), [false; crate::layouts::MAX_LEAVES]);
        extents.slice_mut().copy_from_slice(axes.extents());
        if axes.extents().contains(&0) {
            // No stride leads anywhere: ndarray's own.
            return Ok(Shape { shape: extents.into(), least, inverted });
        }
        for (axis, (extent, stride)) in axes.extents().iter().zip(axes.strides()).enumerate() {
            // A single element is at its place, whatever the stride.
            inverted[axis] = *stride < 0 && *extent > 1;
            strides[axis] = if inverted[axis] { stride.unsigned_abs() } else { (*stride).max(0) as usize };
            if inverted[axis] {
                least += (*extent as isize - 1) * *stride;
            }
        }
        Ok(Shape { shape: extents.strides(strides), least, inverted })
    }
}

/// The axes that are to be inverted.
fn inverted(inverted: &[bool]) -> impl Iterator<Item = Axis> {
    (0..inverted.len()).filter(|axis| inverted[*axis]).map(Axis)
}

impl<'a, T, D: Dimension, L: Layout> FromTensor<Shared<'a, T>, L> for ArrayView<'a, T, D> {
    fn from_tensor(tensor: View<'a, T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        let Shape { shape, least, inverted: upside } = Shape::of(&axes)?;
        let least = axes.place(tensor.into_storage().origin(), least);
        // SAFETY: the places that the axes reach, from the first in memory on, are those of the indices of the layout, whose elements are in one
        // allocation and borrowed for `'a`; of a tensor without elements no stride leads anywhere. The product of the extents fits `isize`.
        let mut view = unsafe { ArrayView::from_shape_ptr(shape, least) };
        inverted(&upside).for_each(|axis| view.invert_axis(axis));
        Ok(view)
    }
}

/// Fails also where the modes interleave, as in `(2,3):(3,2)`: what ndarray writes to has strides that nest.
impl<'a, T, D: Dimension, L: Layout> FromTensor<Unique<'a, T>, L> for ArrayViewMut<'a, T, D> {
    fn from_tensor(tensor: ViewMut<'a, T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        axes.nesting(&tensor.layout())?;
        let Shape { shape, least, inverted: upside } = Shape::of(&axes)?;
        let least = axes.place(tensor.into_storage().origin_mut(), least).cast_mut();
        // SAFETY: as of `ArrayView`; the borrow is exclusive and used up, and no two coordinates share an element.
        let mut view = unsafe { ArrayViewMut::from_shape_ptr(shape, least) };
        inverted(&upside).for_each(|axis| view.invert_axis(axis));
        Ok(view)
    }
}

/// Elements before the first that the layout has are removed, which moves the others; otherwise they stay where they are.
///
/// Fails also where the modes interleave, as those of views that write.
impl<T, D: Dimension, L: Layout> FromTensor<Heap<T>, L> for Array<T, D> {
    fn from_tensor(tensor: Boxed<T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        axes.nesting(&tensor.layout())?;
        let empty = axes.extents().contains(&0);
        let Shape { shape, least, inverted: axes } = Shape::of(&axes)?;
        let storage = tensor.into_storage();
        // Where there are elements, the first is one of the storage's.
        let first = storage.origin_index().saturating_add_signed(least);
        let mut elements = storage.into_boxed_slice().into_vec();
        if empty {
            elements.clear();
        } else if first > 0 {
            elements.drain(..first);
        }
        let mut array = Array::from_shape_vec(shape, elements).map_err(|_| InteropError::Interleaved)?;
        inverted(&axes).for_each(|axis| array.invert_axis(axis));
        Ok(array)
    }
}
