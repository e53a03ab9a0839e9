//! The place of an array in a `.npy` file, for programs that read and write parts of it.

use super::header::{Header, Type, code};
use super::write;
use crate::error::Result;
use crate::value::Encoding;
use std::io::Write;

/// The header of a `.npy` file: the type, the extents and the position of the elements.
///
/// ```
/// use sparse_files::npy::NpyHeader;
/// let mut file = Vec::new();
/// NpyHeader::write(&mut file, "<f4", &[2, 3])?;
/// let header = NpyHeader::read("a", &file)?;
/// assert_eq!((header.type_name.as_str(), header.element_bytes, header.shape.as_slice()), ("<f4", 4, &[2, 3][..]));
/// assert_eq!((header.fortran_order, header.data_offset), (false, file.len() as u64));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NpyHeader {
    /// The name of the type in NumPy, like `<f8` or `|u1`.
    pub type_name: String,
    /// The number of bytes of an element.
    pub element_bytes: usize,
    /// True if the first axis is the fastest.
    pub fortran_order: bool,
    /// The extents.
    pub shape: Vec<u64>,
    /// The number of bytes before the first element.
    pub data_offset: u64,
}

impl NpyHeader {
    /// The most bytes that a header of ordinary length has. Longer headers need longer beginnings of files.
    pub const USUAL_BYTES: usize = 1 << 16;

    /// Parses the header at the start of `bytes`, the beginning of a file. `array` is the name of the array in errors. Fails if the header
    /// is damaged, ends after the bytes, or has a type that is not supported.
    pub fn read(array: &str, bytes: &[u8]) -> Result<NpyHeader> {
        let header = Header::read(array, bytes)?;
        let element_bytes = header.of.size().unwrap_or(usize::MAX);
        let type_name = match header.of {
            Type::Numbers { encoding, big_endian } => type_name(encoding, big_endian),
            Type::Characters { count, big_endian } => format!("{}U{count}", if big_endian { '>' } else { '<' }),
            Type::Bytes { count } => format!("|S{count}"),
        };
        Ok(NpyHeader { type_name, element_bytes, fortran_order: header.fortran, shape: header.shape, data_offset: header.end as u64 })
    }

    /// Writes the header of an array whose last axis is the fastest. The elements follow it. Fails if `out` fails.
    pub fn write(out: &mut dyn Write, type_name: &str, shape: &[u64]) -> Result<()> {
        write::header(out, type_name, shape)
    }
}

/// Returns the name of a type of numbers in NumPy.
pub(crate) fn type_name(encoding: Encoding, big_endian: bool) -> String {
    let (kind, size) = match encoding {
        Encoding::Half => ("f", 2),
        Encoding::Plain(element) => code(element),
    };
    let order = match (size, big_endian) {
        (1, _) => '|',
        (_, true) => '>',
        (_, false) => '<',
    };
    format!("{order}{kind}{size}")
}
