//! Suggests changes that make a refused operation work: near numbers, padding, another order of strides. Every suggestion has been tried.

use super::Result;
use super::page::Account;
use super::statement::{Value, ask};
use super::tree::{layout_of, leaves, renumbered};
use crd2idx::LayoutError;
use crd2idx::error::{Cause, Op};
use serde_json::{Value as Json, json};
use std::ops::Range;

/// The largest difference between a refused number and the numbers that are tried in its place.
const NEAR: i64 = 1024;

/// The maximum number of numbers tried per operand, and of suggestions.
const NUMBERS: usize = 8;

/// A refused operation: its name, and the text of each operand.
struct Refused {
    op: Op,
    args: Vec<String>,
}

/// A number in the text of an operand: its range of bytes, its value, and its role in the operation.
struct Number {
    at: Range<usize>,
    value: i64,
    role: &'static str,
}

impl Refused {
    /// Returns the text of the operation with another text for operand `arg`, counted from 0.
    fn with(&self, arg: usize, text: &str) -> String {
        let args = self.args.iter().enumerate().map(|(k, old)| if k == arg { text } else { old.as_str() });
        format!("{}({})", self.op.name(), args.collect::<Vec<_>>().join(", "))
    }

    fn divides(&self) -> bool {
        matches!(self.op, Op::LogicalDivide | Op::ZippedDivide | Op::TiledDivide | Op::FlatDivide)
    }

    /// Returns the numbers in the text of operand `arg`, with the role of each in this operation. There are none to change in
    /// swizzles and composed layouts.
    fn numbers(&self, arg: usize) -> Vec<Number> {
        let text = &self.args[arg];
        let mut out = Vec::new();
        if text.contains('<') || text.contains('o') {
            return out;
        }
        let (bytes, mut k) = (text.as_bytes(), 0);
        let mut behind_colon = false;
        while k < bytes.len() {
            let end = text[k..].find(|c: char| !(c.is_ascii_digit() || c == '-')).map_or(text.len(), |n| k + n);
            if end == k {
                behind_colon = match bytes[k] {
                    b':' => true,
                    b';' => false,
                    _ => behind_colon,
                };
                k += 1;
                continue;
            }
            let basis = k > 0 && bytes[k - 1] == b'@';
            if let (false, Ok(value)) = (basis, text[k..end].parse()) {
                let role = match () {
                    () if behind_colon => "stride",
                    () if text.contains(':') => "extent",
                    () if arg > 0 && self.divides() => "tile",
                    () if arg > 0 && matches!(self.op, Op::Idx2Crd | Op::Preimage) => "index",
                    () => "number",
                };
                out.push(Number { at: k..end, value, role });
            }
            k = end;
        }
        out.truncate(NUMBERS);
        out
    }

    fn replaced(&self, arg: usize, number: &Number, by: &str) -> String {
        let mut text = self.args[arg].clone();
        text.replace_range(number.at.clone(), by);
        text
    }
}

/// Writes why the operation was refused, with the numbers, and suggestions that work. Returns the suggestions as JSON.
pub fn advise(account: &mut Account, op: Op, args: &[Value], error: &LayoutError) -> Result<Vec<Json>> {
    account.say(0, format!("refused: {}", error.reason().as_str().replace('`', "'")))?;
    why(account, error)?;
    if matches!(error.cause, Cause::OperandKind | Cause::OperandCount) {
        for form in op.forms() {
            account.say(1, format!("it is {}{form}", op.name()))?;
        }
        return Ok(Vec::new());
    }
    let refused = Refused { op, args: args.iter().map(Value::to_string).collect() };
    let mut out = Suggestions { list: Vec::new() };
    if op == Op::Crd2Idx {
        out.coordinate(account, &refused)?;
    } else {
        let last = refused.args.len() - 1;
        for number in refused.numbers(last) {
            out.nearest(account, &refused, last, &number)?;
        }
        if refused.divides() {
            for number in refused.numbers(0).iter().filter(|number| number.role != "stride") {
                out.padded(account, &refused, number)?;
            }
        }
        out.reordered(account, &refused, last)?;
        // The layout of a divide or of an index is given, so suggest changes of the last operand only.
        for arg in (0..last).rev().filter(|_| !refused.divides() && !matches!(op, Op::Idx2Crd | Op::Preimage)) {
            for number in refused.numbers(arg) {
                out.nearest(account, &refused, arg, &number)?;
            }
            out.reordered(account, &refused, arg)?;
        }
    }
    if out.list.is_empty() {
        account.say(0, "found no change of one number, and no order of strides, that works")?;
    }
    Ok(out.list)
}

