//! Conversions between tensors and arrays of other crates, a file for each crate, and tiles on several threads.

#[path = "../common/mod.rs"]
mod common;

mod dlpack;
mod faer;
mod nalgebra;
mod ndarray;
mod parallel;
mod raw;

use common::Rng;
use crd2idx::prelude::*;

/// Returns the number of random cases to run: `n`, or a twentieth of it under Miri, which takes a second for each.
fn rounds(n: usize) -> usize {
    if cfg!(miri) { n / 20 } else { n }
}

/// A layout of two modes with run-time numbers.
type Matrix = Strided<(usize, usize), (Signed, Signed)>;

/// Returns a random injective layout of two modes, the position of index 0, and the number of elements that the layout spans.
fn matrix(rng: &mut Rng, negative: bool) -> (Matrix, usize, usize) {
    let (m, n) = (rng.below(6), 1 + rng.below(6));
    let (gap, padding) = (1 + rng.below(3), rng.below(3));
    let (inner, outer) = if rng.one_in(2) { (m, n) } else { (n, m) };
    let ld = gap * inner + padding;
    let strides = if inner == m { [gap, ld] } else { [ld, gap] };
    let reach = if m == 0 { 0 } else { gap * (inner.max(1) - 1) + ld * (outer.max(1) - 1) };
    let (mut origin, mut signed) = (0, [0; 2]);
    for k in 0..2 {
        let reversed = negative && rng.one_in(2);
        signed[k] = if reversed { -(strides[k] as isize) } else { strides[k] as isize };
        origin += if reversed && m > 0 { ([m, n][k] - 1) * strides[k] } else { 0 };
    }
    (make_layout((m, n), (Signed(signed[0]), Signed(signed[1]))), origin, reach + 1)
}
