//! Statements of an explanation, and their check: an explanation prints only what has been evaluated.
//!
//! ```text
//! statement = (side {relation side} | expression " is refused") [" for all " [integer " <= "] "i < " integer]
//! relation  = " = " | " != " | " < " | " <= " | " > " | " >= "
//! side      = arithmetic with + - * div mod xor, integers (0b101 too), i, and L(c), the index of c in the layout named L; or an expression
//! ```

use crate::eval::LEAVES;
use crd2idx::LayoutError;
use crd2idx::algebra::expression::apply;
use crd2idx::algebra::expression::{Operand, evaluate};
use crd2idx::algebra::value::{ExprGraph, TupleValue};
use crd2idx::error::Op;

/// An operand of known numbers.
pub type Value = Operand<LEAVES>;

/// Returns the value of an expression, or the error that refuses it.
pub fn ask(text: &str) -> Result<Value, LayoutError> {
    evaluate::<LEAVES, 0>(text, &mut ExprGraph::new(Op::Parse))
}

/// The values that statements can name, such as `L` and `R`.
#[derive(Default)]
pub struct Names(Vec<(String, Value)>);

impl Names {
    /// Names a value. An earlier value of that name is forgotten.
    pub fn bind(&mut self, name: &str, value: Value) {
        self.0.retain(|(other, _)| other != name);
        self.0.push((name.into(), value));
    }

    /// Returns the names with their values, in the order in which they were bound.
    pub fn iter(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.to_string()))
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// Returns the text of a statement with the values in place of the names, and with the number `i` in place of `i`.
    pub fn written_out(&self, text: &str, i: Option<i64>) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let (token, after) = rest.split_at(if first.is_ascii_alphabetic() { word } else { word.max(first.len_utf8()) });
            match (i, self.get(token)) {
                (Some(i), _) if token == "i" => out.push_str(&i.to_string()),
                (_, Some(value)) => out.push_str(&value.to_string()),
                _ => out.push_str(token),
            }
            rest = after;
        }
        out
    }

    /// Tests whether the statement holds; with `for all`, at every `i`. A text that is no statement does not hold.
    pub fn holds(&self, statement: &str) -> bool {
        let Some((body, range)) = statement.split_once(" for all ") else { return self.holds_at(statement, None) };
        let (low, high) = range.split_once("i < ").unwrap_or(("", ""));
        let low = if low.is_empty() { Ok(0) } else { low.trim_end_matches(" <= ").parse::<i64>() };
        match (low, high.parse::<i64>()) {
            (Ok(low), Ok(high)) => (low..high).all(|i| self.holds_at(body, Some(i))),
            _ => false,
        }
    }

    fn holds_at(&self, body: &str, i: Option<i64>) -> bool {
        if let Some(expression) = body.strip_suffix(" is refused") {
            return ask(&self.written_out(expression, i)).is_err_and(|e| e.op != Op::Parse);
        }
        let words: Vec<&str> = body.split(' ').collect();
        let places: Vec<usize> = (0..words.len()).filter(|k| RELATIONS.contains(&words[*k])).collect();
        let mut sides = Vec::new();
        let mut from = 0;
        for at in places.iter().copied().chain([words.len()]) {
            sides.push(self.side(&words[from..at].join(" "), i));
            from = at + 1;
        }
        !places.is_empty() && places.iter().zip(sides.windows(2)).all(|(at, pair)| related(&pair[0], words[*at], &pair[1]))
    }

    fn side(&self, text: &str, i: Option<i64>) -> Option<Side> {
        let mut arithmetic = Arithmetic { names: self, text, at: 0, i };
        if let Some(side) = arithmetic.sum()
            && arithmetic.peek().is_empty()
        {
            return Some(side);
        }
        ask(&self.written_out(text, i)).ok().map(|value| Side::of(&value))
    }

    /// Returns the value at `coordinate` of the layout called `name`, or `None` if it is no integer.
    pub fn at(&self, name: &str, coordinate: &str) -> Option<i128> {
        match self.side(&format!("{name}({coordinate})"), None)? {
            Side::Number(number) => Some(number),
            Side::Other(_) => None,
        }
    }
}

const RELATIONS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

