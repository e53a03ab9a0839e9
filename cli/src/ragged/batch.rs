//! The operations `ragged` and `ragged.*` of `batch`.

use super::encode::encode;
use super::fields::{fields, nested};
use super::read::{Leaf, Refusal, Result, array, array_of, index, index_at, numbers, offsets, part, rows_at, with_leaves};
use crate::answer::{Answer, success, unknown};
use crd2idx::sparse::ragged::RaggedArray;
use serde_json::{Value, json};

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> std::result::Result<Answer, Answer> {
    let operation = match name {
        "ragged" => described,
        "ragged.mixed" => described,
        "ragged.pack" => pack,
        "ragged.broadcast_add" => broadcast_add,
        "ragged.views" => views,
        "ragged.encode" => encode,
        "ragged.split" => split,
        "ragged.from_offsets" => from_offsets,
        "ragged.from_row_lengths" => from_row_lengths,
        "ragged.from_value_rowids" => from_value_rowids,
        "ragged.from_regular" => from_regular,
        "ragged.from_views" => from_views,
        "ragged.index" => element,
        "ragged.decompose" => decompose,
        "ragged.to_regular" => to_regular,
        _ => return Err(unknown(name)),
    };
    Ok(success(operation(request)?))
}

/// The fields of `want`, of an array with offsets or of levels.
fn described(request: &Value) -> Result<Value> {
    with_leaves!(array(request)?, array => {
        fields(&array.pack()?, request.get("want").unwrap_or(&Value::Null), request.get("fill"))
    })
}

fn list_of<T: Leaf>(leaves: &[T]) -> Value {
    Value::Array(leaves.iter().map(|leaf| leaf.to_json()).collect())
}

fn pack(request: &Value) -> Result<Value> {
    with_leaves!(array(request)?, array => {
        let packed = array.pack()?;
        Ok(json!({"offsets": packed.shape().offsets(), "data": list_of(packed.leaves())}))
    })
}

fn broadcast_add(request: &Value) -> Result<Value> {
    let level = index_at(request, "level")?;
    with_leaves!(array(request)?, array => {
        let add = |numbers: Vec<_>| {
            use crd2idx::sparse::ragged::Number;
            let sums = array.broadcast(level, &numbers, |leaf, number| leaf.plus(*number))?;
            let sums: Option<Vec<_>> = sums.leaves().iter().copied().collect();
            Ok(json!({"data": list_of(&sums.ok_or(crd2idx::sparse::ragged::RaggedError::Overflow)?)}))
        };
        add(numbers(part(request, "vec")?, "vec", Leaf::from_json)?)
    })
}

fn views(request: &Value) -> Result<Value> {
    with_leaves!(array(request)?, array => {
        let packed = array.pack()?;
        let contiguous = array.shape().is_contiguous();
        Ok(json!({
            "packed_offsets": packed.shape().offsets().first(),
            "packed_data": list_of(packed.leaves()),
            "gather": array.sources()?,
            "contiguous": contiguous,
            "disjoint": array.shape().is_disjoint(),
        }))
    })
}

/// An array of leaves without content.
fn empty_leaves(request: &Value) -> Result<Vec<()>> {
    Ok(vec![(); index_at(request, "data_len")?])
}

/// What is said of an array that is right.
fn counts(array: &RaggedArray<'_, ()>) -> Value {
    json!({"n": (0..array.depth()).map(|axis| array.shape().count(axis)).collect::<Vec<_>>()})
}

fn from_offsets(request: &Value) -> Result<Value> {
    Ok(counts(&RaggedArray::from_offsets(offsets(part(request, "offsets")?)?, empty_leaves(request)?)?))
}

fn from_row_lengths(request: &Value) -> Result<Value> {
    let lengths = numbers(part(request, "row_lengths")?, "row_lengths", index)?;
    Ok(counts(&RaggedArray::from_lengths(lengths, empty_leaves(request)?)?))
}

fn from_value_rowids(request: &Value) -> Result<Value> {
    let ids = numbers(part(request, "value_rowids")?, "value_rowids", index)?;
    Ok(counts(&RaggedArray::from_row_ids(rows_at(request, "nrows")?, &ids, vec![(); ids.len()])?))
}

fn from_regular(request: &Value) -> Result<Value> {
    Ok(counts(&RaggedArray::from_regular_rows(index_at(request, "size")?, empty_leaves(request)?)?))
}

fn from_views(request: &Value) -> Result<Value> {
    Ok(counts(&array_of(request, empty_leaves(request)?)?))
}

/// The splits of rows and leaves in parts of `items_per_part`.
fn split(request: &Value) -> Result<Value> {
    let offsets = numbers(part(request, "offsets")?, "offsets", Value::as_i64)?;
    let leaves = offsets.last().map_or(0, |end| usize::try_from(*end).unwrap_or(0));
    let array = RaggedArray::from_offsets(vec![offsets], vec![(); leaves])?;
    let items = index_at(request, "items_per_part")?;
    if items > 0 && (array.len() + leaves) / items > 1 << 24 {
        return Err(Refusal::TooLarge("more than 16777216 parts".into()));
    }
    Ok(json!({"splits": array.shape().merge_path(items)?}))
}

/// The leaf with the coordinates `at`, and its number.
fn element(request: &Value) -> Result<Value> {
    let at = numbers(part(request, "at")?, "at", index)?;
    if request.get("data").is_none() {
        let array = array_of(request, empty_leaves(request)?)?;
        return Ok(json!({"leaf": array.shape().locate(&at)?}));
    }
    with_leaves!(array(request)?, array => {
        let array = array.pack()?;
        Ok(json!({"leaf": array.shape().locate(&at)?, "value": array.get(&at)?.to_json()}))
    })
}

fn decompose(request: &Value) -> Result<Value> {
    let array = array_of(request, empty_leaves(request)?)?;
    Ok(json!({"at": array.pack()?.shape().decompose(index_at(request, "k")?)?}))
}

fn to_regular(request: &Value) -> Result<Value> {
    if request.get("data").is_none() {
        let (shape, _) = array_of(request, empty_leaves(request)?)?.to_regular()?;
        return Ok(json!({"shape": shape}));
    }
    with_leaves!(array(request)?, array => {
        let (shape, _) = array.to_regular()?;
        Ok(json!({"shape": shape, "values": nested(&array.pack()?, |leaf| leaf.to_json())}))
    })
}
