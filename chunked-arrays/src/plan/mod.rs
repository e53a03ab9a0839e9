//! Plans: the passes over an array that turn one grid of chunks into another, and their bytes and memory.

mod cuts;
mod search;

use crate::error::RechunkError;
use crate::grid::Grid;
use std::fmt;

/// The most chunks along an axis: plans list them.
pub(crate) const MOST_CHUNKS: u64 = 1 << 20;

/// The most chunks of a box: each needs some hundred bytes beside its elements.
pub(crate) const MOST_UNITS: u64 = 1 << 20;

/// The options of a plan.
///
/// ```
/// use chunked_arrays::RechunkPlanOptions;
/// let options = RechunkPlanOptions { memory_bytes: 1 << 30, ..RechunkPlanOptions::default() };
/// assert_eq!(options.request_bytes, 32768);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RechunkPlanOptions {
    /// The most bytes of array elements and buffers in memory at one time.
    pub memory_bytes: u64,
    /// The number of threads. A stage uses fewer if their buffers do not fit into the memory.
    pub threads: u64,
    /// True if a part of a source chunk can be read alone, by runs of consecutive elements.
    pub partial_reads: bool,
    /// True if a part of a target chunk can be written alone.
    pub partial_writes: bool,
    /// The number of bytes that a device reads in the time of one request. The planner minimizes the bytes plus this number for each
    /// request. With 0 it minimizes the bytes alone.
    pub request_bytes: u64,
    /// The number of bytes that a device reads in the time of writing one. Written bytes count as many times.
    pub write_cost: u64,
    /// The bytes of all source chunks in their files, or `None` if they are not compressed. They count when chunks are read.
    pub stored_bytes: Option<u64>,
    /// The number of buffers, each as large as a decoded source chunk, that a thread needs to read a whole chunk.
    pub read_buffers: u64,
    /// The bytes beside these buffers that a thread needs to read a whole chunk, like the list of chunks in a shard.
    pub shard_bytes: u64,
    /// The number of buffers, each as large as a decoded target chunk, that a thread needs to write a whole chunk.
    pub write_buffers: u64,
    /// The most bytes that a thread needs to read or write parts of chunks. Small arrays need a 64th of their bytes.
    pub run_buffer: u64,
}

impl Default for RechunkPlanOptions {
    /// One thread, 1 GiB, whole chunks without compression, three buffers to read a chunk, two to write it, and a device that writes a third
    /// of what it reads.
    fn default() -> RechunkPlanOptions {
        RechunkPlanOptions {
            memory_bytes: 1 << 30,
            threads: 1,
            partial_reads: false,
            partial_writes: false,
            request_bytes: 32 << 10,
            write_cost: 3,
            stored_bytes: None,
            read_buffers: 3,
            shard_bytes: 0,
            write_buffers: 2,
            run_buffer: 1 << 20,
        }
    }
}

/// One pass over the array: for each box, reads the elements of the box and writes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// The boxes, in whose order the pass walks.
    pub boxes: Grid,
    /// The chunks that the stage writes: target chunks, or the pieces of a temporary file.
    pub output: Grid,
    /// True if the stage reads whole chunks, and false if it reads runs of consecutive elements.
    pub whole_reads: bool,
    /// True if the stage writes whole chunks, and false if it writes runs of consecutive elements.
    pub whole_writes: bool,
    /// The bytes of all elements read. A chunk that two boxes share counts twice.
    pub bytes_read: u64,
    /// The bytes of all elements written.
    pub bytes_written: u64,
    /// The number of reads and writes, or an upper bound if there are runs.
    pub requests: u64,
    /// The number of threads.
    pub threads: u64,
    /// The bytes of the largest box and of the buffers of all threads.
    pub peak_bytes: u64,
}

/// The stages that turn one grid of chunks into another, within a memory bound.
///
/// ```
/// use chunked_arrays::{Grid, RechunkPlanOptions, RechunkPlan};
/// // A gigabyte of rows becomes columns within a tenth of the memory.
/// let shape = [16_000, 16_000];
/// let (rows, columns) = (Grid::regular(&shape, &[10, 16_000])?, Grid::regular(&shape, &[16_000, 10])?);
/// let options = RechunkPlanOptions { memory_bytes: 100 << 20, ..RechunkPlanOptions::default() };
/// let plan = RechunkPlan::new(4, &rows, &columns, &options)?;
/// assert_eq!((plan.stages().len(), plan.lower_bound()), (2, 2 * 16_000 * 16_000 * 4));
/// assert_eq!(plan.bytes(), 2 * plan.lower_bound());
/// assert!(plan.peak_bytes() <= 100 << 20);
/// # Ok::<(), chunked_arrays::RechunkError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RechunkPlan {
    pub(crate) source: Grid,
    pub(crate) element_bytes: u64,
    /// The most bytes of a part of a chunk.
    pub(crate) run_buffer: u64,
    stages: Vec<Stage>,
}

