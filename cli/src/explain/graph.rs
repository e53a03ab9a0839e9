//! How the coordinates of a graph come about, edge by edge, with the numbers.

use super::formula::{Known, formula};
use super::page::Account;
use crate::graph::{Asked, Question};
use clap::Args;
use crd2idx::graph::{CoordGraph, DimId, Direction, Edge, EdgeKind, Transform};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

type Result<T> = std::result::Result<T, String>;

/// A question about a graph.
#[derive(Args)]
pub struct Graph {
    #[command(flatten)]
    question: Question,
    /// As JSON: steps, and the statements in them.
    #[arg(long)]
    json: bool,
}

/// An edge that gives something new.
struct Firing<'g> {
    edge: &'g Edge,
    transform: &'g Transform,
    sources: &'g [DimId],
    products: &'g [DimId],
}

/// The text that the command prints, or a message.
pub fn run(ask: &Graph) -> Result<String> {
    let question = &ask.question;
    let graph = question.from.read()?;
    let Asked { direction, bind, targets } = question.asked(&graph)?;
    let determined = graph.determined(direction, &bind).map_err(|error| question.refused(error))?;
    let values = graph.evaluate(direction, &bind, &targets).map_err(|error| question.refused(error))?;
    let known = Known::new(&graph, &bind, &determined);
    let account = account(&graph, direction, &bind, &targets, &known)?;
    if ask.json {
        let values: serde_json::Map<_, _> = targets.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value.into())).collect();
        let mut json: Json = account.json();
        json["values"] = json!(values);
        return Ok(json.to_string());
    }
    Ok(format!("{}, {}\n{}", question.from.name(), direction.name(), account.text()))
}

fn account(graph: &CoordGraph, direction: Direction, bind: &[(&str, i64)], targets: &[&str], known: &Known<'_>) -> Result<Account> {
    let mut account = Account::default();
    let given = bind.iter().map(|(name, value)| format!("{name} is {value}")).collect::<Vec<_>>().join(", ");
    account.say(0, format!("given: {given}"))?;
    let name = |id: &DimId| graph.dimension(*id).map_or("", |dim| dim.name.as_str());
    let firings = needed(firings(graph, direction, bind, known), graph, targets);
    for firing in &firings {
        let names = |ids: &[DimId]| ids.iter().map(name).collect::<Vec<_>>().join(", ");
        account.say(
            0,
            format!(
                "{}({} -> {}), {}:",
                firing.edge.kind.name(),
                names(&firing.edge.inputs),
                names(&firing.edge.outputs),
                direction.name()
            ),
        )?;
        let lines = formula(firing.transform, direction, firing.sources, firing.products, known);
        for (id, line) in firing.products.iter().zip(lines) {
            let Some(value) = known.value(*id) else { continue };
            match line {
                Some(line) => account.say(1, format!("{}: `{line} = {value}`", name(id)))?,
                None => account.say(1, format!("{} is {value}", name(id)))?,
            }
        }
    }
    bounds(&mut account, graph, direction, bind, targets, (&firings, known))?;
    Ok(account)
}

/// Which coordinates lie outside their sizes, and whether all is valid.
fn bounds(
    account: &mut Account,
    graph: &CoordGraph,
    direction: Direction,
    bind: &[(&str, i64)],
    targets: &[&str],
    (firings, known): (&[Firing<'_>], &Known<'_>),
) -> Result<()> {
    let seen: BTreeSet<DimId> = firings.iter().flat_map(|firing| firing.sources.iter().chain(firing.products)).copied().collect();
    for id in seen {
        let Ok(dim) = graph.dimension(id) else { continue };
        let (Some(value), Some(size)) = (known.value(id), dim.size.as_ref().and_then(|size| known.quantity(size))) else { continue };
        if value < 0 {
            account.say(0, format!("{} lies before its first coordinate: `{value} < 0`", dim.name))?;
        } else if i128::from(value) >= size {
            account.say(0, format!("{} lies beyond its size: `{value} >= {size}`", dim.name))?;
        }
    }
    match graph.is_valid(direction, bind, targets) {
        Ok(true) => account.say(0, "valid: all lie inside their sizes"),
        Ok(false) => account.say(0, "not valid"),
        // A size that is not known bounds nothing.
        Err(_) => Ok(()),
    }
}

/// The edges in an order in which each has what it reads.
fn firings<'g>(graph: &'g CoordGraph, direction: Direction, bind: &[(&str, i64)], known: &Known<'_>) -> Vec<Firing<'g>> {
    let mut have: BTreeSet<DimId> = bind.iter().filter_map(|(name, _)| graph.find(name).ok()).collect();
    let mut left: Vec<Firing<'_>> = graph
        .edges()
        .iter()
        .filter_map(|edge| match &edge.kind {
            EdgeKind::Transform(transform) => {
                let (inputs, outputs) = (edge.inputs.as_slice(), edge.outputs.as_slice());
                let (sources, products) = if direction == Direction::Forward { (inputs, outputs) } else { (outputs, inputs) };
                Some(Firing { edge, transform, sources, products })
            }
            EdgeKind::Dataflow(_) => None,
        })
        .collect();
    let mut out = Vec::new();
    loop {
        let lazy = |firing: &Firing<'_>| matches!(firing.transform, Transform::Sunder | Transform::PiecewiseAffineJoin { .. });
        let ready = left.iter().position(|firing| {
            // Of a branch that is not taken nothing is read.
            let mut sources = firing.sources.iter();
            let read = if lazy(firing) { sources.any(|id| have.contains(id)) } else { sources.all(|id| have.contains(id)) };
            let gives = firing.products.iter().any(|id| !have.contains(id)) && firing.products.iter().all(|id| known.value(*id).is_some());
            let waits = lazy(firing) && firing.sources.iter().any(|id| !have.contains(id) && known.value(*id).is_some());
            read && gives && !waits
        });
        let Some(ready) = ready else { return out };
        let firing = left.remove(ready);
        have.extend(firing.products);
        out.push(firing);
    }
}

/// Those that the targets come from.
fn needed<'g>(firings: Vec<Firing<'g>>, graph: &CoordGraph, targets: &[&str]) -> Vec<Firing<'g>> {
    let mut wanted: BTreeSet<DimId> = targets.iter().filter_map(|name| graph.find(name).ok()).collect();
    let mut out = Vec::new();
    for firing in firings.into_iter().rev() {
        if firing.products.iter().any(|id| wanted.contains(id)) {
            wanted.extend(firing.sources);
            out.push(firing);
        }
    }
    out.reverse();
    out
}

/// Names to values.
pub type Values<'a> = BTreeMap<&'a str, i64>;
