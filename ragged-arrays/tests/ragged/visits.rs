//! Tests that visits on several threads see every leaf once, with its coordinates.

use core::sync::atomic::{AtomicUsize, Ordering};
use ragged_arrays::{RaggedArray, RaggedError};

/// Makes an array with rows of all kinds: many empty ones, one long one, three axes.
fn array(rows: usize) -> RaggedArray<'static, usize> {
    let lengths: Vec<usize> = (0..rows).map(|row| if row == rows / 3 { 40_000 } else { row * 7 % 5 * (row % 3) }).collect();
    let leaves = lengths.iter().sum();
    // Group eight rows at a time, and add an empty list after each group.
    let outer: Vec<usize> = (0..rows).step_by(8).flat_map(|row| [8.min(rows - row), 0]).collect();
    let array = RaggedArray::from_lengths(lengths, (0..leaves).collect::<Vec<_>>()).expect("lengths");
    array.unflatten(0, &outer).expect("all rows")
}

#[test]
fn every_leaf_is_visited_once_with_its_coordinates() {
    for rows in [1, 2, 30, 5000] {
        let array = array(rows);
        let coordinates = array.shape().coordinates();
        let seen: Vec<AtomicUsize> = coordinates.iter().map(|_| AtomicUsize::new(0)).collect();
        let visit = |at: &[usize], leaf: &usize| {
            assert_eq!(at, coordinates[*leaf]);
            seen[*leaf].fetch_add(1, Ordering::Relaxed);
        };
        array.par_visit(visit).expect("visits");
        assert!(seen.iter().all(|seen| seen.load(Ordering::Relaxed) == 1));
    }
}

#[test]
fn writing_in_parallel_is_writing_in_order() {
    for rows in [1, 2, 30, 5000] {
        let (mut one, mut many) = (array(rows), array(rows));
        let write = |at: &[usize], leaf: &mut usize| *leaf = *leaf * 31 + at[0] * 7 + at[1] * 5 + at[2];
        one.visit_mut(write).expect("consecutive");
        many.par_visit_mut(write).expect("consecutive");
        assert_eq!(one.leaves(), many.leaves());
    }
}

#[test]
fn arrays_of_one_axis_and_of_nothing() {
    let mut flat = RaggedArray::from_leaves((0..50_000_usize).collect::<Vec<_>>()).expect("leaves");
    flat.par_visit_mut(|at, leaf| *leaf += at[0]).expect("consecutive");
    assert!(flat.leaves().iter().enumerate().all(|(k, leaf)| *leaf == 2 * k));
    let empty = RaggedArray::from_offsets(vec![vec![0_u32; 10_000]], Vec::<u8>::new()).expect("empty rows");
    empty.par_visit(|_, _| unreachable!("there is no leaf")).expect("visits");
}

#[test]
fn shared_leaves_are_not_written() {
    let mut views = RaggedArray::from_views(vec![0, 0], vec![2, 2], vec![1, 2]).expect("views");
    assert!(matches!(views.par_visit_mut(|_, _| ()), Err(RaggedError::Axis { .. })));
}
