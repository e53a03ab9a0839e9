//! Run-time compositions per second, compared with pycute if Python has it: `cargo bench --bench composition_rate`.
//!
//! Both libraries get the same parsed pairs, all of which pycute accepts, and compose them repeatedly for the same time.

use crd2idx::DynLayout;
use serde_json::Value;
use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PAIRS: &str = include_str!("../tests/data/cute/composition_truth.json");
const TIME: Duration = Duration::from_secs(2);

/// A program that reads the pairs from standard input and prints its compositions per second.
const PYCUTE: &str = r#"
import json, sys, time
try:
    from pycute import Layout, composition
except ImportError:
    sys.exit(3)
def layout(text):
    shape, stride = text.split(':')
    return Layout(eval(shape.replace(')', ',)').replace(',,)', ',)')), eval(stride.replace(')', ',)').replace(',,)', ',)')))
pairs = [(layout(a), layout(b)) for a, b in json.load(sys.stdin)]
n, start = 0, time.perf_counter()
while time.perf_counter() - start < 2:
    for a, b in pairs:
        composition(a, b)
    n += len(pairs)
print(n / (time.perf_counter() - start))
"#;

fn main() {
    let records: Vec<Value> = serde_json::from_str(PAIRS).expect("recorded pairs");
    let accepted = |r: &&Value| r["exists_as_layout"] == true && r["pycute"] != "reject";
    let pairs: Vec<(&str, &str)> = records.iter().filter(accepted).filter_map(|r| Some((r["A"].as_str()?, r["B"].as_str()?))).collect();
    let layouts: Vec<(DynLayout, DynLayout)> = pairs.iter().filter_map(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?))).collect();
    assert_eq!(layouts.len(), pairs.len(), "every pair parses");

    let start = Instant::now();
    let mut composed = 0u64;
    while start.elapsed() < TIME {
        for (a, b) in &layouts {
            composed += black_box(a).composition(black_box(b)).is_ok() as u64;
        }
    }
    let ours = composed as f64 / start.elapsed().as_secs_f64();
    println!("DynLayout::composition: {ours:.0} a second over {} pairs", pairs.len());

    match pycute(&pairs) {
        Some(theirs) => println!("pycute composition:     {theirs:.0} a second; ratio {:.0}", ours / theirs),
        None => println!("pycute: skipped (Python without it; pip install nvidia-cutlass)"),
    }
}

fn pycute(pairs: &[(&str, &str)]) -> Option<f64> {
    let mut child = Command::new("python3").args(["-c", PYCUTE]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    child.stdin.take()?.write_all(serde_json::to_string(pairs).ok()?.as_bytes()).ok()?;
    String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?.trim().parse().ok()
}
