//! Arrays of Zarr in folders: versions 2 and 3 are read, version 3 is written.

use crate::durable::Durable;
use crate::error::RechunkError;
use crate::grid::{Axis, Grid, Region, combination, combinations};
use crate::options::ArrayCodec;
use crate::plan::MOST_CHUNKS;
use crate::stage::{Input, Output, read_runs};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zarrs::array::{
    Array, ArrayBytes, ArrayMetadata, ArrayMetadataV3, ArrayShardedExt, ArrayShardedReadableExt, ArrayShardedReadableExtCache, CodecOptions,
};
use zarrs::filesystem::FilesystemStore;

fn wrong(error: impl std::fmt::Display) -> RechunkError {
    RechunkError::Array(format!("Zarr: {error}"))
}

/// An array that is read.
pub(crate) struct ZarrInput {
    array: Array<FilesystemStore>,
    store: Arc<FilesystemStore>,
    grid: Grid,
    size: usize,
    shards: ArrayShardedReadableExtCache,
    /// The metadata in version 3.
    metadata: Map<String, Value>,
}

impl ZarrInput {
    /// Opens the array in a folder. Fails if there is none, if its metadata is damaged, or if its elements have no fixed size.
    pub fn open(path: &Path) -> Result<ZarrInput, RechunkError> {
        check_lists(path)?;
        let store = Arc::new(FilesystemStore::new(path).map_err(wrong)?);
        let opened = Array::open(store.clone(), "/").map_err(|error| RechunkError::Array(format!("{}: {error}", path.display())))?;
        let array = opened.to_v3().map_err(wrong)?;
        let name = || metadata_of(&array).map(|metadata| metadata["data_type"].clone()).unwrap_or_default();
        let Some(size) = array.data_type().fixed_size().filter(|size| *size > 0) else {
            return Err(wrong(format!("elements of type {} have no fixed size, which is not supported", name())));
        };
        let shards = ArrayShardedReadableExtCache::new(&array);
        let grid = grid_of(&array)?;
        let metadata = metadata_of(&array)?;
        Ok(ZarrInput { array, store, grid, size, shards, metadata })
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Estimates the bytes of all chunks in their files, from the sizes of some files.
    pub fn stored_bytes(&self) -> u64 {
        const SAMPLES: u64 = 64;
        let ranges: Vec<_> = self.array.chunk_grid_shape().iter().map(|count| 0..*count).collect();
        let files = combinations(&ranges);
        let samples = SAMPLES.min(files);
        let length = |sample: u64| {
            let position = (u128::from(sample) * u128::from(files) / u128::from(samples)) as u64;
            let path = self.store.key_to_fspath(&self.array.chunk_key(&combination(&ranges, position)));
            fs::metadata(path).map_or(0, |about| u128::from(about.len()))
        };
        let sum: u128 = (0..samples).map(length).sum();
        (sum * u128::from(files) / u128::from(samples.max(1))).min(u128::from(u64::MAX)) as u64
    }

    /// Returns the bytes that a thread needs to read a chunk within a shard, beside the chunk.
    ///
    /// A cached shard has a list with two numbers for each chunk, and all bytes if the whole shard is encoded once more. Each thread may
    /// have one entry that it uses and two in the cache, and another thread may have cleared the cache. Reading a list needs two copies.
    pub fn shard_bytes(&self) -> u64 {
        if !self.array.is_sharded() {
            return 0;
        }
        let shard = match self.array.chunk_shape(&vec![0; self.grid.axes().len()]) {
            Ok(shape) => shape.iter().map(|length| length.get()).fold(1, u64::saturating_mul),
            Err(_) => self.grid.elements(),
        };
        let list = 16 * (shard / self.grid.largest().max(1)).max(1) + 1024;
        let whole = if self.array.codecs().bytes_to_bytes_codecs().is_empty() { 0 } else { shard.saturating_mul(self.size as u64) };
        list.saturating_add(whole).saturating_mul(5)
    }

    pub fn metadata(&self) -> &Map<String, Value> {
        &self.metadata
    }

    /// Returns true if the files of chunks have the elements in C order and in the byte order of this machine, without compression.
    pub fn is_plain(&self) -> bool {
        let native = if cfg!(target_endian = "big") { "big" } else { "little" };
        let codec = match self.metadata.get("codecs").and_then(Value::as_array).map(Vec::as_slice) {
            Some([codec]) if codec["name"] == "bytes" || codec == "bytes" => codec,
            _ => return false,
        };
        let transformed = self.metadata.get("storage_transformers").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        let ordered = codec["configuration"]["endian"] == native || self.size == 1;
        // The types whose elements have one representation.
        let known = self.metadata.get("data_type").and_then(Value::as_str).is_some_and(|name| crate::flat::type_bytes(name).is_some());
        !transformed && ordered && known
    }

    fn options() -> CodecOptions {
        // The stages have their own threads.
        CodecOptions::default().with_concurrent_target(1)
    }
}

/// Returns the metadata of an array of version 3.
fn metadata_of(array: &Array<FilesystemStore>) -> Result<Map<String, Value>, RechunkError> {
    match serde_json::to_value(array.metadata()).map_err(wrong)? {
        Value::Object(metadata) => Ok(metadata),
        _ => Err(wrong("the metadata is no object")),
    }
}

/// Returns the grid of the chunks of an array, or of the chunks within its shards. Fails if an axis lists too many chunks.
fn grid_of(array: &Array<FilesystemStore>) -> Result<Grid, RechunkError> {
    let grid = array.subchunk_grid();
    // One chunk shape needs no list, however many chunks there are.
    let one = array.effective_subchunk_shape().map(|shape| shape.iter().map(|length| length.get()).collect::<Vec<u64>>());
    let about = metadata_of(array)?.remove("chunk_grid").unwrap_or_default();
    let regular = || match about["name"] == "regular" {
        true => serde_json::from_value(about["configuration"]["chunk_shape"].clone()).ok(),
        false => None,
    };
    if let Some(chunk) = one.or_else(regular) {
        return Grid::regular(array.shape(), &chunk);
    }
    let counts = grid.grid_shape();
    let axis = |(axis, extent): (usize, &u64)| {
        let length = |chunk: u64| {
            let mut at = vec![0; counts.len()];
            at[axis] = chunk;
            let shape = grid.chunk_shape(&at).map_err(wrong)?;
            shape.map(|shape| shape[axis].get()).ok_or_else(|| wrong(format!("axis {axis} has no chunk {chunk}")))
        };
        if counts.contains(&0) {
            return Ok(Axis::regular(*extent, (*extent).max(1)));
        }
        listable(axis, counts[axis])?;
        let lengths = (0..counts[axis]).map(length).collect::<Result<Vec<u64>, _>>()?;
        if lengths.iter().all(|length| *length == lengths[0]) {
            return Ok(Axis::regular(*extent, lengths[0]));
        }
        let sum = lengths.iter().fold(0u64, |sum, length| sum.saturating_add(*length));
        if sum != *extent {
            return Err(wrong(format!("the chunks of axis {axis} have {sum} positions, but the axis has {extent}")));
        }
        Ok(Axis::rectilinear(lengths))
    };
    Grid::new(array.shape().iter().enumerate().map(axis).collect::<Result<_, _>>()?)
}

/// Fails if an axis has too many chunks to list.
fn listable(axis: usize, chunks: u64) -> Result<(), RechunkError> {
    match chunks <= MOST_CHUNKS {
        true => Ok(()),
        false => Err(wrong(format!("axis {axis} lists {chunks} chunks; at most {MOST_CHUNKS} are supported"))),
    }
}

/// Checks the lists of chunks in the metadata of a folder, which may be short for very many chunks. Fails if an axis lists too many.
fn check_lists(folder: &Path) -> Result<(), RechunkError> {
    let Ok(text) = fs::read(folder.join("zarr.json")) else { return Ok(()) };
    let Ok(metadata) = serde_json::from_slice::<Value>(&text) else { return Ok(()) };
    let Some(axes) = metadata["chunk_grid"]["configuration"]["chunk_shapes"].as_array() else { return Ok(()) };
    for (axis, lengths) in axes.iter().enumerate() {
        // An entry is a length, or a length and the number of its repetitions.
        let count = |entry: &Value| entry.get(1).map_or(1, |count| count.as_u64().unwrap_or(u64::MAX));
        let counts = lengths.as_array().into_iter().flatten().map(count);
        listable(axis, counts.fold(0, u64::saturating_add))?;
    }
    Ok(())
}

impl Input for ZarrInput {
    fn chunk(&self, chunk: &[u64]) -> Result<Cow<'_, [u8]>, RechunkError> {
        let failed = |error| wrong(format!("chunk {chunk:?}: {error}"));
        // The cache has the lists of the last shards of each thread.
        if self.shards.len() >= rayon::current_num_threads() {
            self.shards.clear();
        }
        let bytes: ArrayBytes<'_> = self.array.retrieve_subchunk_opt(&self.shards, chunk, &Self::options()).map_err(failed)?;
        let bytes = bytes.into_fixed().map_err(wrong)?;
        let needed = self.grid.stored_shape(chunk).iter().product::<u64>() as usize * self.size;
        if bytes.len() != needed {
            return Err(wrong(format!("chunk {chunk:?} has {} bytes; expected: {needed}", bytes.len())));
        }
        Ok(Cow::Owned(bytes.into_owned()))
    }

