//! Tests that every check of `from_parts` can fail, names the flaw, and returns the parts.

use crate::common::{Cells, Rng, format, structures};
use sparse_formats::{ArrayName, Arrays, Balance, Builder, Format, Indices, SparseError, SparseTensor, SparsityPattern};

/// Returns the error of parts that are refused, and checks that they come back unchanged.
fn refuse(shape: &[u64], format: &Format, arrays: &Arrays<'static>) -> SparseError {
    let rejected = SparsityPattern::from_parts(shape, format.clone(), arrays.clone()).expect_err("refused");
    assert_eq!((rejected.parts.shape.as_slice(), &rejected.parts.format), (shape, format));
    assert_eq!(&rejected.parts.arrays, arrays);
    rejected.error
}

fn arrays(indices: &[(usize, &[u64])], pointers: &[(usize, &[u64])]) -> Arrays<'static> {
    let arrays = indices.iter().fold(Arrays::new(), |arrays, (level, array)| arrays.with_indices(*level, array.to_vec()));
    pointers.iter().fold(arrays, |arrays, (level, array)| arrays.with_pointers(*level, array.to_vec()))
}

#[test]
fn each_check() {
    let csr = Format::csr();
    let check = |format: &Format, shape: &[u64], given: Arrays<'static>, text: &str, class: &str| {
        let error = refuse(shape, format, &given);
        assert_eq!((error.to_string().as_str(), error.class()), (text, class));
    };
    let good = [(1, &[0, 1, 2][..])];
    check(&csr, &[2], arrays(&good, &[(0, &[0, 2, 3])]), "1 extents are given for a format of 2 axes", "levels/shape");
    check(&csr, &[2, 3], arrays(&good, &[]), "pointers_0 is missing", "levels/missing");
    check(&csr, &[2, 3], arrays(&[], &[(0, &[0, 2, 3])]), "indices_1 is missing", "levels/missing");
    let more = [(0, &[0, 1, 1][..]), (1, &[0, 1, 2][..])];
    check(&csr, &[2, 3], arrays(&more, &[(0, &[0, 2, 3])]), "indices_0 is given, but the format has no such array", "levels/unexpected");
    check(
        &csr,
        &[2, 3],
        arrays(&good, &[(0, &[0, 2, 3]), (4, &[])]),
        "pointers_4 is given, but the format has no such array",
        "levels/unexpected",
    );
    check(&csr, &[2, 3], arrays(&good, &[(0, &[0, 3])]), "pointers_0 has 2 elements instead of 3", "levels/length");
    check(&csr, &[2, 3], arrays(&good, &[(0, &[1, 2, 3])]), "pointers_0[0] is 1 instead of 0", "levels/pointers");
    check(&csr, &[2, 3], arrays(&good, &[(0, &[0, 4, 3])]), "pointers_0[2] is 3, less than the 4 before it", "levels/pointers");
    check(&csr, &[2, 3], arrays(&good, &[(0, &[0, 2, 9])]), "pointers_0 ends with 9, but there are 3 children", "levels/pointers");
    check(&csr, &[2, 2], arrays(&good, &[(0, &[0, 2, 3])]), "indices_1[2] is 2, but the extent is 2", "levels/range");
    check(&csr, &[2, 3], arrays(&[(1, &[1, 0, 2])], &[(0, &[0, 2, 3])]), "indices_1[1] is 0, less than the 1 before it", "levels/unsorted");
    check(&csr, &[2, 3], arrays(&[(1, &[1, 1, 2])], &[(0, &[0, 2, 3])]), "indices_1[1] repeats 1", "levels/duplicate");
    check(
        &csr,
        &[u64::MAX, 3],
        arrays(&[(1, &[])], &[(0, &[0])]),
        "level 0: 1 times 18446744073709551615 entries do not fit memory",
        "levels/overflow",
    );
    let dcsr = [(0, &[0, 2][..]), (1, &[1, 2][..])];
    check(&Format::dcsr(), &[3, 3], arrays(&dcsr, &[(0, &[0, 0, 2])]), "indices_0[0] has no element below it", "levels/pointers");
    check(&Format::dcsr(), &[3, 3], arrays(&dcsr, &[(0, &[0, 2])]), "pointers_0 has 2 elements instead of 3", "levels/length");
    let coo = Format::coo(2);
    check(&coo, &[3, 3], arrays(&[(0, &[0, 1]), (1, &[0])], &[]), "indices_1 has 1 elements instead of 2", "levels/length");
    check(
        &coo,
        &[3, 3],
        arrays(&[(0, &[1, 1]), (1, &[2, 0])], &[]),
        "(indices_0, indices_1)[1] is [1, 0], less than the [1, 2] before it",
        "levels/unsorted",
    );
    check(&coo, &[3, 3], arrays(&[(0, &[1, 1]), (1, &[2, 2])], &[]), "(indices_0, indices_1)[1] repeats [1, 2]", "levels/duplicate");
    // Before a `C` level every entry is repeated.
    let scs: Format = "S-C-S-R".parse().unwrap();
    let with = |first: &[u64], pointers: &[u64]| arrays(&[(0, first), (2, &[0, 1, 0])], &[(1, pointers)]);
    assert!(SparsityPattern::from_parts(&[3, 2, 2], scs.clone(), with(&[0, 0, 2, 2], &[0, 2, 2, 2, 3])).is_ok());
    check(
        &scs,
        &[3, 2, 2],
        with(&[0, 0, 2], &[0, 2, 2, 3]),
        "indices_0: 3 is not a multiple of 2, the extent of the C level after it",
        "levels/length",
    );
    check(
        &scs,
        &[3, 2, 2],
        with(&[0, 1, 2, 2], &[0, 2, 2, 2, 3]),
        "indices_0[1] is 1 instead of 0: before a C level, an entry repeats for each coordinate of that level",
        "levels/repetition",
    );
    check(&scs, &[3, 2, 2], with(&[0, 0, 2, 2], &[0, 2, 3, 3, 3]), "indices_0[2] has no element below it", "levels/pointers");
    check(&scs, &[3, 2, 2], with(&[2, 2, 0, 0], &[0, 2, 2, 2, 3]), "indices_0[2] is 0, less than the 2 before it", "levels/unsorted");
    // An entry needs an element below it, through any number of `C` levels. A coordinate of a `C` level does not.
    let check_empty = |name: &str, first: &[u64], pointers: &[u64], text: &str| {
        let format: Format = name.parse().unwrap();
        check(&format, &[3, 2, 2], arrays(&[(0, first), (2, &[0])], &[(1, pointers)]), text, "levels/pointers");
    };
    check_empty("DC-C-S-R", &[0, 1], &[0, 1, 1, 1, 1], "indices_0[1] has no element below it");
    check_empty("S-C-S-R", &[0, 0, 2, 2], &[0, 0, 0, 1, 1], "indices_0[0] has no element below it");
    let deep: Format = "DC-C-C-S-R".parse().unwrap();
    let below = |pointers: &[u64]| arrays(&[(0, &[0, 2]), (3, &[1, 0])], &[(2, pointers)]);
    assert!(SparsityPattern::from_parts(&[3, 2, 2, 2], deep.clone(), below(&[0, 0, 0, 0, 1, 2, 2, 2, 2])).is_ok());
    check(&deep, &[3, 2, 2, 2], below(&[0, 0, 0, 1, 2, 2, 2, 2, 2]), "indices_0[1] has no element below it", "levels/pointers");
    let rows: Format = "C-DC-S-R".parse().unwrap();
    let below = |nodes: &[u64], leaves: &[u64]| arrays(&[(1, &[0, 1]), (2, leaves)], &[(0, nodes), (1, &[0, 1, leaves.len() as u64])]);
    assert!(SparsityPattern::from_parts(&[3, 2, 2], rows.clone(), below(&[0, 0, 2, 2], &[1, 0])).is_ok());
    check(&rows, &[3, 2, 2], below(&[0, 0, 2, 2], &[1]), "indices_1[1] has no element below it", "levels/pointers");
    // Pointers must not end within a block of the level below.
    let cscs: Format = "C-S-C-S-R".parse().unwrap();
    let cut = arrays(&[(1, &[0, 0]), (3, &[0])], &[(0, &[0, 1, 2]), (2, &[0, 1, 1])]);
    check(&cscs, &[2, 2, 2, 2], cut, "indices_1: 1 is not a multiple of 2, the extent of the C level after it", "levels/length");
}

