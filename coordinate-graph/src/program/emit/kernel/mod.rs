//! Kernels that other packages print: statements, functions and grids in the syntax of each language.
//!
//! A [`Program`](crate::program::Program) reads no memory. Use this module in a package that prints kernels over
//! its own arrays, like `ragged-arrays` and `relayout`. Such a package writes a kernel once in the notation of
//! [`KernelLines`], and calls [programs](crate::program::Program::build) for the index arithmetic, in these steps:
//!
//! | step | by |
//! |---|---|
//! | choose the type of all numbers | [`IntegerType`], [`Emit::width`](crate::program::Emit::width) |
//! | reserve the names that the text uses, then name the function | [`Names`] |
//! | describe arrays and numbers that a kernel takes | [`KernelContext::array`], [`Argument::number`] |
//! | write the statements | [`KernelLines::write`], [`Dialect`] |
//! | put them into a kernel or a function | [`KernelContext::elementwise`], [`KernelContext::grids`], [`KernelContext::kernel`], [`Dialect::function`] |
//! | put the texts into one file | [`KernelContext::bindings`], [`Dialect::file`] |
//!
//! MLIR has only programs, so a package refuses [`Language::Mlir`] for its kernels.
//!
//! ```
//! use coordinate_graph::program::kernel::{Argument, ArrayAccess, Dialect, Head, IntegerType, KernelContext, KernelThreads, Names};
//! use coordinate_graph::program::{Emit, Language};
//!
//! /// Doubles every element of an array of 32-bit numbers.
//! fn double(emit: &Emit) -> String {
//!     let dialect = Dialect { language: emit.language, int: IntegerType::U32 };
//!     let mut names = Names::reserving(emit.language, "data count k");
//!     let context = KernelContext { dialect, function: names.fresh_in_file(&emit.name), workgroup: 256 };
//!     let arguments = [context.array("data", dialect.ty(), ArrayAccess::Write), Argument::number("count")];
//!     let head = Head { comment: "Doubles every element", name: context.function.clone(), threads: KernelThreads::Grid };
//!     let element = dialect.element(&arguments[0].name, "k");
//!     let kernel = context.elementwise(&head, &arguments, ("k", "count"), |lines| lines.write(&dialect, &format!("{element} = {element} * 2")));
//!     dialect.file(context.bindings(&arguments, &arguments).into_iter().chain([kernel]))
//! }
//!
//! let text = double(&Emit::new(Language::Cuda, "double"));
//! // `double` is a keyword of CUDA.
//! assert!(text.contains("extern \"C\" __global__ void double_2(uint32_t *data, uint32_t count) {"), "{text}");
//! assert!(text.contains("for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {\n        data[k] = data[k] * 2;"));
//! let text = double(&Emit::new(Language::Rust, "double"));
//! assert!(text.contains("pub fn double(data: &mut [u32], count: u32) {\n    for k in 0..count {\n        data[k as usize] = data[k as usize] * 2;"), "{text}");
//! ```

mod dialect;
mod lines;

pub use super::names::Names;
pub use super::syntax::{Field, Function, FunctionParameter, Returns};
pub use super::width::IntegerType;
pub use dialect::{Argument, ArgumentKind, ArrayAccess, Dialect, Ids};
pub use lines::KernelLines;

use super::Language::{self, C, Cuda, Hip, OpenCl, Rust, Wgsl};
use super::syntax;
use layout_algebra::heap::*;

