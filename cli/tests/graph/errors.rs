//! Each refusal gives the position, the value there, and the allowed values.

use crd2idx::graph::GraphError;
use crd2idx::json::{JsonFault, graph_from_json, parse_graph};
use serde_json::{Value, json};

fn message(value: &Value) -> String {
    graph_from_json(value).expect_err("this is refused").to_string()
}

/// Returns a graph of `a`, `b`, `k` and the parameter `n` with one edge.
fn with_edge(edge: Value) -> Value {
    json!({"nodes": [{"name": "a"}, {"name": "b"}, {"name": "k"}], "edges": [edge], "parameters": [{"name": "n"}]})
}

fn with_node(node: Value) -> Value {
    json!({"nodes": [{"name": "a"}, node], "edges": []})
}

#[test]
fn of_the_form() {
    let quantity = r#"an integer, the name of a parameter, {"param": name}, {"arg": k} or {"op": name, "args": [...]}"#;
    let cases = [
        (json!(3), "3 is not an object".into()),
        (json!({}), "the key `nodes` is missing".into()),
        (json!({"nodes": []}), "the key `edges` is missing".into()),
        (json!({"nodes": 1, "edges": []}), "nodes: 1 is not a list".into()),
        (json!({"nodes": [], "edges": [], "extra": 1}), "unknown key `extra`, allowed are nodes, edges, parameters, flatten".into()),
        (
            json!({"nodes": [], "edges": [], "flatten": "rows"}),
            "flatten: \"rows\" is not one of declared, sizes, strides, any, size-driven, seed-stride".into(),
        ),
        (with_node(json!([])), "nodes[1]: [] is not an object".into()),
        (with_node(json!({"name": 5})), "nodes[1].name: 5 is not a string".into()),
        (with_node(json!({"size": 5})), "nodes[1]: the key `name` is missing".into()),
        (with_node(json!({"name": "b", "Size": 5})), "nodes[1]: unknown key `Size`, allowed are name, size, stride, offset, kind".into()),
        (with_node(json!({"name": "b", "size": 1.5})), "nodes[1].size: 1.5 is not an integer of 64 bits".into()),
        (with_node(json!({"name": "b", "size": true})), format!("nodes[1].size: true is not {quantity}")),
        (with_node(json!({"name": "b", "size": {}})), format!("nodes[1].size: {{}} is not {quantity}")),
        (with_node(json!({"name": "b", "size": {"x": 1}})), "nodes[1].size: unknown key `x`, allowed are param, arg, op, args".into()),
        (with_node(json!({"name": "b", "size": {"param": 1}})), "nodes[1].size.param: 1 is not a string".into()),
        (with_node(json!({"name": "b", "size": {"arg": -1}})), "nodes[1].size.arg: -1 is not a whole number from 0".into()),
        (
            with_node(json!({"name": "b", "size": {"op": "add", "args": [1, {"op": "neg", "args": [2]}]}})),
            "nodes[1].size.args[1].op: \"neg\" is not one of add, sub, mul, div, ceil_div, rem, min, max, eq, lt, le, and, or, not".into(),
        ),
        (
            with_node(json!({"name": "b", "size": {"op": "not", "args": [1, 2]}})),
            "nodes[1].size: {\"args\":[1,2],\"op\":\"not\"} is not `not` of 1 operand".into(),
        ),
        (
            with_node(json!({"name": "b", "kind": "Warp"})),
            "nodes[1].kind: \"Warp\" is not one of User, SubDimension, Linear, Workgroup, Workitem, Wavefront, Lane, Register, SharedMemory, Loop, \
             Unroll, MacroTile, ThreadTile, WaveTile"
                .into(),
        ),
        (json!({"nodes": [], "edges": [], "parameters": [{"name": "n", "min": 3, "max": 2}]}), "parameters[0].max: 2 is not an upper bound above the lower bound 3".into()),
        (json!({"nodes": [], "edges": [], "parameters": [{"name": "n", "div": 0}]}), "parameters[0].div: 0 is not a divisor from 1".into()),
        (with_edge(json!({"inputs": [], "outputs": []})), "edges[0]: the key `type` is missing".into()),
        (with_edge(json!({"type": "Tile", "inputs": ["a"]})), "edges[0]: the key `outputs` is missing".into()),
        (with_edge(json!({"type": "Tile", "inputs": [0], "outputs": []})), "edges[0].inputs[0]: 0 is not a string".into()),
        (
            with_edge(json!({"type": "Tile", "inputs": ["a"], "outputs": ["b"], "params": {"n": 1}})),
            "edges[0].params: unknown key `n`, none is allowed here".into(),
        ),
        (with_edge(json!({"type": "Modulo", "inputs": ["a"], "outputs": ["b"]})), "edges[0].params: the key `modulus` is missing".into()),
        (
            with_edge(json!({"type": "Pad", "inputs": ["a"], "outputs": ["b"], "params": {"left": 1, "rigth": 2}})),
            "edges[0].params: unknown key `rigth`, allowed are left, right".into(),
        ),
        (
            with_edge(json!({"type": "PiecewiseAffineJoin", "inputs": ["a"], "outputs": ["b"], "params": {"condition": 1, "strides": [[1]], "initial": [0, 0]}})),
            "edges[0].params.strides: [[1]] is not a list of 2".into(),
        ),
        (
            with_edge(json!({"type": "Rotate", "inputs": ["a"], "outputs": ["b", "k"], "params": {"rows_per_group": 1, "positions": 8, "inverse": 0}})),
            "edges[0].params.inverse: 0 is not true or false".into(),
        ),
        (
            with_edge(json!({"type": "Gather", "inputs": ["a"], "outputs": ["b"], "params": {"table": [0, "n"]}})),
            "edges[0].params.table[1]: \"n\" is not an integer of 64 bits".into(),
        ),
        (
            with_edge(json!({"type": "Segment", "inputs": ["a"], "outputs": ["b"], "params": {"number": -1}})),
            "edges[0].params.number: -1 is not a whole number from 0".into(),
        ),
    ];
    for (value, want) in cases {
        let want: String = want;
        let error = graph_from_json(&value).expect_err("this is refused");
        assert_eq!((error.to_string(), error.class()), (want, "json/malformed"), "{value}");
    }
}

