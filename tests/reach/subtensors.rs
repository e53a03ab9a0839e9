//! Rows of the table: windows, blocks, tiles, slices, layouts that the algebra rearranges, and vectors.

use crate::case::{Case, LEN, ORIGIN, Rank0, Rank1, Rank2, Rank3};
use crate::layouts::{in_one, swizzle};
use crd2idx::layouts::{Composed, Swizzle};
use crd2idx::prelude::*;
use crd2idx::tensor::layout_tv;

const SWIZZLED: &str = "a swizzle moves elements";

// Windows and blocks.

row! {
    window: Case::<u64, Rank2>::new(&[3, 2], ORIGIN, |c| 1 + c[0] + 6 * (2 + c[1]));
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 6), (Int::<1>, 6))).unwrap();
        let w = t.window_mut((1, 2), (3, 2)).unwrap();
    } w;
    numbers; tiles (2, 1), [2, 1]; no vectors "a window has no vectors"; no slices "a window has no type to slice";
}

row! {
    window_in_a_row: Case::<u64, Rank2>::new(&[5, 2], ORIGIN, |c| c[0] + 5 * (3 + c[1]));
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 6), (1, 5))).unwrap();
        let w = t.window_mut((0, 3), (5, 2)).unwrap();
    } w;
    numbers; tiles (2, 2), [2, 2];
}

row! {
    window_of_a_window: Case::<u64, Rank2>::new(&[2, 2], ORIGIN, |c| 8 * (2 + c[0]) - (1 + c[1]));
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 6), (8, Signed(-1)))).unwrap();
        let mut outer = t.window_mut((1, 1), (4, Int::<5>)).unwrap();
        let w = outer.window_mut((1, 0), (2, 2)).unwrap();
    } w;
    numbers; tiles (1, 2), [1, 2];
}

row! {
    window_of_one: Case::<u64, Rank2>::new(&[1, 1], ORIGIN, |_| 3 + 6 * 4);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 6), (1, 6))).unwrap();
        let w = t.window_mut((3, 4), (1, 1)).unwrap();
    } w;
    numbers; tiles (2, 2), [2, 2];
}

row! {
    window_of_none: Case::<u64, Rank2>::new(&[0, 2], ORIGIN, |_| 0);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 6), (1, 6))).unwrap();
        let w = t.window_mut((5, 4), (0, 2)).unwrap();
    } w;
    numbers; tiles (2, 2), [2, 2];
}

row! {
    window_of_first_modes: Case::<u64, Rank2>::new(&[2, 3], ORIGIN, |c| 3 * (1 + c[0]) + c[1]);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, layout!((4, 3) : (3, 1))).unwrap();
        let w = t.window_mut((1,), (2,)).unwrap();
    } w;
    numbers; tiles (1,), [1];
}

row! {
    window_swizzled: Case::<u64, Rank2>::new(&[2, 3], ORIGIN, |c| swizzle(2, 0, 2, 4 * (1 + c[0]) + 1 + c[1])).without_strides(SWIZZLED);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<2, 0, 2>.composition(layout!((4, 4) : (4, 1)))).unwrap();
        let w = t.window_mut((1, 1), (2, 3)).unwrap();
    } w;
    numbers; tiles (1, 2), [1, 2];
}

row! {
    window_of_xor_strides: Case::<u64, Rank2>::new(&[2, 3], ORIGIN, |c| { let i = 1 + c[0]; (i ^ i << 2) ^ (1 + c[1]) })
        .without_strides("strides are exchanged").without_loops("what is exchanged takes no steps");
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, DynLayout::<16>::parse("(4,4):(^5,^1)").unwrap()).unwrap();
        let w = t.window_mut((1, 1), (2, 3)).unwrap();
    } w;
    numbers; tiles (1, 2), [1, 2];
}

