//! `crd2idx plan`, and the commands that explain and draw plans.

use serde_json::{Value, json};

const ROWS: [&str; 2] = ["((13,8),4):((4@0,1@1),1@0)", "((25,4),4):((4@0,1@1),1@0)"];

/// Returns the exit code, and the output.
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
        "crd2idx: the source has 16 elements, but the target has 15: give the extent of the elements that exist\n"
    );
    assert_eq!(said(&["4:1", "(2,2):(1,1)"]).1, "crd2idx: the target has elements 2 and 1 both at offset 1 of place 0\n");
    assert_eq!(said(&["4:1", "(4,2"]).0, 2);
    assert_eq!(said(&["4:1", "{"]).0, 2);
    assert_eq!(
        said(&["(9,9):(1,9)", "(9,9):(9,1)", "--max-loops", "0", "--limit", "80"]).1,
        "crd2idx: the plan needs at least 81 copies, but the limit is 80\n"
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

#[test]
fn kernels_copy_one_message() {
    let said = |args: &[&str]| run(&[&["plan"], args].concat());
    let (code, text) = said(&["(300,200):(1,300)", "(300,200):(200,1)", "--bytes", "4", "--to", "opencl", "--name", "transpose"]);
    assert_eq!(code, 0);
    let kernel = "
// Copies 60000 words of 4 bytes
__kernel void transpose(__global const uint *source, __global uint *target) {
    for (uint k = get_global_id(0); k < 60000; k += get_global_size(0)) {
        const transpose_place_result place = transpose_place(k);
        target[place.target_at] = source[place.source_at];
    }
}
";
    assert!(text.ends_with(kernel), "{text}");
    // Rows of 24 elements of 4 bytes are copied by 16 bytes if arrays, offsets and runs are aligned to 16 and the language has such words.
    let rows = |language: &str, aligned: &str| {
        said(&["(24,10):(1,40)", "(24,10):(1,24)", "--bytes", "4", "--aligned", aligned, "--to", language]).1
    };
    assert!(rows("cuda", "16").contains("relayout(const uint4 *source, uint4 *target)"));
    assert!(rows("wgsl", "64").contains("array<vec4<u32>>") && rows("wgsl", "8").contains("array<vec2<u32>>"));
    assert!(rows("c", "16").contains("k < 120") && rows("rust", "16").contains("source: &[u128]"));
    assert!(rows("hip", "4").contains("k < 240"));
    let blocks = ["(4,4):(1@0,1@1)", "(4,4):(1@1,1@0)", "--to", "c"];
    assert_eq!(said(&blocks), (2, "crd2idx: there are 16 messages with a kernel each: choose one by --message, from 0\n".into()));
    assert!(said(&[&blocks[..], &["--message", "5"]].concat()).1.contains("Copies 1 words of 1 bytes"));
    assert_eq!(
        said(&[&blocks[..], &["--message", "16"]].concat()).1,
        "crd2idx: --message: 16 is named, but there are 16 messages, counted from 0\n"
    );
    let refused = |more: &[&str]| said(&[&["(50):(-1)", "50:1"], more].concat()).1;
    assert_eq!(
        refused(&["--to", "ada"]),
        "crd2idx: --to: `ada` is not a language; the languages are c, cuda, hip, opencl, wgsl, rust, mlir\n"
    );
    assert_eq!(refused(&["--to", "c", "--bytes", "3"]), "crd2idx: a kernel cannot copy elements of 3 bytes, only of 1, 2, 4, 8 or 16\n");
    assert_eq!(refused(&["--to", "c", "--bytes", "16"]), "crd2idx: c has no integers of 128 bits\n");
    assert_eq!(refused(&["--to", "rust", "--bytes", "8"]), "crd2idx: rust cannot express negative offsets into an array\n");
    assert_eq!(
        refused(&["--to", "c", "--bytes", "4,2"]),
        "crd2idx: kernels move bytes as they are: elements of 4 bytes do not become elements of 2\n"
    );
    let many = said(&["(9,9):(1,9)", "(9,9):(9,1)", "--max-loops", "0", "--to", "c"]).1;
    assert_eq!(many, "crd2idx: 81 copies are too many for one kernel; the maximum is 64\n");
    assert_eq!(said(&["0:1", "0:1", "--to", "c"]).1, "crd2idx: there is nothing to copy\n");
}
