//! Tiles on several threads, compared with the same tiles in sequence.

use crate::common::Rng;
use crate::rounds;
use crd2idx::TensorError;
use crd2idx::parallel::{IntoParallel, ParallelTiles};
use crd2idx::prelude::*;
use crd2idx::tensor::{Injective, Tile};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};

/// Returns whether the tile is full, and its elements.
fn elements<S: crd2idx::tensor::Storage<Item = usize>, L: Layout, E: crd2idx::layouts::Coordinate>(
    tile: Tile<S, L, E>,
) -> (bool, Vec<usize>) {
    let mut elements = Vec::new();
    tile.for_each(|x| elements.push(*x));
    (matches!(tile, Tile::Full(_)), elements)
}

#[test]
fn every_tile_once_in_order() {
    let mut rng = Rng::new(14);
    for _ in 0..rounds(200) {
        let (m, n) = (rng.below(40), rng.below(40));
        let (a, b) = (1 + rng.below(9), 1 + rng.below(9));
        let data: Vec<usize> = (0..m * n).collect();
        let t = Tensor::new(&data, make_layout((m, n), (1, m))).unwrap();
        let sequential: Vec<_> = t.tiles((a, b)).map(elements).collect();
        assert_eq!(sequential.len(), m.div_ceil(a) * n.div_ceil(b));
        assert_eq!(t.par_tiles((a, b)).map(elements).collect::<Vec<_>>(), sequential);
        assert_eq!(t.par_tiles((a, b)).rev().map(elements).collect::<Vec<_>>(), sequential.iter().rev().cloned().collect::<Vec<_>>());
        let indexed: Vec<_> = t.tiles((a, b)).indexed().map(|(corner, tile)| (corner, elements(tile))).collect();
        let in_parallel = t.tiles((a, b)).indexed().into_parallel().map(|(corner, tile)| (corner, elements(tile)));
        assert_eq!(in_parallel.collect::<Vec<_>>(), indexed);
        let skipped: Vec<_> = t.par_tiles((a, b)).skip(3).with_min_len(2).map(elements).collect();
        assert_eq!(skipped, sequential.iter().skip(3).cloned().collect::<Vec<_>>());
        let full: Vec<_> = t.tiles((a, b)).full().map(|tile| tile.iter().copied().collect::<Vec<_>>()).collect();
        assert_eq!(t.tiles((a, b)).full().into_parallel().map(|tile| tile.iter().copied().collect::<Vec<_>>()).collect::<Vec<_>>(), full);
    }
}

