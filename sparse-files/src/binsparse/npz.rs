//! Binsparse in archives of NumPy arrays. One of the arrays is the descriptor.

use super::{Encoded, decode_within};
use crate::error::{FileError, Result};
use crate::npz::{Archive, ArchiveWriter};
use crate::value::AnyTensor;
use std::io::{Seek, Write};

/// Reads the descriptor of an archive. Fails if there is none.
///
/// ```
/// use sparse_files::{FileKind, WriteOptions, binsparse, npz::Archive, tns, write_to};
/// let mut file = std::io::Cursor::new(Vec::new());
/// write_to(&mut file, &tns::read(b"1 2 0.5\n", None)?, FileKind::Npz, &WriteOptions::default())?;
/// let descriptor = binsparse::npz_descriptor(&mut Archive::open(file.get_ref())?)?;
/// assert!(descriptor.contains(r#""number_of_stored_values": 1"#), "{descriptor}");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn descriptor(archive: &mut Archive<'_>) -> Result<String> {
    archive.need("binsparse", 1)?.text("binsparse").map(str::to_owned)
}

/// Reads the tensor of an archive. Fails if there is no descriptor, or as `binsparse::decode` does.
///
/// ```
/// use sparse_files::npz::{Archive, ArchiveWriter};
/// use sparse_files::{AnyArray, binsparse};
/// let mut archive = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), false);
/// let descriptor = r#"{ "binsparse": {
///     "version": "0.1", "format": "CVEC", "shape": [5], "number_of_stored_values": 2,
///     "data_types": { "indices_0": "uint8", "values": "int64" }
/// } }"#;
/// archive.put_text("binsparse", descriptor)?;
/// archive.put_list("indices_0", &AnyArray::from_values(vec![1u8, 4]))?;
/// archive.put_list("values", &AnyArray::from_values(vec![7i64, -3]))?;
/// let file = archive.finish()?.into_inner();
/// let a = binsparse::read_npz(&mut Archive::open(&file)?)?;
/// assert_eq!(a.typed::<i64>().expect("int64")?.at(&[4]), Some(&-3));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read(archive: &mut Archive<'_>) -> Result<AnyTensor<'static>> {
    let descriptor = descriptor(archive)?;
    decode_within(&descriptor, &mut |name, most| archive.get(name, most)?.map(|array| array.list(name)).transpose())
}

/// Writes a tensor to an archive. Fails if the output fails.
///
/// ```
/// use sparse_files::npz::{Archive, ArchiveWriter};
/// use sparse_files::{binsparse, tns};
/// let a = tns::read(b"1 2 3 0.5\n2 1 1 4\n", None)?;
/// let mut archive = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), true);
/// binsparse::write_npz(&mut archive, &binsparse::encode(&a, binsparse::VERSION)?)?;
/// let file = archive.finish()?.into_inner();
/// assert_eq!(binsparse::read_npz(&mut Archive::open(&file)?)?, a);
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write<W: Write + Seek>(out: &mut ArchiveWriter<W>, encoded: &Encoded<'_>) -> Result<()> {
    let text = serde_json::to_string_pretty(&encoded.descriptor).map_err(|error| FileError::System { message: error.to_string() })?;
    out.put_text("binsparse", &text)?;
    encoded.arrays.iter().try_for_each(|(name, array)| out.put_list(name, array))
}
