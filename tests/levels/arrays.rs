//! Single levels: inverses, alignment, building, and the errors of constructors.

use crate::common::Rng;
use crd2idx::level::*;
use crd2idx::number::Signed;
use crd2idx::{Int, Strided, make_layout};

/// Returns the `rows + 1` ascending offsets of `rows` random rows, about half of them empty. The first offset is `base`.
pub fn offsets(rng: &mut Rng, rows: usize, base: usize) -> Vec<u32> {
    let mut offsets = vec![base as u32];
    for _ in 0..rows {
        let last = offsets[offsets.len() - 1];
        offsets.push(last + if rng.one_in(2) { 0 } else { rng.below(6) as u32 });
    }
    offsets
}

#[test]
fn every_inverse_finds_the_row() {
    let mut rng = Rng::new(1);
    for round in 0..300 {
        let (rows, base) = (rng.below(40), if round % 3 == 0 { rng.below(9) } else { 0 });
        let offsets = offsets(&mut rng, rows, base);
        let end = offsets[rows] as usize;
        let mut naive = vec![0; end];
        for row in 0..rows {
            naive[offsets[row] as usize..offsets[row + 1] as usize].fill(row);
        }
        let search = Ragged::new(&offsets[..]).expect("offsets");
        let cursor = search.inverted(Cursor::default()).expect("offsets");
        let table = Table::<Vec<u8>>::of(&offsets).expect("rows fit a byte");
        let table = Ragged::with(&offsets, table).expect("its own table");
        let tiled = Ragged::with(&offsets, Tiled::<Vec<u16>, 4>::of(&offsets).expect("rows fit")).expect("its own tiles");
        let check = |k: usize| {
            let row = naive[k];
            assert_eq!([search.parent(k), cursor.parent(k), table.parent(k), tiled.parent(k)], [row; 4], "{offsets:?} {k}");
            assert_eq!(search.split(k), (row, k - offsets[row] as usize));
        };
        (base..end).for_each(check);
        // Random positions move the cursor back, too.
        for _ in 0..end.saturating_sub(base) {
            check(base + rng.below(end - base));
        }
    }
}

#[test]
fn what_does_not_exist_is_empty() {
    let empty = Ragged::new([0_u8; 1]).expect("no rows");
    for parent in [0, 1, 2, usize::MAX] {
        assert!(empty.range(parent).is_empty() && empty.locate(parent, 0).is_none());
        let columns = Compressed::new([0_u8; 1], [0_u8; 0], 3).expect("no rows");
        assert!(columns.range(parent).is_empty() && columns.row(parent).1.is_empty() && columns.locate(parent, 0).is_none());
        assert_eq!((columns.coordinate(parent, 7), columns.parent(parent)), (0, 0));
        let views = Views::new([0_u8; 0], [0_u8; 0], 3).expect("no rows");
        assert!(views.range(parent).is_empty() && views.locate(parent, 0).is_none());
        let loose = Loose::new([0_u8; 0], [0_u8; 0], 3).expect("no rows");
        assert!(loose.range(parent).is_empty() && loose.locate(parent, 0).is_none());
        let pages = Indirect::new([0_u8; 0], Fixed::new(4_usize), 3).expect("no entries");
        assert!(pages.range(parent).is_empty() && pages.locate(parent, 0).is_none() && pages.extent(parent) == 0);
        assert_eq!(Fixed::new(0_usize).parent(parent), 0);
        assert!(Singleton::new([0_u8; 0], 3).expect("none").locate(parent, 0).is_none());
    }
}

/// Returns the message of the error in `level`. Panics if there is no error.
fn message<T>(level: Result<T, LevelError>) -> String {
    level.err().expect("refused").to_string()
}

