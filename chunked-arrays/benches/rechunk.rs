//! Copies an array of float32 from chunks of rows into chunks of columns, beside Rechunker and Zarr of Python.
//!
//! `PYTHON=python GIB=4 FOLDER=/tmp cargo bench -p chunked-arrays` prints times and peaks of memory, and fails if ours is slower than the
//! fastest other program, or has more memory than its bound and a twentieth. PYTHON needs the packages rechunker, dask and zarr 2.
#![allow(missing_docs)]

use chunked_arrays::{Chunks, RechunkOptions, SourceArray, plan, rechunk};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const MEMORY: u64 = 512 << 20;

fn options() -> RechunkOptions {
    RechunkOptions { memory_bytes: MEMORY, ..RechunkOptions::default() }
}

/// Returns the largest resident memory of this process.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) << 10
}

/// Writes an array of `side` rows and columns of numbers that compress by about a half, in chunks of rows.
fn make(path: &Path, side: u64) {
    let mut seed = 1u32;
    let slab = side * side / 64;
    let npy = path.with_extension("npy");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&npy).expect("a file"));
    sparse_files::npy::NpyHeader::write(&mut file, "<f4", &[side, side]).expect("a header");
    for _ in 0..64 {
        let mut bytes = Vec::with_capacity(slab as usize * 4);
        for at in 0..slab {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            bytes.extend_from_slice(&((at >> 8) as f32 + (seed >> 24) as f32 / 256.0).to_le_bytes());
        }
        std::io::Write::write_all(&mut file, &bytes).expect("room");
    }
    drop(file);
    let array = SourceArray::open(&npy).expect("an array");
    let chunks = Chunks::new(&[side, side], &[32, side], None).expect("chunks");
    let codec = if std::env::var_os("PLAIN").is_some() { chunked_arrays::ArrayCodec::None } else { chunked_arrays::ArrayCodec::Zstd(1) };
    rechunk(&array, path, &chunks, &RechunkOptions { codec, ..options() }, &|_, _| ()).expect("a copy");
    std::fs::remove_file(npy).expect("a file");
}

fn copy(from: &Path, to: &Path) {
    let array = SourceArray::open(from).expect("an array");
    let shape = array.grid().shape();
    let chunks = Chunks::new(&shape, &[shape[0], 32], None).expect("chunks");
    println!("{}", plan(&array, to, &chunks, &options()).expect("a plan"));
    let start = Instant::now();
    rechunk(&array, to, &chunks, &options(), &|_, _| ()).expect("a copy");
    println!("RESULT {} {}", start.elapsed().as_secs_f64(), peak());
}

/// Runs a program and returns the seconds and the bytes that it prints.
fn measured(name: &str, command: &mut Command) -> Option<(f64, f64)> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some(line) = text.lines().find_map(|line| line.strip_prefix("RESULT ")) else {
        println!("{name}: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    };
    let numbers: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    print!("{}", text.lines().filter(|line| !line.starts_with("RESULT")).map(|line| format!("  {line}\n")).collect::<String>());
    println!("{name:<24}{:8.1} s {:8.0} MiB", numbers[0], numbers[1] / f64::from(1 << 20));
    Some((numbers[0], numbers[1]))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, word, from, to] = &arguments[..]
        && word == "copy"
    {
        return copy(Path::new(from), Path::new(to));
    }
    let number = |name: &str, default: f64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let side = ((number("GIB", 0.25) * f64::from(1 << 28)).sqrt() as u64).next_multiple_of(256);
    let folder = tempfile::tempdir_in(std::env::var_os("FOLDER").unwrap_or(".".into())).expect("a folder");
    let (source, target) = (folder.path().join("a.zarr"), folder.path().join("b.zarr"));
    make(&source, side);
    println!("{side} x {side} of float32, a bound of {} MiB", MEMORY >> 20);
    let mut ours = Command::new(std::env::current_exe().expect("a program"));
    let ours = measured("chunked-arrays", ours.arg("copy").args([&source, &target])).expect("a result");
    std::fs::remove_dir_all(&target).expect("a folder");
    let python = std::env::var_os("PYTHON").unwrap_or("python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/rechunk.py");
    let mut others = Vec::new();
    for way in ["rechunker", "zarr"] {
        others.extend(measured(way, Command::new(&python).arg(&script).arg(way).args([&source, &target]).arg(MEMORY.to_string())));
        let _ = std::fs::remove_dir_all(&target);
    }
    let least = others.iter().map(|(seconds, _)| *seconds).fold(f64::INFINITY, f64::min);
    let memory = ours.1 / MEMORY as f64;
    println!("time beside the fastest other: {:.2}; memory beside the bound: {memory:.3}", ours.0 / least);
    if ours.0 > least || memory > 1.05 {
        std::process::exit(1);
    }
}
