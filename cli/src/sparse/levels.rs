//! Tensors from coordinates, and coordinates of tensors.

use super::request::{Fields, object, of_class};
use crate::answer::Result;
use crd2idx::sparse::{Balance, Builder, Duplicates, Format, LevelKind, SparseError, SparseTensor, Values};
use serde_json::{Number, Value, json};
use std::sync::OnceLock;

/// The most numbers of an array that is answered.
pub const MOST_NUMBERS: usize = 1 << 22;

/// The values that are stored: one for all is one.
pub fn listed<'t>(values: &'t Values<Value>) -> &'t [Value] {
    match values {
        Values::Each(values) => values,
        Values::Iso(value) => std::slice::from_ref(value),
        Values::PatternOnly => &[],
    }
}

/// The tensor of `shape`, `coords` and `values` in a format; a coordinate that repeats makes it a multigraph.
pub fn tensor(fields: &Fields, format: Format) -> Result<SparseTensor<'static, Value>> {
    let shape = fields.numbers("shape")?;
    let columns = fields.columns(shape.len())?;
    let values: Values<Value> = if fields.get("values").is_some() { fields.values()?.into() } else { Values::PatternOnly };
    resolved(fields, format, fill(fields), None, |builder| builder.build(&shape, &columns, values.view()))
}

/// The list of the elements of `shape`, `coords` and `values`, in the order of their coordinates; those of one coordinate are added, unless `duplicates` says
/// otherwise.
pub fn summed(fields: &Fields) -> Result<SparseTensor<'static, Value>> {
    let shape = fields.numbers("shape")?;
    let (columns, values) = (fields.columns(shape.len())?, fields.values()?);
    resolved(fields, Format::coo(shape.len()), json!(0), Some("sum"), |builder| builder.build(&shape, &columns, &values[..]))
}

/// The value of elements that are not stored.
fn fill(fields: &Fields) -> Value {
    fields.get("fill").cloned().unwrap_or(json!(0))
}

/// The answer of `build` for a builder of a format that has the treatment of duplicates which `duplicates` names, or else this one; where none is named, a
/// coordinate that repeats makes the format that of a multigraph.
pub fn resolved(
    fields: &Fields,
    format: Format,
    fill: Value,
    otherwise: Option<&str>,
    build: impl Fn(&Builder<Value>) -> std::result::Result<SparseTensor<'static, Value>, SparseError>,
) -> Result<SparseTensor<'static, Value>> {
    let failed = OnceLock::new();
    let sum = |a: &Value, b: &Value| {
        add(a, b).unwrap_or_else(|| {
            failed.get_or_init(|| format!("{a} and {b} have no sum that is a number of JSON"));
            Value::Null
        })
    };
    let otherwise = otherwise.map(Value::from);
    let treatment = fields.get("duplicates").or(otherwise.as_ref()).map(|policy| (policy, policy.as_str()));
    let builder = Builder::new(format.clone(), fill.clone()).at_most(MOST_NUMBERS);
    let built = match treatment {
        None if !format.is_multigraph() && format.dense_axes() == 0 => match build(&builder) {
            Err(SparseError::Repeated { .. }) => build(&Builder::new(format.with_multigraph(true)?, fill).at_most(MOST_NUMBERS)),
            built => built,
        },
        None => build(&builder),
        Some((_, Some("sum"))) => build(&builder.duplicates(Duplicates::Combine(&sum))),
        Some((_, Some("first"))) => build(&builder.duplicates(Duplicates::First)),
        Some((_, Some("last"))) => build(&builder.duplicates(Duplicates::Last)),
        Some((_, Some("error" | "refuse"))) => build(&builder.duplicates(Duplicates::Refuse)),
        Some((policy, _)) => return Err(fields.refuse("type", format!("duplicates: {policy} is not one of sum, first, last, error"))),
    }?;
    match failed.into_inner() {
        Some(message) => Err(fields.refuse("type", message)),
        None => Ok(built),
    }
}

/// The sum of two JSON numbers, exact where both are whole.
fn add(a: &Value, b: &Value) -> Option<Value> {
    let whole = |value: &Value| value.as_number().and_then(Number::as_i128);
    if let (Some(a), Some(b)) = (whole(a), whole(b)) {
        return a.checked_add(b).and_then(Number::from_i128).map(Value::Number);
    }
    Number::from_f64(a.as_f64()? + b.as_f64()?).map(Value::Number)
}

/// `sparse.build`.
pub fn build(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "levels");
    let tensor = tensor(&fields, fields.format(fields.numbers("shape")?.len())?)?;
    Ok(written(&tensor))
}

/// A tensor as the arrays of its levels.
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

/// The tensor of `shape`, a format, `indices`, `pointers` and `values`.
pub fn read(fields: &Fields) -> Result<SparseTensor<'static, Value>> {
    let shape = fields.numbers("shape")?;
    let format = fields.format(shape.len())?;
    let arrays = fields.arrays()?;
    let values: Values<Value> = match (fields.get("values"), fields.get("iso")) {
        (Some(_), _) => fields.values()?.into(),
        (None, Some(iso)) => Values::Iso(iso.clone()),
        (None, None) => Values::PatternOnly,
    };
    Ok(SparseTensor::from_parts(&shape, format, arrays, values, fill(fields)).map_err(|rejected| rejected.error)?)
}

/// Refuses a tensor of more elements than are listed: few numbers may claim many.
pub fn few(tensor: &SparseTensor<Value>) -> Result<()> {
    let (blocks, extents) = (tensor.stored(), tensor.pattern().block_shape());
    let elements = extents.iter().try_fold(blocks as u64, |elements, extent| elements.checked_mul(*extent));
    match elements {
        Some(elements) if elements <= MOST_NUMBERS as u64 => Ok(()),
        _ if extents.is_empty() => Err(of_class("levels/overflow", format!("{blocks} elements are too many to list"))),
        _ => Err(of_class("levels/overflow", format!("{blocks} blocks of {extents:?} are too many to list"))),
    }
}

/// `sparse.decode`.
pub fn decode(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "levels");
    let tensor = read(&fields)?;
    few(&tensor)?;
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    tensor.for_each(|coordinate, value| {
        coords.push(json!(coordinate));
        values.extend(value.cloned());
    });
    Ok(json!({"shape": tensor.shape(), "coords": coords, "values": values}))
}
