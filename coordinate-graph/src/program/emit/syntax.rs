//! Statements and declarations in the notation of each language.

use super::Language::{self, C, Cuda, Hip, OpenCl, Rust, Wgsl};
use super::ir::{Id, Inst};
use super::print::{Helper, Printer, Text};
use super::width::Int;
use layout_algebra::heap::*;

/// The text around the arms of a selection that is a statement.
pub(super) struct Branch {
    pub open: Vec<String>,
    pub before: String,
    pub after: &'static str,
    pub close: &'static str,
}

/// The integers of a file that NVRTC or hipRTC may compile: these have no headers.
const RUN_TIME_COMPILED: &str = "\
#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define UINT32_MAX 0xffffffffu
#define UINT64_MAX 0xffffffffffffffffull
#else
#include <cstdint>
#endif
";

/// The functions of a host, left out where a text is compiled at run time: that takes no host code.
pub(super) fn host_only(language: Language, host: String) -> String {
    match language {
        Cuda | Hip => format!("#if !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)\n{host}#endif\n"),
        _ => host,
    }
}

/// The first lines of a file.
pub(super) fn includes(language: Language) -> Option<&'static str> {
    match language {
        C => Some("#include <stdbool.h>\n#include <stdint.h>\n"),
        Cuda | Hip => Some(RUN_TIME_COMPILED),
        _ => None,
    }
}

fn type_of(printer: &Printer<'_>, id: Id) -> &'static str {
    if printer.ir.is_truth(id) { "bool" } else { printer.int.name(printer.language) }
}

/// The selection `id` as a statement that sets `name`.
pub(super) fn branch(printer: &Printer<'_>, id: Id, name: &str, c: &Text) -> Branch {
    let ty = type_of(printer, id);
    match printer.language {
        Rust => Branch { open: vec![format!("let {name}: {ty} = if {} {{", c.text)], before: String::new(), after: "", close: "};" },
        _ => Branch {
            open: vec![format!("{ty} {name};"), format!("if ({}) {{", c.text)],
            before: format!("{name} = "),
            after: ";",
            close: "}",
        },
    }
}

/// The node `id` by the name `name`.
pub(super) fn declare(printer: &Printer<'_>, id: Id, name: &str, value: &str) -> String {
    match printer.language {
        // A choice of two known numbers has no type of its own.
        Rust if matches!(printer.ir.inst(id), Inst::Select(..)) => format!("let {name}: {} = {value};", type_of(printer, id)),
        Rust | Wgsl => format!("let {name} = {value};"),
        _ => format!("const {} {name} = {value};", type_of(printer, id)),
    }
}

/// A parameter of a function.
pub struct Parameter {
    /// Its name; in C and its like with the `*` of an array.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// False if the function does not read it.
    pub used: bool,
}

/// The type of a function's result.
pub enum Returns {
    /// A truth value.
    Truth,
    /// A number of the text's type.
    Number,
    /// A structure of this name and these fields; a tuple in Rust.
    Numbers(String, Vec<String>),
    /// A value of the type of this name, as one expression.
    Of(String),
}

/// A function.
pub struct Function {
    /// The lines of the comment above it.
    pub comment: Vec<String>,
    /// Its name.
    pub name: String,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The type of its result.
    pub returns: Returns,
    /// The lines of its body.
    pub lines: Vec<String>,
    /// The expressions of its result: one, or one a field.
    pub results: Vec<String>,
}

/// Where functions are called from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Device,
    /// Constant tables of the device are read.
    DeviceOnly,
    Host,
}

/// The qualifiers before a function.
pub(super) fn qualifiers(language: Language, place: Place) -> &'static str {
    match (language, place) {
        (Rust, _) => "pub const fn ",
        (Wgsl, _) => "fn ",
        (Cuda | Hip, Place::Device) => "__host__ __device__ __forceinline__ ",
        (Cuda | Hip, Place::DeviceOnly) => "__device__ __forceinline__ ",
        _ => "static inline ",
    }
}

/// The most columns of a line that is broken where it can be.
const COLUMNS: usize = 110;

/// `head(parameters)tail`, over several lines where it is long.
pub(super) fn signature(language: Language, head: &str, parameters: &[Parameter], tail: &str) -> String {
    let one = |p: &Parameter| match language {
        Rust | Wgsl => format!("{}: {}", p.name, p.ty),
        _ => format!("{} {}", p.ty, p.name),
    };
    let texts: Vec<String> = parameters.iter().map(one).collect();
    let joined = texts.join(", ");
    let nothing = if texts.is_empty() && matches!(language, C | OpenCl) { "void" } else { "" };
    if head.len() + joined.len() + tail.len() + 2 <= COLUMNS {
        return format!("{head}({joined}{nothing}){tail}\n");
    }
    let comma = if matches!(language, Rust | Wgsl) { "," } else { "" };
    format!("{head}(\n    {}{comma}\n){tail}\n", texts.join(",\n    "))
}