/// The language, integer type and names that all kernels of a text share.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Argument, ArrayAccess, Dialect, Head, IntegerType, KernelContext, KernelThreads};
/// let dialect = Dialect { language: Language::Wgsl, int: IntegerType::U32 };
/// let context = KernelContext { dialect, function: "fill".into(), workgroup: 64 };
/// let arguments = [context.array("out", "u32", ArrayAccess::Write), Argument::number("count")];
/// // An array of WGSL belongs to the module.
/// assert_eq!((context.array_name("out"), context.structure("parameters")), ("fill_out".into(), "FillParameters".into()));
/// let head = Head { comment: "Sets every element to 7", name: "fill".into(), threads: KernelThreads::Grid };
/// let kernel = context.elementwise(&head, &arguments, ("k", "count"), |lines| lines.write(&dialect, "fill_out[k] = 7"));
/// let text = dialect.file(context.bindings(&arguments, &arguments).into_iter().chain([kernel]));
/// assert!(text.contains("var<storage, read_write> fill_out: array<u32>;"), "{text}");
/// assert!(text.contains("@compute @workgroup_size(64)\nfn fill("), "{text}");
/// assert!(text.contains("        fill_out[k] = 7;\n"), "{text}");
/// ```
#[derive(Clone)]
pub struct KernelContext {
    /// The language and the integer type.
    pub dialect: Dialect,
    /// The name with which all other names of the text begin.
    pub function: String,
    /// The number of threads of a workgroup.
    pub workgroup: u32,
}

/// The way in which threads are assigned to the elements of a kernel.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Dialect, Head, IntegerType, KernelContext, KernelLines, KernelThreads};
/// let dialect = Dialect { language: Language::Wgsl, int: IntegerType::U32 };
/// let context = KernelContext { dialect, function: "sum".into(), workgroup: 64 };
/// let kernel = |threads| context.kernel(&Head { comment: "Sums", name: "sum".into(), threads }, &[], KernelLines::body());
/// assert!(kernel(KernelThreads::Grid).contains("@builtin(global_invocation_id) id: vec3<u32>"));
/// // Threads that wait for one another need their number in the workgroup.
/// assert!(kernel(KernelThreads::Groups).contains("@builtin(local_invocation_id) local_id: vec3<u32>"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KernelThreads {
    /// A grid of any size. Each thread processes several elements.
    Grid,
    /// Whole workgroups, whose threads wait for one another.
    Groups,
}

/// The description of a kernel: its comment, its name and its threads.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Dialect, Head, IntegerType, KernelContext, KernelLines, KernelThreads, Names};
/// let dialect = Dialect { language: Language::OpenCl, int: IntegerType::U32 };
/// let context = KernelContext { dialect, function: "clear".into(), workgroup: 64 };
/// let name = Names::reserving(Language::OpenCl, "").fresh_in_file("clear");
/// let head = Head { comment: "Clears a buffer", name, threads: KernelThreads::Grid };
/// let text = context.kernel(&head, &[], KernelLines::body());
/// assert_eq!(text, "// Clears a buffer\n__kernel void clear(void) {\n}\n");
/// ```
pub struct Head<'a> {
    /// The comment above the kernel.
    pub comment: &'a str,
    /// The name of the kernel, from [`Names`].
    pub name: String,
    /// The threads that run the kernel.
    pub threads: KernelThreads,
}

impl KernelContext {
    /// Returns the name of a structure: the field `function`, then `what`, in the spelling of the language.
    pub fn structure(&self, what: &str) -> String {
        self.dialect.structure_name(&self.function, what)
    }

    /// Returns the name of an array in the text. In WGSL, arrays belong to the whole module, so the name begins
    /// with the name of the function.
    pub fn array_name(&self, name: &str) -> String {
        if self.dialect.language == Wgsl { format!("{}_{name}", self.function) } else { name.to_string() }
    }

    /// Returns the argument for the array `name` with elements of the type `word` and this access.
    pub fn array(&self, name: &str, word: &'static str, access: ArrayAccess) -> Argument {
        Argument { name: self.array_name(name), kind: ArgumentKind::Array(word, access) }
    }

