//! Tensors on meshes of devices: the requests `placement` and `reshard` of `batch`, and the moves that are drawn and explained.

mod kv_cache;
mod request;

use crate::answer::{Refusal, Result, detail, of_class};
use crate::request::requests;
use crd2idx::placements::{LimitedItem, MAX_RANGES, PlacementError, Reshard};
use crd2idx::relayout::json;
use request::Placed;
pub use request::{Move, asked};
use serde_json::{Value, json};

requests! {
    /// Returns the ranges of a tensor that each device of a mesh has.
    "placement" of "placement" => pieces;
    /// Returns the number of elements that stay on their device, and that move, from one placement to another.
    "reshard" of "placement" => reshard;
    /// Returns the copies that bring a tensor from one placement to another, a list for each summand, and the shapes of the parts.
    "reshard.plan" of "placement" => copies;
    /// Returns the copies that bring the cache of keys and values of a sequence from the pages of one engine to those of another.
    "kv_cache.plan" of "placement" => kv_cache::plan;
}

impl From<PlacementError> for Refusal {
    fn from(error: PlacementError) -> Refusal {
        match error {
            PlacementError::Keys { .. } => of_class(error.class(), error.to_string()),
            _ => Refusal::new(error.to_string()).with("class", detail(error.class())),
        }
    }
}

fn pieces((request,): (Placed,)) -> Result<Value> {
    let placement = request.placement()?;
    let mut count = 0;
    let mut pieces = vec![];
    for device in 0..placement.mesh().devices() {
        let ranges = placement.ranges(device)?;
        // Empty lists take room too.
        count += ranges.iter().map(|list| list.len().max(1)).sum::<usize>();
        if count > MAX_RANGES {
            return Err(PlacementError::Limit { what: LimitedItem::Ranges, count: count as i64, limit: MAX_RANGES as i64 }.into());
        }
        pieces.push(ranges);
    }
    Ok(json!({ "pieces": pieces }))
}

fn reshard((request,): (Move,)) -> Result<Value> {
    plan_and_counts(request).map(|(_, counts)| counts)
}

fn copies((request,): (Move,)) -> Result<Value> {
    let (plan, mut answer) = plan_and_counts(request)?;
    answer["summands"] = plan.messages()?.iter().map(|list| json::copies(list)).collect();
    answer["shapes"] = shapes(&plan)?;
    if let Some(reduction) = plan.source().reduction() {
        answer["reduction"] = reduction.to_string().into();
    }
    Ok(answer)
}

/// Returns the extents of the part of each device before and after the move. A device without a part has `null`.
fn shapes(plan: &Reshard) -> Result<Value> {
    let (source, target) = (plan.source(), plan.target());
    let from = (0..source.mesh().devices()).map(|device| source.local_shape(device)).collect::<std::result::Result<Vec<_>, _>>()?;
    let devices = plan.takers().iter().map(|device| device + 1).max().unwrap_or(0);
    let mut to = vec![Value::Null; devices];
    for (part, device) in plan.takers().iter().enumerate() {
        to[*device] = target.local_shape(part)?.into();
    }
    Ok(json!({"from": from, "to": to}))
}

/// Returns the move, the numbers of elements that stay and that move, and the takers of the parts if these are relabelled.
fn plan_and_counts(request: Move) -> Result<(Reshard, Value)> {
    let relabelled = request.is_relabelled();
    let plan = request.plan()?;
    let mut answer = json!({"local": plan.local(), "moved": plan.moved()});
    if relabelled {
        answer["takers"] = plan.takers().into();
    }
    Ok((plan, answer))
}
