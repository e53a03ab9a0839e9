//! The class `Pattern`: the format, the shape and the arrays of the levels, which were checked once.

use super::values::{Borrowed, numpy};
use crate::arrays::refused;
use crd2idx::sparse::{Arrays, Format, Indices, PatternParts, SparsityPattern, with_indices};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The array of each level, or `None` if the level has none.
type Levels = Vec<Option<Py<PyUntypedArray>>>;

/// The array of each level as Python gives it.
type Given<'py> = Vec<Option<Bound<'py, PyUntypedArray>>>;

/// The stored coordinates of a tensor. Its arrays are read-only. Their contents are checked once, their types and lengths at each call.
#[pyclass(frozen, module = "crd2idx._native")]
pub struct Pattern {
    pub(super) shape: Vec<u64>,
    pub(super) format: Format,
    pointers: Levels,
    indices: Levels,
    values: usize,
    /// True if the arrays belong to others, who could make them writable again.
    shared: bool,
}

impl Pattern {
    /// Moves the arrays of a valid pattern with `values` values to NumPy.
    pub(super) fn of(py: Python<'_>, parts: PatternParts<'static>, values: usize) -> PyResult<Pattern> {
        let list = |arrays: Vec<Option<Indices<'static>>>| {
            arrays.into_iter().map(|array| array.map(|array| Ok(numpy(py, array)?.unbind())).transpose()).collect::<PyResult<Levels>>()
        };
        let PatternParts { shape, format, arrays } = parts;
        Ok(Pattern { shape, format, pointers: list(arrays.pointers)?, indices: list(arrays.indices)?, values, shared: false })
    }

    pub(super) fn values_len(&self) -> usize {
        self.values
    }

    /// Returns the pattern with the same arrays for axes in another order: axis `k` is axis `axes[k]` of this pattern.
    pub(super) fn with_axes(&self, py: Python<'_>, axes: &[usize]) -> PyResult<Pattern> {
        let PatternParts { shape, format, .. } = self.borrowed(py)?.trusted()?.permuted(axes).map_err(refused)?.into_parts();
        let shared = |levels: &Levels| levels.iter().map(|array| array.as_ref().map(|array| array.clone_ref(py))).collect();
        Ok(Pattern {
            shape,
            format,
            pointers: shared(&self.pointers),
            indices: shared(&self.indices),
            values: self.values,
            shared: self.shared,
        })
    }

    /// Borrows the arrays.
    pub(super) fn borrowed<'py>(&self, py: Python<'py>) -> PyResult<BorrowedPattern<'_, 'py>> {
        let list = |name: &str, levels: &Levels| {
            let one = |array: &Py<PyUntypedArray>| Borrowed::new(array.bind(py));
            let levels = levels.iter().map(|array| array.as_ref().map(one).transpose()).collect::<PyResult<_>>();
            levels.map_err(|error| {
                if error.is_instance_of::<PyTypeError>(py) { PyTypeError::new_err(format!("{name}: {}", error.value(py))) } else { error }
            })
        };
        Ok(BorrowedPattern { pattern: self, pointers: list("pointers", &self.pointers)?, indices: list("indices", &self.indices)? })
    }

    /// Returns views of the arrays, so that no one can change the type of an array.
    fn views<'py>(py: Python<'py>, levels: &Levels) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        levels.iter().map(|array| array.as_ref().map(|array| array.bind(py).call_method0("view")).transpose()).collect()
    }
}

/// A pattern with its arrays borrowed from NumPy.
pub(super) struct BorrowedPattern<'a, 'py> {
    pattern: &'a Pattern,
    pointers: Vec<Option<Borrowed<'py>>>,
    indices: Vec<Option<Borrowed<'py>>>,
}

impl BorrowedPattern<'_, '_> {
    fn arrays(&self) -> PyResult<Arrays<'_>> {
        fn list<'a>(levels: &'a [Option<Borrowed<'_>>]) -> PyResult<Vec<Option<Indices<'a>>>> {
            levels.iter().map(|array| array.as_ref().map(|array| array.indices()).transpose()).collect()
        }
        Ok(Arrays { pointers: list(&self.pointers)?, indices: list(&self.indices)? })
    }

