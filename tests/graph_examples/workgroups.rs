//! Workgroups in strips of rows, compared with the order that they should have.

use super::files::{graph, program};
use crd2idx::graph::Direction;

/// Returns the `[row, col]` of each workgroup, in strips of `group` rows, column by column. The last strip may have fewer rows.
fn order(rows: i64, cols: i64, group: i64) -> Vec<Vec<i64>> {
    let mut out = Vec::new();
    for first in (0..rows).step_by(group as usize) {
        for col in 0..cols {
            out.extend((first..rows.min(first + group)).map(|row| vec![row, col]));
        }
    }
    out
}

#[test]
fn strips_are_the_reference() {
    let graph = graph("workgroups");
    let place = program(&graph, Direction::Forward, &["wg"], &["row", "col"]);
    let names: Vec<&str> = place.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(names, ["rows", "cols", "group", "wg"]);
    let sizes = [1, 2, 3, 5, 8, 13, 22].into_iter().flat_map(|rows| [1, 2, 7, 8, 11].map(|cols| (rows, cols)));
    let mut lower = 0;
    for (rows, cols) in sizes {
        // The groups divide the rows, leave a rest, or exceed the rows.
        for group in [1, 2, 3, 4, 5, 8, 9, 22, 23, 49, 64] {
            lower += usize::from(group > rows);
            for (wg, want) in (0..).zip(order(rows, cols, group)) {
                let at = [rows, cols, group, wg];
                assert_eq!(place.run(&at).as_ref(), Ok(&want), "{at:?}");
                assert_eq!(place.is_valid(&at), Ok(true), "{at:?}");
                if wg % 5 == 0 {
                    let bind: Vec<(&str, i64)> = names.iter().copied().zip(at).collect();
                    assert_eq!(graph.forward(&bind, &["row", "col"]).as_ref(), Ok(&want), "{at:?}");
                    assert_eq!(graph.is_valid(Direction::Forward, &bind, &["row", "col"]), Ok(true), "{at:?}");
                }
            }
            let bind = [("rows", rows), ("cols", cols), ("group", group), ("wg", rows * cols)];
            assert_ne!(graph.is_valid(Direction::Forward, &bind, &["row", "col"]), Ok(true), "{bind:?}");
        }
    }
    assert!(lower > 100, "{lower} groups higher than the rows");
}
