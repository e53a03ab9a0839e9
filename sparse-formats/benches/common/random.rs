//! Random numbers, files of numbers, and memory for them.

#[path = "../../tests/common/random.rs"]
mod numbers;

pub use numbers::Rng;
use sparse_formats::{Indices, Values};
use std::io::Write;
use std::path::Path;

/// Writes bare little-endian numbers to a file.
pub fn write(path: &Path, bytes: impl Iterator<Item = u8>) {
    let bytes: Vec<u8> = bytes.collect();
    std::fs::File::create(path).and_then(|mut file| file.write_all(&bytes)).expect("a file in the folder of the run");
}

/// Copies numbers to memory of the kind that NumPy uses for large arrays, so that its inputs are no faster to read
/// than these.
pub fn in_huge_pages(numbers: &[f64]) -> Vec<f64> {
    match Values::from(numbers).into_owned() {
        Values::Each(copy) => copy.into_owned(),
        _ => unreachable!("as many values as numbers"),
    }
}

/// Copies coordinates likewise.
pub fn indices_in_huge_pages(numbers: &[u32]) -> Vec<u32> {
    match Indices::from(numbers).into_owned() {
        Indices::U32(copy) => copy.into_owned(),
        _ => unreachable!("numbers of 32 bits"),
    }
}
