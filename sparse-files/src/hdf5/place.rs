//! The places of arrays in an HDF5 file, for programs that read parts of them.

use super::datatype::encoding;
use super::{HDF5, damaged, walk, whole};
use crate::error::Result;
use crate::isolate::isolated_deep;
use crate::npy::{NpyHeader, type_name};
use hdf5_pure::{Dataset, Layout};
use std::path::Path;

/// The most groups of a file.
const MOST_GROUPS: usize = 1 << 16;

/// Returns the arrays of numbers of an HDF5 file, those of its groups too: the path of each, and its place in the words of a `.npy`
/// header.
///
/// # Errors
/// Fails if the file is damaged, or if an array is not contiguous: in chunks, compressed, or within a header.
pub fn array_places(path: &Path) -> Result<Vec<(String, NpyHeader)>> {
    isolated_deep(HDF5, || {
        let file = whole(hdf5_pure::File::open_streaming(path).map_err(damaged)?)?;
        let mut places = Vec::new();
        walk::datasets(&file.root(), MOST_GROUPS, &mut |path, group, name| {
            places.push((path.into(), place(&group.dataset(name).map_err(damaged)?, path, file.file_size())?));
            Ok(())
        })?;
        Ok(places)
    })
}

fn place(dataset: &Dataset, name: &str, length: u64) -> Result<NpyHeader> {
    let (encoding, big_endian) = encoding(&dataset.datatype().map_err(damaged)?, name)?;
    let shape = dataset.shape().map_err(damaged)?;
    let bytes = shape.iter().try_fold(encoding.size() as u64, |bytes, extent| bytes.checked_mul(*extent));
    let data_offset = match dataset.layout().map_err(damaged)? {
        _ if bytes == Some(0) => 0,
        Layout::Contiguous { address: Some(address), size } => {
            contiguous(name, &shape, bytes, address, size, length)?;
            address
        }
        Layout::Contiguous { address: None, .. } => return Err(damaged(format_args!("the elements of {name} were never written"))),
        _ => return Err(damaged(format_args!("{name} is not contiguous: `h5repack -l CONTI -f NONE` makes it so"))),
    };
    let type_name = type_name(encoding, big_endian);
    Ok(NpyHeader { type_name, element_bytes: encoding.size(), fortran_order: false, shape, data_offset })
}

/// Checks that the `size` bytes from `address` on are in a file of `length` bytes and are the `bytes` of a shape.
pub(super) fn contiguous(name: &str, shape: &[u64], bytes: Option<u64>, address: u64, size: u64, length: u64) -> Result<()> {
    match address.checked_add(size).filter(|end| *end <= length && bytes == Some(size)) {
        Some(_) => Ok(()),
        None => Err(damaged(format_args!("{name} has {size} bytes at {address}, which are not those of the shape {shape:?}"))),
    }
}
