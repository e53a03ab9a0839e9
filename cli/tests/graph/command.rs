//! `crd2idx graph`.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Output;

fn run(args: &[&str], input: &str) -> Output {
    crate::command::run(&[&["graph"], args].concat(), input)
}

fn printed(args: &[&str], input: &Value) -> String {
    let output = run(args, &input.to_string());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(args: &[&str], input: &str) -> String {
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Returns a row of `m` elements in tiles of 16, and two regions of shared memory.
fn sample() -> Value {
    json!({
        "nodes": [
            {"name": "row", "size": "m"}, {"name": "tile"}, {"name": "i", "size": 16, "kind": "Workitem"},
            {"name": "lds"}, {"name": "a=b"}, {"name": "part"}, {"name": "alone\n"}, {"name": "also"},
        ],
        "edges": [
            {"type": "Tile", "inputs": ["row"], "outputs": ["tile", "i"]},
            {"type": "Segment", "inputs": ["lds"], "outputs": ["a=b"], "params": {"number": 0}},
            {"type": "Segment", "inputs": ["lds"], "outputs": ["part"], "params": {"number": 1}},
            {"type": "PassThrough", "inputs": ["row"], "outputs": ["also"]},
        ],
        "parameters": [{"name": "m", "min": 1}],
    })
}

#[test]
fn eval_prints_a_line_for_each_target() {
    let sample = sample();
    assert_eq!(printed(&["eval", "-", "--bind", "row=35"], &sample), "tile=2\ni=3\nalso=35\n");
    assert_eq!(printed(&["eval", "-", "--forward", "--bind", "row=35", "--target", "i", "--target", "row"], &sample), "i=3\nrow=35\n");
    assert_eq!(printed(&["eval", "-", "--reverse", "--bind", "tile=2", "--bind", "i=3"], &sample), "row=35\n");
    assert_eq!(
        printed(&["eval", "-", "--bind", "row=15", "--delta", "row=1", "--target", "tile", "--target", "i"], &sample),
        "tile=1\ni=-15\n"
    );
    assert_eq!(printed(&["eval", "-", "--bind", "row=-1"], &sample), "tile=-1\ni=15\nalso=-1\n");
    assert_eq!(printed(&["eval", "-", "--bind", "a=b=7", "--target", "a=b"], &sample), "a=b=7\n");
    assert_eq!(printed(&["eval", "-", "--bind", "alone\n=7", "--target", "alone\n"], &sample), "alone\\n=7\n");
}

#[test]
fn eval_says_what_is_valid() {
    let at = |row: &str| printed(&["eval", "-", "--valid", "--bind", row, "--bind", "m=100", "--target", "i"], &sample());
    assert_eq!((at("row=99"), at("row=100"), at("row=-1")), ("true\n".into(), "false\n".into(), "false\n".into()));
}

#[test]
fn flatten_is_the_commands_then_the_cases_then_the_graphs() {
    let graph = json!({
        "nodes": [{"name": "i", "size": 2, "stride": 10}, {"name": "j", "size": 3, "stride": 100}, {"name": "k"}],
        "edges": [{"type": "Flatten", "inputs": ["i", "j"], "outputs": ["k"]}],
    });
    let mut sizes = graph.clone();
    sizes["flatten"] = "sizes".into();
    let case = json!({"id": "a", "graph": sizes, "profile": "seed-stride", "queries": []});
    let unprofiled = json!({"graph": sizes});
    let eval = |input: &Value, more: &[&str]| printed(&[&["eval", "-", "--bind", "i=1", "--bind", "j=2"], more].concat(), input);
    assert_eq!(eval(&graph, &[]), "k=210\n");
    assert_eq!(eval(&sizes, &[]), "k=5\n");
    assert_eq!(eval(&unprofiled, &[]), "k=5\n");
    assert_eq!(eval(&case, &[]), "k=210\n");
    assert_eq!(eval(&case, &["--flatten", "sizes"]), "k=5\n");
    assert_eq!(eval(&sizes, &["--flatten", "declared"]), "k=210\n");
    assert!(printed(&["check", "-", "--flatten", "sizes"], &graph).contains("Flatten by sizes"));
}

#[test]
fn check_reports() {
    let want = "\
graph:         8 dimensions, 2 transforms, 2 relations of storage, 1 parameter, Flatten as declared
forward from:  row
forward to:    tile, i, also
reverse from:  tile, i, also
reverse to:    row
reverse twice: row by Tile edges[0], PassThrough edges[3]
disconnected:  alone\\n
one storage:   lds, a=b, part
";
    assert_eq!(printed(&["check", "-"], &sample()), want);
    assert_eq!(
        printed(&["check", "-"], &json!({"nodes": [], "edges": []})),
        "graph:         0 dimensions, 0 transforms, Flatten as declared\n"
    );
}

#[test]
fn dot_draws() {
    let graph = crd2idx::json::graph_from_json(&sample()).expect("a graph");
    assert_eq!(printed(&["dot", "-"], &sample()), graph.to_dot().to_string());
    assert_eq!(printed(&["dot", "-", "--mermaid"], &sample()), graph.to_mermaid().to_string());
}

#[test]
fn files_are_read_and_named() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("graph_command.json");
    std::fs::write(&file, sample().to_string()).expect("the file is written");
    let path = file.to_str().expect("UTF-8");
    assert_eq!(printed(&["eval", path, "--bind", "row=35", "--target", "i"], &Value::Null), "i=3\n");
    let message = refused(&["eval", path, "--bind", "tile=1", "--target", "row"], "");
    assert_eq!(
        message,
        format!(
            "crd2idx: {path}: `row` cannot be computed forward: no transform leads to it that way; in reverse it can with `i`, `also`\n"
        )
    );
    std::fs::write(&file, r#"{"graph": {"nodes": [{"name": "a", "size": []}], "edges": []}}"#).expect("the file is written");
    let message = refused(&["check", path], "");
    assert!(message.starts_with(&format!("crd2idx: {path}: graph.nodes[0].size: [] is not ")), "{message}");
    let missing = folder.join("no_such_file.json");
    let message = refused(&["dot", missing.to_str().expect("UTF-8")], "");
    assert!(message.contains("no_such_file.json: "), "{message}");
}

#[test]
fn bad_input_is_refused() {
    let sample = sample().to_string();
    assert_eq!(refused(&["check", "-"], "{"), "crd2idx: standard input: EOF while parsing an object at line 1 column 1\n");
    assert_eq!(
        refused(&["check", "-"], r#"{"nodes": [{}], "edges": []}"#),
        "crd2idx: standard input: nodes[0]: the key `name` is missing\n"
    );
    let profile = r#"{"graph": {"nodes": [], "edges": []}, "profile": 3}"#;
    assert_eq!(refused(&["check", "-"], profile), "crd2idx: standard input: profile: 3 is not a string\n");
    let names = "declared, sizes, strides, any, size-driven, seed-stride";
    assert_eq!(refused(&["check", "-", "--flatten", "x"], &sample), format!("crd2idx: --flatten: `x` is not one of {names}\n"));
    assert!(refused(&["eval", "-", "--bind", "row"], &sample).contains("'--bind <NAME=VALUE>': `row` is not name=value"));
    assert!(refused(&["eval", "-", "--bind", "row=9223372036854775808"], &sample).contains("too large"));
    assert_eq!(refused(&["eval", "-"], &sample), "crd2idx: standard input: the bound names determine no dimension forward\n");
    let twice = refused(&["eval", "-", "--bind", "row=1", "--bind", "row=2"], &sample);
    assert_eq!(twice, "crd2idx: standard input: `row` is bound twice\n");
    assert!(refused(&["eval", "-", "--valid", "--delta", "row=1"], &sample).contains("cannot be used with"));
    assert!(refused(&["eval", "-", "--forward", "--reverse"], &sample).contains("cannot be used with"));
    assert!(refused(&[], &sample).contains("Usage"));
}
