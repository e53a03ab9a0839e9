//! MTTKRP, TTM and products of matrices beside plain loops over the same arrays and a probe: `cargo bench -p sparse-formats --bench products --features parallel,huge-pages -- [ROUNDS] [PART OF A NAME] [ENTRIES] [gains]`.
//!
//! Every round runs each loop twice in turn, on one thread. Times are the running times of that thread, the least
//! of all rounds; ratios are of these times. With `gains`, each loop runs on one thread and then on two, by the
//! clock, and the table shows how many times as fast two threads are.

#[path = "../common/mod.rs"]
mod common;
mod data;
mod gains;
mod matrices;
mod plain;

use common::harness::time_twice;
use data::{Aligned, Case, cases};
use plain::{Csf, Leaves};
use sparse_formats::{Composite, Format, Scheme, mttkrp, ttm};
use std::hint::black_box;

/// A loop: its name, and a function that returns its milliseconds.
type Loop<'l> = (String, Box<dyn Fn() -> f64 + 'l>);

/// Returns the least milliseconds of each loop. Every round runs all loops twice, because the first run after
/// another process finds cold caches.
fn least(rounds: usize, loops: &[Loop]) -> Vec<f64> {
    let mut out = vec![f64::INFINITY; loops.len()];
    for _ in 0..rounds {
        for (least, (_, run)) in out.iter_mut().zip(loops) {
            *least = least.min(run()).min(run());
        }
    }
    out
}

fn cpu<T>(run: impl FnOnce() -> T) -> f64 {
    time_twice(run)[1]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rounds = arguments.first().and_then(|n| n.parse().ok()).unwrap_or(5);
    let part = arguments.get(1).cloned().unwrap_or_default();
    let entries = arguments.get(2).and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    if arguments.last().is_some_and(|last| last == "gains") {
        return gains::all(rounds, &part, entries);
    }
    // The pool has one thread, the main thread. Allocators return the freed memory of other threads to the system
    // at once, so results here would get new pages each time, and results of other libraries would not.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().expect("a pool");
    pool.install(|| matrices::all(rounds, &part));
    for Case { name, tensor } in cases(entries, &part) {
        for rank in [16, 32] {
            pool.install(|| products(&name, &tensor, rank, rounds));
        }
    }
}

/// Measures all modes of MTTKRP over each format, the plain loop over CSF, and rows gathered as fast as possible.
fn products(name: &str, tensor: &sparse_formats::SparseTensor<'static, f64>, rank: usize, rounds: usize) {
    let shape = tensor.shape().to_vec();
    let factors: Vec<Aligned> = shape.iter().map(|extent| Aligned::new(*extent as usize * rank)).collect();
    let factors: Vec<&[f64]> = factors.iter().map(|factor| &**factor).collect();
    let axes = shape.len();
    let csf = tensor.to_format(&Format::csf(axes)).expect("a format");
    let (plain, leaves) = ((axes == 3).then(|| Csf::new(&csf)), Leaves::new(&csf));
    let order: Vec<String> = (0..axes).map(|axis| axis.to_string()).collect();
    let (hicoo, hbcsf) = (format!("hicoo({})", vec!["7"; axes].join(",")), format!("hbcsf[{}]", order.join(",")));
    let schemes = ["COO", &hicoo, "alto", &hbcsf, "mmcsf"];
    let others: Vec<(&str, Composite<f64>)> = schemes
        .iter()
        .map(|name| {
            (
                *name,
                if *name == "COO" {
                    tensor.clone().into()
                } else {
                    Composite::new(tensor, &name.parse::<Scheme>().expect("a name")).expect("parts")
                },
            )
        })
        .collect();
    println!(
        "\n{name} {shape:?}, {} entries, {:.2} a fiber, R = {rank}: ms",
        tensor.stored(),
        tensor.stored() as f64 / csf.pattern().entries(axes - 2) as f64
    );
    for mode in 0..axes {
        let (factors, plain, leaves) = (&factors, &plain, &leaves);
        let rows = move || cpu(|| black_box(leaves.gather(leaves.all(), factors[axes - 1], rank)));
        let first = move || plain.as_ref().map_or(f64::NAN, |plain| cpu(|| plain.mttkrp(mode, factors, rank)));
        let mut loops: Vec<Loop> = vec![("plain".into(), Box::new(first)), ("rows".into(), Box::new(rows))];
        let csf = &csf;
        loops.push(("csf".into(), Box::new(move || cpu(|| mttkrp(csf, mode, factors, rank).expect("a product")))));
        for (name, composite) in &others {
            loops.push((name.to_string(), Box::new(move || cpu(|| mttkrp(composite, mode, factors, rank).expect("a product")))));
        }
        let times = least(rounds, &loops);
        let line: Vec<String> = loops.iter().zip(&times).map(|((name, _), time)| format!("{name} {time:.1}")).collect();
        println!("  mode {mode}: {}   plain / csf {:.2}, rows / csf {:.2}", line.join("  "), times[0] / times[2], times[1] / times[2]);
    }
    let matrix = factors[axes - 1];
    let along: Vec<Loop> = vec![("csf".into(), Box::new(|| cpu(|| ttm(&csf, axes - 1, matrix, rank).expect("a product"))))];
    println!("  ttm along the last axis: {:.1}", least(rounds, &along)[0]);
}
