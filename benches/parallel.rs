//! Tiles on several threads compared with plain rayon chunks, over 64 MiB:
//! `cargo bench --bench parallel --features parallel`.
//!
//! A ratio of 1 equals the plain loop; more is faster. Both run in turn, and the least time of each counts.

use crd2idx::parallel::{IntoParallel, ParallelTiles};
use crd2idx::prelude::*;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const M: usize = 4096;
const N: usize = 4096;
const ROUNDS: usize = 41;

/// Returns the least times of `a` and `b`, in seconds. They run in turn on the same data.
fn beside(data: &mut [f32], mut a: impl FnMut(&mut [f32]), mut b: impl FnMut(&mut [f32])) -> (f64, f64) {
    let mut least = (f64::MAX, f64::MAX);
    let seconds = |f: &mut dyn FnMut(&mut [f32]), data: &mut [f32]| {
        let start = Instant::now();
        f(black_box(data));
        start.elapsed().as_secs_f64()
    };
    for _ in 0..ROUNDS {
        least.0 = least.0.min(seconds(&mut a, data));
        least.1 = least.1.min(seconds(&mut b, data));
    }
    least
}

/// The work for one element, the same for all loops.
#[inline(always)]
fn step(x: &mut f32) {
    *x = *x * 0.5 + 1.0;
}

fn report(name: &str, data: &mut [f32], tiles: impl FnMut(&mut [f32]), chunks: impl FnMut(&mut [f32])) {
    let (tiles, chunks) = beside(data, tiles, chunks);
    let gib = size_of_val(data) as f64 / f64::from(1 << 30);
    println!("{name:<44} {:7.2} GiB/s  {:7.2} GiB/s  {:5.2}", gib / tiles, gib / chunks, chunks / tiles);
}

fn main() {
    let mut data = vec![1.0f32; M * N];
    println!("{} threads                                     tiles          chunks         ratio", rayon::current_num_threads());

    // Whole columns, which are also chunks of a slice.
    report(
        "chunks of 4 columns, in place",
        &mut data,
        |data| {
            let mut t = Tensor::new(data, layout!((4096, 4096) : (1, 4096))).expect("as many elements");
            t.tiles_mut(shape!(4096, 4)).exact().expect("4 divides").into_parallel().for_each(|mut tile| tile.for_each_mut(step));
        },
        |data| data.par_chunks_exact_mut(4 * M).for_each(|chunk| chunk.iter_mut().for_each(step)),
    );

    // Run-time extents, a leading dimension, and partial tiles at the ends.
    let (m, n) = black_box((M, N));
    report(
        "chunks of 5 columns, run-time extents",
        &mut data,
        |data| {
            let mut t = Tensor::new(data, make_layout((m, n), (Int::<1>, m))).expect("as many elements").injective().expect("it is");
            t.par_tiles_mut((m, 5)).for_each(|mut tile| tile.for_each_mut(step));
        },
        |data| data.par_chunks_mut(5 * m).for_each(|chunk| chunk.iter_mut().for_each(step)),
    );

    // Tiles that are not chunks of a slice. The loop by hand divides rows of tiles, and then walks each column.
    report(
        "tiles of 256x64",
        &mut data,
        |data| {
            let mut t = Tensor::new(data, layout!((4096, 4096) : (1, 4096))).expect("as many elements");
            t.par_tiles_mut(shape!(256, 64)).for_each(|mut tile| tile.for_each_mut(step));
        },
        |data| {
            data.par_chunks_exact_mut(64 * M).for_each(|strip| {
                for tile in 0..M / 256 {
                    for column in strip.chunks_exact_mut(M) {
                        column[256 * tile..][..256].iter_mut().for_each(step);
                    }
                }
            });
        },
    );
}
