//! Decodes descriptors and arrays to tensors.

use crate::ElementType;
#[cfg(any(feature = "hdf5", feature = "zarr"))]
use crate::compressed::rebased;
use crate::error::{FileError, Result};
#[cfg(any(feature = "hdf5", feature = "zarr"))]
use crate::row_slice::RowSlice;
use crate::size_limits::coordinates;
use crate::value::{AnyArray, AnyTensor, AnyValues};
use serde_json::Value;
use sparse_formats::binsparse::{DataType, Header, ScalarType};
use sparse_formats::{CustomArrays, CustomLevel, InterchangeError, Values};
#[cfg(any(feature = "hdf5", feature = "zarr"))]
use std::ops::Range;
use std::sync::Arc;

/// Decodes the tensor of a descriptor. `array` returns the array with the given name, or `None` if there is none.
///
/// Arrays without elements may be missing. The structure of a symmetric matrix, and keys without a meaning here,
/// become attributes. An attribute is JSON, except that a text is kept as it is unless it could be taken for JSON.
///
/// Fails if `array` fails, if the descriptor or an array is invalid, or if arrays are missing or do not fit together.
///
/// ```
/// use sparse_files::{AnyArray, binsparse};
/// use std::collections::HashMap;
/// let descriptor = r#"{ "binsparse": {
///     "version": "0.1", "format": "CSR", "shape": [2, 3], "number_of_stored_values": 2,
///     "data_types": { "pointers_to_1": "uint8", "indices_1": "uint8", "values": "float32" }
/// } }"#;
/// let mut arrays = HashMap::from([
///     ("pointers_to_1", AnyArray::from_values(vec![0u8, 1, 2])),
///     ("indices_1", AnyArray::from_values(vec![2u8, 0])),
///     ("values", AnyArray::from_values(vec![0.5f32, 4.0])),
/// ]);
/// let a = binsparse::decode(descriptor, &mut |name| Ok(arrays.remove(name)))?;
/// assert_eq!(a.typed::<f32>().expect("float32")?.at(&[0, 2]), Some(&0.5));
/// let error = binsparse::decode(descriptor, &mut |_| Ok(None)).unwrap_err();
/// assert_eq!(error.to_string(), "pointers_to_1 is missing");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn decode<'a>(descriptor: &str, array: &mut dyn FnMut(&str) -> Result<Option<AnyArray<'a>>>) -> Result<AnyTensor<'a>> {
    decode_within(descriptor, &mut |name, _| array(name))
}

/// Decodes a tensor like [`decode`], and fails as it does. Passes the maximum number of values of each array to `array`. A
/// level has at most one entry for each coordinate of its axes and the axes before them.
pub(crate) fn decode_within<'a>(
    descriptor: &str,
    array: &mut dyn FnMut(&str, u64) -> Result<Option<AnyArray<'a>>>,
) -> Result<AnyTensor<'a>> {
    decode_header(Header::parse(descriptor)?, array)
}

/// A function that reads a range of the array of this name, or all of it, or returns `None` if there is none. Its last argument is the
/// largest number of values that the tensor can need.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) type RangeArray<'f, 'a> = dyn FnMut(&str, Option<Range<u64>>, u64) -> Result<Option<AnyArray<'a>>> + 'f;

/// Decodes the rows of a tensor, and fails as [`decode`] does. If the tensor is a matrix with compressed rows, reads only the pointers,
/// indices and values of these rows; otherwise slices the decoded tensor.
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) fn decode_rows(descriptor: &str, rows: RowSlice, array: &mut RangeArray<'_, 'static>) -> Result<AnyTensor<'static>> {
    let mut header = Header::parse(descriptor)?;
    let compressed = matches!(header.custom.levels(), [CustomLevel::Dense(1), CustomLevel::Sparse(1)]);
    if !compressed || header.custom.transpose() != [0, 1] || header.structure.is_some() {
        return decode_header(header, &mut |name, most| array(name, None, most))?.rows(rows);
    }
    let range = rows.of(header.shape[0]);
    let count = range.end - range.start;
    let pointers = array("pointers_to_1", Some(range.start..range.end.saturating_add(1)), count.saturating_add(1))?;
    let pointers = index_array(&header, "pointers_to_1", pointers)?;
    let (pointers, inside) = rebased(&pointers, header.index_base.into());
    header.shape[0] = count;
    header.stored = inside.end - inside.start;
    header.data_types.insert("pointers_to_1".into(), DataType { iso: false, complex: false, scalar: ScalarType::Uint(64) });
    let iso = header.data_type("values").is_ok_and(|of| of.iso);
    let mut pointers = Some(AnyArray::from_values(pointers.iter().collect::<Vec<u64>>()));
    decode_header(header, &mut |name, most| match name {
        "pointers_to_1" => Ok(pointers.take()),
        "indices_1" => array(name, Some(inside.clone()), most),
        "values" if !iso => array(name, Some(inside.clone()), most),
        name => array(name, None, most),
    })
}

