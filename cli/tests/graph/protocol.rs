//! The request `graph` of `batch`.

use super::vectors::cases;
use crate::batch::answers;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const RESULTS: [&str; 8] = ["values", "count", "sum", "min", "max", "fnv1a64", "distinct", "injective"];

/// Returns the reason why an answer differs from the recorded one, if it does.
fn differs(query: &Value, answer: &Value) -> Option<String> {
    let got = &answer["ok"];
    if let Some(kind) = query.get("error") {
        return (answer["kind"] != *kind || !answer["error"].is_string()).then(|| format!("{answer} instead of {kind}"));
    }
    if let Some(expect) = query.get("expect") {
        return (got != expect).then(|| format!("{answer} instead of {expect}"));
    }
    let wrong: Vec<_> = RESULTS.iter().filter(|key| query.get(**key).is_some_and(|want| got[**key] != *want)).collect();
    (!wrong.is_empty()).then(|| format!("{wrong:?} differ in {answer}"))
}

#[test]
fn agrees_with_the_records() {
    let (mut asked, mut requests) = (Vec::new(), Vec::new());
    for case in cases() {
        for query in case["queries"].as_array().expect("a list") {
            let mut question = query.clone();
            let fields = question.as_object_mut().expect("an object");
            for key in RESULTS.iter().chain(&["error"]) {
                fields.remove(*key);
            }
            if let Some(Value::Object(expect)) = fields.remove("expect") {
                fields.insert("targets".into(), expect.keys().cloned().collect());
            }
            requests.push(json!({"op": "graph", "graph": case["graph"], "flatten": case["profile"], "query": question}));
            asked.push((case["id"].clone(), query.clone()));
        }
    }
    let answers = answers(&requests);
    let failures =
        asked.iter().zip(&answers).filter_map(|((id, query), answer)| Some(format!("{id} {query}: {}", differs(query, answer)?)));
    let failures: Vec<String> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(asked.len() >= 186, "{} questions", asked.len());
}

/// Returns a question about `i` of 2 and `j` of 3 flattened to `k`, by sizes or by strides.
fn flatten(query: Value) -> Value {
    json!({
        "op": "graph",
        "graph": {
            "nodes": [{"name": "i", "size": 2, "stride": 10}, {"name": "j", "size": 3, "stride": 100}, {"name": "k"}, {"name": "far"}],
            "edges": [{"type": "Flatten", "inputs": ["i", "j"], "outputs": ["k"]}],
        },
        "query": query,
    })
}

fn asked<const N: usize>(queries: [Value; N]) -> Vec<Value> {
    answers(&queries.map(flatten))
}

#[test]
fn flatten_of_the_request_comes_before_the_graphs() {
    let query = json!({"op": "forward", "bind": {"i": 1, "j": 2}, "targets": ["k"]});
    let mut requests = Vec::new();
    let mut want = Vec::new();
    for (graph, request, k) in [
        (None, None, 210),
        (Some("sizes"), None, 5),
        (Some("sizes"), Some("strides"), 210),
        (Some("seed-stride"), Some("any"), 5),
        (None, Some("size-driven"), 5),
        (Some("sizes"), Some("declared"), 210),
    ] {
        let mut asked = flatten(query.clone());
        asked["graph"]["flatten"] = json!(graph);
        asked["flatten"] = json!(request);
        requests.push(asked);
        want.push(json!({"ok": {"k": k}}));
    }
    assert_eq!(answers(&requests), want);
}

#[test]
fn questions() {
    let cases = [
        // A question without targets answers with all determined dimensions.
        (json!({"op": "forward", "bind": {"i": 1, "j": 2}}), json!({"k": 210})),
        (json!({"op": "forward", "bind": {"i": 1}}), json!({})),
        (json!({"op": "forward", "bind": {"i": 1, "j": 2}, "targets": ["k", "i"]}), json!({"k": 210, "i": 1})),
        (json!({"op": "forward_valid", "bind": {"i": 1, "j": 2}, "targets": ["k"]}), json!(true)),
        (json!({"op": "forward_valid", "bind": {"i": 1, "j": 3}, "targets": ["k"]}), json!(false)),
        (json!({"op": "forward_valid", "bind": {"i": -1, "j": 0}}), json!(false)),
        (json!({"op": "forward_stride", "bind": {"i": 1, "j": 2}, "dim": "j", "by": -2, "targets": ["k"]}), json!({"k": -200})),
        (json!({"op": "has_path_forward", "bound": ["i", "j"], "targets": ["k"]}), json!(true)),
        (json!({"op": "has_path_reverse", "bound": ["k"], "targets": ["i"]}), json!(false)),
        (json!({"op": "has_path_reverse", "bound": ["k"], "targets": ["i"], "structural": true}), json!(true)),
        (json!({"op": "has_path_forward", "bound": ["i", "j"], "targets": ["k", "far"], "structural": true}), json!(false)),
        // The expected answer in a record is not part of the question.
        (json!({"op": "forward", "bind": {"i": 0, "j": 0}, "targets": ["k"], "expect": {"k": 7}}), json!({"k": 0})),
    ];
    let (queries, want): (Vec<_>, Vec<_>) = cases.into_iter().map(|(query, want)| (flatten(query), json!({"ok": want}))).unzip();
    assert_eq!(answers(&queries), want);
}

