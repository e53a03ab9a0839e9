//! The fields of the answers to `ragged` and `ragged.mixed`, by name.

use super::request::Leaf;
use crate::answer::{Refusal, Result};
use crd2idx::ragged::{self, RaggedArray};
use serde_json::{Map, Value, json};

/// The most elements of a padded array that an answer lists.
const MOST_PADDED: usize = 500;

/// An array as nested lists.
pub fn nested<T: Clone + 'static>(array: &RaggedArray<'_, T>, leaf: impl Fn(&T) -> Value) -> Value {
    let mut values: Vec<Value> = array.leaves().iter().map(leaf).collect();
    for q in (0..array.depth() - 1).rev() {
        let shape = array.shape();
        values = (0..shape.count(q)).map(|row| Value::Array(values[shape.row(q, row)].to_vec())).collect();
    }
    Value::Array(values)
}

/// The leaves of an array as a list.
pub fn leaves<T: Leaf>(array: &RaggedArray<'_, T>) -> Value {
    array.leaves().iter().map(leaf_json).collect()
}

fn leaf_json<T: Leaf>(leaf: &T) -> Value {
    leaf.to_json()
}

/// A field: its name, and what it says of an array with consecutive lists, padded with the number given or 0.
type Field<T> = (&'static str, fn(&RaggedArray<'_, T>, Option<&Value>) -> Result<Value>);

fn table<T: Leaf>() -> [Field<T>; 19] {
    [
        ("n", |a, _| Ok((0..a.depth()).map(|axis| a.shape().count(axis)).collect())),
        ("as_offsets", |a, _| Ok(json!(a.shape().offsets()))),
        ("coords", |a, _| Ok(json!(a.shape().coordinates()))),
        ("parent", |a, _| levels(a, |q| a.shape().parents(q))),
        ("parent_start", |a, _| levels(a, |q| a.shape().starts(q))),
        ("leaf_offsets", |a, _| levels(a, |q| a.shape().leaf_offsets(q))),
        ("leaf_row", |a, _| levels(a, |q| a.shape().leaf_rows(q))),
        ("leaf_start", |a, _| levels(a, |q| a.shape().leaf_starts(q))),
        ("num", |a, _| axes(a, |axis| if axis == 0 { Ok(json!(a.len())) } else { Ok(nested(&a.num(axis)?, |n| json!(n))) })),
        ("local_index", |a, _| axes(a, |axis| Ok(nested(&a.local_index(axis)?, |n| json!(n))))),
        ("sum", |a, _| axes(a, |axis| Ok(nested(&a.sum(axis)?, leaf_json)))),
        ("max", |a, _| axes(a, |axis| extremes(a.max(axis)))),
        ("min", |a, _| axes(a, |axis| extremes(a.min(axis)))),
        ("total_sum", |a, _| Ok(a.total()?.to_json())),
        ("total_max", |a, _| {
            let most = a.leaves().iter().copied().reduce(|most, leaf| if leaf.order(most).is_gt() { leaf } else { most });
            Ok(most.map_or(Value::Null, T::to_json))
        }),
        ("flatten", |a, _| (1..a.depth()).map(|axis| Ok(json!({"axis": axis, "offsets": a.flatten(axis)?.shape().offsets()}))).collect()),
        ("reverse", |a, _| {
            axes(a, |axis| {
                let reversed = a.reverse(axis)?;
                Ok(json!({"axis": axis, "offsets": reversed.shape().offsets(), "data": leaves(&reversed)}))
            })
        }),
        ("padded", padded),
        ("argsort_last", |a, _| Ok(nested(&a.argsort()?, |n| json!(n)))),
    ]
}

fn levels<T: Leaf>(array: &RaggedArray<'_, T>, of_level: impl Fn(usize) -> Vec<usize>) -> Result<Value> {
    Ok(json!((0..array.depth() - 1).map(of_level).collect::<Vec<_>>()))
}

fn axes<T: Leaf>(array: &RaggedArray<'_, T>, of_axis: impl Fn(usize) -> Result<Value>) -> Result<Value> {
    (0..array.depth()).map(of_axis).collect()
}

fn extremes<T: Leaf>(array: ragged::Result<RaggedArray<'_, Option<T>>>) -> Result<Value> {
    Ok(nested(&array?, |leaf| leaf.map_or(Value::Null, T::to_json)))
}

/// The regular array, row-major, listed if it is small.
fn padded<T: Leaf>(array: &RaggedArray<'_, T>, fill: Option<&Value>) -> Result<Value> {
    let shape = array.bounding_shape()?;
    let fill = match fill.filter(|fill| !fill.is_null()) {
        None => T::ZERO,
        Some(fill) => fill.as_number().and_then(T::from_json).ok_or_else(|| Refusal::malformed("`fill` is not a leaf"))?,
    };
    let size = shape.iter().try_fold(1_usize, |size, n| size.checked_mul(*n));
    let values: Option<Value> = match size.filter(|size| *size <= MOST_PADDED) {
        Some(_) => Some(array.to_padded(&fill)?.1.iter().map(leaf_json).collect()),
        None => None,
    };
    Ok(json!({"shape": shape, "fill": fill.to_json(), "values": values}))
}

/// The fields of `want`, or all of them, which are of an array with consecutive lists.
pub fn fields<T: Leaf>(array: &RaggedArray<'_, T>, want: Option<&[String]>, fill: Option<&Value>) -> Result<Value> {
    let table = table::<T>();
    let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
    let mut out = Map::new();
    for name in want.map_or(names.clone(), |want| want.iter().map(String::as_str).collect()) {
        let (_, field) = table
            .iter()
            .find(|(known, _)| name == *known)
            .ok_or_else(|| Refusal::malformed(format!("\"{name}\" is not one of the fields {}", names.join(", "))))?;
        out.insert(name.to_owned(), field(array, fill)?);
    }
    Ok(Value::Object(out))
}
