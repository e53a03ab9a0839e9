//! Graphs survive a round trip through JSON.

use super::every::{self, same};
use super::vectors::cases;
use crd2idx::graph::{CoordGraph, Dimension, Expr, FlattenMode};
use crd2idx::json::{flatten_from_name, graph_from_json, graph_to_json, parse_graph};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Reads the JSON of a graph again, as a value and as text. Returns it.
fn returns(graph: &CoordGraph) -> Value {
    let value = graph_to_json(graph);
    let again = graph_from_json(&value).unwrap_or_else(|error| panic!("{value}: {error}"));
    assert!(same(graph, &again), "{value}");
    assert_eq!(graph_to_json(&again), value);
    let parsed = parse_graph(&value.to_string()).unwrap_or_else(|error| panic!("{value}: {error}"));
    assert!(same(graph, &parsed), "{value}");
    value
}

#[test]
fn the_recorded_graphs_return_as_they_are() {
    for case in cases() {
        let graph = graph_from_json(&case["graph"]).unwrap_or_else(|error| panic!("{}: {error}", case["id"]));
        assert_eq!(returns(&graph), case["graph"], "{}", case["id"]);
    }
}

#[test]
fn a_graph_with_everything_returns() {
    for flatten in [FlattenMode::Declared, FlattenMode::Sizes, FlattenMode::Strides] {
        let value = returns(&every::graph().with_flatten(flatten));
        assert_eq!(value.get("flatten").map_or(Some(FlattenMode::Declared), |name| flatten_from_name(name.as_str()?)), Some(flatten));
    }
    let value = returns(&every::graph());
    // The reader lists the names of exactly the edges of this graph.
    let error = graph_from_json(&json!({"nodes": [], "edges": [{"type": "?", "inputs": [], "outputs": []}]})).unwrap_err().to_string();
    let known: BTreeSet<&str> = error.split_once("one of ").expect("the names are listed").1.split(", ").collect();
    let used = value["edges"].as_array().expect("a list").iter().map(|edge| edge["type"].as_str().expect("a name"));
    assert_eq!(known, used.collect());
    let transforms: BTreeSet<_> = every::transforms().iter().map(|(transform, ..)| transform.name()).collect();
    assert_eq!(transforms.len(), every::TRANSFORMS);
}

#[test]
fn what_may_be_left_out_may_be_null() {
    let short = json!({"nodes": [{"name": "a"}], "edges": [], "parameters": [{"name": "n"}]});
    let long = json!({
        "nodes": [{"name": "a", "size": null, "stride": null, "offset": null, "kind": null}],
        "edges": [],
        "parameters": [{"name": "n", "min": null, "max": null, "div": null}],
        "flatten": null,
    });
    let [short, long] = [short, long].map(|value| graph_from_json(&value).expect("a graph"));
    assert!(same(&short, &long));
    let edge = json!({"nodes": [{"name": "a"}, {"name": "b"}], "edges": [{"type": "PassThrough", "inputs": ["a"], "outputs": ["b"], "params": null}]});
    returns(&graph_from_json(&edge).expect("a graph"));
}

#[test]
fn both_ways_to_name_a_parameter_are_one() {
    let with = |size: Value| json!({"nodes": [{"name": "a", "size": size}], "edges": [], "parameters": [{"name": "n"}]});
    let [text, object] = [json!("n"), json!({"param": "n"})].map(|size| graph_from_json(&with(size)).expect("a graph"));
    assert!(same(&text, &object));
    assert_eq!(text.dimensions()[0].size, Some(Expr::param("n")));
}

#[test]
fn integers_are_exact() {
    for value in [i64::MIN, i64::MIN + 1, -(1 << 53) - 1, (1 << 53) + 1, i64::MAX - 1, i64::MAX] {
        let mut graph = CoordGraph::new();
        graph.add(Dimension::new("a").stride(value).offset(value)).expect("a new name");
        assert_eq!(returns(&graph)["nodes"][0]["stride"].to_string(), value.to_string());
    }
}

#[test]
fn quantities_nest_as_deep_as_is_said() {
    let nested = |depth: usize| (0..depth).fold(Expr::Arg(0), |inner, _| inner.plus(1));
    let graph = |depth: usize| {
        let mut graph = CoordGraph::new();
        let ids = ["a", "b", "k"].map(|name| graph.add(Dimension::new(name)).expect("a new name"));
        let strides = [vec![1.into(), 2.into()], vec![3.into(), 4.into()]];
        let initial = [0.into(), 0.into()];
        let join = crd2idx::graph::Transform::PiecewiseAffineJoin { condition: nested(depth), strides, initial };
        graph.connect(join, ids[..2].iter().copied(), [ids[2]]).expect("an edge of the right form");
        graph
    };
    returns(&graph(48));
    let error = graph_from_json(&graph_to_json(&graph(49))).unwrap_err().to_string();
    assert!(error.starts_with("edges[0].params.condition: "), "{error}");
    assert!(error.ends_with("is not a quantity of at most 48 nested operators"), "{error}");
    // Values deeper than any text are refused at the same depth.
    let deep = (0..200).fold(json!(1), |inner, _| json!({"op": "not", "args": [inner]}));
    let deep = json!({"nodes": [{"name": "a", "size": deep}], "edges": []});
    assert!(graph_from_json(&deep).is_err());
}
