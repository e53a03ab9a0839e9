//! Tests reductions over every axis: which leaves meet, in which order, with which coordinate, and the results.

use super::nested::Nested::{self, Leaf, List};
use super::nested::{of, random};
use crate::random::Rng;
use ragged_arrays::{Number, RaggedArray, RaggedError};

/// The leaves that meet in one element of the result, with their coordinates on the axis.
type Met = Vec<(i64, usize)>;

/// Folds over `axis` by the definition: lists below the elements of the axis are laid over one another.
fn met(nested: &Nested<i64>, axis: usize) -> Nested<Met> {
    if axis > 0 {
        return List(nested.list().iter().map(|below| met(below, axis - 1)).collect());
    }
    let elements: Vec<(&Nested<i64>, usize)> = nested.list().iter().enumerate().map(|(k, element)| (element, k)).collect();
    over(&elements)
}

fn over(elements: &[(&Nested<i64>, usize)]) -> Nested<Met> {
    // Without elements, their depth is unknown here; the callers know it.
    if elements.iter().any(|(element, _)| matches!(element, Leaf(_))) {
        return Leaf(elements.iter().map(|(element, k)| (element.leaf(), *k)).collect());
    }
    let longest = elements.iter().map(|(element, _)| element.list().len()).max().unwrap_or(0);
    List(
        (0..longest)
            .map(|j| over(&elements.iter().filter_map(|(element, k)| Some((element.list().get(j)?, *k))).collect::<Vec<_>>()))
            .collect(),
    )
}

#[test]
fn every_leaf_meets_those_it_should() {
    let mut rng = Rng::new(11);
    for round in 0..800 {
        let depth = 2 + round % 4;
        let nested = random(depth, &mut rng);
        let array = nested.stored(depth, &mut rng);
        for axis in 0..depth {
            let folded = array.fold(axis, Met::new(), |met, leaf, place| met.push((*leaf, place))).expect("an axis");
            assert_eq!(folded.depth(), depth - 1);
            let naive = if axis + 1 == depth {
                // Empty lists become leaves without any met leaf.
                let lists = nested.lists(axis);
                let mut lists = lists.iter().map(|list| list.list().iter().map(Nested::leaf).zip(0..).collect::<Met>());
                let mut replaced = |_: &Nested<i64>| Leaf(lists.next().expect("a list"));
                fn replace(nested: &Nested<i64>, depth: usize, f: &mut impl FnMut(&Nested<i64>) -> Nested<Met>) -> Nested<Met> {
                    if depth == 1 { f(nested) } else { List(nested.list().iter().map(|below| replace(below, depth - 1, f)).collect()) }
                }
                replace(&nested, depth, &mut replaced)
            } else {
                met(&nested, axis)
            };
            assert_eq!(of(&folded), naive, "axis {axis} of {nested:?}");
            check_numbers(&array, &folded, axis);
        }
        assert!(array.fold(depth, 0, |_, _, _| ()).is_err());
    }
}

/// Checks the named reductions against the leaves that meet.
fn check_numbers(array: &RaggedArray<'_, i64>, folded: &RaggedArray<'_, Met>, axis: usize) {
    fn agree<T: Clone + PartialEq + std::fmt::Debug + 'static>(
        folded: &RaggedArray<'_, Met>,
        result: Result<RaggedArray<'static, T>, RaggedError>,
        f: impl Fn(&Met) -> T,
    ) {
        assert_eq!(result.expect("an axis"), folded.map(f).expect("a structure"));
    }
    let numbers = |met: &Met| met.iter().map(|(x, _)| *x).collect::<Vec<_>>();
    agree(folded, array.sum(axis), |met| numbers(met).iter().sum());
    agree(folded, array.min(axis), |met| numbers(met).into_iter().min());
    agree(folded, array.max(axis), |met| numbers(met).into_iter().max());
    agree(folded, array.argmin(axis), |met| met.iter().min_by_key(|(x, k)| (*x, *k)).map(|(_, k)| *k));
    agree(folded, array.argmax(axis), |met| met.iter().min_by_key(|(x, k)| (-*x, *k)).map(|(_, k)| *k));
    agree(folded, array.any(axis, |x| *x > 15), |met| numbers(met).iter().any(|x| *x > 15));
    agree(folded, array.all(axis, |x| *x < 15), |met| numbers(met).iter().all(|x| *x < 15));
    let small = array.map(|x| x % 3).expect("a structure");
    agree(folded, small.prod(axis), |met| numbers(met).iter().map(|x| x % 3).product());
    let means = array.mean(axis).expect("an axis");
    for (mean, met) in means.leaves().iter().zip(folded.leaves()) {
        let sum: i64 = numbers(met).iter().sum();
        assert_eq!(mean.is_nan(), met.is_empty());
        assert!(met.is_empty() || *mean == sum as f64 / met.len() as f64);
    }
}

