//! Products of matrices by tiles in shared memory.

mod support;

use cubecl::prelude::*;
use layout_core::{Int, make_layout};
use layout_cubecl::{CubeLayout, CubeThreads, CubeTiles};
use support::{argument, buffer, client, read};

type Matrix = CubeTiles<f32, (u32, u32)>;
type Threads = CubeThreads<(u32, u32)>;
type Layout = CubeLayout<(u32, u32)>;

#[cube(launch)]
#[allow(clippy::too_many_arguments)]
fn gemm(a: &Matrix, b: &Matrix, c: &mut Matrix, of_a: &Threads, of_b: &Threads, of_c: &Threads, shared_a: &Layout, shared_b: &Layout) {
    let mut left = Shared::<[f32]>::new_slice(shared_a.room());
    let mut right = Shared::<[f32]>::new_slice(shared_b.room());
    let mut sums = Array::<f32>::new(of_c.values());
    #[unroll]
    for v in 0..of_c.values() {
        sums[v] = 0.0;
    }
    for step in 0..a.count(1_u32) {
        a.tile((CUBE_POS_X, step)).load(of_a, &mut left, shared_a, 0.0);
        b.tile((step, CUBE_POS_Y)).load(of_b, &mut right, shared_b, 0.0);
        sync_cube();
        for k in 0..a.extent(1_u32) {
            #[unroll]
            for v in 0..of_c.values() {
                let (i, j) = of_c.at(v);
                sums[v] += left[shared_a.at((i, k))] * right[shared_b.at((k, j))];
            }
        }
        sync_cube();
    }
    let out = c.tile_mut((CUBE_POS_X, CUBE_POS_Y));
    #[unroll]
    for v in 0..of_c.values() {
        out.write(of_c, v, sums[v]);
    }
}

#[test]
fn products() {
    let Some(client) = client() else { return };
    // 64 threads. The tile of `a` is 16 x 8, the tile of `b` is 8 x 16, and each thread has 2 x 2 of the 16 x 16 sums.
    let of_a = Threads::parse("((8,8),2):((16,1),8)", (16, 8)).unwrap();
    let of_b = Threads::parse("((16,4),2):((8,1),4)", (8, 16)).unwrap();
    let of_c = Threads::parse("((8,8),(2,2)):((2,32),(1,16))", (16, 16)).unwrap();
    let shared_a = Layout::parse("S<2,1,3> o 0 o (16,8):(8,1)").unwrap();
    let shared_b = Layout::parse("(8,16):(17,1)").unwrap();
    for (m, n, k) in [(16, 16, 8), (32, 48, 24), (17, 5, 9), (1, 1, 1), (50, 33, 20)] {
        let value = |seed: usize| move |x: usize| ((x * 7 + seed) % 11) as f32 - 5.0;
        let (a, b): (Vec<f32>, Vec<f32>) = ((0..m * k).map(value(1)).collect(), (0..k * n).map(value(2)).collect());
        let handles = [buffer(&client, &a), buffer(&client, &b), buffer(&client, &vec![-1.0_f32; m * n])];
        let row_major = |m: usize, n: usize| Layout::of(&make_layout((m, n), (n, Int::<1>))).unwrap();
        let column_major = Layout::of(&make_layout((m, n), (Int::<1>, m))).unwrap();
        let tiles_a = Matrix::new(&row_major(m, k), &of_a, argument(&handles[0], m * k)).unwrap();
        let tiles_b = Matrix::new(&row_major(k, n), &of_b, argument(&handles[1], k * n)).unwrap();
        let tiles_c = Matrix::new(&column_major, &of_c, argument(&handles[2], m * n)).unwrap();
        let threads = (of_a.clone(), of_b.clone(), of_c.clone());
        let (count, dim) = (tiles_c.cube_count(), of_c.cube_dim());
        gemm::launch(&client, count, dim, tiles_a, tiles_b, tiles_c, threads.0, threads.1, threads.2, shared_a.clone(), shared_b.clone());
        let got = read::<f32>(&client, handles[2].clone());
        for i in 0..m {
            for j in 0..n {
                let sum: f32 = (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum();
                assert_eq!(got[j * m + i], sum, "({i},{j}) of {m} x {n} x {k}");
            }
        }
    }
}
