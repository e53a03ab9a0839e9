//! Writes `.npy` files.

use super::header::{MAGIC, name};
use crate::error::{FileError, Result};
use crate::value::AnyArray;
use std::io::Write;

/// Writes an array as a `.npy` file, the last axis fastest. `shape` has the extents.
///
/// Fails if `out` fails. Also fails, and writes nothing, unless there is one value for each element.
///
/// ```
/// use sparse_files::{AnyArray, npy};
/// let mut file = Vec::new();
/// npy::write(&mut file, &[3], &AnyArray::from_values(vec![1u8, 2, 3]))?;
/// // The numbers begin at a multiple of 64 bytes.
/// assert_eq!((file.len(), &file[128..]), (131, &[1, 2, 3][..]));
/// assert!(file[10..].starts_with(b"{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"));
/// let error = npy::write(&mut file, &[2, 2], &AnyArray::from_values(vec![1u8, 2, 3])).unwrap_err();
/// assert_eq!((error.to_string(), file.len()), ("values has the shape [3]; expected: 4 values for the shape [2, 2]".into(), 131));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write(out: &mut dyn Write, shape: &[u64], values: &AnyArray<'_>) -> Result<()> {
    let elements = shape.iter().map(|extent| u128::from(*extent)).fold(1, u128::saturating_mul);
    if elements != values.len() as u128 {
        let expected = format!("{elements} values for the shape {shape:?}");
        return Err(FileError::ArrayShape { array: "values".into(), found: vec![values.len() as u64], expected });
    }
    header(out, &name(values.element()), shape)?;
    out.write_all(values.bytes())?;
    Ok(())
}

/// Writes an array of one text and no axis as a `.npy` file. Fails if `out` fails.
///
/// ```
/// use sparse_files::npy;
/// let mut file = Vec::new();
/// npy::write_text(&mut file, "csr")?;
/// let array = npy::read("format", &file)?;
/// assert_eq!((array.text("format")?, array.shape.len()), ("csr", 0));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write_text(out: &mut dyn Write, text: &str) -> Result<()> {
    let count = text.chars().count().max(1);
    header(out, &format!("<U{count}"), &[])?;
    let mut bytes: Vec<u8> = text.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect();
    bytes.resize(count * 4, 0);
    out.write_all(&bytes)?;
    Ok(())
}

pub(super) fn header(out: &mut dyn Write, of: &str, shape: &[u64]) -> Result<()> {
    let extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    // A tuple of one element ends with a comma; other tuples need none.
    let extents = if shape.len() == 1 { extents.trim_end() } else { extents.trim_end_matches(", ") };
    let mut text = format!("{{'descr': '{of}', 'fortran_order': False, 'shape': ({extents}), }}");
    // Align the numbers to a multiple of 64 bytes, so that the file can be mapped.
    let long = text.len() + 1 + MAGIC.len() + 4 + 64 > usize::from(u16::MAX);
    let start = MAGIC.len() + if long { 6 } else { 4 };
    let padding = (start + text.len() + 1).next_multiple_of(64) - (start + text.len() + 1);
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    out.write_all(MAGIC)?;
    if long {
        out.write_all(&[2, 0])?;
        out.write_all(&(text.len() as u32).to_le_bytes())?;
    } else {
        out.write_all(&[1, 0])?;
        out.write_all(&(text.len() as u16).to_le_bytes())?;
    }
    out.write_all(text.as_bytes())?;
    Ok(())
}
