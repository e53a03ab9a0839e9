//! Tests that an array is the same however it is stored: encodings of rows, views, borrowed offsets of every width.

use super::nested::{of, random};
use crate::random::Rng;
use ragged_arrays::{DynLevel, RaggedArray, RaggedError};

#[test]
fn views_in_any_order_are_packed() {
    let mut rng = Rng::new(21);
    for _ in 0..300 {
        let leaves: Vec<i64> = (0..rng.below(12)).map(|k| k as i64).collect();
        let rows: Vec<(usize, usize)> = (0..rng.below(6))
            .map(|_| {
                let start = rng.below(leaves.len() + 1);
                (start, rng.below(leaves.len() - start + 1))
            })
            .collect();
        let (starts, sizes): (Vec<u64>, Vec<u64>) = rows.iter().map(|(start, size)| (*start as u64, *size as u64)).unzip();
        let array = RaggedArray::from_views(starts, sizes, leaves.clone()).expect("inside");
        let naive: Vec<Vec<i64>> = rows.iter().map(|(start, size)| leaves[*start..start + size].to_vec()).collect();
        let packed = array.pack().expect("packs");
        assert_eq!(packed, RaggedArray::from_nested::<2, _>(naive.clone()).expect("vectors"));
        assert_eq!(array, packed);
        assert_eq!(array.sources().expect("sources").iter().map(|k| leaves[*k]).collect::<Vec<_>>(), packed.leaves());
        let sums: Vec<i64> = naive.iter().map(|row| row.iter().sum()).collect();
        assert_eq!(array.sum(1).expect("an axis").leaves(), sums);
        for (i, row) in naive.iter().enumerate() {
            assert_eq!(array.row(i), row);
            row.iter().enumerate().for_each(|(j, x)| assert_eq!(array.get(&[i, j]), Ok(x)));
            assert!(array.get(&[i, row.len()]).is_err());
        }
        let taken = |k: usize| rows.iter().filter(|(start, size)| (*start..start + size).contains(&k)).count();
        assert_eq!(array.shape().is_disjoint(), (0..leaves.len()).all(|k| taken(k) < 2));
        assert_eq!(array.shape().is_contiguous(), rows.windows(2).all(|pair| pair[0].0 + pair[0].1 == pair[1].0));
        // Writing to shared leaves is an error.
        assert!(array.clone().visit_mut(|_, _| ()).is_err());
    }
}

#[test]
fn encodings_of_rows_agree() {
    let mut rng = Rng::new(22);
    for _ in 0..200 {
        let lengths: Vec<usize> = (0..rng.below(8)).map(|_| if rng.one_in(2) { 0 } else { rng.below(5) }).collect();
        let ids: Vec<usize> = lengths.iter().enumerate().flat_map(|(row, len)| vec![row; *len]).collect();
        let leaves: Vec<usize> = (0..ids.len()).collect();
        let offsets: Vec<u64> = std::iter::once(0)
            .chain(lengths.iter().scan(0, |end, len| {
                *end += *len as u64;
                Some(*end)
            }))
            .collect();
        let array = RaggedArray::from_lengths(lengths.clone(), leaves.clone()).expect("lengths");
        assert_eq!(array, RaggedArray::from_offsets(vec![&offsets[..]], &leaves[..]).expect("offsets"));
        assert_eq!(array, RaggedArray::from_row_ids(lengths.len(), &ids, leaves.clone()).expect("ids"));
        // In another order, rows are the same, and leaves of one row keep their order.
        let mut order = leaves.clone();
        for k in (1..order.len()).rev() {
            order.swap(k, rng.below(k + 1));
        }
        let mixed: Vec<usize> = order.iter().map(|leaf| ids[*leaf]).collect();
        let unsorted = RaggedArray::from_unsorted_row_ids(lengths.len(), &mixed, &order).expect("ids");
        assert_eq!(unsorted.shape().offsets(), array.shape().offsets());
        for row in 0..lengths.len() {
            let naive: Vec<usize> = order.iter().copied().filter(|leaf| ids[*leaf] == row).collect();
            assert_eq!(unsorted.row(row), naive);
        }
        if let Some(at) = mixed.windows(2).position(|pair| pair[1] < pair[0]) {
            let error = RaggedError::UnsortedRows { index: at + 1, row: mixed[at + 1], before: mixed[at] };
            assert_eq!(RaggedArray::from_row_ids(lengths.len(), &mixed, leaves).err(), Some(error));
        }
    }
}

