//! Statements over arrays in the notation of each language: what programs, which read no memory, do without.

use super::Language::{self, Cuda, Hip, OpenCl, Rust, Wgsl};
use super::syntax::Parameter;
use super::width::Int;
use layout_algebra::heap::*;

/// The language, and the type of numbers.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub language: Language,
    pub int: Int,
}

/// How an array is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// The kind of an argument.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Array(&'static str, Access),
    Number,
    /// The launch structure of a program, by its name.
    Launch(String),
}

/// A parameter: its name in the text.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Argument {
    pub name: String,
    pub kind: Kind,
}

impl Words {
    /// The type of numbers.
    pub fn ty(&self) -> &'static str {
        self.int.name(self.language)
    }

    /// `name` is a number from here on.
    pub fn constant(&self, name: &str, value: &str) -> String {
        match self.language {
            Rust | Wgsl => format!("let {name}: {} = {value};", self.ty()),
            _ => format!("const {} {name} = {value};", self.ty()),
        }
    }

    /// `name` is a number that changes.
    pub fn variable(&self, name: &str, value: &str) -> String {
        self.variable_of(self.ty(), name, value)
    }

    /// `name` is a variable of the type `ty`.
    pub fn variable_of(&self, ty: &str, name: &str, value: &str) -> String {
        match self.language {
            Rust => format!("let mut {name}: {ty} = {value};"),
            Wgsl => format!("var {name}: {ty} = {value};"),
            _ => format!("{ty} {name} = {value};"),
        }
    }

    /// A structure that does not change.
    pub fn constant_of(&self, ty: &str, name: &str, value: &str) -> String {
        match self.language {
            Rust | Wgsl => format!("let {name} = {value};"),
            _ => format!("const {ty} {name} = {value};"),
        }
    }

    /// Field `k` of a result: fields have names, in Rust numbers.
    pub fn field(&self, of: &str, name: &str, k: usize) -> String {
        if self.language == Rust { format!("{of}.{k}") } else { format!("{of}.{name}") }
    }

    /// An element of an array.
    pub fn element(&self, array: &str, index: &str) -> String {
        let compound = index.contains(' ');
        match (self.language, self.int) {
            (Rust, Int::U32 | Int::U64) if compound => format!("{array}[({index}) as usize]"),
            (Rust, Int::U32 | Int::U64) => format!("{array}[{index} as usize]"),
            _ => format!("{array}[{index}]"),
        }
    }

    /// An element of an array of `word` as a number.
    pub fn read(&self, array: &str, word: Int, index: &str) -> String {
        self.cast(&self.element(array, index), word, self.int)
    }

    /// The word `value`, of the type `from`, in the type `to`.
    pub fn cast(&self, value: &str, from: Int, to: Int) -> String {
        let (from, to) = (from.name(self.language), to.name(self.language));
        match self.language {
            _ if from == to => value.to_string(),
            Rust => format!("{value} as {to}"),
            Wgsl => format!("{to}({value})"),
            _ => format!("({to}){value}"),
        }
    }

    /// The largest number.
    pub fn most(&self) -> &'static str {
        match (self.language, self.int.is_narrow()) {
            (Rust, _) if self.int == Int::Usize => "usize::MAX",
            (Rust, true) => "u32::MAX",
            (Rust, false) => "u64::MAX",
            (Wgsl, _) => "0xffffffffu",
            (OpenCl, true) => "UINT_MAX",
            (OpenCl, false) => "ULONG_MAX",
            (_, true) => "UINT32_MAX",
            (_, false) => "UINT64_MAX",
        }
    }

    /// The head of a block that runs where `condition` holds.
    pub fn when(&self, condition: &str) -> String {
        if self.language == Rust { format!("if {condition} {{") } else { format!("if ({condition}) {{") }
    }

    /// The head of a loop while `condition` holds.
    pub fn repeat(&self, condition: &str) -> String {
        if self.language == Rust { format!("while {condition} {{") } else { format!("while ({condition}) {{") }
    }

    /// The head of a loop over `from..to`, every `step`th; in Rust the step is 1 or a word.
    pub fn each(&self, index: &str, from: &str, to: &str, step: &str) -> String {
        let ty = self.ty();
        match self.language {
            Rust if step == "1" => format!("for {index} in {from}..{to} {{"),
            Rust => format!("for {index} in ({from}..{to}).step_by({step}) {{"),
            Wgsl => format!("for (var {index}: {ty} = {from}; {index} < {to}; {index} += {step}) {{"),
            _ if step == "1" => format!("for ({ty} {index} = {from}; {index} < {to}; ++{index}) {{"),
            _ => format!("for ({ty} {index} = {from}; {index} < {to}; {index} += {step}) {{"),
        }
    }

    /// How the array `name` is called; in WGSL it is of the whole module.
    pub fn array(&self, prefix: &str, name: &str) -> String {
        if self.language == Wgsl { format!("{prefix}_{name}") } else { name.to_string() }
    }

    /// A parameter of a function; `None` for an array in WGSL.
    pub fn parameter(&self, argument: &Argument) -> Option<Parameter> {
        let used = |name: String, ty: String| Some(Parameter { name, ty, used: true });
        let name = argument.name.clone();
        match (&argument.kind, self.language) {
            (Kind::Array(..), Wgsl) => None,
            (Kind::Array(word, Access::Read), Rust) => used(name, format!("&[{word}]")),
            (Kind::Array(word, Access::Write), Rust) => used(name, format!("&mut [{word}]")),
            (Kind::Array(word, access), language) => {
                let space = if language == OpenCl { "__global " } else { "" };
                let constant = if *access == Access::Read { "const " } else { "" };
                used(format!("*{name}"), format!("{space}{constant}{word}"))
            }
            (Kind::Number, _) => used(name, self.ty().to_string()),
            (Kind::Launch(structure), Rust) => used(name, format!("&{structure}")),
            (Kind::Launch(structure), Wgsl) => used(name, structure.clone()),
            (Kind::Launch(structure), _) => used(name, format!("const {structure}")),
        }
    }

    /// A call with these arguments, as they are named where the call is.
    pub fn call<'a>(&self, function: &str, first: &[&str], arguments: impl IntoIterator<Item = &'a Argument>) -> String {
        let shown = arguments.into_iter().filter(|argument| self.language != Wgsl || !matches!(argument.kind, Kind::Array(..)));
        let all: Vec<&str> = first.iter().copied().chain(shown.map(|argument| argument.name.as_str())).collect();
        format!("{function}({})", all.join(", "))
    }

    /// Tests whether many threads run a kernel.
    pub fn is_parallel(&self) -> bool {
        matches!(self.language, Cuda | Hip | OpenCl | Wgsl)
    }
}

