//! A plan in words: the statistics, then the messages and their copies.

use crate::words::many;
use crd2idx::relayout::{Copy, Loop, Message, Plan};
use std::fmt::Write;

/// The maximum number of copies to write for one message.
const MOST_COPIES: usize = 8;

/// Returns the statistics, then at most `most` messages with their copies. `element_bytes` are the bytes of an element in the
/// source and in the target.
pub fn text(plan: &Plan, element_bytes: [u64; 2], most: usize) -> String {
    let mut out = plan.statistics().to_string();
    if element_bytes != [1, 1] {
        let [from, to] = element_bytes.map(|bytes| i128::from(plan.elements()) * i128::from(bytes));
        let _ = if from == to { write!(out, "; {from} bytes") } else { write!(out, "; {from} bytes become {to}") };
    }
    for message in plan.messages().iter().take(most) {
        one(message, &mut out);
    }
    if plan.messages().len() > most {
        let _ = write!(out, "\n... and {} (--messages N shows N)", many((plan.messages().len() - most) as i128, "more message"));
    }
    out
}

fn one(message: &Message, out: &mut String) {
    let elements = many(message.elements().into(), "element");
    let Message { from, to, copies } = message;
    let _ = match message.is_local() {
        true => write!(out, "\n{from} -> {to}  {elements}, local"),
        false => write!(out, "\n{from} -> {to}  {elements}"),
    };
    for Copy { source, target, count, loops } in copies.iter().take(MOST_COPIES) {
        let _ = write!(out, "\n    {count} at {source} -> {target}");
        for Loop { count, source, target } in loops {
            let _ = write!(out, ", {count} times {source:+} -> {target:+}");
        }
    }
    if copies.len() > MOST_COPIES {
        let _ = write!(
            out,
            "\n    ... and {}",
            if copies.len() - MOST_COPIES == 1 { "1 more copy".into() } else { format!("{} more copies", copies.len() - MOST_COPIES) }
        );
    }
}
