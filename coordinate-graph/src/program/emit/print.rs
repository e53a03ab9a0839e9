//! Expressions in the syntax of each language, with the parentheses that they need. Statements and declarations are in
//! `syntax.rs`.

use super::Language::{self, C, Cuda, Hip, Mlir, OpenCl, Rust, Wgsl};
use super::ir::{Id, Instruction, Ir, LookupBounds};
use super::width::IntegerType;
use crate::sorted::SortedMap;
use layout_algebra::heap::*;

/// The text of an expression, with its precedence `level`; a higher level binds more tightly.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub text: String,
    pub level: u8,
}

// Precedences, from the loosest to the tightest. Shifts and masks are separate from arithmetic and comparisons,
// because languages differ there.
pub(super) const SELECT: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const COMPARE: u8 = 4;
const BITS: u8 = 5;
const ADD: u8 = 6;
const MUL: u8 = 7;
const CAST: u8 = 8;
const UNARY: u8 = 9;
pub(super) const WORD: u8 = 10;

/// Returns the text of a single word.
pub(super) fn word(text: impl Into<String>) -> Text {
    Text { text: text.into(), level: WORD }
}

/// Returns how many times the text of `op` in a language contains its operand number `place`, from 0.
pub(super) fn mentions(op: Instruction, place: usize, language: Language) -> u32 {
    let has_min = matches!(language, OpenCl | Wgsl);
    let has_abs = matches!(language, Rust | Wgsl);
    match op {
        Instruction::Min(..) | Instruction::Max(..) if !has_min => 2,
        Instruction::Abs(_) if !has_abs => 2,
        Instruction::GuardedDiv(..) if place == 1 => 2,
        Instruction::GuardedRem(..) => 2,
        Instruction::Lookup(_, _, bounds) => 1 + bounds.below as u32 + bounds.above as u32,
        // The text contains the magic numbers instead of the divisor.
        Instruction::Quotient(..) if place == 1 => 0,
        _ => 1,
    }
}

/// The nodes, the language and the names with which expressions are written.
pub(super) struct Printer<'a> {
    pub ir: &'a Ir,
    pub language: Language,
    pub int: IntegerType,
    /// The prefix of the names of helper functions; `None` if there are no helper functions.
    pub helpers: Option<&'a str>,
    /// The names of the tables, with their lengths.
    pub tables: &'a [(String, usize)],
    /// For each divisor that is known per launch, the arguments that give its magic numbers to a call.
    pub divisors: &'a SortedMap<Id, String>,
}

