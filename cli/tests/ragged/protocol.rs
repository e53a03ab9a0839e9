//! The recorded cases, through `batch`.

use crate::batch::answers;
use serde_json::{Map, Value, json};

fn cases(text: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(text).expect("the records are JSON");
    let Value::Array(cases) = &file["cases"] else { panic!("the records are a list") };
    cases.clone()
}

/// Returns the given keys of `from`, unchanged.
fn some(from: &Value, keys: &[&str]) -> Map<String, Value> {
    keys.iter().filter_map(|key| Some(((*key).to_owned(), from.get(key)?.clone()))).collect()
}

/// Returns a request with the given keys of a case.
fn request(op: &str, case: &Value, keys: &[&str]) -> Value {
    let mut request = some(case, keys);
    request.insert("op".into(), op.into());
    Value::Object(request)
}

/// Tests equality, where integers and floating-point numbers compare by value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b))),
        (Value::Number(x), Value::Number(y)) => a == b || x.as_f64() == y.as_f64(),
        _ => a == b,
    }
}

/// Sends requests, and compares the expected keys of the answers.
fn agree(asked: &[(Value, Map<String, Value>)], least: usize) {
    let requests: Vec<Value> = asked.iter().map(|(request, _)| request.clone()).collect();
    for ((request, expected), answer) in asked.iter().zip(answers(&requests)) {
        for (key, value) in expected {
            assert!(same(&answer["ok"][key], value), "{key} of {request}: {answer}");
        }
    }
    assert!(asked.len() >= least, "{} cases", asked.len());
}

const FIELDS: &[&str] = &[
    "n",
    "coords",
    "parent",
    "parent_start",
    "leaf_offsets",
    "leaf_row",
    "leaf_start",
    "num",
    "local_index",
    "sum",
    "max",
    "min",
    "total_sum",
    "total_max",
    "flatten",
    "reverse",
    "padded",
    "argsort_last",
];

#[test]
fn arrays() {
    let mut asked = Vec::new();
    for case in cases(include_str!("../../../tests/data/ragged/ragged.json")) {
        let mut asking = request("ragged", &case, &["offsets", "data"]);
        asking["fill"] = json!(-99);
        asking["want"] = json!(some(&case, FIELDS).keys().collect::<Vec<_>>());
        asked.push((asking, some(&case, FIELDS)));
        if case.get("raw_offsets").is_some() {
            let asking = json!({"op": "ragged.pack", "offsets": case["raw_offsets"], "data": case["raw_data"]});
            asked.push((asking, some(&case, &["offsets", "data"])));
        }
        let sums = case["broadcast_add"].as_array().cloned().unwrap_or_else(|| vec![case["broadcast_add"].clone()]);
        for sum in sums.iter().filter(|sum| sum.is_object()) {
            let mut asking = request("ragged.broadcast_add", &case, &["offsets", "data"]);
            asking["level"] = sum["level"].clone();
            asking["vec"] = sum["vec"].clone();
            asked.push((asking, Map::from_iter([("data".into(), sum["out"].clone())])));
        }
    }
    agree(&asked, 90);
}

#[test]
fn regular_levels() {
    let of = |case: &Value| {
        let fields = some(case, &["n", "as_offsets", "coords", "leaf_offsets", "leaf_row", "sum"]);
        let mut asking = request("ragged.mixed", case, &["outer", "levels", "data"]);
        asking["want"] = json!(fields.keys().collect::<Vec<_>>());
        (asking, fields)
    };
    agree(&cases(include_str!("../../../tests/data/ragged/mixed.json")).iter().map(of).collect::<Vec<_>>(), 7);
}

#[test]
fn views() {
    let fields = ["packed_offsets", "packed_data", "gather", "contiguous", "disjoint"];
    let of = |case: &Value| (request("ragged.views", case, &["starts", "sizes", "data"]), some(case, &fields));
    agree(&cases(include_str!("../../../tests/data/ragged/views.json")).iter().map(of).collect::<Vec<_>>(), 6);
}

#[test]
fn encodings() {
    let fields = ["row_lengths", "row_splits", "row_starts", "row_limits", "value_rowids", "I", "S", "J"];
    let mut asked = Vec::new();
    for case in cases(include_str!("../../../tests/data/ragged/encodings.json")) {
        for source in ["row_lengths", "row_splits", "value_rowids"] {
            asked.push((request("ragged.encode", &case, &["nrows", source]), some(&case, &fields)));
        }
        // The method of the source document computes a different function.
        if case["seed_method_correct"] == false {
            assert!(case["seed_method_I"] != case["I"] || case["seed_method_S"] != case["S"] || case["seed_method_I"].is_null());
        }
    }
    agree(&asked, 21);
}