#[test]
fn sorted_lists() {
    let mut rng = Rng::new(12);
    for round in 0..300 {
        let depth = 1 + round % 5;
        let nested = random(depth, &mut rng).map(&mut |x| x % 3);
        let array = nested.stored(depth, &mut rng);
        let sorted = nested.at(depth - 1, &mut |list| {
            let mut list = list.to_vec();
            list.sort_by_key(Nested::leaf);
            List(list)
        });
        assert_eq!(of(&array.sort().expect("numbers")), sorted);
        let order = array.argsort().expect("numbers");
        let mut naive = Vec::new();
        for list in nested.lists(depth - 1) {
            let mut order: Vec<usize> = (0..list.list().len()).collect();
            order.sort_by_key(|k| list.list()[*k].leaf());
            naive.extend(order);
        }
        assert_eq!(order.leaves(), naive);
    }
}

#[test]
fn floating_point_and_overflow() {
    let a = RaggedArray::from_lengths(vec![3, 0, 2], vec![2.0, f64::NAN, 1.0, -0.0, 0.0]).expect("lengths");
    assert_eq!(a.min(1).expect("an axis").leaves(), [Some(1.0), None, Some(-0.0)]);
    assert!(a.max(1).expect("an axis").leaves()[0].is_some_and(f64::is_nan));
    assert_eq!(a.argsort().expect("numbers").leaves(), [2, 0, 1, 0, 1]);
    assert_eq!((f64::NAN.order(f64::INFINITY).is_gt(), 0.0.order(-0.0).is_eq()), (true, true));
    let bytes = RaggedArray::from_lengths(vec![2, 1], vec![200_u8, 100, 3]).expect("lengths");
    assert_eq!((bytes.sum(1), bytes.total()), (Err(RaggedError::Overflow), Err(RaggedError::Overflow)));
    assert_eq!(bytes.sum(0).expect("fits").leaves(), [203, 100]);
    assert_eq!(bytes.prod(1).err(), Some(RaggedError::Overflow));
}

/// Checks extremes of lists of all lengths against a scan in order. Indices are those of the first of equal numbers.
fn extremes<T: Number>(numbers: impl Fn(usize) -> T) {
    for begin in 0..40 {
        let lengths: Vec<usize> = (0..70).map(|len| (len * 29 + begin) % 70).chain([300]).collect();
        let leaves: Vec<T> = (0..lengths.iter().sum()).map(|k| numbers(k + begin * 131)).collect();
        let array = RaggedArray::from_lengths(lengths, leaves).expect("lengths");
        let [least, most] = [array.min(1), array.max(1)].map(|found| found.expect("an axis").leaves().to_vec());
        let [first_least, first_most] = [array.argmin(1), array.argmax(1)].map(|found| found.expect("an axis").leaves().to_vec());
        for row in 0..array.len() {
            let list = array.row(row);
            let place = |better: fn(&T, &T) -> bool| (0..list.len()).reduce(|best, k| if better(&list[k], &list[best]) { k } else { best });
            let (low, high) = (place(|x, best| x.order(*best).is_lt()), place(|x, best| x.order(*best).is_gt()));
            assert_eq!((first_least[row], first_most[row]), (low, high), "{list:?}");
            // Zeros of either sign are equal, and NaN equals NaN whatever its bits.
            let equal = |found: Option<T>, at: Option<usize>| found.zip(at).map(|(x, at)| x.order(list[at]).is_eq());
            assert_eq!((equal(least[row], low), equal(most[row], high)), (low.map(|_| true), high.map(|_| true)), "{list:?}");
            assert_eq!((least[row].is_some(), most[row].is_some()), (low.is_some(), high.is_some()));
        }
    }
}

