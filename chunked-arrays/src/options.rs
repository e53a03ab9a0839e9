//! The chunks, the compression and the bounds of a copy, and its counts.

use crate::error::RechunkError;
use crate::grid::Grid;
use crate::plan::RechunkPlanOptions;

/// The compression of the chunks of a new array.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ArrayCodec {
    /// The codecs of the source. A source without codecs is not compressed.
    #[default]
    Keep,
    /// No compression.
    None,
    /// Zstandard of a level.
    Zstd(i32),
    /// gzip of a level.
    Gzip(u32),
}

/// The chunks of a new array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunks {
    /// The chunks that are written whole: the files of a Zarr array.
    pub grid: Grid,
    /// The extents of the chunks within each file, if the files are shards.
    pub inner: Option<Vec<u64>>,
}

impl Chunks {
    /// Returns chunks of one shape, each in a file of its own, or in shards of a shape. Fails if a number is 0, if the ranks differ, or
    /// if a shard does not have a whole number of chunks.
    ///
    /// ```
    /// use chunked_arrays::Chunks;
    /// assert_eq!(Chunks::new(&[100, 100], &[10, 10], None)?.grid.chunks(), 100);
    /// assert_eq!(Chunks::new(&[100, 100], &[10, 10], Some(&[50, 50]))?.grid.chunks(), 4);
    /// let wrong = Chunks::new(&[100, 100], &[10, 10], Some(&[50, 55])).unwrap_err();
    /// assert_eq!(wrong.to_string(), "axis 1: a shard of 55 positions is not a whole number of chunks of 10");
    /// # Ok::<(), chunked_arrays::RechunkError>(())
    /// ```
    pub fn new(shape: &[u64], chunk: &[u64], shard: Option<&[u64]>) -> Result<Chunks, RechunkError> {
        let grid = Grid::regular(shape, chunk)?;
        let Some(shard) = shard else { return Ok(Chunks { grid, inner: None }) };
        check_shards(shard, chunk)?;
        Ok(Chunks { grid: Grid::regular(shape, shard)?, inner: Some(chunk.to_vec()) })
    }
}

/// The options of a copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RechunkOptions {
    /// The most bytes of array elements and buffers in memory at one time.
    pub memory_bytes: u64,
    /// The number of threads.
    pub threads: usize,
    /// The number of bytes that a device transfers in the time of one request, as in [`RechunkPlanOptions`].
    pub request_bytes: u64,
    /// The compression of the new array.
    pub codec: ArrayCodec,
    /// True if an existing array is replaced.
    pub overwrite: bool,
}

impl Default for RechunkOptions {
    /// 1 GiB, all threads, the codecs of the source, and no replacement.
    fn default() -> RechunkOptions {
        let plan = RechunkPlanOptions::default();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (memory_bytes, request_bytes) = (plan.memory_bytes, plan.request_bytes);
        RechunkOptions { memory_bytes, threads, request_bytes, codec: ArrayCodec::Keep, overwrite: false }
    }
}

/// The counts of a finished copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RechunkReport {
    /// The bytes of all elements read.
    pub bytes_read: u64,
    /// The bytes of all elements written.
    pub bytes_written: u64,
}

/// Checks that every axis of a shard has a whole number of chunks. Fails with the axis and both numbers.
fn check_shards(shards: &[u64], chunks: &[u64]) -> Result<(), RechunkError> {
    if shards.len() != chunks.len() {
        return Err(RechunkError::Grid(format!("the shard {shards:?} has {} axes, but the chunk {}", shards.len(), chunks.len())));
    }
    let divides = |(shard, chunk): (&u64, &u64)| *chunk > 0 && *shard > 0 && shard.is_multiple_of(*chunk);
    match shards.iter().zip(chunks).position(|pair| !divides(pair)) {
        None => Ok(()),
        Some(axis) => Err(RechunkError::Grid(format!(
            "axis {axis}: a shard of {} positions is not a whole number of chunks of {}",
            shards[axis], chunks[axis]
        ))),
    }
}
