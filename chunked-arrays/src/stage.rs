//! Runs one stage of a plan: reads each box of the array, and writes it.

use crate::copy::{Block, copy, runs};
use crate::error::RechunkError;
use crate::grid::{Grid, Region, combination, combinations, product};
use crate::plan::{MOST_UNITS, Stage};
use file_output::{read_at, write_at};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// An array that a stage reads.
pub(crate) trait Input: Sync {
    /// Returns the elements of a whole chunk, including those beyond the array. Fails if the chunk is damaged.
    fn chunk(&self, chunk: &[u64]) -> Result<Cow<'_, [u8]>, RechunkError>;

    /// Reads the elements of a region within a chunk. Fails if the chunk is damaged.
    fn part(&self, chunk: &[u64], region: &Region, out: &mut [u8]) -> Result<(), RechunkError>;
}

/// An array that a stage writes.
pub(crate) trait Output: Sync {
    /// Returns the bytes of the element for positions beyond the array, or `None` for 0.
    fn fill(&self) -> Option<&[u8]> {
        None
    }

    /// Writes a whole chunk. Fails if the system refuses.
    fn chunk(&self, chunk: &[u64], bytes: &[u8]) -> Result<(), RechunkError>;

    /// Writes a region. Fails if the system refuses.
    fn part(&self, region: &Region, bytes: &[u8]) -> Result<(), RechunkError>;
}

/// Counts the bytes of elements, and reports them.
pub(crate) struct Counter<'a> {
    pub read: AtomicU64,
    pub written: AtomicU64,
    pub all: u64,
    pub report: &'a (dyn Fn(u64, u64) + Sync),
}

impl Counter<'_> {
    fn add(&self, to: &AtomicU64, bytes: u64) {
        to.fetch_add(bytes, Ordering::Relaxed);
        let done = self.read.load(Ordering::Relaxed) + self.written.load(Ordering::Relaxed);
        (self.report)(done, self.all);
    }
}

/// The elements of a box that are written together.
struct Unit {
    chunk: Vec<u64>,
    region: Region,
    stored: Vec<u64>,
    bytes: Mutex<Vec<u8>>,
}

/// Runs a stage on the threads of the current pool. `grid` has the chunks of `input`, `size` is the number of bytes of an element, and
/// `most` the number of bytes of a part. Fails with the first error.
pub(crate) fn run(
    stage: &Stage,
    grid: &Grid,
    input: &dyn Input,
    runs_only: bool,
    output: &dyn Output,
    (size, most): (usize, u64),
    counter: &Counter<'_>,
) -> Result<(), RechunkError> {
    let all = stage.boxes.axes().iter().map(|axis| 0..axis.chunks()).collect();
    let mut spare = Vec::new();
    for number in product(all) {
        let area = stage.boxes.region(&number);
        let (ranges, units) = units(stage, &area, output.fill(), size, std::mem::take(&mut spare))?;
        let read = |chunk: &[u64], region: &Region| -> Result<(), RechunkError> {
            let (bytes, block, read);
            if runs_only {
                let mut part = vec![0; region.elements() as usize * size];
                input.part(chunk, region, &mut part)?;
                (bytes, block, read) = (Cow::Owned(part), (region.start.clone(), region.shape.clone()), region.elements());
            } else {
                let whole = grid.region(chunk);
                (bytes, block, read) = (input.chunk(chunk)?, (whole.start.clone(), grid.stored_shape(chunk)), whole.elements());
            }
            counter.add(&counter.read, read * size as u64);
            let from = Block { start: &block.0, shape: &block.1 };
            let reached = if stage.whole_writes { stage.output.overlapping(region) } else { ranges.clone() };
            for chunk in product(reached) {
                let at = chunk.iter().zip(&ranges).fold(0, |at, (chunk, range)| at * (range.end - range.start) + (chunk - range.start));
                let unit = &units[at as usize];
                let to = Block { start: &unit.region.start, shape: &unit.stored };
                let mut target = unit.bytes.lock().unwrap_or_else(PoisonError::into_inner);
                copy(&region.intersection(&unit.region), size, &from, &bytes, &to, &mut target);
            }
            Ok(())
        };
        // The chunks are counted and not listed: a box may have very many.
        let chunks = grid.overlapping(&area);
        (0..combinations(&chunks)).into_par_iter().try_for_each(|number| {
            let chunk = combination(&chunks, number);
            let region = grid.region(&chunk).intersection(&area);
            if !runs_only {
                return read(&chunk, &region);
            }
            let mut parts = Vec::new();
            blocks(&region, (most / size as u64).max(1), &mut |block| parts.push(block));
            parts.par_iter().try_for_each(|part| read(&chunk, part))
        })?;
        spare = units
            .into_par_iter()
            .map(|unit| {
                let bytes = unit.bytes.into_inner().unwrap_or_else(PoisonError::into_inner);
                if stage.whole_writes {
                    output.chunk(&unit.chunk, &bytes)?
                } else {
                    output.part(&unit.region, &bytes)?
                }
                counter.add(&counter.written, unit.region.elements() * size as u64);
                Ok(bytes)
            })
            .collect::<Result<Vec<_>, RechunkError>>()?;
    }
    Ok(())
}

