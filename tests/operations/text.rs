//! Reads the C text back and evaluates it, and notes whether each division changes its dividend.

use std::collections::BTreeMap;

/// An expression. Divisions are numbered.
#[derive(Clone, Debug)]
pub enum Tree {
    Int(i64),
    Name(String),
    Unary(char, Box<Tree>),
    Binary(String, Box<Tree>, Box<Tree>),
    /// A quotient or a remainder: its number, whether it is a quotient, its dividend and its divisor. `>>` and `&` count, too.
    Divide(usize, bool, Box<Tree>, Box<Tree>),
    Select(Box<Tree>, Box<Tree>, Box<Tree>),
}

/// The body of a function: names and their values, then the results.
#[derive(Default, Debug)]
pub struct Body {
    pub statements: Vec<(String, Tree)>,
    pub divisions: usize,
}

struct Reader<'a> {
    words: Vec<&'a str>,
    at: usize,
    divisions: usize,
}

/// Returns the bodies of the function `name` and of its predicate, with the suffix `_is_valid`, in a C text, by name.
pub fn functions(text: &str, name: &str) -> BTreeMap<String, Body> {
    let lines: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("").trim_end()).collect();
    let mut out = BTreeMap::new();
    for function in [name.to_owned(), format!("{name}_is_valid")] {
        let start = lines.iter().position(|line| line.starts_with("static inline") && line.contains(&format!(" {function}(")));
        let Some(start) = start else { continue };
        let open = start + lines[start..].iter().position(|line| line.ends_with('{')).expect("a body");
        let close = open + lines[open..].iter().position(|line| *line == "}").expect("an end");
        let mut body = Body::default();
        for line in &lines[open + 1..close] {
            let line = line.trim().trim_end_matches(';');
            let (to, value) = match line.split_once(" = ") {
                Some((to, value)) => (to.rsplit(' ').next().expect("a name"), value),
                None => match line.strip_prefix("return ") {
                    Some("result") | None => {
                        let idle = line.starts_with("(void)") || line.ends_with("_result result") || line == "return result";
                        assert!(idle, "`{line}` is not read");
                        continue;
                    }
                    Some(value) => ("return", value),
                },
            };
            let mut reader = Reader { words: words(value), at: 0, divisions: body.divisions };
            let tree = reader.select();
            assert_eq!(reader.at, reader.words.len(), "`{value}` is not read from {:?} on", reader.words.get(reader.at));
            body.divisions = reader.divisions;
            body.statements.push((to.to_owned(), tree));
        }
        out.insert(function, body);
    }
    out
}

fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let length = match first {
            ' ' => 1,
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => [">>", "&&", "||", "<=", ">=", "==", "!="].iter().find(|sign| rest.starts_with(**sign)).map_or(1, |sign| sign.len()),
        };
        if first != ' ' {
            out.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    out
}

/// The operators, from the loosest to the tightest.
const LEVELS: [&[&str]; 9] =
    [&["||"], &["&&"], &["^"], &["&"], &["==", "!="], &["<", "<=", ">", ">="], &[">>"], &["+", "-"], &["*", "/", "%"]];

