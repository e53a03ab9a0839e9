//! Tensors on meshes: recorded cases, and refusals.

use crate::batch::answers;
use serde_json::{Value, json};
use std::path::Path;

/// Returns the cases. The parts and the numbers of moves were found by enumeration, and those of PartitionSpecs by JAX.
fn cases() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/placement/cases.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value = serde_json::from_str(&text).expect("the records are JSON");
    document["cases"].as_array().expect("a list").clone()
}

#[test]
fn parts_and_moves() {
    let cases = cases();
    let mut requests = cases.clone();
    for request in requests.iter_mut().filter_map(Value::as_object_mut) {
        ["pieces", "local", "moved"].iter().for_each(|key| drop(request.remove(*key)));
    }
    assert!(cases.len() >= 375, "{} cases", cases.len());
    for (case, answer) in cases.iter().zip(answers(&requests)) {
        for key in ["pieces", "local", "moved"] {
            assert_eq!(answer["ok"].get(key), case.get(key), "{case}: {answer}");
        }
    }
}

/// Texts of vocabularies stand in place of splits.
#[test]
fn vocabularies() {
    let mesh = json!([["dp", 2], ["tp", 2]]);
    let requests = [
        json!({"op": "placement", "mesh": mesh, "shape": [7], "dtensor": "[_StridedShard(0, split_factor=2), Shard(0)]"}),
        json!({"op": "placement", "mesh": mesh, "shape": [5, 3], "hpf": "(CYCLIC, BLOCK)"}),
        json!({"op": "reshard", "shape": [4], "from": {"mesh": [["x", 2]], "dtensor": "[Partial()]"}, "to": {"mesh": [["x", 2]], "spec": ["x"]}}),
        json!({"op": "reshard.plan", "shape": [4], "from": {"mesh": [["x", 2]], "dtensor": "[Partial()]"}, "to": {"mesh": [["x", 2]], "spec": ["x"]}}),
        json!({"op": "placement", "mesh": mesh, "shape": [7], "dtensor": "[Shard(0)]"}),
        json!({"op": "placement", "mesh": mesh, "shape": [7], "dtensor": "[R, R]", "hpf": "(*)"}),
    ];
    let expected = [
        json!({"ok": {"pieces": [[[[0, 2]]], [[[4, 6]]], [[[2, 4]]], [[[6, 7]]]]}}),
        json!({"ok": {"pieces": [
            [[[0, 1], [2, 3], [4, 5]], [[0, 2]]], [[[0, 1], [2, 3], [4, 5]], [[2, 3]]], [[[1, 2], [3, 4]], [[0, 2]]], [[[1, 2], [3, 4]], [[2, 3]]],
        ]}}),
        json!({"ok": {"local": 4, "moved": 4}}),
        json!({"ok": {"local": 4, "moved": 4, "summands": [
            [{"from": 0, "to": 0, "src": 0, "dst": 0, "count": 2}, {"from": 0, "to": 1, "src": 2, "dst": 0, "count": 2}],
            [{"from": 1, "to": 0, "src": 0, "dst": 0, "count": 2}, {"from": 1, "to": 1, "src": 2, "dst": 0, "count": 2}],
        ], "shapes": {"from": [[4], [4]], "to": [[2], [2]]}, "reduction": "sum"}}),
        json!({"error": "DTensor: `placements` is 1, but the mesh has 2 axes", "class": "parameter"}),
        json!({"error": "a placement needs either `dtensor` or `hpf`, and not both", "class": "placement/request"}),
    ];
    assert_eq!(answers(&requests), expected);
}

