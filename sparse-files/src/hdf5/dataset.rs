//! Datasets of numbers in an HDF5 file, for programs that read single chunks of them.

use super::datatype::encoding;
use super::filter::{Filter, undone};
use super::{HDF5, damaged, place, walk, whole};
use crate::error::{FileError, Result};
use crate::isolate::{isolated, isolated_deep};
use crate::npy::type_name;
use crate::size_limits::{coordinates, within};
use hdf5_pure::{ChunkIndex, Dataset, File, Layout};
use std::path::Path;

/// The number of bytes of the address of a chunk.
const ADDRESS: usize = 8;

/// The most groups of a file whose datasets need no name, and are listed in messages.
const MOST_GROUPS: usize = 1 << 11;

/// The largest number of names in a message.
const MOST_SHOWN: usize = 12;

/// A dataset of numbers in an HDF5 file: its type, its extents and the places of its chunks. A contiguous dataset is one chunk.
///
/// ```
/// # use hdf5_pure::FileBuilder;
/// use sparse_files::hdf5::StoredDataset;
/// # let path = std::env::temp_dir().join(format!("stored_dataset_{}.h5", std::process::id()));
/// # let mut builder = FileBuilder::new();
/// # builder.create_dataset("map").with_i16_data(&[1, 2, 3, 4, 5, 6]).with_shape(&[2, 3]).with_chunks(&[2, 2]).with_deflate(6);
/// # builder.write(&path)?;
/// let dataset = StoredDataset::open(&path, Some("map"))?;
/// assert_eq!((dataset.type_name(), dataset.shape(), dataset.chunk_shape()), ("<i2", &[2, 3][..], &[2, 2][..]));
/// let chunk = dataset.chunk(&[0, 1]).expect("a chunk that was written");
/// let file = std::fs::read(&path)?;
/// let stored = file[chunk.offset as usize..][..chunk.bytes as usize].to_vec();
/// let elements = dataset.decode(&chunk, stored)?;
/// // The second column of this chunk is beyond the dataset.
/// assert_eq!((elements.len(), &elements[..2], &elements[4..6]), (8, &3i16.to_le_bytes()[..], &6i16.to_le_bytes()[..]));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StoredDataset {
    name: String,
    type_name: String,
    element_bytes: usize,
    shape: Vec<u64>,
    chunk_shape: Vec<u64>,
    elements: Elements,
    filters: Vec<Filter>,
    /// True if the filters were not applied to chunks that reach beyond the dataset.
    plain_edges: bool,
    fill: Vec<u8>,
}

#[derive(Debug)]
enum Elements {
    /// The elements are within the header.
    Inline(Vec<u8>),
    /// The chunks in the order of their numbers.
    Chunks(Vec<StoredChunk>),
}

/// The place of a chunk in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredChunk {
    /// The position of the chunk among all chunks, in C order.
    number: u64,
    /// The number of bytes before it in the file.
    pub offset: u64,
    /// The number of its bytes in the file.
    pub bytes: u64,
    /// Bit `i` is set if filter `i` was not applied.
    skipped: u32,
}

impl StoredDataset {
    /// Opens a dataset of a file by its path in the file, like `group/name`, or the only dataset. Does not follow soft links and
    /// external links.
    ///
    /// # Errors
    /// Fails if there is no such dataset, if its elements are no numbers, if a filter cannot be undone, if the elements are in other files, or
    /// if the file is damaged.
    pub fn open(path: &Path, name: Option<&str>) -> Result<StoredDataset> {
        isolated_deep(HDF5, || {
            let file = whole(File::open_streaming(path).map_err(damaged)?)?;
            let name = match name.map(|name| name.trim_matches('/')) {
                Some(name) if !name.is_empty() => name.to_owned(),
                _ => only(&file)?,
            };
            read(&file, path, name)
        })
    }

    /// Returns the path of the dataset in its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the type in NumPy, like `<f8` or `|u1`.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// Returns the number of bytes of an element.
    pub fn element_bytes(&self) -> usize {
        self.element_bytes
    }

    /// Returns the extents.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the extents of a chunk. The last chunks may reach beyond the dataset.
    pub fn chunk_shape(&self) -> &[u64] {
        &self.chunk_shape
    }

