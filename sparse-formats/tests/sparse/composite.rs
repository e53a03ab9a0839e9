//! Tests of maps before levels, and of unions of parts.

use crate::common::{Cells, Elements, Rng, build};
use sparse_formats::{
    Arrays, AxisDigit, AxisMap, Composite, Format, Indices, OperationError, Part, Scheme, SparseError, SparseTensor, Values,
};
use std::collections::BTreeMap;

/// Returns schemes of all kinds for tensors of a rank.
pub fn schemes(rng: &mut Rng, rank: usize) -> Vec<Scheme> {
    let list = |rng: &mut Rng, least: i64, most: i64| (0..rank).map(|_| rng.between(least, most).to_string()).collect::<Vec<_>>().join(",");
    let order = |rng: &mut Rng| rng.permutation(rank).iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let kinds = |rng: &mut Rng| {
        let mut kinds: Vec<&str> = (0..rank).map(|_| *rng.pick(&["S", "C", "DC"])).collect();
        kinds[rank - 1] = "S";
        kinds.join("-")
    };
    let orientation = |rng: &mut Rng| if rank == 1 { "R".to_string() } else { format!("X[{}]", order(rng)) };
    let mut names = vec![
        format!("{}-{}", kinds(rng), orientation(rng)),
        format!("blocks({}):{}-{}", list(rng, 1, 4), kinds(rng), orientation(rng)),
        format!("hicoo({})", list(rng, 0, 3)),
        format!("hicoo({};lex)", list(rng, 0, 8)),
        format!("hicoo({};super={})", list(rng, 0, 2), list(rng, 2, 4)),
        format!("hicoo({};lex;super={})", list(rng, 0, 2), list(rng, 2, 4)),
        "alto".into(),
        "gcxs".into(),
    ];
    if rank > 1 {
        names.extend([
            format!("gcxs[{}]", rng.below(rank)),
            format!("hbcsf[{}]", order(rng)),
            format!("hbcsf[{}]({})", order(rng), rng.between(1, 4)),
            "mmcsf".into(),
            "dia".into(),
            format!("mmcsf[{}][{}]", order(rng), order(rng)),
        ]);
    }
    names.iter().map(|name| name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

fn extents(rng: &mut Rng, rank: usize) -> Vec<u64> {
    (0..rank).map(|_| *rng.pick(&[0, 1, 2, 3, 5, 9, 9, 17])).collect()
}

fn elements(composite: &Composite<i64>) -> Elements {
    let (columns, values) = composite.all_elements().unwrap();
    let mut out = Elements::new();
    for k in 0..columns.first().map_or(0, Indices::len) {
        let coordinate = columns.iter().map(|column| column.get(k).unwrap()).collect();
        assert_eq!(out.insert(coordinate, *values.get(k).unwrap()), None);
    }
    out
}

fn arrays(composite: &Composite<'static, i64>) -> Vec<(Arrays<'static>, Values<'static, i64>)> {
    composite
        .clone()
        .into_parts()
        .into_iter()
        .map(|Part { tensor, .. }| tensor.into_parts())
        .map(|parts| (parts.arrays, parts.values))
        .collect()
}

#[test]
fn each_from_each() {
    let mut rng = Rng::new(17);
    for round in 0..60 {
        let rank = 1 + round % 5;
        let shape = extents(&mut rng, rank);
        let count = *rng.pick(&[0, 1, 12, 60]);
        let cells = Cells::random(&mut rng, &shape, count, false);
        let tensor = build(&cells, &Format::coo(rank));
        let all = schemes(&mut rng, rank);
        for scheme in &all {
            let composite = Composite::new(&tensor, scheme).unwrap_or_else(|error| panic!("{scheme} of {shape:?}: {error}"));
            assert_eq!(elements(&composite), cells.elements(), "{scheme} of {shape:?}");
            assert_eq!(scheme.to_string().parse::<Scheme>().as_ref(), Ok(scheme));
            let again = Composite::from_arrays(&shape, scheme, arrays(&composite), 0);
            assert_eq!(again.as_ref(), Ok(&composite), "{scheme} of {shape:?}");
            assert_eq!(composite.to_tensor(&Format::csf(rank)).unwrap(), tensor.to_format(&Format::csf(rank)).unwrap());
            let other = rng.pick(&all);
            assert_eq!(composite.to_scheme(other).unwrap(), Composite::new(&tensor, other).unwrap(), "{scheme} to {other}");
        }
    }
}

/// Changes a number of any array. The parts are refused, or form another tensor.
#[test]
fn mutations() {
    let mut rng = Rng::new(18);
    let (mut refused, mut classes) = (0, BTreeMap::<&str, usize>::new());
    for round in 0..2000 {
        let rank = 2 + round % 3;
        let shape: Vec<u64> = (0..rank).map(|_| rng.between(2, 9) as u64).collect();
        let cells = Cells::random(&mut rng, &shape, 14, false);
        let all = schemes(&mut rng, rank);
        let scheme = rng.pick(&all);
        let mut parts = arrays(&Composite::new(&build(&cells, &Format::coo(rank)), scheme).unwrap());
        let part = rng.below(parts.len());
        let (levels, values) = &mut parts[part];
        let lists = if rng.one_in(2) { &mut levels.indices } else { &mut levels.pointers };
        let level = rng.below(lists.len());
        match &mut lists[level] {
            Some(list) if !list.is_empty() && !rng.one_in(5) => {
                let mut numbers: Vec<u64> = list.iter().collect();
                let at = rng.below(numbers.len());
                numbers[at] = *rng.pick(&[0, 1, numbers[at] + 1, numbers[at].wrapping_sub(1), 200, u64::MAX]);
                *list = Indices::narrowest(&numbers);
            }
            Some(list) => *list = Indices::narrowest(&list.iter().skip(1).collect::<Vec<_>>()),
            None => *values = vec![7; rng.below(30)].into(),
        }
        match Composite::from_arrays(&shape, scheme, parts, 0) {
            Ok(composite) => {
                let found = elements(&composite);
                assert!(found.keys().all(|row| row.iter().zip(&shape).all(|(c, extent)| c < extent)), "{scheme}");
                assert_eq!(elements(&composite.to_scheme(scheme).unwrap()), found);
            }
            Err(error) => {
                refused += 1;
                *classes.entry(error.class()).or_default() += 1;
            }
        }
    }
    assert!(refused > 700, "{refused} refused: {classes:?}");
    for class in ["blocked/duplicate", "blocked/slice", "blocked/unsorted", "levels/length", "levels/pointers", "levels/range"] {
        assert!(classes.contains_key(class), "{class}: {classes:?}");
    }
}

#[test]
fn what_is_refused() {
    let shape = [4u64, 4, 4];
    let chains = |name: &str, shape: &[u64]| {
        let error = name.parse::<Scheme>().unwrap().chains(shape).unwrap_err();
        (error.to_string(), error.class())
    };
    let parameter = |text: &str| (text.to_string(), "blocked/parameter");
    assert_eq!(chains("hicoo(9,9,9)", &shape), parameter("the parameter bits is [9, 9, 9]; expected: a number up to 8 for each axis"));
    assert_eq!(chains("hicoo(1,2)", &shape), parameter("the parameter bits is [1, 2]; expected: a number up to 8 for each axis"));
    assert_eq!(
        chains("hicoo(2,2,2;super=1,2,2)", &shape),
        parameter("the parameter super_bits is [1, 2, 2]; expected: for each axis a number from the bits of the blocks to 63")
    );
    assert_eq!(
        chains("blocks(2,0,2):C-S-S-R", &shape),
        parameter("the parameter edges is [2, 0, 2]; expected: a number above 0 for each axis")
    );
    assert_eq!(chains("blocks(2,2):C-S-R", &shape).1, "blocked/parameter");
    assert_eq!(chains("hbcsf[0,0,1]", &shape), parameter("the parameter axis_order is [0, 0, 1]; expected: each axis once"));
    assert_eq!(chains("hbcsf[0,1,2](0)", &shape), parameter("the parameter max_fiber is [0]; expected: at least 1"));
    assert_eq!(chains("mmcsf", &[4]), parameter("the parameter shape is [4]; expected: at least two axes"));
    assert_eq!(chains("CSR", &shape).1, "levels/shape");
    for name in ["hicoo", "hicoo()", "hicoo(1;morton)", "blocks(2,2)C-S-R", "hbcsf", "mmcsf[0,1", "alto(3)", "blocked", ""] {
        let error = name.parse::<Scheme>().unwrap_err();
        assert!(["blocked/name", "levels/token"].contains(&error.class()), "{name}: {error}");
    }
    // A block that reaches beyond the shape must store the fill value there.
    let blocks: Scheme = "blocks(2,2):S-S-R".parse().unwrap();
    let given = |values: Vec<i64>| {
        let arrays = Arrays::new().with_indices(0, vec![1u8]).with_indices(1, vec![0u8]);
        Composite::from_arrays(&[3, 2], &blocks, vec![(arrays, values.into())], 0)
    };
    assert!(given(vec![1, 2, 0, 0]).is_ok());
    let error = given(vec![1, 2, 3, 0]).unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), error.class()),
        ("part 0: element 2 has coordinate 3 in axis 0, but the extent is 3", "blocked/range")
    );
    // Two parts in different axis orders store the same element.
    let tensor = build(&Cells { shape: vec![3, 3], rows: vec![vec![1, 2]], values: vec![5] }, &Format::coo(2));
    let part = |format: Format| Part { map: AxisMap::identity(&[3, 3]), tensor: tensor.to_format(&format).unwrap() };
    let error = Composite::from_parts(&[3, 3], vec![part(Format::csr()), part(Format::csc())], 0).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.class()), ("parts 0 and 1 both store the element [1, 2]", "blocked/duplicate"));
    let error = Composite::from_parts(&[3, 4], vec![part(Format::csr())], 0).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.class()), ("part 0 has extents [3, 3] instead of [3, 4]", "blocked/parts"));
    let error = Composite::from_parts(&[3, 3], vec![part(Format::csr())], 1).unwrap_err();
    assert_eq!(error, SparseError::PartFill { part: 0 });
}

