//! Tests of the levels of patterns against single elements, and of operations on every structure against a map of
//! coordinates.

use crate::common::{Cells, Elements, Rng, build, elements, format, structures};
use layout_core::Int;
use layout_levels::{Compressed, Consecutive, Cyclic, End, Fixed, Level, Locate, Ragged, Singleton, Sorted, Then, Unordered};
use sparse_formats::{Arrays, AxisSelection, Balance, Builder, Format, LevelKind, LevelView, Merge, SparseTensor, SparsityPattern, Values};
use std::collections::BTreeMap;

/// Returns a random format of distinct elements, sometimes with unsorted levels or split nodes.
fn random_format(rng: &mut Rng, rank: usize) -> Format {
    let all = structures(rank, false);
    let kinds = &all[rng.below(all.len() as u64) as usize];
    let plain = format(kinds, &rng.permutation(rank), false);
    let flags: Vec<bool> = kinds.iter().map(|kind| *kind != LevelKind::Pointers && rng.below(4) == 0).collect();
    let flagged = plain.with_unsorted(&flags).unwrap();
    let balance = Balance { level: rng.below(rank as u64) as usize, most: 1 + rng.below(3) as usize };
    if rng.below(2) == 0 { flagged.clone().with_balanced(Some(balance)).unwrap_or(flagged) } else { flagged }
}

fn cells(rng: &mut Rng, shape: &[u64], repeated: bool) -> Cells {
    let count = rng.below(14) as usize;
    Cells::random(rng, shape, count, repeated)
}

/// Every level of a pattern has each of its positions below exactly one parent.
#[test]
fn levels_agree_with_themselves() {
    let mut rng = Rng(21);
    for rank in 1..=4 {
        for kinds in structures(rank, true) {
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(4)).collect();
            let tensor = build(&cells(&mut rng, &shape, true), &format(&kinds, &rng.permutation(rank), true));
            let pattern = tensor.pattern();
            let mut parents = 1;
            for k in 0.. {
                let Some(level) = pattern.level(k) else { break };
                let positions = level.size(parents).unwrap();
                let mut next = 0;
                for parent in 0..parents {
                    let range = level.range(parent);
                    assert_eq!((range.start, level.begin(parent)), (next, next), "{} level {k}", pattern.format());
                    next = range.end;
                    let mut before = None;
                    let _ = level.walk(parent, &mut |coordinate, position| {
                        assert_eq!((level.coordinate(parent, position), level.parent(position)), (coordinate, parent));
                        assert!(coordinate < level.extent(parent));
                        if level.is_unique() {
                            assert_eq!(level.locate(parent, coordinate), Some(position));
                        }
                        assert!(level.locate(parent, coordinate).is_some_and(|first| first <= position));
                        assert!(!level.is_ordered() || before <= Some(coordinate));
                        before = Some(coordinate);
                        std::ops::ControlFlow::<()>::Continue(())
                    });
                    assert!(level.extent(parent) > 9 || level.locate(parent, level.extent(parent)).is_none());
                }
                assert_eq!(next, positions);
                parents = positions;
            }
            assert_eq!(parents, pattern.stored());
        }
    }
}

/// Nested loops visit the same elements as a walk, duplicates included.
#[test]
fn loops_are_walks() {
    let mut rng = Rng(22);
    for rank in 1..=4 {
        for kinds in structures(rank, true) {
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(5)).collect();
            let tensor = build(&cells(&mut rng, &shape, true), &format(&kinds, &rng.permutation(rank), true));
            let (mut walk, mut expected) = (tensor.pattern().elements(), Vec::new());
            while let Some(entry) = walk.next_entry() {
                expected.push((entry.coordinates.to_vec(), entry.elements.start));
            }
            let mut seen = Vec::new();
            tensor.pattern().for_each(|coordinates, element| seen.push((coordinates.to_vec(), element)));
            assert_eq!(seen, expected, "{}", tensor.format());
            assert_eq!(seen.len(), tensor.stored());
        }
    }
}

#[test]
fn chains_of_any_levels() {
    let mut rng = Rng(23);
    type Three<'p> = Then<LevelView<'p>, Then<LevelView<'p>, Then<LevelView<'p>, End>>>;
    for kinds in structures(3, false) {
        let shape: Vec<u64> = (0..3).map(|_| 1 + rng.below(4)).collect();
        let axes: Vec<usize> = (0..3).collect();
        let tensor = build(&cells(&mut rng, &shape, false), &format(&kinds, &axes, false));
        let chain = tensor.pattern().chain::<Three>().unwrap();
        let all = elements(&tensor);
        let found: Elements = chain
            .iter()
            .map(|((i, (j, (k, ()))), leaf)| (vec![i as u64, j as u64, k as u64], *tensor.values().get(leaf).unwrap()))
            .collect();
        assert_eq!(found, all);
        for c in Cells::full(&shape).rows {
            let place = (c[0] as usize, (c[1] as usize, (c[2] as usize, ())));
            assert_eq!(chain.locate(place), tensor.pattern().find(&c), "{} {c:?}", tensor.format());
            if let Some(leaf) = chain.locate(place) {
                assert_eq!(chain.decompose(leaf), place);
            }
        }
    }
}

