//! Sparse tensors over arrays of NumPy, and in files.

use crate::signals::interruptible;
use crd2idx::sparse::{
    Arrays, Dense, Format, Indices, Major, PatternParts, Scalar, SparseTensor, SparsityPattern, Width, Widths, spmm, spmv,
};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe, ElementType, FileError, Kind, ReadOptions, WriteOptions, with_element};
use std::borrow::Cow;
use std::path::PathBuf;

/// Why a tensor is refused.
fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The arrays of levels, `None` where a level has none.
type Levels<'py> = Vec<Option<Bound<'py, PyAny>>>;

/// A tensor that Python gets, as what a `Sparse` is made of.
#[derive(IntoPyObject)]
pub struct Parts<'py> {
    format: String,
    shape: Vec<u64>,
    pointers: Levels<'py>,
    indices: Levels<'py>,
    values: Bound<'py, PyAny>,
}

/// A `Sparse` of Python's, its arrays borrowed.
#[derive(FromPyObject)]
pub struct Tensor<'py> {
    format: String,
    shape: Vec<u64>,
    #[pyo3(from_py_with = borrowed)]
    pointers: Vec<Option<Borrowed<'py>>>,
    #[pyo3(from_py_with = borrowed)]
    indices: Vec<Option<Borrowed<'py>>>,
    values: Values<'py>,
}

impl Tensor<'_> {
    fn format(&self) -> PyResult<Format> {
        named_format(&self.format, &self.shape)
    }

    fn arrays(&self) -> PyResult<Arrays<'_>> {
        fn list<'a>(levels: &'a [Option<Borrowed<'_>>]) -> PyResult<Vec<Option<Indices<'a>>>> {
            levels.iter().map(|array| array.as_ref().map(|array| array.indices()).transpose()).collect()
        }
        Ok(Arrays { pointers: list(&self.pointers)?, indices: list(&self.indices)? })
    }

    /// The tensor over the arrays of Python. Other Python threads could change these, so they must not run while it exists.
    fn checked(&self) -> PyResult<AnyTensor<'_>> {
        let pattern =
            SparsityPattern::from_parts(&self.shape, self.format()?, self.arrays()?).map_err(|rejected| refused(rejected.error))?;
        AnyTensor::of_pattern(pattern, AnyValues::Each(self.values.array()?), None, self.values.element).map_err(refused)
    }

    /// A copy of the tensor, for work during which other threads of Python run.
    fn copied(&self) -> PyResult<AnyTensor<'static>> {
        Ok(self.checked()?.into_owned())
    }
}

fn borrowed<'py>(levels: &Bound<'py, PyAny>) -> PyResult<Vec<Option<Borrowed<'py>>>> {
    let levels: Vec<Option<Bound<'py, PyUntypedArray>>> = levels.extract()?;
    levels.iter().map(|array| array.as_ref().map(Borrowed::new).transpose()).collect()
}

/// Values of a type, borrowed from Python as bytes.
pub struct Values<'py> {
    array: Bound<'py, PyUntypedArray>,
    bytes: PyReadonlyArray1<'py, u8>,
    element: ElementType,
}

impl<'py> FromPyObject<'_, 'py> for Values<'py> {
    type Error = PyErr;

    fn extract(values: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let array = values.cast::<PyUntypedArray>()?.to_owned();
        let name = array.dtype().to_string();
        let element =
            ElementType::from_name(&name).ok_or_else(|| PyTypeError::new_err(format!("values of {name} are none of sparse tensors")))?;
        let bytes = array.call_method1("view", ("u1",))?.extract()?;
        Ok(Values { array, bytes, element })
    }
}

impl Values<'_> {
    /// The values, where they lie.
    fn array(&self) -> PyResult<AnyArray<'_>> {
        let bytes = Cow::Borrowed(self.bytes.as_slice().map_err(refused)?);
        AnyArray::from_bytes("values", self.element, bytes, cfg!(target_endian = "big")).map_err(refused)
    }
}

/// Indices, borrowed from Python: those with a sign as numbers without, of which negative ones are out of range.
enum Borrowed<'py> {
    U8(PyReadonlyArray1<'py, u8>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
}

impl<'py> Borrowed<'py> {
    fn new(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        macro_rules! one_of {
            ($($variant:ident $type:ty),*) => { $(
                if let Ok(array) = array.cast::<PyArray1<$type>>() {
                    return Ok(Borrowed::$variant(array.try_readonly().map_err(refused)?));
                }
            )* };
        }
        one_of!(U8 u8, U16 u16, U32 u32, U64 u64);
        if array.dtype().kind() == b'i' {
            let unsigned = array.call_method1("view", (format!("u{}", array.dtype().itemsize()),))?;
            return Borrowed::new(unsigned.cast::<PyUntypedArray>()?);
        }
        Err(PyTypeError::new_err(format!("an array of {} dimensions of {} is no index array", array.ndim(), array.dtype())))
    }

