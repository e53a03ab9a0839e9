//! Tests that compile and run emitted text and compare it with the program. Short texts are compared with recorded ones.

mod generate;
mod reserved;
mod run_c;
mod run_rust;
mod run_wgsl;
mod texts;

extern crate std;

use super::{Emit, Language};
use generate::Case;
use layout_algebra::heap::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, println, process};

/// A temporary folder for the files of one test. It is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("emit-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns true if this program can be run on this machine. Otherwise prints that it is missing.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: there is no `{program}`");
    }
    found
}

/// Runs a command. If it fails, panics with its output.
fn run(command: &mut Command, source: &Path) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(6000).collect::<String>();
    if !output.status.success() {
        let kept = env::temp_dir().join(source.file_name().unwrap());
        fs::copy(source, &kept).unwrap();
        panic!("{command:?} failed; its source is {kept:?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
    }
}

/// Emits every case of `cases` as the functions `p0`, `p1`, ... Half of them use fast division, and some have 64 bits.
fn emits(language: Language, cases: &[Case]) -> Vec<(usize, &Case, Emit)> {
    let emit = |(k, case)| {
        let emit = Emit::new(language, &format!("p{k}")).fast_division(k % 4 != 1);
        let wide = k % 5 == 2 && language != Language::Wgsl;
        (k, case, if wide { emit.width(super::WordWidth::Bits64) } else { emit })
    };
    cases.iter().enumerate().map(emit).collect()
}
