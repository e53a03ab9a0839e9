//! `crd2idx sparse`.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(args: &[&str], input: &Value) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crd2idx"))
        .arg("sparse")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().expect("standard input is piped").write_all(input.to_string().as_bytes());
    child.wait_with_output().expect("the command ends")
}

fn printed(args: &[&str], input: &Value) -> String {
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(args: &[&str], input: &Value) -> String {
    let output = run(args, input);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true), "{args:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn sample() -> Value {
    json!({"shape": [3, 400], "structure": "CSR", "coords": [[2, 0], [0, 300], [0, 1]], "values": [3, 2, 1]})
}

#[test]
fn build_prints_the_arrays() {
    let built: Value = serde_json::from_str(&printed(&["build", "-"], &sample())).expect("JSON");
    assert_eq!((&built["name"], &built["values"]), (&json!("C-S-R"), &json!([1, 2, 3])));
    assert_eq!((&built["pointers"], &built["indices"]), (&json!({"0": [0, 2, 2, 3]}), &json!({"1": [1, 300, 0]})));
    // What it prints it reads, and converts.
    let again: Value = serde_json::from_str(&printed(&["build", "-"], &built)).expect("JSON");
    assert_eq!(again, built);
    let columns: Value = serde_json::from_str(&printed(&["build", "-", "--format", "DCSC"], &built)).expect("JSON");
    assert_eq!((&columns["indices"], &columns["values"]), (&json!({"0": [0, 1, 300], "1": [2, 0, 0]}), &json!([3, 1, 2])));
    assert_eq!(serde_json::from_str::<Value>(&printed(&["build", "-", "--format", "CSR"], &columns)).expect("JSON"), built);
}

#[test]
fn info_reports_levels() {
    let expected = "shape:    [3, 400]\nformat:   C-S-R\nalias:    CSR\nstored:   3\ndensity:  2.500e-3\n\
        level 0:  C, axis 0, 3 entries, pointers of 8 bits\nlevel 1:  S, axis 1, 3 entries, indices of 16 bits\n\
        bytes:    10 of indices and pointers\n";
    assert_eq!(printed(&["info", "-"], &sample()), expected);
}

#[test]
fn check_names_what_is_wrong() {
    assert_eq!(printed(&["check", "-"], &sample()), "3 stored elements\n");
    let arrays =
        json!({"shape": [2, 3], "structure": ["C", "S"], "pointers": {"0": [0, 2, 3]}, "indices": {"1": [2, 1, 0]}, "values": [1, 2, 3]});
    assert_eq!(refused(&["check", "-"], &arrays), "crd2idx: standard input: level 1: entry 1 at [1] comes after [2] (levels/unsorted)\n");
    let header = json!({"version": "0.1", "format": "CVEC", "shape": [9], "number_of_stored_values": 2,
        "data_types": {"indices_0": "uint64", "values": "iso[int8]"}});
    let file = json!({"header": {"binsparse": header}, "arrays": {"indices_0": [1, 8], "values": [5]}});
    assert_eq!(printed(&["check", "-"], &file), "2 stored elements\n");
    let file = json!({"header": {"binsparse": header}, "arrays": {"indices_0": [1], "values": [5]}});
    assert_eq!(
        refused(&["check", "-"], &file),
        "crd2idx: standard input: 1 values are stored, but number_of_stored_values is 2 (array/length)\n"
    );
    assert!(refused(&["check", "-"], &json!([])).contains("not a JSON object"));
    assert!(refused(&["check", "/no/such/file"], &json!({})).starts_with("crd2idx: /no/such/file: "));
}