#[test]
fn splits() {
    let of = |case: &Value| (request("ragged.split", case, &["offsets", "items_per_part"]), some(case, &["splits"]));
    agree(&cases(include_str!("../../../tests/data/ragged/mergepath.json")).iter().map(of).collect::<Vec<_>>(), 7);
}

#[test]
fn refusals() {
    let cases = cases(include_str!("../../../tests/data/ragged/invalid.json"));
    let asking = |case: &Value| {
        // The recorded keys besides a question are not part of it.
        let recorded = ["error", "level", "index", "note"];
        let keys = case.as_object().expect("an object").keys().map(String::as_str).filter(|key| !recorded.contains(key));
        request(&format!("ragged.{}", case["op"].as_str().expect("a name")), case, &keys.collect::<Vec<_>>())
    };
    let requests: Vec<Value> = cases.iter().map(asking).collect();
    for (case, answer) in cases.iter().zip(answers(&requests)) {
        assert!(answer.get("ok").is_none(), "{case}: {answer}");
        let sums = ["length_sum_mismatch", "length_mismatch"];
        let kind = answer["kind"].as_str().expect("a kind");
        assert!(case["error"] == kind || sums.contains(&kind) && case["error"] == sums[0], "{case}: {answer}");
        for key in ["level", "index"] {
            assert!(case[key].is_null() || case["op"] != "from_offsets" || answer[key] == case[key], "{key} of {case}: {answer}");
        }
    }
    assert!(cases.len() >= 15);
}

