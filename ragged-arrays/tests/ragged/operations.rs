//! Compares operations that keep, drop, reorder and regroup elements with the same operations on nested lists.

use super::nested::Nested::{self, Leaf, List};
use super::nested::{of, random};
use crate::random::Rng;
use ragged_arrays::{RaggedArray, RaggedError};

/// Calls `check` with arrays of every depth, stored in every way, and their nested lists.
fn arrays(seed: u64, mut check: impl FnMut(&Nested<i64>, &RaggedArray<'static, i64>, usize, &mut Rng)) {
    let mut rng = Rng::new(seed);
    for round in 0..500 {
        let depth = 1 + round % 5;
        let nested = random(depth, &mut rng);
        let array = nested.stored(depth, &mut rng);
        assert_eq!(of(&array), nested, "{array:?}");
        assert_eq!((array.depth(), array.len()), (depth, nested.list().len()));
        check(&nested, &array, depth, &mut rng);
    }
}

#[test]
fn numbers_of_elements() {
    arrays(1, |nested, array, depth, _| {
        let packed = array.pack().expect("packs");
        assert_eq!((&packed, packed.shape().offsets()), (array, array.shape().offsets()));
        for axis in 0..depth {
            let elements = nested.elements(axis).len();
            assert_eq!(array.shape().count(axis), elements);
            let lengths: Vec<usize> = nested.lists(axis).iter().map(|list| list.list().len()).collect();
            assert_eq!(array.num(axis).expect("an axis").leaves(), lengths);
            let local: Vec<usize> = lengths.iter().flat_map(|len| 0..*len).collect();
            assert_eq!(array.local_index(axis).expect("an axis").leaves(), local);
            assert_eq!(array.num(axis).expect("an axis").depth(), axis.max(1));
            assert_eq!(array.local_index(axis).expect("an axis").depth(), axis + 1);
        }
        assert!(array.num(depth).is_err() && array.local_index(depth).is_err());
    });
}

#[test]
fn rows_of_leaves() {
    arrays(2, |nested, array, depth, _| {
        // Collects the coordinates of every leaf, list by list.
        fn coordinates(nested: &Nested<i64>, above: &[usize], out: &mut Vec<Vec<usize>>) {
            match nested {
                Leaf(_) => out.push(above.to_vec()),
                List(list) => list.iter().enumerate().for_each(|(k, below)| coordinates(below, &[above, &[k]].concat(), out)),
            }
        }
        let mut naive = Vec::new();
        coordinates(nested, &[], &mut naive);
        let shape = array.shape();
        assert_eq!(shape.coordinates(), naive);
        for (leaf, c) in naive.iter().enumerate() {
            assert_eq!((shape.decompose(leaf), shape.locate(c)), (Ok(c.clone()), Ok(leaf)));
            assert_eq!(array.get(c), Ok(&array.leaves()[leaf]));
            for axis in 0..depth {
                let mut outside = c.clone();
                outside[axis] = nested.elements(depth - 1).len() + 9;
                assert!(matches!(array.get(&outside), Err(RaggedError::OutOfRange { axis: at, .. }) if at == axis));
            }
        }
        assert!(shape.decompose(naive.len()).is_err() && array.get(&vec![0; depth + 1]).is_err());
        for q in 0..depth - 1 {
            let lists = nested.lists(q + 1);
            let parents: Vec<usize> = lists.iter().enumerate().flat_map(|(p, list)| vec![p; list.list().len()]).collect();
            assert_eq!(shape.parents(q), parents);
            let starts: Vec<usize> = parents.iter().map(|p| parents.iter().position(|other| other == p).expect("itself")).collect();
            assert_eq!(shape.starts(q), starts);
            let local: Vec<usize> = starts.iter().enumerate().map(|(k, start)| k - start).collect();
            assert_eq!(shape.local_indices(q), local);
        }
        for q in 0..depth {
            // Compute the element of axis `q` that each leaf is below from the elements' own leaves.
            let rows = nested.elements(q);
            let leaves = |row: &Nested<i64>| match row {
                Leaf(_) => 1,
                List(_) => row.elements(depth - q - 2).len(),
            };
            let rows: Vec<usize> = rows.iter().enumerate().flat_map(|(k, row)| vec![k; leaves(row)]).collect();
            assert_eq!(shape.leaf_rows(q), rows);
            let starts: Vec<usize> = rows.iter().map(|row| rows.iter().position(|other| other == row).expect("itself")).collect();
            assert_eq!(shape.leaf_starts(q), starts);
            let offsets: Vec<usize> = (0..=shape.count(q)).map(|row| rows.iter().filter(|other| **other < row).count()).collect();
            assert_eq!(shape.leaf_offsets(q), offsets);
        }
    });
}

#[test]
fn reversed_sliced_and_indexed() {
    arrays(3, |nested, array, depth, rng| {
        let axis = rng.below(depth);
        let reversed = nested.at(axis, &mut |list| List(list.iter().rev().cloned().collect()));
        assert_eq!(of(&array.reverse(axis).expect("an axis")), reversed);
        let end = |rng: &mut Rng| if rng.one_in(3) { None } else { Some(rng.between(-6, 6) as isize) };
        let (start, stop, step) = (end(rng), end(rng), *rng.pick(&[1, 1, 2, 3, -1, -2, -3]));
        let sliced = nested.at(axis, &mut |list| List(python_slice(list, start, stop, step)));
        assert_eq!(of(&array.slice(axis, start, stop, step).expect("an axis")), sliced, "{start:?} {stop:?} {step} of {nested:?}");
        assert_eq!(array.slice(axis, None, None, 0).err(), Some(RaggedError::ZeroStep));
        let index = rng.between(-3, 3) as isize;
        let element = |list: &[Nested<i64>]| {
            let at = if index < 0 { index + list.len() as isize } else { index };
            usize::try_from(at).ok().and_then(|at| list.get(at).cloned())
        };
        match array.index(axis, index) {
            Ok(indexed) if depth > 1 => assert_eq!(of(&indexed), nested.at(axis, &mut |list| element(list).expect("an element"))),
            Ok(indexed) => assert_eq!(indexed.leaves(), [element(nested.list()).expect("an element").leaf()]),
            Err(_) => assert!(nested.lists(axis).iter().any(|list| element(list.list()).is_none())),
        }
        let rows: Vec<usize> = (0..rng.below(6)).map(|_| rng.below(nested.list().len() + 1)).collect();
        match array.take(&rows) {
            Ok(taken) => assert_eq!(of(&taken), List(rows.iter().map(|row| nested.list()[*row].clone()).collect())),
            Err(_) => assert!(rows.contains(&nested.list().len())),
        }
    });
}

/// Returns `list[start:stop:step]`, computed element by element.
fn python_slice<T: Clone>(list: &[T], start: Option<isize>, stop: Option<isize>, step: isize) -> Vec<T> {
    let len = list.len() as isize;
    let end = |end: isize| if end < 0 { end + len } else { end };
    let inside = |k: isize| {
        let (first, last) = if step > 0 { (0, len) } else { (len - 1, -1) };
        let (start, stop) = (start.map_or(first, end), stop.map_or(last, end));
        // A start outside on the near side means the first element.
        let start = if step > 0 { start.max(0) } else { start.min(len - 1) };
        let between = if step > 0 { start <= k && k < stop } else { stop < k && k <= start };
        between && (k - start) % step == 0
    };
    let mut kept: Vec<isize> = (0..len).filter(|k| inside(*k)).collect();
    if step < 0 {
        kept.reverse();
    }
    kept.into_iter().map(|k| list[k as usize].clone()).collect()
}

#[test]
fn masked_and_gathered() {
    arrays(4, |nested, array, depth, rng| {
        // The mask and the indices are as deep as the array, or less deep.
        let axis = rng.below(depth);
        let mut kept = Vec::new();
        let keeping = nested.at(axis, &mut |list| {
            let keep: Vec<bool> = list.iter().map(|_| rng.one_in(2)).collect();
            let out = list.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(element, _)| element.clone()).collect();
            kept.extend(keep);
            List(out)
        });
        let levels = array.pack().expect("packs").shape().levels()[..axis].to_vec();
        let mask = RaggedArray::new(array.len(), levels.clone(), kept).expect("a mask");
        assert_eq!(of(&array.filter(&mask).expect("one structure")), keeping);
        let (mut wanted, mut lengths) = (Vec::new(), Vec::new());
        let gathered = nested.at(axis, &mut |list| {
            let len = if list.is_empty() { 0 } else { rng.below(5) };
            lengths.push(len);
            List(
                (0..len)
                    .map(|_| {
                        let at = rng.below(list.len());
                        wanted.push(if rng.one_in(2) { at as isize } else { at as isize - list.len() as isize });
                        list[at].clone()
                    })
                    .collect(),
            )
        });
        let mut above = levels;
        above.truncate(axis.saturating_sub(1));
        let indices = match axis {
            0 => RaggedArray::from_leaves(wanted).expect("indices"),
            _ => {
                let lengths = RaggedArray::from_lengths(lengths, wanted).expect("indices");
                above.push(lengths.shape().levels()[0].clone());
                RaggedArray::new(array.len(), above, lengths.leaves().to_vec()).expect("indices")
            }
        };
        assert_eq!(of(&array.gather(&indices).expect("indices of this array")), gathered);
        if !indices.leaves().is_empty() {
            let far = indices.map(|_| 99).expect("indices");
            assert!(matches!(array.gather(&far), Err(RaggedError::OutOfRange { index: 99, .. })));
        }
    });
}

