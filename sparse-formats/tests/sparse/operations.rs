//! Tests of operations against single elements.

use crate::common::{Cells, Elements, Rng, build, elements, format, orders, structures};
use sparse_formats::{
    Attributes, AxisSelection, Builder, Duplicates, Format, Indices, LevelKind, Merge, OperationError, SparseError, SparseTensor, Symmetry,
    Triangle, Values,
};
use std::collections::BTreeMap;

/// Runs `test` on random tensors of every structure of ranks 1 to `rank`, with their elements.
fn each(seed: u64, rank: usize, mut test: impl FnMut(&mut Rng, SparseTensor<'static, i64>, Elements)) {
    let mut rng = Rng(seed);
    for rank in 1..=rank {
        for kinds in structures(rank, false) {
            let axes = rng.permutation(rank);
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(5)).collect();
            let cells = Cells::random(&mut rng, &shape, 10, false);
            let all = cells.rows.iter().cloned().zip(cells.values.iter().copied()).collect();
            let tensor = build(&cells, &format(&kinds, &axes, false));
            test(&mut rng, tensor, all);
        }
    }
}

#[test]
fn look_up() {
    each(1, 4, |_, tensor, all| {
        for coordinate in Cells::full(tensor.shape()).rows {
            assert_eq!(tensor.at(&coordinate), Some(all.get(&coordinate).unwrap_or(&0)), "{} {coordinate:?}", tensor.format());
            assert_eq!(tensor.pattern().find(&coordinate).is_some(), all.contains_key(&coordinate));
        }
        assert_eq!(tensor.at(tensor.shape()), None);
        assert_eq!(tensor.at(&[]), None);
    });
}

#[test]
fn look_up_among_unsorted_and_repeated() {
    let mut rng = Rng(2);
    for rank in 1..=4 {
        for kinds in structures(rank, true) {
            let axes: Vec<usize> = (0..rank).collect();
            let flags: Vec<bool> = kinds.iter().map(|kind| *kind != LevelKind::Pointers).collect();
            let sorted = format(&kinds, &axes, true);
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(3)).collect();
            let cells = Cells::random(&mut rng, &shape, 12, true);
            let tensor = build(&cells, &sorted.clone().with_unsorted(&flags).unwrap());
            for coordinate in Cells::full(&shape).rows {
                let mut found = Vec::new();
                tensor.pattern().find_each(&coordinate, |element| found.extend(tensor.values().get(element).copied()));
                let expected: Vec<i64> =
                    cells.rows.iter().zip(&cells.values).filter(|(row, _)| **row == coordinate).map(|(_, v)| *v).collect();
                assert_eq!(found, expected, "{sorted} {coordinate:?}");
            }
        }
    }
}

#[test]
fn look_up_in_shuffled_tuples() {
    // Tuples of two unsorted levels, each stored twice for the `C` level after them.
    let format: Format = "S-S-C-S-R+unsorted(0)".parse().unwrap();
    let arrays = sparse_formats::Arrays::new()
        .with_indices(0, vec![1u8, 1, 0, 0, 1, 1])
        .with_indices(1, vec![2u8, 2, 2, 2, 0, 0])
        .with_pointers(2, vec![0u8, 1, 1, 1, 2, 3, 4])
        .with_indices(3, vec![5u8, 6, 7, 8]);
    let tensor = SparseTensor::from_parts(&[2, 3, 2, 9], format, arrays, vec![1, 2, 3, 4], 0).unwrap();
    let all: Vec<(Vec<u64>, i64)> = elements(&tensor).into_iter().collect();
    assert_eq!(all, [(vec![0, 2, 1, 6], 2), (vec![1, 0, 0, 7], 3), (vec![1, 0, 1, 8], 4), (vec![1, 2, 0, 5], 1)]);
    for (coordinate, value) in &all {
        assert_eq!(tensor.at(coordinate), Some(value));
    }
    assert_eq!(tensor.at(&[1, 2, 1, 5]), Some(&0));
    assert_eq!(tensor.to_format(&Format::coo(4)).unwrap().stored(), 4);
}

