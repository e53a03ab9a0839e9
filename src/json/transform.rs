//! The kind of an edge: its type and its params.

use super::place::{At, Object, Result};
use super::{JsonError, quantity};
use crate::graph::{Dataflow, EdgeKind, Expr, Field, ReadFields, Transform};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Value, json};

impl ReadFields for Object<'_> {
    type Error = JsonError;

    fn quantity(&mut self, key: &'static str) -> Result<Expr> {
        quantity::read(self.key(key)?)
    }

    fn quantities(&mut self, key: &'static str) -> Result<Vec<Expr>> {
        self.key(key)?.each(quantity::read)
    }

    fn pair(&mut self, key: &'static str) -> Result<[Expr; 2]> {
        self.key(key)?.pair(quantity::read)
    }

    fn lists(&mut self, key: &'static str) -> Result<[Vec<Expr>; 2]> {
        self.key(key)?.pair(|of_case| of_case.each(quantity::read))
    }

    fn numbers(&mut self, key: &'static str) -> Result<Box<[i64]>> {
        self.key(key)?.each(|entry| entry.integer()).map(Vec::into)
    }

    fn flag(&mut self, key: &'static str) -> Result<bool> {
        self.key(key)?.boolean()
    }
}

/// The kind of an edge, from its `type` and `params`.
pub(super) fn read(edge: Object<'_>) -> Result<EdgeKind> {
    let kind = edge.key("type")?;
    let name = kind.text()?;
    let nothing = Value::Object(serde_json::Map::new());
    let missing = edge.child("params", &nothing);
    let params = edge.optional("params").and_then(At::non_null).unwrap_or(missing);
    if let Some(relation) = Dataflow::from_name(name) {
        return relation_of(relation, &params).map(EdgeKind::Dataflow);
    }
    let unknown = || kind.expected(alloc::format!("one of {}", names()));
    let keys: Vec<_> = Transform::field_names(name).ok_or_else(unknown)?.iter().map(|field| field.key).collect();
    let transform = Transform::read(name, &mut params.object(&keys)?).ok_or_else(unknown)??;
    Ok(EdgeKind::Transform(transform))
}

fn relation_of(relation: Dataflow, params: &At<'_>) -> Result<Dataflow> {
    let keys: &[&str] = if relation.number().is_some() { &["number"] } else { &[] };
    let params = params.object(keys)?;
    match relation {
        Dataflow::Segment(_) => params.key("number")?.number().map(Dataflow::Segment),
        Dataflow::Index(_) => params.key("number")?.number().map(Dataflow::Index),
        other => Ok(other),
    }
}

fn names() -> String {
    let transforms = Transform::NAMES.iter().copied();
    transforms.chain(Dataflow::ALL.iter().map(|relation| relation.name())).collect::<Vec<_>>().join(", ")
}

/// The params that [`read`] makes this kind of, if it has any.
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
