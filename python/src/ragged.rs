//! Ragged arrays over NumPy arrays. [`crate::arrays`] has the rules for borrowing them.
//!
//! Other Python threads wait during these calls, because each takes about as long as a copy.

use crate::arrays::{refused, unfit};
use crd2idx::ragged::{RaggedArray, RaggedError};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The offsets of each level, outermost first.
pub(crate) type Offsets<'py> = Vec<Bound<'py, PyUntypedArray>>;

/// Borrows offsets, and returns the result of `work` on the ragged array of these offsets and `leaves`. `work` must not call Python.
pub(crate) fn over<T: Clone + 'static, R: 'static>(
    offsets: &Offsets<'_>,
    leaves: &[T],
    work: impl FnOnce(&RaggedArray<'_, T>) -> Result<R, RaggedError>,
) -> PyResult<R> {
    fn level<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<PyReadonlyArray1<'py, i64>> {
        let array = array.cast::<PyArray1<i64>>().map_err(|_| unfit("offsets", array, "int64 in one dimension"))?;
        array.try_readonly().map_err(refused)
    }
    let offsets = offsets.iter().map(level).collect::<PyResult<Vec<_>>>()?;
    let offsets = offsets.iter().map(|array| array.as_slice()).collect::<Result<Vec<_>, _>>().map_err(refused)?;
    let array = if offsets.is_empty() { RaggedArray::from_leaves(leaves) } else { RaggedArray::from_offsets(offsets, leaves) };
    work(&array.map_err(refused)?).map_err(refused)
}

/// Calls [`over`] with leaves in a NumPy array.
pub(crate) fn over_leaves<T: Element + Clone + 'static, R: 'static>(
    offsets: &Offsets<'_>,
    leaves: &Bound<'_, PyUntypedArray>,
    work: impl FnOnce(&RaggedArray<'_, T>) -> Result<R, RaggedError>,
) -> PyResult<R> {
    let array = leaves.cast::<PyArray1<T>>().map_err(|_| unfit("leaves", leaves, "unchanged during the call"))?;
    let array = array.try_readonly().map_err(refused)?;
    over(offsets, array.as_slice().map_err(refused)?, work)
}

/// Evaluates the body with `T` the type of the leaves.
macro_rules! by_type {
    ($leaves:expr, $T:ident => $body:expr) => {{
        let leaves = $leaves;
        macro_rules! attempt {
            ($type:ty) => {
                if leaves.cast::<PyArray1<$type>>().is_ok() {
                    type $T = $type;
                    return $body;
                }
            };
        }
        attempt!(f32);
        attempt!(f64);
        attempt!(i32);
        attempt!(i64);
        Err(unfit("leaves", leaves, "float32, float64, int32 or int64 in one dimension"))
    }};
}

pub(crate) use by_type;

/// The offsets and leaves of a result, which Python owns.
pub(crate) type Parts<'py> = (Vec<Bound<'py, PyAny>>, Bound<'py, PyAny>);

/// The offsets and leaves of a result, and a mask that is true for missing leaves.
type Masked<'py> = (Vec<Bound<'py, PyAny>>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

pub(crate) fn parts<'py, T: Element + Clone + 'static>(py: Python<'py>, array: &RaggedArray<'static, T>) -> Parts<'py> {
    let offsets = array.shape().offsets();
    let signed = |level: Vec<usize>| level.into_iter().map(|offset| offset as i64).collect::<Vec<_>>().into_pyarray(py).into_any();
    (offsets.into_iter().map(signed).collect(), array.leaves().to_vec().into_pyarray(py).into_any())
}

/// Fails if the offsets and the number of leaves do not form a ragged array.
#[pyfunction]
pub fn ragged_check(offsets: Offsets<'_>, leaves: usize) -> PyResult<()> {
    over(&offsets, &vec![(); leaves], |_| Ok(()))
}

