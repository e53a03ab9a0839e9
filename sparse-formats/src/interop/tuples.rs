//! Coordinates of tuples in one array: what MLIR stores where singletons have no arrays of their own.

use super::{LevelFormat, MlirEncoding, MlirStorage};
use crate::error::{ArrayName, TensorError};
use crate::indices::with_width;
use crate::interop::InterchangeError;
use crate::{Indices, Width, with_indices};
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::level::Index;

impl MlirEncoding {
    /// With the singletons in arrays of their own, or not.
    pub fn with_soa(mut self, soa: bool) -> MlirEncoding {
        self.level_types.iter_mut().filter(|level| level.format == LevelFormat::Singleton).for_each(|level| level.soa = soa);
        self
    }

    /// The levels whose coordinates are in one array: those of singletons that have none of their own, and the one before them; empty without any.
    pub(super) fn tuples(&self) -> Range<usize> {
        let types = &self.level_types;
        let together = |level: &usize| types[*level].format == LevelFormat::Singleton && !types[*level].soa;
        match (1..types.len()).find(together) {
            Some(first) => first - 1..(first..types.len()).find(|level| !together(level)).unwrap_or(types.len()),
            None => 0..0,
        }
    }
}

impl MlirStorage<'_> {
    /// The arrays as the dialect has them in memory: where singletons are not `soa`, their coordinates follow each other element by element in one
    /// array, under the level before the singletons.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, MlirEncoding, SparseTensor};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let a = Builder::new(Format::coo(2), 0).build(&[2, 3], &columns, vec![5, 6])?;
    /// let encoding = MlirEncoding::of(a.format())?;
    /// let storage = a.pattern().mlir_storage()?.interleaved(&encoding)?;
    /// assert_eq!(storage.coordinates, [Some(vec![0u8, 2, 1, 0].into()), None]);
    /// assert_eq!(SparseTensor::from_mlir(&[2, 3], &encoding, storage, vec![5, 6], 0)?, a);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails where the dialect refuses the encoding, and where coordinates are missing or of different lengths.
    pub fn interleaved(&self, encoding: &MlirEncoding) -> Result<MlirStorage<'static>, InterchangeError> {
        encoding.verify()?;
        let mut out = MlirStorage {
            positions: self.positions.iter().map(|array| array.clone().map(Indices::into_owned)).collect(),
            coordinates: self.coordinates.iter().map(|array| array.clone().map(Indices::into_owned)).collect(),
        };
        let levels = encoding.tuples();
        let mut columns = Vec::with_capacity(levels.len());
        for level in levels.clone() {
            let array = ArrayName::Indices(level);
            let column = out.coordinates.get_mut(level).and_then(Option::take).ok_or(TensorError::Missing { array })?;
            let expected = columns.first().map_or(column.len(), Indices::len);
            if column.len() != expected {
                return Err(TensorError::Length { array, found: column.len(), expected }.into());
            }
            columns.push(column);
        }
        let width = columns.iter().map(Indices::width).max().unwrap_or(Width::U8);
        if let Some(first) = columns.first() {
            out.coordinates[levels.start] = Some(with_width!(width, T => {
                let tuples = (0..first.len()).flat_map(|k| columns.iter().map(move |column| T::truncate(column.get(k).unwrap_or(0))));
                tuples.collect::<Vec<T>>().into()
            }));
        }
        Ok(out)
    }
}

impl MlirStorage<'_> {
    /// The coordinates of each level that [`MlirEncoding::tuples`] names, where they are in one array.
    pub(super) fn columns(&self, encoding: &MlirEncoding) -> Result<Option<Vec<Indices<'static>>>, InterchangeError> {
        let levels = encoding.tuples();
        let own = |level: usize| self.coordinates.get(level).and_then(Option::as_ref);
        let Some(tuples) = levels.clone().next().and_then(own) else { return Ok(None) };
        if levels.clone().skip(1).any(|level| own(level).is_some()) {
            return Ok(None);
        }
        if !tuples.len().is_multiple_of(levels.len()) {
            return Err(InterchangeError::Tuples { level: levels.start, found: tuples.len(), width: levels.len() });
        }
        let column = |k| with_indices!(tuples, tuples => tuples.iter().skip(k).step_by(levels.len()).copied().collect::<Vec<_>>().into());
        Ok(Some((0..levels.len()).map(column).collect()))
    }

    /// Tests that the positions of a first level are those of one parent; its coordinates are the first of `tuples` where these begin there.
    pub(super) fn check_root(&self, encoding: &MlirEncoding, tuples: Option<&[Indices]>) -> Result<(), InterchangeError> {
        let first = tuples.filter(|_| encoding.tuples().start == 0).and_then(<[_]>::first);
        let first = first.or(self.coordinates.first().and_then(Option::as_ref));
        let root = self.positions.first().and_then(Option::as_ref);
        let found: Vec<u64> = root.ok_or(TensorError::Missing { array: ArrayName::Pointers(0) })?.iter().collect();
        let expected = first.map_or(0, Indices::len);
        if found == [0, expected as u64] { Ok(()) } else { Err(InterchangeError::Root { found, expected }) }
    }
}
