//! The operations `ragged` and `ragged.*` of `batch`.

use super::fields::{fields, leaves, nested};
use super::request::{ARRAY, Leaf, array, array_of, array_of_any_size, index, index_at, numbers, numbers_at, rows_at, with_leaves};
use crate::answer::{Answer, Refusal, Result, Row, one_of, part};
use crate::words::many;
use crd2idx::ragged::{self, Number, RaggedArray, RaggedError};
use serde_json::{Value, json};

/// The operations, by name.
const OPERATIONS: &[Row] = &[
    ("ragged", &[ARRAY, &["want", "fill"]], described),
    ("ragged.mixed", &[ARRAY, &["want", "fill"]], described),
    ("ragged.pack", &[ARRAY], pack),
    ("ragged.broadcast_add", &[ARRAY, &["level", "vec"]], broadcast_add),
    ("ragged.views", &[ARRAY], views),
    ("ragged.encode", &[&["nrows", "row_lengths", "row_splits", "value_rowids"]], encode),
    ("ragged.split", &[&["offsets", "items_per_part"]], split),
    ("ragged.from_offsets", &[ARRAY, &["data_len"]], counts),
    ("ragged.from_views", &[ARRAY, &["data_len"]], counts),
    ("ragged.from_row_lengths", &[&["row_lengths", "data_len"]], |request| {
        counted(RaggedArray::from_lengths(numbers_at(request, "row_lengths", index)?, empty_leaves(request)?)?)
    }),
    ("ragged.from_value_rowids", &[&["value_rowids", "nrows", "data_len"]], |request| {
        let ids = numbers_at(request, "value_rowids", index)?;
        counted(RaggedArray::from_row_ids(rows_at(request, "nrows")?, &ids, vec![(); ids.len()])?)
    }),
    ("ragged.from_regular", &[&["size", "data_len"]], |request| {
        counted(RaggedArray::from_regular_rows(index_at(request, "size")?, empty_leaves(request)?)?)
    }),
    ("ragged.index", &[ARRAY, &["data_len", "at"]], element),
    ("ragged.decompose", &[ARRAY, &["data_len", "k"]], |request| {
        let array = array_of(request, empty_leaves(request)?)?;
        Ok(json!({"at": array.pack()?.shape().decompose(index_at(request, "k")?)?}))
    }),
    ("ragged.to_regular", &[ARRAY, &["data_len"]], to_regular),
    ("ragged.narrow_offsets", &[ARRAY, &["data_len", "word"]], narrow_offsets),
    ("ragged.flatten", &[ARRAY, &["axis"]], |request| {
        let axis = index_at(request, "axis")?;
        with_leaves!(array(request)?, array => Ok(with_offsets(&array.flatten(axis).map_err(|error| at_axis(error, axis))?)))
    }),
    ("ragged.unflatten", &[ARRAY, &["axis", "sizes"]], |request| {
        let (axis, sizes) = (index_at(request, "axis")?, numbers_at(request, "sizes", index)?);
        with_leaves!(array(request)?, array => Ok(with_offsets(&array.unflatten(axis, &sizes).map_err(|error| at_axis(error, axis))?)))
    }),
    ("ragged.reduce", &[ARRAY, &["axis", "op2"]], reduce),
    ("ragged.paged", &[super::paged::SHAPE, super::paged::QUESTION], super::paged::paged),
];

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer> {
    one_of(OPERATIONS, name, request)
}

/// The fields of `want`, of an array with offsets or of levels.
fn described(request: &Value) -> Result<Value> {
    with_leaves!(array(request)?, array => fields(&array.pack()?, request.get("want").unwrap_or(&Value::Null), request.get("fill")))
}

fn pack(request: &Value) -> Result<Value> {
    with_leaves!(array(request)?, array => {
        let packed = array.pack()?;
        Ok(json!({"offsets": packed.shape().offsets(), "data": leaves(&packed)}))
    })
}

/// The offsets and the leaves of an array.
fn with_offsets<T: Leaf>(array: &RaggedArray<'_, T>) -> Value {
    json!({"offsets": array.shape().offsets(), "data": leaves(array)})
}

/// The refusal of an operation on an axis, which is the level of errors that have none.
fn at_axis(error: RaggedError, axis: usize) -> Refusal {
    let refusal = Refusal::from(error);
    if refusal.more.contains_key("level") { refusal } else { refusal.with("level", axis) }
}

/// The packed offsets of every level in numbers of a type.
fn narrow_offsets(request: &Value) -> Result<Value> {
    // Its answer is as long as the request.
    let array = array_of_any_size(request, empty_leaves(request)?)?;
    let shape = array.shape();
    let levels = 0..shape.depth() - 1;
    Ok(json!({"offsets": match part(request, "word")?.as_str() {
        Some("u32") => json!(levels.map(|q| shape.packed_offsets::<u32>(q)).collect::<ragged::Result<Vec<_>>>()?),
        Some("i32") => json!(levels.map(|q| shape.packed_offsets::<i32>(q)).collect::<ragged::Result<Vec<_>>>()?),
        Some("u64") => json!(levels.map(|q| shape.packed_offsets::<u64>(q)).collect::<ragged::Result<Vec<_>>>()?),
        Some("i64") => json!(levels.map(|q| shape.packed_offsets::<i64>(q)).collect::<ragged::Result<Vec<_>>>()?),
        _ => return Err(Refusal::malformed("`word` is none of u32, u64, i32, i64")),
    }}))
}

