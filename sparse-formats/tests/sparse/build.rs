//! Tests of the arrays of all structures, and of conversions between all of them.

use crate::common::{Cells, Rng, build, defined, format, orders, structures};
use sparse_formats::{Builder, Format, Indices, LevelKind, SparseTensor, SparsityPattern, Values};

/// Checks that arrays equal those of the definition, are accepted, and decode to the same elements.
fn check(cells: &Cells, format: &Format) -> SparseTensor<'static, i64> {
    let tensor = build(cells, format);
    let sorted = cells.sorted(format.axis_order());
    let tuples: Vec<Vec<u64>> = sorted.iter().map(|(tuple, _)| tuple.clone()).collect();
    let extents: Vec<u64> = format.axis_order().iter().map(|axis| cells.shape[*axis]).collect();
    let expected = defined(&extents, format.kinds(), &tuples);
    let arrays = tensor.pattern().arrays();
    let context = || format!("{format} {cells:?}");
    for level in 0..format.levels() {
        assert_eq!(arrays.indices[level].as_ref(), expected.indices.get(level).and_then(Option::as_ref), "indices_{level} {}", context());
        assert_eq!(
            arrays.pointers[level].as_ref(),
            expected.pointers.get(level).and_then(Option::as_ref),
            "pointers_{level} {}",
            context()
        );
    }
    let values: Vec<i64> = sorted.iter().map(|(_, value)| *value).collect();
    assert_eq!(tensor.values(), &Values::from(values), "{}", context());
    if let Err(rejected) = SparsityPattern::from_parts(&cells.shape, format.clone(), arrays.clone()) {
        panic!("{}: {}", rejected.error, context());
    }
    let columns = tensor.pattern().level_columns().unwrap();
    let (mut k, mut walk) = (0, tensor.pattern().elements());
    while let Some(entry) = walk.next_entry() {
        assert_eq!((entry.coordinates, entry.elements), (tuples[k].as_slice(), k..k + 1), "{}", context());
        assert!(columns.iter().zip(&tuples[k]).all(|(column, c)| column.get(k) == Some(*c)), "{}", context());
        k += 1;
    }
    assert_eq!(k, tuples.len(), "{}", context());
    tensor
}

/// Returns shapes of a rank: ordinary ones, and shapes with axes of extent 1 and 0.
fn shapes(rank: usize) -> Vec<Vec<u64>> {
    let mut out = vec![(0..rank as u64).map(|k| 2 + (k * 5 + 1) % 3).collect::<Vec<_>>(), vec![1; rank]];
    for axis in 0..rank {
        for extent in [0, 1] {
            let mut shape = out[0].clone();
            shape[axis] = extent;
            out.push(shape);
        }
    }
    out
}

#[test]
fn arrays_are_those_of_the_definition() {
    let mut rng = Rng(1);
    for rank in 1..=5 {
        for multigraph in [false, true] {
            let forms = structures(rank, multigraph);
            assert_eq!(forms.len(), 3usize.pow(rank as u32 - u32::from(!multigraph)));
            for kinds in &forms {
                for shape in shapes(rank) {
                    let axes = rng.permutation(rank);
                    let format = format(kinds, &axes, multigraph);
                    let count = rng.below(12) as usize;
                    check(&Cells::random(&mut rng, &shape, count, multigraph), &format);
                }
                let order: Vec<usize> = (0..rank).collect();
                check(&Cells::full(&shapes(rank)[0]), &format(kinds, &order, multigraph));
                check(&Cells { shape: shapes(rank)[0].clone(), rows: vec![], values: vec![] }, &format(kinds, &order, multigraph));
            }
        }
    }
}

#[test]
fn every_axis_order() {
    let mut rng = Rng(2);
    for rank in 1..=4 {
        for axes in orders(rank) {
            for multigraph in [false, true] {
                for kinds in structures(rank, multigraph) {
                    let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(4)).collect();
                    check(&Cells::random(&mut rng, &shape, 7, multigraph), &format(&kinds, &axes, multigraph));
                }
            }
        }
    }
}

