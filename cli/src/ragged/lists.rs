//! The requests `ragged.*` that choose, order and join elements of lists.

use super::fields::extremes;
use super::option;
use super::request::{Array, Described, bounded, leaves};
use crate::answer::{Refusal, Result};
use crate::real::{Kind, Real};
use crate::request::{read_of, requests, structs};
use crd2idx::ragged::{self, OptionArray, RaggedArray, RaggedError, RaggedShape};
use serde_json::{Value, json};

requests! {
    /// Returns the elements `start` to `stop` in steps of `step` of every list of an axis.
    "ragged.slice" => |(array, Slice { axis, start, stop, step }): (Described, Slice)| {
        let step = step.unwrap_or(1);
        chosen(array, |array| array.slice(axis, start, stop, step), |lists| lists.slice(axis, start, stop, step))
    };
    /// Returns the elements with these numbers of every list of an axis, by default of the outer rows.
    "ragged.take" => |(array, Take { rows, axis }): (Described, Take)| {
        let (axis, some) = (axis.unwrap_or(0), rows.iter().copied().map(Some).collect::<Vec<_>>());
        chosen(array, |array| array.take_along(axis, &rows), |lists| lists.take_along(axis, &some))
    };
    /// Returns, for each list of the indices, the elements with these indices of the corresponding list. The leaf of a null is null.
    "ragged.gather" => |(array, Gather { ix, ix_offsets }): (Described, Gather)| {
        let indices = beside(ix, ix_offsets)?;
        chosen_some(array, |array| array.gather_some(&indices), |lists| lists.gather(&indices.view().try_into()?))
    };
    /// Keeps the elements for which a mask is true. The leaf of a null is null.
    "ragged.filter" => |(array, Filter { mask, mask_offsets }): (Described, Filter)| {
        let mask = beside(mask, mask_offsets)?;
        chosen_some(array, |array| array.filter_some(&mask), |lists| lists.filter(&mask.view().try_into()?))
    };
    /// Lengthens the lists of an axis, by default 1, to `target` elements, and with `clip` cuts longer ones. New leaves are null.
    "ragged.pad_to" => pad_to;
    /// Returns all combinations of `n` elements of every list of an axis, by default 1.
    "ragged.combinations" => combinations;
    /// Returns the Cartesian product of corresponding lists of an axis, as one array for each operand.
    "ragged.cartesian" => cartesian;
    /// Joins corresponding lists of an axis.
    "ragged.concatenate" => |(Operands { arrays, axis },): (Operands,)| {
        let lists = described(&arrays)?.iter().map(Described::lists).collect::<Result<Option<Vec<_>>>>()?;
        if let Some(lists) = lists.filter(|lists| !lists.is_empty()) {
            return option::joined(&lists, axis);
        }
        let (kind, arrays) = operands(arrays)?;
        let arrays: Vec<&RaggedArray<'_, Real>> = arrays.iter().collect();
        Ok(with_offsets(kind, &RaggedArray::concatenate(&arrays, axis)?))
    };
    /// Sorts along an axis, and returns for each leaf its source, and the index of the source on the axis.
    "ragged.sort" => sort;
    /// Returns the distinct leaves of every list of the last axis, in ascending order.
    "ragged.unique" => |(array,): (Described,)| {
        let Array { kind, array } = array.array()?;
        Ok(with_offsets(kind, &array.unique()?))
    };
    /// Returns the runs of equal leaves of every list of the last axis, and their lengths.
    "ragged.run_lengths" => |(array,): (Described,)| {
        let Array { kind, array } = array.array()?;
        let (firsts, lengths) = array.run_lengths()?;
        Ok(json!({"offsets": firsts.shape().offsets(), "data": kind.list(firsts.leaves()), "lengths": lengths.leaves()}))
    };
}

structs! {
    Slice { axis: usize, start: Option<isize>, stop: Option<isize>, step: Option<isize> }
    Take { rows: Vec<isize>, axis: Option<usize> }
    Gather { ix: Vec<Option<isize>>, ix_offsets: Option<Vec<Vec<i64>>> }
    Filter { mask: Vec<Option<bool>>, mask_offsets: Option<Vec<Vec<i64>>> }
    PadTo { target: usize, clip: Option<bool>, axis: Option<usize> }
    Combinations { n: usize, replacement: Option<bool>, axis: Option<usize> }
    Operands { arrays: Vec<Value>, axis: usize }
    Sort { axis: Option<usize>, descending: Option<bool> }
}

/// Returns the offsets and the leaves of an array as JSON.
pub fn with_offsets(kind: Kind, array: &RaggedArray<'_, Real>) -> Value {
    json!({"offsets": array.shape().offsets(), "data": kind.list(array.leaves())})
}

/// Returns the array of these leaves: with these offsets, or without lists.
fn beside<T: Clone + 'static>(leaves: Vec<T>, offsets: Option<Vec<Vec<i64>>>) -> Result<RaggedArray<'static, T>> {
    Ok(match offsets {
        Some(offsets) if !offsets.is_empty() => RaggedArray::from_offsets(offsets, leaves)?,
        _ => RaggedArray::from_leaves(leaves)?,
    })
}