/// Writes the numbers of the refusal as a statement, such as `6 mod 4 = 2`, if its cause has one.
fn why(account: &mut Account, error: &LayoutError) -> Result<()> {
    let [Some(a), Some(b), c] = error.numbers() else { return Ok(()) };
    let (multiple, of) = match error.cause {
        Cause::TileDoesNotDivide | Cause::TileSpanDoesNotDivide => (b, a),
        Cause::StrideDoesNotNest | Cause::StridesDoNotDivide => (b, a),
        Cause::RunDoesNotDivide => (a, c.unwrap_or(1)),
        Cause::CastExtent => (a, b),
        Cause::NotInjective if b < a => return account.say(1, format!("`{b} < {a}`")),
        Cause::Carry | Cause::GroupCarry => return account.say(1, format!("`{a} >= {b}`")),
        Cause::CastStride if b != 0 => {
            return account.say(1, format!("`{a} mod {} = {}`, `{} mod {a} = {}`", b.abs(), a % b.abs(), b.abs(), b.abs() % a));
        }
        _ => return Ok(()),
    };
    if of <= 0 {
        return Ok(());
    }
    account.say(1, format!("`{multiple} mod {of} = {}`", multiple.rem_euclid(of)))?;
    if matches!(error.cause, Cause::TileDoesNotDivide) {
        let (multiple, of) = (i128::from(multiple), i128::from(of));
        let n = multiple.div_euclid(of) + 1;
        account.say(
            1,
            format!(
                "`ceil_div({multiple}, {of}) = {n}` tiles cover it, `{n} * {of} - {multiple} = {}` elements of the last beyond the end",
                n * of - multiple
            ),
        )?;
    }
    Ok(())
}

struct Suggestions {
    list: Vec<Json>,
}

impl Suggestions {
    fn full(&self) -> bool {
        self.list.len() >= NUMBERS
    }

    fn push(&mut self, account: &mut Account, label: &str, expression: &str) -> Result<()> {
        let value = ask(expression).map_err(|e| e.to_string())?;
        if self.list.is_empty() {
            account.say(0, "what would work:")?;
        }
        account.say(1, format!("{label}: `{expression} = {value}`"))?;
        self.list.push(json!({"label": label, "expression": expression, "result": value.to_string()}));
        Ok(())
    }

    /// Suggests the nearest numbers below and above `number` of operand `arg` with which the operation works.
    fn nearest(&mut self, account: &mut Account, refused: &Refused, arg: usize, number: &Number) -> Result<()> {
        if self.full() {
            return Ok(());
        }
        let (old, role) = (number.value, number.role);
        let least =
            if old < 0 { old.saturating_sub(NEAR) } else { i64::from(!matches!(role, "number" | "index")).max(old.saturating_sub(NEAR)) };
        let expression = |n: i64| refused.with(arg, &refused.replaced(arg, number, &n.to_string()));
        let works = |n: &i64| ask(&expression(*n)).is_ok();
        let below = (least..old).rev().find(works);
        let above = (old.saturating_add(1)..old.saturating_add(NEAR)).find(works);
        for n in [below, above].into_iter().flatten() {
            self.push(account, &format!("{role} {n} for {old}"), &expression(n))?;
        }
        if below.is_some() || above.is_some() {
            let (from, to) = (below.map_or(old, |n| n + 1), above.unwrap_or(old + 1));
            if to - from > 1 {
                let between = refused.with(arg, &refused.replaced(arg, number, "i"));
                account.say(2, format!("none between: `{between} is refused for all {from} <= i < {to}`"))?;
            }
        }
        Ok(())
    }

