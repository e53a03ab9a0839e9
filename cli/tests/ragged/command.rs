//! `crd2idx ragged`.

use serde_json::{Value, json};

/// Returns the exit code, and the output.
fn run(args: &[&str], input: &Value) -> (i32, String) {
    let output = crate::command::run(&[&["ragged"], args].concat(), &input.to_string());
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.code().unwrap_or(-1), String::from_utf8(text).expect("UTF-8"))
}

#[test]
fn info_describes_every_axis() {
    let array = json!({"offsets": [[0, 2, 2, 3], [0, 3, 3, 4]], "data": [1, 2, 3, 4]});
    let expected = "depth      3\naxis 0     3 rows\naxis 1     3 lists by offsets, lengths 0 to 2, 1 empty\n\
                    axis 2     3 lists by offsets, lengths 0 to 3, 1 empty\nleaves     4, lists consecutive\n";
    assert_eq!(run(&["info", "-"], &array), (0, expected.into()));
    let (_, text) = run(&["info", "-"], &json!({"starts": [1, 0], "sizes": [2, 2], "data": [1.5, 2, 3]}));
    assert!(text.ends_with("leaves     3, lists views, some of one leaf\n"), "{text}");
    let (_, text) = run(&["info", "-"], &json!({"outer": 2, "levels": [{"kind": "regular", "size": 1}], "data": [1, 2]}));
    assert!(text.contains("2 lists by one length, lengths 1 to 1, 0 empty"), "{text}");
}

#[test]
fn check_names_the_number_that_is_wrong() {
    let check = |array: &Value| run(&["check", "-"], array);
    assert_eq!(check(&json!({"offsets": [[0, 2, 2]], "data": [1, 2]})), (0, "ok: depth 2, 2, 2 elements on its axes\n".into()));
    let wrong = check(&json!({"offsets": [[0, 1], [0, 2]], "data": [1]}));
    assert_eq!(wrong, (2, "crd2idx: standard input: level 1: offsets[1] = 2 is greater than 1\n".into()));
    let missing = check(&json!({"data": [1]}));
    assert_eq!(missing, (2, "crd2idx: standard input: one of the keys `lists`, `offsets`, `starts` and `levels` is needed\n".into()));
    assert_eq!(run(&["check", "/nonexistent.json"], &Value::Null).0, 2);
}
