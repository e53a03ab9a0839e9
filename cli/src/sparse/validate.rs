//! `sparse.validate`: checks the arrays of levels, of groups of axes, of compressed rows, or of a binary sparse file.

use super::request::{missing, of_class};
use super::{gcs, levels};
use crate::answer::{Refusal, Result};
use crate::request::{read_of, value_of};
use crd2idx::error::UnknownKey;
use crd2idx::sparse::binsparse::Header;
use crd2idx::sparse::{CustomArrays, CustomLevel, Indices, InterchangeError, SparseTensor, Values};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// The kind of the arrays, and the arrays. `File` holds the arrays of a binary sparse file instead.
#[derive(Deserialize)]
pub struct Checked {
    kind: Option<Value>,
    #[serde(default)]
    input: Value,
}

/// A binary sparse file: its descriptor, as JSON or as text, and its arrays by name.
#[derive(Deserialize)]
pub struct File {
    header: Option<Value>,
    header_text: Option<String>,
    #[serde(default)]
    arrays: Value,
}

/// Answers `sparse.validate`: checks the arrays of one kind, and refuses them with the first fault.
pub fn validate((Checked { kind, input }, file): (Checked, File)) -> Result<Value> {
    let kind = kind.ok_or_else(|| missing("levels", "kind"))?;
    // The message then names the missing key, not the missing object.
    let input = if input.is_null() { json!({}) } else { input };
    let has = |keys: &[&str]| keys.iter().any(|key| input.get(key).is_some());
    match kind.as_str() {
        Some("levels") => {
            let (formatted, stored) = read_of(&input, "input", "levels")?;
            levels::stored(&formatted, stored).map(|tensor| json!({"stored": tensor.stored()}))
        }
        Some("gcxs") => gcs::check_gcxs(read_of(&input, "input", "gcxs")?),
        Some("gcs") if has(&["compressed_axes", "indptr"]) => gcs::check_gcxs(read_of(&input, "input", "gcxs")?),
        Some("gcs") => gcs::check(read_of(&input, "input", "gcs")?),
        Some("binsparse") => file.tensor().map(|tensor| json!({"stored": tensor.stored(), "format": tensor.format().to_string()})),
        _ => Err(of_class("levels/type", format!("kind: {kind} is not one of binsparse, levels, gcs, gcxs"))),
    }
}

/// Returns the value of an array by its name. Refuses a missing array, and a value of another type.
fn array<T: DeserializeOwned>(arrays: &Map<String, Value>, name: &str) -> Result<T> {
    value_of(arrays.get(name).ok_or_else(|| missing("array", name))?, name, "array")
}

impl File {
    /// Returns the tensor of the file. Refuses an invalid descriptor, missing or unknown arrays, and arrays that form no
    /// tensor.
    pub fn tensor(&self) -> Result<SparseTensor<'static, Value>> {
        let header = match (&self.header_text, &self.header) {
            (Some(text), _) => Header::parse(text)?,
            (None, Some(header)) => Header::read(header)?,
            (None, None) => return Err(missing("header", "header")),
        };
        let none = Map::new();
        let fields = self.arrays.as_object().unwrap_or(&none);
        let names = header.arrays();
        if let Some(array) = names.iter().find(|array| fields.get(*array).is_none_or(Value::is_null)) {
            return Err(InterchangeError::MissingArray { array: array.clone() }.into());
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(unknown) = UnknownKey::among(fields.keys().map(String::as_str), &names) {
            return Err(of_class("array/unexpected", unknown.to_string()));
        }
        header.arrays().iter().try_for_each(|array| header.data_type(array).map(|_| ()))?;
        let numbers = |name: &str| Ok::<_, Refusal>(Indices::narrowest(&array::<Vec<u64>>(fields, name)?));
        let axes = header.shape.len();
        let mut arrays = CustomArrays { pointers_to: vec![None; axes], indices: vec![None; axes] };
        let mut axis = 0;
        for level in header.custom.levels() {
            if let CustomLevel::Sparse(rank) = level {
                if axis > 0 {
                    arrays.pointers_to[axis] = Some(numbers(&format!("pointers_to_{axis}"))?);
                }
                for axis in axis..axis + rank {
                    arrays.indices[axis] = Some(numbers(&format!("indices_{axis}"))?);
                }
            }
            axis += level.rank();
        }
        let values = values(fields, &header, "values", header.stored)?;
        let fill = if header.fill { self::values(fields, &header, "fill_value", 1)?.get(0).cloned() } else { None };
        header.tensor(arrays, values, fill.unwrap_or(json!(0))).map_err(|rejected| Refusal::from(rejected.error).of_family("array"))
    }
}

/// Returns the values of the array `name`, with complex values as pairs. Refuses an array without `count` values, or without a
/// single one if the descriptor declares one for all.
fn values(fields: &Map<String, Value>, header: &Header, name: &str, count: u64) -> Result<Values<'static, Value>> {
    let data_type = header.data_type(name)?;
    let list: Vec<Value> = array(fields, name)?;
    let (iso, parts) = (data_type.iso, 1 + usize::from(data_type.complex));
    let expected = (if iso { 1 } else { count }).saturating_mul(parts as u64);
    if list.len() as u64 != expected {
        return Err(InterchangeError::ArrayLength { array: name.into(), found: list.len(), expected }.into());
    }
    let values: Vec<Value> = if parts == 1 { list } else { list.chunks(parts).map(|pair| json!(pair)).collect() };
    match (iso, values.first()) {
        (true, Some(value)) => Ok(Values::Iso(value.clone())),
        _ => Ok(values.into()),
    }
}
