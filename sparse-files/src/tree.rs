//! The common interface of HDF5 and Zarr containers: nested groups of attributes and arrays.

use crate::error::{FileError, Result};
use crate::value::AnyArray;

/// A group of a container: attributes, arrays and groups by their names.
pub(crate) trait Tree: Sized {
    /// Returns an attribute that is a text, or JSON.
    fn text(&self, attribute: &str) -> Option<String>;

    /// Returns an attribute that is a list of whole numbers.
    fn numbers(&self, attribute: &str) -> Option<Vec<u64>>;

    /// Tests whether the group has an array of this name.
    fn has_array(&self, name: &str) -> Result<bool>;

    /// Reads the array of this name, if there is one: its extents and its values, the last axis fastest.
    ///
    /// Before any value is unpacked, `most` receives the extents. It returns the largest number of values that can be
    /// needed, or an error if the extents are not accepted.
    fn array(&self, name: &str, most: &dyn Fn(&[u64]) -> Result<u64>) -> Result<Option<(Vec<u64>, AnyArray<'static>)>>;

    /// Returns the names of the groups in this one, sorted.
    fn groups(&self) -> Result<Vec<String>>;

    /// Opens the group of this name, if there is one in this group.
    fn group(&self, name: &str) -> Result<Option<Self>>;

    /// Reads the array of this name, if there is one. It may have one axis or none, and at most `most` values.
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