#[test]
fn flags() {
    let unsorted: Format = "C-S-R+unsorted(1)".parse().unwrap();
    assert!(SparsityPattern::from_parts(&[2, 3], unsorted.clone(), arrays(&[(1, &[2, 0, 1])], &[(0, &[0, 2, 3])])).is_ok());
    let error = refuse(&[2, 3], &unsorted, &arrays(&[(1, &[2, 0, 2])], &[(0, &[0, 3, 3])]));
    assert_eq!(error, SparseError::Duplicate { level: 1, at: 2, found: vec![2] });
    // The tuples are sorted only by their first level.
    let partly: Format = "S-S-R+unsorted(1)".parse().unwrap();
    assert!(SparsityPattern::from_parts(&[2, 3], partly.clone(), arrays(&[(0, &[0, 0, 1]), (1, &[2, 0, 1])], &[])).is_ok());
    let error = refuse(&[2, 3], &partly, &arrays(&[(0, &[0, 1, 0]), (1, &[2, 0, 1])], &[]));
    assert_eq!(error.class(), "levels/unsorted");
    let multigraph: Format = "S-S-R+multigraph".parse().unwrap();
    assert!(SparsityPattern::from_parts(&[2, 3], multigraph, arrays(&[(0, &[0, 0, 1]), (1, &[2, 2, 1])], &[])).is_ok());
    let last: Format = "C-DC-R".parse().unwrap();
    let error = refuse(&[2, 3], &last, &arrays(&[(1, &[2, 2])], &[(0, &[0, 2, 2]), (1, &[0, 1, 2])]));
    assert_eq!(error.class(), "levels/duplicate");
}