/// Converts every pair of the formats. Elements with equal coordinates keep their order.
fn pairs(rng: &mut Rng, rank: usize, formats: &[Format], multigraph: bool) {
    let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(4)).collect();
    let cells = Cells::random(rng, &shape, 8, multigraph);
    let all: Vec<_> = formats.iter().map(|format| build(&cells, format)).collect();
    for from in &all {
        for to in &all {
            let converted = from.to_format(to.format()).unwrap();
            assert_eq!(&converted, to, "{} to {}", from.format(), to.format());
        }
    }
}

#[test]
fn every_pair_of_structures() {
    let mut rng = Rng(3);
    for rank in 1..=5 {
        for multigraph in [false, true] {
            let formats: Vec<Format> =
                structures(rank, multigraph).iter().map(|kinds| format(kinds, &rng.permutation(rank), multigraph)).collect();
            pairs(&mut rng, rank, &formats, multigraph);
        }
    }
    for rank in 1..=3 {
        for multigraph in [false, true] {
            let every = structures(rank, multigraph);
            let formats = every.iter().flat_map(|kinds| orders(rank).into_iter().map(move |axes| format(kinds, &axes, multigraph)));
            pairs(&mut rng, rank, &formats.collect::<Vec<_>>(), multigraph);
        }
    }
}

/// Returns formats of a rank: every structure, each with the axis order that `axes` returns.
fn formats(rank: usize, multigraph: bool, mut axes: impl FnMut() -> Vec<usize>) -> Vec<Format> {
    structures(rank, multigraph).iter().map(|kinds| format(kinds, &axes(), multigraph)).collect()
}

/// Converts one tensor between every pair of formats.
fn convert(cells: &Cells, formats: &[Format]) {
    let all: Vec<_> = formats.iter().map(|format| build(cells, format)).collect();
    for from in &all {
        for to in &all {
            assert_eq!(&from.to_format(to.format()).unwrap(), to, "{} to {} {cells:?}", from.format(), to.format());
        }
    }
}

#[test]
fn every_pair_of_empty_full_and_thin_tensors() {
    let mut rng = Rng(7);
    for rank in 1..=4 {
        for multigraph in [false, true] {
            for shape in shapes(rank) {
                let formats = formats(rank, multigraph, || rng.permutation(rank));
                // Take some of the pairs for each shape; over all shapes and seeds every pair occurs.
                let some: Vec<Format> = match rank {
                    4 => formats.iter().filter(|_| rng.below(4) == 0).cloned().collect(),
                    _ => formats,
                };
                convert(&Cells::full(&shape), &some);
                convert(&Cells { shape: shape.clone(), rows: vec![], values: vec![] }, &some);
                convert(&Cells::random(&mut rng, &shape, 5, multigraph), &some);
            }
        }
    }
}

/// Converts from the regular order to every order of four axes. A conversion depends only on the relative order.
#[test]
fn every_order_of_four_axes() {
    let mut rng = Rng(8);
    let regular: Vec<usize> = (0..4).collect();
    for axes in orders(4) {
        for multigraph in [false, true] {
            let cells = Cells::random(&mut rng, &[3, 2, 4, 2], 9, multigraph);
            let from = formats(4, multigraph, || regular.clone());
            let to: Vec<_> = formats(4, multigraph, || axes.clone()).iter().map(|format| build(&cells, format)).collect();
            for (k, from) in from.iter().enumerate() {
                let tensor = build(&cells, from);
                for (j, to) in to.iter().enumerate() {
                    // Each pair of structures meets each relative order of the axes. Multigraphs meet some of them.
                    if !multigraph || (k + j).is_multiple_of(9) {
                        assert_eq!(&tensor.to_format(to.format()).unwrap(), to, "{from} to {}", to.format());
                    }
                }
            }
        }
    }
}

