//! Tiles and windows of one tensor on several threads, for runs under the address and thread sanitizers and Miri.

use crd2idx::layouts::*;
use crd2idx::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

#[test]
fn tiles_on_threads() {
    let mut data = vec![0u32; 60];
    let mut t = Tensor::new(&mut data, make_layout((10, 6), (Int::<1>, 10))).unwrap().injective().unwrap();
    let (left, right) = t.tiles_mut((Int::<4>, Int::<4>)).split_at(3);
    std::thread::scope(|scope| {
        scope.spawn(|| left.for_each(|mut tile| tile.for_each_mut(|x| *x += 1)));
        scope.spawn(|| right.for_each(|mut tile| tile.for_each_mut(|x| *x += 1)));
    });
    let mut tiles: Vec<_> = t.tiles_mut((Int::<3>, Int::<2>)).collect();
    std::thread::scope(|scope| {
        for tile in &mut tiles {
            scope.spawn(move || tile.for_each_mut(|x| *x += 1));
        }
    });
    assert_eq!(data, [2; 60]);
}

/// Windows, slices and swizzled tiles interleave in memory, and share no element.
#[test]
fn interleaved_parts() {
    let mut data = vec![0u32; 64];
    let layout = Composed::of(Swizzle::new(3, 0, 3).unwrap(), make_layout((8, 8), (8, Int::<1>)));
    let mut t = Tensor::new(&mut data, layout).unwrap().injective().unwrap();
    let blocks: Vec<_> = t.blocks_mut((2, 4)).collect();
    std::thread::scope(|scope| {
        for mut block in blocks {
            scope.spawn(move || block.fill(1));
        }
    });
    assert_eq!(data, [1; 64]);
}

/// Several coordinates and several threads may share atomic elements.
#[test]
fn shared_atomics() {
    let counts = [const { AtomicU32::new(0) }; 2];
    let t = Tensor::new(&counts, make_layout((2, 4), (Int::<1>, Int::<0>))).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| t.for_each(|count| _ = count.fetch_add(1, Ordering::Relaxed)));
        }
    });
    assert_eq!(counts.map(AtomicU32::into_inner), [12, 12]);
}

/// A thread that panics in its tile leaves the tiles of other threads unchanged.
#[test]
fn a_thread_that_panics() {
    let mut data = vec![0u32; 16];
    let mut t = Tensor::new(&mut data, make_layout((4, 4), (Int::<1>, 4))).unwrap().injective().unwrap();
    let tiles: Vec<_> = t.tiles_mut((Int::<4>, Int::<1>)).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = tiles
            .into_iter()
            .enumerate()
            .map(|(k, mut tile)| {
                scope.spawn(move || {
                    tile.for_each_indexed_mut(|[i, _], x| {
                        assert!((k, i) != (2, 2), "in the middle");
                        *x = 1;
                    })
                })
            })
            .collect();
        let failed: Vec<bool> = threads.into_iter().map(|thread| thread.join().is_err()).collect();
        assert_eq!(failed, [false, false, true, false]);
    });
    assert_eq!(data, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1]);
}
