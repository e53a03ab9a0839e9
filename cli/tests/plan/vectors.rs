//! Recorded cases: numbers of copies, and every move of the small cases by its hash.

use crate::batch::answers;
use serde_json::{Value, json};
use std::path::Path;

fn read(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/plan").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value = serde_json::from_str(&text).expect("the records are JSON");
    document["cases"].as_array().expect("a list").clone()
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().map_or_else(|| vec![number(value)], |list| list.iter().map(number).collect())
}

/// Returns each moved element: source place and offset, target place and offset.
fn moves(copies: &[Value]) -> Vec<Vec<i64>> {
    let mut out = vec![];
    for copy in copies {
        let mut points = vec![(number(&copy["src"]), number(&copy["dst"]))];
        for turn in copy["loops"].as_array().into_iter().flatten().map(numbers) {
            points =
                points.iter().flat_map(|(s, d)| (0..turn[0]).map(|k| (s + k * turn[1], d + k * turn[2])).collect::<Vec<_>>()).collect();
        }
        for (source, target) in points {
            for k in 0..number(&copy["count"]) {
                out.push([&numbers(&copy["from"])[..], &[source + k], &numbers(&copy["to"]), &[target + k]].concat());
            }
        }
    }
    out.sort_unstable();
    out
}

/// Returns the 64-bit FNV-1a hash of little-endian words.
fn hash(rows: &[Vec<i64>]) -> String {
    let bytes = rows.iter().flatten().flat_map(|number| number.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

fn total(copies: &[Value]) -> i64 {
    copies
        .iter()
        .map(|copy| number(&copy["count"]) * copy["loops"].as_array().into_iter().flatten().map(|turn| number(&turn[0])).product::<i64>())
        .sum()
}

fn check(name: &str, least: usize) {
    let cases = read(name);
    assert!(cases.len() >= least, "{} cases", cases.len());
    let with = |case: &Value, key: &str, value: Value| {
        let mut request = case["request"].clone();
        request[key] = value;
        request
    };
    let plans = answers(&cases.iter().map(|case| case["request"].clone()).collect::<Vec<_>>());
    let stats = answers(&cases.iter().map(|case| with(case, "op", "plan.stats".into())).collect::<Vec<_>>());
    let runs = answers(&cases.iter().map(|case| with(case, "max_loops", json!(0))).collect::<Vec<_>>());
    for (((case, plan), stats), runs) in cases.iter().zip(plans).zip(stats).zip(runs) {
        let (expect, id) = (&case["expect"], &case["id"]);
        if let Some(class) = expect.get("error") {
            assert_eq!(&plan["class"], class, "{id}: {plan}");
            continue;
        }
        let copies = plan["ok"]["copies"].as_array().unwrap_or_else(|| panic!("{id}: {plan}"));
        assert_eq!(total(copies), number(&expect["elements"]), "{id}");
        for (ours, field) in [("elements", "elements"), ("local", "local"), ("pairs", "pairs")] {
            if expect.get(field).is_some_and(|_| field != "pairs" || expect["unique"] == true) {
                assert_eq!(stats["ok"][ours], expect[field], "{id}");
            }
        }
        assert_eq!(stats["ok"]["descriptors"], copies.len(), "{id}");
        let most = [&expect["limit"], &expect["plain"]].into_iter().find_map(Value::as_u64);
        assert!(most.is_none_or(|most| copies.len() as u64 <= most), "{id}: {} copies", copies.len());
        if let Some(hashed) = expect.get("fnv1a64") {
            assert_eq!(hash(&moves(copies)), *hashed, "{id}");
        }
        if expect.get("runs").is_some() && case["request"].get("max_loops").is_none() {
            assert_eq!(runs["ok"]["copies"].as_array().map(|runs| runs.len() as u64), expect["runs"].as_u64(), "{id}");
        }
    }
}

#[test]
fn families() {
    check("cases.json", 80);
}

#[test]
fn vocabularies() {
    check("tp_vocab.json", 60);
}

#[test]
fn as_large_as_nobody_enumerates() {
    check("huge.json", 8);
}
