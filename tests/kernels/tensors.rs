//! Tensors compared with plain indexing: every kind of layout, partial tiles, slices, and refusals.

use crd2idx::prelude::*;
use crd2idx::tensor::layout_tv;

pub(super) fn message<T>(f: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    let error = std::panic::catch_unwind(f).err().expect("a panic");
    error.downcast_ref::<String>().cloned().or_else(|| error.downcast_ref::<&str>().map(|text| text.to_string())).expect("a message")
}

/// Returns elements that equal their positions, so that reading a tensor gives its indices.
pub(super) fn places(len: usize) -> Vec<usize> {
    (0..len).collect()
}

/// Checks that every way to read an element agrees with the layout, in a storage of `len` elements with index 0 at position `origin`.
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
    assert_eq!(some.copied().sum::<usize>(), want.iter().skip(1).sum::<usize>());
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
    const MARK: usize = 1 << (usize::BITS - 1);
    written.for_each_mut(|x| *x |= MARK);
    let marked = owned.iter().enumerate().filter(|(_, x)| **x >= MARK).map(|(place, _)| place).collect::<Vec<_>>();
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
    agree(Window::clipped(layout!((8, (2, 4)) : (1, (8, 100))), (3, 5)), 400, 0);
    agree(Window::clipped(layout!((8, 4) : (4, 1)), (8, 2)), 32, 0);
    agree(Window::clipped(DynLayout::<16>::parse("(8,4):(4,1)").unwrap(), (1, 9)), 32, 0);
    agree(Injective::new(layout!((m, n) : (ld, 1))).unwrap(), 43, 0);
}

#[test]
fn storage_that_is_too_short() {
    let data = [0; 10];
    let error = Tensor::new(&data, layout!((2, 3) : (1, 4))).map(|t| t.size());
    assert_eq!(error, Ok(6));
    let long = Tensor::new(&data, layout!((2, 3) : (1, 5))).unwrap_err();
    assert_eq!(long.to_string(), "the layout has indices from 0 to 11, but the storage has 10 elements, with index 0 at 0");
    let below = Tensor::new(&data, make_layout(3, Signed(-1))).unwrap_err();
    let text = "the layout has indices from -2 to 0, but the storage has 10 elements, with index 0 at 0: negative strides walk down from the `origin` of `Tensor::with_origin`";
    assert_eq!((below.to_string(), format!("{below:?}")), (text.into(), text.into()));
    let origin = |origin| format!("{:?}", Tensor::with_origin(&data, origin, make_layout(13, Signed(-1))).unwrap_err());
    assert_eq!([11, 12, usize::MAX].map(|at| origin(at).contains("with_origin")), [true, false, false]);
    assert!(Tensor::with_origin(&data, 11, make_layout(0, 1)).is_err());
    assert!(Tensor::with_origin(&data, 10, make_layout(0, 1)).is_ok());
    assert!(Tensor::new(&data, make_layout((usize::MAX, 2), (usize::MAX / 2, 1))).is_err());
}

