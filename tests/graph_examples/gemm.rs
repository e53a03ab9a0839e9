//! A block of `A` on its way to shared memory.

use super::files::{graph, program};
use crd2idx::graph::Direction;

const COORDINATES: [&str; 5] = ["block", "step", "pass", "tid", "v"];

#[test]
fn copies_are_the_arithmetic() {
    let graph = graph("gemm");
    let copy = program(&graph, Direction::Reverse, &COORDINATES, &["A", "lds"]);
    let names: Vec<&str> = copy.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(names, ["M", "K", "lda", "block", "step", "pass", "tid", "v"]);
    for (m, k, lda) in [(200, 100, 104), (128, 32, 32), (1, 4, 4), (257, 36, 1000)] {
        let mut loaded = vec![0; (m * k) as usize];
        for (block, step) in (0..(m + 127) / 128).flat_map(|block| (0..(k + 31) / 32).map(move |step| (block, step))) {
            let mut stored = vec![false; 128 * 36];
            for (pass, tid, v) in (0..4).flat_map(|pass| (0..256).flat_map(move |tid| (0..4).map(move |v| (pass, tid, v)))) {
                let (mi, ki) = (pass * 32 + tid / 8, tid % 8 * 4 + v);
                let (row, col) = (block * 128 + mi, step * 32 + ki);
                let at = [m, k, lda, block, step, pass, tid, v];
                let to = mi * 36 + ki;
                assert_eq!(copy.run(&at), Ok(vec![row * lda + col, to]), "{at:?}");
                assert!(!std::mem::replace(&mut stored[to as usize], true), "{at:?}: {to} is written twice");
                let inside = row < m && col < k;
                assert_eq!(copy.is_valid(&at), Ok(inside), "{at:?}");
                if inside {
                    loaded[(row * k + col) as usize] += 1;
                }
                // Evaluation walks the graph, which is slow, so test a few coordinates.
                if (tid + v + pass) % 97 == 0 {
                    let bind: Vec<(&str, i64)> = names.iter().copied().zip(at).collect();
                    assert_eq!(graph.reverse(&bind, &["A", "lds"]), Ok(vec![row * lda + col, to]));
                    assert_eq!(graph.is_valid(Direction::Reverse, &bind, &["A", "lds"]), Ok(inside));
                }
            }
        }
        assert!(loaded.iter().all(|times| *times == 1), "{m} x {k}: an element is not loaded once");
    }
    // A row needs 4 threads of 8 elements each, so each pass is 32 rows further down.
    let from = |at: [i64; 5]| copy.run(&[200, 100, 104, at[0], at[1], at[2], at[3], at[4]]).expect("numbers")[0];
    assert_eq!(from([0, 0, 1, 0, 0]) - from([0, 0, 0, 0, 0]), 32 * 104);
}

#[test]
fn the_next_step_is_a_constant() {
    let graph = graph("gemm");
    let bind = [("M", 200), ("K", 100), ("lda", 104), ("block", 0), ("step", 1), ("pass", 2), ("tid", 30), ("v", 1)];
    assert_eq!(graph.delta(Direction::Reverse, &bind, "step", 1, &["A"]), Ok(vec![32]));
    let sources = COORDINATES.map(crd2idx::graph::Bound::Thread);
    let next = graph.delta_program(Direction::Reverse, &sources, "step", 1, &["A"], Default::default()).expect("a program");
    assert_eq!(next.constant(0), Some(32));
}
