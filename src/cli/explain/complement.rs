//! Which gaps a complement fills.

use super::page::{Account, many};
use super::statement::{Value, ask};
use super::tree::Layout;

type Result<T> = std::result::Result<T, String>;

/// How far a complement goes on behind its last gap.
#[derive(Clone, Copy)]
pub enum End {
    /// Until at least this many elements are covered.
    AtLeast(i64),
    /// This many elements exactly, as divides need it: strides nest and the span divides.
    Exactly(i64),
    /// Without end, as products need it.
    Open,
}

/// The account of the complement of the layout named `name`; `false` where it ends at what refuses it.
pub fn gaps(account: &mut Account, depth: usize, (name, l): (&str, &Layout), end: End) -> Result<bool> {
    if !l.is_integer() {
        account.say(depth, "each basis has its own complement")?;
        return Ok(true);
    }
    let exact = matches!(end, End::Exactly(_));
    let filtered = ask(&format!("filter({l})")).map_err(|e| e.to_string())?;
    let flat = Layout::of_value(&filtered).ok_or("explain: the numbers are not known")?;
    if filtered.to_string() != l.to_string() {
        account.say(depth, format!("what moves: `filter({name}) = {filtered}`"))?;
    }
    let mut moving: Vec<_> = flat.leaves().into_iter().map(|(_, leaf)| leaf).filter(|leaf| leaf.extent != 1).collect();
    moving.sort_by_key(|leaf| (leaf.stride, leaf.extent));
    let mut span = 1i128;
    for leaf in moving {
        let (extent, stride) = (i128::from(leaf.extent), i128::from(leaf.stride));
        let what = format!("{extent}:{stride}");
        if extent == 0 || stride < 0 {
            account.say(depth, format!("{what} is {}", if extent == 0 { "empty" } else { "negative" }))?;
            return Ok(false);
        }
        let next = extent * stride;
        let covers = format!("`{extent} * {stride} = {next}` elements covered");
        if stride < span {
            account.say(depth, format!("{what} begins inside the {} covered: `{stride} < {span}`", many(span, "element")))?;
            return Ok(false);
        }
        let (gap, rest) = (stride / span, stride % span);
        if rest != 0 && exact {
            account.say(
                depth,
                format!("{what} does not begin at a multiple of the {} covered: `{stride} mod {span} = {rest}`", many(span, "element")),
            )?;
            return Ok(false);
        }
        let rounded = if rest == 0 { String::new() } else { format!(" (`{stride} mod {span} = {rest}` elements stay between)") };
        let gap =
            if gap == 1 { "no gap".into() } else { format!("the gap below holds `{stride} div {span} = {gap}` copies: {gap}:{span}") };
        account.say(depth, format!("{what} lies over {}: {gap}{rounded}; {covers}", many(span, "element")))?;
        span = next;
    }
    match end {
        End::Open => account.say(depth, format!("behind it, on and on: stride {span}"))?,
        End::AtLeast(m) if i128::from(m) <= span => account.say(depth, format!("that reaches {m}: `{m} <= {span}`"))?,
        End::AtLeast(m) => {
            account.say(depth, format!("up to {m}: `ceil_div({m}, {span}) = {}`: {}:{span}", ceil_div(m, span), ceil_div(m, span)))?
        }
        End::Exactly(m) => {
            let (n, rest) = (i128::from(m).div_euclid(span), i128::from(m).rem_euclid(span));
            if rest != 0 {
                account.say(depth, format!("the span {span} does not divide {m}: `{m} mod {span} = {rest}`"))?;
                return Ok(false);
            }
            account.say(depth, format!("up to {m}: `{m} mod {span} = 0`, `{m} div {span} = {n}`: {n}:{span}"))?;
        }
    }
    Ok(true)
}

fn ceil_div(m: i64, span: i128) -> i128 {
    -(-i128::from(m)).div_euclid(span)
}

/// `complement(L, m)`
pub fn complement(account: &mut Account, l: &Layout, m: Option<i64>, result: Option<&Value>) -> Result<()> {
    account.name("L", &l.value()?)?;
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
