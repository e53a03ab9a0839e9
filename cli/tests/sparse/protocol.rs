//! The operations `sparse.*` of `batch`.

use crate::batch::answers;
use serde_json::{Value, json};

#[test]
fn requests_that_are_refused() {
    let requests = [
        (json!({"op": "sparse.build"}), "levels/missing"),
        (json!({"op": "sparse.build", "shape": [2], "coords": [[0]], "values": [1]}), "levels/missing"),
        (json!({"op": "sparse.build", "shape": [2], "structure": ["S"], "coords": [[-1]], "values": [1]}), "levels/range"),
        (json!({"op": "sparse.build", "shape": [2], "structure": ["S"], "coords": [[2]], "values": [1]}), "levels/range"),
        (json!({"op": "sparse.build", "shape": [2], "structure": ["S"], "coords": [[0, 0]], "values": [1]}), "levels/shape"),
        (json!({"op": "sparse.build", "shape": [2], "structure": ["S"], "coords": [[0]], "values": []}), "levels/length"),
        (json!({"op": "sparse.build", "shape": [2], "structure": ["S", "S"], "coords": [], "values": []}), "levels/shape"),
        (json!({"op": "sparse.build", "shape": [1u64 << 62, 2], "structure": ["C", "S"], "coords": [], "values": []}), "levels/overflow"),
        (json!({"op": "sparse.build", "shape": [1u64 << 31, 2], "structure": ["C", "S"], "coords": [], "values": []}), "levels/overflow"),
        (json!({"op": "sparse.build", "shape": [2, 9], "structure": ["S"], "coords": [], "values": []}), "levels/shape"),
        (json!({"op": "sparse.decode", "shape": [2, 1u64 << 40], "structure": ["S", "D"], "indices": {"0": [1]}}), "levels/overflow"),
        (json!({"op": "sparse.custom", "shape": [1u64 << 31], "levels": [["dense", 1]], "coords": [], "values": []}), "levels/overflow"),
        (json!({"op": "sparse.gcxs", "shape": [1u64 << 31, 2], "compressed_axes": [0], "coords": [], "values": []}), "gcxs/overflow"),
        (json!({"op": "sparse.build", "shape": [2], "structure": "S+blocked", "coords": [], "values": []}), "levels/extension"),
        (
            json!({"op": "sparse.build", "shape": [2, 2], "structure": ["C", "S"], "axis_order": [0, 0], "coords": [], "values": []}),
            "levels/axes",
        ),
        (json!({"op": "sparse.decode", "shape": [2], "structure": ["S"], "indices": {"x": []}, "values": []}), "levels/unexpected"),
        (json!({"op": "sparse.custom", "shape": [2], "levels": [["hash", 1]], "coords": [], "values": []}), "levels/token"),
        (json!({"op": "sparse.mlir", "shape": [2], "structure": ["DC"], "coords": [], "values": []}), "levels/counterpart"),
        (json!({"op": "sparse.gcs", "shape": [2, 3], "split": 1, "dense": [2, 0]}), "gcs/range"),
        (json!({"op": "sparse.gcs", "shape": [2, 3], "split": 1, "gcs": [0, 3]}), "gcs/range"),
        (json!({"op": "sparse.gcs", "shape": [2, 3], "split": 1}), "gcs/missing"),
        (json!({"op": "sparse.gcxs", "shape": [2, 3], "compressed_axes": [1, 0], "coords": [], "values": []}), "gcxs/axes"),
        (
            json!({"op": "sparse.gcxs", "shape": [2, 3], "compressed_axes": [0], "coords": [[0, 0], [0, 0]], "values": [1, 2]}),
            "gcxs/duplicate",
        ),
        (json!({"op": "sparse.validate", "kind": "levels"}), "levels/missing"),
        (json!({"op": "sparse.validate", "kind": "csr", "input": {}}), "levels/type"),
        (json!({"op": "sparse.validate", "kind": "binsparse", "arrays": {}}), "header/missing"),
    ];
    let asked: Vec<Value> = requests.iter().map(|(request, _)| request.clone()).collect();
    for ((request, class), answer) in requests.iter().zip(answers(&asked)) {
        assert!(answer["error"].is_string() && answer["class"] == *class, "{request}: {answer} instead of {class}");
    }
    let unknown = &answers(&[json!({"op": "sparse.fold"})])[0];
    assert_eq!(unknown["kind"], "unknown_op");
}

#[test]
fn duplicates_of_every_treatment() {
    let base = json!({"op": "sparse.build", "shape": [3], "structure": ["S"], "coords": [[2], [0], [2]], "values": [1, 2, 4]});
    let ask = |policy: Value| {
        let mut request = base.clone();
        request["duplicates"] = policy;
        answers(&[request]).remove(0)
    };
    assert_eq!(ask(json!("sum"))["ok"]["values"], json!([2, 5]));
    assert_eq!(ask(json!("first"))["ok"]["values"], json!([2, 1]));
    assert_eq!(ask(json!("last"))["ok"]["values"], json!([2, 4]));
    assert_eq!(ask(json!("error"))["class"], "levels/duplicate");
    assert_eq!(ask(Value::Null)["ok"]["name"], "S-R+multigraph");
    assert_eq!(ask(json!("median"))["class"], "levels/type");
    // Numbers beyond 2^53 stay what they are.
    let large = json!({"op": "sparse.build", "shape": [u64::MAX], "structure": ["S"], "coords": [[u64::MAX - 1]], "values": [i64::MAX]});
    let answer = &answers(&[large])[0]["ok"];
    assert_eq!((&answer["indices"]["0"][0], &answer["values"][0]), (&json!(u64::MAX - 1), &json!(i64::MAX)));
}

#[test]
fn dense_axes_are_tokens_too() {
    let request =
        json!({"op": "sparse.build", "shape": [9, 2], "structure": ["S", "D"], "coords": [[7, 1], [2, 0], [7, 0]], "values": [1, 2, 3]});
    let built = answers(&[request]).remove(0)["ok"].take();
    assert_eq!((&built["name"], &built["indices"], &built["values"]), (&json!("S-D-R"), &json!({"0": [2, 7]}), &json!([2, 0, 3, 1])));
    let mut decode = built;
    decode["op"] = "sparse.decode".into();
    let decoded = answers(&[decode]).remove(0);
    assert_eq!(decoded["ok"]["coords"], json!([[2, 0], [2, 1], [7, 0], [7, 1]]));
}
