//! NumPy arrays during a call: the rules for borrowing them, and their errors.
//!
//! No thread may write to an array while a call uses it. The interpreter lock does not protect arrays, because NumPy also writes to them without it. Calls
//! that let other Python threads run first copy their arrays, and work on the copies.
//!
//! A call first takes all its arguments from Python: their conversion may run any code, which may resize arrays or change their type. Then it borrows the arrays.
//! No Python code runs while an array is borrowed. Even the name of a type may run Python code, because a class may compute it.

use numpy::{Element, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Converts an error to a `ValueError`.
pub fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the type of an array in NumPy's abbreviation, such as `f8`, without running Python code.
fn kind(array: &Bound<'_, PyUntypedArray>) -> String {
    format!("{}{}", char::from(array.dtype().kind()), array.dtype().itemsize())
}

/// Returns the `TypeError` for an array of a wrong type or rank. `needed` completes the sentence "it must be ..".
pub fn unfit(what: &str, array: &Bound<'_, PyUntypedArray>, needed: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} has the type {} and {} dimensions; it must be {needed}", kind(array), array.ndim()))
}

/// Views the memory of an array as another type. The view is a plain NumPy array: methods of a subclass could return anything.
pub fn viewed<'py>(array: &Bound<'py, PyUntypedArray>, dtype: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    let ndarray = array.py().get_type::<PyUntypedArray>();
    Ok(ndarray.call_method1("view", (array, dtype, &ndarray))?.cast_into()?)
}

/// Fails if two arrays share bytes, whichever objects own the memory.
pub fn disjoint<T: Element>(source: &Bound<'_, PyArray1<T>>, target: &Bound<'_, PyArray1<T>>) -> PyResult<()> {
    let bytes = |array: &Bound<'_, PyArray1<T>>| array.len() * size_of::<T>();
    let (from, to) = (source.data() as usize, target.data() as usize);
    let shared = (from + bytes(source)).min(to + bytes(target)).saturating_sub(from.max(to));
    if shared > 0 {
        let (read, written) = (bytes(source), bytes(target));
        return Err(PyValueError::new_err(format!(
            "source and target share memory: {shared} bytes overlap of the {read} that are read and the {written} that are written"
        )));
    }
    Ok(())
}
