//! Tensors under the names of other systems.

use super::levels::{listed, tensor};
use super::request::{Fields, list, object};
use crate::answer::Result;
use crd2idx::sparse::{Custom, CustomArrays, CustomLevel, Format, MlirEncoding};
use serde_json::{Map, Value, json};

/// The custom levels that a request lists, or those of its structure.
fn custom(fields: &Fields) -> Result<Custom> {
    let rank = fields.numbers("shape")?.len();
    let Some(levels) = fields.get("levels") else { return Ok(Custom::of(&fields.format(rank)?)?) };
    let of = |level: &Value| {
        let rank = level.get(1).and_then(Value::as_u64).and_then(|rank| usize::try_from(rank).ok());
        match (level.get(0).and_then(Value::as_str), rank) {
            (Some("dense"), Some(rank)) => Ok(CustomLevel::Dense(rank)),
            (Some("sparse"), Some(rank)) => Ok(CustomLevel::Sparse(rank)),
            _ => Err(fields.refuse("token", format!("levels: {level} is neither [\"dense\", rank] nor [\"sparse\", rank]"))),
        }
    };
    let levels = levels.as_array().ok_or_else(|| fields.refuse("type", "levels is not a list"))?;
    Ok(Custom::new(&levels.iter().map(of).collect::<Result<Vec<_>>>()?, &fields.axis_order(rank)?)?)
}

/// The format that a request names, or that of its custom levels.
fn format(fields: &Fields) -> Result<Format> {
    if fields.get("levels").is_some() { Ok(custom(fields)?.format()?) } else { fields.format(fields.numbers("shape")?.len()) }
}

/// `sparse.custom`.
pub fn custom_levels(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "levels");
    let custom = custom(&fields)?;
    let tensor = tensor(&fields, format(&fields)?)?;
    let mut arrays = Map::new();
    let CustomArrays { pointers_to, indices } = tensor.pattern().custom_arrays()?;
    for (axis, (pointers, indices)) in pointers_to.iter().zip(&indices).enumerate() {
        arrays.extend(pointers.as_ref().map(|pointers| (format!("pointers_to_{axis}"), list(pointers))));
        arrays.extend(indices.as_ref().map(|indices| (format!("indices_{axis}"), list(indices))));
    }
    let values = listed(tensor.values());
    let stored = values.len();
    if fields.get("levels").is_some() {
        arrays.insert("values".into(), json!(values));
    }
    Ok(json!({
        "levels": custom.levels().iter().map(|level| json!([level.name(), level.rank()])).collect::<Vec<_>>(),
        "transpose": custom.transpose(),
        "arrays": arrays,
        "descriptor": custom.level_json(),
        "number_of_stored_values": stored,
    }))
}

/// `sparse.mlir`.
pub fn mlir(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "levels");
    let format = format(&fields)?;
    let encoding = MlirEncoding::of(&format)?;
    let tensor = tensor(&fields, format)?;
    let storage = tensor.pattern().mlir_storage()?;
    let refusal = encoding.verify().err();
    Ok(json!({
        "lvl_types": encoding.level_types.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "axis_order": encoding.axis_order,
        "verifier_ok": refusal.is_none(),
        "verifier": refusal.map(|error| error.to_string()),
        "positions": object(&storage.positions),
        "coordinates": object(&storage.coordinates),
    }))
}
