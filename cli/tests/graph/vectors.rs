//! The recorded cases.

use serde_json::Value;

/// Returns the cases of `data/coordgraph.json`: a graph, the meaning of its Flatten, and questions with their answers.
pub fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../../../tests/data/coordgraph.json")).expect("the records are JSON");
    let Value::Array(cases) = &file["cases"] else { panic!("the records are a list") };
    assert!(cases.len() > 50);
    cases.clone()
}
