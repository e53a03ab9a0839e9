//! Explains the coordinates of a graph, edge by edge, with the numbers.

use super::page::Account;
use crate::answer;
use crate::graph::{Asked, Question};
use clap::Args;
use crd2idx::graph::{CoordGraph, DimId, Direction};
use serde_json::{Value as Json, json};

type Result<T> = std::result::Result<T, String>;

/// The arguments of `crd2idx explain graph`.
#[derive(Args)]
pub struct Graph {
    #[command(flatten)]
    question: Question,
    /// Print JSON: the steps, and the statements in them.
    #[arg(long)]
    json: bool,
}

/// Returns the text to print, or the message of a failure.
pub fn run(ask: &Graph) -> Result<String> {
    let question = &ask.question;
    let graph = question.from.read()?;
    let Asked { direction, bind, targets } = question.asked(&graph)?;
    let values = graph.evaluate(direction, &bind, &targets).map_err(|error| question.refused(error))?;
    let steps = graph.derivation(direction, &bind, &targets).map_err(|error| question.refused(error))?;
    let account = account(&graph, direction, &bind, &targets, &steps)?;
    if ask.json {
        let values: serde_json::Map<_, _> = targets.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value.into())).collect();
        let mut json: Json = account.json();
        json["values"] = json!(values);
        return Ok(answer::text(json));
    }
    Ok(format!("{}, {}\n{}", question.from.name(), direction.name(), account.text()))
}

fn account(
    graph: &CoordGraph,
    direction: Direction,
    bind: &[(&str, i64)],
    targets: &[&str],
    steps: &crd2idx::graph::Derivation<'_>,
) -> Result<Account> {
    let mut account = Account::default();
    let given = bind.iter().map(|(name, value)| format!("{name} is {value}")).collect::<Vec<_>>().join(", ");
    account.say(0, format!("given: {given}"))?;
    let name = |id: &DimId| graph.dimension(*id).map_or("", |dim| dim.name.as_str());
    for step in &steps.steps {
        let names = |ids: &[DimId]| ids.iter().map(name).collect::<Vec<_>>().join(", ");
        let (inputs, outputs) = (names(&step.edge.inputs), names(&step.edge.outputs));
        account.say(0, format!("{}({inputs} -> {outputs}), {}:", step.edge.kind.name(), direction.name()))?;
        for (id, value, formula) in &step.results {
            match formula {
                Some(formula) => account.say(1, format!("{}: `{formula} = {value}`", name(id)))?,
                None => account.say(1, format!("{} is {value}", name(id)))?,
            }
        }
    }
    for (id, value, size) in &steps.outside {
        match value {
            ..0 => account.say(0, format!("{} lies before its first coordinate: `{value} < 0`", name(id)))?,
            _ => account.say(0, format!("{} lies beyond its size: `{value} >= {size}`", name(id)))?,
        }
    }
    match graph.is_valid(direction, bind, targets) {
        Ok(true) => account.say(0, "valid: all lie inside their sizes")?,
        Ok(false) => account.say(0, "not valid")?,
        // An unknown size bounds nothing.
        Err(_) => {}
    }
    Ok(account)
}
