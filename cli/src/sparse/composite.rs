//! Tensors in parts, as JSON: the output of `crd2idx sparse build --format hbcsf[0,1]`, which the command also reads.

use super::levels::{self, MOST_NUMBERS};
use super::report;
use super::request::{Stored, fill, missing, of_class};
use crate::answer::Result;
use crate::request::{Request, read_of, structs};
use crd2idx::sparse::{Composite, Format, Indices, MappedFormat, Scheme, SparseTensor};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// Returns the arrays of all parts as JSON. Each part is a tensor of the coordinates that it stores.
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

structs! {
    /// A tensor in parts.
    Parts { parts: Option<Vec<Value>>, name: Option<String>, shape: Option<Vec<u64>>, fill: Option<Value> }
    /// The properties of a part beside its arrays.
    #[expect(dead_code, reason = "the format of all parts says the others")]
    Said {
        shape: Option<Vec<u64>>, axis_order: Option<IgnoredAny>, structure: Option<IgnoredAny>, multigraph: Option<IgnoredAny>,
        unsorted: Option<IgnoredAny>, max_children: Option<IgnoredAny>, balanced_level: Option<IgnoredAny>
    }
}

/// Reads the tensor and the format of a value with the key `parts`. Returns `None` if the key is missing. Refuses parts that do
/// not agree with the format.
pub fn read(value: &Value) -> Result<Option<(Composite<'static, Value>, Scheme)>> {
    let (given,): (Parts,) = Request::read(value, "blocked")?;
    let Some(parts) = given.parts else { return Ok(None) };
    let name = given.name.ok_or_else(|| missing("blocked", "name"))?;
    let (scheme, shape) = (name.parse::<Scheme>()?, given.shape.ok_or_else(|| missing("blocked", "shape"))?);
    let chains = scheme.chains(&shape)?;
    let mut arrays = Vec::with_capacity(parts.len());
    for (k, part) in parts.iter().enumerate() {
        let (said, mut stored): (Said, Stored) = read_of(part, &format!("parts[{k}]"), "blocked")?;
        let refuse = |message: String| of_class("blocked/parts", message);
        if let Some(MappedFormat { map, format }) = chains.get(k) {
            // The properties of a part must agree with the format.
            if let Some(found) = said.shape.filter(|found| found != map.extents()) {
                return Err(refuse(format!("part {k} has extents {found:?} instead of {:?}", map.extents())));
            }
            if let Some(found) = stored.name.as_ref().filter(|name| **name != json!(format.to_string())) {
                return Err(refuse(format!("part {k} is {found} instead of \"{format}\"")));
            }
        }
        if chains.get(k).is_some_and(|chain| chain.format.dense_axes() > 0) && stored.values.is_none() {
            return Err(refuse(format!("part {k} has blocks, but no `values`: give one value for each element of each block")));
        }
        arrays.push((stored.arrays(), stored.values()));
    }
    Ok(Some((Composite::from_arrays(&shape, &scheme, arrays, fill(&given.fill))?, scheme)))
}

/// Returns the number of elements, without the padding of blocks. Fails if the coordinates of a part cannot be listed.
pub fn elements(composite: &Composite<'_, Value>) -> Result<usize> {
    let mut count = 0;
    for part in 0..composite.parts().len() {
        count += composite.elements(part)?.0.first().map_or(0, Indices::len);
    }
    Ok(count)
}

/// Returns the elements as a list of coordinates. Refuses more than `MOST_NUMBERS` values.
pub fn list(composite: &Composite<'_, Value>) -> Result<SparseTensor<'static, Value>> {
    if composite.stored() > MOST_NUMBERS {
        return Err(of_class("blocked/overflow", format!("{} values are too many to list", composite.stored())));
    }
    Ok(composite.to_tensor(&Format::coo(composite.shape().len()))?)
}

/// Returns a text with the shape, the format and the sizes, then the report on each part.
pub fn report(composite: &Composite<'_, Value>, scheme: &Scheme) -> String {
    let mut out = format!("shape:    {:?}\nformat:   {scheme}\nstored:   {}\n", composite.shape(), composite.stored());
    out += &format!("bytes:    {} of indices and pointers", composite.index_bytes());
    for (k, part) in composite.parts().iter().enumerate() {
        out += &format!("\npart {k}:   {}", if part.map.is_identity() { "coordinates as they are".into() } else { part.map.to_string() });
        report::report(part.tensor.pattern()).lines().for_each(|line| out += &format!("\n  {line}"));
    }
    out
}