impl RechunkPlan {
    /// Returns the cheapest plan found for elements of `element_bytes` bytes. One pass is exact: no other boxes of one pass that reads
    /// and writes whole chunks read fewer bytes, up to the lengths of boxes tried.
    ///
    /// Fails if the shapes differ, or if an axis has more than 2^20 chunks, or if the memory is too small for a source chunk, a target
    /// chunk and their buffers.
    pub fn new(element_bytes: u64, source: &Grid, target: &Grid, options: &RechunkPlanOptions) -> Result<RechunkPlan, RechunkError> {
        if source.shape() != target.shape() {
            let message = format!("the source has the shape {:?}, but the target {:?}", source.shape(), target.shape());
            return Err(RechunkError::Grid(message));
        }
        for (name, grid) in [("source", source), ("target", target)] {
            let counts = grid.axes().iter().map(crate::grid::Axis::chunks).enumerate();
            if let Some((axis, chunks)) = counts.max_by_key(|(_, chunks)| *chunks).filter(|(_, chunks)| *chunks > MOST_CHUNKS) {
                let message = format!("axis {axis}: the {name} has {chunks} chunks; at most {MOST_CHUNKS} along an axis are supported");
                return Err(RechunkError::Grid(message));
            }
        }
        let most = source.elements().max(source.largest()).max(target.largest()).checked_mul(element_bytes.max(1));
        if element_bytes == 0 || most.is_none_or(|bytes| bytes > 1 << 59) {
            let message = format!("{} elements of {element_bytes} bytes are none, or more than 2^59 bytes", source.elements());
            return Err(RechunkError::Grid(message));
        }
        let stages = search::cheapest(element_bytes, source, target, options)?;
        let run_buffer = search::run_buffer(element_bytes, source, options);
        Ok(RechunkPlan { source: source.clone(), element_bytes, run_buffer, stages })
    }

    /// Returns the stages, in their order.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Returns the bytes of all elements read and written, including temporary files.
    pub fn bytes(&self) -> u64 {
        self.stages.iter().map(|stage| stage.bytes_read + stage.bytes_written).sum()
    }

    /// Returns the number of reads and writes, or an upper bound if there are runs.
    pub fn requests(&self) -> u64 {
        self.stages.iter().map(|stage| stage.requests).sum()
    }

    /// Returns the most bytes that the plan has in memory at one time.
    pub fn peak_bytes(&self) -> u64 {
        self.stages.iter().map(|stage| stage.peak_bytes).max().unwrap_or(0)
    }

    /// Returns the bytes of the source and the target: no plan has fewer.
    pub fn lower_bound(&self) -> u64 {
        2 * self.source.elements() * self.element_bytes
    }

    /// Returns the bytes of the temporary files that exist at one time.
    pub fn temporary_bytes(&self) -> u64 {
        let files = self.stages.len().saturating_sub(1).min(2) as u64;
        files * self.source.elements() * self.element_bytes
    }
}

impl fmt::Display for RechunkPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, stage) in self.stages.iter().enumerate() {
            let longest: Vec<String> = stage.boxes.axes().iter().map(|axis| axis.longest().to_string()).collect();
            writeln!(
                f,
                "stage {}: {} boxes of at most {}, reads {} bytes, writes {} bytes, {} requests, peak {} bytes, {} threads",
                number + 1,
                stage.boxes.chunks(),
                if longest.is_empty() { "one element".into() } else { longest.join(" x ") },
                stage.bytes_read,
                stage.bytes_written,
                stage.requests,
                stage.peak_bytes,
                stage.threads
            )?;
        }
        let (bytes, bound) = (self.bytes(), self.lower_bound());
        let ratio = if bound == 0 { 1.0 } else { bytes as f64 / bound as f64 };
        writeln!(f, "total:   {bytes} bytes, {ratio:.2} times the lower bound of {bound} bytes")?;
        write!(f, "peak:    {} bytes in memory, {} bytes in temporary files", self.peak_bytes(), self.temporary_bytes())
    }
}
