//! `crd2idx graph eval`.

use super::Eval;
use crd2idx::graph::{CoordGraph, Direction, GraphError};

/// A line `name=value` for each target, or `true` or `false`.
pub fn run(ask: &Eval, graph: &CoordGraph) -> Result<String, String> {
    let direction = if ask.reverse { Direction::Reverse } else { Direction::Forward };
    let bind = ask.bind.iter().map(|text| pair("--bind", text)).collect::<Result<Vec<_>, _>>()?;
    let delta = ask.delta.as_deref().map(|text| pair("--delta", text)).transpose()?;
    let refused = |error: GraphError| format!("{}: {error}", ask.from.name());
    let mut targets: Vec<&str> = ask.target.iter().map(String::as_str).collect();
    if targets.is_empty() {
        targets.extend(graph.determined(direction, &bind).map_err(refused)?.iter().map(|(name, _)| *name));
        if targets.is_empty() {
            return Err(format!("{}: what is bound determines no dimension {}", ask.from.name(), direction.name()));
        }
    }
    if ask.valid {
        return graph.is_valid(direction, &bind, &targets).map(|valid| valid.to_string()).map_err(refused);
    }
    let values = match delta {
        Some((dim, by)) => graph.delta(direction, &bind, dim, by, &targets),
        None => graph.evaluate(direction, &bind, &targets),
    };
    let lines = targets.iter().zip(values.map_err(refused)?).map(|(name, value)| format!("{}={value}", shown(name)));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// `name=value`; the name may hold `=`.
pub fn pair<'a>(option: &str, text: &'a str) -> Result<(&'a str, i64), String> {
    let (name, value) = text.rsplit_once('=').ok_or_else(|| format!("{option} `{text}` is not name=value"))?;
    let value = value.trim().parse().map_err(|e| format!("{option} `{text}`: {e}"))?;
    Ok((name, value))
}

/// A name on a line of its own.
pub fn shown(name: &str) -> String {
    if name.chars().any(char::is_control) { name.escape_debug().to_string() } else { name.into() }
}
