//! Statements and declarations in the syntax of each language. Expressions are in `print.rs`.

use super::Language::{self, C, Cuda, Hip, OpenCl, Rust, Wgsl};
use super::ir::{Id, Instruction};
use super::print::{Helper, Printer, Text};
use super::width::IntegerType;
use layout_algebra::heap::*;

/// The text around the arms of a selection that is written as a statement: the lines that `open` it, the text `before` and
/// `after` the value of an arm, and the line that ends it.
pub(super) struct Branch {
    pub open: Vec<String>,
    pub before: String,
    pub after: &'static str,
    pub close: &'static str,
}

/// The integer types of a file that NVRTC or hipRTC may compile, because these compilers have no headers.
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

/// Returns the text `host`. In CUDA and HIP, a guard removes it if the text is compiled at run time, because run-time
/// compilers take no host code.
pub(super) fn host_only(language: Language, host: String) -> String {
    match language {
        Cuda | Hip => format!("#if !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)\n{host}#endif\n"),
        _ => host,
    }
}

/// Returns the first lines of a file; `None` if the language needs none.
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

/// Returns the text around the arms of the selection `id` by the condition `c`, as a statement that sets `name`.
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

/// Returns the declaration of `name` for the node `id`, whose expression is `value`.
pub(super) fn declare(printer: &Printer<'_>, id: Id, name: &str, value: &str) -> String {
    match printer.language {
        // Rust cannot infer the type of a choice between two known numbers.
        Rust if matches!(printer.ir.inst(id), Instruction::Select(..)) => format!("let {name}: {} = {value};", type_of(printer, id)),
        Rust | Wgsl => format!("let {name} = {value};"),
        _ => format!("const {} {name} = {value};", type_of(printer, id)),
    }
}

/// A parameter of a function.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Dialect, Function, FunctionParameter, IntegerType, Returns};
/// let parameter = |name: &str, used| FunctionParameter { name: name.into(), ty: "uint32_t".into(), used };
/// let first = Function {
///     comment: vec!["Returns the first of two numbers".into()],
///     name: "first".into(),
///     parameters: vec![parameter("a", true), parameter("b", false)],
///     returns: Returns::Number,
///     lines: vec![],
///     results: vec!["a".into()],
/// };
/// let text = Dialect { language: Language::C, int: IntegerType::U32 }.function(&first);
/// assert!(text.contains("static inline uint32_t first(uint32_t a, uint32_t b) {\n    (void)b;\n    return a;\n}"), "{text}");
/// ```
pub struct FunctionParameter {
    /// The name of the parameter. In C and its dialects, an array has `*` before it.
    pub name: String,
    /// The name of the type in the language.
    pub ty: String,
    /// False if the function does not read the parameter.
    pub used: bool,
}

/// The type of the result of a function.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Dialect, Function, IntegerType, Returns};
/// let function = |language, returns, results: &[&str]| Dialect { language, int: IntegerType::U32 }.function(&Function {
///     comment: vec![],
///     name: "size".into(),
///     parameters: vec![],
///     returns,
///     lines: vec![],
///     results: results.iter().map(|text| text.to_string()).collect(),
/// });
/// assert!(function(Language::C, Returns::Truth, &["true"]).contains("bool size(void) {\n    return true;"));
/// let pair = || Returns::Numbers("size_result".into(), vec!["rows".into(), "columns".into()]);
/// assert!(function(Language::Rust, pair(), &["3", "5"]).contains("fn size() -> (u32, u32) {\n    (3, 5)\n}"));
/// assert!(function(Language::Wgsl, pair(), &["3", "5"]).contains("-> size_result {\n    return size_result(3, 5);"));
/// assert!(function(Language::C, Returns::Nothing, &[]).ends_with("void size(void) {\n}\n"));
/// assert!(function(Language::Wgsl, Returns::Nothing, &[]).ends_with("fn size() {\n}\n"));
/// ```
pub enum Returns {
    /// No result.
    Nothing,
    /// A truth value.
    Truth,
    /// A number of the integer type of the text.
    Number,
    /// A structure with this name and these fields; in Rust, a tuple.
    Numbers(String, Vec<String>),
    /// A value of the named type, as one expression.
    Of(String),
}

