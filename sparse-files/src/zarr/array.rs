//! Arrays of one axis, in chunks.

use super::codec::Codec;
use super::store::{Store, damaged};
use crate::ElementType;
use crate::claim::{self, MOST_LEFT_OUT, within};
use crate::error::{FileError, Result};
use crate::text::Field;
use crate::value::{AnyArray, Element};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The values of a chunk that is written.
const CHUNK: usize = 1 << 20;

/// What the metadata of an array says.
pub(super) struct Array<'n> {
    name: &'n str,
    element: ElementType,
    big_endian: bool,
    length: u64,
    chunk: u64,
    codec: Option<Codec>,
    /// The value of what is not stored, as memory has it.
    fill: AnyArray<'static>,
    keys: Keys,
}

/// What the keys of chunks are.
enum Keys {
    /// The key of the only one.
    One(String),
    /// What is before their numbers.
    Numbered(String),
}

impl<'n> Array<'n> {
    /// The array of this name, whose files have keys that begin with `path`, by its metadata of version 2.
    pub fn of_version_2(name: &'n str, path: &str, about: &Value) -> Result<Array<'n>> {
        let wrong = |what: String| FileError::ArrayHeader { array: name.into(), what };
        let dtype = about["dtype"].as_str().unwrap_or_default();
        let (element, big_endian) = crate::npy::numbers(dtype).ok_or_else(|| unread(name, &about["dtype"]))?;
        if about["filters"].as_array().is_some_and(|filters| !filters.is_empty()) {
            return Err(wrong("it has filters".into()));
        }
        let codec = match &about["compressor"] {
            Value::Null => None,
            compressor => Some(Codec::of(compressor["id"].as_str().unwrap_or_default(), name)?),
        };
        let keys = match about["shape"].as_array().map(Vec::len) {
            Some(0) => Keys::One(format!("{path}/0")),
            _ => Keys::Numbered(format!("{path}/")),
        };
        Array { name, element, big_endian, length: 0, chunk: 0, codec, fill: fill(name, element, &about["fill_value"])?, keys }
            .of_shape(&about["shape"], &about["chunks"])
    }

    /// The same by its metadata of version 3.
    pub fn of_version_3(name: &'n str, path: &str, about: &Value) -> Result<Array<'n>> {
        let wrong = |what: String| FileError::ArrayHeader { array: name.into(), what };
        let of = about["data_type"].as_str().and_then(ElementType::from_name);
        let element = of.ok_or_else(|| unread(name, &about["data_type"]))?;
        let codecs = about["codecs"].as_array().map_or(&[][..], Vec::as_slice);
        let (bytes, codec) = match codecs {
            [bytes] => (bytes, None),
            [bytes, codec] => (bytes, Some(Codec::of(codec["name"].as_str().unwrap_or_default(), name)?)),
            _ => return Err(wrong(format!("its {} codecs are more than bytes and one of gzip and zstd", codecs.len()))),
        };
        if bytes["name"] != "bytes" {
            return Err(wrong(format!("its first codec is {}, not bytes", bytes["name"])));
        }
        let encoding = &about["chunk_key_encoding"];
        let scalar = about["shape"].as_array().is_some_and(Vec::is_empty);
        let separator = encoding["configuration"]["separator"].as_str();
        let keys = match (encoding["name"].as_str(), separator, scalar) {
            (Some("default"), _, true) => Keys::One(format!("{path}/c")),
            (Some("default"), None | Some("/"), false) => Keys::Numbered(format!("{path}/c/")),
            (Some("default"), Some("."), false) => Keys::Numbered(format!("{path}/c.")),
            (Some("v2"), _, true) => Keys::One(format!("{path}/0")),
            (Some("v2"), _, false) => Keys::Numbered(format!("{path}/")),
            _ => return Err(wrong(format!("its keys are encoded by {encoding}"))),
        };
        let grid = &about["chunk_grid"];
        if grid["name"] != "regular" {
            return Err(wrong(format!("its chunks are {}, not regular", grid["name"])));
        }
        let big_endian = bytes["configuration"]["endian"] == "big";
        Array { name, element, big_endian, length: 0, chunk: 0, codec, fill: fill(name, element, &about["fill_value"])?, keys }
            .of_shape(&about["shape"], &grid["configuration"]["chunk_shape"])
    }

    fn of_shape(self, shape: &Value, chunks: &Value) -> Result<Array<'n>> {
        let list = |value: &Value| value.as_array().and_then(|list| list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>());
        let wrong = |what: String| FileError::ArrayHeader { array: self.name.into(), what };
        let shape = list(shape).ok_or_else(|| wrong(format!("its shape {shape} is not a list of whole numbers")))?;
        match (&shape[..], list(chunks).as_deref()) {
            ([], Some([])) => Ok(Array { length: 1, chunk: 1, ..self }),
            ([length], Some([chunk])) if *chunk > 0 => Ok(Array { length: *length, chunk: *chunk, ..self }),
            ([_] | [], _) => Err(wrong(format!("its chunks are {chunks}"))),
            _ => Err(FileError::ArrayShape { array: self.name.into(), found: shape, expected: "one axis".into() }),
        }
    }

    /// The values. Chunks that are not there have the fill value.
    ///
    /// Fails before they are unpacked if there are more than `needed`; of a chunk no more is unpacked than the array has.
    pub fn read(self, store: &dyn Store, path: &str, needed: u64) -> Result<AnyArray<'static>> {
        let size = self.element.size();
        let expansion = self.codec.map_or(1, Codec::expansion);
        let file = store.stored("")?;
        claim::needed(self.name, self.length, size, needed, file)?;
        let left_out = file.saturating_mul(MOST_LEFT_OUT);
        let most = store.stored(&format!("{path}/"))?.saturating_mul(expansion).saturating_add(left_out);
        let bytes = within(self.name, self.length, size, most)?;
        let fill = AnyArray::from_bytes(self.name, self.element, Cow::Borrowed(self.fill.bytes()), self.big_endian)?;
        let mut out = Vec::with_capacity(bytes);
        for number in 0..self.length.div_ceil(self.chunk) {
            let key = match &self.keys {
                Keys::One(key) => key.clone(),
                Keys::Numbered(before) => format!("{before}{number}"),
            };
            let rest = bytes - out.len();
            // What is compressed has a header, and may be longer than what it becomes, but not by much.
            let whole = self.chunk.saturating_mul(size as u64);
            match store.get(&key, if self.codec.is_some() { whole.saturating_mul(2).saturating_add(1 << 16) } else { whole })? {
                Some(packed) => {
                    let length = within(self.name, self.chunk, size, (packed.len() as u64).saturating_mul(expansion))?;
                    let wanted = rest.min(length);
                    let chunk = match self.codec {
                        Some(codec) => Cow::Owned(codec.unpack(&packed, length, wanted)?),
                        None => packed,
                    };
                    // The last chunk may be longer than the array.
                    if chunk.len() < wanted || chunk.len() > length || wanted == length && chunk.len() != length {
                        return Err(damaged(format_args!("{key} has {} bytes instead of {length}", chunk.len())));
                    }
                    out.extend_from_slice(&chunk[..wanted]);
                }
                None => {
                    let length = usize::try_from(self.chunk).ok().and_then(|chunk| chunk.checked_mul(size)).unwrap_or(rest);
                    let values = rest.min(length) / size;
                    (0..values).for_each(|_| out.extend_from_slice(fill.bytes()));
                }
            }
        }
        AnyArray::from_bytes(self.name, self.element, Cow::Owned(out), self.big_endian)
    }
}

