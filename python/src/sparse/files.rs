//! Files of sparse tensors.

use super::pattern::Pattern;
use super::structure::taken;
use super::values::{ValuesArray, values_to_numpy};
use crate::arrays::refused;
use crate::signals::interruptible;
use crate::threads;
use crd2idx::sparse::{Attributes, Symmetry, Triangle};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use sparse_files::{AnyValues, FileError, FileKind, ReadOptions, RowSlice, WriteOptions};
use std::path::{Path, PathBuf};

/// The symmetries by their names in Python.
const SYMMETRIES: [(&str, Symmetry); 3] =
    [("symmetric", Symmetry::Symmetric), ("hermitian", Symmetry::Hermitian), ("skew", Symmetry::Skew)];

/// Reads a tensor from a file, or from the bytes of one, with both triangles. Returns the pattern, the values, the fill value in an array, the symmetry, and the
/// kind of the file. `rows` has the start and the end of a slice of the first axis.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub fn read<'py>(
    py: Python<'py>,
    path: PathBuf,
    bytes: Option<Vec<u8>>,
    kind: Option<&str>,
    group: Option<String>,
    base: Option<u8>,
    shape: Option<Vec<u64>>,
    rows: Option<(Option<i64>, Option<i64>)>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Pattern, Bound<'py, PyUntypedArray>, Bound<'py, PyUntypedArray>, Option<&'static str>, &'static str)> {
    let kind = kind.map(of_kind).transpose()?;
    let rows = rows.map(|(start, end)| RowSlice { start, end });
    let read = interruptible(py, progress.as_ref(), |progress| {
        threads::run(usize::MAX, || {
            let options = ReadOptions { kind, group, base, shape, rows, progress };
            let (tensor, kind) = match bytes {
                Some(bytes) => sparse_files::read_bytes(bytes.into(), &path.to_string_lossy(), &options)?,
                None => sparse_files::read(&path, &options)?,
            };
            let tensor = if tensor.attributes().is_one_triangle() { tensor.expand()? } else { tensor };
            Ok((tensor, kind))
        })
    })?;
    let (tensor, kind) = read.map_err(|error| failed(&path, error))?;
    let fill = match tensor.values() {
        AnyValues::PatternOnly => sparse_files::AnyArray::from_values(vec![false]),
        _ => tensor.fill(),
    };
    let fill = values_to_numpy(py, fill)?;
    let symmetry = tensor.attributes().symmetry.and_then(|of| SYMMETRIES.iter().find(|(_, known)| *known == of)).map(|(name, _)| *name);
    let (pattern, values) = taken(py, tensor)?;
    Ok((pattern, values, fill, symmetry, kind.name()))
}

/// Writes a tensor to a file, and replaces the file as a whole, or to a group of a container. If there is a symmetry, the tensor has only the lower triangle.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub fn write<'py>(
    py: Python<'py>,
    path: PathBuf,
    pattern: &Pattern,
    values: &Bound<'py, PyUntypedArray>,
    fill: &Bound<'py, PyUntypedArray>,
    symmetry: Option<&str>,
    kind: Option<&str>,
    compressed: bool,
    group: Option<String>,
    force: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let kind = match kind {
        Some(kind) => of_kind(kind)?,
        None => FileKind::of_name(&path.to_string_lossy())
            .ok_or_else(|| PyValueError::new_err(format!("{}: the ending does not name a kind of file; give `kind`", path.display())))?,
    };
    let (values, fill) = (ValuesArray::of(values)?, ValuesArray::of(fill)?);
    let mut tensor = pattern.tensor(py, &values, &fill)?;
    if let Some((_, symmetry)) = symmetry.and_then(|of| SYMMETRIES.iter().find(|(name, _)| *name == of)) {
        let attributes = Attributes { symmetry: Some(*symmetry), triangle: Some(Triangle::Lower), ..Attributes::default() };
        tensor = tensor.with_attributes(attributes).map_err(refused)?;
    }
    interruptible(py, progress.as_ref(), |progress| {
        let options = WriteOptions { compressed, group, force, progress, ..WriteOptions::default() };
        threads::run(usize::MAX, || sparse_files::write(&path, &tensor, kind, &options).map_err(|error| failed(&path, error)))
    })?
}

fn of_kind(name: &str) -> PyResult<FileKind> {
    FileKind::from_name(name).ok_or_else(|| PyValueError::new_err(format!("`{name}` is not a kind of file")))
}

fn failed(path: &Path, error: FileError) -> PyErr {
    let message = format!("{}: {error}", path.display());
    if matches!(error, FileError::System { .. }) { PyOSError::new_err(message) } else { PyValueError::new_err(message) }
}
