//! The measured operations of this workspace.

use crate::common::harness::time_twice as time;
use crate::common::probe::Probe;
use crate::common::random::in_huge_pages;
use crate::data::{LEAVES, ROWS};
use layout_levels::{Cursor, End, Fixed, Ragged, Root, Then};
use ragged_arrays::RaggedArray;
use std::sync::{Mutex, MutexGuard};

/// The requirement on the time of an operation.
#[derive(Clone, Copy)]
pub enum Bar {
    /// The better of awkward and NumPy takes at least this many times as long.
    Faster(f64),
    /// Awkward takes at least this many times as long.
    Awkward(f64),
    /// The operation takes at most this many times as long as one pass over the leaves.
    Passes(f64),
    None,
}

pub struct Operation<'a> {
    pub name: &'static str,
    /// The name of the operation for the peers.
    pub peer: &'static str,
    /// Runs the operation. Returns its milliseconds by the clock, and the CPU milliseconds of the calling thread.
    pub run: Box<dyn Fn() -> [f64; 2] + Sync + 'a>,
    pub bar: Bar,
    /// The probe with the same bottleneck.
    pub probe: Probe,
}

pub fn operations<'a>(array: &'a RaggedArray<'static, f64>) -> Vec<Operation<'a>> {
    let numbers = in_huge_pages(&(0..ROWS).map(|row| row as f64).collect::<Vec<_>>());
    let shape = array.shape();
    let rows = shape.levels()[0].as_ragged::<u32>().expect("offsets of 32 bits hold all leaves");
    let chain = Root::new(Then(Fixed::new(ROWS), Then(rows, End))).expect("a chain");
    let chain_too = chain;
    let cursor = move || {
        let rows = Ragged::with(rows.into_offsets(), Cursor::default()).expect("offsets");
        Root::new(Then(Fixed::new(ROWS), Then(rows, End))).expect("a chain")
    };
    let mut out: Vec<Operation<'a>> = Vec::new();
    let mut add = |name, peer, bar, probe, run: Box<dyn Fn() -> [f64; 2] + Sync + 'a>| out.push(Operation { name, peer, run, bar, probe });
    add("I", "I", Bar::Faster(2.0), Probe::Fill, Box::new(|| time(|| shape.parents(0))));
    add("I 32", "I", Bar::Faster(2.0), Probe::Fill, Box::new(|| time(|| shape.parents_into(0, &mut Vec::<u32>::new()))));
    // Measure the time to write this much memory, whatever the rows: no way to store the array I is faster.
    let one_row = RaggedArray::from_lengths(vec![LEAVES], vec![(); LEAVES]).expect("one row");
    let filled = one_row.clone();
    add("fill", "I", Bar::None, Probe::Fill, Box::new(move || time(|| filled.shape().parents(0))));
    add("fill 32", "I", Bar::None, Probe::Fill, Box::new(move || time(|| one_row.shape().parents_into(0, &mut Vec::<u32>::new()))));
    let used = Mutex::new(vec![0_u32; LEAVES]);
    add("I 32 reused", "I", Bar::Faster(2.0), Probe::Write, Box::new(move || time(|| shape.parents_into(0, &mut locked(&used)))));
    add("S", "S", Bar::Faster(2.0), Probe::Fill, Box::new(|| time(|| shape.starts(0))));
    add("local index", "local_index", Bar::Faster(2.0), Probe::Fill, Box::new(|| time(|| array.local_index(1))));
    add(
        "local index 32",
        "local_index",
        Bar::Faster(2.0),
        Probe::Fill,
        Box::new(|| time(|| shape.local_indices_into(0, &mut Vec::<u32>::new()))),
    );
    let used = Mutex::new(vec![0_u32; LEAVES]);
    let reused = move || time(|| shape.local_indices_into(0, &mut locked(&used)));
    add("local index 32 reused", "local_index", Bar::Faster(2.0), Probe::Write, Box::new(reused));
    let too = numbers.clone();
    add("add", "add", Bar::Awkward(4.0), Probe::Copy, Box::new(move || time(|| array.par_broadcast(0, &numbers, |x, y| x + y))));
    let (numbers, used) = (too.clone(), Mutex::new(vec![0_f64; LEAVES]));
    let reused = move || time(|| array.par_broadcast_into(0, &numbers, &mut locked(&used), |x, y| x + y));
    add("add reused", "add", Bar::Awkward(4.0), Probe::Write, Box::new(reused));
    let numbers = too.clone();
    add("add, any closure", "add", Bar::None, Probe::None, Box::new(move || time(|| array.broadcast(0, &numbers, |x, y| x + y))));
    add(
        "add in place",
        "add",
        Bar::None,
        Probe::Write,
        Box::new(move || {
            let mut copy = array.clone();
            time(|| copy.par_broadcast_mut(0, &too, |x, y| *x += y))
        }),
    );
    add("sum 1", "sum 1", Bar::Awkward(1.0), Probe::Read, Box::new(|| time(|| array.sum(1))));
    add("max 1", "max 1", Bar::None, Probe::Read, Box::new(|| time(|| array.max(1))));
    add("argmax 1", "argmax 1", Bar::None, Probe::Read, Box::new(|| time(|| array.argmax(1))));
    add("mean 1", "mean 1", Bar::None, Probe::Read, Box::new(|| time(|| array.mean(1))));
    add("sum 0", "sum 0", Bar::Passes(50.0), Probe::Read, Box::new(|| time(|| array.sum(0))));
    add("argsort", "argsort", Bar::Awkward(2.0), Probe::Compute, Box::new(|| time(|| array.argsort())));
    add("sort", "sort", Bar::None, Probe::Compute, Box::new(|| time(|| array.sort())));
    let visit = |write: fn(&[usize], &mut f64)| {
        let mut copy = array.clone();
        time(|| copy.par_visit_mut(write))
    };
    add("|i - j|", "|i - j|", Bar::None, Probe::Read, Box::new(move || visit(|at, leaf| *leaf = at[0].abs_diff(at[1]) as f64)));
    add(
        "decompose cursor",
        "-",
        Bar::Passes(3.0),
        Probe::None,
        Box::new(move || {
            let chain = cursor();
            time(|| (0..chain.size()).fold(0, |sum: usize, k| fold(sum, chain.decompose(k))))
        }),
    );
    add(
        "decompose walk",
        "-",
        Bar::Passes(3.0),
        Probe::None,
        Box::new(move || {
            time(|| {
                let mut sum = 0;
                chain.for_each(|at, _| sum = fold(sum, at));
                sum
            })
        }),
    );
    add(
        "decompose iterator",
        "-",
        Bar::Passes(3.0),
        Probe::None,
        Box::new(move || time(|| chain_too.iter().fold(0, |sum, (at, _)| fold(sum, at)))),
    );
    add(
        "decompose visit",
        "-",
        Bar::Passes(3.0),
        Probe::None,
        Box::new(|| {
            time(|| {
                let mut sum = 0;
                array.visit(|at, _| sum = fold(sum, (at[0], (at[1], ())))).map(|()| sum)
            })
        }),
    );
    out
}

/// Locks memory that an operation reuses in every round.
fn locked<T>(used: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    used.lock().expect("no other thread")
}

#[inline(always)]
fn fold(sum: usize, (i, (j, ())): (usize, (usize, ()))) -> usize {
    sum.wrapping_add(i ^ j)
}
