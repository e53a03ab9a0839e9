//! Answers to requests in JSON: results, and why a request is refused.

use serde_json::{Map, Value};

/// A reply: `ok`, or `error` and what is known of it.
pub type Answer = Map<String, Value>;

/// A result, or why a request is refused.
pub type Result<T> = std::result::Result<T, Refusal>;

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

    /// A key that is not there, though the others ask for it.
    pub fn missing(key: &str) -> Refusal {
        Refusal::malformed(format!("the key `{key}` is missing"))
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

/// A refusal of this class: `family/detail`.
pub fn of_class(class: impl Into<String>, message: impl Into<String>) -> Refusal {
    let class = class.into();
    let refusal = Refusal::new(message);
    let refusal = if class.ends_with("/unsupported") { refusal.with("kind", "unsupported") } else { refusal };
    refusal.with("class", class)
}
