//! Arrays of other crates as tensors, and tensors as their arrays, where the elements lie: nothing is copied but extents and strides, which are
//! checked once.
//!
//! [`IntoTensor`] takes views and owned arrays by value, [`FromTensor`] makes them of tensors:
//!
//! | feature | from and to |
//! |---|---|
//! | `ndarray` | `ArrayView`, `ArrayViewMut` and `Array` of any dimension |
//! | `faer` | `MatRef` and `MatMut` |
//! | `nalgebra` | views of matrices, to read and to write; what their types say is static in the layout |
//! | `dlpack` | `Managed` of `dlpark` from tensors that own their elements; the way back is `unsafe`, in `interop::dlpack` |
//!
//! Slices and arrays need none of this: [`Tensor::new`] takes them, and [`Tensor::contiguous`] gives them. Of pointers, [`View::from_raw`](crate::View::from_raw)
//! is a tensor, and [`Tensor::as_ptr`] with [`Affine`](crate::layouts::Affine) the way back.
//!
//! Strides below 0 stay as they are. What is to be written must be injective on both sides: an axis that repeats an element (stride 0) is refused.

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

/// An array of another crate that is a tensor where it lies: a view becomes a [`View`](crate::View) or a [`ViewMut`](crate::ViewMut) of the same
/// lifetime, an array that owns its elements a [`Boxed`](crate::Boxed).
pub trait IntoTensor {
    /// What the elements lie in.
    type Storage: Storage;

    /// The layout of its extents and strides, which are numbers of run time where the array's type does not say them.
    type Layout: Layout;

    /// The tensor.
    ///
    /// Fails where there is no layout of these extents and strides, as where an array has more dimensions than [`DynLayout`](crate::DynLayout) modes.
    fn into_tensor(self) -> Result<Tensor<Self::Storage, Self::Layout>, InteropError>;
}

/// An array of another crate made of a tensor where it lies: of a [`View`](crate::View) a view, of a [`ViewMut`](crate::ViewMut) one that writes.
pub trait FromTensor<S, L>: Sized {
    /// The array, with a dimension for each mode.
    ///
    /// Fails where a mode has no single stride, as a nested mode whose leaves do not follow each other (`flatten` gives each leaf a mode of its own) and
    /// swizzled ones; where it is to be written, and two coordinates share an element; and where the other side cannot say it.
    fn from_tensor(tensor: Tensor<S, L>) -> Result<Self, InteropError>;
}
