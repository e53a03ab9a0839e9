//! No request makes the command panic: requests with random changes are refused or answered.

use crate::batch::lines;
use crate::common::Rng;
use serde_json::{Value, json};

#[test]
fn changed_requests_are_answered() {
    let mut rng = Rng::new(33);
    let mut input = String::new();
    let mut count = 0;
    let values = [json!(null), json!(-1), json!(1.5), json!("x"), json!([]), json!({}), json!(u64::MAX), json!([[0, 1]]), json!([0, 1])];
    let requests = [
        json!({"op": "ragged", "offsets": [[0, 2, 3], [0, 1, 1, 4]], "data": [1, 2, 3, 4], "fill": 0}),
        json!({"op": "ragged.mixed", "outer": 2, "levels": [{"kind": "regular", "size": 1}, {"kind": "ragged", "offsets": [0, 1, 3]}], "data": [1, 2, 3]}),
        json!({"op": "ragged.views", "starts": [1, 0], "sizes": [2, 1], "data": [1, 2, 3]}),
        json!({"op": "ragged.encode", "nrows": 3, "row_lengths": [1, 0, 2]}),
        json!({"op": "ragged.encode", "nrows": 3, "value_rowids": [0, 2, 2]}),
        json!({"op": "ragged.split", "offsets": [0, 2, 3], "items_per_part": 2}),
        json!({"op": "ragged.broadcast_add", "offsets": [[0, 2, 3]], "data": [1, 2, 3], "level": 0, "vec": [1, 2]}),
        json!({"op": "ragged.index", "offsets": [[0, 2, 3]], "data_len": 3, "at": [0, 1]}),
        json!({"op": "ragged.index", "offsets": [[0, 2, 3]], "data": [1, 2, 3], "axis": 1, "index": -1}),
        json!({"op": "ragged.slice", "offsets": [[0, 2, 3]], "data": [1, 2, 3], "axis": 1, "start": 1, "stop": -1, "step": 2}),
        json!({"op": "ragged.take", "starts": [1, 0], "sizes": [2, 1], "data": [1, 2, 3], "rows": [1, -1], "axis": 0}),
        json!({"op": "ragged.gather", "offsets": [[0, 2, 3]], "ix_offsets": [[0, 1, 2]], "ix": [0, null]}),
        json!({"op": "ragged.filter", "offsets": [[0, 2, 3]], "data": [1, 2, 3], "mask_offsets": [[0, 2, 3]], "mask": [true, null, false]}),
        json!({"op": "ragged.pad_to", "offsets": [[0, 2, 3]], "target": 2, "clip": true, "axis": 1}),
        json!({"op": "ragged.combinations", "starts": [1, 0], "sizes": [2, 1], "n": 2, "replacement": true, "axis": 1}),
        json!({"op": "ragged.cartesian", "arrays": [{"offsets": [[0, 2, 3]], "data": [1, 2, 3]}, {"offsets": [[0, 1, 1]], "data": [1]}], "axis": 1}),
        json!({"op": "ragged.concatenate", "arrays": [{"offsets": [[0, 2, 3]], "data": [1, 2, 3]}, {"offsets": [[0, 1, 1]], "data": [1]}], "axis": 1}),
        json!({"op": "ragged.sort", "offsets": [[0, 2, 3]], "data": [3, 2, 1.5], "axis": 0, "descending": true}),
        json!({"op": "ragged.unique", "offsets": [[0, 2, 3]], "data": [3, 3, 1]}),
        json!({"op": "ragged.run_lengths", "offsets": [[0, 2, 3]], "data": [3, 3, 1]}),
        json!({"op": "ragged.decompose", "offsets": [[0, 2, 3]], "data_len": 3, "k": 1}),
        json!({"op": "ragged.paged", "page": 4, "pages": 8, "lengths": [6, 5], "block_table": [[5, 2], [0, 7, 3]], "pad": -1, "split": 2, "q_lengths": [1, 2],
            "heads": 2, "dim": 3, "layout": "HND", "want": ["gather", "owners", "append", "elements", "pair_slots", "expanded_table", "pair_offsets"]}),
        json!({"op": "ragged.paged", "page": 2, "pages": 8, "indptr": [0, 2, 3], "indices": [1, 2, 1], "last_page_len": [1, 2], "want": ["shared", "page_list"]}),
    ];
    for request in &requests {
        for _ in 0..300 {
            let mut request = request.clone();
            let keys: Vec<String> = request.as_object().expect("an object").keys().filter(|key| *key != "op").cloned().collect();
            let place = &mut request[rng.pick(&keys).as_str()];
            let inner = place.as_array_mut().filter(|list| !list.is_empty()).filter(|_| !rng.one_in(3));
            match inner {
                Some(list) => {
                    let at = rng.below(list.len());
                    list[at] = rng.pick(&values).clone();
                }
                None => *place = rng.pick(&values).clone(),
            }
            input.push_str(&format!("{request}\n"));
            count += 1;
        }
    }
    let answers = lines(input.as_bytes());
    assert_eq!(answers.len(), count);
    for line in &answers {
        let answer: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} is not JSON"));
        assert!(answer.get("ok").is_some() != answer.get("error").is_some(), "{line}");
    }
}
