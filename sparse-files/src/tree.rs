//! The common interface of HDF5 and Zarr containers: nested groups of attributes and arrays.

use crate::error::{FileError, Result};
use crate::value::AnyArray;

/// A group of a container: attributes, arrays and groups by their names. Methods fail if the container is damaged or cannot be
/// read.
pub(crate) trait Tree: Sized {
    /// Returns an attribute as text, in Zarr also other JSON as its text. Returns `None` if the group has no such text.
    fn text(&self, attribute: &str) -> Option<String>;

    /// Returns an attribute that is a list of unsigned integers, or `None` if the group has none of this name.
    fn numbers(&self, attribute: &str) -> Option<Vec<u64>>;

    /// Tests whether the group has an array of this name.
    fn has_array(&self, name: &str) -> Result<bool>;

    /// Reads the array of this name: its extents and its values, the last axis fastest. Returns `None` if there is none.
    ///
    /// Before any value is unpacked, `most` receives the extents. It returns the largest number of values that can be needed,
    /// or an error if it refuses the extents.
    fn array(&self, name: &str, most: &dyn Fn(&[u64]) -> Result<u64>) -> Result<Option<(Vec<u64>, AnyArray<'static>)>>;

    /// Returns the names of the groups in this one, sorted.
    fn groups(&self) -> Result<Vec<String>>;

    /// Opens the group of this name inside this group. Returns `None` if there is none.
    fn group(&self, name: &str) -> Result<Option<Self>>;

    /// Reads the array of this name, or returns `None` if there is none. Fails if the array has more than one axis. `most` is
    /// the largest number of values that can be needed.
    fn list(&self, name: &str, most: u64) -> Result<Option<AnyArray<'static>>> {
        let one_axis = |shape: &[u64]| match shape.len() {
            0 | 1 => Ok(most),
            _ => Err(FileError::ArrayShape { array: name.into(), found: shape.to_vec(), expected: "one axis".into() }),
        };
        Ok(self.array(name, &one_axis)?.map(|(_, values)| values))
    }

    /// Reads the array of this name as [`list`](Self::list) does. Fails if it is missing.
    fn need(&self, name: &str, most: u64) -> Result<AnyArray<'static>> {
        self.list(name, most)?.ok_or_else(|| FileError::Missing { array: name.into() })
    }
}
