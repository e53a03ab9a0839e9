//! `crd2idx plan`, and what explains and draws plans.

use serde_json::{Value, json};

const ROWS: [&str; 2] = ["((13,8),4):((4@0,1@1),1@0)", "((25,4),4):((4@0,1@1),1@0)"];

/// The status, and what is printed.
fn run(args: &[&str]) -> (i32, String) {
    let output = crate::command::run(args, "");
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.code().unwrap_or(-1), String::from_utf8(text).expect("UTF-8"))
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn words_say_what_moves() {
    let (code, text) = run(&["plan", ROWS[0], ROWS[1], "--extent", "100,4", "--bytes", "4,2"]);
    assert_eq!(code, 0);
    assert!(text.starts_with("400 elements in 11 messages of 11 copies; 56 stay local, 344 move; 1600 bytes become 800\n"), "{text}");
    assert!(text.contains("\n3 -> 2  8 elements\n    8 at 44 -> 0\n"), "{text}");
    let (_, short) = run(&["plan", ROWS[0], ROWS[1], "--extent", "100,4", "--messages", "1"]);
    assert!(short.ends_with("52 at 0 -> 0\n... and 10 more messages (--messages N shows N)\n"), "{short}");
}

#[test]
fn lists_leave_short_runs() {
    let args = ["plan", "(4,4):(1@0,1@1)", "(2,4,2):(1@0,1@1,2@0)", "--bytes", "8", "--descriptors"];
    let lists = read(&run(&args).1);
    assert_eq!(lists["source"].as_array().map(Vec::len), Some(8));
    assert_eq!(lists["source"][1], json!([16, 16, 0]));
    assert_eq!(lists["target"][1], json!([0, 16, 1]));
    let lists = read(&run(&[&args[..], &["--least", "17"]].concat()).1);
    assert_eq!(lists["source"], json!([]));
    assert_eq!(lists["short"]["copies"].as_array().map(Vec::len), Some(8));
    assert_eq!(run(&["plan", "4:1", "4:1", "--bytes", "4,2", "--descriptors"]).0, 2);
}

#[test]
fn json_has_copies_and_statistics() {
    let plan = read(&run(&["plan", r#"{"layout": "(4):(-1)", "base": [3]}"#, "4:1", "--max-loops", "0", "--json"]).1);
    assert_eq!(plan["copies"][0], json!({"from": 0, "to": 0, "src": 3, "dst": 0, "count": 1}));
    assert_eq!(plan["statistics"]["descriptors"], 4);
}

#[test]
fn refusals_have_numbers() {
    let said = |args: &[&str]| run(&[&["plan"], args].concat());
    assert_eq!(
        said(&["(4,4):(1,4)", "(5,3):(1,5)"]).1,
        "crd2idx: the source has 16 elements and the target 15: an extent would say which exist\n"
    );
    assert_eq!(said(&["4:1", "(2,2):(1,1)"]).1, "crd2idx: the target has elements 2 and 1 both at offset 1 of place 0\n");
    assert_eq!(said(&["4:1", "(4,2"]).0, 2);
    assert_eq!(said(&["4:1", "{"]).0, 2);
    assert_eq!(
        said(&["(9,9):(1,9)", "(9,9):(9,1)", "--max-loops", "0", "--limit", "80"]).1,
        "crd2idx: 81 copies are more than the limit 80\n"
    );
}

#[test]
fn explanations_say_what_does_not_nest() {
    let (code, text) = run(&["explain", "plan", ROWS[0], ROWS[1], "--extent", "100,4"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("digits turn over every 13 and every 25 coordinates, and 25 mod 13 = 12: these do not nest"), "{text}");
    assert!(text.contains("these are independent: 11 * 1 = 11, 11 blocks"), "{text}");
    let (_, json) = run(&["explain", "plan", "(4,6):(1@0,1@1)", "(6,4):(1@0,1@1)", "--json"]);
    let explained = read(&json);
    let statements: Vec<&Value> = explained["steps"].as_array().expect("steps").iter().map(|step| &step["statements"]).collect();
    assert!(statements.iter().any(|list| **list == json!(["6 mod 4 = 2"])), "{json}");
}

#[test]
fn pictures_show_both_sides() {
    let (code, text) = run(&["show", "plan", "(4,4):(1@0,1@1)", "(4,4):(1@1,1@0)", "--color", "never"]);
    assert_eq!(code, 0);
    assert!(text.contains("0 │ 0 ║ 1 ║ 2 ║ 3 │      0 │ 0 0 0 0 │"), "{text}");
    assert_eq!(run(&["show", "plan", "(4096,4):(1,4096)", "(4096,4):(4,1)"]).0, 2);
    assert_eq!(run(&["svg", "plan", ROWS[0], ROWS[1], "--extent", "50,4"]).0, 0);
}