#[test]
fn sweeps() {
    let answers = asked([
        json!({"op": "forward_sweep", "fixed": {}, "vary": [["i", [2]], ["j", [0, 3]]], "targets": ["k"]}),
        json!({"op": "forward_sweep", "fixed": {"i": 1}, "vary": [["j", [2, -1, -1]]], "targets": ["k", "j"]}),
        json!({"op": "forward_sweep", "vary": [["i", [0, 5, 2]], ["j", [0]]], "targets": ["k"]}),
        json!({"op": "forward_sweep", "fixed": {"i": 1, "j": 1}, "vary": [], "targets": ["k"]}),
        json!({"op": "forward_sweep", "fixed": {"j": 0}, "vary": [["i", [4097]]], "targets": ["k"]}),
        json!({"op": "forward_sweep", "fixed": {"i": 0, "j": 0}, "vary": [["far", [3]]], "targets": ["k", "k"]}),
        json!({"op": "forward_sweep", "vary": [["far", [5, 8]]], "targets": []}),
    ]);
    assert_eq!(answers[0]["ok"]["values"], json!([0, 100, 200, 10, 110, 210]));
    assert_eq!((&answers[0]["ok"]["sum"], &answers[0]["ok"]["injective"]), (&json!(630), &json!(true)));
    assert_eq!(answers[1]["ok"]["values"], json!([210, 2, 110, 1, 10, 0]));
    let empty = json!({"count": 0, "sum": 0, "min": null, "max": null, "fnv1a64": "cbf29ce484222325", "distinct": 0, "injective": true, "values": []});
    assert_eq!(answers[2]["ok"], empty);
    assert_eq!((&answers[3]["ok"]["values"], &answers[3]["ok"]["distinct"]), (&json!([110]), &json!(1)));
    assert_eq!((&answers[4]["ok"]["count"], answers[4]["ok"].get("values")), (&json!(4097), None));
    assert_eq!((&answers[5]["ok"]["distinct"], &answers[5]["ok"]["injective"]), (&json!(1), &json!(false)));
    assert_eq!((&answers[6]["ok"]["count"], &answers[6]["ok"]["distinct"]), (&json!(0), &json!(1)));
}

#[test]
fn sums_are_exact_beyond_64_bits() {
    let most = i64::MAX;
    let query = json!({"op": "forward_sweep", "vary": [["a", [most - 3, most]]], "targets": ["b"]});
    let graph = json!({"nodes": [{"name": "a"}, {"name": "b"}], "edges": [{"type": "PassThrough", "inputs": ["a"], "outputs": ["b"]}]});
    let answer = &answers(&[json!({"op": "graph", "graph": graph, "query": query})])[0];
    assert_eq!(answer["ok"]["sum"].to_string(), (3 * i128::from(most) - 6).to_string());
    assert_eq!(answer["ok"]["values"], json!([most - 3, most - 2, most - 1]));
}

#[test]
fn refusals_have_a_kind() {
    let most = i64::MAX;
    let cases = [
        (json!({"op": "forward", "bind": {"i": 1}, "targets": ["k"]}), "unreachable"),
        (json!({"op": "forward", "bind": {"x": 1}, "targets": ["k"]}), "no_such_dimension"),
        (json!({"op": "forward", "bind": {"i": 1, "j": 2}, "targets": ["x"]}), "no_such_dimension"),
        (json!({"op": "reverse", "bind": {"k": 1}, "targets": ["i"]}), "undefined_direction"),
        (json!({"op": "forward", "bind": {"i": most, "j": most}, "targets": ["k"]}), "arithmetic"),
        (json!({"op": "forward_stride", "bind": {"i": 1, "j": most}, "dim": "j", "by": most, "targets": []}), "arithmetic"),
        (json!({"op": "forward_stride", "bind": {"i": 1}, "dim": "j", "by": 1, "targets": []}), "unreachable"),
        (json!({"op": "forward", "bind": {"i": 1.5}}), "malformed"),
        (json!({"op": "forward", "bind": [1]}), "malformed"),
        (json!({"op": "forward", "bind": {}, "target": ["k"]}), "malformed"),
        (json!({"op": "sideways", "bind": {}}), "malformed"),
        (json!({"op": "forward_stride", "bind": {}, "dim": "i"}), "malformed"),
        (json!({"op": "forward_sweep", "vary": [["i", [1, 2, 0]]], "targets": []}), "malformed"),
        (json!({"op": "forward_sweep", "vary": [["i"]], "targets": []}), "malformed"),
        (json!({"op": "forward_sweep", "vary": [["i", [2]]], "fixed": {"i": 0}, "targets": []}), "bound_twice"),
        (json!({"op": "forward_sweep", "vary": [["i", [most]]], "targets": []}), "too_large"),
        (json!({"op": "forward_sweep", "vary": [["i", [1 << 20]], ["j", [17]]], "targets": []}), "too_large"),
        (json!({"op": "forward_sweep", "vary": vec![json!(["i", [i64::MIN, most]]); 9], "targets": ["k"]}), "too_large"),
        (json!("forward"), "malformed"),
    ];
    let (queries, want): (Vec<_>, Vec<_>) = cases.into_iter().map(|(query, kind)| (flatten(query), kind)).unzip();
    for ((query, answer), kind) in queries.iter().zip(answers(&queries)).zip(want) {
        assert_eq!(answer["kind"], kind, "{}: {answer}", query["query"]);
        assert!(answer["error"].as_str().is_some_and(|message| !message.is_empty()) && answer.get("ok").is_none());
    }
}

