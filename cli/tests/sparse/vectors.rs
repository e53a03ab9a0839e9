//! Recorded cases.

use crate::batch::answers;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A request, and a test for its answer.
pub type Question = (Value, Box<dyn Fn(&Value) -> bool>);

pub fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("tests/data/sparse").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("the records are JSON")
}

/// Tests that the answer has these fields, with these values.
fn has(want: Value) -> Box<dyn Fn(&Value) -> bool> {
    Box::new(move |answer| want.as_object().is_some_and(|want| want.iter().all(|(key, value)| &answer["ok"][key] == value)))
}

/// Returns those fields `keys` that a value has.
fn fields(value: &Value, keys: &[&str]) -> Map<String, Value> {
    keys.iter().filter_map(|key| Some((key.to_string(), value.get(*key)?.clone()))).collect()
}

fn with(mut base: Map<String, Value>, more: Value) -> Value {
    base.extend(more.as_object().expect("an object").clone());
    Value::Object(base)
}

pub fn ask(questions: Vec<Question>, least: usize) {
    let requests: Vec<Value> = questions.iter().map(|(request, _)| request.clone()).collect();
    let answers = answers(&requests);
    let wrong: Vec<String> = questions
        .iter()
        .zip(&answers)
        .filter(|((_, holds), answer)| !holds(answer))
        .map(|((request, _), answer)| format!("{request}\n    {answer}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), requests.len(), wrong.join("\n"));
    assert!(requests.len() >= least, "{} questions", requests.len());
}

/// Returns the questions on the cases of a file of tensors and their levels.
fn levels(name: &str) -> Vec<Question> {
    let document = read(name);
    let mut out: Vec<Question> = Vec::new();
    for case in document["cases"].as_array().expect("a list") {
        let tensor = &document["tensors"][case["tensor"].as_u64().expect("a number") as usize];
        let mut base = fields(tensor, &["shape", "coords", "values"]);
        base.extend(["axis_order", "transpose"].iter().find_map(|key| Some(("axis_order".to_string(), case.get(*key)?.clone()))));
        let structure = &case["structure"];
        if case.get("arrays").is_some() {
            let request = with(base.clone(), json!({"op": "sparse.custom", "levels": case["levels"]}));
            let want =
                json!({"arrays": case["arrays"], "descriptor": case["level"], "number_of_stored_values": case["number_of_stored_values"]});
            out.push((request, has(want)));
            let request = with(base, json!({"op": "sparse.mlir", "levels": case["levels"]}));
            out.push((request, has(json!({"lvl_types": case["lvl_types"], "verifier_ok": case["mlir_verifier_ok"]}))));
            continue;
        }
        let arrays = Value::Object(fields(case, &["indices", "pointers", "values"]));
        if let Some(unsorted) = case.get("unsorted") {
            base.remove("coords");
            let request = with(base, json!({"op": "sparse.decode", "structure": structure, "unsorted": unsorted}));
            let request = with(request.as_object().expect("an object").clone(), arrays);
            let elements = |value: &Value| -> BTreeMap<String, Value> {
                let (coords, values) = (value["coords"].as_array().cloned(), value["values"].as_array().cloned());
                coords.into_iter().flatten().map(|row| row.to_string()).zip(values.into_iter().flatten()).collect()
            };
            let want = elements(tensor);
            out.push((request, Box::new(move |answer| elements(&answer["ok"]) == want)));
            continue;
        }
        let more = Value::Object(fields(case, &["max_children", "balanced_level"]));
        let request = with(base.clone(), json!({"op": "sparse.build", "structure": structure}));
        out.push((with(request.as_object().expect("an object").clone(), more), has(arrays)));
        if case.get("custom_arrays").is_some() {
            let request = with(base.clone(), json!({"op": "sparse.custom", "structure": structure}));
            out.push((request, has(json!({"levels": case["levels"], "arrays": case["custom_arrays"]}))));
        }
        if case.get("lvl_types").is_some() {
            let request = with(base, json!({"op": "sparse.mlir", "structure": structure}));
            let mut want = json!({"lvl_types": case["lvl_types"], "verifier_ok": case["mlir_verifier_ok"]});
            if let Some(root) = case.get("mlir_positions0").filter(|root| !root.is_null()) {
                want["root"] = root.clone();
            }
            out.push((
                request,
                Box::new(move |answer| {
                    let mut got = answer["ok"].clone();
                    got["root"] = got["positions"]["0"].clone();
                    has(want.clone())(&json!({"ok": got}))
                }),
            ));
        }
    }
    out
}

#[test]
fn structures() {
    ask(levels("levels"), 588);
}

#[test]
fn multigraphs() {
    ask(levels("multigraph"), 65);
}

#[test]
fn unsorted_levels() {
    ask(levels("unsorted"), 5);
}

#[test]
fn split_nodes() {
    ask(levels("balanced"), 2);
}

#[test]
fn custom_levels() {
    ask(levels("custom_levels"), 80);
}

#[test]
fn groups() {
    let mut questions: Vec<Question> = Vec::new();
    for case in read("gcs_coords").as_array().expect("a list") {
        let base = fields(case, &["shape", "axis_order", "split"]);
        for pair in case["pairs"].as_array().expect("a list") {
            questions.push((with(base.clone(), json!({"op": "sparse.gcs", "dense": pair[0]})), has(json!({"gcs": pair[1]}))));
            questions.push((with(base.clone(), json!({"op": "sparse.gcs", "gcs": pair[1]})), has(json!({"dense": pair[0]}))));
        }
    }
    for case in read("gcs_tables").as_array().expect("a list") {
        let base = fields(case, &["shape", "axis_order", "split"]);
        let shape: Vec<u64> = case["shape"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
        for (k, reduced) in case["gcs_in_dense_c_order"].as_array().expect("a list").iter().enumerate() {
            let mut rest = k as u64;
            let mut dense: Vec<u64> = shape
                .iter()
                .rev()
                .map(|extent| {
                    let c = rest % extent;
                    rest /= extent;
                    c
                })
                .collect();
            dense.reverse();
            questions.push((with(base.clone(), json!({"op": "sparse.gcs", "dense": dense})), has(json!({"gcs": reduced}))));
        }
    }
    ask(questions, 648);
}

#[test]
fn rows_of_groups() {
    let mut questions: Vec<Question> = Vec::new();
    for case in read("gcxs").as_array().expect("a list") {
        let base = fields(case, &["shape", "coords", "values"]);
        let mut push = |base: &Map<String, Value>, want: &Value| {
            let request = with(base.clone(), json!({"op": "sparse.gcxs", "compressed_axes": want["compressed_axes"]}));
            questions.push((request, has(Value::Object(fields(want, &["indptr", "indices", "data", "shape"])))));
        };
        let lists = ["gcxs", "change_compressed_axes_from_0"].map(|key| case[key].as_array().cloned().unwrap_or_default());
        lists.iter().flatten().for_each(|want| push(&base, want));
        // The default compressed axes.
        let first = case["gcxs"][0].clone();
        if first.get("note").is_some() {
            questions.push((with(base, json!({"op": "sparse.gcxs"})), has(json!({"compressed_axes": first["compressed_axes"]}))));
        }
    }
    ask(questions, 50);
}

#[test]
fn what_is_refused() {
    let mut questions: Vec<Question> = Vec::new();
    for case in read("invalid").as_array().expect("a list") {
        let mut request = fields(case, &["kind", "header", "header_text", "arrays", "input"]);
        request.insert("op".into(), "sparse.validate".into());
        let expect = case["expect"].clone();
        questions.push((Value::Object(request), Box::new(move |answer| answer["error"].is_string() && answer["class"] == expect)));
    }
    ask(questions, 31);
}
