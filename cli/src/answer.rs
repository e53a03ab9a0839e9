//! Answers to requests in JSON: results and refusals.

use serde_json::{Map, Value};

/// A reply as a JSON object: `ok` with the result, or `error` with the message and the keys of the details.
pub type Answer = Map<String, Value>;

/// A result, or a refusal.
pub type Result<T> = std::result::Result<T, Refusal>;

/// A refused request: a message, and details.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub message: String,
    pub more: Answer,
}

impl Refusal {
    /// Returns the refusal of a request with this message and no details.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), more: Answer::new() }
    }

    /// Returns the refusal of a request of the wrong form.
    pub fn malformed(message: impl Into<String>) -> Refusal {
        Refusal::new(message).with("kind", "malformed")
    }

    /// Returns the refusal of a request without a key that its other keys require.
    pub fn missing(key: &str) -> Refusal {
        Refusal::malformed(format!("the key `{key}` is missing"))
    }

    /// Returns the refusal of a request for more work than one request may cause.
    pub fn too_large(message: impl Into<String>) -> Refusal {
        Refusal::new(message).with("kind", "too_large")
    }

    /// Sets the kind to the detail of an error class: `unreachable` of `graph/unreachable`.
    pub fn with_kind(self, class: &str) -> Refusal {
        self.with("kind", detail(class))
    }

    /// Adds a key with its value to the details of the refusal.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Refusal {
        self.more.insert(key.into(), value.into());
        self
    }
}

/// Returns the detail of an error class: `unreachable` of `graph/unreachable`.
pub fn detail(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or_default()
}

impl From<Refusal> for Answer {
    fn from(Refusal { message, mut more }: Refusal) -> Answer {
        more.insert("error".into(), message.into());
        more
    }
}

/// Returns the text of a value that the command prints: JSON with sorted keys, whatever features `serde_json` has.
pub fn text(value: impl Into<Value>) -> String {
    let mut value = value.into();
    value.sort_all_objects();
    value.to_string()
}

/// Returns the reply with this value under `ok`.
pub fn success(value: Value) -> Answer {
    Map::from_iter([("ok".into(), value)])
}

/// Returns the refusal of the name of an unknown operation.
pub fn unknown(name: &str) -> Refusal {
    Refusal::new(format!("there is no operation `{name}`")).with("kind", "unknown_op")
}

/// Returns the refusal of a request by an error of this class, `family/detail`. The detail `unsupported` also becomes the kind.
pub fn of_class(class: impl Into<String>, message: impl Into<String>) -> Refusal {
    let class = class.into();
    let refusal = Refusal::new(message);
    let refusal = if class.ends_with("/unsupported") { refusal.with("kind", "unsupported") } else { refusal };
    refusal.with("class", class)
}
