//! Reads and writes text and compares with other libraries: `./run.sh [ENTRIES] [ROUNDS]`.
//!
//! Every round runs each library once. The table has the least time of each, and the time per byte relative to
//! crd2idx on as many threads. `FILES_PEERS` is the interpreter of a Python that has `fast_matrix_market`. That
//! library runs in a process of its own, on one and on two threads.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Returns the milliseconds that `run` takes, without the time to drop its result.
fn time<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let result = black_box(run());
    let time = start.elapsed().as_secs_f64() * 1e3;
    drop(result);
    time
}

/// Returns the text of a sparse matrix: `entries` lines of random coordinates below 10^6, with values of 16 to 17 digits.
/// `tns` chooses the format of FROSTT, else Matrix Market.
fn text(entries: usize, tns: bool) -> String {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut out = String::with_capacity(entries * 36);
    if !tns {
        let _ = write!(out, "%%MatrixMarket matrix coordinate real general\n1000000 1000000 {entries}\n");
    }
    for _ in 0..entries {
        let _ = write!(out, "{} {} ", random() % 1_000_000 + 1, random() % 1_000_000 + 1);
        if tns {
            let _ = write!(out, "{} ", random() % 1_000_000 + 1);
        }
        let _ = writeln!(out, "{}", (random() >> 11) as f64 / (1u64 << 53) as f64);
    }
    out
}

struct Peer(Option<Child>);

impl Peer {
    fn start(folder: &Path) -> Peer {
        Peer(std::env::var("FILES_PEERS").ok().map(|python| {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers.py");
            Command::new(python).arg(script).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Python")
        }))
    }

    fn time(&mut self, name: &str) -> f64 {
        let Some(Child { stdin: Some(stdin), stdout: Some(stdout), .. }) = &mut self.0 else { return f64::NAN };
        let mut line = String::new();
        let told = writeln!(stdin, "{name}").and_then(|()| BufReader::with_capacity(1, stdout).read_line(&mut line));
        told.ok().and_then(|_| line.trim().parse().ok()).unwrap_or(f64::NAN)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            drop(child.stdin.take());
            drop(child.wait());
        }
    }
}

const OURS: &str = "crd2idx";

/// A measurement: the operation, the library, the number of threads, the bytes of the text, and a function that
/// returns its milliseconds.
struct Run<'r> {
    what: &'static str,
    who: &'static str,
    threads: usize,
    bytes: f64,
    run: Box<dyn FnMut() -> f64 + 'r>,
}

