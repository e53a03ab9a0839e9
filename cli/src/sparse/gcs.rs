//! Groups of axes: the requests `sparse.gcs` and `sparse.gcxs`.

use super::levels::{MOST_NUMBERS, listed, tensor};
use super::request::{Elements, OneOrMany, axis_order, list, missing};
use crate::answer::{Refusal, Result};
use crate::request::structs;
use crd2idx::sparse::{AxisMap, Format, Gcxs, GcxsParts, Indices, Values};
use serde_json::{Value, json};

structs! {
    /// The axes of a shape in an order, cut at one position or at several.
    Groups { shape: Vec<u64>, axis_order: Option<Vec<usize>>, split: OneOrMany }
    /// A coordinate of the axes, or of the groups.
    At { dense: Option<Vec<u64>>, gcs: Option<Vec<u64>> }
    Coord { coord: Option<Vec<u64>> }
    /// Extents, and the axes that form the rows.
    Compressed { shape: Vec<u64>, compressed_axes: Option<Vec<usize>> }
    /// The arrays of compressed rows.
    Rows { indptr: Option<Vec<u64>>, indices: Option<Vec<u64>>, data: Option<Vec<Value>> }
}

impl Groups {
    fn read(&self) -> Result<AxisMap> {
        let splits = match &self.split {
            OneOrMany::One(split) => vec![*split],
            OneOrMany::Many(splits) => splits.clone(),
        };
        Ok(AxisMap::grouped(&self.shape, &axis_order(self.axis_order.as_deref(), self.shape.len()), &splits)?)
    }
}

/// Answers `sparse.gcs`: a coordinate of axes as one of groups of axes, or back.
pub fn gcs((groups, at): (Groups, At)) -> Result<Value> {
    let map = groups.read()?;
    match (at.dense, at.gcs) {
        (Some(dense), _) => Ok(json!({"gcs": map.reduce(&dense)?})),
        (None, Some(reduced)) => Ok(json!({"dense": map.promote(&reduced)?})),
        (None, None) => Err(missing("gcs", "gcs")),
    }
}

/// Answers `sparse.validate` of groups: checks the groups, and the coordinates if they are given.
pub fn check((groups, at, coord): (Groups, At, Coord)) -> Result<Value> {
    let map = groups.read()?;
    for dense in [&coord.coord, &at.dense].into_iter().flatten() {
        map.reduce(dense)?;
    }
    if let Some(reduced) = &at.gcs {
        map.promote(reduced)?;
    }
    Ok(json!({"gcs_shape": map.extents()}))
}

/// Puts an error of compressed rows into the family `gcxs`.
fn of_gcxs(error: impl Into<Refusal>) -> Refusal {
    error.into().of_family("gcxs")
}

/// Answers `sparse.gcxs`: the compressed rows of a tensor whose axes form two groups.
pub fn gcxs((Compressed { shape, compressed_axes }, elements): (Compressed, Elements)) -> Result<Value> {
    let tensor = tensor(&shape, &elements, Format::coo(shape.len()), "gcxs")?;
    let axes = compressed_axes.unwrap_or_else(|| AxisMap::default_rows(&shape));
    let gcxs = Gcxs::with_at_most(&tensor, &axes, MOST_NUMBERS).map_err(of_gcxs)?;
    Ok(json!({
        "shape": shape,
        "compressed_axes": gcxs.compressed_axes(),
        "indptr": list(gcxs.indptr()),
        "indices": list(gcxs.indices()),
        "data": listed(gcxs.data()),
    }))
}

/// Answers `sparse.validate` of compressed rows: checks the groups, and the arrays if they are given.
pub fn check_gcxs((Compressed { shape, compressed_axes }, rows): (Compressed, Rows)) -> Result<Value> {
    let compressed_axes = compressed_axes.unwrap_or_default();
    let Rows { indptr, indices, data } = rows;
    if indptr.is_none() && indices.is_none() && data.is_none() {
        return Ok(json!({"gcs_shape": AxisMap::rows(&shape, &compressed_axes).map_err(of_gcxs)?.extents()}));
    }
    let array = |array: Option<Vec<u64>>| Indices::narrowest(&array.unwrap_or_default());
    let data = data.map_or(Values::PatternOnly, Values::from);
    let parts = GcxsParts { shape, compressed_axes, indptr: array(indptr), indices: array(indices), data, fill: json!(0) };
    let gcxs = Gcxs::from_parts(parts).map_err(|rejected| of_gcxs(rejected.error))?;
    Ok(json!({"gcs_shape": gcxs.map().extents(), "stored": gcxs.matrix().stored()}))
}
