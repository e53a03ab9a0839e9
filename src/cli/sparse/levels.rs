//! Tensors from coordinates, and coordinates of tensors.

use super::request::{Fields, Refusal, object};
use crd2idx::sparse::{Builder, Duplicates, Format, SparseTensor, Values};
use serde_json::{Value, json};

/// The most numbers of an array that is answered.
pub const MOST_NUMBERS: usize = 1 << 24;

/// The values that are stored: one for all is one.
pub fn listed<'t>(values: &'t Values<Value>) -> &'t [Value] {
    match values {
        Values::Each(values) => values,
        Values::Iso(value) => std::slice::from_ref(value),
        Values::PatternOnly => &[],
    }
}

/// The tensor of `shape`, `coords` and `values` in a format; a coordinate that repeats makes it a multigraph.
pub fn tensor(fields: &Fields, format: Format) -> Result<SparseTensor<'static, Value>, Refusal> {
    let shape = fields.numbers("shape")?;
    let columns = fields.columns(shape.len())?;
    let values: Values<Value> = if fields.get("values").is_some() { fields.values()?.into() } else { Values::PatternOnly };
    let builder = Builder::new(format.clone(), json!(0)).at_most(MOST_NUMBERS);
    match fields.get("duplicates").map(|policy| (policy, policy.as_str())) {
        None if !format.is_multigraph() && format.dense_axes() == 0 => {
            let multigraph =
                Builder::new(format.with_multigraph(true)?, json!(0)).at_most(MOST_NUMBERS).build(&shape, &columns, values.view())?;
            // Distinct coordinates are no multigraph.
            let simple = builder.build(&shape, &columns, values);
            Ok(simple.unwrap_or(multigraph))
        }
        None => Ok(builder.build(&shape, &columns, values)?),
        Some((_, Some("sum"))) => Ok(builder.duplicates(Duplicates::Combine(&add)).build(&shape, &columns, values)?),
        Some((_, Some("first"))) => Ok(builder.duplicates(Duplicates::First).build(&shape, &columns, values)?),
        Some((_, Some("last"))) => Ok(builder.duplicates(Duplicates::Last).build(&shape, &columns, values)?),
        Some((_, Some("error"))) => Ok(builder.duplicates(Duplicates::Refuse).build(&shape, &columns, values)?),
        Some((policy, _)) => Err(fields.refuse("type", format!("duplicates: {policy} is not one of sum, first, last, error"))),
    }
}

/// The sum of two JSON numbers: exact where both are integers and their sum is one of 64 bits.
fn add(a: &Value, b: &Value) -> Value {
    match (a.as_i64(), b.as_i64()) {
        (Some(a), Some(b)) if a.checked_add(b).is_some() => json!(a + b),
        _ => json!(a.as_f64().unwrap_or(f64::NAN) + b.as_f64().unwrap_or(f64::NAN)),
    }
}

/// `sparse.build`.
pub fn build(request: &Value) -> Result<Value, Refusal> {
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
    out
}

/// The tensor of `shape`, a format, `indices`, `pointers` and `values`.
pub fn read(fields: &Fields) -> Result<SparseTensor<'static, Value>, Refusal> {
    let shape = fields.numbers("shape")?;
    let format = fields.format(shape.len())?;
    let arrays = fields.arrays()?;
    let values: Values<Value> = match (fields.get("values"), fields.get("iso")) {
        (Some(_), _) => fields.values()?.into(),
        (None, Some(iso)) => Values::Iso(iso.clone()),
        (None, None) => Values::PatternOnly,
    };
    let fill = fields.get("fill").cloned().unwrap_or(json!(0));
    Ok(SparseTensor::from_parts(&shape, format, arrays, values, fill).map_err(|rejected| rejected.error)?)
}

/// `sparse.decode`.
pub fn decode(request: &Value) -> Result<Value, Refusal> {
    let fields = Fields::new(request, "levels");
    let tensor = read(&fields)?;
    let block = tensor.pattern().block_shape().into_iter().try_fold(tensor.stored() as u64, u64::checked_mul);
    if block.is_none_or(|elements| elements > MOST_NUMBERS as u64) {
        return Err(
            fields.refuse("overflow", format!("{} blocks of {:?} are too many to list", tensor.stored(), tensor.pattern().block_shape()))
        );
    }
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    tensor.for_each(|coordinate, value| {
        coords.push(json!(coordinate));
        values.extend(value.cloned());
    });
    Ok(json!({"shape": tensor.shape(), "coords": coords, "values": values}))
}
