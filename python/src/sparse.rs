//! Sparse tensors over arrays of NumPy, and in files.

use crd2idx::sparse::{
    Arrays, Dense, Format, Indices, Major, PatternParts, Scalar, SparseTensor, SparsityPattern, Width, Widths, spmm, spmv,
};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe, ElementType, FileError, Kind, ReadOptions, WriteOptions, with_element};
use std::borrow::Cow;
use std::path::PathBuf;

/// Why a tensor is refused.
fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The arrays of a tensor: pointers and indices by level, `None` where a level has none.
type Levels<'py> = Vec<Option<Bound<'py, PyUntypedArray>>>;

/// A tensor as Python has it: format, shape, pointers, indices, values.
type Parts<'py> = (String, Vec<u64>, Vec<Option<Bound<'py, PyAny>>>, Vec<Option<Bound<'py, PyAny>>>, Bound<'py, PyAny>);

/// Unsigned indices, borrowed from Python.
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

/// The type of values that NumPy calls by this name.
fn element(dtype: &str) -> PyResult<ElementType> {
    ElementType::from_name(dtype).ok_or_else(|| PyTypeError::new_err(format!("values of {dtype} are none of sparse tensors")))
}

/// Values of a type from their bytes, where they lie.
fn values<'a>(bytes: &'a PyReadonlyArray1<'_, u8>, element: ElementType) -> PyResult<AnyValues<'a>> {
    let bytes = Cow::Borrowed(bytes.as_slice().map_err(refused)?);
    Ok(AnyValues::Each(AnyArray::from_bytes("values", element, bytes, cfg!(target_endian = "big")).map_err(refused)?))
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
    Ok((named(&format), shape, list(arrays.pointers), list(arrays.indices), values))
}

/// The tensor of these parts, checked.
fn tensor<'a>(format: &str, shape: &[u64], arrays: Arrays<'a>, values: AnyValues<'a>, element: ElementType) -> PyResult<AnyTensor<'a>> {
    let pattern = SparsityPattern::from_parts(shape, named_format(format, shape)?, arrays).map_err(|rejected| refused(rejected.error))?;
    AnyTensor::of_pattern(pattern, values, None, element).map_err(refused)
}

/// A tensor of coordinates, an array for each axis, and the bytes of values.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a tensor by its parts, and what becomes of it")]
pub fn build<'py>(
    py: Python<'py>,
    format: &str,
    shape: Vec<u64>,
    columns: Vec<Bound<'py, PyUntypedArray>>,
    bytes: PyReadonlyArray1<'py, u8>,
    dtype: &str,
    duplicates: &str,
    bits: Option<u32>,
) -> PyResult<Parts<'py>> {
    let columns = columns.iter().map(Borrowed::new).collect::<PyResult<Vec<_>>>()?;
    let columns = columns.iter().map(Borrowed::indices).collect::<PyResult<Vec<_>>>()?;
    let element = element(dtype)?;
    let (values, format) = (values(&bytes, element)?, named_format(format, &shape)?);
    let (dedupe, widths) = (dedupe(duplicates)?, widths(bits)?);
    let made = py.detach(|| AnyTensor::build(&shape, &columns, &values, &format, dedupe, &widths));
    parts(py, made.map_err(refused)?)
}

/// Arrays of levels, borrowed.
struct Borrow<'py>([Vec<Option<Borrowed<'py>>>; 2]);

impl<'py> Borrow<'py> {
    fn new(pointers: &Levels<'py>, indices: &Levels<'py>) -> PyResult<Self> {
        let list =
            |levels: &Levels<'py>| levels.iter().map(|array| array.as_ref().map(Borrowed::new).transpose()).collect::<PyResult<Vec<_>>>();
        Ok(Borrow([list(pointers)?, list(indices)?]))
    }

    fn arrays(&self) -> PyResult<Arrays<'_>> {
        fn list<'a>(levels: &'a [Option<Borrowed<'_>>]) -> PyResult<Vec<Option<Indices<'a>>>> {
            levels.iter().map(|array| array.as_ref().map(|array| array.indices()).transpose()).collect()
        }
        let [pointers, indices] = &self.0;
        Ok(Arrays { pointers: list(pointers)?, indices: list(indices)? })
    }
}

/// The same tensor in another format.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a tensor by its parts, and what becomes of it")]
pub fn convert<'py>(
    py: Python<'py>,
    format: &str,
    shape: Vec<u64>,
    pointers: Levels<'py>,
    indices: Levels<'py>,
    bytes: PyReadonlyArray1<'py, u8>,
    dtype: &str,
    to: &str,
    duplicates: &str,
    bits: Option<u32>,
) -> PyResult<Parts<'py>> {
    let borrow = Borrow::new(&pointers, &indices)?;
    let (arrays, element) = (borrow.arrays()?, element(dtype)?);
    let (values, to) = (values(&bytes, element)?, named_format(to, &shape)?);
    let (dedupe, widths) = (dedupe(duplicates)?, widths(bits)?);
    let made = py.detach(|| tensor(format, &shape, arrays, values, element)?.convert_to(&to, dedupe, &widths).map_err(refused))?;
    parts(py, made)
}

