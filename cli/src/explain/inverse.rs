//! Explains how the strides of a layout chain into an inverse.

use super::Result;
use super::page::{Account, POINTS};
use super::statement::{Value, ask};
use super::tree::{Layout, layout_of, size};
use crd2idx::algebra::expression::Operand;
use crd2idx::algebra::trace::{self, InverseMode};

fn begin(account: &mut Account, l: &Layout, result: Option<&Value>) -> Result<()> {
    account.name("L", &Operand::Layout(*l))?;
    if let Some(result) = result {
        account.name("R", result)?;
    }
    let coalesced = ask(&format!("coalesce({l})")).map_err(|e| e.to_string())?;
    if coalesced.to_string() != l.to_string() {
        account.say(0, format!("its modes: `coalesce(L) = {coalesced}`"))?;
    }
    Ok(())
}

/// Explains `right_inverse(L)`: from stride 1 on, each stride begins where the modes before it end.
pub fn right(account: &mut Account, l: &Layout, result: &Value) -> Result<()> {
    begin(account, l, Some(result))?;
    if !l.is_integer() {
        return account.say(0, "each coordinate has its own inverse: `right_inverse(L) = R`");
    }
    let mut span = 1i128;
    for InverseMode { extent: n, stride, place } in trace::chained(l).map_err(|e| e.to_string())? {
        span = i128::from(n) * i128::from(stride);
        account.say(
            0,
            format!("stride {stride}: {n}:{stride} begins at {place} of the domain: {n}:{place}; next stride `{n} * {stride} = {span}`"),
        )?;
    }
    account.say(0, format!("no mode of stride {span}: the chain ends"))?;
    account.say(0, "in all `right_inverse(L) = R`")?;
    match layout_of(result).and_then(|inverse| size(&inverse)).filter(|size| *size > 0) {
        Some(size) => account.say(0, format!("`L(R(i)) = i for all i < {}`", size.min(POINTS))),
        None => Ok(()),
    }
}

/// Explains `left_inverse(L)`: the strides are sorted, and each divides the next.
pub fn left(account: &mut Account, l: &Layout, result: Option<&Value>) -> Result<()> {
    begin(account, l, result)?;
    if !l.is_integer() || size(l) == Some(0) {
        return match result {
            Some(_) => account.say(0, "in all `left_inverse(L) = R`"),
            None => Ok(()),
        };
    }
    let moving: Vec<InverseMode> = trace::places(l).map_err(|e| e.to_string())?.collect();
    if let Some(first) = moving.first()
        && first.stride.unsigned_abs() != 1
    {
        let step = first.stride.unsigned_abs();
        account.say(0, format!("the least stride is {step}: {step} consecutive indices map to one coordinate: {step}:0"))?;
    }
    let mut reach = 0i128;
    for (k, leaf) in moving.iter().enumerate() {
        let place = leaf.place;
        let (extent, step) = (i128::from(leaf.extent), i128::from(leaf.stride.unsigned_abs()));
        let what = format!("{extent}:{} begins at {place} of the domain", leaf.stride);
        match moving.get(k + 1) {
            Some(next) => {
                let next = i128::from(next.stride.unsigned_abs());
                if leaf.stride < 0 {
                    account.say(0, format!("{what}: negative, and not the largest"))?;
                    return Ok(());
                }
                if next % step != 0 {
                    account.say(0, format!("{what}, but the next stride is no multiple: `{next} mod {step} = {}`", next % step))?;
                    return Ok(());
                }
                account.say(
                    0,
                    format!("{what}: up to the next stride `{next} div {step} = {}` steps: {}:{place}", next / step, next / step),
                )?;
            }
            None => {
                let place = if leaf.stride < 0 { -place } else { place };
                account.say(0, format!("{what}: the largest stride: {extent}:{place}"))?;
            }
        }
        if reach >= step && result.is_none() {
            account.say(0, format!("the modes before reach {reach}, into its stride: `{reach} >= {step}`"))?;
        }
        reach = reach.saturating_add((extent - 1) * step);
    }
    if result.is_none() {
        return Ok(());
    }
    account.say(0, "in all `left_inverse(L) = R`")?;
    let Some(size) = size(l).filter(|size| *size > 0) else { return Ok(()) };
    let size = size.min(POINTS);
    let law = format!("R(L(i)) = i for all i < {size}");
    if account.names.holds(&law) {
        account.say(0, format!("`{law}`"))
    } else {
        account.say(0, format!("L takes some values twice: `L(R(L(i))) = L(i) for all i < {size}`"))
    }
}
