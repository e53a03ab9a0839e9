//! Sparse tensors over NumPy arrays, and in files. [`crate::arrays`] has the rules for borrowing arrays.

use crate::arrays::{refused, unfit, viewed};
use crate::signals::interruptible;
use crd2idx::sparse::{
    Arrays, Dense, Format, Indices, Major, PatternParts, Scalar, SparseTensor, SparsityPattern, Width, Widths, spmm, spmv,
};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe, ElementType, FileError, FileKind, ReadOptions, WriteOptions, with_element};
use std::borrow::Cow;
use std::path::PathBuf;

/// The array of each level, or `None` if the level has none.
type Levels<'py> = Vec<Option<Bound<'py, PyAny>>>;

/// A tensor for Python: the arguments of the constructor of `Sparse`.
#[derive(IntoPyObject)]
pub struct Parts<'py> {
    format: String,
    shape: Vec<u64>,
    pointers: Levels<'py>,
    indices: Levels<'py>,
    values: Bound<'py, PyAny>,
}

/// The fields of a Python `Sparse`. Its arrays are not borrowed yet.
struct Fields<'py> {
    format: Format,
    shape: Vec<u64>,
    pointers: Vec<Option<Bound<'py, PyUntypedArray>>>,
    indices: Vec<Option<Bound<'py, PyUntypedArray>>>,
    values: Values<'py>,
}

impl<'py> Fields<'py> {
    fn of(sparse: &Bound<'py, PyAny>) -> PyResult<Self> {
        /// Puts the name of a field before the message of its error.
        fn named<T>(name: &str, py: Python<'_>, taken: PyResult<T>) -> PyResult<T> {
            taken.map_err(|error| {
                let message = format!("{name}: {}", error.value(py));
                if error.is_instance_of::<PyTypeError>(py) {
                    PyTypeError::new_err(message)
                } else if error.is_instance_of::<PyValueError>(py) {
                    PyValueError::new_err(message)
                } else {
                    error
                }
            })
        }
        macro_rules! field {
            ($name:ident) => {
                named(stringify!($name), sparse.py(), sparse.getattr(stringify!($name))?.extract().map_err(PyErr::from))?
            };
        }
        let (format, shape): (String, Vec<u64>) = (field!(format), field!(shape));
        let [pointers, indices]: [Vec<Option<Bound<'py, PyUntypedArray>>>; 2] = [field!(pointers), field!(indices)];
        let values: Bound<'py, PyUntypedArray> = field!(values);
        let values = named("values", sparse.py(), Values::of(&values))?;
        let unsigned = |name, levels: Vec<Option<_>>| {
            let levels = levels.iter().map(|array| array.as_ref().map(unsigned).transpose()).collect();
            named(name, sparse.py(), levels)
        };
        let (pointers, indices) = (unsigned("pointers", pointers)?, unsigned("indices", indices)?);
        Ok(Fields { format: named_format(&format, &shape)?, shape, pointers, indices, values })
    }

    /// Borrows the arrays.
    fn borrowed(&self) -> PyResult<Tensor<'_, 'py>> {
        let list = |levels: &[Option<_>]| levels.iter().map(|array| array.as_ref().map(Borrowed::new).transpose()).collect::<PyResult<_>>();
        let (pointers, indices) = (list(&self.pointers)?, list(&self.indices)?);
        Ok(Tensor { fields: self, pointers, indices, values: self.values.borrowed()? })
    }

    /// Copies the tensor, for work during which other Python threads run.
    fn copied(&self) -> PyResult<AnyTensor<'static>> {
        Ok(self.borrowed()?.checked()?.into_owned())
    }
}

/// A Python `Sparse` with its arrays borrowed.
struct Tensor<'a, 'py> {
    fields: &'a Fields<'py>,
    pointers: Vec<Option<Borrowed<'py>>>,
    indices: Vec<Option<Borrowed<'py>>>,
    values: PyReadonlyArray1<'py, u8>,
}

impl Tensor<'_, '_> {
    fn arrays(&self) -> PyResult<Arrays<'_>> {
        fn list<'a>(levels: &'a [Option<Borrowed<'_>>]) -> PyResult<Vec<Option<Indices<'a>>>> {
            levels.iter().map(|array| array.as_ref().map(|array| array.indices()).transpose()).collect()
        }
        Ok(Arrays { pointers: list(&self.pointers)?, indices: list(&self.indices)? })
    }

    /// Checks the arrays, and returns the tensor over them.
    fn checked(&self) -> PyResult<AnyTensor<'_>> {
        let Fields { shape, format, values, .. } = self.fields;
        let pattern = SparsityPattern::from_parts(shape, format.clone(), self.arrays()?).map_err(|rejected| refused(rejected.error))?;
        AnyTensor::of_pattern(pattern, AnyValues::Each(values.array(&self.values)?), None, values.element).map_err(refused)
    }
}