#[test]
fn owned_on_the_heap() {
    let mut t = Boxed::filled(make_layout((3, 4), (Signed(-4), 1)), 0).unwrap();
    t[(2, 3)] = 7;
    assert_eq!(t.as_slice(), [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
    #[cfg(target_pointer_width = "64")]
    assert!(Boxed::filled(make_layout((1 << 40, 1 << 40), (1, 1 << 40)), ()).unwrap_err().to_string().contains("overflow"));
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
    assert_eq!(line.try_composition(make_layout(4, 2)).unwrap()[3], line[6]);
    let outside = line.try_composition(make_layout(4, 3)).unwrap_err();
    assert_eq!(outside, TensorError::Coordinates { first: 0, last: 9, size: 8 });
    assert!(line.try_composition(make_layout(0, 30)).is_ok());
    assert_eq!(t.try_zipped_divide((4, 2)).unwrap()[((3, 1), (1, 2))], t[(7, 5)]);
    assert_eq!(t.try_zipped_divide((4, 3)).unwrap_err().to_string(), "zipped_divide: tile 3 does not divide the extent 8 of mode 1");
    let swizzled = Tensor::new(&data, StaticSwizzle::<3, 0, 3>.composition(layout!((8, 8) : (8, 1)))).unwrap();
    let quarters = swizzled.zipped_divide(shape!(4, 4));
    assert_eq!(quarters[((1, 2), (1, 0))], swizzled[(5, 2)]);
}

/// Checks that every element of a tensor of extents `whole` is at its coordinate in one tile. `extent` has the numbers of `tile`.
fn tiled<L: Layout + crd2idx::tensor::Tileable<T>, T: IntTuple>(layout: L, tile: T, whole: [usize; 2], extent: [usize; 2]) {
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
        tile.into_window().ordered().for_each(|x| all.push(*x));
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
        tiled(Window::clipped(layout!((32, 32) : (32, 1)), (m, n)), shape!(4, 3), [m, n], [4, 3]);
        // In a nested mode, tiles lie within a leaf or span several.
        let nested = make_layout((m, (Int::<4>, 5)), (1, (m, 4 * m)));
        tiled(nested, shape!(4, 2), [m, 20], [4, 2]);
        tiled(nested, shape!(4, 8), [m, 20], [4, 8]);
    }
    let data = places(100);
    let nested = Tensor::new(&data, make_layout((2, (Int::<4>, 5)), (1, (2, 8)))).unwrap();
    assert!(nested.try_tiles(shape!(2, 3)).is_err());
    assert!(nested.try_tiles((2, 0)).is_err());
    // Static extents prove that the tiles fit.
    let data = places(2 * 4096);
    let channels = Tensor::new(&data, layout!(((16, 8), 10) : ((1, 160), 16))).unwrap();
    let begins: Vec<usize> = channels.tiles(shape!(16, 4)).map(|tile| *tile.get((0, 0)).unwrap()).collect();
    assert_eq!(begins, (0..3).flat_map(|j| (0..8).map(move |k| 160 * k + 64 * j)).collect::<Vec<_>>());
    tiled(layout!(((16, 8), 10) : ((1, 160), 16)), shape!(32, 4), [128, 10], [32, 4]);
    tiled(layout!(((16, 5), 10) : ((1, 160), 16)), shape!(32, 4), [80, 10], [32, 4]);
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
                    // A tile is injective if its tensor is.
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

/// Walks with coordinates and in pairs agree with indices, whatever the nesting.
#[test]
fn walks() {
    let rows = Tensor::new(&[0, 1, 2, 3, 4, 5], layout!((2, 3) : (3, 1))).unwrap();
    let mut seen = Vec::new();
    for x in &rows {
        seen.push(*x);
    }
    assert_eq!(seen, [0, 3, 1, 4, 2, 5]);
    let data = places(4000);
    fn check<L: Layout>(data: &[usize], layout: L, m: usize, n: usize) -> Vec<((usize, usize), usize)> {
        let t = Tensor::new(data, layout).unwrap();
        let want: Vec<_> = (0..n).flat_map(|j| (0..m).map(move |i| (i, j))).map(|(i, j)| ((i, j), t[(i, j)])).collect();
        let mut seen = Vec::new();
        t.for_each_at(|c: (usize, usize), x| seen.push((c, *x)));
        assert!(seen.len() == want.len() && want.iter().all(|pair| seen.contains(pair)));
        seen.clear();
        t.ordered().for_each_at(|c: (usize, usize), x| seen.push((c, *x)));
        assert_eq!(seen, want);
        let mut linear = Vec::new();
        t.for_each_at(|k: usize, x| linear.push((k, *x)));
        linear.sort_unstable();
        assert_eq!(linear, want.iter().enumerate().map(|(k, (_, x))| (k, *x)).collect::<Vec<_>>());
        want
    }
    let (m, n) = (6, 8);
    let rows = layout!((m, n) : (n, 1));
    let all = check(&data, rows, m, n);
    let t = Tensor::new(&data, rows).unwrap();
    let mut again = Vec::new();
    t.view().ordered().for_each_at(|c: (usize, usize), x| again.push((c, *x)));
    assert_eq!(again, all);
    check(&data, layout!((6, 8) : (8, 1)), m, n);
    check(&data, make_layout(((2, 3), (2, 2, 2)), ((100, 7), (1, 300, 40))), m, n);
    check(&data, StaticSwizzle::<3, 0, 3>.composition(layout!((6, (4, 2)) : (8, (1, 4)))), m, n);
    check(&data, DynLayout::<16>::parse("((2,3),8):((1,100),9)").unwrap(), m, n);
    check(&data, Window::clipped(layout!((8, (2, 6)) : (1, (8, 100))), (m, n)), m, n);
    check(&data, Window::clipped(layout!((8, 9) : (9, 1)), (m, n)), m, n);

    fn paired<A: Layout, B: Layout>(data: &[usize], a: A, b: B) {
        let from = Tensor::new(data, b).unwrap();
        let mut out = vec![0; data.len()];
        let mut to = Tensor::new(&mut out, a).unwrap();
        to.assign(&from);
        for k in 0..to.size() {
            let c: (usize, usize) = to.layout().idx2crd(k);
            assert_eq!(to[c], from[c]);
        }
    }
    let nested = make_layout(((2, 3), (4, 2)), ((1, 100), (2, 1000)));
    let other = make_layout(((3, 2), 8), ((50, 1), 300));
    for _ in 0..2 {
        paired(&data, rows, layout!((m, n) : (1, m)));
        paired(&data, layout!((6, 8) : (1, 6)), layout!((6, 8) : (8, 1)));
        paired(&data, rows, nested);
        paired(&data, nested, make_layout(((2, 3), (2, 2, 2)), ((1, 100), (2, 10, 1000))));
        paired(&data, other, nested);
        paired(&data, rows, Window::clipped(layout!((8, (2, 6)) : (1, (8, 100))), (m, n)));
        paired(&data, DynLayout::<16>::parse("(6,8):(1,6)").unwrap(), nested);
    }
    let mut out = places(8);
    let mut short = Tensor::new(&mut out, layout!((2, 4) : (4, 1))).unwrap();
    let error = message(std::panic::AssertUnwindSafe(|| short.assign(&t)));
    assert_eq!(error, "tensors of the extents [2, 4] and [6, 8] have not the same coordinates");
}

#[test]
fn modes_and_partitions() {
    let data = places(120);
    let (a, b, c) = (4, 5, 6);
    let t = Tensor::new(&data, layout!((a, b, c) : (30, 6, 1))).unwrap();
    assert_eq!(t.select((Int::<2>, Int::<0>))[(5, 3)], t[(3, 0, 5)]);
    assert_eq!(t.mode(Int::<1>)[4], t[(0, 4, 0)]);
    assert_eq!(message(|| t.select((Int::<1>, Int::<1>)).size()), "select: mode 1 is named twice");
    let empty = Tensor::new(&data[..0], layout!((a, 0) : (1, 4))).unwrap();
    assert!(message(|| empty.mode(Int::<0>).size()).contains("no coordinate 0"));
    // 32 threads on an 8 x 32 tile, each with 2 x 4 values: every element belongs to one thread.
    let tv = layout_tv(layout!((4, 8) : (8, 1)), layout!((2, 4) : (4, 1)));
    let data = places(256);
    for swizzled in [false, true] {
        let plain = Tensor::new(&data, layout!((8, 32) : (32, 1))).unwrap();
        let other = Tensor::new(&data, StaticSwizzle::<2, 2, 3>.composition(layout!((8, 32) : (32, 1)))).unwrap();
        let mut seen = vec![0; 256];
        for thread in 0..32 {
            let values: Vec<usize> = if swizzled {
                other.partition(tv, thread).iter().copied().collect()
            } else {
                plain.partition(tv, thread).iter().copied().collect()
            };
            assert_eq!(values.len(), 8);
            values.iter().for_each(|x| seen[*x] += 1);
            let (i, j) = (thread / 8 * 2, thread % 8 * 4);
            let want = if swizzled { other[(i, j + 1)] } else { plain[(i, j + 1)] };
            assert_eq!(values[1], want);
        }
        assert_eq!(seen, [1; 256]);
    }
    let plain = Tensor::new(&data, layout!((8, 32) : (32, 1))).unwrap();
    assert!(message(|| plain.partition(tv, 32).size()).contains("outside"));
}

/// Each tile comes once, in order, for any number of tiles taken from either end before the fold.
#[test]
fn every_tile_comes_once() {
    fn walk<T: Copy + crd2idx::layouts::IntTuple, L: crd2idx::tensor::Tileable<T>>(layout: L, tile: T)
    where
        L::Tile: Layout,
    {
        let data = places(4096);
        let t = Tensor::new(&data, layout).unwrap();
        let first = |tile: Tile<_, _, _>| *tile.get(0).unwrap();
        let all: Vec<usize> = t.try_tiles(tile).unwrap().map(first).collect();
        let mut one_by_one = Vec::new();
        for tile in t.try_tiles(tile).unwrap() {
            one_by_one.push(first(tile));
        }
        assert_eq!(all, one_by_one);
        // An interpreter takes a second for each case.
        let step = if cfg!(miri) { 1 + all.len() / 3 } else { 1 };
        let counts = || (0..all.len() + 2).step_by(step);
        for (front, back) in counts().flat_map(|front| counts().map(move |back| (front, back))) {
            for cut in (0..=all.len()).step_by(step) {
                let (mut left, right) = t.try_tiles(tile).unwrap().split_at(cut);
                let mut found: Vec<usize> = (0..front).filter_map(|_| left.next()).map(first).collect();
                let mut behind: Vec<usize> = (0..back).filter_map(|_| left.next_back()).map(first).collect();
                left.for_each(|tile| found.push(first(tile)));
                behind.reverse();
                found.extend(behind);
                right.for_each(|tile| found.push(first(tile)));
                assert_eq!(found, all, "{front} {back} {cut}");
            }
        }
        let (none, _) = t.try_tiles(tile).unwrap().split_at(0);
        assert_eq!(none.full().count(), 0);
        let mut some = t.try_tiles(tile).unwrap();
        for _ in 0..all.len() {
            some.next();
        }
        assert_eq!(some.fold(0, |count, _| count + 1), 0);
    }
    walk(layout!((10, 6) : (1, 10)), shape!(4, 4));
    walk(layout!((3, 4, 2) : (1, 3, 12)), (2, 3, 1));
    walk(layout!((3, 4) : (1, 3)), (2,));
    walk(layout!((2, 2, 2, 2, 2) : (1, 2, 4, 8, 16)), (1, 2, 1, 1, 1));
}

/// Walks by stride visit every index as often as walks in the order of coordinates, and upwards.
#[test]
fn walks_by_stride() {
    fn check<L: Layout>(layout: L, swizzled: bool) {
        let (mut want, mut by_coordinate, mut found) = (Vec::new(), Vec::new(), Vec::new());
        (0..layout.size()).for_each(|k| want.push(layout.crd2idx(k)));
        layout.for_each_index(|index| by_coordinate.push(index));
        assert_eq!(by_coordinate, want);
        layout.for_each_index_by_stride(|index| found.push(index));
        want.sort_unstable();
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, want);
        assert!(swizzled || found.is_sorted_by_key(|index| *index as isize), "{found:?}");
    }
    let (m, n) = (5, 7);
    check(layout!((m, n) : (n, 1)), false);
    check(layout!((m, n, 3) : (1, 20, 5)), false);
    check(layout!((m, n, 0) : (1, 20, 5)), false);
    check(layout!((2, 1, 2, 2, 2, 3) : (48, 5, 1, 2, 24, 4)), false);
    check(make_layout((m, n), (Signed(-1), Signed(-5))), false);
    check(make_layout((m, n), (Signed(-1), Int::<0>)), false);
    check(DynLayout::<16>::parse("((2,3),4,2):((4,8),-1,100)").unwrap(), false);
    // Static layouts, whose order is a constant.
    check(layout!((2, (3, 4)) : (12, (4, 1))), false);
    check(layout!((2, 2, 2, 2, 3, 2) : (48, 1, 4, 2, 16, 8)), false);
    check(layout!((3, 4, 2) : (-1, 10, 0)), false);
    check(layout!((3, 0) : (1, 3)), false);
    check(layout!((1, 1) : (5, 7)), false);
    check(StaticSwizzle::<3, 0, 3>.composition(layout!((8, 8) : (1, 8))), true);
    let window = Window::new(layout!((8, 9) : (9, 1)), (2, 3), (4, 5)).unwrap();
    check(window, false);
    let mut data = places(72);
    let mut t = Tensor::new(&mut data, window).unwrap();
    let mut order = Vec::new();
    t.for_each(|x| order.push(*x));
    assert!(order.is_sorted() && order.len() == 20);
    t.for_each_mut(|x| *x = 0);
    assert_eq!(data.iter().filter(|x| **x == 0).count(), 21);
}

/// All walks over a layout have one order: by stride, equal strides in the order of the modes, and 0 outermost.
#[test]
fn one_order() {
    fn order<L: Layout>(layout: L) -> Vec<usize> {
        let data = places(100);
        let t = Tensor::new(&data, layout).unwrap();
        let (mut plain, mut at, mut zipped) = (Vec::new(), Vec::new(), Vec::new());
        t.for_each(|x| plain.push(*x));
        t.for_each_at(|_: usize, x| at.push(*x));
        t.zip((&t, &t), |x, _| zipped.push(*x));
        assert_eq!((&at, &zipped), (&plain, &plain));
        plain
    }
    let ties = [0, 1, 5, 6, 5, 6, 10, 11, 10, 11, 15, 16];
    assert_eq!(order(layout!((2, 3, 2) : (5, 5, 1))), ties);
    assert_eq!(order(make_layout((2, 3, 2), (5, 5, 1))), ties);
    assert_eq!(order(make_layout((2, 3, 2), (5, Int::<5>, Int::<1>))), ties);
    assert_eq!(order(DynLayout::<8>::parse("(2,3,2):(5,5,1)").unwrap()), ties);
    let still = [0, 1, 2, 0, 1, 2];
    assert_eq!(order(layout!((2, 3) : (0, 1))), still);
    assert_eq!(order(make_layout((2, 3), (0, 1))), still);
    // A run-time step may be shorter than a known one.
    assert_eq!(order(make_layout((2, 3), (Int::<4>, 1))), [0, 1, 2, 4, 5, 6]);
}

/// Without an optimiser nothing folds, and a stack frame holds the variables of all inlined functions.
#[test]
fn tiles_in_tiles_in_tiles_on_a_small_stack() {
    fn walk() -> usize {
        let (m, n) = (33, 21);
        let mut data = vec![0; m * n];
        let mut t = Tensor::new(&mut data, layout!((m, n) : (n, 1))).unwrap().injective().unwrap();
        for tile in t.tiles_mut(shape!(16, 8)) {
            match tile {
                Tile::Full(mut tile) => {
                    for tile in tile.tiles_mut(shape!(4, 4)) {
                        let Tile::Full(mut tile) = tile else { unreachable!() };
                        tile.tiles_mut(shape!(2, 3)).for_each(|mut small| small.for_each_mut(|x| *x += 1));
                    }
                }
                Tile::Partial(mut tile) => {
                    for mut block in tile.blocks_mut((4, 4)) {
                        for part in block.tiles_mut((3, 2)) {
                            part.into_window().for_each_at_mut(|(i, j): (usize, usize), x| *x += (i < 3 && j < 2) as usize);
                        }
                    }
                }
            }
        }
        data.iter().sum()
    }
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(walk).unwrap();
    assert_eq!(thread.join().unwrap(), 33 * 21);
}

#[test]
fn several_at_once() {
    let (m, n) = (6, 4);
    let data: Vec<usize> = (0..m * n).collect();
    let rows = Tensor::new(&data, layout!((m, n) : (n, 1))).unwrap();
    let columns = Tensor::new(&data, layout!((6, 4) : (1, 6))).unwrap();
    let nested = Tensor::new(&data, make_layout(((2, 3), 4), ((1, 2), 6))).unwrap();
    let dynamic = Tensor::new(&data, DynLayout::<16>::parse("((3,2),4):((4,12),1)").unwrap()).unwrap();
    let swizzled = Tensor::new(&data[..], StaticSwizzle::<1, 0, 1>.composition(layout!((6, 4) : (1, 6)))).unwrap();
    let mut order = Vec::new();
    rows.zip((&columns, &nested, &dynamic, &swizzled), |a, (b, c, d, e)| order.push([*a, *b, *c, *d, *e]));
    let want: Vec<_> = (0..n).flat_map(|j| (0..m).map(move |i| (i, j))).collect();
    let want: Vec<_> = want.into_iter().map(|c| [rows[c], columns[c], nested[c], dynamic[c], swizzled[c]]).collect();
    assert_eq!(order, want);

    // Digits that do not nest are visited by position.
    let thirds = Tensor::new(&data, make_layout(((3, 2), 4), ((1, 3), 6))).unwrap();
    let mut sum = 0;
    nested.zip((&thirds, &rows), |a, (b, c)| sum += a * b * c);
    assert_eq!(sum, (0..24).map(|k| nested[k] * thirds[k] * rows[k]).sum::<usize>());

    let mut out = Boxed::filled(layout!((m, n) : (1, m)), 0).unwrap();
    out.zip_mut((&rows, &columns), |x, (a, b)| *x = a + 100 * b);
    out.for_each_indexed(|[i, j], x| assert_eq!(*x, rows[(i, j)] + 100 * columns[[i, j]]));
    let text =
        *std::panic::catch_unwind(|| rows.zip((&columns, &columns.slice((Keep, 0))), |_, _| {})).unwrap_err().downcast::<String>().unwrap();
    assert_eq!(
        text,
        "tensors of the extents [6, 4] and [6] have not the same coordinates: `broadcast` says along which modes the elements repeat"
    );
}

#[test]
fn tiles_as_tensors() {
    let (m, n) = (5, 7);
    let data: Vec<usize> = (0..m * n).collect();
    let t = Tensor::new(&data, layout!((m, n) : (n, 1))).unwrap();
    let mut copy = vec![0; m * n];
    let mut to = Tensor::new(&mut copy, layout!((m, n) : (1, m))).unwrap().injective().unwrap();
    for (from, mut tile) in t.tiles(shape!(2, 3)).zip(to.tiles_mut(shape!(2, 3))) {
        assert_eq!(from.shape::<(usize, usize)>(), tile.shape());
        match (from, &mut tile) {
            (Tile::Full(from), tile) => tile.assign(&from),
            (Tile::Partial(from), tile) => tile.assign(&from),
        }
        tile.view_mut()[(0, 0)] += 1000;
        tile.for_each_indexed_mut(|c, x| assert_eq!(*x, from[c] + if c == [0, 0] { 1000 } else { 0 }));
        assert!(tile.contains((0, 0)) && !tile.view().contains(tile.shape::<(usize, usize)>()));
    }
    assert_eq!((copy[0], copy[1], copy[2]), (1000, n, 2 * n + 1000));
}

/// Tiles with their corners, from both ends, in one pass and in halves.
#[test]
fn tiles_with_coordinates() {
    let (m, n) = (7, 9);
    let data = places(63);
    let t = Tensor::new(&data, layout!((m, n) : (n, 1))).unwrap();
    let corners: Vec<(usize, usize)> = (0..3).flat_map(|j| (0..4).map(move |i| (2 * i, 4 * j))).collect();
    let tiles = || t.tiles(shape!(2, 4)).indexed();
    for (at, (corner, tile)) in tiles().enumerate() {
        assert_eq!(corner, corners[at]);
        tile.for_each_indexed(|[i, j], x| assert_eq!(*x, t[(corner.0 + i, corner.1 + j)]));
    }
    let mut seen = Vec::new();
    tiles().for_each(|(corner, _)| seen.push(corner));
    assert_eq!((seen, tiles().len()), (corners.clone(), 12));
    assert!(tiles().rev().map(|(corner, _)| corner).eq(corners.iter().rev().copied()));
    let (left, right) = tiles().split_at(5);
    assert!(left.chain(right).map(|(corner, tile)| (corner, tile[(0, 0)])).eq(corners.iter().map(|corner| (*corner, t[*corner]))));

    let full: Vec<_> = corners.iter().copied().filter(|(i, j)| i + 2 <= m && j + 4 <= n).collect();
    let tiles = || t.tiles(shape!(2, 4)).full().indexed();
    let firsts = |all: &[(usize, usize)]| all.iter().map(|corner| (*corner, t[*corner])).collect::<Vec<_>>();
    assert_eq!(tiles().map(|(corner, tile)| (corner, tile[(0, 0)])).collect::<Vec<_>>(), firsts(&full));
    assert!(tiles().rev().map(|(corner, _)| corner).eq(full.iter().rev().copied()));
    let mut seen = Vec::new();
    tiles().for_each(|(corner, tile)| seen.push((corner, tile[(0, 0)])));
    assert_eq!(seen, firsts(&full));

    // The coordinates of a window count from its own corner.
    let window = t.window((1, 2), (6, 7)).unwrap();
    let blocks = || window.blocks((4, 3)).indexed();
    assert!(blocks().all(|(corner, block)| block[(0, 0)] == window[corner]));
    assert!(blocks().map(|(corner, _)| corner).eq([(0, 0), (4, 0), (0, 3), (4, 3), (0, 6), (4, 6)]));
    assert!(blocks().rev().map(|(corner, _)| corner.0).eq([4, 0, 4, 0, 4, 0]));

    // A tensor without elements has no tiles, whichever mode is empty.
    let none = Tensor::new(&data, layout!((4, 0) : (1, 4))).unwrap();
    assert_eq!((none.tiles((2,)).len(), none.tiles((2,)).full().len(), none.tiles((2,)).exact().unwrap().len()), (0, 0, 0));
}

/// Layouts with more loops than walks nest are walked digit by digit, or by the few loops left after joining.
#[test]
fn many_loops() {
    let data = places(2000);
    let (bits, mut order) = ((2, 2, 2, 2, 2, 2, 2, 2, 2, 2), Vec::new());
    let rows = Tensor::new(&data, make_layout(bits, (512, 256, 128, 64, 32, 16, 8, 4, 2, 1))).unwrap();
    rows.for_each(|x| order.push(*x));
    assert_eq!(order, data[..1024], "one loop in the order of memory");
    order.clear();
    rows.layout().for_each_index_by_stride(|index| order.push(index));
    assert_eq!(order, data[..1024]);
    // No leaf continues another.
    let apart = Tensor::new(&data, make_layout(bits, (1023, 1, 3, 7, 15, 31, 63, 127, 255, 411))).unwrap();
    let by_digits: Vec<_> = (0..1024).map(|k| apart[k]).collect();
    order.clear();
    apart.for_each(|x| order.push(*x));
    assert_eq!(order, by_digits);
    assert!(apart.iter().eq(&by_digits));
    let mut count = 0;
    apart.for_each_at(|k: usize, x| {
        assert_eq!((*x, k), (by_digits[k], count));
        count += 1;
    });
    let mut out = vec![0; 1024];
    let mut to = Tensor::new(&mut out, make_layout(bits, (512, 256, 128, 64, 32, 16, 8, 4, 2, 1))).unwrap();
    to.zip_mut((&apart, &rows), |x, (a, b)| *x = 2000 * a + b);
    (0..1024).for_each(|k| assert_eq!(to[k], 2000 * by_digits[k] + rows[k]));
}
