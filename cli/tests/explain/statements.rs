//! Reads and evaluates statements: arithmetic and layouts by naive code, operations by the library.

use crate::common::{Layout, notation};
use crd2idx::LayoutError;
use crd2idx::algebra::expression::{Operand, evaluate};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Output};

pub type Names = BTreeMap<String, String>;

pub fn run(args: &[&str]) -> Output {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    Command::new(env!("CARGO_BIN_EXE_crd2idx")).current_dir(root).args(args).output().expect("the command starts")
}

pub fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the value of an expression as text.
pub fn library(text: &str) -> Result<String, LayoutError> {
    evaluate::<64, 0>(text, &mut ExprGraph::new(Op::Parse)).map(|value: Operand<64>| value.to_string())
}

/// Returns the explanation as JSON, after it has checked its text, every statement and every suggestion.
pub fn checked(expression: &str) -> Value {
    let text = printed(&["explain", expression]);
    let json: Value = serde_json::from_str(&printed(&["explain", expression, "--json"])).expect("JSON");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let mut said = String::new();
    for account in json["accounts"].as_array().expect("accounts") {
        said.push_str(account["title"].as_str().expect("a title"));
        let names = account["names"].as_object().expect("names");
        let names: Names = names.iter().map(|(name, value)| (name.clone(), value.as_str().expect("a text").to_owned())).collect();
        for step in account["steps"].as_array().expect("steps") {
            let mut rest = step["text"].as_str().expect("a text").to_owned();
            said.push_str(&rest);
            for statement in step["statements"].as_array().expect("statements") {
                let statement = statement.as_str().expect("a statement");
                assert!(holds(statement, &names), "{expression}: {statement} with {names:?}");
                assert!(rest.contains(statement), "{expression}: {statement} is not in {rest}");
                rest = rest.replacen(statement, "", 1);
            }
            let claims = rest.split(' ').any(|word| ["=", "!=", "<", ">", "<=", ">="].contains(&word));
            assert!(!claims, "{expression}: unchecked: {rest}");
        }
    }
    let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(squeezed(&text), squeezed(&said), "{expression}");
    match library(expression) {
        Ok(value) => assert_eq!((&json["result"], &json["error"]), (&Value::from(value), &Value::Null), "{expression}"),
        Err(error) => assert_eq!((&json["result"], &json["error"]), (&Value::Null, &Value::from(error.to_string())), "{expression}"),
    }
    for suggestion in json["suggestions"].as_array().expect("suggestions") {
        let asked = suggestion["expression"].as_str().expect("a text");
        assert_eq!(printed(&["eval", asked]).trim_end(), suggestion["result"], "{asked}");
    }
    json
}

/// Tests whether a statement holds.
pub fn holds(statement: &str, names: &Names) -> bool {
    match statement.split_once(" for all ") {
        None => holds_at(statement, names),
        Some((body, range)) => {
            let (low, high) = range.split_once("i < ").expect("a range");
            let low = low.strip_suffix(" <= ").map_or(0, |low| low.parse().expect("a number"));
            let high: i64 = high.parse().expect("a number");
            (low..high).all(|i| holds_at(&with_i(body, i), names))
        }
    }
}

fn with_i(text: &str, i: i64) -> String {
    let mut out = String::new();
    let letters: Vec<char> = text.chars().collect();
    for (k, c) in letters.iter().enumerate() {
        let word = |k: usize| letters.get(k).is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
        if *c == 'i' && !word(k + 1) && (k == 0 || !word(k - 1)) {
            out.push_str(&i.to_string());
        } else {
            out.push(*c);
        }
    }
    out
}

