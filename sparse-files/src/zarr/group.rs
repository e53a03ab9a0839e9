//! Reads and writes Zarr groups: their attributes, arrays and inner groups.

use super::array::{Array, whole, written};
use super::codec::Codec;
use super::store::{Store, StoreWriter, damaged};
use crate::error::{FileError, Result};
use crate::tree::{Rows, ShapedArray, Tree, cut};
use crate::value::AnyArray;
use serde_json::{Value, json};
use sparse_formats::binsparse::parse_json;
use std::borrow::Cow;

/// The file with the metadata of a group or an array in version 3.
pub(super) const METADATA: &str = "zarr.json";
/// The files with metadata in version 2.
pub(super) const GROUP_2: &str = ".zgroup";
pub(super) const ATTRIBUTES_2: &str = ".zattrs";
pub(super) const ARRAY_2: &str = ".zarray";

/// The maximum number of bytes of a file of metadata.
const MOST_METADATA: u64 = 1 << 24;

/// Returns the bytes of a file of metadata, or `None` if there is no such file. Fails if it is longer than any metadata can be.
pub(super) fn metadata<'a>(store: &'a dyn Store, key: &str) -> Result<Option<Cow<'a, [u8]>>> {
    match store.get(key, MOST_METADATA)? {
        Some(bytes) if bytes.len() as u64 > MOST_METADATA => {
            Err(damaged(format_args!("{key} is longer than {MOST_METADATA} bytes, the maximum for metadata")))
        }
        bytes => Ok(bytes),
    }
}

/// Reads the JSON of a file, with sorted keys, or returns `None` if there is no such file. Fails if the file is no JSON, or if
/// an object has a key twice.
pub(super) fn json_of(store: &dyn Store, key: &str) -> Result<Option<Value>> {
    let Some(bytes) = metadata(store, key)? else { return Ok(None) };
    let text = std::str::from_utf8(&bytes).map_err(damaged)?;
    Ok(Some(parse_json(text)?))
}

/// Returns the path of a group without empty names. It ends with a slash unless it is the root.
///
/// Fails for names of only dots, which Zarr does not allow and folders would resolve to other folders.
pub(super) fn inside(path: Option<&str>) -> Result<String> {
    let names = path.into_iter().flat_map(|path| path.split('/')).filter(|name| !name.is_empty());
    let dots = |name: &str| name.bytes().all(|byte| byte == b'.');
    names
        .map(|name| {
            if dots(name) {
                Err(FileError::NoPlace { what: format!("a group of the name `{name}`"), kind: "Zarr" })
            } else {
                Ok(format!("{name}/"))
            }
        })
        .collect()
}

/// A group, opened for reading.
///
/// ```
/// use sparse_files::AnyArray;
/// use sparse_files::zarr::{GroupReader, GroupWriter, ZipStore, ZipStoreWriter};
/// let mut out = ZipStoreWriter::new(std::io::Cursor::new(Vec::new()));
/// GroupWriter::new(&mut out, Some("run/7"), serde_json::json!({ "unit": "mm" }), false)?
///     .put("heights", &AnyArray::from_values(vec![1.5, 2.5]))?;
/// let file = out.finish()?.into_inner();
///
/// let store = ZipStore::open(&file)?;
/// assert!(GroupReader::is_in(&store)?);
/// let group = GroupReader::open(&store, Some("run/7"))?;
/// assert_eq!(group.attribute("unit"), Some(&"mm".into()));
/// assert_eq!(group.array("heights", 100)?, Some(AnyArray::from_values(vec![1.5, 2.5])));
/// assert_eq!(group.array("widths", 100)?, None);
/// assert_eq!(GroupReader::open(&store, Some("run/8")).map(|_| ()).map_err(|error| error.class()), Err("array/missing"));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub struct GroupReader<'s> {
    store: &'s dyn Store,
    path: String,
    attributes: Value,
}

impl<'s> GroupReader<'s> {
    /// Tests whether the root of a store is a group. Fails if the store cannot be read.
    pub fn is_in(store: &dyn Store) -> Result<bool> {
        Ok(store.get(METADATA, 0)?.is_some() || store.get(GROUP_2, 0)?.is_some())
    }

    /// Opens the group at a path in a store, or the root if there is no path. Fails if there is no group, or if its metadata is
    /// damaged.
    pub fn open(store: &'s dyn Store, path: Option<&str>) -> Result<GroupReader<'s>> {
        let path = inside(path)?;
        match GroupReader::found(store, &path)? {
            Some(group) => Ok(group),
            None => Err(FileError::Missing { array: format!("`{path}{METADATA}`, the metadata of the group,") }),
        }
    }

    /// Opens the group of this path, which ends with a slash unless it is the root. Returns `None` if there is no group. Fails
    /// if the metadata is damaged.
    fn found(store: &'s dyn Store, path: &str) -> Result<Option<GroupReader<'s>>> {
        let attributes = match json_of(store, &format!("{path}{METADATA}"))? {
            Some(mut about) if about["node_type"] == "group" => about["attributes"].take(),
            Some(about) if about["node_type"] == "array" => return Ok(None),
            Some(about) => {
                return Err(damaged(format_args!("{path}{METADATA} has the node_type {} instead of \"group\"", about["node_type"])));
            }
            None if store.get(&format!("{path}{GROUP_2}"), 0)?.is_some() => {
                json_of(store, &format!("{path}{ATTRIBUTES_2}"))?.unwrap_or_default()
            }
            None => return Ok(None),
        };
        Ok(Some(GroupReader { store, path: path.into(), attributes }))
    }

    /// Returns the array of this name, and its metadata. Returns `None` if there is none. Fails if the array cannot be read.
    pub(super) fn known_array<'n>(&self, name: &'n str) -> Result<Option<(Array<'n>, Value)>> {
        let path = format!("{}{name}", self.path);
        if let Some(about) = json_of(self.store, &format!("{path}/{METADATA}"))? {
            return Ok(Some((Array::of_version_3(name, &path, &about)?, about)));
        }
        let about = json_of(self.store, &format!("{path}/{ARRAY_2}"))?;
        about.map(|about| Ok((Array::of_version_2(name, &path, &about)?, about))).transpose()
    }

    /// Iterates over the names of the attributes of the group.
    pub(super) fn attributes(&self) -> impl Iterator<Item = &str> {
        self.attributes.as_object().into_iter().flat_map(|attributes| attributes.keys().map(String::as_str))
    }

    /// Returns the attribute of this name, or `None` if the group has none.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.get(name)
    }