#[test]
fn more_operations() {
    let array = json!({"offsets": [[0, 2, 3]], "data": [1, 2, 170141183460469231731687303715884105727_i128 as f64]});
    let asked = [
        (json!({"op": "ragged.index", "offsets": [[0, 2, 3]], "data": [1, 2, 3], "at": [1, 0]}), json!({"leaf": 2, "value": 3})),
        (json!({"op": "ragged.index", "offsets": [[0, 2, 3]], "data_len": 3, "at": [0, 1]}), json!({"leaf": 1})),
        (json!({"op": "ragged.decompose", "offsets": [[0, 2, 3]], "data_len": 3, "k": 2}), json!({"at": [1, 0]})),
        (
            json!({"op": "ragged.to_regular", "offsets": [[0, 2, 4]], "data": [1, 2, 3, 4]}),
            json!({"shape": [2, 2], "values": [[1, 2], [3, 4]]}),
        ),
        (json!({"op": "ragged.from_regular", "size": 2, "data_len": 6}), json!({"n": [3, 6]})),
        (json!({"op": "ragged.from_offsets", "offsets": [[1, 2], [0, 1, 3]], "data_len": 4}), json!({"n": [1, 1, 2]})),
        (
            json!({"op": "ragged", "offsets": [[0, 2]], "data": [9007199254740993_i64, 1], "want": ["sum"]}),
            json!({"sum": [[9007199254740993_i64, 1], [9007199254740994_i64]]}),
        ),
        (json!({"op": "ragged", "offsets": array["offsets"], "data": array["data"], "want": ["n"]}), json!({"n": [2, 3]})),
        (
            json!({"op": "ragged.flatten", "offsets": [[0, 2, 3], [0, 1, 1, 4]], "data": [1, 2, 3, 4], "axis": 2}),
            json!({"offsets": [[0, 1, 4]], "data": [1, 2, 3, 4]}),
        ),
        (
            json!({"op": "ragged.unflatten", "offsets": [[0, 1, 4]], "data": [1, 2, 3, 4], "axis": 1, "sizes": [1, 0, 3]}),
            json!({"offsets": [[0, 2, 3], [0, 1, 1, 4]], "data": [1, 2, 3, 4]}),
        ),
        (
            json!({"op": "ragged.reduce", "offsets": [[0, 3, 3, 4]], "data": [1, 7, 3, 4], "axis": 1, "op2": "max"}),
            json!({"values": [7, null, 4]}),
        ),
        (
            json!({"op": "ragged.reduce", "offsets": [[0, 3, 3, 4]], "data": [1, 7, 3, 4], "axis": 0, "op2": "sum"}),
            json!({"values": [5, 7, 3]}),
        ),
        (
            json!({"op": "ragged.reduce", "offsets": [[0, 3, 3, 4]], "data": [1, 7, 3, 4], "axis": 0, "op2": "count"}),
            json!({"values": [2, 1, 1]}),
        ),
        (
            json!({"op": "ragged.narrow_offsets", "offsets": [[1, 3], [0, 1, 3, 4]], "data_len": 4, "word": "i32"}),
            json!({"offsets": [[0, 2], [0, 2, 3]]}),
        ),
    ];
    let requests: Vec<Value> = asked.iter().map(|(request, _)| request.clone()).collect();
    for ((request, expected), answer) in asked.iter().zip(answers(&requests)) {
        assert_eq!(&answer["ok"], expected, "{request}: {answer}");
    }
    let refused = [
        (json!({"op": "ragged.unheard"}), "unknown_op"),
        (json!({"op": "ragged"}), "malformed"),
        (json!({"op": "ragged", "offsets": [[0]], "data": [], "want": ["depht"]}), "malformed"),
        (json!({"op": "ragged", "offsets": [[0, 1]], "data": ["x"]}), "malformed"),
        (json!({"op": "ragged.encode", "nrows": 1_u64 << 40, "value_rowids": []}), "too_large"),
        (
            json!({"op": "ragged.mixed", "outer": 1 << 20, "levels": [{"kind": "regular", "size": 1 << 20}, {"kind": "regular", "size": 0}], "data": []}),
            "too_large",
        ),
        (json!({"op": "ragged.split", "offsets": [0, 1], "items_per_part": 0}), "remainder"),
        (json!({"op": "ragged.broadcast_add", "offsets": [[0, 1]], "data": [1], "level": 0, "vec": [1, 2]}), "length_sum_mismatch"),
    ];
    let requests: Vec<Value> = refused.iter().map(|(request, _)| request.clone()).collect();
    for ((request, kind), answer) in refused.iter().zip(answers(&requests)) {
        assert_eq!(&answer["kind"], kind, "{request}: {answer}");
    }
    // Errors name the level, and the position in it if there is one.
    let placed = [
        (
            json!({"op": "ragged.narrow_offsets", "offsets": [[0, 3_000_000_000_u64, 5_000_000_000_u64]], "data_len": 5_000_000_000_u64, "word": "u32"}),
            json!([0, 2]),
        ),
        (json!({"op": "ragged.flatten", "offsets": [[0, 1]], "data": [1], "axis": 0}), json!([0, null])),
        (json!({"op": "ragged.flatten", "offsets": [[0, 1], [0, 2]], "data": [1], "axis": 1}), json!([1, 1])),
        (json!({"op": "ragged.unflatten", "offsets": [[0, 1, 4]], "data": [1, 2, 3, 4], "axis": 1, "sizes": [2, 2]}), json!([1, 0])),
        (json!({"op": "ragged.unflatten", "offsets": [[0, 1, 4]], "data": [1, 2, 3, 4], "axis": 1, "sizes": [2]}), json!([1, null])),
        (json!({"op": "ragged.reduce", "offsets": [[0, 1]], "data": [1], "axis": 7, "op2": "sum"}), json!([7, null])),
    ];
    let requests: Vec<Value> = placed.iter().map(|(request, _)| request.clone()).collect();
    for ((request, place), answer) in placed.iter().zip(answers(&requests)) {
        assert_eq!(json!([answer["level"], answer["index"]]), *place, "{request}: {answer}");
        assert!(answer["error"].is_string());
    }
}

