//! A matrix product on packed tiles, as fast libraries do it: panels of both operands are copied into static layouts that the inner loop
//! reads front to back, edges filled with zeros: `cargo run --release --example packed_gemm`.

use crd2idx::prelude::*;

/// Rows and columns of the block of the result that stays in registers, and the depth of a panel.
const MR: usize = 4;
const NR: usize = 8;
const KC: usize = 16;

layout! {
    /// A panel of the left operand: the `MR` numbers of a column lie together.
    type PanelA = (4,16) : (1,4);
}
layout! {
    /// A panel of the right operand: the `NR` numbers of a row lie together.
    type PanelB = (16,8) : (8,1);
}

/// Copies the tile of `from` that begins at `(row, col)`; what lies beyond its shape is 0.
fn pack<S: Layout, L: Layout, const N: usize>(from: S, data: &[f32], (row, col): (usize, usize), panel: &mut Owned<f32, L, N>) {
    let shape = panel.layout();
    for j in 0..shape.mode_size::<1>() {
        for i in 0..shape.mode_size::<0>() {
            panel[(i, j)] = from.checked_crd2idx((row + i, col + j)).map_or(0.0, |index| data[index]);
        }
    }
}

/// `block += a b` for one panel of each.
fn kernel(a: &Owned<f32, PanelA, { MR * KC }>, b: &Owned<f32, PanelB, { KC * NR }>, block: &mut [[f32; NR]; MR]) {
    for p in 0..KC {
        for (i, row) in block.iter_mut().enumerate() {
            for (j, sum) in row.iter_mut().enumerate() {
                *sum += a[(i, p)] * b[(p, j)];
            }
        }
    }
}

/// `a b` for row-major `a` (m x k) and `b` (k x n) of any extents.
fn matmul(m: usize, n: usize, k: usize, a: &[f32], b: &[f32]) -> Vec<f32> {
    let (from_a, from_b, to) = (row_major((m, k)), row_major((k, n)), row_major((m, n)));
    let mut c = vec![0.0; m * n];
    let (mut panel_a, mut panel_b) = (Owned::filled(PanelA, 0.0), Owned::filled(PanelB, 0.0));
    for p in (0..k).step_by(KC) {
        for j in (0..n).step_by(NR) {
            pack(from_b, b, (p, j), &mut panel_b);
            for i in (0..m).step_by(MR) {
                pack(from_a, a, (i, p), &mut panel_a);
                let mut block = [[0.0; NR]; MR];
                kernel(&panel_a, &panel_b, &mut block);
                for (row, sums) in block.iter().enumerate() {
                    for (col, sum) in sums.iter().enumerate() {
                        // Rows and columns of the edge that do not exist have no index.
                        if let Some(index) = to.checked_crd2idx((i + row, j + col)) {
                            c[index] += sum;
                        }
                    }
                }
            }
        }
    }
    c
}

/// Compares with the three loops of the definition.
pub fn main() {
    for (m, n, k) in [(4, 8, 16), (37, 21, 50), (1, 1, 1), (8, 3, 17)] {
        let a: Vec<f32> = (0..m * k).map(|x| (x % 7) as f32).collect();
        let b: Vec<f32> = (0..k * n).map(|x| (x % 5) as f32).collect();
        let c = matmul(m, n, k, &a, &b);
        for i in 0..m {
            for j in 0..n {
                // Small integers: the sums are exact in any order.
                let sum: f32 = (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum();
                assert_eq!(c[i * n + j], sum, "({i},{j}) of {m} x {n} x {k}");
            }
        }
        println!("{m} x {k} times {k} x {n}: right");
    }
    println!("panels {} and {}", PanelA::NOTATION, PanelB::NOTATION);
}