    /// Returns the text of a kernel whose body is these lines. In C and Rust it is an ordinary function. In WGSL, arrays
    /// are bindings of the module, and numbers come from a structure (see `bindings`).
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Argument, ArrayAccess, Dialect, IntegerType};
    /// use coordinate_graph::program::kernel::{Head, KernelContext, KernelLines, KernelThreads};
    /// let dialect = Dialect { language: Language::Cuda, int: IntegerType::U32 };
    /// let context = KernelContext { dialect, function: "first".into(), workgroup: 128 };
    /// let mut body = KernelLines::body();
    /// body.write(&dialect, "if threadIdx.x == 0 { out[0] = value }");
    /// let arguments = [context.array("out", "float", ArrayAccess::Write), Argument::number("value")];
    /// let head = Head { comment: "Sets the first element", name: "first".into(), threads: KernelThreads::Grid };
    /// let text = context.kernel(&head, &arguments, body);
    /// assert!(text.contains("extern \"C\" __global__ void first(float *out, uint32_t value) {\n    if (threadIdx.x == 0) {\n"), "{text}");
    /// ```
    pub fn kernel(&self, head: &Head<'_>, arguments: &[Argument], mut body: KernelLines) -> String {
        let dialect = &self.dialect;
        let mut out = format!("{} {}\n", if dialect.language == Rust { "///" } else { "//" }, head.comment);
        if dialect.language == Rust && syntax::has_capitals(&head.name) {
            out += "#[allow(non_snake_case)]\n";
        }
        let before = match dialect.language {
            Cuda | Hip => "extern \"C\" __global__ void ".to_string(),
            OpenCl => "__kernel void ".to_string(),
            Wgsl => format!("@compute @workgroup_size({})\nfn ", self.workgroup),
            Rust => "pub fn ".to_string(),
            _ => "static inline void ".to_string(),
        };
        let mut parameters: Vec<FunctionParameter> = Vec::new();
        if dialect.language == Wgsl {
            let builtin = |which: &str, name: &str| FunctionParameter {
                name: format!("@builtin({which}) {name}"),
                ty: "vec3<u32>".into(),
                used: true,
            };
            match head.threads {
                KernelThreads::Grid => parameters.push(builtin("global_invocation_id", "id")),
                KernelThreads::Groups => {
                    parameters.extend([builtin("local_invocation_id", "local_id"), builtin("workgroup_id", "group_id")]);
                }
            }
            parameters.push(builtin("num_workgroups", "groups"));
            let numbers = arguments.iter().filter(|argument| !matches!(argument.kind, ArgumentKind::Array(..)));
            let lines = numbers.map(|argument| format!("    let {0} = {1}_parameters.{0};", argument.name, self.function));
            body.lines.splice(0..0, lines);
        } else {
            parameters.extend(arguments.iter().filter_map(|argument| dialect.parameter(argument)));
        }
        out += &syntax::signature(dialect.language, &format!("{before}{}", head.name), &parameters, " {");
        body.lines.iter().for_each(|line| out += &format!("{line}\n"));
        out + "}\n"
    }

    /// Returns the text of a kernel that runs `body` once for every `index` less than `count`, spread over its threads.
    pub fn elementwise(
        &self,
        head: &Head<'_>,
        arguments: &[Argument],
        (index, count): (&str, &str),
        mut body: impl FnMut(&mut KernelLines),
    ) -> String {
        self.grids(head, arguments, index, [(count.to_string(), ())], |lines, ()| body(lines))
    }

    /// Returns the text of a kernel that runs `body` over several grids, one after the other. For each pair in `counts`, it
    /// runs once for every `index` less than the count, with the value of that pair. C and Rust get a loop over all
    /// indices.
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Dialect, Head, IntegerType, KernelContext, KernelThreads};
    /// let dialect = Dialect { language: Language::Rust, int: IntegerType::U32 };
    /// let context = KernelContext { dialect, function: "copy".into(), workgroup: 1 };
    /// let head = Head { comment: "Copies two arrays", name: "copy".into(), threads: KernelThreads::Grid };
    /// let counts = [("rows".to_string(), "a"), ("columns".to_string(), "b")];
    /// let text = context.grids(&head, &[], "k", counts, |lines, array| {
    ///     lines.write(&dialect, &format!("{} = {}", dialect.element("to", "k"), dialect.element(array, "k")));
    /// });
    /// assert!(text.contains("    for k in 0..rows {\n        to[k as usize] = a[k as usize];\n    }\n"), "{text}");
    /// assert!(text.contains("    for k in 0..columns {\n        to[k as usize] = b[k as usize];\n    }\n"), "{text}");
    /// ```
    pub fn grids<T>(
        &self,
        head: &Head<'_>,
        arguments: &[Argument],
        index: &str,
        counts: impl IntoIterator<Item = (String, T)>,
        mut body: impl FnMut(&mut KernelLines, T),
    ) -> String {
        let dialect = &self.dialect;
        let mut lines = KernelLines::body();
        let wide = if dialect.int.is_narrow() { "" } else { "(uint64_t)" };
        let (from, step) = match dialect.language {
            C | Rust => ("0".to_string(), "1".to_string()),
            OpenCl => ("get_global_id(0)".to_string(), "get_global_size(0)".to_string()),
            Wgsl => ("id.x".to_string(), format!("groups.x * {}", self.workgroup)),
            _ => (format!("{wide}blockIdx.x * blockDim.x + threadIdx.x"), format!("{wide}gridDim.x * blockDim.x")),
        };
        for (count, with) in counts {
            lines.open(dialect.each(index, &from, &count, &step));
            body(&mut lines, with);
            lines.close();
        }
        self.kernel(head, arguments, lines)
    }

    /// Returns the declarations of WGSL: each of `arrays` once as a binding of group 0, then the structure of the numbers
    /// that kernels take. Returns `None` for other languages, and if there are no arrays and no numbers.
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Argument, ArrayAccess, Dialect, IntegerType, KernelContext};
    /// let context = |language| {
    ///     let dialect = Dialect { language, int: IntegerType::U32 };
    ///     KernelContext { dialect, function: "sum".into(), workgroup: 64 }
    /// };
    /// let wgsl = context(Language::Wgsl);
    /// let text = wgsl.bindings(&[wgsl.array("data", "u32", ArrayAccess::Read)], &[Argument::number("count")]).expect("declarations");
    /// assert!(text.contains("@group(0) @binding(0) var<storage, read> sum_data: array<u32>;\n"), "{text}");
    /// assert!(text.contains("@group(0) @binding(1) var<storage, read> sum_parameters: SumParameters;\n"), "{text}");
    /// assert_eq!(context(Language::Cuda).bindings(&[], &[Argument::number("count")]), None);
    /// ```
    pub fn bindings(&self, arrays: &[Argument], numbers: &[Argument]) -> Option<String> {
        if self.dialect.language != Wgsl {
            return None;
        }
        let found = arrays_once(arrays);
        let mut out = String::new();
        for (binding, (name, word, access)) in found.iter().enumerate() {
            let access = if *access == ArrayAccess::Write { "read_write" } else { "read" };
            out += &format!("@group(0) @binding({binding}) var<storage, {access}> {name}: array<{word}>;\n");
        }
        let mut fields: Vec<Field> = Vec::new();
        for argument in numbers {
            let ty = match &argument.kind {
                ArgumentKind::Array(..) => continue,
                ArgumentKind::Number => self.dialect.ty().to_string(),
                ArgumentKind::Launch(structure) => structure.clone(),
            };
            if fields.iter().all(|field| field.name != argument.name) {
                fields.push(Field { name: argument.name.clone(), ty, comment: None });
            }
        }
        if !fields.is_empty() {
            let structure = self.structure("parameters");
            let comment = format!("The numbers that the kernels of {} take", self.function);
            let name = format!("{}_parameters", self.function);
            out += &format!("@group(0) @binding({}) var<storage, read> {name}: {structure};\n", found.len());
            out = format!("{}\n{out}", syntax::structure(Wgsl, &comment, &structure, &fields));
        }
        (!out.is_empty()).then_some(out)
    }
}

/// Returns each array once, as `(name, type of the elements, access)`. Access for writing replaces access for reading.
fn arrays_once(arguments: &[Argument]) -> Vec<(&str, &str, ArrayAccess)> {
    let mut found: Vec<(&str, &str, ArrayAccess)> = Vec::new();
    for argument in arguments {
        if let ArgumentKind::Array(word, access) = &argument.kind {
            match found.iter_mut().find(|(name, ..)| *name == argument.name) {
                Some(known) if *access == ArrayAccess::Write => known.2 = ArrayAccess::Write,
                Some(_) => {}
                None => found.push((&argument.name, word, *access)),
            }
        }
    }
    found
}
