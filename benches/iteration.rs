//! Walks over every element of a layout with four run-time extents and strides, of any rank, compared with four
//! nested loops by hand: `cargo bench --bench iteration`.
//!
//! Prints nanoseconds per element, and the ratio to the loops by hand, which must stay below 1.1. All run in turn,
//! and the least time of each counts.

use crd2idx::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 61;

type Four = Strided<(usize, usize, usize, usize), (usize, usize, usize, usize)>;

/// Sums `term(coordinate, index)` over all coordinates of the extents `e` and strides `d` with nested loops, the first mode
/// innermost.
#[inline(always)]
fn nested(e: [usize; 4], d: [usize; 4], term: impl Fn([usize; 4], usize) -> u32) -> u32 {
    let mut sum = 0u32;
    for l in 0..e[3] {
        for k in 0..e[2] {
            for j in 0..e[1] {
                for i in 0..e[0] {
                    sum = sum.wrapping_add(term([i, j, k, l], i * d[0] + j * d[1] + k * d[2] + l * d[3]));
                }
            }
        }
    }
    sum
}

#[inline(never)]
fn by_hand(data: &[u32], e: [usize; 4], d: [usize; 4]) -> u32 {
    nested(e, d, |_, index| data[index])
}

/// Sums the elements without checking each index, as a tensor may do after its constructor has checked the layout.
#[inline(never)]
fn by_pointers(data: &[u32], e: [usize; 4], d: [usize; 4]) -> u32 {
    assert!(e.contains(&0) || (0..4).map(|k| (e[k] - 1) * d[k]).sum::<usize>() < data.len());
    // SAFETY: the last coordinate has the greatest index, and the assertion checks it.
    nested(e, d, |_, index| unsafe { *data.get_unchecked(index) })
}

/// Sums every element times the exclusive-or of its coordinates.
#[inline(never)]
fn coordinates_by_hand(data: &[u32], e: [usize; 4], d: [usize; 4]) -> u32 {
    nested(e, d, |[i, j, k, l], index| data[index].wrapping_mul((i ^ j ^ k ^ l) as u32))
}

#[inline(never)]
fn coordinates_by_pointers(data: &[u32], e: [usize; 4], d: [usize; 4]) -> u32 {
    assert!(e.contains(&0) || (0..4).map(|k| (e[k] - 1) * d[k]).sum::<usize>() < data.len());
    // SAFETY: the last coordinate has the greatest index, and the assertion checks it.
    nested(e, d, |[i, j, k, l], index| unsafe { *data.get_unchecked(index) }.wrapping_mul((i ^ j ^ k ^ l) as u32))
}

/// Sums the elements by the iterator of a tensor, which does not know the rank.
#[inline(never)]
fn by_tensor<L: Layout>(t: &View<u32, L>) -> u32 {
    let mut sum = 0u32;
    t.ordered().for_each(|x| sum = sum.wrapping_add(*x));
    sum
}

#[inline(never)]
fn by_iterator<L: Layout>(t: &View<u32, L>) -> u32 {
    t.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}

#[inline(never)]
fn by_stride<L: Layout>(t: &View<u32, L>) -> u32 {
    let mut sum = 0u32;
    t.for_each(|x| sum = sum.wrapping_add(*x));
    sum
}

#[inline(never)]
fn with_coordinates<L: Layout>(t: &View<u32, L>) -> u32 {
    let mut sum = 0u32;
    t.ordered().for_each_at(|(i, j, k, l): (usize, usize, usize, usize), x| sum = sum.wrapping_add(x.wrapping_mul((i ^ j ^ k ^ l) as u32)));
    sum
}

/// Sums the window of extents `e` at `corner` in a layout of two nested modes. Every coordinate is divided into digits by
/// `inner`.
#[inline(never)]
fn window_by_hand(data: &[u32], inner: [usize; 2], d: [usize; 4], corner: [usize; 2], e: [usize; 2]) -> u32 {
    let mut sum = 0u32;
    for j in corner[1]..corner[1] + e[1] {
        for i in corner[0]..corner[0] + e[0] {
            let index = i % inner[0] * d[0] + i / inner[0] * d[1] + j % inner[1] * d[2] + j / inner[1] * d[3];
            sum = sum.wrapping_add(data[index]);
        }
    }
    sum
}

/// Sums the products of a window of two nested modes (as in `window_by_hand`) and the matrix `dense` of the same size.
#[inline(never)]
fn window_beside_by_hand(data: &[u32], dense: &[u32], inner: [usize; 2], d: [usize; 4], corner: [usize; 2], e: [usize; 2]) -> u32 {
    let mut sum = 0u32;
    for j in 0..e[1] {
        for i in 0..e[0] {
            let (k, l) = (i + corner[0], j + corner[1]);
            let index = k % inner[0] * d[0] + k / inner[0] * d[1] + l % inner[1] * d[2] + l / inner[1] * d[3];
            sum = sum.wrapping_add(data[index].wrapping_mul(dense[i + j * e[0]]));
        }
    }
    sum
}

#[inline(never)]
fn by_tensors<L: Layout, M: Layout>(t: &View<u32, L>, dense: &View<u32, M>) -> u32 {
    let mut sum = 0u32;
    t.zip(dense, |x, y| sum = sum.wrapping_add(x.wrapping_mul(*y)));
    sum
}

type Walk<'a> = (&'a str, &'a dyn Fn() -> u32);