row! {
    window_of_nested_modes: Case::<u64, Rank2>::new(&[2, 4], ORIGIN, |c| { let j = 1 + c[1]; 6 * (1 + c[0]) + 3 * (j % 2) + j / 2 })
        .without_strides("the leaves of mode 1 do not follow each other").without_loops("a part of a nested mode is no box of its leaves");
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, DynLayout::<16>::parse("(3,(2,3)):(6,(3,1))").unwrap()).unwrap();
        let w = t.window_mut((1, 1), (2, 4)).unwrap();
    } w;
    numbers; tiles (2, 3), [2, 3];
}

row! {
    window_of_nested_modes_in_a_row: Case::<u64, Rank1>::new(&[4], ORIGIN, |c| 1 + c[0]).without_loops("a part of a nested mode is no box of its leaves");
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, layout!(((2, 3),) : ((1, 2),))).unwrap();
        let w = t.window_mut((1,), (4,)).unwrap();
    } w;
    numbers; tiles (3,), [3];
}

row! {
    last_block: Case::<u64, Rank1>::new(&[1], ORIGIN, |_| 4);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, layout!((5,) : (1,))).unwrap();
        let block = t.blocks_mut((2,)).last().unwrap();
    } block;
    numbers; tiles (2,), [2];
}

row! {
    block_of_a_block: Case::<u64, Rank2>::new(&[1, 2], ORIGIN, |c| swizzle(2, 0, 2, 4 * 3 + 2 + c[1])).without_strides(SWIZZLED);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<2, 0, 2>.composition(layout!((4, 4) : (4, 1)))).unwrap();
        let mut block = t.blocks_mut((2, 2)).last().unwrap().injective().unwrap();
        let inner = block.blocks_mut((Int::<1>, 2)).last().unwrap();
    } inner;
    numbers; tiles (1, 1), [1, 1];
}

// Tiles, full and partial.

/// Returns the tile, which must be full.
fn full<S, L, E: crd2idx::layouts::Coordinate>(tile: Tile<S, L, E>) -> Tensor<S, L> {
    match tile {
        Tile::Full(tile) => tile,
        Tile::Partial(_) => panic!("the tile is partial"),
    }
}

row! {
    full_tile: Case::<u64, Rank2>::new(&[2, 3], ORIGIN, |c| 2 + c[0] + 5 * (3 + c[1]));
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 7), (Int::<1>, 5))).unwrap().injective().unwrap();
        let tile = full(t.tiles_mut((Int::<2>, Int::<3>)).nth(4).unwrap());
    } tile;
    numbers; tiles (1, 2), [1, 2]; slices;
}

row! {
    partial_tile: Case::<u64, Rank2>::new(&[1, 3], ORIGIN, |c| 4 + 5 * (3 + c[1]));
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 7), (Int::<1>, 5))).unwrap().injective().unwrap();
        let tile = t.tiles_mut((Int::<2>, Int::<3>)).nth(5).unwrap().into_window();
    } tile;
    numbers; tiles (1, 2), [1, 2];
}

row! {
    last_tile_of_one: Case::<u64, Rank2>::new(&[1, 1], ORIGIN, |_| 4 + 5 * 6);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 7), (Int::<1>, 5))).unwrap().injective().unwrap();
        let tile = t.tiles_mut((Int::<2>, Int::<3>)).last().unwrap().into_window();
    } tile;
    numbers; tiles (2, 2), [2, 2];
}

row! {
    tile_swizzled: Case::<u64, Rank2>::new(&[2, 3], ORIGIN, |c| swizzle(2, 0, 2, 4 * (2 + c[0]) + c[1])).without_strides(SWIZZLED);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<2, 0, 2>.composition(layout!((4, 4) : (4, 1)))).unwrap();
        let tile = full(t.tiles_mut((Int::<2>, Int::<3>)).nth(1).unwrap());
    } tile;
    numbers; tiles (Int::<1>, Int::<2>), [1, 2]; slices;
}

row! {
    partial_tile_swizzled: Case::<u64, Rank2>::new(&[2, 1], ORIGIN, |c| swizzle(2, 0, 2, 4 * (2 + c[0]) + 3)).without_strides(SWIZZLED);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<2, 0, 2>.composition(layout!((4, 4) : (4, 1)))).unwrap();
        let tile = t.tiles_mut((Int::<2>, Int::<3>)).last().unwrap().into_window();
    } tile;
    numbers; tiles (1, 1), [1, 1];
}

