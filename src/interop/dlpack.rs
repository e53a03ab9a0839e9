//! Tensors of DLPack, the descriptor that Python's array libraries exchange, by `dlpark`.
//!
//! A descriptor has a pointer and no length: what it says can be read, but not that it is true, so that taking one is `unsafe`. A tensor that owns its
//! elements is given away by [`FromTensor`], and its deleter frees them.
//!
//! ```
//! use crd2idx::interop::{FromTensor, dlpack};
//! use crd2idx::{Boxed, DynLayout, Int, View, make_layout};
//! use dlpark::versioned::Dlpack;
//!
//! let mut t = Boxed::filled(make_layout((2, (2, 2)), (Int::<4>, (Int::<1>, 2))), 0.0f32)?;
//! t[(1, 2)] = 5.0;
//! let mut given = Dlpack::from_tensor(t)?;
//! assert_eq!(given.validate()?.shape(), [2, 4]);
//!
//! // SAFETY: the descriptor is that of the tensor above, which no one else has.
//! let mut t = unsafe { dlpack::view_mut::<f32, _>(&mut given)? };
//! assert_eq!(t[(1, 2)], 5.0);
//! t.fill(1.0);
//! // SAFETY: as above.
//! let error = unsafe { dlpack::view::<f64, _>(&given) }.err().unwrap();
//! assert!(error.to_string().starts_with("dtype mismatch"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::axes::Axes;
use super::{FromTensor, InteropError};
use crate::layouts::DynCoord;
use crate::tensor::{Heap, Injective};
use crate::{Boxed, DynLayout, Layout, View, ViewMut};
use ::dlpark::ffi::{DLDevice, DLDeviceType};
use ::dlpark::metadata::Dynamic;
use ::dlpark::tensor::{Error as Flaw, TensorRef};
use ::dlpark::{DlpackElement, Managed, ManagedTensorBase};
use alloc::boxed::Box;

/// Why a descriptor is no tensor.
#[non_exhaustive]
pub enum DlpackError {
    /// What the descriptor says is not valid, or not that of these elements on this machine.
    Descriptor(Flaw),
    /// There is no layout of its extents and strides.
    Tensor(InteropError),
}

impl core::fmt::Display for DlpackError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            DlpackError::Descriptor(flaw) => flaw.fmt(f),
            DlpackError::Tensor(error) => error.fmt(f),
        }
    }
}

crate::displayed_error! { DlpackError, |error| match error {
    DlpackError::Descriptor(_) => "dlpack/descriptor",
    DlpackError::Tensor(error) => error.class(),
} }

impl From<Flaw> for DlpackError {
    fn from(flaw: Flaw) -> Self {
        DlpackError::Descriptor(flaw)
    }
}

impl<E: Into<InteropError>> From<E> for DlpackError {
    fn from(error: E) -> Self {
        DlpackError::Tensor(error.into())
    }
}

/// The layout of a descriptor, and the place of its index 0.
///
/// # Safety
///
/// The pointer of the descriptor, moved by its offset, is one into its elements.
unsafe fn parts<T: DlpackElement>(tensor: &TensorRef<'_>) -> Result<(*const T, DynLayout), DlpackError> {
    let device_type = tensor.device().device_type;
    if !matches!(device_type, DLDeviceType::CPU | DLDeviceType::CUDAHOST | DLDeviceType::ROCMHOST) {
        return Err(Flaw::NotCpu { device_type }.into());
    }
    let layout: DynLayout = DynLayout::new(&DynCoord::flat(tensor.shape())?, &DynCoord::flat(&tensor.strides_or_compact()?)?)?;
    layout.index_range()?;
    // SAFETY: promised by the caller.
    Ok((unsafe { tensor.offset_data_ptr::<T>()? }, layout))
}

/// The elements of a descriptor, of the same extents and strides, which may be negative or 0.
///
/// Fails where the descriptor is not valid, its elements are not of type `T` or not in this machine's memory, the pointer is not aligned, or the rank
/// exceeds 16.
///
/// # Safety
///
/// The descriptor is true: its pointer and offset are those of the element of index 0, of its data type, and all elements at sums of its strides are in
/// one allocation, are initialized, and are not written while the view lives.
pub unsafe fn view<T: DlpackElement, M: ManagedTensorBase>(managed: &Managed<M>) -> Result<View<'_, T, DynLayout>, DlpackError> {
    let tensor = managed.validate()?;
    // SAFETY: the descriptor is true.
    let (origin, layout) = unsafe { parts::<T>(&tensor)? };
    // SAFETY: as above; the deleter runs when the borrow has ended.
    Ok(unsafe { View::from_raw(origin, layout) })
}

/// [`view`], to be written.
///
/// Fails also where the descriptor says that it is to be read only.
///
/// # Safety
///
/// As of [`view`], and no one else reads or writes the elements while the view lives, neither the one who made them.
pub unsafe fn view_mut<T: DlpackElement, M: ManagedTensorBase>(managed: &mut Managed<M>) -> Result<ViewMut<'_, T, DynLayout>, DlpackError> {
    let tensor = managed.validate_mut()?;
    // SAFETY: the descriptor is true.
    let (origin, layout) = unsafe { parts::<T>(&tensor)? };
    // SAFETY: as above; the borrow of the descriptor is exclusive.
    Ok(unsafe { ViewMut::from_raw_mut(origin.cast_mut(), layout) })
}

/// Strides are those of the layout, negative ones too, which some libraries refuse. As the elements may be written by who takes them, no two coordinates
/// may share one.
impl<T: DlpackElement + Send + Sync, L: Layout, M: ManagedTensorBase> FromTensor<Heap<T>, L> for Managed<M> {
    fn from_tensor(tensor: Boxed<T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        Injective::new(tensor.layout())?;
        let (empty, storage) = (tensor.size() == 0, tensor.into_storage());
        // What is left to refuse are extents beyond 63 bits.
        let prepared = Dynamic::new(axes.extents(), axes.strides()).prepare_as::<M>().map_err(|_| InteropError::Size)?;
        // A vector does not claim its elements when it is moved, as a box would. Index 0 need not have an element.
        let first = storage.origin_index().wrapping_add_signed(axes.first());
        let mut elements = Box::new(storage.into_boxed_slice().into_vec());
        let origin = if empty { core::ptr::null_mut() } else { elements.as_mut_ptr().wrapping_add(first) };
        let mut descriptor = prepared.initialize(elements);
        descriptor.set_data(origin.cast()).set_device(DLDevice::CPU).set_dtype(T::DTYPE);
        // SAFETY: the elements live in the context, which the deleter frees; extents and strides are copied into the descriptor, and true.
        Ok(unsafe { descriptor.finish() })
    }
}
