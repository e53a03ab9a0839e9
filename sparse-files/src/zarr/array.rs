//! Reads arrays in chunks, and prepares chunks for writing.

use super::codec::Codec;
use super::shard::{Codecs, Shard};
use super::store::{Store, damaged};
use crate::ElementType;
use crate::error::{FileError, Result};
use crate::size_limits::{self, MOST_CHUNK, MOST_LEFT_OUT, coordinates, within};
use crate::text::Field;
use crate::value::{AnyArray, Element, Encoding};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::ops::Range;

/// The number of values in a written chunk. A shorter array is a single chunk.
const CHUNK: usize = 1 << 20;

/// An array, as its metadata describes it.
pub(super) struct Array<'n> {
    name: &'n str,
    encoding: Encoding,
    codecs: Codecs,
    shape: Vec<u64>,
    /// The extents of a chunk. The last chunk along an axis may reach beyond the array.
    chunk: Vec<u64>,
    /// True if the first axis is the fastest inside a chunk.
    fortran: bool,
    /// The layout of a file with several chunks, if the array is sharded.
    shard: Option<Shard>,
    /// The value of elements that are not stored.
    fill: AnyArray<'static>,
    keys: Keys,
}

/// The keys of the files of an array. A file has one chunk, or several if the array is sharded.
struct Keys {
    /// The key of the only file of an array without axes.
    one: String,
    /// The start of the keys of all other files. The numbers of the file along each axis follow, from 0.
    before: String,
    /// The character between two numbers in a key.
    separator: char,
}

impl Keys {
    /// Returns the key of the file with these numbers along the axes.
    fn of(&self, numbers: &[u64]) -> String {
        if numbers.is_empty() {
            return self.one.clone();
        }
        let mut key = self.before.clone();
        for (axis, number) in numbers.iter().enumerate() {
            if axis > 0 {
                key.push(self.separator);
            }
            key.push_str(&number.to_string());
        }
        key
    }
}

