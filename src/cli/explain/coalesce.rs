//! Which modes merge, and why.

use super::page::{Account, POINTS};
use super::statement::Value;
use super::tree::{Coordinate, Layout, Leaf, Tree, dotted};

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
    let mut last: Option<Leaf> = None;
    for (below, leaf) in l.leaves() {
        let at = [path, &below].concat();
        let mode = if at.is_empty() { format!("{}:{leaf}", leaf.extent) } else { format!("mode {}, {}:{leaf}", dotted(&at), leaf.extent) };
        if leaf.extent == 1 {
            account.say(depth, format!("{mode}: one element, dropped"))?;
            continue;
        }
        if drop_zeros && leaf.stride == 0 && leaf.extent != 0 {
            account.say(depth, format!("{mode}: stride 0 moves nothing, dropped"))?;
            continue;
        }
        let Some(before) = last else {
            account.say(depth, format!("{mode}: begins a mode"))?;
            last = Some(leaf);
            continue;
        };
        let next = i128::from(before.extent) * i128::from(before.stride);
        let goes_on = format!("{}:{before} goes on at `{} * {} = {next}`", before.extent, before.extent, before.stride);
        if before.basis != leaf.basis {
            account.say(depth, format!("{mode}: along another basis than {before}, begins a mode"))?;
        } else if next == i128::from(leaf.stride) {
            let extent = before.extent.checked_mul(leaf.extent).ok_or("explain: the size overflows 64 bits")?;
            account.say(
                depth,
                format!("{mode}: {goes_on}, the stride here: merged, `{} * {} = {extent}`, {extent}:{before}", before.extent, leaf.extent),
            )?;
            last = Some(Leaf { extent, ..before });
            continue;
        } else {
            account.say(depth, format!("{mode}: {goes_on}, and `{next} != {}`: begins a mode", leaf.stride))?;
        }
        last = Some(leaf);
    }
    if last.is_none() {
        account.say(depth, "nothing is left: 1:0")?;
    }
    Ok(())
}