#[test]
fn refused_graphs_are_refused_by_place() {
    let requests = [
        json!({"op": "graph", "id": 7, "query": {"op": "forward"}}),
        json!({"op": "graph", "graph": {"nodes": [], "edges": []}}),
        json!({"op": "graph", "graph": {"nodes": [{"name": 1}], "edges": []}, "query": {}}),
        json!({"op": "graph", "graph": 5, "query": {}}),
        json!({"op": "graph", "graph": {"nodes": [], "edges": []}, "flatten": "x", "query": {}}),
        json!({"op": "graph.other"}),
    ];
    let answers = answers(&requests);
    assert_eq!(answers[0], json!({"error": "the key `graph` is missing", "kind": "malformed", "id": 7}));
    assert_eq!(answers[1]["error"], "the key `query` is missing");
    let place = json!({"error": "graph.nodes[0].name: 1 is not a string", "kind": "malformed", "path": "graph.nodes[0].name"});
    assert_eq!(answers[2], place);
    assert_eq!(answers[3]["error"], "graph: 5 is not an object");
    assert_eq!(answers[4]["error"], "flatten: \"x\" is not one of declared, sizes, strides, any, size-driven, seed-stride");
    assert_eq!(answers[5]["kind"], "unknown_op");
}

/// The graph has two paths to one dimension, and the second disagrees at one point.
#[test]
fn a_sweep_that_fails_names_the_point() {
    let graph = json!({
        "nodes": [{"name": "a"}, {"name": "b"}, {"name": "c", "size": 1}, {"name": "d", "size": 3}],
        "edges": [
            {"type": "PassThrough", "inputs": ["a"], "outputs": ["b"]},
            {"type": "Modulo", "inputs": ["b"], "outputs": ["a"], "params": {"modulus": 3}},
            {"type": "Modulo", "inputs": ["c"], "outputs": ["d"], "params": {"modulus": 3}},
            {"type": "PassThrough", "inputs": ["c"], "outputs": ["d"]},
        ],
    });
    let query = json!({"op": "reverse_sweep", "vary": [["d", [1, 9]]], "targets": ["c"]});
    let answer = &answers(&[json!({"op": "graph", "graph": graph, "query": query})])[0];
    assert_eq!((&answer["kind"], &answer["at"]), (&json!("conflict"), &json!({"d": 3})), "{answer}");
}

/// Every error of a graph has a class of its own.
#[test]
fn classes_are_distinct() {
    use crd2idx::graph::{Direction, EdgeName, GraphError};
    let (name, edge) = (String::new, || EdgeName(String::new()));
    let errors = [
        GraphError::NoSuchDimension { name: name(), like: None },
        GraphError::NoSuchParameter { name: name() },
        GraphError::DuplicateName { name: name() },
        GraphError::ForeignDimension { id: 0 },
        GraphError::RepeatedDimension { edge: edge(), dim: name() },
        GraphError::Arity { edge: edge(), takes: "", inputs: 0, outputs: 0 },
        GraphError::Length { edge: edge(), what: "", found: 0, expected: 0 },
        GraphError::Range { place: name(), what: "", value: 0, least: 0 },
        GraphError::NoSuchArgument { place: name(), argument: 0, count: 0 },
        GraphError::Sizes { edge: edge(), computed: 0, dim: name(), declared: 0 },
        GraphError::BoundTwice { name: name() },
        GraphError::Unreachable { target: name(), missing: vec![], direction: Direction::Forward, opposite: None },
        GraphError::UndefinedDirection { edge: edge(), direction: Direction::Forward, reason: "" },
        GraphError::MissingSize { dim: name(), edge: edge() },
        GraphError::MissingStride { dim: name(), edge: edge() },
        GraphError::MissingParameter { name: name() },
        GraphError::SwitchOutOfRange { edge: edge(), value: 0, branches: 0 },
        GraphError::Conflict { dim: name(), edges: (edge(), edge()), values: None },
        GraphError::Entry { edge: edge(), value: 0 },
        GraphError::Storage { edge: edge(), dim: name(), lies_in: name() },
        GraphError::NotALayout { target: name(), reason: name() },
    ];
    let classes: BTreeSet<_> = errors.iter().map(GraphError::class).collect();
    assert_eq!(classes.len(), errors.len());
    assert!(classes.iter().all(|class| class.starts_with("graph/")), "{classes:?}");
}
