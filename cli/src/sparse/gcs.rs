//! Groups of axes.

use super::levels::{MOST_NUMBERS, listed, tensor};
use super::request::{Fields, list};
use crate::answer::{Refusal, Result};
use crd2idx::sparse::{AxisMap, Format, Gcxs, GcxsParts, Indices, Values};
use serde_json::{Value, json};

/// The groups of `shape`, `axis_order`, and `split`, a place or a list of places.
fn groups(fields: &Fields) -> Result<AxisMap> {
    let shape = fields.numbers("shape")?;
    let splits = match fields.need("split")? {
        Value::Array(_) => fields.places("split")?,
        _ => fields.count("split")?.into_iter().collect(),
    };
    Ok(AxisMap::grouped(&shape, &fields.axis_order(shape.len())?, &splits)?)
}

/// `sparse.gcs`.
pub fn gcs(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "gcs");
    let map = groups(&fields)?;
    match fields.get("dense") {
        Some(_) => Ok(json!({"gcs": map.reduce(&fields.numbers("dense")?)?})),
        None => Ok(json!({"dense": map.promote(&fields.numbers("gcs")?)?})),
    }
}

/// Checks the groups of `shape`, and the coordinates `coord` (or `dense`) and `gcs` where they are given.
pub fn check(fields: &Fields) -> Result<Value> {
    let map = groups(fields)?;
    for key in ["coord", "dense"] {
        if fields.get(key).is_some() {
            map.reduce(&fields.numbers(key)?)?;
        }
    }
    if fields.get("gcs").is_some() {
        map.promote(&fields.numbers("gcs")?)?;
    }
    Ok(json!({"gcs_shape": map.extents()}))
}

/// An error of compressed rows of groups of axes.
fn of_gcxs(error: impl Into<Refusal>) -> Refusal {
    error.into().of_family("gcxs")
}

/// `sparse.gcxs`.
pub fn gcxs(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "gcxs");
    let shape = fields.numbers("shape")?;
    let tensor = tensor(&fields, Format::coo(shape.len()))?;
    let axes = if fields.get("compressed_axes").is_some() { fields.places("compressed_axes")? } else { AxisMap::default_rows(&shape) };
    let gcxs = Gcxs::with_at_most(&tensor, &axes, MOST_NUMBERS).map_err(of_gcxs)?;
    Ok(json!({
        "shape": shape,
        "compressed_axes": gcxs.compressed_axes(),
        "indptr": list(gcxs.indptr()),
        "indices": list(gcxs.indices()),
        "data": listed(gcxs.data()),
    }))
}

/// Checks `shape`, `compressed_axes` and, where they are given, the arrays.
pub fn check_gcxs(fields: &Fields) -> Result<Value> {
    let shape = fields.numbers("shape")?;
    let compressed_axes = if fields.get("compressed_axes").is_some() { fields.places("compressed_axes")? } else { Vec::new() };
    if fields.get("indptr").is_none() && fields.get("indices").is_none() && fields.get("data").is_none() {
        return Ok(json!({"gcs_shape": AxisMap::rows(&shape, &compressed_axes).map_err(of_gcxs)?.extents()}));
    }
    let array = |key: &str| Ok::<_, Refusal>(if fields.get(key).is_some() { fields.numbers(key)? } else { Vec::new() });
    let data = match fields.get("data") {
        None => Values::PatternOnly,
        Some(data) => data.as_array().cloned().ok_or_else(|| fields.refuse("type", "data is not a list"))?.into(),
    };
    let (indptr, indices) = (Indices::narrowest(&array("indptr")?), Indices::narrowest(&array("indices")?));
    let parts = GcxsParts { shape, compressed_axes, indptr, indices, data, fill: json!(0) };
    let gcxs = Gcxs::from_parts(parts).map_err(|rejected| of_gcxs(rejected.error))?;
    Ok(json!({"gcs_shape": gcxs.map().extents(), "stored": gcxs.matrix().stored()}))
}
