//! Graphs from files.

use super::From;
use crate::answer::only;
use crate::input;
use crd2idx::graph::{CoordGraph, FlattenMode};
use crd2idx::json::{FLATTEN_NAMES, flatten_from_name, graph_from_json};
use serde_json::Value;

/// The keys of a recorded case besides its graph.
const RECORDED: &[&str] = &["id", "source", "note", "queries"];

impl From {
    /// The file as messages name it.
    pub fn name(&self) -> String {
        input::name(&self.file)
    }

    /// The name of the file without its folder and ending.
    pub fn stem(&self) -> String {
        if input::is_stdin(&self.file) { String::new() } else { self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned() }
    }

    /// The graph, with Flatten as the command, the recorded case or the graph says, in this order.
    pub fn read(&self) -> Result<CoordGraph, String> {
        let named = |message: String| format!("{}: {message}", self.name());
        let flatten = self.flatten.as_deref().map(flatten).transpose().map_err(|message| format!("--flatten: {message}"))?;
        let value = input::json(&self.file)?;
        let (graph, profile) = match value.get("graph") {
            Some(graph) => {
                if let Some(unknown) = only(&value, RECORDED, &[&["graph", "profile"]]) {
                    return Err(named(unknown.to_string()));
                }
                let graph = graph_from_json(graph).map_err(|e| named(e.below("graph").to_string()))?;
                let profile = value.get("profile").filter(|profile| !profile.is_null());
                (graph, profile.map(profile_of).transpose().map_err(|message| named(format!("profile: {message}")))?)
            }
            None => (graph_from_json(&value).map_err(|e| named(e.to_string()))?, None),
        };
        let mode = flatten.or(profile).unwrap_or(graph.flatten_mode());
        Ok(graph.with_flatten(mode))
    }
}

/// How Flatten is read, by name.
pub fn flatten(name: &str) -> Result<FlattenMode, String> {
    flatten_from_name(name).ok_or_else(|| format!("`{name}` is not one of {FLATTEN_NAMES}"))
}

/// How Flatten is read, by a JSON string.
pub fn profile_of(value: &Value) -> Result<FlattenMode, String> {
    value.as_str().ok_or_else(|| format!("{value} is not a string")).and_then(flatten)
}
