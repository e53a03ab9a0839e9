//! The requests `ragged` and `ragged.*` of `batch`.

use super::fields::{extremes, fields, numbers};
use super::lists::with_offsets;
use super::paged;
use super::request::{Array, Count, Described, bounded, leaves};
use crate::answer::{Refusal, Result};
use crate::real::{Kind, Real};
use crate::request::{requests, structs};
use crate::words::many;
use crd2idx::ragged::{self, Number, RaggedArray, RaggedError};
use serde_json::{Value, json};

requests! {
    /// Returns the fields of an array with offsets: all, or those in `want`.
    "ragged" => described;
    /// Returns the fields of an array of levels: all, or those in `want`.
    "ragged.mixed" => described;
    /// Packs an array, so that its lists are consecutive.
    "ragged.pack" => pack;
    /// Adds to each leaf the entry of `vec` for its element of axis `level`.
    "ragged.broadcast_add" => broadcast_add;
    /// Packs lists at arbitrary positions, and tests whether they touch or overlap.
    "ragged.views" => views;
    /// Returns all encodings of rows from one of them.
    "ragged.encode" => encode;
    /// Cuts rows and leaves into parts of `items_per_part` items.
    "ragged.split" => split;
    /// Counts the elements of each axis of an array by offsets.
    "ragged.from_offsets" => |(array, count): (Described, Count)| counted(array.with(count.leaves()?)?);
    /// Counts the elements of each axis of an array by starts and sizes.
    "ragged.from_views" => |(array, count): (Described, Count)| counted(array.with(count.leaves()?)?);
    /// Counts the elements of each axis of rows by their lengths.
    "ragged.from_row_lengths" => |(rows, count): (Lengths, Count)| counted(RaggedArray::from_lengths(rows.row_lengths, count.leaves()?)?);
    /// Counts the elements of each axis of rows by the row of each element.
    "ragged.from_value_rowids" => |(rows, _): (RowIds, Count)| {
        let RowIds { value_rowids: ids, nrows } = rows;
        counted(RaggedArray::from_row_ids(bounded(nrows, "nrows")?, &ids, vec![(); ids.len()])?)
    };
    /// Counts the elements of each axis of rows of one size.
    "ragged.from_regular" => |(rows, count): (Regular, Count)| counted(RaggedArray::from_regular_rows(rows.size, count.leaves()?)?);
    /// Returns the leaf at some coordinates, and its number; or element `index` of every list of `axis`, without the axis.
    "ragged.index" => element;
    /// Returns the coordinates of a leaf.
    "ragged.decompose" => |(array, count, Decompose { k }): (Described, Count, Decompose)| {
        Ok(json!({"at": array.with(count.leaves()?)?.pack()?.shape().decompose(k)?}))
    };
    /// Returns the shape of an array whose lists have one length per axis.
    "ragged.to_regular" => to_regular;
    /// Returns the packed offsets of every level as numbers of a type.
    "ragged.narrow_offsets" => narrow_offsets;
    /// Joins an axis with the axis before it.
    "ragged.flatten" => |(array, OfAxis { axis }): (Described, OfAxis)| {
        if let Some(lists) = array.lists()? {
            return lists.chosen(|lists| lists.flatten(axis));
        }
        let Array { kind, array } = array.array()?;
        Ok(with_offsets(kind, &array.flatten(axis).map_err(|error| at_axis(error, axis))?))
    };
    /// Cuts an axis into lists of these sizes.
    "ragged.unflatten" => |(array, OfAxis { axis }, Sizes { sizes }): (Described, OfAxis, Sizes)| {
        let sizes = sizes.ok_or_else(|| Refusal::missing("sizes"))?;
        if let Some(lists) = array.lists()? {
            return lists.chosen(|lists| lists.unflatten(axis, &sizes));
        }
        let Array { kind, array } = array.array()?;
        Ok(with_offsets(kind, &array.unflatten(axis, &sizes).map_err(|error| at_axis(error, axis))?))
    };
    /// Reduces an axis to sums, maxima, minima or counts.
    "ragged.reduce" => reduce;
    /// Returns the properties in `want` of tokens of sequences in pages.
    "ragged.paged" => paged::paged;
}

