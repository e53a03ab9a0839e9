//! Windows and blocks compared with plain indexing: every kind of layout, windows in windows, and refusals.

use crd2idx::prelude::*;
use crd2idx::tensor::{Injective, Tile, Window};

fn places(len: usize) -> Vec<usize> {
    (0..len).collect()
}

/// Returns all coordinates below the extents `(m, n)`, the first mode fastest.
fn coordinates((m, n): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |j| (0..m).map(move |i| (i, j)))
}

/// Checks that every window and every block of a layout with two modes has the elements of its coordinates.
fn windows<L: Layout>(layout: L) {
    let data = places(layout.index_range().unwrap().end as usize);
    let t = Tensor::new(&data, layout).unwrap();
    let (m, n): (usize, usize) = (layout.mode_size::<0>(), layout.mode_size::<1>());
    let boxes = [((1, 2), (m - 1, n - 2)), ((2, 1), (3, 2)), ((m, 0), (0, n)), ((0, 0), (m, n)), ((1, 1), (1, 1))];
    for (corner, extents) in boxes.into_iter().take(if cfg!(miri) { 3 } else { 5 }) {
        let w = t.window(corner, extents).unwrap();
        let want: Vec<usize> = coordinates(extents).map(|(i, j)| t[(corner.0 + i, corner.1 + j)]).collect();
        assert_eq!(coordinates(extents).map(|c| w[c]).collect::<Vec<_>>(), want, "{corner:?} {extents:?}");
        assert_eq!((0..w.size()).map(|k| w[k]).collect::<Vec<_>>(), want);
        assert_eq!(w.iter().copied().collect::<Vec<_>>(), want);
        let mut walked = Vec::new();
        w.ordered().for_each_at(|(i, j): (usize, usize), x| walked.push((i, j, *x)));
        assert_eq!(walked, coordinates(extents).zip(&want).map(|((i, j), x)| (i, j, *x)).collect::<Vec<_>>());
        let (mut indexed, mut plain, mut near) = (Vec::new(), Vec::new(), Vec::new());
        w.ordered().for_each_indexed(|[i, j], x| indexed.push((i, j, *x)));
        assert_eq!(indexed, walked);
        indexed.clear();
        w.for_each_indexed(|[i, j], x| indexed.push((i, j, *x)));
        w.ordered().for_each(|x| plain.push(*x));
        w.for_each(|x| near.push(*x));
        near.sort_unstable();
        indexed.sort_unstable();
        walked.sort_unstable();
        assert_eq!((indexed, &plain), (walked, &want));
        plain.sort_unstable();
        assert_eq!((near, w.iter().sum::<usize>()), (plain, want.iter().sum()));
        assert_eq!((w.get((extents.0, 0)), w.get((0, extents.1)), w.get(w.size())), (None, None, None));
        // The companions are a dense tensor, and a window whose boxes of leaves may be others, or none.
        let (mut dense, mut together) = (vec![0; w.size()], Vec::new());
        Tensor::new(&mut dense, make_layout(extents, (Int::<1>, extents.0))).unwrap().assign(&w);
        let rows = places((m + 1) * (n + 1));
        let nested = Tensor::new(&rows, make_layout(((2, m.div_ceil(2)), n), ((1, 2), m + 1))).unwrap();
        let beside = nested.window((0, 0), extents).unwrap();
        w.ordered().zip((&w, &beside), |x, (y, z)| together.push((*x, *y, *z)));
        assert_eq!(dense, want);
        assert_eq!(together, coordinates(extents).zip(&want).map(|((i, j), x)| (*x, *x, i + j * (m + 1))).collect::<Vec<_>>());
        let range = w.layout().index_range().unwrap();
        assert!(want.iter().all(|x| range.contains(&(*x as isize))));
        assert_eq!(
            (0..w.size()).map(|k| w.layout().idx2crd::<(usize, usize)>(k)).collect::<Vec<_>>(),
            coordinates(extents).collect::<Vec<_>>()
        );
    }
    blocks(&t, (m, n));
    let inner = t.window((1, 1), (m - 1, n - 1)).unwrap();
    blocks(&inner, (m - 1, n - 1));
}