fn holds_at(body: &str, names: &Names) -> bool {
    if let Some(expression) = body.strip_suffix(" is refused") {
        return library(&inserted(expression, names)).is_err();
    }
    let mut sides = vec![String::new()];
    let mut relations = Vec::new();
    for word in body.split(' ') {
        if ["=", "!=", "<", "<=", ">", ">="].contains(&word) {
            relations.push(word);
            sides.push(String::new());
        } else if let Some(side) = sides.last_mut() {
            side.push_str(if side.is_empty() { "" } else { " " });
            side.push_str(word);
        }
    }
    let sides: Vec<String> = sides.iter().map(|side| value(side, names)).collect();
    let number = |k: usize| sides[k].parse::<i128>().expect("a number");
    !relations.is_empty()
        && relations.iter().enumerate().all(|(k, relation)| match *relation {
            "=" => sides[k] == sides[k + 1],
            "!=" => sides[k] != sides[k + 1],
            "<" => number(k) < number(k + 1),
            "<=" => number(k) <= number(k + 1),
            ">" => number(k) > number(k + 1),
            _ => number(k) >= number(k + 1),
        })
}

/// Returns the text with values in place of names.
fn inserted(text: &str, names: &Names) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            out.push_str(names.get(&word).unwrap_or(&word));
            word.clear();
            out.push(c);
        }
    }
    out.trim_end().to_owned()
}

fn value(text: &str, names: &Names) -> String {
    // A layout along bases gives a tuple.
    let called = text.split_once('(').and_then(|(name, rest)| Some((names.get(name)?, rest.strip_suffix(')')?)));
    match (sum(text, names), called) {
        (Some(number), _) => number.to_string(),
        (None, Some((layout, c))) => library(&format!("crd2idx({layout}, {})", value(c, names))).unwrap_or_else(|e| panic!("{text}: {e}")),
        (None, None) => library(&inserted(text, names)).unwrap_or_else(|e| panic!("{text}: {e}")),
    }
}

/// Splits a text at spaces outside of parentheses.
fn words(text: &str) -> Vec<&str> {
    let (mut out, mut open, mut from) = (Vec::new(), 0, 0);
    for (k, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            ' ' if open == 0 => {
                out.push(&text[from..k]);
                from = k + 1;
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    out
}

/// Evaluates arithmetic, products first. Returns `None` for another kind of text.
fn sum(text: &str, names: &Names) -> Option<i128> {
    let words = words(text);
    let mut total = 0;
    let mut sign = 1;
    for part in words.split_inclusive(|word| *word == "+" || *word == "-") {
        let (last, inner) = part.split_last()?;
        let (product, next) = match *last {
            "+" => (inner, 1),
            "-" => (inner, -1),
            _ => (part, 1),
        };
        let mut terms = product.iter();
        let mut value = primary(terms.next()?, names)?;
        while let Some(operation) = terms.next() {
            let other = primary(terms.next()?, names)?;
            value = match *operation {
                "*" => value * other,
                "div" => (value - value.rem_euclid(other)) / other,
                "mod" => value.rem_euclid(other),
                "xor" => value ^ other,
                _ => return None,
            };
        }
        total += sign * value;
        sign = next;
    }
    Some(total)
}

fn primary(word: &str, names: &Names) -> Option<i128> {
    if let Some(bits) = word.strip_prefix("0b") {
        return i128::from_str_radix(bits, 2).ok();
    }
    if let Ok(number) = word.parse() {
        return Some(number);
    }
    let (name, rest) = word.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    if name.is_empty() {
        // `(4)` is a tuple of one mode, not the number 4.
        return if inside.parse::<i64>().is_ok() { None } else { sum(inside, names) };
    }
    let text = names.get(name)?;
    let layout: Option<Layout> = notation::layout(text).filter(|l| l.paths().iter().all(Vec::is_empty));
    match (layout, sum(inside, names)) {
        (Some(layout), Some(c)) => Some(layout.at(i64::try_from(c).ok()?).into()),
        (Some(layout), None) => Some(layout.at_coordinate(&notation::ints(inside)?).into()),
        (None, c) => {
            let c = c.map_or_else(|| value(inside, names), |c| c.to_string());
            library(&format!("crd2idx({text}, {c})")).ok()?.parse().ok()
        }
    }
}