row! {
    tile_of_a_window: Case::<u64, Rank2>::new(&[1, 1], ORIGIN, |_| 6 * 3 + 4);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((4, 6), (6, Int::<1>))).unwrap().injective().unwrap();
        let mut w = t.window_mut((1, 2), (3, 3)).unwrap();
        let tile = w.try_tiles_mut((2, 2)).unwrap().last().unwrap().into_window();
    } tile;
    numbers; tiles (2, 2), [2, 2];
}

row! {
    tile_dynamic: Case::<u64, Rank2>::new(&[2, 2], ORIGIN, |c| 4 * (2 + c[0]) + 2 * c[1] + 1);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, DynLayout::<16>::parse("(4,(2,2)):(4,(2,1))").unwrap()).unwrap().injective().unwrap();
        let tile = full(t.try_tiles_mut((2, 2)).unwrap().last().unwrap());
    } tile;
    numbers; tiles (1, 2), [1, 2];
}

// Slices, down to rank 0.

row! {
    slice: Case::<u64, Rank1>::new(&[4], ORIGIN, |c| 7 * 2 + c[0]);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((3, 4), (7, Int::<1>))).unwrap();
        let s = t.slice_mut((2, Keep));
    } s;
    numbers; tiles (3,), [3]; vectors 2 along 0; slices; masked (Int::<3>,), [3], in_one;
}

row! {
    slice_downwards: Case::<u64, Rank2>::new(&[3, 2], LEN - 1, |c| -c[0] - 3 - 6 * c[1]);
    |data| {
        let mut t = Tensor::with_origin(data, LEN - 1, make_layout((3, 2, 2), (Signed(-1), Signed(-3), Signed(-6)))).unwrap();
        let s = t.slice_mut((Keep, 1, Keep));
    } s;
    numbers; tiles (2, 1), [2, 1]; slices;
}

row! {
    slice_swizzled: Case::<u64, Rank1>::new(&[4], ORIGIN, |c| swizzle(2, 0, 2, 4 * 3 + c[0])).without_strides(SWIZZLED);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<2, 0, 2>.composition(layout!((4, 4) : (4, 1)))).unwrap();
        let s = t.slice_mut((3, Keep));
    } s;
    numbers; tiles (3,), [3]; slices;
}

row! {
    /// The slice would begin at address 0.
    slice_of_none: Case::<u64, Rank1>::new(&[0], ORIGIN, |_| 0);
    |data| {
        let elements = (&raw const data[ORIGIN]).addr() / size_of::<u64>();
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((2, 0), (Signed(-(elements as isize)), 1))).unwrap();
        let s = t.slice_mut((1, Keep));
        assert!(s.as_ptr().is_null());
    } s;
    numbers; tiles (3,), [3];
}

row! {
    element: Case::<u64, Rank0>::new(&[], ORIGIN, |_| 7 * 2 + 3);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((3, 4), (7, Int::<1>))).unwrap();
        let s = t.slice_mut((2, 3));
    } s;
    numbers;
}

row! {
    element_swizzled: Case::<u64, Rank0>::new(&[], ORIGIN, |_| swizzle(2, 0, 2, 4 * 3 + 2)).without_strides(SWIZZLED);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<2, 0, 2>.composition(layout!((4, 4) : (4, 1)))).unwrap();
        let s = t.slice_mut((3, 2));
    } s;
    numbers;
}

row! {
    element_below_zero: Case::<u64, Rank0>::new(&[], LEN, |_| swizzle(2, 0, 3, 1 - 64)).without_strides(SWIZZLED);
    |data| {
        let mut t = Tensor::with_origin(data, LEN, Composed::new(Swizzle::new(2, 0, 3).unwrap(), Signed(-64), make_layout((4,), (1,)))).unwrap();
        let s = t.slice_mut((1,));
    } s;
    numbers;
}

