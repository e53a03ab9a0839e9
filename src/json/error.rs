//! Errors of JSON graphs, with their places.

use crate::graph::GraphError;
use alloc::string::{String, ToString};
use core::fmt::{Display, Formatter, Result};

/// Why a JSON value is not a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError {
    path: String,
    fault: JsonFault,
}

/// The fault at the place of a [`JsonError`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum JsonFault {
    /// The text is not JSON.
    Syntax(String),
    /// A value that cannot stand here.
    Found {
        /// Its text, or how it begins.
        found: String,
        /// Values that can: `a string`, `one of eq, lt`.
        expected: String,
    },
    /// A key that has no meaning here.
    UnknownKey {
        /// The key.
        key: String,
        /// The keys that have, separated by commas; empty where none has.
        allowed: String,
    },
    /// A key that is missing.
    MissingKey(&'static str),
    /// An error of the graph.
    Graph(GraphError),
}

impl JsonError {
    pub(super) fn new(path: String, fault: JsonFault) -> JsonError {
        JsonError { path, fault }
    }

    pub(super) fn syntax(error: &serde_json::Error) -> JsonError {
        JsonError::new(String::new(), JsonFault::Syntax(error.to_string()))
    }

    /// The place in the value: `edges[3].params.strides`; empty for the value itself.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The fault there.
    pub fn fault(&self) -> &JsonFault {
        &self.fault
    }

    /// The name of this kind of error: [`GraphError::kind`] of an error of the graph, else `malformed`.
    pub fn kind(&self) -> &'static str {
        match &self.fault {
            JsonFault::Graph(error) => error.kind(),
            _ => "malformed",
        }
    }

    /// This error in a value that holds this one under `key`.
    pub fn below(self, key: &str) -> JsonError {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        JsonError { path: alloc::format!("{key}{dot}{}", self.path), ..self }
    }
}

impl Display for JsonError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match &self.fault {
            JsonFault::Syntax(message) => f.write_str(message),
            JsonFault::Found { found, expected } => write!(f, "{found} is not {expected}"),
            JsonFault::UnknownKey { key, allowed } if allowed.is_empty() => write!(f, "unknown key `{key}`, none is allowed here"),
            JsonFault::UnknownKey { key, allowed } => write!(f, "unknown key `{key}`, allowed are {allowed}"),
            JsonFault::MissingKey(key) => write!(f, "the key `{key}` is missing"),
            JsonFault::Graph(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for JsonError {}