#[test]
fn fibers_are_prefixes() {
    each(3, 4, |_, tensor, all| {
        let axes = tensor.format().axis_order();
        for levels in 0..=axes.len() {
            let mut expected: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
            for coordinate in all.keys() {
                *expected.entry(axes[..levels].iter().map(|axis| coordinate[*axis]).collect()).or_default() += 1;
            }
            let (mut walk, mut seen, mut next) = (tensor.pattern().fibers(levels), Vec::new(), 0);
            while let Some(fiber) = walk.next_entry() {
                assert_eq!(fiber.elements.start, next);
                next = fiber.elements.end;
                seen.push((fiber.coordinates.to_vec(), fiber.elements.len()));
            }
            assert_eq!(seen, expected.into_iter().collect::<Vec<_>>(), "{} {levels}", tensor.format());
        }
    });
}

#[test]
fn slices() {
    each(4, 4, |rng, tensor, all| {
        for _ in 0..4 {
            let slices: Vec<AxisSelection> = tensor
                .shape()
                .iter()
                .map(|extent| match rng.below(3) {
                    0 => AxisSelection::All,
                    1 => AxisSelection::Index(rng.below(*extent)),
                    _ => {
                        let start = rng.below(extent + 1);
                        AxisSelection::Range { start, end: start + rng.below(extent - start + 1), step: 1 + rng.below(3) }
                    }
                })
                .collect();
            let place = |c: u64, slice: &AxisSelection| match slice {
                AxisSelection::All => Some(Some(c)),
                AxisSelection::Index(index) => (c == *index).then_some(None),
                AxisSelection::Range { start, end, step } => {
                    (c >= *start && c < *end && (c - start).is_multiple_of(*step)).then(|| Some((c - start) / step))
                }
            };
            let kept = all.iter().filter_map(|(coordinate, value)| {
                let places: Option<Vec<Option<u64>>> = coordinate.iter().zip(&slices).map(|(c, slice)| place(*c, slice)).collect();
                Some((places?.into_iter().flatten().collect(), *value))
            });
            let sliced = tensor.slice(&slices).unwrap();
            if sliced.shape().is_empty() {
                let expected = kept.map(|(_, value): (Vec<u64>, i64)| value).next().unwrap_or(0);
                assert_eq!(sliced.at(&[]), Some(&expected));
            } else {
                assert_eq!(elements(&sliced), kept.collect::<Elements>(), "{} {slices:?}", tensor.format());
            }
        }
    });
    let tensor = build(&Cells::full(&[3, 4]), &Format::csr());
    for (slices, class) in [
        (vec![AxisSelection::All], "levels/shape"),
        (vec![AxisSelection::Index(3), AxisSelection::All], "levels/slice"),
        (vec![AxisSelection::All, (2..5).into()], "levels/slice"),
        (vec![AxisSelection::All, AxisSelection::Range { start: 2, end: 1, step: 1 }], "levels/slice"),
        (vec![AxisSelection::All, AxisSelection::Range { start: 0, end: 1, step: 0 }], "levels/slice"),
        (vec![AxisSelection::Index(u64::MAX), AxisSelection::All], "levels/slice"),
    ] {
        assert_eq!(tensor.slice(&slices).unwrap_err().class(), class, "{slices:?}");
    }
}

#[test]
fn permutations() {
    each(5, 4, |_, tensor, all| {
        for axes in orders(tensor.shape().len()) {
            let turned = tensor.clone().permute(&axes).unwrap();
            let expected: Elements = all.iter().map(|(c, value)| (axes.iter().map(|axis| c[*axis]).collect(), *value)).collect();
            assert_eq!(elements(&turned), expected);
            assert_eq!(turned.pattern().arrays(), tensor.pattern().arrays());
        }
        assert!(tensor.permute(&[0, 0, 0, 0, 0]).is_err());
    });
}