#[test]
fn split_nodes() {
    let format = Format::csf(3).with_balanced(Some(Balance { level: 1, most: 2 })).unwrap();
    let parts = |nodes: &[u64], leaves: &[u64], pointers: &[u64]| {
        arrays(&[(0, &[1]), (1, nodes), (2, leaves)], &[(0, &[0, nodes.len() as u64]), (1, pointers)])
    };
    let pattern = SparsityPattern::from_parts(&[2, 4, 9], format.clone(), parts(&[0, 0, 3], &[1, 2, 5, 0], &[0, 2, 3, 4])).unwrap();
    assert_eq!((pattern.find(&[1, 0, 5]), pattern.find(&[1, 0, 3])), (Some(2), None));
    let mut fibers = pattern.fibers(2);
    let first = fibers.next_entry().map(|entry| (entry.coordinates.to_vec(), entry.elements));
    assert_eq!(first, Some((vec![1, 0], 0..3)));
    // Split nodes with the same index are checked for order together.
    let error = refuse(&[2, 4, 9], &format, &parts(&[0, 0, 3], &[1, 5, 5, 0], &[0, 2, 3, 4]));
    assert_eq!(error, SparseError::Duplicate { level: 2, at: 2, found: vec![5] });
    let error = refuse(&[2, 4, 9], &format, &parts(&[0, 3], &[1, 2, 5, 0], &[0, 3, 4]));
    assert_eq!(error, SparseError::Children { level: 1, at: 0, found: 3, most: 2 });
    assert_eq!(refuse(&[2, 4, 9], &format, &parts(&[0, 3, 0], &[1, 5, 5], &[0, 1, 2, 3])).class(), "levels/unsorted");
}

#[test]
fn built_nodes_are_split() {
    let mut rng = Rng(9);
    for level in 0..3 {
        let format = Format::csf(4).with_balanced(Some(Balance { level, most: 2 })).unwrap();
        for _ in 0..20 {
            let cells = Cells::random(&mut rng, &[3, 3, 3, 5], 40, false);
            let tensor = Builder::new(format.clone(), 0).build(&cells.shape, &cells.columns(), cells.values.clone()).unwrap();
            if let Err(rejected) = SparsityPattern::from_parts(&cells.shape, format.clone(), tensor.pattern().arrays().clone()) {
                panic!("{}", rejected.error);
            }
            assert_eq!(tensor.to_format(&Format::coo(4)).unwrap().to_format(&format).unwrap(), tensor);
            for (row, value) in cells.rows.iter().zip(&cells.values) {
                assert_eq!(tensor.at(row), Some(value));
            }
        }
    }
}

#[test]
fn values_come_back() {
    let given = arrays(&[(1, &[0, 1, 2])], &[(0, &[0, 2, 3])]);
    let rejected = SparseTensor::from_parts(&[2, 3], Format::csr(), given.clone(), vec![1.0, 2.0], 0.0).unwrap_err();
    assert_eq!(rejected.error, SparseError::Length { array: ArrayName::Values, found: 2, expected: 3 });
    assert_eq!((rejected.parts.arrays, rejected.parts.values), (given.clone(), vec![1.0, 2.0].into()));
    let rejected = SparseTensor::from_parts(&[2, 2], Format::csr(), given.clone(), vec![1, 2, 3], 0).unwrap_err();
    assert_eq!((rejected.parts.arrays, rejected.parts.values), (given, vec![1, 2, 3].into()));
    // Blocks over dense axes: 2 elements of 4 values each.
    let blocks: Format = "S-D-D-R".parse().unwrap();
    let places = arrays(&[(0, &[1, 5])], &[]);
    assert!(SparseTensor::from_parts(&[6, 2, 2], blocks.clone(), places.clone(), vec![0; 8], 0).is_ok());
    let rejected = SparseTensor::from_parts(&[6, 2, 2], blocks.clone(), places.clone(), vec![0; 9], 0).unwrap_err();
    assert_eq!(rejected.error.to_string(), "values has 9 elements instead of 8");
    let rejected = SparseTensor::from_parts(&[6, u64::MAX, 3], blocks, places, vec![0; 9], 0).unwrap_err();
    assert_eq!(rejected.error.class(), "levels/overflow");
}

