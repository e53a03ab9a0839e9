//! Programs as affine maps and sets of MLIR. Inputs of the thread are dimensions; inputs of the launch are symbols.

use super::body::LIMIT;
use super::names::Names;
use super::{Emit, EmitError, Language, Source, domain};
use crate::program::{Decoded, Program, Time};
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, Node, SymInt, Truth};

/// The text of an affine expression, with `length` operations.
#[derive(Clone)]
struct Affine {
    text: String,
    /// True if the expression is a sum or begins with a minus sign.
    is_sum: bool,
    /// True if the expression depends on dimensions.
    is_dim: bool,
    length: u64,
}

/// The affine expressions of the nodes that a program needs.
struct Map<'a> {
    program: &'a Program,
    inputs: Vec<String>,
    nodes: Vec<Option<Affine>>,
}

pub(super) fn expression(program: &Program, value: SymInt) -> Result<String, EmitError> {
    Ok(Map::new(program, &[value])?.text(value)?.text)
}

pub(super) fn source(program: &Program, emit: &Emit) -> Result<Source, EmitError> {
    if program.outputs.is_empty() {
        return Err(EmitError::NoOutput);
    }
    let mut values: Vec<SymInt> = program.outputs.iter().map(|output| output.value).collect();
    let (mut constraints, mut waiting) = (Vec::new(), program.conditions.clone());
    waiting.reverse();
    while let Some(condition) = waiting.pop() {
        match constraint(program, condition)? {
            Constraint::And(a, b) => waiting.extend([b, a]),
            Constraint::Always => {}
            one => constraints.push(one),
        }
    }
    values.extend(constraints.iter().flat_map(|constraint| match constraint {
        Constraint::AtLeast(a, b) | Constraint::Less(a, b) | Constraint::Equal(a, b) => vec![*a, *b],
        _ => vec![],
    }));
    let map = Map::new(program, &values)?;
    let name = Names::new(Language::Mlir).fresh_in_file(&emit.name);
    let mut text = String::new();
    for (k, input) in program.inputs.iter().enumerate() {
        let below = input.below.and_then(|below| Map::new(program, &[below]).and_then(|map| map.text(below)).ok());
        // The comment gives the name that the program has for the input. `fresh` cleans the name, so the comment stays on one line.
        let meaning = Names::new(Language::Mlir).fresh(&input.name);
        text += &format!("// {} = {}\n", map.inputs[k], domain::of(&meaning, program.facts_of_input(k), below.map(|below| below.text), ""));
    }
    let outputs = program.outputs.iter().map(|output| Ok(map.text(output.value)?.text)).collect::<Result<Vec<_>, EmitError>>()?;
    text += &format!("#{name} = affine_map<{} -> ({})>\n", map.operands(), outputs.join(", "));
    if !program.conditions.is_empty() {
        let constraints = constraints.iter().map(|constraint| map.constraint(constraint)).collect::<Result<Vec<_>, EmitError>>()?;
        // MLIR has no syntax for a set without constraints, so write one that always holds.
        let constraints = if constraints.is_empty() { "0 == 0".to_string() } else { constraints.join(", ") };
        text += &format!("#{name}_is_valid = affine_set<{} : ({constraints})>\n", map.operands());
    }
    Ok(Source { device: text, host: None, integer: "" })
}

fn refuse<T>(construct: &'static str) -> Result<T, EmitError> {
    Err(EmitError::Construct { language: Language::Mlir, construct })
}

