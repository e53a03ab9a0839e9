//! Compares the thread and value layouts of matrix instructions with the published formulas. Threads hold each element of A, B and C once,
//! and on RDNA3 those of A and B twice or four times.

use crd2idx::atoms::{
    ATOMS, Atom, Dpas8C, Dpas8F16A, Dpas8F16B, Dpas8I8A, Dpas8I8B, Dpas16C, Dpas16F16A, Dpas16F16B, Dpas16I8A, Dpas16I8B, Dpas16TF32A,
    Dpas16TF32B, M64C, M64K8TF32A, M64K16F16A, M64K32S8A, M64K256B1A, TensorMemory16X64B, TensorMemory16X128B, TensorMemory16X256B,
    TensorMemory32X32B, TensorMemory64C, TensorMemory64WsC, TensorMemory128C,
};
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
        // Groups of four rows go to the groups of 16 lanes in turn; those of f64 have one row.
        "mfma.16x16x4.f64" => vec![(0, |t, _| (t % 16, t / 16)), (1, |t, _| (t / 16, t % 16)), (2, |t, v| (t / 16 + 4 * v, t % 16))],
        "mfma.16x16x32.i8" | "mfma.16x16x32.f16" => {
            vec![(0, |t, v| (t % 16, 8 * (t / 16) + v)), (1, |t, v| (8 * (t / 16) + v, t % 16)), (2, |t, v| (4 * (t / 16) + v, t % 16))]
        }
        "mfma.32x32x16.i8" | "mfma.32x32x16.f16" => vec![
            (0, |t, v| (t % 32, 8 * (t / 32) + v)),
            (1, |t, v| (8 * (t / 32) + v, t % 32)),
            (2, |t, v| (8 * (v / 4) + 4 * (t / 32) + v % 4, t % 32)),
        ],
        // A lane of RDNA3 holds a whole row of A, or column of B, and lanes 16 apart hold the same one.
        "wmma.rdna3.16x16x16.f16" | "wmma.rdna3.16x16x16.i8" => {
            vec![(0, |t, v| (t % 16, v)), (1, |t, v| (v, t % 16)), (2, |t, v| (2 * v + t / 16, t % 16))]
        }
        "wmma.rdna3.wave64.16x16x16.f16" | "wmma.rdna3.wave64.16x16x16.i8" => {
            vec![(0, |t, v| (t % 16, v)), (1, |t, v| (v, t % 16)), (2, |t, v| (4 * v + t / 16, t % 16))]
        }
        // On RDNA4, registers 2 and 3 of 32 lanes are registers 0 and 1 of the lanes from 32 on, and so are rows 4 to 7 of C.
        "wmma.rdna4.16x16x16.f16" => vec![
            (0, |t, v| (t % 16, v % 4 + t / 16 * 4 + v / 4 * 8)),
            (1, |t, v| (v % 4 + t / 16 * 4 + v / 4 * 8, t % 16)),
            (2, |t, v| (v + t / 16 * 8, t % 16)),
        ],
        "wmma.rdna4.wave64.16x16x16.f16" => vec![
            (0, |t, v| (t % 16, v + t / 16 * 4)),
            (1, |t, v| (v + t / 16 * 4, t % 16)),
            (2, |t, v| (v + t / 16 % 2 * 8 + t / 32 * 4, t % 16)),
        ],
        "wmma.rdna4.16x16x16.i8" => {
            vec![(0, |t, v| (t % 16, v + t / 16 * 8)), (1, |t, v| (v + t / 16 * 8, t % 16)), (2, |t, v| (v + t / 16 * 8, t % 16))]
        }
        "wmma.rdna4.wave64.16x16x16.i8" => vec![
            (0, |t, v| (t % 16, v + t / 16 % 2 * 8 + t / 32 * 4)),
            (1, |t, v| (v + t / 16 % 2 * 8 + t / 32 * 4, t % 16)),
            (2, |t, v| (v + t / 16 % 2 * 8 + t / 32 * 4, t % 16)),
        ],
        "wmma.rdna4.16x16x32.i4" => {
            vec![(0, |t, v| (t % 16, v + t / 16 * 16)), (1, |t, v| (v + t / 16 * 16, t % 16)), (2, |t, v| (v + t / 16 * 8, t % 16))]
        }
        "wmma.rdna4.wave64.16x16x32.i4" => vec![
            (0, |t, v| (t % 16, v + t / 16 % 2 * 16 + t / 32 * 8)),
            (1, |t, v| (v + t / 16 % 2 * 16 + t / 32 * 8, t % 16)),
            (2, |t, v| (v + t / 16 % 2 * 8 + t / 32 * 4, t % 16)),
        ],
        name if name.starts_with("dpas.") => {
            let rest = name.split_once('x').expect("extents").1;
            // A row of A fills a register of the sub-group; word j of lane n of B holds the next elements of column n.
            let (a, b): (Table, Table) = match rest {
                "8x16.f16" => (|t, v| (v / 2, 2 * t + v % 2), |t, v| (v / 2 * 2 + v % 2, t)),
                "8x32.i8" => (|t, v| (v / 4, 4 * t + v % 4), |t, v| (v / 4 * 4 + v % 4, t)),
                "16x16.f16" => (|t, v| (v, t), |t, v| (v / 2 * 2 + v % 2, t)),
                "16x32.i8" => (|t, v| (v / 2, 2 * t + v % 2), |t, v| (v / 4 * 4 + v % 4, t)),
                // Two rows of A fill a register.
                "16x8.tf32" => (|t, v| (2 * v + t / 8, t % 8), |t, v| (v, t)),
                other => panic!("{other} has no table"),
            };
            vec![(0, a), (1, b), (2, |t, v| (v, t))]
        }
        // Lanes and columns of tensor memory.
        name if name.starts_with("tcgen05.ld.") => {
            let shape = name["tcgen05.ld.".len()..].split_once('.').expect("repetitions").0;
            let table: Table = match shape {
                "32x32b" => |t, v| (t, v),
                "16x64b" => |t, v| (t / 4 + 8 * (t % 2), t / 2 % 2 + 2 * v),
                "16x128b" => |t, v| (t / 4 + 8 * (v % 2), t % 4 + 4 * (v / 2)),
                "16x256b" => |t, v| (t / 4 + 8 * (v / 2 % 2), v % 2 + 2 * (t % 4) + 8 * (v / 4)),
                other => panic!("{other} has no table"),
            };
            vec![(2, table)]
        }
        // The second half of the columns is in lanes 64 to 127.
        name if name.starts_with("tcgen05.mma.ws.m64n64k") => vec![(2, |t, v| (t % 64, v + t / 64 * 32))],
        name if name.starts_with("tcgen05.mma.ws.m64n128k") => vec![(2, |t, v| (t % 64, v + t / 64 * 64))],
        name if name.starts_with("tcgen05.mma.ws.m64n256k") => vec![(2, |t, v| (t % 64, v + t / 64 * 128))],
        // The coordinate t is lane t % 16 of warp t / 16, which has 16 rows.
        name if name.starts_with("tcgen05.mma.m64n") => vec![(2, |t, v| (t / 16 * 16 + t % 16, v))],
        name if name.starts_with("tcgen05.mma.m128n") => vec![(2, |t, v| (t, v))],
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
        let copies = match atom.name {
            name if operand == 2 || !name.starts_with("wmma.rdna3.") => 1,
            name if name.starts_with("wmma.rdna3.wave64.") => 4,
            _ => 2,
        };
        assert!(held.iter().all(|n| *n == copies), "{} operand {operand}: every element has {copies} holders", atom.name);
    }
}

