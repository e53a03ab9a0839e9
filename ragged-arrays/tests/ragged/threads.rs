//! Tests that operations on ragged arrays return the same bits on any number of threads, and that they match their
//! definitions.

use ragged_arrays::{RaggedArray, Result};
use rayon::ThreadPoolBuilder;

/// Makes rows of all kinds, with enough leaves for several blocks.
fn lengths() -> Vec<(&'static str, Vec<usize>)> {
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 33) as usize
    };
    vec![
        ("one giant row", vec![0, 0, 300_000, 0]),
        ("a giant row among others", (0..50_000).map(|row| if row == 20_000 { 200_000 } else { row % 3 }).collect()),
        ("all empty", vec![0; 100_000]),
        ("none", vec![]),
        ("even", vec![10; 20_000]),
        ("about sixteen", (0..20_000).map(|_| 13 + random() % 7).collect()),
        ("about forty", (0..4_000).map(|_| 30 + random() % 20).collect()),
        ("power law", (0..60_000).map(|_| (0.5 * ((random() % 1_000_000 + 1) as f64 / 1e6).powf(-0.9)) as usize).collect()),
    ]
}

/// Makes numbers of many magnitudes, so that the order of additions shows; some are equal, some NaN.
fn array(lengths: &[usize]) -> RaggedArray<'static, f64> {
    let number = |k: usize| match k % 97 {
        0 => -0.0,
        1 => 0.0,
        2 if k.is_multiple_of(5) => f64::NAN,
        n => ((k * 7919 % 10_007) as f64 - 5_000.0) * 10_f64.powi((n % 30) as i32 - 15),
    };
    let leaves = lengths.iter().sum::<usize>();
    RaggedArray::from_lengths(lengths.to_vec(), (0..leaves).map(number).collect::<Vec<_>>()).expect("lengths")
}

