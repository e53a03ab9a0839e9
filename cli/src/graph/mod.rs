//! Coordinate graphs: `crd2idx graph`, and the request `graph` of `batch`. Verdicts on kernels: `crd2idx graph verify`, and the request
//! `verify`.

mod check;
mod eval;
mod file;
pub mod query;
mod question;
mod sweep;
pub mod verify;

use clap::{Args, Subcommand};
pub use question::{Asked, Binding, Question};
use std::path::PathBuf;

/// An action on a graph.
#[derive(Subcommand)]
pub enum Command {
    /// Compute dimensions from bound ones.
    ///
    /// crd2idx graph eval graph.json --bind i=1 --bind j=0
    /// crd2idx graph eval graph.json --reverse --bind k=4 --target i
    Eval(Eval),
    /// Draw the graph as DOT.
    Dot {
        #[command(flatten)]
        from: From,
        /// Draw a Mermaid flowchart instead of DOT.
        #[arg(long)]
        mermaid: bool,
    },
    /// Report sources, results, dimensions with several producers, disconnected dimensions, and dimensions that share storage.
    Check {
        #[command(flatten)]
        from: From,
    },
    /// Decide for all sizes whether a kernel has no races, stays in bounds, and writes all elements.
    ///
    /// Fails with the threads and sizes that show a fault, and if a claim stays open.
    ///
    /// crd2idx graph verify transpose.kernel
    Verify {
        /// A kernel as text; `-` is standard input.
        file: PathBuf,
    },
}

/// The source of a graph.
#[derive(Args)]
pub struct From {
    /// A graph as JSON, or an object with the keys `graph` and `profile`; `-` is standard input.
    pub file: PathBuf,
    /// The meaning of Flatten: declared, sizes or strides.
    #[arg(long)]
    pub flatten: Option<String>,
}

/// A question, and the form of its answer.
#[derive(Args)]
pub struct Eval {
    #[command(flatten)]
    question: Question,
    /// Print true if all bound and computed dimensions are inside their sizes, else false, instead of the values.
    #[arg(long, conflicts_with = "delta")]
    valid: bool,
    /// Print how much the targets change if this bound dimension grows by BY, instead of the values.
    #[arg(long, value_name = "NAME=BY")]
    delta: Option<Binding>,
}

/// Returns the text to print, or the message of a failure.
pub fn run(command: &Command) -> Result<String, String> {
    match command {
        Command::Eval(eval) => eval::run(eval, &eval.question.from.read()?),
        Command::Dot { from, mermaid } => {
            let graph = from.read()?;
            let text = if *mermaid { graph.to_mermaid().to_string() } else { graph.to_dot().to_string() };
            Ok(text.trim_end().to_owned())
        }
        Command::Check { from } => Ok(check::report(&from.read()?)),
        Command::Verify { file } => verify::run(file),
    }
}