/// The coordinates of all stored elements, an array for each axis, in storage order; fails where the arrays are no tensor.
#[pyfunction]
pub fn coordinates<'py>(
    py: Python<'py>,
    format: &str,
    shape: Vec<u64>,
    pointers: Levels<'py>,
    indices: Levels<'py>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let borrow = Borrow::new(&pointers, &indices)?;
    let arrays = borrow.arrays()?;
    let columns = py.detach(|| {
        let tensor = tensor(format, &shape, arrays, AnyValues::PatternOnly, ElementType::Bool)?;
        let columns = tensor.coordinates().map_err(refused)?;
        Ok::<_, PyErr>(columns.into_iter().map(Indices::into_owned).collect::<Vec<_>>())
    })?;
    Ok(columns.into_iter().map(|column| numpy(py, column)).collect())
}

/// The tensor of a file, and the kind of the file.
#[pyfunction]
pub fn read<'py>(py: Python<'py>, path: PathBuf, kind: Option<&str>, group: Option<String>) -> PyResult<(Parts<'py>, &'static str)> {
    let options = ReadOptions { kind: kind.map(of_kind).transpose()?, group, ..ReadOptions::default() };
    let (tensor, kind) = py.detach(|| sparse_files::read(&path, &options)).map_err(|error| failed(&path, error))?;
    Ok((parts(py, tensor)?, kind.name()))
}

/// Writes a tensor to a file, which is replaced as a whole.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a tensor by its parts, and where it goes")]
pub fn write<'py>(
    py: Python<'py>,
    path: PathBuf,
    format: &str,
    shape: Vec<u64>,
    pointers: Levels<'py>,
    indices: Levels<'py>,
    bytes: PyReadonlyArray1<'py, u8>,
    dtype: &str,
    kind: Option<&str>,
    compressed: bool,
) -> PyResult<()> {
    let kind = match kind {
        Some(kind) => of_kind(kind)?,
        None => Kind::of_name(&path.to_string_lossy())
            .ok_or_else(|| PyValueError::new_err(format!("{}: the ending names no kind of file", path.display())))?,
    };
    let borrow = Borrow::new(&pointers, &indices)?;
    let (arrays, element) = (borrow.arrays()?, element(dtype)?);
    let values = values(&bytes, element)?;
    let options = WriteOptions { compressed, ..WriteOptions::default() };
    py.detach(|| {
        let tensor = tensor(format, &shape, arrays, values, element)?;
        sparse_files::write(&path, &tensor, kind, &options).map_err(|error| failed(&path, error))
    })
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
pub fn multiply<'py>(
    py: Python<'py>,
    format: &str,
    shape: Vec<u64>,
    pointers: Levels<'py>,
    indices: Levels<'py>,
    values: &Bound<'py, PyUntypedArray>,
    other: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyAny>> {
    let borrow = Borrow::new(&pointers, &indices)?;
    let format = named_format(format, &shape)?;
    macro_rules! attempt {
        ($($type:ty)*) => { $(
            if let Ok(values) = values.cast::<PyArray1<$type>>() {
                return product::<$type>(py, format, &shape, borrow.arrays()?, &values.try_readonly().map_err(refused)?, other);
            }
        )* };
    }
    attempt!(f32 f64 i32 i64);
    Err(PyTypeError::new_err(format!("values of {} are not multiplied", values.dtype())))
}

fn product<'py, T: Scalar + Element + Default>(
    py: Python<'py>,
    format: Format,
    shape: &[u64],
    arrays: Arrays<'_>,
    values: &PyReadonlyArray1<'py, T>,
    other: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyAny>> {
    let values = values.as_slice().map_err(refused)?;
    let tensor = || SparseTensor::from_parts(shape, format, arrays, values, T::default()).map_err(|rejected| refused(rejected.error));
    if let Ok(vector) = other.extract::<PyReadonlyArray1<T>>() {
        let vector = vector.as_slice().map_err(refused)?;
        let out = py.detach(|| spmv(&tensor()?, false, vector).map_err(refused))?;
        return Ok(out.into_pyarray(py).into_any());
    }
    let Ok(matrix) = other.extract::<PyReadonlyArray2<T>>() else {
        return Err(PyTypeError::new_err(format!("an array of {} dimensions of {} is no operand", other.ndim(), other.dtype())));
    };
    let (rows, columns) = (matrix.shape()[0], matrix.shape()[1]);
    let data = matrix.as_slice().map_err(refused)?;
    let out = py.detach(|| {
        let dense = Dense::packed(data, [rows, columns], Major::Rows).map_err(refused)?;
        spmm(&tensor()?, false, dense, Major::Rows).map_err(refused)
    })?;
    Ok(out.into_pyarray(py).reshape([shape[0] as usize, columns])?.into_any())
}
