//! Recorded cases of blocked formats, there and back, and of kernels on each of their formats.

use super::vectors::{Question, ask, read};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns the request without its description.
fn request(case: &Value) -> Value {
    let mut request = case["request"].clone();
    let fields = request.as_object_mut().expect("an object");
    ["kind", "tag", "formats", "dtype"].iter().for_each(|key| drop(fields.remove(*key)));
    request
}

/// Tests whether an answer has everything that `want` has. Numbers may differ by 1e-9 of their size if `close`, and are equal
/// otherwise.
fn same(want: &Value, got: &Value, close: bool) -> bool {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => want.iter().all(|(key, want)| got.get(key).is_some_and(|got| same(want, got, close))),
        (Value::Array(want), Value::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(want, got)| same(want, got, close))
        }
        (Value::Number(a), Value::Number(b)) if close => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs(),
            _ => false,
        },
        _ => want == got,
    }
}

/// Returns a test for the answer of a case. The answer must have the recorded class of error, or everything that the
/// recorded result has.
fn is(case: &Value, close: bool) -> Box<dyn Fn(&Value) -> bool> {
    let (want, class) = (case["ok"].clone(), case["class"].as_str().map(str::to_owned));
    Box::new(move |answer| match &class {
        Some(class) => answer["error"].is_string() && answer["class"] == *class,
        None => same(&want, &answer["ok"], close),
    })
}

/// Returns the elements of a case. Values that share a coordinate are summed.
fn elements(request: &Value) -> BTreeMap<Vec<u64>, i64> {
    let mut out = BTreeMap::new();
    for (row, value) in request["coords"].as_array().into_iter().flatten().zip(request["values"].as_array().into_iter().flatten()) {
        let row = row.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        *out.entry(row).or_insert(0) += value.as_i64().expect("an integer");
    }
    out
}

#[test]
fn there_and_back() {
    let mut questions: Vec<Question> = Vec::new();
    for case in read("blocked")["cases"].as_array().expect("a list") {
        let there = request(case);
        questions.push((there.clone(), is(case, false)));
        if case.get("ok").is_none() {
            continue;
        }
        let mut back = there.clone();
        let fields = back.as_object_mut().expect("an object");
        ["coords", "values", "duplicates"].iter().for_each(|key| drop(fields.remove(*key)));
        (back["op"], back["arrays"]) = ("sparse.unblock".into(), case["ok"].clone());
        let all = elements(&there).into_iter().filter(|(_, value)| *value != 0 || there["format"] != "bcsr");
        let (coords, values): (Vec<_>, Vec<_>) = all.unzip();
        questions.push((back, is(&json!({"ok": {"coords": coords, "values": values}}), false)));
    }
    ask(questions, 130);
}

#[test]
fn kernels_on_every_format() {
    let mut questions: Vec<Question> = Vec::new();
    for case in read("kernels")["cases"].as_array().expect("a list") {
        for format in case["request"]["formats"].as_array().expect("a list") {
            let mut asked = request(case);
            match format.as_object() {
                None => asked["format"] = format.clone(),
                Some(named) => {
                    asked["format"] = named["format"].clone();
                    asked["parameters"] = Value::Object(named.clone().into_iter().filter(|(key, _)| key != "format").collect());
                }
            }
            questions.push((asked, is(case, case["request"]["dtype"] != "i64")));
        }
    }
    ask(questions, 126);
}
