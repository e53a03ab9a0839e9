//! Unknown keys and repeated keys are refused wherever the command reads JSON. The message lists the allowed keys.

use crate::batch::{answers, lines};
use crate::command::run;
use serde_json::{Value, json};

/// Returns a valid request of every family.
fn requests() -> Vec<Value> {
    let graph = json!({"nodes": [{"name": "k"}, {"name": "i", "size": 4, "stride": 10}],
        "edges": [{"type": "Split", "inputs": ["k"], "outputs": ["i"]}]});
    let tensor = json!({"shape": [2, 3], "coords": [[0, 1]], "values": [5], "structure": ["C", "S"]});
    let with = |op: &str, more: Value| {
        let mut request = tensor.clone();
        for (key, value) in more.as_object().into_iter().flatten() {
            request[key] = value.clone();
        }
        request["op"] = op.into();
        request
    };
    let rows = json!({"in": [["x", [[1], [2]]]], "out": [["y", 4]]});
    vec![
        json!({"op": "size", "args": ["4:1"]}),
        json!({"op": "composed_eval", "args": ["S<1,0,1>", 0, "4:1"]}),
        json!({"op": "graph", "graph": graph, "query": {"op": "reverse", "bind": {"i": 3}, "targets": ["k"]}}),
        json!({"op": "verify", "kernel": "kernel nothing"}),
        json!({"op": "choose", "program": "tile t\nthreads 32\nglobal a f32 (32)\nregisters x f32 (32)\nx[i] <- a[i]", "to": "cuda"}),
        json!({"op": "emit", "layout": "(4,8):(1,4)", "to": "c"}),
        json!({"op": "emit", "graph": graph, "reverse": ["i"], "targets": ["k"], "to": "c"}),
        json!({"op": "bank_conflicts", "layout": "(32,32):(32,1)", "threads": "32:1"}),
        json!({"op": "coalescing", "layout": "(32,32):(32,1)", "threads": "32:1"}),
        json!({"op": "swizzle_search", "shape": [32, 32], "accesses": [{"threads": "32:1"}]}),
        json!({"op": "tensor_map", "layout": "(64,64):(64,1)", "box": [8, 32]}),
        json!({"op": "f2.apply", "layout": rows, "at": [{"x": 1}]}),
        json!({"op": "f2.compose", "inner": rows, "outer": {"in": [["y", [[1], [2]]]], "out": [["z", 4]]}}),
        json!({"op": "plan", "from": {"layout": "(4,4):(1,4)", "base": [2]}, "to": {"pieces": [{"layout": "(4,4):(4,1)", "at": [0, 0], "extent": [4, 4]}]},
            "extent": [4, 4]}),
        json!({"op": "plan.stats", "from": "4:1", "to": "4:2"}),
        json!({"op": "placement", "mesh": [["x", 2], ["y", 3]], "shape": [12], "splits": [{"dim": 0, "axis": "x", "rule": {"block": 2}}]}),
        json!({"op": "placement", "mesh": [["x", 2], ["y", 3]], "shape": [12, 4], "spec": [["x", "y"], null], "partial": {}}),
        json!({"op": "reshard", "shape": [12], "from": {"mesh": [["x", 2]], "splits": [], "partial": {"x": "sum"}},
            "to": {"mesh": [["x", 2]], "splits": [{"dim": 0, "axis": "x", "rule": "chunk"}]}}),
        json!({"op": "kv_cache.plan", "layers": 1, "tokens": 3, "heads": 2, "head_dim": 2, "from": {"block": 2}, "to": {"block": 1, "order": "HND"}}),
        json!({"op": "reshard.plan", "shape": [4], "from": {"mesh": [["x", 2]], "dtensor": "[Partial()]"}, "to": {"mesh": [["x", 2]], "hpf": "(BLOCK)"}}),
        with("sparse.build", json!({})),
        with("sparse.custom", json!({})),
        with("sparse.mlir", json!({})),
        json!({"op": "sparse.decode", "shape": [2, 3], "structure": ["C", "S"], "pointers": {"0": [0, 1, 1]}, "indices": {"1": [1]}, "values": [5]}),
        json!({"op": "sparse.gcs", "shape": [2, 3], "split": 1, "dense": [1, 2]}),
        json!({"op": "sparse.gcxs", "shape": [2, 3], "coords": [[0, 1]], "values": [5]}),
        json!({"op": "sparse.validate", "kind": "gcs", "input": {"shape": [2, 3], "split": 1}}),
        json!({"op": "sparse.blocked", "format": "hicoo", "bits": 1, "shape": [2, 3], "coords": [[0, 1]], "values": [5]}),
        json!({"op": "sparse.kernel", "kernel": "spmv", "format": "CSR", "shape": [2, 3], "coords": [[0, 1]], "values": [5], "vector": [1, 2, 3]}),
        json!({"op": "sparse.kernel", "kernel": "elementwise", "op2": "add", "format": "hicoo", "parameters": {"bits": 1}, "shape": [2, 3],
            "coords": [[0, 1]], "values": [5], "other": {"coords": [[0, 1]], "values": [5]}}),
        json!({"op": "ragged", "offsets": [[0, 2, 3]], "data": [1, 2, 3], "want": ["sum"]}),
        json!({"op": "ragged.mixed", "outer": 1, "levels": [{"kind": "regular", "size": 2}], "data": [1, 2], "want": ["sum"]}),
        json!({"op": "ragged.encode", "nrows": 2, "row_lengths": [1, 2]}),
        json!({"op": "ragged.split", "offsets": [0, 2, 3], "items_per_part": 2}),
        json!({"op": "ragged.index", "offsets": [[0, 2, 3]], "axis": 1, "index": 0}),
        json!({"op": "ragged.slice", "offsets": [[0, 2, 3]], "axis": 1, "start": 1}),
        json!({"op": "ragged.gather", "offsets": [[0, 2, 3]], "ix_offsets": [[0, 1, 1]], "ix": [0]}),
        json!({"op": "ragged.combinations", "offsets": [[0, 2, 3]], "n": 2}),
        json!({"op": "ragged.cartesian", "arrays": [{"offsets": [[0, 2, 3]], "data": [1, 2, 3]}], "axis": 1}),
        json!({"op": "ragged.from_regular", "size": 2, "data_len": 4}),
        json!({"op": "ragged.paged", "page": 2, "pages": 2, "lengths": [3], "block_table": [[1, 0]], "want": ["gather"]}),
    ]
}

