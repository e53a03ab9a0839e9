//! Tests of compression, transposition and products against maps of coordinates.

use crate::common::Rng;
use crate::common::threads::on_threads;
use layout_levels::Index;

use sparse_formats::kernels::{CompressedRows, Matrix, compress, transpose};
use sparse_formats::{ArrayName::Argument, Duplicates, SparseError as Error};

type Entry = (u64, u64, i64);

/// Compresses a list of entries by a map. `of` combines the values of equal coordinates.
fn naive(entries: &[Entry], rows: usize, of: impl Fn(&[i64]) -> Vec<i64>) -> (Vec<u64>, Vec<u64>, Vec<i64>) {
    let mut sorted = entries.to_vec();
    sorted.sort_by_key(|&(row, column, _)| (row, column));
    let (mut pointers, mut indices, mut values) = (vec![0; rows + 1], Vec::new(), Vec::new());
    for group in sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        for value in of(&group.iter().map(|entry| entry.2).collect::<Vec<_>>()) {
            pointers[group[0].0 as usize + 1] += 1;
            indices.push(group[0].1);
            values.push(value);
        }
    }
    (0..rows).for_each(|row| pointers[row + 1] += pointers[row]);
    (pointers, indices, values)
}

fn narrow<T: Index>(number: u64) -> T {
    T::from_usize(number as usize).expect("a number that fits")
}

fn plain<P: Index, I: Index>(matrix: CompressedRows<P, I, i64>) -> (Vec<u64>, Vec<u64>, Vec<i64>) {
    (matrix.pointers.iter().map(|p| p.to_u64()).collect(), matrix.indices.iter().map(|i| i.to_u64()).collect(), matrix.values)
}

/// Checks compression by rows, and both transpositions, for index types that hold the extents.
fn check<A: Index, I: Index, P: Index>(entries: &[Entry], extents: (usize, usize)) {
    let rows: Vec<A> = entries.iter().map(|entry| narrow(entry.0)).collect();
    let columns: Vec<I> = entries.iter().map(|entry| narrow(entry.1)).collect();
    let values: Vec<i64> = entries.iter().map(|entry| entry.2).collect();
    fn one<A: Index, I: Index, P: Index>(
        (rows, columns, values): (&[A], &[I], &[i64]),
        extents: (usize, usize),
        duplicates: Duplicates<i64>,
        expected: (Vec<u64>, Vec<u64>, Vec<i64>),
    ) -> CompressedRows<P, I, i64> {
        let matrix = on_threads(|| compress::<_, _, P, _>(rows, columns, values, extents, duplicates).expect("a matrix"));
        assert!(plain(matrix.clone()) == expected, "{extents:?} {} entries", rows.len());
        matrix
    }
    let list = (&rows[..], &columns[..], &values[..]);
    one::<_, _, P>(list, extents, Duplicates::sum(), naive(entries, extents.0, |values| vec![values.iter().sum()]));
    one::<_, _, P>(list, extents, Duplicates::First, naive(entries, extents.0, |values| vec![values[0]]));
    one::<_, _, P>(list, extents, Duplicates::Last, naive(entries, extents.0, |values| vec![values[values.len() - 1]]));
    let matrix = one::<_, _, P>(list, extents, Duplicates::Keep, naive(entries, extents.0, <[i64]>::to_vec));

    let mut exchanged: Vec<Entry> = entries.to_vec();
    exchanged.sort_by_key(|entry| (entry.0, entry.1));
    let exchanged: Vec<Entry> = exchanged.into_iter().map(|(row, column, value)| (column, row, value)).collect();
    let columns =
        on_threads(|| transpose::<_, _, P, A, _>(&matrix.pointers, &matrix.indices, &matrix.values, extents.1).expect("a matrix"));
    assert!(plain(columns.clone()) == naive(&exchanged, extents.1, <[i64]>::to_vec), "{extents:?} transposed");
    let back =
        on_threads(|| transpose::<_, _, P, I, _>(&columns.pointers, &columns.indices, &columns.values, extents.0).expect("a matrix"));
    assert!(back == matrix, "{extents:?} and back");

    let duplicate = {
        let mut sorted: Vec<(u64, u64, usize)> = entries.iter().enumerate().map(|(k, entry)| (entry.0, entry.1, k)).collect();
        sorted.sort();
        sorted.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)).map(|pair| (pair[0].2, pair[1]))
    };
    let refused = on_threads(|| compress::<_, _, P, _>(list.0, list.1, list.2, extents, Duplicates::Refuse));
    match duplicate {
        None => assert_eq!(refused, Ok(matrix)),
        Some((first, (row, column, second))) => {
            assert_eq!(refused, Err(Error::Repeated { at: (first, second), found: vec![row, column] }));
        }
    }
}

