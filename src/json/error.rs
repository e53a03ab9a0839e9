//! Errors of JSON values, with the path of the wrong value. A reader that does not know the path makes an error without it,
//! and `de.rs` adds it.

use crate::error::UnknownKey;
use crate::graph::GraphError;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{Display, Formatter, Result};
use serde::de::{Expected, Unexpected};

/// The reason why a JSON value cannot be read, with the path of the value.
///
/// ```
/// use crd2idx::json::{JsonError, graph_from_json};
/// use serde_json::{Value, json};
/// /// Reads the graph of a request.
/// fn graph(request: &Value) -> Result<(), JsonError> {
///     graph_from_json(&request["graph"]).map(drop).map_err(|error| error.below("graph"))
/// }
/// let request = json!({"graph": {"nodes": [{"name": "k", "size": 1.5}], "edges": []}});
/// let error = graph(&request).unwrap_err();
/// assert_eq!(error.path(), "graph.nodes[0].size");
/// assert_eq!(error.to_string(), "graph.nodes[0].size: 1.5 is not an integer of 64 bits");
/// assert_eq!(error.fault().to_string(), "1.5 is not an integer of 64 bits");
/// assert_eq!(error.class(), "json/malformed");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct JsonError {
    /// `None` until the reader of the enclosing value adds the path.
    path: Option<String>,
    fault: JsonFault,
}

layout_core::errors! {
    /// The fault at the path of a [`JsonError`].
    ///
    /// ```
    /// use crd2idx::json::{JsonFault, graph_from_json, parse_graph};
    /// use serde_json::json;
    /// let error = parse_graph("{]").unwrap_err();
    /// assert!(matches!(error.fault(), JsonFault::Syntax { .. }));
    /// let error = graph_from_json(&json!({"nodes": []})).unwrap_err();
    /// assert_eq!(error.fault(), &JsonFault::MissingKey { key: "edges" });
    /// // A program tells faults apart by classes, which do not change.
    /// assert_eq!(error.fault().class(), "json/malformed");
    /// let error = graph_from_json(&json!({"nodes": [{"name": "k"}, {"name": "k"}], "edges": []})).unwrap_err();
    /// assert!(matches!(error.fault(), JsonFault::Graph(_)));
    /// assert_eq!(error.fault().class(), "graph/duplicate_name");
    /// ```
    #[non_exhaustive]
    JsonFault of Graph(GraphError), UnknownKey(UnknownKey) {
        /// The text is not JSON, or an object has a key twice.
        Syntax { /** The message of the parser. */ message: String } => "json/malformed", "{message}";
        /// A value is not valid here.
        Found { /** The text of the value, or its beginning. */ found: String, /** The values that are valid: `a string`, `one of eq, lt`. */ expected: String } =>
            "json/malformed", "{found} is not {expected}";
        /// A key is missing.
        MissingKey { key: &'static str } => "json/malformed", "the key `{key}` is missing";
    }
}

impl JsonError {
    pub(super) fn new(path: String, fault: JsonFault) -> JsonError {
        JsonError { path: Some(path), fault }
    }

    pub(super) fn syntax(error: impl Display) -> JsonError {
        JsonError::new(String::new(), JsonFault::Syntax { message: error.to_string() })
    }

    /// Creates an error, without a path, for a value that should be what `expected` describes.
    fn found(expected: String) -> JsonError {
        JsonError { path: None, fault: JsonFault::Found { found: String::new(), expected } }
    }

    /// Adds the path and the text of the value, which `place` returns, unless the error already has a path.
    pub(super) fn placed(mut self, place: impl FnOnce() -> (String, String)) -> JsonError {
        if self.path.is_none() {
            let (path, value) = place();
            self.path = Some(path);
            if let JsonFault::Found { found, .. } = &mut self.fault {
                *found = value;
            }
        }
        self
    }

    /// Returns the path of the value, such as `edges[3].params.strides`; empty for the whole value.
    pub fn path(&self) -> &str {
        self.path.as_deref().unwrap_or_default()
    }

    /// Returns the fault of the value at `path`.
    pub fn fault(&self) -> &JsonFault {
        &self.fault
    }

    /// Returns this error with `key` before its path, for an object that contains the value under `key`.
    pub fn below(self, key: &str) -> JsonError {
        let path = self.path();
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        JsonError { path: Some(format!("{key}{dot}{path}")), ..self }
    }
}

impl Display for JsonError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        self.fault.fmt(f)
    }
}

crate::displayed_error! { JsonError, |error| error.fault.class() }

impl From<UnknownKey> for JsonError {
    fn from(unknown: UnknownKey) -> JsonError {
        JsonError::new(String::new(), unknown.into())
    }
}

/// The message of `custom` is the text of what would be valid, such as `a divisor from 1`.
impl serde::de::Error for JsonError {
    fn custom<T: Display>(message: T) -> JsonError {
        JsonError::found(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> JsonError {
        JsonError::found(super::de::expected(&expected.to_string()))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> JsonError {
        JsonError::found(super::de::expected(&expected.to_string()))
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> JsonError {
        JsonError::found(super::de::expected(&expected.to_string()))
    }

    fn unknown_variant(_: &str, names: &'static [&'static str]) -> JsonError {
        JsonError::found(format!("one of {}", names.join(", ")))
    }

    fn unknown_field(key: &str, allowed: &'static [&'static str]) -> JsonError {
        let unknown = UnknownKey::among([key], allowed).unwrap_or(UnknownKey { key: key.into(), allowed: allowed.join(", ") });
        JsonError { path: None, fault: unknown.into() }
    }

    fn missing_field(key: &'static str) -> JsonError {
        JsonError { path: None, fault: JsonFault::MissingKey { key } }
    }
}
