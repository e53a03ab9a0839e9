//! Tests of blocks over dense axes: slices, also in multigraphs, and extents whose product overflows where no block
//! exists.

use crate::common::{Cells, Rng, format, structures};
use sparse_formats::{AxisSelection, Builder, Elements, Format, Indices, LevelKind, OperationError, SparseTensor, ValueArrays, Values};

/// Builds random blocks of a format whose last axes are dense. Coordinates repeat only in a multigraph.
fn blocks(rng: &mut Rng, format: &Format, shape: &[u64]) -> SparseTensor<'static, i64> {
    let mut axes = format.axis_order()[..format.levels()].to_vec();
    axes.sort_unstable();
    let extents: Vec<u64> = axes.iter().map(|axis| shape[*axis]).collect();
    let columns = Cells::random(rng, &extents, 7, format.is_multigraph());
    let block: u64 = format.axis_order()[format.levels()..].iter().map(|axis| shape[*axis]).product();
    let values: Vec<i64> = (1..=(columns.rows.len() as u64 * block) as i64).collect();
    Builder::new(format.clone(), 0).build_blocks(shape, &columns.columns(), values).unwrap()
}

/// Returns the elements in storage order, including repeated coordinates.
fn listed(tensor: &SparseTensor<i64>) -> Vec<(Vec<u64>, i64)> {
    let mut out = Vec::new();
    tensor.for_each(|coordinate, value| out.push((coordinate.to_vec(), *value.unwrap())));
    let arrays = tensor.pattern().arrays().clone();
    SparseTensor::from_parts(tensor.shape(), tensor.format().clone(), arrays, tensor.values().clone(), 0)
        .expect("what the format promises");
    out
}

fn random_slice(rng: &mut Rng, extent: u64) -> AxisSelection {
    match rng.below(3) {
        0 => AxisSelection::All,
        1 => AxisSelection::Index(rng.below(extent)),
        _ => {
            let start = rng.below(extent + 1);
            AxisSelection::Range { start, end: start + rng.below(extent - start + 1), step: 1 + rng.below(3) }
        }
    }
}

/// Returns `None` if a slice does not take a coordinate. Otherwise returns the new coordinate, or `Some(None)` if
/// the axis is dropped.
fn place(c: u64, slice: &AxisSelection) -> Option<Option<u64>> {
    match slice {
        AxisSelection::All => Some(Some(c)),
        AxisSelection::Index(index) => (c == *index).then_some(None),
        AxisSelection::Range { start, end, step } => {
            (c >= *start && c < *end && (c - start).is_multiple_of(*step)).then(|| Some((c - start) / step))
        }
    }
}

