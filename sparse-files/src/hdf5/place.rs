//! The places of arrays in an HDF5 file, for programs that read parts of them.

use super::datatype::encoding;
use super::{HDF5, damaged, whole};
use crate::error::Result;
use crate::isolate::isolated_deep;
use crate::npy::{NpyHeader, type_name};
use hdf5_pure::{Dataset, Group, Layout};
use std::path::Path;

/// Returns the arrays of numbers of an HDF5 file, those of its groups too: the path of each, and its place in the words of a `.npy`
/// header.
///
/// # Errors
/// Fails if the file is damaged, or if an array is not contiguous: in chunks, compressed, or within a header.
pub fn array_places(path: &Path) -> Result<Vec<(String, NpyHeader)>> {
    isolated_deep(HDF5, || {
        let file = whole(hdf5_pure::File::open_streaming(path).map_err(damaged)?)?;
        let mut places = Vec::new();
        list(&file.root(), "", file.file_size(), 0, &mut places)?;
        Ok(places)
    })
}

/// The most groups in each other. A file may have a group that contains itself.
const MOST_DEPTH: usize = 64;

fn list(group: &Group, path: &str, length: u64, depth: usize, places: &mut Vec<(String, NpyHeader)>) -> Result<()> {
    if depth > MOST_DEPTH {
        return Err(damaged(format_args!("more than {MOST_DEPTH} groups are within each other: {path}")));
    }
    for name in group.datasets().map_err(damaged)? {
        let array = format!("{path}{name}");
        places.push((array.clone(), place(&group.dataset(&name).map_err(damaged)?, &array, length)?));
    }
    for name in group.groups().map_err(damaged)? {
        list(&group.group(&name).map_err(damaged)?, &format!("{path}{name}/"), length, depth + 1, places)?;
    }
    Ok(())
}

fn place(dataset: &Dataset, name: &str, length: u64) -> Result<NpyHeader> {
    let (encoding, big_endian) = encoding(&dataset.datatype().map_err(damaged)?, name)?;
    let shape = dataset.shape().map_err(damaged)?;
    let bytes = shape.iter().try_fold(encoding.size() as u64, |bytes, extent| bytes.checked_mul(*extent));
    let data_offset = match dataset.layout().map_err(damaged)? {
        _ if bytes == Some(0) => 0,
        Layout::Contiguous { address: Some(address), size } => {
            let end = address.checked_add(size).filter(|end| *end <= length && bytes == Some(size));
            end.ok_or_else(|| damaged(format_args!("{name} has {size} bytes at {address}, which are not those of the shape {shape:?}")))?;
            address
        }
        Layout::Contiguous { address: None, .. } => return Err(damaged(format_args!("the elements of {name} were never written"))),
        _ => return Err(damaged(format_args!("{name} is not contiguous: `h5repack -l CONTI -f NONE` makes it so"))),
    };
    let type_name = type_name(encoding, big_endian);
    Ok(NpyHeader { type_name, element_bytes: encoding.size(), fortran_order: false, shape, data_offset })
}