#[test]
fn tiles_from_both_ends() {
    let data: Vec<usize> = (0..70).collect();
    let t = Tensor::new(&data, make_layout((10, 7), (7, Int::<1>))).unwrap();
    let all: Vec<_> = t.tiles((4, 3)).map(elements).collect();
    assert_eq!(t.tiles((4, 3)).rev().map(elements).collect::<Vec<_>>(), all.iter().rev().cloned().collect::<Vec<_>>());
    let mut tiles = t.tiles((4, 3));
    let mut met = (Vec::new(), Vec::new());
    while let Some(first) = tiles.next() {
        met.0.push(elements(first));
        met.1.extend(tiles.next_back().map(elements));
        assert_eq!(tiles.len(), all.len() - met.0.len() - met.1.len());
    }
    assert!(tiles.next_back().is_none());
    met.0.extend(met.1.into_iter().rev());
    assert_eq!(met.0, all);
    let full: Vec<_> = t.tiles((4, 3)).full().map(|tile| tile[0]).collect();
    assert_eq!(t.tiles((4, 3)).full().rev().map(|tile| tile[0]).collect::<Vec<_>>(), full.into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn written_side_by_side() {
    let mut rng = Rng::new(41);
    for _ in 0..rounds(100) {
        let (m, n, k) = (1 + rng.below(20), 1 + rng.below(20), 1 + rng.below(20));
        let tiler = (1 + rng.below(7), 1 + rng.below(7), 1 + rng.below(7));
        // Axes in any order, the first reversed.
        let (second, third) = if rng.one_in(2) { (1, n) } else { (k, 1) };
        let layout = make_layout((m, n, k), (Signed(-((n * k) as isize)), second, third));
        let origin = (m - 1) * n * k;
        let (mut parallel, mut sequential) = (vec![0; m * n * k], vec![0; m * n * k]);
        let mut a = Tensor::with_origin(&mut parallel, origin, layout).unwrap().injective().unwrap();
        let mut b = Tensor::with_origin(&mut sequential, origin, layout).unwrap().injective().unwrap();
        a.par_tiles_mut(tiler).enumerate().for_each(|(place, mut tile)| tile.for_each_mut(|x| *x += place + 1));
        b.tiles_mut(tiler).enumerate().for_each(|(place, mut tile)| tile.for_each_mut(|x| *x += place + 1));
        assert!(parallel.iter().all(|x| *x > 0));
        assert_eq!(parallel, sequential);
    }
}

#[test]
fn chunks_of_any_mode() {
    for mode in 0..3 {
        let mut data = vec![0; 4 * 6 * 8];
        let mut t = Tensor::new(&mut data, make_layout((4, 6, 8), (48, 8, 1))).unwrap().injective().unwrap();
        let extents = [4, 6, 8];
        let tiler = core::array::from_fn::<_, 3, _>(|k| if k == mode { 2 } else { extents[k] });
        let chunks = t.tiles_mut((tiler[0], tiler[1], tiler[2])).exact().unwrap().into_parallel();
        assert_eq!(chunks.len(), extents[mode] / 2);
        chunks.enumerate().for_each(|(place, mut chunk)| chunk.fill(place));
        t.layout().into_inner().coordinates::<(usize, usize, usize)>().for_each(|c| assert_eq!(t[c], [c.0, c.1, c.2][mode] / 2));
    }
    let mut data = vec![0; 10];
    let mut t = Tensor::new(&mut data, make_layout(Int::<10>, Int::<1>)).unwrap();
    let error = t.tiles_mut(Int::<4>).exact().err().unwrap();
    assert_eq!(error.to_string(), "zipped_divide: tile 4 does not divide the extent 10 of mode 0");
}

#[test]
fn dynamic_and_swizzled_layouts() {
    let data: Vec<usize> = (0..64).collect();
    let l: DynLayout = "((2,4),8):((8,16),1)".parse().unwrap();
    let t = Tensor::new(&data, l).unwrap();
    let tiles = |tiler| t.try_tiles(tiler).map(|tiles| tiles.map(elements).collect::<Vec<_>>());
    let threads = |tiler| t.try_tiles(tiler).map(|tiles| tiles.into_parallel().map(elements).collect::<Vec<_>>());
    assert_eq!(tiles((4, 3)).unwrap(), threads((4, 3)).unwrap());
    assert!(matches!(threads((3, 3)), Err(TensorError::Layout(_))));
    let mut data = vec![0; 64];
    let mut t = Tensor::new(&mut data, StaticSwizzle::<3, 0, 3>.composition(layout!((8, 8) : (8, 1)))).unwrap();
    t.par_tiles_mut((Int::<4>, Int::<3>)).enumerate().for_each(|(place, mut tile)| tile.fill(place));
    for (i, j) in t.layout().coordinates::<(usize, usize)>().collect::<Vec<_>>() {
        assert_eq!(t[(i, j)], i / 4 + 2 * (j / 3));
    }
}

#[test]
fn a_parallel_iterator_of_what_may_be_sent() {
    fn sent<T: Send>(x: T) -> T {
        x
    }
    let data = [0u8; 12];
    let t = Tensor::new(&data, Injective::new(make_layout((3, 4), (4, 1))).unwrap()).unwrap();
    assert_eq!(sent(t.tiles((2, 2)).into_parallel()).opt_len(), Some(4));
}
