//! Plans of copies between layouts: `crd2idx plan` and the operations `plan` and `plan.stats` of `batch`.

mod args;
pub mod batch;
mod words;

pub use args::Question;

use clap::Args;
use crd2idx::relayout::json;

/// What to plan, and what to print.
#[derive(Args)]
pub struct Plan {
    #[command(flatten)]
    question: Question,
    /// The plan as JSON, its copies and its statistics.
    #[arg(long)]
    json: bool,
    /// Lists of (byte, length, place) of source and target as JSON; byte 0 is offset 0 of each place.
    #[arg(long, conflicts_with = "json")]
    descriptors: bool,
    /// With --descriptors: shorter runs are left to be packed.
    #[arg(long, value_name = "BYTES", default_value_t = 0, requires = "descriptors")]
    least: u64,
    /// The most messages that are printed in words.
    #[arg(long, value_name = "N", default_value_t = 32)]
    messages: usize,
}

/// The most descriptors of one list.
const MOST_DESCRIPTORS: usize = 1 << 20;

/// The text that the command prints, or a message.
pub fn run(ask: &Plan) -> Result<String, String> {
    let (request, plan) = ask.question.answered()?;
    if ask.descriptors {
        let [bytes, other] = request.element_bytes;
        if bytes != other {
            return Err(format!("descriptors move bytes as they are: elements of {bytes} bytes do not become elements of {other}"));
        }
        let lists = plan.descriptors(bytes.unsigned_abs(), ask.least, MOST_DESCRIPTORS, |_, _| 0);
        return Ok(json::descriptors(&lists.map_err(|error| error.to_string())?).to_string());
    }
    if ask.json {
        let mut out = json::plan(&plan);
        out["statistics"] = json::statistics(&plan, request.element_bytes);
        return Ok(out.to_string());
    }
    Ok(words::text(&plan, request.element_bytes, ask.messages))
}
