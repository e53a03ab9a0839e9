//! Runs the command, as if from the root of the repository.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `crd2idx ARGS` with this standard input.
pub fn run(args: &[&str], input: &str) -> Output {
    run_on(args, input.as_bytes())
}

/// Runs `crd2idx ARGS` with these bytes as standard input.
pub fn run_on(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crd2idx"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments or reads a file does not read standard input.
    let _ = child.stdin.take().expect("standard input is piped").write_all(input);
    child.wait_with_output().expect("the command ends")
}
