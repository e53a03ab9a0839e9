//! Reads `.npy` files.

use super::header::{Header, Type};
use crate::error::{FileError, Result};
use crate::value::{AnyArray, AnyTensor};
use std::borrow::Cow;

/// An array of numbers, bools or texts from a `.npy` file.
///
/// ```
/// use sparse_files::{AnyArray, npy};
/// let mut file = Vec::new();
/// npy::write(&mut file, &[2, 2], &AnyArray::from_values(vec![1.5f32, 0.0, 0.0, 2.0]))?;
/// let array = npy::read("weights", &file)?;
/// assert_eq!((&array.shape[..], array.fortran), (&[2, 2][..], false));
/// let tensor = array.clone().tensor("weights")?;
/// assert_eq!(tensor.typed::<f32>().expect("float32")?.at(&[1, 1]), Some(&2.0));
/// // `list` takes one axis only, `values` takes any number, and `text` takes no numbers.
/// assert_eq!(array.clone().list("weights").unwrap_err().class(), "array/shape");
/// assert_eq!(array.text("weights").unwrap_err().to_string(), "weights: it is not a single string");
/// assert_eq!(array.values("weights")?.len(), 4);
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NpyArray<'a> {
    /// The extents.
    pub shape: Vec<u64>,
    /// True if the elements are stored with the first axis fastest, false with the last one.
    pub fortran: bool,
    /// The elements, in their stored order.
    pub content: Content<'a>,
}

/// The elements of an array.
///
/// ```
/// use sparse_files::npy::{self, Content};
/// let mut file = Vec::new();
/// npy::write_text(&mut file, "csr")?;
/// assert_eq!(npy::read("format", &file)?.content, Content::Texts(vec!["csr".into()]));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Content<'a> {
    /// Numbers or bools.
    Values(AnyArray<'a>),
    /// Texts, without the zeros that pad them.
    Texts(Vec<String>),
}

/// Reads the array in the bytes of a file. Borrows the numbers if memory has the same representation. `name` is the
/// name of the array in errors.
///
/// Fails if the header is damaged, if the type cannot be read, or if the number of bytes differs from the one that the header
/// implies.
///
/// ```
/// let mut file = Vec::new();
/// sparse_files::npy::write(&mut file, &[2, 2], &sparse_files::AnyArray::from_values(vec![1i32, 2, 3, 4]))?;
/// let array = sparse_files::npy::read("a", &file)?;
/// assert_eq!(array.shape, [2, 2]);
/// assert_eq!(array.values("a")?.values::<i32>().as_deref(), Some(&[1, 2, 3, 4][..]));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read<'a>(name: &str, bytes: &'a [u8]) -> Result<NpyArray<'a>> {
    let header = Header::read(name, bytes)?;
    let data = &bytes[header.end..];
    let Header { of, fortran, shape, .. } = header;
    let elements = shape.iter().try_fold(1u64, |elements, extent| elements.checked_mul(*extent));
    let said = elements.zip(of.size()).and_then(|(elements, size)| elements.checked_mul(size as u64));
    let (bytes, there) = (said.unwrap_or(u64::MAX), data.len() as u64);
    if bytes > there {
        return Err(FileError::Claim { array: name.into(), bytes, most: there });
    }
    if bytes < there {
        return Err(FileError::LeftOver { array: name.into(), bytes, left: there - bytes });
    }
    let content = match of {
        Type::Numbers { encoding, big_endian } => Content::Values(encoding.array(name, Cow::Borrowed(data), big_endian)?),
        Type::Characters { count, big_endian } => {
            let character = |bytes: &[u8]| {
                let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
                char::from_u32(if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
            };
            let text = |bytes: &[u8]| bytes.chunks_exact(4).map(character).collect::<Option<String>>();
            texts(name, data, count.saturating_mul(4), elements, text)?
        }
        Type::Bytes { count } => texts(name, data, count, elements, |bytes| std::str::from_utf8(bytes).ok().map(str::to_owned))?,
    };
    Ok(NpyArray { shape, fortran, content })
}

/// The size of an array according to its header.
#[cfg(feature = "npz")]
pub(crate) struct Said {
    /// The number of elements, and the number of bytes of each.
    pub elements: u64,
    pub size: usize,
    /// True for texts.
    pub text: bool,
    /// The number of bytes of all elements, and of the header before them.
    pub bytes: u64,
    pub start: u64,
}

/// Reads the header of an array. The bytes of the elements may be missing. Fails if the header is damaged or its type cannot be
/// read.
#[cfg(feature = "npz")]
pub(crate) fn said(name: &str, bytes: &[u8]) -> Result<Said> {
    let Header { of, shape, end, .. } = Header::read(name, bytes)?;
    let elements = crate::size_limits::coordinates(&shape);
    let size = of.size().unwrap_or(usize::MAX);
    let text = !matches!(of, Type::Numbers { .. });
    Ok(Said { elements, size, text, bytes: elements.saturating_mul(size as u64), start: end as u64 })
}

fn texts<'a>(name: &str, data: &[u8], size: usize, elements: Option<u64>, text: impl Fn(&[u8]) -> Option<String>) -> Result<Content<'a>> {
    let wrong = || FileError::ArrayHeader { array: name.into(), what: "its bytes are not valid text".into() };
    // Texts without characters take no bytes, so the file does not limit their number.
    if size == 0 {
        return match elements {
            Some(1) => Ok(Content::Texts(vec![String::new()])),
            _ => Err(FileError::ArrayHeader { array: name.into(), what: "it has several strings of length 0".into() }),
        };
    }
    let trimmed = |bytes: &[u8]| text(bytes).map(|text| text.trim_end_matches('\0').to_owned()).ok_or_else(wrong);
    data.chunks_exact(size).map(trimmed).collect::<Result<_>>().map(Content::Texts)
}

impl<'a> NpyArray<'a> {
    /// Returns the numbers, in their stored order. Fails for texts. `name` is the name of the array in errors.
    pub fn values(self, name: &str) -> Result<AnyArray<'a>> {
        match self.content {
            Content::Values(values) => Ok(values),
            Content::Texts(_) => Err(FileError::ArrayHeader { array: name.into(), what: "it has strings instead of numbers".into() }),
        }
    }

    /// Returns the only text of the array. Fails if it does not have exactly one.
    pub fn text(&self, name: &str) -> Result<&str> {
        match &self.content {
            Content::Texts(texts) if texts.len() == 1 => Ok(&texts[0]),
            _ => Err(FileError::ArrayHeader { array: name.into(), what: "it is not a single string".into() }),
        }
    }

    /// Returns the numbers of an array with one axis. Fails for other arrays.
    pub fn list(self, name: &str) -> Result<AnyArray<'a>> {
        if self.shape.len() != 1 {
            return Err(FileError::ArrayShape { array: name.into(), found: self.shape, expected: "one axis".into() });
        }
        self.values(name)
    }

    /// Returns the array as a tensor that stores all elements. Fails for texts, and for more axes than a tensor can have.
    pub fn tensor(self, name: &str) -> Result<AnyTensor<'a>> {
        let mut order: Vec<usize> = (0..self.shape.len()).collect();
        if self.fortran {
            order.reverse();
        }
        let shape = self.shape.clone();
        AnyTensor::dense(&shape, &order, self.values(name)?)
    }
}