#[test]
fn typed_chains() {
    let from = |format: &str, shape: &[u64], arrays| {
        SparsityPattern::from_parts(shape, format.parse().unwrap(), arrays).map_err(|e| e.error).unwrap()
    };
    let csr = from("C-S-R", &[3, 4], Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u32, 3, 0]));
    type Csr<'p, P, I> = Then<Fixed<usize>, Then<Compressed<&'p [P], &'p [I]>, End>>;
    let chain = csr.chain::<Csr<u8, u32>>().unwrap();
    assert_eq!((chain.locate((0, (3, ()))), chain.decompose(2), chain.size()), (Some(1), (2, (0, ())), 3));
    type Three<'p> = Then<Fixed<Int<3>>, Then<Compressed<&'p [u8], &'p [u32], Unordered>, End>>;
    assert_eq!(csr.chain::<Three>().unwrap().locate((2, (0, ()))), Some(2));
    let error = |error: sparse_formats::SparseError| error.to_string();
    assert_eq!(csr.chain::<Csr<u64, u32>>().map_err(error).unwrap_err(), "level 1: the numbers of positions have 8 bits instead of 64");
    assert_eq!(csr.chain::<Csr<u8, u16>>().map_err(error).unwrap_err(), "level 1: the numbers of coordinates have 32 bits instead of 16");
    assert_eq!(csr.chain::<Then<Fixed<usize>, End>>().map_err(error).unwrap_err(), "the chain has 1 levels, but 2 are given");
    assert_eq!(
        csr.chain::<Then<LevelView, Csr<u8, u32>>>().map_err(error).unwrap_err(),
        "level 1: the kind is compressed; expected: fixed"
    );
    type Longer<'p> = Then<LevelView<'p>, Then<LevelView<'p>, Then<LevelView<'p>, End>>>;
    assert_eq!(csr.chain::<Longer>().map_err(error).unwrap_err(), "the chain has 3 levels, but 2 are given");
    type Two<'p> = Then<Fixed<Int<2>>, Then<LevelView<'p>, End>>;
    assert_eq!(csr.chain::<Two>().map_err(error).unwrap_err(), "level 0 has the extent 3, not 2");

    let coo = from("S-S-R", &[3, 4], Arrays::new().with_indices(0, vec![0u8, 0, 2]).with_indices(1, vec![1u16, 3, 0]));
    type Coo<'p, O> = Then<Compressed<[usize; 2], &'p [u8], O>, Then<Singleton<&'p [u16]>, End>>;
    assert_eq!(coo.chain::<Coo<Sorted>>().unwrap().locate((0, (3, ()))), Some(1));
    let ascending = coo.chain::<Coo<layout_levels::Ascending>>();
    assert_eq!(
        ascending.map_err(error).unwrap_err(),
        "level 0 may have repeated coordinates, but the chain promises that it does not: use a chain without this promise"
    );
    assert_eq!(coo.chain::<Csr<u8, u8>>().map_err(error).unwrap_err(), "level 0: the kind is compressed below one parent; expected: fixed");

    // Two tuples, each stored for both columns, in a multigraph with two elements at one coordinate.
    let arrays = Arrays::new().with_indices(0, vec![1u8, 1, 4, 4]).with_pointers(1, vec![0u8, 2, 2, 3, 3]);
    let graph = from("S-C-R", &[5, 2], arrays);
    type Graph<'p> = Then<Compressed<[usize; 2], &'p [u8], Sorted>, Then<Cyclic, Then<Ragged<&'p [u8]>, End>>>;
    let chain = graph.chain::<Graph>().unwrap();
    let all: Vec<_> = chain.iter().map(|((i, (j, (n, ()))), leaf)| (i, j, n, leaf)).collect();
    assert_eq!(all, [(1, 0, 0, 0), (1, 0, 1, 1), (4, 0, 0, 2)]);
    type Refused<'p> = Then<LevelView<'p>, Then<Singleton<&'p [u8]>, Then<Ragged<&'p [u8]>, End>>>;
    assert_eq!(graph.chain::<Refused>().map_err(error).unwrap_err(), "level 1: the kind is cyclic; expected: singleton");
    assert_eq!(
        graph.chain::<Then<Ragged<&[u8]>, End>>().map_err(error).unwrap_err(),
        "level 0: the kind is compressed below one parent; expected: u8 offsets"
    );
    assert_eq!(csr.chain::<Then<Cyclic, End>>().map_err(error).unwrap_err(), "level 0: the kind is fixed; expected: cyclic");
}