impl<'n> Array<'n> {
    /// Parses the metadata of an array in version 2. `path` is the path of the array, with which the keys of its files begin.
    /// Fails if the metadata is damaged, or if the type, a filter or the compression is not supported.
    pub fn of_version_2(name: &'n str, path: &str, about: &Value) -> Result<Array<'n>> {
        let wrong = |what: String| FileError::ArrayHeader { array: name.into(), what };
        let dtype = about["dtype"].as_str().unwrap_or_default();
        let (encoding, big_endian) = crate::npy::numbers(dtype).ok_or_else(|| unread(name, &about["dtype"]))?;
        if about["filters"].as_array().is_some_and(|filters| !filters.is_empty()) {
            return Err(wrong("it has filters, which are not supported".into()));
        }
        let compression = match &about["compressor"] {
            Value::Null => None,
            compressor => Some(Codec::of(compressor["id"].as_str().unwrap_or_default(), name)?),
        };
        let separator = match &about["dimension_separator"] {
            Value::Null => '.',
            separator if separator == "." => '.',
            separator if separator == "/" => '/',
            other => return Err(wrong(format!("its dimension separator is {other}; expected \".\" or \"/\""))),
        };
        let fortran = match &about["order"] {
            Value::Null => false,
            order if order == "C" => false,
            order if order == "F" => true,
            other => return Err(wrong(format!("its order is {other}, neither C nor F"))),
        };
        let keys = Keys { one: format!("{path}/0"), before: format!("{path}/"), separator };
        let (shape, chunk) = extents(name, &about["shape"], &about["chunks"])?;
        let fill = fill(name, encoding.element(), &about["fill_value"])?;
        Ok(Array { name, encoding, codecs: Codecs { big_endian, compression }, shape, chunk, fortran, shard: None, fill, keys })
    }

    /// Parses the metadata of an array in version 3. `path` is the path of the array, with which the keys of its files begin.
    /// Fails if the metadata is damaged, or if the type, the keys or a codec are not supported.
    pub fn of_version_3(name: &'n str, path: &str, about: &Value) -> Result<Array<'n>> {
        let wrong = |what: String| FileError::ArrayHeader { array: name.into(), what };
        let of = about["data_type"].as_str().and_then(Encoding::from_name);
        let encoding = of.ok_or_else(|| unread(name, &about["data_type"]))?;
        let encoded = &about["chunk_key_encoding"];
        let separator = encoded["configuration"]["separator"].as_str();
        let (one, before, separator) = match (encoded["name"].as_str(), separator) {
            (Some("default"), None | Some("/")) => ("/c", "/c/", '/'),
            (Some("default"), Some(".")) => ("/c", "/c.", '.'),
            (Some("v2"), None | Some(".")) => ("/0", "/", '.'),
            (Some("v2"), Some("/")) => ("/0", "/", '/'),
            _ => return Err(wrong(format!("its chunk key encoding {encoded} is not supported"))),
        };
        let keys = Keys { one: format!("{path}{one}"), before: format!("{path}{before}"), separator };
        let grid = &about["chunk_grid"];
        if grid["name"] != "regular" {
            return Err(wrong(format!("its chunk grid is {}, but only \"regular\" is supported", grid["name"])));
        }
        let (shape, mut chunk) = extents(name, &about["shape"], &grid["configuration"]["chunk_shape"])?;
        let (codecs, shard) = match about["codecs"].as_array().map(Vec::as_slice) {
            Some([sharding]) if sharding["name"] == "sharding_indexed" => {
                let about = &sharding["configuration"];
                (&about["codecs"], Some(Shard::of(name, about, &mut chunk)?))
            }
            _ => (&about["codecs"], None),
        };
        let codecs = Codecs::of(name, codecs)?;
        let fill = fill(name, encoding.element(), &about["fill_value"])?;
        Ok(Array { name, encoding, codecs, shape, chunk, fortran: false, shard, fill, keys })
    }

    /// Returns the extents of the array.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Reads the values of a range of the first axis, the last axis fastest. Missing chunks have the fill value. Reads and unpacks only
    /// the chunks with these rows; `0..1` is an array without axes.
    ///
    /// Fails before unpacking if there are more values than `needed`, the number that the tensor can need, and more bytes than
    /// ten times those of the store. Also fails if a chunk is damaged. A chunk is unpacked only up to its last value inside the
    /// array.
    pub fn read(self, store: &dyn Store, path: &str, needed: u64, rows: Range<u64>) -> Result<AnyArray<'static>> {
        let size = self.encoding.element().size();
        let expansion = self.codecs.compression.map_or(1, Codec::expansion);
        let stored = store.stored("")?;
        // The rows of the chunks that are read.
        let mut whole = self.shape.clone();
        let mut chunks = 0..1;
        let mut before = 0;
        if let Some(first) = whole.first_mut() {
            chunks = rows.start / self.chunk[0]..rows.end.div_ceil(self.chunk[0]);
            before = chunks.start.saturating_mul(self.chunk[0]);
            *first = chunks.end.saturating_mul(self.chunk[0]).min(*first).saturating_sub(before);
        }
        if rows.is_empty() {
            chunks = 0..0;
            whole[0] = 0;
        }
        let length = coordinates(&whole);
        size_limits::needed(self.name, length, size, needed, stored)?;
        let left_out = stored.saturating_mul(MOST_LEFT_OUT);
        let most = store.stored(&format!("{path}/"))?.saturating_mul(expansion).saturating_add(left_out);
        within(self.name, length, self.encoding.size(), most)?;
        let bytes = within(self.name, length, size, u64::MAX)?;
        let fill = self.fill.bytes();
        let mut out = if fill.iter().all(|byte| *byte == 0) { vec![0; bytes] } else { fill.repeat(bytes / size) };
        // Each chunk and each file has at least one value of the array, so their numbers are at most the number of values.
        let Files { grid, of_file, files } = self.files();
        let mut number = vec![0; files.len()];
        for _ in 0..coordinates(&files) {
            let key = self.keys.of(&number);
            // The chunks of the file along the first axis, if any of them is needed.
            let here = number.first().zip(of_file.first()).is_none_or(|(number, of_file)| {
                let first = number * of_file;
                first < chunks.end && first.saturating_add(*of_file) > chunks.start
            });
            if here && let Some(file) = store.get(&key, self.most_of_file(&of_file))? {
                let list = self.shard.as_ref().map(|shard| shard.list(&key, &file)).transpose()?;
                let first: Vec<u64> = number.iter().zip(&of_file).map(|(number, of_file)| number * of_file).collect();
                let rest = grid.iter().zip(&first).map(|(chunks, first)| chunks - first);
                let inside: Vec<u64> = rest.zip(&of_file).map(|(rest, of_file)| rest.min(*of_file)).collect();
                let mut inner = vec![0; inside.len()];
                for _ in 0..coordinates(&inside) {
                    let row = first.first().zip(inner.first()).map_or(0, |(first, inner)| first + inner);
                    if !chunks.contains(&row) {
                        step(&mut inner, &inside);
                        continue;
                    }
                    let packed = match self.shard.as_ref().zip(list) {
                        Some((shard, list)) => shard.chunk(&key, &file, list, &inner)?,
                        None => Some(&file[..]),
                    };
                    if let Some(packed) = packed {
                        let at: Vec<u64> = first.iter().zip(&inner).map(|(first, inner)| first + inner).collect();
                        let mut part = Part::of(&self, &at);
                        if let Some(start) = part.start.first_mut() {
                            *start -= before;
                        }
                        // A chunk may be longer than the array, but not by much.
                        size_limits::needed(self.name, part.wanted, self.encoding.size(), length.max(MOST_CHUNK / size as u64), stored)?;
                        part.copy(&self.values(&key, packed, part.wanted, expansion)?, size, &whole, &mut out);
                    }
                    step(&mut inner, &inside);
                }
            }
            step(&mut number, &files);
        }
        if let Some(first) = whole.first().filter(|first| **first > 0) {
            let row = out.len() / *first as usize;
            out.truncate((rows.end - before) as usize * row);
            out.drain(..(rows.start - before) as usize * row);
        }
        AnyArray::from_bytes(self.name, self.encoding.element(), Cow::Owned(out), cfg!(target_endian = "big"))
    }

    /// Tests whether this is the key of a file with chunks of the array.
    pub fn has_chunk(&self, key: &str) -> bool {
        let Files { files, .. } = self.files();
        let numbers: Option<Vec<u64>> = match key.strip_prefix(&self.keys.before[..]) {
            _ if files.is_empty() => Some(Vec::new()),
            Some(numbers) => numbers.split(self.keys.separator).map(|number| number.parse().ok()).collect(),
            None => None,
        };
        let inside = |numbers: &[u64]| numbers.len() == files.len() && numbers.iter().zip(&files).all(|(number, files)| number < files);
        numbers.is_some_and(|numbers| inside(&numbers) && self.keys.of(&numbers) == key)
    }

    /// Returns the numbers of chunks, of chunks per file, and of files, each along every axis.
    fn files(&self) -> Files {
        let grid: Vec<u64> = self.shape.iter().zip(&self.chunk).map(|(extent, chunk)| extent.div_ceil(*chunk)).collect();
        let of_file = self.shard.as_ref().map_or_else(|| vec![1; grid.len()], |shard| shard.chunks.clone());
        let files = grid.iter().zip(&of_file).map(|(chunks, of_file)| chunks.div_ceil(*of_file)).collect();
        Files { grid, of_file, files }
    }

    /// Returns the maximum number of bytes of a file, which has `chunks[a]` chunks along axis `a`.
    fn most_of_file(&self, chunks: &[u64]) -> u64 {
        let values = self.chunk.iter().chain(chunks).fold(1u64, |product, extent| product.saturating_mul(*extent));
        let whole = values.saturating_mul(self.encoding.size() as u64);
        // Compressed bytes have a header, and may be a little longer than the values. Each chunk of a shard has an
        // entry in the list of the shard.
        let loose = self.codecs.compression.is_some() || self.shard.is_some();
        if loose { whole.saturating_mul(2).saturating_add(coordinates(chunks).saturating_mul(16)).saturating_add(1 << 16) } else { whole }
    }

    /// Decodes the first `wanted` values of a chunk to their bytes in memory. `packed` has the stored bytes, and `key` names
    /// the file in errors. Fails if they are damaged, or if the chunk has more bytes than `expansion` times those of `packed`.
    fn values<'p>(&self, key: &str, packed: &'p [u8], wanted: u64, expansion: u64) -> Result<Cow<'p, [u8]>> {
        let size = self.encoding.size();
        let values = self.chunk.iter().fold(1u64, |product, extent| product.saturating_mul(*extent));
        let length = within(self.name, values, size, (packed.len() as u64).saturating_mul(expansion))?;
        let wanted = usize::try_from(wanted.saturating_mul(size as u64)).map_or(length, |wanted| wanted.min(length));
        let mut chunk = match self.codecs.compression {
            Some(codec) => Cow::Owned(codec.unpack(packed, length, wanted)?),
            None => Cow::Borrowed(packed),
        };
        // The last chunk along an axis may be longer than the array.
        if chunk.len() < wanted || chunk.len() > length || wanted == length && chunk.len() != length {
            return Err(damaged(format_args!("{key} has {} bytes instead of {length}", chunk.len())));
        }
        match &mut chunk {
            Cow::Borrowed(bytes) => *bytes = &bytes[..wanted],
            Cow::Owned(bytes) => bytes.truncate(wanted),
        }
        let native = self.codecs.big_endian == cfg!(target_endian = "big");
        if self.encoding == Encoding::Plain(self.encoding.element()) && native {
            return Ok(chunk);
        }
        Ok(Cow::Owned(self.encoding.array(self.name, chunk, self.codecs.big_endian)?.bytes().to_vec()))
    }
}

