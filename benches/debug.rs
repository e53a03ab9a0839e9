//! Index arithmetic of layouts, and tensors, compared with hand-written loops as a user's tests run them: with
//! debug assertions and full debug information.
//!
//! `for level in 0 1 3; do CARGO_PROFILE_DEV_DEBUG=full CARGO_PROFILE_DEV_OPT_LEVEL=$level cargo bench --profile dev --bench debug; done`

use crd2idx::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const N: usize = 32;

#[inline(never)]
fn by_hand(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i + k * n] * b[k * n + j];
            }
            c[i + j * n] = sum;
        }
    }
}

#[inline(never)]
fn by_layouts<A: Layout, B: Layout, C: Layout>((la, lb, lc): (A, B, C), a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[la.crd2idx((i, k))] * b[lb.crd2idx((k, j))];
            }
            c[lc.crd2idx((i, j))] = sum;
        }
    }
}

#[inline(never)]
fn by_tensors<A: Layout, B: Layout, C: Layout>((la, lb, lc): (A, B, C), a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    let as_long = "the layouts fit";
    let (a, b) = (Tensor::new(a, la).expect(as_long), Tensor::new(b, lb).expect(as_long));
    let mut c = Tensor::new(c, lc).expect(as_long);
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[(i, k)] * b[(k, j)];
            }
            c[(i, j)] = sum;
        }
    }
}

#[inline(never)]
fn stencil_by_hand(a: &[f32], c: &mut [f32], n: usize) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            c[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1];
        }
    }
}

#[inline(never)]
fn stencil_by_tensors<L: Layout>(layout: L, a: &[f32], c: &mut [f32]) {
    let (from, mut to) = (Tensor::new(a, layout).expect("as long"), Tensor::new(c, layout).expect("as long"));
    let cross = [[-1, 0], [1, 0], [0, -1], [0, 1]];
    to.interior_mut(&cross).zip_mut(&from.neighbours(&cross), |x, [up, down, left, right]| *x = up + down + left + right);
}

#[inline(never)]
fn tiles_by_hand(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    for (ti, tj) in (0..n / 8).flat_map(|ti| (0..n / 8).map(move |tj| (ti, tj))) {
        for i in 0..8 {
            for j in 0..8 {
                let mut sum = 0.0;
                for k in 0..n {
                    sum += a[ti * 8 + i + k * n] * b[k * n + tj * 8 + j];
                }
                c[ti * 8 + i + (tj * 8 + j) * n] = sum;
            }
        }
    }
}

#[inline(never)]
fn tiles_by_layouts<A: Layout, B: Layout, C: Layout>((la, lb, lc): (A, B, C), a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    for (ti, tj) in (0..n / 8).flat_map(|ti| (0..n / 8).map(move |tj| (ti, tj))) {
        for i in 0..8 {
            for j in 0..8 {
                let mut sum = 0.0;
                for k in 0..n {
                    sum += a[la.crd2idx(((i, ti), k))] * b[lb.crd2idx((k, (j, tj)))];
                }
                c[lc.crd2idx(((i, ti), (j, tj)))] = sum;
            }
        }
    }
}

/// Returns the least time of many short runs of `f`, in microseconds. Prints it under `name`, with its ratio to `hand` if
/// that is given. A busy machine disturbs the shortest run least.
fn time(name: &str, hand: Option<f64>, mut f: impl FnMut()) -> f64 {
    let best = (0..500).map(|_| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64() * 1e6
    });
    let best = best.fold(f64::MAX, f64::min);
    println!("{name:<24} {best:9.1} us {:6.2}", best / hand.unwrap_or(best));
    best
}

fn main() -> Result<(), LayoutError> {
    let n = black_box(N);
    let (a, b, mut c) = (vec![1.0; n * n], vec![1.0; n * n], vec![0.0; n * n]);
    println!("a product of two matrices, {N} by {N}; how many times as long as by hand");

    let (columns, rows) = (layout!((const N, const N) : (1, const N)), layout!((const N, const N) : (const N, 1)));
    let (mixed_columns, mixed_rows) = (layout!((n, n) : (1, n)), layout!((n, n) : (n, 1)));
    let hand = Some(time("by hand", None, || by_hand(&a, &b, &mut c, n)));
    time("static", hand, || by_layouts((columns, rows, columns), &a, &b, &mut c, n));
    time("mixed", hand, || by_layouts((mixed_columns, mixed_rows, mixed_columns), &a, &b, &mut c, n));

    time("tensors, static", hand, || by_tensors((columns, rows, columns), &a, &b, &mut c, n));
    time("tensors, mixed", hand, || by_tensors((mixed_columns, mixed_rows, mixed_columns), &a, &b, &mut c, n));

    let window = |layout| Window::new(layout, (0, 0), (n, n)).expect("all of it");
    let window_of_rows = Window::new(mixed_rows, (0, 0), (n, n)).expect("all of it");
    time("windows, mixed", hand, || by_tensors((window(mixed_columns), window_of_rows, window(mixed_columns)), &a, &b, &mut c, n));

    let hand = Some(time("stencil by hand", None, || stencil_by_hand(&a, &mut c, n)));
    time("stencil, static", hand, || stencil_by_tensors(rows, &a, &mut c));
    time("stencil, mixed", hand, || stencil_by_tensors(mixed_rows, &a, &mut c));

    let hand = Some(time("tiles by hand", None, || tiles_by_hand(&a, &b, &mut c, n)));
    let tiles = (columns.logical_divide(shape!(8, _)), rows.logical_divide(shape!(_, 8)), columns.logical_divide(shape!(8, 8)));
    time("tiles, static", hand, || tiles_by_layouts(tiles, &a, &b, &mut c, n));
    let tiles = (
        mixed_columns.try_logical_divide(shape!(8, _))?,
        mixed_rows.try_logical_divide(shape!(_, 8))?,
        mixed_columns.try_logical_divide(shape!(8, 8))?,
    );
    time("tiles, mixed", hand, || tiles_by_layouts(tiles, &a, &b, &mut c, n));
    let tiles = (tiles.0.hoist::<8>(), tiles.1.hoist::<8>(), tiles.2.hoist::<8>());
    time("tiles, mixed, hoisted", hand, || tiles_by_layouts(tiles, &a, &b, &mut c, n));
    Ok(())
}