fn random(extents: (u64, u64), len: usize, power: i32, seed: u64) -> Vec<Entry> {
    let mut random = Rng(seed);
    let mut number = |extent: u64| ((random.word() as f64 / 2f64.powi(64)).powi(power) * extent as f64) as u64 % extent.max(1);
    (0..len as i64).map(|k| (number(extents.0), number(extents.1), k)).collect()
}

#[test]
fn random_matrices() {
    for (seed, (rows, columns)) in [(1, 1), (1, 200), (200, 1), (7, 5), (40, 3000), (5000, 255), (100_000, 60_000)].into_iter().enumerate()
    {
        for len in [0, 1, 2, 30, 1000, 4000] {
            for power in [1, 3] {
                let entries = random((rows, columns), len, power, seed as u64);
                check::<u32, u16, u32>(&entries, (rows as usize, columns as usize));
                check::<usize, u64, u64>(&entries, (rows as usize, columns as usize));
            }
        }
    }
}

#[test]
fn narrow_indices() {
    check::<u8, u8, u8>(&random((256, 256), 255, 1, 1), (256, 256));
    check::<u8, u8, u16>(&random((256, 256), 30_000, 1, 2), (256, 256));
    check::<i32, i16, i32>(&random((1000, 300), 30_000, 1, 5), (1000, 300));
    check::<i8, i64, isize>(&random((128, 100), 3000, 1, 6), (128, 100));
    check::<u16, u8, u32>(&random((65_536, 100), 30_000, 2, 3), (65_536, 100));
    check::<u64, u64, u32>(
        &random((300, 1 << 50), 30_000, 1, 4).into_iter().map(|e| (e.0, e.1 % 3000, e.2)).collect::<Vec<_>>(),
        (300, 3000),
    );
}

/// Coordinates of all widths, up to ones that share no word with the row, or with the position in a row.
#[test]
fn wide_columns() {
    for width in [u64::from(u32::MAX), 1 << 32, 1 << 45, 1 << 62, u64::MAX] {
        // These kernels take extents that fit `usize`.
        let Ok(extent) = usize::try_from(width) else { continue };
        for in_order in [false, true] {
            let mut entries = random((30, width), 30_000, 1, 3);
            if in_order {
                entries.sort_by_key(|entry| entry.0);
            }
            let (rows, values): (Vec<u8>, Vec<i64>) = entries.iter().map(|entry| (entry.0 as u8, entry.2)).unzip();
            let columns: Vec<u64> = entries.iter().map(|entry| entry.1).collect();
            let matrix =
                on_threads(|| compress::<_, _, u32, _>(&rows, &columns, &values, (30, extent), Duplicates::sum()).expect("a matrix"));
            assert!(plain(matrix) == naive(&entries, 30, |values| vec![values.iter().sum()]), "{width}");
        }
    }
}

/// Tests lists long enough for several threads and many buckets, with heavy rows that exceed working memory.
#[test]
fn many() {
    let check_32 = |entries: &[Entry], rows: usize, columns: usize| check::<u32, u32, u32>(entries, (rows, columns));
    check_32(&random((100_000, 100_000), 60_000, 1, 1), 100_000, 100_000);
    check_32(&random((100_000, 100_000), 60_000, 3, 2), 100_000, 100_000);
    check_32(&random((1_000_000, 1_000_000), 60_000, 1, 3), 1_000_000, 1_000_000);
    check_32(&random((3, 1_000_000), 60_000, 1, 4), 3, 1_000_000);
    check_32(&random((1, 1_000_000), 60_000, 1, 4), 1, 1_000_000);
    check_32(&random((1_000_000, 1), 60_000, 1, 4), 1_000_000, 1);
    let one_row: Vec<Entry> = random((1, 1_000_000), 60_000, 1, 4).into_iter().map(|entry| (999_999, entry.1, entry.2)).collect();
    check_32(&one_row, 1_000_000, 1_000_000);
    let mostly: Vec<Entry> =
        random((4000, 1_000_000), 60_000, 1, 4).into_iter().map(|e| (if e.2 % 8 > 0 { 5 } else { e.0 }, e.1, e.2)).collect();
    check_32(&mostly, 1_000_000, 1_000_000);
    check_32(&vec![(3, 7, 1); 60_000], 10, 10);
}

