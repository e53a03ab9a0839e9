//! Accesses to memory: the requests `bank_conflicts`, `coalescing`, `swizzle_search` and `tensor_map` of `batch`.

mod read;

use crate::answer::{Refusal, Result};
use crate::request::{requests, structs};
use crd2idx::LayoutError;
use crd2idx::algebra::expression::Operand;
use crd2idx::algebra::memory::{Arrangement, Lines, SwizzleSearch, TensorBox, TensorMap, TensorMapSwizzle};
use read::{Access, Banks, Positions};
use serde::Deserialize;
use serde_json::{Value, json};

requests! {
    /// Counts the wavefronts of accesses to shared memory.
    "bank_conflicts" => conflicts;
    /// Counts the sectors and lines of accesses to global memory.
    "coalescing" => coalescing;
    /// Finds the layout of a shape with the fewest bank conflicts.
    "swizzle_search" => search;
    /// Returns the arguments of `cuTensorMapEncodeTiled` for a layout and a box, and the layout of the box in shared memory.
    "tensor_map" => tensor_map;
}

impl From<LayoutError> for Refusal {
    fn from(error: LayoutError) -> Refusal {
        Refusal::new(error.to_string())
    }
}

structs! {
    /// The elements that threads access.
    Accessed { layout: String, threads: Positions }
    Searched { shape: Vec<i64>, element_bits: Option<u32>, accesses: Vec<SearchedAccess> }
    #[serde(deny_unknown_fields)]
    SearchedAccess { threads: Positions, vector: Option<u32>, element_bits: Option<u32> }
    /// A box of a layout in global memory. `at` has its first coordinates.
    Boxed {
        layout: String,
        r#box: Vec<i64>,
        element_bits: Option<u32>,
        element_strides: Option<Vec<i64>>,
        swizzle: Option<String>,
        address: Option<u64>,
        at: Option<Vec<i64>>
    }
}

#[derive(Deserialize)]
struct OfLines {
    warp: Option<u32>,
    sector_bytes: Option<u32>,
    line_bytes: Option<u32>,
    #[serde(default)]
    base: i64,
}

fn conflicts((accessed, access, banks): (Accessed, Access, Banks)) -> Result<Value> {
    let threads = accessed.threads.through(&read::layout(&accessed.layout)?)?;
    let report = threads.banks(access.read(None)?, banks.read()?)?;
    let wavefronts: Vec<u32> = report.accesses.iter().map(|served| served.wavefronts).collect();
    Ok(json!({"wavefronts": wavefronts, "total": report.wavefronts(), "ideal": report.ideal(), "conflicts": report.conflicts()}))
}

fn coalescing((accessed, access, lines): (Accessed, Access, OfLines)) -> Result<Value> {
    let threads = accessed.threads.through(&read::layout(&accessed.layout)?)?;
    let usual = Lines::default();
    let sizes = Lines {
        sector_bytes: lines.sector_bytes.unwrap_or(usual.sector_bytes).max(1),
        line_bytes: lines.line_bytes.unwrap_or(usual.line_bytes).max(1),
        base: lines.base,
    };
    let report = threads.lines(access.read(None)?, lines.warp.unwrap_or(32) as usize, sizes)?;
    Ok(json!({
        "sectors": report.sectors,
        "lines": report.lines,
        "total_sectors": report.sectors.iter().sum::<u64>(),
        "total_lines": report.lines.iter().sum::<u64>(),
        "ideal_sectors": report.ideal_sectors,
        "ideal_lines": report.ideal_lines,
        "useful_bytes": report.useful_bytes,
    }))
}

/// Answers with the layout with the fewest conflicts, in the notation or as bits. Refuses extents below 1, and whatever the
/// search refuses.
fn search((searched, banks): (Searched, Banks)) -> Result<Value> {
    let Searched { shape, element_bits, accesses } = searched;
    if let Some(extent) = shape.iter().find(|extent| **extent < 1) {
        return Err(Refusal::malformed(format!("shape: {extent} is no extent")));
    }
    let of = |access: SearchedAccess| {
        let SearchedAccess { threads, vector, element_bits: own } = access;
        Ok((threads.in_shape(&shape)?, Access { element_bits: own, vector }.read(element_bits)?))
    };
    let accesses = accesses.into_iter().map(of).collect::<Result<_>>()?;
    let answer = SwizzleSearch { shape, banks: banks.read()?, accesses }.run();
    let answer = answer.ok_or_else(|| Refusal::new("no layout keeps the vectors of every access"))?;
    let layout = match &answer.arrangement {
        Arrangement::Linear(linear) => crate::linear::written(linear),
        strided => json!(strided.to_string()),
    };
    Ok(json!({"layout": layout, "conflicts": answer.conflicts, "plain": answer.plain, "reason": answer.reason}))
}

/// Answers with the arguments by their names, `modes` with the mode of the layout of each, and the coordinates of `at`. Refuses what
/// is no layout or swizzle, and whatever the driver would refuse.
fn tensor_map((boxed,): (Boxed,)) -> Result<Value> {
    let global = match read::layout(&boxed.layout)? {
        Operand::Layout(layout) => layout,
        other => return Err(Refusal::new(format!("{other} is not a layout of global memory"))),
    };
    let swizzle = match boxed.swizzle.as_deref().map(|name| (name, TensorMapSwizzle::from_name(name))) {
        None => TensorMapSwizzle::None,
        Some((_, Some(swizzle))) => swizzle,
        Some((name, None)) => {
            let names = TensorMapSwizzle::ALL.map(TensorMapSwizzle::name).join(", ");
            return Err(Refusal::malformed(format!("swizzle: {name:?} is none of {names}")));
        }
    };
    let steps = boxed.element_strides.unwrap_or_default();
    let tile =
        TensorBox::new(boxed.element_bits.unwrap_or(32), &boxed.r#box).stepping(&steps).swizzled(swizzle).at(boxed.address.unwrap_or(0));
    let map = TensorMap::new(&global, tile)?;
    let mut answer = json!({
        "rank": map.rank(),
        "global_dim": map.global_dim(),
        "global_strides": map.global_strides(),
        "box_dim": map.box_dim(),
        "element_strides": map.element_strides(),
        "interleave": map.interleave(),
        "swizzle": map.swizzle().number(),
        "modes": map.modes(),
        "shared": map.shared().to_string(),
        "shared_bytes": map.shared_bytes(),
        "shared_alignment": map.shared_alignment(),
    });
    if let Some(at) = boxed.at {
        let coordinates =
            map.coordinates(&at).ok_or_else(|| Refusal::new(format!("at: {at:?} does not have one coordinate for each mode")))?;
        answer["coordinates"] = json!(coordinates[..map.rank()]);
    }
    Ok(answer)
}
