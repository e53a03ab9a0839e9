//! Thread and value layouts of matrix instructions against the published formulas, element by element, and that each element has one holder.

use crate::common::ask_int;
use crd2idx::atoms::{ATOMS, Atom};

/// Row and column of value `v` of thread `t`, as the table of the instruction says.
type Table = fn(t: i64, v: i64) -> (i64, i64);

/// `m` and `k` of A, `k` and `n` of B, `m` and `n` of C, in the words of the sources: `groupID = t / 4`, `threadID_in_group = t % 4`.
fn tables(name: &str) -> Vec<(usize, Table)> {
    let halves: Table = |t, v| (t / 4 + 8 * (v / 2), t % 4 * 2 + v % 2);
    match name {
        "m8n8k4.f64" => vec![(0, |t, _| (t / 4, t % 4)), (1, |t, _| (t % 4, t / 4)), (2, |t, v| (t / 4, t % 4 * 2 + v))],
        "m16n8k4.tf32" => vec![(0, |t, v| (t / 4 + 8 * v, t % 4)), (1, |t, _| (t % 4, t / 4)), (2, halves)],
        "m16n8k8.tf32" => {
            vec![(0, |t, v| (t / 4 + 8 * (v % 2), t % 4 + 4 * (v / 2))), (1, |t, v| (t % 4 + 4 * v, t / 4)), (2, halves)]
        }
        "m16n8k8.f16" => vec![(0, halves), (1, |t, v| (t % 4 * 2 + v, t / 4)), (2, halves)],
        "m16n8k16.f16" => vec![
            (0, |t, v| {
                let row = if (0..2).contains(&v) || (4..6).contains(&v) { t / 4 } else { t / 4 + 8 };
                (row, t % 4 * 2 + (v & 1) + if v < 4 { 0 } else { 8 })
            }),
            (1, |t, v| (t % 4 * 2 + (v & 1) + if v < 2 { 0 } else { 8 }, t / 4)),
            (2, halves),
        ],
        "m16n8k16.s8" => vec![(0, |t, v| (t / 4 + 8 * (v / 4), t % 4 * 4 + v % 4)), (1, |t, v| (t % 4 * 4 + v, t / 4)), (2, halves)],
        "m16n8k32.s8" => vec![
            (0, |t, v| {
                let row = if (0..4).contains(&v) || (8..12).contains(&v) { t / 4 } else { t / 4 + 8 };
                (row, t % 4 * 4 + (v & 3) + if v < 8 { 0 } else { 16 })
            }),
            (1, |t, v| (t % 4 * 4 + (v & 3) + if v < 4 { 0 } else { 16 }, t / 4)),
            (2, halves),
        ],
        // Warp t / 32 of four has 16 rows.
        "m64n64k16.f16" | "m64n128k16.f16" => {
            let rows: Table = |t, v| (t / 32 * 16 + t % 32 / 4 + 8 * (v / 2 % 2), t % 4 * 2 + v % 2 + 8 * (v / 4));
            vec![(0, rows), (2, rows)]
        }
        "ldmatrix.x1" => vec![(0, |t, v| (t / 4, t % 4 * 2 + v))],
        "ldmatrix.x4" => vec![(0, |t, v| (t / 4 + 8 * (v / 2 % 2), t % 4 * 2 + v % 2 + 8 * (v / 4)))],
        "ldmatrix.x1.trans" => vec![(0, |t, v| (t % 4 * 2 + v, t / 4))],
        "mfma.16x16x4.f32" => vec![(0, |t, _| (t % 16, t / 16)), (1, |t, _| (t / 16, t % 16)), (2, |t, v| (4 * (t / 16) + v, t % 16))],
        "mfma.16x16x16.f16" => {
            vec![(0, |t, v| (t % 16, 4 * (t / 16) + v)), (1, |t, v| (4 * (t / 16) + v, t % 16)), (2, |t, v| (4 * (t / 16) + v, t % 16))]
        }
        "mfma.32x32x8.f16" => vec![
            (0, |t, v| (t % 32, 4 * (t / 32) + v)),
            (1, |t, v| (4 * (t / 32) + v, t % 32)),
            (2, |t, v| (8 * (v / 4) + 4 * (t / 32) + v % 4, t % 32)),
        ],
        // Row r of B has elements 2 r and 2 r + 1, or four, of each column, one after another.
        "tdpbf16ps" => vec![(0, |t, v| (t, v)), (1, |t, v| (2 * t + v % 2, v / 2)), (2, |t, v| (t, v))],
        "tdpbssd" => vec![(0, |t, v| (t, v)), (1, |t, v| (4 * t + v % 4, v / 4)), (2, |t, v| (t, v))],
        other => panic!("{other} has no table"),
    }
}

fn check(atom: &Atom) {
    let tables = tables(atom.name);
    assert_eq!(tables.len(), atom.layouts.iter().flatten().count(), "{}", atom.name);
    for (operand, table) in tables {
        let layout = atom.layouts[operand].expect("an operand with a table has a layout");
        let [rows, columns] = atom.extents(operand).map(|n| n as i64);
        let size = ask_int("size", &[&layout]).expect("a layout");
        let mode = crate::common::ask("get", &[&layout, &0]).expect("a mode");
        let count = ask_int("size", &[&mode]).expect("threads");
        let per_thread = size / count;
        let mut held = vec![0; (rows * columns) as usize];
        for (t, v) in (0..count).flat_map(|t| (0..per_thread).map(move |v| (t, v))) {
            let (first, second) = table(t, v);
            // B is given by row k and column n.
            let (row, column) = if operand == 1 { (second, first) } else { (first, second) };
            let at = ask_int("crd2idx", &[&layout, &format!("({t},{v})")]).expect("an index");
            assert_eq!(at, row + rows * column, "{} operand {operand}: value {v} of thread {t}", atom.name);
            held[at as usize] += 1;
        }
        assert!(held.iter().all(|n| *n == 1), "{} operand {operand}: every element has one holder", atom.name);
    }
}

#[test]
fn layouts_are_the_published_tables() {
    assert!(ATOMS.len() >= 17);
    ATOMS.iter().for_each(check);
}