#[test]
fn ordered_rows() {
    for columns in [9, 300_000] {
        let mut entries = random((500, columns), 40_000, 2, 6);
        entries.sort_by_key(|entry| entry.0);
        check::<u32, u32, u32>(&entries, (500, columns as usize));
        entries.sort();
        check::<u32, u32, u32>(&entries, (500, columns as usize));
        entries.reverse();
        check::<u32, u32, u32>(&entries, (500, columns as usize));
    }
}

#[test]
fn without_values() {
    let entries = random((50, 60), 5000, 1, 2);
    let rows: Vec<u8> = entries.iter().map(|entry| entry.0 as u8).collect();
    let columns: Vec<u8> = entries.iter().map(|entry| entry.1 as u8).collect();
    let pattern = compress::<_, _, u16, _>(&rows, &columns, &[(); 5000], (50, 60), Duplicates::First).expect("a pattern");
    let (pointers, indices, _) = naive(&entries, 50, |values| vec![values[0]]);
    assert!(pattern.pointers.iter().map(|p| p.to_u64()).eq(pointers) && pattern.indices.iter().map(|i| i.to_u64()).eq(indices));
    assert_eq!(pattern.values.len(), pattern.indices.len());
}

#[test]
fn refused() {
    let list =
        |rows: &[u8], columns: &[u8], values: &[f32], extents| compress::<_, _, u8, _>(rows, columns, values, extents, Duplicates::sum());
    assert_eq!(list(&[1], &[1, 2], &[1.0], (3, 3)), Err(Error::Length { array: Argument("columns"), found: 2, expected: 1 }));
    assert_eq!(list(&[1], &[1], &[], (3, 3)), Err(Error::Length { array: Argument("values"), found: 0, expected: 1 }));
    assert_eq!(list(&[1, 3], &[1, 0], &[1.0; 2], (3, 3)), Err(Error::Range { array: Argument("rows"), at: 1, found: 3, extent: 3 }));
    assert_eq!(list(&[1, 0], &[1, 3], &[1.0; 2], (3, 3)), Err(Error::Range { array: Argument("columns"), at: 1, found: 3, extent: 3 }));
    assert_eq!(list(&[0], &[0], &[1.0], (0, 3)), Err(Error::Range { array: Argument("rows"), at: 0, found: 0, extent: 0 }));
    assert_eq!(list(&[0], &[0], &[1.0], (3, 0)), Err(Error::Range { array: Argument("columns"), at: 0, found: 0, extent: 0 }));
    assert_eq!(list(&[0; 256], &[0; 256], &[1.0; 256], (3, 3)), Err(Error::TooLarge { what: "entries", number: 256, most: 255 }));
    assert!(matches!(list(&[], &[], &[], (usize::MAX, 3)), Err(Error::TooLarge { what: "rows", .. })));
    let by_rows = |pointers: &[u8], indices: &[u8]| transpose::<_, _, u8, u8, _>(pointers, indices, &[0; 2], 3);
    assert_eq!(by_rows(&[0, 2, 1, 2], &[0, 1]), Err(Error::Decreasing { array: Argument("pointers"), at: 2, before: 2, found: 1 }));
    assert_eq!(by_rows(&[0, 1], &[0, 1]), Err(Error::Last { array: Argument("pointers"), found: 1, expected: 2 }));
    assert_eq!(by_rows(&[], &[0, 1]), Err(Error::Length { array: Argument("pointers"), found: 0, expected: 1 }));
    assert_eq!(by_rows(&[0, 2], &[0, 3]), Err(Error::Range { array: Argument("rows"), at: 1, found: 3, extent: 3 }));
    assert_eq!(by_rows(&[0, 2], &[0]), Err(Error::Length { array: Argument("values"), found: 2, expected: 1 }));
    assert_eq!(transpose::<u8, u8, u8, u8, i8>(&[0; 300], &[], &[], 3), Err(Error::TooLarge { what: "rows", number: 298, most: 255 }));
}