#[test]
fn flattened_and_back() {
    arrays(5, |nested, array, depth, rng| {
        assert!(array.flatten(0).is_err() && array.flatten(depth).is_err());
        for axis in 1..depth {
            let flat = array.flatten(axis).expect("an axis");
            let naive = nested.at(axis - 1, &mut |list| List(list.iter().flat_map(|below| below.list().to_vec()).collect()));
            assert_eq!(of(&flat), naive);
            // The lengths of the merged lists restore them, unless empty lists lie between two lists.
            let sizes: Vec<usize> = nested.lists(axis).iter().map(|list| list.list().len()).collect();
            let again = flat.unflatten(axis - 1, &sizes).expect("its own lists");
            if axis == 1 || sizes.iter().all(|size| *size > 0) {
                assert_eq!(of(&again), *nested);
            }
            assert_eq!(of(&again.flatten(axis).expect("an axis")), naive);
        }
        let axis = rng.below(depth);
        let mut sizes = Vec::new();
        for list in nested.lists(axis) {
            let mut left = list.list().len();
            while left > 0 {
                sizes.push(1 + rng.below(left));
                left -= sizes[sizes.len() - 1];
            }
        }
        let grouped = array.unflatten(axis, &sizes).expect("groups within lists");
        assert_eq!(of(&grouped.flatten(axis + 1).expect("an axis")), *nested);
        sizes.push(1);
        assert!(matches!(array.unflatten(axis, &sizes), Err(RaggedError::Lengths { .. })));
        assert_eq!(array.ravel().expect("leaves").leaves(), array.leaves());
    });
}

