//! Chains of levels. Uniform levels fold into shifts and masks; stored ones are loops over their arrays.
//!
//! Arrays are slices on both sides, and reads outside of them are empty on both sides.

use layout_core::{Int, Strided};
use layout_levels::{Block, Compressed, Consecutive, End, Fixed, Level, Locate, Ragged, Root, Then};
use core::ops::Range;

pub type Dense = Root<Then<Fixed<Int<6>>, Then<Fixed<Int<4>>, Then<Fixed<Int<8>>, End>>>>;
pub type Tile = Block<Strided<(Int<2>, Int<4>), (Int<1>, Int<2>)>>;
pub type Columns<'a> = Compressed<&'a [u32], &'a [u16]>;
pub type Csr<'a> = Root<Then<Fixed<usize>, Then<Columns<'a>, End>>>;
pub type Rows<'a> = Ragged<&'a [u32]>;
pub type Nested<'a> = Root<Then<Fixed<usize>, Then<Rows<'a>, Then<Rows<'a>, End>>>>;
pub type Tiles<'a> = Root<Then<Fixed<usize>, Then<Columns<'a>, Then<Tile, End>>>>;

/// The arrays of a stored matrix, as an author would declare them.
pub struct Stored<'a> {
    pub rows: usize,
    pub positions: &'a [u32],
    pub coordinates: &'a [u16],
}

/// The offsets of a ragged array of depth 3, as an author would declare them.
pub struct Offsets<'a> {
    pub rows: usize,
    pub outer: &'a [u32],
    pub inner: &'a [u32],
}

impl Stored<'_> {
    /// Returns the range of a row; it is empty if there is no such row.
    #[inline(always)]
    fn range(&self, row: usize) -> Range<usize> {
        range(self.positions, row)
    }
}

#[inline(always)]
fn range(offsets: &[u32], row: usize) -> Range<usize> {
    let ends = offsets.split_first().map_or(&[][..], |(_, ends)| ends);
    match (offsets.get(row), ends.get(row)) {
        (Some(begin), Some(end)) => *begin as usize..*end as usize,
        _ => 0..0,
    }
}

#[unsafe(no_mangle)]
pub fn fixed_decompose_hand(leaf: usize) -> [usize; 3] {
    [leaf / 32, leaf / 8 % 4, leaf % 8]
}

#[unsafe(no_mangle)]
pub fn fixed_decompose_layout(leaf: usize) -> [usize; 3] {
    let chain = Then(Fixed::new(Int::<6>), Then(Fixed::new(Int::<4>), Then(Fixed::new(Int::<8>), End)));
    let (i, (j, (k, ()))) = layout_levels::Decompose::decompose(&chain, leaf);
    [i, j, k]
}

#[unsafe(no_mangle)]
pub fn fixed_stored_hand(_: &Dense, leaf: usize) -> usize {
    leaf / 32 + leaf / 8 % 4 + leaf % 8
}

#[unsafe(no_mangle)]
pub fn fixed_stored_layout(array: &Dense, leaf: usize) -> usize {
    let (i, (j, (k, ()))) = array.decompose(leaf);
    i + j + k
}

#[unsafe(no_mangle)]
pub fn fixed_locate_hand(i: usize, j: usize, k: usize) -> Option<usize> {
    if i < 6 && j < 4 && k < 8 { Some(i * 32 + j * 8 + k) } else { None }
}

#[unsafe(no_mangle)]
pub fn fixed_locate_layout(i: usize, j: usize, k: usize) -> Option<usize> {
    let chain = Then(Fixed::new(Int::<6>), Then(Fixed::new(Int::<4>), Then(Fixed::new(Int::<8>), End)));
    layout_levels::Lookup::locate(&chain, 0, (i, (j, (k, ()))))
}

#[unsafe(no_mangle)]
pub fn block_position_hand(parent: usize, i: usize, j: usize) -> usize {
    parent * 32 + i * 8 + j
}

#[unsafe(no_mangle)]
pub fn block_position_layout(parent: usize, i: usize, j: usize) -> usize {
    Block::new(Strided::<(Int<4>, Int<8>), (Int<8>, Int<1>)>::default()).position(parent, (i, j))
}

#[unsafe(no_mangle)]
pub fn block_decompose_hand(leaf: usize) -> [usize; 2] {
    [leaf / 32, leaf / 8 % 4 + leaf % 8 * 4]
}

#[unsafe(no_mangle)]
pub fn block_decompose_layout(leaf: usize) -> [usize; 2] {
    let tile = Block::new(Strided::<(Int<4>, Int<8>), (Int<8>, Int<1>)>::default());
    let parent = tile.parent(leaf);
    [parent, tile.coordinate(parent, leaf)]
}