/// Checks blocks, blocks of blocks, and tiles of blocks.
fn blocks<L: Layout>(t: &View<usize, L>, (m, n): (usize, usize)) {
    let mut seen = Vec::new();
    for block in t.blocks((5, Int::<3>)) {
        for part in block.blocks((2, 2)) {
            part.for_each(|x| seen.push(*x));
        }
        let mut tiled = Vec::new();
        for tile in block.tiles(shape!(4, 2)) {
            assert_eq!(matches!(tile, Tile::Full(_)), tile.size() == 8);
            tile.for_each(|x| tiled.push(*x));
        }
        tiled.sort_unstable();
        let mut all: Vec<usize> = block.iter().copied().collect();
        all.sort_unstable();
        assert_eq!(tiled, all);
    }
    let mut want: Vec<usize> = coordinates((m, n)).map(|c| t[c]).collect();
    want.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, want);
    assert_eq!(t.blocks((5, 3)).grid(), (m.div_ceil(5), n.div_ceil(3)));
    assert_eq!(t.blocks((usize::MAX, usize::MAX)).map(|block| block.size()).collect::<Vec<_>>(), [m * n]);
}

#[test]
fn of_every_layout() {
    let (m, n, ld) = (9, 7, 20);
    windows(layout!((8, 6) : (1, 8)));
    windows(layout!((m, n) : (ld, 1)));
    windows(layout!((m, n) : (ld, 1)).hoist::<4>());
    windows(make_layout((m, (Int::<4>, 5)), (1, (m, 100))));
    windows(make_layout(((3, 5), (2, 3)), ((1, 50), (3, 6))));
    windows(layout!((((2, 1), (3, 2)), (1, 5, (2, 1))) : (((7, 0), (40, 1)), (9, 120, (14, 3)))));
    windows(Injective::new(make_layout(((3, m), (2, 5)), ((m, 1), (300, 30)))).unwrap());
    windows(StaticSwizzle::<2, 1, 3>.composition(layout!(((2, 4), (4, 2)) : ((1, 16), (2, 8)))));
    windows(StaticSwizzle::<3, 0, 3>.composition(layout!((8, 8) : (8, 1))));
    windows(StaticSwizzle::<2, 1, 3>.composition(layout!((m, n) : (16, 1))));
    windows(DynLayout::<16>::parse("((2,3),8):((4,40),200)").unwrap());
    windows(Window::clipped(layout!((32, 32) : (32, 1)), (m, n)));
    windows(Injective::new(layout!((m, n) : (n, 1))).unwrap());
}

#[test]
fn written_side_by_side() {
    let (m, n) = (13, 9);
    let mut data = vec![0; m * n];
    let mut t = Tensor::new(&mut data, layout!((m, n) : (n, 1))).unwrap().injective().unwrap();
    let mut inner = t.window_mut((1, 1), (11, 7)).unwrap();
    let (left, right) = inner.blocks_mut((4, 4)).split_at(2);
    assert_eq!((left.len(), right.len()), (2, 4));
    std::thread::scope(|scope| {
        for (part, blocks) in [left, right].into_iter().enumerate() {
            scope.spawn(move || {
                for (k, mut block) in blocks.enumerate() {
                    block.for_each_mut(|x| *x += 1 + 2 * part + k);
                }
            });
        }
    });
    for (i, j) in coordinates((m, n)) {
        let inside = (1..12).contains(&i) && (1..8).contains(&j);
        let block = if inside { 1 + (i - 1) / 4 + (j - 1) / 4 * 3 } else { 0 };
        assert_eq!(data[i * n + j], block, "({i},{j})");
    }
}

#[test]
fn modes_that_are_not_named_are_whole() {
    let data = places(60);
    let t = Tensor::new(&data, layout!((5, 4, 3) : (1, 5, 20))).unwrap();
    let w = t.window((1,), (3,)).unwrap();
    assert_eq!((w.size(), w[(0, 3, 2)]), (36, t[(1, 3, 2)]));
    assert_eq!(t.blocks((2,)).map(|block| block.size()).collect::<Vec<_>>(), [24, 24, 12]);
}

