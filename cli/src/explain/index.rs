//! Coordinates to indices and back, and slices.

use super::page::{Account, POINTS};
use super::statement::{Value, ask};
use super::tree::{Coordinate, Layout, Leaf, Tree, dotted};
use crd2idx::text::{Composed, Inner, Operand};

type Result<T> = std::result::Result<T, String>;

/// `L(c)`, mode by mode.
pub fn crd2idx(account: &mut Account, l: &Value, c: &Value, result: &Value) -> Result<()> {
    let Operand::Tuple(c_ints) = c else { return account.say(0, format!("`crd2idx({l}, {c}) = {result}`")) };
    account.name("L", l)?;
    match l {
        Operand::Composed(composed) => self::composed(account, composed, c, &Coordinate::of_ints(c_ints)),
        _ => match Layout::of_value(l) {
            Some(layout) => walk(account, 0, "L", &layout, &Coordinate::of_ints(c_ints)),
            None => account.say(0, format!("`L({c}) = {result}`")),
        },
    }
}

/// The terms of a layout at a coordinate, and their sum as the last line.
fn walk(account: &mut Account, depth: usize, name: &str, layout: &Layout, c: &Coordinate) -> Result<()> {
    let mut terms = Vec::new();
    modes(account, depth, layout, c, &mut Vec::new(), &mut terms)?;
    if !layout.is_integer() {
        let value = ask(&format!("crd2idx({layout}, {c})")).map_err(|e| e.to_string())?;
        return account.say(depth, format!("along each basis the steps add up: `{name}({c}) = {value}`"));
    }
    let sum = if terms.is_empty() { "0".to_owned() } else { terms.iter().map(i128::to_string).collect::<Vec<_>>().join(" + ") };
    let total = terms.iter().fold(0i128, |total, term| total.saturating_add(*term));
    let sum = if sum == total.to_string() { sum } else { format!("{sum} = {total}") };
    account.say(depth, format!("in all `{name}({c}) = {sum}`"))
}

fn modes(account: &mut Account, depth: usize, l: &Layout, c: &Coordinate, path: &mut Vec<usize>, terms: &mut Vec<i128>) -> Result<()> {
    let here = if path.is_empty() { String::new() } else { format!("mode {}: ", dotted(path)) };
    match (l, c) {
        (Tree::Leaf(leaf), Tree::Leaf(Some(c))) => {
            term(account, depth, &format!("{here}coordinate {c} of {}:{leaf}", leaf.extent), *c, leaf, terms)
        }
        (Tree::Tuple(_), Tree::Leaf(Some(c))) => {
            account.say(depth, format!("{here}coordinate {c} of {l}, the leftmost running fastest"))?;
            unravel(account, depth + 1, l, *c, path, terms)
        }
        (Tree::Tuple(below), Tree::Tuple(given)) => {
            let nested = !path.is_empty();
            if nested {
                account.say(depth, format!("{here}coordinate {c} of {l}"))?;
            }
            for (k, (mode, c)) in below.iter().zip(given).enumerate() {
                path.push(k);
                modes(account, depth + usize::from(nested), mode, c, path, terms)?;
                path.pop();
            }
            Ok(())
        }
        _ => Err(format!("explain: {c} is no coordinate of {l}")),
    }
}

/// The digits of an integer coordinate: each leaf takes the remainder and passes on the quotient, the last one takes all.
fn unravel(account: &mut Account, depth: usize, l: &Layout, c: i64, path: &[usize], terms: &mut Vec<i128>) -> Result<()> {
    let leaves = l.leaves();
    let mut rest = c;
    for (k, (below, leaf)) in leaves.iter().enumerate() {
        let at = dotted(&[path, below].concat());
        if k + 1 == leaves.len() {
            let beyond = if rest < 0 || rest >= leaf.extent { format!(", outside its extent {}", leaf.extent) } else { String::new() };
            term(account, depth, &format!("mode {at}: the last takes all of {rest}{beyond}"), rest, leaf, terms)?;
        } else if leaf.extent == 0 {
            term(account, depth, &format!("mode {at}: extent 0 takes all of {rest} and passes on 0"), rest, leaf, terms)?;
            rest = 0;
        } else {
            let (quotient, digit) = (rest.div_euclid(leaf.extent), rest.rem_euclid(leaf.extent));
            let n = leaf.extent;
            term(
                account,
                depth,
                &format!("mode {at}: `{rest} mod {n} = {digit}`, passes on `{rest} div {n} = {quotient}`"),
                digit,
                leaf,
                terms,
            )?;
            rest = quotient;
        }
    }
    Ok(())
}

fn term(account: &mut Account, depth: usize, what: &str, c: i64, leaf: &Leaf, terms: &mut Vec<i128>) -> Result<()> {
    if !leaf.basis.is_integer() {
        return account.say(depth, format!("{what}: {c} steps of {leaf}"));
    }
    let product = i128::from(c) * i128::from(leaf.stride);
    terms.push(product);
    account.say(depth, format!("{what}: `{c} * {} = {product}`", leaf.stride))
}

