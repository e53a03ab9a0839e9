//! Products of sparse matrices with dense arrays and with each other. Python brings the operands to one of the types of the kernels.

use super::pattern::Pattern;
use super::structure::moved;
use super::values::{typed, with_slice};
use crate::arrays::{refused, unfit};
use crate::signals::stoppable;
use crate::threads;
use crd2idx::sparse::{
    Cells, Dense, Major, Reduction, Scalar, SparseTensor, SparsityPattern, Watched, reduce, spgemm, spgemm_unsorted, spmm, spmv,
};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The number of elements from which on a product of sparse matrices handles Ctrl-C. Shorter ones end at once.
const LONG: usize = 1 << 17;

#[pymethods]
impl Pattern {
    /// Multiplies the matrix, or its transpose, by a vector or by a matrix in rows. All values have one of the types float32, float64 and int64.
    fn times_dense<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyUntypedArray>,
        other: &Bound<'py, PyUntypedArray>,
        transpose: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_slice!(values, [f64, f32, i64], T, values => self.product::<T>(py, values, other, transpose))
    }

    /// Multiplies the matrix by a vector or a matrix in rows, if both operands have the same type and a kernel computes in it. Otherwise, or if the shapes do
    /// not fit, returns `None`.
    fn times_same<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyUntypedArray>,
        fill: &Bound<'py, PyAny>,
        other: &Bound<'py, PyUntypedArray>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let kernel = is_type::<f64>(values) || is_type::<f32>(values) || is_type::<i64>(values);
        let fits =
            self.shape.len() == 2 && matches!(other.ndim(), 1 | 2) && other.shape()[0] as u64 == self.shape[1] && !fill.is_truthy()?;
        if kernel && fits && other.is_c_contiguous() && other.dtype().is_equiv_to(&values.dtype()) {
            return self.times_dense(py, values, other, false).map(Some);
        }
        Ok(None)
    }

    /// Multiplies two matrices, whose values have one type as for `times_dense`. The rows of the product are compressed, and sorted if `sorted`.
    fn times_sparse<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyUntypedArray>,
        other: &Pattern,
        other_values: &Bound<'py, PyUntypedArray>,
        sorted: bool,
    ) -> PyResult<(Pattern, Bound<'py, PyUntypedArray>)> {
        with_slice!(values, [f64, f32, i64], T, values => {
            let others = typed::<T>(other_values)?;
            let others = others.as_slice().map_err(refused)?;
            let (left, right) = (self.borrowed(py)?, other.borrowed(py)?);
            let (a, b) = (tensor(left.get()?, values)?, tensor(right.get()?, others)?);
            let work = a.stored() + b.stored();
            let made = match work < LONG {
                true => threads::run(work, || if sorted { spgemm(&a, &b) } else { spgemm_unsorted(&a, &b) }),
                false => {
                    let (a, b) = (a.into_owned(), b.into_owned());
                    stoppable(py, |watcher| {
                        let a = Watched::new(&a, watcher);
                        threads::run(work, || if sorted { spgemm(&a, &b) } else { spgemm_unsorted(&a, &b) })
                    })?
                }
            };
            moved(py, made.map_err(refused)?)
        })
    }
}

#[pymethods]
impl Pattern {
    /// Sums the elements along an axis, or finds the greatest or least one, where elements that are not stored count as 0. Returns the coordinates that have
    /// stored elements, with a value for each.
    fn reduced<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyUntypedArray>,
        axis: usize,
        operation: &str,
    ) -> PyResult<(Pattern, Bound<'py, PyUntypedArray>)> {
        let reduction = match operation {
            "sum" => Reduction::Sum,
            "max" => Reduction::Max,
            "min" => Reduction::Min,
            other => return Err(PyValueError::new_err(format!("no kernel computes `{other}`"))),
        };
        with_slice!(values, [f64, f32, i64], T, values => {
            let held = self.borrowed(py)?;
            let tensor = tensor(held.get()?, values)?;
            let made = threads::run(tensor.stored(), || reduce(&tensor, &[axis], reduction, Cells::All));
            moved(py, made.map_err(refused)?)
        })
    }
}

fn is_type<T: Element>(array: &Bound<'_, PyUntypedArray>) -> bool {
    array.cast::<PyArray1<T>>().is_ok()
}

/// Returns the tensor of a pattern and its values, with the fill value 0.
fn tensor<'t, T: Scalar>(pattern: SparsityPattern<'t>, values: &'t [T]) -> PyResult<SparseTensor<'t, T>> {
    SparseTensor::new(pattern, values, T::ZERO).map_err(|rejected| refused(rejected.error))
}

impl Pattern {
    fn product<'py, T: Scalar + Element>(
        &self,
        py: Python<'py>,
        values: &[T],
        other: &Bound<'py, PyUntypedArray>,
        transpose: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let held = self.borrowed(py)?;
        let tensor = tensor(held.get()?, values)?;
        if let Ok(vector) = other.cast::<PyArray1<T>>() {
            let vector = vector.try_readonly().map_err(refused)?;
            let vector = vector.as_slice().map_err(refused)?;
            let made = threads::run(values.len(), || spmv(&tensor, transpose, vector));
            return Ok(made.map_err(refused)?.into_pyarray(py).into_any());
        }
        let matrix = other.cast::<PyArray2<T>>();
        let matrix = matrix.map_err(|_| unfit("the dense operand", other, "a vector or a matrix with the type of the values"))?;
        let matrix = matrix.try_readonly().map_err(refused)?;
        let extents = [matrix.shape()[0], matrix.shape()[1]];
        let data = matrix.as_slice().map_err(refused)?;
        let multiply = || spmm(&tensor, transpose, Dense::packed(data, extents, Major::Rows)?, Major::Rows);
        let made = threads::run(values.len(), multiply);
        let rows = self.shape[usize::from(transpose)] as usize;
        Ok(made.map_err(refused)?.into_pyarray(py).reshape([rows, extents[1]])?.into_any())
    }
}
