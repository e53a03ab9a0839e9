//! Nested lists of requests, in which lists and numbers may be null: the key `lists`.

use super::request::bounded;
use crate::answer::{Refusal, Result};
use crate::real::{Kind, Real};
use crd2idx::ragged::{self, DynLevel, OptionArray, RaggedArray, RaggedError};
use serde_json::{Number, Value, json};

/// An array of nested lists, and the kind of its numbers.
pub struct Lists {
    pub kind: Kind,
    pub array: OptionArray<'static, Real>,
}

impl Lists {
    /// Reads nested lists. All numbers must have the same depth. A null beside lists is a missing list. Refuses other values, and
    /// more elements than a request may have.
    pub fn read(lists: &Value) -> Result<Lists> {
        let malformed = || Refusal::malformed("`lists` has nested lists of numbers, all of one depth; nulls are missing lists and numbers");
        let mut items: Vec<&Value> = lists.as_array().ok_or_else(malformed)?.iter().collect();
        let (outer, mut levels, mut missing, mut elements) = (items.len(), Vec::new(), Vec::new(), items.len());
        while items.iter().any(|item| item.is_array()) {
            if !items.iter().all(|item| item.is_array() || item.is_null()) {
                return Err(malformed());
            }
            let parts: Vec<&[Value]> = items.iter().map(|item| item.as_array().map_or(&[][..], Vec::as_slice)).collect();
            levels.push(DynLevel::of_lengths(&parts.iter().map(|part| part.len()).collect::<Vec<_>>()).map_err(RaggedError::from)?);
            missing.push(items.iter().map(|item| item.is_null()).collect());
            items = parts.into_iter().flatten().collect();
            elements = bounded(elements.saturating_add(items.len()), "elements")?;
        }
        let number = |item: &Value| if item.is_null() { Ok(None) } else { item.as_number().cloned().map(Some).ok_or_else(malformed) };
        let numbers = items.into_iter().map(number).collect::<Result<Vec<Option<Number>>>>()?;
        let kind = Kind::of(&numbers.iter().flatten().cloned().collect::<Vec<_>>());
        let leaf = |number: &Option<Number>| number.as_ref().map(|number| kind.read(number).ok_or_else(malformed)).transpose();
        let leaves = numbers.iter().map(leaf).collect::<Result<Vec<_>>>()?;
        Ok(Lists { kind, array: OptionArray::new(RaggedArray::new(outer, levels, leaves)?, missing)? })
    }

    /// Returns the array if nothing is null. Refuses null lists and numbers.
    pub fn present(self) -> Result<(Kind, RaggedArray<'static, Real>)> {
        let array = self.array.present()?;
        if array.leaves().contains(&None) {
            return Err(Refusal::malformed("`lists` has a null number, which this request does not take"));
        }
        Ok((self.kind, array.fill_none(&Real::Whole(0))?))
    }

    /// Returns the result of `work` as nested lists.
    pub fn chosen(self, work: impl FnOnce(&OptionArray<'_, Real>) -> ragged::Result<OptionArray<'static, Real>>) -> Result<Value> {
        Ok(json!({"lists": nested(self.kind, &work(&self.array)?)}))
    }

    /// Reduces an axis by `sum`, `max`, `min` or `count`, to nested lists. Refuses other names.
    pub fn reduced(self, axis: usize, how: &str) -> Result<Value> {
        let (kind, array) = (self.kind, self.array);
        Ok(match how {
            "sum" => nested(kind, &array.sum(axis)?),
            "max" => nested(kind, &array.max(axis)?),
            "min" => nested(kind, &array.min(axis)?),
            "count" => nested(Kind::Whole, &array.count(axis)?.map(|count| Real::Whole(*count as i128))?),
            _ => return Err(Refusal::malformed("`op2` is none of sum, max, min, count")),
        })
    }
}

/// Joins the lists of an axis of several requests' arrays. Their numbers have one kind: integers if all of them are.
pub fn joined(arrays: &[Lists], axis: usize) -> Result<Value> {
    let kind = if arrays.iter().all(|lists| lists.kind == Kind::Whole) { Kind::Whole } else { Kind::Floating };
    let arrays: Vec<&OptionArray<'_, Real>> = arrays.iter().map(|lists| &lists.array).collect();
    Ok(json!({"lists": nested(kind, &OptionArray::concatenate(&arrays, axis)?)}))
}

/// Returns an array as nested lists. Missing lists and numbers are null.
fn nested(kind: Kind, array: &OptionArray<'_, Real>) -> Value {
    let shape = array.array().shape();
    let leaves = array.leaves().iter().map(|leaf| leaf.map_or(Value::Null, |leaf| kind.write(leaf))).collect();
    let lists = |values: Vec<Value>, q: usize| {
        let list =
            |row: usize| if array.missing(q).get(row) == Some(&true) { Value::Null } else { values[shape.row(q, row)].to_vec().into() };
        (0..shape.count(q)).map(list).collect()
    };
    (0..shape.depth() - 1).rev().fold(leaves, lists).into()
}