    /// Returns all elements if they are within the header, in the byte order of the file.
    pub fn inline(&self) -> Option<&[u8]> {
        match &self.elements {
            Elements::Inline(bytes) => Some(bytes),
            Elements::Chunks(_) => None,
        }
    }

    /// Returns true if no filter was applied: the bytes of a chunk are its elements.
    pub fn is_plain(&self) -> bool {
        self.filters.is_empty()
    }

    /// Returns the places of all chunks that the file has. Their number times the size of a [`StoredChunk`] is their memory.
    pub fn chunks(&self) -> &[StoredChunk] {
        match &self.elements {
            Elements::Inline(_) => &[],
            Elements::Chunks(chunks) => chunks,
        }
    }

    /// Returns the place of a chunk by its coordinate in the grid of chunks. Returns `None` for a chunk that was never written: its
    /// elements have the fill value.
    pub fn chunk(&self, at: &[u64]) -> Option<StoredChunk> {
        let counts = self.shape.iter().zip(&self.chunk_shape).map(|(extent, chunk)| extent.div_ceil(*chunk));
        let number = at.iter().zip(counts).fold(0, |number, (at, count)| number * count + at);
        let chunks = self.chunks();
        chunks.binary_search_by_key(&number, |chunk| chunk.number).ok().map(|found| chunks[found])
    }

    /// Returns the element of chunks that were never written, in the byte order of this machine.
    pub fn fill(&self) -> &[u8] {
        &self.fill
    }

    /// Returns the elements of a chunk, in the byte order of the file. `stored` are its bytes in the file. Has at most three
    /// buffers of the size of a chunk at one time.
    ///
    /// # Errors
    /// Fails if the bytes are damaged.
    pub fn decode(&self, chunk: &StoredChunk, stored: Vec<u8>) -> Result<Vec<u8>> {
        let length = coordinates(&self.chunk_shape) as usize * self.element_bytes;
        let filters = if self.plain_edges && self.is_edge(chunk.number) { &[][..] } else { &self.filters };
        let done = isolated(HDF5, || Ok(undone(filters, chunk.skipped, self.element_bytes, stored, length)))?;
        done.map_err(|error| damaged(format_args!("{}: the chunk at byte {}: {error}", self.name, chunk.offset)))
    }

    /// Tests whether a chunk reaches beyond the dataset.
    fn is_edge(&self, mut number: u64) -> bool {
        self.shape.iter().zip(&self.chunk_shape).rev().any(|(extent, chunk)| {
            let count = extent.div_ceil(*chunk);
            let at = number % count;
            number /= count;
            extent - at * chunk < *chunk
        })
    }
}

/// Returns the path of the only dataset of a file. Fails if there is none, if there are several, or if the file has too many groups.
fn only(file: &File) -> Result<String> {
    let mut names = names(file).map_err(|error| match error {
        FileError::Container { message, .. } => damaged(format_args!("{message}; name the dataset")),
        error => error,
    })?;
    match names.len() {
        1 => Ok(names.remove(0)),
        0 => Err(damaged("the file has no dataset")),
        _ => Err(damaged(format_args!("the file has several datasets; name one of these: {}", listed(&names)))),
    }
}

/// Returns the paths of all datasets, sorted. Fails if the file has too many groups.
fn names(file: &File) -> Result<Vec<String>> {
    let mut names = Vec::new();
    walk::datasets(&file.root(), MOST_GROUPS, &mut |path, _, _| {
        names.push(path.to_owned());
        Ok(())
    })?;
    names.sort();
    Ok(names)
}