/// Returns the units of a box, in C order, and the ranges of their numbers along each axis. A box that is written in runs is one unit,
/// with no ranges. `spare` has buffers of an earlier box: fresh memory costs more than the copy into it. Fails if there are too many.
#[allow(clippy::type_complexity, reason = "the ranges are those of `Grid::overlapping`")]
fn units(
    stage: &Stage,
    area: &Region,
    fill: Option<&[u8]>,
    size: usize,
    spare: Vec<Vec<u8>>,
) -> Result<(Vec<std::ops::Range<u64>>, Vec<Unit>), RechunkError> {
    let mut units = Vec::new();
    let mut ranges = Vec::new();
    if stage.whole_writes {
        ranges = stage.output.overlapping(area);
        let count = combinations(&ranges);
        if count > MOST_UNITS {
            return Err(RechunkError::Grid(format!("a box has {count} chunks, and at most {MOST_UNITS} are possible; make them larger")));
        }
        for chunk in product(ranges.clone()) {
            let (region, stored) = (stage.output.region(&chunk), stage.output.stored_shape(&chunk));
            units.push(Unit { chunk, region, stored, bytes: Mutex::default() });
        }
    } else {
        units.push(Unit { chunk: Vec::new(), region: area.clone(), stored: area.shape.clone(), bytes: Mutex::default() });
    }
    let bytes = |unit: &Unit| unit.stored.iter().product::<u64>() as usize * size;
    let mut by_length: HashMap<usize, Vec<Vec<u8>>> = HashMap::new();
    spare.into_iter().for_each(|buffer| by_length.entry(buffer.len()).or_default().push(buffer));
    for unit in &mut units {
        if let Some(buffer) = by_length.get_mut(&bytes(unit)).and_then(Vec::pop) {
            unit.bytes = Mutex::new(buffer);
        }
    }
    // Buffers of other lengths are freed before new ones are made.
    drop(by_length);
    for unit in &mut units {
        let (count, padded) = (bytes(unit), unit.region.shape != unit.stored);
        let buffer = unit.bytes.get_mut().unwrap_or_else(PoisonError::into_inner);
        if buffer.len() != count {
            *buffer = vec![0; count];
        } else if padded {
            buffer.fill(0);
        }
        if let Some(fill) = fill.filter(|_| padded) {
            buffer.chunks_exact_mut(size).for_each(|element| element.copy_from_slice(fill));
        }
    }
    Ok((ranges, units))
}

/// Divides a region along its first axes into blocks of at most `most` elements.
pub(crate) fn blocks(region: &Region, most: u64, out: &mut dyn FnMut(Region)) {
    let Some(axis) = region.shape.iter().position(|length| *length > 1).filter(|_| region.elements() > most) else {
        return out(region.clone());
    };
    let slice = region.elements() / region.shape[axis];
    let step = (most / slice).max(1);
    for start in (0..region.shape[axis]).step_by(step as usize) {
        let mut block = region.clone();
        (block.start[axis], block.shape[axis]) = (region.start[axis] + start, step.min(region.shape[axis] - start));
        blocks(&block, most, out);
    }
}

/// A temporary file with the chunks of a grid, one after another.
pub(crate) struct Pieces {
    file: File,
    grid: Grid,
    size: usize,
}

impl Pieces {
    /// Creates the file in a folder. It has no name, so that nothing remains of it. Fails if the system refuses.
    pub fn new(folder: &std::path::Path, grid: &Grid, size: usize) -> Result<Pieces, RechunkError> {
        Ok(Pieces { file: tempfile::tempfile_in(folder)?, grid: grid.clone(), size })
    }

    fn start(&self, chunk: &[u64]) -> u64 {
        self.grid.elements_before(chunk) * self.size as u64
    }
}

impl Input for Pieces {
    fn chunk(&self, chunk: &[u64]) -> Result<Cow<'_, [u8]>, RechunkError> {
        let mut bytes = vec![0; self.grid.region(chunk).elements() as usize * self.size];
        read_at(&self.file, &mut bytes, self.start(chunk))?;
        Ok(bytes.into())
    }

    fn part(&self, chunk: &[u64], region: &Region, out: &mut [u8]) -> Result<(), RechunkError> {
        let (start, whole) = (self.start(chunk), self.grid.region(chunk));
        read_runs(&self.file, start, &whole, region, self.size, out)
    }
}

impl Output for Pieces {
    fn chunk(&self, chunk: &[u64], bytes: &[u8]) -> Result<(), RechunkError> {
        Ok(write_at(&self.file, bytes, self.start(chunk))?)
    }

    fn part(&self, _: &Region, _: &[u8]) -> Result<(), RechunkError> {
        Err(RechunkError::Grid("a temporary file has whole pieces only".into()))
    }
}

/// Reads a region from a file that has the elements of `whole` from `start` on. Fails if the file ends before.
pub(crate) fn read_runs(file: &File, start: u64, whole: &Region, region: &Region, size: usize, out: &mut [u8]) -> Result<(), RechunkError> {
    let begin = region.start.iter().zip(&whole.start).map(|(at, start)| at - start).collect();
    let relative = Region { start: begin, shape: region.shape.clone() };
    for (to, from, count) in runs(&relative, &whole.shape) {
        let range = to as usize * size..(to + count) as usize * size;
        read_at(file, &mut out[range], start + from * size as u64)?;
    }
    Ok(())
}
