//! Moves of a checkpoint from 4 to 6 ranks, against `cp` of the same bytes.
//!
//! `cargo bench -p checkpoints -- MEBIBYTES FOLDER` writes a checkpoint of this size (256 by default) into a new folder in FOLDER,
//! and removes it at the end. Caches are dropped before each run if the system allows it, and once more the files are in memory.

use checkpoints::{Checkpoint, CheckpointSpec, Dtype, PlanOptions, ReshardPlan, dtype_named};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Layers of a model: the suffix of the name, rows, columns, and the axis that ranks split.
const LAYERS: [(&str, u64, u64, Option<usize>); 6] = [
    ("self_attn.q_proj", 3072, 3072, Some(0)),
    ("self_attn.o_proj", 3072, 3072, Some(1)),
    ("mlp.gate_proj", 8448, 3072, Some(0)),
    ("mlp.up_proj", 8448, 3072, Some(0)),
    ("mlp.down_proj", 3072, 8448, Some(1)),
    ("input_layernorm", 1, 3072, None),
];

fn spec(ranks: usize) -> CheckpointSpec {
    CheckpointSpec::from_toml(&format!("mesh = [[\"tp\", {ranks}]]\nfiles = \"rank-{{rank}}.safetensors\"\npreset = \"llama\""))
        .expect("a specification")
}

/// Writes the files of 4 ranks.
fn write(folder: &Path, layers: u64) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for rank in 0..4_u64 {
        let (mut header, mut at) = (vec![], 0);
        for (layer, (name, rows, columns, split)) in (0..layers).flat_map(|layer| LAYERS.map(|one| (layer, one))) {
            let shape = match split {
                Some(0) => [rows / 4, columns],
                Some(_) => [rows, columns / 4],
                None => [rows, columns],
            };
            let end = at + shape[0] * shape[1] * 2;
            header.push(format!(
                r#""model.layers.{layer}.{}.weight":{{"dtype":"BF16","shape":{shape:?},"data_offsets":[{at},{end}]}}"#,
                name.replace("layernorm", "norm")
            ));
            at = end;
        }
        let text = format!("{{{}}}", header.join(","));
        let mut out = BufWriter::with_capacity(1 << 20, File::create(folder.join(format!("rank-{rank}.safetensors")))?);
        out.write_all(&(text.len() as u64).to_le_bytes())?;
        out.write_all(text.as_bytes())?;
        let mut word = rank + 1;
        for _ in 0..at / 8 {
            word = word.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31) ^ 5;
            out.write_all(&word.to_le_bytes())?;
        }
        out.into_inner()?.sync_all()?;
    }
    Ok(())
}

/// Returns a number of a file in `/proc/self`, or 0.
fn process(file: &str, key: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/self/{file}")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().to_string();
    line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// Drops the caches of files, if the system allows it.
fn drop_caches() -> bool {
    Command::new("sync").status().is_ok() && fs::write("/proc/sys/vm/drop_caches", "3").is_ok()
}

/// Runs a copy by `cp`, and syncs its files as moves do.
fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().is_ok_and(|status| status.success()), "cp works");
    fs::read_dir(to)
        .expect("a folder")
        .for_each(|entry| File::open(entry.expect("an entry").path()).and_then(|file| file.sync_all()).expect("a file"));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let size: u64 = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(256);
    let folder = arguments.get(1).map_or_else(std::env::temp_dir, Into::into).join(format!("checkpoints-bench-{}", std::process::id()));
    let layer: u64 = LAYERS.iter().map(|(_, rows, columns, _)| rows * columns * 2).sum();
    let (source, copied, moved) = (folder.join("source"), folder.join("copied"), folder.join("moved"));
    write(&source, ((size << 20) / layer).max(1)).expect("room for the source");
    let (from, to) = (spec(4), spec(6));
    let run = |cast: Option<Dtype>| {
        let before = process("io", "rchar:");
        let checkpoint = Checkpoint::open(&source, &from).expect("a source");
        let plan = ReshardPlan::new(&checkpoint, &to, &PlanOptions { cast, ..PlanOptions::default() }).expect("a plan");
        plan.run(&moved, false, &|_, _| ControlFlow::Continue(())).expect("room for the target");
        let needed = plan.summary().expect("costs").bytes_read;
        (process("io", "rchar:") - before, needed)
    };
    for cold in [true, false] {
        let (mut copies, mut moves, mut casts, mut read) = (vec![], vec![], vec![], (0, 1));
        for _ in 0..3 {
            let prepare = || {
                for path in [&copied, &moved] {
                    let _ = fs::remove_dir_all(path);
                }
                Command::new("sync").status().is_ok() && (!cold || drop_caches())
            };
            if !prepare() {
                println!("caches cannot be dropped here");
                break;
            }
            let time = |list: &mut Vec<f64>, work: &mut dyn FnMut()| {
                let start = Instant::now();
                work();
                list.push(start.elapsed().as_secs_f64());
            };
            time(&mut copies, &mut || copy(&source, &copied));
            prepare();
            time(&mut moves, &mut || read = run(None));
            prepare();
            time(&mut casts, &mut || read = run(dtype_named("f16")));
        }
        let median = |list: &mut Vec<f64>| {
            list.sort_by(f64::total_cmp);
            list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
        };
        let (copied, moved, cast) = (median(&mut copies), median(&mut moves), median(&mut casts));
        println!(
            "{}: cp and sync {copied:.2} s; move {moved:.2} s, ratio {:.2}; with a cast {cast:.2} s",
            if cold { "cold" } else { "warm" },
            moved / copied
        );
        println!("bytes read: {:.4} of those needed ({})", read.0 as f64 / read.1 as f64, read.1);
    }
    println!("peak of the process: {} MiB", process("status", "VmHWM:") >> 10);
    let _ = fs::remove_dir_all(&folder);
}