row! {
    element_without_size: Case::<(), Rank0>::new(&[], LEN, |_| swizzle(2, 0, 3, 1 - 64)).without_strides(SWIZZLED);
    |data| {
        let mut t = Tensor::with_origin(data, LEN, Composed::new(Swizzle::new(2, 0, 3).unwrap(), Signed(-64), make_layout((4,), (1,)))).unwrap();
        let s = t.slice_mut((1,));
    } s;
}

row! {
    window_without_size: Case::<(), Rank2>::new(&[3, 2], ORIGIN, |c| 1 + c[0] + 6 * (2 + c[1]));
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((5, 6), (Int::<1>, 6))).unwrap();
        let w = t.window_mut((1, 2), (3, 2)).unwrap();
    } w;
    tiles (2, 1), [2, 1];
}

/// Whole tiles of a mode with one element; the second would begin at address 0.
#[test]
fn masked_slice_of_none() {
    let data: [u64; 3] = [5, 6, 7];
    let elements = data.as_ptr().addr() / size_of::<u64>();
    let t = Tensor::new(&data, make_layout((1, 3), (Signed(-(elements as isize)), Int::<1>))).unwrap();
    let rows = |row: usize| t.masked((Int::<2>, Int::<3>)).slice(((row, Keep), (0, 0)));
    assert_eq!((0..3).map(|k| rows(0).get((k,)).copied()).collect::<Vec<_>>(), [Some(5), Some(6), Some(7)]);
    assert!((0..3).all(|k| rows(1).get((k,)).is_none()));
}

// Layouts that the algebra rearranges.

row! {
    composed_tensor: Case::<u64, Rank1>::new(&[3], ORIGIN, |c| 2 + 3 * c[0]);
    |data| {
        let t = Tensor::with_origin(data, ORIGIN + 2, layout!((9,) : (1,))).unwrap();
        let s = t.composition(layout!((3,) : (3,)));
    } s;
    numbers; tiles (Int::<2>,), [2]; slices;
}

row! {
    selected: Case::<u64, Rank2>::new(&[3, 4], ORIGIN, |c| c[0] + 12 * c[1]);
    |data| {
        let t = Tensor::with_origin(data, ORIGIN, layout!((4, 4, 3) : (12, 3, 1))).unwrap();
        let s = t.select((Int::<2>, Int::<0>));
    } s;
    numbers; tiles (Int::<2>, Int::<2>), [2, 2]; slices;
}

row! {
    divided: Case::<u64, Rank2>::new(&[4, 4], ORIGIN, |c| swizzle(1, 1, 2, 4 * (c[0] % 2 + 2 * (c[1] % 2)) + c[0] / 2 + 2 * (c[1] / 2))).without_strides(SWIZZLED);
    |data| {
        let t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<1, 1, 2>.composition(layout!((4, 4) : (4, 1)))).unwrap();
        let s = t.zipped_divide((Int::<2>, Int::<2>));
    } s;
    numbers; tiles (Int::<2>, Int::<2>), [2, 2]; slices;
}

row! {
    partitioned: Case::<u64, Rank1>::new(&[2], ORIGIN, |c| 4 + 2 + c[0]);
    |data| {
        let tv = layout_tv(layout!((2, 2) : (2, 1)), layout!((1, 2) : (2, 1)));
        let mut t = Tensor::with_origin(data, ORIGIN, layout!((2, 4) : (4, 1))).unwrap();
        let s = t.partition_mut(tv, 3);
    } s;
    numbers; slices;
}

row! {
    transposed_window: Case::<u64, Rank3>::new(&[2, 1, 2], ORIGIN, |c| 12 * (1 + c[0]) + 3 * 2 + 1 + c[2]);
    |data| {
        let mut t = Tensor::with_origin(data, ORIGIN, make_layout((3, 4, 3), (12, 3, 1))).unwrap();
        let w = t.window_mut((1, 2, 1), (2, 1, 2)).unwrap();
    } w;
    numbers; tiles (1, 1, 1), [1, 1, 1];
}
