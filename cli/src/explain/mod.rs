//! `crd2idx explain`: how a result comes about, or what failed and what would work. `expression` explains operations, and
//! suggests changes after a refusal; `graph`, `plan` and `reshard` explain graphs, plans and moves between meshes. `Account::say` (`page`) writes every line. It
//! [evaluates](statement) the text between backticks, and fails if that does not hold. So does every function that writes to an
//! `Account`, and the command then prints only the message. A new operation gets a case in `operation` of `expression`.

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
mod reshard;
mod statement;
mod tree;

use crate::answer;
use crate::eval::EXPRESSION;
use clap::{Args, Subcommand};

type Result<T> = std::result::Result<T, String>;

/// The arguments of `crd2idx explain`: an expression, or a graph, a plan or a move.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Explain {
    #[command(subcommand)]
    of: Option<Of>,
    /// A layout, a tuple, or nested operations by name.
    #[arg(allow_hyphen_values = true, required = true, value_hint = EXPRESSION)]
    expression: Option<String>,
    /// Explain the index of this coordinate.
    #[arg(allow_hyphen_values = true, value_hint = EXPRESSION)]
    coordinate: Option<String>,
    /// Print JSON: the names, the steps, and the statements in them.
    #[arg(long)]
    json: bool,
}

/// The subcommands, which explain graphs, plans and moves.
#[derive(Subcommand)]
enum Of {
    /// Explain how the coordinates of a graph come about, edge by edge.
    ///
    /// crd2idx explain graph graph.json --reverse --bind k=4 --target i
    Graph(graph::Graph),
    /// Explain why a plan has its copies.
    ///
    /// crd2idx explain plan "(4,6):(1@0,1@1)" "(6,4):(1@0,1@1)"
    Plan(Box<plan::Ask>),
    /// Explain which elements each device of a mesh needs, and which devices have them.
    ///
    /// crd2idx explain reshard '{"shape": [8], "from": {"mesh": [["tp", 2]], "spec": ["tp"]}, "to": {"mesh": [["tp", 4]], "spec": ["tp"]}}'
    #[command(verbatim_doc_comment)]
    Reshard(reshard::Ask),
}

/// Returns the text to print, or the message of a failure.
pub fn run(ask: &Explain) -> Result<String> {
    match &ask.of {
        Some(Of::Graph(ask)) => return graph::run(ask),
        Some(Of::Plan(ask)) => return plan::run(ask),
        Some(Of::Reshard(ask)) => return reshard::run(ask),
        None => {}
    }
    let expression = ask.expression.as_deref().unwrap_or("");
    let explanation = expression::explain(expression, ask.coordinate.as_deref())?;
    Ok(if ask.json { answer::text(explanation.json()) } else { explanation.text() })
}
