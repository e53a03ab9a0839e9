//! Tiles that reach beyond the shape: masked, or shifted inward, compared with plain indexing. Layouts of coordinates, which masks use.

use crd2idx::TypedLayout;
use crd2idx::layouts::{Padded, make_identity_layout};
use crd2idx::prelude::*;
use crd2idx::tensor::{Injective, Window};

fn places(len: usize) -> Vec<usize> {
    (0..len).collect()
}

#[test]
fn identities_go_through_the_algebra() {
    for (m, n) in [(8, 6), (12, 2), (4, 0)] {
        let identity = make_identity_layout((Dyn::<4>::new(m).unwrap(), Dyn::<2>::new(n).unwrap()));
        let tiles = identity.zipped_divide(shape!(4, 2));
        for (g, h) in (0..n / 2).flat_map(|h| (0..m / 4).map(move |g| (g, h))) {
            for (i, j) in (0..2).flat_map(|j| (0..4).map(move |i| (i, j))) {
                let at: (usize, usize) = tiles.crd2crd(((i, j), (g, h)));
                assert_eq!(at, (4 * g + i, 2 * h + j));
            }
        }
        let transposed = identity.select((int!(1), int!(0)));
        assert_eq!(transposed.crd2crd::<_, (usize, usize)>((1, 3)), (3, 1));
    }
    // The values of one thread in a tile of 4 x 32.
    let tv = crd2idx::tensor::layout_tv(layout!((4, 8) : (8, 1)), layout!((1, 4) : (4, 1)));
    let mine = make_identity_layout(shape!(4, 32)).composition(tv);
    assert_eq!(mine.crd2crd::<_, (usize, usize)>((9, 2)), (1, 6));
    let line = make_identity_layout(12usize);
    assert_eq!((line.crd2crd::<_, usize>(7), line.to_string()), (7, "12:1".into()));
    assert_eq!(make_identity_layout((3, 4)).to_string(), "(3,4):(1@0,1@1)");
}

/// Checks that every coordinate of whole tiles has the element of its coordinate, if there is one.
fn masked<L: TypedLayout>(layout: L, [m, n]: [usize; 2]) {
    let data = places(4096);
    let t = Tensor::new(&data, layout).unwrap();
    let tiles = t.masked(shape!(4, 3));
    let (grid, mut seen) = ([m.div_ceil(4), n.div_ceil(3)], 0);
    for (g, h) in (0..grid[1]).flat_map(|h| (0..grid[0]).map(move |g| (g, h))) {
        let tile = tiles.slice(((Keep, Keep), (g, h)));
        for (i, j) in (0..3).flat_map(|j| (0..4).map(move |i| (i, j))) {
            let (x, y) = (4 * g + i, 3 * h + j);
            let want = (x < m && y < n).then(|| t[(x, y)]);
            assert_eq!(tiles.get(((i, j), (g, h))).copied(), want, "{:?}", (x, y));
            assert_eq!(tiles.in_bounds(((i, j), (g, h))), want.is_some());
            assert_eq!((tiles.coordinate(((i, j), (g, h))), tile.coordinate((i, j))), ((x, y), (x, y)));
            assert_eq!(tile.get((i, j)).copied(), want);
            seen += want.is_some() as usize;
        }
    }
    assert_eq!(seen, m * n);
    assert_eq!(tiles.get(((0, 0), (grid[0], 0))), None);
    assert_eq!(tiles.get(((4, 0), (0, 0))), None);
    let mut data = vec![0; 4096];
    let mut t = Tensor::new(&mut data, layout).unwrap();
    let mut tiles = t.masked_mut(shape!(4, 3));
    for k in 0..grid[0] * grid[1] * 12 {
        let (inner, outer) = (k % 12, k / 12);
        if let Some(x) = tiles.get_mut(((inner % 4, inner / 4), (outer % grid[0], outer / grid[0]))) {
            *x += 1;
        }
    }
    assert_eq!(data.iter().sum::<usize>(), m * n);
    assert!(data.iter().all(|x| *x < 2));
}

#[test]
fn masks() {
    for (m, n) in [(8, 6), (10, 7), (1, 1), (4, 5)] {
        masked(make_layout((m, n), (Int::<1>, m)), [m, n]);
        masked(make_layout((m, n), (n, 1)), [m, n]);
        masked(make_layout((m, n), (n, 1)).hoist::<4>(), [m, n]);
    }
    masked(layout!((10, 6) : (6, 1)), [10, 6]);
    masked(make_layout((Dyn::<4>::new(8).unwrap(), 5), (Int::<1>, 8)), [8, 5]);
    assert_eq!(Padded::new(layout!((10, 6) : (6, 1)), shape!(4, 3)).to_string(), "(12,6):(6,1)");
}

#[test]
fn shifted_inward() {
    fn check<L: crd2idx::tensor::Tileable<(Int<4>, Int<3>)>>(layout: L, [m, n]: [usize; 2]) {
        let mut data = places(4096);
        let t = Tensor::new(&data, layout).unwrap();
        let corners: Vec<(usize, usize)> =
            (0..n.div_ceil(3)).flat_map(|h| (0..m.div_ceil(4)).map(move |g| ((4 * g).min(m - 4), (3 * h).min(n - 3)))).collect();
        let tiles = t.try_tiles(shape!(4, 3)).unwrap().shifted().unwrap();
        assert_eq!(tiles.len(), corners.len());
        for (tile, (g, h)) in tiles.zip(&corners) {
            assert!((0..12).all(|k| tile[(k % 4, k / 4)] == t[(g + k % 4, h + k / 4)]));
        }
        let mut t = Tensor::new(&mut data, layout).unwrap().injective().unwrap();
        t.fill(0);
        let mut want = vec![0; m * n];
        corners.iter().for_each(|(g, h)| (0..12).for_each(|k| want[g + k % 4 + (h + k / 4) * m] += 1));
        t.try_tiles_mut(shape!(4, 3)).unwrap().for_each_shifted(|mut tile| tile.for_each_mut(|x| *x += 1)).unwrap();
        assert!(t.iter().eq(&want));
    }
    for (m, n) in [(8, 6), (10, 7), (4, 3), (5, 5)] {
        check(make_layout((m, n), (n, 1)), [m, n]);
        check(DynLayout::<16>::parse(&format!("({m},{n}):({n},1)")).unwrap(), [m, n]);
        check(StaticSwizzle::<3, 0, 3>.composition(make_layout((m, n), (32, Int::<1>))), [m, n]);
        check(Window::new(layout!((16, 16) : (16, 1)), (3, 2), (m, n)).unwrap(), [m, n]);
        check(Injective::new(make_layout((m, n), (1, m))).unwrap(), [m, n]);
    }
    let data = places(64);
    let short = Tensor::new(&data, make_layout((3, 9), (9, 1))).unwrap();
    let error = short.tiles(shape!(4, 3)).shifted().err().unwrap();
    assert_eq!(error.to_string(), "the window has 4 coordinates of mode 0 from 0 on, but the mode has 3");
    let nested = Tensor::new(&data, make_layout((2, (Int::<4>, 5)), (1, (2, 8)))).unwrap();
    assert!(nested.try_tiles(shape!(2, 2)).unwrap().shifted().is_err());
}
