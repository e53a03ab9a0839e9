//! The pictures that tests draw: every kind, small and large.

use serde_json::{Value, json};
use std::process::Output;

/// The arguments of `show` and `svg`, and standard input.
pub type Case = (Vec<&'static str>, Option<Value>);

/// Runs `crd2idx` with these arguments and this input.
pub fn run(args: &[&str], input: Option<&Value>) -> Output {
    crate::command::run(args, &input.map_or(String::new(), Value::to_string))
}

/// Returns standard output of a run that must succeed.
pub fn printed(args: &[&str], input: Option<&Value>) -> String {
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the output of `command` for a case with more arguments.
pub fn drawn(command: &str, (args, input): &Case, more: &[&str]) -> String {
    printed(&[&[command], args.as_slice(), more].concat(), input.as_ref())
}

pub fn matrix() -> Value {
    json!({"shape": [4, 5], "coords": [[0, 1], [0, 4], [2, 0], [3, 3], [3, 4]], "values": [1, 2, 3, 4.5, 5]})
}

pub fn lists() -> Value {
    json!({"offsets": [[0, 2, 2, 5], [0, 3, 3, 4, 6, 9]], "data": [1, 2, 3, 4, 5, 6, 7, 8, 9]})
}

/// Returns a matrix with a narrow band of elements, too large for a picture with a cell for each element.
fn band() -> Value {
    let coords: Vec<[usize; 2]> = (0..150).flat_map(|i| [[i, i * 2], [i, i * 2 + 3]]).collect();
    json!({"shape": [150, 400], "coords": coords, "values": vec![1; 300]})
}

fn tensor() -> Value {
    json!({"shape": [3, 4, 2], "coords": [[0, 1, 0], [0, 1, 1], [0, 3, 0], [2, 0, 1], [2, 3, 0]], "values": [1, -2.5, 3, 4, "a long text"]})
}

/// Returns one case of each kind, and the difficult cases of each.
pub fn cases() -> Vec<Case> {
    let layouts: &[&[&str]] = &[
        &["layout", "((2,4),(3,5)):((3,6),(1,24))"],
        &["layout", "((2,4),(3,5)):((3,6),(1,24))", "--by", "mode"],
        &["layout", "((2,2,2),(2,(2,2))):((1,4,16),(2,(8,32)))", "--by", "mode", "--cells", "coordinate"],
        &["layout", "(4,4,3):(1,4,16)", "--cells", "coordinate"],
        &["layout", "64:1"],
        &["layout", "7:3"],
        &["layout", "(32,32):(32,1)"],
        &["layout", "(2,3):(-100000,1000000000)"],
        &["layout", "make_identity_layout((3,4))"],
        &["layout", "(4,5):(0,1)", "--by", "thread"],
        &["compose", "(6,2):(8,2)", "(4,3):(3,1)"],
        &["compose", "(6,8):(1,6)", "(3,4)"],
        &["divide", "(8,6):(1,8)", "(4,3)"],
        &["divide", "24:1", "4:2"],
        &["divide", "(9,(4,8)):(59,(13,1))", "[3:3;(2,4):(1,8)]"],
        &["product", "(2,2):(1,2)", "(2,3):(1,2)"],
        &["product", "(2,2):(4,1)", "6:1", "--by", "mode"],
        &["swizzle", "(8,8):(8,1)", "S<3,0,3>"],
        &["transpose", "(6,8):(8,1)"],
        &["transpose", "(20,4):(4,1)"],
        &["tile", "(7,10):(10,1)", "(4,4)"],
        &["tile", "29:1", "8"],
        &["threads", "(4,8):(8,1)", "(2,4):(4,1)", "(2,2):(2,1)"],
        &["threads", "(8,8):(8,1)", "(2,4):(4,1)", "(2,1):(1,1)", "--cells", "index"],
        &["threads", "32:1", "8:1", "2:1"],
        // Columns of a partial sum become rows on another mesh, and a large tensor has a cell for each range of rows.
        &[
            "reshard",
            r#"{"shape": [7, 6], "from": {"mesh": [["x", 2], ["y", 2]], "spec": [null, "x"], "partial": {"y": "sum"}},
            "to": {"mesh": [["z", 3]], "hpf": "(CYCLIC, *)"}}"#,
        ],
        &[
            "reshard",
            r#"{"shape": [50257, 3, 1024], "from": {"mesh": [["dp", 2], ["tp", 4]], "dtensor": "[Replicate(), Shard(0)]"},
            "to": {"mesh": [["dp", 2], ["tp", 4]], "dtensor": "[Shard(2), Shard(0)]"}}"#,
        ],
        &["reshard", r#"{"shape": [20], "from": {"mesh": [["x", 20]], "spec": ["x"]}, "to": {"mesh": [["x", 1]], "spec": []}}"#],
        &["graph", "examples/graphs/gemm.json"],
        &["graph", "examples/graphs/im2col.json"],
        &["graph", "examples/graphs/stream_k.json"],
        &["graph", "examples/graphs/workgroups.json"],
    ];
    let text = |(args, input): (&[&'static str], Option<Value>)| (args.to_vec(), input);
    // Two dimensions are computed from each other, and the name of the third has other scripts, markup and control characters.
    let cycle = json!({"nodes": [{"name": "a"}, {"name": "b"}, {"name": "<行&\u{7}\u{202e}>"}],
        "edges": [{"type": "PassThrough", "inputs": ["a"], "outputs": ["b"]}, {"type": "PassThrough", "inputs": ["b"], "outputs": ["a"]}]});
    let inputs: Vec<(&[&'static str], Option<Value>)> = vec![
        (&["graph", "-"], Some(cycle)),
        (&["sparse", "-", "--format", "CSR"], Some(matrix())),
        (&["sparse", "-"], Some(matrix())),
        (&["sparse", "-", "--format", "DCSC"], Some(matrix())),
        (&["sparse", "-", "--format", "CSF"], Some(tensor())),
        (&["sparse", "-", "--format", "CSR"], Some(band())),
        (&["sparse", "-"], Some(json!({"shape": [12], "coords": [[3], [7], [7]]}))),
        (&["ragged", "-"], Some(lists())),
        (&["ragged", "-"], Some(json!({"offsets": [[0, 3, 3, 4, 6]], "data": [6, 5, 5, 2.5, 9, 9]}))),
        (&["ragged", "-"], Some(json!({"starts": [2, 0], "sizes": [3, 2], "data": [1, 2, 3, 4, 5]}))),
        (
            &["ragged", "-"],
            Some(json!({"offsets": [(0..=100).map(|k| k * k / 40).collect::<Vec<_>>()], "data": (0..250).collect::<Vec<_>>()})),
        ),
    ];
    layouts.iter().map(|args| text((args, None))).chain(inputs.into_iter().map(text)).collect()
}