/// The text of a function of numbers of the type `int`.
pub(super) fn function(language: Language, place: Place, int: Int, f: &Function) -> String {
    let ty = match &f.returns {
        Returns::Truth => "bool".to_string(),
        Returns::Number => int.name(language).to_string(),
        Returns::Numbers(_, fields) if language == Rust => format!("({})", vec![int.name(language); fields.len()].join(", ")),
        Returns::Numbers(name, _) | Returns::Of(name) => name.clone(),
    };
    let mut out = String::new();
    for line in &f.comment {
        out += &format!("{} {line}\n", if language == Rust { "///" } else { "//" });
    }
    if language == Rust {
        if core::iter::once(&f.name).chain(f.parameters.iter().map(|p| &p.name)).any(|name| has_capitals(name)) {
            out += "#[allow(non_snake_case)]\n";
        }
        out += "#[inline]\n";
    }
    let before = qualifiers(language, place);
    out += &match language {
        Rust | Wgsl => signature(language, &format!("{before}{}", f.name), &f.parameters, &format!(" -> {ty} {{")),
        _ => signature(language, &format!("{before}{ty} {}", f.name), &f.parameters, " {"),
    };
    for parameter in f.parameters.iter().filter(|p| !p.used) {
        match language {
            Rust => out += &format!("    let _ = {};\n", parameter.name),
            Wgsl => {}
            _ => out += &format!("    (void){};\n", parameter.name),
        }
    }
    for line in &f.lines {
        out += line;
        out.push('\n');
    }
    out += &match (&f.returns, language) {
        (Returns::Numbers(..), Rust) => format!("    ({})\n", f.results.join(", ")),
        (Returns::Numbers(name, _), Wgsl) => format!("    return {name}({});\n", f.results.join(", ")),
        (Returns::Numbers(name, fields), _) => {
            let mut text = format!("    {name} result;\n");
            for (field, value) in fields.iter().zip(&f.results) {
                text += &format!("    result.{field} = {value};\n");
            }
            text + "    return result;\n"
        }
        (_, Rust) => format!("    {}\n", f.results.join("")),
        _ => format!("    return {};\n", f.results.join("")),
    };
    out + "}\n"
}

pub(super) fn has_capitals(name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_uppercase())
}

/// A field of a structure.
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// A formula for its value, after some words.
    pub comment: Option<(&'static str, String)>,
}

/// A structure.
pub(super) fn structure(language: Language, comment: &str, name: &str, fields: &[Field]) -> String {
    let note = |field: &Field| field.comment.as_ref().map_or(String::new(), |(words, formula)| format!(" // {words}{formula}"));
    let mut out = match language {
        Rust => {
            let capitals = fields.iter().any(|field| has_capitals(&field.name));
            let allowed = if capitals { "#[allow(non_snake_case)]\n" } else { "" };
            format!("/// {comment}\n#[derive(Clone, Copy, Debug)]\n#[repr(C)]\n{allowed}pub struct {name} {{\n")
        }
        Wgsl => format!("// {comment}\nstruct {name} {{\n"),
        _ => format!("// {comment}\ntypedef struct {{\n"),
    };
    for field in fields {
        let (name, ty) = (&field.name, &field.ty);
        out += &match (language, &field.comment) {
            (Rust, Some((words, formula))) => format!("    /// {words}`{formula}`\n    pub {name}: {ty},\n"),
            (Rust, None) => format!("    /// Known per launch\n    pub {name}: {ty},\n"),
            (Wgsl, _) => format!("    {name}: {ty},{}\n", note(field)),
            _ => format!("    {ty} {name};{}\n", note(field)),
        };
    }
    out + &if matches!(language, Rust | Wgsl) { "}\n".to_string() } else { format!("}} {name};\n") }
}

/// A constant table.
pub(super) fn table(printer: &Printer<'_>, place: Place, name: &str, entries: &[i64]) -> String {
    let (language, ty) = (printer.language, printer.int.name(printer.language));
    let mut text = String::new();
    let mut column = 0;
    for (k, entry) in entries.iter().enumerate() {
        let entry = printer.literal(*entry, false).text;
        if column + entry.len() + 2 > COLUMNS {
            text += ",\n    ";
            column = 4;
        } else if k > 0 {
            text += ", ";
        }
        column += entry.len() + 2;
        text += &entry;
    }
    let many = column > 40 || text.contains('\n');
    let text = if many { format!("\n    {text}\n") } else { text };
    let spaced = if many { text.clone() } else { format!(" {text} ") };
    let n = entries.len();
    match (language, place) {
        (Rust, _) => format!("const {name}: [{ty}; {n}] = [{text}];\n"),
        (Wgsl, _) => format!("var<private> {name}: array<{ty}, {n}> = array<{ty}, {n}>({text});\n"),
        (OpenCl, _) => format!("__constant {ty} {name}[{n}] = {{{spaced}}};\n"),
        (Cuda | Hip, Place::Device | Place::DeviceOnly) => format!("static __device__ const {ty} {name}[{n}] = {{{spaced}}};\n"),
        _ => format!("static const {ty} {name}[{n}] = {{{spaced}}};\n"),
    }
}

/// A helper function.
pub(super) fn helper(printer: &Printer<'_>, place: Place, prefix: &str, kind: Helper) -> String {
    let ty = printer.int.name(printer.language);
    let parameters = ["a", "b"].map(|name| Parameter { name: name.into(), ty: ty.into(), used: true }).into();
    let (lines, result) = printer.helper(kind);
    let f = Function {
        comment: vec![kind.comment().to_string()],
        name: format!("{prefix}_{}", kind.name()),
        parameters,
        returns: Returns::Number,
        lines,
        results: vec![result],
    };
    // It is of this file only.
    function(printer.language, place, printer.int, &f).replace("pub const fn", "const fn")
}
