//! Explains a composition: the modes of the left operand that each mode of the right operand walks.

use super::Result;
use super::page::{Account, POINTS, many};
use super::tree::{Layout, dotted, leaves, size};
use crd2idx::algebra::trace::{self, LinearRun};

/// Explains `composition(A, B)` of the layouts `a` and `b` with these names, mode by mode. Returns false if it ends at a
/// refusal.
pub fn compose(account: &mut Account, depth: usize, (a_name, a): (&str, &Layout), (b_name, b): (&str, &Layout)) -> Result<bool> {
    if !a.is_integer() || !b.is_integer() {
        let what = if b.is_integer() {
            format!("the values of {a_name} are coordinates")
        } else {
            format!("each basis of {b_name} walks its own mode of {a_name}")
        };
        account.say(depth, what)?;
        return Ok(true);
    }
    let Ok(trace) = trace::composition(a, b) else {
        account.say(depth, format!("the extents of {a_name} multiply past 64 bits"))?;
        return Ok(false);
    };
    let bounds = trace.digits().map(|digit| digit.bound.to_string()).collect::<Vec<_>>().join(", ");
    let modes = trace.digits().map(|digit| format!("{}:{}", digit.extent, digit.stride)).collect::<Vec<_>>().join(", ");
    if trace.digits().count() > 1 {
        account.say(depth, format!("the modes of {a_name}, {modes}, take over at {bounds} of its domain"))?;
    } else {
        account.say(depth, format!("{a_name} runs as one mode, {modes}"))?;
    }
    let (leaves, empty) = (leaves(b), size(b) == Some(0));
    for (k, leaf) in leaves.iter().enumerate() {
        if trace.runs(k).next().is_none() {
            // The composition refuses this mode before its first run.
            return Ok(false);
        }
        let mode = if leaf.path.is_empty() { String::new() } else { format!("mode {} of ", dotted(&leaf.path)) };
        account.say(depth, format!("{mode}{b_name}: {} of {}", many(leaf.extent.into(), "step"), leaf.stride))?;
        for run in trace.runs(k) {
            taken(account, depth + 1, a_name, &trace, &run, empty)?;
        }
    }
    sums(account, depth, &trace, a_name)?;
    let runs: Vec<LinearRun> = (0..leaves.len()).flat_map(|k| trace.runs(k)).collect();
    let done = trace.refusal().is_none();
    if done && runs.len() > leaves.len() {
        let shown = runs.iter().map(|run| format!("{}:{}", run.extent, run.stride)).collect::<Vec<_>>().join(", ");
        account.say(depth, format!("taken together: {shown}"))?;
    }
    Ok(done)
}

/// Explains a run of equal steps of a mode of `B` through `A`: what ends it, how far its steps move, and the steps that are
/// left.
fn taken<const N: usize>(
    account: &mut Account,
    depth: usize,
    a_name: &str,
    trace: &trace::CompositionTrace<N>,
    run: &LinearRun,
    empty: bool,
) -> Result<()> {
    let LinearRun { left, step, stride, extent: n, .. } = *run;
    if step == 0 {
        return account.say(depth, format!("moves nothing: {n}:0"));
    }
    if let Some(crossing) = trace.crossing(run)
        && let Some(there) = crossing.there
        && i128::from(there) != crossing.even
    {
        let (bound, rest, even) = (crossing.bound, crossing.rest, crossing.even);
        let reduced = if rest == step { String::new() } else { format!("`{step} mod {bound} = {rest}`, ") };
        let reach = i128::from(rest) * i128::from(n);
        let level = reach / i128::from(bound);
        let to = if level == 1 { format!("{bound}") } else { format!("`{level} * {bound} = {}`", level * i128::from(bound)) };
        let breaks = format!("`{a_name}({n} * {step}) = {there} != {n} * {stride} = {even}`");
        let reaches = format!("{reduced}`{n} * {rest} = {reach}` reaches {to}: {breaks}");
        account.say(depth, format!("the mode at {bound} changes after {}: {reaches}", many(n.into(), "step")))?;
    }
    let steps = many(n.into(), "step");
    if n == left {
        let all =
            if n > 0 && !empty { format!(": `{a_name}(i * {step}) = i * {stride} for all i < {}`", n.min(POINTS)) } else { String::new() };
        return account.say(depth, format!("{steps} by `{a_name}({step}) = {stride}` each{all}; so {n}:{stride}"));
    }
    if !run.divides() {
        return account.say(depth, format!("{steps} by {stride} each, but that does not divide {left}: `{left} mod {n} = {}`", left % n));
    }
    let moved = format!("the first {steps} by `{a_name}({step}) = {stride}` each: {n}:{stride}");
    let next = i128::from(step) * i128::from(n);
    let rest = format!("`{left} mod {n} = 0`, `{left} div {n} = {}` steps of `{step} * {n} = {next}` are left", left / n);
    account.say(depth, format!("{moved}; {rest}"))
}

/// Explains the sums of the steps of all modes of `B`, and which of the sums cross to another mode of `A`.
fn sums<const N: usize>(account: &mut Account, depth: usize, trace: &trace::CompositionTrace<N>, a_name: &str) -> Result<()> {
    let mut crossed = Vec::new();
    for sum in trace.sums() {
        let (bound, reach) = (sum.bound, sum.reach);
        let terms: Vec<String> = trace.terms(bound).map(|(n, rest)| format!("({n} - 1) * {rest}")).collect();
        if reach >= i128::from(bound) {
            crossed.push(format!("`{} = {reach} >= {bound}`", terms.join(" + ")));
        } else if terms.len() > 1 {
            account.say(depth, format!("the modes together stay below {bound}: `{} = {reach} < {bound}`", terms.join(" + ")))?;
        }
    }
    match crossed.as_slice() {
        [] => Ok(()),
        [one] => account.say(depth, format!("the modes together cross to another mode of {a_name}: {one}")),
        many => {
            let cancel = if trace.refusal().is_none() { ", and what they jump over cancels" } else { "" };
            account.say(depth, format!("the modes together cross to others of {a_name}: {}{cancel}", many.join(", ")))
        }
    }
}
