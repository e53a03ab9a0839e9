//! Questions about a graph, on the command line.

use super::From;
use clap::Args;
use crd2idx::graph::{CoordGraph, Direction, GraphError};

/// A question about a graph.
#[derive(Args)]
pub struct Question {
    #[command(flatten)]
    pub from: From,
    /// Compute outputs from inputs (the default).
    #[arg(long, conflicts_with = "reverse")]
    forward: bool,
    /// Compute inputs from outputs.
    #[arg(long)]
    reverse: bool,
    /// A dimension or a parameter and its value.
    #[arg(long, value_name = "NAME=VALUE")]
    bind: Vec<Binding>,
    /// A dimension to compute (default: all that the bound ones determine).
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
}

/// A question in the form of the arguments of `CoordGraph`: direction, bound names with values, and targets.
pub struct Asked<'q> {
    pub direction: Direction,
    pub bind: Vec<(&'q str, i64)>,
    pub targets: Vec<&'q str>,
}

impl Question {
    /// Returns the direction, the bound names, and the targets (default: all dimensions that the bound ones determine). Fails
    /// if the bound names are refused or determine nothing.
    pub fn asked<'q>(&'q self, graph: &'q CoordGraph) -> Result<Asked<'q>, String> {
        let direction = if self.reverse { Direction::Reverse } else { Direction::Forward };
        let bind: Vec<(&str, i64)> = self.bind.iter().map(|Binding(name, value)| (name.as_str(), *value)).collect();
        let mut targets: Vec<&str> = self.target.iter().map(String::as_str).collect();
        if targets.is_empty() {
            targets.extend(graph.determined(direction, &bind).map_err(|error| self.refused(error))?.iter().map(|(name, _)| *name));
            if targets.is_empty() {
                return Err(format!("{}: the bound names determine no dimension {}", self.from.name(), direction.name()));
            }
        }
        Ok(Asked { direction, bind, targets })
    }

    /// Returns the message of an error, with the name of the graph's file.
    pub fn refused(&self, error: GraphError) -> String {
        format!("{}: {error}", self.from.name())
    }
}

/// A dimension or a parameter and its value, `name=value`. The name may contain `=`.
#[derive(Clone)]
pub struct Binding(pub String, pub i64);

impl std::str::FromStr for Binding {
    type Err = String;

    fn from_str(text: &str) -> Result<Binding, String> {
        let (name, value) = text.rsplit_once('=').ok_or_else(|| format!("`{text}` is not name=value"))?;
        Ok(Binding(name.into(), value.trim().parse().map_err(|error| format!("`{text}`: {error}"))?))
    }
}
