//! Operations that move elements and do not compute with them. Values are words of 1, 2, 4, 8 or 16 bytes here: Python views them as such.

use super::pattern::{Pattern, named_format};
use super::values::{Borrowed, ValuesArray, fixed, numpy, typed, values_to_numpy, with_slice};
use crate::arrays::refused;
use crate::threads;
use crd2idx::sparse::{
    AxisSelection, Indices, Merge, PatternParts, Scalar, SparseTensor, SparsityPattern, TensorParts, Values, Width, Widths,
};
use numpy::{Complex64, Element, PyArray1, PyArrayMethods, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe};

/// A pattern, and the values of its elements.
type Made<'py> = (Pattern, Bound<'py, PyUntypedArray>);

/// Returns the treatment of elements with the same coordinate.
fn dedupe(name: &str) -> PyResult<Dedupe> {
    Ok(match name {
        "sum" => Dedupe::Sum,
        "first" => Dedupe::First,
        "last" => Dedupe::Last,
        // A multigraph keeps them.
        "refuse" | "keep" => Dedupe::Refuse,
        other => return Err(PyValueError::new_err(format!("duplicates is `{other}`; expected one of sum, first, last, keep, refuse"))),
    })
}

/// Returns the widths of index arrays: `bits`, or as narrow as possible.
fn widths(bits: Option<u32>) -> PyResult<Widths> {
    Ok(match bits {
        None => Widths::narrowest(),
        Some(8) => Widths::all(Width::U8),
        Some(16) => Widths::all(Width::U16),
        Some(32) => Widths::all(Width::U32),
        Some(64) => Widths::all(Width::U64),
        Some(other) => return Err(PyValueError::new_err(format!("index_bits is {other}; expected 8, 16, 32 or 64"))),
    })
}

/// Moves a tensor to Python. One value for all elements is repeated; without values, each is `True`.
pub(super) fn taken<'py>(py: Python<'py>, tensor: AnyTensor<'static>) -> PyResult<Made<'py>> {
    let (count, repeated) = (tensor.values_len(), !matches!(tensor.values(), AnyValues::Each(_)));
    let repeated = repeated.then(|| tensor.each_value().into_owned());
    let (parts, values) = tensor.into_parts();
    let values = match (repeated, values) {
        (Some(array), _) | (None, AnyValues::Each(array) | AnyValues::Iso(array)) => array,
        (None, AnyValues::PatternOnly) => AnyArray::from_values(vec![true; count]),
    };
    Ok((Pattern::of(py, parts, count)?, values_to_numpy(py, values)?))
}

/// Takes apart a tensor with a value for each element.
fn parted<T: Clone>(tensor: SparseTensor<'static, T>) -> (PatternParts<'static>, Vec<T>) {
    let TensorParts { shape, format, arrays, values, .. } = tensor.into_parts();
    let values = match values {
        Values::Each(values) => values.into_owned(),
        Values::Iso(_) | Values::PatternOnly => Vec::new(),
    };
    (PatternParts { shape, format, arrays }, values)
}

/// Moves a tensor with a value for each element to Python.
pub(super) fn moved<'py, T: Element + Clone>(py: Python<'py>, tensor: SparseTensor<'static, T>) -> PyResult<Made<'py>> {
    let (parts, values) = parted(tensor);
    Ok((Pattern::of(py, parts, values.len())?, fixed(py, values)?))
}

/// Builds a tensor from coordinates, one array for each axis, and values.
#[pyfunction]
pub fn build<'py>(
    py: Python<'py>,
    format: &str,
    shape: Vec<u64>,
    columns: Vec<Bound<'py, PyUntypedArray>>,
    values: &Bound<'py, PyUntypedArray>,
    duplicates: &str,
    bits: Option<u32>,
) -> PyResult<Made<'py>> {
    let values = ValuesArray::of(values)?;
    // Copy the arrays, as other Python threads run during the build.
    let columns = columns.iter().map(|column| Ok(Borrowed::new(column)?.indices()?.into_owned())).collect::<PyResult<Vec<_>>>()?;
    let values = AnyValues::Each(values.array(&values.borrowed()?)?.into_owned());
    let format = named_format(format, shape.len())?;
    let (dedupe, widths) = (dedupe(duplicates)?, widths(bits)?);
    let work = columns.first().map_or(0, Indices::len);
    let made = py.detach(|| threads::run(work, || AnyTensor::build(&shape, &columns, &values, &format, dedupe, &widths)));
    taken(py, made.map_err(refused)?)
}

