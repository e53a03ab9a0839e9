//! Converts arrays of other crates to tensors and back, without a copy. Only extents and strides are copied, and
//! they are checked once.
//!
//! [`IntoTensor`] makes a tensor from a view or an owned array, which it takes by value. [`FromTensor`] makes a
//! view or an array from a tensor:
//!
//! | feature | from and to |
//! |---|---|
//! | `ndarray` | `ArrayView`, `ArrayViewMut` and `Array` of any dimension |
//! | `faer` | `MatRef` and `MatMut` |
//! | `nalgebra` | views of matrices, to read and to write; what their types say is static in the layout |
//! | `dlpack` | `Managed` of `dlpark` from tensors that own their elements; the way back is `unsafe`, in `interop::dlpack` |
//!
//! Slices and arrays need no conversion: [`Tensor::new`] takes them, and [`Tensor::contiguous`] returns them.
//! [`View::from_raw`](crate::View::from_raw) makes a tensor from a pointer, and [`Tensor::as_ptr`] with
//! [`Affine`](crate::layouts::Affine) gives the pointer back.
//!
//! Negative strides stay negative. Arrays for writing must be injective on both sides: an axis that repeats an
//! element (stride 0) is refused.

#[cfg_attr(
    not(all(feature = "faer", feature = "nalgebra", feature = "ndarray")),
    allow(dead_code, reason = "each of these crates needs some of it")
)]
mod axes;
#[cfg(feature = "dlpack")]
pub mod dlpack;
mod error;
#[cfg(feature = "faer")]
pub mod faer;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;
#[cfg(feature = "ndarray")]
pub mod ndarray;

pub use error::InteropError;

use crate::tensor::Storage;
use crate::{Layout, Tensor};

/// An array of another crate that becomes a tensor without a copy. A view becomes a [`View`](crate::View) or a
/// [`ViewMut`](crate::ViewMut) with the same lifetime, and an array that owns its elements becomes a
/// [`Boxed`](crate::Boxed).
///
#[cfg_attr(feature = "ndarray", doc = "```")]
#[cfg_attr(not(feature = "ndarray"), doc = "```ignore")]
/// use crd2idx::interop::{InteropError, IntoTensor};
/// use crd2idx::tensor::Shared;
/// use ndarray::{Array, s};
/// /// Counts the zeros of an array of any library.
/// fn zeros<'a>(array: impl IntoTensor<Storage = Shared<'a, u8>>) -> Result<usize, InteropError> {
///     Ok(array.into_tensor()?.fold(0, |count, x| count + (*x == 0) as usize))
/// }
/// let image = Array::from_shape_fn((4, 6), |(i, j)| (i * j) as u8);
/// assert_eq!(zeros(image.view())?, 6 + 3);
/// assert_eq!(zeros(image.slice(s![..;-1, 3..]))?, 3);
/// // An array that owns its elements gives them to the tensor.
/// assert_eq!(image.into_tensor()?[(3, 5)], 15);
/// # Ok::<(), InteropError>(())
/// ```
pub trait IntoTensor {
    /// The storage of the elements.
    type Storage: Storage;

    /// The layout. An extent or a stride is static if the type of the array gives it, else a run-time number.
    type Layout: Layout;

    /// Converts the array to a tensor.
    ///
    /// Fails if no layout has these extents and strides, for example if an array has more dimensions than a
    /// [`DynLayout`](crate::DynLayout) has modes.
    fn into_tensor(self) -> Result<Tensor<Self::Storage, Self::Layout>, InteropError>;
}

/// An array of another crate that is made from a tensor without a copy. A [`View`](crate::View) becomes a view,
/// and a [`ViewMut`](crate::ViewMut) a view that writes.
///
#[cfg_attr(feature = "ndarray", doc = "```")]
#[cfg_attr(not(feature = "ndarray"), doc = "```ignore")]
/// use crd2idx::interop::{FromTensor, InteropError};
/// use crd2idx::number::Keep;
/// use crd2idx::{Boxed, Int, make_layout};
/// use ndarray::{Array2, ArrayView1, ArrayViewMut2, array};
/// let mut t = Boxed::filled(make_layout((2, 3), (3, Int::<1>)), 1)?;
/// ArrayViewMut2::from_tensor(t.view_mut())?.column_mut(2).fill(5);
/// assert_eq!(ArrayView1::from_tensor(t.slice((0, Keep)))?, array![1, 1, 5]);
/// assert_eq!(ArrayView1::from_tensor(t.view()).unwrap_err(), InteropError::Rank { rank: 2, dimensions: 1 });
/// // The vector of a tensor that owns its elements moves into the array.
/// assert_eq!(Array2::from_tensor(t)?, array![[1, 1, 5], [1, 1, 5]]);
/// # Ok::<(), InteropError>(())
/// ```
pub trait FromTensor<S, L>: Sized {
    /// Converts the tensor to an array with a dimension for each mode.
    ///
    /// Fails if a mode has no single stride: the layout is swizzled, or the leaves of a nested mode do not follow
    /// each other. `flatten` makes each leaf a mode. Fails also if the array writes and two coordinates share an
    /// element, or if the other type cannot represent the layout.
    fn from_tensor(tensor: Tensor<S, L>) -> Result<Self, InteropError>;
}