#[test]
fn layouts_are_the_published_tables() {
    assert_eq!(ATOMS.len(), 10 + 3 * 32 + 2 * 18 + 29 + 3 * 32 + 18 + 4 * 16 + 12 + 18 + 2 + 4 * 8 + 4);
    ATOMS.iter().for_each(check);
}

/// `wgmma` has `N` from 8 to 256, in steps of 8; for integers above 32, in steps of 16. `tcgen05.mma` with 64 rows has the
/// same `N`; with 128 rows, 16 to 256 in steps of 16.
#[test]
fn wgmma_of_every_n() {
    for (k, of, step) in [(16, "f16", 8), (8, "tf32", 8), (32, "e4m3", 8), (32, "s8", 16), (256, "b1", 16)] {
        for n in 1..=300 {
            let known = n % 8 == 0 && n <= 256 && (n <= 32 || n % step == 0);
            let atom = Atom::find(&format!("m64n{n}k{k}.{of}"));
            assert_eq!(atom.map(|atom| atom.shape), known.then_some([64, n, k]), "m64n{n}k{k}.{of}");
        }
    }
    for (k, of, all) in [(16, "f16", true), (8, "tf32", true), (32, "f8f6f4", true), (32, "i8", false)] {
        for n in 1..=300 {
            let known = n % 8 == 0 && n <= 256 && (all || n <= 32 || n % 16 == 0);
            for (m, ws, known) in [(64, "", known), (128, "", n % 16 == 0 && n <= 256), (64, "ws.", [64, 128, 256].contains(&n))] {
                let atom = Atom::find(&format!("tcgen05.mma.{ws}m{m}n{n}k{k}.{of}"));
                assert_eq!(atom.map(|atom| atom.shape), known.then_some([m, n, k]), "{ws}m{m}n{n}k{k}.{of}");
            }
        }
    }
    for (shape, most) in [("32x32b", 128), ("16x64b", 128), ("16x128b", 64), ("16x256b", 32)] {
        for x in 1usize..=200 {
            assert_eq!(Atom::find(&format!("tcgen05.ld.{shape}.x{x}")).is_some(), x.is_power_of_two() && x <= most, "{shape}.x{x}");
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
        let threads = want.mode(0).expect("threads").size() as usize;
        let values = want.size() as usize / threads;
        for (t, v) in (0..threads).flat_map(|t| (0..values).map(move |v| (t, v))) {
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
    same(TensorMemory32X32B::<16>, "tcgen05.ld.32x32b.x16", 2);
    same(TensorMemory16X64B::<1>, "tcgen05.ld.16x64b.x1", 2);
    same(TensorMemory16X128B::<64>, "tcgen05.ld.16x128b.x64", 2);
    same(TensorMemory16X256B::<4>, "tcgen05.ld.16x256b.x4", 2);
    same(TensorMemory128C::<48>, "tcgen05.mma.m128n48k16.f16", 2);
    same(TensorMemory64C::<24>, "tcgen05.mma.m64n24k8.tf32", 2);
    same(TensorMemory64WsC::<128>, "tcgen05.mma.ws.m64n128k32.i8", 2);
    same(Dpas8F16A::<3>, "dpas.3x8x16.f16", 0);
    same(Dpas8I8A::<8>, "dpas.8x8x32.i8", 0);
    same(Dpas8F16B, "dpas.1x8x16.f16", 1);
    same(Dpas8I8B, "dpas.1x8x32.i8", 1);
    same(Dpas8C::<7>, "dpas.7x8x32.i8", 2);
    same(Dpas16F16A::<8>, "dpas.8x16x16.f16", 0);
    same(Dpas16I8A::<5>, "dpas.5x16x32.i8", 0);
    same(Dpas16TF32A::<6>, "dpas.6x16x8.tf32", 0);
    same(Dpas16F16B, "dpas.2x16x16.f16", 1);
    same(Dpas16I8B, "dpas.2x16x32.i8", 1);
    same(Dpas16TF32B, "dpas.2x16x8.tf32", 1);
    same(Dpas16C::<1>, "dpas.1x16x16.f16", 2);
}
