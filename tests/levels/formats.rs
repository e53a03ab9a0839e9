//! The named sparse formats as chains, compared with a set of coordinates.

use crate::common::Rng;
use crd2idx::level::*;
use crd2idx::{Int, Strided};
use std::collections::BTreeSet;

const ROWS: usize = 7;
const COLUMNS: usize = 9;

/// Returns distinct random entries (row, column), row after row; every third row is empty.
fn entries(rng: &mut Rng) -> Vec<(usize, usize)> {
    let density = 1 + rng.below(6);
    let all = (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| (i, j)));
    all.filter(|(i, _)| i % 3 != 1).filter(|_| rng.one_in(density)).collect()
}

/// Checks that `matrix` finds exactly the coordinates in `entries`, and that iteration visits them in order.
fn agrees<C>(matrix: &Root<C>, entries: &[(usize, usize)])
where
    C: Lookup<Coord = (usize, (usize, ()))> + Decompose,
{
    assert!(matrix.iter().map(|((i, (j, ())), _)| (i, j)).eq(entries.iter().copied()));
    for (k, (i, j)) in entries.iter().enumerate() {
        assert_eq!(matrix.decompose(k), (*i, (*j, ())));
    }
    for (i, j) in (0..=ROWS).flat_map(|i| (0..=COLUMNS).map(move |j| (i, j))) {
        assert_eq!(matrix.locate((i, (j, ()))), entries.iter().position(|entry| *entry == (i, j)), "{i} {j} in {entries:?}");
    }
}

fn offsets(lengths: impl Iterator<Item = usize>) -> Vec<u16> {
    let mut end = 0;
    let ends = lengths.map(|length| {
        end += length;
        end as u16
    });
    std::iter::once(0).chain(ends).collect()
}

#[test]
fn csr_dcsr_and_coo() {
    let mut rng = Rng::new(5);
    for _ in 0..100 {
        let entries = entries(&mut rng);
        let columns: Vec<u8> = entries.iter().map(|(_, j)| *j as u8).collect();
        let in_row = |i: usize| entries.iter().filter(|entry| entry.0 == i).count();

        let positions = offsets((0..ROWS).map(in_row));
        let level = Compressed::new(&positions, &columns, COLUMNS).expect("CSR");
        agrees(&Root::new(Then(Fixed::new(Int::<ROWS>), Then(level, End))).expect("CSR"), &entries);

        let rows: Vec<u32> = entries.iter().map(|(i, _)| *i as u32).collect::<BTreeSet<_>>().into_iter().collect();
        let positions = offsets(rows.iter().map(|i| in_row(*i as usize)));
        let outer = Compressed::new([0, rows.len() as u64], &rows[..], ROWS).expect("DCSR");
        let level = Compressed::new(&positions, &columns, COLUMNS).expect("DCSR");
        agrees(&Root::new(Then(outer, Then(level, End))).expect("DCSR"), &entries);

        let rows: Vec<u8> = entries.iter().map(|(i, _)| *i as u8).collect();
        let outer = Compressed::with([0, rows.len()], &rows[..], ROWS, Sorted, Search).expect("COO");
        let level = Singleton::new(&columns[..], COLUMNS).expect("COO");
        agrees(&Root::new(Then(outer, Then(level, End))).expect("COO"), &entries);
        let unsorted = Compressed::with([0, rows.len()], &rows[..], ROWS, Unordered, Search).expect("COO");
        let level = Singleton::with(&columns[..], COLUMNS, Unordered).expect("COO");
        agrees(&Root::new(Then(unsorted, Then(level, End))).expect("COO"), &entries);
    }
}

#[test]
fn loose_rows_have_room() {
    let mut rng = Rng::new(6);
    for _ in 0..50 {
        let entries = entries(&mut rng);
        let (mut positions, mut columns, mut at) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..ROWS {
            positions.push(columns.len() as u32);
            for (k, (_, j)) in entries.iter().enumerate().filter(|(_, entry)| entry.0 == i) {
                at.push((k, columns.len()));
                columns.push(*j as u8);
            }
            positions.push(columns.len() as u32);
            columns.resize(columns.len() + rng.below(3), 0);
        }
        let level = Loose::new(&positions[..], &columns[..], COLUMNS).expect("loose");
        let matrix = Root::new(Then(Fixed::new(ROWS), Then(level, End))).expect("loose");
        assert_eq!(matrix.size(), columns.len());
        assert!(matrix.iter().map(|((i, (j, ())), _)| (i, j)).eq(entries.iter().copied()));
        for (k, position) in at {
            assert_eq!(matrix.locate((entries[k].0, (entries[k].1, ()))), Some(position));
        }
    }
}

#[test]
fn bcsr_is_csr_of_tiles() {
    type Tile = Strided<(Int<2>, Int<3>), (Int<3>, Int<1>)>;
    let tile = Block::new(Tile::default());
    let columns = Compressed::new([0_u8, 2, 2, 3], [0_u8, 2, 1], 3).expect("blocks");
    let matrix = Root::new(Then(Fixed::new(3), Then(columns, Then(tile, End)))).expect("BCSR");
    assert_eq!(matrix.span(), 0..18);
    for ((bi, (bj, (c, ()))), k) in matrix.iter() {
        let (i, j) = tile.layout().idx2crd(c);
        let block = columns.locate(bi, bj).expect("a block");
        assert_eq!((k, matrix.locate((bi, (bj, (c, ()))))), (block * 6 + i * 3 + j, Some(k)));
        assert_eq!(tile.position(block, (i, j)), k);
    }
}
