//! One record: the request, and the answers that are right.

use super::compare::{composition_holds, post_condition, same_result};
use crate::common::notation;
use serde_json::{Value, json};

pub struct Case {
    record: Value,
    /// True if only the records of supported operations count.
    partly: bool,
    /// True for a record of `composition_truth`: the values come from enumeration.
    truth: bool,
}

pub enum Judgement {
    Pass,
    Skip,
    Fail(String),
}

impl Case {
    /// Returns `None` for a record without a request: with attributes or run-time leaves.
    pub fn new(file: &str, record: Value) -> Option<Case> {
        let partly = file.starts_with("unit_mlir");
        let dynamic = |value: &Value| value.to_string().contains('?');
        let no_args = record["args"].as_array().is_none_or(Vec::is_empty);
        if partly && (no_args || record.get("attr").is_some() || dynamic(&record["args"]) || dynamic(&record["result"])) {
            return None;
        }
        Some(Case { record, partly, truth: file == "composition_truth" })
    }

    pub fn request(&self) -> Value {
        if self.truth {
            json!({"op": "composition", "args": [self.record["A"], self.record["B"]]})
        } else {
            json!({"op": self.record["op"], "args": self.record["args"]})
        }
    }

    pub fn judge(&self, answer: &Value) -> Judgement {
        if answer["kind"] == "unknown_op" {
            return if self.partly { Judgement::Skip } else { Judgement::Fail("unknown operation".into()) };
        }
        let verdict = if self.truth { self.exactly(answer) } else { self.by_record(answer) };
        verdict.map_or_else(Judgement::Fail, |()| Judgement::Pass)
    }

    /// Checks that there is an answer exactly if a layout exists, and that it has the layout's values.
    fn exactly(&self, answer: &Value) -> Result<(), String> {
        let exists = self.record["exists_as_layout"] == true;
        match answer["ok"].as_str() {
            Some(text) if exists => {
                let layout = notation::layout(text).ok_or(format!("{text} is not a layout"))?;
                if json!(layout.values()) == self.record["values"] { Ok(()) } else { Err(format!("{text} has other values")) }
            }
            Some(text) => Err(format!("{text}, though no layout has these values")),
            None if exists => Err(format!("refused: {}", answer["error"])),
            None => Ok(()),
        }
    }

    fn by_record(&self, answer: &Value) -> Result<(), String> {
        let record = &self.record;
        let op = record["op"].as_str().unwrap_or_default();
        let args: Vec<String> = record["args"].as_array().into_iter().flatten().map(text).collect();
        let wrong = record["functional_ok"] == false;
        let Some(got) = answer.get("ok") else {
            return if wrong || record["error"] == true { Ok(()) } else { Err(format!("refused: {}", answer["error"])) };
        };
        let holds = post_condition(op, &args, &text(got));
        if record["error"] == true {
            // Other implementations refuse here; a correct answer is better.
            return if holds == Some(false) { Err(format!("{got} is accepted, and wrong")) } else { Ok(()) };
        }
        if op == "composition" && composition_holds(&args, &text(got)) == Some(false) {
            return Err(format!("{got} is not A(B(c))"));
        }
        let recorded = (!wrong).then_some(&record["result"]);
        let others = record["differs"].as_object().into_iter().flatten();
        let right = |name: &str, result: &Value| {
            record["differs_functional_ok"][name] != false && !text(result).to_lowercase().starts_with("reject")
        };
        let allowed = recorded.into_iter().chain(others.filter(|(name, result)| right(name, result)).map(|(_, result)| result));
        if allowed.into_iter().any(|want| same_result(op, got, want)) || holds == Some(true) {
            return Ok(());
        }
        Err(format!("{got} instead of {}", record["result"]))
    }
}

/// Returns a string without quotes, or a number in digits.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
