//! The place of an array in a `.npy` file, for programs that read and write parts of it.

use super::header::{Header, Type, code};
use super::write;
use crate::error::Result;
use crate::value::Encoding;
use std::io::{Read, Write};

/// The header of a `.npy` file: the type, the extents and the position of the elements.
///
/// ```
/// use sparse_files::npy::NpyHeader;
/// let mut file = Vec::new();
/// NpyHeader::write(&mut file, "<f4", &[2, 3])?;
/// let header = NpyHeader::read("a", &mut &file[..])?;
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
    /// Reads the header of a file from its begin, and nothing after it. `array` is the name of the array in errors. Fails if `file` fails, or if
    /// the header is damaged, longer than 1 MiB, or has a type that is not supported.
    pub fn read(array: &str, file: &mut dyn Read) -> Result<NpyHeader> {
        const MOST: u64 = 1 << 20;
        let mut bytes = Vec::new();
        // The last bytes are the length of what follows: two bytes in version 1, four in later ones.
        file.take(10).read_to_end(&mut bytes)?;
        let more = match bytes[..] {
            [.., 1, _, low, high] => u64::from(u16::from_le_bytes([low, high])),
            [.., _, _, a, b] => {
                file.take(2).read_to_end(&mut bytes)?;
                let high = bytes.get(10..12).map_or(0, |high| u64::from(high[0]) << 16 | u64::from(high[1]) << 24);
                high | u64::from(u16::from_le_bytes([a, b]))
            }
            _ => 0,
        };
        file.take(more.min(MOST)).read_to_end(&mut bytes)?;
        let header = Header::read(array, &bytes)?;
        let element_bytes = header.of.size().unwrap_or(usize::MAX);
        let type_name = match header.of {
            Type::Numbers { encoding, big_endian } => type_name(encoding, big_endian),
            Type::Characters { count, big_endian } => format!("{}U{count}", if big_endian { '>' } else { '<' }),
            Type::Bytes { count } => format!("|S{count}"),
        };
        Ok(NpyHeader { type_name, element_bytes, fortran_order: header.fortran, shape: header.shape, data_offset: header.end as u64 })
    }

    /// Returns the number of bytes of the elements, or `None` if it exceeds 64 bits.
    pub fn data_bytes(&self) -> Option<u64> {
        self.shape.iter().try_fold(self.element_bytes as u64, |bytes, extent| bytes.checked_mul(*extent))
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
