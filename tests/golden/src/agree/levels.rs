//! Chains of levels over arrays with empty rows.

use super::{Inputs, ROUNDS};
use crate::levels::*;
use layout_levels::{Block, Compressed, End, Fixed, Ragged, Root, Then};
use layout_core::{Int, Strided};

/// Returns the offsets of `rows` random rows, each of at most `most` entries and half of them empty, and the end of the last row.
fn offsets(inputs: &mut Inputs, rows: usize, most: usize) -> (Vec<u32>, usize) {
    let (mut offsets, mut end) = (vec![0], 0);
    for _ in 0..rows {
        end += inputs.below(most + 1) * inputs.below(2);
        offsets.push(end as u32);
    }
    (offsets, end)
}

/// Returns a random matrix of 40 columns: its number of rows, offsets of rows, and columns of entries.
fn matrix(inputs: &mut Inputs) -> (usize, Vec<u32>, Vec<u16>) {
    let rows = inputs.below(12);
    let (offsets, end) = offsets(inputs, rows, 7);
    let mut columns = vec![0; end];
    for pair in offsets.windows(2) {
        let row = &mut columns[pair[0] as usize..pair[1] as usize];
        let mut column = 0;
        for place in row {
            column += 1 + inputs.below(5);
            *place = column as u16;
        }
    }
    (rows, offsets, columns)
}

fn level<'a>(rows: usize, positions: &'a [u32], coordinates: &'a [u16]) -> (Columns<'a>, Stored<'a>) {
    (Compressed::new(positions, coordinates, 40).expect("a level"), Stored { rows, positions, coordinates })
}

#[test]
fn fixed_decompose() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let leaf = inputs.any();
        assert_eq!(fixed_decompose_layout(leaf), fixed_decompose_hand(leaf));
    }
}

#[test]
fn fixed_stored() {
    let array = Root::new(Then(Fixed::new(Int::<6>), Then(Fixed::new(Int::<4>), Then(Fixed::new(Int::<8>), End)))).expect("a chain");
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let leaf = inputs.any();
        assert_eq!(fixed_stored_layout(&array, leaf), fixed_stored_hand(&array, leaf));
    }
}

#[test]
fn fixed_locate() {
    for i in 0..8 {
        for j in 0..6 {
            for k in 0..10 {
                assert_eq!(fixed_locate_layout(i, j, k), fixed_locate_hand(i, j, k));
            }
        }
    }
}

#[test]
fn block_position() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (p, i, j) = (inputs.any(), inputs.below(4), inputs.below(8));
        assert_eq!(block_position_layout(p, i, j), block_position_hand(p, i, j));
    }
}

#[test]
fn block_decompose() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let leaf = inputs.any();
        assert_eq!(block_decompose_layout(leaf), block_decompose_hand(leaf));
    }
}

#[test]
fn csr_row() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (rows, positions, coordinates) = matrix(&mut inputs);
        let (columns, stored) = level(rows, &positions, &coordinates);
        let values: Vec<f32> = coordinates.iter().map(|_| inputs.below(16) as f32).collect();
        let x: Vec<f32> = (0..40).map(|_| inputs.below(16) as f32).collect();
        // One row more than the matrix has.
        for row in 0..=rows {
            assert_eq!(csr_row_layout(&columns, &values, &x, row), csr_row_hand(&stored, &values, &x, row));
        }
    }
}

#[test]
fn csr_visit() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (rows, positions, coordinates) = matrix(&mut inputs);
        let (columns, stored) = level(rows, &positions, &coordinates);
        let matrix = Root::new(Then(Fixed::new(rows), Then(columns, End))).expect("a chain");
        assert_eq!(csr_visit_layout(&matrix), csr_visit_hand(&stored));
    }
}

#[test]
fn csr_locate() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (rows, positions, coordinates) = matrix(&mut inputs);
        let (columns, stored) = level(rows, &positions, &coordinates);
        for (row, column) in (0..=rows).flat_map(|row| (0..41).map(move |column| (row, column))) {
            assert_eq!(csr_locate_layout(&columns, row, column), csr_locate_hand(&stored, row, column));
        }
    }
}

#[test]
fn tiles_visit() {
    let tile = Block::new(Strided::<(Int<2>, Int<4>), (Int<1>, Int<2>)>::default());
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (rows, positions, coordinates) = matrix(&mut inputs);
        let (columns, stored) = level(rows, &positions, &coordinates);
        let matrix = Root::new(Then(Fixed::new(rows), Then(columns, Then(tile, End)))).expect("a chain");
        assert_eq!(tiles_visit_layout(&matrix), tiles_visit_hand(&stored));
    }
}

#[test]
fn ragged_visit() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let rows = inputs.below(8);
        let (outer, middle) = offsets(&mut inputs, rows, 4);
        let (inner, _) = offsets(&mut inputs, middle, 6);
        let levels = (Ragged::new(&outer[..]).expect("offsets"), Ragged::new(&inner[..]).expect("offsets"));
        let array = Root::new(Then(Fixed::new(rows), Then(levels.0, Then(levels.1, End)))).expect("a chain");
        assert_eq!(ragged_visit_layout(&array), ragged_visit_hand(&Offsets { rows, outer: &outer, inner: &inner }));
    }
}

#[test]
fn ragged_parent() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let rows = inputs.below(20);
        let (offsets, end) = offsets(&mut inputs, rows, 6);
        let level = Ragged::new(&offsets[..]).expect("offsets");
        for element in 0..=end {
            assert_eq!(ragged_parent_layout(&level, element), ragged_parent_hand(&Offsets { rows, outer: &offsets, inner: &[] }, element));
        }
    }
}
