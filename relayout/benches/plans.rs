//! Measures how long a plan takes: `cargo bench -p relayout`. No other library makes such plans, so there is no
//! comparison. Sizes from 10^6 to 10^12 should take the same time.

use relayout::{Planner, Side};
use std::time::Instant;

/// Runs a function 20 times and returns the least time, in microseconds.
fn least(mut run: impl FnMut()) -> f64 {
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..20).map(|_| time(&mut run)).fold(f64::INFINITY, f64::min)
}

fn main() {
    let cases = [
        ("transposition, 10^6", "(1000,1000):(1,1000)", "(1000,1000):(1000,1)"),
        ("transposition, 10^12", "(1000000,1000000):(1,1000000)", "(1000000,1000000):(1000000,1)"),
        ("blocks of 7 to blocks of 11, 10^12", "(1000000000000,7):(1@0,1@1)", "(636363636364,11):(1@0,1@1)"),
        ("blocks to cyclic over 64, 10^12: 4096 messages", "(17179869184,64):(1@0,1@1)", "(64,17179869184):(1@1,1@0)"),
        (
            "block-cyclic 2 x 2 to 4 x 4, 10^12",
            "((64,2,8192),(64,2,8192)):((1@0,2@1,64@0),(524288@0,1@1,33554432@0))",
            "((64,4,4096),(64,4,4096)):((1@0,4@1,64@0),(262144@0,1@1,16777216@0))",
        ),
        ("blocks of 48 to 36 that do not nest, 10^6", "(48,5,4167):(1@0,1@1,48@0)", "(36,4,6945):(1@0,1@1,36@0)"),
    ];
    for (name, from, to) in cases {
        let (from, to) = (Side::parse(from).expect("a side"), Side::parse(to).expect("a side"));
        let extent = 7_000_000_000_000_i64;
        let planner = if name.starts_with("blocks of 7") { Planner::new().elements(extent) } else { Planner::new() };
        let planner = if name.starts_with("blocks of 48") { planner.elements(1_000_000) } else { planner };
        let plan = planner.plan(&from, &to).expect("a plan");
        println!("{:10.1} us  {name}: {}", least(|| drop(planner.plan(&from, &to))), plan.statistics());
    }
}
