//! Verdicts on kernels: `crd2idx graph verify`, and the request `{"op": "verify", "kernel": text}` of `batch`.

use crate::answer::{Result, of_class};
use crate::input;
use crate::request::{requests, structs};
use crd2idx::verdicts::{Finding, Kernel, KernelVerdict, Touch, Witness};
use serde_json::{Map, Value, json};
use std::path::Path;

requests! {
    /// Decides for all sizes whether a kernel has no races, stays in bounds, and writes all elements.
    "verify" => answer;
}

structs! {
    /// A kernel as text.
    Verified { kernel: String }
}

/// Returns the report on the kernel in a file if all claims are proven. Fails with the report if not, or with the line of the text
/// that is wrong.
pub fn run(file: &Path) -> std::result::Result<String, String> {
    let kernel = Kernel::parse(&input::text(file)?).map_err(|error| format!("{}: {error}", input::name(file)))?;
    let report = kernel.verify();
    let text = report.to_string().trim_end().to_owned();
    if report.is_proven() { Ok(text) } else { Err(text) }
}

fn answer((request,): (Verified,)) -> Result<Value> {
    let kernel = Kernel::parse(&request.kernel).map_err(|error| of_class("kernel/text", format!("kernel: {error}")))?;
    let report = kernel.verify();
    let claims: Vec<Value> = report.findings.iter().map(finding).collect();
    Ok(json!({"kernel": report.kernel, "proven": report.is_proven(), "claims": claims}))
}

fn finding(Finding { claim, verdict }: &Finding) -> Value {
    let mut out = json!({"claim": claim.to_string()});
    let (name, shown) = match verdict {
        KernelVerdict::Proven => ("proven", None),
        KernelVerdict::Open => ("open", None),
        KernelVerdict::Refuted(of) => ("false", Some(witness(of))),
    };
    out["verdict"] = name.into();
    if let Some(shown) = shown {
        out["witness"] = shown;
    }
    out
}

fn witness(Witness { sizes, element, touches, tables }: &Witness) -> Value {
    let touches: Vec<Value> = touches.iter().map(touch).collect();
    let mut out = json!({"sizes": named(sizes), "element": element, "touches": touches});
    if !tables.is_empty() {
        out["tables"] = (*tables).into();
    }
    out
}

fn touch(Touch { line, text, block, thread, counters }: &Touch) -> Value {
    json!({"line": line, "text": text, "block": named(block), "thread": named(thread), "counters": named(counters)})
}

/// Returns an object of numbers by their names.
fn named(of: &[(String, i64)]) -> Map<String, Value> {
    of.iter().map(|(name, number)| (name.clone(), (*number).into())).collect()
}