/// Reduces leaves along an axis by `sum`, `prod`, `mean`, `min`, `max`, `argmin` or `argmax`. The last four return a mask of the empty lists, too.
#[pyfunction]
pub fn ragged_reduce<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: &Bound<'py, PyUntypedArray>,
    how: &str,
    axis: usize,
) -> PyResult<Masked<'py>> {
    fn all<'py, T: Element + Clone + 'static>(py: Python<'py>, found: &RaggedArray<'static, T>) -> Masked<'py> {
        let (offsets, leaves) = parts(py, found);
        (offsets, leaves, None)
    }
    fn some<'py, T: Element + Clone + Default + 'static>(
        py: Python<'py>,
        found: &RaggedArray<'static, Option<T>>,
    ) -> PyResult<Masked<'py>> {
        let mask: Vec<bool> = found.leaves().iter().map(Option::is_none).collect();
        let (offsets, leaves) = parts(py, &found.map(|leaf| leaf.clone().unwrap_or_default()).map_err(refused)?);
        Ok((offsets, leaves, Some(mask.into_pyarray(py).into_any())))
    }
    fn position(found: RaggedArray<'static, Option<usize>>) -> Result<RaggedArray<'static, Option<i64>>, RaggedError> {
        found.map(|place| place.map(|place| place as i64))
    }
    by_type!(leaves, T => match how {
        "sum" => Ok(all(py, &over_leaves::<T, _>(&offsets, leaves, |array| array.sum(axis))?)),
        "prod" => Ok(all(py, &over_leaves::<T, _>(&offsets, leaves, |array| array.prod(axis))?)),
        "mean" => Ok(all(py, &over_leaves::<T, _>(&offsets, leaves, |array| array.mean(axis))?)),
        "min" => some(py, &over_leaves::<T, _>(&offsets, leaves, |array| array.min(axis))?),
        "max" => some(py, &over_leaves::<T, _>(&offsets, leaves, |array| array.max(axis))?),
        "argmin" => some(py, &over_leaves::<T, _>(&offsets, leaves, |array| array.argmin(axis).and_then(position))?),
        "argmax" => some(py, &over_leaves::<T, _>(&offsets, leaves, |array| array.argmax(axis).and_then(position))?),
        other => Err(PyValueError::new_err(format!("`{other}` is not a reduction; the reductions are sum, prod, mean, min, max, argmin, argmax"))),
    })
}

/// Returns the shape and the elements of the smallest dense array with all elements; `fill` stands where there is none.
#[pyfunction]
pub fn ragged_pad<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: &Bound<'py, PyUntypedArray>,
    fill: &Bound<'py, PyAny>,
) -> PyResult<(Vec<usize>, Bound<'py, PyAny>)> {
    by_type!(leaves, T => {
        let fill: T = fill.extract()?;
        let (shape, data) = over_leaves::<T, _>(&offsets, leaves, |array| array.to_padded(&fill))?;
        Ok((shape, data.into_pyarray(py).into_any()))
    })
}

/// Returns, for each element along axis `q + 1`, the number of its row along axis `q`.
#[pyfunction]
pub fn ragged_parents<'py>(py: Python<'py>, offsets: Offsets<'py>, leaves: usize, q: usize) -> PyResult<Bound<'py, PyAny>> {
    if q >= offsets.len() {
        return Err(PyValueError::new_err(format!("level {q} is out of range: the array has {} levels of offsets", offsets.len())));
    }
    let out = over(&offsets, &vec![(); leaves], |array| {
        let mut out: Vec<u64> = vec![];
        array.shape().parents_into(q, &mut out).map(|()| out)
    })?;
    Ok(out.into_pyarray(py).into_any())
}

/// Joins the lists along an axis with the lists of the axis before it.
#[pyfunction]
pub fn ragged_flatten<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: &Bound<'py, PyUntypedArray>,
    axis: usize,
) -> PyResult<Parts<'py>> {
    by_type!(leaves, T => Ok(parts(py, &over_leaves::<T, _>(&offsets, leaves, |array| array.flatten(axis))?)))
}
