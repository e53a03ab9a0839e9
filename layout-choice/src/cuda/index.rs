//! Expressions of threads and steps, as text.

use crate::cost::{self, Step};
use crate::distribution::Digit;
use crate::error::{Result, fail};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use coordinate_graph::program::{Coordinates, Language, Program};

/// A number that digits make up: for each of its digits, the radix and what one step of it adds.
pub(super) type Sum = Vec<(i64, i64)>;

/// Returns the sum whose digits are these, where each adds `of(digit)`.
pub(super) fn sum(digits: &[Digit], of: impl Fn(&Digit) -> i64) -> Sum {
    digits.iter().map(|digit| (digit.radix, of(digit))).collect()
}

/// Returns `first + second` as an expression of two numbers, `names`, whose digits they have.
pub(super) fn expression(first: &Sum, second: &Sum, names: [&str; 2], line: usize) -> Result<String> {
    let list = |of: &Sum, part: fn(&(i64, i64)) -> i64, none: &str| {
        let parts: Vec<String> = of.iter().map(|of| part(of).to_string()).collect();
        if parts.is_empty() { none.to_string() } else { format!("({})", parts.join(",")) }
    };
    let layout = format!(
        "({},{}):({},{})",
        list(first, |of| of.0, "1"),
        list(second, |of| of.0, "1"),
        list(first, |of| of.1, "0"),
        list(second, |of| of.1, "0")
    );
    of_layout(&layout, &names, line)
}

/// Returns the index of a layout as an expression of a coordinate of each mode.
pub(super) fn of_layout(layout: &str, names: &[&str], line: usize) -> Result<String> {
    let program = match Program::parse_layout(layout, Coordinates::Modes) {
        Ok(program) => program.with_input_names(names.iter().map(ToString::to_string)),
        Err(error) => return fail(line, format!("`{layout}`: {error}")),
    };
    match program.emit_expression(0, Language::Cuda) {
        Ok(expression) => Ok(expression.text),
        Err(error) => fail(line, format!("`{layout}`: {error}")),
    }
}

/// Returns the number of a value: the sum of the places of its digits. `None` if a digit has no place.
pub(super) fn place(registers: &[Digit], digit: &Digit) -> Option<i64> {
    let k = registers.iter().position(|known| known == digit)?;
    Some(registers[..k].iter().map(|digit| digit.radix).product())
}

/// Returns the sums of the values of digits, the minor digit first.
pub(super) fn sums(of: &Sum) -> Vec<i64> {
    let (steps, mut out): (Vec<Step>, Vec<i64>) = (of.iter().map(|(radix, step)| (*radix, Some(*step))).collect(), Vec::new());
    cost::sums(&steps, 0, &mut |sum| out.push(sum));
    out
}
