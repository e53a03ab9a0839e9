//! Random inputs, and the files that give the same inputs to the Python peers.

use crate::common::random::{Rng, in_huge_pages, indices_in_huge_pages, write};
use std::path::Path;

/// A list of entries: coordinates by column, and values.
pub struct List {
    pub columns: Vec<Vec<u32>>,
    pub values: Vec<f64>,
}

impl List {
    /// Returns `len` entries with coordinates `extent * u^power`.
    pub fn random(extents: &[u32], len: usize, power: i32, seed: u64) -> List {
        let mut random = Rng(seed);
        let column = |extent: &u32| (0..len).map(|_| (random.unit().powi(power) * f64::from(*extent)) as u32).collect::<Vec<_>>();
        let columns = extents.iter().map(column).map(|column| indices_in_huge_pages(&column)).collect();
        List { columns, values: in_huge_pages(&(0..len).map(|_| random.unit()).collect::<Vec<_>>()) }
    }

    /// Writes bare little-endian numbers to the files `name.0`, `name.1`, ... and `name.values`.
    pub fn write(&self, folder: &Path, name: &str) {
        for (k, column) in self.columns.iter().enumerate() {
            write(&folder.join(format!("{name}.{k}")), column.iter().flat_map(|x| x.to_le_bytes()));
        }
        write(&folder.join(format!("{name}.values")), self.values.iter().flat_map(|x| x.to_le_bytes()));
    }
}
