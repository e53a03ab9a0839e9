//! The requests `sparse.*` of `batch`.

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
    // Numbers beyond 2^53 keep all digits.
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

/// An empty maximum has no value, along all axes too. Sums of 64-bit integers are exact. Extents too large to list are accepted.
#[test]
fn kernels_at_the_edges() {
    let reduce = |op: &str, coords: Value, all: bool| {
        let values = coords.as_array().map_or(0, Vec::len);
        json!({"op": "sparse.kernel", "kernel": "reduce", "format": "COO", "shape": [2, 3], "coords": coords, "values": vec![5; values], "op2": op,
            "axes": [0, 1], "all": all})
    };
    let asked = [
        (reduce("max", json!([]), false), json!([null])),
        (reduce("min", json!([[1, 2]]), false), json!([5])),
        (reduce("min", json!([]), true), json!([0])),
        (reduce("sum", json!([]), false), json!([0])),
        (reduce("count", json!([]), false), json!([0])),
        (reduce("count", json!([]), true), json!([6])),
    ];
    for ((request, data), answer) in asked.iter().zip(answers(&asked.clone().map(|(request, _)| request))) {
        assert_eq!(answer["ok"], json!({"shape": [], "data": data}), "{request}: {answer}");
    }
    let mut cells = reduce("count", json!([[0, 0, 0]]), true);
    (cells["shape"], cells["axes"]) = (json!([u64::MAX, u64::MAX, 9]), json!([0, 1]));
    let found = answers(&[cells.clone(), {
        cells["axes"] = json!([0, 2]);
        cells["shape"] = json!([u64::MAX, 2, 9]);
        cells
    }]);
    assert_eq!(found[0]["class"], "kernel/overflow");
    assert_eq!(found[1]["ok"]["data"], json!([9 * i128::from(u64::MAX), 9 * i128::from(u64::MAX)]));
    let most = i64::MAX;
    let sum = json!({"op": "sparse.kernel", "kernel": "elementwise", "op2": "sub", "format": "CSR", "shape": [2, 2], "coords": [[0, 1], [0, 1]],
        "values": [most, most], "other": {"coords": [[0, 1]], "values": [-most]}});
    let rows = [0, 1 << 40, (1_u64 << 63) - 2];
    let product = json!({"op": "sparse.kernel", "kernel": "spgemm", "format": "alto", "shape": [(1_u64 << 63) - 1, 1_u64 << 50],
        "coords": [[rows[1], 7], [rows[2], 1_u64 << 49], [rows[0], 8]], "values": [2, 3, 4],
        "other": {"shape": [1_u64 << 50, u64::MAX], "coords": [[1_u64 << 49, u64::MAX - 1], [7, 5]], "values": [10, 100]}});
    let found = answers(&[sum, product]);
    assert_eq!(found[0]["ok"], json!({"coords": [[0, 1]], "values": [3 * i128::from(most)]}));
    assert_eq!(found[1]["ok"]["coords"], json!([[rows[1], 5], [rows[2], u64::MAX - 1]]));
    assert_eq!(found[1]["ok"]["values"], json!([200, 30]));
}