fn decode_header<'a>(header: Header, array: &mut dyn FnMut(&str, u64) -> Result<Option<AnyArray<'a>>>) -> Result<AnyTensor<'a>> {
    let axes = header.shape.len();
    let mut arrays = CustomArrays { pointers_to: vec![None; axes], indices: vec![None; axes] };
    let mut indices = |name: String, most: u64| index_array(&header, &name, array(&name, most)?).map(Some);
    let extents: Vec<u64> = header.custom.transpose().iter().map(|axis| header.shape[*axis]).collect();
    let mut axis = 0;
    for level in header.custom.levels() {
        if let CustomLevel::Sparse(rank) = level {
            if axis > 0 {
                arrays.pointers_to[axis] = indices(format!("pointers_to_{axis}"), coordinates(&extents[..axis]).saturating_add(1))?;
            }
            for number in axis..axis + rank {
                arrays.indices[number] = indices(format!("indices_{number}"), coordinates(&extents[..axis + rank]))?;
            }
        }
        axis += level.rank();
    }
    let iso = header.data_type("values").is_ok_and(|of| of.iso);
    let most = if iso { 1 } else { coordinates(&extents).min(header.stored) };
    let (values, of) = value_array(&header, "values", array("values", numbers(&header, "values", most))?)?;
    match values.len() as u64 {
        1 if of.iso => {}
        found if of.iso => return Err(FileError::Iso { found }),
        found if found != header.stored => return Err(FileError::Stored { found, said: header.stored }),
        _ => {}
    }
    let fill = match header.fill {
        true => Some(value_array(&header, "fill_value", array("fill_value", numbers(&header, "fill_value", 1))?)?.0),
        false => None,
    };
    // Some writers declare a value type for absent values that disagrees with the fill value.
    let values = match &fill {
        Some(fill) if values.is_empty() => AnyArray::from_bytes("values", fill.element(), Vec::new().into(), false)?,
        _ => values,
    };
    let element = values.element();
    let values = if of.iso { AnyValues::Iso(values) } else { AnyValues::Each(values) };
    let tensor = header.tensor(arrays, Values::PatternOnly, ()).map_err(|rejected| FileError::Arrays { error: rejected.error })?;
    let mut attributes = tensor.attributes().clone();
    attributes.user.extend(header.other.iter().map(|(key, value)| (key.clone(), text(value))));
    let pattern: Arc<_> = tensor.shared_pattern();
    drop(tensor);
    let tensor = AnyTensor::of_pattern(pattern, values, None, element)?;
    let tensor = match fill {
        Some(fill) => tensor.with_fill(&fill)?,
        None => tensor,
    };
    tensor.with_attributes(attributes)
}

/// Returns how many numbers the array `name` stores for `values` values: two for each if the descriptor says that they are
/// complex.
fn numbers(header: &Header, name: &str, values: u64) -> u64 {
    let complex = header.data_type(name).is_ok_and(|of| of.complex);
    if complex { values.saturating_mul(2) } else { values }
}

/// Returns an array, its declared element type, and the declaration itself. If nothing is stored, missing indices and values
/// are returned as an empty array. Fails for any other missing array.
fn present<'a>(header: &Header, name: &str, array: Option<AnyArray<'a>>) -> Result<(AnyArray<'a>, ElementType, DataType)> {
    let missing = || InterchangeError::MissingArray { array: name.into() };
    let may_lack = header.stored == 0 && !name.starts_with("pointers") && name != "fill_value";
    if array.is_none() && !may_lack {
        return Err(missing().into());
    }
    let of = header.data_type(name)?;
    // Every type that a descriptor can declare is an element type.
    let element = ElementType::of(of).ok_or_else(missing)?;
    let array = array.map_or_else(|| AnyArray::from_bytes(name, element, Vec::new().into(), false), Ok)?;
    Ok((array, element, of))
}

/// Returns coordinates or positions. They have the width of the stored numbers, whatever width the descriptor declares. Fails
/// if the array is missing, or if its numbers are no indices.
fn index_array<'a>(header: &Header, name: &str, array: Option<AnyArray<'a>>) -> Result<sparse_formats::Indices<'a>> {
    let (array, element, of) = present(header, name, array)?;
    if !array.is_empty() && !matches!(of.scalar, ScalarType::Uint(_) | ScalarType::Int(_) if !of.complex && !of.iso) {
        return Err(FileError::IndexType { array: name.into(), found: element });
    }
    array.into_indices(name)
}

/// Returns values of the type that the descriptor declares, and that type. Pairs of numbers become complex, bytes become bools.
/// Fails if the array is missing or of another type.
fn value_array<'a>(header: &Header, name: &str, array: Option<AnyArray<'a>>) -> Result<(AnyArray<'a>, DataType)> {
    let (array, element, of) = present(header, name, array)?;
    if array.element() == element {
        return Ok((array, of));
    }
    let pairs = ElementType::of(DataType { complex: false, iso: false, ..of });
    let byte = matches!(array.element(), ElementType::U8 | ElementType::I8);
    if of.complex && pairs == Some(array.element()) || element == ElementType::Bool && byte {
        return Ok((array.reinterpreted(name, element)?, of));
    }
    Err(FileError::ArrayType { array: name.into(), found: array.element(), expected: element })
}

/// Converts a JSON value to an attribute: its JSON, except that a text which is no JSON itself stays as it is.
fn text(value: &Value) -> String {
    match value.as_str() {
        Some(text) if serde_json::from_str::<Value>(text).is_err() => text.to_owned(),
        _ => value.to_string(),
    }
}

/// Converts an attribute to a JSON value: the parsed JSON, or a text if the attribute is no JSON.
pub(super) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
