//! The command's `batch` protocol: one JSON request a line, one answer a line, in order.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// Returns the lines that `crd2idx batch` answers to `input`.
pub fn lines(input: &[u8]) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crd2idx"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.to_vec();
    // Write in a thread while reading: both pipes may fill up.
    let writer = std::thread::spawn(move || stdin.write_all(&input).expect("the command reads everything"));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("everything is written");
    assert!(output.status.success(), "batch ends with {}", output.status);
    let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// Returns the answers to requests. Each is a JSON object.
pub fn answers(requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let answers: Vec<Value> =
        lines(input.as_bytes()).iter().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} is not JSON"))).collect();
    assert_eq!(answers.len(), requests.len(), "one answer to each request");
    answers
}
