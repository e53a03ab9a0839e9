//! Arrays of NumPy: `.npy` files, and archives and HDF5 files of arrays.

use crate::contents::{Contents, Stored};
use crate::error::{CheckpointError, Result};
use safetensors::Dtype;
use sparse_files::FileError;
use sparse_files::npy::NpyHeader;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The types that NumPy shares with safetensors files.
const TYPES: [(&str, Dtype); 13] = [
    ("|b1", Dtype::BOOL),
    ("|i1", Dtype::I8),
    ("<i2", Dtype::I16),
    ("<i4", Dtype::I32),
    ("<i8", Dtype::I64),
    ("|u1", Dtype::U8),
    ("<u2", Dtype::U16),
    ("<u4", Dtype::U32),
    ("<u8", Dtype::U64),
    ("<f2", Dtype::F16),
    ("<f4", Dtype::F32),
    ("<f8", Dtype::F64),
    ("<c8", Dtype::C64),
];

/// Returns a function that adds the path to an error of a file.
fn failed(path: &Path) -> impl Fn(FileError) -> CheckpointError {
    move |error| match error {
        FileError::System { .. } => CheckpointError::Io { path: path.into(), reason: error.to_string() },
        _ => CheckpointError::file(path, error.to_string()),
    }
}

/// Reads the header of a `.npy` file, whose tensor has this name.
pub(crate) fn read(path: &Path, name: &str) -> Result<Contents> {
    let io = CheckpointError::io(path);
    let file = File::open(path).map_err(&io)?;
    let len = file.metadata().map_err(&io)?.len();
    let header = NpyHeader::read(name, &mut BufReader::new(file)).map_err(failed(path))?;
    contents(path, len, vec![(name.into(), header)])
}

/// Reads the headers of all arrays of an `.npz` file.
#[cfg(feature = "npz")]
pub(crate) fn read_archive(path: &Path) -> Result<Contents> {
    let len = std::fs::metadata(path).map_err(CheckpointError::io(path))?.len();
    contents(path, len, sparse_files::npz::array_places(path).map_err(failed(path))?)
}

/// Reads the places of all arrays of an HDF5 file.
#[cfg(feature = "hdf5")]
pub(crate) fn read_hdf5(path: &Path) -> Result<Contents> {
    let len = std::fs::metadata(path).map_err(CheckpointError::io(path))?.len();
    contents(path, len, sparse_files::hdf5::array_places(path).map_err(failed(path))?)
}

#[cfg(not(feature = "npz"))]
pub(crate) fn read_archive(path: &Path) -> Result<Contents> {
    Err(CheckpointError::file(path, "archives of NumPy need the feature `npz`"))
}

#[cfg(not(feature = "hdf5"))]
pub(crate) fn read_hdf5(path: &Path) -> Result<Contents> {
    Err(CheckpointError::file(path, "HDF5 files need the feature `hdf5`"))
}

/// Returns the contents of a file of these arrays. Fails if an array has no equivalent tensor or does not fit the file.
fn contents(path: &Path, len: u64, arrays: Vec<(String, NpyHeader)>) -> Result<Contents> {
    let mut tensors = BTreeMap::new();
    for (name, header) in arrays {
        let refuse = |reason: String| CheckpointError::file(path, format!("tensor `{name}`: {reason}"));
        if header.fortran_order && header.shape.len() > 1 {
            return Err(refuse("its first axis is the fastest: save `numpy.ascontiguousarray` of it".into()));
        }
        let dtype = TYPES.iter().find(|(known, _)| *known == header.type_name).map(|(_, dtype)| *dtype).ok_or_else(|| {
            let known: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
            refuse(format!("the type {} is not one of {}", header.type_name, known.join(", ")))
        })?;
        if let Some(axis) = header.shape.iter().position(|extent| i64::try_from(*extent).is_err()) {
            return Err(refuse(format!("axis {axis} has the extent {}, above the largest integer of 64 bits", header.shape[axis])));
        }
        if header.data_bytes().and_then(|bytes| bytes.checked_add(header.data_offset)).is_none_or(|end| end > len) {
            let (shape, start) = (&header.shape, header.data_offset);
            return Err(refuse(format!("the file has {len} bytes, too few for the shape {shape:?} of type {dtype} from byte {start} on")));
        }
        let shape = header.shape.iter().map(|extent| *extent as i64).collect();
        if tensors.insert(name.clone(), Stored { dtype, shape, offset: header.data_offset }).is_some() {
            return Err(refuse("the file has this name twice".into()));
        }
    }
    Ok(Contents { tensors, metadata: BTreeMap::new(), len })
}

/// Returns the header of a `.npy` file of this tensor, the position of the elements, and the number of bytes of the file. Fails if NumPy lacks
/// the type.
pub(crate) fn write(name: &str, dtype: Dtype, shape: &[i64]) -> Result<(Vec<u8>, Vec<u64>, u64)> {
    let known = TYPES.iter().find(|(_, known)| *known == dtype);
    let (type_name, _) = known.ok_or_else(|| {
        CheckpointError::tensor(name, format!("NumPy has no type {dtype}: cast it, as by `--cast f32`, or write `.safetensors` files"))
    })?;
    let extents: Vec<u64> = shape.iter().map(|extent| *extent as u64).collect();
    let mut bytes = vec![];
    NpyHeader::write(&mut bytes, type_name, &extents).map_err(|error| CheckpointError::tensor(name, error.to_string()))?;
    let start = bytes.len() as u64;
    let len = start + extents.iter().product::<u64>() * dtype.bitsize() as u64 / 8;
    Ok((bytes, vec![start], len))
}