#[test]
fn reshapes() {
    let mut rng = Rng(6);
    let shapes: [&[u64]; 8] = [&[24], &[4, 6], &[6, 4], &[2, 3, 4], &[1, 24, 1], &[2, 2, 1, 6], &[8, 3], &[3, 1, 1, 8]];
    for from in shapes {
        for to in shapes {
            let cells = Cells::random(&mut rng, from, 9, false);
            let index = |coordinate: &[u64], shape: &[u64]| coordinate.iter().zip(shape).fold(0, |index, (c, extent)| index * extent + c);
            let reshaped = build(&cells, &Format::coo(from.len())).reshape(to, &Format::csf(to.len())).unwrap();
            let all: BTreeMap<u64, i64> = elements(&reshaped).iter().map(|(c, value)| (index(c, to), *value)).collect();
            let expected: BTreeMap<u64, i64> = cells.rows.iter().zip(&cells.values).map(|(c, value)| (index(c, from), *value)).collect();
            assert_eq!(all, expected, "{from:?} {to:?}");
        }
    }
    // The elements number more than 2^63, but axes that stay need no product.
    let cells = Cells { shape: vec![1 << 40, 6, 1 << 40], rows: vec![vec![5, 4, 1 << 39]], values: vec![7] };
    let large = build(&cells, &Format::coo(3));
    let reshaped = large.reshape(&[1 << 40, 2, 3, 1 << 40], &Format::coo(4)).unwrap();
    assert_eq!(elements(&reshaped), Elements::from([(vec![5, 1, 1, 1 << 39], 7)]));
    assert_eq!(large.reshape(&[1 << 41, 6, 1 << 39], &Format::coo(3)).unwrap_err().class(), "levels/overflow");
    assert_eq!(large.reshape(&[1 << 40, 7, 1 << 40], &Format::coo(3)).unwrap_err().class(), "levels/shape");
    let none = build(&Cells { shape: vec![0, 5], rows: vec![], values: vec![] }, &Format::csr());
    assert_eq!(none.reshape(&[7, 0, 2], &Format::coo(3)).unwrap().stored(), 0);
    assert!(none.reshape(&[7], &Format::coo(1)).is_err());
    let scalar = build(&Cells { shape: vec![1, 1], rows: vec![vec![0, 0]], values: vec![3] }, &Format::csr());
    assert_eq!(scalar.reshape(&[], &Format::coo(0)).unwrap().reshape(&[1], &Format::coo(1)).unwrap().at(&[0]), Some(&3));
}

#[test]
fn sums_and_products() {
    let mut rng = Rng(7);
    for rank in 1..=3 {
        for left in structures(rank, false) {
            for right in structures(rank, false) {
                let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(4)).collect();
                let of = |rng: &mut Rng, kinds: &[LevelKind]| {
                    let axes = rng.permutation(rank);
                    let cells = Cells::random(rng, &shape, 8, false);
                    build(&cells, &format(kinds, &axes, false))
                };
                let (a, b) = (of(&mut rng, &left), of(&mut rng, &right));
                let (x, y) = (elements(&a), elements(&b));
                let mut sum = x.clone();
                y.iter().for_each(|(c, value)| *sum.entry(c.clone()).or_default() += value);
                assert_eq!(elements(&a.add(&b).unwrap()), sum);
                let product: Elements = x.iter().filter_map(|(c, value)| Some((c.clone(), value * y.get(c)?))).collect();
                assert_eq!(elements(&a.multiply(&b).unwrap()), product);
                // With another fill value, unstored elements matter.
                let ones = SparseTensor::new(b.shared_pattern(), b.values().clone(), 1).unwrap();
                let product = a.multiply(&ones).unwrap();
                for c in Cells::full(&shape).rows {
                    assert_eq!(product.at(&c), Some(&(x.get(&c).unwrap_or(&0) * y.get(&c).unwrap_or(&1))));
                }
                let difference = a.merge(&b, Merge::Union, &Format::csf(rank), |a, b| a - b).unwrap();
                for c in Cells::full(&shape).rows {
                    assert_eq!(difference.at(&c), Some(&(x.get(&c).unwrap_or(&0) - y.get(&c).unwrap_or(&0))));
                }
            }
        }
    }
    let a = build(&Cells::full(&[2, 3]), &Format::csr());
    assert_eq!(a.add(&build(&Cells::full(&[3, 2]), &Format::csr())).unwrap_err().class(), "levels/shape");
    let pattern = SparseTensor::new(a.shared_pattern(), Values::PatternOnly, 0).unwrap();
    assert_eq!(a.add(&pattern).unwrap_err(), OperationError::PatternOnly);
}

