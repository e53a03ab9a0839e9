//! Conversions and products beside sprs, and beside scipy and PyData sparse in a process of their own: `sparse-formats/benches/sparse/run.sh [ROUNDS] [PART OF A NAME]`.
//!
//! Every round runs each operation once with each library in turn. The table has medians, and ratios of medians.
//! Operations of this workspace may use several threads; peers have one.

#[path = "../common/mod.rs"]
mod common;
mod data;
mod ours;

use common::harness::{Peers, median, time};
use common::probe::Probe;
use common::random::in_huge_pages;
use data::List;
use sparse_formats::Format;

/// An operation: its name, and its milliseconds in this workspace and in sprs.
struct Operation<'a> {
    name: String,
    ours: Box<dyn Fn() -> f64 + Sync + 'a>,
    sprs: Option<Box<dyn Fn() -> f64 + 'a>>,
    /// The probe with the same bound.
    probe: Probe,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rounds = arguments.first().and_then(|n| n.parse().ok()).unwrap_or(5);
    let part = arguments.get(1).cloned().unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("sparse-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");

    let side = ours::SIDE as u32;
    let lists = [("uniform", List::random(&[side, side], 10_000_000, 1, 1)), ("power", List::random(&[side, side], 10_000_000, 3, 2))];
    let rank4 = List::random(&ours::EXTENTS, 5_000_000, 1, 3);
    lists.iter().for_each(|(name, list)| list.write(&folder, name));
    rank4.write(&folder, "rank4");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/sparse/peers.py");
    let mut peers = Peers::start("SPARSE_PEERS", script, &folder);

    let csrs: Vec<_> = lists.iter().map(|(_, list)| ours::csr(list)).collect();
    let cscs: Vec<_> = csrs.iter().map(ours::csc).collect();
    let sprs_csrs: Vec<sprs::CsMatI<f64, u32>> = lists.iter().map(|(_, list)| triplets(list).to_csr()).collect();
    let x = in_huge_pages(&(0..ours::SIDE).map(|k| k as f64 / 1e6).collect::<Vec<_>>());
    let sorted = ours::rank4(Format::coo(4), &rank4);
    let (csf, gcxs) = (ours::convert(&sorted, "DC-DC-DC-S-R"), ours::gcxs(&sorted, &[0, 1]));

    let mut operations: Vec<Operation<'_>> = Vec::new();
    for (k, (name, list)) in lists.iter().enumerate() {
        let (csr, csc, sprs_csr, x) = (&csrs[k], &cscs[k], &sprs_csrs[k], &x);
        operations.push(Operation {
            name: format!("csr {name}"),
            ours: Box::new(|| time(|| ours::csr(list))),
            sprs: Some(Box::new(|| {
                let triplets = triplets(list);
                time(|| triplets.to_csr::<u32>())
            })),
            probe: Probe::Scatter,
        });
        operations.push(Operation {
            name: format!("csc {name}"),
            ours: Box::new(|| time(|| ours::csc(csr))),
            sprs: Some(Box::new(|| time(|| sprs_csr.to_csc()))),
            probe: Probe::Scatter,
        });
        operations.push(Operation {
            name: format!("spmv {name}"),
            ours: Box::new(|| time(|| csr.times_vector(x).expect("a product"))),
            sprs: Some(Box::new(|| {
                time(|| {
                    let mut y = vec![0.0; ours::SIDE];
                    sprs::prod::mul_acc_mat_vec_csr(sprs_csr.view(), &x[..], &mut y[..]);
                    y
                })
            })),
            probe: Probe::Gather,
        });
        operations.push(Operation {
            name: format!("spmv-csc {name}"),
            ours: Box::new(|| time(|| csc.times_vector(x).expect("a product"))),
            sprs: None,
            probe: Probe::Gather,
        });
    }
    type Ours<'a> = Box<dyn Fn() -> f64 + Sync + 'a>;
    let rank4: [(&str, Ours<'_>); 8] = [
        ("build", Box::new(|| time(|| ours::rank4(Format::coo(4), &rank4)))),
        ("csf", Box::new(|| time(|| ours::rank4(Format::csf(4), &rank4)))),
        ("recsf", Box::new(|| time(|| ours::convert(&csf, "DC-DC-DC-S-X[2,0,1,3]")))),
        ("gcxs 0", Box::new(|| time(|| ours::gcxs(&sorted, &[0])))),
        ("gcxs 3", Box::new(|| time(|| ours::gcxs(&sorted, &[3])))),
        ("gcxs 1,3", Box::new(|| time(|| ours::gcxs(&sorted, &[1, 3])))),
        ("regcxs 2", Box::new(|| time(|| ours::regcxs(&gcxs, &[2])))),
        ("regcxs 1,3", Box::new(|| time(|| ours::regcxs(&gcxs, &[1, 3])))),
    ];
    for (name, ours) in rank4 {
        operations.push(Operation { name: name.to_string(), ours, sprs: None, probe: Probe::Scatter });
    }

    let pools: Vec<_> = (1..=2).map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads")).collect();
    println!(
        "{:<18}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "ms, ratios", "ours", "2 thr.", "sprs", "python", "/sprs", "/python", "scaling", "probe"
    );
    for operation in operations.iter().filter(|operation| operation.name.contains(&part)) {
        let (ours, mut times) = (&operation.ours, vec![Vec::new(); 6]);
        for round in 0..=rounds {
            let all = [
                pools[0].install(ours),
                operation.sprs.as_ref().map_or(f64::NAN, |run| run()),
                peers.time(&operation.name),
                pools[1].install(ours),
                operation.probe.time(&pools[0]),
                operation.probe.time(&pools[1]),
            ];
            // The first round warms up.
            if round > 0 {
                times.iter_mut().zip(all).for_each(|(times, time)| times.push(time));
            }
        }
        let [ours, sprs, python, two, probe, probe_two] = std::array::from_fn(|k| median(&mut times[k]));
        println!(
            "{:<18}{ours:>9.1}{two:>9.1}{sprs:>9.1}{python:>9.1}{:>9.2}{:>9.2}{:>9.2}{:>9.2}",
            operation.name,
            sprs / ours,
            python / ours,
            ours / two,
            probe / probe_two
        );
    }
    drop(peers);
    std::fs::remove_dir_all(folder).expect("the folder of the run");
}

fn triplets(list: &List) -> sprs::TriMatI<f64, u32> {
    sprs::TriMatI::from_triplets((ours::SIDE, ours::SIDE), list.columns[0].clone(), list.columns[1].clone(), list.values.clone())
}