#[test]
fn broken_arrays_are_refused_with_their_numbers() {
    assert_eq!(message(Ragged::new([0_u8; 0])), "offsets is empty; without parents it is [0]");
    assert_eq!(message(Ragged::new([0, 3, -1, 5])), "offsets[2] = -1 is negative or exceeds the addresses of this machine");
    assert_eq!(
        message(Ragged::new([0_i64, i64::MIN])),
        "offsets[1] = -9223372036854775808 is negative or exceeds the addresses of this machine"
    );
    assert_eq!(message(Ragged::new([0_u8, 3, 2, 5])), "offsets[2] = 2 is smaller than the 3 before it");
    assert_eq!(message(Ragged::with([0_u8, 2], Table([0_u8]))), "parents has 1 numbers, but 2 are needed");
    assert_eq!(message(Ragged::with([0_u8, 2], Table([0_u8, 1]))), "parents[1] = 1 must be 0");
    assert_eq!(message(Ragged::with([0_u8, 2, 5], Tiled::<_, 2>([0_u8, 0, 1]))), "parents[1] = 0 must be 1");
    assert_eq!(message(Compressed::new([0_u8, 3], [0_u8, 1], 4)), "positions[1] = 3 is greater than 2");
    assert_eq!(message(Compressed::new([0_u8, 2], [0_u8, 4], 4)), "coordinates[1] = 4 is greater than 3");
    assert_eq!(message(Compressed::new([0_u8, 2], [1_u8, 1], 4)), "coordinates[1] = 1 repeats the one before it");
    assert_eq!(message(Compressed::new([0_u8, 2], [1, -1], 4)), "coordinates[1] = -1 is negative or exceeds the addresses of this machine");
    assert_eq!(message(Compressed::new([0_u8, 1], [0_u8], 0)), "coordinates has 1 numbers, but 0 are needed");
    let sorted = |coordinates: [u8; 3]| Compressed::with([0_u8, 3], coordinates, 4, Sorted, Search);
    assert!(sorted([1, 1, 2]).is_ok());
    assert_eq!(message(sorted([1, 2, 1])), "coordinates[2] = 1 is smaller than the 2 before it");
    assert!(Compressed::with([0_u8, 3], [3_u8, 1, 3], 4, Unordered, Search).is_ok());
    assert_eq!(message(Views::new([0_u8], [1_u8, 2], 4)), "sizes has 2 numbers, but 1 are needed");
    assert_eq!(message(Views::new([4_u8], [1_u8], 4)), "starts[0] = 4 is greater than 3");
    assert_eq!(message(Views::new([0, 1], [4, usize::MAX], 4)), format!("sizes[1] = {} is greater than 3", usize::MAX));
    assert!(Views::new([77_u8], [0_u8], 4).is_ok());
    assert_eq!(message(Loose::new([0_u8, 1, 2], [0_u8; 3], 4)), "positions has 3 numbers, but 4 are needed");
    assert_eq!(message(Loose::new([2_u8, 1], [0_u8; 3], 4)), "positions[1] = 1 is smaller than the 2 before it");
    assert_eq!(message(Singleton::new([1_u8, 9], 4)), "coordinates[1] = 9 is greater than 3");
    let rows = Ragged::new([0_u8, 3, 8]).expect("offsets");
    assert_eq!(message(Aligned::<_, 4>::new(rows, 2)), "the range of parent 1 begins at 3, which is not a multiple of 4");
    assert_eq!(
        message(Fixed::new(usize::MAX).size(2)),
        format!("2 parents with {} positions each exceed the addresses of this machine", usize::MAX)
    );
    let padded = make_layout((3, Int::<4>), (Int::<1>, 5));
    assert_eq!(
        message(Block::try_new(padded)),
        "the layout of size 12 and cosize 18 is not a bijection onto 0..size with an inverse layout"
    );
    // As many indices as coordinates is not enough: two coordinates may share one, or indices may be negative.
    assert!(Block::try_new(make_layout((2, Int::<2>), (3, Int::<0>))).is_err());
    assert!(Block::try_new(make_layout(4, Signed(-1))).is_err());
    assert!(Block::try_new(make_layout((2, Int::<2>), (1, Int::<2>))).is_ok());
    assert_eq!(Block::try_new(make_layout((0, Int::<2>), (1, Int::<0>))).map(|block| block.size(3)), Ok(Ok(0)));
}

#[test]
fn a_chain_whose_levels_do_not_fit_names_the_level() {
    let rows = Ragged::new([0_u8, 2, 5]).expect("offsets");
    let chain = |outer: usize| Then(Fixed::new(outer), Then(rows, Then(Ragged::new([0_u8, 1, 1, 2, 4]).expect("offsets"), End)));
    assert_eq!(message(Root::new(chain(3))), "level 1: there are ranges for 2 parents, but 3 are needed");
    assert_eq!(message(Root::new(chain(2))), "level 2: there are ranges for 4 parents, but 5 are needed");
    assert_eq!(Root::new(chain(1)).expect("two of four rows").size(), 1);
}

