//! Tests that no numbers cause a panic: offsets and views with some changed numbers are errors, or arrays that answer
//! every question.

use super::nested::random;
use crate::random::Rng;
use layout_core::Int;
use layout_levels::{Cursor, End, Fixed, Ragged, Then};
use ragged_arrays::{LevelView, RaggedArray};

fn number(rng: &mut Rng) -> i64 {
    *rng.pick(&[-1, 0, 1, 2, 3, 5, 9, 100, i64::MAX, i64::MIN, u32::MAX as i64, 1 << 40])
}

/// Changes, removes or inserts one to three numbers.
fn change(list: &mut Vec<i64>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(list.len() + 1);
        match (rng.below(4), at < list.len()) {
            (0, true) => list[at] = number(rng),
            (1, true) => drop(list.remove(at)),
            (2, true) => list[at] = list[at].saturating_add(rng.between(-2, 2)),
            _ => list.insert(at, number(rng)),
        }
    }
}

/// Calls every operation, whatever the result.
fn ask_everything(array: &RaggedArray<'_, i64>) {
    let packed = array.pack().expect("lists that were checked");
    assert_eq!(&packed, array);
    let leaves = packed.leaves().len();
    let _ = (array.sort(), array.argsort(), array.total(), array.to_padded(&0), array.to_regular(), array.aligned(4, &0), array.ravel());
    for axis in 0..=array.depth() {
        let known = axis < array.depth();
        assert_eq!(array.num(axis).is_ok(), known);
        assert_eq!(array.mean(axis).is_ok(), known);
        assert_eq!(array.reverse(axis).is_ok(), known);
        let _ = (array.sum(axis), array.max(axis), array.flatten(axis), array.index(axis, 1), array.slice(axis, Some(1), Some(-1), 2));
        let _ = (array.unflatten(axis, &[leaves]), array.local_index(axis), array.argmin(axis));
        let _ = (
            array.index_each(axis, &[0]),
            array.take_along(axis, &[0, -1]),
            array.pad_to(axis, 3, axis % 2 == 0),
            array.sort_along(axis, true),
        );
        let _ = (array.combinations(axis, 2, true), RaggedArray::cartesian(&[array, &packed], axis), array.shape().fibers(axis));
        let _ = (array.run_lengths(), array.unique(), array.argsort_along(axis, false));
        let shape = packed.shape();
        let _ = (shape.parents(axis), shape.starts(axis), shape.leaf_rows(axis), shape.row(axis, usize::MAX), shape.merge_path(axis));
        for k in [0, 1, leaves, usize::MAX] {
            assert_eq!(shape.decompose(k).is_ok(), k < leaves);
            assert!(array.get(&vec![k; axis]).is_err() || axis == array.depth());
        }
    }
    // Arrays of two axes are a chain of these levels, unless they are views.
    if let Ok(chain) = array.shape().chain::<Then<Fixed<usize>, Then<Ragged<&[i64], Cursor>, End>>>() {
        let decomposed = chain.span().map(|leaf| chain.decompose(leaf)).map(|(row, (place, ()))| vec![row, place]);
        assert!(decomposed.eq(packed.shape().coordinates()));
    }
    let _ = (array.blocks::<2>(), array.shape().chain::<Then<Fixed<Int<2>>, Then<LevelView, End>>>());
    assert_eq!(
        array.blocks::<1>().and_then(|blocks| blocks.unblock(&[1])).and_then(|array| array.flatten(array.depth() - 1)).as_ref(),
        Ok(&packed)
    );
    let mut visited = 0;
    array.visit(|_, _| visited += 1).expect("visits");
    assert_eq!(visited, leaves);
}

#[test]
fn of_offsets() {
    let mut rng = Rng::new(31);
    let (mut right, mut wrong) = (0, 0);
    for round in 0..6000 {
        let depth = 2 + round % 4;
        let array = random(depth, &mut rng).packed(depth);
        let mut offsets: Vec<Vec<i64>> = array.shape().offsets().iter().map(|level| level.iter().map(|x| *x as i64).collect()).collect();
        let level = rng.below(offsets.len());
        change(&mut offsets[level], &mut rng);
        match RaggedArray::from_offsets(offsets.clone(), array.leaves().to_vec()) {
            Ok(array) => {
                right += 1;
                ask_everything(&array);
            }
            Err(error) => {
                wrong += 1;
                assert!(!error.to_string().is_empty() && !error.class().is_empty() && error.level().is_some());
            }
        }
    }
    assert!(right > 500 && wrong > 2000, "{right} are arrays, {wrong} are not");
}

#[test]
fn of_views() {
    let mut rng = Rng::new(32);
    let mut right = 0;
    for _ in 0..3000 {
        let leaves: Vec<i64> = (0..rng.below(9) as i64).collect();
        let numbers = |rng: &mut Rng| -> Vec<u64> {
            (0..rng.below(4)).map(|_| if rng.one_in(8) { number(rng) as u64 } else { rng.below(5) as u64 }).collect()
        };
        if let Ok(array) = RaggedArray::from_views(numbers(&mut rng), numbers(&mut rng), leaves) {
            right += 1;
            ask_everything(&array);
        }
    }
    assert!(right > 200, "{right} are arrays");
}
