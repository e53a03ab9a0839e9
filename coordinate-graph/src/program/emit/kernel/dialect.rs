//! Expressions and statements over arrays in the syntax of each language, for kernels of other packages. Programs read no
//! arrays; their texts are in `print.rs` and `syntax.rs`.

use super::super::names::structure;
use super::super::syntax::{self, Field, Function, FunctionParameter, Place};
use super::super::width::IntegerType;
use super::Language::{self, Cuda, Hip, OpenCl, Rust, Wgsl};
use layout_algebra::heap::*;

/// The language and the integer type of a text.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The language of the text.
    pub language: Language,
    /// The integer type of the numbers in the text.
    pub int: IntegerType,
}

/// The access of a kernel to an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayAccess {
    /// The kernel only reads the array.
    Read,
    /// The kernel reads and writes the array.
    Write,
}

/// The kind of an argument of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    /// An array whose elements have the named type.
    Array(&'static str, ArrayAccess),
    /// A number of the integer type of the text.
    Number,
    /// The launch structure of a program, by its type name.
    Launch(String),
}

/// An argument of a kernel or a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The name of the argument in the emitted text.
    pub name: String,
    /// The kind: array, number or launch structure.
    pub kind: ArgumentKind,
}

impl Argument {
    /// Returns the argument for a number with this name.
    pub fn number(name: impl Into<String>) -> Argument {
        Argument { name: name.into(), kind: ArgumentKind::Number }
    }
}

/// The expressions for the numbers of a thread in a grid.
pub struct Ids {
    /// The number of the thread in its workgroup, from 0.
    pub lane: &'static str,
    /// The number of the workgroup, from 0.
    pub group: &'static str,
    /// The number of workgroups of the launch.
    pub groups: &'static str,
}

