//! Explains which gaps a complement fills.

use super::Result;
use super::page::{Account, many};
use super::statement::{Value, ask};
use super::tree::Layout;
use crd2idx::algebra::expression::Operand;
use crd2idx::algebra::trace::{self, Gap};
use crd2idx::error::Cause;

/// The end of a complement: what is required of it behind the last gap of the layout.
#[derive(Clone, Copy)]
pub enum End {
    /// The complement covers at least this many elements.
    AtLeast(i64),
    /// The complement covers exactly this many elements, as divides require: strides nest, and the span divides the number.
    Exactly(i64),
    /// The complement is infinite, as products require.
    Open,
}

/// Explains the complement of the layout `l`, which is called `name`: each gap that it fills. Returns false if it ends at a
/// refusal.
pub fn gaps(account: &mut Account, depth: usize, (name, l): (&str, &Layout), end: End) -> Result<bool> {
    if !l.is_integer() {
        account.say(depth, "each basis has its own complement")?;
        return Ok(true);
    }
    let filtered = ask(&format!("filter({l})")).map_err(|e| e.to_string())?;
    if filtered.to_string() != l.to_string() {
        account.say(depth, format!("without modes that move nothing: `filter({name}) = {filtered}`"))?;
    }
    let trace = trace::complement(l, matches!(end, End::Exactly(_))).map_err(|e| e.to_string())?;
    for gap @ Gap { distance, span, copies, .. } in trace.gaps() {
        let modes: Vec<(i64, i64)> = trace.modes(&gap).collect();
        let list = modes.iter().map(|(extent, stride)| format!("{extent}:{stride}")).collect::<Vec<_>>();
        let covered = modes.iter().fold(i128::from(distance), |sum, (n, d)| sum + (i128::from(*n) - 1) * i128::from(*d));
        let (lies, covers) = match modes[..] {
            [(extent, stride)] => (format!("{} lies", list[0]), format!("`{extent} * {stride} = {covered}`")),
            _ => {
                let reach = modes.iter().map(|(extent, stride)| format!("({extent} - 1) * {stride}")).collect::<Vec<_>>();
                (
                    format!("{} interleave, at least {distance} apart, and lie", list.join(" and ")),
                    format!("`{} + {distance} = {covered}`", reach.join(" + ")),
                )
            }
        };
        let rest = distance.checked_rem(span).unwrap_or(0);
        let rounded = if rest == 0 { String::new() } else { format!(" (`{distance} mod {span} = {rest}` elements stay between)") };
        let gap = match (copies, span) {
            (1, _) => "no gap".into(),
            (_, 0) => "nothing to copy".into(),
            _ => format!("the gap below holds `{distance} div {span} = {copies}` copies: {copies}:{span}"),
        };
        account.say(depth, format!("{lies} over {}: {gap}{rounded}; {covers} elements covered", many(span.into(), "element")))?;
    }
    let span = trace.span();
    if let Some((extent, stride, error)) = trace.refusal() {
        let covered = many(span.into(), "element");
        let why = match error.cause {
            Cause::NegativeStride => "is negative".into(),
            Cause::NotInjective => format!("begins inside the {covered} covered: `{stride} < {span}`"),
            Cause::StrideDoesNotNest => {
                format!("does not begin at a multiple of the {covered} covered: `{stride} mod {span} = {}`", stride % span)
            }
            _ => error.reason().as_str().replace('`', "'"),
        };
        account.say(depth, format!("{extent}:{stride} {why}"))?;
        return Ok(false);
    }
    match end {
        End::Open => account.say(depth, format!("behind it the copies continue without end: stride {span}"))?,
        _ if span == 0 => account.say(depth, "nothing is covered, so there is nothing to copy: 0:0")?,
        End::AtLeast(m) if m <= span => account.say(depth, format!("that reaches {m}: `{m} <= {span}`"))?,
        End::AtLeast(m) => {
            let n = ask(&format!("ceil_div({m}, {span})")).map_err(|e| e.to_string())?;
            account.say(depth, format!("up to {m}: `ceil_div({m}, {span}) = {n}`: {n}:{span}"))?
        }
        End::Exactly(m) => {
            let (n, rest) = (m / span, m % span);
            if rest != 0 {
                account.say(depth, format!("the span {span} does not divide {m}: `{m} mod {span} = {rest}`"))?;
                return Ok(false);
            }
            account.say(depth, format!("up to {m}: `{m} mod {span} = 0`, `{m} div {span} = {n}`: {n}:{span}"))?;
        }
    }
    Ok(true)
}

/// Explains `complement(L, m)`, or `complement(L)` without `m`. Without a result, the explanation ends at the refusal.
pub fn complement(account: &mut Account, l: &Layout, m: Option<i64>, result: Option<&Value>) -> Result<()> {
    account.name("L", &Operand::Layout(*l))?;
    let call = m.map_or("complement(L)".into(), |m| format!("complement(L, {m})"));
    let m = match m {
        Some(m) => m,
        None if l.is_integer() => match ask(&format!("cosize({l})")).ok().and_then(|value| value.to_string().parse().ok()) {
            Some(m) => {
                account.say(0, format!("up to its own end: `cosize(L) = {m}`"))?;
                m
            }
            None => return Ok(()),
        },
        None => 1,
    };
    let done = gaps(account, 0, ("L", l), End::AtLeast(m))?;
    match result {
        Some(result) if done => {
            account.name("R", result)?;
            account.say(0, format!("in all `{call} = R`"))
        }
        _ => Ok(()),
    }
}