#[test]
fn padded_and_regular() {
    arrays(6, |nested, array, depth, _| {
        let (shape, padded) = array.to_padded(&-99).expect("small");
        let longest = |axis: usize| nested.lists(axis).iter().map(|list| list.list().len()).max().unwrap_or(0);
        assert_eq!(shape, (0..depth).map(longest).collect::<Vec<_>>());
        fn pad(nested: Option<&Nested<i64>>, shape: &[usize], out: &mut Vec<i64>) {
            match shape {
                [] => out.push(nested.map_or(-99, Nested::leaf)),
                [n, below @ ..] => (0..*n).for_each(|k| pad(nested.and_then(|nested| nested.list().get(k)), below, out)),
            }
        }
        let mut naive = Vec::new();
        pad(Some(nested), &shape, &mut naive);
        assert_eq!(padded, naive);
        let back = RaggedArray::from_padded(&shape, &padded, |x| *x == -99).expect("a regular array");
        // Empty lists at the end of a list count as padding, too, except for outer rows.
        fn trimmed(nested: &Nested<i64>) -> Nested<i64> {
            let Nested::List(list) = nested else { return nested.clone() };
            let mut list: Vec<_> = list.iter().map(trimmed).collect();
            while list.last() == Some(&List(Vec::new())) {
                list.pop();
            }
            List(list)
        }
        assert_eq!(of(&back), List(nested.list().iter().map(trimmed).collect()));
        let regular = RaggedArray::from_regular(&shape, padded).expect("a regular array");
        assert_eq!(regular.to_regular().expect("regular").0.len(), depth);
        let is_regular = (1..depth).all(|axis| nested.lists(axis).windows(2).all(|pair| pair[0].list().len() == pair[1].list().len()));
        assert_eq!(array.to_regular().is_ok(), is_regular);
        if is_regular {
            assert_eq!(array.to_regular().expect("regular").1, array.leaves());
        }
        if depth > 1 {
            let aligned = array.aligned(4, &-99).expect("an axis");
            assert_eq!(of(&aligned), *nested);
            let level = aligned.shape().levels()[depth - 2].clone();
            layout_levels::Aligned::<_, 4>::new(level, aligned.shape().count(depth - 2)).expect("aligned");
        }
    });
}