/// Lines, indented.
#[derive(Default)]
pub(super) struct Lines {
    pub lines: Vec<String>,
    depth: usize,
}

impl Lines {
    /// The lines of a function's body.
    pub fn body() -> Lines {
        Lines { lines: Vec::new(), depth: 1 }
    }

    pub fn push(&mut self, line: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "    ".repeat(self.depth), line.as_ref()));
    }

    /// Adds statements in one notation for all languages, a line each: `let x = e`, `var x = e`, `x = e`, `if c {`, `while c {`,
    /// `for k in a..b by s {`, `} else {` and `}`; a block of one statement may stand on one line.
    pub fn write(&mut self, words: &Words, text: &str) {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some((head, statement)) = line.strip_suffix(" }").and_then(|line| line.split_once(" { ")) {
                self.write(words, &format!("{head} {{\n{statement}\n}}"));
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (name, value) = rest.split_once(" = ").unwrap_or_default();
            let condition = rest.trim_end_matches(" {");
            match word {
                "let" => self.push(words.constant(name, value)),
                "var" => self.push(words.variable(name, value)),
                "if" => self.open(words.when(condition)),
                "while" => self.open(words.repeat(condition)),
                "for" => {
                    let (index, range) = condition.split_once(" in ").unwrap_or_default();
                    let (from, to) = range.split_once("..").unwrap_or_default();
                    let (to, step) = to.split_once(" by ").unwrap_or((to, "1"));
                    self.open(words.each(index, from, to, step));
                }
                "}" => {
                    self.depth -= 1;
                    if rest.is_empty() { self.push(line) } else { self.open(line) }
                }
                _ => self.push(format!("{line};")),
            }
        }
    }

    /// A line that opens a block.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.push(line);
        self.depth += 1;
    }

    pub fn close(&mut self) {
        self.depth -= 1;
        self.push("}");
    }
}
