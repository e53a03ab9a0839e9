//! Groups of Zarr, whose attribute `binsparse` is the descriptor.

use super::{DESCRIPTOR, Encoded, decode_within};
use crate::error::{FileError, Result};
use crate::value::AnyTensor;
use crate::zarr::{Group, GroupWriter, Store, StoreWriter};

/// The tensor of a group, or of the root, of a store.
pub fn read(store: &dyn Store, group: Option<&str>) -> Result<AnyTensor<'static>> {
    let group = Group::open(store, group)?;
    decode_within(&text(&group)?, &mut |name, most| group.array(name, most))
}

/// The descriptor of a group, or of the root, of a store.
pub fn descriptor(store: &dyn Store, group: Option<&str>) -> Result<String> {
    text(&Group::open(store, group)?)
}

fn text(group: &Group<'_>) -> Result<String> {
    match group.attribute(DESCRIPTOR) {
        Some(descriptor) => Ok(descriptor.to_string()),
        None => Err(FileError::NoTensor { groups: group.groups()? }),
    }
}

/// Writes a tensor as a group, or as the root, of a store, its arrays compressed or as they are.
pub fn write(store: &mut dyn StoreWriter, encoded: &Encoded<'_>, group: Option<&str>, compressed: bool) -> Result<()> {
    let attributes = serde_json::json!({ DESCRIPTOR: encoded.descriptor });
    let mut group = GroupWriter::new(store, group, attributes, compressed)?;
    encoded.arrays.iter().try_for_each(|(name, array)| group.put(name, array))
}