#[test]
fn extremes_of_lists_of_all_lengths() {
    // There are few different numbers, so that many are equal.
    let hash = |k: usize| (k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) % 1000;
    extremes(|k| hash(k) as u8);
    extremes(|k| hash(k) as i64 % 7 - 3);
    extremes(|k| hash(k) as i128 - (1 << 100));
    extremes(|k| [-0.0, 0.0, 1.0, f64::INFINITY, -1.5][hash(k) % 5]);
    extremes(|k| [-0.0, 0.0, f64::NAN, -f64::NAN, f64::NEG_INFINITY][hash(k) % 5]);
    extremes(|k| if hash(k) < 30 { f32::NAN } else { hash(k) as f32 });
    extremes(|_| f32::NAN);
}

#[test]
fn a_long_row_among_many_costs_no_more_than_its_leaves() {
    let rows = 200_000;
    let mut lengths = vec![1; rows];
    lengths[rows / 2] = rows;
    let array = RaggedArray::from_lengths(lengths, vec![1_u32; 2 * rows - 1]).expect("lengths");
    // The number of rows times the longest row would be 40 000 000 000 steps.
    let sums = array.sum(0).expect("an axis");
    assert_eq!((sums.leaves().len(), sums.leaves()[0], sums.leaves()[rows - 1]), (rows, rows as u32, 1));
}

/// Lists around the lengths at which loops and blocks end: each element counts once, at any position.
#[test]
fn folds_of_long_lists() {
    let mut rng = Rng::new(13);
    let near = |n: usize| (n - 3)..(n + 6);
    let mut lengths: Vec<usize> = [32, 64, 256, 1 << 10, 1 << 11, 1 << 12, 1 << 14].into_iter().flat_map(near).collect();
    lengths.extend([0, 1, 100_000, 65_530, 65_542, 7]);
    let leaves: Vec<i64> = (0..lengths.iter().sum()).map(|_| rng.between(-(1 << 39), 1 << 39)).collect();
    let array = RaggedArray::from_lengths(lengths.clone(), leaves).expect("lengths");
    let folded = array.fold(1, Met::new(), |met, leaf, place| met.push((*leaf, place))).expect("an axis");
    for (row, met) in folded.leaves().iter().enumerate() {
        assert_eq!(met.len(), lengths[row]);
        assert!(met.iter().zip(array.row(row)).zip(0..).all(|(((leaf, place), wanted), k)| leaf == wanted && *place == k));
    }
    check_numbers(&array, &folded, 1);
    assert_eq!(array.total(), Ok(folded.leaves().iter().flatten().map(|(x, _)| *x).sum()));
    // One other number among ones shows whether a fold misses it or counts it twice.
    for (row, len) in lengths.iter().enumerate().filter(|(_, len)| **len > 0) {
        for at in [0, len / 2, len - 1, (row * 37) % len] {
            let mut ones = vec![1_i64; *len];
            ones[at] = 3;
            let list = RaggedArray::from_lengths(vec![*len], ones.clone()).expect("lengths");
            assert_eq!(list.prod(1).expect("fits").leaves(), [3], "{at} of {len}");
            assert_eq!(list.sum(1).expect("fits").leaves(), [*len as i64 + 2], "{at} of {len}");
            assert_eq!(
                (list.argmax(1).expect("an axis").leaves(), list.max(1).expect("an axis").leaves()),
                (&[Some(at)][..], &[Some(3)][..])
            );
            assert_eq!(list.any(1, |x| *x == 3).expect("an axis").leaves(), [true], "{at} of {len}");
            assert_eq!(list.all(1, |x| *x == 1).expect("an axis").leaves(), [false], "{at} of {len}");
            ones[at] = -1;
            let list = RaggedArray::from_lengths(vec![*len], ones).expect("lengths");
            assert_eq!(
                (list.argmin(1).expect("an axis").leaves(), list.min(1).expect("an axis").leaves()),
                (&[Some(at)][..], &[Some(-1)][..])
            );
        }
    }
}