#[test]
fn lists_with_nulls() {
    let lists = json!([[[1, 2], null, [3]], null, [[], [4, null]]]);
    let ask = |op: &str, more: Value| {
        let mut request = some(&more, &more.as_object().expect("an object").keys().map(String::as_str).collect::<Vec<_>>());
        request.insert("op".into(), op.into());
        request.entry("lists").or_insert_with(|| lists.clone());
        Value::Object(request)
    };
    let asked = [
        (ask("ragged.slice", json!({"axis": 1, "start": 1})), json!({"lists": [[null, [3]], null, [[4, null]]]})),
        (ask("ragged.take", json!({"rows": [-1, 1]})), json!({"lists": [[[], [4, null]], null]})),
        (ask("ragged.index", json!({"axis": 1, "index": 1})), json!({"lists": [null, null, [4, null]]})),
        (ask("ragged.index", json!({"axis": 0, "index": 0})), json!({"lists": [[1, 2], null, [3]]})),
        (ask("ragged.gather", json!({"ix": [2, null]})), json!({"lists": [[[], [4, null]], null]})),
        (ask("ragged.filter", json!({"mask": [false, true, null]})), json!({"lists": [null, null]})),
        (ask("ragged.pad_to", json!({"axis": 1, "target": 3})), json!({"lists": [[[1, 2], null, [3]], null, [[], [4, null], null]]})),
        (ask("ragged.flatten", json!({"axis": 1})), json!({"lists": [[1, 2], null, [3], [], [4, null]]})),
        (ask("ragged.unflatten", json!({"axis": 0, "sizes": [1, 2]})), json!({"lists": [[[[1, 2], null, [3]]], [null, [[], [4, null]]]]})),
        (ask("ragged.reduce", json!({"axis": 2, "op2": "sum"})), json!({"values": [[3, null, 3], null, [0, 4]]})),
        (ask("ragged.reduce", json!({"axis": 1, "op2": "max"})), json!({"values": [[3, 2], null, [4, null]]})),
        (ask("ragged.reduce", json!({"axis": 0, "op2": "count"})), json!({"values": [[1, 1], [1, 0], [1]]})),
        (
            ask("ragged.combinations", json!({"n": 2, "axis": 1})),
            json!({"lists": [[[[1, 2], null], [[1, 2], [3]], [null, [3]]], null, [[[], [4, null]]]]}),
        ),
        (
            json!({"op": "ragged.concatenate", "arrays": [{"lists": [[1], null, null]}, {"lists": [[0.5], [2], null]}], "axis": 1}),
            json!({"lists": [[1.0, 0.5], [2.0], null]}),
        ),
        (ask("ragged.pack", json!({"lists": [[1, 2], []]})), json!({"offsets": [[0, 2, 2]], "data": [1, 2]})),
        (
            ask("ragged.sort", json!({"lists": [[2, 1], []]})),
            json!({"offsets": [[0, 2, 2]], "data": [1, 2], "sources": [1, 0], "indices": [1, 0]}),
        ),
    ];
    let requests: Vec<Value> = asked.iter().map(|(request, _)| request.clone()).collect();
    for ((request, expected), answer) in asked.iter().zip(answers(&requests)) {
        assert_eq!(&answer["ok"], expected, "{request}: {answer}");
    }
    let refused = [
        (ask("ragged.sort", json!({})), "missing"),
        (ask("ragged", json!({})), "missing"),
        (ask("ragged.index", json!({"axis": 0, "index": 1})), "missing"),
        (ask("ragged.unique", json!({"lists": [[1, null]]})), "malformed"),
        (ask("ragged.pack", json!({"lists": [[1], 2]})), "malformed"),
        (ask("ragged.from_offsets", json!({"data_len": 2})), "malformed"),
    ];
    let requests: Vec<Value> = refused.iter().map(|(request, _)| request.clone()).collect();
    for ((request, kind), answer) in refused.iter().zip(answers(&requests)) {
        assert_eq!(&answer["kind"], kind, "{request}: {answer}");
    }
}

#[test]
fn pages() {
    let cases = cases(include_str!("../../../tests/data/ragged/paged.json"));
    let keys: Vec<&str> =
        cases.iter().flat_map(|case| case["request"].as_object().expect("an object").keys()).map(String::as_str).collect();
    // `tag` gives the purpose of a case.
    let keys: Vec<&str> = keys.into_iter().filter(|key| *key != "tag").collect();
    let requests: Vec<Value> = cases.iter().map(|case| request("ragged.paged", &case["request"], &keys)).collect();
    for ((case, request), answer) in cases.iter().zip(&requests).zip(answers(&requests)) {
        match case.get("ok") {
            Some(expected) => assert_eq!(&answer["ok"], expected, "{request}"),
            None => {
                let told = some(case, &["class", "sequence", "index"]);
                assert!(told.iter().all(|(key, value)| &answer[key] == value), "{request}: {answer}");
            }
        }
    }
    assert_eq!(cases.len(), 60);
}

/// Requests that depend on tokens alone accept a pool that is too large to list.
#[test]
fn pages_of_a_large_pool() {
    let asked = |want: &str| {
        json!({"op": "ragged.paged", "page": 4, "pages": 1_u64 << 40, "lengths": [6], "block_table": [[(1_u64 << 40) - 1, 7]], "want": [want], "q_lengths": [1],
            "split": 2, "heads": 2, "dim": 1, "layout": "NHD"})
    };
    let last = ((1_u64 << 40) - 1) * 4;
    let found =
        answers(&[asked("gather"), asked("slot_mapping"), asked("expanded_table"), asked("elements"), asked("refcounts"), asked("owners")]);
    assert_eq!(found[0]["ok"]["gather"], json!([last, last + 1, last + 2, last + 3, 28, 29]));
    assert_eq!(found[1]["ok"]["slot_mapping"], json!([29]));
    assert_eq!(found[2]["ok"]["expanded_table"], json!([[last / 2, last / 2 + 1, 14]]));
    assert_eq!(found[3]["ok"]["elements"][0], json!(2 * last));
    assert!(found[4]["kind"] == "too_large" && found[5]["kind"] == "too_large");
}
