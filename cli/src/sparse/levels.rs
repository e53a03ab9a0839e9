//! Tensors from coordinates, and coordinates of tensors.

use super::request::{Elements, Formatted, Stored, fill, object, of_class};
use crate::answer::Result;
use crd2idx::sparse::{Balance, Builder, Duplicates, Format, LevelKind, SparseError, SparseTensor, Values};
use serde_json::{Number, Value, json};
use std::sync::OnceLock;

/// The maximum number of entries of an array in an answer.
pub const MOST_NUMBERS: usize = 1 << 22;

/// Returns the stored values: one per element, a single one for all elements, or none.
pub fn listed<'t>(values: &'t Values<Value>) -> &'t [Value] {
    match values {
        Values::Each(values) => values,
        Values::Iso(value) => std::slice::from_ref(value),
        Values::PatternOnly => &[],
    }
}

/// Returns the tensor of these elements in a format. Without a treatment of duplicates, a repeated coordinate makes it a
/// multigraph. Refuses elements that form no tensor, with errors of `family`.
pub fn tensor(shape: &[u64], elements: &Elements, format: Format, family: &str) -> Result<SparseTensor<'static, Value>> {
    let columns = elements.columns(shape.len(), family)?;
    let values: Values<Value> = elements.values.as_ref().map_or(Values::PatternOnly, |values| values.clone().into());
    let build = |builder: &Builder<Value>| builder.build(shape, &columns, values.view());
    resolved(elements.duplicates.as_deref(), family, format, fill(&elements.fill), build)
}

/// Returns these elements as a list in the order of coordinates. Duplicates are summed, unless `duplicates` gives another
/// treatment. Refuses elements that form no tensor.
pub fn summed(shape: &[u64], elements: &Elements) -> Result<SparseTensor<'static, Value>> {
    let (columns, values) = (elements.columns(shape.len(), "input")?, elements.values("input")?);
    let treatment = elements.duplicates.as_deref().unwrap_or("sum");
    resolved(Some(treatment), "input", Format::coo(shape.len()), json!(0), |builder| builder.build(shape, &columns, values))
}

/// Builds a tensor with this treatment of duplicates. If there is none, a repeated coordinate makes the format a multigraph.
/// Refuses unknown treatments, sums that overflow, and what `build` refuses.
pub fn resolved(
    duplicates: Option<&str>,
    family: &str,
    format: Format,
    fill: Value,
    build: impl Fn(&Builder<Value>) -> std::result::Result<SparseTensor<'static, Value>, SparseError>,
) -> Result<SparseTensor<'static, Value>> {
    let failed = OnceLock::new();
    let sum = |a: &Value, b: &Value| {
        add(a, b).unwrap_or_else(|| {
            failed.get_or_init(|| format!("{a} and {b} have no sum that is a number of JSON"));
            Value::Null
        })
    };
    let refuse = |message: String| of_class(format!("{family}/type"), message);
    let builder = Builder::new(format.clone(), fill.clone()).at_most(MOST_NUMBERS);
    let built = match duplicates {
        None if !format.is_multigraph() && format.dense_axes() == 0 => match build(&builder) {
            Err(SparseError::Repeated { .. }) => build(&Builder::new(format.with_multigraph(true)?, fill).at_most(MOST_NUMBERS)),
            built => built,
        },
        None => build(&builder),
        Some("sum") => build(&builder.duplicates(Duplicates::Combine(&sum))),
        Some("first") => build(&builder.duplicates(Duplicates::First)),
        Some("last") => build(&builder.duplicates(Duplicates::Last)),
        Some("error" | "refuse") => build(&builder.duplicates(Duplicates::Refuse)),
        Some(other) => return Err(refuse(format!("duplicates: {other:?} is not one of sum, first, last, error"))),
    }?;
    match failed.into_inner() {
        Some(message) => Err(refuse(message)),
        None => Ok(built),
    }
}