    fn part(&self, chunk: &[u64], region: &Region, out: &mut [u8]) -> Result<(), RechunkError> {
        let path = self.store.key_to_fspath(&self.array.chunk_key(chunk));
        let file = match File::open(&path) {
            Ok(file) => file,
            // A missing chunk has the fill value.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let fill = self.array.fill_value().as_ne_bytes();
                out.chunks_exact_mut(self.size).for_each(|element| element.copy_from_slice(fill));
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        let shape = self.grid.stored_shape(chunk);
        let (found, needed) = (file.metadata()?.len(), shape.iter().product::<u64>() * self.size as u64);
        if found != needed {
            return Err(wrong(format!("chunk {chunk:?} has {found} bytes; expected: {needed}")));
        }
        let whole = Region { start: self.grid.region(chunk).start, shape };
        read_runs(&file, 0, &whole, region, self.size, out)
    }
}

/// Returns the metadata of a new array with these chunks. `like` is the metadata of the source in version 3. Shards, if there are any, are
/// chunks of `grid`, with chunks of the shape `inner` in them.
pub(crate) fn new_metadata(
    like: &Map<String, Value>,
    grid: &Grid,
    inner: Option<&[u64]>,
    codec: ArrayCodec,
) -> Result<Map<String, Value>, RechunkError> {
    let mut metadata = like.clone();
    let chunk: Option<Vec<u64>> = grid.axes().iter().map(Axis::regular_chunk).collect();
    let lengths = |axis: &Axis| match axis.regular_chunk() {
        Some(chunk) => json!(chunk),
        None if axis.chunks() == 0 => json!(1),
        None => (0..axis.chunks()).map(|chunk| axis.stored_length(chunk)).collect(),
    };
    let grid = match chunk {
        Some(chunk) => json!({ "name": "regular", "configuration": { "chunk_shape": chunk } }),
        None => {
            let axes: Vec<Value> = grid.axes().iter().map(lengths).collect();
            json!({ "name": "rectilinear", "configuration": { "kind": "inline", "chunk_shapes": axes } })
        }
    };
    metadata.insert("chunk_grid".into(), grid);
    metadata.insert("chunk_key_encoding".into(), json!({ "name": "default", "configuration": { "separator": "/" } }));
    metadata.remove("storage_transformers");
    let mut codecs = like.get("codecs").and_then(Value::as_array).cloned().unwrap_or_default();
    // Take the codecs of the chunks within a shard.
    while let Some(at) = codecs.iter().position(|codec| codec["name"] == "sharding_indexed") {
        let before = codecs[..at].iter().cloned();
        let within = codecs[at]["configuration"]["codecs"].as_array().cloned().unwrap_or_default();
        codecs = before.chain(within).collect();
    }
    if codec != ArrayCodec::Keep {
        let little = json!({ "name": "bytes", "configuration": { "endian": "little" } });
        codecs = vec![little];
        match codec {
            ArrayCodec::Zstd(level) => codecs.push(json!({ "name": "zstd", "configuration": { "level": level, "checksum": false } })),
            ArrayCodec::Gzip(level) => codecs.push(json!({ "name": "gzip", "configuration": { "level": level } })),
            ArrayCodec::Keep | ArrayCodec::None => {}
        }
    }
    if let Some(inner) = inner {
        let index = json!([{ "name": "bytes", "configuration": { "endian": "little" } }, { "name": "crc32c" }]);
        let configuration = json!({ "chunk_shape": inner, "codecs": codecs, "index_codecs": index, "index_location": "end" });
        codecs = vec![json!({ "name": "sharding_indexed", "configuration": configuration })];
    }
    metadata.insert("codecs".into(), codecs.into());
    Ok(metadata)
}

/// Returns the metadata of an array of a type of NumPy, with the fill value 0.
pub(crate) fn plain_metadata(shape: &[u64], data_type: &str) -> Map<String, Value> {
    let fill = match data_type {
        "bool" => json!(false),
        name if name.starts_with("complex") => json!([0.0, 0.0]),
        name if name.starts_with("float") => json!(0.0),
        _ => json!(0),
    };
    let codecs = json!([{ "name": "bytes", "configuration": { "endian": "little" } }]);
    let metadata = json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type, "fill_value": fill, "codecs": codecs,
        "attributes": {},
    });
    metadata.as_object().cloned().unwrap_or_default()
}