#[test]
fn maps_of_many_tensors() {
    let mut rng = Rng(17);
    for round in 0..600 {
        let shape: Vec<u64> = (0..1 + round % 3).map(|_| 1 + rng.below(4)).collect();
        // Each operand lacks some of the first axes, and has the extent 1 along some of the others.
        let operands: Vec<SparseTensor<i64>> = (0..1 + rng.below(4))
            .map(|_| {
                let own = &shape[rng.below(shape.len() as u64) as usize..];
                let own: Vec<u64> = own.iter().map(|extent| if rng.below(3) == 0 { 1 } else { *extent }).collect();
                let all = structures(own.len(), false);
                let kinds = &all[rng.below(all.len() as u64) as usize];
                let axes = rng.permutation(own.len());
                let tensor = build(&Cells::random(&mut rng, &own, 6, false), &format(kinds, &axes, false));
                let fill = rng.below(3) as i64;
                SparseTensor::new(tensor.shared_pattern(), tensor.values().clone(), fill).unwrap()
            })
            .collect();
        let rank = operands.iter().map(|operand| operand.shape().len()).max().unwrap();
        let extents: Vec<u64> = (0..rank)
            .map(|axis| {
                operands
                    .iter()
                    .map(|operand| (axis + operand.shape().len()).checked_sub(rank).map_or(1, |own| operand.shape()[own]))
                    .max()
                    .unwrap()
            })
            .collect();
        let others: Vec<&SparseTensor<i64>> = operands[1..].iter().collect();
        let f = |all: &[i64]| all.iter().fold(7, |sum, x| sum * 10 + x);
        for format in [Format::coo(rank), Format::csf(rank)] {
            let union = operands[0].map_with(&others, Merge::Union, &format, f).unwrap();
            let both = operands[0].map_with(&others, Merge::Intersection, &format, f).unwrap();
            assert_eq!((union.shape(), union.format(), both.format()), (&extents[..], &format, &format));
            for coordinate in Cells::full(&extents).rows {
                let at = |operand: &SparseTensor<i64>| {
                    let last = &coordinate[rank - operand.shape().len()..];
                    last.iter().zip(operand.shape()).map(|(c, extent)| c % extent).collect::<Vec<u64>>()
                };
                let all: Vec<i64> = operands.iter().map(|operand| *operand.at(&at(operand)).unwrap()).collect();
                assert_eq!(union.at(&coordinate), Some(&f(&all)), "{coordinate:?} of {extents:?}");
                let stored = operands.iter().all(|operand| operand.pattern().find(&at(operand)).is_some());
                assert_eq!(both.pattern().find(&coordinate).is_some(), stored);
                if stored {
                    assert_eq!(both.at(&coordinate), Some(&f(&all)));
                }
            }
        }
    }
    let (row, other) = (build(&Cells::full(&[3]), &Format::vector()), build(&Cells::full(&[2]), &Format::vector()));
    let differ = OperationError::Shapes { left: vec![3], right: vec![2] };
    assert_eq!(row.map_with(&[&other], Merge::Union, &Format::vector(), |all| all[0]).unwrap_err(), differ);
    assert_eq!(row.broadcast(&[1 << 62, 3], &Format::csr()).unwrap_err().class(), "levels/overflow");
    assert_eq!(row.broadcast(&[0, 3], &Format::csr()).unwrap().stored(), 0);
    assert!(row.broadcast(&[2, 3], &Format::vector()).is_err());
    let pattern = SparseTensor::new(row.shared_pattern(), Values::PatternOnly, 0).unwrap();
    assert_eq!(row.map_with(&[&pattern], Merge::Union, &Format::vector(), |all| all[0]).unwrap_err(), OperationError::PatternOnly);
}

