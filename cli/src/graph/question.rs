//! Questions about a graph.

use super::From;
use clap::Args;
use crd2idx::graph::{CoordGraph, Direction, GraphError};

/// A question about a graph.
#[derive(Args)]
pub struct Question {
    #[command(flatten)]
    pub from: From,
    /// From inputs to outputs, the default.
    #[arg(long, conflicts_with = "reverse")]
    forward: bool,
    /// From outputs to inputs.
    #[arg(long)]
    reverse: bool,
    /// A dimension or a parameter and its value.
    #[arg(long, value_name = "NAME=VALUE")]
    bind: Vec<String>,
    /// A dimension that is asked for; without any, all that are determined.
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
}

/// A question, read.
pub struct Asked<'q> {
    pub direction: Direction,
    pub bind: Vec<(&'q str, i64)>,
    pub targets: Vec<&'q str>,
}

impl Question {
    /// The direction, what is bound, and the targets: those that are named, or all that what is bound determines.
    pub fn asked<'q>(&'q self, graph: &'q CoordGraph) -> Result<Asked<'q>, String> {
        let direction = if self.reverse { Direction::Reverse } else { Direction::Forward };
        let bind = self.bind.iter().map(|text| pair("--bind", text)).collect::<Result<Vec<_>, _>>()?;
        let mut targets: Vec<&str> = self.target.iter().map(String::as_str).collect();
        if targets.is_empty() {
            targets.extend(graph.determined(direction, &bind).map_err(|error| self.refused(error))?.iter().map(|(name, _)| *name));
            if targets.is_empty() {
                return Err(format!("{}: what is bound determines no dimension {}", self.from.name(), direction.name()));
            }
        }
        Ok(Asked { direction, bind, targets })
    }

    /// The text of an error of the graph, with the name of where it is from.
    pub fn refused(&self, error: GraphError) -> String {
        format!("{}: {error}", self.from.name())
    }
}

/// `name=value`; the name may hold `=`.
pub fn pair<'a>(option: &str, text: &'a str) -> Result<(&'a str, i64), String> {
    let (name, value) = text.rsplit_once('=').ok_or_else(|| format!("{option} `{text}` is not name=value"))?;
    let value = value.trim().parse().map_err(|e| format!("{option} `{text}`: {e}"))?;
    Ok((name, value))
}
