//! Tensors in parts, as JSON: what `crd2idx sparse build --format hbcsf[0,1]` prints and reads.

use super::levels::{self, MOST_NUMBERS};
use super::report;
use super::request::Fields;
use super::{FORMAT, STORED};
use crate::answer::Result;
use crd2idx::sparse::{Chain, Composite, Format, Indices, Scheme, SparseTensor, Values};
use serde_json::{Value, json};

/// The arrays of all parts, each as a tensor of the coordinates that it stores.
pub fn written(composite: &Composite<'_, Value>, scheme: &Scheme) -> Value {
    let parts: Vec<Value> = composite.parts().iter().map(|part| levels::written(&part.tensor)).collect();
    let levels = composite.to_string();
    let mut out =
        json!({"name": scheme.to_string(), "levels": levels, "shape": composite.shape(), "stored": composite.stored(), "parts": parts});
    if composite.fill() != &json!(0) {
        out["fill"] = composite.fill().clone();
    }
    out
}

/// The tensor of a value with the key `parts`, and its format.
pub fn read(value: &Value) -> Result<Option<(Composite<'static, Value>, Scheme)>> {
    let fields = Fields::new(value, "blocked");
    let Some(parts) = fields.get("parts") else { return Ok(None) };
    let parts = parts.as_array().ok_or_else(|| fields.refuse("type", "parts is not a list"))?;
    let name = fields.need("name")?.as_str().ok_or_else(|| fields.refuse("type", "name is not a text"))?;
    let (scheme, shape) = (name.parse::<Scheme>()?, fields.numbers("shape")?);
    let chains = scheme.chains(&shape)?;
    let mut arrays = Vec::with_capacity(parts.len());
    for (k, part) in parts.iter().enumerate() {
        let part = Fields::new(part, "blocked");
        part.only(&[FORMAT, STORED])?;
        if let Some(Chain { map, format }) = chains.get(k) {
            // What is said of a part is what the format says.
            if part.get("shape").is_some() && part.numbers("shape")? != map.extents() {
                let (found, expected) = (part.numbers("shape")?, map.extents());
                return Err(part.refuse("parts", format!("part {k} has extents {found:?} instead of {expected:?}")));
            }
            if let Some(found) = part.get("name").filter(|name| **name != json!(format.to_string())) {
                return Err(part.refuse("parts", format!("part {k} is {found} instead of \"{format}\"")));
            }
        }
        let dense = chains.get(k).is_some_and(|chain| chain.format.dense_axes() > 0);
        let values: Values<Value> = match (part.get("values"), part.get("iso")) {
            (Some(_), _) => part.values()?.into(),
            _ if dense => return Err(part.refuse("parts", format!("part {k} has blocks, and no values of them"))),
            (None, Some(iso)) => Values::Iso(iso.clone()),
            (None, None) => Values::PatternOnly,
        };
        arrays.push((part.arrays()?, values));
    }
    let fill = fields.get("fill").cloned().unwrap_or(json!(0));
    Ok(Some((Composite::from_arrays(&shape, &scheme, arrays, fill)?, scheme)))
}

/// The number of elements, without what fills up blocks.
pub fn elements(composite: &Composite<'_, Value>) -> Result<usize> {
    let mut count = 0;
    for part in 0..composite.parts().len() {
        count += composite.elements(part)?.0.first().map_or(0, Indices::len);
    }
    Ok(count)
}

/// The elements as a list.
pub fn list(composite: &Composite<'_, Value>) -> Result<SparseTensor<'static, Value>> {
    if composite.stored() > MOST_NUMBERS {
        return Err(super::request::of_class("blocked/overflow", format!("{} values are too many to list", composite.stored())));
    }
    Ok(composite.to_tensor(&Format::coo(composite.shape().len()))?)
}

/// Shape, format and sizes, then what each part is.
pub fn report(composite: &Composite<'_, Value>, scheme: &Scheme) -> String {
    let mut out = format!("shape:    {:?}\nformat:   {scheme}\nstored:   {}\n", composite.shape(), composite.stored());
    out += &format!("bytes:    {} of indices and pointers", composite.index_bytes());
    for (k, part) in composite.parts().iter().enumerate() {
        out += &format!("\npart {k}:   {}", if part.map.is_identity() { "coordinates as they are".into() } else { part.map.to_string() });
        report::report(part.tensor.pattern()).lines().for_each(|line| out += &format!("\n  {line}"));
    }
    out
}
