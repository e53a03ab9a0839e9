//! Refusals of the requests about layouts as functions.

use crate::batch::answers;
use serde_json::{Value, json};

/// Returns the answer to a question about operands.
fn answer(op: &str, args: Value) -> Value {
    answers(&[json!({"op": op, "args": args})]).remove(0)
}

#[test]
fn refusals_have_a_kind() {
    for (op, args, kind, message) in [
        ("in_bounds", json!(["4:1", "?"]), "run_time_number", "in_bounds: the answer depends on a number"),
        ("in_bounds", json!(["4:1", "(2,3)"]), "operand_kind", "in_bounds: the second operand is a tuple, where an integer is taken"),
        ("injective", json!(["(4,4):(1@0,1@1)"]), "basis_stride", "injective: the layout has a basis stride"),
        ("covers", json!(["2:1", "S<0,0,0> o 9223372036854775807 o 2:1"]), "overflow", "covers: 9223372036854775807 and 1 overflow"),
        ("equal_functions", json!(["S<1,0,1> o 0 o 2:-1", "2:1"]), "negative_swizzle", "equal_functions: a swizzle takes numbers"),
        ("disjoint", json!(["(3,683):(^1,4)", "(3,700):(^1,4)"]), "too_many_coordinates", "disjoint: 2049 coordinates are too many"),
    ] {
        let answer = answer(op, args);
        assert_eq!(answer["kind"], kind, "{answer}");
        assert_eq!(answer["class"], format!("layout/{kind}"), "{answer}");
        assert!(answer["error"].as_str().is_some_and(|text| text.starts_with(message)), "{answer}");
    }
    for (op, args) in [("injective", json!(["4:1", "4:1"])), ("covers", json!(["4:", "4:1"])), ("equal_functions", json!([[1], "4:1"]))] {
        let answer = answer(op, args);
        assert_eq!(answer["kind"], "malformed", "{answer}");
    }
}

#[test]
fn open_numbers_are_named() {
    let open = answer("equal_functions", json!(["0:1", "?:1"]));
    assert_eq!((&open["kind"], &open["class"]), (&json!("undecided"), &json!("layout/open_equality")));
    assert_eq!((&open["at"], &open["left"], &open["right"]), (&json!(0), &json!("?"), &json!(0)));
}