/// Tests stored coordinates in range that stand for no coordinate, because the last block reaches beyond the extent.
#[test]
fn coordinates_that_are_not_there() {
    let blocks = AxisMap::blocks(&[7, 4], &[3, 2]).unwrap();
    let error = |error: OperationError| (error.class(), error.to_string());
    let beyond = "axis 0: coordinate 7 is beyond its extent 7".to_string();
    assert_eq!(error(blocks.promote(&[2, 0, 1, 0]).unwrap_err()), ("gcs/range", beyond));
    assert_eq!(error(blocks.promote(&[2, 0, 3, 0]).unwrap_err()).1, "group 2: coordinate 3 is beyond its size 3");
    assert_eq!(error(blocks.promote(&[2, 0, 0]).unwrap_err()).1, "3 coordinates are given instead of 4");
    assert_eq!(error(blocks.reduce(&[6, 4]).unwrap_err()).1, "axis 1: coordinate 4 is beyond its extent 4");
    let column = |numbers: &[u64]| Indices::narrowest(numbers);
    let stored = [column(&[0, 2]), column(&[0, 0]), column(&[1, 2]), column(&[0, 0])];
    assert_eq!(error(blocks.promote_columns(&stored).unwrap_err()).1, "axis 0: coordinate 8 at position 1 is beyond its extent 7");
    assert_eq!(blocks.backward_columns(&stored).unwrap(), [column(&[1, 8]), column(&[0, 0])]);
}

