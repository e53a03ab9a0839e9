//! Contractions of sparse tensors and dense arrays, given by subscripts.

use super::pattern::{BorrowedPattern, Pattern, named_format};
use super::structure::moved;
use super::values::fixed;
use crate::arrays::{refused, unfit};
use crate::signals::stoppable;
use crate::threads;
use crd2idx::contraction::{Contracted, Contraction, ContractionError, Factor, MaxTimes, MinPlus, Semiring};
use crd2idx::sparse::{Scalar, SparseOperand, SparseTensor, Watched};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The estimated number of products from which on a contraction handles Ctrl-C. Shorter ones end within a few tenths of a second.
const LONG: f64 = 1e8;

/// An operand: the pattern of a sparse tensor or `None`, the values or the elements in row-major order, and the extents.
type Operand<'py> = (Option<Py<Pattern>>, Bound<'py, PyUntypedArray>, Vec<u64>);

/// The pattern of a sparse result or `None`, the values or the elements in row-major order, and the extents.
type Answer<'py> = (Option<Pattern>, Bound<'py, PyUntypedArray>, Vec<u64>);

/// A function that runs a contraction in one arithmetic.
type Run<T> = fn(&Contraction, &[Factor<T>]) -> Result<Contracted<T>, ContractionError>;

/// Computes a contraction of operands with values of one type: float64, float32 or int64 for sums of products, and float64 for `min-plus` and `max-times`.
/// Returns the pattern of a sparse result or `None`, its values or elements, and its extents. `stored` is `"dense"`, the name of a format, or `None` for what suits
/// the operands.
#[pyfunction]
pub fn contract<'py>(
    py: Python<'py>,
    subscripts: &str,
    operands: Vec<Operand<'py>>,
    stored: Option<&str>,
    semiring: &str,
) -> PyResult<Answer<'py>> {
    let arithmetic = Semiring::from_name(semiring).ok_or_else(|| {
        let names = Semiring::ALL.map(|semiring| format!("`{semiring}`")).join(", ");
        PyValueError::new_err(format!("`{semiring}` is not an arithmetic; the arithmetics are {names}"))
    })?;
    let Some((_, first, _)) = operands.first() else { return Err(PyValueError::new_err("a contraction needs an operand")) };
    // Each pair of an arithmetic and a type has all kernels of its own. Python converts other types to these.
    macro_rules! attempt {
        ($($arithmetic:ident $type:ty, $zero:expr, $run:expr;)*) => { $(
            if arithmetic == Semiring::$arithmetic && operands.iter().all(|(_, values, _)| values.cast::<PyArray1<$type>>().is_ok()) {
                return contracted::<$type>(py, subscripts, &operands, stored, $zero, $run);
            }
        )* };
    }
    attempt! {
        SumProduct f64, 0.0, |asked, factors| asked.run(factors);
        SumProduct f32, 0.0, |asked, factors| asked.run(factors);
        SumProduct i64, 0, |asked, factors| asked.run(factors);
        MinPlus f64, f64::INFINITY, |asked, factors| asked.run_as::<MinPlus<f64>, f64>(factors);
        MaxTimes f64, 0.0, |asked, factors| asked.run_as::<MaxTimes<f64>, f64>(factors);
    }
    Err(unfit("an operand", first, "a type of the kernels in one dimension, as all others"))
}