    /// Returns the pattern for a call whose memory may depend on pointers. Fails if pointers of others decrease now.
    pub(super) fn get(&self) -> PyResult<SparsityPattern<'_>> {
        for (level, pointers) in self.pointers.iter().enumerate().filter(|_| self.pattern.shared) {
            let Some(pointers) = pointers else { continue };
            if !with_indices!(&pointers.indices()?, pointers => pointers.is_sorted()) {
                return Err(refused(format!("pointers_{level} decrease, although they did not when the tensor was made")));
            }
        }
        self.trusted()
    }

    /// Returns the pattern for a call that needs no memory for elements. Its contents were checked when the `Pattern` was made; if
    /// they changed since, answers are wrong or a call panics.
    pub(super) fn trusted(&self) -> PyResult<SparsityPattern<'_>> {
        let Pattern { shape, format, .. } = self.pattern;
        SparsityPattern::from_parts_unchecked(shape, format.clone(), self.arrays()?).map_err(|rejected| refused(rejected.error))
    }
}

/// Returns the number of values of a pattern. Each element of a block over dense axes counts.
fn values_len(pattern: &SparsityPattern<'_>) -> PyResult<usize> {
    let block = pattern.block_shape().iter().try_fold(1u64, |block, extent| block.checked_mul(*extent));
    let values = block.and_then(|block| pattern.stored().checked_mul(usize::try_from(block).ok()?));
    values.ok_or_else(|| refused(format!("{} blocks of {:?} values exceed memory", pattern.stored(), pattern.block_shape())))
}

/// Returns the format with this name for tensors of this rank.
pub(super) fn named_format(name: &str, rank: usize) -> PyResult<Format> {
    Format::parse_with_rank(name, rank).map_err(refused)
}

/// Returns the name of a format: the common name if there is one.
pub(super) fn name_of(format: &Format) -> String {
    format.alias().map_or_else(|| format.to_string(), str::to_string)
}

/// Returns the name of a format for tensors of this rank, and true if the format keeps elements with the same coordinate.
#[pyfunction]
pub fn format_of(name: &str, rank: usize) -> PyResult<(String, bool)> {
    let format = named_format(name, rank)?;
    Ok((name_of(&format), format.is_multigraph()))
}

#[pymethods]
impl Pattern {
    /// Makes the arrays read-only, and checks everything that the format promises about them. Shares their memory.
    #[new]
    fn from_arrays(py: Python<'_>, format: &str, shape: Vec<u64>, pointers: Given<'_>, indices: Given<'_>) -> PyResult<Pattern> {
        let format = named_format(format, shape.len())?;
        let fixed = |levels: Given<'_>| {
            let fix = |array: Bound<'_, PyUntypedArray>| {
                array.call_method1("setflags", (false,))?;
                Ok(array.unbind())
            };
            levels.into_iter().map(|array| array.map(fix).transpose()).collect::<PyResult<Levels>>()
        };
        let mut made = Pattern { shape, format, pointers: fixed(pointers)?, indices: fixed(indices)?, values: 0, shared: true };
        made.values = {
            let held = made.borrowed(py)?;
            let checked = SparsityPattern::from_parts(&made.shape, made.format.clone(), held.arrays()?);
            values_len(&checked.map_err(|rejected| refused(rejected.error))?)?
        };
        Ok(made)
    }

    /// The name of the format.
    #[getter]
    fn format(&self) -> String {
        name_of(&self.format)
    }

    /// The name of the format as levels and axes, such as `C-S-R`.
    #[getter]
    fn levels(&self) -> String {
        self.format.to_string()
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, &self.shape)
    }

    /// The number of values. Each element of a block over dense axes counts.
    #[getter]
    fn values(&self) -> usize {
        self.values
    }

    /// True if no coordinate repeats and every level is sorted.
    #[getter]
    fn sorted(&self) -> bool {
        !self.format.is_multigraph() && !self.format.unsorted().contains(&true)
    }

    /// True if coordinates may repeat.
    #[getter]
    fn multigraph(&self) -> bool {
        self.format.is_multigraph()
    }

    /// The number of axes after the levels, over which each element is a block.
    #[getter]
    fn dense_axes(&self) -> usize {
        self.format.dense_axes()
    }

    /// The pointers of each level, or `None` where a level has none.
    #[getter]
    fn pointers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        Pattern::views(py, &self.pointers)
    }

    /// The indices of each level, or `None` where a level has none.
    #[getter]
    fn indices<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        Pattern::views(py, &self.indices)
    }

    /// The number of bytes of the arrays.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> usize {
        let bytes = |array: &Py<PyUntypedArray>| array.bind(py).len() * array.bind(py).dtype().itemsize();
        self.pointers.iter().chain(&self.indices).flatten().map(bytes).sum()
    }
}