#[test]
fn of_the_graph() {
    let cases = [
        (with_node(json!({"name": "a"})), "nodes[1]", "graph/duplicate_name", "nodes[1]: `a` is declared twice"),
        (with_node(json!({"name": "b", "size": -1})), "nodes[1]", "graph/range", "nodes[1]: `b`: the size -1 is less than 0"),
        (with_node(json!({"name": "b", "size": "n"})), "nodes[1]", "graph/no_such_parameter", "nodes[1]: the graph has no parameter `n`"),
        (
            with_edge(json!({"type": "Tile", "inputs": ["a"], "outputs": ["b", "c"]})),
            "edges[0].outputs[1]",
            "graph/no_such_dimension",
            "edges[0].outputs[1]: the graph has no dimension `c`",
        ),
        (
            with_edge(json!({"type": "Tile", "inputs": ["a", "b"], "outputs": ["k"]})),
            "edges[0]",
            "graph/arity",
            "edges[0]: Tile(a, b -> k): takes one input and one or more outputs, but has 2 inputs and 1 output",
        ),
        (
            with_edge(json!({"type": "Tile", "inputs": ["a"], "outputs": ["b", "b"]})),
            "edges[0]",
            "graph/repeated_dimension",
            "edges[0]: Tile(a -> b, b): `b` occurs twice",
        ),
        (
            with_edge(json!({"type": "Embed", "inputs": ["k"], "outputs": ["a", "b"], "params": {"coefficients": [1]}})),
            "edges[0]",
            "graph/length",
            "edges[0]: Embed(k -> a, b): 1 coefficients for 2 dimensions",
        ),
        (
            with_edge(json!({"type": "Modulo", "inputs": ["a"], "outputs": ["b"], "params": {"modulus": 0}})),
            "edges[0]",
            "graph/range",
            "edges[0]: Modulo(a -> b): the modulus 0 is less than 1",
        ),
        (
            with_edge(json!({"type": "Modulo", "inputs": ["a"], "outputs": ["b"], "params": {"modulus": {"arg": 0}}})),
            "edges[0]",
            "graph/no_such_argument",
            "edges[0]: Modulo(a -> b): argument 0 does not exist; the number of arguments is 0",
        ),
    ];
    for (value, path, class, message) in cases {
        let error = graph_from_json(&value).expect_err("this is refused");
        assert_eq!((error.to_string().as_str(), error.path(), error.class()), (message, path, class));
        assert!(matches!(error.fault(), JsonFault::Graph(_)));
    }
    let error = graph_from_json(&with_node(json!({"name": "a"}))).expect_err("this is refused");
    assert_eq!(error.fault(), &JsonFault::Graph(GraphError::DuplicateName { name: "a".into() }));
}

#[test]
fn of_numbers_that_are_too_large() {
    let text = |size: &str| format!(r#"{{"nodes": [{{"name": "a", "size": {size}}}], "edges": []}}"#);
    for size in ["9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "1e+3", "2.0"] {
        let error = parse_graph(&text(size)).expect_err("this is refused").to_string();
        assert_eq!(error, format!("nodes[0].size: {size} is not an integer of 64 bits"));
    }
    let long = "7".repeat(100_000);
    let error = parse_graph(&text(&long)).expect_err("this is refused").to_string();
    assert_eq!(error, format!("nodes[0].size: {}... is not an integer of 64 bits", "7".repeat(60)));
}

#[test]
fn of_long_values_show_how_they_begin() {
    let error = message(&with_node(json!({"name": vec!["ä"; 1000]})));
    assert!(error.starts_with("nodes[1].name: [\"ä\",\"ä\",") && error.ends_with("... is not a string") && error.len() < 120, "{error}");
    let error = message(&json!({"k".repeat(1000): 1}));
    assert!(error.len() < 150, "{error}");
}

#[test]
fn of_the_text_name_line_and_column() {
    let error = parse_graph("{\"nodes\": [],\n \"edges\": }").expect_err("this is refused");
    assert_eq!((error.to_string().as_str(), error.path(), error.class()), ("expected value at line 2 column 11", "", "json/malformed"));
    let deep = "[".repeat(100_000);
    assert!(parse_graph(&deep).expect_err("this is refused").to_string().starts_with("recursion limit exceeded"));
}
