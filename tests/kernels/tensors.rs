//! Tensors beside plain indexing: every layout style, tiles with tails, slices, and what is refused.

use crd2idx::prelude::*;
use crd2idx::{Boxed, Clipped, Injective, Tile};

fn message<T>(f: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    let error = std::panic::catch_unwind(f).err().expect("a panic");
    error.downcast_ref::<String>().cloned().or_else(|| error.downcast_ref::<&str>().map(|text| text.to_string())).expect("a message")
}

/// The elements are their places, so that a tensor reads its indices.
fn places(len: usize) -> Vec<usize> {
    (0..len).collect()
}

/// Every way to an element agrees with the layout.
fn agree<L: Layout>(layout: L, len: usize, origin: usize) {
    let data = places(len);
    let t = Tensor::with_origin(&data, origin, layout).unwrap();
    let want: Vec<usize> = (0..layout.size()).map(|k| origin.wrapping_add(layout.crd2idx(k))).collect();
    assert_eq!((0..t.size()).map(|k| t[k]).collect::<Vec<_>>(), want);
    assert_eq!(t.iter().copied().collect::<Vec<_>>(), want);
    assert_eq!(t.iter().len(), want.len());
    let mut folded = Vec::new();
    t.iter().for_each(|x| folded.push(*x));
    assert_eq!(folded, want);
    let mut some = t.iter();
    some.next();
    assert_eq!(some.copied().fold(0, |sum, x| sum + x), want.iter().skip(1).sum::<usize>());
    assert_eq!(t.get(t.size()), None);
    let range = layout.index_range().unwrap();
    let inside = want.iter().all(|x| range.contains(&(*x as isize - origin as isize)));
    assert!(inside, "{range:?}");
    let mut distinct = want.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if let Some(injective) = layout.is_injective() {
        assert_eq!(injective, distinct.len() == want.len());
    }
    let mut owned = data.clone();
    let mut written = Tensor::with_origin(&mut owned, origin, layout).unwrap();
    written.for_each_mut(|x| *x |= 1 << 40);
    let marked = owned.iter().enumerate().filter(|(_, x)| **x >> 40 == 1).map(|(place, _)| place).collect::<Vec<_>>();
    assert_eq!(marked, distinct);
}

#[test]
fn every_layout() {
    let (m, n, ld) = (5, 7, 9);
    agree(layout!((4, 3) : (1, 4)), 12, 0);
    agree(layout!((m, n) : (ld, 1)), 43, 0);
    agree(layout!((m, (2, 3)) : (1, (m, 10))), 30, 0);
    agree(make_layout((m, n), (Signed(-1), m)), 35, 4);
    agree(make_layout((m, Signed(3)), (Int::<0>, 2)), 5, 0);
    agree(layout!((m, 0) : (1, 5)), 0, 0);
    agree(make_layout((2, 2, 2, 2, 2, 3), (1, 2, 4, 8, 16, 32)), 96, 0);
    agree(layout!((m, n) : (ld, 1)).hoist::<4>(), 43, 0);
    agree(StaticSwizzle::<3, 0, 3>.composition(layout!((8, 8) : (8, 1))), 64, 0);
    agree(StaticSwizzle::<2, 1, 3>.composition(layout!((m, n) : (8, 1))), 64, 0);
    agree(DynLayout::<16>::parse("((2,3),4):((4,8),-1)").unwrap(), 24, 3);
    agree(Clipped::new(layout!((8, (2, 4)) : (1, (8, 100))), (3, 5)), 400, 0);
    agree(Clipped::new(layout!((8, 4) : (4, 1)), (8, 2)), 32, 0);
    agree(Clipped::new(DynLayout::<16>::parse("(8,4):(4,1)").unwrap(), (1, 9)), 32, 0);
    agree(Injective::new(layout!((m, n) : (ld, 1))).unwrap(), 43, 0);
}

#[test]
fn storage_that_is_too_short() {
    let data = [0; 10];
    let error = Tensor::new(&data, layout!((2, 3) : (1, 4))).map(|t| t.size());
    assert_eq!(error, Ok(6));
    let long = Tensor::new(&data, layout!((2, 3) : (1, 5))).unwrap_err();
    assert_eq!(long.to_string(), "the layout has indices from 0 to 11, the storage has 10 elements, with index 0 at 0");
    let below = Tensor::new(&data, make_layout(3, Signed(-1))).unwrap_err();
    assert_eq!(below.to_string(), "the layout has indices from -2 to 0, the storage has 10 elements, with index 0 at 0");
    assert!(Tensor::with_origin(&data, 11, make_layout(0, 1)).is_err());
    assert!(Tensor::with_origin(&data, 10, make_layout(0, 1)).is_ok());
    assert!(Tensor::new(&data, make_layout((usize::MAX, 2), (usize::MAX / 2, 1))).is_err());
}