/// Appends a JSON pointer for every object in a value.
fn objects(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            out.push(at.to_owned());
            map.iter().for_each(|(key, value)| objects(value, &format!("{at}/{key}"), out));
        }
        Value::Array(list) => list.iter().enumerate().for_each(|(k, value)| objects(value, &format!("{at}/{k}"), out)),
        _ => {}
    }
}

#[test]
fn unknown_in_every_request() {
    let mut changed = Vec::new();
    for request in requests() {
        let mut places = Vec::new();
        objects(&request, "", &mut places);
        for place in places {
            // The keys of these objects are names, levels and values of the request itself.
            if ["/bind", "/partial"].iter().any(|end| place.ends_with(end))
                || place.contains("/at/")
                || place.ends_with("/indices")
                || place.ends_with("/pointers")
            {
                continue;
            }
            let mut request = request.clone();
            request.pointer_mut(&place).expect("the place of an object")["swizle"] = json!(1);
            changed.push(request);
        }
    }
    for (request, answer) in requests().iter().zip(answers(&requests())) {
        assert!(answer.get("ok").is_some(), "{request}: {answer}");
    }
    assert!(changed.len() > 40, "{} objects", changed.len());
    for (request, answer) in changed.iter().zip(answers(&changed)) {
        let message = answer["error"].as_str().unwrap_or_default();
        assert!(message.contains("unknown key `swizle`, allowed are "), "{request}: {answer}");
    }
}

