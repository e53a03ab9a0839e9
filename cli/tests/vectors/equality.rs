//! Recorded pairs of layouts: whether they are the same function, or the least coordinate at which they differ.

use super::{data, read};
use crate::batch;
use serde_json::{Value, json};

#[test]
fn equal_functions() {
    let cases = read(&data().join("equality.json"));
    let requests: Vec<Value> = cases.iter().map(|case| json!({"op": case["op"], "args": case["args"]})).collect();
    for (case, answer) in cases.iter().zip(batch::answers(&requests)) {
        let wrong = ["equal", "at", "left", "right"].into_iter().any(|key| answer["ok"].get(key) != case.get(key));
        assert!(!wrong, "{case}: {answer}");
    }
    assert!(cases.len() > 400);
}
