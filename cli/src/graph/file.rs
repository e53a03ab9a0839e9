//! Reads graphs from files.

use super::From;
use crate::input;
use crate::request::read;
use crd2idx::graph::{CoordGraph, FlattenMode};
use crd2idx::json::{FLATTEN_NAMES, NamedFlattenMode, flatten_from_name, graph_from_json};
use serde::Deserialize;
use serde_json::Value;

/// A recorded case: a graph, and the meaning of Flatten.
#[derive(Deserialize)]
struct Case {
    graph: Value,
    profile: Option<NamedFlattenMode>,
}

/// The keys of a recorded case besides its graph.
const RECORDED: &[&str] = &["id", "source", "note", "queries"];

impl From {
    /// Returns the name of the file for messages.
    pub fn name(&self) -> String {
        input::name(&self.file)
    }

    /// Returns the name of the file without its folder and ending.
    pub fn stem(&self) -> String {
        if input::is_stdin(&self.file) { String::new() } else { self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned() }
    }

    /// Reads the graph. The command chooses the meaning of Flatten, else the recorded case, else the graph. Fails, with the
    /// name of the file, if it is no valid graph.
    pub fn read(&self) -> Result<CoordGraph, String> {
        let named = |message: String| format!("{}: {message}", self.name());
        let flatten = self.flatten.as_deref().map(flatten).transpose().map_err(|message| format!("--flatten: {message}"))?;
        let value = input::json(&self.file)?;
        let (graph, profile) = match value.get("graph") {
            Some(_) => {
                let (Case { graph, profile },) = read::<(Case,)>(&value, RECORDED).map_err(|error| named(error.to_string()))?;
                let graph = graph_from_json(&graph).map_err(|error| named(error.below("graph").to_string()))?;
                (graph, profile.map(|NamedFlattenMode(mode)| mode))
            }
            None => (graph_from_json(&value).map_err(|e| named(e.to_string()))?, None),
        };
        let mode = flatten.or(profile).unwrap_or(graph.flatten_mode());
        Ok(graph.with_flatten(mode))
    }
}

/// Returns the meaning of Flatten with this name. Fails for an unknown name.
fn flatten(name: &str) -> Result<FlattenMode, String> {
    flatten_from_name(name).ok_or_else(|| format!("`{name}` is not one of {FLATTEN_NAMES}"))
}