/// The value of one side of a relation. All values but integers are compared as text.
#[derive(PartialEq)]
enum Side {
    Number(i128),
    Other(String),
}

impl Side {
    fn of(value: &Value) -> Side {
        let text = value.to_string();
        text.parse().map_or(Side::Other(text), Side::Number)
    }
}

fn related(a: &Option<Side>, relation: &str, b: &Option<Side>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    match (a, relation, b) {
        (a, "=", b) => a == b,
        (a, "!=", b) => a != b,
        (Side::Number(a), "<", Side::Number(b)) => a < b,
        (Side::Number(a), "<=", Side::Number(b)) => a <= b,
        (Side::Number(a), ">", Side::Number(b)) => a > b,
        (Side::Number(a), ">=", Side::Number(b)) => a >= b,
        _ => false,
    }
}

/// A parser of arithmetic. Its methods return `None` for other text.
struct Arithmetic<'a> {
    names: &'a Names,
    text: &'a str,
    at: usize,
    i: Option<i64>,
}

impl<'a> Arithmetic<'a> {
    fn peek(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let rest = rest.trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn skip(&mut self, token: &str) -> bool {
        let found = self.peek().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn number(&mut self, read: fn(&mut Self) -> Option<Side>) -> Option<i128> {
        match read(self)? {
            Side::Number(number) => Some(number),
            Side::Other(_) => None,
        }
    }

    fn sum(&mut self) -> Option<Side> {
        let mut first = self.product()?;
        loop {
            let sign = if self.skip("+ ") {
                1
            } else if self.skip("- ") {
                -1
            } else {
                return Some(first);
            };
            let Side::Number(a) = first else { return None };
            first = Side::Number(a.checked_add(sign * self.number(Self::product)?)?);
        }
    }

    fn product(&mut self) -> Option<Side> {
        let mut first = self.primary()?;
        loop {
            let operation = ["* ", "div ", "mod ", "xor "].into_iter().find(|operation| self.skip(operation));
            let Some(operation) = operation else { return Some(first) };
            let Side::Number(a) = first else { return None };
            let b = self.number(Self::primary)?;
            first = Side::Number(match operation {
                "* " => a.checked_mul(b)?,
                "div " => a.checked_sub(a.checked_rem_euclid(b)?)?.checked_div(b)?,
                "mod " => a.checked_rem_euclid(b)?,
                _ => a ^ b,
            });
        }
    }

    fn primary(&mut self) -> Option<Side> {
        let rest = self.peek();
        if self.skip("(") {
            let start = self.at;
            let inside = self.sum()?;
            // `(4)` is a tuple of one mode, not the number 4.
            let tuple = self.text[start..self.at].bytes().all(|b| b.is_ascii_digit() || b == b'-');
            return (self.skip(")") && !tuple).then_some(inside);
        }
        let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        let word = &rest[..word];
        self.at += word.len();
        if word == "i" {
            return self.i.map(|i| Side::Number(i.into()));
        }
        if let Some(bits) = word.strip_prefix("0b") {
            return i128::from_str_radix(bits, 2).ok().map(Side::Number);
        }
        if let Ok(number) = word.parse() {
            return Some(Side::Number(number));
        }
        let layout = *self.names.get(word)?;
        self.skip("(").then_some(())?;
        let inside = self.inside()?;
        let coordinate = match self.names.side(inside, self.i)? {
            Side::Number(number) => Operand::Tuple(TupleValue::integer(i64::try_from(number).ok()?)?),
            Side::Other(text) => ask(&text).ok()?,
        };
        let value = apply(Op::Crd2Idx, &[layout, coordinate], &mut ExprGraph::<0>::new(Op::Crd2Idx)).ok()?;
        Some(Side::of(&value))
    }

    /// Returns the text up to the closing parenthesis that matches an open one before, and moves behind it. Returns `None` if
    /// there is none.
    fn inside(&mut self) -> Option<&'a str> {
        let start = self.at;
        let mut open = 1;
        for (k, byte) in self.text.bytes().enumerate().skip(start) {
            open += match byte {
                b'(' => 1,
                b')' => -1,
                _ => 0,
            };
            if open == 0 {
                self.at = k + 1;
                return Some(&self.text[start..k]);
            }
        }
        None
    }
}
