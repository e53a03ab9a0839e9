//! The encodings of rows.

use super::read::{Refusal, Result, index, numbers, rows_at};
use crd2idx::sparse::ragged::{RaggedArray, RaggedError};
use serde_json::{Value, json};

/// Rows by `nrows` and one of `row_lengths`, `row_splits` and `value_rowids`, in all encodings, and I, S and J.
pub fn encode(request: &Value) -> Result<Value> {
    let rows = rows_at(request, "nrows")?;
    let array = if let Some(lengths) = request.get("row_lengths") {
        let lengths = numbers(lengths, "row_lengths", index)?;
        let sum = lengths.iter().try_fold(0_usize, |sum, len| sum.checked_add(*len)).ok_or(RaggedError::Overflow)?;
        RaggedArray::from_lengths(lengths, vec![(); sum])?
    } else if let Some(splits) = request.get("row_splits") {
        let splits = numbers(splits, "row_splits", Value::as_i64)?;
        let leaves = splits.last().map_or(0, |end| usize::try_from(*end).unwrap_or(0));
        RaggedArray::from_offsets(vec![splits], vec![(); leaves])?
    } else if let Some(ids) = request.get("value_rowids") {
        let ids = numbers(ids, "value_rowids", index)?;
        RaggedArray::from_row_ids(rows, &ids, vec![(); ids.len()])?
    } else {
        return Err(Refusal::Malformed("one of the keys `row_lengths`, `row_splits` and `value_rowids` is needed".into()));
    };
    if array.len() != rows {
        return Err(Refusal::Malformed(format!("`nrows` is {rows}, but there are {} rows", array.len())));
    }
    if array.leaves().len() > 1 << 26 {
        return Err(Refusal::TooLarge(format!("{} elements are too many to list", array.leaves().len())));
    }
    let shape = array.shape();
    let ranges: Vec<_> = (0..rows).map(|row| shape.row(0, row)).collect();
    let (parents, splits) = (shape.parents(0), shape.offsets());
    Ok(json!({
        "row_lengths": ranges.iter().map(ExactSizeIterator::len).collect::<Vec<_>>(),
        "row_splits": splits[0],
        "row_starts": ranges.iter().map(|range| range.start).collect::<Vec<_>>(),
        "row_limits": ranges.iter().map(|range| range.end).collect::<Vec<_>>(),
        "value_rowids": parents,
        "I": parents,
        "S": shape.starts(0),
        "J": shape.local_indices(0),
    }))
}