#[test]
fn borrowed_is_owned_is_viewed() {
    let mut rng = Rng::new(23);
    for round in 0..200 {
        let depth = 1 + round % 5;
        let array = random(depth, &mut rng).stored(depth, &mut rng);
        assert_eq!(array.view(), array);
        assert_eq!(array.view().into_owned(), array);
        assert_eq!(of(&array.view().pack().expect("packs")), of(&array));
    }
}

#[test]
fn vectors_of_vectors() {
    let deep = vec![vec![vec![vec![1_u8], vec![]], vec![]], vec![], vec![vec![vec![2, 3]]]];
    let array = RaggedArray::from_nested::<4, _>(deep).expect("vectors");
    assert_eq!(array.shape().offsets(), [vec![0, 2, 2, 3], vec![0, 2, 2, 3], vec![0, 1, 1, 3]]);
    // At another depth, the leaves are vectors themselves.
    let array = RaggedArray::from_nested::<1, _>(vec![vec![1], vec![]]).expect("vectors");
    assert_eq!((array.depth(), array.leaves()), (1, &[vec![1], vec![]][..]));
}

#[test]
fn sizes_that_memory_cannot_hold_are_refused() {
    let fixed = DynLevel::fixed;
    let array = |outer, levels| RaggedArray::<u8>::new(outer, levels, vec![]);
    assert!(array(usize::MAX, vec![fixed(0)]).is_err());
    assert!(array(1 << 40, vec![fixed(1 << 40), fixed(0)]).is_err());
    assert!(array(3, vec![fixed(0), fixed(usize::MAX)]).is_ok());
    assert!(RaggedArray::<u8>::from_regular(&[1 << 40, 1 << 40, 0], vec![]).is_err());
    assert!(RaggedArray::<u8>::from_padded(&[1 << 40, 1 << 40, 0], &[], |_| false).is_err());
    assert!(RaggedArray::from_row_ids(usize::MAX, &[], Vec::<u8>::new()).is_err());
    assert!(RaggedArray::from_lengths(vec![usize::MAX, 2], vec![1]).is_err());
}

#[test]
fn nothing_is_an_array() {
    for depth in 1..5 {
        let offsets = vec![vec![0_u32]; depth - 1];
        let array = match depth {
            1 => RaggedArray::from_leaves(Vec::<i32>::new()),
            _ => RaggedArray::from_offsets(offsets, Vec::<i32>::new()),
        }
        .expect("an array");
        assert_eq!((array.depth(), array.len(), array.leaves().len()), (depth, 0, 0));
        for axis in 0..depth {
            assert_eq!(array.sum(axis).map(|sums| sums.leaves().len()), Ok(usize::from(depth == 1)));
            assert_eq!(array.reverse(axis).as_ref(), Ok(&array));
        }
        assert_eq!(array.to_padded(&0), Ok((vec![0; depth], vec![])));
    }
}

#[test]
fn lengths_and_row_numbers_of_every_axis() {
    let mut rng = Rng::new(24);
    for round in 0..300 {
        let depth = 2 + round % 4;
        let nested = random(depth, &mut rng);
        let array = nested.packed(depth);
        let (shape, leaves) = (array.shape(), array.leaves());
        let lengths: Vec<Vec<usize>> = (1..depth).map(|axis| nested.lists(axis).iter().map(|list| list.list().len()).collect()).collect();
        assert_eq!(RaggedArray::from_nested_lengths(&lengths, leaves).expect("lengths"), array);
        let parents: Vec<Vec<usize>> = (0..depth - 1).map(|q| shape.parents(q)).collect();
        // Row numbers determine all lists except empty ones at the end of an axis.
        let ids = RaggedArray::from_nested_row_ids(array.len(), &parents, leaves).expect("row numbers");
        assert_eq!(ids.shape().offsets(), shape.offsets());
        for (q, offsets) in shape.offsets().iter().enumerate() {
            assert_eq!(shape.longest(q), lengths[q].iter().copied().max().unwrap_or(0));
            assert!(shape.packed_offsets::<i32>(q).expect("small").iter().map(|x| *x as usize).eq(offsets.iter().copied()));
            assert!(shape.packed_offsets::<u64>(q).expect("small").iter().map(|x| *x as usize).eq(offsets.iter().copied()));
        }
    }
}

