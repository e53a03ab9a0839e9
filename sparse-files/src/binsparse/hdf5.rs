//! Writes tensors as HDF5 groups, whose attribute `binsparse` is the descriptor.

use super::{DESCRIPTOR, Encoded};
use crate::element::{ElementType, types};
use crate::error::{FileError, Result};
use crate::hdf5::damaged;
use crate::location::names_of;
use crate::value::AnyArray;
use hdf5_pure::{AttrValue, DatasetBuilder, FileBuilder, FinishedGroup, GroupBuilder};
use std::io::Write;

/// Writes a new file with a tensor as its root, or as the group at a path.
///
/// Fails for a path of more than 64 names, and if the library or `out` fails.
///
/// ```
/// use sparse_files::{Progress, binsparse, hierarchy, matrix_market};
/// let a = matrix_market::read(b"%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 0.5\n")?;
/// let mut file = Vec::new();
/// binsparse::write_hdf5(&mut file, &binsparse::encode(&a, binsparse::VERSION)?, Some("layers/raw"))?;
/// let (b, location) = hierarchy::read_hdf5(file, None, &Progress::default())?;
/// assert_eq!((b, &location.path[..]), (a, "layers/raw"));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write(out: &mut dyn Write, encoded: &Encoded<'_>, group: Option<&str>) -> Result<()> {
    let descriptor = text_of(encoded)?;
    let mut file = FileBuilder::new();
    let mut path = names_of(group.unwrap_or_default())?.into_iter();
    match path.next() {
        None => {
            file.set_attr(DESCRIPTOR, descriptor);
            encoded.arrays.iter().for_each(|(name, array)| put(file.create_dataset(name), array));
        }
        Some(name) => {
            let group = nested(file.create_group(name), &mut path, encoded, descriptor);
            file.add_group(group);
        }
    }
    file.finish_to(out).map_err(damaged)
}

/// Returns the descriptor of a tensor as an attribute of HDF5. Fails if it cannot be printed as JSON.
pub(super) fn text_of(encoded: &Encoded<'_>) -> Result<AttrValue> {
    let text = serde_json::to_string_pretty(&encoded.descriptor).map_err(|error| FileError::System { message: error.to_string() })?;
    Ok(AttrValue::VarLenString(text))
}

/// Builds a group that contains the tensor, or the nested groups that the rest of `path` names, the innermost with the tensor.
fn nested(mut group: GroupBuilder, path: &mut dyn Iterator<Item = &str>, encoded: &Encoded<'_>, descriptor: AttrValue) -> FinishedGroup {
    match path.next() {
        None => {
            group.set_attr(DESCRIPTOR, descriptor);
            encoded.arrays.iter().for_each(|(name, array)| put(group.create_dataset(name), array));
        }
        Some(name) => {
            let inner = group.create_group(name);
            group.add_group(nested(inner, path, encoded, descriptor));
        }
    }
    group.finish()
}

pub(super) fn put(dataset: &mut DatasetBuilder, array: &AnyArray<'_>) {
    macro_rules! with_data {
        ($($variant:ident)*) => {
            match array.element() {
                $(ElementType::$variant => {
                    dataset.with_data(&array.values::<types::$variant>().unwrap_or_default());
                })*
                // An encoded tensor contains only numbers.
                ElementType::Bool | ElementType::C64 | ElementType::C128 => {}
            }
        };
    }
    with_data! { U8 U16 U32 U64 I8 I16 I32 I64 F32 F64 }
}
