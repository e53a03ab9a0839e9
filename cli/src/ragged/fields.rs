//! The fields of the answers to `ragged` and `ragged.mixed`, by name.

use crate::answer::{Refusal, Result};
use crate::real::{Kind, Real};
use crd2idx::ragged::{Number, RaggedArray, RaggedShape};
use serde_json::{Map, Value, json};

/// The maximum number of elements of a padded array that an answer lists.
const MOST_PADDED: usize = 500;

/// Returns the leaves of an array of this shape as nested lists.
fn nested(shape: &RaggedShape<'_>, leaves: Vec<Value>) -> Value {
    let lists = |values: Vec<Value>, q: usize| (0..shape.count(q)).map(|row| values[shape.row(q, row)].to_vec().into()).collect();
    (0..shape.depth() - 1).rev().fold(leaves, lists).into()
}

/// Returns an array of numbers as nested lists.
pub fn numbers(kind: Kind, array: &RaggedArray<'_, Real>) -> Value {
    nested(array.shape(), array.leaves().iter().map(|leaf| kind.write(*leaf)).collect())
}

/// Returns an array of extremes as nested lists. The extreme of an empty list is null.
pub fn extremes(kind: Kind, array: &RaggedArray<'_, Option<Real>>) -> Value {
    nested(array.shape(), array.leaves().iter().map(|leaf| leaf.map_or(Value::Null, |leaf| kind.write(leaf))).collect())
}

/// Returns an array of positions as nested lists.
fn places(array: &RaggedArray<'_, usize>) -> Value {
    nested(array.shape(), array.leaves().iter().map(|place| json!(place)).collect())
}

/// A field: its name, and the function that computes it from an array with consecutive lists and an optional padding.
type Field = (&'static str, fn(&RaggedArray<'_, Real>, Kind, Option<&Value>) -> Result<Value>);

const TABLE: [Field; 19] = [
    ("n", |a, _, _| Ok((0..a.depth()).map(|axis| a.shape().count(axis)).collect())),
    ("as_offsets", |a, _, _| Ok(json!(a.shape().offsets()))),
    ("coords", |a, _, _| Ok(json!(a.shape().coordinates()))),
    ("parent", |a, _, _| levels(a, &|q| a.shape().parents(q))),
    ("parent_start", |a, _, _| levels(a, &|q| a.shape().starts(q))),
    ("leaf_offsets", |a, _, _| levels(a, &|q| a.shape().leaf_offsets(q))),
    ("leaf_row", |a, _, _| levels(a, &|q| a.shape().leaf_rows(q))),
    ("leaf_start", |a, _, _| levels(a, &|q| a.shape().leaf_starts(q))),
    ("num", |a, _, _| axes(a, &|axis| if axis == 0 { Ok(json!(a.len())) } else { Ok(places(&a.num(axis)?)) })),
    ("local_index", |a, _, _| axes(a, &|axis| Ok(places(&a.local_index(axis)?)))),
    ("sum", |a, kind, _| axes(a, &|axis| Ok(numbers(kind, &a.sum(axis)?)))),
    ("max", |a, kind, _| axes(a, &|axis| Ok(extremes(kind, &a.max(axis)?)))),
    ("min", |a, kind, _| axes(a, &|axis| Ok(extremes(kind, &a.min(axis)?)))),
    ("total_sum", |a, kind, _| Ok(kind.write(a.total()?))),
    ("total_max", |a, kind, _| {
        let most = a.leaves().iter().copied().reduce(|most, leaf| if leaf.order(most).is_gt() { leaf } else { most });
        Ok(most.map_or(Value::Null, |most| kind.write(most)))
    }),
    ("flatten", |a, _, _| (1..a.depth()).map(|axis| Ok(json!({"axis": axis, "offsets": a.flatten(axis)?.shape().offsets()}))).collect()),
    ("reverse", |a, kind, _| {
        axes(a, &|axis| {
            let reversed = a.reverse(axis)?;
            Ok(json!({"axis": axis, "offsets": reversed.shape().offsets(), "data": kind.list(reversed.leaves())}))
        })
    }),
    ("padded", padded),
    ("argsort_last", |a, _, _| Ok(places(&a.argsort()?))),
];

fn levels(array: &RaggedArray<'_, Real>, of_level: &dyn Fn(usize) -> Vec<usize>) -> Result<Value> {
    Ok(json!((0..array.depth() - 1).map(of_level).collect::<Vec<_>>()))
}

fn axes(array: &RaggedArray<'_, Real>, of_axis: &dyn Fn(usize) -> Result<Value>) -> Result<Value> {
    (0..array.depth()).map(of_axis).collect()
}

/// Returns the padded array in row-major order. Its values are null if there are more than `MOST_PADDED`. Refuses a `fill` that
/// is no number.
fn padded(array: &RaggedArray<'_, Real>, kind: Kind, fill: Option<&Value>) -> Result<Value> {
    let shape = array.bounding_shape()?;
    let fill = match fill.filter(|fill| !fill.is_null()) {
        None => Real::ZERO,
        Some(fill) => fill.as_number().and_then(|fill| kind.read(fill)).ok_or_else(|| Refusal::malformed("`fill` is not a leaf"))?,
    };
    let size = shape.iter().try_fold(1_usize, |size, n| size.checked_mul(*n));
    let listed = size.is_some_and(|size| size <= MOST_PADDED);
    let values = if listed { kind.list(&array.to_padded(&fill)?.1) } else { Value::Null };
    Ok(json!({"shape": shape, "fill": kind.write(fill), "values": values}))
}

/// Returns the fields of `want`, or all fields, of an array with consecutive lists. Refuses unknown fields.
pub fn fields(array: &RaggedArray<'_, Real>, kind: Kind, want: Option<&[String]>, fill: Option<&Value>) -> Result<Value> {
    let names: Vec<&str> = TABLE.iter().map(|(name, _)| *name).collect();
    let mut out = Map::new();
    for name in want.map_or(names.clone(), |want| want.iter().map(String::as_str).collect()) {
        let (_, field) = TABLE
            .iter()
            .find(|(known, _)| name == *known)
            .ok_or_else(|| Refusal::malformed(format!("\"{name}\" is not one of the fields {}", names.join(", "))))?;
        out.insert(name.to_owned(), field(array, kind, fill)?);
    }
    Ok(Value::Object(out))
}