#[test]
fn blocks_are_their_layout() {
    let static_ = Block::new(Strided::<(Int<3>, Int<4>), (Int<4>, Int<1>)>::default());
    let dynamic = Block::try_new(make_layout((3, 4), (4, Int::<1>))).expect("row-major");
    let mut seen = [false; 36];
    for (parent, i, j) in (0..3).flat_map(|p| (0..3).flat_map(move |i| (0..4).map(move |j| (p, i, j)))) {
        let position = parent * 12 + i * 4 + j;
        assert_eq!((static_.position(parent, (i, j)), dynamic.position(parent, (i, j))), (position, position));
        assert_eq!((static_.split(position), dynamic.split(position)), ((parent, i + 3 * j), (parent, i + 3 * j)));
        assert_eq!((static_.locate(parent, i + 3 * j), dynamic.locate(parent, 12)), (Some(position), None));
        seen[position] = true;
    }
    assert!(seen.iter().all(|seen| *seen));
    assert_eq!((size_of_val(&static_), static_.range(2), dynamic.size(3)), (0, 24..36, Ok(36)));
}

#[test]
fn levels_are_built_row_by_row() {
    let mut rng = Rng::new(2);
    for _ in 0..100 {
        let rows: Vec<Vec<usize>> = (0..rng.below(8)).map(|_| (0..12).filter(|_| rng.one_in(4)).collect()).collect();
        let (mut compressed, mut ragged) = (CompressedBuilder::<u16, u8>::new(12), RaggedBuilder::<u32>::new());
        let mut singleton = SingletonBuilder::<u8>::new(8);
        for (i, row) in rows.iter().enumerate() {
            for j in row {
                compressed.push(*j);
                ragged.push(*j);
                singleton.push(i);
                singleton.close();
            }
            compressed.close();
            ragged.close();
        }
        let (compressed, ragged) = (compressed.finish().expect("ascending"), ragged.finish().expect("offsets"));
        assert_eq!(singleton.finish().expect("one each").coordinates().len(), rows.iter().map(Vec::len).sum::<usize>());
        for (i, row) in rows.iter().enumerate() {
            assert!(compressed.row(i).1.iter().map(|j| *j as usize).eq(row.iter().copied()));
            assert_eq!(ragged.range(i), compressed.range(i));
        }
    }
    let mut wide = CompressedBuilder::<u8, u8>::new(1 << 20);
    wide.push(300);
    assert_eq!(message(wide.finish()), "coordinates[0] = 300 is greater than 255");
    let mut long = RaggedBuilder::<u8>::new();
    (0..256).for_each(|k| long.push(k));
    long.close();
    assert_eq!(message(long.finish()), "offsets[1] = 256 is greater than 255");
    let mut lone = SingletonBuilder::<u8>::new(4);
    lone.close();
    assert_eq!(message(lone.finish()), "coordinates has 0 numbers, but 1 are needed");
}

#[test]
fn a_table_of_blocks() {
    let mut rng = Rng::new(12);
    for _ in 0..100 {
        let (pages, extent) = (1 + rng.below(9), rng.below(5));
        let table: Vec<u16> = (0..rng.below(12)).map(|_| rng.below(pages) as u16).collect();
        let level = Indirect::new(&table[..], Fixed::new(extent), pages).expect("pages of the pool");
        assert_eq!(level.size(table.len()), Ok(pages * extent));
        assert!(level.size(table.len() + 1).is_err());
        for (entry, page) in table.iter().map(|page| *page as usize).enumerate() {
            assert_eq!((level.range(entry), level.extent(entry)), (page * extent..(page + 1) * extent, extent));
            for c in 0..extent {
                assert_eq!((level.locate(entry, c), level.coordinate(entry, page * extent + c)), (Some(page * extent + c), c));
            }
            assert_eq!(level.locate(entry, extent), None);
            let error = Indirect::new(&table[..], Fixed::new(extent), page).unwrap_err();
            let first = table.iter().position(|other| *other as usize >= page).expect("this one");
            assert_eq!((error.part, error.index, error.class()), (LevelArray::Table, first, "level/beyond_child"));
        }
    }
    let error = Indirect::new([3_i32, -2], Fixed::new(2_usize), 4).unwrap_err();
    assert_eq!(error.to_string(), "table[1] = -2 is negative or exceeds the addresses of this machine");
    // The rows of a ragged level in another order, one of them twice.
    let rows = Indirect::new([2_u8, 0, 2], Ragged::new([0_u8, 2, 2, 5]).expect("offsets"), 3).expect("rows");
    assert_eq!([0, 1, 2].map(|row| rows.range(row)), [2..5, 0..2, 2..5]);
}

