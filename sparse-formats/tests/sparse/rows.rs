//! Tests of the loops over compressed rows against the loops over any levels, on several threads.

use crate::common::threads::on_threads;
use crate::common::{Cells, Rng, build, elements};
use sparse_formats::{
    AxisSelection, Builder, Cells as Over, Format, Indices, Merge, Reduction, SparseTensor, reduce, spgemm, spgemm_unsorted,
};
use std::collections::BTreeMap;

/// Returns random matrices by rows and by columns: empty and full ones, and some with enough elements for several threads.
fn matrices(rng: &mut Rng) -> Vec<SparseTensor<'static, i64>> {
    let mut made = Vec::new();
    for (shape, count) in
        [([0, 5], 0), ([5, 0], 0), ([4, 6], 0), ([1, 300], 200), ([7, 9], 30), ([900, 70_000], 40_000), ([3000, 40], 50_000)]
    {
        let cells = if count == 30 { Cells::full(&shape) } else { Cells::random(rng, &shape, count, false) };
        made.extend([Format::csr(), Format::csc()].map(|format| build(&cells, &format)));
    }
    made
}

#[test]
fn slices_of_rows() {
    let mut rng = Rng::new(41);
    for a in matrices(&mut rng) {
        let list = a.to_format(&Format::coo(2)).unwrap();
        for _ in 0..8 {
            let mut range = |extent: u64| {
                let start = rng.below(extent + 1);
                AxisSelection::Range { start, end: start + rng.below(extent - start + 1), step: 1 + rng.below(2u64) * rng.below(3u64) }
            };
            let slices = [range(a.shape()[0]), range(a.shape()[1])];
            let expected = list.slice(&slices).unwrap();
            let sliced = on_threads(|| a.slice(&slices).unwrap());
            assert_eq!((sliced.shape(), sliced.format()), (expected.shape(), a.format()), "{slices:?}");
            assert_eq!(elements(&sliced), elements(&expected), "{slices:?} of {}", a.format());
        }
    }
}

#[test]
fn folds_of_rows() {
    for a in matrices(&mut Rng::new(42)) {
        let list = a.to_format(&Format::coo(2)).unwrap();
        for (axis, reduction) in [(0, Reduction::Sum), (1, Reduction::Sum), (0, Reduction::Max), (1, Reduction::Min)] {
            for over in [Over::Stored, Over::All] {
                let expected = reduce(&list, &[axis], reduction, over).unwrap();
                let folded = on_threads(|| reduce(&a, &[axis], reduction, over).unwrap());
                assert_eq!(folded, expected, "{reduction:?} of axis {axis} of {}", a.format());
            }
        }
    }
}

#[test]
fn merges_of_rows() {
    let mut rng = Rng::new(43);
    for (a, b) in matrices(&mut rng).into_iter().zip(matrices(&mut rng)) {
        let (list, other) = (a.to_format(&Format::coo(2)).unwrap(), b.to_format(&Format::coo(2)).unwrap());
        for merge in [Merge::Union, Merge::Intersection] {
            let expected = list.merge(&other, merge, &Format::coo(2), |a, b| a - 2 * b).unwrap();
            let merged = on_threads(|| a.merge(&b, merge, a.format(), |a, b| a - 2 * b).unwrap());
            assert_eq!((merged.stored(), elements(&merged)), (expected.stored(), elements(&expected)), "{merge:?}");
        }
    }
}

/// Products whose elements mostly have one product each, and products whose elements have many.
#[test]
fn products_of_rows() {
    let mut rng = Rng::new(44);
    for (shape, count) in [([300, 200, 100_000], 4000), ([60, 70, 80], 3000), ([1, 1, 1], 1), ([40, 0, 50], 0)] {
        let [rows, inner, columns] = shape;
        let a = build(&Cells::random(&mut rng, &[rows, inner], count, false), &Format::csr());
        let b = build(&Cells::random(&mut rng, &[inner, columns], count, false), &Format::csr());
        let mut expected: BTreeMap<Vec<u64>, i64> = BTreeMap::new();
        let other = elements(&b);
        for (at, x) in elements(&a) {
            for (to, y) in other.range(vec![at[1]]..vec![at[1] + 1]) {
                *expected.entry(vec![at[0], to[1]]).or_default() += x * y;
            }
        }
        let sorted = on_threads(|| spgemm(&a, &b).unwrap());
        assert_eq!((sorted.stored(), elements(&sorted)), (expected.len(), expected.clone()));
        let unsorted = on_threads(|| spgemm_unsorted(&a, &b).unwrap());
        assert_eq!(unsorted.to_format(&Format::csr()).unwrap(), sorted);
    }
}

/// The rows that are counted first may all be empty: then every row is counted.
#[test]
fn products_whose_sampled_rows_are_empty() {
    let rows: Vec<u32> = (0..650).filter(|row| row % 10 != 0).flat_map(|row| [row; 20]).collect();
    let columns: Vec<u32> = (0..rows.len() as u32).map(|k| k % 20).collect();
    let (count, at): (usize, [Indices; 2]) = (rows.len(), [rows.into(), columns.into()]);
    let a = Builder::new(Format::csr(), 0).build(&[650, 20], &at, vec![1i64; count]).unwrap();
    let b = build(&Cells::full(&[20, 3]), &Format::csr());
    let product = on_threads(|| spgemm(&a, &b).unwrap());
    assert_eq!(product.stored(), 585 * 3);
    let sum = |column| (0..20).map(|k| b.at(&[k, column]).copied().unwrap_or(0)).sum::<i64>();
    product.for_each(|at, value| assert_eq!(value, Some(&sum(at[1]))));
}
