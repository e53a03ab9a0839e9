//! `sparse.validate`: what is wrong with arrays.

use super::request::Fields;
use super::{FORMAT, STORED, gcs, levels};
use crate::answer::{Refusal, Result};
use crd2idx::sparse::binsparse::Header;
use crd2idx::sparse::{CustomArrays, CustomLevel, Indices, InterchangeError, SparseTensor, Values};
use serde_json::{Value, json};

/// The keys of a binary sparse file.
pub const FILE: &[&str] = &["header", "header_text", "arrays"];

/// Checks arrays of one kind.
pub fn validate(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "levels");
    let kind = fields.need("kind")?;
    let input = fields.get("input").unwrap_or(&Value::Null);
    let has = |keys: &[&str]| keys.iter().any(|key| input.get(key).is_some());
    let of = |family, keys| {
        let fields = Fields::new(input, family);
        fields.only(keys).map(|()| fields)
    };
    let of_gcxs = || of("gcxs", &[&["shape", "compressed_axes", "indptr", "indices", "data"]]);
    match kind.as_str() {
        Some("levels") => levels::read(&of("levels", &[FORMAT, STORED])?).map(|tensor| json!({"stored": tensor.stored()})),
        Some("gcxs") => gcs::check_gcxs(&of_gcxs()?),
        Some("gcs") if has(&["compressed_axes", "indptr"]) => gcs::check_gcxs(&of_gcxs()?),
        Some("gcs") => gcs::check(&of("gcs", &[&["shape", "axis_order", "split", "coord", "dense", "gcs"]])?),
        Some("binsparse") => file(request).map(|tensor| json!({"stored": tensor.stored(), "format": tensor.format().to_string()})),
        _ => Err(fields.refuse("type", format!("kind: {kind} is not one of binsparse, levels, gcs, gcxs"))),
    }
}

/// The tensor of `header`, or `header_text`, and `arrays`.
pub fn file(request: &Value) -> Result<SparseTensor<'static, Value>> {
    let header = match request.get("header_text").and_then(Value::as_str) {
        Some(text) => Header::parse(text)?,
        None => Header::read(Fields::new(request, "header").need("header")?)?,
    };
    let none = Value::Null;
    let fields = Fields::new(request.get("arrays").unwrap_or(&none), "array");
    let names = header.arrays();
    if let Some(array) = names.iter().find(|array| fields.get(array).is_none()) {
        return Err(InterchangeError::MissingArray { array: array.clone() }.into());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    fields.only(&[&names])?;
    header.arrays().iter().try_for_each(|array| header.data_type(array).map(|_| ()))?;
    let axes = header.shape.len();
    let mut arrays = CustomArrays { pointers_to: vec![None; axes], indices: vec![None; axes] };
    let mut axis = 0;
    for level in header.custom.levels() {
        if let CustomLevel::Sparse(rank) = level {
            if axis > 0 {
                arrays.pointers_to[axis] = Some(Indices::narrowest(&fields.numbers(&format!("pointers_to_{axis}"))?));
            }
            for axis in axis..axis + rank {
                arrays.indices[axis] = Some(Indices::narrowest(&fields.numbers(&format!("indices_{axis}"))?));
            }
        }
        axis += level.rank();
    }
    let values = values(&fields, &header, "values", header.stored)?;
    let fill = if header.fill { self::values(&fields, &header, "fill_value", 1)?.get(0).cloned() } else { None };
    header.tensor(arrays, values, fill.unwrap_or(json!(0))).map_err(|rejected| Refusal::from(rejected.error).of_family("array"))
}

/// The values of an array that has so many; complex ones as pairs.
fn values(fields: &Fields, header: &Header, name: &str, count: u64) -> Result<Values<'static, Value>> {
    let data_type = header.data_type(name)?;
    let list = fields.need(name)?.as_array().ok_or_else(|| fields.refuse("type", format!("{name} is not a list")))?;
    let (iso, parts) = (data_type.iso, 1 + usize::from(data_type.complex));
    let expected = (if iso { 1 } else { count }).saturating_mul(parts as u64);
    if list.len() as u64 != expected {
        return Err(InterchangeError::ArrayLength { array: name.into(), found: list.len(), expected }.into());
    }
    let values: Vec<Value> = if parts == 1 { list.clone() } else { list.chunks(parts).map(|pair| json!(pair)).collect() };
    match (iso, values.first()) {
        (true, Some(value)) => Ok(Values::Iso(value.clone())),
        _ => Ok(values.into()),
    }
}