#[test]
fn diagonals_have_their_columns() {
    for (rows, columns) in (0..6).flat_map(|rows| (0..6).map(move |columns| (rows, columns))) {
        let all: Vec<u8> =
            (0..(rows + columns) as u8).filter(|_| rows.min(columns) > 0).take(rows + columns - usize::from(rows + columns > 0)).collect();
        let level = Range::new(&all[..], rows, columns).expect("diagonals of the matrix");
        assert_eq!(level.size(all.len()), Ok(all.len() * columns));
        assert!(level.size(all.len() + 1).is_err());
        let mut seen = Vec::new();
        for p in 0..all.len() {
            assert_eq!(level.offset(p), p as isize + 1 - rows as isize);
            // Each column is found if the matrix has an element of this diagonal there, and columns are visited in order.
            let row = |column: usize| (column as isize - level.offset(p)).try_into().ok().filter(|row: &usize| *row < rows);
            let naive: Vec<(usize, usize)> = (0..columns).filter(|c| row(*c).is_some()).map(|c| (c, p * columns + c)).collect();
            let mut walked = Vec::new();
            let _ = level.walk(p, &mut |c, position| {
                walked.push((c, position));
                std::ops::ControlFlow::<()>::Continue(())
            });
            assert_eq!(walked, naive, "{rows} x {columns}, diagonal {p}");
            assert!(level.range(p).eq(naive.iter().map(|(_, position)| *position)));
            for c in 0..=columns {
                assert_eq!(level.locate(p, c), naive.iter().find(|(column, _)| *column == c).map(|(_, position)| *position));
            }
            for (place, (c, position)) in naive.iter().enumerate() {
                // The element in row `i` has the coordinate `i + offset`.
                let i = level.row(p, *c);
                assert_eq!((Some(i), i as isize + level.offset(p)), (row(*c), *c as isize));
                assert_eq!((level.coordinate(p, *position), level.extent(p), place), (*c, columns, c - naive[0].0));
                seen.push((i, *c));
            }
        }
        // Every element of the matrix is on one diagonal.
        seen.sort_unstable();
        let every: Vec<_> = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).collect();
        assert_eq!(seen, every);
        for parent in [all.len(), usize::MAX] {
            assert!(level.range(parent).is_empty() && level.locate(parent, 0).is_none());
        }
        let beyond = (rows + columns).saturating_sub(1) as i16;
        for wrong in [-1, beyond, beyond + 7] {
            let error = Range::new([wrong], rows, columns).unwrap_err();
            assert_eq!((error.part, error.index), (LevelArray::Diagonals, 0), "{rows} x {columns}: {wrong}");
        }
    }
    assert_eq!(message(Range::new([0_u8, 4], 3, 2)), "diagonals[1] = 4 is greater than 3");
    assert_eq!(message(Range::new([0_u8], 0, 2)), "diagonals has 1 numbers, but 0 are needed");
    // A chain of two diagonals of a matrix of 3 x 4.
    let diagonals = Compressed::new([0_u8, 2], [1_u8, 3], 6).expect("ascending");
    let matrix = Root::new(Then(diagonals, Then(Range::new([1_u8, 3], 3, 4).expect("diagonals"), End))).expect("a chain");
    let all: Vec<_> = matrix.iter().map(|((d, (j, ())), position)| (d, j, position)).collect();
    assert_eq!(all, [(1, 0, 0), (1, 1, 1), (3, 1, 5), (3, 2, 6), (3, 3, 7)]);
    assert_eq!((matrix.size(), matrix.locate((3, (2, ()))), matrix.locate((3, (0, ())))), (8, Some(6), None));
}