    /// Suggests the nearest extent of the left operand that is larger than `number` and works. The padded layout is compact if
    /// the operand was.
    fn padded(&mut self, account: &mut Account, refused: &Refused, number: &Number) -> Result<()> {
        let old = number.value;
        let compact = {
            let (a, number) = (&refused.args[0], |call: &str| ask(call).ok().and_then(|value| value.to_string().parse::<i64>().ok()));
            !a.contains(':') || number(&format!("size({a})")) == number(&format!("cosize({a})"))
        };
        let padded = |n: i64| -> Option<String> {
            let text = refused.replaced(0, number, &n.to_string());
            if text.contains(':') && (compact || ask(&format!("left_inverse({text})")).is_err()) {
                return ask(&format!("make_layout_like({text})")).ok().map(|value| value.to_string());
            }
            Some(text)
        };
        let found = (old.saturating_add(1)..old.saturating_add(NEAR)).find_map(|n| {
            let expression = refused.with(0, &padded(n)?);
            ask(&expression).is_ok().then_some((n, expression))
        });
        if let (Some((n, expression)), false) = (found, self.full()) {
            self.push(account, &format!("extent {old} padded to {n}"), &expression)?;
        }
        Ok(())
    }

    /// Suggests the strides of operand `arg` in another order, or compact strides in their own order.
    fn reordered(&mut self, account: &mut Account, refused: &Refused, arg: usize) -> Result<()> {
        let Some(layout) = ask(&refused.args[arg]).ok().as_ref().and_then(layout_of) else { return Ok(()) };
        let strides: Vec<i64> = leaves(&layout).iter().map(|leaf| leaf.stride).collect();
        if self.full() || !layout.is_integer() || !(2..=5).contains(&strides.len()) {
            return Ok(());
        }
        let other = permutations(strides.len()).into_iter().skip(1).find_map(|order| {
            let text = layout.to_string();
            let (shape, old) = text.split_once(':')?;
            let text = format!("{shape}:{}", renumbered(old, order.iter().map(|k| strides[*k])));
            (text != refused.args[arg] && ask(&refused.with(arg, &text)).is_ok()).then_some(text)
        });
        if let Some(text) = other {
            self.push(account, "its strides in another order", &refused.with(arg, &text))?;
        }
        if let Ok(compact) = ask(&format!("make_layout_like({layout})"))
            && compact.to_string() != refused.args[arg]
            && ask(&refused.with(arg, &compact.to_string())).is_ok()
        {
            self.push(account, "compact, in the order of its strides", &refused.with(arg, &compact.to_string()))?;
        }
        Ok(())
    }

    /// Suggests a coordinate that fits the shape.
    fn coordinate(&mut self, account: &mut Account, refused: &Refused) -> Result<()> {
        let Some(shape) = refused.args.first().and_then(|text| ask(&format!("shape({text})")).ok()) else { return Ok(()) };
        let expression = refused.with(1, &renumbered(&shape.to_string(), std::iter::repeat(0)));
        if refused.args.len() == 2 && ask(&expression).is_ok() {
            self.push(account, "a coordinate nested like the shape, or an integer for any of its tuples", &expression)?;
        }
        Ok(())
    }
}

/// Returns all orders of `0..n`, the ascending one first.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    (0..n).fold(vec![Vec::new()], |orders, _| {
        let longer = orders.into_iter().flat_map(|order: Vec<usize>| {
            (0..n).filter(|k| !order.contains(k)).map(|k| [order.as_slice(), &[k]].concat()).collect::<Vec<_>>()
        });
        longer.collect()
    })
}
