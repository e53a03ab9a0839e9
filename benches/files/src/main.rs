//! Text read and written beside peers: `cargo run --release -- [ENTRIES] [ROUNDS]`.
//!
//! Every round runs each once; the table has the least time of each, and ratios of these. With `FILES_PEERS` the interpreter of a Python that has `fast_matrix_market`, it
//! runs beside in a process of its own, on one and on two threads.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Milliseconds of `run`, without what it takes to drop the result.
fn time<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let result = black_box(run());
    let time = start.elapsed().as_secs_f64() * 1e3;
    drop(result);
    time
}

/// `entries` lines of random coordinates of a square of side 10^6, with values of 16 to 17 digits.
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

    type Run<'r> = (String, f64, Box<dyn FnMut() -> f64 + 'r>);
    let read = || sparse_files::matrix_market::read(&std::fs::read(&path).expect("a file")).expect("a matrix");
    let matrix = read();
    let ours = |name: &str, bytes: f64, pool: usize, run: &'static str| (format!("{name}, {} threads", pool + 1), bytes, pool, run);
    let peer = std::cell::RefCell::new(&mut peer);
    let sprs = sprs::io::read_matrix_market::<f64, usize, _>(&path).expect("a matrix").to_csr::<usize>();
    let mut runs: Vec<Run> = Vec::new();
    for (name, bytes, pool, what) in [
        ours("read .mtx: crd2idx", bytes, 0, "read"),
        ours("read .mtx: crd2idx", bytes, 1, "read"),
        ours("write .mtx: crd2idx", bytes, 0, "write"),
        ours("write .mtx: crd2idx", bytes, 1, "write"),
        ours("read .tns: crd2idx", tns.len() as f64, 0, "tns"),
        ours("read .tns: crd2idx", tns.len() as f64, 1, "tns"),
    ] {
        let (pool, matrix, read, tns, folder) = (&pools[pool], &matrix, &read, &tns, &folder);
        runs.push((
            name,
            bytes,
            Box::new(move || {
                pool.install(|| match what {
                    "read" => time(read),
                    "tns" => time(|| sparse_files::tns::read(tns.as_bytes(), None).expect("a tensor")),
                    _ => time(|| {
                        let mut file = std::fs::File::create(folder.join("out.mtx")).expect("a file");
                        sparse_files::matrix_market::write(&mut file, matrix).expect("written");
                    }),
                })
            }),
        ));
    }
    for threads in [1, 2] {
        for what in ["read", "write"] {
            let peer = &peer;
            runs.push((
                format!("{what} .mtx: fast_matrix_market, {threads} threads"),
                bytes,
                Box::new(move || peer.borrow_mut().time(&format!("{what} {threads}"))),
            ));
        }
    }
    runs.push((
        "read .mtx: sprs".into(),
        bytes,
        Box::new(|| time(|| sprs::io::read_matrix_market::<f64, usize, _>(&path).expect("a matrix"))),
    ));
    runs.push((
        "read .mtx: nalgebra-sparse".into(),
        bytes,
        Box::new(|| time(|| nalgebra_sparse::io::load_coo_from_matrix_market_file::<f64, _>(&path).expect("a matrix"))),
    ));
    runs.push((
        "write .mtx: sprs".into(),
        bytes,
        Box::new(|| time(|| sprs::io::write_matrix_market(folder.join("sprs.mtx"), &sprs).expect("written"))),
    ));

    let mut least = vec![f64::INFINITY; runs.len()];
    for _ in 0..rounds {
        for (least, (_, _, run)) in least.iter_mut().zip(&mut runs) {
            let time = run();
            *least = if time.is_nan() { time } else { least.min(time) };
        }
    }
    println!("{entries} entries, the least of {rounds} rounds");
    for (least, (name, bytes, _)) in least.iter().zip(&runs) {
        println!("{name:<44} {least:>9.0} ms {:>8.0} MB/s", bytes / least / 1e3);
    }
    let _ = std::fs::remove_dir_all(&folder);
}
