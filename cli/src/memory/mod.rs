//! Bank conflicts and coalescing: the operations `bank_conflicts`, `coalescing` and `swizzle_search` of `batch`.

mod read;

use crate::answer::{Answer, Refusal, Result, Row, known, one_of, part};
use crd2idx::algebra::memory::{Arrangement, Banks, Lines, Search};
use serde_json::{Value, json};

/// The keys of [`banks`].
const BANKS: &[&str] = &["banks", "bank_bytes", "warp"];

/// The operations, by name.
const OPERATIONS: &[Row] = &[
    ("bank_conflicts", &[&["layout", "threads", "element_bits", "vector"], BANKS], conflicts),
    ("coalescing", &[&["layout", "threads", "element_bits", "vector", "warp", "sector_bytes", "line_bytes", "base"]], coalescing),
    ("swizzle_search", &[&["shape", "element_bits", "accesses"], BANKS], search),
];

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer> {
    one_of(OPERATIONS, name, request)
}

/// The banks of a request, or the usual ones.
fn banks(request: &Value) -> Result<Banks> {
    let of = |key, usual| read::number(request, key, usual);
    let (count, bytes, warp) = (of("banks", 32)?, of("bank_bytes", 4)?, of("warp", 32)?);
    Banks::new(count, bytes, warp).map_err(|e| Refusal::new(e.to_string()))
}

fn conflicts(request: &Value) -> Result<Value> {
    let layout = read::layout(part(request, "layout")?)?;
    let threads = read::threads(part(request, "threads")?, &layout)?;
    let report = threads.banks(read::access(request)?, banks(request)?).map_err(|e| Refusal::new(e.to_string()))?;
    let wavefronts: Vec<u32> = report.accesses.iter().map(|served| served.wavefronts).collect();
    Ok(json!({"wavefronts": wavefronts, "total": report.wavefronts(), "ideal": report.ideal(), "conflicts": report.conflicts()}))
}

fn coalescing(request: &Value) -> Result<Value> {
    let layout = read::layout(part(request, "layout")?)?;
    let threads = read::threads(part(request, "threads")?, &layout)?;
    let usual = Lines::default();
    let lines = Lines {
        sector_bytes: read::number(request, "sector_bytes", usual.sector_bytes)?.max(1),
        line_bytes: read::number(request, "line_bytes", usual.line_bytes)?.max(1),
        base: request.get("base").map_or(Ok(0), |base| base.as_i64().ok_or_else(|| Refusal::malformed("`base` is no integer")))?,
    };
    let warp = read::number(request, "warp", 32)? as usize;
    let report = threads.lines(read::access(request)?, warp, lines).map_err(|e| Refusal::new(e.to_string()))?;
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

/// The layout with the fewest conflicts: in the notation, or as bits.
fn search(request: &Value) -> Result<Value> {
    let shape = read::shape(part(request, "shape")?)?;
    let list = part(request, "accesses")?.as_array().ok_or_else(|| Refusal::malformed("`accesses` is no list"))?;
    let of = |access: &Value| {
        known(access, "an access", &[&["threads", "vector", "element_bits"]])?;
        let mut with = access.clone();
        if let (Some(map), Some(bits)) = (with.as_object_mut(), request.get("element_bits")) {
            map.entry("element_bits").or_insert_with(|| bits.clone());
        }
        Ok((read::coordinates(part(access, "threads")?, &shape)?, read::access(&with)?))
    };
    let accesses = list.iter().map(of).collect::<Result<_>>()?;
    let answer = Search { shape, banks: banks(request)?, accesses }.run();
    let answer = answer.ok_or_else(|| Refusal::new("no layout keeps the vectors of every access"))?;
    let layout = match &answer.arrangement {
        Arrangement::Linear(linear) => crate::linear::written(linear),
        strided => json!(strided.to_string()),
    };
    Ok(json!({"layout": layout, "conflicts": answer.conflicts, "plain": answer.plain, "reason": answer.reason}))
}