#[test]
fn lengths_and_row_numbers_that_do_not_fit() {
    let nested_ids = |ids: &[Vec<usize>], leaves: usize| {
        RaggedArray::from_nested_row_ids(2, ids, vec![0; leaves])
            .map(drop)
            .map_err(|error| (error.level(), error.index(), error.to_string()))
    };
    assert_eq!(nested_ids(&[vec![0, 2]], 2), Err((Some(0), Some(1), "level 0: parents[1] = 2 is greater than 1".into())));
    assert_eq!(
        nested_ids(&[vec![0, 1], vec![1, 0]], 2),
        Err((Some(1), Some(1), "level 1: parents[1] = 0 is smaller than the 1 before it".into()))
    );
    assert_eq!(nested_ids(&[vec![], vec![0]], 1), Err((Some(1), Some(0), "level 1: parents[0] = 0 is greater than 0".into())));
    assert!(nested_ids(&[vec![0, 1], vec![1, 1]], 3).is_err());
    assert_eq!(nested_ids(&[vec![0, 1], vec![1, 1]], 2), Ok(()));
    assert_eq!(RaggedArray::from_nested_lengths(&Vec::<Vec<usize>>::new(), vec![1]).err(), Some(RaggedError::NoLevels));
    assert_eq!(RaggedArray::from_nested_lengths(&[[1, 1]], vec![1]).err(), Some(RaggedError::Lengths { sum: 2, expected: 1 }));
    assert_eq!(RaggedArray::new(2, vec![], vec![1]).err(), Some(RaggedError::Lengths { sum: 2, expected: 1 }));
    assert!(RaggedArray::from_lengths(vec![1], vec![1]).expect("a row").to_nested::<1, Vec<i32>>().is_err());
}

#[test]
fn packed_batches_are_checked() {
    let batch = |offsets: Vec<i32>, inner: &[usize], len: usize| {
        RaggedArray::from_cu_seqlens(offsets, inner, vec![0; len]).map(|array| array.shape().offsets()).map_err(|error| error.to_string())
    };
    assert_eq!(batch(vec![0, 1, 3], &[], 3), Ok(vec![vec![0, 1, 3]]));
    assert_eq!(batch(vec![0, 1, 3], &[2, 2], 12).map(|offsets| offsets.len()), Ok(3));
    for (offsets, inner, len, message) in [
        (vec![1, 3], &[][..], 3, "level 0: offsets[0] = 1 must be 0"),
        (vec![0, 2], &[], 3, "level 0: offsets[1] = 2 must be 3"),
        (vec![0, 4], &[], 3, "level 0: offsets[1] = 4 must be 3"),
        (vec![0, 2, 1, 3], &[], 3, "level 0: offsets[2] = 1 is smaller than the 2 before it"),
        (vec![0, -2, 3], &[], 3, "level 0: offsets[1] = -2 is negative or exceeds the addresses of this machine"),
        (vec![], &[], 0, "level 0: offsets is empty; without parents it is [0]"),
        (vec![0, 1], &[2], 3, "3 elements are not a multiple of 2, the size of a row"),
        (vec![0, 1], &[0], 0, "the number of rows of size 0 is unknown: give it"),
    ] {
        assert_eq!(batch(offsets, inner, len), Err(message.into()));
    }
    let jagged = |offsets: &[i32], lengths: &[i32]| {
        RaggedArray::from_jagged(offsets, Some(lengths), &[2], vec![0; 6]).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(jagged(&[0, 2, 3], &[1, 1]), Ok(()));
    assert_eq!(jagged(&[0, 2, 3], &[1, 2]), Err("level 0: sizes[1] = 2 is greater than 1".into()));
    assert_eq!(jagged(&[0, 2, 3], &[1]), Err("level 0: sizes has 1 numbers, but 2 are needed".into()));
    assert_eq!(jagged(&[], &[]), Err("level 0: offsets is empty; without parents it is [0]".into()));
    let wide = RaggedArray::new(1, vec![DynLevel::offsets(vec![0_i64, 1 << 31]).expect("offsets"), DynLevel::fixed(0)], Vec::<u8>::new());
    let wide = wide.expect("an array");
    let narrow = RaggedError::Narrow { level: 0, index: 1, offset: 1 << 31, word: "i32" };
    assert_eq!(wide.shape().packed_offsets::<i32>(0), Err(narrow));
    assert!(wide.shape().packed_offsets::<i32>(1 << 63).is_err());
}
