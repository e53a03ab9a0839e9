//! Arrays in C order without chunks: `.npy` files, and memory.

use crate::copy::runs;
use crate::error::RechunkError;
use crate::grid::{Grid, Region};
use crate::stage::{Input, Output};
use file_output::read_at;
use sparse_files::npy::NpyHeader;
use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The types that Zarr and NumPy share: the name in Zarr, the letter and the number of bytes in NumPy.
const TYPES: [(&str, &str); 14] = [
    ("bool", "b1"),
    ("int8", "i1"),
    ("int16", "i2"),
    ("int32", "i4"),
    ("int64", "i8"),
    ("uint8", "u1"),
    ("uint16", "u2"),
    ("uint32", "u4"),
    ("uint64", "u8"),
    ("float16", "f2"),
    ("float32", "f4"),
    ("float64", "f8"),
    ("complex64", "c8"),
    ("complex128", "c16"),
];

/// Returns the number of bytes of an element of this type, or `None` if the type is unknown here.
pub(crate) fn type_bytes(name: &str) -> Option<usize> {
    TYPES.iter().find(|(known, _)| *known == name).and_then(|(_, code)| code[1..].parse().ok())
}

/// Returns the name in Zarr of a type of NumPy in any byte order, like `<f4`, or `None` if the type is unknown here.
pub(crate) fn zarr_type(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(_, code)| name.get(1..) == Some(*code)).map(|(name, _)| *name)
}

/// Returns the name of a type in NumPy, in the byte order of this machine.
pub(crate) fn numpy_type(name: &str) -> Result<String, RechunkError> {
    let code = TYPES.iter().find(|(known, _)| *known == name).map(|(_, code)| *code);
    let code = code.ok_or_else(|| RechunkError::Array(format!("the type {name} has no equivalent in .npy files")))?;
    let order = if code.ends_with('1') {
        '|'
    } else if cfg!(target_endian = "big") {
        '>'
    } else {
        '<'
    };
    Ok(format!("{order}{code}"))
}

/// Tests whether a file begins as `.npy` files do.
pub(crate) fn is_npy(path: &Path) -> bool {
    const MAGIC: &[u8; 6] = b"\x93NUMPY";
    let mut start = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *MAGIC
}

/// An array in C order.
pub(crate) struct Flat {
    elements: Elements,
    /// One chunk, the whole array.
    grid: Grid,
    size: usize,
}

enum Elements {
    /// The elements of a file begin at a position.
    File(File, u64),
    Memory(Vec<u8>),
}

/// Returns the grid of one chunk.
pub(crate) fn whole(shape: &[u64]) -> Result<Grid, RechunkError> {
    Grid::regular(shape, &shape.iter().map(|extent| (*extent).max(1)).collect::<Vec<_>>())
}

impl Flat {
    /// Opens a `.npy` file. Returns the array and the name of its type in Zarr. Fails if the file is damaged or its type is not supported.
    pub fn open(path: &Path) -> Result<(Flat, String), RechunkError> {
        let wrong = |what: String| RechunkError::Array(format!("{}: {what}", path.display()));
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let header = NpyHeader::read("array", &mut &file).map_err(|error| wrong(error.to_string()))?;
        if header.fortran_order && header.shape.len() > 1 {
            return Err(wrong("its first axis is the fastest (Fortran order), which is not supported".into()));
        }
        let name = zarr_type(&header.type_name).map(str::to_owned);
        let name = name.filter(|name| numpy_type(name).is_ok_and(|native| native == header.type_name));
        let name = name.ok_or_else(|| wrong(format!("its type {} is not supported", header.type_name)))?;
        let grid = whole(&header.shape)?;
        let bytes = header.data_bytes().and_then(|bytes| bytes.checked_add(header.data_offset));
        if bytes.is_none_or(|bytes| bytes > length) {
            return Err(wrong(format!("it has {length} bytes, too few for the shape {:?} of type {name}", header.shape)));
        }
        Ok((Flat { elements: Elements::File(file, header.data_offset), grid, size: header.element_bytes }, name))
    }

    /// Returns an array in memory. Fails if the number of bytes does not match the shape.
    pub fn memory(shape: &[u64], size: usize, bytes: Vec<u8>) -> Result<Flat, RechunkError> {
        let grid = whole(shape)?;
        if u128::from(grid.elements()) * size as u128 != bytes.len() as u128 {
            let message = format!("{} bytes are given for the shape {shape:?} of elements of {size} bytes", bytes.len());
            return Err(RechunkError::Array(message));
        }
        Ok(Flat { elements: Elements::Memory(bytes), grid, size })
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

impl Input for Flat {
    fn chunk(&self, chunk: &[u64]) -> Result<Cow<'_, [u8]>, RechunkError> {
        if let Elements::Memory(bytes) = &self.elements {
            return Ok(Cow::Borrowed(bytes));
        }
        let region = self.grid.region(chunk);
        let mut out = vec![0; region.elements() as usize * self.size];
        self.part(chunk, &region, &mut out)?;
        Ok(Cow::Owned(out))
    }

    fn part(&self, _: &[u64], region: &Region, out: &mut [u8]) -> Result<(), RechunkError> {
        for (to, from, count) in runs(region, &self.grid.shape()) {
            let [to, from, count] = [to, from, count].map(|elements| elements as usize * self.size);
            match &self.elements {
                Elements::File(file, start) => read_at(file, &mut out[to..to + count], start + from as u64)?,
                Elements::Memory(bytes) => out[to..to + count].copy_from_slice(&bytes[from..from + count]),
            }
        }
        Ok(())
    }
}

/// An output of an array in C order. Its parts are written at positions.
pub(crate) struct FlatOutput<W> {
    out: Mutex<W>,
    /// The position of the first element.
    start: u64,
    shape: Vec<u64>,
    size: usize,
}

impl<W: Write + Seek + Send> FlatOutput<W> {
    pub fn new(out: W, start: u64, shape: Vec<u64>, size: usize) -> FlatOutput<W> {
        FlatOutput { out: Mutex::new(out), start, shape, size }
    }
}

impl<W: Write + Seek + Send> Output for FlatOutput<W> {
    fn chunk(&self, _: &[u64], bytes: &[u8]) -> Result<(), RechunkError> {
        self.part(&Region { start: vec![0; self.shape.len()], shape: self.shape.clone() }, bytes)
    }

    fn part(&self, region: &Region, bytes: &[u8]) -> Result<(), RechunkError> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        for (from, to, count) in runs(region, &self.shape) {
            out.seek(SeekFrom::Start(self.start + to * self.size as u64))?;
            out.write_all(&bytes[from as usize * self.size..(from + count) as usize * self.size])?;
        }
        Ok(())
    }
}