/// Converts every pair of formats whose extents have a product above 2^63. Only the axes of `C` levels are small.
#[test]
fn every_pair_beyond_63_bits() {
    let mut rng = Rng(9);
    for rank in 2..=5 {
        for multigraph in [false, true] {
            // The first two axes are too large for `C` levels, so use only formats that store them in other levels.
            let shape: Vec<u64> = (0..rank).map(|axis| if axis < 2 { (1 << 40) + 17 * axis as u64 } else { 3 }).collect();
            let cells = Cells::random(&mut rng, &shape, 9, multigraph);
            let mut made = Vec::new();
            for kinds in structures(rank, multigraph) {
                let axes = rng.permutation(rank);
                if kinds.iter().zip(&axes).all(|(kind, axis)| *kind != LevelKind::Pointers || *axis >= 2) {
                    made.push(format(&kinds, &axes, multigraph));
                }
            }
            assert!(made.len() >= 2 * rank - 2, "{rank} {}", made.len());
            made.truncate(60);
            convert(&cells, &made);
        }
    }
}

#[test]
fn products_of_extents_beyond_63_bits() {
    let mut rng = Rng(4);
    let shape = [1 << 60, 3, 1 << 52, u64::MAX];
    let cells = Cells::random(&mut rng, &shape, 50, false);
    let mut made = 0;
    for kinds in structures(4, false) {
        let axes = rng.permutation(4);
        let format = format(&kinds, &axes, false);
        let extents: Vec<u64> = axes.iter().map(|axis| shape[*axis]).collect();
        // Only pointers of `C` levels over large axes exceed memory.
        let large = kinds.iter().zip(&extents).any(|(kind, extent)| *kind == LevelKind::Pointers && *extent > 3);
        match Builder::new(format.clone(), 0).build(&shape, &cells.columns(), cells.values.clone()) {
            Ok(tensor) => {
                assert!(!large);
                made += 1;
                let back = tensor.to_format(&Format::coo(4)).unwrap();
                assert_eq!(back, build(&cells, &Format::coo(4)));
                assert_eq!(back.to_format(&format).unwrap(), tensor);
            }
            Err(error) => {
                assert!(large, "{error}");
                assert_eq!(error.class(), "levels/overflow");
            }
        }
    }
    assert!(made >= 8, "{made}");
}

#[test]
fn ranks_up_to_the_greatest() {
    let shape = [2; 100];
    let rows: Vec<Vec<u64>> = (0..20).map(|k| (0..100).map(|axis| (k >> (axis % 5)) & 1).collect()).collect();
    let cells = Cells { shape: shape.to_vec(), values: (0..20).collect(), rows };
    let kinds: Vec<LevelKind> = (0..100).map(|k| if k < 99 { LevelKind::ALL[k % 3] } else { LevelKind::Indices }).collect();
    let format = Format::regular(&kinds).unwrap();
    let tensor = build(&cells, &format);
    assert_eq!(tensor.to_format(&Format::coo(100)).unwrap(), build(&cells, &Format::coo(100)));
    assert!(Format::regular(&vec![LevelKind::Indices; 255]).is_err());
}

#[test]
fn tensors_of_rank_0() {
    let scalar = Builder::new(Format::coo(0), 7).build(&[], &[], vec![5]).unwrap();
    assert_eq!((scalar.stored(), scalar.at(&[])), (1, Some(&5)));
    assert_eq!(Builder::new(Format::coo(0), 7).build(&[], &[], vec![]).unwrap().at(&[]), Some(&7));
    assert!(Builder::new(Format::coo(0), 7).build(&[], &[], vec![1, 2]).is_err());
    let view = SparseTensor::from_parts(&[], Format::coo(0), Default::default(), &[5][..], 7).unwrap();
    assert_eq!(view, scalar);
}