/// Three numbers for each axis: the chunks of the array (`grid`), the chunks of a file (`of_file`), and the files (`files`).
struct Files {
    grid: Vec<u64>,
    of_file: Vec<u64>,
    files: Vec<u64>,
}

/// The range of an array that a chunk covers.
struct Part {
    /// The coordinate of the first element of the chunk.
    start: Vec<u64>,
    /// The extents of the chunk, cut at the end of the array.
    shape: Vec<u64>,
    /// The strides of the axes inside the chunk, in values.
    strides: Vec<u64>,
    /// The number of values of the chunk up to the last one inside the array.
    wanted: u64,
}

impl Part {
    /// Returns the range that the chunk with these numbers along the axes covers. Each number must be below the number of chunks of its axis.
    fn of(array: &Array<'_>, numbers: &[u64]) -> Part {
        let axes = numbers.len();
        let mut strides = vec![1u64; axes];
        for step in 1..axes {
            let [axis, inner] = if array.fortran { [step, step - 1] } else { [axes - 1 - step, axes - step] };
            strides[axis] = strides[inner].saturating_mul(array.chunk[inner]);
        }
        let start: Vec<u64> = numbers.iter().zip(&array.chunk).map(|(number, chunk)| number * chunk).collect();
        let rest = array.shape.iter().zip(&start).map(|(extent, start)| extent - start);
        let shape: Vec<u64> = rest.zip(&array.chunk).map(|(rest, chunk)| rest.min(*chunk)).collect();
        let last = shape.iter().zip(&strides).map(|(extent, stride)| (extent - 1).saturating_mul(*stride)).fold(0, u64::saturating_add);
        Part { start, shape, strides, wanted: last.saturating_add(1) }
    }