#[test]
fn refused() {
    let data = places(60);
    let t = Tensor::new(&data, layout!((10, 6) : (1, 10))).unwrap();
    let beyond = t.window((8, 0), (3, 6)).unwrap_err();
    assert_eq!(beyond.to_string(), "the window has 3 coordinates of mode 0 from 8 on, but the mode has 10");
    assert!(t.window((0, 7), (1, 0)).is_err());
    assert!(t.window((usize::MAX, 0), (2, 1)).is_err());
    assert!(t.window((0, 0, 0), (1, 1, 1)).is_err());
    assert!(std::panic::catch_unwind(|| t.blocks((0, 1)).len()).is_err());
    let w = t.window((2, 2), (3, 3)).unwrap();
    let text = *std::panic::catch_unwind(|| w[(3, 0)]).unwrap_err().downcast::<String>().unwrap();
    assert_eq!(text, "the coordinate (3,0) is outside of a window of (3,3)");
    assert!(Window::new(layout!((10, 6) : (1, 10)), (0, 0), shape!(10, 7)).is_err());
}

/// Checks windows of `(3, 2)` at every position of a layout with two modes, each as a slice.
fn sliding<L: crd2idx::tensor::Rearrange>(layout: L) {
    let data = places(layout.index_range().unwrap().end as usize);
    let t = Tensor::new(&data, layout).unwrap();
    let (m, n) = (layout.mode_size::<0>(), layout.mode_size::<1>());
    let windows = t.windows((Int::<3>, 2)).unwrap();
    assert_eq!(windows.shape::<((usize, usize), (usize, usize))>(), ((3, 2), (m - 2, n - 1)));
    assert_eq!(windows.layout().is_injective(), Some(false));
    for (x, y) in coordinates((m - 2, n - 1)) {
        let window = windows.slice(((Keep, Keep), (x, y)));
        for (i, j) in coordinates((3, 2)) {
            assert_eq!((windows[((i, j), (x, y))], window[(i, j)]), (t[(x + i, y + j)], t[(x + i, y + j)]));
        }
        assert_eq!(window.get((3, 0)), None);
    }
    assert_eq!((windows.get(((3, 0), (0, 0))), windows.get(((0, 0), (m - 2, 0)))), (None, None));
    assert_eq!(
        t.windows((m + 1, 1)).err().unwrap().to_string(),
        format!("the window has {} coordinates of mode 0 from 0 on, but the mode has {m}", m + 1)
    );
    assert!(t.windows((usize::MAX, 2)).is_err() && t.windows((0, 2)).is_err());
    assert_eq!(t.windows((m, n)).unwrap().size(), m * n);
}

#[test]
fn at_every_place() {
    let (m, n, ld) = (6, 5, 20);
    sliding(layout!((8, 6) : (1, 8)));
    sliding(layout!((m, n) : (ld, 1)));
    sliding(layout!((m, 5) : (ld, 1)).hoist::<4>());
    sliding(layout!((8, 6) : (1, 8)).select(shape!(1, 0)));
    sliding(StaticSwizzle::<3, 0, 3>.composition(layout!((8, 8) : (8, 1))));
    sliding(Injective::new(layout!((m, n) : (n, 1))).unwrap());
}

