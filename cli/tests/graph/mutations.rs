//! No text makes the command panic: recorded graphs and requests with random changes.

use super::every::{self, same};
use super::vectors::cases;
use crate::batch::lines;
use crate::common::Rng;
use crd2idx::graph::{CoordGraph, Direction, ExprOp, FlattenMode, GraphError};
use crd2idx::json::{graph_from_json, graph_to_json, parse_graph};
use serde_json::{Value, json};

/// Returns a random quantity to put into a graph.
fn quantity(rng: &mut Rng) -> Value {
    let most = i64::MAX;
    let numbers = [0, 1, 2, 7, 64, -1, -3, most, -most, i64::MIN, 1 << 62];
    let number = json!(*rng.pick(&numbers));
    let others = [
        json!(null),
        json!("extent"),
        json!({"param": "extent"}),
        json!({"arg": 0}),
        json!({"arg": 1}),
        json!(1.5),
        json!(u64::MAX),
        json!([]),
        json!({"op": rng.pick(&ExprOp::ALL).name(), "args": [number, "extent"]}),
        json!({"op": rng.pick(&ExprOp::ALL).name(), "args": ["extent", number]}),
        json!({"op": "not", "args": [{"op": "lt", "args": [{"arg": 0}, number]}]}),
    ];
    if rng.one_in(2) { number } else { rng.pick(&others).clone() }
}

/// Appends the JSON pointers of all values in a value, and the strings in it.
fn places(value: &Value, here: String, out: &mut Vec<String>, strings: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(k, value)| places(value, format!("{here}/{k}"), out, strings)),
        // No key of a recorded case has characters that pointers escape.
        Value::Object(map) => map.iter().for_each(|(key, value)| places(value, format!("{here}/{key}"), out, strings)),
        Value::String(text) => strings.push(text.clone()),
        _ => {}
    }
    out.push(here);
}

/// Makes one to three changes: other numbers and quantities, other names, list elements removed, repeated or exchanged.
fn changed(value: &Value, rng: &mut Rng) -> Value {
    let mut value = value.clone();
    for _ in 0..1 + rng.below(3) {
        let (mut all, mut strings) = (Vec::new(), Vec::new());
        places(&value, String::new(), &mut all, &mut strings);
        let place: &String = rng.pick(&all);
        let place = value.pointer_mut(place).expect("the place exists");
        match place {
            Value::Array(list) if !list.is_empty() => {
                let (k, other) = (rng.below(list.len()), rng.below(list.len()));
                match rng.below(3) {
                    0 => drop(list.remove(k)),
                    1 => list.insert(other, list[k].clone()),
                    _ => list.swap(k, other),
                }
            }
            Value::String(text) if !rng.one_in(8) => *text = rng.pick(&strings).clone(),
            Value::Object(_) if !rng.one_in(8) => {}
            other => *other = quantity(rng),
        }
    }
    value
}

/// Makes one to three changes: short pieces removed, replaced by another byte, or repeated.
fn garbled(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len());
        let end = at + 1 + rng.below(8.min(bytes.len() - at));
        let piece = bytes[at..end].to_vec();
        match rng.below(3) {
            0 if end - at < bytes.len() => drop(bytes.drain(at..end)),
            1 => bytes[at] = *rng.pick(b"{}[],:\"-0123456789eE.\\ntf \x00\xff"),
            _ => drop(bytes.splice(at..at, piece)),
        }
    }
    bytes
}

