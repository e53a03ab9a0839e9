//! Tests of groups of axes, and of compressed rows over them.

use crate::common::threads::on_threads;
use crate::common::{Cells, Rng, orders};
use sparse_formats::{
    Arrays, AxisMap, AxisSelection, BlockOrder, Builder, Composite, FixedAxisMap, Format, FormatError, Gcxs, GcxsParts, Indices,
    OperationError, Scheme, SparseTensor, Values,
};

/// Returns all ways to cut `rank` axes into `groups`.
fn cuts(rank: usize, groups: usize) -> Vec<Vec<usize>> {
    let mut out = vec![vec![]];
    for _ in 1..groups {
        out = out
            .iter()
            .flat_map(|before: &Vec<usize>| {
                (before.last().copied().unwrap_or(0)..=rank).map(move |place| [before.as_slice(), &[place]].concat())
            })
            .collect();
    }
    out
}

#[test]
fn any_order_and_any_number_of_groups() {
    let mut rng = Rng(1);
    for rank in 0..=4 {
        for order in orders(rank) {
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(4)).collect();
            for splits in (1..=3).flat_map(|groups| cuts(rank, groups)) {
                let gcs = AxisMap::grouped(&shape, &order, &splits).unwrap();
                assert_eq!(gcs.extents().iter().product::<u64>(), shape.iter().product::<u64>());
                let cells = Cells::full(&shape).rows;
                let mut seen = std::collections::BTreeSet::new();
                for dense in &cells {
                    let reduced = gcs.reduce(dense).unwrap();
                    // The index is row-major over the axes of each group.
                    let ends: Vec<usize> = splits.iter().copied().chain([rank]).collect();
                    let mut start = 0;
                    for (group, end) in ends.iter().enumerate() {
                        let index = order[start..*end].iter().fold(0, |index, axis| index * shape[*axis] + dense[*axis]);
                        assert_eq!(reduced[group], index);
                        start = *end;
                    }
                    assert_eq!(&gcs.promote(&reduced).unwrap(), dense);
                    assert!(seen.insert(reduced), "different coordinates stay so");
                }
                let columns: Vec<Indices> =
                    (0..rank).map(|axis| Indices::narrowest(&cells.iter().map(|c| c[axis]).collect::<Vec<_>>())).collect();
                let reduced = gcs.reduce_columns(&columns).unwrap();
                for (k, dense) in cells.iter().enumerate().take(if rank == 0 { 0 } else { cells.len() }) {
                    let single = gcs.reduce(dense).unwrap();
                    assert!(reduced.iter().zip(&single).all(|(column, c)| column.get(k) == Some(*c)));
                }
                assert_eq!(gcs.promote_columns(&reduced).unwrap(), columns);
                for group in 0..gcs.extents().len() {
                    let layout = gcs.layout(group).unwrap();
                    for dense in &cells {
                        let inside: Vec<usize> = gcs.digits_of(group).map(|digit| dense[digit.axis] as usize).collect();
                        if !inside.is_empty() {
                            assert_eq!(layout.index(&inside), Some(gcs.reduce(dense).unwrap()[group] as usize));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_refused() {
    let refused = |shape: &[u64], order: &[usize], splits: &[usize]| AxisMap::grouped(shape, order, splits).unwrap_err().class();
    assert_eq!(refused(&[2, 3], &[0, 0], &[1]), "gcs/axes");
    assert_eq!(refused(&[2, 3], &[0], &[1]), "gcs/axes");
    assert_eq!(refused(&[2, 3], &[0, 2], &[1]), "gcs/axes");
    assert_eq!(refused(&[2, 3], &[0, 1], &[3]), "gcs/split");
    assert_eq!(refused(&[2, 3, 4], &[0, 1, 2], &[2, 1]), "gcs/split");
    let error = AxisMap::grouped(&[1 << 40, 1 << 40, 5], &[0, 1, 2], &[2]).unwrap_err();
    assert_eq!(error, FormatError::GroupSize { group: 0, extents: vec![1 << 40, 1 << 40] });
    // The product of all extents may overflow.
    let gcs = AxisMap::grouped(&[1 << 60, 1 << 60, 1 << 60], &[2, 0, 1], &[1, 2]).unwrap();
    assert_eq!(gcs.promote(&gcs.reduce(&[5, 6, (1 << 60) - 1]).unwrap()).unwrap(), [5, 6, (1 << 60) - 1]);
    let gcs = AxisMap::grouped(&[2, 3, 4], &[2, 0, 1], &[1]).unwrap();
    assert_eq!(gcs.reduce(&[0, 3, 0]).unwrap_err(), OperationError::Range { axis: 1, at: None, coordinate: 3, extent: 3 });
    assert_eq!(gcs.promote(&[4, 0]).unwrap_err(), OperationError::GroupRange { group: 0, at: None, coordinate: 4, size: 4 });
    assert_eq!(gcs.reduce(&[0, 0]).unwrap_err().class(), "gcs/rank");
    let column = |numbers: &[u64]| Indices::narrowest(numbers);
    let error = gcs.promote_columns(&[column(&[0, 1]), column(&[5, 6])]).unwrap_err();
    assert_eq!(error.to_string(), "group 1: coordinate 6 at position 1 is beyond its size 6");
    assert_eq!(gcs.reduce_columns(&[column(&[0]), column(&[0]), column(&[4])]).unwrap_err().class(), "gcs/range");
    assert_eq!(gcs.promote_columns(&[column(&[0, 1]), column(&[5])]).unwrap_err().class(), "gcs/length");
    // An axis of extent 0 has no coordinates.
    let empty = AxisMap::grouped(&[2, 0, u64::MAX, u64::MAX], &[0, 1, 2, 3], &[]).unwrap();
    assert_eq!(empty.extents(), [0]);
    assert_eq!(empty.promote(&[0]).unwrap_err().class(), "gcs/range");
}

#[test]
fn constants() {
    const GCS: FixedAxisMap<4, 2> = FixedAxisMap::grouped([2, 3, 4, 5], [2, 0, 3, 1], [1, 4]).unwrap();
    const REDUCED: [u64; 2] = GCS.forward([1, 2, 3, 4]);
    const { assert!(GCS.backward(REDUCED)[1] == 2) };
    let gcs = AxisMap::grouped(&[2, 3, 4, 5], &[2, 0, 3, 1], &[1]).unwrap();
    for dense in Cells::full(&[2, 3, 4, 5]).rows {
        let fixed: [u64; 4] = dense.clone().try_into().unwrap();
        assert_eq!(GCS.forward(fixed).to_vec(), gcs.reduce(&dense).unwrap());
        assert_eq!(GCS.promote(GCS.reduce(fixed).unwrap()), Some(fixed));
    }
    assert_eq!(GCS.reduce([1, 3, 0, 0]), None);
    assert_eq!(GCS.promote([0, 30]), None);
    assert_eq!(GCS.extents().to_vec(), gcs.extents());
    assert!(FixedAxisMap::<2, 2>::grouped([2, 3], [0, 0], [1, 2]).is_none());
    assert!(FixedAxisMap::<2, 2>::grouped([2, 3], [0, 1], [1, 1]).is_none());
    assert!(FixedAxisMap::<2, 1>::grouped([1 << 40, 1 << 40], [0, 1], [2]).is_none());
    assert_eq!(FixedAxisMap::<3, 2>::grouped([0, u64::MAX, u64::MAX], [0, 1, 2], [3, 3]).unwrap().extents(), [0, 1]);
}

/// Returns all increasing lists of some, but not all, axes.
fn proper(rank: usize) -> Vec<Vec<usize>> {
    if rank == 1 {
        return vec![vec![]];
    }
    (1..(1 << rank) - 1).map(|mask: usize| (0..rank).filter(|axis| mask & (1 << axis) != 0).collect()).collect()
}

#[test]
fn rows_and_back() {
    let mut rng = Rng(2);
    for rank in 1..=4 {
        for axes in proper(rank) {
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(5)).collect();
            let cells = Cells::random(&mut rng, &shape, 14, false);
            let tensor = Builder::new(Format::csf(rank), 0).build(&shape, &cells.columns(), cells.values.clone()).unwrap();
            let gcxs = Gcxs::new(&tensor, &axes).unwrap();
            assert_eq!(gcxs.to_tensor(&Format::csf(rank)).unwrap(), tensor);
            let scheme = Scheme::gcxs(&axes);
            assert_eq!(scheme.to_string().parse(), Ok(scheme.clone()));
            assert_eq!(Composite::from(gcxs.clone()), Composite::new(&tensor, &scheme).unwrap());
            let blocks = Scheme::Blocks { edges: vec![2; rank], grid: Format::csf(rank) };
            let bits = Scheme::Hicoo { bits: vec![1; rank], supers: None, order: BlockOrder::Lexicographic };
            let [blocked, bits, keys] = [blocks, bits, Scheme::Linearised].map(|other| Composite::new(&tensor, &other).unwrap());
            for other in [&blocked, &bits, &keys] {
                assert_eq!(other.to_scheme(&scheme).unwrap(), *gcxs, "{other}");
            }
            let again = Gcxs::from_parts(gcxs.clone().into_parts()).map_err(|rejected| rejected.error);
            assert_eq!(again.as_ref(), Ok(&gcxs));
            for other in proper(rank) {
                assert_eq!(gcxs.with_compressed_axes(&other).unwrap(), Gcxs::new(&tensor, &other).unwrap());
            }
            for coordinate in Cells::full(&shape).rows {
                assert_eq!(gcxs.at(&coordinate), tensor.at(&coordinate));
                assert_eq!(blocked.at(&coordinate), tensor.at(&coordinate));
            }
            for _ in 0..6 {
                let slice = |extent: &u64| match rng.below(3) {
                    0 => AxisSelection::All,
                    1 => AxisSelection::Index(rng.below(*extent)),
                    _ => {
                        let start = rng.below(extent + 1);
                        AxisSelection::Range { start, end: start + rng.below(extent - start + 1), step: 1 + rng.below(2) }
                    }
                };
                let slices: Vec<AxisSelection> = shape.iter().map(slice).collect();
                let expected = tensor.slice(&slices).unwrap();
                match gcxs.slice(&slices) {
                    Ok(sliced) => {
                        let format = Format::coo(expected.shape().len());
                        assert_eq!(
                            sliced.to_tensor(&format).unwrap(),
                            expected.to_format(&format).unwrap(),
                            "{shape:?} {axes:?} {slices:?}"
                        );
                    }
                    Err(error) => {
                        assert!(expected.shape().is_empty(), "{error}");
                        assert_eq!(error.class(), "levels/slice");
                    }
                }
            }
        }
    }
}

/// Tests enough elements for the special kernels, in columns of 16, 32 and 64 bits, sorted by some axes and by none.
#[test]
fn rows_of_many() {
    let mut rng = Rng(3);
    for shape in [[30, 40, 50, 60], [100, 1, 700, 90_000], [70_000, 90_000, 3, 40], [65_536, 256, 256, 2]] {
        let cells = Cells::random(&mut rng, &shape, 12_000, false);
        let unsorted = Format::coo(4).with_unsorted(&[true; 4]).unwrap();
        let arrays =
            cells.columns().into_iter().enumerate().fold(Arrays::new(), |arrays, (level, column)| arrays.with_indices(level, column));
        let unsorted = SparseTensor::from_parts(&shape, unsorted, arrays, cells.values.clone(), 0).map_err(|rejected| rejected.error);
        let built = |format: &str| {
            Builder::new(format.parse().unwrap(), 0).build(&shape, &cells.columns(), cells.values.clone()).expect("distinct elements")
        };
        for tensor in [built("S-S-S-S-R"), built("DC-DC-DC-S-X[2,0,1,3]"), built("S-S-S-S-C"), unsorted.expect("coordinates in any order")]
        {
            let format = tensor.format();
            for axes in proper(4) {
                let gcs = AxisMap::rows(&shape, &axes).unwrap();
                // Skip huge numbers of rows, because the pointers have one entry for each row.
                if gcs.extents()[0] > 1_000_000 {
                    continue;
                }
                let mut expected: Vec<(Vec<u64>, i64)> =
                    cells.rows.iter().zip(&cells.values).map(|(row, value)| (gcs.reduce(row).unwrap(), *value)).collect();
                expected.sort();
                let gcxs = on_threads(|| Gcxs::new(&tensor, &axes).unwrap());
                for values in [Values::Iso(5), Values::PatternOnly] {
                    let tensor = SparseTensor::new(tensor.pattern().view(), values.clone(), 0).map_err(|rejected| rejected.error).unwrap();
                    let same = Gcxs::new(&tensor, &axes).unwrap();
                    assert_eq!((same.indptr(), same.indices(), same.data()), (gcxs.indptr(), gcxs.indices(), &values));
                }
                let numbers = |indices: &Indices| (0..indices.len()).filter_map(|k| indices.get(k)).collect::<Vec<u64>>();
                let (pointers, indices) = (numbers(gcxs.indptr()), numbers(gcxs.indices()));
                let rows = pointers.windows(2).enumerate().flat_map(|(row, pair)| (pair[0]..pair[1]).map(move |_| row as u64));
                let found: Vec<(Vec<u64>, i64)> =
                    rows.zip(indices).map(|(row, index)| vec![row, index]).zip((0..).map_while(|k| gcxs.data().get(k).copied())).collect();
                assert!(found == expected, "{shape:?} {format} {axes:?}");
                for other in [vec![1], vec![0, 2]].iter().filter(|other| gcs.shape()[other[0]] < 1000) {
                    assert!(
                        gcxs.with_compressed_axes(other).unwrap() == Gcxs::new(&tensor, other).unwrap(),
                        "{shape:?} {axes:?} {other:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn wrong_rows() {
    let column = |numbers: &[u64]| Indices::narrowest(numbers);
    let parts = |shape: &[u64], axes: &[usize], indptr: &[u64], indices: &[u64]| GcxsParts {
        shape: shape.to_vec(),
        compressed_axes: axes.to_vec(),
        indptr: column(indptr),
        indices: column(indices),
        data: Values::from(vec![7; indices.len()]),
        fill: 0,
    };
    let good = parts(&[2, 3, 4], &[0], &[0, 1, 3], &[11, 0, 5]);
    assert!(Gcxs::from_parts(good).is_ok());
    // A tensor of one axis has one row, and may omit the pointers.
    assert!(Gcxs::from_parts(parts(&[9], &[], &[], &[1, 8])).is_ok());
    assert!(Gcxs::from_parts(parts(&[9], &[], &[0, 2], &[1, 8])).is_ok());
    for (wrong, class) in [
        (parts(&[2, 3, 4], &[1, 1], &[0], &[]), "gcxs/axes"),
        (parts(&[2, 3, 4], &[1, 0], &[0], &[]), "gcxs/axes"),
        (parts(&[2, 3, 4], &[], &[0], &[]), "gcxs/axes"),
        (parts(&[2, 3, 4], &[0, 1, 2], &[0], &[]), "gcxs/axes"),
        (parts(&[2, 3, 4], &[3], &[0], &[]), "gcxs/axes"),
        (parts(&[5], &[0], &[0], &[]), "gcxs/axes"),
        (parts(&[], &[], &[0], &[]), "gcxs/axes"),
        (parts(&[1 << 40, 1 << 40, 2], &[0, 1], &[0], &[]), "gcs/overflow"),
        (parts(&[2, 3, 4], &[0], &[0, 3], &[11, 0, 5]), "levels/length"),
        (parts(&[2, 3, 4], &[0], &[0, 2, 1], &[11]), "levels/pointers"),
        (parts(&[2, 3, 4], &[0], &[0, 1, 3], &[12, 0, 5]), "levels/range"),
        (parts(&[2, 3, 4], &[0], &[0, 1, 3], &[11, 5, 0]), "levels/unsorted"),
        (parts(&[2, 3, 4], &[0], &[0, 1, 3], &[11, 5, 5]), "levels/duplicate"),
        (parts(&[9], &[], &[], &[8, 1]), "levels/unsorted"),
    ] {
        let rejected = Gcxs::from_parts(wrong.clone()).unwrap_err();
        assert_eq!(rejected.error.class(), class, "{}", rejected.error);
        assert_eq!(*rejected.parts, wrong);
    }
    let wrong = parts(&[2, 3, 4], &[0], &[0, 1, 3], &[12, 0, 5]);
    assert_eq!(Gcxs::from_parts(wrong).unwrap_err().to_string(), "indices: indices_1[0] is 12, but the extent is 12");
    assert_eq!(AxisMap::default_rows(&[6, 3, 4, 3]), [1]);
    assert!(AxisMap::default_rows(&[6]).is_empty());
}
