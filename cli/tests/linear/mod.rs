//! Recorded cases of linear layouts, bank conflicts, coalescing and swizzle search, with answers of independent sources.

use crate::batch::answers;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

fn read(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/f2").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("the records are JSON")
}

/// Returns the records of a file with their answers. Keys that are not part of the question are left out.
fn asked(name: &str) -> Vec<(Value, Value)> {
    let notes = ["id", "result", "error", "tags", "oracles", "best", "best_single", "witness", "exact", "note", "offset", "canonical"];
    let records = read(name);
    let requests: Vec<Value> = records
        .iter()
        .map(|record| record.as_object().expect("records are objects").iter().filter(|(key, _)| !notes.contains(&key.as_str())))
        .map(|fields| Value::Object(fields.map(|(key, value)| (key.clone(), value.clone())).collect()))
        .collect();
    records.into_iter().zip(answers(&requests)).collect()
}

/// Returns the bases and sizes by name. Two layouts are equal if these are.
fn by_name(layout: &Value) -> BTreeMap<String, String> {
    let outputs: Vec<(String, u64)> = pairs(&layout["out"]).map(|(name, size)| (name, size.as_u64().expect("a size"))).collect();
    let basis = |basis: &Value| {
        let parts = basis.as_array().cloned().unwrap_or_else(|| vec![basis.clone()]);
        let named: BTreeMap<&String, &Value> = outputs.iter().map(|(name, _)| name).zip(&parts).collect();
        format!("{named:?}")
    };
    let inputs = pairs(&layout["in"]).map(|(name, bases)| {
        let bases: Vec<String> = bases.as_array().expect("bases").iter().map(basis).collect();
        (format!("in {name}"), bases.join(" "))
    });
    inputs.chain(outputs.iter().map(|(name, size)| (format!("out {name}"), size.to_string()))).collect()
}

fn pairs(value: &Value) -> impl Iterator<Item = (String, Value)> + '_ {
    value.as_array().expect("a list of pairs").iter().map(|pair| (pair[0].as_str().expect("a name").to_owned(), pair[1].clone()))
}

