//! Compares operations on lists with the same operations on nested lists: choices by one index for each list, choices that may be
//! missing, padding, orders along any axis, runs, combinations and products.

use super::nested::Nested::{self, Leaf, List};
use super::nested::{of, random};
use crate::random::Rng;
use ragged_arrays::{RaggedArray, RaggedError};

/// Calls `check` with arrays of every depth, stored in every way, their nested lists, and an axis.
fn arrays(seed: u64, mut check: impl FnMut(&Nested<i64>, &RaggedArray<'static, i64>, usize, &mut Rng)) {
    let mut rng = Rng::new(seed);
    for round in 0..400 {
        let depth = 1 + round % 4;
        let nested = random(depth, &mut rng);
        let array = nested.stored(depth, &mut rng);
        let axis = rng.below(depth);
        check(&nested, &array, axis, &mut rng);
    }
}

/// Returns element `index` of a list, from the end if it is negative.
fn at<T: Clone>(list: &[T], index: isize) -> Option<T> {
    let place = if index < 0 { index + list.len() as isize } else { index };
    usize::try_from(place).ok().and_then(|place| list.get(place).cloned())
}

#[test]
fn one_index_for_each_list_and_the_same_indices_for_all() {
    arrays(31, |nested, array, axis, rng| {
        let lists = nested.lists(axis);
        let indices: Vec<isize> = lists.iter().map(|_| rng.between(-2, 2) as isize).collect();
        let picked: Option<Vec<Nested<i64>>> = lists.iter().zip(&indices).map(|(list, index)| at(list.list(), *index)).collect();
        match (array.index_each(axis, &indices), picked) {
            (Ok(found), Some(picked)) if axis > 0 => {
                let mut picked = picked.into_iter();
                assert_eq!(of(&found), nested.at(axis, &mut |_| picked.next().expect("an element for each list")));
            }
            (Ok(found), Some(picked)) if array.depth() > 1 => assert_eq!(of(&found), picked[0]),
            (Ok(found), Some(picked)) => assert_eq!(found.leaves(), [picked[0].leaf()]),
            (found, picked) => assert!(found.is_err() && picked.is_none(), "{found:?} {picked:?}"),
        }
        assert!(array.index_each(axis, &vec![0; lists.len() + 1]).is_err());
        let indices: Vec<isize> = (0..rng.below(3)).map(|_| rng.between(-2, 1) as isize).collect();
        let all = lists.iter().all(|list| indices.iter().all(|index| at(list.list(), *index).is_some()));
        match array.take_along(axis, &indices) {
            Ok(found) => {
                let taken = |list: &[Nested<i64>]| List(indices.iter().map(|index| at(list, *index).expect("an element")).collect());
                assert_eq!(of(&found), nested.at(axis, &mut { taken }));
            }
            Err(error) => assert!(!all && matches!(error, RaggedError::OutOfRange { .. }), "{error}"),
        }
    });
}

/// Returns nested lists as lists of leaves that are present.
fn present(nested: &Nested<i64>) -> Nested<Option<i64>> {
    nested.map(&mut |leaf| Some(*leaf))
}

#[test]
fn indices_and_masks_that_may_be_missing() {
    arrays(32, |nested, array, _, rng| {
        let last = array.depth() - 1;
        let mask = array.map(|_| *rng.pick(&[None, Some(true), Some(false)])).expect("a mask");
        let mut marks = mask.leaves().iter();
        let kept = present(nested).at(last, &mut |list| {
            let marked = list.iter().zip(&mut marks).filter_map(|(leaf, mark)| match mark {
                Some(keep) => keep.then(|| leaf.clone()),
                None => Some(Leaf(None)),
            });
            List(marked.collect())
        });
        assert_eq!(of(&array.filter_some(&mask).expect("one mask for each leaf")), kept);
        let indices = mask.map(|mark| mark.map(|first| if first { 0 } else { -1 })).expect("indices");
        let mut wanted = indices.leaves().iter();
        let gathered = present(nested).at(last, &mut |list| {
            let len = list.len();
            List(wanted.by_ref().take(len).map(|index| index.map_or(Leaf(None), |index| at(list, index).expect("an element"))).collect())
        });
        assert_eq!(of(&array.gather_some(&indices).expect("indices of elements")), gathered);
        let some = array.filter_some(&mask).expect("one mask for each leaf");
        assert_eq!(
            some.is_none().expect("bools").leaves().iter().filter(|missing| **missing).count(),
            some.leaves().iter().filter(|leaf| leaf.is_none()).count()
        );
        let dropped = kept.at(last, &mut |list| List(list.iter().filter(|leaf| leaf.leaf().is_some()).cloned().collect()));
        assert_eq!(of(&some.drop_none().expect("leaves")), dropped.map(&mut |leaf| leaf.unwrap_or(0)));
        if array.depth() > 1 {
            let rows = RaggedArray::from_leaves(vec![None; array.len()]).expect("rows");
            let missing = !array.is_empty();
            assert_eq!(array.filter_some(&rows).err(), missing.then_some(RaggedError::Missing { axis: 0, element: 0 }));
        }
    });
}

#[test]
fn padding() {
    arrays(33, |nested, array, axis, rng| {
        let (target, clip) = (rng.below(5), rng.one_in(2));
        let filler = if axis + 1 == array.depth() { Leaf(None) } else { List(Vec::new()) };
        let padded = present(nested).at(axis, &mut |list| {
            let mut list = list.to_vec();
            list.truncate(if clip { target } else { list.len() });
            list.resize(list.len().max(target), filler.clone());
            List(list)
        });
        assert_eq!(of(&array.pad_to(axis, target, clip).expect("an axis")), padded);
        assert!(array.pad_to(array.depth(), target, clip).is_err());
        assert!(array.pad_to(axis, usize::MAX, false).is_err() || axis > 0 && nested.lists(axis).is_empty());
    });
}

#[test]
fn orders_along_any_axis() {
    arrays(34, |nested, array, axis, rng| {
        let (array, descending) = (array.map(|leaf| leaf % 4).expect("leaves"), rng.one_in(2));
        let coordinates = array.shape().coordinates();
        let order = array.order_along(axis, descending).expect("an axis");
        let sorted = array.sort_along(axis, descending).expect("an axis");
        let places = array.argsort_along(axis, descending).expect("an axis");
        assert_eq!(
            of(&array.shape().fibers(axis).expect("an axis")).list().iter().map(|fiber| fiber.list().len()).sum::<usize>(),
            coordinates.len()
        );
        let other = |leaf: usize| coordinates[leaf].iter().enumerate().filter(|(k, _)| *k != axis).map(|(_, c)| *c).collect::<Vec<usize>>();
        for (leaf, source) in order.leaves().iter().enumerate() {
            assert_eq!(other(leaf), other(*source), "{nested:?}");
            assert_eq!((sorted.leaves()[leaf], places.leaves()[leaf]), (array.leaves()[*source], coordinates[*source][axis]));
            // The next leaf of the same fiber.
            let next = (leaf + 1..coordinates.len()).find(|next| other(*next) == other(leaf));
            if let Some(next) = next {
                let key = |leaf: usize| (if descending { -sorted.leaves()[leaf] } else { sorted.leaves()[leaf] }, places.leaves()[leaf]);
                assert!(key(leaf) < key(next), "{nested:?} axis {axis}");
            }
        }
    });
}

#[test]
fn runs_and_distinct_leaves() {
    arrays(35, |nested, array, _, _| {
        let (nested, array) = (nested.map(&mut |leaf| leaf % 2), array.map(|leaf| leaf % 2).expect("leaves"));
        let last = array.depth() - 1;
        let (firsts, lengths) = array.run_lengths().expect("runs");
        let leaves = |list: &[Nested<i64>]| list.iter().map(Nested::leaf).collect::<Vec<i64>>();
        let runs = nested.at(last, &mut |list| List(leaves(list).chunk_by(|a, b| a == b).map(|run| Leaf(run[0])).collect()));
        let naive = nested.at(last, &mut |list| List(leaves(list).chunk_by(|a, b| a == b).map(|run| Leaf(run.len() as i64)).collect()));
        assert_eq!((of(&firsts), of(&lengths.map(|len| *len as i64).expect("lengths"))), (runs, naive));
        let distinct = nested.at(last, &mut |list| {
            let mut leaves = leaves(list);
            leaves.sort_unstable();
            leaves.dedup();
            List(leaves.into_iter().map(Leaf).collect())
        });
        assert_eq!(of(&array.unique().expect("leaves")), distinct);
    });
    let nan = RaggedArray::from_lengths(vec![3], vec![f64::NAN, 1.0, f64::NAN]).expect("lengths");
    assert_eq!(nan.unique().expect("leaves").leaves().len(), 2);
}

/// Returns the combinations of `n` indices below `len`, in order.
fn naive_combinations(len: usize, n: usize, replacement: bool, from: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let rest = |first: usize| naive_combinations(len, n - 1, replacement, if replacement { first } else { first + 1 });
    (from..len).flat_map(|first| rest(first).into_iter().map(move |rest| [vec![first], rest].concat())).collect()
}

#[test]
fn combinations_and_products() {
    arrays(36, |nested, array, axis, rng| {
        let (n, replacement) = (rng.below(4), rng.one_in(2));
        let naive = nested.at(axis, &mut |list| {
            let of_indices = |indices: &Vec<usize>| List(indices.iter().map(|index| list[*index].clone()).collect());
            List(naive_combinations(list.len(), n, replacement, 0).iter().map(of_indices).collect())
        });
        assert_eq!(of(&array.combinations(axis, n, replacement).expect("few")), naive);
        assert!(array.combinations(array.depth(), n, replacement).is_err());
        let other = array.reverse(axis).expect("an axis");
        let product = RaggedArray::cartesian(&[array, &other, array], axis).expect("the same lists above");
        for (k, found) in product.iter().enumerate() {
            let tuples = nested.at(axis, &mut |list| {
                let len = list.len();
                let tuple = |tuple: usize| match k {
                    0 => list[tuple / (len * len)].clone(),
                    1 => list[len - 1 - tuple / len % len].clone(),
                    _ => list[tuple % len].clone(),
                };
                List((0..len * len * len).map(tuple).collect())
            });
            assert_eq!(of(found), tuples);
        }
    });
}

#[test]
fn results_that_are_too_large_are_refused() {
    let long = RaggedArray::from_lengths(vec![200, 3], vec![0_u8; 203]).expect("lengths");
    assert_eq!(long.combinations(1, 100, false).err(), Some(RaggedError::Overflow));
    assert_eq!(long.combinations(1, usize::MAX, true).err(), Some(RaggedError::Overflow));
    assert_eq!(long.combinations(1, usize::MAX, false).expect("none").shape().count(1), 0);
    let operands = vec![&long; 60];
    assert_eq!(RaggedArray::cartesian(&operands, 1).err(), Some(RaggedError::Overflow));
    let empty = RaggedArray::from_lengths(vec![0, 0], Vec::<u8>::new()).expect("lengths");
    assert_eq!(RaggedArray::cartesian(&[&long, &empty], 1).expect("no tuples")[0].leaves(), [0_u8; 0]);
    assert_eq!(RaggedArray::<u8>::cartesian(&[], 0).err(), Some(RaggedError::NoLevels));
}
