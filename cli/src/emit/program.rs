//! The programs of layouts and of questions about graphs.

use crd2idx::LayoutError;
use crd2idx::graph::{Bound, CoordGraph, Direction, Domain, GraphError};
use crd2idx::program::{Coordinates, Program};

/// Coordinates of a layout by name, the default first.
pub const COORDINATES: &[(&str, Coordinates)] =
    &[("modes", Coordinates::Modes), ("linear", Coordinates::Linear), ("leaves", Coordinates::Leaves)];

/// Domains by name, the default first.
pub const DOMAINS: &[(&str, Domain)] = &[("declared", Domain::Declared), ("natural", Domain::Natural), ("any", Domain::Any)];

/// The index function of a layout expression.
pub fn layout(text: &str, coordinates: Coordinates, unsimplified: bool) -> Result<Program, LayoutError> {
    if unsimplified { Program::parse_layout_unsimplified(text, coordinates) } else { Program::parse_layout(text, coordinates) }
}

/// A question about a graph, and when what is bound becomes known.
pub struct Question<'a> {
    pub direction: Direction,
    pub threads: Vec<&'a str>,
    pub launch: Vec<&'a str>,
    pub constants: Vec<(&'a str, i64)>,
    pub targets: Vec<&'a str>,
    pub domain: Domain,
    pub unsimplified: bool,
}

impl Question<'_> {
    /// The answer as a function.
    pub fn program(&self, graph: &CoordGraph) -> Result<Program, GraphError> {
        let launch = self.launch.iter().map(|name| Bound::Launch(name));
        let threads = self.threads.iter().map(|name| Bound::Thread(name));
        let constants = self.constants.iter().map(|(name, value)| Bound::Constant(name, *value));
        let sources: Vec<Bound<'_>> = launch.chain(threads).chain(constants).collect();
        if self.unsimplified {
            graph.unsimplified(self.direction, &sources, &self.targets, self.domain)
        } else {
            graph.program(self.direction, &sources, &self.targets, self.domain)
        }
    }
}
