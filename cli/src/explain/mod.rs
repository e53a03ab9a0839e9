//! How a result came about, or what failed and what would work: `crd2idx explain`.
//!
//! `expression` chooses the file that explains an operation; a refusal comes with changes that work. `graph` and `plan` explain these, and give only the message of a
//! refusal. Every account is written by `Account::say` (`page`), which [evaluates](statement) what stands between backticks; the command fails where that does not hold.

mod advice;
mod banks;
mod bits;
mod coalesce;
mod complement;
mod compose;
mod divide;
mod expression;
mod graph;
mod index;
mod inverse;
mod page;
mod plan;
mod statement;
mod tree;

use clap::{Args, Subcommand};

type Result<T> = std::result::Result<T, String>;

/// An expression to explain, or a graph.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Explain {
    #[command(subcommand)]
    of: Option<Of>,
    /// A layout, a tuple, or operations by name, nested.
    #[arg(allow_hyphen_values = true, required = true)]
    expression: Option<String>,
    /// The coordinate whose index is explained.
    #[arg(allow_hyphen_values = true)]
    coordinate: Option<String>,
    /// As JSON: names, steps, and the statements in them.
    #[arg(long)]
    json: bool,
}

/// Other things to explain than expressions.
#[derive(Subcommand)]
enum Of {
    /// How the coordinates of a graph come about, edge by edge.
    ///
    /// crd2idx explain graph graph.json --reverse --bind k=4 --target i
    Graph(graph::Graph),
    /// Why a plan has the copies that it has.
    ///
    /// crd2idx explain plan "(4,6):(1@0,1@1)" "(6,4):(1@0,1@1)"
    Plan(Box<plan::Ask>),
}

/// The text that the command prints, or a message.
pub fn run(ask: &Explain) -> Result<String> {
    match &ask.of {
        Some(Of::Graph(ask)) => return graph::run(ask),
        Some(Of::Plan(ask)) => return plan::run(ask),
        None => {}
    }
    let expression = ask.expression.as_deref().unwrap_or("");
    let explanation = expression::explain(expression, ask.coordinate.as_deref())?;
    Ok(if ask.json { explanation.json().to_string() } else { explanation.text() })
}
