//! Plans of copies between layouts: `crd2idx plan`, and the requests `plan` and `plan.stats` of `batch`.

mod words;

use crate::answer::{self, Refusal, Result as Answered, detail};
use crate::emit::text::{Form, print};
use crate::request::requests;
use crate::words::many;
use clap::Args;
use crd2idx::relayout::json::{self, Request};
use crd2idx::relayout::{self, PlanError};

requests! {
    /// Plans the copies that bring every element from one layout to another.
    "plan" of "request" => |(request,): (Request,)| Answered::Ok(json::plan(&request.plan()?));
    /// Plans copies, and returns the sums of the plan and of its messages.
    "plan.stats" of "request" => |(request,): (Request,)| Answered::Ok(json::statistics(&request.plan()?, request.element_bytes()));
}

impl From<PlanError> for Refusal {
    fn from(error: PlanError) -> Refusal {
        Refusal::new(error.to_string()).with("class", detail(error.class()))
    }
}

/// The arguments of `crd2idx plan`.
#[derive(Args)]
pub struct Plan {
    #[command(flatten)]
    request: Request,
    /// Print the plan as JSON, with its copies and its statistics.
    #[arg(long)]
    json: bool,
    /// Print lists of (byte, length, place) of source and target as JSON. Byte 0 is offset 0 of each place.
    #[arg(long, conflicts_with = "json")]
    descriptors: bool,
    /// With --descriptors: omit runs shorter than BYTES, which are left for packing.
    #[arg(long, value_name = "BYTES", default_value_t = 0, requires = "descriptors")]
    least: u64,
    /// Print the kernel of the copies in a language: c, cuda, hip, opencl, wgsl or rust.
    #[arg(long = "to", value_name = "LANGUAGE", conflicts_with_all = ["json", "descriptors"])]
    language: Option<String>,
    /// With --to: the name of the kernel.
    #[arg(long, default_value = "relayout", requires = "language")]
    name: String,
    /// With --to: the alignment of both arrays. It allows longer words for runs.
    #[arg(long, value_name = "BYTES", default_value_t = 1, requires = "language")]
    aligned: u32,
    /// With --to, if there are several messages: the number of the message to copy.
    #[arg(long, value_name = "N", requires = "language")]
    message: Option<usize>,
    /// The maximum number of messages to print in words.
    #[arg(long, value_name = "N", default_value_t = 32)]
    messages: usize,
}

/// The maximum number of descriptors of one list.
const MOST_DESCRIPTORS: usize = 1 << 20;

/// Returns the text to print, or the message of a failure.
pub fn run(ask: &Plan) -> Result<String, String> {
    let (request, plan) = (&ask.request, planned(&ask.request)?);
    let bytes = |what: &str| match request.element_bytes() {
        [bytes, other] if bytes == other => Ok(bytes),
        [bytes, other] => Err(format!("{what} move bytes as they are: elements of {bytes} bytes do not become elements of {other}")),
    };
    if let Some(language) = &ask.language {
        return kernel(ask, language, &plan, bytes("kernels")?);
    }
    if ask.descriptors {
        let bytes = bytes("descriptors")?;
        let lists = plan.descriptors(bytes, ask.least, MOST_DESCRIPTORS, |_, _| 0);
        return Ok(answer::text(json::descriptors(&lists.map_err(|error| error.to_string())?)));
    }
    if ask.json {
        let mut out = json::plan(&plan);
        out["statistics"] = json::statistics(&plan, request.element_bytes());
        return Ok(answer::text(out));
    }
    Ok(words::text(&plan, request.element_bytes(), ask.messages))
}

/// Returns the plan of a request. Fails with the message of the refusal.
pub fn planned(request: &Request) -> Result<relayout::Plan, String> {
    request.plan().map_err(|error| error.to_string())
}

/// Returns the text of the kernel of one message. Fails if there is no such message, or if several are left to choose from.
fn kernel(ask: &Plan, language: &str, plan: &relayout::Plan, bytes: u64) -> Result<String, String> {
    let form = Form::new(language, &ask.name, None, true).map_err(|(key, message)| format!("--{key}: {message}"))?;
    let messages = plan.messages();
    let message = match (ask.message, messages) {
        (None, []) => return Err("there is nothing to copy".into()),
        (None, [message]) => message,
        (None, _) => return Err(format!("there are {} messages with a kernel each: choose one by --message, from 0", messages.len())),
        (Some(k), _) => messages
            .get(k)
            .ok_or_else(|| format!("--message: {k} is named, but there are {}, counted from 0", many(messages.len() as i128, "message")))?,
    };
    let kernel = message.kernel(u32::try_from(bytes).unwrap_or(u32::MAX)).map_err(|error| error.to_string())?.aligned(ask.aligned);
    let source = kernel.emit(form.emit()).map_err(|error| error.to_string())?;
    print(source, form.language, false).map(|text| text.trim_end().to_owned())
}