// y[row] of y = A x.
#[unsafe(no_mangle)]
pub fn csr_row_hand(columns: &Stored, values: &[f32], x: &[f32], row: usize) -> f32 {
    let range = columns.range(row);
    let (stored, values) = (columns.coordinates.get(range.clone()).unwrap_or(&[]), values.get(range).unwrap_or(&[]));
    let mut sum = 0.0;
    for (column, value) in stored.iter().zip(values) {
        sum += value * x.get(*column as usize).unwrap_or(&0.0);
    }
    sum
}

#[unsafe(no_mangle)]
pub fn csr_row_layout(columns: &Columns, values: &[f32], x: &[f32], row: usize) -> f32 {
    let (range, stored) = columns.row(row);
    let values = values.get(range).unwrap_or(&[]);
    let mut sum = 0.0;
    for (column, value) in stored.iter().zip(values) {
        sum += value * x.get(*column as usize).unwrap_or(&0.0);
    }
    sum
}

// Every entry with its row, column and number.
#[unsafe(no_mangle)]
pub fn csr_visit_hand(columns: &Stored) -> usize {
    let mut sum = 0_usize;
    for i in 0..columns.rows {
        let range = columns.range(i);
        let (begin, stored) = (range.start, columns.coordinates.get(range).unwrap_or(&[]));
        for (k, j) in stored.iter().enumerate() {
            sum = sum.wrapping_add((i ^ *j as usize).wrapping_mul(begin + k));
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub fn csr_visit_layout(matrix: &Csr) -> usize {
    let mut sum = 0_usize;
    matrix.for_each(|(i, (j, ())), k| sum = sum.wrapping_add((i ^ j).wrapping_mul(k)));
    sum
}

#[unsafe(no_mangle)]
pub fn csr_locate_hand(columns: &Stored, row: usize, column: usize) -> Option<usize> {
    let range = columns.range(row);
    let begin = range.start;
    let stored = columns.coordinates.get(range).unwrap_or(&[]);
    let at = stored.partition_point(|j| (*j as usize) < column);
    if *stored.get(at)? as usize == column { Some(begin + at) } else { None }
}

#[unsafe(no_mangle)]
pub fn csr_locate_layout(columns: &Columns, row: usize, column: usize) -> Option<usize> {
    columns.locate(row, column)
}

// BCSR: every element of every 2 x 4 tile.
#[unsafe(no_mangle)]
pub fn tiles_visit_hand(columns: &Stored) -> usize {
    let mut sum = 0_usize;
    for i in 0..columns.rows {
        let range = columns.range(i);
        let (begin, stored) = (range.start, columns.coordinates.get(range).unwrap_or(&[]));
        for (k, j) in stored.iter().enumerate() {
            for c in 0..8 {
                sum = (sum ^ i ^ *j as usize ^ c).wrapping_mul((begin + k) * 8 + c);
            }
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub fn tiles_visit_layout(matrix: &Tiles) -> usize {
    let mut sum = 0_usize;
    matrix.for_each(|(i, (j, (c, ()))), k| sum = (sum ^ i ^ j ^ c).wrapping_mul(k));
    sum
}

// Every element of a ragged array of depth 3.
#[unsafe(no_mangle)]
pub fn ragged_visit_hand(array: &Offsets) -> usize {
    let mut sum = 0_usize;
    for i in 0..array.rows {
        let middle = range(array.outer, i);
        for p in middle.clone() {
            let j = p - middle.start;
            let leaves = range(array.inner, p);
            for k in leaves.clone() {
                sum = sum.wrapping_add((i ^ j ^ (k - leaves.start)).wrapping_mul(k));
            }
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub fn ragged_visit_layout(array: &Nested) -> usize {
    let mut sum = 0_usize;
    array.for_each(|(i, (j, (l, ()))), k| sum = sum.wrapping_add((i ^ j ^ l).wrapping_mul(k)));
    sum
}

#[inline]
fn last_begun(offsets: &[u32], element: usize) -> usize {
    offsets.partition_point(|begin| *begin as usize <= element).saturating_sub(1)
}

#[unsafe(no_mangle)]
pub fn ragged_parent_hand(array: &Offsets, element: usize) -> usize {
    last_begun(array.outer, element)
}

#[unsafe(no_mangle)]
pub fn ragged_parent_layout(rows: &Rows, element: usize) -> usize {
    rows.parent(element)
}
