//! What a plan is asked for, on the command line.

use crate::input;
use clap::Args;
use crd2idx::relayout::json::{Request, side};
use crd2idx::relayout::{Plan, Planner, Side};
use serde_json::Value;

/// Two sides, and the options of a plan.
#[derive(Args)]
pub struct Question {
    /// Where the elements are: a layout, `(13,8):(1@0,1@1)` with places along 1, or JSON with `base`, `replicas`, `pieces`.
    #[arg(allow_hyphen_values = true)]
    pub from: String,
    /// Where they go.
    #[arg(allow_hyphen_values = true)]
    pub to: String,
    /// The elements that exist: one number for each mode, `50257,1024`, or one for the linear coordinate; all where none is given.
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    extent: Vec<i64>,
    /// At most so many loops a copy; 0 is contiguous runs only.
    #[arg(long, value_name = "N")]
    max_loops: Option<usize>,
    /// More copies than this are an error.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Bytes of an element, or those in the source and in the target: `4,2`.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1")]
    bytes: Vec<i64>,
}

impl Question {
    /// What is asked for.
    pub fn request(&self) -> Result<Request, String> {
        let mut planner = match self.extent[..] {
            [] => Planner::new(),
            [count] => Planner::new().elements(count),
            _ => Planner::new().extent(&self.extent),
        };
        if let Some(loops) = self.max_loops {
            planner = planner.max_loops(loops);
        }
        if let Some(copies) = self.limit {
            planner = planner.limit(copies);
        }
        let element_bytes = match self.bytes[..] {
            [both] if both >= 0 => [both; 2],
            [from, to] if from >= 0 && to >= 0 => [from, to],
            _ => return Err("--bytes: a number, or those of source and target".into()),
        };
        Ok(Request { from: read(&self.from)?, to: read(&self.to)?, planner, element_bytes })
    }

    /// What is asked for, and the plan.
    pub fn answered(&self) -> Result<(Request, Plan), String> {
        let request = self.request()?;
        let plan = request.planner.plan(&request.from, &request.to).map_err(|error| error.to_string())?;
        Ok((request, plan))
    }
}

fn read(text: &str) -> Result<Side, String> {
    let value = if text.trim_start().starts_with('{') {
        input::parse(text.as_bytes()).map_err(|error| format!("{text}: {error}"))?
    } else {
        Value::String(text.into())
    };
    side(&value).map_err(|error| format!("{text}: {error}"))
}