impl<'r> Run<'r> {
    fn ours(pool: &'r rayon::ThreadPool, what: &'static str, bytes: f64, run: impl Fn() -> f64 + Sync + 'r) -> Run<'r> {
        Run { what, who: OURS, threads: pool.current_num_threads(), bytes, run: Box::new(move || pool.install(&run)) }
    }

    fn peer(what: &'static str, who: &'static str, bytes: f64, run: impl FnMut() -> f64 + 'r) -> Run<'r> {
        Run { what, who, threads: 1, bytes, run: Box::new(run) }
    }
}

fn main() {
    let arguments: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let entries = arguments.first().copied().unwrap_or(10_000_000);
    let rounds = arguments.get(1).copied().unwrap_or(3);
    let folder = std::env::temp_dir().join(format!("files-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("a.mtx");
    std::fs::write(&path, text(entries, false)).expect("a file");
    let tns = text(entries, true);
    let mut peer = Peer::start(&folder);
    let pools = [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"));
    let bytes = std::fs::metadata(&path).expect("a file").len() as f64;

    let read = || sparse_files::read(&path, &sparse_files::ReadOptions::default()).expect("a matrix").0;
    let matrix = read();
    let tensor = sparse_files::tns::read(tns.as_bytes(), None).expect("a tensor");
    let create = |name: &str| std::fs::File::create(folder.join(name)).expect("a file");
    let peer = std::cell::RefCell::new(&mut peer);
    let sprs = sprs::io::read_matrix_market::<f64, usize, _>(&path).expect("a matrix").to_csr::<usize>();
    let (rows, columns, values) = sprs.iter().fold((Vec::new(), Vec::new(), Vec::new()), |mut all, (value, (row, column))| {
        all.0.push(row);
        all.1.push(column);
        all.2.push(*value);
        all
    });
    let nalgebra = nalgebra_sparse::CooMatrix::try_from_triplets(sprs.rows(), sprs.cols(), rows, columns, values).expect("a matrix");
    let tns_bytes = tns.len() as f64;
    let (path, folder, tns, tensor, matrix, create) = (&path, &folder, &tns, &tensor, &matrix, &create);
    let mut runs: Vec<Run> = Vec::new();
    for (pool, threads) in pools.iter().zip([1, 2]) {
        runs.push(Run::ours(pool, "read .mtx", bytes, || time(read)));
        runs.push(Run::ours(pool, "read .tns", tns_bytes, || time(|| sparse_files::tns::read(tns.as_bytes(), None).expect("a tensor"))));
        let write = || time(|| sparse_files::matrix_market::write(&mut create("out.mtx"), matrix).expect("written"));
        runs.push(Run::ours(pool, "write .mtx", bytes, write));
        let write = || time(|| sparse_files::tns::write(&mut create("out.tns"), tensor).expect("written"));
        runs.push(Run::ours(pool, "write .tns", tns_bytes, write));
        for (what, name) in [("read .mtx", "read"), ("write .mtx", "write")] {
            let peer = &peer;
            let run = Box::new(move || peer.borrow_mut().time(&format!("{name} {threads}")));
            runs.push(Run { what, who: "fast_matrix_market", threads, bytes, run });
        }
    }
    let load = move || time(|| sprs::io::read_matrix_market::<f64, usize, _>(path).expect("a matrix"));
    runs.push(Run::peer("read .mtx", "sprs", bytes, load));
    let load = move || time(|| nalgebra_sparse::io::load_coo_from_matrix_market_file::<f64, _>(path).expect("a matrix"));
    runs.push(Run::peer("read .mtx", "nalgebra-sparse", bytes, load));
    let save = || time(|| sprs::io::write_matrix_market(folder.join("sprs.mtx"), &sprs).expect("written"));
    runs.push(Run::peer("write .mtx", "sprs", bytes, save));
    let save = || time(|| nalgebra_sparse::io::save_to_matrix_market_file(&nalgebra, folder.join("nalgebra.mtx")).expect("written"));
    runs.push(Run::peer("write .mtx", "nalgebra-sparse", bytes, save));

    let mut least = vec![f64::INFINITY; runs.len()];
    for round in 0..rounds {
        for (least, run) in least.iter_mut().zip(&mut runs) {
            // One round is enough for operations that take longer than 30 seconds.
            if round > 0 && *least > 30_000.0 {
                continue;
            }
            let time = (run.run)();
            *least = if time.is_nan() { time } else { least.min(time) };
        }
    }
    println!("{entries} entries, the least of {rounds} rounds");
    println!("{:<11} {:<19} {:>7} {:>9} {:>8} {:>13}", "", "", "threads", "ms", "MB/s", "to crd2idx");
    let per_byte: Vec<f64> = least.iter().zip(&runs).map(|(least, run)| least / run.bytes).collect();
    for ((run, least), took) in runs.iter().zip(&least).zip(&per_byte) {
        let ours = runs.iter().zip(&per_byte).find(|(other, _)| (other.what, other.who, other.threads) == (run.what, OURS, run.threads));
        let ratio = ours.map_or(f64::NAN, |(_, ours)| took / ours);
        println!("{:<11} {:<19} {:>7} {least:>9.0} {:>8.0} {ratio:>13.2}", run.what, run.who, run.threads, run.bytes / least / 1e3);
    }
    // No peer reads tensors of FROSTT, so compare the time per byte with matrices.
    for (tns, mtx) in [("read .tns", "read .mtx"), ("write .tns", "write .mtx")] {
        for threads in [1, 2] {
            let of = |what, who| {
                let found = runs.iter().zip(&per_byte).find(|(run, _)| (run.what, run.who, run.threads) == (what, who, threads));
                found.map_or(f64::NAN, |(_, took)| *took)
            };
            let ratio = of(mtx, "fast_matrix_market") / of(tns, OURS);
            println!("a byte of {mtx} by fast_matrix_market to one of {tns} here, {threads} threads: {ratio:.2}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}
