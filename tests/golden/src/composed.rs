//! Compositions: the result is a layout again, and costs what that layout costs.

use layout_core::ops::Composition;
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, make_layout};

type A = Strided<(Int<6>, Int<2>), (Int<8>, Int<2>)>;
type B = Strided<(Int<4>, Int<3>), (Int<3>, Int<1>)>;

// ((2,2),3):((24,2),8)
#[unsafe(no_mangle)]
pub fn composed_modes_layout(i: usize, j: usize) -> usize {
    Composition::<A, B>::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn composed_modes_hand(i: usize, j: usize) -> usize {
    i % 2 * 24 + i / 2 * 2 + 8 * j
}

#[unsafe(no_mangle)]
pub fn composed_linear_layout(i: usize) -> usize {
    Composition::<A, B>::default().crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn composed_linear_hand(i: usize) -> usize {
    i % 2 * 24 + i / 2 % 2 * 2 + i / 4 * 8
}

#[unsafe(no_mangle)]
pub fn const_composed_layout() -> usize {
    Composition::<A, B>::default().crd2idx((Int::<3>, Int::<2>))
}

#[unsafe(no_mangle)]
pub fn const_composed_hand() -> usize {
    24 + 2 + 16
}

// Every fourth row and every fourth column.
#[unsafe(no_mangle)]
pub fn sampled_layout(ld: usize, i: usize, j: usize) -> usize {
    let a = make_layout((Int::<64>, Int::<32>), (Int::<1>, ld));
    a.composition(make_layout((Int::<16>, Int::<8>), (Int::<4>, Int::<256>))).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn sampled_hand(ld: usize, i: usize, j: usize) -> usize {
    4 * (i + j * ld)
}

// Threads and their values on a 32 x 8 tile: each thread has four rows and two columns.
#[unsafe(no_mangle)]
pub fn thread_values_layout(ld: usize, t: usize, v: usize) -> usize {
    let a = make_layout((Int::<32>, Int::<8>), (Int::<1>, ld));
    let threads = make_layout(((Int::<8>, Int::<4>), (Int::<4>, Int::<2>)), ((Int::<4>, Int::<64>), (Int::<1>, Int::<32>)));
    a.composition(threads).crd2idx((t, v))
}

#[unsafe(no_mangle)]
pub fn thread_values_hand(ld: usize, t: usize, v: usize) -> usize {
    t % 8 * 4 + v % 4 + (t / 8 * 2 + v / 4) * ld
}

#[unsafe(no_mangle)]
pub fn composed_by_mode_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, i: usize, j: usize) -> usize {
    let tile = (make_layout(Int::<8>, Int::<1>), make_layout((Int::<2>, Int::<2>), (Int::<2>, Int::<1>)));
    let a = make_layout((Int::<64>, Int::<32>), (ld, Int::<1>));
    a.composition(tile).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn composed_by_mode_hand(m: usize, n: usize, ld: usize, i: usize, j: usize) -> usize {
    i * ld + j % 2 * 2 + j / 2
}

// Every fourth element of a vector with a run-time stride.
#[unsafe(no_mangle)]
pub fn composed_stride_layout(s: usize, i: usize) -> usize {
    make_layout((Int::<64>,), (s,)).composition(make_layout(Int::<16>, Int::<4>)).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn composed_stride_hand(s: usize, i: usize) -> usize {
    4 * i * s
}

#[unsafe(no_mangle)]
pub fn coalesced_layout(ld: usize, i: usize) -> usize {
    let a = make_layout(((Int::<4>, Int::<8>), Int::<16>), ((Int::<1>, Int::<4>), ld));
    a.coalesce().crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn coalesced_hand(ld: usize, i: usize) -> usize {
    i % 32 + i / 32 * ld
}