/// Slices every structure with one or two dense axes, sorted and not, six times. The taken blocks stay in order.
#[test]
fn slices() {
    let mut rng = Rng(1);
    let (mut repeated, mut refused) = (0, 0);
    for (levels, dense, multigraph) in (0..=3).flat_map(|levels| [(levels, 1, false), (levels, 2, true), (levels, 1, true)]) {
        let lists = if levels == 0 { vec![Vec::new()] } else { structures(levels, multigraph) };
        for kinds in lists {
            let rank = levels + dense;
            let flags: Vec<bool> = kinds.iter().map(|kind| *kind != LevelKind::Pointers && rng.below(4) == 0).collect();
            let format = format(&kinds, &rng.permutation(rank), multigraph).with_unsorted(&flags).unwrap();
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(3)).collect();
            let tensor = if levels == 0 {
                let values: Vec<i64> = (1..=shape.iter().product::<u64>() as i64).collect();
                Builder::new(format.clone(), 0).build_blocks(&shape, &[], values).unwrap()
            } else {
                blocks(&mut rng, &format, &shape)
            };
            let all = listed(&tensor);
            repeated += usize::from(all.windows(2).any(|pair| pair[0].0 == pair[1].0) && multigraph);
            for _ in 0..6 {
                let slices: Vec<AxisSelection> = shape.iter().map(|extent| random_slice(&mut rng, *extent)).collect();
                let taken = |(coordinate, value): &(Vec<u64>, i64)| {
                    let places: Option<Vec<Option<u64>>> = coordinate.iter().zip(&slices).map(|(c, slice)| place(*c, slice)).collect();
                    Some((places?.into_iter().flatten().collect(), *value))
                };
                let expected: Vec<(Vec<u64>, i64)> = all.iter().filter_map(taken).collect();
                let dropped = format.axis_order()[..levels].iter().all(|axis| matches!(slices[*axis], AxisSelection::Index(_)));
                let sliced = match tensor.slice(&slices) {
                    Ok(sliced) => sliced,
                    Err(error) => {
                        // There are several blocks, and no level distinguishes them.
                        assert!(dropped && multigraph, "{format} {slices:?} {error}");
                        assert_eq!(error.class(), "levels/duplicate");
                        assert!(expected.is_empty() || expected.windows(2).any(|pair| pair[0].0 >= pair[1].0), "{format} {slices:?}");
                        refused += 1;
                        continue;
                    }
                };
                assert_eq!(sliced.format().dense_axes() > 0, {
                    let dense = &format.axis_order()[levels..];
                    dense.iter().any(|axis| !matches!(slices[*axis], AxisSelection::Index(_)))
                });
                if dropped && expected.is_empty() {
                    // There is one block, and it is not stored.
                    assert!(listed(&sliced).iter().all(|(_, value)| *value == 0), "{format} {slices:?}");
                } else {
                    assert_eq!(listed(&sliced), expected, "{format} {shape:?} {slices:?}");
                }
                // The same blocks stay for any kind of values.
                let of = |values| SparseTensor::new(tensor.shared_pattern(), values, 0).unwrap().slice(&slices).unwrap();
                let (iso, pattern) = (of(Values::Iso(5)), of(Values::PatternOnly));
                assert_eq!((iso.pattern(), pattern.pattern()), (sliced.pattern(), sliced.pattern()));
                let none = dropped && levels > 0 && listed(&sliced).iter().all(|(_, value)| *value == 0);
                if !sliced.values().is_empty() {
                    assert_eq!(iso.values(), &Values::Iso(if none { 0 } else { 5 }), "{format} {slices:?}");
                }
            }
        }
    }
    assert!(repeated > 10 && refused > 10, "{repeated} {refused}");
}

#[test]
fn blocks_of_one_coordinate() {
    let columns: [Indices; 1] = [vec![2u8, 0, 2].into()];
    let format: Format = "S-D-R+multigraph".parse().unwrap();
    let a = Builder::new(format.clone(), 0).build_blocks(&[3, 4], &columns, (1..=12).collect::<Vec<i32>>()).unwrap();
    assert_eq!(a.values(), &vec![5, 6, 7, 8, 1, 2, 3, 4, 9, 10, 11, 12].into());
    let every_other = a.slice(&[(1..3).into(), AxisSelection::Range { start: 1, end: 4, step: 2 }]).unwrap();
    assert_eq!((every_other.format(), every_other.shape()), (&format, &[2, 2][..]));
    assert_eq!(every_other.pattern().indices(0), Some(&vec![1u8, 1].into()));
    assert_eq!(every_other.values(), &vec![2, 4, 10, 12].into());
    let column = a.slice(&[AxisSelection::All, AxisSelection::Index(3)]).unwrap();
    assert_eq!((column.format().to_string().as_str(), column.values()), ("S-R+multigraph", &vec![8, 4, 12].into()));
    assert_eq!(a.slice(&[AxisSelection::Index(0), AxisSelection::All]).unwrap().values(), &vec![5, 6, 7, 8].into());
    assert_eq!(a.slice(&[AxisSelection::Index(1), AxisSelection::All]).unwrap().values(), &vec![0; 4].into());
    let error = a.slice(&[AxisSelection::Index(2), AxisSelection::All]).unwrap_err();
    assert_eq!(error.to_string(), "elements 1 and 2 are both at []");
    // Pruning keeps repeated coordinates.
    let pruned = a.pruned(|value| value % 4 == 0 && *value != 8).unwrap();
    assert_eq!((pruned.pattern().indices(0), pruned.values()), (Some(&vec![2u8, 2].into()), &vec![1, 2, 3, 4, 9, 10, 11, 12].into()));
    // Single elements do not say which block they belong to.
    let columns: [Indices; 2] = [vec![2u8, 2, 2].into(), vec![0u8, 0, 1].into()];
    let error = Builder::new(format, 0).build(&[3, 4], &columns, vec![1, 2, 3]).unwrap_err();
    assert_eq!(
        (error.class(), error.to_string().as_str()),
        ("levels/multigraph", "a multigraph with dense axes is built from whole blocks, not from single elements")
    );
}