/// Integers wrap to the same sum in any order. Floating-point sums are the same on any number of threads.
#[test]
fn products() {
    for (rows, columns, len, power) in
        [(0, 0, 0, 1), (4, 0, 0, 1), (0, 5, 0, 1), (1, 1, 1, 1), (300, 200, 4000, 1), (3, 5000, 200_000, 1), (200_000, 1000, 90_000, 4)]
    {
        let mut entries = random((rows, columns), len, power, 7);
        entries.iter_mut().for_each(|entry| entry.2 = entry.2 * entry.2 % 1001 - 500);
        let list: (Vec<u32>, Vec<u32>) = entries.iter().map(|entry| (entry.0 as u32, entry.1 as u32)).unzip();
        let values: Vec<f64> = entries.iter().map(|entry| entry.2 as f64).collect();
        let extents = (rows as usize, columns as usize);
        let matrix = compress::<_, _, u32, _>(&list.0, &list.1, &values, extents, Duplicates::sum()).expect("a matrix");
        let x: Vec<f64> = (0..columns).map(|k| (k % 17) as f64 - 8.0).collect();
        let mut expected = vec![0.0; extents.0];
        entries.iter().for_each(|entry| expected[entry.0 as usize] += entry.2 as f64 * x[entry.1 as usize]);
        let by_rows = Matrix::new(&matrix.pointers, &matrix.indices, &matrix.values, extents.1).expect("a matrix");
        let product = |x: &[f64]| {
            on_threads(|| {
                let mut y = vec![f64::NAN; extents.0];
                by_rows.multiply(x, &mut y).expect("vectors");
                y
            })
        };
        assert_eq!(product(&x), expected);
        product(&x.iter().map(|x| x * 0.1 + 0.3).collect::<Vec<_>>());
        let other = transpose::<_, _, u64, u64, _>(&matrix.pointers, &matrix.indices, &matrix.values, extents.1).expect("a matrix");
        let by_columns = Matrix::new(&other.pointers, &other.indices, &other.values, extents.0).expect("a matrix");
        let mut y = vec![f64::NAN; extents.0];
        by_columns.multiply_columns(&x, &mut y).expect("vectors");
        assert_eq!(y, expected);
    }
    let matrix = Matrix::new(&[0u8, 1], &[1u8], &[1], 2).expect("a matrix");
    assert_eq!(matrix.multiply(&[1], &mut [0]), Err(Error::Length { array: Argument("x"), found: 1, expected: 2 }));
    assert_eq!(matrix.multiply(&[1, 1], &mut []), Err(Error::Length { array: Argument("y"), found: 0, expected: 1 }));
    assert_eq!(matrix.multiply_columns(&[1, 1], &mut [0]), Err(Error::Length { array: Argument("x"), found: 2, expected: 1 }));
    assert!(
        Matrix::new(&[0u8, 1], &[2u8], &[1], 2)
            .is_err_and(|e| e == Error::Range { array: Argument("indices"), at: 0, found: 2, extent: 2 })
    );
}

#[test]
fn negative_coordinates() {
    let beyond = |array, position| Error::Range { array: Argument(array), at: position, found: -1i64 as u64, extent: 3 };
    let compressed = |rows: &[i32], columns: &[i32]| compress::<_, _, i32, _>(rows, columns, &[1, 2], (3, 3), Duplicates::sum());
    assert_eq!(compressed(&[0, -1], &[0, 2]), Err(beyond("rows", 1)));
    assert_eq!(compressed(&[2, 1], &[2, -1]), Err(beyond("columns", 1)));
    assert_eq!(Matrix::new(&[0i32, 2], &[2i64, -1], &[1, 2], 3).map(|_| ()), Err(beyond("indices", 1)));
    assert_eq!(
        Matrix::new(&[0i32, -1, 1], &[2i64], &[1], 3).map(|_| ()),
        Err(Error::Decreasing { array: Argument("pointers"), at: 1, before: 0, found: -1i64 as u64 })
    );
}

#[test]
fn more_rows_than_memory_holds() {
    let (low, high, most) = (5u64, 1u64 << (usize::BITS - 2), isize::MAX as u64 / 4);
    let too_large = Err(Error::TooLarge { what: "rows", number: usize::MAX as u64, most });
    for rows in [[low, high], [high, low]] {
        assert_eq!(compress::<_, _, u32, _>(&rows, &[0u32, 0], &[1, 2], (usize::MAX, 3), Duplicates::sum()), too_large);
        let pointers = [0u32, 1, 2];
        assert_eq!(transpose::<_, _, u32, u32, _>(&pointers, &rows, &[1, 2], usize::MAX), too_large);
    }
}