/// Checks all answers of a file with `right`, which gets the record and `ok`.
fn check(name: &str, least: usize, right: impl Fn(&Value, &Value) -> bool) {
    let all = asked(name);
    assert!(all.len() >= least, "{} records", all.len());
    let refused = all.iter().filter(|(record, _)| record["error"] == json!(true)).count();
    assert!(refused > 0, "a record is refused");
    let wrong: Vec<String> = all
        .iter()
        .filter(|(record, answer)| match record["error"] == json!(true) {
            true => answer.get("error").is_none(),
            false => answer.get("ok").is_none_or(|ok| !right(record, ok)) || answer.get("offset") != record.get("offset"),
        })
        .map(|(record, answer)| format!("{}: {answer}", record["id"]))
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn linear_layouts() {
    check("f2.json", 80, |record, ok| match record["op"].as_str() {
        Some("f2.to_layout") => {
            // Another text of the same function has the same bits.
            let again =
                answers(&[json!({"op": "f2.from_layout", "layout": ok}), json!({"op": "f2.from_layout", "layout": record["result"]})]);
            again[0].get("ok").is_some() && again[0] == again[1]
        }
        _ if record["result"].get("in").is_some() => by_name(ok) == by_name(&record["result"]),
        _ => *ok == record["result"],
    });
}

#[test]
fn bank_conflicts() {
    check("bank_conflicts.json", 94, |record, ok| *ok == record["result"]);
}

#[test]
fn coalescing() {
    check("coalescing.json", 70, |record, ok| *ok == record["result"]);
}

#[test]
fn tensor_maps() {
    let request = json!({"op": "tensor_map", "layout": "(4096,1024):(1024,1)", "box": [64, 64], "element_bits": 16, "swizzle": "128B",
        "element_strides": [1, 1], "address": 4096, "at": [128, 64]});
    let map = json!({"rank": 2, "global_dim": [1024, 4096], "global_strides": [2048], "box_dim": [64, 64], "element_strides": [1, 1],
        "interleave": 0, "swizzle": 3, "modes": [1, 0], "shared": "S<3,3,3> o 0 o (64,64):(64,1)", "shared_bytes": 8192,
        "shared_alignment": 1024, "coordinates": [64, 128]});
    assert_eq!(answers(&[request]), [json!({"ok": map})]);
}

/// Each answer of the search is a bijection that keeps the vectors, with the conflicts that it claims, at most the recorded number.
#[test]
fn searches() {
    check("swizzle_search.json", 50, |record, ok| {
        let best = record["best"].as_u64().expect("a number of conflicts");
        let claimed = ok["conflicts"].as_u64().expect("a number of conflicts");
        let text = match ok["layout"].as_str() {
            Some(text) => text.to_owned(),
            None => answers(&[json!({"op": "f2.to_xor", "layout": ok["layout"]})])[0]["ok"].as_str().expect("a layout").to_owned(),
        };
        let size: u64 = record["shape"].as_array().expect("a shape").iter().map(|n| n.as_u64().expect("an extent")).product();
        let all = json!({"op": "bank_conflicts", "layout": text, "threads": format!("{size}:1"), "element_bits": 8});
        let mut requests = vec![all];
        for access in record["accesses"].as_array().expect("accesses") {
            let mut request = json!({"op": "bank_conflicts", "layout": text, "element_bits": record["element_bits"]});
            for (key, value) in access.as_object().expect("an access") {
                request[key] = value.clone();
            }
            requests.push(request);
        }
        let counted: Vec<Value> = answers(&requests);
        let sum: u64 = counted[1..].iter().map(|answer| answer["ok"]["conflicts"].as_u64().expect("the vectors are kept")).sum();
        let cosize = answers(&[json!({"op": "cosize", "args": [text]})]);
        counted[0].get("ok").is_some() && cosize[0]["ok"].as_u64().is_none_or(|cosize| cosize == size) && sum == claimed && claimed <= best
    });
}

#[test]
fn operations_refuse_what_is_malformed() {
    let bad = [
        json!({"op": "f2.rank", "layout": {"in": [["i", [[3]]]], "out": [["o", 3]]}}),
        json!({"op": "f2.rank", "layout": {"in": [["i", [[4]]]], "out": [["o", 4]]}}),
        json!({"op": "f2.rank", "layout": {"in": [["i", [[1, 1]]]], "out": [["o", 4]]}}),
        json!({"op": "f2.rank", "layout": {"in": [["i", []], ["i", []]], "out": []}}),
        json!({"op": "f2.rank", "layout": {"in": "i", "out": []}}),
        json!({"op": "f2.rank"}),
        json!({"op": "f2.reshape_in", "layout": {"in": [["i", [[1]]]], "out": [["o", 2]]}, "dims": [["d", 4]]}),
        json!({"op": "f2.apply", "layout": {"in": [["i", [[1]]]], "out": [["o", 2]]}, "at": [{"i": 2}]}),
        json!({"op": "f2.sublayout", "layout": {"in": [["i", [[1]]]], "out": [["o", 2]]}, "in": ["j"], "out": []}),
        json!({"op": "bank_conflicts", "layout": "32:1", "threads": "32:1", "element_bits": 0}),
        json!({"op": "bank_conflicts", "layout": "32:1", "threads": "32:1", "banks": 0}),
        json!({"op": "bank_conflicts", "layout": "32:1", "threads": [[0, 1], [2]]}),
        json!({"op": "bank_conflicts", "layout": "32:1", "threads": {"a": 1}}),
        json!({"op": "bank_conflicts", "layout": "32:9223372036854775", "threads": "32:1", "element_bits": 128}),
        json!({"op": "swizzle_search", "shape": [0], "accesses": []}),
        json!({"op": "swizzle_search", "shape": [4], "accesses": [{"threads": "8:1"}]}),
        json!({"op": "tensor_map", "layout": "(64,64):(64,1)", "box": [8, 3]}),
        json!({"op": "tensor_map", "layout": "(64,64):(64,1)", "box": [8, 32], "swizzle": "256B"}),
        json!({"op": "tensor_map", "layout": "(64,64)", "box": [8, 32]}),
        json!({"op": "tensor_map", "layout": "(64,64):(64,1)", "box": [8, 32], "at": [0]}),
    ];
    for (request, answer) in bad.iter().zip(answers(&bad)) {
        assert!(answer["error"].is_string(), "{request}: {answer}");
    }
    assert_eq!(answers(&[json!({"op": "f2.other"})])[0]["kind"], json!("unknown_op"));
}
