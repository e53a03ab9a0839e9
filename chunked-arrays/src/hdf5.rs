//! Datasets of HDF5 files, read chunk by chunk.

use crate::error::RechunkError;
use crate::flat::Flat;
use crate::grid::{Grid, Region};
use crate::stage::{Input, read_runs};
use file_output::read_at;
use sparse_files::hdf5::{StoredChunk, StoredDataset};
use std::borrow::Cow;
use std::fs::File;
use std::path::Path;

/// A dataset that is read.
pub(crate) struct Hdf5Input {
    file: File,
    dataset: StoredDataset,
    grid: Grid,
    /// The number of bytes that are reversed at a time, or 1 if the file has the byte order of this machine.
    swapped: usize,
}

/// The elements of a dataset.
pub(crate) enum Hdf5Source {
    /// The elements are in the header of the dataset.
    Header(Flat),
    Chunks(Hdf5Input),
}

impl Hdf5Input {
    /// Opens a dataset by its path in a file, or the only dataset of a file. Returns the array and the name of its type in NumPy. Fails
    /// as [`StoredDataset::open`] does.
    pub fn open(path: &Path, name: Option<&str>) -> Result<(Hdf5Source, String), RechunkError> {
        let file = File::open(path)?;
        let dataset = StoredDataset::open(path, name).map_err(|error| RechunkError::Array(error.to_string()))?;
        let type_name = dataset.type_name().to_owned();
        let grid = Grid::regular(dataset.shape(), dataset.chunk_shape())?;
        let number = if type_name.contains('c') { dataset.element_bytes() / 2 } else { dataset.element_bytes() };
        let native = if cfg!(target_endian = "big") { '>' } else { '<' };
        let swapped = if type_name.starts_with(['|', native]) { 1 } else { number };
        if let Some(elements) = dataset.inline() {
            let mut elements = elements.to_vec();
            reverse(&mut elements, swapped);
            return Ok((Hdf5Source::Header(Flat::memory(dataset.shape(), dataset.element_bytes(), elements)?), type_name));
        }
        Ok((Hdf5Source::Chunks(Hdf5Input { file, dataset, grid, swapped }), type_name))
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns true if the bytes of chunks in the file are their elements.
    pub fn is_plain(&self) -> bool {
        self.dataset.is_plain()
    }

    /// Returns the bytes of all chunks in the file.
    pub fn stored_bytes(&self) -> u64 {
        self.dataset.chunks().iter().map(|chunk| chunk.bytes).sum()
    }

    /// Returns the bytes of the list of chunks, which is in memory.
    pub fn list_bytes(&self) -> u64 {
        size_of_val(self.dataset.chunks()) as u64
    }

    /// Returns elements that all have the fill value.
    fn filled(&self, out: &mut [u8]) {
        out.chunks_exact_mut(self.dataset.element_bytes()).for_each(|element| element.copy_from_slice(self.dataset.fill()));
    }
}

impl Input for Hdf5Input {
    fn chunk(&self, chunk: &[u64]) -> Result<Cow<'_, [u8]>, RechunkError> {
        let Some(place) = self.dataset.chunk(chunk) else {
            let mut out = vec![0; self.grid.stored_shape(chunk).iter().product::<u64>() as usize * self.dataset.element_bytes()];
            self.filled(&mut out);
            return Ok(out.into());
        };
        let mut stored = vec![0; place.bytes as usize];
        read_at(&self.file, &mut stored, place.offset)?;
        let mut out = self.dataset.decode(&place, stored).map_err(|error| RechunkError::Array(error.to_string()))?;
        reverse(&mut out, self.swapped);
        Ok(out.into())
    }

    fn part(&self, chunk: &[u64], region: &Region, out: &mut [u8]) -> Result<(), RechunkError> {
        let Some(StoredChunk { offset, .. }) = self.dataset.chunk(chunk) else {
            self.filled(out);
            return Ok(());
        };
        let whole = Region { start: self.grid.region(chunk).start, shape: self.grid.stored_shape(chunk) };
        read_runs(&self.file, offset, &whole, region, self.dataset.element_bytes(), out)?;
        reverse(out, self.swapped);
        Ok(())
    }
}

/// Reverses the bytes of each number of `size` bytes.
fn reverse(bytes: &mut [u8], size: usize) {
    match size {
        1 => {}
        // A reversal of a known length is one instruction.
        2 => bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|number| number.reverse()),
        4 => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|number| number.reverse()),
        8 => bytes.as_chunks_mut::<8>().0.iter_mut().for_each(|number| number.reverse()),
        size => bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse),
    }
}