/// Computes a contraction. `zero` is the value of elements that are not stored.
fn contracted<'py, T: Scalar + Element>(
    py: Python<'py>,
    subscripts: &str,
    operands: &[Operand<'py>],
    stored: Option<&str>,
    zero: T,
    run: Run<T>,
) -> PyResult<Answer<'py>> {
    let held: Vec<(Option<BorrowedPattern<'_, 'py>>, PyReadonlyArray1<'py, T>)> = operands
        .iter()
        .map(|(pattern, values, _)| {
            let pattern = pattern.as_ref().map(|pattern| pattern.get().borrowed(py)).transpose()?;
            let values = values.cast::<PyArray1<T>>().map_err(|_| unfit("an operand", values, "unchanged during the call"))?;
            Ok((pattern, values.try_readonly().map_err(refused)?))
        })
        .collect::<PyResult<_>>()?;
    let slices: Vec<&[T]> = held.iter().map(|(_, values)| values.as_slice().map_err(refused)).collect::<PyResult<_>>()?;
    let shapes: Vec<&[u64]> = operands.iter().map(|(_, _, shape)| &shape[..]).collect();
    let patterns = held.iter().map(|(pattern, _)| pattern.as_ref().map(BorrowedPattern::get).transpose()).collect::<PyResult<Vec<_>>>()?;
    let mut tensors: Vec<Option<SparseTensor<'_, T>>> = Vec::new();
    for (pattern, values) in patterns.into_iter().zip(&slices) {
        let tensor = pattern.map(|pattern| SparseTensor::new(pattern, *values, zero).map_err(|rejected| refused(rejected.error)));
        tensors.push(tensor.transpose()?);
    }
    let given = factors(&tensors, &slices, &shapes);
    let contraction = Contraction::new(subscripts);
    let contraction = match stored {
        None => contraction,
        Some("dense") => contraction.dense(),
        Some(name) => {
            let rank = contraction.shape(&given).map_err(refused)?.len();
            contraction.format(named_format(name, rank)?)
        }
    };
    let work = slices.iter().map(|values| values.len()).sum();
    let products: f64 = contraction.explain(&given).map_err(refused)?.steps().iter().map(|step| step.products()).sum();
    let made = match products < LONG {
        true => threads::run(work, || run(&contraction, &factors(&tensors, &slices, &shapes))),
        false => {
            let copies: Vec<Vec<T>> =
                tensors.iter().zip(&slices).map(|(tensor, data)| if tensor.is_some() { Vec::new() } else { data.to_vec() }).collect();
            let slices: Vec<&[T]> = copies.iter().map(Vec::as_slice).collect();
            let tensors: Vec<Option<SparseTensor<'static, T>>> =
                tensors.into_iter().map(|tensor| tensor.map(SparseTensor::into_owned)).collect();
            stoppable(py, |watcher| {
                let watched = tensors.iter().map(|tensor| tensor.as_ref().map(|tensor| Watched::new(tensor, watcher)));
                let watched: Vec<Option<Watched<'_, SparseTensor<'_, T>>>> = watched.collect();
                threads::run(work, || run(&contraction, &factors(&watched, &slices, &shapes)))
            })?
        }
    };
    match made.map_err(refused)? {
        Contracted::Dense { shape, data } => Ok((None, fixed(py, data)?, shape)),
        Contracted::Sparse(tensor) => {
            let (pattern, values) = moved(py, tensor)?;
            let shape = pattern.shape.clone();
            Ok((Some(pattern), values, shape))
        }
    }
}

/// Returns the factors of operands: the tensors, and dense arrays where there is none.
fn factors<'f, T: Scalar>(tensors: &'f [Option<impl SparseOperand<T>>], slices: &[&'f [T]], shapes: &[&'f [u64]]) -> Vec<Factor<'f, T>> {
    let factor = |((tensor, data), shape): ((&'f Option<_>, &&'f [T]), &&'f [u64])| match tensor {
        Some(tensor) => Factor::Sparse(tensor),
        None => Factor::Dense { shape, data },
    };
    tensors.iter().zip(slices).zip(shapes).map(factor).collect()
}

/// Describes the steps of a contraction: the kernels, and the estimated numbers of elements and of products.
#[pyfunction]
pub fn explain_contraction(subscripts: &str, operands: Vec<(Option<Py<Pattern>>, Vec<u64>)>, py: Python<'_>) -> PyResult<String> {
    let held = operands.iter().map(|(pattern, _)| pattern.as_ref().map(|pattern| pattern.get().borrowed(py)).transpose());
    let held: Vec<Option<BorrowedPattern<'_, '_>>> = held.collect::<PyResult<_>>()?;
    let patterns = held.iter().map(|pattern| pattern.as_ref().map(BorrowedPattern::get).transpose()).collect::<PyResult<Vec<_>>>()?;
    let tensors = patterns.into_iter().map(|pattern| {
        pattern
            .map(|pattern| {
                SparseTensor::<f64>::new(pattern, crd2idx::sparse::Values::Iso(1.0), 0.0).map_err(|rejected| refused(rejected.error))
            })
            .transpose()
    });
    let tensors: Vec<Option<SparseTensor<'_, f64>>> = tensors.collect::<PyResult<_>>()?;
    // Only the number of elements of a dense array matters.
    let elements = |shape: &[u64]| vec![0.0; shape.iter().map(|extent| *extent as usize).product()];
    let data: Vec<Vec<f64>> =
        operands.iter().map(|(pattern, shape)| if pattern.is_none() { elements(shape) } else { Vec::new() }).collect();
    let factors = tensors.iter().zip(&operands).zip(&data).map(|((tensor, (_, shape)), data)| match tensor {
        Some(tensor) => Factor::Sparse(tensor),
        None => Factor::Dense { shape, data },
    });
    let factors: Vec<Factor<'_, f64>> = factors.collect();
    Ok(Contraction::new(subscripts).explain(&factors).map_err(refused)?.to_string())
}
