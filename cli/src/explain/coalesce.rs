//! Which modes merge, and why.

use super::page::{Account, POINTS};
use super::statement::Value;
use super::tree::{Coordinate, Layout, Leaf, Tree, dotted};
use crate::eval::LEAVES;
use crd2idx::algebra::{coalesce as algebra, modes::take};
use crd2idx::error::Op;
use crd2idx::value::{ExprGraph, LayoutValue};

type Result<T> = std::result::Result<T, String>;

/// `coalesce(L)`, or by a profile; with `drop_zeros`, `filter(L)`.
pub fn coalesce(account: &mut Account, l: &Layout, profile: Option<&Coordinate>, drop_zeros: bool, result: &Value) -> Result<()> {
    account.name("L", &l.value()?)?;
    account.name("R", result)?;
    match profile {
        None => merge(account, 0, l, &[], drop_zeros)?,
        Some(profile) => by_profile(account, l, profile, &mut Vec::new())?,
    }
    let call = match (profile, drop_zeros) {
        (Some(profile), _) => format!("coalesce(L, {profile})"),
        (None, true) => "filter(L)".into(),
        (None, false) => "coalesce(L)".into(),
    };
    account.say(0, format!("in all `{call} = R`"))?;
    match l.size() {
        // Along bases a coordinate may be written with or without those along which nothing moves.
        Some(size) if size > 0 && !drop_zeros && l.is_integer() => {
            account.say(0, format!("the same function: `R(i) = L(i) for all i < {}`", size.min(POINTS)))
        }
        _ => Ok(()),
    }
}

fn by_profile(account: &mut Account, l: &Layout, profile: &Coordinate, path: &mut Vec<usize>) -> Result<()> {
    let Tree::Tuple(steps) = profile else {
        account.say(0, format!("mode {}: {l}", dotted(path)))?;
        return merge(account, 1, l, path, false);
    };
    for (k, mode) in l.modes().iter().enumerate() {
        path.push(k);
        match steps.get(k) {
            Some(step) => by_profile(account, mode, step, path)?,
            None => account.say(0, format!("mode {}: {mode} is not in the profile and stays", dotted(path)))?,
        }
        path.pop();
    }
    Ok(())
}

/// Leaf by leaf: dropped, merged with what is before it, or a mode of its own.
fn merge(account: &mut Account, depth: usize, l: &Layout, path: &[usize], drop_zeros: bool) -> Result<()> {
    let mut cx = ExprGraph::<0>::new(Op::Coalesce);
    let flat = algebra::flatten(&l.lay()?, &mut cx).map_err(|e| e.to_string())?;
    let mut merged = |from: usize, end: usize| -> Result<LayoutValue<LEAVES>> {
        let modes = take(&flat, from, end, &mut cx);
        let coalesce = if drop_zeros { algebra::filter } else { algebra::coalesce };
        modes.and_then(|modes| coalesce(&modes, &mut cx)).map_err(|e| e.to_string())
    };
    // The mode that is being merged, and the leaf it begins with.
    let mut last: Option<(Leaf, usize)> = None;
    for (k, (below, leaf)) in l.leaves().into_iter().enumerate() {
        let at = [path, &below].concat();
        let mode = if at.is_empty() { format!("{}:{leaf}", leaf.extent) } else { format!("mode {}, {}:{leaf}", dotted(&at), leaf.extent) };
        if merged(k, k + 1)?.extent(0).is(1) {
            let why = if leaf.extent == 1 { "one element" } else { "stride 0 moves nothing" };
            account.say(depth, format!("{mode}: {why}, dropped"))?;
            continue;
        }
        let Some((before, from)) = last else {
            account.say(depth, format!("{mode}: begins a mode"))?;
            last = Some((leaf, k));
            continue;
        };
        let next = i128::from(before.extent) * i128::from(before.stride);
        let goes_on = format!("{}:{before} goes on at `{} * {} = {next}`", before.extent, before.extent, before.stride);
        let together = merged(from, k + 1)?;
        if together.is_scalar() {
            let extent = together.extent(0).value().ok_or("explain: the numbers are not known")?;
            account.say(
                depth,
                format!("{mode}: {goes_on}, the stride here: merged, `{} * {} = {extent}`, {extent}:{before}", before.extent, leaf.extent),
            )?;
            last = Some((Leaf { extent, ..before }, from));
            continue;
        }
        if before.basis != leaf.basis {
            account.say(depth, format!("{mode}: along another basis than {before}, begins a mode"))?;
        } else {
            account.say(depth, format!("{mode}: {goes_on}, and `{next} != {}`: begins a mode", leaf.stride))?;
        }
        last = Some((leaf, k));
    }
    if last.is_none() {
        account.say(depth, "nothing is left: 1:0")?;
    }
    Ok(())
}
