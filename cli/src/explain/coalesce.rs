//! Explains which modes merge, and why.

use super::Result;
use super::page::{Account, POINTS};
use super::statement::Value;
use super::tree::{Layout, Tuple, dotted, layout_of, leaves, modes, size};
use crd2idx::algebra::expression::Operand;
use crd2idx::algebra::trace;

/// Explains `coalesce(L)`, or `coalesce(L, profile)`; with `drop_zeros`, `filter(L)`.
pub fn coalesce(account: &mut Account, l: &Layout, profile: Option<&Tuple>, drop_zeros: bool, result: &Value) -> Result<()> {
    account.name("L", &Operand::Layout(*l))?;
    account.name("R", result)?;
    let call = match (profile, drop_zeros) {
        (Some(profile), _) => {
            by_profile(account, l, &Operand::Tuple(*profile), &mut Vec::new())?;
            format!("coalesce(L, {profile})")
        }
        (None, drop_zeros) => {
            merge(account, 0, l, &[], drop_zeros)?;
            if drop_zeros { "filter(L)".into() } else { "coalesce(L)".into() }
        }
    };
    account.say(0, format!("in all `{call} = R`"))?;
    match size(l) {
        // Along bases the two sides may differ in notation: one may omit a basis along which nothing moves.
        Some(size) if size > 0 && !drop_zeros && l.is_integer() => {
            account.say(0, format!("the same function: `R(i) = L(i) for all i < {}`", size.min(POINTS)))
        }
        _ => Ok(()),
    }
}

fn by_profile(account: &mut Account, l: &Layout, profile: &Value, path: &mut Vec<usize>) -> Result<()> {
    if matches!(profile, Operand::Tuple(n) if n.is_scalar()) {
        account.say(0, format!("mode {}: {l}", dotted(path)))?;
        return merge(account, 1, l, path, false);
    }
    let steps = modes(profile);
    for (k, mode) in modes(&Operand::Layout(*l)).iter().enumerate() {
        path.push(k);
        match (steps.get(k), layout_of(mode)) {
            (Some(step), Some(mode)) => by_profile(account, &mode, step, path)?,
            _ => account.say(0, format!("mode {}: {mode} is not in the profile and stays", dotted(path)))?,
        }
        path.pop();
    }
    Ok(())
}

/// Explains each leaf of the mode of `L` at `path`: it is dropped, merged with the mode before it, or begins a mode.
fn merge(account: &mut Account, depth: usize, l: &Layout, path: &[usize], drop_zeros: bool) -> Result<()> {
    let mut before: Option<trace::Merged> = None;
    for (leaf, last) in leaves(l).into_iter().zip(trace::merged_modes(l, drop_zeros).map_err(|e| e.to_string())?) {
        let at = [path, &leaf.path].concat();
        let mode = if at.is_empty() { format!("{}:{leaf}", leaf.extent) } else { format!("mode {}, {}:{leaf}", dotted(&at), leaf.extent) };
        let now = Some(last).filter(|last| last.modes > 0);
        let text = match (before, now) {
            _ if before == now => {
                let why = if leaf.extent == 1 { "one element" } else { "stride 0 moves nothing" };
                format!("{mode}: {why}, dropped")
            }
            (Some(before), Some(now)) => {
                let (n, d) = (before.extent, before.stride);
                let next = i128::from(n) * i128::from(d);
                let whole = super::tree::Leaf { stride: d, basis: before.basis, ..leaf.clone() };
                let goes_on = format!("{n}:{whole} goes on at `{n} * {d} = {next}`");
                if now.modes == before.modes {
                    let merged = format!("`{n} * {} = {}`, {}:{whole}", leaf.extent, now.extent, now.extent);
                    format!("{mode}: {goes_on}, the stride here: merged, {merged}")
                } else if before.basis != leaf.basis {
                    format!("{mode}: along another basis than {whole}, begins a mode")
                } else {
                    format!("{mode}: {goes_on}, and `{next} != {}`: begins a mode", leaf.stride)
                }
            }
            _ => format!("{mode}: begins a mode"),
        };
        account.say(depth, text)?;
        before = now;
    }
    if before.is_none() {
        account.say(depth, "nothing is left: 1:0")?;
    }
    Ok(())
}
