//! Questions about a graph as JSON.

use super::request::Object;
use super::sweep::{self, by_name};
use crate::answer::{Keys, Refusal, Result, only};
use crd2idx::graph::{CoordGraph, Direction};
use serde_json::Value;

/// `op`, and the keys that a recorded question has besides the question itself.
const RECORDED: &[&str] = &["op", "expect", "error", "note", "count", "sum", "min", "max", "fnv1a64", "distinct", "injective", "values"];

/// The keys of each question, after its direction.
const QUESTIONS: &[(&str, Keys)] = &[
    ("", &[&["bind", "targets"]]),
    ("_valid", &[&["bind", "targets"]]),
    ("_stride", &[&["bind", "dim", "by", "targets"]]),
    ("_sweep", &[&["fixed", "vary", "targets"]]),
    ("has_path_", &[&["bound", "targets", "structural"]]),
];

/// The answer to a question about this graph.
pub fn answer(graph: &CoordGraph, query: &Value) -> Result<Value> {
    let not_one = || Refusal::malformed(format!("query: {query} is not an object"));
    let (whole, query) = (query, Object::new(query, "query.").ok_or_else(not_one)?);
    let op = query.required("op", query.text("op")?)?;
    let (direction, question) = question(op)?;
    let keys = QUESTIONS.iter().find(|(name, _)| *name == question).map_or(&[] as Keys, |(_, keys)| keys);
    if let Some(unknown) = only(whole, RECORDED, keys) {
        return Err(Refusal::malformed(format!("query: {unknown}")));
    }
    match question {
        "has_path_" => {
            let (bound, targets) = (query.required("bound", query.names("bound")?)?, query.required("targets", query.names("targets")?)?);
            let structural = query.truth("structural")?.unwrap_or(false);
            let reached =
                if structural { graph.is_connected(direction, &bound, &targets) } else { graph.has_path(direction, &bound, &targets) };
            Ok(reached?.into())
        }
        "_sweep" => sweep::answer(graph, direction, &query),
        _ => {
            let bind = query.values("bind")?;
            let targets = match query.names("targets")? {
                Some(targets) => targets,
                None => graph.determined(direction, &bind)?.into_iter().map(|(name, _)| name).collect(),
            };
            match question {
                "_valid" => Ok(graph.is_valid(direction, &bind, &targets)?.into()),
                "_stride" => {
                    let by = query.required("by", query.integer("by")?)?;
                    let dim = query.required("dim", query.text("dim")?)?;
                    Ok(by_name(&targets, graph.delta(direction, &bind, dim, by, &targets)?))
                }
                _ => Ok(by_name(&targets, graph.evaluate(direction, &bind, &targets)?)),
            }
        }
    }
}

/// `forward_stride` is forward and `_stride`, `has_path_reverse` reverse and `has_path_`.
fn question(op: &str) -> Result<(Direction, &'static str)> {
    for direction in [Direction::Forward, Direction::Reverse] {
        for (question, _) in QUESTIONS {
            let before = question.ends_with('_');
            let rest = if before { op.strip_suffix(direction.name()) } else { op.strip_prefix(direction.name()) };
            if rest == Some(question) {
                return Ok((direction, question));
            }
        }
    }
    let names = QUESTIONS.iter().map(|(name, _)| if name.ends_with('_') { format!("{name}forward") } else { format!("forward{name}") });
    let names = names.collect::<Vec<_>>().join(", ");
    Err(Refusal::malformed(format!("query.op: `{op}` is not one of {names}, or one of these with `reverse`")))
}