impl Printer<'_> {
    /// Returns the text of the node `id`. `of` gives the texts of its operands.
    pub fn print<'t>(&self, id: Id, of: impl Fn(Id) -> &'t Text) -> Text {
        match self.ir.inst(id) {
            Instruction::Int(value) => self.literal(value, false),
            Instruction::Truth(value) => word(if value { "true" } else { "false" }),
            // This name is a fallback: `leaves` gives inputs the names of the parameters.
            Instruction::Input(k) => word(format!("input{k}")),
            Instruction::Neg(a) => self.negative(of(a)),
            Instruction::Add(a, b) => {
                // Sums of non-negative numbers only grow, so adding from the left does not overflow earlier.
                let from_left = matches!(self.ir.inst(b), Instruction::Add(..)) && [a, b].into_iter().all(|id| self.is_sum_of_natural(id));
                binary(of(a), "+", of(b), ADD, ADD, if from_left { ADD } else { MUL })
            }
            Instruction::Sub(a, b) => binary(of(a), "-", of(b), ADD, ADD, MUL),
            Instruction::Mul(a, b) => times(of(a), "*", of(b)),
            Instruction::Div(a, b) => self.unsigned(of(a), "/", of(b)),
            Instruction::Rem(a, b) => self.unsigned(of(a), "%", of(b)),
            Instruction::GuardedDiv(a, b) => self.guarded(of(a), of(b), "/", &word("0")),
            Instruction::GuardedRem(a, b) => self.guarded(of(a), of(b), "%", of(a)),
            Instruction::FloorDiv(a, b) | Instruction::FloorRem(a, b) | Instruction::TotalDiv(a, b) | Instruction::TotalRem(a, b) => {
                let kind = Helper::of(self.ir.inst(id));
                match (kind, self.helpers) {
                    (Some(kind), Some(prefix)) if !(self.language == Rust && kind.is_method()) => {
                        call(&format!("{prefix}_{}", kind.name()), &[of(a), of(b)])
                    }
                    (Some(kind), _) => self.division(kind, of(a), of(b), &self.divisor(kind, of(b))),
                    (None, _) => word(""),
                }
            }
            Instruction::Quotient(a, b) => match self.divisors.get(&b) {
                Some(divisor) => self.quotient(of(a), divisor),
                None => times(of(a), "/", of(b)),
            },
            Instruction::Shift(a, shift) => binary(of(a), ">>", &word(shift.to_string()), BITS, UNARY, UNARY),
            Instruction::Mask(a, mask) => binary(of(a), "&", &self.literal(mask, false), BITS, UNARY, UNARY),
            Instruction::Xor(a, b) => binary(of(a), "^", of(b), BITS, UNARY, UNARY),
            Instruction::Min(a, b) => self.extreme("min", "<", (a, of(a)), (b, of(b))),
            Instruction::Max(a, b) => self.extreme("max", ">", (a, of(a)), (b, of(b))),
            Instruction::Abs(a) => match self.language {
                Wgsl => call("abs", &[of(a)]),
                Rust => self.method(of(a), "abs", None),
                _ => self.select(&compare(of(a), "<", &word("0")), &self.negative(of(a)), of(a), false),
            },
            Instruction::Lookup(a, table, bounds) => self.lookup(of(a), table, bounds),
            Instruction::Number(a) => self.as_number(a, of(a)),
            Instruction::Less(a, b) => self.ordered((a, of(a)), ["<", ">"], of(b)),
            Instruction::AtLeast(a, b) => self.ordered((a, of(a)), [">=", "<="], of(b)),
            Instruction::Equal(a, b) => compare(of(a), "==", of(b)),
            Instruction::Unequal(a, b) => compare(of(a), "!=", of(b)),
            Instruction::Not(a) => Text { text: format!("!{}", wrap(of(a), UNARY)), level: UNARY },
            // Threads of a GPU evaluate both sides, because a branch costs more than the second side.
            Instruction::And(a, b) if self.is_of_gpu() => self.eager(a, "&", of(a), of(b)),
            Instruction::Or(a, b) if self.is_of_gpu() => self.eager(a, "|", of(a), of(b)),
            Instruction::And(a, b) => binary(of(a), "&&", of(b), AND, AND, AND),
            Instruction::Or(a, b) => {
                // Parenthesise conjunctions inside a disjunction; compilers warn otherwise.
                let side = |x: &Text| word(if x.level == AND { wrap(x, WORD) } else { wrap(x, OR) });
                Text { text: format!("{} || {}", side(of(a)).text, side(of(b)).text), level: OR }
            }
            Instruction::Select(c, a, b) => match (self.ir.inst(a), self.ir.inst(b)) {
                (Instruction::Int(x), Instruction::Int(y)) if self.language != Rust => {
                    self.select(of(c), &self.literal(x, true), &self.literal(y, true), false)
                }
                _ => self.select(of(c), of(a), of(b), self.ir.is_truth(id)),
            },
        }
    }

    fn is_of_gpu(&self) -> bool {
        matches!(self.language, Cuda | Hip | OpenCl)
    }

    /// Joins the truth values `first` and `second` by `sign` so that both are evaluated. `a` is the node of `first`.
    fn eager(&self, a: Id, sign: &str, first: &Text, second: &Text) -> Text {
        let continues = matches!((self.ir.inst(a), sign), (Instruction::And(..), "&") | (Instruction::Or(..), "|"));
        // Parenthesise, because compilers warn about `!a & b`.
        binary(first, sign, second, BITS, if continues { BITS } else { WORD }, WORD)
    }

    /// Returns true if neither `id` nor any of its summands is negative.
    fn is_sum_of_natural(&self, id: Id) -> bool {
        match self.ir.inst(id) {
            Instruction::Add(a, b) => self.ir.facts(a).lo >= 0 && self.ir.facts(b).lo >= 0,
            _ => self.ir.facts(id).lo >= 0,
        }
    }

    /// Returns the text of a number. If `typed`, the text gives the type, because no operand beside it does.
    pub fn literal(&self, value: i64, typed: bool) -> Text {
        let big = value > i32::MAX as i64;
        let text = match (self.language, self.int) {
            (Mlir, _) => value.to_string(),
            (Rust, _) if typed => format!("{value}_{}", self.int.name(Rust)),
            (Rust, _) => value.to_string(),
            (_, IntegerType::U32) if typed || big => format!("{value}u"),
            (Wgsl, _) if typed => format!("{value}i"),
            // The least number is not the negation of any number of its type.
            (C | Cuda | Hip | OpenCl, IntegerType::I32) if value == i32::MIN as i64 => return word(format!("({} - 1)", value + 1)),
            (C | Cuda | Hip | OpenCl, _) if value == i64::MIN => return word(format!("({} - 1)", value + 1)),
            (C | Cuda | Hip, IntegerType::U64) if typed => format!("{value}ull"),
            (C | Cuda | Hip, IntegerType::I64) if typed => format!("{value}ll"),
            (OpenCl, IntegerType::U64) if typed => format!("{value}ul"),
            (OpenCl, IntegerType::I64) if typed => format!("{value}l"),
            _ => value.to_string(),
        };
        Text { text, level: if value < 0 { UNARY } else { WORD } }
    }

    /// Returns the text of an argument of an overloaded function. In OpenCL, a known number gets its type.
    fn argument(&self, (id, text): (Id, &Text)) -> Text {
        match self.ir.inst(id) {
            Instruction::Int(value) if self.language == OpenCl => self.literal(value, true),
            _ => text.clone(),
        }
    }

    fn negative(&self, a: &Text) -> Text {
        if !self.int.is_signed() {
            return binary(&word("0"), "-", a, ADD, ADD, MUL);
        }
        let operand = if a.text.starts_with('-') { format!("({})", a.text) } else { wrap(a, UNARY) };
        Text { text: format!("-{operand}"), level: UNARY }
    }

    /// Returns the text of a comparison of the node `id`, whose text is `a`, with `b`. A known number moves to the right
    /// side and takes the second of `signs`.
    fn ordered(&self, (id, a): (Id, &Text), signs: [&str; 2], b: &Text) -> Text {
        if matches!(self.ir.inst(id), Instruction::Int(_)) { compare(b, signs[1], a) } else { compare(a, signs[0], b) }
    }

    fn extreme(&self, function: &str, sign: &str, a: (Id, &Text), b: (Id, &Text)) -> Text {
        match self.language {
            OpenCl | Wgsl => call(function, &[&self.argument(a), &self.argument(b)]),
            _ => self.select(&compare(a.1, sign, b.1), a.1, b.1, false),
        }
    }

    /// Returns the text of `a` if `c` holds, else `b`. Both are truth values if `truth` is true, else numbers.
    pub fn select(&self, c: &Text, a: &Text, b: &Text, truth: bool) -> Text {
        match self.language {
            Wgsl => {
                // A comparison before another argument could be parsed as a list of template parameters.
                let side = |x: &Text| if truth { word(wrap(x, WORD)) } else { x.clone() };
                call("select", &[&side(b), &side(a), c])
            }
            Rust if b.level == SELECT => Text { text: format!("if {} {{ {} }} else {}", c.text, a.text, b.text), level: SELECT },
            Rust => Text { text: format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text), level: SELECT },
            _ => {
                // Parenthesise the condition, because compilers also warn about `a | b ? c : d`.
                let c = wrap(c, if c.level == BITS { WORD } else { OR });
                Text { text: format!("{c} ? {} : {}", wrap(a, OR), wrap(b, SELECT)), level: SELECT }
            }
        }
    }

    /// Returns the text of a division, `a / b` or `a % b` by `sign`, of numbers that are not negative. In Rust and on GPUs
    /// it uses unsigned types, which are cheaper.
    fn unsigned(&self, a: &Text, sign: &str, b: &Text) -> Text {
        if !self.int.is_signed() || !(self.language == Rust || self.is_of_gpu()) {
            return times(a, sign, b);
        }
        let cast = |x: &Text| {
            let is_literal = x.text.bytes().all(|c| c.is_ascii_digit());
            if is_literal { x.clone() } else { self.cast(x, self.int.unsigned()) }
        };
        self.cast(&times(&cast(a), sign, &cast(b)), self.int)
    }

    /// Returns the text of a division of `a` by `b` that gives `otherwise` if `b` is 0.
    fn guarded(&self, a: &Text, b: &Text, sign: &str, otherwise: &Text) -> Text {
        let zero = compare(b, "==", &word("0"));
        match self.language {
            // WGSL evaluates both arms of the selection, so the divisor must not be 0 in either.
            Wgsl => self.select(&zero, otherwise, &times(a, sign, &call("max", &[b, &word("1")])), false),
            _ => self.select(&zero, otherwise, &self.unsigned(a, sign, b), false),
        }
    }

    fn method(&self, a: &Text, name: &str, b: Option<&Text>) -> Text {
        let receiver = a.level == WORD && a.text.starts_with(|c: char| c.is_ascii_alphabetic());
        let argument = b.map_or("", |b| &b.text);
        if receiver {
            return word(format!("{}.{name}({argument})", a.text));
        }
        word(format!("{}::{name}({}{}{argument})", self.int.name(Rust), a.text, if b.is_some() { ", " } else { "" }))
    }

    /// Returns the divisor to write instead of `b`. It is never 0 where the language would divide by it, even if `kind`
    /// allows `b` to be 0.
    fn divisor(&self, kind: Helper, b: &Text) -> Text {
        match self.language {
            // WGSL evaluates both arms of a selection.
            Wgsl if !kind.is_method() => self.select(&compare(b, "==", &word("0")), &word("1"), b, false),
            _ => b.clone(),
        }
    }

    /// Returns the formula of the division `kind` of `a` by `b`. `divisor` equals `b` unless `b` is 0.
    fn division(&self, kind: Helper, a: &Text, b: &Text, divisor: &Text) -> Text {
        let (zero, one) = (word("0"), word("1"));
        let (quotient, rest) = (times(a, "/", divisor), times(a, "%", divisor));
        let negative = compare(&rest, "<", &zero);
        let less = binary(&quotient, "-", &one, ADD, ADD, MUL);
        match (kind, self.language) {
            (Helper::FloorDiv, Rust) => self.method(a, "div_euclid", Some(b)),
            (Helper::FloorRem, Rust) => self.method(a, "rem_euclid", Some(b)),
            (Helper::FloorDiv, _) => self.select(&negative, &less, &quotient, false),
            (Helper::FloorRem, _) => self.select(&negative, &binary(&rest, "+", b, ADD, ADD, MUL), &rest, false),
            (Helper::TotalDiv, _) => {
                let crossed = word(format!("({}) != ({})", negative.text, compare(b, "<", &zero).text));
                let crossed = Text { level: COMPARE, ..crossed };
                let inexact = binary(&compare(&rest, "!=", &zero), "&&", &crossed, AND, AND, AND);
                let floor = self.select(&inexact, &less, &quotient, false);
                self.select(&compare(b, "==", &zero), &zero, &floor, false)
            }
            (Helper::TotalRem, _) => {
                let up = binary(&rest, "+", b, ADD, ADD, MUL);
                let down = binary(&rest, "-", b, ADD, ADD, MUL);
                let size = self.select(&compare(b, "<", &zero), &down, &up, false);
                let size = if self.language == Rust { size } else { word(wrap(&size, WORD)) };
                let floor = self.select(&negative, &size, &rest, false);
                self.select(&compare(b, "==", &zero), a, &floor, false)
            }
        }
    }

    /// Returns the text of `a != 0`.
    pub fn unequal_zero(&self, a: &Text) -> Text {
        compare(a, "!=", &word("0"))
    }

    /// Returns the node `id`, whose text is `a`, as the text of a number.
    pub fn as_number(&self, id: Id, a: &Text) -> Text {
        if !self.ir.is_truth(id) {
            return a.clone();
        }
        self.cast(a, self.int)
    }

    /// Returns the text of `a` converted to the type `int`.
    pub fn cast(&self, a: &Text, int: IntegerType) -> Text {
        let ty = int.name(self.language);
        match self.language {
            Rust => Text { text: format!("{} as {ty}", wrap(a, UNARY)), level: CAST },
            Wgsl => call(ty, &[a]),
            _ => Text { text: format!("({ty}){}", wrap(a, UNARY)), level: UNARY },
        }
    }

    fn quotient(&self, a: &Text, divisor: &str) -> Text {
        if self.language == Rust {
            if !self.int.is_signed() {
                return word(format!("{divisor}.quotient({})", a.text));
            }
            let unsigned = self.int.unsigned().name(Rust);
            return Text { text: format!("{divisor}.quotient({} as {unsigned}) as {}", wrap(a, CAST), self.int.name(Rust)), level: CAST };
        }
        word(format!("{}_div({}, {divisor})", self.helpers.unwrap_or(""), a.text))
    }

    fn lookup(&self, a: &Text, table: usize, bounds: LookupBounds) -> Text {
        let (name, length) = &self.tables[table];
        let index = match (self.language, self.int) {
            (Wgsl, _) if bounds.below => format!("clamp({}, 0, {})", a.text, length - 1),
            (Wgsl, _) if bounds.above => format!("min({}, {})", a.text, length - 1),
            (Rust, IntegerType::Usize) => a.text.clone(),
            (Rust, _) => format!("{} as usize", wrap(a, CAST)),
            _ => a.text.clone(),
        };
        let entry = word(format!("{name}[{index}]"));
        let checks: Vec<Text> = [(bounds.below, ">=", 0), (bounds.above, "<", *length)]
            .into_iter()
            .filter(|(check, ..)| *check)
            .map(|(_, sign, bound)| compare(a, sign, &self.literal(bound as i64, false)))
            .collect();
        match &checks[..] {
            [] => entry,
            [check] => self.select(check, &entry, &word("0"), false),
            [low, high, ..] => self.select(&binary(low, "&&", high, AND, AND, AND), &entry, &word("0"), false),
        }
    }

    /// Returns the statements, and the expression of the result, of the helper function `kind` with the parameters `a` and
    /// `b`.
    pub fn helper(&self, kind: Helper) -> (Vec<String>, String) {
        let (a, b) = (word("a"), word("b"));
        let divisor = self.divisor(kind, &b);
        if divisor.text == b.text {
            return (Vec::new(), self.division(kind, &a, &b, &b).text);
        }
        (vec![format!("    let d = {};", divisor.text)], self.division(kind, &a, &b, &word("d")).text)
    }
}