impl Dialect {
    /// Returns the name of the integer type in the language.
    pub fn ty(&self) -> &'static str {
        self.int.name(self.language)
    }

    /// Returns a statement that declares the number `name` as a constant.
    pub fn constant(&self, name: &str, value: &str) -> String {
        match self.language {
            Rust | Wgsl => format!("let {name}: {} = {value};", self.ty()),
            _ => format!("const {} {name} = {value};", self.ty()),
        }
    }

    /// Returns a statement that declares the number `name` as a variable.
    pub fn variable(&self, name: &str, value: &str) -> String {
        self.variable_of(self.ty(), name, value)
    }

    /// Returns a statement that declares `name` of the type `ty` as a variable.
    pub fn variable_of(&self, ty: &str, name: &str, value: &str) -> String {
        match self.language {
            Rust => format!("let mut {name}: {ty} = {value};"),
            Wgsl => format!("var {name}: {ty} = {value};"),
            _ => format!("{ty} {name} = {value};"),
        }
    }

    /// Returns a statement that declares `name` of the type `ty` as a constant.
    pub fn constant_of(&self, ty: &str, name: &str, value: &str) -> String {
        match self.language {
            Rust | Wgsl => format!("let {name} = {value};"),
            _ => format!("const {ty} {name} = {value};"),
        }
    }

    /// Returns the expression for field `k`, from 0, of the result `of`. The field is written by `name`; in Rust, by its
    /// number.
    pub fn field(&self, of: &str, name: &str, k: usize) -> String {
        if self.language == Rust { format!("{of}.{k}") } else { format!("{of}.{name}") }
    }

    /// Returns the expression for the element of `array` at `index`, both expressions.
    pub fn element(&self, array: &str, index: &str) -> String {
        let compound = index.contains(' ');
        match (self.language, self.int) {
            (Rust, IntegerType::U32 | IntegerType::U64) if compound => format!("{array}[({index}) as usize]"),
            (Rust, IntegerType::U32 | IntegerType::U64) => format!("{array}[{index} as usize]"),
            _ => format!("{array}[{index}]"),
        }
    }

    /// Returns the expression for the element at `index` of an array of `word`, converted to the integer type of the text.
    pub fn read(&self, array: &str, word: IntegerType, index: &str) -> String {
        self.cast(&self.element(array, index), word, self.int)
    }

    /// Returns the expression that converts `value` from the type `from` to the type `to`.
    pub fn cast(&self, value: &str, from: IntegerType, to: IntegerType) -> String {
        let (from, to) = (from.name(self.language), to.name(self.language));
        match self.language {
            _ if from == to => value.to_string(),
            Rust => format!("{value} as {to}"),
            Wgsl => format!("{to}({value})"),
            _ => format!("({to}){value}"),
        }
    }

    /// Returns the largest number of the unsigned integer type with the width of `int`.
    pub fn most(&self) -> &'static str {
        match (self.language, self.int.is_narrow()) {
            (Rust, _) if self.int == IntegerType::Usize => "usize::MAX",
            (Rust, true) => "u32::MAX",
            (Rust, false) => "u64::MAX",
            (Wgsl, _) => "0xffffffffu",
            (OpenCl, true) => "UINT_MAX",
            (OpenCl, false) => "ULONG_MAX",
            (_, true) => "UINT32_MAX",
            (_, false) => "UINT64_MAX",
        }
    }

    /// Returns the line that opens a block that runs if `condition` holds.
    pub(super) fn when(&self, condition: &str) -> String {
        if self.language == Rust { format!("if {condition} {{") } else { format!("if ({condition}) {{") }
    }

    /// Returns the line that opens a loop that runs while `condition` holds.
    pub(super) fn repeat(&self, condition: &str) -> String {
        if self.language == Rust { format!("while {condition} {{") } else { format!("while ({condition}) {{") }
    }

    /// Returns the first line of a loop in which `index` runs over `from..to` in steps of `step`. In Rust, the step is 1 or
    /// a single word.
    pub(super) fn each(&self, index: &str, from: &str, to: &str, step: &str) -> String {
        let ty = self.ty();
        match self.language {
            Rust if step == "1" => format!("for {index} in {from}..{to} {{"),
            Rust => format!("for {index} in ({from}..{to}).step_by({step}) {{"),
            Wgsl => format!("for (var {index}: {ty} = {from}; {index} < {to}; {index} += {step}) {{"),
            _ if step == "1" => format!("for ({ty} {index} = {from}; {index} < {to}; ++{index}) {{"),
            _ => format!("for ({ty} {index} = {from}; {index} < {to}; {index} += {step}) {{"),
        }
    }

    /// Returns the parameter of a function for this argument. Returns `None` for an array in WGSL, which is a
    /// binding of the module.
    pub fn parameter(&self, argument: &Argument) -> Option<FunctionParameter> {
        let used = |name: String, ty: String| Some(FunctionParameter { name, ty, used: true });
        let name = argument.name.clone();
        match (&argument.kind, self.language) {
            (ArgumentKind::Array(..), Wgsl) => None,
            (ArgumentKind::Array(word, ArrayAccess::Read), Rust) => used(name, format!("&[{word}]")),
            (ArgumentKind::Array(word, ArrayAccess::Write), Rust) => used(name, format!("&mut [{word}]")),
            (ArgumentKind::Array(word, access), language) => {
                let space = if language == OpenCl { "__global " } else { "" };
                let constant = if *access == ArrayAccess::Read { "const " } else { "" };
                used(format!("*{name}"), format!("{space}{constant}{word}"))
            }
            (ArgumentKind::Number, _) => used(name, self.ty().to_string()),
            (ArgumentKind::Launch(structure), Rust) => used(name, format!("&{structure}")),
            (ArgumentKind::Launch(structure), Wgsl) => used(name, structure.clone()),
            (ArgumentKind::Launch(structure), _) => used(name, format!("const {structure}")),
        }
    }

    /// Returns a call of `function` with the expressions `first`, then with `arguments` by their names.
    pub fn call<'a>(&self, function: &str, first: &[&str], arguments: impl IntoIterator<Item = &'a Argument>) -> String {
        let shown = arguments.into_iter().filter(|argument| self.language != Wgsl || !matches!(argument.kind, ArgumentKind::Array(..)));
        let all: Vec<&str> = first.iter().copied().chain(shown.map(|argument| argument.name.as_str())).collect();
        format!("{function}({})", all.join(", "))
    }

    /// Tests whether many threads run a kernel in this language.
    pub fn is_parallel(&self) -> bool {
        matches!(self.language, Cuda | Hip | OpenCl | Wgsl)
    }

    /// Returns the expressions for the numbers of a thread in a [parallel](Dialect::is_parallel) language.
    pub fn ids(&self) -> Ids {
        match self.language {
            OpenCl => Ids { lane: "get_local_id(0)", group: "get_group_id(0)", groups: "get_num_groups(0)" },
            Wgsl => Ids { lane: "local_id.x", group: "group_id.x", groups: "groups.x" },
            _ => Ids { lane: "threadIdx.x", group: "blockIdx.x", groups: "gridDim.x" },
        }
    }

    /// Returns the name of a structure: `function`, then `what`, in the spelling of the language.
    /// [Programs](crate::program::Program::emit) have the structures `result` and `launch`.
    pub fn structure_name(&self, function: &str, what: &str) -> String {
        structure(self.language, function, what)
    }

    /// Returns the declaration of the structure `name` with these fields.
    pub fn structure(&self, comment: &str, name: &str, fields: &[Field]) -> String {
        syntax::structure(self.language, comment, name, fields)
    }

    /// Returns the text of a function that the threads call.
    pub fn function(&self, function: &Function) -> String {
        syntax::function(self.language, Place::Device, self.int, function)
    }

    /// Returns a file of the texts `parts`, in order. First lines that several of them need, such as includes, are written
    /// once.
    pub fn file(&self, parts: impl IntoIterator<Item = String>) -> String {
        let includes = syntax::includes(self.language);
        let without = |part: String| match includes.and_then(|lines| part.strip_prefix(lines)) {
            Some(rest) => rest.trim_start().to_string(),
            None => part,
        };
        let parts = includes.map(ToString::to_string).into_iter().chain(parts.into_iter().map(without));
        parts.collect::<Vec<_>>().join("\n")
    }
}
