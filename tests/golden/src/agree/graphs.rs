//! Functions of coordinate graphs, on coordinates inside their sizes.

use super::{Inputs, ROUNDS};
use crate::graphs::*;
use std::ops::Range;

fn draw(inputs: &mut Inputs, range: Range<usize>) -> usize {
    range.start + inputs.below(range.len())
}

/// Tests one pair for each line. A range may use the values drawn for the arguments after `with`: the parameters.
macro_rules! agree {
    ($($name:ident: $layout:ident $hand:ident ($($arg:ident: $range:expr),*) $(with $($given:ident: $bounds:expr),*)?;)* ) => { $(
        #[test]
        fn $name() {
            let mut inputs = Inputs::new();
            for _ in 0..ROUNDS {
                $($(let $given = draw(&mut inputs, $bounds);)*)?
                $(let $arg = draw(&mut inputs, $range);)*
                assert_eq!($layout($($arg),* $(, $($given),*)?), $hand($($arg),* $(, $($given),*)?), "{:?}", ($($arg,)* $($($given,)*)?));
            }
        }
    )* };
}

agree! {
    graph_tile: graph_tile_layout graph_tile_hand (block_row: 0..500, i: 0..16, block_col: 0..500, j: 0..64) with ld: 1..5000;
    graph_next_tile: graph_next_tile_layout graph_next_tile_hand (block_row: 0..500, i: 0..16, block_col: 0..500, j: 0..64) with ld: 1..5000;
    graph_const_delta: graph_const_delta_layout graph_const_delta_hand (block_row: 0..500, i: 0..16, block_col: 0..500, j: 0..64);
    graph_gemm_static: graph_gemm_static_layout graph_gemm_static_hand
        (block_row: 0..2, wave_row: 0..4, m2: 0..32, block_col: 0..4, wave_col: 0..4, k2: 0..8);
    graph_gemm_ld: graph_gemm_ld_layout graph_gemm_ld_hand
        (block_row: 0..200, wave_row: 0..4, m2: 0..32, block_col: 0..400, wave_col: 0..4, k2: 0..8) with ld: 1..5000;
    graph_copy: graph_copy_layout graph_copy_hand
        (block: 0..512, step: 0..2048, pass: 0..4, thread: 0..256, v: 0..4) with lda: 1..60000;
    graph_threads: graph_threads_layout graph_threads_hand (thread: 0..256);
    graph_padded: graph_padded_layout graph_padded_hand (thread: 0..256, v: 0..4);
    graph_streamed: graph_streamed_layout graph_streamed_hand (group: 0..32, step: 0..896);
    graph_in_parallel: graph_in_parallel_layout graph_in_parallel_hand (group: 0..32, step: 0..1024);
    graph_stream_k: graph_stream_k_layout graph_stream_k_hand
        (group: 0..32, step: 0..896, parallel_group: 0..32, parallel_step: 0..1024, part: 0..2);
    graph_workgroup: graph_workgroup_layout graph_workgroup_hand (wg: 0..154);
    graph_workgroups: graph_workgroups_layout graph_workgroups_hand (wg: 0..rows * cols) with rows: 1..60, cols: 1..40, group: 1..20;
    graph_im2col: graph_im2col_layout graph_im2col_hand (m: 0..6272, k: 0..576);
    graph_im2col_inside: graph_im2col_inside_layout graph_im2col_inside_hand (m: 0..6272, k: 0..576);
    graph_rotate: graph_rotate_layout graph_rotate_hand (col: 0..8, row: 0..32);
    graph_rotate_back: graph_rotate_back_layout graph_rotate_back_hand (col: 0..8, row: 0..32);
    graph_pair_swap: graph_pair_swap_layout graph_pair_swap_hand (col: 0..8, row: 0..32);
    graph_xor: graph_xor_layout graph_xor_hand (row: 0..32, col: 0..8);
    graph_xcc: graph_xcc_layout graph_xcc_hand (new: 0..443);
    graph_flatten: graph_flatten_layout graph_flatten_hand (i: 0..50, j: 0..n, l: 0..p) with n: 1..60, p: 1..60;
    graph_unflatten: graph_unflatten_layout graph_unflatten_hand (k: 0..5000) with n: 1..60, p: 1..60;
    graph_backwards: graph_backwards_layout graph_backwards_hand (i: 0..4, j: 0..5);
    graph_gather: graph_gather_layout graph_gather_hand (place: 0..4);
    graph_generic: graph_generic_layout graph_generic_hand (block: 0..50, i: 0..96, col: 0..100);
}

#[test]
fn graph_inside() {
    let mut inputs = Inputs::new();
    let mut inside = 0;
    for _ in 0..10 * ROUNDS {
        let (m, k) = (draw(&mut inputs, 1..300), 4 * draw(&mut inputs, 1..100));
        let (block, step) = (draw(&mut inputs, 0..m.div_ceil(128)), draw(&mut inputs, 0..k.div_ceil(32)));
        let (pass, thread, v) = (draw(&mut inputs, 0..4), draw(&mut inputs, 0..256), draw(&mut inputs, 0..4));
        let both = [graph_inside_layout(block, step, pass, thread, v, m, k), graph_inside_hand(block, step, pass, thread, v, m, k)];
        assert_eq!(both[0], both[1], "{:?}", (block, step, pass, thread, v, m, k));
        inside += both[0] as usize;
    }
    assert!((ROUNDS..9 * ROUNDS).contains(&inside), "{inside} inside");
}