impl Reader<'_> {
    fn next(&mut self) -> &str {
        self.at += 1;
        self.words[self.at - 1]
    }

    fn skip(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }

    fn select(&mut self) -> Tree {
        let condition = self.level(0);
        if !self.skip("?") {
            return condition;
        }
        let then = self.select();
        assert!(self.skip(":"));
        Tree::Select(condition.into(), then.into(), self.select().into())
    }

    fn level(&mut self, level: usize) -> Tree {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1);
        while let Some(sign) = self.words.get(self.at).filter(|word| signs.contains(*word)).map(|word| (*word).to_owned()) {
            self.at += 1;
            let right = self.level(level + 1);
            left = match sign.as_str() {
                "/" | "%" | ">>" | "&" => self.divide(&sign, left, right),
                _ => Tree::Binary(sign, left.into(), right.into()),
            };
        }
        left
    }

    /// Makes a division by a number that is not a power of two, or by a name. `>>` and `&` divide by powers of two.
    fn divide(&mut self, sign: &str, left: Tree, right: Tree) -> Tree {
        let right = match (sign, right) {
            (">>", Tree::Int(by)) => Tree::Int(1 << by),
            ("&", Tree::Int(mask)) => Tree::Int(mask + 1),
            (_, Tree::Int(by)) => {
                assert!(by & (by - 1) != 0, "`{sign} {by}` is no shift or mask");
                Tree::Int(by)
            }
            (_, other) => other,
        };
        self.divisions += 1;
        Tree::Divide(self.divisions - 1, matches!(sign, "/" | ">>"), left.into(), right.into())
    }

    fn unary(&mut self) -> Tree {
        if self.skip("!") {
            return Tree::Unary('!', self.unary().into());
        }
        if self.skip("-") {
            return Tree::Unary('-', self.unary().into());
        }
        if self.skip("(") {
            let cast = self.words[self.at].ends_with("_t") && self.words[self.at + 1] == ")";
            if cast {
                self.at += 2;
                return self.unary();
            }
            let inner = self.select();
            assert!(self.skip(")"));
            return inner;
        }
        let word = self.next().to_owned();
        if self.skip("(") {
            let left = self.select();
            assert!(self.skip(","));
            let right = self.select();
            assert!(self.skip(")"));
            assert!(word.ends_with("_div") || word.ends_with("_mod"), "`{word}` is no division");
            return self.divide(if word.ends_with("_div") { "/" } else { "%" }, left, right);
        }
        match word.trim_end_matches(['u', 'l']).parse() {
            Ok(number) => Tree::Int(number),
            Err(_) => Tree::Name(word),
        }
    }
}

/// An evaluation that notes the divisions that changed their dividend.
pub struct Run<'a> {
    pub names: BTreeMap<&'a str, i64>,
    pub changed: Vec<bool>,
}

impl<'a> Run<'a> {
    /// Evaluates the statements in order, and adds the value of each to `names`, including the results.
    pub fn body(&mut self, body: &'a Body) {
        for (to, value) in &body.statements {
            let value = self.value(value);
            self.names.insert(to, value);
        }
    }

    fn value(&mut self, tree: &'a Tree) -> i64 {
        match tree {
            Tree::Int(value) => *value,
            Tree::Name(name) => match name.as_str() {
                "true" => 1,
                "false" => 0,
                name => *self.names.get(name).unwrap_or_else(|| panic!("`{name}` is not known")),
            },
            Tree::Unary('!', a) => i64::from(self.value(a) == 0),
            Tree::Unary(_, a) => -self.value(a),
            Tree::Select(c, a, b) => {
                let chosen = if self.value(c) != 0 { a } else { b };
                self.value(chosen)
            }
            Tree::Divide(number, quotient, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let result = match (*quotient, b) {
                    (true, 0) => 0,
                    (false, 0) => a,
                    (true, _) => a.div_euclid(b),
                    (false, _) => a.rem_euclid(b),
                };
                self.changed[*number] |= if *quotient { result != 0 } else { result != a };
                result
            }
            Tree::Binary(sign, a, b) if sign == "&&" => i64::from(self.value(a) != 0 && self.value(b) != 0),
            Tree::Binary(sign, a, b) if sign == "||" => i64::from(self.value(a) != 0 || self.value(b) != 0),
            Tree::Binary(sign, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match sign.as_str() {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "^" => a ^ b,
                    "<" => i64::from(a < b),
                    "<=" => i64::from(a <= b),
                    ">" => i64::from(a > b),
                    ">=" => i64::from(a >= b),
                    "==" => i64::from(a == b),
                    _ => i64::from(a != b),
                }
            }
        }
    }
}
