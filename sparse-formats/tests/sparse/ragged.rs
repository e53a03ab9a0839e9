//! Tests of ragged arrays as sparse tensors and back: element by element, without copies, and with errors.

#[path = "../../../ragged-arrays/tests/ragged/nested.rs"]
mod nested;

use crate::common::Rng;
use nested::{Nested, of, random};
use ragged_arrays::{DynLevel, RaggedArray};
use sparse_formats::{
    Arrays, Attributes, Builder, Format, Indices, InterchangeError, SparseError, SparseTensor, Symmetry, Triangle, Values,
};

/// Tests whether a list has a leaf. On axes after the first, tensors lose lists without leaves, and lists after
/// them show a hole.
fn has_leaves(nested: &Nested<i64>) -> bool {
    match nested {
        Nested::Leaf(_) => true,
        Nested::List(list) => list.iter().any(has_leaves),
    }
}

/// Tests whether only outer rows have no leaves.
fn only_rows_are_empty(nested: &Nested<i64>) -> bool {
    nested.list().iter().all(|row| match row {
        Nested::Leaf(_) => true,
        Nested::List(list) => list.iter().all(all_have_leaves),
    })
}

fn all_have_leaves(nested: &Nested<i64>) -> bool {
    match nested {
        Nested::Leaf(_) => true,
        Nested::List(list) => has_leaves(nested) && list.iter().all(all_have_leaves),
    }
}

#[test]
fn leaves_are_the_elements() {
    let mut rng = Rng::new(51);
    let mut back = 0;
    for round in 0..600 {
        let depth = 1 + round % 4;
        let nested = random(depth, &mut rng);
        let array = nested.stored(depth, &mut rng);
        let tensor = SparseTensor::from_ragged(array.view(), -1).expect("a tensor");
        let extents: Vec<u64> = array.bounding_shape().expect("a shape").iter().map(|n| *n as u64).collect();
        let regular = array.shape().levels().iter().any(|level| level.fixed_size().is_some());
        // Lists of one size keep their size even if there is no list.
        assert!(tensor.shape() == extents || regular, "{:?} {extents:?}", tensor.shape());
        let mut seen = Vec::new();
        tensor.for_each(|coordinate, value| {
            seen.push((coordinate.iter().map(|c| *c as usize).collect::<Vec<_>>(), *value.expect("a value")))
        });
        let mut naive = Vec::new();
        array.visit(|coordinates, leaf| naive.push((coordinates.to_vec(), *leaf))).expect("visits");
        assert_eq!(seen, naive);
        match tensor.view().into_ragged() {
            Ok(same) if only_rows_are_empty(&nested) => {
                assert_eq!(of(&same), nested);
                back += 1;
            }
            // Trailing lists without leaves are lost.
            Ok(other) => assert_eq!(other.leaves(), array.pack().expect("packs").leaves()),
            Err(error) => {
                assert!(matches!(error, InterchangeError::Gap { .. }), "{error}");
                assert!(!only_rows_are_empty(&nested), "{error}");
            }
        }
    }
    assert!(back > 200, "{back} arrays came back");
}

#[test]
fn nothing_is_moved() {
    let (offsets, leaves) = ([0_u32, 2, 2, 5], [1, 2, 3, 4, 5]);
    let array = RaggedArray::from_offsets(vec![&offsets[..]], &leaves[..]).expect("offsets");
    let tensor = SparseTensor::from_ragged(array, 0).expect("a tensor");
    let Some(Indices::U32(pointers)) = tensor.pattern().pointers(0) else { panic!("pointers of 32 bits") };
    assert_eq!(pointers.as_ptr(), offsets.as_ptr());
    let Values::Each(values) = tensor.values() else { panic!("values") };
    assert_eq!(values.as_ptr(), leaves.as_ptr());
    // And back.
    let same = tensor.view().into_ragged().expect("no gaps");
    assert_eq!(same.shape().packed_offsets::<u32>(0).expect("offsets").as_ptr(), offsets.as_ptr());
    assert_eq!(same.leaves().as_ptr(), leaves.as_ptr());
    // Rows of pairs of column and value.
    let (columns, values) = tensor.view().into_lists::<u32>().expect("coordinates");
    let Some(Indices::U32(indices)) = tensor.pattern().indices(1) else { panic!("indices of 32 bits") };
    assert_eq!((columns.leaves().as_ptr(), values.leaves().as_ptr()), (indices.as_ptr(), leaves.as_ptr()));
    for lists in [columns.shape(), values.shape()] {
        assert_eq!(lists.packed_offsets::<u32>(0).expect("offsets").as_ptr(), offsets.as_ptr());
    }
    // Owned arrays are moved, with 64 bits or signed numbers.
    fn owned<I: ragged_arrays::OffsetIndex>(offsets: Vec<I>) -> bool {
        let at = offsets.as_ptr() as usize;
        let level = DynLevel::offsets(offsets).expect("offsets");
        let tensor = SparseTensor::from_ragged(RaggedArray::new(2, vec![level], vec![1, 2]).expect("an array"), 0).expect("a tensor");
        let pointers = match tensor.pattern().pointers(0) {
            Some(Indices::U32(pointers)) => pointers.as_ptr() as usize,
            Some(Indices::U64(pointers)) => pointers.as_ptr() as usize,
            _ => 0,
        };
        pointers == at
    }
    assert!(owned(vec![0_u64, 1, 2]) && owned(vec![0_i64, 1, 2]) && owned(vec![0_i32, 1, 2]) && owned(vec![0_u32, 1, 2]));
}