structs! {
    /// The wanted fields, and the number that pads.
    Want { want: Option<Vec<String>>, fill: Option<Value> }
    Broadcast { level: usize, vec: Vec<serde_json::Number> }
    Lengths { row_lengths: Vec<usize> }
    RowIds { value_rowids: Vec<usize>, nrows: usize }
    Regular { size: usize }
    At { at: Option<Vec<usize>>, axis: Option<usize>, index: Option<isize> }
    Decompose { k: usize }
    OfAxis { axis: usize }
    Sizes { sizes: Option<Vec<usize>> }
    Word { word: String }
    Reduction { axis: usize, op2: String }
    Rows { nrows: usize, row_lengths: Option<Vec<usize>>, row_splits: Option<Vec<i64>>, value_rowids: Option<Vec<usize>> }
    Split { offsets: Vec<i64>, items_per_part: usize }
}

/// Returns the fields of `want`, of an array with offsets or of levels. Refuses unknown fields and invalid arrays.
fn described((array, Want { want, fill }): (Described, Want)) -> Result<Value> {
    let Array { kind, array } = array.array()?;
    fields(&array.pack()?, kind, want.as_deref(), fill.as_ref())
}

fn pack((array,): (Described,)) -> Result<Value> {
    let Array { kind, array } = array.array()?;
    Ok(with_offsets(kind, &array.pack()?))
}

/// Returns the refusal of an operation on an axis. The axis stands for the level if the error has none.
fn at_axis(error: RaggedError, axis: usize) -> Refusal {
    let refusal = Refusal::from(error);
    if refusal.more.contains_key("level") { refusal } else { refusal.with("level", axis) }
}

/// Returns the packed offsets of every level as numbers of a type.
fn narrow_offsets((array, count, Word { word }): (Described, Count, Word)) -> Result<Value> {
    // The answer is no longer than the request, so any size will do.
    let array = array.of_any_size(count.leaves()?)?;
    let shape = array.shape();
    let levels = 0..shape.depth() - 1;
    Ok(json!({"offsets": match word.as_str() {
        "u32" => json!(levels.map(|q| shape.packed_offsets::<u32>(q)).collect::<ragged::Result<Vec<_>>>()?),
        "i32" => json!(levels.map(|q| shape.packed_offsets::<i32>(q)).collect::<ragged::Result<Vec<_>>>()?),
        "u64" => json!(levels.map(|q| shape.packed_offsets::<u64>(q)).collect::<ragged::Result<Vec<_>>>()?),
        "i64" => json!(levels.map(|q| shape.packed_offsets::<i64>(q)).collect::<ragged::Result<Vec<_>>>()?),
        _ => return Err(Refusal::malformed("`word` is none of u32, u64, i32, i64")),
    }}))
}

/// Reduces an axis by `sum`, `max`, `min` or `count`. Refuses other names, unknown axes, and sums that overflow.
fn reduce((array, Reduction { axis, op2 }): (Described, Reduction)) -> Result<Value> {
    if let Some(lists) = array.lists()? {
        return Ok(json!({"values": lists.reduced(axis, &op2)?}));
    }
    let Array { kind, array } = array.array()?;
    let refuse = |error| at_axis(error, axis);
    Ok(json!({"values": match op2.as_str() {
        "sum" => numbers(kind, &array.sum(axis).map_err(refuse)?),
        "max" => extremes(kind, &array.max(axis).map_err(refuse)?),
        "min" => extremes(kind, &array.min(axis).map_err(refuse)?),
        "count" => numbers(Kind::Whole, &array.map(|_| Real::Whole(1))?.sum(axis).map_err(refuse)?),
        _ => return Err(Refusal::malformed("`op2` is none of sum, max, min, count")),
    }}))
}

fn broadcast_add((array, Broadcast { level, vec }): (Described, Broadcast)) -> Result<Value> {
    let Array { kind, array } = array.array()?;
    let sums = array.broadcast(level, &leaves(&vec, kind, "vec")?, |leaf, number| leaf.plus(*number))?;
    let sums: Option<Vec<Value>> = sums.leaves().iter().map(|sum| sum.map(|sum| kind.write(sum))).collect();
    Ok(json!({"data": sums.ok_or(RaggedError::Overflow)?}))
}