/// The error of an array of a type that is not read.
fn unread(name: &str, of: &Value) -> FileError {
    FileError::ArrayHeader { array: name.into(), what: format!("its type {of} is not read; these are: {}", ElementType::names()) }
}

/// The value of what is not stored: that of a number, of a text like `NaN`, or of two numbers.
fn fill(name: &str, element: ElementType, value: &Value) -> Result<AnyArray<'static>> {
    fn of<T: Element + Field>(text: &str) -> Option<AnyArray<'static>> {
        let mut at = 0;
        let read = T::read(text.as_bytes(), &mut at).filter(|_| at == text.len());
        read.map(|value| AnyArray::from_values(vec![value]))
    }
    let text = match value {
        Value::Bool(truth) => u8::from(*truth).to_string(),
        Value::String(text) => text.clone(),
        Value::Array(numbers) => numbers.iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
        number => number.to_string(),
    };
    let wrong = || FileError::ArrayHeader { array: name.into(), what: format!("its fill value {value} is none of type {element}") };
    crate::with_element!(element, T => match value {
        Value::Null => Ok(AnyArray::from_values(vec![T::default()])),
        _ => of::<T>(&text).ok_or_else(wrong),
    })
}

/// The metadata of an array that is written, and its chunks with the ends of their keys.
pub(super) fn written<'v>(values: &'v AnyArray<'_>, compressed: bool) -> (Value, impl Iterator<Item = (String, &'v [u8])>) {
    let (element, length) = (values.element(), values.len());
    let chunk = length.clamp(1, CHUNK);
    let name = match element {
        ElementType::Bool => "bool".into(),
        ElementType::C64 => "complex64".into(),
        ElementType::C128 => "complex128".into(),
        number => number.to_string(),
    };
    let fill = match element {
        ElementType::Bool => json!(false),
        ElementType::C64 | ElementType::C128 => json!([0.0, 0.0]),
        ElementType::F32 | ElementType::F64 => json!(0.0),
        _ => json!(0),
    };
    let about = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [length],
        "data_type": name,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [chunk] } },
        "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
        "fill_value": fill,
        "codecs": Codec::written(compressed),
        "attributes": {},
        "storage_transformers": [],
    });
    let chunks = values.bytes().chunks(chunk * element.size()).enumerate();
    (about, chunks.map(|(number, bytes)| (format!("c/{number}"), bytes)))
}

/// A chunk of so many bytes as it is stored: whole.
pub(super) fn whole<'c>(bytes: &'c [u8], values: &AnyArray<'_>) -> Cow<'c, [u8]> {
    let full = values.len().clamp(1, CHUNK) * values.element().size();
    let mut chunk = Cow::Borrowed(bytes);
    if bytes.len() < full {
        chunk.to_mut().resize(full, 0);
    }
    chunk
}
