//! Bank conflicts and coalescing: the requests `bank_conflicts`, `coalescing` and `swizzle_search` of `batch`.

mod read;

use crate::answer::{Refusal, Result};
use crate::request::{requests, structs};
use crd2idx::LayoutError;
use crd2idx::algebra::memory::{Arrangement, Lines, SwizzleSearch};
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
