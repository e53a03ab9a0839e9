//! Groups of HDF5, whose attribute `binsparse` is the descriptor.

use super::{DESCRIPTOR, Encoded, decode_within};
use crate::claim::{self, MOST_EXPANSION, MOST_LEFT_OUT, within};
use crate::element::{ElementType, types};
use crate::error::{FileError, Result};
use crate::isolate::isolated_deep;
use crate::progress::Progress;
use crate::value::{AnyArray, AnyTensor};
use hdf5_pure::{
    AttrValue, Dataset, DatasetBuilder, Datatype, DatatypeByteOrder, FileBuilder, FinishedGroup, FloatingPointLayout, Group, GroupBuilder,
};
use sparse_formats::binsparse::{DataType, Scalar};
use std::borrow::Cow;
use std::io::Write;

/// The bytes of a chunk that are inflated for fewer values.
const MOST_CHUNK: u64 = 1 << 24;
/// The bytes of the address of a chunk.
const ADDRESS: usize = 8;

/// What these files are in messages.
const HDF5: &str = "HDF5";

pub(super) fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::Container { what: HDF5, message: error.to_string() }
}

/// The tensor of a group, or of the root, of the bytes of a file.
///
/// Arrays may be chunked, deflated, shuffled and in either order of bytes; the descriptor is a text of fixed or of variable length.
pub fn read(bytes: Vec<u8>, group: Option<&str>, progress: &Progress) -> Result<AnyTensor<'static>> {
    isolated_deep(HDF5, || tensor(bytes, group, progress))
}

fn tensor(bytes: Vec<u8>, group: Option<&str>, progress: &Progress) -> Result<AnyTensor<'static>> {
    let length = bytes.len() as u64;
    let file = whole(hdf5_pure::File::from_bytes(bytes).map_err(damaged)?)?;
    let group = open(&file, group)?;
    let names = group.datasets().map_err(damaged)?;
    decode_within(&text(&group)?, &mut |name, most| {
        if !names.iter().any(|known| known == name) {
            return Ok(None);
        }
        let array = array(&group, name, length, most, progress)?;
        progress.add(array.bytes().len());
        Ok(Some(array))
    })
}

/// The descriptor of a group, or of the root, of the bytes of a file.
pub fn descriptor(bytes: Vec<u8>, group: Option<&str>) -> Result<String> {
    isolated_deep(HDF5, || text(&open(&whole(hdf5_pure::File::from_bytes(bytes).map_err(damaged)?)?, group)?))
}

/// Refuses a file that ends before the address that its first block gives as its end.
pub(super) fn whole(file: hdf5_pure::File) -> Result<hdf5_pure::File> {
    let (length, end) = (file.file_size(), file.superblock().eof_address);
    if length < end {
        return Err(damaged(format_args!("the file is cut off: it has {length} bytes of {end}")));
    }
    Ok(file)
}

fn open(file: &hdf5_pure::File, group: Option<&str>) -> Result<Group> {
    match group {
        Some(path) => file.group(path).map_err(damaged),
        None => Ok(file.root()),
    }
}

fn text(group: &Group) -> Result<String> {
    let attributes = group.attrs().map_err(damaged)?;
    let descriptor = attributes.get(DESCRIPTOR);
    let descriptor = descriptor.and_then(|value| value.as_str().or_else(|| Some(value.as_strings()?.first()?)));
    match descriptor {
        Some(descriptor) => Ok(descriptor.to_owned()),
        None => {
            let mut groups = group.groups().map_err(damaged)?;
            groups.sort();
            Err(FileError::NoTensor { groups })
        }
    }
}

/// An array of a group, in a file of `length` bytes, of at most `needed` values.
fn array(group: &Group, name: &str, length: u64, needed: u64, progress: &Progress) -> Result<AnyArray<'static>> {
    let dataset: Dataset = group.dataset(name).map_err(damaged)?;
    let shape = dataset.shape().map_err(damaged)?;
    let (element, big_endian) = element(&dataset.datatype().map_err(damaged)?, name)?;
    if shape.len() > 1 {
        return Err(FileError::ArrayShape { array: name.into(), found: shape, expected: "one axis".into() });
    }
    let values = shape.first().copied().unwrap_or(1);
    claim::needed(name, values, element.size(), needed, length)?;
    let bytes = within(name, values, element.size(), most(&dataset, name, [values, length], element.size())?)?;
    progress.expect(bytes);
    let bytes = dataset.read_raw().map_err(damaged)?;
    AnyArray::from_bytes(name, element, Cow::Owned(bytes), big_endian)
}

