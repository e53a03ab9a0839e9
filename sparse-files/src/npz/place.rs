//! The places of arrays in an archive, for programs that read parts of them.

use crate::error::{FileError, Result};
use crate::isolate::isolated;
use crate::npy::NpyHeader;
use crate::zipped::{ZIP, damaged};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use zip::{CompressionMethod, ZipArchive};

/// Returns the arrays of an `.npz` file that NumPy's `savez` has written: the name and the header of each. The `data_offset` of a header
/// counts from the first byte of the archive. Checksums are not compared, because the elements are not read.
///
/// # Errors
/// Fails if the archive is damaged, if an array is compressed, and if it has another number of bytes than its header says.
///
/// ```
/// use sparse_files::npz::{ArchiveWriter, array_places};
/// use sparse_files::{AnyArray, FileError};
/// # let folder = std::env::temp_dir().join(format!("array_places_{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("heights.npz");
/// for compressed in [false, true] {
///     let mut out = ArchiveWriter::new(std::fs::File::create(&path)?, compressed);
///     out.put_list("heights", &AnyArray::from_values(vec![1.5, 2.5]))?;
///     out.finish()?;
///     match array_places(&path) {
///         Ok(places) => {
///             let (name, header) = &places[0];
///             assert_eq!((name.as_str(), header.type_name.as_str(), compressed), ("heights", "<f8", false));
///             assert_eq!(std::fs::read(&path)?[header.data_offset as usize..][..8], 1.5f64.to_le_bytes());
///         }
///         Err(error) => assert!(compressed && error.to_string().contains("heights.npy is compressed")),
///     }
/// }
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), FileError>(())
/// ```
pub fn array_places(path: &Path) -> Result<Vec<(String, NpyHeader)>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    isolated(ZIP, || {
        let mut zip = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
        (0..zip.len()).filter_map(|index| place(&mut zip, index, length).transpose()).collect()
    })
}

/// Returns the place of a file in the archive, or `None` if it is no array.
fn place(zip: &mut ZipArchive<BufReader<File>>, index: usize, length: u64) -> Result<Option<(String, NpyHeader)>> {
    let mut member = zip.by_index_raw(index).map_err(damaged)?;
    let whole = member.name().map_err(damaged)?.into_owned();
    let Some(name) = whole.strip_suffix(".npy") else { return Ok(None) };
    if member.compression() != CompressionMethod::Stored || member.encrypted() {
        return Err(damaged(format_args!("{whole} is compressed or encrypted: NumPy's `savez` writes arrays that are not")));
    }
    let (start, size) = (member.data_start().unwrap_or(u64::MAX), member.size());
    if start.checked_add(size).is_none_or(|end| end > length) {
        return Err(damaged(format_args!("{whole} has {size} bytes, which end after the {length} bytes of the file")));
    }
    let mut header = NpyHeader::read(name, &mut member)?;
    if header.data_bytes().and_then(|bytes| bytes.checked_add(header.data_offset)) != Some(size) {
        let what = format!("the file has {size} bytes, which are not those of the shape {:?} of type {}", header.shape, header.type_name);
        return Err(FileError::ArrayHeader { array: name.into(), what });
    }
    header.data_offset += start;
    Ok(Some((name.to_owned(), header)))
}