/// Returns the text of a value with the keys of each object in ascending or descending order.
fn ordered(value: &Value, descending: bool) -> String {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by(|(a, _), (b, _)| if descending { b.cmp(a) } else { a.cmp(b) });
            let entries = entries.into_iter().map(|(key, value)| format!("{}:{}", json!(key), ordered(value, descending)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(|value| ordered(value, descending)).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// Objects of `serde_json` keep the order of insertion if a dependency turns on `preserve_order`, as with all features.
#[test]
fn the_order_of_keys() {
    let mut all = requests();
    all.extend(requests().into_iter().map(|mut request| {
        request["zz"] = json!(1);
        request["aa"] = json!(1);
        request
    }));
    all.push(json!({"op": "size", "args": [{"b": 1, "a": 2}]}));
    all.push(json!({"op": "graph", "graph": {"nodes": {"b": 1, "a": 2}, "edges": {}}, "query": {"op": "reverse"}}));
    let answers = |descending| lines(all.iter().map(|request| ordered(request, descending) + "\n").collect::<String>().as_bytes());
    let answered = answers(false);
    assert_eq!(answered, answers(true));
    for answer in answered {
        assert_eq!(answer, ordered(&serde_json::from_str(&answer).expect("JSON"), false));
    }
}

/// `id` is not a key of any operation. Answers and refusals repeat it.
#[test]
fn the_identity_of_a_request() {
    let requests: Vec<Value> = requests().into_iter().map(|request| with_id(request, json!({"a": 1}))).collect();
    for (request, answer) in requests.iter().zip(answers(&requests)) {
        assert!(answer.get("ok").is_some() && answer["id"] == json!({"a": 1}), "{request}: {answer}");
    }
    let wrong = answers(&[json!({"op": "size", "args": ["4:1"], "arg": 1, "id": 7})]);
    assert_eq!(wrong, [json!({"error": "unknown key `arg`, allowed are args", "kind": "malformed", "id": 7})]);
}

fn with_id(mut request: Value, id: Value) -> Value {
    request["id"] = id;
    request
}

#[test]
fn twice_in_any_object() {
    let texts = [
        r#"{"op": "size", "args": ["4:1"], "args": ["8:1"]}"#,
        r#"{"op": "size", "args": ["4:1"], "op": "rank"}"#,
        r#"{"op": "graph", "graph": {"nodes": [{"name": "k", "size": 1, "size": 2}], "edges": []}, "query": {"op": "forward"}}"#,
        r#"{"op": "plan", "from": {"layout": "4:1", "layout": "4:2"}, "to": "4:1"}"#,
        r#"{"op": "sparse.decode", "shape": [1], "structure": "C", "indices": {"0": [0], "0": [0]}, "values": [1]}"#,
    ];
    for (text, key) in texts.iter().zip(["args", "op", "size", "layout", "0"]) {
        let answers = lines(text.as_bytes());
        assert!(answers[0].contains(&format!("the key `{key}` occurs twice")), "{text}: {}", answers[0]);
    }
}

/// JSON whitespace is a space, a tab or a line end; booleans are `true` and `false`.
#[test]
fn white_space_and_truths() {
    for space in [" ", "\t", "\r"] {
        assert_eq!(lines(format!("{{\"op\":{space}\"size\",\"args\":[\"4:1\"]}}").as_bytes()), [r#"{"ok":4}"#], "{space:?}");
    }
    for other in ["\x0b", "\x0c", "\u{a0}", "\u{feff}"] {
        let answer = &lines(format!("{{\"op\":{other}\"size\",\"args\":[\"4:1\"]}}").as_bytes())[0];
        assert!(answer.contains("unreadable request"), "{other:?}: {answer}");
    }
    let with = |inverse: Value| {
        let params = json!({"rows_per_group": 1, "positions": 8, "inverse": inverse});
        let edges = json!([{"type": "Rotate", "inputs": ["a"], "outputs": ["b", "c"], "params": params}]);
        let graph = json!({"nodes": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "edges": edges});
        json!({"op": "graph", "graph": graph, "query": {"op": "has_path_forward", "bound": ["a"], "targets": ["b"]}})
    };
    for wrong in [json!(2), json!(1), json!(0), json!("true"), json!(null), json!([true])] {
        let answer = &answers(&[with(wrong.clone())])[0];
        let message = answer["error"].as_str().unwrap_or_default();
        assert!(message.contains(&format!("{wrong} is not true or false")), "{answer}");
    }
    let structural = |truth: Value| {
        json!({"op": "graph", "graph": {"nodes": [{"name": "a"}], "edges": []},
            "query": {"op": "has_path_forward", "bound": ["a"], "targets": ["a"], "structural": truth}})
    };
    assert_eq!(answers(&[structural(json!(true))])[0]["ok"], json!(true));
    assert!(answers(&[structural(json!(2))])[0].to_string().contains("query.structural: 2 is not true or false"));
}

#[test]
fn of_files() {
    let cases: [(&[&str], &str, &str); 6] = [
        (&["graph", "check", "-"], r#"{"nodes": [], "edges": [], "edgse": []}"#, "unknown key `edgse`, allowed are nodes"),
        (
            &["graph", "check", "-"],
            r#"{"graph": {"nodes": [], "edges": []}, "profil": "any"}"#,
            "unknown key `profil`, allowed are graph, profile",
        ),
        (&["sparse", "info", "-"], r#"{"shape": [2], "coords": [[1]], "value": [1]}"#, "unknown key `value`, allowed are shape"),
        (&["ragged", "info", "-"], r#"{"offsets": [[0, 1]], "data": [1], "size": 3}"#, "unknown key `size`, allowed are lists, data"),
        (
            &["ragged", "emit", "-", "--to", "c"],
            r#"{"levels": [{"kind": "ragged", "wrd": "u32"}]}"#,
            "level 0: unknown key `wrd`, allowed are word",
        ),
        (&["sparse", "info", "-"], r#"{"shape": [2], "coords": [[1]], "coords": [[0]]}"#, "the key `coords` occurs twice"),
    ];
    for (args, text, message) in cases {
        let output = run(args, text);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(message), "{args:?} of {text}: {said}");
    }
    let side = r#"{"layout": "4:1", "basis": [1]}"#;
    let said = run(&["plan", side, "4:2"], "").stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("unknown field `basis`, expected one of `layout`, `pieces`, `base`, `replicas`"), "{said}");
    assert!(run(&["plan", r#"{"layout": "4:1", "base": [1]}"#, "4:2"], "").status.success());
}

/// The message for an unreadable value gives its position. A null counts as a missing key.
#[test]
fn wrong_values_have_places() {
    let cases = [
        (
            json!({"op": "emit", "layout": "4:1", "to": "c", "names": ["", "a"]}),
            "names: `` is not a letter and then letters, digits and `_`",
            Value::Null,
        ),
        (
            json!({"op": "sparse.kernel", "kernel": "spgemm", "format": "CSR", "shape": [2, 3], "coords": [], "values": [], "other": {"shape": "x"}}),
            "other.shape: \"x\" is not a list",
            json!("other.shape"),
        ),
        (
            json!({"op": "sparse.validate", "kind": "gcs", "input": {"shape": [2, 3], "split": [-1]}}),
            "input.split[0]: -1 is not a whole number from 0",
            json!("input.split[0]"),
        ),
        (json!({"op": "sparse.validate", "kind": null}), "the key `kind` is missing", Value::Null),
        (
            json!({"op": "coalescing", "layout": "8:1", "threads": [0, 1], "base": 1_u64 << 61}),
            "bank_conflicts: 0 and 32 overflow 64 bits in the layout",
            Value::Null,
        ),
        (
            json!({"op": "sparse.kernel", "kernel": "spmm", "format": "CSR", "shape": [0, 0], "coords": [], "values": [], "columns": 1_u64 << 63,
                "order": "col", "dense": []}),
            "[1, 9223372036854775808] numbers are too many to list",
            Value::Null,
        ),
    ];
    for ((request, message, path), answer) in cases.iter().zip(answers(&cases.clone().map(|(request, ..)| request))) {
        assert_eq!((&answer["error"], &answer["path"]), (&json!(message), path), "{request}");
    }
    // A value that may be one or a list keeps the place of what is wrong inside the list.
    let within = [
        (json!({"op": "plan", "from": "4:1", "to": "4:2", "extent": [4, "x"]}), "extent[1]: \"x\" is not an integer of 64 bits"),
        (
            json!({"op": "plan", "from": "4:1", "to": "4:2", "extent": "x"}),
            "extent: \"x\" is not an integer of 64 bits, or a list of integers",
        ),
        (
            json!({"op": "plan", "from": "4:1", "to": "4:2", "element_bytes": [2, -1]}),
            "element_bytes[1]: -1 is not a whole number of 64 bits",
        ),
        (json!({"op": "plan", "from": "4:1", "to": "4:2", "element_bytes": [2]}), "element_bytes: [2] is not a list of 2"),
        (
            json!({"op": "plan", "from": "4:1", "to": "4:2", "element_bytes": [2, 4, 8]}),
            "element_bytes: [2,4,8] is not a number of bytes, or a list of two: for the source and for the target",
        ),
        (
            json!({"op": "f2.rank", "layout": {"in": [["x", [1, [0, true]]]], "out": [["y", 4], ["z", 2]]}}),
            "layout.in[0][1][1][1]: true is not a whole number of 64 bits",
        ),
        (
            json!({"op": "coalescing", "layout": "(4,4):(4,1)", "threads": [0, null, [1, [2, -1]]]}),
            "threads[2][1][1]: -1 is not a whole number of 64 bits",
        ),
        (
            json!({"op": "coalescing", "layout": "(4,4):(4,1)", "threads": [[true]]}),
            "threads[0][0]: true is not a whole number of 64 bits, or a list of these",
        ),
        (
            json!({"op": "coalescing", "layout": "(4,4):(4,1)", "threads": [{}]}),
            "threads[0]: {} is not a whole number of 64 bits, or a list of coordinates",
        ),
        (
            json!({"op": "swizzle_search", "shape": [4], "accesses": [{"threads": [0, "x"]}]}),
            "accesses[0].threads[1]: \"x\" is not a whole number of 64 bits, or a list of coordinates",
        ),
        (json!({"op": "sparse.build", "shape": [2, 3], "structure": ["C", 5], "coords": []}), "structure[1]: 5 is not a string"),
        (json!({"op": "sparse.build", "shape": [2, 3], "structure": 5, "coords": []}), "structure: 5 is not a name or a list of tokens"),
        (
            json!({"op": "sparse.blocked", "format": "hicoo", "bits": [1, 1.5], "shape": [2, 3], "coords": [], "values": []}),
            "bits[1]: 1.5 is not a whole number from 0",
        ),
    ];
    for ((request, message), answer) in within.iter().zip(answers(&within.clone().map(|(request, _)| request))) {
        assert_eq!(answer["error"], *message, "{request}");
        assert_eq!(answer["path"].as_str(), message.split(':').next(), "{request}");
    }
    // An object is not a number, whatever its keys are.
    let private = lines(br#"{"op": "coalesce", "args": [{"a": 1, "$serde_json::private::Number": "4"}]}"#);
    assert!(private[0].contains("is not an object without keys of `serde_json`"), "{}", private[0]);
    let null = json!({"op": "emit", "layout": "4:1", "to": "c", "expression": null, "name": null, "fast_division": null});
    assert!(answers(&[null])[0].get("ok").is_some());
}
