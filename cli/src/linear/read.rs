//! Linear layouts in requests: lists of pairs, or objects where the order of names does not matter.

use crate::answer::{Refusal, Result, known, part};
use crd2idx::algebra::linear::{Dimension, LinearLayout};
use serde_json::Value;

/// The names of an object or of a list of pairs, with what belongs to each.
fn pairs(value: &Value) -> Result<Vec<(&str, &Value)>> {
    match value {
        Value::Object(map) => Ok(map.iter().map(|(name, value)| (name.as_str(), value)).collect()),
        Value::Array(list) => {
            let pair = |item: &'_ Value| match item.as_array().map(Vec::as_slice) {
                Some([Value::String(_), _]) => Ok(()),
                _ => Err(Refusal::malformed(format!("{item} is no pair of a name and a value"))),
            };
            list.iter().try_for_each(pair)?;
            Ok(list.iter().filter_map(|item| Some((item.get(0)?.as_str()?, item.get(1)?))).collect())
        }
        other => Err(Refusal::malformed(format!("{other} is neither a list of pairs nor an object"))),
    }
}

fn number(value: &Value) -> Result<u64> {
    value.as_u64().ok_or_else(|| Refusal::malformed(format!("{value} is no natural number")))
}

fn list(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().ok_or_else(|| Refusal::malformed(format!("{value} is no list")))
}

/// `{"in": [[name, bases], ...], "out": [[name, size], ...]}`; a basis of one component may be a number.
pub fn layout(value: &Value) -> Result<LinearLayout> {
    let basis = |basis: &Value| match basis {
        Value::Array(components) => components.iter().map(number).collect::<Result<Vec<u64>>>(),
        one => Ok(vec![number(one)?]),
    };
    let input = |(name, bases): (&str, &Value)| Ok((name.to_owned(), list(bases)?.iter().map(basis).collect::<Result<_>>()?));
    known(value, "a layout", &[&["in", "out"]])?;
    let inputs = pairs(part(value, "in")?)?.into_iter().map(input).collect::<Result<_>>()?;
    let output = |(name, size): (&str, &Value)| Ok((name.to_owned(), number(size)?));
    let outputs = pairs(part(value, "out")?)?.into_iter().map(output).collect::<Result<_>>()?;
    Ok(LinearLayout::new(inputs, outputs)?)
}

/// A value for each of some names.
pub fn values(value: &Value) -> Result<Vec<(&str, u64)>> {
    pairs(value)?.into_iter().map(|(name, value)| Ok((name, number(value)?))).collect()
}

/// A list of names.
pub fn texts(value: &Value) -> Result<Vec<&str>> {
    let text = |item: &'_ Value| item.as_str().is_some();
    match list(value)?.iter().find(|item| !text(item)) {
        Some(item) => Err(Refusal::malformed(format!("{item} is no name"))),
        None => Ok(list(value)?.iter().filter_map(Value::as_str).collect()),
    }
}

/// Names with sizes that are powers of two.
pub fn dimensions(value: &Value) -> Result<Vec<Dimension>> {
    let dimension = |(name, size): (&str, &Value)| match number(size)? {
        size if size.is_power_of_two() => Ok(Dimension::new(name, size.trailing_zeros())),
        size => Err(crd2idx::algebra::linear::LinearError::Size { name: name.to_owned(), size }.into()),
    };
    pairs(value)?.into_iter().map(dimension).collect()
}
