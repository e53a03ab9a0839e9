//! Tests of the order of coordinate lists against a sort of tuples, and of prefixes against their definition.

use crate::common::Rng;
use crate::common::threads::on_threads;
use sparse_formats::kernels::{expand, linear, pointers_of};
use sparse_formats::sort::{EntryOrder, Prefixes, order, order_known};
use sparse_formats::{ArrayName::Argument, Duplicates, SparseError as Error};
use sparse_formats::{Indices, Width};

/// Returns a column in the width that fits its extent, or in a wider one.
fn column(numbers: &[u64], width: Width) -> Indices<'static> {
    match width {
        Width::U8 => Indices::from(numbers.iter().map(|&x| x as u8).collect::<Vec<_>>()),
        Width::U16 => Indices::from(numbers.iter().map(|&x| x as u16).collect::<Vec<_>>()),
        Width::U32 => Indices::from(numbers.iter().map(|&x| x as u32).collect::<Vec<_>>()),
        Width::U64 => Indices::from(numbers.to_vec()),
    }
}

fn columns(tuples: &[Vec<u64>], extents: &[u64]) -> Vec<Indices<'static>> {
    let numbers = |k: usize| tuples.iter().map(|tuple| tuple[k]).collect::<Vec<_>>();
    extents.iter().enumerate().map(|(k, extent)| column(&numbers(k), Width::of(extent.saturating_sub(1)))).collect()
}

/// Returns the stable order of tuples.
fn naive(tuples: &[Vec<u64>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tuples.len()).collect();
    order.sort_by(|&a, &b| tuples[a].cmp(&tuples[b]));
    order
}

