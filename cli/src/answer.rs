//! Answers to requests in JSON.

use serde_json::{Map, Value};

/// A reply: `ok`, or `error` and what is known of it.
pub type Answer = Map<String, Value>;

/// A reply that refuses.
pub fn failure(message: impl Into<String>) -> Answer {
    Map::from_iter([("error".into(), Value::String(message.into()))])
}

/// A reply with a result.
pub fn success(value: Value) -> Answer {
    Map::from_iter([("ok".into(), value)])
}

/// There is no such operation.
pub fn unknown(name: &str) -> Answer {
    let mut reply = failure(format!("there is no operation `{name}`"));
    reply.insert("kind".into(), "unknown_op".into());
    reply
}
