//! Explains swizzles, bit by bit.

use super::Result;
use super::page::Account;
use crd2idx::layouts::Swizzle;

/// Explains `S(x) = x xor field` of a swizzle `S`: the bits of `x` that are the field, and the bits to which it is added.
/// Returns `S(x)`.
pub fn exchange(account: &mut Account, swizzle: Swizzle, x: i64) -> Result<i64> {
    let (bits, _, shift) = swizzle.parameters();
    let (source, target) = (swizzle.source(), swizzle.target());
    if bits == 0 {
        account.say(0, format!("{swizzle} exchanges no bit: {x} stays"))?;
        return Ok(x);
    }
    let (from, to) = (source.trailing_zeros(), target.trailing_zeros());
    let y = swizzle.apply(x);
    let width = [x, y, source, target].iter().map(|n| 64 - n.leading_zeros()).max().unwrap_or(1) as usize;
    let binary = |n: i64| format!("0b{n:0width$b}");
    let field = (x & source) >> from;
    let moved = field << to;
    let direction = if shift >= 0 { "down" } else { "up" };
    account.say(0, format!("{x} in bits: `{x} = {}`", binary(x)))?;
    account.say(
        0,
        format!(
            "{bits} bits from bit {from} on: `{x} div {} mod {} = {field}`; {direction} by {}, to bit {to}: `{field} * {} = {moved} = {}`",
            1i64 << from,
            1i64 << bits,
            shift.unsigned_abs(),
            1i64 << to,
            binary(moved)
        ),
    )?;
    account.say(0, format!("`{} xor {} = {} = {y}`", binary(x), binary(moved), binary(y)))?;
    account.say(0, format!("`swizzle({swizzle}, {x}) = {y}`"))?;
    Ok(y)
}
