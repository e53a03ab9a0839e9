//! Tiles in the shared memory of AMD: wavefronts by the groups of lanes that its publications list.

use crate::count::Table;
use layout_algebra::error::Op;
use layout_algebra::expression::{Operand, Parser};
use layout_algebra::value::ExprGraph;
use layout_choice::TileProgram;
use std::collections::{BTreeMap, BTreeSet};

/// The first lanes of the runs of four lanes in each group of `ds_read_b128` on CDNA 3 ("Understanding AMD GPU LDS and Bank Conflicts").
const CDNA3_READS: [[usize; 2]; 8] = [[0, 20], [12, 24], [4, 16], [8, 28], [32, 52], [44, 56], [36, 48], [40, 60]];

/// Returns the groups of lanes that memory serves together if each of `lanes` lanes moves `bytes` bytes, and the number of banks.
fn groups(target: &str, store: bool, lanes: usize, bytes: usize) -> (Vec<Vec<usize>>, usize) {
    let fours = |runs: &[usize]| runs.iter().flat_map(|run| *run..run + 4).collect();
    match (target, store, bytes) {
        ("cdna3", false, 16) => (CDNA3_READS.iter().map(|runs| fours(runs)).collect(), 32),
        // LDSSwizzling.md of rocRoller: two of these groups at once.
        ("cdna4", false, 16) => (CDNA3_READS.chunks(2).map(|runs| fours(&runs.concat())).collect(), 64),
        ("cdna4", false, _) => ((0..lanes).collect::<Vec<_>>().chunks((256 / bytes).min(lanes)).map(<[usize]>::to_vec).collect(), 64),
        _ => ((0..lanes).collect::<Vec<_>>().chunks((128 / bytes).min(lanes)).map(<[usize]>::to_vec).collect(), 32),
    }
}

/// Returns the index of each integer coordinate.
fn indices(layout: &str, size: i64) -> Vec<i64> {
    let operand: Operand<32> = Parser::whole(layout, &mut ExprGraph::<0>::new(Op::Parse)).unwrap();
    let coordinates = (0..size).map(|at| Some(vec![vec![at]])).collect();
    layout_algebra::memory::Threads::at(&operand, coordinates).unwrap().into_indices().into_iter().flatten().flatten().collect()
}

/// Counts the wavefronts of an access by vectors of `vector` bytes: in each group, the most words that one bank has to give.
fn wavefronts(target: &str, store: bool, table: &Table, indices: &[i64], element: usize, vector: usize) -> u64 {
    let lanes = if target.starts_with("cdna") { 64 } else { 32 };
    let (groups, banks) = groups(target, store, lanes, vector);
    let length = vector / element;
    let mut total = 0;
    for warp in table.coordinates.chunks(lanes) {
        // Each thread moves the vectors of its elements, in the order of the values of the first one of each.
        let firsts: Vec<Vec<i64>> = warp
            .iter()
            .map(|of| of.iter().map(|c| indices[*c as usize]).filter(|at| at.rem_euclid(length as i64) == 0).collect())
            .collect();
        let steps = (0..firsts[0].len()).map(|step| firsts.iter().map(|of| of[step]).collect::<Vec<i64>>());
        for request in steps {
            for group in &groups {
                let mut words: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
                for lane in group {
                    let first = request[*lane] * element as i64;
                    for byte in first..first + vector as i64 {
                        words.entry(byte / 4 % banks as i64).or_default().insert(byte / 4);
                    }
                }
                total += words.values().map(BTreeSet::len).max().unwrap_or(0) as u64;
            }
        }
    }
    total
}

#[test]
fn wavefronts_are_those_of_the_published_groups() {
    let mut counted = 0;
    for target in ["cdna3", "cdna4", "rdna3", "rdna4"] {
        for (element, bytes) in [("f32", 4), ("f16", 2)] {
            for (m, n, threads) in [(64, 32, 64), (32, 64, 128), (64, 64, 256), (16, 128, 64)] {
                let text = format!(
                    "tile t\ntarget {target}\nthreads {threads}\nglobal a {element} ({m}, {n})\nglobal b {element} ({n}, {m})\n\
                     shared s {element} ({m}, {n})\nregisters x {element} ({m}, {n})\nregisters y {element} ({m}, {n})\n\
                     x[i, j] <- a[i, j]\ns[i, j] <- x[i, j]\ny[i, j] <- s[i, j]\nb[j, i] <- y[i, j]"
                );
                let choice = TileProgram::parse(&text).unwrap().choose().unwrap();
                let indices = indices(&choice.layout("s").unwrap(), m * n);
                for (tensor, statement) in [("x", 1), ("y", 2)] {
                    let of = &choice.statements()[statement].moves[0];
                    let words: Vec<&str> = of.instruction.split(' ').collect();
                    let ["load" | "store", "of", vector, "bytes"] = words[..] else { panic!("{choice}") };
                    let table = Table::of(&choice.layout(tensor).unwrap());
                    let vector = vector.parse().unwrap();
                    assert_eq!(of.count, wavefronts(target, statement == 1, &table, &indices, bytes, vector), "{text}\n{choice}");
                    assert!(of.count >= of.least, "{choice}");
                    counted += 1;
                }
            }
        }
    }
    assert_eq!(counted, 64);
}

#[test]
fn products_load_by_vectors_without_conflicts() {
    for (text, loads) in [
        (include_str!("../../programs/gemm_cdna3.tile"), ("load of 8 bytes", 256)),
        (include_str!("../../programs/gemm_rdna3.tile"), ("load of 16 bytes", 128)),
    ] {
        let choice = TileProgram::parse(text).unwrap().choose().unwrap();
        let moves = &choice.statements()[2].moves;
        // Eight loads in each of four warps, whose lanes or halves of the lanes fill all banks in turn.
        assert_eq!((moves[0].instruction.as_str(), moves[0].count), loads, "{choice}");
        let kernel = choice.hip().unwrap();
        assert!(kernel.contains("__builtin_amdgcn_") && !kernel.contains("asm") && !kernel.contains("_sync("), "{kernel}");
    }
    // The result of a product is the right operand of the next.
    let choice = TileProgram::parse(include_str!("../../programs/attention_cdna3.tile")).unwrap().choose().unwrap();
    assert_eq!(choice.layout("s"), choice.layout("p"));
}
