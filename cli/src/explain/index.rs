//! Explains indices of coordinates, coordinates of indices, and slices.

use super::Result;
use super::page::{Account, POINTS};
use super::statement::{Value, ask};
use super::tree::{Layout, Leaf, Tuple, dotted, layout_of, leaves, modes, size};
use crd2idx::algebra::expression::{ComposedValue, Inner, Operand};
use crd2idx::algebra::trace::{self, Digit};
use crd2idx::algebra::value::TupleValue;
use crd2idx::error::Op;

/// Explains `L(c)`, mode by mode.
pub fn crd2idx(account: &mut Account, l: &Value, c: &Value, result: &Value) -> Result<()> {
    let Operand::Tuple(crd) = c else { return account.say(0, format!("`crd2idx({l}, {c}) = {result}`")) };
    account.name("L", l)?;
    match (l, layout_of(l)) {
        (Operand::Composed(composed), _) => self::composed(account, composed, crd),
        (_, Some(layout)) => walk(account, 0, "L", &layout, crd),
        _ => account.say(0, format!("`L({c}) = {result}`")),
    }
}

/// Writes the terms of the layout called `name` at the coordinate `c`, and their sum as the last line.
fn walk(account: &mut Account, depth: usize, name: &str, layout: &Layout, c: &Tuple) -> Result<()> {
    let mut terms = Terms {
        digits: trace::digits_of(layout, c).map_err(|e| e.to_string())?.collect(),
        products: Vec::new(),
        mixed: Vec::new(),
        next: 0,
    };
    terms.modes(account, depth, layout, c, &mut Vec::new())?;
    if layout.has_xor() {
        return mixed(account, depth, name, c, &terms);
    }
    if !layout.is_integer() {
        let value = ask(&format!("crd2idx({layout}, {c})")).map_err(|e| e.to_string())?;
        return account.say(depth, format!("along each basis the steps add up: `{name}({c}) = {value}`"));
    }
    let terms = terms.products;
    let sum = if terms.is_empty() { "0".to_owned() } else { terms.iter().map(i128::to_string).collect::<Vec<_>>().join(" + ") };
    let total = terms.iter().fold(0i128, |total, term| total.saturating_add(*term));
    let sum = if sum == total.to_string() { sum } else { format!("{sum} = {total}") };
    account.say(depth, format!("in all `{name}({c}) = {sum}`"))
}

/// The digits of a coordinate, leaf by leaf, and the terms written so far.
struct Terms {
    digits: Vec<Digit>,
    next: usize,
    products: Vec<i128>,
    /// The products of XOR strides.
    mixed: Vec<i128>,
}

/// Writes the exclusive-or of the products of XOR strides, and the sum with the other terms, as the last lines.
fn mixed(account: &mut Account, depth: usize, name: &str, c: &Tuple, terms: &Terms) -> Result<()> {
    let of = |terms: &[i128], sign: &str| terms.iter().map(i128::to_string).collect::<Vec<_>>().join(sign);
    let without = terms.mixed.iter().fold(0, |all, term| all ^ term);
    if terms.mixed.len() > 1 {
        account.say(depth, format!("without carries `{} = {without}`", of(&terms.mixed, " xor ")))?;
    }
    let all = [&[without][..], &terms.products].concat();
    let total: i128 = all.iter().sum();
    let sum = if all.len() > 1 { format!("{} = {total}", of(&all, " + ")) } else { total.to_string() };
    account.say(depth, format!("in all `{name}({c}) = {sum}`"))
}

