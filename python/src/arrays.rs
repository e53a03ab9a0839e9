//! Arrays of NumPy while a call uses them.
//!
//! No thread may write to an array while a call uses it. NumPy writes without the lock of the interpreter, so that the lock keeps nobody from an array. Calls that
//! let other threads of Python run meanwhile work on copies, which are made before.
//!
//! A call takes all its arguments from Python first: conversions of these run any code, which may resize arrays, or change their type. Then it borrows arrays, and
//! from there to the end of the last borrow nothing runs code of Python, texts of types included.

use numpy::{Element, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Why numbers or arrays are refused.
pub fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The type of an array as NumPy abbreviates it, `f8`, without code of Python.
fn kind(array: &Bound<'_, PyUntypedArray>) -> String {
    format!("{}{}", char::from(array.dtype().kind()), array.dtype().itemsize())
}

/// Refuses an array; `needed` says what would do.
pub fn unfit(what: &str, array: &Bound<'_, PyUntypedArray>, needed: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} of {} in {} dimensions: {needed}", kind(array), array.ndim()))
}

/// The same memory as an array of another type and of no subclass, whose methods could give anything.
pub fn viewed<'py>(array: &Bound<'py, PyUntypedArray>, dtype: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    let ndarray = array.py().get_type::<PyUntypedArray>();
    Ok(ndarray.call_method1("view", (array, dtype, &ndarray))?.cast_into()?)
}

/// Refuses arrays that share bytes, whichever objects have the memory.
pub fn disjoint<T: Element>(source: &Bound<'_, PyArray1<T>>, target: &Bound<'_, PyArray1<T>>) -> PyResult<()> {
    let bytes = |array: &Bound<'_, PyArray1<T>>| array.len() * size_of::<T>();
    let (from, to) = (source.data() as usize, target.data() as usize);
    let shared = (from + bytes(source)).min(to + bytes(target)).saturating_sub(from.max(to));
    if shared > 0 {
        let (read, written) = (bytes(source), bytes(target));
        return Err(PyValueError::new_err(format!(
            "{shared} bytes overlap of the {read} that are read and the {written} that are written"
        )));
    }
    Ok(())
}