/// Asks a graph everything, and checks that the answers agree with each other.
fn ask_everything(graph: &CoordGraph) {
    let value = graph_to_json(graph);
    let again = graph_from_json(&value).unwrap_or_else(|error| panic!("{value}: {error}"));
    assert!(same(graph, &again), "{value}");
    assert!(graph.to_dot().to_string().ends_with("}\n") && graph.to_mermaid().to_string().ends_with('\n'));
    let names: Vec<&str> = graph.dimensions().iter().map(|dim| dim.name.as_str()).collect();
    for (k, direction) in [Direction::Forward, Direction::Reverse].into_iter().cycle().take(6).enumerate() {
        let sources = sources(graph, direction);
        let bind: Vec<(&str, i64)> = sources.iter().map(|name| (*name, [0, 1, i64::MAX][k / 2])).collect();
        let parameters = graph.parameters().iter().map(|parameter| (parameter.name.as_str(), 3));
        let bind: Vec<(&str, i64)> = bind.into_iter().chain(parameters).collect();
        let determined = graph.determined(direction, &bind);
        for (name, value) in determined.into_iter().flatten() {
            assert_eq!(graph.evaluate(direction, &bind, &[name]), Ok(vec![value]), "{name}");
            // A value implies a validity, unless a size has no value.
            let valid = graph.is_valid(direction, &bind, &[name]);
            assert!(matches!(valid, Ok(_) | Err(GraphError::Arithmetic { .. })), "{valid:?}");
        }
        for name in &names {
            assert!(graph.find(name).is_ok() && graph.storage_of(name).is_ok());
            // Values may overflow; any answer will do.
            let _ = graph.delta(direction, &bind, sources.first().unwrap_or(name), i64::MAX, &[name]);
        }
    }
    // A path implies a connection.
    for direction in [Direction::Forward, Direction::Reverse] {
        let sources = sources(graph, direction);
        let [path, connected] = [graph.has_path(direction, &sources, &names), graph.is_connected(direction, &sources, &names)];
        assert!(path.expect("the names exist") <= connected.expect("the names exist"));
    }
}

/// Returns the dimensions that no transform produces.
fn sources(graph: &CoordGraph, direction: Direction) -> Vec<&str> {
    let produced = graph.edges().iter().flat_map(|edge| if direction == Direction::Forward { &edge.outputs } else { &edge.inputs });
    let produced: Vec<usize> = produced.map(|id| id.number()).collect();
    let dims = graph.dimensions().iter().enumerate();
    dims.filter(|(k, _)| !produced.contains(k)).map(|(_, dim)| dim.name.as_str()).collect()
}

/// Adds a parameter to a recorded graph.
fn with_parameter(mut graph: Value) -> Value {
    graph["parameters"] = json!([{"name": "extent", "min": 1, "div": 2}]);
    graph
}

#[test]
fn of_graphs() {
    let mut rng = Rng::new(41);
    let mut values: Vec<Value> = cases().iter().map(|case| with_parameter(case["graph"].clone())).collect();
    values.push(graph_to_json(&every::graph()));
    let modes = [FlattenMode::Declared, FlattenMode::Sizes, FlattenMode::Strides];
    let mut read = 0;
    for value in &values {
        ask_everything(&graph_from_json(value).expect("a graph"));
        for k in 0..60 {
            if let Ok(graph) = graph_from_json(&changed(value, &mut rng)) {
                read += 1;
                ask_everything(&graph.with_flatten(modes[k % 3]));
            }
            if let Ok(graph) = parse_graph(&String::from_utf8_lossy(&garbled(&value.to_string(), &mut rng))) {
                ask_everything(&graph);
            }
        }
    }
    assert!(read > 1000, "{read} of {} values are graphs", values.len() * 60);
}

#[test]
fn of_requests() {
    let mut rng = Rng::new(42);
    let mut input = Vec::new();
    let mut count = 0;
    for case in cases() {
        let queries = case["queries"].as_array().expect("a list");
        for k in 0..40 {
            let mut query = rng.pick(queries).clone();
            // Long sweeps are slow, and a change does not make them faster.
            if query["op"].as_str().is_some_and(|op| op.ends_with("sweep")) {
                query["vary"] = json!([[query["vary"][0][0], [2]]]);
            }
            let graph = with_parameter(case["graph"].clone());
            let request = json!({"op": "graph", "graph": graph, "flatten": case["profile"], "query": query});
            let bytes =
                if k % 4 == 0 { garbled(&request.to_string(), &mut rng) } else { changed(&request, &mut rng).to_string().into_bytes() };
            input.extend(bytes.into_iter().map(|byte| if byte == b'\n' { b' ' } else { byte }));
            input.push(b'\n');
            count += 1;
        }
    }
    let answers = lines(&input);
    assert_eq!(answers.len(), count);
    let mut right = 0;
    for line in &answers {
        let answer: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} is not JSON"));
        assert!(answer.get("ok").is_some() != answer.get("error").is_some(), "{line}");
        right += usize::from(answer.get("ok").is_some());
    }
    assert!(right > 300, "{right} of {count} have an answer");
}
