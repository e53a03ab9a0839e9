//! Makes row lengths, and the files that give the Python peers the same arrays.

use crate::common::random::{Rng, in_huge_pages, write};
use ragged_arrays::RaggedArray;
use std::path::Path;

pub const ROWS: usize = 1_000_000;
pub const LEAVES: usize = 10_000_000;

/// Makes lengths of which half are 0, and one is more than a twentieth of the leaves.
pub fn power_law() -> Vec<usize> {
    let mut random = Rng(1);
    let mut lengths: Vec<usize> = (0..ROWS).map(|_| 2 * (random.unit().max(1e-6).powf(-0.95) * 0.49) as usize).collect();
    let longest = (0..ROWS).max_by_key(|row| lengths[*row]).unwrap_or(0);
    // Add missing leaves to the longest row; take excess leaves from the last rows.
    let (mut sum, mut row) = (lengths.iter().sum::<usize>(), ROWS);
    lengths[longest] += LEAVES.saturating_sub(sum);
    sum = sum.max(LEAVES);
    while sum > LEAVES {
        row -= 1;
        let less = lengths[row].min(sum - LEAVES);
        lengths[row] -= less;
        sum -= less;
    }
    lengths
}

/// Makes the array of these lengths with random leaves and offsets of 64 bits, and writes it to files.
pub fn array(folder: &Path, name: &str, lengths: &[usize]) -> RaggedArray<'static, f64> {
    let mut random = Rng(2);
    let leaves: Vec<f64> = (0..LEAVES).map(|_| random.unit()).collect();
    write(&folder.join(format!("{name}.lengths")), lengths.iter().flat_map(|len| (*len as u64).to_le_bytes()));
    write(&folder.join(format!("{name}.leaves")), leaves.iter().flat_map(|x| x.to_le_bytes()));
    RaggedArray::from_lengths(lengths.to_vec(), in_huge_pages(&leaves)).expect("lengths")
}