impl Pattern {
    /// Calls `with` with the tensor of this pattern and these values.
    fn with_words<'py, T: Clone, R>(
        &self,
        py: Python<'py>,
        values: &[T],
        fill: T,
        with: impl FnOnce(SparseTensor<'_, T>) -> PyResult<R>,
    ) -> PyResult<R> {
        let held = self.borrowed(py)?;
        with(SparseTensor::new(held.get()?, values, fill).map_err(|rejected| refused(rejected.error))?)
    }

    /// Copies the tensor of this pattern with these values and this fill value, for work during which other Python threads run.
    pub(super) fn tensor(&self, py: Python<'_>, values: &ValuesArray<'_>, fill: &ValuesArray<'_>) -> PyResult<AnyTensor<'static>> {
        let (held, bytes, one) = (self.borrowed(py)?, values.borrowed()?, fill.borrowed()?);
        let (each, fill) = (AnyValues::Each(values.array(&bytes)?), fill.array(&one)?);
        let tensor = AnyTensor::of_pattern(held.get()?, each, Some(fill), values.element()).map_err(refused)?;
        Ok(tensor.into_owned())
    }

    /// Calls `with` with the tensor of this pattern over the numbers of its values, and the fill value -1.
    fn with_numbers<R>(&self, pattern: SparsityPattern<'_>, with: impl FnOnce(SparseTensor<'_, i64>) -> PyResult<R>) -> PyResult<R> {
        let numbers: Vec<i64> = (0..self.values_len() as i64).collect();
        with(SparseTensor::new(pattern, numbers, -1).map_err(|rejected| refused(rejected.error))?)
    }
}

#[pymethods]
impl Pattern {
    /// Returns the coordinates of all values, one array for each axis, in storage order.
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyUntypedArray>>> {
        let held = self.borrowed(py)?;
        let columns = if self.format.dense_axes() == 0 {
            held.get()?.coordinates().map_err(refused)?.into_iter().map(Indices::into_owned).collect()
        } else {
            self.with_numbers(held.get()?, |tensor| tensor.all_coordinates().map_err(refused))?
        };
        columns.into_iter().map(|column| numpy(py, column)).collect()
    }

    /// Returns the number of the value at a coordinate, or `None` if none is stored there.
    fn find(&self, py: Python<'_>, coordinate: Vec<u64>) -> PyResult<Option<usize>> {
        let held = self.borrowed(py)?;
        if self.format.dense_axes() == 0 {
            return Ok(held.trusted()?.find(&coordinate));
        }
        self.with_numbers(held.get()?, |tensor| Ok(tensor.at(&coordinate).and_then(|number| usize::try_from(*number).ok())))
    }

    /// Returns the pattern with its axes in another order: axis `k` is axis `axes[k]` of this one. Shares the arrays.
    fn permuted(&self, py: Python<'_>, axes: Vec<usize>) -> PyResult<Pattern> {
        self.with_axes(py, &axes)
    }

    /// Returns the elements within a slice of each axis. A slice is the first coordinate, the end, the step, and whether the axis stays.
    fn sliced<'py>(&self, py: Python<'py>, values: &Bound<'py, PyUntypedArray>, slices: Vec<(u64, u64, u64, bool)>) -> PyResult<Made<'py>> {
        let part = |(start, end, step, stays): (u64, u64, u64, bool)| match stays {
            true => AxisSelection::Range { start, end, step },
            false => AxisSelection::Index(start),
        };
        let slices: Vec<AxisSelection> = slices.into_iter().map(part).collect();
        with_slice!(values, [u8, u16, u32, u64, Complex64], T, words => {
            self.with_words(py, words, T::default(), |tensor| {
                moved(py, threads::run(tensor.stored(), || tensor.slice(&slices)).map_err(refused)?)
            })
        })
    }

    /// Arranges the elements, in row-major order, in another shape.
    fn reshaped<'py>(&self, py: Python<'py>, values: &Bound<'py, PyUntypedArray>, shape: Vec<u64>, format: &str) -> PyResult<Made<'py>> {
        let format = named_format(format, shape.len())?;
        with_slice!(values, [u8, u16, u32, u64, Complex64], T, words => {
            self.with_words(py, words, T::default(), |tensor| moved(py, tensor.reshape(&shape, &format).map_err(refused)?))
        })
    }