    fn indices(&self) -> PyResult<Indices<'_>> {
        Ok(match self {
            Borrowed::U8(array) => array.as_slice().map_err(refused)?.into(),
            Borrowed::U16(array) => array.as_slice().map_err(refused)?.into(),
            Borrowed::U32(array) => array.as_slice().map_err(refused)?.into(),
            Borrowed::U64(array) => array.as_slice().map_err(refused)?.into(),
        })
    }
}

/// The array of indices that takes over their memory.
fn numpy<'py>(py: Python<'py>, indices: Indices<'static>) -> Bound<'py, PyAny> {
    match indices {
        Indices::U8(array) => array.into_owned().into_pyarray(py).into_any(),
        Indices::U16(array) => array.into_owned().into_pyarray(py).into_any(),
        Indices::U32(array) => array.into_owned().into_pyarray(py).into_any(),
        Indices::U64(array) => array.into_owned().into_pyarray(py).into_any(),
    }
}

/// The format of this name, for tensors of this shape.
fn named_format(name: &str, shape: &[u64]) -> PyResult<Format> {
    Format::parse_with_rank(name, shape.len()).map_err(refused)
}

/// The name of a format, the usual one where there is one.
fn named(format: &Format) -> String {
    format.alias().map_or_else(|| format.to_string(), str::to_string)
}

/// The name of a format as tensors of this rank have it, and whether it keeps elements at one coordinate.
#[pyfunction]
pub fn format_of(name: &str, rank: usize) -> PyResult<(String, bool)> {
    let format = Format::parse_with_rank(name, rank).map_err(refused)?;
    Ok((named(&format), format.is_multigraph()))
}

/// What becomes of elements at one coordinate.
fn dedupe(name: &str) -> PyResult<Dedupe> {
    Ok(match name {
        "sum" => Dedupe::Sum,
        "first" => Dedupe::First,
        "last" => Dedupe::Last,
        // A multigraph keeps them.
        "refuse" | "keep" => Dedupe::Refuse,
        other => return Err(PyValueError::new_err(format!("duplicates are sum, first, last, keep or refuse, not `{other}`"))),
    })
}

/// Widths of index arrays.
fn widths(bits: Option<u32>) -> PyResult<Widths> {
    Ok(match bits {
        None => Widths::narrowest(),
        Some(8) => Widths::all(Width::U8),
        Some(16) => Widths::all(Width::U16),
        Some(32) => Widths::all(Width::U32),
        Some(64) => Widths::all(Width::U64),
        Some(other) => return Err(PyValueError::new_err(format!("index arrays have 8, 16, 32 or 64 bits, not {other}"))),
    })
}

/// The parts of a tensor, its memory taken over; one value for all is repeated, and without values each is `True`.
fn parts<'py>(py: Python<'py>, tensor: AnyTensor<'static>) -> PyResult<Parts<'py>> {
    let (element, count) = (tensor.element(), tensor.values_len());
    let (PatternParts { shape, format, arrays }, values) = tensor.into_parts();
    let list = |arrays: Vec<Option<Indices<'static>>>| arrays.into_iter().map(|array| array.map(|array| numpy(py, array))).collect();
    let values = match values {
        AnyValues::PatternOnly => vec![true; count].into_pyarray(py).into_any(),
        AnyValues::Each(array) => with_element!(element, T => array.into_values::<T>().unwrap_or_default().into_pyarray(py).into_any()),
        AnyValues::Iso(array) => with_element!(element, T => {
            let one = array.into_values::<T>().and_then(|values| values.first().copied()).unwrap_or_default();
            vec![one; count].into_pyarray(py).into_any()
        }),
    };
    Ok(Parts { format: named(&format), shape, pointers: list(arrays.pointers), indices: list(arrays.indices), values })
}

/// A tensor of coordinates, an array for each axis, and values.
#[pyfunction]
pub fn build<'py>(
    py: Python<'py>,
    format: &str,
    shape: Vec<u64>,
    columns: Vec<Bound<'py, PyUntypedArray>>,
    values: Values<'py>,
    duplicates: &str,
    bits: Option<u32>,
) -> PyResult<Parts<'py>> {
    let columns = columns.iter().map(Borrowed::new).collect::<PyResult<Vec<_>>>()?;
    // Copy the arrays: other Python threads run meanwhile and may change them.
    let columns = columns.iter().map(|column| Ok(column.indices()?.into_owned())).collect::<PyResult<Vec<_>>>()?;
    let (values, format) = (AnyValues::Each(values.array()?.into_owned()), named_format(format, &shape)?);
    let (dedupe, widths) = (dedupe(duplicates)?, widths(bits)?);
    let made = py.detach(|| AnyTensor::build(&shape, &columns, &values, &format, dedupe, &widths));
    parts(py, made.map_err(refused)?)
}