/// The most bytes that so many values of a dataset can have, in a file of so many.
///
/// Chunks that are not there have the fill value; for these no more is taken than ten times the file.
fn most(dataset: &Dataset, name: &str, [values, length]: [u64; 2], size: usize) -> Result<u64> {
    let Some(shape) = dataset.chunk_shape().map_err(damaged)? else { return Ok(length) };
    // A chunk is inflated whole, and may be longer than the array.
    claim::needed(name, shape.first().copied().unwrap_or(1), size, values.max(MOST_CHUNK / size as u64), length)?;
    // Each chunk has its address in the file.
    let chunks = values.div_ceil(shape.first().copied().unwrap_or(1).max(1));
    within(name, chunks, ADDRESS, length)?;
    // Of one kind of index there is no list: there each byte may be one of a chunk.
    let stored = match dataset.chunks() {
        Ok(chunks) => chunks.iter().fold(0u64, |sum, chunk| sum.saturating_add(chunk.storage_size)).min(length),
        Err(_) => length,
    };
    let expansion = if dataset.filters().is_empty() { 1 } else { MOST_EXPANSION };
    Ok(stored.saturating_mul(expansion).max(length.saturating_mul(MOST_LEFT_OUT)))
}

/// The type of an array, and whether its first byte is the greatest.
fn element(of: &Datatype, name: &str) -> Result<(ElementType, bool)> {
    let unknown =
        || FileError::ArrayHeader { array: name.into(), what: format!("its type is not read; these are: {}", ElementType::names()) };
    let (scalar, order) = match of {
        Datatype::Enumeration { base_type, .. } => return element(base_type, name),
        Datatype::FixedPoint { size, byte_order, layout }
            if layout.bit_offset == 0 && u64::from(layout.bit_precision) == u64::from(*size) * 8 =>
        {
            let bits = u8::try_from(layout.bit_precision).map_err(|_| unknown())?;
            (if layout.signed { Scalar::Int(bits) } else { Scalar::Uint(bits) }, byte_order)
        }
        Datatype::FloatingPoint { size: 4, byte_order, layout } if *layout == FloatingPointLayout::IEEE754_BINARY32 => {
            (Scalar::Float(32), byte_order)
        }
        Datatype::FloatingPoint { size: 8, byte_order, layout } if *layout == FloatingPointLayout::IEEE754_BINARY64 => {
            (Scalar::Float(64), byte_order)
        }
        _ => return Err(unknown()),
    };
    let element = ElementType::of(DataType { scalar, complex: false, iso: false }).ok_or_else(unknown)?;
    match order {
        DatatypeByteOrder::LittleEndian => Ok((element, false)),
        DatatypeByteOrder::BigEndian => Ok((element, true)),
        _ => Err(unknown()),
    }
}

/// Writes a file whose root, or whose group of this path, is a tensor.
pub fn write(out: &mut dyn Write, encoded: &Encoded<'_>, group: Option<&str>) -> Result<()> {
    let descriptor = text_of(encoded)?;
    let mut file = FileBuilder::new();
    let mut path = group.into_iter().flat_map(|path| path.split('/')).filter(|name| !name.is_empty());
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

/// The descriptor of a tensor as an attribute.
pub(super) fn text_of(encoded: &Encoded<'_>) -> Result<AttrValue> {
    let text = serde_json::to_string_pretty(&encoded.descriptor).map_err(|error| FileError::System { message: error.to_string() })?;
    Ok(AttrValue::VarLenString(text))
}

/// The group with the tensor in it, or in the group that the rest of the path names.
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
                // An encoded tensor has numbers alone.
                ElementType::Bool | ElementType::C64 | ElementType::C128 => {}
            }
        };
    }
    with_data! { U8 U16 U32 U64 I8 I16 I32 I64 F32 F64 }
}