fn views((array,): (Described,)) -> Result<Value> {
    let Array { kind, array } = array.array()?;
    let packed = array.pack()?;
    Ok(json!({
        "packed_offsets": packed.shape().offsets().first(),
        "packed_data": kind.list(packed.leaves()),
        "gather": array.sources()?,
        "contiguous": array.shape().is_contiguous(),
        "disjoint": array.shape().is_disjoint(),
    }))
}

fn counted(array: RaggedArray<'_, ()>) -> Result<Value> {
    Ok(json!({"n": (0..array.depth()).map(|axis| array.shape().count(axis)).collect::<Vec<_>>()}))
}

/// Returns the rows with these offsets, and leaves without content. Refuses offsets that descend.
fn rows(offsets: Vec<i64>) -> Result<RaggedArray<'static, ()>> {
    let leaves = offsets.last().map_or(0, |end| usize::try_from(*end).unwrap_or(0));
    Ok(RaggedArray::from_offsets(vec![offsets], vec![(); leaves])?)
}

/// Returns all encodings of rows, given `nrows` and one of `row_lengths`, `row_splits` and `value_rowids`. Adds for each
/// element its row (`I`), the first element of that row (`S`), and its index in the row (`J`). Refuses rows that do not agree
/// with `nrows`.
fn encode((given,): (Rows,)) -> Result<Value> {
    let count = bounded(given.nrows, "nrows")?;
    let array = match given {
        Rows { row_lengths: Some(lengths), .. } => {
            let sum = lengths.iter().try_fold(0_usize, |sum, len| sum.checked_add(*len)).ok_or(RaggedError::Overflow)?;
            RaggedArray::from_lengths(lengths, vec![(); sum])?
        }
        Rows { row_splits: Some(splits), .. } => rows(splits)?,
        Rows { value_rowids: Some(ids), .. } => RaggedArray::from_row_ids(count, &ids, vec![(); ids.len()])?,
        _ => return Err(Refusal::malformed("one of the keys `row_lengths`, `row_splits` and `value_rowids` is needed")),
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

/// Returns the splits of rows and leaves into parts of `items_per_part` items. Refuses more than 2^24 parts.
fn split((Split { offsets, items_per_part: items },): (Split,)) -> Result<Value> {
    let array = rows(offsets)?;
    if items > 0 && (array.len() + array.leaves().len()) / items > 1 << 24 {
        return Err(Refusal::too_large("more than 16777216 parts"));
    }
    Ok(json!({"splits": array.shape().merge_path(items)?}))
}

/// Returns the leaf with the coordinates `at`, and the number of this leaf from 0; or the elements `index` of an axis. Refuses
/// coordinates and indices outside of the array.
fn element((array, count, At { at, axis, index }): (Described, Count, At)) -> Result<Value> {
    if let (None, Some(axis), Some(index)) = (&at, axis, index) {
        if let Some(lists) = array.lists()? {
            return lists.chosen(|lists| lists.index(axis, index));
        }
        let Array { kind, array } = array.array_or_numbers()?;
        return Ok(with_offsets(kind, &array.index(axis, index).map_err(|error| at_axis(error, axis))?));
    }
    let at = at.ok_or_else(|| Refusal::missing("at"))?;
    if array.data.is_none() && !array.has_lists() {
        return Ok(json!({"leaf": array.with(count.leaves()?)?.shape().locate(&at)?}));
    }
    let Array { kind, array } = array.array()?;
    let array = array.pack()?;
    Ok(json!({"leaf": array.shape().locate(&at)?, "value": kind.write(*array.get(&at)?)}))
}

fn to_regular((array, count): (Described, Count)) -> Result<Value> {
    if array.data.is_none() && !array.has_lists() {
        return Ok(json!({"shape": array.with(count.leaves()?)?.to_regular()?.0}));
    }
    let Array { kind, array } = array.array()?;
    Ok(json!({"shape": array.to_regular()?.0, "values": numbers(kind, &array.pack()?)}))
}
