//! Compiles and runs kernels of copies in Rust. `scripts/device` runs the other languages.

use coordinate_graph::program::{Emit, Language};
use relayout::CopyKernel;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs, process};

/// A copy: the first offsets and the loops.
type Copied = (i64, i64, &'static [[i64; 3]]);

/// The bytes of an element, the alignment, and the copies.
const CASES: &[(u32, u32, &[Copied])] = &[
    (4, 4, &[(0, 0, &[[20, 30, 1], [30, 1, 20]])]),
    (4, 16, &[(8, 0, &[[24, 1, 1], [10, 40, 24]])]),
    (2, 8, &[(0, 4, &[[12, 1, 1]]), (12, 32, &[[4, 1, 1], [3, 8, 4], [1, 5, 7]])]),
    // Backwards, no elements, and one element.
    (8, 8, &[(9, 0, &[[10, -1, 1]]), (0, 99, &[[0, 1, 1]]), (3, 12, &[])]),
    (16, 16, &[(0, 1, &[[3, 2, 5]])]),
    (1, 1, &[(1, 0, &[[7, 1, 1]])]),
];

/// Returns the source and target offset of each element.
fn pairs(copies: &[Copied]) -> Vec<(i64, i64)> {
    let mut out = Vec::new();
    for (source, target, loops) in copies {
        let mut here = vec![(*source, *target)];
        for [count, step, other] in loops.iter().rev() {
            here = here.iter().flat_map(|(a, b)| (0..*count).map(move |k| (a + k * step, b + k * other))).collect();
        }
        out.extend(here);
    }
    out
}

#[test]
fn kernels_of_copies_copy() {
    let (mut text, mut main) = (String::new(), String::new());
    for (k, (bytes, aligned, copies)) in CASES.iter().enumerate() {
        let kernel =
            copies.iter().fold(CopyKernel::new(*bytes).unwrap(), |kernel, (source, target, loops)| kernel.copy(*source, *target, loops));
        let source = kernel.aligned(*aligned).emit(&Emit::new(Language::Rust, &format!("copy{k}"))).unwrap().device;
        // The size of the words in the text, in bits.
        let word = source.split("target: &mut [u").nth(1).and_then(|rest| rest.split(']').next()).unwrap().to_string();
        text += &source;
        let pairs = pairs(copies);
        let ends =
            [pairs.iter().map(|pair| pair.0).max(), pairs.iter().map(|pair| pair.1).max()].map(|end| (end.unwrap() + 1) * *bytes as i64);
        let [from, to] = ends.map(|end| (end as usize).next_multiple_of(16));
        writeln!(main, "    {{").unwrap();
        writeln!(main, "        let bytes: Vec<u8> = (0..{from}).map(|k| (k * 37 % 251) as u8).collect();").unwrap();
        writeln!(main, "        let mut wanted = vec![0xa5u8; {to}];").unwrap();
        writeln!(main, "        for (a, b) in {pairs:?} {{").unwrap();
        writeln!(
            main,
            "            for k in 0..{bytes}usize {{ wanted[b as usize * {bytes} + k] = bytes[a as usize * {bytes} + k]; }}\n        }}"
        )
        .unwrap();
        writeln!(main, "        const N: usize = size_of::<u{word}>();").unwrap();
        writeln!(main, "        let words = |bytes: &[u8]| -> Vec<u{word}> {{").unwrap();
        writeln!(main, "            bytes.chunks(N).map(|word| u{word}::from_ne_bytes(word.try_into().unwrap())).collect()\n        }};")
            .unwrap();
        writeln!(main, "        let mut target = words(&vec![0xa5u8; {to}]);").unwrap();
        writeln!(main, "        copy{k}(&words(&bytes), &mut target);").unwrap();
        writeln!(main, "        assert_eq!(target, words(&wanted), \"case {k}\");\n    }}").unwrap();
    }
    let folder = env::temp_dir().join(format!("relayout-kernels-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let [source, program] = ["copies.rs", "copies"].map(|name| folder.join(name));
    fs::write(&source, format!("{text}\nfn main() {{\n{main}}}\n")).unwrap();
    run(Command::new("rustc").args(["--edition", "2024", "-D", "warnings", "-o"]).arg(&program).arg(&source), &source);
    run(&mut Command::new(&program), &source);
    fs::remove_dir_all(folder).unwrap();
}

/// Runs a command. If it fails, panics with its output and keeps its source file.
fn run(command: &mut Command, source: &Path) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?} failed; its source is {source:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_no_kernel_copies_is_refused() {
    let emit = |kernel: CopyKernel, language: Language| kernel.emit(&Emit::new(language, "copy")).unwrap_err().to_string();
    let one = |bytes: u32| CopyKernel::new(bytes).unwrap().copy(0, 0, &[[4, 1, 1]]);
    assert_eq!(CopyKernel::new(12).unwrap_err().to_string(), "a kernel cannot copy elements of 12 bytes, only of 1, 2, 4, 8 or 16");
    assert_eq!(emit(one(2), Language::Wgsl), "wgsl has no integers of 16 bits");
    assert_eq!(emit(one(4), Language::Mlir), "mlir cannot express copies");
    assert_eq!(emit(CopyKernel::new(4).unwrap(), Language::C), "the program has no output");
    assert_eq!(emit(one(4).copy(-1, 0, &[]), Language::Rust), "rust cannot express negative offsets into an array");
    let far = one(4).copy(i64::MAX, 0, &[[3, i64::MAX, 1]]);
    assert!(emit(far, Language::C).ends_with("overflow 64 bits"));
}