#[test]
fn products_with_vectors() {
    each(8, 3, |rng, tensor, all| {
        for axis in 0..tensor.shape().len() {
            let x: Vec<i64> = (0..tensor.shape()[axis]).map(|_| rng.below(9) as i64 - 4).collect();
            let mut expected = Elements::new();
            for (c, value) in &all {
                let rest = (0..c.len()).filter(|k| *k != axis).map(|k| c[k]).collect();
                *expected.entry(rest).or_default() += value * x[c[axis] as usize];
            }
            let contracted = tensor.contract(axis, &x).unwrap();
            if contracted.shape().is_empty() {
                assert_eq!(contracted.at(&[]), Some(expected.values().next().unwrap_or(&0)));
            } else {
                assert_eq!(elements(&contracted), expected, "{} {axis}", tensor.format());
            }
            if tensor.shape().len() == 2 && axis == 1 {
                let y: Vec<i64> = (0..tensor.shape()[0]).map(|row| *expected.get(&vec![row]).unwrap_or(&0)).collect();
                assert_eq!(tensor.times_vector(&x).unwrap(), y);
            }
        }
        assert!(tensor.contract(9, &[]).is_err());
    });
}

#[test]
fn duplicates() {
    let columns: [Indices; 2] = [vec![1u8, 0, 1, 1].into(), vec![2u8, 0, 2, 2].into()];
    let build = |duplicates| Builder::new(Format::csr(), 0).duplicates(duplicates).build(&[2, 3], &columns, vec![1, 2, 3, 4]);
    assert_eq!(build(Duplicates::sum()).unwrap().at(&[1, 2]), Some(&8));
    assert_eq!(build(Duplicates::First).unwrap().at(&[1, 2]), Some(&1));
    assert_eq!(build(Duplicates::Last).unwrap().at(&[1, 2]), Some(&4));
    assert_eq!(build(Duplicates::Combine(&|a: &i32, b: &i32| a * 10 + b)).unwrap().at(&[1, 2]), Some(&134));
    for policy in [Duplicates::Refuse, Duplicates::Keep] {
        assert_eq!(build(policy).unwrap_err().to_string(), "elements 0 and 2 are both at [1, 2]");
    }
    // The coordinate of the message is in the order of the axes in every format.
    let by_columns = Builder::new(Format::csc(), 0).build(&[2, 3], &columns, vec![1, 2, 3, 4]);
    assert_eq!(by_columns.unwrap_err().to_string(), "elements 0 and 2 are both at [1, 2]");
    let multigraph = Builder::new(Format::csr().with_multigraph(true).unwrap(), 0).build(&[2, 3], &columns, vec![1, 2, 3, 4]).unwrap();
    assert_eq!(multigraph.values(), &vec![2, 1, 3, 4].into());
    assert!(multigraph.to_format(&Format::csc()).is_err());
    let summed = multigraph.convert(&Builder::new(Format::csc(), 0).duplicates(Duplicates::sum())).unwrap();
    assert_eq!(summed.at(&[1, 2]), Some(&8));
    // A value for all elements stays one if elements are dropped, and becomes several if they are combined.
    let iso = |duplicates| Builder::new(Format::csr(), 0).duplicates(duplicates).build(&[2, 3], &columns, Values::Iso(5)).unwrap();
    assert_eq!(iso(Duplicates::First).values(), &Values::Iso(5));
    assert_eq!(iso(Duplicates::sum()).values(), &vec![5, 15].into());
}

