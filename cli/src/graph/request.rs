//! Requests in JSON: their objects, and why one is refused.

use crate::answer::{Answer, failure};
use crd2idx::graph::GraphError;
use crd2idx::json::JsonError;
use serde_json::{Map, Value, json};

pub type Result<T> = std::result::Result<T, Refusal>;

/// Why a request is refused: a message, the kind of the error, and more that is known.
pub struct Refusal {
    message: String,
    kind: &'static str,
    more: Answer,
}

impl Refusal {
    /// A request that has not the form it must have.
    pub fn malformed(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), kind: "malformed", more: Answer::new() }
    }

    /// A request that is refused for what it asks.
    pub fn of_kind(message: String, kind: &'static str) -> Refusal {
        Refusal { message, kind, more: Answer::new() }
    }

    /// More work than one request may ask for.
    pub fn too_large(message: String) -> Refusal {
        Refusal::of_kind(message, "too_large")
    }

    /// With this in the answer.
    pub fn with(mut self, key: &str, value: Value) -> Refusal {
        self.more.insert(key.into(), value);
        self
    }
}

impl From<GraphError> for Refusal {
    fn from(error: GraphError) -> Refusal {
        Refusal { message: error.to_string(), kind: error.kind(), more: Answer::new() }
    }
}

impl From<JsonError> for Refusal {
    fn from(error: JsonError) -> Refusal {
        Refusal { message: error.to_string(), kind: error.kind(), more: Answer::new() }.with("path", json!(error.path()))
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        let mut out = failure(refusal.message);
        out.insert("kind".into(), refusal.kind.into());
        out.extend(refusal.more);
        out
    }
}

/// An object of a request.
pub struct Object<'a> {
    pub map: &'a Map<String, Value>,
    /// The prefix of its keys in messages.
    path: &'static str,
}

impl<'a> Object<'a> {
    pub fn new(value: &'a Value, path: &'static str) -> Option<Object<'a>> {
        value.as_object().map(|map| Object { map, path })
    }

    /// The value of a key that is not null.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// The value of a key, read by `read`; fails where that is not `what`.
    fn read<T>(&self, key: &str, what: &str, read: impl FnOnce(&'a Value) -> Option<T>) -> Result<Option<T>> {
        let wrong = |value| Refusal::malformed(format!("{}{key}: {value} is not {what}", self.path));
        self.get(key).map(|value| read(value).ok_or_else(|| wrong(value))).transpose()
    }

    /// The value of a key that must be there.
    pub fn required<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        let of = self.path.trim_end_matches('.');
        let colon = if of.is_empty() { "" } else { ": " };
        value.ok_or_else(|| Refusal::malformed(format!("{of}{colon}the key `{key}` is missing")))
    }

    pub fn text(&self, key: &str) -> Result<Option<&'a str>> {
        self.read(key, "a string", Value::as_str)
    }

    pub fn truth(&self, key: &str) -> Result<Option<bool>> {
        self.read(key, "true or false", Value::as_bool)
    }

    pub fn integer(&self, key: &str) -> Result<Option<i64>> {
        self.read(key, "an integer of 64 bits", Value::as_i64)
    }

    /// A list of names.
    pub fn names(&self, key: &str) -> Result<Option<Vec<&'a str>>> {
        self.read(key, "a list of names", |value| value.as_array()?.iter().map(Value::as_str).collect())
    }

    /// An object of integers; none where the key is missing.
    pub fn values(&self, key: &str) -> Result<Vec<(&'a str, i64)>> {
        let object = self.read(key, "an object", Value::as_object)?;
        let number = |(name, value): (&'a String, &Value)| {
            let wrong = || Refusal::malformed(format!("{}{key}.{name}: {value} is not an integer of 64 bits", self.path));
            Ok((name.as_str(), value.as_i64().ok_or_else(wrong)?))
        };
        object.into_iter().flatten().map(number).collect()
    }
}
