//! No claim that is proven is refuted by a run: for kernels, and for mutants of them.

use crate::Kernel;
use crate::concurrent::sites;
use crate::run::{FILLS, faults};
use crate::verify::KernelVerdict;
use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;
use std::{format, fs, println};

fn texts() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).expect("kernels").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a text")).collect()
}

/// Returns texts that differ in one number, one operator or one line.
fn mutants(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (k, line) in lines.iter().enumerate() {
        let with = |new: &str| {
            let mut all = lines.clone();
            all[k] = new;
            all.join("\n")
        };
        let line = line.split('#').next().unwrap_or("");
        if line.trim_start().starts_with(['l', 's', 'a', 'b']) && !line.contains('{') && !line.contains("let ") {
            out.push(with(""));
        }
        for (from, to) in
            [(" < ", " <= "), (" + ", " - "), (" * ", " + "), (" / ", " % "), (" % ", " / "), (" ^ ", " + "), (" distinct", "")]
        {
            out.extend(line.match_indices(from).map(|(at, _)| with(&format!("{}{to}{}", &line[..at], &line[at + from.len()..]))));
        }
        let mut at = 0;
        for word in line.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let digits = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            if let Ok(number) = digits.parse::<i64>() {
                for other in [number - 1, number + 1, 2 * number].into_iter().filter(|other| *other >= 0) {
                    out.push(with(&format!("{}{other}{}", &line[..at], &line[at + digits.len()..])));
                }
            }
            at += word.len();
        }
    }
    out
}

/// Runs a kernel at some sizes, and compares with the proofs. Returns the numbers of proven, refuted and other claims.
fn compare(text: &str, most: usize) -> [usize; 3] {
    let Ok(kernel) = Kernel::parse(text) else { return [0; 3] };
    let sites = sites(&kernel);
    let claims = kernel.claims(&sites);
    let mut refuted = alloc::vec![false; claims.len()];
    for sizes in kernel.sizes().into_iter().take(most) {
        for fill in 0..if kernel.tables.is_empty() { 1 } else { FILLS } {
            let Ok((found, _)) = faults(&kernel, &sizes, fill, &mut (1 << 16)) else { continue };
            for fault in found {
                let place = claims.iter().position(|(kind, _)| *kind == fault.kind).expect("a claim for each fault");
                refuted[place] = true;
                assert!(claims[place].1 != KernelVerdict::Proven, "{text}\n{fault:?} at {sizes:?}");
            }
        }
    }
    let mut out = [0; 3];
    for ((_, verdict), refuted) in claims.iter().zip(refuted) {
        out[if *verdict == KernelVerdict::Proven {
            0
        } else if refuted {
            1
        } else {
            2
        }] += 1;
    }
    out
}

#[test]
fn proofs_agree_with_runs() {
    let mut all = [0; 3];
    for text in texts() {
        compare(&text, 4);
        for (k, mutant) in mutants(&text).iter().enumerate() {
            // All of them take minutes.
            if k % STRIDE == 0 {
                all.iter_mut().zip(compare(mutant, MOST)).for_each(|(all, of)| *all += of);
            }
        }
    }
    println!("claims: {} proven, {} refuted, {} open", all[0], all[1], all[2]);
    assert!(all[0] > 100 && all[1] > 10, "{all:?}");
}

/// One mutant in `STRIDE` is run, at up to `MOST` tuples of sizes.
const STRIDE: usize = if cfg!(debug_assertions) { 29 } else { 1 };
const MOST: usize = if cfg!(debug_assertions) { 6 } else { 40 };