/// `inner(offset + outer(c))`
fn composed(account: &mut Account, l: &Composed<{ crate::eval::LEAVES }>, c: &Value, crd: &Coordinate) -> Result<()> {
    account.name("Outer", &Operand::Layout(l.outer))?;
    let outer = Layout::of_layout(&l.outer).ok_or("explain: the numbers are not known")?;
    walk(account, 0, "Outer", &outer, crd)?;
    let Some(at) = account.names.at("Outer", &c.to_string()) else {
        let value = ask(&format!("crd2idx({}, {c})", Operand::Composed(*l))).map_err(|e| e.to_string())?;
        return account.say(0, format!("through the inner function `L({c}) = {value}`"));
    };
    let offset = l.offset.leaf(0).value().unwrap_or(0);
    let at = at + i128::from(offset);
    account.say(0, format!("with the offset `{offset} + Outer({c}) = {at}`"))?;
    match &l.inner {
        Inner::Swizzle(swizzle) => {
            let at = i64::try_from(at).map_err(|e| e.to_string())?;
            let x = super::bits::exchange(account, *swizzle, at)?;
            account.say(0, format!("in all `L({c}) = {x}`"))
        }
        Inner::Layout(inner) => {
            account.name("Inner", &Operand::Layout(*inner))?;
            let inner = Layout::of_layout(inner).ok_or("explain: the numbers are not known")?;
            let at = i64::try_from(at).map_err(|e| e.to_string())?;
            walk(account, 0, "Inner", &inner, &Tree::Leaf(Some(at)))?;
            account.say(0, format!("in all `L({c}) = Inner({at})`"))
        }
    }
}

/// The coordinate with an index, from the largest stride down.
pub fn idx2crd(account: &mut Account, l: &Layout, index: i64, result: &Value) -> Result<()> {
    account.name("L", &l.value()?)?;
    let mut rest = i128::from(index);
    let Operand::Tuple(digits) = result else { return Err("explain: no coordinate".into()) };
    let digits = Coordinate::of_ints(digits).leaves();
    let mut leaves: Vec<_> = l.leaves().into_iter().zip(digits).map(|((path, leaf), (_, c))| (path, leaf, c.unwrap_or(0))).collect();
    let low: i128 = leaves
        .iter()
        .filter(|(_, x, _)| x.stride < 0)
        .map(|(_, x, _)| (i128::from(x.extent) - 1) * i128::from(x.stride))
        .fold(0, i128::saturating_add);
    if low != 0 {
        account.say(0, format!("negative strides count from their far end, {low} below 0: `{rest} - {low} = {}`", rest - low))?;
        rest -= low;
    }
    leaves.retain(|(_, x, _)| x.stride != 0 && x.extent != 1);
    leaves.sort_by_key(|(_, x, _)| std::cmp::Reverse(x.stride.unsigned_abs()));
    for (path, leaf, c) in &leaves {
        let (step, last) = (i128::from(leaf.stride.unsigned_abs()), i128::from(leaf.extent) - 1);
        let quotient = rest.div_euclid(step);
        let digit = if leaf.stride < 0 { last - i128::from(*c) } else { i128::from(*c) };
        let at_most = if digit == quotient { String::new() } else { format!(", of which the extent {} allows {digit}", leaf.extent) };
        let turned = if leaf.stride < 0 { format!(", counted back `{last} - {digit} = {}`", last - digit) } else { String::new() };
        let next = rest - digit * step;
        account.say(
            0,
            format!(
                "mode {}: stride {leaf}: `{rest} div {step} = {quotient}`{at_most}{turned}; `{rest} - {digit} * {step} = {next}` left",
                dotted(path)
            ),
        )?;
        rest = next;
    }
    account.say(0, format!("in all `idx2crd(L, {index}) = {result}`, and back `L({result}) = {index}`"))
}

/// The kept modes, and the index of the fixed ones.
pub fn slice(account: &mut Account, l: &Value, c: &Value, result: &Value) -> Result<()> {
    let (Some(layout), Operand::Tuple(crd)) = (Layout::of_value(l), c) else {
        return account.say(0, format!("`slice({l}, {c}) = {result}`"));
    };
    account.name("L", l)?;
    account.name("R", result)?;
    account.say(0, format!("modes marked _ in {c} are kept: `slice(L, {c}) = R`"))?;
    if !layout.is_integer() {
        return Ok(());
    }
    let crd = Coordinate::of_ints(crd);
    account.say(0, "the others are fixed, with 0 for _:")?;
    walk(account, 1, "L", &layout, &with(&crd, &|leaf| Some(leaf.unwrap_or(0))))?;
    let kept = crd.leaves().iter().filter(|(_, leaf)| leaf.is_none()).count();
    let size = Layout::of_value(result).and_then(|r| r.size()).unwrap_or(0).min(POINTS);
    if kept == 1 && size > 0 {
        let start = account.names.at("L", &with(&crd, &|leaf| Some(leaf.unwrap_or(0))).to_string()).ok_or("explain: no index")?;
        let moving = crd.to_string().replace('_', "i");
        account.say(0, format!("`L({moving}) = R(i) + {start} for all i < {size}`"))?;
    }
    Ok(())
}

fn with(c: &Coordinate, leaf: &dyn Fn(Option<i64>) -> Option<i64>) -> Coordinate {
    match c {
        Tree::Leaf(x) => Tree::Leaf(leaf(*x)),
        Tree::Tuple(modes) => Tree::Tuple(modes.iter().map(|mode| with(mode, leaf)).collect()),
    }
}
