//! `crd2idx ragged emit`.

use std::process::Output;

fn run(args: &[&str], input: &str) -> Output {
    crate::command::run(&[&["ragged", "emit"], args].concat(), input)
}

fn printed(args: &[&str], input: &str) -> String {
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(args: &[&str], input: &str) -> String {
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).expect("UTF-8")
}

const TWO: &str = "examples/ragged/two_levels.json";
const THREE: &str = "examples/ragged/three_levels.json";
const MIXED: &str = "examples/ragged/mixed_levels.json";
const DISTANCE: &str = r#"{"op": "max", "args": [{"op": "sub", "args": ["c0", "c1"]}, {"op": "sub", "args": ["c1", "c0"]}]}"#;

#[test]
fn arrays_and_their_levels_are_described() {
    let two = printed(&[TWO, "--to", "c", "--name", "rows"], "");
    assert!(two.contains("rows_result rows(uint32_t leaf, rows_cursor at) {") && !two.contains("offsets1"), "{two}");
    assert!(printed(&[THREE, "--to", "opencl"], "").contains("__global const uint *offsets1"));
    let views = printed(&["-", "--to", "c"], r#"{"starts": [0, 4], "sizes": [3, 1], "word": "i64"}"#);
    assert!(views.contains("const int64_t *sizes0") && views.contains("ragged_is_valid(uint64_t leaf"), "{views}");
    let mixed = printed(&[MIXED, "--to", "cuda"], "");
    assert!(mixed.contains("ragged_split1_prepare(uint32_t heads)") && mixed.contains("uint32_t c5;"), "{mixed}");
    let host = printed(&[MIXED, "--to", "wgsl", "--host"], "");
    assert!(host.contains("pub const fn ragged_split1_prepare(heads: u32) -> RaggedSplit1Launch"), "{host}");
    assert!(!printed(&[MIXED, "--to", "cuda", "--no-fast-division"], "").contains("magic"));
}

#[test]
fn pages_are_described() {
    let pages = r#"{"kind": "paged", "layout": "(16,8,128):(1024,128,1)", "word": "i32", "offsets": "u32"}"#;
    let text = printed(&["-", "--to", "opencl", "--name", "key"], pages);
    assert!(
        text.contains("key_element(uint page, uint token, uint c1, uint c2)") && text.contains("__global const uint *offsets"),
        "{text}"
    );
    assert!(refused(&["-", "--to", "c", "--function", "visit"], pages).contains("not for pages"));
    let negative = r#"{"kind": "paged", "layout": "(16):(-1)"}"#;
    assert!(refused(&["-", "--to", "c"], negative).contains("not a layout of a page"));
}

#[test]
fn every_function_is_printed() {
    let ask = |function: &str, more: &[&str]| printed(&[&[THREE, "--to", "cuda", "--function", function], more].concat(), "");
    assert!(!ask("coordinates", &[]).contains("__global__"));
    let parents = ask("parents", &["--workgroup", "128"]);
    assert!(parents.contains("__shared__ uint32_t running[128];") && parents.contains("parents[begin] = row;"), "{parents}");
    assert!(ask("leaf_rows", &[]).contains("const uint32_t end = offsets1[offsets0[row + 1]];"));
    let visit = ask("visit", &["--write", DISTANCE, "--tile", "8", "--width", "64"]);
    assert!(visit.contains("data[leaf] = ragged_value((int64_t)c.c0, (int64_t)c.c1);") && visit.contains("tile * 8"), "{visit}");
}

#[test]
fn bad_input_is_refused() {
    let levels = |levels: &str| refused(&["-", "--to", "c"], &format!("{{\"levels\": [{levels}]}}"));
    let input = "crd2idx: standard input:";
    assert_eq!(
        refused(&["-", "--to", "c"], r#"{"starts": [4, 0], "sizes": [1, 2]}"#),
        format!("{input} level 0: starts[1] = 0 is before 5, where row 0 ends: rows that do not ascend have no inverse; pack them first\n")
    );
    assert_eq!(
        levels(r#"{"kind": "block", "layout": "(2,4):(1,3)"}"#),
        format!("{input} level 0: (2,4):(1,3) is not a bijection onto 0..8\n")
    );
    assert_eq!(levels(r#"{"kind": "regular", "size": -1}"#), format!("{input} level 0.size: -1 is not a whole number, or a name\n"));
    assert_eq!(
        levels(r#"{"kind": "sparse"}"#),
        format!("{input} level 0: the kind of a level is `ragged`, `regular`, `block` or `views`\n")
    );
    assert_eq!(levels(r#"{"kind": "ragged", "word": "u8"}"#), format!("{input} word: `u8` is not one of u32, u64, i32, i64\n"));
    let huge = levels(r#"{"kind": "regular", "size": 4294967295}, {"kind": "regular", "size": 2}"#);
    assert!(
        huge.contains("which does not fit 32 bits")
            || huge.contains("level 0: the product of the sizes from this level on exceeds 4294967295"),
        "{huge}"
    );
    let two = |more: &[&str]| refused(&[&[TWO], more].concat(), "");
    assert_eq!(two(&["--to", "mlir"]), "crd2idx: mlir cannot express arrays of offsets\n");
    assert_eq!(two(&["--to", "wgsl", "--width", "64"]), "crd2idx: wgsl has no integers of 64 bits\n");
    assert_eq!(
        two(&["--to", "c", "--function", "rows"]),
        "crd2idx: --function: `rows` is not one of coordinates, parents, leaf_rows, visit\n"
    );
    assert_eq!(two(&["--to", "c", "--function", "visit"]), "crd2idx: --function visit needs --write, the value to write\n");
    assert_eq!(two(&["--to", "c", "--write", "1"]), "crd2idx: --write needs --function visit\n");
    assert_eq!(two(&["--to", "c", "--function", "visit", "--write", "\"c2\""]), "crd2idx: `c2` is unknown; expected one of c0, c1\n");
    assert!(
        two(&["--to", "c", "--function", "visit", "--write", r#"{"op": "div", "args": ["c0", 0]}"#])
            .contains("the expression has no value")
    );
    let views = r#"{"levels": [{"kind": "ragged"}, {"kind": "views"}]}"#;
    assert_eq!(
        refused(&["-", "--to", "c", "--function", "leaf_rows"], views),
        "crd2idx: level 1: the level is views, whose rows need not be adjacent: convert them to offsets first\n"
    );
    assert_eq!(refused(&["-", "--to", "c", "--function", "parents"], r#"{"levels": []}"#), "crd2idx: the program has no output\n");
    assert_eq!(
        refused(&["-", "--to", "wgsl"], r#"{"levels": [{"kind": "ragged", "word": "i64"}]}"#),
        "crd2idx: wgsl has no integers of 64 bits\n"
    );
}
