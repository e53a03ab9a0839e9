//! What the operations `ragged` and `ragged.mixed` say of an array, by name.

use super::read::{Leaf, Refusal, Result};
use crd2idx::sparse::ragged::{Number, RaggedArray};
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

fn leaf_json<T: Leaf>(leaf: &T) -> Value {
    leaf.to_json()
}

/// The fields of `want`, which are of an array with consecutive lists.
pub fn fields<T: Leaf>(array: &RaggedArray<'_, T>, want: &Value, fill: Option<&Value>) -> Result<Value> {
    let all: Vec<Value> = NAMES.iter().map(|name| Value::from(*name)).collect();
    let names = if want.is_null() { all.as_slice() } else { super::read::list(want, "want")? };
    let mut out = Map::new();
    for name in names {
        let unknown = || Refusal::Malformed(format!("{name} is not one of the fields {}", NAMES.join(", ")));
        let name = name.as_str().ok_or_else(unknown)?;
        out.insert(name.into(), field(array, name, fill)?.ok_or_else(unknown)?);
    }
    Ok(Value::Object(out))
}

const NAMES: &[&str] = &[
    "n",
    "as_offsets",
    "coords",
    "parent",
    "parent_start",
    "leaf_offsets",
    "leaf_row",
    "leaf_start",
    "num",
    "local_index",
    "sum",
    "max",
    "min",
    "total_sum",
    "total_max",
    "flatten",
    "reverse",
    "padded",
    "argsort_last",
];

fn field<T: Leaf>(array: &RaggedArray<'_, T>, name: &str, fill: Option<&Value>) -> Result<Option<Value>> {
    let (shape, depth) = (array.shape(), array.depth());
    let each_level = |f: &dyn Fn(usize) -> Vec<usize>| json!((0..depth - 1).map(f).collect::<Vec<_>>());
    let each_axis = |f: &dyn Fn(usize) -> Result<Value>| (0..depth).map(f).collect::<Result<Vec<_>>>().map(Value::Array);
    let extremes = |f: &dyn Fn(usize) -> crd2idx::sparse::ragged::Result<RaggedArray<'static, Option<T>>>| {
        each_axis(&|axis| Ok(nested(&f(axis)?, |leaf| leaf.map_or(Value::Null, T::to_json))))
    };
    Ok(Some(match name {
        "n" => json!((0..depth).map(|axis| shape.count(axis)).collect::<Vec<_>>()),
        "as_offsets" => json!(shape.offsets()),
        "coords" => json!(shape.coordinates()),
        "parent" => each_level(&|q| shape.parents(q)),
        "parent_start" => each_level(&|q| shape.starts(q)),
        "leaf_offsets" => each_level(&|q| shape.leaf_offsets(q)),
        "leaf_row" => each_level(&|q| shape.leaf_rows(q)),
        "leaf_start" => each_level(&|q| shape.leaf_starts(q)),
        "num" => each_axis(&|axis| match axis {
            0 => Ok(json!(array.len())),
            _ => Ok(nested(&array.num(axis)?, |n| json!(n))),
        })?,
        "local_index" => each_axis(&|axis| Ok(nested(&array.local_index(axis)?, |n| json!(n))))?,
        "sum" => each_axis(&|axis| Ok(nested(&array.sum(axis)?, leaf_json)))?,
        "max" => extremes(&|axis| array.max(axis))?,
        "min" => extremes(&|axis| array.min(axis))?,
        "total_sum" => array.total()?.to_json(),
        "total_max" => {
            let most = array.leaves().iter().copied().reduce(|most, leaf| if Number::order(leaf, most).is_gt() { leaf } else { most });
            most.map_or(Value::Null, T::to_json)
        }
        "flatten" => {
            let flat = |axis: usize| Ok(json!({"axis": axis, "offsets": array.flatten(axis)?.shape().offsets()}));
            Value::Array((1..depth).map(flat).collect::<Result<_>>()?)
        }
        "reverse" => each_axis(&|axis| {
            let reversed = array.reverse(axis)?;
            let data: Vec<Value> = reversed.leaves().iter().map(leaf_json).collect();
            Ok(json!({"axis": axis, "offsets": reversed.shape().offsets(), "data": data}))
        })?,
        "padded" => padded(array, fill)?,
        "argsort_last" => nested(&array.argsort()?, |n| json!(n)),
        _ => return Ok(None),
    }))
}

/// The regular array, row-major, listed if it is small.
fn padded<T: Leaf>(array: &RaggedArray<'_, T>, fill: Option<&Value>) -> Result<Value> {
    let shape = array.bounding_shape()?;
    let (given, zero) = (fill.unwrap_or(&Value::Null), T::ZERO);
    let fill = if given.is_null() { zero } else { T::from_json(given).ok_or_else(|| Refusal::Malformed("`fill` is not a leaf".into()))? };
    let size = shape.iter().try_fold(1_usize, |size, n| size.checked_mul(*n));
    let values = match size.filter(|size| *size <= MOST_PADDED) {
        Some(_) => Value::Array(array.to_padded(&fill)?.1.iter().map(leaf_json).collect()),
        None => Value::Null,
    };
    Ok(json!({"shape": shape, "fill": fill.to_json(), "values": values}))
}