#[test]
fn maps() {
    let digit = |axis, step, count, target, weight| AxisDigit { axis, step, count, target, weight };
    let of = |shape: &[u64], targets: usize, digits: &[AxisDigit]| {
        AxisMap::new(shape, targets, digits.to_vec()).map_err(|error| error.to_string())
    };
    // A coordinate whose two halves are exchanged.
    let map = of(&[16], 1, &[digit(0, 1, 4, 0, 4), digit(0, 4, 4, 0, 1)]).unwrap();
    assert_eq!((map.forward(&[6]), map.backward(&[9])), (vec![9], vec![6]));
    assert_eq!(of(&[16], 1, &[digit(0, 1, 4, 0, 1)]).unwrap_err(), "axis 0: the digits count 4 numbers, which does not fit the extent 16");
    let gap = "the digits leave a gap, overlap, or exceed 64 bits";
    assert_eq!(of(&[16], 1, &[digit(0, 2, 8, 0, 1)]).unwrap_err(), format!("axis 0: {gap}"));
    assert_eq!(of(&[16], 1, &[digit(0, 1, 4, 0, 1), digit(0, 4, 4, 0, 2)]).unwrap_err(), format!("target 0: {gap}"));
    assert_eq!(of(&[16], 1, &[digit(0, 1, 16, 1, 1)]).unwrap_err(), "a digit maps axis 0 to target 1, but there are 1 axes and 1 targets");
    let mut rng = Rng::new(19);
    for _ in 0..200 {
        let rank = 1 + rng.below(4usize);
        let shape: Vec<u64> = (0..rank).map(|_| *rng.pick(&[1, 2, 7, 8, 300, 1 << 40, u64::MAX])).collect();
        let edges: Vec<u64> = (0..rank).map(|_| *rng.pick(&[1, 2, 4, 1024])).collect();
        let mut all = vec![
            AxisMap::identity(&shape),
            AxisMap::blocks(&shape, &edges).unwrap(),
            AxisMap::linearised(&shape).unwrap(),
            AxisMap::interleaved(&shape).unwrap(),
        ];
        all.extend(AxisMap::grouped(&shape, &rng.permutation(rank), &[rng.below(rank)]));
        let rows: Vec<Vec<u64>> = (0..20).map(|_| shape.iter().map(|extent| rng.below(*extent)).collect()).collect();
        let columns: Vec<Indices> =
            (0..rank).map(|axis| Indices::narrowest(&rows.iter().map(|row| row[axis]).collect::<Vec<_>>())).collect();
        for map in all {
            let stored = map.forward_columns(&columns).unwrap();
            assert_eq!(map.backward_columns(&stored).unwrap(), columns, "{map}");
            assert_eq!(
                (map.reduce_columns(&columns).unwrap(), map.promote_columns(&stored).unwrap()),
                (stored.clone(), columns.clone()),
                "{map}"
            );
            let layouts: Vec<_> = (0..map.extents().len()).map(|target| map.layout(target)).collect();
            for (k, row) in rows.iter().enumerate() {
                let one = map.forward(row);
                assert!(one.iter().zip(map.extents()).all(|(c, extent)| c < extent), "{map}");
                assert_eq!((map.reduce(row).as_ref(), map.promote(&one).as_ref()), (Ok(&one), Ok(row)), "{map}");
                for (target, layout) in layouts.iter().enumerate() {
                    let mut axes: Vec<usize> = Vec::new();
                    map.digits_of(target).for_each(|digit| {
                        if !axes.contains(&digit.axis) {
                            axes.push(digit.axis)
                        }
                    });
                    let inside: Vec<usize> = axes.iter().map(|axis| row[*axis] as usize).collect();
                    // A map that needs more leaves than a layout has, or more than 63 bits, has no layout.
                    if let (Ok(layout), false) = (layout, inside.is_empty()) {
                        assert_eq!(layout.index(&inside), Some(one[target] as usize), "{map}: {layout}");
                    }
                }
                assert_eq!((map.backward(&one), stored.iter().map(|column| column.get(k).unwrap()).collect()), (row.clone(), one));
            }
        }
    }
}

#[test]
fn tensors_without_values_of_their_own() {
    let cells = Cells { shape: vec![4, 4], rows: vec![vec![0, 1], vec![3, 3]], values: vec![2, 2] };
    let pattern = build(&cells, &Format::csr()).shared_pattern();
    let only = SparseTensor::new(pattern.clone(), Values::<i64>::PatternOnly, 0).unwrap();
    let iso = SparseTensor::new(pattern, Values::Iso(2), 0).unwrap();
    for scheme in schemes(&mut Rng::new(20), 2) {
        let blocks = matches!(scheme, Scheme::Blocks { .. } | Scheme::Diagonals);
        match Composite::new(&only, &scheme) {
            Ok(composite) => assert!(!blocks && composite.to_tensor(&Format::csr()).unwrap() == only, "{scheme}"),
            Err(error) => {
                assert!(blocks && error.to_string() == "the operation needs values, but the tensor stores none", "{scheme}: {error}")
            }
        }
        assert_eq!(elements(&Composite::new(&iso, &scheme).unwrap()), cells.elements(), "{scheme}");
    }
}
