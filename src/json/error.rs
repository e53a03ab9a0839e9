//! Errors of JSON graphs, with their places.

use crate::error::UnknownKey;
use crate::graph::GraphError;
use alloc::string::{String, ToString};
use core::fmt::{Display, Formatter, Result};

/// Why a JSON value is not a graph.
#[derive(Clone, PartialEq, Eq)]
pub struct JsonError {
    path: String,
    fault: JsonFault,
}

layout_core::errors! {
    /// The fault at the place of a [`JsonError`].
    #[non_exhaustive]
    JsonFault of Graph(GraphError), UnknownKey(UnknownKey) {
        /// The text is not JSON, or has an object with a key twice.
        Syntax { /** What the reader says. */ message: String } => "json/malformed", "{message}";
        /// A value that cannot stand here.
        Found { /** Its text, or how it begins. */ found: String, /** Values that can: `a string`, `one of eq, lt`. */ expected: String } =>
            "json/malformed", "{found} is not {expected}";
        /// A key that is missing.
        MissingKey { key: &'static str } => "json/malformed", "the key `{key}` is missing";
    }
}

impl JsonError {
    pub(super) fn new(path: String, fault: JsonFault) -> JsonError {
        JsonError { path, fault }
    }

    pub(super) fn syntax(error: impl Display) -> JsonError {
        JsonError::new(String::new(), JsonFault::Syntax { message: error.to_string() })
    }

    /// The place in the value: `edges[3].params.strides`; empty for the value itself.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The fault there.
    pub fn fault(&self) -> &JsonFault {
        &self.fault
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
        self.fault.fmt(f)
    }
}

crate::displayed_error! { JsonError, |error| error.fault.class() }