/// A division that the language does not have, and for which the text has a helper function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Helper {
    FloorDiv,
    FloorRem,
    TotalDiv,
    TotalRem,
}

impl Helper {
    pub fn of(op: Instruction) -> Option<Helper> {
        match op {
            Instruction::FloorDiv(..) => Some(Helper::FloorDiv),
            Instruction::FloorRem(..) => Some(Helper::FloorRem),
            Instruction::TotalDiv(..) => Some(Helper::TotalDiv),
            Instruction::TotalRem(..) => Some(Helper::TotalRem),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Helper::FloorDiv => "floor_div",
            Helper::FloorRem => "floor_mod",
            Helper::TotalDiv => "total_div",
            Helper::TotalRem => "total_mod",
        }
    }

    /// Returns true if Rust has the division as a method.
    pub fn is_method(self) -> bool {
        matches!(self, Helper::FloorDiv | Helper::FloorRem)
    }

    /// Returns the formula of the division in words, for the comment above its function.
    pub fn comment(self) -> &'static str {
        match self {
            Helper::FloorDiv => "a / b rounded down, for b > 0",
            Helper::FloorRem => "a modulo b, in [0, b), for b > 0",
            Helper::TotalDiv => "a / b rounded down; 0 where b is 0",
            Helper::TotalRem => "a modulo b, in [0, |b|); a where b is 0",
        }
    }
}

/// Returns `x`, in parentheses if it binds less tightly than `least`.
fn wrap(x: &Text, least: u8) -> String {
    if x.level < least { format!("({})", x.text) } else { x.text.clone() }
}

fn binary(a: &Text, sign: &str, b: &Text, level: u8, left: u8, right: u8) -> Text {
    Text { text: format!("{} {sign} {}", wrap(a, left), wrap(b, right)), level }
}

fn times(a: &Text, sign: &str, b: &Text) -> Text {
    binary(a, sign, b, MUL, MUL, CAST)
}

fn compare(a: &Text, sign: &str, b: &Text) -> Text {
    // `x as u32 < y` would be parsed as a list of generic arguments.
    let ends_in_cast = a.text.rsplit_once(" as ").is_some_and(|(_, ty)| ty.bytes().all(|c| c.is_ascii_alphanumeric()));
    let left = if ends_in_cast { format!("({})", a.text) } else { wrap(a, ADD) };
    Text { text: format!("{left} {sign} {}", wrap(b, ADD)), level: COMPARE }
}

fn call(function: &str, arguments: &[&Text]) -> Text {
    let arguments: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
    word(format!("{function}({})", arguments.join(", ")))
}
