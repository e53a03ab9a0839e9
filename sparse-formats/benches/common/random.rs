//! Random numbers, files of numbers, and memory for them.

use sparse_formats::{Indices, Values};
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

/// Writes bare little-endian numbers.
pub fn write(path: &Path, bytes: impl Iterator<Item = u8>) {
    let bytes: Vec<u8> = bytes.collect();
    std::fs::File::create(path).and_then(|mut file| file.write_all(&bytes)).expect("a file in the folder of the run");
}

/// A copy in memory of the kind that NumPy has for large arrays, so that its inputs are no faster to read than ours.
pub fn in_huge_pages(numbers: &[f64]) -> Vec<f64> {
    match Values::from(numbers).into_owned() {
        Values::Each(copy) => copy.into_owned(),
        _ => unreachable!("as many values as numbers"),
    }
}

/// The same of coordinates.
pub fn indices_in_huge_pages(numbers: &[u32]) -> Vec<u32> {
    match Indices::from(numbers).into_owned() {
        Indices::U32(copy) => copy.into_owned(),
        _ => unreachable!("numbers of 32 bits"),
    }
}
