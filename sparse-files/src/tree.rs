//! The common interface of HDF5 and Zarr containers: nested groups of attributes and arrays.

use crate::error::{FileError, Result};
use crate::value::AnyArray;
use std::ops::Range;

/// The extents of an array and its values, the last axis fastest.
pub(crate) type ShapedArray = (Vec<u64>, AnyArray<'static>);

/// A function from the first extent of an array to the range of it that is read, which is cut at the extent.
pub(crate) type Rows<'r> = &'r dyn Fn(u64) -> Range<u64>;

/// Returns the rows of an array of this shape that are read, all of them without `rows`, and sets its first extent to their number.
pub(crate) fn cut(shape: &mut [u64], rows: Option<Rows<'_>>) -> Range<u64> {
    let Some(first) = shape.first_mut() else { return 0..1 };
    let range = rows.map_or(0..*first, |rows| rows(*first));
    let end = range.end.min(*first);
    let range = range.start.min(end)..end;
    *first = range.end - range.start;
    range
}

/// A group of a container: attributes, arrays and groups by their names. Methods fail if the container is damaged or cannot be
/// read.
pub(crate) trait Tree: Sized {
    /// Returns an attribute as text, in Zarr also other JSON as its text. Returns `None` if the group has no such text.
    fn text(&self, attribute: &str) -> Option<String>;

    /// Returns an attribute that is a list of unsigned integers, or `None` if the group has none of this name.
    fn numbers(&self, attribute: &str) -> Option<Vec<u64>>;

    /// Tests whether the group has an array of this name.
    fn has_array(&self, name: &str) -> Result<bool>;

    /// Reads the array of this name, or a range of its first axis: its extents and its values, the last axis fastest. Returns `None` if
    /// there is none. The first extent is the number of rows that were read. Reads only the chunks that contain them.
    ///
    /// Before any value is unpacked, `most` receives the extents. It returns the largest number of values that can be needed,
    /// or an error if it refuses the extents.
    fn array(&self, name: &str, rows: Option<Rows<'_>>, most: &dyn Fn(&[u64]) -> Result<u64>) -> Result<Option<ShapedArray>>;

    /// Returns the names of the groups in this one, sorted.
    fn groups(&self) -> Result<Vec<String>>;

    /// Opens the group of this name inside this group. Returns `None` if there is none.
    fn group(&self, name: &str) -> Result<Option<Self>>;

    /// Reads the array of this name, or returns `None` if there is none. Fails if the array has more than one axis. `most` is
    /// the largest number of values that can be needed. With `range`, reads only these values, and fails if there are fewer.
    fn list(&self, name: &str, range: Option<Range<u64>>, most: u64) -> Result<Option<AnyArray<'static>>> {
        let one_axis = |shape: &[u64]| match shape.len() {
            0 | 1 => Ok(most),
            _ => Err(FileError::ArrayShape { array: name.into(), found: shape.to_vec(), expected: "one axis".into() }),
        };
        let rows = range.clone().map(|range| move |_: u64| range.clone());
        let read = self.array(name, rows.as_ref().map(|rows| rows as Rows<'_>), &one_axis)?.map(|(_, values)| values);
        match (read, range) {
            (Some(values), Some(range)) if (values.len() as u64) < range.end - range.start => {
                let found = vec![range.start.saturating_add(values.len() as u64)];
                Err(FileError::ArrayShape { array: name.into(), found, expected: format!("at least {} values", range.end) })
            }
            (values, _) => Ok(values),
        }
    }

    /// Reads the array of this name as [`list`](Self::list) does. Fails if it is missing.
    fn need(&self, name: &str, range: Option<Range<u64>>, most: u64) -> Result<AnyArray<'static>> {
        self.list(name, range, most)?.ok_or_else(|| FileError::Missing { array: name.into() })
    }
}
