//! Streamed steps and parallel steps together cover every step once.

use super::files::{graph, program};
use crd2idx::graph::{Bound, Direction, Domain};

const TARGETS: [&str; 3] = ["m", "n", "k"];

fn of(tile: i64) -> Vec<i64> {
    vec![tile / 512 / 12, tile / 512 % 12, tile % 512]
}

#[test]
fn parts_are_the_whole() {
    let graph = graph("stream_k");
    let part = |group, step, part| {
        let sources = [Bound::Thread(group), Bound::Thread(step), Bound::Constant("part", part)];
        graph.program(Direction::Reverse, &sources, &TARGETS, Domain::Declared).expect("a program")
    };
    let (streamed, parallel) = (part("stream_group", "stream_step", 0), part("parallel_group", "parallel_step", 1));
    let all = ["stream_group", "stream_step", "parallel_group", "parallel_step", "part"];
    let either = program(&graph, Direction::Reverse, &all, &TARGETS);
    assert!(!streamed.has_conditions() && !parallel.has_conditions() && !either.has_conditions());
    let mut seen = vec![0; 61440];
    for (group, step) in (0..32).flat_map(|group| (0..1024).map(move |step| (group, step))) {
        if step < 896 {
            let tile = group * 896 + step;
            assert_eq!(streamed.run(&[group, step]), Ok(of(tile)));
            assert_eq!(either.run(&[group, step, 31, 1023, 0]), Ok(of(tile)));
            seen[tile as usize] += 1;
        }
        let tile = 28672 + group * 1024 + step;
        assert_eq!(parallel.run(&[group, step]), Ok(of(tile)));
        assert_eq!(either.run(&[31, 895, group, step, 1]), Ok(of(tile)));
        seen[tile as usize] += 1;
    }
    assert!(seen.iter().all(|times| *times == 1));
    // The numbers of the book.
    assert_eq!(streamed.run(&[1, 5]), Ok(vec![0, 1, 389]));
    assert_eq!(parallel.run(&[0, 0]), Ok(vec![4, 8, 0]));
    let bind = [("stream_group", 1), ("stream_step", 5), ("part", 0)];
    assert_eq!(graph.reverse(&bind, &TARGETS), Ok(vec![0, 1, 389]));
}