    /// Converts the elements to another format. `fill` has one value.
    fn converted<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyUntypedArray>,
        fill: &Bound<'py, PyUntypedArray>,
        format: &str,
        duplicates: &str,
        bits: Option<u32>,
    ) -> PyResult<Made<'py>> {
        let (dedupe, widths, format) = (dedupe(duplicates)?, widths(bits)?, named_format(format, self.shape.len())?);
        let (values, fill) = (ValuesArray::of(values)?, ValuesArray::of(fill)?);
        let tensor = self.tensor(py, &values, &fill)?;
        let made = py.detach(|| threads::run(tensor.stored(), || tensor.convert_to(&format, dedupe, &widths)));
        taken(py, made.map_err(refused)?)
    }

    /// Adds, subtracts, multiplies or compares the elements of two tensors with values of one type: float64, float32 or int64. Stores the results in `format`. A product
    /// of finite elements with the fill values 0 stores what both tensors store, and every other result what at least one of them stores.
    #[expect(clippy::too_many_arguments, reason = "two tensors have two parts each")]
    fn combined<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyUntypedArray>,
        fill: &Bound<'py, PyAny>,
        other: &Pattern,
        other_values: &Bound<'py, PyUntypedArray>,
        other_fill: &Bound<'py, PyAny>,
        operation: &str,
        format: &str,
    ) -> PyResult<Made<'py>> {
        let format = named_format(format, self.shape.len())?;
        with_slice!(values, [f64, f32, i64], T, values => {
            let others = typed::<T>(other_values)?;
            let others = others.as_slice().map_err(refused)?;
            let fills = [fill.extract::<T>()?, other_fill.extract::<T>()?];
            // Infinity times 0 is a NaN, which a product must store.
            let finite = |values: &[T]| values.iter().all(|x| x.times(T::ZERO) == T::ZERO);
            let (held, other) = (self.borrowed(py)?, other.borrowed(py)?);
            let left = SparseTensor::new(held.get()?, values, fills[0]).map_err(|rejected| refused(rejected.error))?;
            let right = SparseTensor::new(other.get()?, others, fills[1]).map_err(|rejected| refused(rejected.error))?;
            let made = threads::run(left.stored() + right.stored(), || Ok(match operation {
                "add" => left.merge(&right, Merge::Union, &format, |a, b| a.plus(*b)),
                "subtract" => left.merge(&right, Merge::Union, &format, |a, b| a.minus(*b)),
                "multiply" => {
                    let both = fills == [T::ZERO; 2] && finite(values) && finite(others);
                    left.merge(&right, if both { Merge::Intersection } else { Merge::Union }, &format, |a, b| a.times(*b))
                }
                // A NaN of either operand is the result, as in NumPy.
                "maximum" => left.merge(&right, Merge::Union, &format, |a, b| if a >= b || a.partial_cmp(a).is_none() { *a } else { *b }),
                "minimum" => left.merge(&right, Merge::Union, &format, |a, b| if a <= b || a.partial_cmp(a).is_none() { *a } else { *b }),
                other => return Err(PyValueError::new_err(format!("no kernel computes `{other}`"))),
            }));
            moved(py, made?.map_err(refused)?)
        })
    }

    /// Merges two patterns: the coordinates of either (`union`) or of both, in `format`. Also returns the numbers of the left and of the right values, -1 where
    /// there is none.
    fn merged<'py>(
        &self,
        py: Python<'py>,
        other: &Pattern,
        union: bool,
        format: &str,
    ) -> PyResult<(Pattern, Bound<'py, PyUntypedArray>, Bound<'py, PyUntypedArray>)> {
        let format = named_format(format, self.shape.len())?;
        let (left, right) = (self.borrowed(py)?, other.borrowed(py)?);
        let merge = if union { Merge::Union } else { Merge::Intersection };
        let merged = self.with_numbers(left.get()?, |left| {
            other.with_numbers(right.get()?, |right| {
                threads::run(left.stored() + right.stored(), || left.merge(&right, merge, &format, |a, b| [*a, *b])).map_err(refused)
            })
        })?;
        let (parts, pairs) = parted(merged);
        let (left, right): (Vec<i64>, Vec<i64>) = pairs.iter().map(|[left, right]| (*left, *right)).unzip();
        Ok((Pattern::of(py, parts, pairs.len())?, fixed(py, left)?, fixed(py, right)?))
    }
}
