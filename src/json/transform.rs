//! Reads and writes the kind of an edge: its type and its params. The table of transforms gives the names of the params.

use super::de::{At, shown};
use super::quantity::{self, Quantity};
use super::{JsonError, JsonFault, listed};
use crate::graph::{Dataflow, EdgeKind, Expr, FieldValue, ReadFields, Transform};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Map, Value, json};

type Result<T> = core::result::Result<T, JsonError>;

fn plain(quantities: Vec<Quantity>) -> Vec<Expr> {
    quantities.into_iter().map(|Quantity(expr)| expr).collect()
}

/// The fields of a transform by their names.
impl ReadFields for At<'_, '_> {
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

/// Returns the kind of an edge from its type `name` and its params. Fails if there is no such type, or if a param is
/// missing, unknown or not valid.
pub(super) fn read_kind(name: &str, params: Option<&Value>) -> Result<EdgeKind> {
    let nothing = Value::Object(Map::new());
    let mut params = At::root(params.unwrap_or(&nothing));
    let below = |error: JsonError| error.below("params");
    if let Some(relation) = Dataflow::from_name(name) {
        let keys: &[&str] = if relation.number().is_some() { &["number"] } else { &[] };
        params.only(keys).map_err(below)?;
        return Ok(EdgeKind::Dataflow(match relation {
            Dataflow::Segment(_) => Dataflow::Segment(params.field("number").map_err(below)?),
            Dataflow::Index(_) => Dataflow::Index(params.field("number").map_err(below)?),
            other => other,
        }));
    }
    let names = || listed(Transform::NAMES.iter().copied().chain(Dataflow::ALL.iter().map(|relation| relation.name())));
    let unknown = || {
        let fault = JsonFault::Found { found: shown(&json!(name)), expected: alloc::format!("one of {}", names()) };
        JsonError::new("type".into(), fault)
    };
    let keys: Vec<_> = Transform::field_names(name).ok_or_else(unknown)?.iter().map(|field| field.key).collect();
    params.only(&keys).map_err(below)?;
    let transform = Transform::read(name, &mut params).ok_or_else(unknown)?;
    transform.map(EdgeKind::Transform).map_err(below)
}

/// Returns the params from which [`read_kind`] makes this kind; `None` if it has no params.
pub(super) fn params(kind: &EdgeKind) -> Option<Value> {
    let transform = match kind {
        EdgeKind::Transform(transform) => transform,
        EdgeKind::Dataflow(relation) => return relation.number().map(|number| json!({"number": number})),
    };
    let params = transform.named_fields().map(|(name, field)| {
        let value = match field {
            FieldValue::Quantity(quantity) => quantity::write(quantity),
            FieldValue::Quantities(list) => quantity::write_all(list),
            FieldValue::Pair(pair) => quantity::write_all(pair),
            FieldValue::Lists(lists) => lists.iter().map(|list| quantity::write_all(list)).collect(),
            FieldValue::Numbers(table) => json!(table),
            FieldValue::Flag(flag) => json!(flag),
        };
        (String::from(name.key), value)
    });
    let params: serde_json::Map<_, _> = params.collect();
    (!params.is_empty()).then_some(Value::Object(params))
}
