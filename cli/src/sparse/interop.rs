//! Tensors under the names of other systems: custom binary sparse files, and MLIR.

use super::levels::{listed, tensor};
use super::request::{Elements, Formatted, list, object, of_class};
use crate::answer::Result;
use crd2idx::sparse::{Custom, CustomArrays, CustomLevel, Format, MlirEncoding};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The levels of a custom file, each `["dense", rank]` or `["sparse", rank]`.
#[derive(Deserialize)]
pub struct Levels {
    levels: Option<Vec<(String, usize)>>,
}

impl Levels {
    /// Returns the custom levels of a request, else the levels of `structure`. Refuses levels that form no format.
    fn custom(&self, formatted: &Formatted) -> Result<Custom> {
        let Some(levels) = &self.levels else { return Ok(Custom::of(&formatted.format()?)?) };
        let of = |(kind, rank): &(String, usize)| match kind.as_str() {
            "dense" => Ok(CustomLevel::Dense(*rank)),
            "sparse" => Ok(CustomLevel::Sparse(*rank)),
            _ => Err(of_class("levels/token", format!("levels: [{kind:?},{rank}] is neither [\"dense\", rank] nor [\"sparse\", rank]"))),
        };
        Ok(Custom::new(&levels.iter().map(of).collect::<Result<Vec<_>>>()?, &formatted.axis_order())?)
    }

    /// Returns the format of the custom levels of a request, else of `structure`. Refuses levels that form no format.
    fn format(&self, formatted: &Formatted) -> Result<Format> {
        if self.levels.is_some() { Ok(self.custom(formatted)?.format()?) } else { formatted.format() }
    }
}

/// Answers `sparse.custom`: the arrays of a tensor under the names of custom binary sparse files.
pub fn custom_levels((formatted, elements, levels): (Formatted, Elements, Levels)) -> Result<Value> {
    let custom = levels.custom(&formatted)?;
    let tensor = tensor(&formatted.shape, &elements, levels.format(&formatted)?, "levels")?;
    let mut arrays = Map::new();
    let CustomArrays { pointers_to, indices } = tensor.pattern().custom_arrays()?;
    for (axis, (pointers, indices)) in pointers_to.iter().zip(&indices).enumerate() {
        arrays.extend(pointers.as_ref().map(|pointers| (format!("pointers_to_{axis}"), list(pointers))));
        arrays.extend(indices.as_ref().map(|indices| (format!("indices_{axis}"), list(indices))));
    }
    let values = listed(tensor.values());
    let stored = values.len();
    if levels.levels.is_some() {
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

/// Answers `sparse.mlir`: the arrays of a tensor under the names of MLIR, and its encoding there.
pub fn mlir((formatted, elements, levels): (Formatted, Elements, Levels)) -> Result<Value> {
    let format = levels.format(&formatted)?;
    let encoding = MlirEncoding::of(&format)?;
    let tensor = tensor(&formatted.shape, &elements, format, "levels")?;
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
