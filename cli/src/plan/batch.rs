//! The operations `plan` and `plan.stats` of `batch`.

use crate::answer::{Answer, Refusal, Result, Row, detail, one_of};
use crd2idx::relayout::json::{self, Request, RequestError};
use serde_json::Value;

const OPERATIONS: &[Row] = &[("plan", &[Request::KEYS], copies), ("plan.stats", &[Request::KEYS], statistics)];

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer> {
    one_of(OPERATIONS, name, request)
}

fn copies(request: &Value) -> Result<Value> {
    let request = Request::from_json(request)?;
    let plan = request.planner.plan(&request.from, &request.to).map_err(RequestError::from)?;
    Ok(json::plan(&plan))
}

fn statistics(request: &Value) -> Result<Value> {
    let request = Request::from_json(request)?;
    let plan = request.planner.plan(&request.from, &request.to).map_err(RequestError::from)?;
    Ok(json::statistics(&plan, request.element_bytes))
}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Refusal {
        Refusal::new(error.to_string()).with("class", detail(error.class()))
    }
}