/// Checks the order, the ordered columns, and all prefixes.
fn check(tuples: &[Vec<u64>], extents: &[u64], order_of: impl Fn(&[Indices<'_>]) -> Result<EntryOrder, Error> + Sync) {
    let columns = columns(tuples, extents);
    let expected = naive(tuples);
    let found = on_threads(|| order_of(&columns).expect("an order").iter().collect::<Vec<_>>());
    assert_eq!(found, expected, "{extents:?}");
    let order = order_of(&columns).expect("an order");
    let sorted: Vec<&Vec<u64>> = expected.iter().map(|&k| &tuples[k]).collect();
    for (k, column) in order.columns(&columns).expect("columns").iter().enumerate() {
        assert!(column.iter().eq(sorted.iter().map(|tuple| tuple[k])), "column {k} of {extents:?}");
        assert_eq!(column.width(), columns[k].width());
    }
    assert_eq!(order.is_identity(), tuples.is_sorted());
    let numbers: Vec<u32> = (0..tuples.len() as u32).collect();
    assert!(order.gather(&numbers, 1).expect("numbers").iter().map(|&k| k as usize).eq(expected.iter().copied()));
    let pairs: Vec<u32> = (0..2 * tuples.len() as u32).collect();
    let gathered = on_threads(|| order.gather(&pairs, 2).expect("pairs"));
    assert!(gathered.iter().map(|&k| k as usize).eq(expected.iter().flat_map(|&k| [2 * k, 2 * k + 1])));

    let prefixes = on_threads(|| order.prefixes(&columns).expect("prefixes"));
    assert_eq!(prefixes, Prefixes::new(&order.columns(&columns).expect("columns")).expect("sorted columns"));
    let rank = extents.len();
    let starts = |length: usize| -> Vec<usize> {
        (0..sorted.len()).filter(|&k| length > rank || length > 0 && (k == 0 || sorted[k][..length] != sorted[k - 1][..length])).collect()
    };
    for from in 0..=rank + 1 {
        let firsts = starts(from);
        assert!(prefixes.starts(from).eq(firsts.iter().copied()), "starts {from} of {extents:?}");
        assert_eq!(prefixes.count(from), firsts.len());
        for (k, _) in columns.iter().enumerate() {
            let selected = order.select::<u64>(k, &columns, &prefixes, from).expect("a column");
            let expected = firsts.iter().map(|&first| sorted[first].get(k).copied());
            assert!(selected.into_iter().map(Some).eq(expected));
        }
        for to in from..=rank + 1 {
            let below = starts(to);
            let mut expected: Vec<u64> = firsts.iter().map(|first| below.partition_point(|start| start < first) as u64).collect();
            if from == 0 {
                expected = vec![0];
            }
            expected.push(below.len() as u64);
            assert_eq!(on_threads(|| prefixes.pointers::<u64>(from, to).expect("pointers")), expected, "{from} to {to} of {extents:?}");
        }
    }
    let distinct = starts(rank).len();
    assert_eq!(prefixes.duplicates(), tuples.len() - if rank == 0 { 0 } else { distinct });
    duplicates(&sorted, &prefixes, Duplicates::sum(), |values| values.iter().fold(0u64, |a, b| a.wrapping_add(*b)));
    duplicates(&sorted, &prefixes, Duplicates::First, |values| values[0]);
    duplicates(&sorted, &prefixes, Duplicates::Last, |values| values[values.len() - 1]);
    let values: Vec<u64> = (0..sorted.len() as u64).collect();
    assert_eq!(prefixes.fold(values.clone(), 1, Duplicates::Keep).expect("values"), values);
    match prefixes.first_duplicate() {
        None => assert_eq!(prefixes.fold(values.clone(), 1, Duplicates::Refuse).expect("no duplicate"), values),
        Some(position) => {
            let error = Error::Repeated { at: (position - 1, position), found: Vec::new() };
            assert_eq!(on_threads(|| prefixes.fold(values.clone(), 1, Duplicates::Refuse)), Err(error));
        }
    }
}

/// Checks that the values of equal coordinates become `of` of these values.
fn duplicates(sorted: &[&Vec<u64>], prefixes: &Prefixes, policy: Duplicates<u64>, of: impl Fn(&[u64]) -> u64) {
    let values: Vec<u64> = (0..sorted.len() as u64).map(|k| k * k + 1).collect();
    let mut rest = &values[..];
    let groups = sorted.chunk_by(|a, b| a == b).map(|group| {
        let (group, after) = rest.split_at(group.len());
        rest = after;
        of(group)
    });
    let expected: Vec<u64> = groups.collect();
    assert_eq!(on_threads(|| prefixes.fold(values.clone(), 1, policy).expect("values")), expected);
    let pairs = values.iter().flat_map(|value| [*value, 2 * value]).collect::<Vec<_>>();
    let expected: Vec<u64> = expected.iter().flat_map(|value| [*value, 2 * value]).collect();
    assert_eq!(on_threads(|| prefixes.fold(pairs.clone(), 2, policy).expect("values")), expected);
}

fn random(extents: &[u64], len: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut random = Rng(seed);
    (0..len).map(|_| extents.iter().map(|&extent| random.below(extent)).collect()).collect()
}

const SHAPES: [&[u64]; 14] = [
    &[1],
    &[7],
    &[300, 2],
    &[1, 1, 1],
    &[2, 1, 70_000],
    &[5, 3, 4],
    &[256, 257, 65_536, 65_537],
    &[1 << 32, 1 << 32],
    &[(1 << 32) + 1, 3, 1 << 33],
    &[u64::MAX, 2],
    &[u64::MAX, u64::MAX, u64::MAX],
    &[2, u64::MAX, 3, 1 << 40, 1 << 50, 9],
    &[1000, 800, 600, 400],
    &[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
];

#[test]
fn random_tuples() {
    for (seed, extents) in SHAPES.iter().enumerate() {
        for len in [0, 1, 2, 3, 17, 500, 3000] {
            check(&random(extents, len, seed as u64), extents, order);
        }
    }
}

#[test]
fn small_numbers_in_large_extents() {
    for extents in [[1 << 32, 1 << 32, 1 << 32], [u64::MAX, 1 << 40, 300]] {
        let tuples: Vec<Vec<u64>> = random(&[4, 3, 5], 2000, 1).into_iter().map(|t| vec![t[0] << 28, t[1] + 7, t[2]]).collect();
        check(&tuples, &extents, order);
    }
}

#[test]
fn ordered_and_reversed() {
    for extents in SHAPES {
        let mut tuples = random(extents, 1500, 5);
        tuples.sort();
        check(&tuples, extents, order);
        tuples.reverse();
        check(&tuples, extents, order);
        let first = tuples[0].clone();
        tuples.fill(first);
        check(&tuples, extents, order);
        tuples.push(vec![0; extents.len()]);
        check(&tuples, extents, order);
    }
}

/// Tests lists long enough for several threads, and for every way to sort.
#[test]
fn many() {
    for extents in [&[1000, 800, 60][..], &[3, 2], &[u64::MAX, 1 << 40, 3], &[70_000, 2]] {
        let mut tuples = random(extents, 60_000, 3);
        let columns = columns(&tuples, extents);
        let expected = naive(&tuples);
        let found = on_threads(|| {
            let order = order(&columns).expect("an order");
            let prefixes = order.prefixes(&columns).expect("prefixes");
            let folded = prefixes.fold((0..tuples.len() as u64).collect(), 1, Duplicates::Last).expect("values");
            (order.iter().collect::<Vec<_>>(), prefixes.pointers::<u32>(1, 2).expect("pointers"), folded, prefixes)
        });
        assert_eq!(found.0, expected);
        tuples.sort();
        let starts =
            |length: usize| (0..tuples.len()).filter(|&k| k == 0 || tuples[k][..length] != tuples[k - 1][..length]).collect::<Vec<_>>();
        let (rows, pairs, all) = (starts(1), starts(2), starts(extents.len()));
        let pointers = rows.iter().map(|row| pairs.partition_point(|pair| pair < row) as u32).chain([pairs.len() as u32]);
        assert!(found.1.iter().copied().eq(pointers));
        let last = all.iter().skip(1).copied().chain([tuples.len()]).map(|end| end as u64 - 1);
        assert!(found.2.iter().copied().eq(last));
        assert!(found.3.starts(extents.len()).eq(all));
    }
}

#[test]
fn what_is_known_to_be_in_order() {
    let extents = [6u64, 5, 7, 4];
    for (len, scale) in [(0, 1), (1, 1), (900, 1), (900, 1 << 40), (30_000, 1), (5000, 1 << 9)] {
        let tuples: Vec<Vec<u64>> =
            random(&extents, len, 8).into_iter().map(|tuple| tuple.into_iter().map(|x| x * scale).collect()).collect();
        let extents = extents.map(|extent| extent * scale);
        for axes in permutations(4) {
            // The tuples are sorted by `axes`; ask for the natural order.
            let mut tuples = tuples.clone();
            tuples.sort_by_key(|tuple| axes.iter().map(|&axis| tuple[axis]).collect::<Vec<_>>());
            if len < 10_000 && scale == 1 {
                check(&tuples, &extents, |columns| order_known(columns, &axes));
            } else {
                let columns = columns(&tuples, &extents);
                let found = on_threads(|| order_known(&columns, &axes).expect("an order").iter().collect::<Vec<_>>());
                assert_eq!(found, naive(&tuples), "{axes:?}");
            }
        }
    }
}

/// Returns all orders of `0..n`.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let insert = |shorter: Vec<usize>| (0..n).map(move |k| [&shorter[..k], &[n - 1], &shorter[k..]].concat());
    permutations(n - 1).into_iter().flat_map(insert).collect()
}

#[test]
fn linear_indices() {
    let extents = [30u64, 20, 50];
    let tuples = random(&extents, 60_000, 4);
    let columns = columns(&tuples, &extents);
    let index = |tuple: &Vec<u64>| ((tuple[0] * 20 + tuple[1]) * 50 + tuple[2]) as u16;
    assert!(on_threads(|| linear::<u16>(&columns, &extents).expect("indices")).into_iter().eq(tuples.iter().map(index)));
    let order = order(&columns).expect("an order");
    let prefixes = order.prefixes(&columns).expect("prefixes");
    for (first, length) in [(0, 4), (0, 3), (1, 3), (1, 4), (2, 3)] {
        // All prefixes of `first` coordinates occur, so their numbers are linear indices.
        let starts = prefixes.starts(length).map(|k| &tuples[order.iter().nth(k).expect("an entry")]);
        let sorted: Vec<u32> = match (first, length) {
            (_, 4) => order.iter().map(|k| u32::from(index(&tuples[k]))).collect(),
            _ => starts.take(300).map(|tuple| u32::from(index(tuple))).collect(),
        };
        let found = on_threads(|| order.linear::<u32>(&columns, &prefixes, length, first, &extents[first..]).expect("indices"));
        assert_eq!(prefixes.count(first.max(1)), extents[..first.max(1)].iter().product::<u64>() as usize);
        assert!(found.iter().take(sorted.len()).eq(&sorted) && found.len() == prefixes.count(length));
    }
    let small = Err(Error::TooLarge { what: "linear indices", number: 29_999, most: 255 });
    assert_eq!(linear::<u8>(&columns, &extents), small);
    assert_eq!(order.linear::<u8>(&columns, &prefixes, 4, 0, &extents), small);
    let position = tuples.iter().position(|tuple| tuple[1] == 19).expect("a tuple");
    let outside = Err(Error::Range { array: Argument("column"), at: position, found: 19, extent: 19 });
    assert_eq!(linear::<u32>(&columns, &[30, 19, 50]), outside);
    assert_eq!(order.linear::<u32>(&columns, &prefixes, 4, 0, &[30, 19, 50]), outside);
}

#[test]
fn pointers_and_rows() {
    let mut random = Rng(2);
    for (len, extent) in [(0, 0), (0, 3), (1, 1), (10, 4), (1000, 5000), (150_000, 300)] {
        let mut rows: Vec<u16> = (0..len).map(|_| random.below(extent) as u16).collect();
        rows.sort();
        let pointers = pointers_of::<_, u32>(&rows, extent as usize).expect("pointers");
        let expected = (0..=extent).map(|row| rows.partition_point(|&other| u64::from(other) < row) as u32);
        assert!(pointers.iter().copied().eq(expected));
        assert_eq!(on_threads(|| expand::<_, u16>(&pointers, rows.len()).expect("rows")), rows);
    }
    assert_eq!(pointers_of::<u8, u8>(&[1, 0], 2), Err(Error::Descending { at: 1 }));
    assert_eq!(pointers_of::<u8, u8>(&[1, 2], 2), Err(Error::Range { array: Argument("rows"), at: 1, found: 2, extent: 2 }));
    assert!(matches!(pointers_of::<u8, u64>(&[1], usize::MAX), Err(Error::TooLarge { what: "rows", .. })));
    assert_eq!(pointers_of::<u8, u8>(&[0; 256], 1), Err(Error::TooLarge { what: "entries", number: 256, most: 255 }));
    assert_eq!(expand::<u8, u8>(&[0, 2, 1, 3], 3), Err(Error::Decreasing { array: Argument("pointers"), at: 2, before: 2, found: 1 }));
    assert_eq!(expand::<u8, u8>(&[0, 2], 3), Err(Error::Last { array: Argument("pointers"), found: 2, expected: 3 }));
    assert_eq!(expand::<u8, u8>(&[1, 2], 2), Err(Error::First { array: Argument("pointers"), found: 1 }));
    assert_eq!(expand::<u32, u8>(&[0; 258], 0), Err(Error::TooLarge { what: "rows", number: 256, most: 255 }));
}

#[test]
fn refused() {
    let (two, three) = (Indices::from(vec![1u8, 2]), Indices::from(vec![1u32, 2, 3]));
    let length = Error::Length { array: Argument("column"), found: 3, expected: 2 };
    assert_eq!(order(&[two.view(), three.view()]).map(|order| order.len()), Err(length.clone()));
    assert_eq!(Prefixes::new(&[two.view(), three.view()]), Err(length));
    assert_eq!(Prefixes::new(&[Indices::from(vec![1u8, 1, 1]), Indices::from(vec![1u8, 5, 4])]), Err(Error::Descending { at: 2 }));
    let pair = [Indices::from(vec![2u8, 1]), two.view()];
    let ordered = order(&pair).expect("an order");
    assert_eq!(
        ordered.columns(&pair[..1]).map(|columns| columns.len()),
        Err(Error::Length { array: Argument("columns"), found: 1, expected: 2 })
    );
    let prefixes = ordered.prefixes(&pair).expect("prefixes");
    assert!(
        ordered
            .select::<u8>(2, &pair, &prefixes, 1)
            .is_err_and(|e| e == Error::Length { array: Argument("columns"), found: 2, expected: 3 })
    );
    assert_eq!(
        ordered.linear::<u8>(&pair, &prefixes, 2, 1, &[3, 3]),
        Err(Error::Length { array: Argument("columns"), found: 2, expected: 3 })
    );
    // Tuples that are not in the stated order come out as some permutation.
    for len in [2, 5000] {
        let tuples = random(&[30, 20, 9], len, 5);
        let mut entries: Vec<usize> = order_known(&columns(&tuples, &[30, 20, 9]), &[0, 1, 2]).expect("an order").iter().collect();
        entries.sort();
        assert!(entries.into_iter().eq(0..len));
    }
    let order = order(&[two.view()]).expect("an order");
    assert_eq!(order.gather(&[1], 1), Err(Error::Length { array: Argument("values"), found: 1, expected: 2 }));
    let prefixes = Prefixes::new(&[three]).expect("prefixes");
    assert_eq!(prefixes.fold(vec![1], 1, Duplicates::sum()), Err(Error::Length { array: Argument("values"), found: 1, expected: 3 }));
    assert_eq!(prefixes.select(1, &[1]), Err(Error::Length { array: Argument("array"), found: 1, expected: 3 }));
}
