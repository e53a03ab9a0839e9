//! Headers of safetensors files.

use crate::contents::{Contents, Stored, element_bytes};
use crate::error::{CheckpointError, Result};
use file_output::read_at;
use safetensors::Dtype;
use safetensors::tensor::TensorInfo;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt::{self, Formatter};
use std::fs::File;
use std::path::Path;

/// The number of bytes of the longest header, as in the crate `safetensors`.
const MAX_HEADER: u64 = 100_000_000;

/// The entries of a header, in their order.
struct Entries {
    tensors: Vec<(String, TensorInfo)>,
    metadata: BTreeMap<String, String>,
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Entries;

            fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tensors")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Entries, A::Error> {
                let mut entries = Entries { tensors: vec![], metadata: BTreeMap::new() };
                while let Some(name) = map.next_key::<String>()? {
                    if name == "__metadata__" {
                        entries.metadata = map.next_value()?;
                        continue;
                    }
                    let info = map.next_value().map_err(|error| A::Error::custom(format!("tensor `{name}`: {error}")))?;
                    entries.tensors.push((name, info));
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// Reads the header of a file, and checks every offset. Fails for files that are truncated or have another form.
pub(crate) fn read(path: &Path) -> Result<Contents> {
    let refuse = |reason: String| CheckpointError::file(path, reason);
    let io = CheckpointError::io(path);
    let file = File::open(path).map_err(&io)?;
    let about = file.metadata().map_err(&io)?;
    let len = about.len();
    if !about.is_file() || len < 8 {
        return Err(refuse(format!("not a safetensors file: it has {len} bytes, but the length of the header alone takes 8")));
    }
    let mut first = [0; 8];
    read_at(&file, &mut first, 0).map_err(&io)?;
    let header = u64::from_le_bytes(first);
    if header > MAX_HEADER || header > len - 8 {
        let most = MAX_HEADER.min(len - 8);
        return Err(refuse(format!("the header has {header} bytes according to its length, but at most {most} are possible")));
    }
    let mut text = vec![0; header as usize];
    read_at(&file, &mut text, 8).map_err(&io)?;
    let entries: Entries = serde_json::from_slice(&text).map_err(|error| refuse(format!("the header is invalid: {error}")))?;
    let (begin, room) = (8 + header, len - 8 - header);
    let mut spans = vec![];
    let mut tensors = BTreeMap::new();
    for (name, TensorInfo { dtype, shape, data_offsets: (start, end) }) in entries.tensors {
        let refuse = |reason: String| refuse(format!("tensor `{name}`: {reason}"));
        let (start, end) = (start as u64, end as u64);
        if start > end || end > room {
            return Err(refuse(format!("its bytes {start} to {end} are not within the {room} bytes of data: is the file truncated?")));
        }
        let size = element_bytes(dtype)
            .ok_or_else(|| refuse(format!("elements of type {dtype} are smaller than a byte, which is not supported")))?;
        let bytes = shape.iter().try_fold(size, |bytes, extent| bytes.checked_mul(*extent as u64));
        if bytes != Some(end - start) {
            return Err(refuse(format!("the shape {shape:?} of type {dtype} does not have the {} bytes of its offsets", end - start)));
        }
        spans.push((start, end, name.clone()));
        let shape = shape.iter().map(|extent| *extent as i64).collect();
        if tensors.insert(name.clone(), Stored { dtype, shape, offset: begin + start }).is_some() {
            return Err(refuse("the header has this name twice".into()));
        }
    }
    spans.sort();
    let mut at = 0;
    for (start, end, name) in spans {
        if start != at {
            return Err(refuse(format!("tensor `{name}` begins at byte {start} of the data, but the tensor before it ends at {at}")));
        }
        at = end;
    }
    if at != room {
        return Err(refuse(format!("the tensors have {at} bytes, but the file has {room} bytes of data")));
    }
    Ok(Contents { tensors, metadata: entries.metadata, len })
}

/// Returns the first bytes of a file of these tensors, and the position of each. Tensors follow one another in this order.
pub(crate) fn write(tensors: &[(&str, Dtype, &[i64])], metadata: &BTreeMap<String, String>) -> (Vec<u8>, Vec<u64>, u64) {
    let (mut entries, mut at, mut offsets) = (vec![], 0_usize, vec![]);
    if !metadata.is_empty() {
        entries.push(format!("\"__metadata__\":{}", serde_json::json!(metadata)));
    }
    for (name, dtype, shape) in tensors {
        let size = dtype.bitsize() / 8 * shape.iter().product::<i64>() as usize;
        let (name, dtype) = (serde_json::json!(name), serde_json::json!(dtype));
        entries.push(format!("{name}:{{\"dtype\":{dtype},\"shape\":{},\"data_offsets\":[{at},{}]}}", serde_json::json!(shape), at + size));
        offsets.push(at as u64);
        at += size;
    }
    let mut text = format!("{{{}}}", entries.join(",")).into_bytes();
    // The data begins at a multiple of 8.
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.append(&mut text);
    let begin = bytes.len() as u64;
    offsets.iter_mut().for_each(|offset| *offset += begin);
    (bytes, offsets, begin + at as u64)
}
