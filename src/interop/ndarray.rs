//! Converts views and arrays of `ndarray` to tensors and back.
//!
//! ```
//! use crd2idx::interop::{FromTensor, IntoTensor};
//! use crd2idx::Int;
//! use crd2idx::tensor::Tile;
//! use ndarray::{Array, ArrayView2, array, s};
//!
//! // A view with reversed rows as a tensor: the same elements, with strides -4 and 1.
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
//! // For writing: in tiles, and then through ndarray.
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

/// A dimension type with the type of its layout: tuples of extents and signed strides, or a [`DynLayout`] for
/// [`IxDyn`](type@IxDyn).
///
/// ```
/// use crd2idx::interop::ndarray::LayoutDimension;
/// use crd2idx::interop::{InteropError, IntoTensor};
/// use crd2idx::{DynLayout, Layout};
/// use ndarray::{ArrayView, Ix2, IxDyn, array};
/// /// Returns the element at the first coordinate of an array of any dimension.
/// fn first<D: LayoutDimension>(array: ArrayView<'_, i32, D>) -> Result<Option<i32>, InteropError> {
///     Ok(array.into_tensor()?.get(0).copied())
/// }
/// let a = array![[1, 2], [3, 4]];
/// assert_eq!((first(a.view())?, first(a.view().into_dyn())?), (Some(1), Some(1)));
///
/// // The layout of extents and strides, as the dimension has it.
/// let fixed = Ix2::layout(&[3, 4], &[-4, 1])?;
/// assert_eq!(fixed.crd2idx((2, 3)) as isize, -4 * 2 + 3);
/// let dynamic: DynLayout = IxDyn::layout(&[3, 4], &[-4, 1])?;
/// assert_eq!(dynamic.to_string(), "(3,4):(-4,1)");
/// assert!(Ix2::layout(&[3], &[1]).is_err());
/// # Ok::<(), InteropError>(())
/// ```
pub trait LayoutDimension: Dimension {
    /// The type of the layout of an array with this dimension.
    type Layout: Layout;

    /// Returns the layout of these extents and strides.
    ///
    /// Fails if their number differs from the number of dimensions, or exceeds the capacity of a [`DynLayout`].
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

/// Returns the layout of an array. Fails if an index does not fit `isize`.
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
        // SAFETY: the elements of the view are at the sums of its strides from its pointer, and borrowed for `'a`. The view
        // is passed by value, so nobody else has it.
        Ok(unsafe { ViewMut::from_raw_mut(self.as_mut_ptr(), layout) })
    }
}

/// Moves the vector of the array into a tensor. The elements move only if the vector has more capacity than elements,
/// because it is then shrunk.
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
        // An array without elements has no index 0.
        Ok(Tensor::with_origin(elements, origin.unwrap_or(0), layout)?)
    }
}

/// A shape with strides that are not negative, the distance `least` from index 0 to the first element in memory, in
/// elements, and for each axis whether it must be inverted afterwards.
struct Shape<D: Dimension> {
    shape: StrideShape<D>,
    least: isize,
    inverted: [bool; crate::layouts::MAX_LEAVES],
}

impl<D: Dimension> Shape<D> {
    /// Returns the shape for the axes of a layout. Fails if `D` has another rank.
    fn of(axes: &Axes) -> Result<Self, InteropError> {
        let rank = axes.extents().len();
        if let Some(dimensions) = D::NDIM.filter(|dimensions| *dimensions != rank) {
            return Err(InteropError::Rank { rank, dimensions });
        }
        let (mut extents, mut strides) = (D::zeros(rank), D::zeros(rank));
        let (mut least, mut inverted) = (axes.first(), [false; crate::layouts::MAX_LEAVES]);
        extents.slice_mut().copy_from_slice(axes.extents());
        if axes.extents().contains(&0) {
            // Without elements no stride is used, so take the default strides of ndarray.
            return Ok(Shape { shape: extents.into(), least, inverted });
        }
        for (axis, (extent, stride)) in axes.extents().iter().zip(axes.strides()).enumerate() {
            // The stride of an axis of one element is never used, so such an axis is not inverted.
            inverted[axis] = *stride < 0 && *extent > 1;
            strides[axis] = if inverted[axis] { stride.unsigned_abs() } else { (*stride).max(0) as usize };
            if inverted[axis] {
                least += (*extent as isize - 1) * *stride;
            }
        }
        Ok(Shape { shape: extents.strides(strides), least, inverted })
    }
}

/// Iterates over the axes whose entry is true.
fn inverted(inverted: &[bool]) -> impl Iterator<Item = Axis> {
    (0..inverted.len()).filter(|axis| inverted[*axis]).map(Axis)
}

impl<'a, T, D: Dimension, L: Layout> FromTensor<Shared<'a, T>, L> for ArrayView<'a, T, D> {
    fn from_tensor(tensor: View<'a, T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        let Shape { shape, least, inverted: upside } = Shape::of(&axes)?;
        let least = axes.place(tensor.into_storage().origin(), least);
        // SAFETY: from the first element in memory on, the axes reach exactly the elements of the layout, which
        // are in one allocation and borrowed for `'a`. Without elements no stride is used. The product of the
        // extents fits `isize`.
        let mut view = unsafe { ArrayView::from_shape_ptr(shape, least) };
        inverted(&upside).for_each(|axis| view.invert_axis(axis));
        Ok(view)
    }
}

/// Views a tensor as an array, for writing. Fails as the trait says, and if the modes interleave, as in `(2,3):(3,2)`,
/// because ndarray writes only to arrays whose strides nest.
impl<'a, T, D: Dimension, L: Layout> FromTensor<Unique<'a, T>, L> for ArrayViewMut<'a, T, D> {
    fn from_tensor(tensor: ViewMut<'a, T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        axes.nesting(&tensor.layout())?;
        let Shape { shape, least, inverted: upside } = Shape::of(&axes)?;
        let least = axes.place(tensor.into_storage().origin_mut(), least).cast_mut();
        // SAFETY: from the first element in memory on, the axes reach exactly the elements of the layout. The borrow is
        // exclusive and passed by value, and no two coordinates share an element.
        let mut view = unsafe { ArrayViewMut::from_shape_ptr(shape, least) };
        inverted(&upside).for_each(|axis| view.invert_axis(axis));
        Ok(view)
    }
}

/// Moves the storage of a tensor into an array. The array drops the elements before the first element of the layout in
/// memory, and the others move to their place. If there are none before it, no element moves.
///
/// Fails as the trait says, and if the modes interleave, as in `(2,3):(3,2)`. The strides of an array that owns its elements
/// must nest.
impl<T, D: Dimension, L: Layout> FromTensor<Heap<T>, L> for Array<T, D> {
    fn from_tensor(tensor: Boxed<T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        axes.nesting(&tensor.layout())?;
        let empty = axes.extents().contains(&0);
        let Shape { shape, least, inverted: axes } = Shape::of(&axes)?;
        let storage = tensor.into_storage();
        // The first element of the layout in memory. It is in the storage unless there are no elements.
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
