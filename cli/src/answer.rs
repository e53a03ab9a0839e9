//! Answers to requests in JSON: results, and why a request is refused.

use crd2idx::error::UnknownKey;
use serde_json::{Map, Value};

/// A reply: `ok`, or `error` and what is known of it.
pub type Answer = Map<String, Value>;

/// A result, or why a request is refused.
pub type Result<T> = std::result::Result<T, Refusal>;

/// The function that answers the requests of an operation.
pub type Operation = fn(&Value) -> Result<Value>;

/// The allowed keys of an object, in groups that several objects share.
pub type Keys = &'static [&'static [&'static str]];

/// An operation: its name, the keys of its requests besides `op` and `id`, and the function that answers them.
pub type Row = (&'static str, Keys, Operation);

/// Why a request is refused: a message, and what more is known.
#[derive(Debug)]
pub struct Refusal {
    pub message: String,
    pub more: Answer,
}

impl Refusal {
    /// For what a request asks.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), more: Answer::new() }
    }

    /// A request that has not the form it must have.
    pub fn malformed(message: impl Into<String>) -> Refusal {
        Refusal::new(message).with("kind", "malformed")
    }

    /// More work than one request may ask for.
    pub fn too_large(message: impl Into<String>) -> Refusal {
        Refusal::new(message).with("kind", "too_large")
    }

    /// With the detail of the class of an error as its kind: `unreachable` of `graph/unreachable`.
    pub fn with_kind(self, class: &str) -> Refusal {
        self.with("kind", detail(class))
    }

    /// With this in the answer.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Refusal {
        self.more.insert(key.into(), value.into());
        self
    }
}

/// The class of an error without its family.
pub fn detail(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or_default()
}

impl From<Refusal> for Answer {
    fn from(Refusal { message, mut more }: Refusal) -> Answer {
        more.insert("error".into(), message.into());
        more
    }
}

/// A reply with a result.
pub fn success(value: Value) -> Answer {
    Map::from_iter([("ok".into(), value)])
}

/// There is no such operation.
pub fn unknown(name: &str) -> Refusal {
    Refusal::new(format!("there is no operation `{name}`")).with("kind", "unknown_op")
}

/// The answer of the operation of that name.
pub fn one_of(operations: &[Row], name: &str, request: &Value) -> Result<Answer> {
    let (_, keys, operation) = operations.iter().find(|(known, ..)| *known == name).ok_or_else(|| unknown(name))?;
    known_request(request, keys)?;
    operation(request).map(success)
}

/// Refuses a request with a key other than these, `op` and `id`.
pub fn known_request(request: &Value, keys: Keys) -> Result<()> {
    only(request, &["op", "id"], keys).map_or(Ok(()), |unknown| Err(Refusal::malformed(unknown.to_string())))
}

/// Refuses an object with a key other than these; the message begins with `place`.
pub fn known(value: &Value, place: &str, keys: Keys) -> Result<()> {
    only(value, &[], keys).map_or(Ok(()), |unknown| Err(Refusal::malformed(format!("{place}: {unknown}"))))
}

/// Returns the first key of an object that is neither in the groups nor in `beside`. The message does not list `beside`.
pub fn only(value: &Value, beside: &[&str], keys: &[&[&str]]) -> Option<UnknownKey> {
    let object = value.as_object()?;
    UnknownKey::among(object.keys().map(String::as_str).filter(|key| !beside.contains(key)), &keys.concat())
}

/// The value of a key that must be there.
pub fn part<'v>(value: &'v Value, key: &str) -> Result<&'v Value> {
    value.get(key).ok_or_else(|| Refusal::malformed(format!("the key `{key}` is missing")))
}