#[test]
fn combined() {
    arrays(7, |nested, array, depth, rng| {
        let packed = array.pack().expect("packs");
        let sums = array.zip_with(&packed, |x, y| x + y).expect("one structure");
        assert_eq!(of(&sums), nested.map(&mut |x| 2 * x));
        for axis in 0..depth {
            let numbers: Vec<i64> = (0..array.shape().count(axis)).map(|_| rng.between(-9, 9)).collect();
            let rows = array.shape().leaf_rows(axis);
            let naive: Vec<i64> = array.leaves().iter().zip(&rows).map(|(x, row)| x + numbers[*row]).collect();
            assert_eq!(array.broadcast(axis, &numbers, |x, y| x + y).expect("a number each").leaves(), naive);
            assert!(array.broadcast(axis, &[numbers, vec![0]].concat(), |x, y| x + y).is_err());
        }
        let other = random(depth, rng);
        let joined = RaggedArray::concatenate(&[array, &other.stored(depth, rng), array], 0).expect("one depth");
        assert_eq!(of(&joined), List([nested.list(), other.list(), nested.list()].concat()));
        let axis = rng.below(depth);
        // The other array is reversed on this axis, so its lists above are the same.
        let reversed = array.reverse(axis).expect("an axis");
        let joined = RaggedArray::concatenate(&[array, &reversed], axis).expect("the same lists above");
        let naive = nested.at(axis, &mut |list| List(list.iter().chain(list.iter().rev()).cloned().collect()));
        assert_eq!(of(&joined), naive);
        let stacked = RaggedArray::stack(&[array, &packed]).expect("one depth");
        assert_eq!(of(&stacked), List(vec![nested.clone(), nested.clone()]));
        if !nested.list().is_empty() {
            let fewer = array.slice(0, Some(1), None, 1).expect("an axis");
            assert!(matches!(array.zip_with(&fewer, |x, _| *x), Err(RaggedError::DifferentCounts { axis: 0, .. })));
        }
    });
}

#[test]
fn visited() {
    arrays(8, |_, array, _, _| {
        let mut seen = Vec::new();
        array.visit(|coordinates, leaf| seen.push((coordinates.to_vec(), *leaf))).expect("visits");
        let expected: Vec<_> = array.shape().coordinates().into_iter().zip(array.leaves().iter().copied()).collect();
        assert_eq!(seen, expected);
        let mut changed = array.clone();
        changed.visit_mut(|coordinates, leaf| *leaf += 100 * coordinates[0] as i64).expect("consecutive");
        let naive: Vec<i64> = seen.iter().map(|(coordinates, leaf)| leaf + 100 * coordinates[0] as i64).collect();
        assert_eq!(changed.leaves(), naive);
        for items in [1, 2, 3, 7, 1000] {
            let Ok(splits) = array.shape().merge_path(items) else { continue };
            let q = array.depth() - 2;
            assert_eq!((splits[0], splits[splits.len() - 1]), ((0, 0), (array.shape().count(q), array.leaves().len())));
            for pair in splits.windows(2) {
                let ((row, leaf), (next_row, next_leaf)) = (pair[0], pair[1]);
                assert!(row <= next_row && leaf <= next_leaf && next_row - row + next_leaf - leaf <= items);
                // The leaves of a part are in its rows, or in the row that is open at its end.
                assert!((leaf..next_leaf).all(|k| (row..=next_row).contains(&array.shape().parents(q)[k])));
            }
        }
    });
}