#[test]
fn mergers_of_any_formats() {
    let mut rng = Rng(24);
    for round in 0..3000 {
        let rank = 1 + (round % 4);
        let shape: Vec<u64> = (0..rank).map(|_| rng.below(5)).collect();
        let of = |rng: &mut Rng| {
            let cells = cells(rng, &shape, false);
            let tensor = build(&cells, &random_format(rng, rank));
            (cells.elements(), tensor)
        };
        let ((x, a), (y, b)) = (of(&mut rng), of(&mut rng));
        let target = random_format(&mut rng, rank);
        let target = if rng.below(4) == 0 { target.with_balanced(None).unwrap().with_multigraph(true).unwrap() } else { target };
        let names = format!("{} {} {target}", a.format(), b.format());
        // Nonzero fill values show on which side an element is missing.
        let (a, b) = (refilled(a, 100), refilled(b, 1000));
        let union: Elements =
            x.keys().chain(y.keys()).map(|c| (c.clone(), x.get(c).unwrap_or(&100) - 2 * y.get(c).unwrap_or(&1000))).collect();
        let merged = a.merge(&b, Merge::Union, &target, |a, b| a - 2 * b).unwrap();
        assert_eq!((elements(&merged), merged.fill(), merged.format()), (union, &-1900, &target), "{names}");
        let both: Elements = x.iter().filter_map(|(c, value)| Some((c.clone(), value - 2 * y.get(c)?))).collect();
        let merged = a.merge(&b, Merge::Intersection, &target, |a, b| a - 2 * b).unwrap();
        assert_eq!((elements(&merged), merged.format()), (both, &target), "{names}");
        // One value for all elements.
        let iso = SparseTensor::new(b.shared_pattern(), Values::Iso(7), 1000).unwrap();
        let merged = a.merge(&iso, Merge::Union, &target, |a, b| a - 2 * b).unwrap();
        for c in Cells::full(&shape).rows {
            let expected = x.get(&c).unwrap_or(&100) - 2 * if y.contains_key(&c) { 7 } else { 1000 };
            assert_eq!(merged.at(&c), Some(&expected), "{names} {c:?}");
        }
    }
}

