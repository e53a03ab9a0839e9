//! `crd2idx graph eval`: the values of dimensions, their validity, or their change.

use super::Eval;
use super::question::{Asked, Binding};
use crd2idx::graph::CoordGraph;

/// Returns a line `name=value` for each target; with `--valid`, `true` or `false`. Fails with the message of the graph.
pub fn run(ask: &Eval, graph: &CoordGraph) -> Result<String, String> {
    let Asked { direction, bind, targets } = ask.question.asked(graph)?;
    let refused = |error| ask.question.refused(error);
    if ask.valid {
        return graph.is_valid(direction, &bind, &targets).map(|valid| valid.to_string()).map_err(refused);
    }
    let values = match &ask.delta {
        Some(Binding(dim, by)) => graph.delta(direction, &bind, dim, *by, &targets),
        None => graph.evaluate(direction, &bind, &targets),
    };
    let lines = targets.iter().zip(values.map_err(refused)?).map(|(name, value)| format!("{}={value}", shown(name)));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Returns a name on a single line: control characters are escaped.
pub fn shown(name: &str) -> String {
    if name.chars().any(char::is_control) { name.escape_debug().to_string() } else { name.into() }
}
