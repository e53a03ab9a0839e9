//! Random inputs, and the files through which the Python peers get the same ones.

use std::io::Write;
use std::path::Path;

/// splitmix64
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Coordinates by column, and values.
pub struct List {
    pub columns: Vec<Vec<u32>>,
    pub values: Vec<f64>,
}

impl List {
    /// `len` entries with coordinates `extent * u^power`.
    pub fn random(extents: &[u32], len: usize, power: i32, seed: u64) -> List {
        let mut random = Random(seed);
        let column = |extent: &u32| (0..len).map(|_| (random.unit().powi(power) * f64::from(*extent)) as u32).collect();
        let columns = extents.iter().map(column).collect();
        List { columns, values: (0..len).map(|_| random.unit()).collect() }
    }

    /// Writes `name.0`, `name.1`, ... and `name.values`, the bare little-endian numbers.
    pub fn write(&self, folder: &Path, name: &str) {
        for (k, column) in self.columns.iter().enumerate() {
            write(&folder.join(format!("{name}.{k}")), column.iter().flat_map(|x| x.to_le_bytes()));
        }
        write(&folder.join(format!("{name}.values")), self.values.iter().flat_map(|x| x.to_le_bytes()));
    }
}

fn write(path: &Path, bytes: impl Iterator<Item = u8>) {
    let bytes: Vec<u8> = bytes.collect();
    std::fs::File::create(path).and_then(|mut file| file.write_all(&bytes)).expect("a file in the folder of the run");
}
