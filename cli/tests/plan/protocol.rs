//! Answers to requests of every form.

use crate::batch::answers;
use serde_json::{Value, json};

#[test]
fn refusals_have_a_class() {
    let huge = i64::MAX;
    let cases = [
        (json!({}), "request"),
        (json!({"from": "4:1"}), "request"),
        (json!({"from": 4, "to": "4:1"}), "request"),
        (json!({"from": {"layout": 4}, "to": "4:1"}), "request"),
        (json!({"from": {"pieces": []}, "to": "4:1"}), "request"),
        (json!({"from": "4:1", "to": "4:1", "extent": "4"}), "request"),
        (json!({"from": "4:1", "to": "4:1", "extent": [1.5]}), "request"),
        (json!({"from": "4:1", "to": "4:1", "max_loops": -1}), "request"),
        (json!({"from": "4:1", "to": "4:1", "element_bytes": [1, 2, 3]}), "request"),
        (json!({"from": "4", "to": "4:1"}), "layout"),
        (json!({"from": "(4,2):(1,1@1)", "to": "8:1"}), "layout"),
        (json!({"from": "4:1@0@1", "to": "4:1"}), "layout"),
        (json!({"from": "(4,4):(^5,^1)", "to": "16:1"}), "layout"),
        (json!({"from": format!("(4,{huge}):(1,4)"), "to": "4:1"}), "layout"),
        (json!({"from": format!("(4,4):(1,{})", huge / 3), "to": "16:1"}), "layout"),
        (json!({"from": {"layout": "4:1", "base": [huge]}, "to": "4:1"}), "layout"),
        (json!({"from": "4:1", "to": "4:1", "extent": -1}), "extent"),
        (json!({"from": "4:1", "to": "4:1", "extent": huge}), "extent"),
        (json!({"from": "4:1", "to": "4:1", "extent": []}), "extent"),
        (json!({"from": {"layout": "(4,4):(1,4)", "replicas": 0}, "to": "4:1"}), "replicas"),
        (json!({"from": {"layout": "4:1", "replicas": huge}, "to": "4:1"}), "replicas"),
        (json!({"from": {"pieces": [{"layout": "4:1", "at": [-1], "extent": [4]}]}, "to": "4:1", "extent": [4]}), "extent"),
        (json!({"from": {"pieces": [{"layout": "4:1", "at": [huge], "extent": [4]}]}, "to": "4:1", "extent": [4]}), "layout"),
        (json!({"from": {"pieces": [{"layout": "4:1", "at": [0], "extent": [4]}]}, "to": "4:1"}), "extent"),
    ];
    let requests: Vec<Value> = cases
        .iter()
        .map(|(request, _)| {
            let mut request = request.clone();
            request["op"] = "plan".into();
            request
        })
        .collect();
    for ((request, class), answer) in cases.iter().zip(answers(&requests)) {
        assert_eq!(answer["class"], *class, "{request}: {answer}");
        assert!(answer["error"].is_string());
    }
}

#[test]
fn nothing_is_a_plan_too() {
    let requests = [
        json!({"op": "plan", "from": "4:1", "to": "4:1", "extent": 0}),
        json!({"op": "plan", "from": "(0,3):(1,4)", "to": "(0,3):(3,1)"}),
        json!({"op": "plan.stats", "from": "4:1", "to": "4:1", "extent": [0]}),
        json!({"op": "plan.other", "from": "4:1", "to": "4:1", "id": 7}),
    ];
    let answers = answers(&requests);
    assert_eq!(answers[0], json!({"ok": {"copies": []}}));
    assert_eq!(answers[1], json!({"ok": {"copies": []}}));
    assert_eq!(answers[2]["ok"]["pairs"], 0);
    assert_eq!((answers[3]["kind"].as_str(), &answers[3]["id"]), (Some("unknown_op"), &json!(7)));
}