/// Returns the sum of two JSON numbers, which is exact if both are integers. Returns `None` if a value is no number, or if the
/// sum has no JSON number.
fn add(a: &Value, b: &Value) -> Option<Value> {
    let whole = |value: &Value| value.as_number().and_then(Number::as_i128);
    if let (Some(a), Some(b)) = (whole(a), whole(b)) {
        return a.checked_add(b).and_then(Number::from_i128).map(Value::Number);
    }
    Number::from_f64(a.as_f64()? + b.as_f64()?).map(Value::Number)
}

/// Answers `sparse.build`: the arrays of a tensor in a format, from its coordinates and values.
pub fn build((formatted, elements): (Formatted, Elements)) -> Result<Value> {
    Ok(written(&tensor(&formatted.shape, &elements, formatted.format()?, "levels")?))
}

/// Returns the arrays of the levels of a tensor as JSON.
pub fn written(tensor: &SparseTensor<Value>) -> Value {
    let arrays = tensor.pattern().arrays();
    let dense = std::iter::repeat_n("D", tensor.format().dense_axes());
    let tokens: Vec<&str> = tensor.format().kinds().iter().map(|kind| kind.token()).chain(dense).collect();
    let mut out = json!({
        "name": tensor.format().to_string(),
        "shape": tensor.shape(),
        "axis_order": tensor.format().axis_order(),
        "structure": tokens,
        "stored": tensor.stored(),
        "indices": object(&arrays.indices),
        "pointers": object(&arrays.pointers),
    });
    match tensor.values() {
        Values::Each(values) => out["values"] = json!(values),
        Values::Iso(value) => out["iso"] = value.clone(),
        Values::PatternOnly => {}
    }
    let format = tensor.format();
    if format.is_multigraph() && matches!(format.kinds().last(), None | Some(LevelKind::Indices)) {
        out["multigraph"] = true.into();
    }
    if format.unsorted().contains(&true) {
        out["unsorted"] = json!(format.unsorted());
    }
    if let Some(Balance { level, most }) = format.balanced() {
        (out["balanced_level"], out["max_children"]) = (level.into(), most.into());
    }
    if tensor.fill() != &json!(0) {
        out["fill"] = tensor.fill().clone();
    }
    out
}

/// Returns the tensor of these arrays in a format. Refuses arrays that form no tensor.
pub fn stored(formatted: &Formatted, mut stored: Stored) -> Result<SparseTensor<'static, Value>> {
    let (format, arrays) = (formatted.format()?, stored.arrays());
    let tensor = SparseTensor::from_parts(&formatted.shape, format, arrays, stored.values(), fill(&stored.fill));
    Ok(tensor.map_err(|rejected| rejected.error)?)
}

/// Refuses a tensor with more elements than an answer lists. A short request may describe many elements.
pub fn few(tensor: &SparseTensor<Value>) -> Result<()> {
    let (blocks, extents) = (tensor.stored(), tensor.pattern().block_shape());
    let elements = extents.iter().try_fold(blocks as u64, |elements, extent| elements.checked_mul(*extent));
    match elements {
        Some(elements) if elements <= MOST_NUMBERS as u64 => Ok(()),
        _ if extents.is_empty() => Err(of_class("levels/overflow", format!("{blocks} elements are too many to list"))),
        _ => Err(of_class("levels/overflow", format!("{blocks} blocks of {extents:?} are too many to list"))),
    }
}

/// Answers `sparse.decode`: the coordinates and values of a tensor, from its arrays.
pub fn decode((formatted, arrays): (Formatted, Stored)) -> Result<Value> {
    let tensor = stored(&formatted, arrays)?;
    few(&tensor)?;
    let mut out = coordinates(&tensor, Value::clone);
    out["shape"] = json!(tensor.shape());
    Ok(out)
}

/// Returns the coordinates and the values of the elements as JSON, in storage order. `write` makes the JSON of a value.
pub fn coordinates<V: Clone + 'static>(tensor: &SparseTensor<V>, write: impl Fn(&V) -> Value) -> Value {
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    tensor.for_each(|coordinate, value| {
        coords.push(json!(coordinate));
        values.extend(value.map(&write));
    });
    json!({"coords": coords, "values": values})
}