fn refilled(tensor: SparseTensor<'static, i64>, fill: i64) -> SparseTensor<'static, i64> {
    SparseTensor::new(tensor.shared_pattern(), tensor.values().clone(), fill).unwrap()
}

#[test]
fn mergers_of_blocks() {
    let mut rng = Rng(25);
    let shape = [3, 2, 3];
    let names = ["S-D-D-R", "C-S-D-R", "D-D-D-R", "S-S-D-X[2,0,1]", "DC-S-D-C", "S-D-D-X[1,2,0]", "C-C-S-R", "DC-DC-S-R"];
    for (left, right) in names.iter().flat_map(|left| names.map(|right| (*left, right))) {
        for target in names {
            let (x, y) = (cells(&mut rng, &shape, false), cells(&mut rng, &shape, false));
            let (a, b) = (build(&x, &left.parse().unwrap()), build(&y, &right.parse().unwrap()));
            let (x, y) = (x.elements(), y.elements());
            let target: Format = target.parse().unwrap();
            let (sum, product) = (a.merge(&b, Merge::Union, &target, |a, b| a + 2 * b).unwrap(), a.multiply(&b).unwrap());
            for c in Cells::full(&shape).rows {
                let (v, w) = (x.get(&c).unwrap_or(&0), y.get(&c).unwrap_or(&0));
                assert_eq!((sum.at(&c), product.at(&c)), (Some(&(v + 2 * w)), Some(&(v * w))), "{left} {right} {target} {c:?}");
            }
        }
    }
    let large: Vec<u64> = vec![1 << 40, 1 << 40, 3];
    let at = |rows: &[[u64; 3]]| Cells {
        shape: large.clone(),
        rows: rows.iter().map(|row| row.to_vec()).collect(),
        values: (1..=rows.len() as i64).collect(),
    };
    let a = build(&at(&[[5, 1 << 39, 2], [7, 0, 0]]), &Format::csf(3));
    let b = build(&at(&[[7, 0, 0], [1 << 39, 1, 1]]), &"S-DC-S-R".parse().unwrap());
    let sum = a.add(&b).unwrap();
    assert_eq!(elements(&sum), Elements::from([(vec![5, 1 << 39, 2], 1), (vec![7, 0, 0], 3), (vec![1 << 39, 1, 1], 2)]));
    let refused = a.merge(&b, Merge::Union, &"C-S-S-R".parse().unwrap(), |a, b| a + b).unwrap_err();
    assert!(matches!(refused, sparse_formats::OperationError::Tensor(_)), "{refused}");
}

#[test]
fn slices_of_any_formats() {
    let mut rng = Rng(26);
    for round in 0..3000 {
        let rank = 1 + (round % 4);
        let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(5)).collect();
        let multigraph = rng.below(4) == 0;
        let cells = cells(&mut rng, &shape, multigraph);
        let all = structures(rank, multigraph);
        let kinds = &all[rng.below(all.len() as u64) as usize];
        let format = if multigraph { format(kinds, &rng.permutation(rank), true) } else { random_format(&mut rng, rank) };
        let tensor = build(&cells, &format);
        let slices: Vec<AxisSelection> = shape
            .iter()
            .map(|extent| match rng.below(4) {
                0 => AxisSelection::All,
                1 => AxisSelection::Index(rng.below(*extent)),
                2 => (rng.below(*extent)..*extent).into(),
                _ => AxisSelection::Range { start: rng.below(*extent), end: *extent, step: 1 + rng.below(3) },
            })
            .collect();
        if slices.iter().all(|slice| matches!(slice, AxisSelection::Index(_))) {
            continue;
        }
        let place = |(c, slice): (&u64, &AxisSelection)| match *slice {
            AxisSelection::All => Some(Some(*c)),
            AxisSelection::Index(index) => (*c == index).then_some(None),
            AxisSelection::Range { start, step, .. } => (*c >= start && (c - start).is_multiple_of(step)).then(|| Some((c - start) / step)),
        };
        // All elements of each coordinate, in any order.
        let mut expected: BTreeMap<Vec<u64>, Vec<i64>> = BTreeMap::new();
        for (row, value) in cells.rows.iter().zip(&cells.values) {
            let kept: Option<Vec<Option<u64>>> = row.iter().zip(&slices).map(place).collect();
            if let Some(kept) = kept {
                expected.entry(kept.into_iter().flatten().collect()).or_default().push(*value);
            }
        }
        let mut found: BTreeMap<Vec<u64>, Vec<i64>> = BTreeMap::new();
        let sliced = tensor.slice(&slices).unwrap();
        sliced.for_each(|c, value| found.entry(c.to_vec()).or_default().push(*value.unwrap()));
        expected.values_mut().chain(found.values_mut()).for_each(|values| values.sort_unstable());
        assert_eq!(found, expected, "{format} {slices:?}");
        let parts = SparsityPattern::from_parts(sliced.shape(), sliced.format().clone(), sliced.pattern().arrays().clone());
        assert!(parts.is_ok(), "{format} {slices:?}");
    }
}

#[test]
fn products_with_vectors_of_any_formats() {
    let mut rng = Rng(27);
    for round in 0..2000 {
        let rank = 1 + (round % 4);
        let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(5)).collect();
        let cells = cells(&mut rng, &shape, false);
        let tensor = build(&cells, &random_format(&mut rng, rank));
        let iso = rng.below(3) == 0;
        let tensor = if iso { SparseTensor::new(tensor.shared_pattern(), Values::Iso(3), 0).unwrap() } else { tensor };
        for axis in 0..rank {
            let x: Vec<i64> = (0..shape[axis]).map(|_| rng.below(9) as i64 - 4).collect();
            let mut expected = Elements::new();
            for (row, value) in cells.rows.iter().zip(&cells.values) {
                let rest = (0..rank).filter(|k| *k != axis).map(|k| row[k]).collect();
                *expected.entry(rest).or_default() += if iso { 3 } else { *value } * x[row[axis] as usize];
            }
            let contracted = tensor.contract(axis, &x).unwrap();
            if rank > 1 {
                assert_eq!(elements(&contracted), expected, "{} {axis}", tensor.format());
            } else {
                assert_eq!(contracted.at(&[]), Some(expected.values().next().unwrap_or(&0)));
            }
            if (rank, axis) == (2, 1) {
                let y: Vec<i64> = (0..shape[0]).map(|i| *expected.get(&vec![i]).unwrap_or(&0)).collect();
                assert_eq!(tensor.times_vector(&x).unwrap(), y, "{}", tensor.format());
            }
        }
    }
    // Elements with equal coordinates are summed.
    let columns = [vec![1u8, 1, 0].into(), vec![2u8, 2, 1].into()];
    for name in ["C-S-R+multigraph", "C-S-C+multigraph", "S-C-R", "C-C-R", "S-S-C+multigraph"] {
        let graph = Builder::new(name.parse().unwrap(), 0).build(&[2, 3], &columns, vec![1, 2, 4]).unwrap();
        assert_eq!(graph.times_vector(&[1, 10, 100]).unwrap(), [40, 300], "{name}");
    }
}
