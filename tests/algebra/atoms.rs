//! Compares the thread and value layouts of matrix instructions with the published formulas. Threads hold each element of A, B and C once.

use crd2idx::atoms::{ATOMS, Atom, M64C, M64K8TF32A, M64K16F16A, M64K32S8A, M64K256B1A};
use crd2idx::{DynLayout, Layout};

/// The row and column of value `v` of thread `t`, from the table of the instruction.
type Table = fn(t: i64, v: i64) -> (i64, i64);

/// Returns operands, 0 to 2, with tables of `(m, k)` of A, `(k, n)` of B, `(m, n)` of C; the sources call `t / 4` groupID.
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
        // Warp t / 32, of four, holds 16 rows.
        name if name.starts_with("m64n") => {
            let rows: Table = |t, v| (t / 32 * 16 + t % 32 / 4 + 8 * (v / 2 % 2), t % 4 * 2 + v % 2 + 8 * (v / 4));
            let a: Table = match name.split_once('k').expect("a depth").1 {
                "16.f16" => rows,
                "8.tf32" => |t, v| (t / 32 * 16 + t % 32 / 4 + 8 * (v % 2), t % 4 + 4 * (v / 2)),
                "32.s8" | "32.e4m3" => |t, v| (t / 32 * 16 + t % 32 / 4 + 8 * (v / 4 % 2), t % 4 * 4 + v % 4 + 16 * (v / 8)),
                "256.b1" => |t, v| (t / 32 * 16 + t % 32 / 4 + 8 * (v / 32 % 2), t % 4 * 32 + v % 32 + 128 * (v / 64)),
                other => panic!("{other} has no table"),
            };
            vec![(0, a), (2, rows)]
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
        // Row r of B holds elements 2 r and 2 r + 1, or four elements, of each column in turn.
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
        let layout: DynLayout = layout.parse().expect("a layout");
        let count = layout.mode(0).expect("threads").size();
        let per_thread = layout.size() / count;
        let mut held = vec![0; (rows * columns) as usize];
        for (t, v) in (0..count).flat_map(|t| (0..per_thread).map(move |v| (t, v))) {
            let (first, second) = table(t, v);
            // B is indexed by row k and column n.
            let (row, column) = if operand == 1 { (second, first) } else { (first, second) };
            let at = layout.index(&[t as usize, v as usize]).expect("an index") as i64;
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

/// `wgmma` has `N` from 8 to 256, in steps of 8; for integers above 32, in steps of 16.
#[test]
fn wgmma_of_every_n() {
    for (k, of, step) in [(16, "f16", 8), (8, "tf32", 8), (32, "e4m3", 8), (32, "s8", 16), (256, "b1", 16)] {
        for n in 1..=300 {
            let known = n % 8 == 0 && n <= 256 && (n <= 32 || n % step == 0);
            let atom = Atom::find(&format!("m64n{n}k{k}.{of}"));
            assert_eq!(atom.map(|atom| atom.shape), known.then_some([64, n, k]), "m64n{n}k{k}.{of}");
        }
    }
    let names: std::collections::BTreeSet<_> = ATOMS.iter().map(|atom| atom.name).collect();
    assert_eq!(names.len(), ATOMS.len());
}

/// The layout types agree with the layouts of the instructions.
#[test]
fn types_are_the_layouts() {
    fn same(layout: impl Layout, name: &str, operand: usize) {
        let text = Atom::find(name).and_then(|atom| atom.layouts[operand]).expect(name);
        let want: DynLayout = text.parse().expect("a layout");
        let values = want.size() as usize / 128;
        for (t, v) in (0..128).flat_map(|t| (0..values).map(move |v| (t, v))) {
            assert_eq!(Some(layout.crd2idx((t, v))), want.index(&[t, v]), "{name} at ({t},{v})");
        }
        assert_eq!(layout.size() as i64, want.size());
    }
    same(M64C::<8>, "m64n8k16.f16", 2);
    same(M64C::<24>, "m64n24k8.tf32", 2);
    same(M64C::<48>, "m64n48k32.s8", 2);
    same(M64C::<256>, "m64n256k256.b1", 2);
    same(M64K16F16A, "m64n8k16.f16", 0);
    same(M64K8TF32A, "m64n8k8.tf32", 0);
    same(M64K32S8A, "m64n8k32.e4m3", 0);
    same(M64K256B1A, "m64n8k256.b1", 0);
}