#[test]
fn levels_have_their_kinds() {
    let fixed = DynLevel::fixed;
    let ragged = |offsets: Vec<u32>| DynLevel::offsets(offsets).expect("offsets");
    let name = |outer, levels, leaves: usize| {
        let array = RaggedArray::new(outer, levels, vec![7; leaves]).expect("an array");
        let tensor = SparseTensor::from_ragged(array.view(), 0).expect("a tensor");
        assert_eq!(tensor.view().into_ragged().expect("no gaps"), array);
        (tensor.format().to_string(), tensor.format().dense_axes())
    };
    assert_eq!(name(2, vec![ragged(vec![0, 1, 3])], 3), ("C-S-R".into(), 0));
    assert_eq!(name(2, vec![ragged(vec![0, 1, 3]), fixed(2)], 6).1, 1);
    assert_eq!(name(1, vec![fixed(2), ragged(vec![0, 1, 3])], 3), ("C-C-S-R".into(), 0));
    assert_eq!(name(1, vec![ragged(vec![0, 2]), ragged(vec![0, 1, 3])], 3), ("C-DC-S-R".into(), 0));
    assert_eq!(name(1, vec![ragged(vec![0, 1]), fixed(2), ragged(vec![0, 1, 3])], 3), ("C-DC-C-S-R".into(), 0));
    assert_eq!(name(2, vec![fixed(3)], 6).1, 2);
    assert_eq!(name(2, vec![], 2).1, 1);
}

#[test]
fn extents_may_be_given() {
    let array = RaggedArray::from_lengths(vec![2, 1], vec![1, 2, 3]).expect("lengths");
    let tensor = SparseTensor::from_ragged_within(array.view(), &[2, 9], 0).expect("a tensor");
    assert_eq!((tensor.at(&[1, 8]), tensor.at(&[1, 0])), (Some(&0), Some(&3)));
    for extents in [&[2, 1][..], &[3, 2], &[1, 2], &[2], &[2, 2, 1]] {
        assert!(matches!(SparseTensor::from_ragged_within(array.view(), extents, 0), Err(InterchangeError::Tensor(_))), "{extents:?}");
    }
}

#[test]
fn any_format_is_converted() {
    let mut rng = Rng::new(52);
    for round in 0..120 {
        let depth = 2 + round % 3;
        let nested = random(depth, &mut rng);
        if !only_rows_are_empty(&nested) || !has_leaves(&nested) {
            continue;
        }
        let tensor = SparseTensor::from_ragged(nested.packed(depth), 0).expect("a tensor");
        let mut formats = vec![Format::coo(depth), Format::csf(depth)];
        if depth == 2 {
            formats.extend([Format::csc(), Format::dcsc()]);
        }
        for format in formats {
            let other = tensor.to_format(&format).expect("a format of this rank");
            assert_eq!(of(&other.into_ragged().expect("no gaps")), nested, "{format}");
        }
    }
}

#[test]
fn gaps_are_named() {
    let csr = |pointers: Vec<u8>, columns: Vec<u16>| {
        let (rows, len) = (pointers.len() as u64 - 1, columns.len());
        let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, columns);
        SparseTensor::from_parts(&[rows, 300], Format::csr(), arrays, vec![1; len], 0).expect("CSR")
    };
    let message = |tensor: SparseTensor<'static, i32>| tensor.into_ragged().map(drop).unwrap_err().to_string();
    assert_eq!(message(csr(vec![0, 1, 2], vec![0, 2])), "axis 1: list 1 stores element 2 but not element 0 before it");
    assert_eq!(message(csr(vec![0, 0, 3], vec![0, 1, 299])), "axis 1: list 1 stores element 299 but not element 2 before it");
    assert_eq!(csr(vec![0, 0, 3], vec![0, 1, 2]).into_ragged().expect("no gap").shape().offsets(), [[0, 0, 3]]);
    // Columns convert to any type that holds them.
    let lists = csr(vec![0, 0, 3], vec![0, 1, 299]).into_lists::<i64>().expect("coordinates");
    assert_eq!(lists.0.row(1), [0, 1, 299]);
    let columns: [Indices; 2] = [vec![0_u32].into(), vec![1_u64 << 40].into()];
    let wide = Builder::new(Format::csr(), 0).build(&[1, 1 << 41], &columns, vec![1]).expect("a tensor");
    let error = wide.into_lists::<i32>().map(drop).unwrap_err();
    assert_eq!(error.to_string(), "the coordinate 1099511627776 does not fit the type of the coordinates");
}

#[test]
fn what_is_not_stored_is_no_leaf() {
    let arrays = || Arrays::new().with_pointers(0, vec![0_u32, 1, 2]).with_indices(1, vec![0_u32, 0]);
    let tensor = |values| SparseTensor::from_parts(&[2, 2], Format::csr(), arrays(), values, 0).expect("CSR");
    assert_eq!(tensor(Values::Iso(3)).into_ragged().expect("values").leaves(), [3, 3]);
    assert!(matches!(tensor(Values::PatternOnly).into_ragged(), Err(InterchangeError::NoValues)));
    let attributes = Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(Triangle::Lower), ..Attributes::default() };
    let half = tensor(Values::Iso(1)).with_attributes(attributes).expect("lower");
    assert!(matches!(half.into_ragged(), Err(InterchangeError::Tensor(SparseError::OneTriangle))));
    let dense = SparseTensor::from_ragged(RaggedArray::from_regular(&[2, 2], vec![1, 2, 3, 4]).expect("regular"), 0).expect("a tensor");
    assert!(matches!(dense.into_lists::<u32>(), Err(InterchangeError::NoCoordinates)));
}