/// Explanations name the devices that have elements, in the words of the mesh.
#[test]
fn explanations_name_devices() {
    let run = |args: &[&str]| {
        let output = crate::command::run(args, "");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat();
        (output.status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let eight = r#"{"shape": [50257, 1024], "from": {"mesh": [["tp", 8]], "dtensor": "[Shard(0)]"}, "to": {"mesh": [["tp", 4]], "hpf": "(BLOCK, *)"}}"#;
    let (code, text) = run(&["explain", "reshard", eight, "--name", "lm_head"]);
    assert_eq!(code, Some(0), "{text}");
    for line in [
        "from [Shard(0)] on tp=8 to (BLOCK, *)",
        "tp rank 0 needs rows 0 to 12564 of lm_head: 50 % from its own part, the rest from tp rank 1",
        "tp rank 1 needs rows 12565 to 25129 of lm_head: under 1 % from its own part, the rest from tp ranks 2 and 3",
        "tp rank 3 needs rows 37695 to 50256 of lm_head: under 1 % from tp rank 5, 50 % from tp rank 6 and 50 % from tp rank 7",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let scatter = r#"{"shape": [4], "from": {"mesh": [["x", 2]], "partial": {"x": "sum"}}, "to": {"mesh": [["x", 2]], "spec": ["x"]}}"#;
    let (_, text) = run(&["explain", "reshard", scatter, "--device", "1"]);
    let expected = "x rank 1 adds 2 summands of elements 2 to 3 of the tensor: 50 % from its own part, the rest from x rank 0";
    assert!(text.contains(expected) && !text.contains("x rank 0 adds"), "{text}");
    let copies = r#"{"shape": [4], "from": {"mesh": [["x", 2]]}, "to": {"mesh": [["x", 2]], "spec": ["x"]}}"#;
    let (_, text) = run(&["explain", "reshard", copies]);
    assert!(text.contains("4 + 0 = 4 elements: all stay on their device"), "{text}");
    assert_eq!(
        run(&["explain", "reshard", copies, "--device", "2"]),
        (Some(2), "crd2idx: --device: device 2 gets no part; the target has 2 devices".into())
    );
}

#[test]
fn refusals_name_axes_and_numbers() {
    let placed = |mesh: Value, shape: Value, splits: Value| json!({"op": "placement", "mesh": mesh, "shape": shape, "splits": splits});
    let split = |dim: i64, axis: &str, rule: Value| json!([{"dim": dim, "axis": axis, "rule": rule}]);
    let mesh = json!([["x", 2], ["y", 3]]);
    let huge = i64::MAX / 2;
    let cases = [
        (placed(json!([["x", 2], ["x", 3]]), json!([4]), json!([])), "the mesh has two axes `x`: give each axis its own name"),
        (placed(json!([["x", 0]]), json!([4]), json!([])), "mesh axis `x` has the extent 0: it needs at least 1 device"),
        (placed(json!([["x", -3]]), json!([4]), json!([])), "mesh axis `x` has the extent -3: it needs at least 1 device"),
        (placed(json!([["x", huge]]), json!([4]), json!([])), "at least 4611686018427387903 devices are needed, but the limit is 262144"),
        (placed(mesh.clone(), json!([4, -1]), json!([])), "tensor axis 1 has the extent -1: an extent is 0 or more"),
        (placed(mesh.clone(), json!([huge, 4]), json!([])), "the product of 4611686018427387903 and 4 exceeds 62 bits"),
        (placed(mesh.clone(), json!([4]), split(1, "x", json!("chunk"))), "the tensor has no axis 1: it has 1, counted from 0"),
        (placed(mesh.clone(), json!([4]), split(-1, "x", json!("chunk"))), "the tensor has no axis -1: it has 1, counted from 0"),
        (placed(mesh.clone(), json!([4]), split(0, "z", json!("chunk"))), "the mesh has no axis `z`: its axes are `x`, `y`"),
        (
            placed(mesh.clone(), json!([4]), split(0, "y", json!("even"))),
            "tensor axis 0: 4 indices do not divide evenly among the 3 devices of mesh axis `y`",
        ),
        (
            placed(mesh.clone(), json!([4]), split(0, "y", json!({"block": 0}))),
            "tensor axis 0, mesh axis `y`: the rule has 0, which is not in 1 to 9223372036854775807",
        ),
        (
            placed(mesh.clone(), json!([huge]), split(0, "x", json!({"block": 1}))),
            "at least 2305843009213693952 ranges are needed, but the limit is 1048576",
        ),
        (
            placed(mesh.clone(), json!([4]), split(0, "x", json!("blocks"))),
            "splits[0].rule: \"blocks\" is not a rule: \"chunk\", \"balanced\", \"even\", or an object with `block`, `size` or `cuts`",
        ),
        (json!({"op": "placement", "mesh": mesh, "shape": [4], "spec": ["x", "y"]}), "2 axes are given, but the tensor has 1"),
        (
            json!({"op": "placement", "mesh": mesh, "shape": [4], "spec": [["x", "x"]]}),
            "mesh axis `x` is used twice: one split or one partial result takes it up",
        ),
        (
            json!({"op": "placement", "mesh": mesh, "shape": [4], "spec": [1]}),
            "spec[0]: 1 is not null, the name of a mesh axis, or a list of names",
        ),
        (
            json!({"op": "placement", "mesh": mesh, "shape": [4], "partial": {"x": "product"}}),
            "partial.x: `product` is none of sum, min, max and mean",
        ),
        (
            json!({"op": "reshard", "shape": [4], "from": {"mesh": mesh, "splits": []}, "to": {"mesh": mesh, "splits": [], "partial": {"y": "sum"}}}),
            "the target has partial results on mesh axis `y`: a move only combines them",
        ),
    ];
    let requests: Vec<Value> = cases.iter().map(|case| case.0.clone()).collect();
    for ((request, message), answer) in cases.iter().zip(answers(&requests)) {
        assert_eq!(answer["error"], *message, "{request}");
    }
}