/// The same tensor in another format.
#[pyfunction]
pub fn convert<'py>(py: Python<'py>, tensor: Tensor<'py>, to: &str, duplicates: &str, bits: Option<u32>) -> PyResult<Parts<'py>> {
    let to = named_format(to, &tensor.shape)?;
    let (dedupe, widths, tensor) = (dedupe(duplicates)?, widths(bits)?, tensor.copied()?);
    let made = py.detach(|| tensor.convert_to(&to, dedupe, &widths));
    parts(py, made.map_err(refused)?)
}

/// The coordinates of all stored elements, an array for each axis, in storage order; fails where the arrays are no tensor.
#[pyfunction]
pub fn coordinates<'py>(py: Python<'py>, tensor: Tensor<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let tensor = tensor.checked()?;
    let columns = tensor.coordinates().map_err(refused)?;
    Ok(columns.into_iter().map(|column| numpy(py, column.into_owned())).collect())
}

/// The tensor of a file, and the kind of the file.
#[pyfunction]
pub fn read<'py>(
    py: Python<'py>,
    path: PathBuf,
    kind: Option<&str>,
    group: Option<String>,
    base: Option<u8>,
) -> PyResult<(Parts<'py>, &'static str)> {
    let kind = kind.map(of_kind).transpose()?;
    let read =
        interruptible(py, |progress| sparse_files::read(&path, &ReadOptions { kind, group, base, progress, ..ReadOptions::default() }))?;
    let (tensor, kind) = read.map_err(|error| failed(&path, error))?;
    Ok((parts(py, tensor)?, kind.name()))
}

/// Writes a tensor to a file, which is replaced as a whole, or to a group of a container.
#[pyfunction]
pub fn write<'py>(
    py: Python<'py>,
    path: PathBuf,
    tensor: Tensor<'py>,
    kind: Option<&str>,
    compressed: bool,
    group: Option<String>,
    force: bool,
) -> PyResult<()> {
    let kind = match kind {
        Some(kind) => of_kind(kind)?,
        None => Kind::of_name(&path.to_string_lossy())
            .ok_or_else(|| PyValueError::new_err(format!("{}: the ending names no kind of file", path.display())))?,
    };
    let tensor = tensor.copied()?;
    interruptible(py, |progress| {
        let options = WriteOptions { compressed, group, force, progress, ..WriteOptions::default() };
        sparse_files::write(&path, &tensor, kind, &options).map_err(|error| failed(&path, error))
    })?
}

fn of_kind(name: &str) -> PyResult<Kind> {
    Kind::from_name(name).ok_or_else(|| PyValueError::new_err(format!("there is no kind of file `{name}`")))
}

fn failed(path: &std::path::Path, error: FileError) -> PyErr {
    let message = format!("{}: {error}", path.display());
    if matches!(error, FileError::System { .. }) { PyOSError::new_err(message) } else { PyValueError::new_err(message) }
}

/// A sparse matrix times a dense vector or a dense matrix in rows, of one type: float32, float64, int32 or int64.
#[pyfunction]
pub fn multiply<'py>(py: Python<'py>, tensor: Tensor<'py>, other: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! attempt {
        ($($type:ty)*) => { $(
            if let Ok(values) = tensor.values.array.cast::<PyArray1<$type>>() {
                return product::<$type>(py, &tensor, &values.try_readonly().map_err(refused)?, other);
            }
        )* };
    }
    attempt!(f32 f64 i32 i64);
    Err(PyTypeError::new_err(format!("values of {} are not multiplied", tensor.values.array.dtype())))
}

fn product<'py, T: Scalar + Element + Default>(
    py: Python<'py>,
    tensor: &Tensor<'py>,
    values: &PyReadonlyArray1<'py, T>,
    other: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyAny>> {
    let (shape, format, arrays, values) = (&tensor.shape, tensor.format()?, tensor.arrays()?, values.as_slice().map_err(refused)?);
    let tensor = || SparseTensor::from_parts(shape, format, arrays, values, T::default()).map_err(|rejected| refused(rejected.error));
    if let Ok(vector) = other.extract::<PyReadonlyArray1<T>>() {
        let vector = vector.as_slice().map_err(refused)?;
        let out = spmv(&tensor()?, false, vector).map_err(refused)?;
        return Ok(out.into_pyarray(py).into_any());
    }
    let Ok(matrix) = other.extract::<PyReadonlyArray2<T>>() else {
        return Err(PyTypeError::new_err(format!("an array of {} dimensions of {} is no operand", other.ndim(), other.dtype())));
    };
    let (rows, columns) = (matrix.shape()[0], matrix.shape()[1]);
    let data = matrix.as_slice().map_err(refused)?;
    let dense = Dense::packed(data, [rows, columns], Major::Rows).map_err(refused)?;
    let out = spmm(&tensor()?, false, dense, Major::Rows).map_err(refused)?;
    Ok(out.into_pyarray(py).reshape([shape[0] as usize, columns])?.into_any())
}
