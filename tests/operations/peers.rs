//! Operation counts compared with those that Triton and LEGO publish. The table of the book must show them.

use crd2idx::algebra::expression::{Operand, Parser};
use crd2idx::algebra::memory::{Access, Banks, SwizzleSearch, Threads};
use crd2idx::algebra::value::{ExprGraph, LayoutValue};
use crd2idx::error::Op;
use crd2idx::graph::{Bound, CoordGraph, Dimension, Direction, Domain, GraphError, Transform};
use crd2idx::program::{Coordinates, Program};

fn operand(text: &str) -> Operand<32> {
    Parser::whole(text, &mut ExprGraph::<0>::new(Op::Parse)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn layout(text: &str) -> LayoutValue<32> {
    match operand(text) {
        Operand::Layout(layout) => layout,
        other => panic!("{other} is no layout"),
    }
}

/// Returns the index that the layout `threads` has for each value of each of `count` threads.
fn coordinates(threads: &str, count: i64, values: i64) -> Vec<Option<Vec<i64>>> {
    let at = |t: i64, v: i64| {
        let index = crd2idx::algebra::expression::apply(
            Op::Crd2Idx,
            &[operand(threads), operand(&(t + count * v).to_string())],
            &mut ExprGraph::<0>::new(Op::Parse),
        );
        match index {
            Ok(Operand::Tuple(index)) => index.leaf(0).value().expect("a number"),
            _ => panic!("{threads} has no thread {t} with a value {v}"),
        }
    };
    (0..count).map(|t| Some((0..values).map(|v| at(t, v)).collect())).collect()
}

/// Converts an `n` by `n` tile of 32-bit numbers through shared memory: first four threads share a row, each with a quarter
/// of it, and then a column. Returns the layout, the accesses of a thread to store and to load, and their conflicts.
fn conversion(n: i64) -> (String, i64, i64, u64) {
    let (threads, values) = (4 * n, n / 4);
    // Thread (r, q) and value k: row r and column q n/4 + k, then row q n/4 + k and column r.
    let rows = format!("(({n},4),{values}):((1,{}),{n})", n * values);
    let columns = format!("(({n},4),{values}):(({n},{values}),1)");
    let (store, load) = (Access::vector(32, 4), Access::element(32));
    let search = SwizzleSearch {
        shape: vec![n, n],
        banks: Banks::NVIDIA,
        accesses: vec![(coordinates(&rows, threads, values), store), (coordinates(&columns, threads, values), load)],
    };
    let found = search.run().expect("a layout").arrangement.to_string();
    let shared = operand(&found);
    let served =
        |threads: &str, access| Threads::through(&shared, &layout(threads)).and_then(|threads| threads.banks(access, Banks::NVIDIA));
    let (stored, loaded) = (served(&rows, store).expect("stores"), served(&columns, load).expect("loads"));
    let warps = threads as usize / 32;
    let each = |accesses: usize| (accesses / warps) as i64;
    (found, each(stored.accesses.len()), each(loaded.accesses.len()), stored.conflicts() + loaded.conflicts())
}

/// The tile of a product that LEGO prints as `80*i + j + 2560*p + 16*q`: rows of 80 in tiles of 32 by 16.
const TILED: &str = "logical_divide((96,80):(80,1), (32,16))";

/// Returns the graph of the inverse as tiles nest: floors and remainders of remainders.
fn inverse() -> Result<CoordGraph, GraphError> {
    let mut graph = CoordGraph::new();
    let mut add = |name: &str, size: i64| graph.add(Dimension::new(name).size(size));
    let (x, p, row, i, column, q, j) =
        (add("x", 7680)?, add("p", 3)?, add("row", 2560)?, add("i", 32)?, add("column", 80)?, add("q", 5)?, add("j", 16)?);
    graph.connect(Transform::Tile, [x], [p, row])?;
    graph.connect(Transform::Tile, [row], [i, column])?;
    graph.connect(Transform::Tile, [column], [q, j])?;
    Ok(graph)
}

/// Returns the rows of the table.
fn rows() -> Vec<String> {
    let mut rows = Vec::new();
    for n in [32, 64, 128] {
        let (found, stores, loads, conflicts) = conversion(n);
        assert_eq!(conflicts, 0, "{n}: {found}");
        assert!(stores <= n / 4 && loads <= n / 4, "{n}: {stores} + {loads} accesses");
        rows.push(format!(
            "| Triton: rows to columns, {n} x {n}, accesses of a thread | {0} + {0} | {stores} + {loads}, by `{found}` |",
            n / 4
        ));
    }
    let row = |what: &str, theirs: Program, ours: &Program| {
        let (theirs, ours) = (theirs.operations(), ours.operations());
        assert!(ours.total() <= theirs.total() && ours.div + ours.rem <= theirs.div + theirs.rem, "{what}: {ours}, {theirs}");
        format!("| {what} | {}: {theirs} | {}: {ours} |", theirs.total(), ours.total())
    };
    let index = Program::parse_layout(TILED, Coordinates::Leaves).expect("an index");
    let published = Program::parse_layout_unsimplified(TILED, Coordinates::Leaves).expect("an index");
    let graph = inverse().expect("a graph");
    let (sources, targets) = ([Bound::Thread("x")], ["i", "p", "j", "q"]);
    let back = graph.program(Direction::Forward, &sources, &targets, Domain::Declared).expect("a program");
    let nested = graph.unsimplified(Direction::Forward, &sources, &targets, Domain::Declared).expect("a program");
    for x in 0..7680 {
        let c = back.run(&[x]).expect("a coordinate");
        assert_eq!(index.run(&c).expect("an index"), [x]);
        let [i, p, j, q] = c[..] else { panic!("four integers") };
        assert_eq!(80 * i + j + 2560 * p + 16 * q, x);
    }
    rows.push(row("LEGO: a tiled product, `80*i + j + 2560*p + 16*q`", published, &index));
    rows.push(row("LEGO: its inverse, nested floors and remainders", nested, &back));
    rows
}

#[test]
fn the_book_has_the_counts_beside_peers() {
    let book = include_str!("../../docs/look-up/benchmarks.md");
    let rows = rows();
    let missing: Vec<&String> = rows.iter().filter(|row| !book.contains(row.as_str())).collect();
    let rows = missing.iter().map(|row| row.as_str()).collect::<Vec<_>>();
    assert!(missing.is_empty(), "docs/look-up/benchmarks.md lacks:\n{}", rows.join("\n"));
}