/// Returns the same array with one axis more: lists of eight rows, and empty lists.
fn deeper(array: &RaggedArray<'static, f64>) -> RaggedArray<'static, f64> {
    let rows = array.len();
    let mut sizes: Vec<usize> = (0..rows / 8).flat_map(|_| [8, 0]).collect();
    sizes.push(rows % 8);
    array.unflatten(0, &sizes).expect("all rows")
}

fn bits(array: Result<RaggedArray<'static, f64>>) -> Vec<u64> {
    array.expect("an array").leaves().iter().map(|x| x.to_bits()).collect()
}

fn options(array: Result<RaggedArray<'static, Option<f64>>>) -> Vec<Option<u64>> {
    array.expect("an array").leaves().iter().map(|x| x.map(f64::to_bits)).collect()
}

fn same<T: PartialEq + Send>(what: &str, run: impl Fn() -> T + Sync) -> T {
    let on = |threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(&run);
    let one = on(1);
    for threads in [2, 3, 7] {
        // The arrays are long, so a printed difference would not help.
        assert!(on(threads) == one, "{what} on {threads} threads");
    }
    one
}

#[test]
fn reductions_do_not_depend_on_threads() {
    for (name, lengths) in lengths() {
        let array = array(&lengths);
        for array in [deeper(&array), array] {
            for axis in 0..array.depth() {
                let what = |operation| format!("{operation} over axis {axis} of {name}, depth {}", array.depth());
                let sums = same(&what("sum"), || bits(array.sum(axis)));
                same(&what("mean"), || bits(array.mean(axis)));
                let least = same(&what("min"), || options(array.min(axis)));
                let most = same(&what("max"), || options(array.max(axis)));
                let place = same(&what("argmax"), || array.argmax(axis).expect("an axis").leaves().to_vec());
                same(&what("argmin"), || array.argmin(axis).expect("an axis").leaves().to_vec());
                same(&what("any"), || array.any(axis, |x| *x > 1e9).expect("an axis").leaves().to_vec());
                same(&what("all"), || array.all(axis, |x| *x > -1e9).expect("an axis").leaves().to_vec());
                let counts = same(&what("a fold"), || {
                    let folded = array.par_fold(
                        axis,
                        (0, None),
                        |(count, last), _, place| (*count, *last) = (*count + 1, Some(place)),
                        |x, y| (x.0 + y.0, y.1.or(x.1)),
                    );
                    folded.expect("an axis").leaves().to_vec()
                });
                // Fold in order, by the definition.
                let in_order = array.fold(axis, (0, None), |(count, last), _, place| (*count, *last) = (*count + 1, Some(place)));
                assert!(in_order.expect("an axis").leaves() == counts, "{}", what("a fold in order"));
                let plain =
                    array.fold(axis, (0.0, 0.0_f64), |(sum, size), x, _| (*sum, *size) = (*sum + x, *size + x.abs())).expect("an axis");
                for (sum, (plain, size)) in sums.iter().map(|sum| f64::from_bits(*sum)).zip(plain.leaves()) {
                    assert!((sum - plain).abs() <= 1e-9 * size || sum.is_nan() && plain.is_nan(), "{sum} is not {plain}");
                }
                let first = array
                    .fold(axis, (None, None), |(low, high): &mut (Option<f64>, Option<(f64, usize)>), x, place| {
                        let after = |x: f64, y: f64| x > y || x.is_nan() && !y.is_nan();
                        if low.is_none_or(|low| after(low, *x)) {
                            *low = Some(*x);
                        }
                        if high.is_none_or(|(high, _)| after(*x, high)) {
                            *high = Some((*x, place));
                        }
                    })
                    .expect("an axis");
                let equal = |found: Option<u64>, number: Option<f64>| match (found.map(f64::from_bits), number) {
                    (Some(x), Some(y)) => x == y || x.is_nan() && y.is_nan(),
                    (x, y) => x.is_none() && y.is_none(),
                };
                for (k, (low, high)) in first.leaves().iter().enumerate() {
                    assert!(equal(least[k], *low) && equal(most[k], high.map(|(x, _)| x)), "{}", what("an extreme"));
                    assert_eq!(place[k], high.map(|(_, place)| place), "{}", what("argmax"));
                }
            }
        }
    }
}

#[test]
fn expanding_and_broadcasting_do_not_depend_on_threads() {
    for (name, lengths) in lengths() {
        let array = array(&lengths);
        let rows: Vec<usize> = lengths.iter().enumerate().flat_map(|(row, len)| std::iter::repeat_n(row, *len)).collect();
        let places: Vec<usize> = lengths.iter().flat_map(|len| 0..*len).collect();
        let starts: Vec<usize> = (0..rows.len()).map(|k| k - places[k]).collect();
        let shape = array.shape();
        assert!(same(name, || shape.parents(0)) == rows, "I of {name}");
        assert!(same(name, || shape.local_indices(0)) == places, "J of {name}");
        assert!(same(name, || shape.starts(0)) == starts, "S of {name}");
        assert!(same(name, || (shape.leaf_rows(0), shape.leaf_starts(0))) == (rows.clone(), starts), "of leaves of {name}");
        // Reuse memory, for another length.
        let mut narrow = vec![9_u32; rows.len() / 2];
        for _ in 0..2 {
            shape.parents_into(0, &mut narrow).expect("rows fit");
            assert!(narrow.iter().map(|row| *row as usize).eq(rows.iter().copied()), "I of {name}, narrow");
            narrow.extend([1, 2, 3]);
        }
        let numbers: Vec<f64> = (0..lengths.len()).map(|row| row as f64 * 0.1).collect();
        let sum: Vec<u64> = array.leaves().iter().zip(&rows).map(|(x, row)| (x + numbers[*row]).to_bits()).collect();
        assert!(same(name, || bits(array.par_broadcast(0, &numbers, |x, y| x + y))) == sum, "a sum with {name}");
        assert!(bits(array.broadcast(0, &numbers, |x, y| x + y)) == sum, "a sum in order with {name}");
        let written = same(name, || {
            let mut array = array.clone();
            array.par_broadcast_mut(0, &numbers, |x, y| *x += y).expect("consecutive");
            bits(Ok(array))
        });
        assert!(written == sum, "a sum written to {name}");
        let of_leaves: Vec<f64> = rows.iter().map(|row| numbers[*row]).collect();
        assert!(bits(array.broadcast(1, &of_leaves, |x, y| x + y)) == sum, "a sum of {name} leaf by leaf");
        let deep = deeper(&array);
        let outer: Vec<f64> = (0..deep.len()).map(|row| row as f64).collect();
        let above = deep.shape().leaf_rows(0);
        let sum: Vec<u64> = array.leaves().iter().zip(&above).map(|(x, row)| (x + outer[*row]).to_bits()).collect();
        assert!(same(name, || bits(deep.par_broadcast(0, &outer, |x, y| x + y))) == sum, "a sum with {name} at the outer axis");
    }
}

#[test]
fn lists_are_sorted_as_a_stable_sort_does() {
    for (name, lengths) in lengths() {
        let floats = array(&lengths);
        let narrow = floats.map(|x| (*x as i64 % 7) as i8).expect("a structure");
        let wide = floats.map(|x| (*x as i128) << 40).expect("a structure");
        // Differences in the lowest bits, which do not fit a sort word beside an index.
        let close = floats.map(|x| u64::MAX / 2 + (x.to_bits() % 3) * (x.to_bits() % 2 * (u64::MAX / 8) + 1)).expect("a structure");
        macro_rules! check {
            ($array:ident, $order:expr) => {
                let mut expected = Vec::new();
                for row in 0..lengths.len() {
                    let list = $array.row(row);
                    let mut places: Vec<usize> = (0..list.len()).collect();
                    places.sort_by(|x, y| $order(&list[*x], &list[*y]));
                    expected.extend(places);
                }
                let places = same(name, || $array.argsort().expect("a structure").leaves().to_vec());
                assert!(places == expected, "the order of {} in {name}", stringify!($array));
                let begins = $array.shape().starts(0);
                let sorted = $array.sort().expect("a structure");
                let picked = expected.iter().zip(begins).map(|(place, begin)| format!("{:?}", $array.leaves()[begin + place]));
                assert!(sorted.leaves().iter().map(|x| format!("{x:?}")).eq(picked), "{} sorted in {name}", stringify!($array));
            };
        }
        check!(floats, |x: &f64, y: &f64| x.partial_cmp(y).unwrap_or_else(|| x.is_nan().cmp(&y.is_nan())));
        check!(narrow, Ord::cmp);
        check!(wide, Ord::cmp);
        check!(close, Ord::cmp);
    }
}

#[test]
fn visits_do_not_depend_on_threads() {
    for (name, lengths) in lengths() {
        let deep = deeper(&array(&lengths));
        let written = same(name, || {
            let mut array = deep.map(|_| [0; 3]).expect("a structure");
            array.par_visit_mut(|at, leaf| leaf.copy_from_slice(at)).expect("consecutive");
            array.leaves().to_vec()
        });
        assert!(written.iter().enumerate().all(|(k, at)| deep.shape().locate(at) == Ok(k)), "{name}");
        let mut array = array(&lengths);
        same(name, || {
            let mut array = array.clone();
            array.par_visit_mut(|at, leaf| *leaf = at[0].abs_diff(at[1]) as f64).expect("consecutive");
            bits(Ok(array))
        });
        let (rows, places) = (array.shape().parents(0), array.shape().local_indices(0));
        let mut leaf = 0;
        array
            .visit_mut(|at, _| {
                assert_eq!(at, [rows[leaf], places[leaf]]);
                leaf += 1;
            })
            .expect("consecutive");
        assert_eq!(leaf, rows.len());
    }
}