#[test]
fn widths_are_as_narrow_as_can_be_or_given() {
    use sparse_formats::{ArrayName, Width, Widths};
    let columns: [Indices; 2] = [vec![3u64, 0].into(), vec![70_000u64, 0].into()];
    let builder = Builder::new(Format::csr(), 0);
    let tensor = builder.build(&[4, 1 << 20], &columns, vec![1, 2]).unwrap();
    let widths = |tensor: &SparseTensor<i32>| (tensor.pattern().pointers(0).unwrap().width(), tensor.pattern().indices(1).unwrap().width());
    assert_eq!(widths(&tensor), (Width::U8, Width::U32));
    let given =
        builder.clone().widths(Widths::all(Width::U32).with(ArrayName::Indices(1), Width::U64)).build(&[4, 1 << 20], &columns, vec![1, 2]);
    assert_eq!(widths(&given.unwrap()), (Width::U32, Width::U64));
    let error = builder.widths(Widths::all(Width::U16)).build(&[4, 1 << 20], &columns, vec![1, 2]).unwrap_err();
    assert_eq!(error.to_string(), "indices_1: 1048575 does not fit 16 bits");
}

#[test]
fn arrays_at_most_as_long_as_is_said() {
    let columns: [Indices; 2] = [vec![3u64].into(), vec![5u64].into()];
    let build = |name: &str, most| {
        Builder::new(name.parse().unwrap(), 0).at_most(most).build(&[100, 1000], &columns, vec![1]).map(|tensor| tensor.stored())
    };
    assert_eq!(build("C-S-R", 101), Ok(1));
    assert_eq!(build("C-S-R", 100).unwrap_err().to_string(), "level 0: 1 times [100] entries exceed memory or the given limit");
    assert!(build("C-S-C", 101).is_err() && build("DC-S-R", 2).is_ok());
    assert!(build("S-D-R", 1000).is_ok() && build("S-D-R", 999).is_err() && build("D-D-R", 99_999).is_err());
}

/// Lists of many entries report the first coordinate that is out of range, for all widths, even if its low bits are
/// in range.
#[test]
fn large_lists_are_in_range() {
    use sparse_formats::{SparseError, Width, Widths};
    let (len, shape) = (10_000u64, [70_000u64, 60_000]);
    let sorted: [Vec<u64>; 2] = [(0..len).map(|k| 7 * k).collect(), (0..len).map(|k| k * k % shape[1]).collect()];
    let shuffled: [Vec<u64>; 2] = [(0..len).map(|k| k * 7919 % shape[0]).collect(), sorted[1].clone()];
    for (columns, axis, wide) in
        [&sorted, &shuffled].into_iter().flat_map(|columns| [0, 1].map(|axis| [false, true].map(|wide| (columns, axis, wide)))).flatten()
    {
        for (at, found) in [(0, shape[axis]), (len as usize - 1, 65_536 + 5), (5000, u64::from(u32::MAX)), (5000, 1 << 32)] {
            if found < shape[axis] || !wide && found > u64::from(u32::MAX) {
                continue;
            }
            let mut columns = columns.clone();
            columns[axis][at] = found;
            let narrow = |column: &Vec<u64>| column.iter().map(|x| *x as u32).collect::<Vec<_>>();
            let indices = |column: &Vec<u64>| if wide { Indices::from(column.clone()) } else { Indices::from(narrow(column)) };
            let columns = columns.each_ref().map(indices);
            for format in ["C-S-R", "C-S-C", "S-S-R", "S-S-C", "DC-S-R"] {
                for widths in [Widths::default(), Widths::all(Width::U32), Widths::all(Width::U64)] {
                    let builder = Builder::new(format.parse().unwrap(), 0).widths(widths);
                    let error = builder.build(&shape, &columns, vec![1; len as usize]).unwrap_err();
                    assert_eq!(error, SparseError::Coordinate { axis, at, found, extent: shape[axis] }, "{format}");
                }
            }
        }
    }
}
