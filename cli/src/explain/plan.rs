//! Explains why a plan has its copies.

use super::page::{Account, many};
use crate::answer;
use crate::plan::planned;
use clap::Args;
use crd2idx::relayout::json::Request;
use crd2idx::relayout::{Plan, Trace, TracedBox, TracedFactor};
use serde_json::json;

type Result<T> = std::result::Result<T, String>;

/// The maximum number of lines of one kind that are written.
const MOST: usize = 12;

/// The arguments of `crd2idx explain plan`.
#[derive(Args)]
pub struct Ask {
    #[command(flatten)]
    request: Request,
    /// Print JSON: the steps, and the statements in them.
    #[arg(long)]
    json: bool,
}

/// Returns the text to print, or the message of a failure.
pub fn run(ask: &Ask) -> Result<String> {
    let (request, plan) = (&ask.request, planned(&ask.request)?);
    let trace = request.sides().and_then(|[from, to]| request.planner().trace(&from, &to)).map_err(|error| error.to_string())?;
    let account = account(&trace, &plan)?;
    if ask.json {
        let mut json = account.json();
        json["statistics"] = json!(plan.statistics().to_string());
        return Ok(answer::text(json));
    }
    Ok(format!("plan from {} to {}\n{}", request.from, request.to, account.text()))
}

fn account(trace: &Trace, plan: &Plan) -> Result<Account> {
    let mut account = Account::default();
    let extents = trace.extents.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    match trace.extents.len() {
        1 => account.say(0, format!("{} by linear coordinate, the leftmost digit fastest", many(trace.extents[0].into(), "element")))?,
        modes => account.say(0, format!("{modes} modes of extents ({extents}): elements correspond by mode"))?,
    }
    account.say(0, "no two elements of the target share a place and an offset: the steps between two coordinates never cancel")?;
    if trace.boxes.len() > 1 {
        account.say(0, format!("the pieces of both sides have {} in common", many(trace.boxes.len() as i128, "box")))?;
    }
    for found in trace.boxes.iter().take(MOST) {
        boxed(&mut account, found, usize::from(trace.boxes.len() > 1))?;
    }
    if trace.boxes.len() > MOST {
        account.say(0, format!("... and {} more boxes", trace.boxes.len() - MOST))?;
    }
    let blocks: i128 = trace.boxes.iter().map(|found| found.factors.iter().map(|factor| factor.blocks as i128).product::<i128>()).sum();
    let copies = plan.statistics().descriptors;
    if blocks != copies as i128 {
        account.say(0, format!("{} with one place on each side become {}", many(blocks, "block"), many(copies as i128, "copy")))?;
    }
    account.say(0, plan.statistics().to_string())?;
    if trace.boxes.iter().any(|found| found.sources > 1) || plan.statistics().local == 0 {
        return Ok(account);
    }
    account.say(0, "elements that are already at their target place are copied within it")?;
    Ok(account)
}

fn boxed(account: &mut Account, found: &TracedBox, depth: usize) -> Result<()> {
    let numbers = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    if depth > 0 {
        let holders = if found.sources == 1 { String::new() } else { format!(", in {} pieces of the source", found.sources) };
        account.say(0, format!("from ({}) up to ({}){holders}:", numbers(&found.lo), numbers(&found.hi)))?;
    }
    for factor in &found.factors {
        factored(account, factor, depth)?;
    }
    let product = found.factors.iter().map(|factor| factor.blocks.to_string()).collect::<Vec<_>>();
    if found.factors.len() > 1 {
        let blocks: i128 = found.factors.iter().map(|factor| factor.blocks as i128).product();
        account.say(depth, format!("these are independent: `{} = {blocks}`, {}", product.join(" * "), many(blocks, "block")))?;
    }
    Ok(())
}

fn factored(account: &mut Account, factor: &TracedFactor, depth: usize) -> Result<()> {
    let name = match factor.mode {
        Some(mode) => format!("mode {mode}, {}", many(factor.extent.into(), "coordinate")),
        None => format!("the {} of the target", many(factor.extent.into(), "replica")),
    };
    account.say(depth, format!("{name}:"))?;
    for (k, digits) in factor.digits.iter().enumerate() {
        let side = if k == 0 { "target" } else { "source" };
        let digit = |(count, component, step): &(i64, usize, i64)| match component {
            0 => format!("{count} at {step:+}"),
            1 => format!("{count} places at {step:+}"),
            _ => format!("{count} places at {step:+} along {component}"),
        };
        let list = if digits.is_empty() { "does not move".into() } else { digits.iter().map(digit).collect::<Vec<_>>().join(", then ") };
        account.say(depth + 1, format!("{side}: {list}"))?;
    }
    nesting(account, factor, depth + 1)?;
    for (start, counts) in factor.progressions.iter().take(MOST) {
        let size: i64 = counts.iter().product();
        let text = match &counts[..] {
            [] => format!("one coordinate, {start}"),
            [count] => format!("from {start} on: {count} coordinates on which both sides step evenly"),
            counts => {
                let times = counts.iter().map(i64::to_string).collect::<Vec<_>>().join(" * ");
                format!("from {start} on: `{times} = {size}` coordinates on which both sides step evenly")
            }
        };
        account.say(depth + 1, text)?;
    }
    if factor.progressions.len() > MOST {
        account.say(depth + 1, format!("... and {} more", factor.progressions.len() - MOST))?;
    }
    let places = factor.digits.iter().flatten().any(|(count, component, step)| *component > 0 && *step != 0 && *count > 1);
    let why = if places { ": loops that go to other places are written out, the others stay loops" } else { "" };
    account.say(depth + 1, format!("{}{why}", many(factor.blocks as i128, "block")))
}

/// Explains whether the boundaries of the digits of both sides nest.
fn nesting(account: &mut Account, factor: &TracedFactor, depth: usize) -> Result<()> {
    let weights = |digits: &Vec<(i64, usize, i64)>| {
        let mut weight = 1_i64;
        let mut out = Vec::new();
        for (count, ..) in digits {
            weight = weight.saturating_mul(*count);
            out.push(weight);
        }
        out.pop();
        out
    };
    let mut all: Vec<i64> = factor.digits.iter().flat_map(weights).filter(|weight| *weight > 1 && *weight < factor.extent).collect();
    all.sort_unstable();
    all.dedup();
    let clash = all.windows(2).find(|pair| pair[1] % pair[0] != 0);
    match (clash, &all[..]) {
        (_, []) => Ok(()),
        (Some(pair), _) => account.say(
            depth,
            format!(
                "digits turn over every {} and every {} coordinates, and `{} mod {} = {}`: these do not nest",
                pair[0],
                pair[1],
                pair[1],
                pair[0],
                pair[1] % pair[0]
            ),
        ),
        (None, _) => {
            let list = all.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            account.say(depth, format!("digits turn over every {list} coordinates, each a multiple of the one before"))
        }
    }
}
