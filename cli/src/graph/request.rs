//! Requests in JSON: their objects.

use crate::answer::{Refusal, Result};
use crd2idx::graph::GraphError;
use crd2idx::json::JsonError;
use serde_json::{Map, Value};

impl From<GraphError> for Refusal {
    fn from(error: GraphError) -> Refusal {
        Refusal::new(error.to_string()).with_kind(error.class())
    }
}

impl From<JsonError> for Refusal {
    fn from(error: JsonError) -> Refusal {
        Refusal::new(error.to_string()).with_kind(error.class()).with("path", error.path())
    }
}

/// An object of a request.
pub struct Object<'a> {
    map: &'a Map<String, Value>,
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
