//! `sparse.contract` on recorded cases: random contractions, whose truths NumPy's `einsum` computed, and expressions of other
//! libraries' tests on operands by a formula.

use super::vectors::{Question, ask, read};
use crate::batch::answers;
use serde_json::{Value, json};

/// Tests that an answer has these extents and, row-major, these elements.
fn equals(shape: Value, dense: Value) -> Box<dyn Fn(&Value) -> bool> {
    Box::new(move |answer| {
        let ok = &answer["ok"];
        let wanted: Vec<f64> = dense.as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
        let mut found = vec![0.0; wanted.len()];
        if let Some(data) = ok["data"].as_array() {
            found = data.iter().filter_map(Value::as_f64).collect();
        }
        let extents: Vec<u64> = shape.as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
        for (coordinate, value) in ok["coords"].as_array().into_iter().flatten().zip(ok["values"].as_array().into_iter().flatten()) {
            let at = coordinate
                .as_array()
                .expect("a list")
                .iter()
                .zip(&extents)
                .fold(0, |at, (c, extent)| at * extent + c.as_u64().unwrap_or(0));
            found[at as usize] += value.as_f64().expect("a number");
        }
        ok["shape"] == shape && found == wanted
    })
}

#[test]
fn random_contractions() {
    let questions = read("contract")["cases"].as_array().expect("a list").iter().map(|case| {
        let request = json!({"op": "sparse.contract", "subscripts": case["subscripts"], "operands": case["operands"]});
        let holds: Box<dyn Fn(&Value) -> bool> = match case["error"].as_bool() {
            Some(true) => Box::new(|answer| answer["class"].as_str().is_some_and(|class| class.starts_with("contraction/"))),
            _ => equals(case["shape"].clone(), case["dense"].clone()),
        };
        (request, holds)
    });
    ask(questions.collect::<Vec<Question>>(), 200);
}

/// Returns the element of operand `k` at a coordinate with the extents 2.
fn element(k: usize, coordinate: &[u64]) -> u64 {
    let h = coordinate.iter().enumerate().fold(5 * k as u64, |h, (j, c)| h + (3 * j as u64 + 2) * (c + 1));
    if h % 3 == 0 { 0 } else { h % 4 }
}

#[test]
fn expressions_of_other_libraries() {
    let mut questions: Vec<Question> = Vec::new();
    for case in read("contract")["by_formula"].as_array().expect("a list") {
        for sparse in [false, true] {
            let operand = |(k, rank): (usize, &Value)| {
                let rank = rank.as_u64().expect("a number");
                let shape = vec![2u64; rank as usize];
                let all: Vec<Vec<u64>> = (0..1u64 << rank).map(|at| (0..rank).rev().map(|bit| at >> bit & 1).collect()).collect();
                if !sparse {
                    return json!({"shape": shape, "dense": all.iter().map(|c| element(k, c)).collect::<Vec<_>>()});
                }
                let (coords, values): (Vec<_>, Vec<_>) =
                    all.into_iter().map(|c| (element(k, &c), c)).filter(|(value, _)| *value > 0).map(|(value, c)| (c, value)).unzip();
                json!({"shape": shape, "coords": coords, "values": values, "format": "CSF"})
            };
            let operands: Vec<Value> = case["ranks"].as_array().expect("a list").iter().enumerate().map(operand).collect();
            let request = json!({"op": "sparse.contract", "subscripts": case["subscripts"], "operands": operands});
            questions.push((request, equals(case["shape"].clone(), case["dense"].clone())));
        }
    }
    ask(questions, 70);
}

#[test]
fn arithmetics_and_storage() {
    let roads = json!({"shape": [3, 3], "coords": [[0, 1], [0, 2], [1, 2]], "values": [2, 9, 3], "format": "CSR"});
    let ask = |more: Value| {
        let mut request = json!({"op": "sparse.contract", "subscripts": "ij,jk->ik", "operands": [roads, roads]});
        request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        answers(&[request]).remove(0)
    };
    assert_eq!(ask(json!({}))["ok"], json!({"shape": [3, 3], "coords": [[0, 2]], "values": [6]}));
    assert_eq!(ask(json!({"semiring": "min-plus"}))["ok"], json!({"shape": [3, 3], "coords": [[0, 2]], "values": [5]}));
    let dense = ask(json!({"semiring": "min-plus", "result": "dense"}));
    assert_eq!(dense["ok"], json!({"shape": [3, 3], "data": [null, null, 5, null, null, null, null, null, null]}));
    assert_eq!(ask(json!({"semiring": "or-and", "result": "CSC"}))["ok"]["values"], json!([1]));
    let class = |more: Value| ask(more)["class"].clone();
    assert_eq!(class(json!({"semiring": "plus-plus"})), "contraction/semiring");
    assert_eq!(class(json!({"result": "S-S-S-R"})), "levels/name");
    assert_eq!(class(json!({"operands": [roads]})), "contraction/shape");
    assert_eq!(class(json!({"operands": [roads, {"shape": [3, 3], "dense": [1], "values": [1]}]})), "contraction/unexpected");
    assert_eq!(class(json!({"operands": [roads, {"shape": [3, 3], "values": [1]}]})), "contraction/missing");
    assert_eq!(class(json!({"operands": [roads, {"shape": [3, 3], "coords": [[0, 3]], "values": [1]}]})), "contraction/range");
    assert_eq!(class(json!({"operands": [roads, {"shape": [3, 3], "coords": [[0, 0]], "values": ["x"]}]})), "contraction/type");
    let much = json!({"shape": [2000], "dense": vec![1; 2000]});
    let large = ask(json!({"subscripts": "i,j,k->ijk", "operands": [much, much, much]}));
    assert_eq!(large["error"], "a step makes about 4000000 numbers, which are too many");
}
