//! The gain of two threads over one, beside the gain of loops that only gather rows or only read.

use super::data::{Aligned, Case, cases};
use super::matrices;
use super::plain::Leaves;
use crate::common::harness::time;
use crate::common::probe::read;
use rayon::{ThreadPool, ThreadPoolBuilder, join};
use sparse_formats::{Composite, Dense, Format, Major, Scheme, Values, mttkrp, spgemm, spmm};
use std::hint::black_box;

/// A loop and its name.
type Work<'w> = (String, Box<dyn Fn() + Sync + 'w>);

const RANK: usize = 16;

/// Prints the least milliseconds of each loop on one thread and on two, run in turn.
fn report(title: &str, rounds: usize, works: &[Work]) {
    let pools: [ThreadPool; 2] = [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool"));
    let mut least = vec![[f64::INFINITY; 2]; works.len()];
    for _ in 0..rounds {
        for (least, (_, work)) in least.iter_mut().zip(works) {
            for (least, pool) in least.iter_mut().zip(&pools) {
                *least = least.min(time(|| pool.install(work)));
            }
        }
    }
    let each = works.iter().zip(&least).map(|((name, _), [one, two])| format!("{name} {one:.0} {two:.0} ({:.2})", one / two));
    println!("\n{title}: ms of one thread and of two, and the gain\n  {}", each.collect::<Vec<_>>().join(", "));
}

/// Runs all tensors and matrices whose names contain `part`.
pub fn all(rounds: usize, part: &str, entries: usize) {
    for case in matrices::CASES.iter().filter(|case| case.name.contains(part)) {
        matrix(case, rounds);
    }
    for Case { name, tensor } in cases(entries, part) {
        let axes = tensor.shape().len();
        let factors: Vec<Aligned> = tensor.shape().iter().map(|extent| Aligned::new(*extent as usize * RANK)).collect();
        let factors: Vec<&[f64]> = factors.iter().map(|factor| &**factor).collect();
        let (factors, csf) = (&factors, tensor.to_format(&Format::csf(axes)).expect("a format"));
        let leaves = Leaves::new(&csf);
        let alto = Composite::new(&tensor, &"alto".parse::<Scheme>().expect("a name")).expect("parts");
        let (csf, alto) = (&csf, &alto);
        let mut works: Vec<Work> = vec![("rows".into(), rows(&leaves, factors[axes - 1]))];
        for mode in 0..axes {
            works.push((format!("csf {mode}"), Box::new(move || drop(black_box(mttkrp(csf, mode, factors, RANK).expect("a product"))))));
            works.push((format!("alto {mode}"), Box::new(move || drop(black_box(mttkrp(alto, mode, factors, RANK).expect("a product"))))));
        }
        report(&name, rounds, &works);
    }
}

/// Gathers rows, half of them on each thread.
fn rows<'w>(leaves: &'w Leaves, factor: &'w [f64]) -> Box<dyn Fn() + Sync + 'w> {
    let half = move |half| leaves.gather(leaves.half(half), factor, RANK);
    Box::new(move || {
        black_box(join(|| half(0), || half(1)));
    })
}

fn matrix(case: &matrices::Case, rounds: usize) {
    let a = case.matrix();
    let (side, leaves) = (a.shape()[0] as usize, Leaves::new(&a));
    let (x, b) = (Aligned::new(side), Aligned::new(side * RANK));
    let blocked = (case.edge > 1).then(|| case.blocked(&a));
    let dense = Dense::packed(&b, [side, RANK], Major::Rows).expect("a matrix");
    let Values::Each(values) = a.values() else { unreachable!("each has a value") };
    let (first, second) = values.split_at(values.len() / 2);
    let both = || {
        black_box(join(|| read(first), || read(second)));
    };
    let mut works: Vec<Work> = vec![("read".into(), Box::new(both)), ("spmv".into(), Box::new(|| drop(black_box(a.times_vector(&x)))))];
    if let Some(blocked) = &blocked {
        works.push(("spmv of blocks".into(), Box::new(|| drop(black_box(sparse_formats::spmv(blocked, false, &x))))));
    } else {
        works.push(("rows".into(), rows(&leaves, &b)));
        works.push(("spmm".into(), Box::new(|| drop(black_box(spmm(&a, false, dense, Major::Rows))))));
    }
    if case.squared {
        works.push(("spgemm".into(), Box::new(|| drop(black_box(spgemm(&a, &a))))));
    }
    report(case.name, rounds, &works);
}
