//! A matrix transposed tile by tile through a small buffer, as a GPU does it through shared memory: reads and writes both run along rows,
//! and a swizzle spreads the columns of the buffer over all banks: `cargo run --example transpose`.

use crd2idx::Swizzle;
use crd2idx::prelude::*;

/// Words that lie this far apart are in the same bank of the buffer.
const BANKS: usize = 32;

layout! {
    /// The buffer, row by row.
    type Tile = (32,32) : (32,1);
}

/// Exchanges the five bits of the column for their exclusive-or with those of the row.
const SWIZZLE: Swizzle = match Swizzle::new(5, 0, 5) {
    Ok(swizzle) => swizzle,
    Err(_) => panic!("out of range"),
};

/// The place of the element `(i, j)` in the buffer.
fn place(i: usize, j: usize) -> usize {
    SWIZZLE.apply_index(Tile.crd2idx((i, j)))
}

/// Transposes a row-major matrix of `m` x `n`, both multiples of 32.
fn transpose(m: usize, n: usize, from: &[u32]) -> Result<Vec<u32>, LayoutError> {
    let source = row_major((m, n)).try_zipped_divide(shape!(32, 32))?;
    let target = row_major((n, m)).try_zipped_divide(shape!(32, 32))?;
    let (source, target) = (source.hoist::<8>(), target.hoist::<8>());
    let mut to = vec![0; m * n];
    let mut buffer = [0; 32 * 32];
    for row in 0..m / 32 {
        for col in 0..n / 32 {
            for i in 0..32 {
                for j in 0..32 {
                    buffer[place(i, j)] = from[source.crd2idx(((i, j), (row, col)))];
                }
            }
            for j in 0..32 {
                for i in 0..32 {
                    to[target.crd2idx(((j, i), (col, row)))] = buffer[place(i, j)];
                }
            }
        }
    }
    Ok(to)
}

/// The banks that the 32 elements of a column touch.
fn banks_of_column(j: usize, place: impl Fn(usize, usize) -> usize) -> usize {
    let mut touched = [false; BANKS];
    (0..32).for_each(|i| touched[place(i, j) % BANKS] = true);
    touched.iter().filter(|bank| **bank).count()
}

/// Compares with the definition, and counts banks.
pub fn main() -> Result<(), LayoutError> {
    let (m, n) = (64, 96);
    let from: Vec<u32> = (0..m * n).map(|x| x as u32).collect();
    let to = transpose(m, n, &from)?;
    for i in 0..m {
        for j in 0..n {
            assert_eq!(to[j * m + i], from[i * n + j]);
        }
    }
    for j in 0..32 {
        assert_eq!(banks_of_column(j, |i, j| Tile.crd2idx((i, j))), 1);
        assert_eq!(banks_of_column(j, place), BANKS);
    }
    println!("a column of {} touches 1 bank, swizzled {BANKS}", Tile::NOTATION);
    if let Err(error) = transpose(48, 32, &from) {
        println!("48 rows: {error}");
    }
    Ok(())
}