/// Windows of nested modes are walked in boxes of leaves, which must be boxes of their companions, too.
#[test]
fn boxes_of_nested_modes() {
    let mut rng = crate::common::Rng::new(11);
    let mut long = 0;
    for round in 0..if cfg!(miri) { 6 } else { 400 } {
        // The extents of two modes, and the way in which each layout divides them.
        let extents: [usize; 2] = std::array::from_fn(|_| [12, 24, 30, 36, 48][rng.below(5)]);
        let mut divided = |extent: usize| -> Vec<usize> {
            let (mut leaves, mut rest) = (Vec::new(), extent);
            while rest > 1 && leaves.len() < 3 {
                let divisors: Vec<usize> = (2..=rest).filter(|d| rest % d == 0).collect();
                let leaf = if leaves.len() == 2 { rest } else { divisors[rng.below(divisors.len())] };
                (leaves, rest) = ([leaves, vec![leaf]].concat(), rest / leaf);
            }
            leaves
        };
        // The strides of the leaves have a random order.
        let mut made = |_| {
            let modes = extents.map(&mut divided);
            let mut order: Vec<(usize, usize)> = (0..2).flat_map(|mode| (0..modes[mode].len()).map(move |leaf| (mode, leaf))).collect();
            (1..order.len()).for_each(|k| order.swap(k, (round + 7 * k) % (k + 1)));
            let (mut strides, mut next) = (modes.clone(), 1);
            for (mode, leaf) in order {
                strides[mode][leaf] = next;
                next *= modes[mode][leaf];
            }
            let text = |numbers: &[Vec<usize>; 2]| format!("({},{})", tuple(&numbers[0]), tuple(&numbers[1]));
            DynLayout::<16>::parse(&format!("{}:{}", text(&modes), text(&strides))).unwrap()
        };
        let layouts = [0, 1].map(&mut made);
        let corners: [(usize, usize); 2] = [0, 1].map(|_| (rng.below(extents[0] / 3), rng.below(extents[1] / 3)));
        let room = |mode: usize| extents[mode] - corners.iter().map(|c| if mode == 0 { c.0 } else { c.1 }).max().unwrap();
        let count = (room(0) - rng.below(room(0)) / (1 + round % 4), room(1) - rng.below(room(1)) / (1 + round % 4));
        let size: usize = extents.iter().product();
        let (data, mut out) = (places(size), vec![usize::MAX; size]);
        let (t, mut u) = (Tensor::new(&data, layouts[0]).unwrap(), Tensor::new(&mut out, layouts[1]).unwrap());
        let from = t.window(corners[0], count).unwrap();
        let flat = Tensor::new(&data, layout!((count.0, count.1) : (1, count.0))).unwrap();
        let at = |(i, j)| t[(corners[0].0 + i, corners[0].1 + j)];

        let mut seen = vec![0; size];
        from.for_each(|x| seen[*x] += 1);
        from.for_each_indexed(|[i, j], x| assert_eq!((*x, seen[*x]), (at((i, j)), 1)));
        let mut order = Vec::new();
        from.for_each_indexed(|_: [_; 2], x| order.push(*x));
        let mut again = order.iter();
        from.for_each(|x| assert_eq!(Some(x), again.next(), "one order"));
        from.for_each_run_at(|[i, j]: [usize; 2], run| assert_eq!(run[0], at((i, j))));
        let mut runs = Vec::new();
        from.for_each_run(|run| runs.extend_from_slice(run));
        runs.sort();
        assert!(runs.iter().copied().eq((0..size).filter(|k| seen[*k] == 1)));
        assert_eq!(runs.len(), count.0 * count.1);

        let mut to = u.window_mut(corners[1], count).unwrap();
        to.zip_mut((&from, &flat), |x, (a, b)| {
            assert_eq!(*x, usize::MAX, "written twice");
            *x = a * 10_000 + b;
        });
        for (j, i) in (0..count.1).flat_map(|j| (0..count.0).map(move |i| (j, i))) {
            assert_eq!(to[(i, j)], at((i, j)) * 10_000 + i + count.0 * j);
        }
        to.assign(&from);
        to.zip_mut(&[from, from], |x, [a, b]| assert_eq!((*x, *x), (*a, *b)));
        to.fill(usize::MAX);
        assert!(out.iter().all(|x| *x == usize::MAX));
        long += usize::from(count.0 * count.1 > 200);
    }
    assert!(cfg!(miri) || long > 50);
}

/// Writes numbers as a mode in the notation.
fn tuple(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("({})", numbers.join(","))
}

/// The leaves of the modes have no boxes in common. The walk finds this out soon, and at once if a mode is empty.
#[test]
fn boxes_that_are_none_of_another() {
    let p = 1usize << (usize::BITS / 2 - 12);
    for rows in [0, 1] {
        let one = DynLayout::<8>::parse(&format!("(({p},{}),{rows}):((0,0),1)", p - 1)).unwrap();
        let other = DynLayout::<8>::parse(&format!("(({},{p}),{rows}):((0,0),1)", p - 1)).unwrap();
        let most = p * (p - 1) - 1;
        let (data, all) = ([1, 2], (if rows == 0 { most } else { most.min(3000) }, rows));
        let (one, other) = (Tensor::new(&data, one).unwrap(), Tensor::new(&data, other).unwrap());
        let (v, w) = (one.window((0, 0), all).unwrap(), other.window((0, 0), all).unwrap());
        let mut seen = 0;
        v.zip((&w, &v), |_, _| seen += 1);
        assert_eq!(seen, all.0 * rows);
    }
}