impl Map<'_> {
    /// Makes the expressions of the nodes that `roots` need. Fails if MLIR cannot express one of them.
    fn new<'a>(program: &'a Program, roots: &[SymInt]) -> Result<Map<'a>, EmitError> {
        let (mut dims, mut symbols) = (0, 0);
        let name = |time| {
            let (letter, count) = if time == Time::Thread { ('d', &mut dims) } else { ('s', &mut symbols) };
            *count += 1;
            format!("{letter}{}", *count - 1)
        };
        let inputs = program.inputs.iter().map(|input| input.time).map(name).collect();
        let mut map = Map { program, inputs, nodes: vec![None; program.scope.len] };
        let live = program.reached(roots, &|_| false);
        for k in (0..program.scope.len).filter(|k| live[*k]) {
            let node = map.node(k)?;
            if node.length > LIMIT {
                return Err(EmitError::TooLong { limit: LIMIT });
            }
            map.nodes[k] = Some(node);
        }
        Ok(map)
    }

    fn text(&self, x: SymInt) -> Result<Affine, EmitError> {
        match x.node() {
            None => Ok(Affine { text: x.word().to_string(), is_sum: x.word() < 0, is_dim: false, length: 0 }),
            Some(k) => match &self.nodes[k] {
                Some(node) => Ok(node.clone()),
                None => refuse("this expression"),
            },
        }
    }

    /// Returns `a sign b`, with parentheses where they are needed. Fails if `a` or `b` has no expression.
    fn join(&self, a: SymInt, sign: &str, b: SymInt) -> Result<Affine, EmitError> {
        let (x, y) = (self.text(a)?, self.text(b)?);
        let is_sum = matches!(sign, "+" | "-");
        // `*`, `floordiv`, `ceildiv` and `mod` have equal precedence and associate to the left.
        let is_product = |x: SymInt| x.node().is_some_and(|k| !matches!(self.program.node(k), Decoded::Input(_)));
        let mixed = is_product(a) && !(sign == "*" && self.is_product_by(a));
        let left = if !is_sum && (x.is_sum || mixed) { format!("({})", x.text) } else { x.text };
        let bracket = y.is_sum || (!is_sum && is_product(b));
        let right = if bracket { format!("({})", y.text) } else { y.text };
        Ok(Affine { text: format!("{left} {sign} {right}"), is_sum, is_dim: x.is_dim || y.is_dim, length: x.length + y.length + 1 })
    }

    /// Returns true if `x` is a product, which is written with `*`.
    fn is_product_by(&self, x: SymInt) -> bool {
        x.node().is_some_and(|k| matches!(self.program.node(k), Decoded::Two(Node::Mul, ..)))
    }

    /// Returns the expression of node `k`. Fails if it is not affine, for example a table or a product of two dimensions.
    fn node(&self, k: usize) -> Result<Affine, EmitError> {
        let (node, a, b) = match self.program.node(k) {
            Decoded::Input(input) => {
                let is_dim = self.program.inputs[input].time == Time::Thread;
                return Ok(Affine { text: self.inputs[input].clone(), is_sum: false, is_dim, length: 0 });
            }
            Decoded::Two(node, a, b) => (node, a, b),
            Decoded::Select(..) | Decoded::Pair => return refuse("a selection"),
            Decoded::Lookup(..) => return refuse("a table"),
        };
        match node {
            Node::Min => return refuse("a minimum"),
            Node::Max => return refuse("a maximum"),
            Node::Abs => return refuse("an absolute value"),
            Node::Less | Node::Equal => return refuse("a comparison inside a formula"),
            Node::Xor => return refuse("an exclusive or"),
            Node::Add => {
                return match b.value().and_then(i64::checked_neg).and_then(SymInt::known) {
                    Some(less) if less.word() > 0 => self.join(a, "-", less),
                    _ => self.join(a, "+", b),
                };
            }
            Node::Sub => return self.join(a, "-", b),
            Node::Mul if self.text(a)?.is_dim && self.text(b)?.is_dim => return refuse("a product of two dimensions"),
            // The factor without dimensions must stand on the right.
            Node::Mul => return if self.text(b)?.is_dim { self.join(b, "*", a) } else { self.join(a, "*", b) },
            _ if self.text(b)?.is_dim => return refuse("a division by a dimension"),
            _ if self.program.scope.facts(b).lo < 1 => return refuse("a division by a number that is not proven to be positive"),
            Node::Rem => return self.join(a, "mod", b),
            _ => {}
        }
        // (x + c - 1) floordiv c = x ceildiv c
        match (a.node().map(|n| self.program.node(n)), b.value()) {
            (Some(Decoded::Two(Node::Add, x, up)), Some(by)) if up.value() == Some(by - 1) => self.join(x, "ceildiv", b),
            _ => self.join(a, "floordiv", b),
        }
    }

    /// Returns the list of all inputs: `(d0, d1)[s0]`, thread inputs first.
    fn operands(&self) -> String {
        let of = |time| {
            let inputs = self.program.inputs.iter().zip(&self.inputs).filter(|(input, _)| input.time == time);
            inputs.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let (dims, symbols) = (of(Time::Thread), of(Time::Launch));
        if symbols.is_empty() { format!("({dims})") } else { format!("({dims})[{symbols}]") }
    }

    fn constraint(&self, constraint: &Constraint) -> Result<String, EmitError> {
        let zero = SymInt::ZERO;
        Ok(match *constraint {
            Constraint::Never => "1 == 0".to_string(),
            Constraint::AtLeast(a, b) if b.is(0) => format!("{} >= 0", self.text(a)?.text),
            Constraint::AtLeast(a, b) => format!("{} >= 0", self.join(a, "-", b)?.text),
            // a < b is written as b - a - 1 >= 0, with the known numbers added up.
            Constraint::Less(a, b) => match (a.value(), b.value()) {
                (Some(-1), _) => format!("{} >= 0", self.text(b)?.text),
                (Some(a), _) if a < i64::MAX => format!("{} >= 0", self.join(b, "-", SymInt::raw(a + 1))?.text),
                (_, Some(b)) if b > SymInt::MIN => format!("{} >= 0", self.join(SymInt::raw(b - 1), "-", a)?.text),
                _ => format!("{} - 1 >= 0", self.join(b, "-", a)?.text),
            },
            Constraint::Equal(a, b) if b.is(0) => format!("{} == 0", self.text(a)?.text),
            Constraint::Equal(a, b) => format!("{} == 0", self.join(a, "-", b)?.text),
            Constraint::Always | Constraint::And(..) => format!("{} == 0", self.text(zero)?.text),
        })
    }
}

/// A condition as MLIR can write it.
enum Constraint {
    Always,
    Never,
    And(SymInt, SymInt),
    Less(SymInt, SymInt),
    AtLeast(SymInt, SymInt),
    Equal(SymInt, SymInt),
}

fn constraint(program: &Program, x: SymInt) -> Result<Constraint, EmitError> {
    let Some(k) = x.node() else { return Ok(if x.is(0) { Constraint::Never } else { Constraint::Always }) };
    let truth = |x: SymInt| program.scope.facts(x).lo >= 0 && program.scope.facts(x).hi <= Facts::BOOLEAN.hi;
    Ok(match program.node(k) {
        Decoded::Two(Node::Less, a, b) if program.scope.less(a, b) == Truth::Yes => Constraint::Always,
        Decoded::Two(Node::Less, a, b) => Constraint::Less(a, b),
        Decoded::Two(Node::Equal, a, b) => match a.node().filter(|_| b.is(0)).map(|n| program.node(n)) {
            Some(Decoded::Two(Node::Less, a, b)) => Constraint::AtLeast(a, b),
            _ => Constraint::Equal(a, b),
        },
        Decoded::Two(Node::Min | Node::Mul, a, b) if truth(a) && truth(b) => Constraint::And(a, b),
        Decoded::Select(c, then, otherwise) if otherwise.is(0) && truth(then) => Constraint::And(c, then),
        _ => return refuse("a condition that is not a conjunction of comparisons"),
    })
}
