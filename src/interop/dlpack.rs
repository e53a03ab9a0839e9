//! Tensors of DLPack, the descriptor that Python's array libraries exchange, with the crate `dlpark`.
//!
//! A descriptor has a pointer without a length. Its numbers can be read but not verified, so taking a descriptor is
//! `unsafe`. [`FromTensor`] gives away a tensor that owns its elements; the deleter of the descriptor frees them.
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
//! // SAFETY: the descriptor belongs to the tensor above, and nobody else has it.
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

/// The reason why a descriptor is not a tensor.
///
/// ```
/// use crd2idx::interop::dlpack::{self, DlpackError};
/// use crd2idx::interop::FromTensor;
/// use crd2idx::{Boxed, make_layout};
/// use dlpark::versioned::Dlpack;
/// let given = Dlpack::from_tensor(Boxed::filled(make_layout((2, 3), (3, 1)), 0i32)?)?;
/// // SAFETY: the descriptor belongs to the tensor above.
/// let error = unsafe { dlpack::view::<f32, _>(&given) }.err().expect("the elements are integers");
/// assert!(matches!(error, DlpackError::Descriptor(_)));
/// assert_eq!(error.class(), "dlpack/descriptor");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub enum DlpackError {
    /// The descriptor is not valid, or it describes other elements or elements in the memory of another device.
    Descriptor(Flaw),
    /// No layout has the extents and strides of the descriptor.
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

/// Returns the pointer to index 0 of a descriptor, and its layout. Fails if the memory is not of this machine, or if the
/// elements are not of type `T` or not aligned, or if no layout fits.
///
/// # Safety
///
/// The pointer of the descriptor, plus its offset, points into its elements.
unsafe fn parts<T: DlpackElement>(tensor: &TensorRef<'_>) -> Result<(*const T, DynLayout), DlpackError> {
    let device_type = tensor.device().device_type;
    if !matches!(device_type, DLDeviceType::CPU | DLDeviceType::CUDAHOST | DLDeviceType::ROCMHOST) {
        return Err(Flaw::NotCpu { device_type }.into());
    }
    let layout: DynLayout = DynLayout::new(&DynCoord::flat(tensor.shape())?, &DynCoord::flat(&tensor.strides_or_compact()?)?)?;
    layout.index_range()?;
    // SAFETY: the caller promises it.
    Ok((unsafe { tensor.offset_data_ptr::<T>()? }, layout))
}

/// Returns a view of the elements of a descriptor, with its extents and strides. Strides may be negative or 0.
///
/// Fails if the descriptor is not valid, if its elements are not of type `T` or not in the memory of this machine,
/// if the pointer is not aligned, or if the rank exceeds 16.
///
/// # Safety
///
/// The descriptor is true. Its pointer and offset give the element of index 0, which has its data type. All elements
/// at sums of its strides are in one allocation and initialized, and are not written while the view lives.
///
/// ```
/// use crd2idx::interop::{FromTensor, dlpack};
/// use crd2idx::{Boxed, make_layout};
/// use dlpark::versioned::Dlpack;
/// /// Returns the sum of the elements of an array that another library lends.
/// ///
/// /// # Safety
/// ///
/// /// The descriptor is true, and nobody writes the elements meanwhile.
/// unsafe fn sum(array: &Dlpack) -> Result<f32, dlpack::DlpackError> {
///     // SAFETY: the caller promises this.
///     Ok(unsafe { dlpack::view::<f32, _>(array) }?.fold(0.0, |sum, x| sum + x))
/// }
/// let array = Dlpack::from_tensor(Boxed::filled(make_layout((2, 3), (3, 1)), 1.5f32)?)?;
/// // SAFETY: the descriptor belongs to the tensor above, and nobody else has it.
/// assert_eq!(unsafe { sum(&array)? }, 9.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub unsafe fn view<T: DlpackElement, M: ManagedTensorBase>(managed: &Managed<M>) -> Result<View<'_, T, DynLayout>, DlpackError> {
    let tensor = managed.validate()?;
    // SAFETY: the caller promises that the descriptor is true.
    let (origin, layout) = unsafe { parts::<T>(&tensor)? };
    // SAFETY: the caller promises that the descriptor is true. The deleter cannot run while the descriptor is borrowed.
    Ok(unsafe { View::from_raw(origin, layout) })
}

/// Returns a view like [`view`], for writing.
///
/// Fails as [`view`] does, and if the descriptor is read-only.
///
/// # Safety
///
/// The conditions of [`view`] hold. Besides, nobody else reads or writes the elements while the view lives, not
/// even the maker of the descriptor.
///
/// ```
/// use crd2idx::interop::{FromTensor, dlpack};
/// use crd2idx::{Boxed, make_layout};
/// use dlpark::versioned::Dlpack;
/// let mut array = Dlpack::from_tensor(Boxed::filled(make_layout((2, 3), (3, 1)), 0)?)?;
/// // SAFETY: the descriptor belongs to the tensor above, and nobody else has it.
/// let mut t = unsafe { dlpack::view_mut::<i32, _>(&mut array)? };
/// t[1] = 7; // the first mode is fastest: the coordinate (1, 0)
/// assert_eq!((t[[1, 0]], t.layout().to_string()), (7, "(2,3):(3,1)".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub unsafe fn view_mut<T: DlpackElement, M: ManagedTensorBase>(managed: &mut Managed<M>) -> Result<ViewMut<'_, T, DynLayout>, DlpackError> {
    let tensor = managed.validate_mut()?;
    // SAFETY: the caller promises that the descriptor is true.
    let (origin, layout) = unsafe { parts::<T>(&tensor)? };
    // SAFETY: the caller promises that the descriptor is true. The borrow of the descriptor is exclusive.
    Ok(unsafe { ViewMut::from_raw_mut(origin.cast_mut(), layout) })
}

/// Gives a tensor away as a descriptor with the strides of its layout. Some libraries refuse negative strides. Fails as
/// the trait says, and if two coordinates share an element, because the receiver may write the elements.
impl<T: DlpackElement + Send + Sync, L: Layout, M: ManagedTensorBase> FromTensor<Heap<T>, L> for Managed<M> {
    fn from_tensor(tensor: Boxed<T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        Injective::new(tensor.layout())?;
        let (empty, storage) = (tensor.size() == 0, tensor.into_storage());
        // Only extents beyond 63 bits can fail here.
        let prepared = Dynamic::new(axes.extents(), axes.strides()).prepare_as::<M>().map_err(|_| InteropError::Size)?;
        // Moving a vector does not claim its elements, unlike moving a box. Index 0 need not be an element.
        let first = storage.origin_index().wrapping_add_signed(axes.first());
        let mut elements = Box::new(storage.into_boxed_slice().into_vec());
        let origin = if empty { core::ptr::null_mut() } else { elements.as_mut_ptr().wrapping_add(first) };
        let mut descriptor = prepared.initialize(elements);
        descriptor.set_data(origin.cast()).set_device(DLDevice::CPU).set_dtype(T::DTYPE);
        // SAFETY: the context owns the elements, and the deleter frees it. Extents and strides are copied into the
        // descriptor, and they are true.
        Ok(unsafe { descriptor.finish() })
    }
}
