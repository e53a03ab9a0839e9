//! Answers to requests in JSON: results and refusals.

use serde_json::{Map, Value};

/// A reply: `ok`, or `error` with details.
pub type Answer = Map<String, Value>;

/// A result, or a refusal.
pub type Result<T> = std::result::Result<T, Refusal>;

/// A refused request: a message, and details.
#[derive(Debug)]
pub struct Refusal {
    pub message: String,
    pub more: Answer,
}

impl Refusal {
    /// Refuses a request with this message.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), more: Answer::new() }
    }

    /// Refuses a request of the wrong form.
    pub fn malformed(message: impl Into<String>) -> Refusal {
        Refusal::new(message).with("kind", "malformed")
    }

    /// Refuses a request without a key that its other keys require.
    pub fn missing(key: &str) -> Refusal {
        Refusal::malformed(format!("the key `{key}` is missing"))
    }

    /// Refuses a request for more work than one request may cause.
    pub fn too_large(message: impl Into<String>) -> Refusal {
        Refusal::new(message).with("kind", "too_large")
    }

    /// Sets the kind to the detail of an error class: `unreachable` of `graph/unreachable`.
    pub fn with_kind(self, class: &str) -> Refusal {
        self.with("kind", detail(class))
    }

    /// Adds a key to the answer.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Refusal {
        self.more.insert(key.into(), value.into());
        self
    }
}

/// Returns the class of an error without its family.
pub fn detail(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or_default()
}

impl From<Refusal> for Answer {
    fn from(Refusal { message, mut more }: Refusal) -> Answer {
        more.insert("error".into(), message.into());
        more
    }
}

/// Returns a reply with a result.
pub fn success(value: Value) -> Answer {
    Map::from_iter([("ok".into(), value)])
}

/// Refuses the name of an unknown operation.
pub fn unknown(name: &str) -> Refusal {
    Refusal::new(format!("there is no operation `{name}`")).with("kind", "unknown_op")
}

/// Refuses a request with an error of this class, `family/detail`.
pub fn of_class(class: impl Into<String>, message: impl Into<String>) -> Refusal {
    let class = class.into();
    let refusal = Refusal::new(message);
    let refusal = if class.ends_with("/unsupported") { refusal.with("kind", "unsupported") } else { refusal };
    refusal.with("class", class)
}
