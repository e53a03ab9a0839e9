//! Transposes a matrix tile by tile through a small buffer, as a GPU does through shared memory. Reads and writes both
//! run along rows, and a swizzle spreads the columns of the buffer over all banks: `cargo run --example transpose`.

use crd2idx::prelude::*;

/// The number of banks of the buffer. Words at this distance are in the same bank.
const BANKS: usize = 32;

layout! {
    /// The layout of the buffer, row by row.
    type Rows = (32,32) : (32,1);
}

/// Replaces the five bits of the column by their exclusive-or with the bits of the row.
type Swizzle = StaticSwizzle<5, 0, 5>;

/// Copies `to(i, j) = from(i, j)`, tile by tile, for matrices of any layouts and the same extents. Fails if the extents
/// differ.
fn copy_tiles<A: Layout, B: Layout>(from: View<u32, A>, mut to: ViewMut<u32, B>) -> Result<(), TensorError> {
    let mut buffer = Owned::<u32, _, 1024>::filled(Swizzle {}.composition(Rows), 0);
    let mut to = to.view_mut().injective()?;
    for (from, mut to) in from.blocks(shape!(32, 32)).zip(to.blocks_mut(shape!(32, 32))) {
        // At the ends of the matrix, only a window of the buffer is used.
        let mut tile = buffer.window_mut((0, 0), from.layout().shape::<(usize, usize)>())?;
        tile.assign(&from);
        to.assign(&tile);
    }
    Ok(())
}

/// Returns the number of banks that the 32 elements of a column touch.
fn banks_of_column<L: Layout>(buffer: L, j: usize) -> usize {
    let mut touched = [false; BANKS];
    buffer.coordinates::<(usize, usize)>().filter(|c| c.1 == j).for_each(|c| touched[buffer.crd2idx(c) % BANKS] = true);
    touched.iter().filter(|bank| **bank).count()
}

/// Compares the result with the definition, and counts banks.
pub fn main() -> Result<(), TensorError> {
    for (m, n) in [(64, 96), (33, 70), (1, 5)] {
        let data: Vec<u32> = (0..m * n).map(|x| x as u32).collect();
        let from = Tensor::new(&data, row_major((m, n)))?;
        let mut to = vec![0; data.len()];
        // The transposed matrix, with the coordinates of the original.
        let transposed = Tensor::new(&mut to, row_major((n, m)))?.select(shape!(1, 0));
        copy_tiles(from, transposed)?;
        let to = Tensor::new(&to, row_major((n, m)))?;
        from.for_each_at(|(i, j): (usize, usize), x| assert_eq!(to[(j, i)], *x));
    }
    assert_eq!(banks_of_column(Rows, 7), 1);
    assert_eq!(banks_of_column(Swizzle {}.composition(Rows), 7), BANKS);
    println!("a column of {} touches 1 bank, swizzled {BANKS}", Rows::NOTATION);
    Ok(())
}