/// Returns the result of `work`. Its leaves are the numbers of the leaves of the request if there is no `data`. Nested lists have the
/// result of `of_lists`.
fn chosen(
    array: Described,
    work: impl FnOnce(&RaggedArray<'_, Real>) -> ragged::Result<RaggedArray<'static, Real>>,
    of_lists: impl FnOnce(&OptionArray<'_, Real>) -> ragged::Result<OptionArray<'static, Real>>,
) -> Result<Value> {
    if let Some(lists) = array.lists()? {
        return lists.chosen(of_lists);
    }
    let Array { kind, array } = array.array_or_numbers()?;
    Ok(with_offsets(kind, &work(&array)?))
}

/// Returns the result of `work`, as [`chosen`] does. Missing leaves are null.
fn chosen_some(
    array: Described,
    work: impl FnOnce(&RaggedArray<'_, Real>) -> ragged::Result<RaggedArray<'static, Option<Real>>>,
    of_lists: impl FnOnce(&OptionArray<'_, Real>) -> ragged::Result<OptionArray<'static, Real>>,
) -> Result<Value> {
    if let Some(lists) = array.lists()? {
        return lists.chosen(of_lists);
    }
    let Array { kind, array } = array.array_or_numbers()?;
    let found = work(&array)?;
    Ok(json!({"offsets": found.shape().offsets(), "data": extremes(kind, &RaggedArray::from_leaves(found.leaves())?)}))
}

/// Pads lists. `sources` has the number of each leaf before, and -1 for a new one. Refuses results that are too large.
fn pad_to((array, PadTo { target, clip, axis }): (Described, PadTo)) -> Result<Value> {
    let (axis, clip) = (axis.unwrap_or(1), clip.unwrap_or(false));
    let many = |shape: &RaggedShape<'_>| axis.checked_sub(1).map_or(1, |above| shape.count(above));
    if let Some(lists) = array.lists()? {
        bounded(many(lists.array.array().shape()).saturating_mul(target), "elements")?;
        return lists.chosen(|lists| lists.pad_to(axis, target, clip));
    }
    let Array { kind, array } = array.array_or_numbers()?;
    let lists = many(array.shape());
    bounded(lists.saturating_mul(target), "elements")?;
    let padded = array.pad_to(axis, target, clip)?;
    let sources = numbered(&array.pack()?)?.pad_to(axis, target, clip)?.fill_none(&-1)?;
    Ok(json!({
        "offsets": padded.shape().offsets(),
        "data": extremes(kind, &RaggedArray::from_leaves(padded.leaves())?),
        "sources": sources.leaves(),
    }))
}

/// Returns an array of the same lists whose leaves are their own numbers.
fn numbered(array: &RaggedArray<'_, Real>) -> Result<RaggedArray<'static, i64>> {
    let mut number = -1;
    Ok(array.map(|_| {
        number += 1;
        number
    })?)
}

/// Returns combinations, as offsets and leaves. Refuses more than a request may have.
fn combinations((array, Combinations { n, replacement, axis }): (Described, Combinations)) -> Result<Value> {
    let (axis, replacement) = (axis.unwrap_or(1), replacement.unwrap_or(false));
    let within = |shape: &RaggedShape<'_>| {
        let total = shape.combination_counts(axis, n, replacement)?.into_iter().fold(0, usize::saturating_add);
        bounded(total.saturating_mul(n.max(1)), "elements").map_err(|_| RaggedError::Overflow)
    };
    chosen(
        array,
        |array| within(array.shape()).and_then(|_| array.combinations(axis, n, replacement)),
        |lists| within(lists.array().shape()).and_then(|_| lists.combinations(axis, n, replacement)),
    )
}

/// Returns the arrays of a product. Refuses more tuples than a request may have elements.
fn cartesian((Operands { arrays, axis },): (Operands,)) -> Result<Value> {
    let (kind, arrays) = operands(arrays)?;
    let lengths = arrays.iter().map(|array| array.num(axis)).collect::<ragged::Result<Vec<_>>>()?;
    let lists = lengths.iter().map(|lengths| lengths.leaves().len()).min().unwrap_or(0);
    let tuples = (0..lists).map(|list| lengths.iter().fold(1, |size: usize, lengths| size.saturating_mul(lengths.leaves()[list])));
    bounded(tuples.fold(0, usize::saturating_add), "tuples")?;
    let arrays: Vec<&RaggedArray<'_, Real>> = arrays.iter().collect();
    Ok(RaggedArray::cartesian(&arrays, axis)?.iter().map(|array| with_offsets(kind, array)).collect())
}

/// Reads the operands of a request.
fn described(arrays: &[Value]) -> Result<Vec<Described>> {
    let read = |(k, array): (usize, &Value)| read_of::<(Described,)>(array, &format!("arrays[{k}]"), "").map(|(array,)| array);
    arrays.iter().enumerate().map(read).collect()
}

/// Returns the operands of a request. Their leaves have one kind: integers if all of them are.
fn operands(arrays: Vec<Value>) -> Result<(Kind, Vec<RaggedArray<'static, Real>>)> {
    let arrays = described(&arrays)?;
    let data = |array: &Described| array.data.clone().ok_or_else(|| Refusal::missing("data"));
    let each = arrays.iter().map(data).collect::<Result<Vec<_>>>()?;
    let kind = Kind::of(&each.concat());
    let read = |(array, data): (Described, Vec<serde_json::Number>)| array.with(leaves(&data, kind, "data")?);
    Ok((kind, arrays.into_iter().zip(each).map(read).collect::<Result<_>>()?))
}

fn sort((array, Sort { axis, descending }): (Described, Sort)) -> Result<Value> {
    let Array { kind, array } = array.array()?;
    let (array, descending) = (array.pack()?, descending.unwrap_or(false));
    let axis = axis.unwrap_or(array.depth() - 1);
    let order = array.order_along(axis, descending)?;
    let (sorted, coordinates) = (order.map(|leaf| array.leaves()[*leaf])?, array.shape().leaf_coordinates(axis));
    Ok(json!({
        "offsets": sorted.shape().offsets(),
        "data": kind.list(sorted.leaves()),
        "sources": order.leaves(),
        "indices": order.leaves().iter().map(|leaf| coordinates[*leaf]).collect::<Vec<_>>(),
    }))
}
