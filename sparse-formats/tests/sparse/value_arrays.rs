//! Tests of several arrays of values over one pattern: scalars, small dense arrays, one value for all elements, no
//! values.

use crate::common::{Cells, Rng, format, structures};
use sparse_formats::{ArrayName, Builder, Elements, Format, SparseError, SparsityPattern, ValueArrays, Values};
use std::sync::Arc;

fn pattern(cells: &Cells, format: &Format) -> Arc<SparsityPattern<'static>> {
    Builder::new(format.clone(), 0).build(&cells.shape, &cells.columns(), Values::PatternOnly).unwrap().shared_pattern()
}

/// Returns a number made of the coordinate of an element and the position in its array.
fn number(coordinate: &[u64], place: i64) -> i64 {
    coordinate.iter().fold(1, |number, c| number * 10 + *c as i64) * 10 + place
}

/// Returns the coordinates of all elements, including those in blocks.
fn all(pattern: &SparsityPattern) -> Vec<Vec<u64>> {
    let tensor = sparse_formats::SparseTensor::new(pattern.view(), Values::Iso(0), 0).unwrap();
    let mut out = Vec::new();
    tensor.for_each(|coordinate, _| out.push(coordinate.to_vec()));
    out
}

fn insert(arrays: &mut ValueArrays<'_, i64>, name: &str, elements: Elements<'static, i64>) {
    assert!(arrays.insert(name, elements).unwrap().is_none());
}

#[test]
fn arrays_follow_their_elements() {
    let mut rng = Rng(1);
    let names = ["S-D-D-R", "S-D-X[1,0,2]", "S-S-D-R", "C-S-D-C", "DC-S-S-X[2,0,1]"];
    let formats: Vec<Format> = structures(3, false)
        .iter()
        .map(|kinds| format(kinds, &[1, 2, 0], false))
        .chain(names.iter().filter_map(|name| name.parse().ok()))
        .collect();
    for from in &formats {
        let cells = Cells::random(&mut rng, &[3, 2, 4], 7, false);
        let mut arrays = ValueArrays::new(pattern(&cells, from));
        let coordinates = all(arrays.pattern());
        let values = |size: i64| coordinates.iter().flat_map(|c| (0..size).map(|k| number(c, k))).collect::<Vec<_>>();
        insert(&mut arrays, "scalar", Elements::scalars(values(1)));
        insert(&mut arrays, "matrix", Elements::arrays(&[2, 3], values(6)));
        insert(&mut arrays, "empty", Elements::arrays(&[0], vec![]));
        insert(&mut arrays, "iso", Elements::arrays(&[3], Values::Iso(5)));
        insert(&mut arrays, "pattern", Elements::scalars(Values::PatternOnly));
        for to in &formats {
            let converted = arrays.to_format(to, &-1).unwrap();
            assert_eq!(converted.names().collect::<Vec<_>>(), ["empty", "iso", "matrix", "pattern", "scalar"]);
            assert_eq!(converted.pattern().format(), to);
            let stored = |c: &Vec<u64>| coordinates.contains(c);
            for (name, size) in [("scalar", 1), ("matrix", 6), ("empty", 0)] {
                let found: Vec<i64> = (0..converted.pattern().stored()).flat_map(|k| converted.of(name, k).unwrap().to_vec()).collect();
                let expected = all(converted.pattern());
                let expected = expected.iter().flat_map(|c| (0..size).map(move |k| if stored(c) { number(c, k) } else { -1 }));
                assert_eq!(found, expected.collect::<Vec<_>>(), "{name} {from} {to}");
            }
            assert_eq!(converted.get("pattern").unwrap().values, Values::PatternOnly);
            let iso = &converted.get("iso").unwrap().values;
            assert_eq!(matches!(iso, Values::Iso(5)), all(converted.pattern()).iter().all(stored), "{from} {to}");
        }
    }
}

#[test]
fn multigraphs_keep_every_element() {
    let mut rng = Rng(2);
    let cells = Cells::random(&mut rng, &[3, 2], 12, true);
    let formats: Vec<Format> = structures(2, true).iter().map(|kinds| format(kinds, &[1, 0], true)).collect();
    for from in &formats {
        let mut arrays = ValueArrays::new(pattern(&cells, from));
        let numbers: Vec<i64> = (0..24).collect();
        insert(&mut arrays, "pair", Elements::arrays(&[2], numbers));
        for to in &formats {
            let converted = arrays.to_format(to, &0).unwrap();
            // All formats have the same order of the axes, so elements keep their order.
            assert_eq!(converted.get("pair"), arrays.get("pair"));
        }
        assert_eq!(arrays.to_format(&Format::csr(), &0).unwrap_err().class(), "levels/duplicate");
    }
}

#[test]
fn what_is_refused_comes_back() {
    let cells = Cells { shape: vec![2, 3], rows: vec![vec![0, 2], vec![1, 0]], values: vec![] };
    let mut arrays = ValueArrays::new(pattern(&cells, &Format::csr()));
    let wrong = Elements::arrays(&[2, 2], vec![0; 7]);
    let rejected = arrays.insert("wrong", wrong.clone()).unwrap_err();
    assert_eq!((*rejected.parts, rejected.error), (wrong, SparseError::Length { array: ArrayName::Values, found: 7, expected: 8 }));
    let large = arrays.insert("large", Elements::arrays(&[1 << 40, 1 << 40], vec![0])).unwrap_err();
    assert_eq!(large.error.class(), "levels/overflow");
    insert(&mut arrays, "scalar", Elements::scalars(vec![1, 2]));
    insert(&mut arrays, "array", Elements::arrays(&[2], vec![1, 2, 3, 4]));
    let replaced = arrays.insert("scalar", Elements::scalars(vec![5, 6])).unwrap();
    assert_eq!(replaced, Some(Elements::scalars(vec![1, 2])));
    // A tensor takes only scalars.
    assert!(arrays.tensor("array", 0).is_none() && arrays.tensor("none", 0).is_none());
    assert_eq!(arrays.tensor("scalar", 0).unwrap().at(&[1, 0]), Some(&6));
    assert_eq!((arrays.of("array", 1), arrays.of("array", 2), arrays.of("array", usize::MAX)), (Some(&[3, 4][..]), None, None));
    assert_eq!((arrays.of("scalar", usize::MAX), arrays.of("none", 0)), (None, None));
    assert_eq!(arrays.remove("array").map(|elements| elements.shape), Some(vec![2]));
    // Patterns are shared, not copied.
    assert!(Arc::ptr_eq(arrays.pattern(), ValueArrays::<f32>::new(arrays.pattern().clone()).pattern()));
}
