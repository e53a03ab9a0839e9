//! What an edge is: its type and its params.

use super::place::{At, Object, Result};
use super::quantity;
use crate::graph::{Dataflow, EdgeKind, Expr, Transform};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Value, json};

/// The transforms without params.
const PLAIN: &[Transform] = &[
    Transform::Flatten,
    Transform::Tile,
    Transform::Join,
    Transform::Split,
    Transform::Sunder,
    Transform::PassThrough,
    Transform::Inherit,
    Transform::MakeOutput,
    Transform::Forget,
    Transform::ConstructMacroTile,
    Transform::DestructMacroTile,
    Transform::Xor,
    Transform::Insert,
    Transform::Replicate,
];

/// How the params of a transform are read.
struct Params {
    name: &'static str,
    keys: &'static [&'static str],
    read: fn(Object<'_>) -> Result<Transform>,
}

const WITH_PARAMS: &[Params] = &[
    Params {
        name: "PiecewiseAffineJoin",
        keys: &["condition", "strides", "initial"],
        read: |params| {
            Ok(Transform::PiecewiseAffineJoin {
                condition: quantity::read(params.key("condition")?)?,
                strides: params.key("strides")?.pair(|of_case| of_case.each(quantity::read))?,
                initial: params.key("initial")?.pair(quantity::read)?,
            })
        },
    },
    Params {
        name: "PairSwap",
        keys: &["rows_per_group"],
        read: |params| Ok(Transform::PairSwap { rows_per_group: one(params, "rows_per_group")? }),
    },
    Params {
        name: "Rotate",
        keys: &["rows_per_group", "positions", "inverse"],
        read: |params| {
            Ok(Transform::Rotate {
                rows_per_group: one(params, "rows_per_group")?,
                positions: one(params, "positions")?,
                inverse: params.key("inverse")?.boolean()?,
            })
        },
    },
    Params {
        name: "Pad",
        keys: &["left", "right"],
        read: |params| Ok(Transform::Pad { left: one(params, "left")?, right: one(params, "right")? }),
    },
    Params {
        name: "Slice",
        keys: &["begin", "end"],
        read: |params| Ok(Transform::Slice { begin: one(params, "begin")?, end: one(params, "end")? }),
    },
    Params {
        name: "Embed",
        keys: &["coefficients"],
        read: |params| Ok(Transform::Embed { coefficients: params.key("coefficients")?.each(quantity::read)? }),
    },
    Params { name: "Modulo", keys: &["modulus"], read: |params| Ok(Transform::Modulo { modulus: one(params, "modulus")? }) },
    Params { name: "Freeze", keys: &["at"], read: |params| Ok(Transform::Freeze { at: one(params, "at")? }) },
    Params {
        name: "Gather",
        keys: &["table"],
        read: |params| Ok(Transform::Gather { table: params.key("table")?.each(|entry| entry.integer())?.into() }),
    },
];

fn one(params: Object<'_>, key: &'static str) -> Result<Expr> {
    quantity::read(params.key(key)?)
}

/// The kind of an edge, from its `type` and `params`.
pub(super) fn read(edge: Object<'_>) -> Result<EdgeKind> {
    let kind = edge.key("type")?;
    let name = kind.text()?;
    let nothing = Value::Object(serde_json::Map::new());
    let missing = edge.child("params", &nothing);
    let params = edge.optional("params").and_then(At::non_null).unwrap_or(missing);
    if let Some(with) = WITH_PARAMS.iter().find(|with| with.name == name) {
        return (with.read)(params.object(with.keys)?).map(EdgeKind::Transform);
    }
    if let Some(relation) = Dataflow::from_name(name) {
        return relation_of(relation, &params).map(EdgeKind::Dataflow);
    }
    match PLAIN.iter().find(|plain| plain.name() == name) {
        Some(plain) => params.object(&[]).map(|_| EdgeKind::Transform(plain.clone())),
        None => Err(kind.expected(alloc::format!("one of {}", names()))),
    }
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
    let transforms = PLAIN.iter().map(Transform::name).chain(WITH_PARAMS.iter().map(|with| with.name));
    transforms.chain(Dataflow::ALL.iter().map(|relation| relation.name())).collect::<Vec<_>>().join(", ")
}

/// The params that [`read`] makes this kind of, if it has any.
pub(super) fn params(kind: &EdgeKind) -> Option<Value> {
    let one = quantity::write;
    let transform = match kind {
        EdgeKind::Transform(transform) => transform,
        EdgeKind::Dataflow(relation) => return relation.number().map(|number| json!({"number": number})),
    };
    Some(match transform {
        Transform::PiecewiseAffineJoin { condition, strides, initial } => json!({
            "condition": one(condition),
            "strides": strides.iter().map(|list| quantity::write_all(list)).collect::<Value>(),
            "initial": quantity::write_all(initial),
        }),
        Transform::PairSwap { rows_per_group } => json!({"rows_per_group": one(rows_per_group)}),
        Transform::Rotate { rows_per_group, positions, inverse } => {
            json!({"rows_per_group": one(rows_per_group), "positions": one(positions), "inverse": inverse})
        }
        Transform::Pad { left, right } => json!({"left": one(left), "right": one(right)}),
        Transform::Slice { begin, end } => json!({"begin": one(begin), "end": one(end)}),
        Transform::Embed { coefficients } => json!({"coefficients": quantity::write_all(coefficients)}),
        Transform::Modulo { modulus } => json!({"modulus": one(modulus)}),
        Transform::Freeze { at } => json!({"at": one(at)}),
        Transform::Gather { table } => json!({"table": Box::as_ref(table)}),
        _ => return None,
    })
}