/// A function of an emitted text, item by item.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Dialect, Function, FunctionParameter, IntegerType, KernelLines, Returns};
/// fn twice(dialect: &Dialect) -> String {
///     let mut body = KernelLines::body();
///     body.write(dialect, "let half = a / 2");
///     dialect.function(&Function {
///         comment: vec!["Rounds down to an even number".into()],
///         name: "even".into(),
///         parameters: vec![FunctionParameter { name: "a".into(), ty: dialect.ty().into(), used: true }],
///         returns: Returns::Number,
///         lines: body.into_lines(),
///         results: vec!["half * 2".into()],
///     })
/// }
/// let text = twice(&Dialect { language: Language::Rust, int: IntegerType::U32 });
/// assert!(text.ends_with("pub const fn even(a: u32) -> u32 {\n    let half: u32 = a / 2;\n    half * 2\n}\n"), "{text}");
/// ```
pub struct Function {
    /// The lines of the comment above the function.
    pub comment: Vec<String>,
    /// The name of the function.
    pub name: String,
    /// The parameters, in order.
    pub parameters: Vec<FunctionParameter>,
    /// The type of the result.
    pub returns: Returns,
    /// The lines of the body.
    pub lines: Vec<String>,
    /// The expressions of the result: one, or one for each field.
    pub results: Vec<String>,
}

/// The code that may call a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Device,
    /// Threads only, because the function reads constant tables of the device.
    DeviceOnly,
    Host,
}

/// Returns the keywords before a function that this code may call.
pub(super) fn qualifiers(language: Language, place: Place) -> &'static str {
    match (language, place) {
        (Rust, _) => "pub const fn ",
        (Wgsl, _) => "fn ",
        (Cuda | Hip, Place::Device) => "__host__ __device__ __forceinline__ ",
        (Cuda | Hip, Place::DeviceOnly) => "__device__ __forceinline__ ",
        _ => "static inline ",
    }
}

/// The maximum length of a line that can be broken.
const COLUMNS: usize = 110;

/// Returns `head(parameters)tail`, on several lines if it is longer than `COLUMNS` letters.
pub(super) fn signature(language: Language, head: &str, parameters: &[FunctionParameter], tail: &str) -> String {
    let one = |p: &FunctionParameter| match language {
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

/// Returns the text of the function `f`, whose numbers have the type `int`.
pub(super) fn function(language: Language, place: Place, int: IntegerType, f: &Function) -> String {
    let ty = match &f.returns {
        Returns::Nothing => "void".to_string(),
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
    let result = if matches!(f.returns, Returns::Nothing) { String::new() } else { format!(" -> {ty}") };
    out += &match language {
        Rust | Wgsl => signature(language, &format!("{before}{}", f.name), &f.parameters, &format!("{result} {{")),
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
        (Returns::Nothing, _) => String::new(),
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
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Dialect, Field, IntegerType};
/// let fields = [
///     Field { name: "rows".into(), ty: "uint32_t".into(), comment: None },
///     Field { name: "blocks".into(), ty: "uint32_t".into(), comment: Some(("The number of blocks: ", "rows / 16".into())) },
/// ];
/// let dialect = Dialect { language: Language::C, int: IntegerType::U32 };
/// let text = dialect.structure("The sizes of a launch", "sizes", &fields);
/// assert!(text.contains("    uint32_t blocks; // The number of blocks: rows / 16\n} sizes;"), "{text}");
/// ```
pub struct Field {
    /// The name of the field.
    pub name: String,
    /// The name of the type in the language.
    pub ty: String,
    /// The comment: words, and the formula of the value; `None` for no comment.
    pub comment: Option<(&'static str, String)>,
}

/// Returns the declaration of a structure.
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

/// Returns the declaration of the constant table `name` for the code at `place`.
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

/// Returns the text of the helper function for the division `kind`. Its name begins with `prefix`.
pub(super) fn helper(printer: &Printer<'_>, place: Place, prefix: &str, kind: Helper) -> String {
    let ty = printer.int.name(printer.language);
    let parameters = ["a", "b"].map(|name| FunctionParameter { name: name.into(), ty: ty.into(), used: true }).into();
    let (lines, result) = printer.helper(kind);
    let f = Function {
        comment: vec![kind.comment().to_string()],
        name: format!("{prefix}_{}", kind.name()),
        parameters,
        returns: Returns::Number,
        lines,
        results: vec![result],
    };
    // Only this file calls the function, so it is not `pub`.
    function(printer.language, place, printer.int, &f).replace("pub const fn", "const fn")
}
