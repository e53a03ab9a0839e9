//! MTTKRP and products of matrices beside plain loops over the same arrays and a probe: `cargo bench -p sparse-formats --bench products --features parallel,huge-pages -- [ROUNDS] [PART OF A NAME]`.
//!
//! Every round runs each loop once in turn, on one thread; times are those that the thread ran, the least of all rounds, and ratios are of these.

#[path = "../common/mod.rs"]
mod common;
mod data;
mod matrices;
mod plain;

use common::harness::time_twice;
use data::{Aligned, Case, cases};
use plain::Csf;
use sparse_formats::{Composite, Format, Scheme, mttkrp};
use std::hint::black_box;

/// A loop: its name, and how long it takes.
type Loop<'l> = (String, Box<dyn Fn() -> f64 + 'l>);

/// Least milliseconds of each loop, all of them once a round.
fn least(rounds: usize, loops: &[Loop]) -> Vec<f64> {
    let mut out = vec![f64::INFINITY; loops.len()];
    for _ in 0..rounds {
        for (least, (_, run)) in out.iter_mut().zip(loops) {
            *least = least.min(run());
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
    // Times are those of one thread, which has to be the pool's.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    pool.install(|| matrices::all(rounds, &part));
    for Case { name, tensor } in cases(entries, &part) {
        for rank in [16, 32] {
            pool.install(|| products(&name, &tensor, rank, rounds));
        }
    }
}

/// All modes of MTTKRP over each format, the plain loop over CSF, and rows gathered as fast as they can be.
fn products(name: &str, tensor: &sparse_formats::SparseTensor<'static, f64>, rank: usize, rounds: usize) {
    let shape = tensor.shape().to_vec();
    let factors: Vec<Aligned> = shape.iter().map(|extent| Aligned::new(*extent as usize * rank)).collect();
    let factors: Vec<&[f64]> = factors.iter().map(|factor| &**factor).collect();
    let csf = tensor.to_format(&Format::csf(3)).expect("a format");
    let plain = Csf::new(&csf);
    let schemes = ["COO", "hicoo(7,7,7)", "alto", "hbcsf[0,1,2]", "mmcsf"];
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
        tensor.stored() as f64 / csf.pattern().entries(1) as f64
    );
    for mode in 0..3 {
        let (factors, plain) = (&factors, &plain);
        let mut loops: Vec<Loop> = vec![
            ("plain".into(), Box::new(move || cpu(|| plain.mttkrp(mode, factors, rank)))),
            ("rows".into(), Box::new(move || cpu(|| black_box(plain.gather(factors[2], rank))))),
        ];
        let csf = &csf;
        loops.push(("csf".into(), Box::new(move || cpu(|| mttkrp(csf, mode, factors, rank).expect("a product")))));
        for (name, composite) in &others {
            loops.push((name.to_string(), Box::new(move || cpu(|| mttkrp(composite, mode, factors, rank).expect("a product")))));
        }
        let times = least(rounds, &loops);
        let line: Vec<String> = loops.iter().zip(&times).map(|((name, _), time)| format!("{name} {time:.0}")).collect();
        println!("  mode {mode}: {}   plain / csf {:.2}, rows / csf {:.2}", line.join("  "), times[0] / times[2], times[1] / times[2]);
    }
}
