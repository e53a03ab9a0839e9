//! `crd2idx emit` and the request `emit` of `batch`.

use crate::batch::answers;
use serde_json::{Value, json};
use std::process::Output;

fn run(args: &[&str], input: &str) -> Output {
    crate::command::run(&[&["emit"], args].concat(), input)
}

fn printed(args: &[&str]) -> String {
    let output = run(args, "");
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(args: &[&str]) -> String {
    let output = run(args, "");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

const GEMM: &str = "examples/graphs/gemm.json";
const STREAM_K: &str = "examples/graphs/stream_k.json";
const WORKGROUPS: &str = "examples/graphs/workgroups.json";

#[test]
fn layouts_are_functions_of_their_coordinates() {
    let text = "#include <stdbool.h>\n#include <stdint.h>\n\n// d0 >= 0\n// i0 in [0, 8)\n// i1 >= 0\n\
                static inline uint64_t at(uint64_t d0, uint64_t i0, uint64_t i1) {\n    return d0 * i0 + i1;\n}\n";
    assert_eq!(printed(&["(8,?):(?,1)", "--to", "c", "--name", "at"]), text);
    let named = text.replace("d0", "ld").replace("i0", "row").replace("i1", "col");
    assert_eq!(printed(&["(8,?):(?,1)", "--to", "c", "--name", "at", "--names", "ld,row,col"]), named);
    let expression = |layout, coordinates| printed(&[layout, "--to", "c", "--expression", "--coordinates", coordinates]);
    assert_eq!(expression("((2,4),8):((1,2),8)", "modes"), "i0 + i1 * 8\n");
    assert_eq!(expression("((2,4),8):((1,2),8)", "linear"), "i\n");
    assert_eq!(expression("((2,4),8):((1,2),8)", "leaves"), "i0 + i1 * 2 + i2 * 8\n");
    let raw = printed(&["((2,4),8):((1,2),8)", "--to", "c", "--expression", "--coordinates", "linear", "--unsimplified"]);
    assert!(raw.len() > "i\n".len() && raw.contains(">>"), "{raw}");
    assert!(
        printed(&["logical_divide((96,80):(80,1), (32,16))", "--to", "rust"])
            .contains("pub const fn crd2idx(i0: usize, i1: usize) -> usize {")
    );
}

#[test]
fn graphs_are_functions_from_bound_to_targets() {
    let coordinates = "block,step,pass,tid,v";
    let cuda = printed(&[GEMM, "--reverse", coordinates, "--target", "A", "--to", "cuda"]);
    assert!(cuda.contains("return lda * (pass * 32 + (tid >> 3) + block * 128) + v + (tid & 7) * 4 + step * 32;"), "{cuda}");
    assert!(cuda.contains("bool crd2idx_is_valid(") && cuda.contains("__device__") && cuda.contains("uint32_t crd2idx("), "{cuda}");
    let wide = printed(&[GEMM, "--reverse", coordinates, "--target", "A,lds", "--to", "hip", "--width", "64", "--name", "copy"]);
    assert!(
        wide.contains("copy_result copy(")
            && wide.contains("uint64_t lds;")
            && !wide.split("#endif").any(|part| !part.starts_with("#if") && part.contains("uint32_t")),
        "{wide}"
    );
    // Parameters that are bound to numbers are no inputs.
    let bound = ["--bind", "M=256", "--bind", "K=64", "--bind", "lda=64"];
    let rust = printed(&[&[GEMM, "--reverse", coordinates, "--target", "A", "--to", "rust"], &bound[..]].concat());
    assert!(!rust.contains("lda") && !rust.contains("is_valid") && rust.contains("pass * 64"), "{rust}");
    let part = ["--reverse", "stream_group,stream_step", "--bind", "part=0", "--target", "m,k", "--to", "wgsl", "--expression"];
    let want = "m = (stream_group * 896 + stream_step) / 6144\nk = (stream_group * 896 + stream_step) & 511\n";
    assert_eq!(printed(&[&[STREAM_K], &part[..]].concat()), want);
    let mlir = printed(&[STREAM_K, "--forward", "m,n,k", "--target", "tile", "--to", "mlir"]);
    assert!(mlir.contains("#crd2idx = affine_map<(d0, d1, d2) -> "), "{mlir}");
}

#[test]
fn domains_say_what_is_known() {
    let at = |domain| printed(&["examples/graphs/tile.json", "--forward", "k", "--target", "i", "--to", "c", "--domain", domain]);
    assert!(at("declared").contains("k in [0, 6)") && at("declared").contains("uint32_t") && !at("declared").contains("is_valid"));
    assert!(at("natural").contains("k >= 0") && at("natural").contains("uint64_t") && at("natural").contains("is_valid"));
    assert!(at("any").contains("k is any integer") && at("any").contains("floor_div") && at("any").contains("is_valid"));
    let flatten = |mode| {
        let file = "examples/graphs/flatten_column.json";
        printed(&[file, "--forward", "i,j", "--target", "k", "--to", "c", "--expression", "--flatten", mode])
    };
    assert_eq!((flatten("strides"), flatten("sizes")), ("i + j * 2\n".into(), "i * 3 + j\n".into()));
}

#[test]
fn hosts_come_after_or_alone() {
    let ask = |more: &[&str]| printed(&[&[WORKGROUPS, "--forward", "wg", "--target", "row,col", "--name", "place"], more].concat());
    let c = ask(&["--to", "c"]);
    let device = c.find("place_result place(").expect("a function of the thread");
    let host = c.find("place_launch place_prepare(").expect("a function of the host");
    assert!(device < host && c.contains("launch.group_magic"), "{c}");
    assert_eq!(ask(&["--to", "c", "--host"]).trim_start(), &c[c.find("// The magic numbers of d").expect("a comment")..]);
    assert!(!ask(&["--to", "c", "--no-fast-division"]).contains("magic"));
    let opencl = ask(&["--to", "opencl"]);
    assert!(opencl.contains("place_launch launch") && !opencl.contains("place_prepare"), "{opencl}");
    let host = ask(&["--to", "opencl", "--host"]);
    assert!(host.contains("place_prepare") && host.contains("#include <stdint.h>") && !host.contains("place_is_valid"), "{host}");
    // A coordinate of the launch, besides the parameters.
    let launch = printed(&[GEMM, "--reverse", "pass,tid,v", "--launch", "block,step", "--target", "A", "--to", "rust"]);
    assert!(launch.contains("_prepare(") && launch.contains("block: usize") && launch.contains("launch: &Crd2idxLaunch"), "{launch}");
    assert!(ask(&["--to", "rust"]).contains("crd2idx::FastDiv"));
}

#[test]
fn bad_input_is_refused() {
    let layout = ["(8,4):(1,8)", "--to", "c"];
    let with = |more: &[&'static str]| refused(&[&layout[..], more].concat());
    assert_eq!(refused(&["(8,4", "--to", "c"]), "crd2idx: parse: unexpected text at byte 4: the text ends early\n");
    assert_eq!(with(&["--width", "16"]), "crd2idx: --width: 16 is not 32 or 64\n");
    assert_eq!(with(&["--name", "2 x"]), "crd2idx: --name: `2 x` is not a letter and then letters, digits and `_`\n");
    assert_eq!(with(&["--names", "1x"]), "crd2idx: --names: `1x` is not a letter and then letters, digits and `_`\n");
    assert_eq!(with(&["--names", "m,m"]), "crd2idx: --names: `m` is there twice\n");
    assert_eq!(with(&["--names", "m,n,ld"]), "crd2idx: --names: 3 names for the parameters i0, i1\n");
    assert_eq!(with(&["--coordinates", "all"]), "crd2idx: --coordinates: `all` is not one of modes, linear, leaves\n");
    assert_eq!(with(&["--host"]), "crd2idx: --host: nothing is computed per launch\n");
    let of_graphs = "needs a graph: `(8,4):(1,8)` is a layout expression, no file that ends in .json\n";
    assert_eq!(with(&["--bind", "x=1"]), format!("crd2idx: --bind {of_graphs}"));
    assert_eq!(with(&["--domain", "any"]), format!("crd2idx: --domain {of_graphs}"));
    assert!(with(&["--host", "--expression"]).contains("cannot be used with"));
    assert!(refused(&["(8,4):(1,8)"]).contains("--to"));
    let languages = "c, cuda, hip, opencl, wgsl, rust, mlir";
    assert_eq!(refused(&["4:1", "--to", "ada"]), format!("crd2idx: --to: `ada` is not a language; the languages are {languages}\n"));
    let width = "crd2idx: `d1` is in [0, ...], which does not fit 32 bits; give it closer bounds\n";
    assert_eq!(refused(&["(8,?):(1,?)", "--to", "wgsl"]), width);

    let graph = |more: &[&'static str]| refused(&[&[GEMM, "--to", "c"], more].concat());
    assert_eq!(graph(&[]), format!("crd2idx: {GEMM}: list the coordinates of each thread in `forward` or in `reverse`\n"));
    assert_eq!(graph(&["--reverse", "tid"]), format!("crd2idx: {GEMM}: `targets` is empty: list the dimensions to compute\n"));
    assert_eq!(graph(&["--coordinates", "modes"]), format!("crd2idx: --coordinates needs a layout: `{GEMM}` is a graph\n"));
    let missing = graph(&["--reverse", "tid", "--target", "A"]);
    assert!(missing.starts_with(&format!("crd2idx: {GEMM}: `A` cannot be computed in reverse: missing ")), "{missing}");
    assert!(graph(&["--reverse", "x", "--target", "A"]).ends_with("the graph has no dimension `x`\n"));
    assert!(graph(&["--reverse", "tid", "--target", "A", "--bind", "v"]).contains("'--bind <NAME=VALUE>': `v` is not name=value"));
    assert!(graph(&["--reverse", "tid", "--target", "A", "--domain", "x"]).contains("`x` is not one of declared, natural, any"));
    assert!(graph(&["--reverse", "tid", "--forward", "v"]).contains("cannot be used with"));
    assert!(refused(&["nothing.json", "--to", "c", "--forward", "x", "--target", "y"]).starts_with("crd2idx: nothing.json: "));
}

/// Reads a graph from standard input, or a recorded case with a profile.
#[test]
fn graphs_come_from_standard_input() {
    let graph = json!({
        "nodes": [{"name": "i", "size": 2, "stride": 10}, {"name": "j", "size": 3, "stride": 100}, {"name": "k"}],
        "edges": [{"type": "Flatten", "inputs": ["i", "j"], "outputs": ["k"]}],
    });
    let case = json!({"id": "a", "graph": graph, "profile": "size-driven", "queries": []});
    for (input, want) in [(graph, "i * 10 + j * 100\n"), (case, "i * 3 + j\n")] {
        let output = run(&["-", "--forward", "i,j", "--target", "k", "--to", "c", "--expression"], &input.to_string());
        assert_eq!(String::from_utf8_lossy(&output.stdout), want, "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn batch_gives_device_and_host() {
    let graph = json!({
        "nodes": [{"name": "x", "size": 12}, {"name": "t"}, {"name": "i", "size": "n"}],
        "edges": [{"type": "Tile", "inputs": ["x"], "outputs": ["t", "i"]}],
        "parameters": [{"name": "n", "min": 1, "max": 12}],
    });
    let ask = |more: Value| {
        let mut request = json!({"op": "emit", "graph": graph, "to": "c", "forward": ["x"], "targets": ["t", "i"]});
        request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        request
    };
    let requests = [
        ask(json!({"name": "split", "id": 3})),
        ask(json!({"fast_division": false})),
        ask(json!({"bind": {"n": 4}, "expression": true})),
        ask(json!({"domain": "natural", "launch": [], "width": 64})),
        json!({"op": "emit", "layout": "(8,4):(1,8)", "to": "c", "expression": true}),
        json!({"op": "emit", "layout": "(8,4):(1,8)", "to": "rust", "coordinates": "linear"}),
        ask(json!({"bind": {"n": 1.5}})),
        ask(json!({"reverse": ["t"]})),
        ask(json!({"coordinates": "modes"})),
        ask(json!({"to": "ada"})),
        ask(json!({"width": 16})),
        ask(json!({"targets": []})),
        ask(json!({"targets": ["y"]})),
        ask(json!({"domain": "all"})),
        json!({"op": "emit", "layout": "(8", "to": "c"}),
        json!({"op": "emit", "layout": "(?):(?)", "to": "wgsl"}),
        json!({"op": "emit", "to": "c"}),
        json!({"op": "emit.x", "layout": "4:1", "to": "c"}),
    ];
    let answers = answers(&requests);
    let text = |k: usize, key: &str| answers[k]["ok"][key].as_str().unwrap_or_else(|| panic!("{}", answers[k])).to_owned();
    assert!(text(0, "device").contains("split_result split(uint32_t x, const split_launch launch)"), "{}", text(0, "device"));
    assert!(text(0, "host").contains("split_launch split_prepare(uint32_t n)"), "{}", text(0, "host"));
    assert_eq!(answers[0]["id"], 3);
    assert!(text(1, "device").contains("x / n") && answers[1]["ok"]["host"].is_null());
    assert_eq!(answers[2], json!({"ok": {"expressions": {"t": "x >> 2", "i": "x & 3"}}}));
    assert!(text(3, "device").contains("uint64_t"));
    assert_eq!(answers[4], json!({"ok": {"expressions": {"index": "i0 + i1 * 8"}}}));
    assert!(text(5, "device").contains("(i: usize) -> usize"));
    let kinds: Vec<&str> = answers[6..].iter().map(|answer| answer["kind"].as_str().unwrap_or_else(|| panic!("{answer}"))).collect();
    let malformed = "malformed";
    let want =
        [malformed, malformed, malformed, malformed, malformed, malformed, "no_such_dimension", malformed, "layout", "emit", malformed];
    assert_eq!(kinds, [&want[..], &["unknown_op"]].concat());
    let message = |k: usize| answers[k]["error"].as_str().expect("a message");
    assert_eq!(message(6), "bind.n: 1.5 is not an integer of 64 bits");
    assert_eq!(message(10), "width: 16 is not 32 or 64");
    assert_eq!(message(16), "the key `layout` or `graph` is missing");
}
