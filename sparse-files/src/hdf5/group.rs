//! Reads groups of an HDF5 file: their attributes, arrays and inner groups.

use super::damaged;
use super::datatype::encoding;
use crate::error::Result;
use crate::progress::Progress;
use crate::size_limits::{self, MOST_CHUNK, MOST_EXPANSION, MOST_LEFT_OUT, coordinates, within};
use crate::tree::{Rows, ShapedArray, Tree, cut};
use hdf5_pure::{AttrValue, Dataset};
use std::borrow::Cow;
use std::collections::HashMap;

/// The number of bytes of the address of a chunk.
const ADDRESS: usize = 8;

/// A group, opened for reading.
pub(crate) struct Group<'p> {
    group: hdf5_pure::Group,
    attributes: HashMap<String, AttrValue>,
    arrays: Vec<String>,
    /// The number of bytes of the file.
    length: u64,
    progress: &'p Progress,
}

impl<'p> Group<'p> {
    /// Opens a group of a file of `length` bytes. Fails if the attributes or the list of arrays are damaged.
    pub fn new(group: hdf5_pure::Group, length: u64, progress: &'p Progress) -> Result<Group<'p>> {
        let attributes = group.attrs().map_err(damaged)?;
        let arrays = group.datasets().map_err(damaged)?;
        Ok(Group { group, attributes, arrays, length, progress })
    }
}

impl Tree for Group<'_> {
    /// Returns the attribute as a text of fixed or variable length, or `None` if the group has no such text.
    fn text(&self, attribute: &str) -> Option<String> {
        let texts = self.attributes.get(attribute)?.as_strings()?;
        texts.first().cloned()
    }

    fn numbers(&self, attribute: &str) -> Option<Vec<u64>> {
        self.attributes.get(attribute)?.to_u64s()
    }

    fn has_array(&self, name: &str) -> Result<bool> {
        Ok(self.arrays.iter().any(|known| known == name))
    }

    /// Reads an array, which may be chunked, deflated, shuffled and in either order of bytes. Returns `None` if there is none.
    /// Fails if it is damaged, of another type, or larger than `most` permits.
    fn array(&self, name: &str, rows: Option<Rows<'_>>, most: &dyn Fn(&[u64]) -> Result<u64>) -> Result<Option<ShapedArray>> {
        if !self.has_array(name)? {
            return Ok(None);
        }
        let dataset = self.group.dataset(name).map_err(damaged)?;
        let (encoding, big_endian) = encoding(&dataset.datatype().map_err(damaged)?, name)?;
        let mut shape = dataset.shape().map_err(damaged)?;
        let needed = most(&shape)?;
        let claimed = stored(&dataset, name, &shape, encoding.size(), self.length)?;
        let rows = cut(&mut shape, rows);
        let values = coordinates(&shape);
        size_limits::needed(name, values, encoding.element().size(), needed, self.length)?;
        let bytes = within(name, values, encoding.size(), claimed)?;
        self.progress.expect(bytes);
        let bytes = dataset.read_raw_rows(rows.start, rows.end - rows.start).map_err(damaged)?;
        self.progress.add(bytes.len());
        let values = encoding.array(name, Cow::Owned(bytes), big_endian)?;
        Ok(Some((shape, values)))
    }

    fn groups(&self) -> Result<Vec<String>> {
        let mut names = self.group.groups().map_err(damaged)?;
        names.sort();
        Ok(names)
    }

    fn group(&self, name: &str) -> Result<Option<Self>> {
        if !self.groups()?.iter().any(|known| known == name) {
            return Ok(None);
        }
        Group::new(self.group.group(name).map_err(damaged)?, self.length, self.progress).map(Some)
    }
}

/// Returns the largest number of bytes that the values of a dataset can have in a file of `length` bytes. The dataset has this
/// shape, and its values have `size` bytes each. Fails if the chunks are too large or too many for the file.
///
/// Missing chunks have the fill value. Because of them, the values may always have ten times the bytes of the file.
fn stored(dataset: &Dataset, name: &str, shape: &[u64], size: usize, length: u64) -> Result<u64> {
    let Some(chunk) = dataset.chunk_shape().map_err(damaged)? else { return Ok(length) };
    // A chunk is inflated whole, and may be longer than the array.
    size_limits::needed(name, coordinates(&chunk), size, coordinates(shape).max(MOST_CHUNK / size as u64), length)?;
    // Each chunk has its address in the file, so the length of the file bounds the number of chunks.
    let chunks: Vec<u64> = shape.iter().zip(&chunk).map(|(extent, chunk)| extent.div_ceil((*chunk).max(1))).collect();
    within(name, coordinates(&chunks), ADDRESS, length)?;
    // The library cannot list one kind of chunk index. Assume then that every byte of the file belongs to a chunk.
    let stored = match dataset.chunks() {
        Ok(chunks) => chunks.iter().fold(0u64, |sum, chunk| sum.saturating_add(chunk.storage_size)).min(length),
        Err(_) => length,
    };
    let expansion = if dataset.filters().is_empty() { 1 } else { MOST_EXPANSION };
    Ok(stored.saturating_mul(expansion).max(length.saturating_mul(MOST_LEFT_OUT)))
}
