//! Adapts an encoded tensor to the conventions of another descriptor.

use super::Encoded;
use crate::ElementType;
use crate::error::{FileError, Result};
use crate::value::AnyArray;
use serde_json::Value;
use sparse_formats::Indices;
use sparse_formats::binsparse::{DataType, Header, ScalarType};

impl<'a> Encoded<'a> {
    /// Returns the same tensor in the terms of `other`, which is a descriptor or some keys of one. Takes the version, the name
    /// of the format or its levels, and the types of the arrays from `other`.
    ///
    /// A format with other levels is ignored. Indices get the width and the sign that `other` declares. Equal values
    /// become a single one if `other` has one for all elements, and one value is repeated if `other` has one for
    /// each.
    ///
    /// Fails if an index does not fit its type in `other`, or if the values have another type there.
    ///
    /// ```
    /// use sparse_files::{binsparse, matrix_market};
    /// let a = matrix_market::read(b"%%MatrixMarket matrix coordinate real general\n3 2 1\n3 1 0.5\n")?;
    /// let other = serde_json::json!({ "format": "COO", "data_types": { "indices_0": "int64", "values": "iso[float64]" } });
    /// let encoded = binsparse::encode(&a, binsparse::VERSION)?.like(&other)?;
    /// let descriptor = &encoded.descriptor["binsparse"];
    /// assert_eq!((&descriptor["format"], &descriptor["data_types"]["indices_0"]), (&"COO".into(), &"int64".into()));
    /// assert_eq!(descriptor["data_types"]["values"], "iso[float64]");
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn like(mut self, other: &Value) -> Result<Encoded<'a>> {
        let other = other.get("binsparse").unwrap_or(other);
        let own = Header::read(&self.descriptor)?;
        let mut inside = self.descriptor["binsparse"].take();
        for keys in [&["version"][..], &["format", "custom"]] {
            let mut said = inside.clone();
            if let (Some(said), Some(_)) = (said.as_object_mut(), other.get(keys[0])) {
                keys.iter().for_each(|key| drop(said.remove(*key)));
                said.extend(keys.iter().filter_map(|key| Some(((*key).into(), other.get(*key)?.clone()))));
            }
            // The descriptors may differ in levels: one may merge several dense levels into one.
            let same = |said: Header| {
                said.custom.format() == own.custom.format() && said.arrays() == own.arrays() && !said.unsorted.contains(&true)
            };
            if Header::read(&said).is_ok_and(same) {
                inside = said;
            }
        }
        for (name, array) in &mut self.arrays {
            let Some(wanted) = other.get("data_types").and_then(|types| types.get(&name[..])?.as_str()) else { continue };
            let of = own.data_type(name)?;
            let wanted = wanted.parse()?;
            let values = name == "values" || name == "fill_value";
            let made = if values { repeated(name, array, [of, wanted], own.stored) } else { whole(name, array, wanted) };
            let (made, of) = made?;
            *array = made;
            inside["data_types"][&name[..]] = of.to_string().into();
        }
        self.descriptor["binsparse"] = inside;
        self.descriptor.sort_all_objects();
        Ok(self)
    }
}

/// Converts values between one for all `stored` elements and one for each, from type `of` to type `wanted`. Returns the values,
/// unchanged if that is not possible, and their type. Fails if the two types differ in more than this.
fn repeated<'a>(name: &str, values: &AnyArray<'a>, [of, wanted]: [DataType; 2], stored: u64) -> Result<(AnyArray<'a>, DataType)> {
    if (DataType { iso: false, ..of }) != (DataType { iso: false, ..wanted }) {
        let types = [of, wanted].map(ElementType::of);
        let [found, expected] = types.map(|of| of.unwrap_or(values.element()));
        return Err(FileError::ArrayType { array: name.into(), found, expected });
    }
    let size = values.element().size() * if of.complex { 2 } else { 1 };
    let bytes = values.bytes();
    let bytes = match (of.iso, wanted.iso) {
        (false, true) if bytes.chunks(size).is_sorted_by(|a, b| a == b) && !bytes.is_empty() => bytes[..size].to_vec(),
        // A file declares the number of elements, which may exceed the memory.
        (true, false) if stored.checked_mul(size as u64).is_some_and(|bytes| bytes <= MOST_REPEATED) => bytes.repeat(stored as usize),
        _ => return Ok((values.clone(), of)),
    };
    Ok((AnyArray::from_bytes(name, values.element(), bytes.into(), cfg!(target_endian = "big"))?, wanted))
}

/// The largest number of bytes that a repeated value may take.
const MOST_REPEATED: u64 = 1 << 32;

/// Converts indices to the integer type `wanted`, and returns them with it. Fails if an index does not fit, or if `wanted` is
/// no integer type. `name` is the name of the array in errors.
fn whole<'a>(name: &str, numbers: &AnyArray<'a>, wanted: DataType) -> Result<(AnyArray<'a>, DataType)> {
    let wrong = || FileError::IndexType { array: name.into(), found: ElementType::of(wanted).unwrap_or(numbers.element()) };
    let (Some(element), ScalarType::Int(bits) | ScalarType::Uint(bits), false) = (ElementType::of(wanted), wanted.scalar, wanted.iso)
    else {
        return Err(wrong());
    };
    let most = u64::MAX >> (64 - bits + u8::from(matches!(wanted.scalar, ScalarType::Int(_))));
    let numbers: Vec<u64> = numbers.clone().into_indices(name)?.iter().collect();
    if let Some(at) = numbers.iter().position(|number| *number > most) {
        return Err(FileError::ArrayHeader {
            array: name.into(),
            what: format!("its entry {at} is {}, which does not fit the type {element}", numbers[at]),
        });
    }
    let narrowed = match bits {
        8 => Indices::from(numbers.iter().map(|number| *number as u8).collect::<Vec<_>>()),
        16 => Indices::from(numbers.iter().map(|number| *number as u16).collect::<Vec<_>>()),
        32 => Indices::from(numbers.iter().map(|number| *number as u32).collect::<Vec<_>>()),
        _ => Indices::from(numbers),
    };
    Ok((AnyArray::from(narrowed).reinterpreted(name, element)?, wanted))
}
