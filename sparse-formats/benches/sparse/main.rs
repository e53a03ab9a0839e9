//! Conversions and products beside sprs, and beside scipy and PyData sparse in a process of their own: `sparse-formats/benches/sparse/run.sh [ROUNDS] [PART OF A NAME]`.
//!
//! Every round runs each operation once with each library in turn; the table has medians, and ratios of medians. Threads are ours: peers have one.

mod data;
mod ours;
mod probe;

use data::List;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// An operation: its name, and how long it takes with us and with sprs in milliseconds.
struct Operation<'a> {
    name: String,
    ours: Box<dyn Fn() -> f64 + Sync + 'a>,
    sprs: Option<Box<dyn Fn() -> f64 + 'a>>,
    /// The probe with the same bound.
    probe: probe::Probe,
}

/// Milliseconds of `run`, without what it takes to drop the result.
fn time<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let result = black_box(run());
    let time = start.elapsed().as_secs_f64() * 1e3;
    drop(result);
    time
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The Python peers.
struct Peers(Option<Child>);

impl Peers {
    fn time(&mut self, name: &str) -> f64 {
        let Some(Child { stdin: Some(stdin), stdout: Some(stdout), .. }) = &mut self.0 else { return f64::NAN };
        let mut line = String::new();
        let told = writeln!(stdin, "{name}").and_then(|()| BufReader::with_capacity(1, stdout).read_line(&mut line));
        told.ok().and_then(|_| line.trim().parse().ok()).unwrap_or(f64::NAN)
    }
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
    let peers = std::env::var("SPARSE_PEERS").ok().map(|python| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/sparse/peers.py");
        Command::new(python).arg(script).arg(&folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Python")
    });
    let mut peers = Peers(peers);

    let csrs: Vec<_> = lists.iter().map(|(_, list)| ours::csr(list)).collect();
    let cscs: Vec<_> = csrs.iter().map(ours::csc).collect();
    let sprs_csrs: Vec<sprs::CsMatI<f64, u32>> = lists.iter().map(|(_, list)| triplets(list).to_csr()).collect();
    let x: Vec<f64> = (0..ours::SIDE).map(|k| k as f64 / 1e6).collect();
    let sorted = ours::sorted(&rank4);
    let gcxs = ours::gcxs(&sorted, [0, 1, 2, 3], 2);

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
            probe: probe::Probe::Scatter,
        });
        operations.push(Operation {
            name: format!("csc {name}"),
            ours: Box::new(|| time(|| ours::csc(csr))),
            sprs: Some(Box::new(|| time(|| sprs_csr.to_csc()))),
            probe: probe::Probe::Scatter,
        });
        operations.push(Operation {
            name: format!("spmv {name}"),
            ours: Box::new(|| {
                let (matrix, mut y) = (ours::view(csr), vec![0.0; ours::SIDE]);
                time(|| matrix.multiply(x, &mut y))
            }),
            sprs: Some(Box::new(|| {
                let mut y = vec![0.0; ours::SIDE];
                time(|| sprs::prod::mul_acc_mat_vec_csr(sprs_csr.view(), &x[..], &mut y[..]))
            })),
            probe: probe::Probe::Gather,
        });
        operations.push(Operation {
            name: format!("spmv-csc {name}"),
            ours: Box::new(|| {
                let (matrix, mut y) = (ours::view(csc), vec![0.0; ours::SIDE]);
                time(|| matrix.multiply_columns(x, &mut y))
            }),
            sprs: None,
            probe: probe::Probe::Gather,
        });
    }
    type Ours<'a> = Box<dyn Fn() -> f64 + Sync + 'a>;
    let rank4: [(&str, Ours<'_>); 5] = [
        ("build", Box::new(|| time(|| ours::csf(&rank4)))),
        ("gcxs 0", Box::new(|| time(|| ours::gcxs(&sorted, [0, 1, 2, 3], 1)))),
        ("gcxs 3", Box::new(|| time(|| ours::gcxs(&sorted, [3, 0, 1, 2], 1)))),
        ("gcxs 1,3", Box::new(|| time(|| ours::gcxs(&sorted, [1, 3, 0, 2], 2)))),
        ("regcxs", Box::new(|| time(|| ours::regcxs(&gcxs)))),
    ];
    for (name, ours) in rank4 {
        operations.push(Operation { name: name.to_string(), ours, sprs: None, probe: probe::Probe::Scatter });
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
    drop(peers.0.take().map(|mut child| {
        drop(child.stdin.take());
        child.wait()
    }));
    std::fs::remove_dir_all(folder).expect("the folder of the run");
}

fn triplets(list: &List) -> sprs::TriMatI<f64, u32> {
    sprs::TriMatI::from_triplets((ours::SIDE, ours::SIDE), list.columns[0].clone(), list.columns[1].clone(), list.values.clone())
}