    /// Reads the values of the array of this name, or returns `None` if there is none. Fails if the array is damaged, or has
    /// more than one axis.
    ///
    /// `most` is the largest number of values that can be needed. Fails before unpacking if the array has more, unless they
    /// take at most ten times the bytes of the store.
    pub fn array(&self, name: &str, most: u64) -> Result<Option<AnyArray<'static>>> {
        self.list(name, None, most)
    }
}

impl Tree for GroupReader<'_> {
    fn text(&self, attribute: &str) -> Option<String> {
        let value = self.attribute(attribute)?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    fn numbers(&self, attribute: &str) -> Option<Vec<u64>> {
        self.attribute(attribute)?.as_array()?.iter().map(Value::as_u64).collect()
    }

    fn has_array(&self, name: &str) -> Result<bool> {
        let path = inside(Some(&format!("{}{name}", self.path)))?;
        let about = json_of(self.store, &format!("{path}{METADATA}"))?;
        Ok(about.is_some_and(|about| about["node_type"] == "array") || self.store.get(&format!("{path}{ARRAY_2}"), 0)?.is_some())
    }

    fn array(&self, name: &str, rows: Option<Rows<'_>>, most: &dyn Fn(&[u64]) -> Result<u64>) -> Result<Option<ShapedArray>> {
        let path = format!("{}{name}", self.path);
        let Some((array, _)) = self.known_array(name)? else { return Ok(None) };
        let mut shape = array.shape().to_vec();
        let needed = most(&shape)?;
        let rows = cut(&mut shape, rows);
        Ok(Some((shape, array.read(self.store, &path, needed, rows)?)))
    }

    fn groups(&self) -> Result<Vec<String>> {
        let mut names = self.store.names(&self.path)?;
        names.retain(|name| matches!(GroupReader::found(self.store, &format!("{}{name}/", self.path)), Ok(Some(_))));
        Ok(names)
    }

    fn group(&self, name: &str) -> Result<Option<Self>> {
        GroupReader::found(self.store, &inside(Some(&format!("{}{name}", self.path)))?)
    }
}

/// A group of version 3, opened for writing.
///
/// ```
/// use sparse_files::zarr::{FolderStore, GroupWriter};
/// use sparse_files::{AnyArray, ReadOptions};
/// # let folder = std::env::temp_dir().join(format!("sparse-files-group-{}", std::process::id()));
/// // A matrix in the convention of AnnData, which this crate reads but does not write.
/// let attributes = serde_json::json!({ "encoding-type": "csr_matrix", "shape": [2, 3] });
/// let mut store = FolderStore::new(&folder);
/// let mut group = GroupWriter::new(&mut store, Some("X"), attributes, true)?;
/// group.put("indptr", &AnyArray::from_values(vec![0i32, 1, 2]))?;
/// group.put("indices", &AnyArray::from_values(vec![2i32, 0]))?;
/// group.put("data", &AnyArray::from_values(vec![0.5f32, 4.0]))?;
/// let (a, _) = sparse_files::read(&folder, &ReadOptions::default())?;
/// assert_eq!(a.typed::<f32>().expect("float32")?.at(&[0, 2]), Some(&0.5));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GroupWriter<'s> {
    store: &'s mut dyn StoreWriter,
    path: String,
    compressed: bool,
}

impl<'s> GroupWriter<'s> {
    /// Creates the group at a path, or the root, with these attributes. Its arrays are compressed by Zstandard if `compressed`.
    /// Fails if the store fails, or for a name of only dots.
    pub fn new(store: &'s mut dyn StoreWriter, path: Option<&str>, attributes: Value, compressed: bool) -> Result<GroupWriter<'s>> {
        let path = inside(path)?;
        // Create each enclosing group.
        for outer in [0].into_iter().chain(path.match_indices('/').map(|(at, _)| at + 1)).filter(|end| *end < path.len()) {
            put(store, &format!("{}{METADATA}", &path[..outer]), group(json!({})))?;
        }
        put(store, &format!("{path}{METADATA}"), group(attributes))?;
        Ok(GroupWriter { store, path, compressed })
    }

    /// Adds an array of one axis. Fails if the store fails.
    pub fn put(&mut self, name: &str, values: &AnyArray<'_>) -> Result<()> {
        let path = format!("{}{name}", self.path);
        let (about, chunks) = written(values, self.compressed);
        put(self.store, &format!("{path}/{METADATA}"), about)?;
        for (end, bytes) in chunks {
            self.store.put(&format!("{path}/{end}"), &Codec::packed(self.compressed, &whole(bytes, values))?)?;
        }
        Ok(())
    }
}

fn group(attributes: Value) -> Value {
    json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes })
}

fn put(store: &mut dyn StoreWriter, key: &str, mut about: Value) -> Result<()> {
    about.sort_all_objects();
    store.put(key, format!("{about:#}").as_bytes())
}