/// Tests whether a folder is a Zarr array of version 2 or 3.
pub(crate) fn is_array(folder: &Path) -> bool {
    match fs::read(folder.join("zarr.json")) {
        Ok(text) => serde_json::from_slice::<Value>(&text).is_ok_and(|metadata| metadata["node_type"] == "array"),
        Err(error) => error.kind() == ErrorKind::NotFound && folder.join(".zarray").is_file() && !folder.join(".zgroup").exists(),
    }
}

/// Returns the path, within the folder of an array, of a file that is neither metadata nor a chunk, or `None` if there is none. Fails if a folder
/// cannot be listed.
pub(crate) fn foreign(folder: &Path) -> std::io::Result<Option<PathBuf>> {
    let is_chunk = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let mut folders = vec![PathBuf::new()];
    while let Some(within) = folders.pop() {
        let top = within.as_os_str().is_empty();
        for entry in fs::read_dir(folder.join(&within))? {
            let (entry, name) = entry.map(|entry| (entry.file_type(), entry.file_name()))?;
            let (is_folder, text) = (entry?.is_dir(), name.to_string_lossy());
            let metadata = !is_folder && ["zarr.json", ".zarray", ".zattrs", ".zmetadata"].contains(&&*text);
            let chunk = is_chunk(&text) || top && (text == "c" || text.strip_prefix("c.").is_some_and(is_chunk));
            match chunk || top && metadata {
                false => return Ok(Some(within.join(name))),
                true if is_folder => folders.push(within.join(name)),
                true => {}
            }
        }
    }
    Ok(None)
}