#[test]
fn owned_on_the_heap() {
    let mut t = Boxed::filled(make_layout((3, 4), (Signed(-4), 1)), 0).unwrap();
    t[(2, 3)] = 7;
    assert_eq!(t.as_slice(), [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(Boxed::filled(make_layout((1 << 40, 1 << 40), (1, 1 << 40)), ()).unwrap_err().to_string().contains("overflow"), true);
}

#[test]
fn slices() {
    let data = places(60);
    let t = Tensor::new(&data, layout!((3, (4, 5)) : (20, (5, 1)))).unwrap();
    let row = t.slice((2, Keep));
    for j in 0..20 {
        assert_eq!(row[(j,)], t[(2, j)]);
    }
    let inner = t.slice((Keep, (Keep, 3)));
    assert_eq!(inner[(1, 2)], t[(1, (2, 3))]);
    assert_eq!(message(|| t.slice((3, Keep))[(0,)]), "the coordinate (3,_) is outside of (3,(4,5)):(20,(5,1))");
    let empty = Tensor::new(&data, make_layout((3, 0), (1, 3))).unwrap();
    assert_eq!(empty.slice((2, Keep)).size(), 0);
    assert!(message(|| empty.slice((Keep, 0)).size()).contains("outside"));
    let swizzled = Tensor::new(&data, StaticSwizzle::<2, 0, 2>.composition(layout!((4, 4) : (4, 1)))).unwrap();
    let column = swizzled.slice((Keep, 2));
    assert!((0..4).all(|i| column[(i,)] == swizzled[(i, 2)]));
    let mut data = places(12);
    let mut t = Tensor::new(&mut data, layout!((3, 4) : (4, 1))).unwrap();
    t.slice_mut((1, Keep)).fill(0);
    assert_eq!(data, [0, 1, 2, 3, 0, 0, 0, 0, 8, 9, 10, 11]);
}

#[test]
fn operations() {
    let data = places(64);
    let (m, n) = (Dyn::<4>::new(8).unwrap(), 8);
    let t = Tensor::new(&data, make_layout((m, n), (8, Int::<1>))).unwrap();
    let tiles = t.zipped_divide(shape!(4, _));
    assert_eq!(tiles[((3, 2), 1)], t[(7, 2)]);
    assert_eq!(t.flatten()[(1, 2)], t[(1, 2)]);
    let line = Tensor::new(&data, make_layout((n,), (2,))).unwrap();
    assert_eq!(line.composition(make_layout(4, 2))[3], line[6]);
    assert!(message(|| line.composition(make_layout(4, 3))[3]).contains("outside of the 8 coordinates"));
    let swizzled = Tensor::new(&data, StaticSwizzle::<3, 0, 3>.composition(layout!((8, 8) : (8, 1)))).unwrap();
    let quarters = swizzled.zipped_divide(shape!(4, 4));
    assert_eq!(quarters[((1, 2), (1, 0))], swizzled[(5, 2)]);
}

/// Every element of a tensor of extents `whole` is in one tile of the shape `tile`, at its place.
fn tiled<L: Layout + crd2idx::Tileable<T>, T: IntTuple>(layout: L, tile: T, whole: [usize; 2], extent: [usize; 2]) {
    let data = places(4096);
    let t = Tensor::new(&data, layout).unwrap();
    let tiles = t.try_tiles(tile).unwrap();
    let grid = [whole[0].div_ceil(extent[0]), whole[1].div_ceil(extent[1])];
    assert_eq!(tiles.len(), if whole.contains(&0) { 0 } else { grid[0] * grid[1] });
    for (k, tile) in tiles.enumerate() {
        let (gi, gj) = (k % grid[0] * extent[0], k / grid[0] * extent[1]);
        let used = [extent[0].min(whole[0] - gi), extent[1].min(whole[1] - gj)];
        assert_eq!(matches!(tile, Tile::Full(_)), used == extent);
        for (i, j) in (0..extent[1]).flat_map(|j| (0..extent[0]).map(move |i| (i, j))) {
            let want = (i < used[0] && j < used[1]).then(|| t[(gi + i, gj + j)]);
            assert_eq!(tile.get((i, j)).copied(), want, "{:?}", (gi, gj, i, j));
        }
        assert_eq!(tile.size(), used[0] * used[1]);
        let mut all = Vec::new();
        tile.for_each(|x| all.push(*x));
        let want: Vec<usize> = (0..used[1]).flat_map(|j| (0..used[0]).map(move |i| (i, j))).map(|(i, j)| t[(gi + i, gj + j)]).collect();
        assert_eq!(all, want);
    }
}

#[test]
fn tiles_and_tails() {
    for (m, n) in [(8, 8), (10, 6), (1, 1), (3, 17), (0, 5), (16, 4)] {
        tiled(layout!((m, n) : (1, m)), shape!(4, 3), [m, n], [4, 3]);
        tiled(layout!((m, n) : (n, 1)).hoist::<4>(), (4, 3), [m, n], [4, 3]);
        tiled(Injective::new(layout!((m, n) : (n, 1))).unwrap(), shape!(8, 8), [m, n], [8, 8]);
        tiled(StaticSwizzle::<3, 0, 3>.composition(make_layout((m, n), (32, Int::<1>))), shape!(4, 3), [m, n], [4, 3]);
        let text = format!("({m},{n}):({n},1)");
        tiled(DynLayout::<16>::parse(&text).unwrap(), (4, 3), [m, n], [4, 3]);
        tiled(Clipped::new(layout!((32, 32) : (32, 1)), (m, n)), shape!(4, 3), [m, n], [4, 3]);
        // A nested mode: tiles within and across its parts.
        let nested = make_layout((m, (Int::<4>, 5)), (1, (m, 4 * m)));
        tiled(nested, shape!(4, 2), [m, 20], [4, 2]);
        tiled(nested, shape!(4, 8), [m, 20], [4, 8]);
    }
    let data = places(100);
    let nested = Tensor::new(&data, make_layout((2, (Int::<4>, 5)), (1, (2, 8)))).unwrap();
    assert!(nested.try_tiles(shape!(2, 3)).is_err());
    assert!(nested.try_tiles((2, 0)).is_err());
    let plain = Tensor::new(&data, layout!((10, 6) : (1, 10))).unwrap();
    assert_eq!(plain.tiles(shape!(4, 4)).full().len(), 2);
    assert_eq!(plain.tiles(shape!(5, 3)).exact().unwrap().grid(), (2, 2));
    let error = plain.tiles(shape!(5, 4)).exact().err().unwrap();
    assert_eq!(error.to_string(), "zipped_divide: tile 4 does not divide the extent 6 of mode 1");
    // Modes that the tiler does not name stay whole.
    let cube = Tensor::new(&data, layout!((5, 4, 3) : (1, 5, 20))).unwrap();
    let sums: Vec<usize> = cube.tiles((Int::<2>,)).map(|tile| tile.size()).collect();
    assert_eq!(sums, [24, 24, 12]);
}

#[test]
fn tiles_that_are_written() {
    let (m, n) = (13, 9);
    let mut data = vec![0; 13 * 9];
    let mut t = Tensor::new(&mut data, layout!((m, n) : (n, 1))).unwrap().injective().unwrap();
    let (left, right) = t.tiles_mut(shape!(4, 4)).split_at(5);
    assert_eq!((left.len(), right.len()), (5, 7));
    std::thread::scope(|scope| {
        for (part, tiles) in [left, right].into_iter().enumerate() {
            scope.spawn(move || {
                for (k, mut tile) in tiles.enumerate() {
                    tile.for_each_mut(|x| *x += 1 + 5 * part + k);
                    // A tile is injective, as the whole is.
                    if let Tile::Full(mut tile) = tile {
                        tile.tiles_mut(shape!(2, 2)).for_each(|mut small| small.for_each_mut(|x| *x += 100));
                    }
                }
            });
        }
    });
    for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let (k, full) = (i / 4 + j / 4 * 4, i < 12 && j < 8);
        assert_eq!(data[i * n + j], 1 + k + if full { 100 } else { 0 }, "{:?}", (i, j));
    }
    let mut data = vec![0; 9];
    let overlap = Tensor::new(&mut data, make_layout((3, 3), (1, 2))).unwrap().injective();
    assert_eq!(overlap.err().unwrap().to_string(), "two coordinates of the layout share an index");
}
