//! NumPy arrays of indices and of values.

use crate::arrays::{refused, unfit, viewed};
use crd2idx::sparse::Indices;
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sparse_files::{AnyArray, ElementType, with_element};
use std::borrow::Cow;

/// Declares the arrays that indices can be borrowed from. Signed indices are read as unsigned ones, so that negative ones are out of range.
macro_rules! borrowed {
    ($($variant:ident $type:ty as $unsigned:ty),*) => {
        /// Indices, borrowed from Python.
        pub(super) enum Borrowed<'py> {
            $($variant(PyReadonlyArray1<'py, $type>),)*
        }

        impl<'py> Borrowed<'py> {
            /// Borrows an array. Fails unless it has integers in one dimension.
            pub(super) fn new(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
                $(
                    if let Ok(array) = array.cast::<PyArray1<$type>>() {
                        return Ok(Borrowed::$variant(array.try_readonly().map_err(refused)?));
                    }
                )*
                Err(unfit("indices", array, "integers in one dimension"))
            }

            pub(super) fn indices(&self) -> PyResult<Indices<'_>> {
                Ok(match self {
                    $(Borrowed::$variant(array) => bytemuck::cast_slice::<$type, $unsigned>(array.as_slice().map_err(refused)?).into(),)*
                })
            }
        }
    };
}

borrowed!(U8 u8 as u8, U16 u16 as u16, U32 u32 as u32, U64 u64 as u64, I8 i8 as u8, I16 i16 as u16, I32 i32 as u32, I64 i64 as u64);

/// Moves numbers to a read-only NumPy array.
pub(super) fn fixed<T: Element>(py: Python<'_>, numbers: Vec<T>) -> PyResult<Bound<'_, PyUntypedArray>> {
    let array = numbers.into_pyarray(py);
    array.try_readwrite().map_err(refused)?.make_nonwriteable();
    Ok(array.as_untyped().clone())
}

/// Moves indices to a read-only NumPy array.
pub(super) fn numpy<'py>(py: Python<'py>, indices: Indices<'static>) -> PyResult<Bound<'py, PyUntypedArray>> {
    match indices {
        Indices::U8(array) => fixed(py, array.into_owned()),
        Indices::U16(array) => fixed(py, array.into_owned()),
        Indices::U32(array) => fixed(py, array.into_owned()),
        Indices::U64(array) => fixed(py, array.into_owned()),
    }
}

/// Moves values to a read-only NumPy array.
pub(super) fn values_to_numpy<'py>(py: Python<'py>, array: AnyArray<'static>) -> PyResult<Bound<'py, PyUntypedArray>> {
    with_element!(array.element(), T => fixed(py, array.into_values::<T>().unwrap_or_default()))
}

/// Values, and a view of their memory as bytes.
pub(super) struct ValuesArray<'py> {
    bytes: Bound<'py, PyUntypedArray>,
    element: ElementType,
}

impl<'py> ValuesArray<'py> {
    pub(super) fn of(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let name = array.dtype().to_string();
        let element = ElementType::from_name(&name)
            .ok_or_else(|| PyTypeError::new_err(format!("values have the type {name}, which sparse tensors do not support")))?;
        if array.ndim() != 1 {
            return Err(PyValueError::new_err(format!("values have {} dimensions, but one is needed", array.ndim())));
        }
        Ok(ValuesArray { bytes: viewed(array, "u1")?, element })
    }

    pub(super) fn element(&self) -> ElementType {
        self.element
    }

    pub(super) fn borrowed(&self) -> PyResult<PyReadonlyArray1<'py, u8>> {
        let bytes = self.bytes.cast::<PyArray1<u8>>().map_err(|_| unfit("values", &self.bytes, "bytes in one dimension"))?;
        bytes.try_readonly().map_err(refused)
    }

    /// Returns the values, borrowed.
    pub(super) fn array<'a>(&self, bytes: &'a PyReadonlyArray1<'_, u8>) -> PyResult<AnyArray<'a>> {
        let bytes = Cow::Borrowed(bytes.as_slice().map_err(refused)?);
        AnyArray::from_bytes("values", self.element, bytes, cfg!(target_endian = "big")).map_err(refused)
    }
}

/// Borrows the values of a second operand. Fails unless their type is `T`, the type of the first operand.
pub(super) fn typed<'py, T: Element>(array: &Bound<'py, PyUntypedArray>) -> PyResult<PyReadonlyArray1<'py, T>> {
    let array = array.cast::<PyArray1<T>>().map_err(|_| unfit("the other array of values", array, "of the same type"))?;
    array.try_readonly().map_err(refused)
}

/// Calls a macro-like body with the elements of `$array` as a slice of the first type of `$types` that fits, and with `$T` as that type.
macro_rules! with_slice {
    ($array:expr, [$($type:ty),*], $T:ident, $slice:ident => $body:expr) => {{
        let array: &Bound<'_, PyUntypedArray> = $array;
        $(
            if let Ok(array) = array.cast::<PyArray1<$type>>() {
                #[allow(dead_code)]
                type $T = $type;
                let array = array.try_readonly().map_err(crate::arrays::refused)?;
                let $slice = array.as_slice().map_err(crate::arrays::refused)?;
                return $body;
            }
        )*
        Err(crate::arrays::unfit("the array of values", array, concat!("one of", $(" ", stringify!($type),)* " in one dimension")))
    }};
}
pub(super) use with_slice;