/// Values, and a view of their memory as bytes.
struct Values<'py> {
    array: Bound<'py, PyUntypedArray>,
    bytes: Bound<'py, PyUntypedArray>,
    element: ElementType,
}

impl<'py> Values<'py> {
    fn of(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let name = array.dtype().to_string();
        let element = ElementType::from_name(&name)
            .ok_or_else(|| PyTypeError::new_err(format!("values have the type {name}, which sparse tensors do not support")))?;
        if array.ndim() != 1 {
            return Err(PyValueError::new_err(format!("values have {} dimensions, but one is needed", array.ndim())));
        }
        Ok(Values { array: array.clone(), bytes: viewed(array, "u1")?, element })
    }

    fn borrowed(&self) -> PyResult<PyReadonlyArray1<'py, u8>> {
        let bytes = self.bytes.cast::<PyArray1<u8>>().map_err(|_| unfit("values", &self.bytes, "bytes in one dimension"))?;
        bytes.try_readonly().map_err(refused)
    }

    /// Returns the values, borrowed.
    fn array<'a>(&self, bytes: &'a PyReadonlyArray1<'_, u8>) -> PyResult<AnyArray<'a>> {
        let bytes = Cow::Borrowed(bytes.as_slice().map_err(refused)?);
        AnyArray::from_bytes("values", self.element, bytes, cfg!(target_endian = "big")).map_err(refused)
    }
}

/// Views signed indices as unsigned ones, so that negative indices are out of range. Returns other arrays as they are.
fn unsigned<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = array.dtype();
    if dtype.kind() == b'i' { viewed(array, &format!("u{}", dtype.itemsize())) } else { Ok(array.clone()) }
}

/// Indices, borrowed from Python.
enum Borrowed<'py> {
    U8(PyReadonlyArray1<'py, u8>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
}

impl<'py> Borrowed<'py> {
    /// Borrows an array that [`unsigned`] has returned.
    fn new(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        macro_rules! one_of {
            ($($variant:ident $type:ty),*) => { $(
                if let Ok(array) = array.cast::<PyArray1<$type>>() {
                    return Ok(Borrowed::$variant(array.try_readonly().map_err(refused)?));
                }
            )* };
        }
        one_of!(U8 u8, U16 u16, U32 u32, U64 u64);
        Err(unfit("indices", array, "integers in one dimension"))
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

/// Moves indices to a NumPy array.
fn numpy<'py>(py: Python<'py>, indices: Indices<'static>) -> Bound<'py, PyAny> {
    match indices {
        Indices::U8(array) => array.into_owned().into_pyarray(py).into_any(),
        Indices::U16(array) => array.into_owned().into_pyarray(py).into_any(),
        Indices::U32(array) => array.into_owned().into_pyarray(py).into_any(),
        Indices::U64(array) => array.into_owned().into_pyarray(py).into_any(),
    }
}

/// Returns the format with this name for tensors of this shape.
fn named_format(name: &str, shape: &[u64]) -> PyResult<Format> {
    Format::parse_with_rank(name, shape.len()).map_err(refused)
}

/// Returns the name of a format: the common name if there is one.
fn named(format: &Format) -> String {
    format.alias().map_or_else(|| format.to_string(), str::to_string)
}

/// Returns the name of a format for tensors of this rank, and true if the format keeps elements with the same coordinate.
#[pyfunction]
pub fn format_of(name: &str, rank: usize) -> PyResult<(String, bool)> {
    let format = Format::parse_with_rank(name, rank).map_err(refused)?;
    Ok((named(&format), format.is_multigraph()))
}

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
) -> PyResult<Parts<'py>> {
    let (values, columns) = (Values::of(values)?, columns.iter().map(unsigned).collect::<PyResult<Vec<_>>>()?);
    // Copy the arrays, as other Python threads run during the build.
    let columns = columns.iter().map(|column| Ok(Borrowed::new(column)?.indices()?.into_owned())).collect::<PyResult<Vec<_>>>()?;
    let values = AnyValues::Each(values.array(&values.borrowed()?)?.into_owned());
    let format = named_format(format, &shape)?;
    let (dedupe, widths) = (dedupe(duplicates)?, widths(bits)?);
    let made = py.detach(|| AnyTensor::build(&shape, &columns, &values, &format, dedupe, &widths));
    parts(py, made.map_err(refused)?)
}

/// Converts a tensor to another format.
#[pyfunction]
pub fn convert<'py>(py: Python<'py>, tensor: &Bound<'py, PyAny>, to: &str, duplicates: &str, bits: Option<u32>) -> PyResult<Parts<'py>> {
    let tensor = Fields::of(tensor)?;
    let to = named_format(to, &tensor.shape)?;
    let (dedupe, widths, tensor) = (dedupe(duplicates)?, widths(bits)?, tensor.copied()?);
    let made = py.detach(|| tensor.convert_to(&to, dedupe, &widths));
    parts(py, made.map_err(refused)?)
}

