//! The operations `plan` and `plan.stats` of `batch`.

use crate::answer::{Answer, failure, success, unknown};
use crd2idx::relayout::json::{self, Request, RequestError};
use serde_json::Value;

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer, Answer> {
    let operation = match name {
        "plan" => |request: Request| Ok(json::plan(&request.planner.plan(&request.from, &request.to)?)),
        "plan.stats" => |request: Request| Ok(json::statistics(&request.planner.plan(&request.from, &request.to)?, request.element_bytes)),
        _ => return Err(unknown(name)),
    };
    Request::from_json(request).and_then(operation).map(success).map_err(refusal)
}

fn refusal(error: RequestError) -> Answer {
    let mut out = failure(error.to_string());
    out.insert("class".into(), error.class().into());
    out
}