/// Returns a text of names, and the number of those left out.
fn listed(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST_SHOWN)].join(", ");
    match names.len() - names.len().min(MOST_SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns the error of a name that no dataset has. `error` is from the library.
fn absent(file: &File, name: &str, error: &hdf5_pure::Error) -> FileError {
    if file.group(name).is_ok() {
        let within: Vec<String> =
            names(file).unwrap_or_default().into_iter().filter(|known| known.starts_with(&format!("{name}/"))).collect();
        return damaged(match within.is_empty() {
            true => format!("`{name}` is a group without datasets"),
            false => format!("`{name}` is a group; name one of its datasets: {}", listed(&within)),
        });
    }
    match names(file) {
        Ok(names) if !names.is_empty() => damaged(format_args!(
            "there is no dataset `{name}` (soft links and external links are not followed); the file has these: {}",
            listed(&names)
        )),
        _ => damaged(format_args!("there is no dataset `{name}`: {error}")),
    }
}

/// Reads the header of a dataset of `file` and the places of its chunks.
fn read(file: &File, path: &Path, name: String) -> Result<StoredDataset> {
    let dataset = file.dataset(&name).map_err(|error| absent(file, &name, &error))?;
    let refused = |what: String| FileError::ArrayHeader { array: name.clone(), what };
    let (encoding, big_endian) = encoding(&dataset.datatype().map_err(damaged)?, &name)?;
    let shape = dataset.shape().map_err(damaged)?;
    let bytes = shape.iter().try_fold(encoding.size() as u64, |bytes, extent| bytes.checked_mul(*extent));
    let filters = Filter::all(&dataset)
        .map_err(|filter| refused(format!("its filter {filter} cannot be undone; `h5repack -f GZIP=1` replaces it by one that can")))?;
    let mut read = StoredDataset {
        type_name: type_name(encoding, big_endian),
        element_bytes: encoding.size(),
        chunk_shape: shape.iter().map(|extent| (*extent).max(1)).collect(),
        shape,
        elements: Elements::Chunks(Vec::new()),
        filters,
        plain_edges: false,
        fill: vec![0; encoding.size()],
        name: name.clone(),
    };
    let layout = dataset.layout().map_err(|error| {
        refused(format!(
            "its layout is damaged or not known ({error}); `libver=(\"earliest\", \"v114\")` makes h5py write one that is known"
        ))
    })?;
    match layout {
        _ if bytes == Some(0) => {}
        _ if bytes.is_none() => return Err(FileError::Claim { array: name, bytes: u64::MAX, most: file.file_size() }),
        Layout::Compact { size } if bytes == Some(size) => read.elements = Elements::Inline(dataset.read_raw().map_err(damaged)?),
        Layout::Contiguous { address: Some(address), size } => {
            place::contiguous(&name, &read.shape, bytes, address, size, file.file_size())?;
            read.elements = Elements::Chunks(vec![StoredChunk { number: 0, offset: address, bytes: size, skipped: 0 }]);
        }
        Layout::Contiguous { address: None, size } if bytes == Some(size) => {
            // The library refuses elements in other files.
            dataset.read_raw_rows(0, 0).map_err(damaged)?;
        }
        Layout::Chunked { chunk_shape, .. } if chunk_shape.len() != read.shape.len() || chunk_shape.contains(&0) => {
            return Err(refused(format!("its chunks have the extents {chunk_shape:?}, which do not fit the shape {:?}", read.shape)));
        }
        Layout::Chunked { index: ChunkIndex::BTreeV2, .. } => {
            return Err(refused(format!(
                "its {} bytes are in chunks with a B-tree of version 2, which is not read; without `libver=\"latest\"`, h5py writes another index",
                bytes.unwrap_or(u64::MAX)
            )));
        }
        Layout::Chunked { chunk_shape, index } => {
            read.chunk_shape = chunk_shape;
            read.elements = Elements::Chunks(table(&dataset, index, &read, file.file_size())?);
            // Files with the oldest index lack the flag that leaves filters out.
            read.plain_edges = index != ChunkIndex::BTreeV1 && edges_are_plain(path, &read)?;
        }
        Layout::Virtual => return Err(refused("its elements are those of other datasets (it is virtual), which are not read".into())),
        _ => return Err(refused(format!("its elements are not those of the shape {:?}", read.shape))),
    }
    if read.inline().is_none() && (read.chunks().len() as u64) < count(&read.shape, &read.chunk_shape) {
        read.fill = fill(&dataset, &read)?;
    }
    Ok(read)
}

/// Returns the number of chunks of a dataset.
fn count(shape: &[u64], chunk: &[u64]) -> u64 {
    coordinates(&shape.iter().zip(chunk).map(|(extent, chunk)| extent.div_ceil(*chunk)).collect::<Vec<u64>>())
}

/// Returns the places of the chunks in the order of their numbers. Fails if they do not fit the dataset or a file of `length` bytes.
fn table(dataset: &Dataset, index: ChunkIndex, of: &StoredDataset, length: u64) -> Result<Vec<StoredChunk>> {
    let wrong = |what: std::fmt::Arguments<'_>| damaged(format_args!("{}: {what}", of.name));
    if index != ChunkIndex::BTreeV1 {
        // These indexes list chunks that were never written too, each by an address.
        within(&of.name, count(&of.shape, &of.chunk_shape), ADDRESS, length)?;
    }
    let size = within(&of.name, coordinates(&of.chunk_shape), of.element_bytes, u64::MAX)? as u64;
    let mut chunks = Vec::new();
    for chunk in dataset.chunks().map_err(damaged)? {
        let axes = chunk.offset.iter().zip(of.shape.iter().zip(&of.chunk_shape));
        if axes.clone().any(|(at, (extent, _))| at >= extent) {
            continue;
        }
        if let Some(axis) = axes.clone().position(|(at, (_, chunk))| !at.is_multiple_of(*chunk)) {
            return Err(wrong(format_args!(
                "a chunk begins at {} of axis {axis}, which is not a multiple of its extent",
                chunk.offset[axis]
            )));
        }
        let number = axes.fold(0, |number, (at, (extent, chunk))| number * extent.div_ceil(*chunk) + at / chunk);
        let (bytes, offset) = (chunk.storage_size, chunk.address);
        if offset.checked_add(bytes).is_none_or(|end| end > length) {
            return Err(wrong(format_args!("a chunk has {bytes} bytes at {offset}, but the file has {length}")));
        }
        let fits = if of.is_plain() { bytes == size } else { bytes <= size.saturating_add(size / 8 + 4096) };
        if !fits {
            return Err(wrong(format_args!("the chunk at byte {offset} has {bytes} bytes; expected: {size}")));
        }
        chunks.push(StoredChunk { number, offset, bytes, skipped: chunk.filter_mask });
    }
    chunks.sort_unstable_by_key(|chunk| chunk.number);
    match chunks.windows(2).find(|pair| pair[0].number == pair[1].number) {
        Some(twice) => Err(wrong(format_args!("the chunks at the bytes {} and {} are one", twice[0].offset, twice[1].offset))),
        None => Ok(chunks),
    }
}

/// Tests whether the filters were not applied to the chunks that reach beyond the dataset. The library does not return the flag that
/// says so. Such chunks have their whole size in the file, so one of them is read if all have. Fails if the file cannot be read, or if
/// the filters change neither the size nor a checksum.
fn edges_are_plain(path: &Path, of: &StoredDataset) -> Result<bool> {
    let size = coordinates(&of.chunk_shape).saturating_mul(of.element_bytes as u64);
    let mut edges = of.chunks().iter().filter(|chunk| of.is_edge(chunk.number)).peekable();
    let Some(first) = edges.peek().copied() else { return Ok(false) };
    if of.is_plain() || !edges.all(|chunk| chunk.bytes == size) {
        return Ok(false);
    }
    if of.filters.iter().all(|filter| *filter == Filter::Shuffle) && of.element_bytes > 1 {
        let what = "its last chunks may be shuffled or not, which cannot be told without compression: `h5repack -f SHUF -f GZIP=1` adds it";
        return Err(FileError::ArrayHeader { array: of.name.clone(), what: what.into() });
    }
    let mut stored = vec![0; size as usize];
    file_output::read_at(&std::fs::File::open(path)?, &mut stored, first.offset)?;
    Ok(of.decode(first, stored).is_err())
}

/// Returns the fill value of a dataset, in the byte order of this machine. Fails for types whose fill value the library does not return.
fn fill(dataset: &Dataset, of: &StoredDataset) -> Result<Vec<u8>> {
    macro_rules! fill {
        ($type:ty) => {
            dataset.fill_value::<$type>().map_err(damaged)?.map(|value| value.to_ne_bytes().to_vec())
        };
    }
    let found = match &of.type_name[1..] {
        "b1" | "u1" | "i1" => fill!(u8),
        "u2" => fill!(u16),
        "u4" => fill!(u32),
        "u8" => fill!(u64),
        "i2" => fill!(i16),
        "i4" => fill!(i32),
        "i8" => fill!(i64),
        "f4" => fill!(f32),
        "f8" => fill!(f64),
        _ if dataset.fill_value::<u8>().map_err(damaged)?.is_none() => None,
        other => {
            let what = format!("it has chunks that were never written, and a fill value of the type {other}, which is not read");
            return Err(FileError::ArrayHeader { array: of.name.clone(), what });
        }
    };
    Ok(found.unwrap_or_else(|| vec![0; of.element_bytes]))
}