    /// Copies the values of the chunk, each of `size` bytes, to their positions in `out`, an array of shape `whole`, the last
    /// axis fastest.
    fn copy(&self, values: &[u8], size: usize, whole: &[u64], out: &mut [u8]) {
        let Some(inner) = whole.len().checked_sub(1) else { return out.copy_from_slice(values) };
        let rows = coordinates(&self.shape[..inner]);
        let mut row = vec![0; inner];
        for _ in 0..rows {
            // Both `from` and `to` are positions of values in memory, so they fit `usize`.
            let from = row.iter().zip(&self.strides).map(|(at, stride)| at * stride).sum::<u64>() as usize;
            let coordinate = row.iter().zip(&self.start).map(|(at, start)| at + start);
            let to = coordinate.zip(whole).fold(0, |to, (at, extent)| to * extent + at) * whole[inner] + self.start[inner];
            let (length, stride) = (self.shape[inner] as usize, self.strides[inner] as usize);
            let target = &mut out[to as usize * size..][..length * size];
            if stride == 1 {
                target.copy_from_slice(&values[from * size..][..length * size]);
            } else {
                let sources = values[from * size..].chunks(size).step_by(stride);
                target.chunks_mut(size).zip(sources).for_each(|(target, source)| target.copy_from_slice(source));
            }
            step(&mut row, &self.shape[..inner]);
        }
    }
}

