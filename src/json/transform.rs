//! Reads and writes the kind of an edge: its type and its params.

use super::de::shown;
use super::quantity::{self, Quantity};
use super::{JsonError, JsonFault, listed, read};
use crate::error::UnknownKey;
use crate::graph::{Dataflow, EdgeKind, Expr, Field, ReadFields, Transform};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Deserialize;
use serde_json::{Map, Value, json};

type Result<T> = core::result::Result<T, JsonError>;

/// The fields of a transform, by their names.
struct Params<'de>(&'de Map<String, Value>);

impl<'de> Params<'de> {
    /// Fails if the value is not an object, or if it has keys that are not in `allowed`.
    fn new(value: &'de Value, allowed: &[&str]) -> Result<Params<'de>> {
        let map = value.as_object().ok_or_else(|| expected(value, "an object"))?;
        match UnknownKey::among(map.keys().map(String::as_str), allowed) {
            Some(unknown) => Err(JsonError::new(String::new(), unknown.into())),
            None => Ok(Params(map)),
        }
    }

    fn field<T: Deserialize<'de>>(&self, key: &'static str) -> Result<T> {
        let value = self.0.get(key).ok_or_else(|| JsonError::new(String::new(), JsonFault::MissingKey { key }))?;
        read(value).map_err(|error| error.below(key))
    }
}

fn expected(value: &Value, what: impl ToString) -> JsonError {
    JsonError::new(String::new(), JsonFault::Found { found: shown(value), expected: what.to_string() })
}

fn plain(quantities: Vec<Quantity>) -> Vec<Expr> {
    quantities.into_iter().map(|Quantity(expr)| expr).collect()
}

impl ReadFields for Params<'_> {
    type Error = JsonError;

    fn quantity(&mut self, key: &'static str) -> Result<Expr> {
        self.field(key).map(|Quantity(expr)| expr)
    }

    fn quantities(&mut self, key: &'static str) -> Result<Vec<Expr>> {
        self.field(key).map(plain)
    }

    fn pair(&mut self, key: &'static str) -> Result<[Expr; 2]> {
        Ok(self.field::<[Quantity; 2]>(key)?.map(|Quantity(expr)| expr))
    }

    fn lists(&mut self, key: &'static str) -> Result<[Vec<Expr>; 2]> {
        Ok(self.field::<[Vec<Quantity>; 2]>(key)?.map(plain))
    }

    fn numbers(&mut self, key: &'static str) -> Result<Box<[i64]>> {
        self.field(key)
    }

    fn flag(&mut self, key: &'static str) -> Result<bool> {
        self.field(key)
    }
}

/// Reads the kind of an edge from its type and its params.
pub(super) fn read_kind(name: &str, params: Option<&Value>) -> Result<EdgeKind> {
    let nothing = Value::Object(Map::new());
    let of = |keys: &[&str]| Params::new(params.unwrap_or(&nothing), keys);
    let below = |error: JsonError| error.below("params");
    if let Some(relation) = Dataflow::from_name(name) {
        let keys: &[&str] = if relation.number().is_some() { &["number"] } else { &[] };
        let number = |params: Params<'_>| params.field("number");
        return Ok(EdgeKind::Dataflow(match (relation, of(keys).map_err(below)?) {
            (Dataflow::Segment(_), params) => Dataflow::Segment(number(params).map_err(below)?),
            (Dataflow::Index(_), params) => Dataflow::Index(number(params).map_err(below)?),
            (other, _) => other,
        }));
    }
    let names = || listed(Transform::NAMES.iter().copied().chain(Dataflow::ALL.iter().map(|relation| relation.name())));
    let unknown = || expected(&json!(name), alloc::format!("one of {}", names())).below("type");
    let keys: Vec<_> = Transform::field_names(name).ok_or_else(unknown)?.iter().map(|field| field.key).collect();
    let transform = Transform::read(name, &mut of(&keys).map_err(below)?).ok_or_else(unknown)?;
    transform.map(EdgeKind::Transform).map_err(below)
}

/// Returns the params from which [`read_kind`] makes this kind, if it has any.
pub(super) fn params(kind: &EdgeKind) -> Option<Value> {
    let transform = match kind {
        EdgeKind::Transform(transform) => transform,
        EdgeKind::Dataflow(relation) => return relation.number().map(|number| json!({"number": number})),
    };
    let params = transform.named_fields().map(|(name, field)| {
        let value = match field {
            Field::Quantity(quantity) => quantity::write(quantity),
            Field::Quantities(list) => quantity::write_all(list),
            Field::Pair(pair) => quantity::write_all(pair),
            Field::Lists(lists) => lists.iter().map(|list| quantity::write_all(list)).collect(),
            Field::Numbers(table) => json!(table),
            Field::Flag(flag) => json!(flag),
        };
        (String::from(name.key), value)
    });
    let params: serde_json::Map<_, _> = params.collect();
    (!params.is_empty()).then_some(Value::Object(params))
}