#[test]
fn dense_axes() {
    let mut rng = Rng(10);
    let shape = [3, 2, 4];
    let cells = Cells::random(&mut rng, &shape, 9, false);
    let all: Elements = cells.rows.iter().cloned().zip(cells.values.iter().copied()).collect();
    let names = ["S-D-D-R", "C-S-D-R", "D-D-D-R", "S-S-D-X[2,0,1]", "DC-S-D-C", "D-D-D-C", "S-D-D-X[1,2,0]", "C-C-S-R"];
    for from in names {
        let blocks = build(&cells, &from.parse().unwrap());
        for to in names {
            let other = blocks.to_format(&to.parse().unwrap()).unwrap();
            for c in Cells::full(&shape).rows {
                assert_eq!(other.at(&c), Some(all.get(&c).unwrap_or(&0)), "{from} {to} {c:?}");
            }
            assert_eq!(
                other.pruned(|value| *value != 0).unwrap().to_format(&Format::coo(3)).unwrap().pruned(|value| *value != 0).unwrap(),
                build(&cells, &Format::coo(3))
            );
        }
        let place = |c: &[u64]| blocks.at(c);
        for c in Cells::full(&shape).rows {
            assert_eq!(place(&c), Some(all.get(&c).unwrap_or(&0)));
        }
    }
    // Next to an extent of 0 the product of extents may overflow.
    let none = Cells { shape: vec![3, 0, 1 << 40, 1 << 40], rows: vec![], values: vec![] };
    let none = build(&none, &"S-D-D-D-R".parse().unwrap()).to_format(&Format::coo(4)).unwrap();
    assert_eq!(none.stored(), 0);
    let doubled = build(&cells, &"S-D-D-R".parse().unwrap()).map(|value| value * 2).unwrap();
    assert!(all.iter().all(|(c, value)| doubled.at(c) == Some(&(value * 2))));
}

#[test]
fn attributes() {
    let columns: [Indices; 2] = [vec![0u8, 2, 2].into(), vec![0u8, 0, 2].into()];
    let lower = Builder::new(Format::csr(), 0).build(&[3, 3], &columns, vec![1, 5, 2]).unwrap();
    let said =
        Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(Triangle::Lower), diagonal: Some(2), ..Attributes::default() };
    let symmetric = lower.clone().with_attributes(said.clone()).unwrap();
    let full = symmetric.expand(|value, _| *value).unwrap();
    assert_eq!((full.stored(), full.at(&[0, 2]), full.attributes().triangle), (4, Some(&5), None));
    // The triangle is exchanged with the axes.
    let upper = symmetric.clone().permute(&[1, 0]).unwrap();
    assert_eq!(upper.attributes().triangle, Some(Triangle::Upper));
    assert!(lower.clone().permute(&[1, 0]).unwrap().with_attributes(upper.attributes().clone()).is_ok());
    // An operation that would drop the other triangle fails; one that keeps it does not.
    let one = OperationError::Tensor(SparseError::OneTriangle);
    assert_eq!(symmetric.slice(&[(0..2).into(), AxisSelection::All]).unwrap_err(), one);
    assert_eq!(symmetric.reshape(&[9], &Format::vector()).unwrap_err(), one);
    assert_eq!(symmetric.times_vector(&[1, 1, 1]).unwrap_err(), one);
    assert_eq!(symmetric.add(&lower).unwrap_err(), one);
    assert_eq!(lower.add(&symmetric).unwrap_err(), one);
    assert_eq!(symmetric.add(&symmetric).unwrap().attributes().triangle, Some(Triangle::Lower));
    assert_eq!(symmetric.slice(&[(1..3).into(), (1..3).into()]).unwrap().attributes().symmetry, Some(Symmetry::Symmetric));
    assert_eq!(symmetric.to_format(&Format::csc()).unwrap().attributes(), &said);
    assert_eq!(full.times_vector(&[1, 1, 1]).unwrap(), [6, 0, 7]);
    // Attributes must hold.
    let wrong = |attributes| lower.clone().with_attributes(attributes).unwrap_err().error;
    let upper = Attributes { triangle: Some(Triangle::Upper), ..Attributes::default() };
    assert_eq!(wrong(upper).to_string(), "element 1 at [2, 0] is outside the upper triangle");
    assert_eq!(wrong(Attributes { diagonal: Some(3), ..Attributes::default() }), SparseError::Diagonal { found: 2, said: 3 });
    let mirrored = Attributes { structure_symmetric: true, ..Attributes::default() };
    assert_eq!(wrong(mirrored.clone()), SparseError::Unmatched { at: 1, coordinate: vec![2, 0], mirror: vec![0, 2] });
    assert!(full.clone().with_attributes(mirrored).is_ok());
    let skew = Attributes { symmetry: Some(Symmetry::Skew), ..Attributes::default() };
    let full = full.with_attributes(skew).unwrap();
    assert_eq!(full.map(|x| x * x).unwrap().attributes().symmetry, None);
    let row = Builder::new(Format::csr(), 0).build(&[1, 3], &[vec![0u8].into(), vec![0u8].into()], vec![1]).unwrap();
    assert_eq!(row.with_attributes(said).unwrap_err().error.class(), "levels/shape");
}