/// Changes one number, or the length, of one array.
fn mutate(rng: &mut Rng, arrays: &Arrays<'static>) -> Arrays<'static> {
    let mut out = arrays.clone();
    let slots: Vec<&mut Indices> = out.indices.iter_mut().chain(&mut out.pointers).flatten().collect();
    let pick = rng.below(slots.len() as u64) as usize;
    let slot = slots.into_iter().nth(pick).unwrap();
    let mut numbers: Vec<u64> = slot.iter().collect();
    let at = rng.below(numbers.len().max(1) as u64) as usize;
    match rng.below(5) {
        0 => numbers.push(rng.below(4)),
        1 => drop(numbers.pop()),
        2 if !numbers.is_empty() => numbers[at] = numbers[at].wrapping_sub(1),
        3 if numbers.len() > 1 => numbers.swap(at, (at + 1) % arrays.indices.len().min(2)),
        _ if !numbers.is_empty() => numbers[at] += 1 + rng.below(3),
        _ => numbers.push(u64::MAX),
    }
    *slot = Indices::from(numbers);
    out
}

/// An accepted pattern equals the pattern that the builder makes of its elements.
#[test]
fn mutations_are_refused_or_another_tensor() {
    let mut rng = Rng(5);
    let (mut refused, mut accepted) = (0, 0);
    for rank in 1..=4 {
        for multigraph in [false, true] {
            for kinds in structures(rank, multigraph) {
                let axes = rng.permutation(rank);
                let format = format(&kinds, &axes, multigraph);
                let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(3)).collect();
                let cells = Cells::random(&mut rng, &shape, 6, multigraph);
                let tensor = Builder::new(format.clone(), 0).build(&shape, &cells.columns(), cells.values.clone()).unwrap();
                for _ in 0..12 {
                    let mutated = mutate(&mut rng, tensor.pattern().arrays());
                    match SparsityPattern::from_parts(&shape, format.clone(), mutated.clone()) {
                        Err(rejected) => {
                            assert_eq!(rejected.parts.arrays, mutated);
                            refused += 1;
                        }
                        Ok(pattern) => {
                            let columns: Vec<Indices> = pattern.coordinates().unwrap();
                            let values = vec![0; pattern.stored()];
                            let rebuilt = Builder::new(format.clone(), 0).build(&shape, &columns, values).unwrap();
                            assert_eq!(rebuilt.pattern(), &pattern);
                            accepted += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 1500 && accepted > 100, "{refused} {accepted}");
}

#[test]
fn views_borrow() {
    let (pointers, columns, values) = ([0u16, 2, 2, 3], [1u8, 3, 0], [1.5, 2.5, 3.5]);
    let arrays = Arrays::new().with_pointers(0, &pointers[..]).with_indices(1, &columns[..]);
    let tensor = SparseTensor::from_parts(&[3, 4], Format::csr(), arrays, &values[..], 0.0).unwrap();
    let (Some(Indices::U16(view)), Some(Indices::U8(indices))) = (tensor.pattern().pointers(0), tensor.pattern().indices(1)) else {
        panic!("widths stay")
    };
    assert!(core::ptr::eq(view.as_ptr(), pointers.as_ptr()) && core::ptr::eq(indices.as_ptr(), columns.as_ptr()));
    // A permutation of axes copies nothing.
    let turned = tensor.permute(&[1, 0]).unwrap();
    let Some(Indices::U8(indices)) = turned.pattern().indices(1) else { panic!("widths stay") };
    assert!(core::ptr::eq(indices.as_ptr(), columns.as_ptr()));
    assert_eq!((turned.shape(), turned.at(&[0, 2])), (&[4, 3][..], Some(&3.5)));
    let unchecked = SparseTensor::from_parts_unchecked(
        &[3, 4],
        Format::csr(),
        Arrays::new().with_pointers(0, &pointers[..]).with_indices(1, &columns[..]),
        &values[..],
        0.0,
    );
    assert_eq!(unchecked.unwrap().at(&[0, 3]), Some(&2.5));
}