/// Returns the coordinates of all stored elements, one array for each axis, in storage order. Fails if the arrays do not form a tensor.
#[pyfunction]
pub fn coordinates<'py>(py: Python<'py>, tensor: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    fn owned(fields: &Fields<'_>) -> PyResult<Vec<Indices<'static>>> {
        let tensor = fields.borrowed()?;
        let columns = tensor.checked()?.coordinates().map_err(refused)?.into_iter().map(Indices::into_owned).collect();
        Ok(columns)
    }
    Ok(owned(&Fields::of(tensor)?)?.into_iter().map(|column| numpy(py, column)).collect())
}

/// Reads a tensor from a file. Also returns the kind of the file.
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

/// Writes a tensor to a file, and replaces the file as a whole, or to a group of a container.
#[pyfunction]
pub fn write<'py>(
    py: Python<'py>,
    path: PathBuf,
    tensor: &Bound<'py, PyAny>,
    kind: Option<&str>,
    compressed: bool,
    group: Option<String>,
    force: bool,
) -> PyResult<()> {
    let kind = match kind {
        Some(kind) => of_kind(kind)?,
        None => FileKind::of_name(&path.to_string_lossy())
            .ok_or_else(|| PyValueError::new_err(format!("{}: the ending does not name a kind of file; give `kind`", path.display())))?,
    };
    let tensor = Fields::of(tensor)?.copied()?;
    interruptible(py, |progress| {
        let options = WriteOptions { compressed, group, force, progress, ..WriteOptions::default() };
        sparse_files::write(&path, &tensor, kind, &options).map_err(|error| failed(&path, error))
    })?
}

fn of_kind(name: &str) -> PyResult<FileKind> {
    FileKind::from_name(name).ok_or_else(|| PyValueError::new_err(format!("`{name}` is not a kind of file")))
}

fn failed(path: &std::path::Path, error: FileError) -> PyErr {
    let message = format!("{}: {error}", path.display());
    if matches!(error, FileError::System { .. }) { PyOSError::new_err(message) } else { PyValueError::new_err(message) }
}

/// Multiplies a sparse matrix by a dense vector, or by a dense matrix in rows. Both have one type: float32, float64, int32 or int64.
#[pyfunction]
pub fn multiply<'py>(py: Python<'py>, tensor: &Bound<'py, PyAny>, other: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyAny>> {
    let fields = Fields::of(tensor)?;
    macro_rules! attempt {
        ($($type:ty)*) => { $(
            if let Ok(values) = fields.values.array.cast::<PyArray1<$type>>() {
                let (out, columns) = product::<$type>(&fields, values, other)?;
                let (out, rows) = (out.into_pyarray(py), fields.shape[0] as usize);
                return Ok(if let Some(columns) = columns { out.reshape([rows, columns])?.into_any() } else { out.into_any() });
            }
        )* };
    }
    attempt!(f32 f64 i32 i64);
    Err(PyTypeError::new_err(format!(
        "values have the type {}, but products need float32, float64, int32 or int64",
        fields.values.array.dtype()
    )))
}

/// Returns the elements of the product and, if `other` is a matrix, the number of columns.
fn product<'py, T: Scalar + Element + Default>(
    fields: &Fields<'py>,
    values: &Bound<'py, PyArray1<T>>,
    other: &Bound<'py, PyUntypedArray>,
) -> PyResult<(Vec<T>, Option<usize>)> {
    let (vector, matrix) = (other.cast::<PyArray1<T>>(), other.cast::<PyArray2<T>>());
    let (tensor, values) = (fields.borrowed()?, values.try_readonly().map_err(refused)?);
    let (arrays, values) = (tensor.arrays()?, values.as_slice().map_err(refused)?);
    let tensor = || {
        SparseTensor::from_parts(&fields.shape, fields.format.clone(), arrays, values, T::default())
            .map_err(|rejected| refused(rejected.error))
    };
    if let Ok(vector) = vector {
        let vector = vector.try_readonly().map_err(refused)?;
        return Ok((spmv(&tensor()?, false, vector.as_slice().map_err(refused)?).map_err(refused)?, None));
    }
    let matrix = matrix
        .map_err(|_| unfit("the dense operand", other, "a vector or a matrix with the type of the values"))?
        .try_readonly()
        .map_err(refused)?;
    let (rows, columns) = (matrix.shape()[0], matrix.shape()[1]);
    let dense = Dense::packed(matrix.as_slice().map_err(refused)?, [rows, columns], Major::Rows).map_err(refused)?;
    Ok((spmm(&tensor()?, false, dense, Major::Rows).map_err(refused)?, Some(columns)))
}
