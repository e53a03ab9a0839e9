//! Compares transfers with memcpy and with other libraries that copy between layouts. All run in turn, and the
//! least time of each counts: `cargo bench -- [--two] [--quick] [PART OF A NAME]...`.
//!
//! A ratio is the time of memcpy for the same bytes divided by the time of the peer. `--two` runs transfers and
//! memcpy on two threads, for data beyond the caches. There the peer is memcpy itself: the ratio is the speed-up
//! of the transfer by a second thread, divided by the speed-up of memcpy.

mod case;
mod peers;

use case::{Case, Element};
use relayout::{InstructionSet, Transfer};
use std::time::{Duration, Instant};

/// The least times of a case, in seconds.
struct Times {
    memcpy: f64,
    ours: f64,
    peers: Vec<(&'static str, f64)>,
    /// The time to write the same number of bytes without reading, on the threads of the run and on one. It is a
    /// lower bound for a transfer that reads less than it writes.
    write: [f64; 2],
}

/// Returns the seconds of one call, measured over `calls` calls. On one thread it is CPU time, because elapsed
/// time means little on a busy machine.
fn time(calls: usize, two: bool, mut run: impl FnMut()) -> f64 {
    let (clock, thread) = (Instant::now(), thread_time());
    (0..calls).for_each(|_| run());
    let elapsed = if two { clock.elapsed() } else { thread_time() - thread };
    elapsed.as_secs_f64() / calls as f64
}

fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` has room for the result.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn measure<T: Element>(case: &Case, options: &Options) -> Times {
    let elements = case.elements();
    let memory = elements * size_of::<T>() > 4 << 20;
    let (a, mut b) = (case::filled::<T>(case.source_len.max(elements)), case::filled::<T>(case.target_len.max(elements)));
    let transfer: Transfer<T> = if case.sum { Transfer::fill(&relayout::Side::parse("1:1").expect("a side")).expect("a plan") } else { case.transfer() };
    let transfer = match std::env::var("LEVEL").as_deref() {
        Ok("avx2") => transfer.with_instruction_set(InstructionSet::Avx2),
        Ok("scalar") => transfer.with_instruction_set(InstructionSet::Scalar),
        _ => transfer,
    };
    // `STREAM` is the least size of a transfer past the caches, in bytes.
    let transfer = match std::env::var("STREAM").ok().and_then(|least| least.parse().ok()) {
        Some(least) => transfer.with_streaming(least),
        None => transfer,
    };
    let two = options.two;
    let reduction = case.sum.then(|| case.reduction::<T>());
    let run = |a: &[T], b: &mut [T], two: bool| match &reduction {
        Some(sum) => {
            // The peers also set only the sums to zero, not the extra elements that memcpy needs.
            b[..case.target_len].fill(T::of(0));
            if two { sum.run_parallel(a, b, T::of(0), T::plus, T::plus) } else { sum.run(a, b, T::of(0), T::plus, T::plus) }
        }
        None if two => transfer.run_parallel(a, b),
        None => transfer.run(a, b),
    }
    .expect("room");
    let ours = |a: &[T], b: &mut [T]| run(a, b, two);
    let mut peers: Vec<(&'static str, peers::Peer<T>)> = match (options.quick, two) {
        (_, true) => vec![
            ("memcpy on one", Box::new(|a: &[T], b: &mut [T]| memcpy(&a[..elements], &mut b[..elements], false))),
            ("one thread", Box::new(|a: &[T], b: &mut [T]| run(a, b, false))),
        ],
        (true, false) => vec![],
        (false, false) => peers::of::<T>(case),
    };

    b.fill(T::of(0));
    ours(&a, &mut b);
    case.check(&a, &b, "ours");
    for (name, peer) in peers.iter_mut().filter(|(name, _)| *name != "memcpy on one") {
        b.fill(T::of(0));
        peer(&a, &mut b);
        case.check(&a, &b, name);
    }

    let calls = if memory { 1 } else { 20 };
    let rounds = match (memory, options.quick) {
        (true, true) => 9,
        (true, false) => 9,
        (false, true) => 40,
        (false, false) => 60,
    };
    let mut times = Times { memcpy: f64::INFINITY, ours: f64::INFINITY, peers: peers.iter().map(|(name, _)| (*name, f64::INFINITY)).collect(), write: [f64::INFINITY; 2] };
    for _ in 0..rounds {
        times.memcpy = times.memcpy.min(time(calls, two, || memcpy(&a[..elements], &mut b[..elements], two)));
        times.ours = times.ours.min(time(calls, two, || ours(&a, &mut b)));
        if case.family == "broadcast" {
            for (least, two) in times.write.iter_mut().zip([two, false]) {
                *least = least.min(time(calls, two, || zeros(&mut b[..elements], two)));
            }
        }
        for ((_, peer), (_, least)) in peers.iter_mut().zip(&mut times.peers) {
            *least = least.min(time(calls, two, || peer(&a, &mut b)));
        }
    }
    times
}

fn zeros<T: Element>(b: &mut [T], two: bool) {
    // SAFETY: all bits zero is a valid element.
    let write = |b: &mut [T]| unsafe { std::ptr::write_bytes(std::hint::black_box(b.as_mut_ptr()), 0, b.len()) };
    if two {
        let (low, high) = b.split_at_mut(b.len() / 2);
        rayon::join(|| write(low), || write(high));
    } else {
        write(b);
    }
}

fn memcpy<T: Element>(a: &[T], b: &mut [T], two: bool) {
    if two {
        let half = a.len() / 2;
        let (low, high) = b.split_at_mut(half);
        rayon::join(|| low.copy_from_slice(&a[..half]), || high.copy_from_slice(&a[half..]));
    } else {
        b.copy_from_slice(a);
    }
    std::hint::black_box(b);
}

struct Options {
    two: bool,
    quick: bool,
    names: Vec<String>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| words.iter().any(|word| word == flag);
    let names = words.iter().filter(|word| !word.starts_with('-')).cloned().collect();
    let options = Options { two: has("--two"), quick: has("--quick"), names };
    let threads = if options.two { 2 } else { 1 };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("a pool");

    println!("| case | GB/s | ratio | bar | best peer | to it | others |\n|---|--:|--:|--:|---|--:|---|");
    let mut to_best = vec![];
    let mut below = vec![];
    for case in case::all() {
        if !(options.names.is_empty() || options.names.iter().any(|name| case.id.contains(name.as_str()))) || (case.cache && options.two) {
            continue;
        }
        let times = match case.elem.as_str() {
            "u8" => measure::<u8>(&case, &options),
            "u16" => measure::<u16>(&case, &options),
            "f32" => measure::<f32>(&case, &options),
            _ => measure::<f64>(&case, &options),
        };
        let rate = 2.0 * case.bytes() as f64 / times.ours / 1e9;
        let ratio = times.memcpy / times.ours;
        let mut peers = times.peers.clone();
        let (best, to) = match peers[..] {
            [(_, memcpy), (_, one)] if options.two => ("scaling", one / times.ours / (memcpy / times.memcpy)),
            _ => {
                peers.sort_by(|a, b| a.1.total_cmp(&b.1));
                peers.first().map_or(("", f64::NAN), |(name, time)| (*name, time / times.ours))
            }
        };
        let writing = ["writing alone", "writing alone on one"].into_iter().zip(times.write).filter(|(_, time)| time.is_finite());
        let others: Vec<String> = peers.iter().copied().chain(writing.take(if options.two { 2 } else { 1 })).map(|(name, time)| format!("{name} {:.2}", times.memcpy / time)).collect();
        let bar = case.bar();
        let mark = if ratio < bar { " <" } else { "" };
        println!("| {} | {rate:.1} | {ratio:.2}{mark} | {bar:.2} | {best} | {to:.2} | {} |", case.id, others.join(", "));
        if ratio < bar {
            below.push(case.id.clone());
        }
        if to.is_finite() {
            to_best.push((to, case.id.clone()));
        }
    }
    if !to_best.is_empty() {
        let mean = (to_best.iter().map(|(to, _)| to.ln()).sum::<f64>() / to_best.len() as f64).exp();
        let least = to_best.iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("a case");
        println!("\ngeometric mean to the best peer {mean:.2}, least {:.2} ({})", least.0, least.1);
    }
    println!("below their bars: {}: {}", below.len(), below.join(", "));
}