/// Coordinates above 32 bits keep all their bits, also on 32-bit machines. They differ only in high bits.
#[test]
fn large_coordinates() {
    let mut rng = Rng(11);
    let extent = (1 << 40) + 3;
    let large = |c: u64| (c % 2) + ((c / 2) << 38);
    for rank in 1..=3 {
        for kinds in structures(rank, false) {
            // A `C` level has an entry for each coordinate.
            let axes = rng.permutation(rank);
            let mut shape = vec![extent; rank];
            kinds.iter().zip(&axes).filter(|(kind, _)| **kind == LevelKind::Pointers).for_each(|(_, axis)| shape[*axis] = 8);
            let of = |rng: &mut Rng| {
                let mut cells = Cells::random(rng, &vec![8; rank], 9, false);
                for (axis, extent) in shape.iter().enumerate().filter(|(_, extent)| **extent > 8) {
                    cells.rows.iter_mut().for_each(|row| row[axis] = large(row[axis]).min(extent - 1));
                }
                cells.shape = shape.clone();
                cells
            };
            let format = format(&kinds, &axes, false);
            let (a, b) = (of(&mut rng), of(&mut rng));
            let (x, y) = (build(&a, &format), build(&b, &format));
            assert_eq!(elements(&x), a.elements(), "{format}");
            let mut sum = a.elements();
            b.elements().into_iter().for_each(|(c, value)| *sum.entry(c).or_default() += value);
            assert_eq!(elements(&x.add(&y).unwrap()), sum, "{format}");
            let product: Elements = a.elements().into_iter().filter_map(|(c, v)| Some((c.clone(), v * b.elements().get(&c)?))).collect();
            assert_eq!(elements(&x.multiply(&y).unwrap()), product, "{format}");
            let (mut walk, mut seen) = (x.pattern().elements(), Vec::new());
            while let Some(entry) = walk.next_entry() {
                seen.push(entry.coordinates.to_vec());
            }
            assert_eq!(seen, a.sorted(&axes).into_iter().map(|(c, _)| c).collect::<Vec<_>>(), "{format}");
            for (row, value) in &a.elements() {
                assert_eq!(x.at(row), Some(value), "{format}");
                let mut other = row.clone();
                if let Some(c) = other.iter_mut().find(|c| **c >= 1 << 38) {
                    *c -= 1 << 38;
                    assert_eq!(x.at(&other), Some(a.elements().get(&other).unwrap_or(&0)), "{format}");
                }
                // One coordinate of an axis, and the range that begins there.
                for (axis, c) in row.iter().enumerate() {
                    let mut slices = vec![AxisSelection::All; rank];
                    slices[axis] = AxisSelection::from(*c..shape[axis]);
                    let from = |(other, value): (Vec<u64>, i64)| {
                        let mut other = other;
                        other[axis] = other[axis].checked_sub(*c)?;
                        Some((other, value))
                    };
                    let expected: Elements = a.elements().into_iter().filter_map(from).collect();
                    assert_eq!(elements(&x.slice(&slices).unwrap()), expected, "{format}");
                    slices[axis] = AxisSelection::Index(*c);
                    let sliced = x.slice(&slices).unwrap();
                    assert_eq!(
                        sliced.stored(),
                        if rank == 1 { 1 } else { a.rows.iter().filter(|row| row[axis] == *c).count() },
                        "{format}"
                    );
                }
            }
            let chained = x.pattern().chain::<layout_levels::End>().unwrap_err();
            let wide = usize::BITS == 32 && shape.contains(&extent);
            assert_eq!(matches!(chained, sparse_formats::SparseError::ChainWord { extent: found, .. } if found == extent), wide);
        }
    }
}