/// Tests tensors without blocks, for which nothing is as long as the extents.
#[test]
fn extents_without_blocks() {
    for (name, shape) in [
        ("S-D-R", vec![3, u64::MAX]),
        ("S-D-D-R", vec![3, 1 << 40, 1 << 40]),
        ("C-S-D-D-R", vec![3, u64::MAX, u64::MAX, u64::MAX]),
        ("S-D-C", vec![u64::MAX, 3]),
        ("S-D-R+multigraph", vec![u64::MAX, u64::MAX]),
    ] {
        let format: Format = name.parse().unwrap();
        let columns: Vec<Indices> = (0..format.levels()).map(|_| Indices::narrowest(&[])).collect();
        let build =
            |values: Values<'static, i64>| Builder::new(format.clone(), 0).at_most(100).build_blocks(&shape, &columns, values).unwrap();
        let none = build(Vec::new().into());
        assert_eq!(none.pruned(|value| *value != 0), Ok(none.clone()), "{name}");
        let iso = build(Values::Iso(5));
        assert_eq!(iso.pruned(|value| *value != 0), Ok(iso.clone()), "{name}");
        assert_eq!(iso.pruned(|value| *value == 0).unwrap().stored(), 0);
        assert_eq!(none.to_format(&format).as_ref(), Ok(&none));
        assert_eq!(none.to_format(&Format::coo(shape.len()).with_multigraph(true).unwrap()).unwrap().stored(), 0);
        assert_eq!(none.slice(&vec![AxisSelection::All; shape.len()]).as_ref(), Ok(&none));
        assert_eq!(none.slice(&vec![AxisSelection::from(1..3); shape.len()]).unwrap().stored(), 0);
        if !format.is_multigraph() {
            assert_eq!(none.add(&none).unwrap().stored(), 0);
        }
        let mut arrays = ValueArrays::new(none.shared_pattern());
        arrays.insert("none", Elements::arrays(&[1 << 40], Vec::<i64>::new())).unwrap();
        assert_eq!(arrays.to_format(&format, &0).unwrap().pattern().stored(), 0);
    }
    // Blocks that are not in an array, because one value stands for all.
    let format: Format = "D-R".parse().unwrap();
    let extent = usize::MAX as u64;
    let all = Builder::new(format, 0).build_blocks(&[extent], &[], Values::Iso(5)).unwrap();
    assert_eq!(all.pruned(|value| *value == 5).unwrap().at(&[extent - 1]), Some(&5));
    assert_eq!(all.pruned(|value| *value == 0).unwrap().at(&[extent - 1]), Some(&0));
    assert_eq!(all.slice(&[(7..extent).into()]).unwrap().at(&[extent - 8]), Some(&5));
    let values = SparseTensor::new(all.shared_pattern(), Values::PatternOnly, 0).unwrap();
    assert_eq!(values.pruned(|_| true), Err(OperationError::PatternOnly));
}