impl Terms {
    fn modes(&mut self, account: &mut Account, depth: usize, l: &Layout, c: &Tuple, path: &mut Vec<usize>) -> Result<()> {
        let here = if path.is_empty() { String::new() } else { format!("mode {}: ", dotted(path)) };
        if l.is_empty() {
            self.next += 1;
            return account.say(depth, format!("{here}coordinate {c} of an empty mode, which adds 0"));
        }
        if c.is_scalar() && l.is_scalar() {
            return self.term(account, depth, &format!("{here}coordinate {c} of {l}"), &leaves(l)[0]);
        }
        if c.is_scalar() {
            account.say(depth, format!("{here}coordinate {c} of {l}, the leftmost running fastest"))?;
            return self.unravel(account, depth + 1, l, path);
        }
        let nested = !path.is_empty();
        if nested {
            account.say(depth, format!("{here}coordinate {c} of {l}"))?;
        }
        let below = modes(&Operand::Layout(*l)).into_iter().zip(modes(&Operand::Tuple(*c)));
        for (k, (mode, c)) in below.enumerate() {
            let (Some(mode), Operand::Tuple(c)) = (layout_of(&mode), c) else { return Err("explain: no coordinate".into()) };
            path.push(k);
            self.modes(account, depth + usize::from(nested), &mode, &c, path)?;
            path.pop();
        }
        Ok(())
    }

    /// Writes the digits of an integer coordinate: each leaf takes the remainder and passes on the quotient, the last leaf takes all.
    fn unravel(&mut self, account: &mut Account, depth: usize, l: &Layout, path: &[usize]) -> Result<()> {
        let leaves = leaves(l);
        for (k, leaf) in leaves.iter().enumerate() {
            let (n, Digit { left, taken }) = (leaf.extent, self.digits[self.next]);
            let what = if k + 1 == leaves.len() {
                let beyond = if left < 0 || left >= n { format!(", outside its extent {n}") } else { String::new() };
                format!("the last takes all of {left}{beyond}")
            } else if n == 0 {
                format!("extent 0 takes all of {left} and passes on 0")
            } else {
                format!("`{left} mod {n} = {taken}`, passes on `{left} div {n} = {}`", self.digits[self.next + 1].left)
            };
            self.term(account, depth, &format!("mode {}: {what}", dotted(&[path, &leaf.path].concat())), leaf)?;
        }
        Ok(())
    }

    fn term(&mut self, account: &mut Account, depth: usize, what: &str, leaf: &Leaf) -> Result<()> {
        let c = self.digits[self.next].taken;
        self.next += 1;
        if leaf.basis.is_xor() {
            let bits: Vec<i64> = (0..62).map(|bit| 1i64 << bit).filter(|bit| leaf.stride & bit != 0).collect();
            let product = bits.iter().fold(0, |product, bit| product ^ (i128::from(c) * i128::from(*bit)));
            self.mixed.push(product);
            // Statements are computed from left to right, so each product is a statement of its own.
            let products: Vec<i128> = bits.iter().map(|bit| i128::from(c) * i128::from(*bit)).collect();
            let each: Vec<String> = bits.iter().zip(&products).map(|(bit, product)| format!("`{c} * {bit} = {product}`")).collect();
            let all = products.iter().map(i128::to_string).collect::<Vec<_>>().join(" xor ");
            let all = if products.len() > 1 { format!("; `{all} = {product}`") } else { String::new() };
            return account.say(depth, format!("{what} along {leaf}, without carries: {}{all}", each.join(", ")));
        }
        if !leaf.basis.is_integer() {
            return account.say(depth, format!("{what}: {c} steps of {leaf}"));
        }
        let product = i128::from(c) * i128::from(leaf.stride);
        self.products.push(product);
        account.say(depth, format!("{what}: `{c} * {} = {product}`", leaf.stride))
    }
}

