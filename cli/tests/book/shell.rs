//! Runs command lines as the book shows them.

use super::pages::root;
use std::path::Path;
use std::process::Command;

/// Returns the output of a command line (both streams), and its exit code.
pub fn run(line: &str, directory: &Path) -> (String, i32) {
    let command = Path::new(env!("CARGO_BIN_EXE_crd2idx")).parent().expect("a directory");
    let mut paths = vec![command.to_path_buf()];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(root().join(directory))
        .env("PATH", std::env::join_paths(paths).expect("paths"))
        .output()
        .unwrap_or_else(|error| panic!("sh: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code().unwrap_or(-1))
}
