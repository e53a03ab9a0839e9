//! Writes tensors as Zarr groups, whose attribute `binsparse` is the descriptor.

use super::{DESCRIPTOR, Encoded};
use crate::error::Result;
use crate::location::names_of;
use crate::zarr::{GroupWriter, StoreWriter};

/// Writes a tensor as a group or as the root of a store. The arrays are compressed if `compressed`.
///
/// Fails for a path of more than 64 names or with a name of only dots, and if the store fails.
///
/// ```
/// use sparse_files::zarr::{ZipStore, ZipStoreWriter};
/// use sparse_files::{binsparse, hierarchy, matrix_market};
/// let a = matrix_market::read(b"%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 0.5\n")?;
/// let mut store = ZipStoreWriter::new(std::io::Cursor::new(Vec::new()));
/// binsparse::write_zarr(&mut store, &binsparse::encode(&a, binsparse::VERSION)?, Some("layers/raw"), false)?;
/// let file = store.finish()?.into_inner();
/// let (b, location) = hierarchy::read_zarr(&ZipStore::open(&file)?, None)?;
/// assert_eq!((b, &location.path[..]), (a, "layers/raw"));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write(store: &mut dyn StoreWriter, encoded: &Encoded<'_>, group: Option<&str>, compressed: bool) -> Result<()> {
    names_of(group.unwrap_or_default())?;
    let attributes = serde_json::json!({ DESCRIPTOR: encoded.descriptor });
    let mut group = GroupWriter::new(store, group, attributes, compressed)?;
    encoded.arrays.iter().try_for_each(|(name, array)| group.put(name, array))
}