/// Explains the index `inner(offset + outer(c))` of a composed layout at the coordinate `c`.
fn composed(account: &mut Account, l: &ComposedValue<{ crate::eval::LEAVES }>, c: &Tuple) -> Result<()> {
    account.name("Outer", &Operand::Layout(l.outer))?;
    walk(account, 0, "Outer", &l.outer, c)?;
    let Some(at) = account.names.at("Outer", &c.to_string()) else {
        let value = ask(&format!("crd2idx({}, {c})", Operand::Composed(*l))).map_err(|e| e.to_string())?;
        return account.say(0, format!("through the inner function `L({c}) = {value}`"));
    };
    let offset = l.offset.leaf(0).value().unwrap_or(0);
    let at = i64::try_from(at + i128::from(offset)).map_err(|e| e.to_string())?;
    account.say(0, format!("with the offset `{offset} + Outer({c}) = {at}`"))?;
    match &l.inner {
        Inner::Swizzle(swizzle) => {
            let x = super::bits::exchange(account, *swizzle, at)?;
            account.say(0, format!("in all `L({c}) = {x}`"))
        }
        Inner::Layout(inner) => {
            account.name("Inner", &Operand::Layout(*inner))?;
            walk(account, 0, "Inner", inner, &TupleValue::integer(at).ok_or("explain: no coordinate")?)?;
            account.say(0, format!("in all `L({c}) = Inner({at})`"))
        }
    }
}

/// Explains the coordinate at which the layout has this index, from the largest stride down.
pub fn preimage(account: &mut Account, op: Op, l: &Layout, index: i64, result: &Value) -> Result<()> {
    account.name("L", &Operand::Layout(*l))?;
    let leaves = leaves(l);
    let mut left = i128::from(index);
    for step in trace::preimage(l, index).map_err(|e| e.to_string())? {
        let low = left - i128::from(step.left);
        if low != 0 {
            account.say(0, format!("negative strides count from their far end, {low} below 0: `{left} - {low} = {}`", step.left))?;
        }
        let (leaf, digit) = (&leaves[step.leaf], step.taken);
        let (size, last) = (i128::from(leaf.stride.unsigned_abs()), i128::from(leaf.extent) - 1);
        let quotient = i128::from(step.left) / size;
        let at_most = match i128::from(digit) {
            all if all == quotient => String::new(),
            most if most == last => format!(", of which the extent {} allows {digit}", leaf.extent),
            _ => format!(", of which {digit} leave what smaller strides reach"),
        };
        let turned = if leaf.stride < 0 { format!(", counted back `{last} - {digit} = {}`", step.coordinate) } else { String::new() };
        left = i128::from(step.left) - i128::from(digit) * size;
        let taken = format!("`{} div {size} = {quotient}`{at_most}{turned}; `{} - {digit} * {size} = {left}` left", step.left, step.left);
        account.say(0, format!("mode {}: stride {leaf}: {taken}", dotted(&leaf.path)))?;
    }
    account.say(0, format!("in all `{}(L, {index}) = {result}`, and back `L({result}) = {index}`", op.name()))
}

/// Explains a slice: the kept modes, and the index of the fixed ones.
pub fn slice(account: &mut Account, l: &Value, c: &Value, result: &Value) -> Result<()> {
    let (Some(layout), Operand::Tuple(crd)) = (layout_of(l), c) else {
        return account.say(0, format!("`slice({l}, {c}) = {result}`"));
    };
    account.name("L", l)?;
    account.name("R", result)?;
    account.say(0, format!("modes marked _ in {c} are kept: `slice(L, {c}) = R`"))?;
    if !layout.is_integer() {
        return Ok(());
    }
    account.say(0, "the others are fixed, with 0 for _:")?;
    let Ok(Operand::Tuple(fixed)) = ask(&crd.to_string().replace('_', "0")) else { return Err("explain: no coordinate".into()) };
    walk(account, 1, "L", &layout, &fixed)?;
    let kept = (0..crd.len()).filter(|k| crd.leaf(*k).is_keep()).count();
    let size = layout_of(result).and_then(|r| size(&r)).unwrap_or(0).min(POINTS);
    if kept == 1 && size > 0 {
        let start = account.names.at("L", &fixed.to_string()).ok_or("explain: no index")?;
        let moving = crd.to_string().replace('_', "i");
        account.say(0, format!("`L({moving}) = R(i) + {start} for all i < {size}`"))?;
    }
    Ok(())
}
