//! Arrays of NumPy while a call uses them.
//!
//! No thread may write to an array while a call uses it. The lock of the interpreter does not protect arrays, because NumPy also writes to them without it. Calls
//! that let other threads of Python run work on copies, which they make first.
//!
//! A call first takes all its arguments from Python: their conversion may run any code, which may resize arrays or change their type. Then it borrows the arrays.
//! No code of Python runs while an array is borrowed. The name of a type is such code, too: a class may compute it.

use numpy::{Element, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The error for numbers or arrays that are refused.
pub fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the type of an array in the abbreviation of NumPy, such as `f8`, without running code of Python.
fn kind(array: &Bound<'_, PyUntypedArray>) -> String {
    format!("{}{}", char::from(array.dtype().kind()), array.dtype().itemsize())
}

/// The error for an array that is refused; `needed` says which arrays are accepted.
pub fn unfit(what: &str, array: &Bound<'_, PyUntypedArray>, needed: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} of {} in {} dimensions: {needed}", kind(array), array.ndim()))
}

/// Views the memory of an array as another type. The view is of no subclass, as methods of a subclass could return anything.
pub fn viewed<'py>(array: &Bound<'py, PyUntypedArray>, dtype: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    let ndarray = array.py().get_type::<PyUntypedArray>();
    Ok(ndarray.call_method1("view", (array, dtype, &ndarray))?.cast_into()?)
}

/// Refuses arrays that share bytes, whichever objects own the memory.
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