/// A new array that is written.
pub(crate) struct ZarrOutput {
    array: Array<FilesystemStore>,
    store: Arc<FilesystemStore>,
    fill: Vec<u8>,
    durable: Durable,
}

impl ZarrOutput {
    /// Creates an array with this metadata in a folder. Fails if the metadata is not supported or the system refuses.
    pub fn new(folder: &Path, metadata: Map<String, Value>) -> Result<ZarrOutput, RechunkError> {
        let store = Arc::new(FilesystemStore::new(folder).map_err(wrong)?);
        let metadata: ArrayMetadataV3 = serde_json::from_value(Value::Object(metadata)).map_err(wrong)?;
        let array = Array::new_with_metadata(store.clone(), "/", ArrayMetadata::V3(metadata)).map_err(wrong)?;
        file_output::undisturbed(|| array.store_metadata()).map_err(wrong)?;
        let fill = array.fill_value().as_ne_bytes().to_vec();
        let durable = Durable::new()?;
        durable.begin(folder.join("zarr.json"));
        Ok(ZarrOutput { array, store, fill, durable })
    }

    /// Waits until the array in this folder is on the disk. Fails if the system refuses.
    pub fn finish(self, folder: &Path) -> Result<(), RechunkError> {
        Ok(self.durable.finish(folder)?)
    }
}

impl Output for ZarrOutput {
    fn fill(&self) -> Option<&[u8]> {
        self.fill.iter().any(|byte| *byte != 0).then_some(&self.fill)
    }

    fn chunk(&self, chunk: &[u64], bytes: &[u8]) -> Result<(), RechunkError> {
        let options = ZarrInput::options();
        let stored = file_output::undisturbed(|| self.array.store_chunk_opt(chunk, ArrayBytes::new_flen(bytes), &options));
        stored.map_err(|error| wrong(format!("chunk {chunk:?}: {error}")))?;
        self.durable.begin(self.store.key_to_fspath(&self.array.chunk_key(chunk)));
        Ok(())
    }

    fn part(&self, _: &Region, _: &[u8]) -> Result<(), RechunkError> {
        Err(wrong("parts of chunks are not written"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn the_cache_of_shards_is_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let metadata = plain_metadata(&[4096], "uint8");
        let grid = Grid::regular(&[4096], &[64]).expect("a grid");
        let metadata = new_metadata(&metadata, &grid, Some(&[4]), ArrayCodec::None).expect("metadata");
        let output = ZarrOutput::new(folder.path(), metadata).expect("an array");
        (0..64).for_each(|shard| output.chunk(&[shard], &[1; 64]).expect("a chunk"));
        output.finish(folder.path()).expect("all files");
        let input = ZarrInput::open(folder.path()).expect("an array");
        assert_eq!(input.shard_bytes(), 5 * (16 * 16 + 1024));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        let read = |chunk: u64| {
            assert_eq!(input.chunk(&[chunk]).expect("a chunk"), [1; 4].as_slice());
            assert!(input.shards.len() <= 2 * 3);
        };
        pool.install(|| (0..1024).into_par_iter().for_each(read));
    }
}
