//! The command, run as from the root of the package.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// `crd2idx ARGS` with this standard input.
pub fn run(args: &[&str], input: &str) -> Output {
    run_on(args, input.as_bytes())
}

/// [`run`] with any bytes.
pub fn run_on(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crd2idx"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments, or is given a file, does not read.
    let _ = child.stdin.take().expect("standard input is piped").write_all(input);
    child.wait_with_output().expect("the command ends")
}