/// Runs all walks in turn and prints their times. The first `hands` walks are by hand, and ratios are to the least time of
/// these.
fn report(name: &str, elements: usize, hands: usize, walks: &[Walk]) {
    let mut least = vec![f64::MAX; walks.len()];
    let right = walks[0].1();
    for _ in 0..ROUNDS {
        for ((_, walk), least) in walks.iter().zip(&mut least) {
            let start = Instant::now();
            let sum = black_box(walk());
            *least = least.min(start.elapsed().as_secs_f64());
            assert_eq!(sum, right);
        }
    }
    let hand = least[..hands].iter().copied().fold(f64::MAX, f64::min);
    println!("{name}");
    for ((what, _), time) in walks.iter().zip(&least) {
        println!("  {what:<36} {:7.3} ns {:6.2}", time * 1e9 / elements as f64, time / hand);
    }
}

fn main() {
    for (name, e, d) in [
        ("(32,32,32,32), the first mode fastest", [32, 32, 32, 32], [1, 32, 1024, 32768]),
        ("(32,32,32,32), the last mode fastest", [32, 32, 32, 32], [32768, 1024, 32, 1]),
        ("(3,5,64,300), with gaps", [3, 5, 64, 300], [1, 4, 24, 1600]),
        ("(100,9,7,60), the second mode fastest", [100, 9, 7, 60], [63, 1, 9, 6300]),
    ] {
        let (e, d) = black_box((e, d));
        let elements = e.iter().product();
        let layout: Four = make_layout(e.into(), d.into());
        let data: Vec<u32> = (0..layout.index_range().expect("few").end as u32).collect();
        let dynamic: DynLayout = layout.to_dyn().expect("four leaves");
        let (t, u) = (Tensor::new(&data, layout).expect("as long"), Tensor::new(&data, dynamic).expect("as long"));
        // The same loops with the smallest stride innermost.
        let mut order = [0, 1, 2, 3];
        order.sort_by_key(|k| d[*k]);
        let (near, steps) = (order.map(|k| e[k]), order.map(|k| d[k]));
        report(
            name,
            elements,
            2,
            &[
                ("nested loops, slices", &|| by_hand(&data, e, d)),
                ("nested loops, pointers", &|| by_pointers(&data, e, d)),
                ("ordered().for_each, run-time leaves", &|| by_tensor(&t)),
                ("ordered().for_each, DynLayout", &|| by_tensor(&u)),
                ("iter().fold, run-time leaves", &|| by_iterator(&t)),
                ("iter().fold, DynLayout", &|| by_iterator(&u)),
            ],
        );
        report(
            "  with coordinates",
            elements,
            2,
            &[
                ("nested loops, slices", &|| coordinates_by_hand(&data, e, d)),
                ("nested loops, pointers", &|| coordinates_by_pointers(&data, e, d)),
                ("ordered().for_each_at, run-time leaves", &|| with_coordinates(&t)),
                ("ordered().for_each_at, DynLayout", &|| with_coordinates(&u)),
            ],
        );
        report(
            "  in the order of the strides",
            elements,
            2,
            &[
                ("nested loops, slices", &|| by_hand(&data, near, steps)),
                ("nested loops, pointers", &|| by_pointers(&data, near, steps)),
                ("for_each, run-time leaves", &|| by_stride(&t)),
                ("for_each, DynLayout", &|| by_stride(&u)),
            ],
        );
    }

    // A window of nested modes, which is not a box of leaves.
    for (first, outer) in [(8, 200), (64, 25)] {
        let ([e, f], corner, extents) = black_box(([first, outer], [3, 5], [first * outer - 9, 300]));
        let strides = [1, 16 * e, e, 16 * e * f];
        let layout = make_layout(((e, f), (16, 20)), ((strides[0], strides[1]), (strides[2], strides[3])));
        let data: Vec<u32> = (0..layout.index_range().expect("few").end as u32).collect();
        let dynamic: DynLayout = layout.to_dyn().expect("four leaves");
        let (t, u) = (Tensor::new(&data, layout).expect("as long"), Tensor::new(&data, dynamic).expect("as long"));
        let (corner_of, shape) = ((corner[0], corner[1]), (extents[0], extents[1]));
        let (w, x) = (t.window(corner_of, shape).expect("inside"), u.window(corner_of, shape).expect("inside"));
        report(
            &format!("a window of {} x {} of (({e},{f}),(16,20))", extents[0], extents[1]),
            w.size(),
            1,
            &[
                ("nested loops, slices, divisions", &|| window_by_hand(&data, [e, 16], strides, corner, extents)),
                ("ordered().for_each, run-time leaves", &|| by_tensor(&w)),
                ("ordered().for_each, DynLayout", &|| by_tensor(&x)),
            ],
        );
        let dense: Vec<u32> = (0..w.size() as u32).collect();
        let matrix = Tensor::new(&dense, make_layout(shape, (Int::<1>, extents[0]))).expect("as long");
        report(
            "  beside a matrix",
            w.size(),
            1,
            &[
                ("nested loops, slices, divisions", &|| window_beside_by_hand(&data, &dense, [e, 16], strides, corner, extents)),
                ("zip, run-time leaves", &|| by_tensors(&w, &matrix)),
                ("zip, DynLayout", &|| by_tensors(&x, &matrix)),
            ],
        );
    }
}
