//! Measures ragged arrays beside awkward, NumPy and PyArrow in a process of their own:
//! `ragged-arrays/benches/ragged/run.sh [ROUNDS] [PART OF A NAME]`.
//!
//! The arrays have 10 000 000 leaves in 1 000 000 rows. Every round runs each operation once with each library in turn; the
//! table shows medians, and ratios of medians. Times are CPU time of one thread, which other processes change little. Two
//! threads are measured by the clock, beside one thread, in their best rounds. `needs` is the required ratio of an
//! operation: to a peer's time, or to the time of one pass over the leaves. Only ours uses threads; the peers have one.

#[path = "../../../sparse-formats/benches/common/mod.rs"]
mod common;
mod data;
mod ours;

use common::harness::{Peers, median, time_twice};
use common::probe::read;
use ours::{Bar, Operation};

const PEERS: [&str; 3] = ["awkward", "numpy", "arrow"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rounds = arguments.first().and_then(|n| n.parse().ok()).unwrap_or(7);
    let part = arguments.get(1).cloned().unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("ragged-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let lengths = [("uniform", vec![data::LEAVES / data::ROWS; data::ROWS]), ("power", data::power_law())];
    let arrays = lengths.each_ref().map(|(name, lengths)| (*name, data::array(&folder, name, lengths)));
    for (name, lengths) in &lengths {
        let empty = lengths.iter().filter(|len| **len == 0).count();
        println!("{name}: the longest row has {}, {empty} are empty", lengths.iter().max().unwrap_or(&0));
    }
    let mut peers = Peers::start("RAGGED_PEERS", concat!(env!("CARGO_MANIFEST_DIR"), "/benches/ragged/peers.py"), &folder);

    let pools: Vec<_> = (1..=2).map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads")).collect();
    println!(
        "{:<26}{:>8}{:>8}{:>8}{:>9}{:>8}{:>8}  {:<21}{:>8}{:>7}",
        "CPU ms", "ours", "2 (wall)", "1 pass", PEERS[0], PEERS[1], PEERS[2], "ratio, needs", "scaling", "probe"
    );
    for (name, array) in &arrays {
        for operation in ours::operations(array).iter().filter(|operation| format!("{} {name}", operation.name).contains(&part)) {
            let Operation { run, probe, .. } = operation;
            let mut times = vec![Vec::new(); 9];
            for round in 0..=rounds {
                let [_, pass] = time_twice(|| read(array.leaves()));
                let [[wall, one], [two, _]] = [pools[0].install(&**run), pools[1].install(&**run)];
                let [awkward, numpy, arrow] = PEERS.map(|peer| peers.time(&format!("{peer} {name} {}", operation.peer)));
                let all = [one, wall, two, pass, awkward, numpy, arrow, probe.time(&pools[0]), probe.time(&pools[1])];
                // The first round warms up.
                if round > 0 {
                    times.iter_mut().zip(all).for_each(|(times, time)| times.push(time));
                }
            }
            let all: [f64; 9] = std::array::from_fn(|k| median(&mut times[k]));
            let [one, _, _, pass, awkward, numpy, arrow, ..] = all;
            // Take the best rounds for threads: waking and placing a thread takes as long as some of the operations.
            let best = |k: usize| times[k].iter().copied().fold(f64::INFINITY, f64::min);
            let [wall, two, probe, probe_two] = [1, 2, 7, 8].map(best);
            let best = awkward.min(numpy);
            let (ratio, needs, met) = match operation.bar {
                Bar::Faster(factor) => (best / one, format!(">= {factor}"), best / one >= factor),
                Bar::Awkward(factor) => (awkward / one, format!(">= {factor}"), awkward / one >= factor),
                Bar::Passes(most) => (one / pass, format!("<= {most}"), one / pass <= most),
                Bar::None => (best / one, String::new(), true),
            };
            let verdict = if met || ratio.is_nan() { "" } else { "LOST" };
            println!(
                "{:<26}{one:>8.1}{two:>8.1}{pass:>8.1}{awkward:>9.1}{numpy:>8.1}{arrow:>8.1}  {:<21}{:>8.2}{:>7.2}{}",
                format!("{} {name}", operation.name),
                format!("{ratio:6.2} {needs:<7} {verdict}"),
                wall / two,
                probe / probe_two,
                if wall / two < 0.9 * probe / probe_two { " LOST" } else { "" },
            );
        }
    }
    drop(peers);
    std::fs::remove_dir_all(folder).expect("the folder of the run");
}
