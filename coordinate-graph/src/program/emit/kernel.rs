//! Kernels: loops in C and Rust, grids of threads elsewhere, bindings in WGSL.

use super::Language::{self, C, Cuda, Hip, OpenCl, Rust, Wgsl};
use super::names::structure;
use super::syntax::{self, Field, Parameter};
use super::words::{Access, Argument, Kind, Lines, Words};
use layout_algebra::heap::*;

/// What the kernels of a text have in common.
pub(super) struct Frame {
    pub words: Words,
    /// The name that all other names begin with.
    pub function: String,
    /// The threads of a workgroup.
    pub workgroup: u32,
}

impl Frame {
    /// The name of the structure `what`.
    pub fn structure(&self, what: &str) -> String {
        structure(self.words.language, &self.function, what)
    }
}

/// Who runs a kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Threads {
    /// One thread each for a number of elements, in a grid of any size.
    Grid,
    /// Whole workgroups, which wait for one another.
    Groups,
}

/// A kernel without its arguments and lines.
pub(super) struct Head<'a> {
    pub comment: &'a str,
    pub name: String,
    pub threads: Threads,
}

/// The numbers of a thread.
pub(super) struct Ids {
    pub lane: &'static str,
    pub group: &'static str,
    pub groups: &'static str,
}

/// How the language names the numbers of a thread.
pub(super) fn ids(language: Language) -> Ids {
    match language {
        OpenCl => Ids { lane: "get_local_id(0)", group: "get_group_id(0)", groups: "get_num_groups(0)" },
        Wgsl => Ids { lane: "local_id.x", group: "group_id.x", groups: "groups.x" },
        _ => Ids { lane: "threadIdx.x", group: "blockIdx.x", groups: "gridDim.x" },
    }
}

/// The kernel of these lines.
pub(super) fn kernel(frame: &Frame, head: &Head<'_>, arguments: &[Argument], mut body: Lines) -> String {
    let words = &frame.words;
    let mut out = format!("{} {}\n", if words.language == Rust { "///" } else { "//" }, head.comment);
    if words.language == Rust && syntax::has_capitals(&head.name) {
        out += "#[allow(non_snake_case)]\n";
    }
    let before = match words.language {
        Cuda | Hip => "extern \"C\" __global__ void ".to_string(),
        OpenCl => "__kernel void ".to_string(),
        Wgsl => format!("@compute @workgroup_size({})\nfn ", frame.workgroup),
        Rust => "pub fn ".to_string(),
        _ => "static inline void ".to_string(),
    };
    let mut parameters: Vec<Parameter> = Vec::new();
    if words.language == Wgsl {
        let builtin = |which: &str, name: &str| Parameter { name: format!("@builtin({which}) {name}"), ty: "vec3<u32>".into(), used: true };
        match head.threads {
            Threads::Grid => parameters.push(builtin("global_invocation_id", "id")),
            Threads::Groups => {
                parameters.extend([builtin("local_invocation_id", "local_id"), builtin("workgroup_id", "group_id")]);
            }
        }
        parameters.push(builtin("num_workgroups", "groups"));
        let numbers = arguments.iter().filter(|argument| !matches!(argument.kind, Kind::Array(..)));
        let lines = numbers.map(|argument| format!("    let {0} = {1}_parameters.{0};", argument.name, frame.function));
        body.lines.splice(0..0, lines);
    } else {
        parameters.extend(arguments.iter().filter_map(|argument| words.parameter(argument)));
    }
    out += &syntax::signature(words.language, &format!("{before}{}", head.name), &parameters, " {");
    body.lines.iter().for_each(|line| out += &format!("{line}\n"));
    out + "}\n"
}

/// A kernel that runs `body` once for every `index` below `count`.
pub(super) fn elementwise(
    frame: &Frame,
    head: &Head<'_>,
    arguments: &[Argument],
    (index, count): (&str, &str),
    mut body: impl FnMut(&mut Lines),
) -> String {
    grids(frame, head, arguments, index, [(count.to_string(), ())], |lines, ()| body(lines))
}

/// A kernel that runs `body` once for every `index` below each count, with what stands beside that.
pub(super) fn grids<T>(
    frame: &Frame,
    head: &Head<'_>,
    arguments: &[Argument],
    index: &str,
    counts: impl IntoIterator<Item = (String, T)>,
    mut body: impl FnMut(&mut Lines, T),
) -> String {
    let words = &frame.words;
    let mut lines = Lines::body();
    let wide = if words.int.is_narrow() { "" } else { "(uint64_t)" };
    let (from, step) = match words.language {
        C | Rust => ("0".to_string(), "1".to_string()),
        OpenCl => ("get_global_id(0)".to_string(), "get_global_size(0)".to_string()),
        Wgsl => ("id.x".to_string(), format!("groups.x * {}", frame.workgroup)),
        _ => (format!("{wide}blockIdx.x * blockDim.x + threadIdx.x"), format!("{wide}gridDim.x * blockDim.x")),
    };
    for (count, with) in counts {
        lines.open(words.each(index, &from, &count, &step));
        body(&mut lines, with);
        lines.close();
    }
    kernel(frame, head, arguments, lines)
}

/// In WGSL, the arrays among all these as bindings, each once, and the structure of the numbers that kernels take.
pub(super) fn bindings(frame: &Frame, arrays: &[Argument], numbers: &[Argument]) -> Option<String> {
    if frame.words.language != Wgsl {
        return None;
    }
    let found = arrays_once(arrays);
    let mut out = array_bindings(&frame.words, arrays).unwrap_or_default();
    let mut fields: Vec<Field> = Vec::new();
    for argument in numbers {
        let ty = match &argument.kind {
            Kind::Array(..) => continue,
            Kind::Number => frame.words.ty().to_string(),
            Kind::Launch(structure) => structure.clone(),
        };
        if fields.iter().all(|field| field.name != argument.name) {
            fields.push(Field { name: argument.name.clone(), ty, comment: None });
        }
    }
    if !fields.is_empty() {
        let structure = frame.structure("parameters");
        let comment = format!("The numbers that the kernels of {} take", frame.function);
        let name = format!("{}_parameters", frame.function);
        out += &format!("@group(0) @binding({}) var<storage, read> {name}: {structure};\n", found.len());
        out = format!("{}\n{out}", syntax::structure(Wgsl, &comment, &structure, &fields));
    }
    if out.is_empty() { None } else { Some(out) }
}

/// Names, words and access of the arrays, each once.
fn arrays_once(arguments: &[Argument]) -> Vec<(&str, &str, Access)> {
    let mut found: Vec<(&str, &str, Access)> = Vec::new();
    for argument in arguments {
        if let Kind::Array(word, access) = &argument.kind {
            match found.iter_mut().find(|(name, ..)| *name == argument.name) {
                Some(known) if *access == Access::Write => known.2 = Access::Write,
                Some(_) => {}
                None => found.push((&argument.name, word, *access)),
            }
        }
    }
    found
}

/// In WGSL, the arrays among these as bindings, each once.
pub(super) fn array_bindings(words: &Words, arguments: &[Argument]) -> Option<String> {
    let mut out = String::new();
    for (binding, (name, word, access)) in arrays_once(arguments).iter().enumerate() {
        let access = if *access == Access::Write { "read_write" } else { "read" };
        out += &format!("@group(0) @binding({binding}) var<storage, {access}> {name}: array<{word}>;\n");
    }
    (words.language == Wgsl && !out.is_empty()).then_some(out)
}