/// A reduction over an axis: `sum`, `max`, `min` or `count`.
fn reduce(request: &Value) -> Result<Value> {
    let axis = index_at(request, "axis")?;
    with_leaves!(array(request)?, array => {
        let refuse = |error| at_axis(error, axis);
        let optional = |leaf: &Option<_>| leaf.map_or(Value::Null, Leaf::to_json);
        Ok(json!({"values": match part(request, "op2")?.as_str() {
            Some("sum") => nested(&array.sum(axis).map_err(refuse)?, |leaf| leaf.to_json()),
            Some("max") => nested(&array.max(axis).map_err(refuse)?, optional),
            Some("min") => nested(&array.min(axis).map_err(refuse)?, optional),
            Some("count") => nested(&array.map(|_| 1_i128)?.sum(axis).map_err(refuse)?, |leaf| leaf.to_json()),
            _ => return Err(Refusal::malformed("`op2` is none of sum, max, min, count")),
        }}))
    })
}

fn broadcast_add(request: &Value) -> Result<Value> {
    let level = index_at(request, "level")?;
    with_leaves!(array(request)?, array => {
        let sums = array.broadcast(level, &numbers_at(request, "vec", Leaf::from_json)?, |leaf, number| leaf.plus(*number))?;
        let sums: Option<Vec<Value>> = sums.leaves().iter().map(|sum| sum.map(Leaf::to_json)).collect();
        Ok(json!({"data": sums.ok_or(RaggedError::Overflow)?}))
    })
}

fn views(request: &Value) -> Result<Value> {
    with_leaves!(array(request)?, array => {
        let packed = array.pack()?;
        Ok(json!({
            "packed_offsets": packed.shape().offsets().first(),
            "packed_data": leaves(&packed),
            "gather": array.sources()?,
            "contiguous": array.shape().is_contiguous(),
            "disjoint": array.shape().is_disjoint(),
        }))
    })
}

/// As many leaves without content as `data_len` says.
fn empty_leaves(request: &Value) -> Result<Vec<()>> {
    Ok(vec![(); index_at(request, "data_len")?])
}

/// The number of elements of each axis of the array that a request describes.
fn counts(request: &Value) -> Result<Value> {
    counted(array_of(request, empty_leaves(request)?)?)
}

fn counted(array: RaggedArray<'_, ()>) -> Result<Value> {
    Ok(json!({"n": (0..array.depth()).map(|axis| array.shape().count(axis)).collect::<Vec<_>>()}))
}

/// The rows with these offsets, and leaves without content.
fn rows(offsets: Vec<i64>) -> Result<RaggedArray<'static, ()>> {
    let leaves = offsets.last().map_or(0, |end| usize::try_from(*end).unwrap_or(0));
    Ok(RaggedArray::from_offsets(vec![offsets], vec![(); leaves])?)
}

/// Rows by `nrows` and one of `row_lengths`, `row_splits` and `value_rowids`, in all encodings, and I, S and J.
fn encode(request: &Value) -> Result<Value> {
    let count = rows_at(request, "nrows")?;
    let array = if let Some(lengths) = request.get("row_lengths") {
        let lengths = numbers(lengths, "row_lengths", index)?;
        let sum = lengths.iter().try_fold(0_usize, |sum, len| sum.checked_add(*len)).ok_or(RaggedError::Overflow)?;
        RaggedArray::from_lengths(lengths, vec![(); sum])?
    } else if let Some(splits) = request.get("row_splits") {
        rows(numbers(splits, "row_splits", Value::as_i64)?)?
    } else if let Some(ids) = request.get("value_rowids") {
        let ids = numbers(ids, "value_rowids", index)?;
        RaggedArray::from_row_ids(count, &ids, vec![(); ids.len()])?
    } else {
        return Err(Refusal::malformed("one of the keys `row_lengths`, `row_splits` and `value_rowids` is needed"));
    };
    if array.len() != count {
        return Err(Refusal::malformed(format!("`nrows` is {count}, but the array has {}", many(array.len() as i128, "row"))));
    }
    if array.leaves().len() > 1 << 26 {
        return Err(Refusal::too_large(format!("{} elements are too many to list", array.leaves().len())));
    }
    let shape = array.shape();
    let (parents, splits) = (shape.parents(0), &shape.offsets()[0]);
    Ok(json!({
        "row_lengths": splits.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>(),
        "row_splits": splits,
        "row_starts": splits[..count],
        "row_limits": splits[1..],
        "value_rowids": parents,
        "I": parents,
        "S": shape.starts(0),
        "J": shape.local_indices(0),
    }))
}

/// The splits of rows and leaves in parts of `items_per_part`.
fn split(request: &Value) -> Result<Value> {
    let array = rows(numbers_at(request, "offsets", Value::as_i64)?)?;
    let items = index_at(request, "items_per_part")?;
    if items > 0 && (array.len() + array.leaves().len()) / items > 1 << 24 {
        return Err(Refusal::too_large("more than 16777216 parts"));
    }
    Ok(json!({"splits": array.shape().merge_path(items)?}))
}

/// The leaf with the coordinates `at`, and its number.
fn element(request: &Value) -> Result<Value> {
    let at = numbers_at(request, "at", index)?;
    if request.get("data").is_none() {
        return Ok(json!({"leaf": array_of(request, empty_leaves(request)?)?.shape().locate(&at)?}));
    }
    with_leaves!(array(request)?, array => {
        let array = array.pack()?;
        Ok(json!({"leaf": array.shape().locate(&at)?, "value": array.get(&at)?.to_json()}))
    })
}

fn to_regular(request: &Value) -> Result<Value> {
    if request.get("data").is_none() {
        return Ok(json!({"shape": array_of(request, empty_leaves(request)?)?.to_regular()?.0}));
    }
    with_leaves!(array(request)?, array => {
        Ok(json!({"shape": array.to_regular()?.0, "values": nested(&array.pack()?, |leaf| leaf.to_json())}))
    })
}