/// Advances a coordinate in a shape, the last axis fastest. The last coordinate is followed by the first, which is all 0.
fn step(coordinate: &mut [u64], shape: &[u64]) {
    for (at, extent) in coordinate.iter_mut().zip(shape).rev() {
        *at += 1;
        if *at < *extent {
            return;
        }
        *at = 0;
    }
}

/// Returns the extents of an array and of its chunks. Fails unless both are lists of unsigned integers of the same length,
/// with every chunk extent above 0.
fn extents(name: &str, shape: &Value, chunks: &Value) -> Result<(Vec<u64>, Vec<u64>)> {
    let list = |value: &Value| value.as_array().and_then(|list| list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>());
    let wrong = |what: String| FileError::ArrayHeader { array: name.into(), what };
    let shape = list(shape).ok_or_else(|| wrong(format!("its shape {shape} is not a list of unsigned integers")))?;
    match list(chunks) {
        Some(chunk) if chunk.len() == shape.len() && !chunk.contains(&0) => Ok((shape, chunk)),
        _ => Err(wrong(format!("its chunk shape is {chunks}; expected a list of numbers above 0, one for each axis"))),
    }
}

/// Returns the error of an array whose type is not supported.
fn unread(name: &str, of: &Value) -> FileError {
    FileError::ArrayHeader {
        array: name.into(),
        what: format!("its type {of} is not supported; the supported types are: {}", Encoding::names()),
    }
}

/// Parses the fill value: a number, a text like `NaN`, or two numbers. Fails if it is no value of the type `element`.
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
    let wrong = || FileError::ArrayHeader { array: name.into(), what: format!("its fill value {value} is not a value of type {element}") };
    crate::with_element!(element, T => match value {
        Value::Null => Ok(AnyArray::from_values(vec![T::default()])),
        _ => of::<T>(&text).ok_or_else(wrong),
    })
}

/// Returns the metadata of an array of one axis to write, and the bytes of each chunk with the end of its key. The last chunk
/// is not padded yet.
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

/// Returns the bytes of a chunk of an array, padded with zeros to the size of a full chunk.
pub(super) fn whole<'c>(bytes: &'c [u8], values: &AnyArray<'_>) -> Cow<'c, [u8]> {
    let full = values.len().clamp(1, CHUNK) * values.element().size();
    let mut chunk = Cow::Borrowed(bytes);
    if bytes.len() < full {
        chunk.to_mut().resize(full, 0);
    }
    chunk
}
