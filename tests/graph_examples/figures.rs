//! The figures of the source document.

use super::files::graph;
use crd2idx::graph::Direction;

#[test]
fn flatten_row_major() {
    let graph = graph("flatten_row");
    let letters = ["A", "B", "C", "D", "E", "F"];
    let at = |i, j| letters[graph.forward(&[("i", i), ("j", j)], &["k"]).expect("a number")[0] as usize];
    assert_eq!((at(0, 0), at(0, 2), at(1, 0), at(1, 2)), ("A", "C", "D", "F"));
    let places: Vec<Vec<i64>> = (0..6).map(|k| graph.reverse(&[("k", k)], &["i", "j"]).expect("a place")).collect();
    assert_eq!(places, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    let (layout, offset) = graph.layout(Direction::Forward, &["i", "j"], "k").expect("a layout");
    assert_eq!((layout.to_string().as_str(), offset), ("(2,3):(3,1)", 0));
}

#[test]
fn flatten_column_major() {
    let graph = graph("flatten_column");
    assert_eq!(graph.forward(&[("i", 0), ("j", 1)], &["k"]), Ok(vec![2]));
    let places: Vec<Vec<i64>> = (0..6).map(|k| graph.reverse(&[("k", k)], &["i", "j"]).expect("a place")).collect();
    assert_eq!(places, [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]]);
    let (layout, _) = graph.layout(Direction::Forward, &["i", "j"], "k").expect("a layout");
    assert_eq!(layout.to_string(), "(2,3):(1,2)");
}

#[test]
fn tile() {
    let graph = graph("tile");
    assert_eq!(graph.forward(&[("k", 3)], &["i", "j"]), Ok(vec![1, 0]));
    for k in 0..6 {
        let [i, j] = graph.forward(&[("k", k)], &["i", "j"]).expect("digits")[..] else { panic!("two digits") };
        assert_eq!((i, j), (k / 3, k % 3));
        assert_eq!(graph.reverse(&[("i", i), ("j", j)], &["k"]), Ok(vec![k]));
    }
}

#[test]
fn join_and_split_with_a_pitch() {
    let (join, split) = (graph("join"), graph("split"));
    let mut found = Vec::new();
    for (i, j) in (0..4).flat_map(|i| (0..6).map(move |j| (i, j))) {
        let k = join.forward(&[("i", i), ("j", j)], &["k"]).expect("a number")[0];
        assert_eq!(k, 10 * i + j);
        assert_eq!(split.reverse(&[("i", i), ("j", j)], &["k"]), Ok(vec![k]));
        found.push(k);
    }
    // One-to-one, but not onto.
    assert!(found.is_sorted() && found.len() == 24 && found.last() == Some(&35));
    assert_eq!(join.reverse(&[("k", 13)], &["i"]).map_err(|e| e.class()), Err("graph/undefined_direction"));
    assert_eq!(split.forward(&[("k", 13)], &["i"]).map_err(|e| e.class()), Err("graph/undefined_direction"));
    let delta = |dim, by| split.delta(Direction::Reverse, &[("i", 1), ("j", 2)], dim, by, &["k"]);
    assert_eq!((delta("i", 2), delta("j", 3)), (Ok(vec![20]), Ok(vec![3])));
}

#[test]
fn sunder() {
    let graph = graph("sunder");
    let at = |branch, x, s| graph.reverse(&[(branch, x), ("s", s)], &["f"]).map_err(|error| error.class());
    let all: Vec<i64> = (0..5).map(|i| at("i", i, 0)).chain((0..7).map(|j| at("j", j, 1))).map(|f| f.expect("a number")[0]).collect();
    assert_eq!(all, (0..12).collect::<Vec<_>>());
    assert_eq!(
        (at("j", 0, 0), at("i", 0, 1), at("j", 0, 2)),
        (Err("graph/unreachable"), Err("graph/unreachable"), Err("graph/switch_out_of_range"))
    );
}
