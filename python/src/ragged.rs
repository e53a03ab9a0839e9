//! Ragged arrays over arrays of NumPy.
//!
//! The interpreter stays locked, as Python code could write to the arrays meanwhile; everything here takes about as long as a copy of them.

use crd2idx::sparse::ragged::{RaggedArray, RaggedError};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Offsets of each level, outermost first.
type Offsets<'py> = Vec<PyReadonlyArray1<'py, i64>>;

fn array<'a, T: Clone + 'static>(offsets: &'a Offsets<'_>, leaves: &'a [T]) -> PyResult<RaggedArray<'a, T>> {
    let offsets = offsets.iter().map(|array| array.as_slice()).collect::<Result<Vec<_>, _>>().map_err(refused)?;
    if offsets.is_empty() {
        return RaggedArray::from_leaves(leaves).map_err(refused);
    }
    RaggedArray::from_offsets(offsets, leaves).map_err(refused)
}

/// Evaluates the body with the leaves as a slice of their type, and `T` that type.
macro_rules! by_type {
    ($leaves:expr, $T:ident, $slice:ident => $body:expr) => {{
        let leaves = $leaves;
        macro_rules! attempt {
            ($type:ty) => {
                if let Ok(array) = leaves.cast::<PyArray1<$type>>() {
                    type $T = $type;
                    let array = array.try_readonly().map_err(refused)?;
                    let $slice = array.as_slice().map_err(refused)?;
                    return $body;
                }
            };
        }
        attempt!(f32);
        attempt!(f64);
        attempt!(i32);
        attempt!(i64);
        Err(PyTypeError::new_err(format!(
            "leaves of {} in {} dimensions: float32, float64, int32 or int64 in one are needed",
            leaves.dtype(),
            leaves.ndim()
        )))
    }};
}

/// Offsets and leaves, their memory taken over.
type Parts<'py> = (Vec<Bound<'py, PyAny>>, Bound<'py, PyAny>);

/// Offsets, leaves, and where a leaf is none.
type Masked<'py> = (Vec<Bound<'py, PyAny>>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

fn parts<'py, T: Element + Clone + 'static>(py: Python<'py>, array: &RaggedArray<'_, T>) -> Parts<'py> {
    let offsets = array.shape().offsets();
    let signed = |level: Vec<usize>| level.into_iter().map(|offset| offset as i64).collect::<Vec<_>>().into_pyarray(py).into_any();
    (offsets.into_iter().map(signed).collect(), array.leaves().to_vec().into_pyarray(py).into_any())
}

/// Refuses offsets and a number of leaves that are no ragged array.
#[pyfunction]
pub fn ragged_check(offsets: Offsets<'_>, leaves: usize) -> PyResult<()> {
    array(&offsets, &vec![(); leaves]).map(|_| ())
}

/// Leaves reduced along an axis: `sum`, `prod`, `mean`, `min`, `max`, `argmin` or `argmax`; the last four with a mask of lists that have no element.
#[pyfunction]
pub fn ragged_reduce<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: &Bound<'py, PyUntypedArray>,
    how: &str,
    axis: usize,
) -> PyResult<Masked<'py>> {
    fn some<'py, T: Element + Clone + Default + 'static>(py: Python<'py>, found: &RaggedArray<'_, Option<T>>) -> PyResult<Masked<'py>> {
        let mask: Vec<bool> = found.leaves().iter().map(Option::is_none).collect();
        let (offsets, leaves) = parts(py, &found.map(|leaf| leaf.clone().unwrap_or_default()).map_err(refused)?);
        Ok((offsets, leaves, Some(mask.into_pyarray(py).into_any())))
    }
    let all = |(offsets, leaves): Parts<'py>| Ok((offsets, leaves, None));
    by_type!(leaves, T, slice => {
        let ragged = array::<T>(&offsets, slice)?;
        fn position(found: Result<RaggedArray<'static, Option<usize>>, RaggedError>) -> PyResult<RaggedArray<'static, Option<i64>>> {
            found.and_then(|found| found.map(|place| place.map(|place| place as i64))).map_err(refused)
        }
        match how {
            "sum" => all(parts(py, &ragged.sum(axis).map_err(refused)?)),
            "prod" => all(parts(py, &ragged.prod(axis).map_err(refused)?)),
            "mean" => all(parts(py, &ragged.mean(axis).map_err(refused)?)),
            "min" => some(py, &ragged.min(axis).map_err(refused)?),
            "max" => some(py, &ragged.max(axis).map_err(refused)?),
            "argmin" => some(py, &position(ragged.argmin(axis))?),
            "argmax" => some(py, &position(ragged.argmax(axis))?),
            other => Err(PyValueError::new_err(format!("there is no reduction `{other}`"))),
        }
    })
}

/// The shape and the elements of the smallest regular array that has all, `fill` elsewhere.
#[pyfunction]
pub fn ragged_pad<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: &Bound<'py, PyUntypedArray>,
    fill: &Bound<'py, PyAny>,
) -> PyResult<(Vec<usize>, Bound<'py, PyAny>)> {
    by_type!(leaves, T, slice => {
        let fill: T = fill.extract()?;
        let (shape, data) = array::<T>(&offsets, slice)?.to_padded(&fill).map_err(refused)?;
        Ok((shape, data.into_pyarray(py).into_any()))
    })
}

/// For each element along axis `q + 1`, the number of its row along axis `q`.
#[pyfunction]
pub fn ragged_parents<'py>(py: Python<'py>, offsets: Offsets<'py>, leaves: usize, q: usize) -> PyResult<Bound<'py, PyAny>> {
    let ragged = vec![(); leaves];
    let ragged = array(&offsets, &ragged)?;
    if q >= offsets.len() {
        return Err(PyValueError::new_err(format!("there is no level {q}: the array has {}", offsets.len())));
    }
    let mut out: Vec<u64> = vec![];
    ragged.shape().parents_into(q, &mut out).map_err(refused)?;
    Ok(out.into_pyarray(py).into_any())
}

/// Joins the lists along an axis with those outside of them.
#[pyfunction]
pub fn ragged_flatten<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: &Bound<'py, PyUntypedArray>,
    axis: usize,
) -> PyResult<Parts<'py>> {
    by_type!(leaves, T, slice => {
        let ragged = array::<T>(&offsets, slice)?;
        Ok(parts(py, &ragged.flatten(axis).map_err(refused)?))
    })
}
