//! Expressions and statements over arrays in the syntax of each language, for kernels of other packages. Programs read no
//! arrays; their texts are in `print.rs` and `syntax.rs`.

use super::super::names::structure;
use super::super::syntax::{self, Field, Function, FunctionParameter, Place};
use super::super::width::IntegerType;
use super::Language::{self, Cuda, Hip, OpenCl, Rust, Wgsl};
use layout_algebra::heap::*;

/// The language and the integer type of a text.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Argument, ArgumentKind, ArrayAccess, Dialect, IntegerType};
/// let c = Dialect { language: Language::C, int: IntegerType::U32 };
/// let rust = Dialect { language: Language::Rust, int: IntegerType::U32 };
/// assert_eq!((c.ty(), c.most()), ("uint32_t", "UINT32_MAX"));
/// assert_eq!(c.constant("n", "0"), "const uint32_t n = 0;");
/// assert_eq!(rust.variable("n", "0"), "let mut n: u32 = 0;");
/// assert_eq!(c.constant_of("float", "x", "0"), "const float x = 0;");
/// assert_eq!(rust.variable_of("f32", "x", "0.0"), "let mut x: f32 = 0.0;");
///
/// // Elements and fields of results.
/// assert_eq!((c.element("a", "k + 1"), rust.element("a", "k + 1")), ("a[k + 1]".into(), "a[(k + 1) as usize]".into()));
/// assert_eq!(rust.read("bytes", IntegerType::U64, "k"), "bytes[k as usize] as u32");
/// assert_eq!(c.cast("x", IntegerType::U32, IntegerType::U64), "(uint64_t)x");
/// assert_eq!((c.field("at", "row", 0), rust.field("at", "row", 0)), ("at.row".into(), "at.0".into()));
///
/// // A function over an array and a number.
/// let array = Argument { name: "data".into(), kind: ArgumentKind::Array("uint32_t", ArrayAccess::Read) };
/// assert_eq!(c.parameter(&array).map(|parameter| parameter.ty), Some("const uint32_t".into()));
/// assert_eq!(c.call("sum", &["row"], &[array, Argument::number("count")]), "sum(row, data, count)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The language of the text.
    pub language: Language,
    /// The integer type of the numbers in the text.
    pub int: IntegerType,
}

/// The access of a kernel to an array.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Argument, ArgumentKind, ArrayAccess, Dialect, IntegerType};
/// let rust = Dialect { language: Language::Rust, int: IntegerType::U32 };
/// let ty = |access| {
///     let array = Argument { name: "data".into(), kind: ArgumentKind::Array("f32", access) };
///     rust.parameter(&array).map(|parameter| parameter.ty)
/// };
/// assert_eq!(ty(ArrayAccess::Read).as_deref(), Some("&[f32]"));
/// assert_eq!(ty(ArrayAccess::Write).as_deref(), Some("&mut [f32]"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayAccess {
    /// The kernel only reads the array.
    Read,
    /// The kernel reads and writes the array.
    Write,
}

/// The kind of an argument of a kernel.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Argument, ArgumentKind, ArrayAccess, Dialect, IntegerType};
/// let c = Dialect { language: Language::C, int: IntegerType::U64 };
/// let ty = |kind| c.parameter(&Argument { name: "x".into(), kind }).map(|parameter| format!("{} {}", parameter.ty, parameter.name));
/// assert_eq!(ty(ArgumentKind::Array("float", ArrayAccess::Write)).as_deref(), Some("float *x"));
/// assert_eq!(ty(ArgumentKind::Number).as_deref(), Some("uint64_t x"));
/// assert_eq!(ty(ArgumentKind::Launch("tile_launch".into())).as_deref(), Some("const tile_launch x"));
/// ```
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
///
/// ```
/// use coordinate_graph::program::kernel::{Argument, ArgumentKind};
/// let count = Argument::number("count");
/// assert_eq!(count, Argument { name: "count".into(), kind: ArgumentKind::Number });
/// ```
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
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::{Dialect, Ids, IntegerType};
/// let Ids { lane, group, .. } = Dialect { language: Language::Cuda, int: IntegerType::U32 }.ids();
/// assert_eq!(format!("{group} * 256 + {lane}"), "blockIdx.x * 256 + threadIdx.x");
/// ```
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
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Argument, ArgumentKind, ArrayAccess, Dialect, IntegerType};
    /// let array = Argument { name: "data".into(), kind: ArgumentKind::Array("u32", ArrayAccess::Read) };
    /// assert!(Dialect { language: Language::Wgsl, int: IntegerType::U32 }.parameter(&array).is_none());
    /// let pointer = Dialect { language: Language::OpenCl, int: IntegerType::U32 }.parameter(&array).expect("a parameter");
    /// assert_eq!((pointer.ty.as_str(), pointer.name.as_str()), ("__global const u32", "*data"));
    /// ```
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
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Argument, ArgumentKind, ArrayAccess, Dialect, IntegerType};
    /// let array = Argument { name: "data".into(), kind: ArgumentKind::Array("u32", ArrayAccess::Read) };
    /// let arguments = [array, Argument::number("count")];
    /// let call = |language| Dialect { language, int: IntegerType::U32 }.call("sum", &["row"], &arguments);
    /// assert_eq!(call(Language::Cuda), "sum(row, data, count)");
    /// // WGSL binds arrays, so no function takes them.
    /// assert_eq!(call(Language::Wgsl), "sum(row, count)");
    /// ```
    pub fn call<'a>(&self, function: &str, first: &[&str], arguments: impl IntoIterator<Item = &'a Argument>) -> String {
        let shown = arguments.into_iter().filter(|argument| self.language != Wgsl || !matches!(argument.kind, ArgumentKind::Array(..)));
        let all: Vec<&str> = first.iter().copied().chain(shown.map(|argument| argument.name.as_str())).collect();
        format!("{function}({})", all.join(", "))
    }

    /// Tests whether many threads run a kernel in this language.
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Dialect, IntegerType};
    /// let parallel = |language| Dialect { language, int: IntegerType::U32 }.is_parallel();
    /// assert!(parallel(Language::Cuda) && parallel(Language::Wgsl));
    /// assert!(!parallel(Language::C) && !parallel(Language::Rust));
    /// ```
    pub fn is_parallel(&self) -> bool {
        matches!(self.language, Cuda | Hip | OpenCl | Wgsl)
    }

    /// Returns the expressions for the numbers of a thread in a [parallel](Dialect::is_parallel) language.
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Dialect, IntegerType};
    /// let lane = |language| Dialect { language, int: IntegerType::U32 }.ids().lane;
    /// assert_eq!((lane(Language::Hip), lane(Language::Wgsl)), ("threadIdx.x", "local_id.x"));
    /// ```
    pub fn ids(&self) -> Ids {
        match self.language {
            OpenCl => Ids { lane: "get_local_id(0)", group: "get_group_id(0)", groups: "get_num_groups(0)" },
            Wgsl => Ids { lane: "local_id.x", group: "group_id.x", groups: "groups.x" },
            _ => Ids { lane: "threadIdx.x", group: "blockIdx.x", groups: "gridDim.x" },
        }
    }

    /// Returns the name of a structure: `function`, then `what`, in the spelling of the language.
    /// [Programs](crate::program::Program::emit) have the structures `result` and `launch`.
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Dialect, IntegerType};
    /// let launch = |language| Dialect { language, int: IntegerType::U32 }.structure_name("tile", "launch");
    /// assert_eq!((launch(Language::C), launch(Language::Rust)), ("tile_launch".to_string(), "TileLaunch".to_string()));
    /// ```
    pub fn structure_name(&self, function: &str, what: &str) -> String {
        structure(self.language, function, what)
    }

    /// Returns the declaration of the structure `name` with these fields.
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Dialect, Field, IntegerType};
    /// let wgsl = Dialect { language: Language::Wgsl, int: IntegerType::U32 };
    /// let fields = ["rows", "columns"].map(|name| Field { name: name.into(), ty: wgsl.ty().into(), comment: None });
    /// let text = wgsl.structure("The extents of a matrix", "Extents", &fields);
    /// assert_eq!(text, "// The extents of a matrix\nstruct Extents {\n    rows: u32,\n    columns: u32,\n}\n");
    /// ```
    pub fn structure(&self, comment: &str, name: &str, fields: &[Field]) -> String {
        syntax::structure(self.language, comment, name, fields)
    }

    /// Returns the text of a function that the threads call.
    ///
    /// ```
    /// use coordinate_graph::program::Language;
    /// use coordinate_graph::program::kernel::{Dialect, Function, FunctionParameter, IntegerType, Returns};
    /// let cuda = Dialect { language: Language::Cuda, int: IntegerType::U32 };
    /// let twice = Function {
    ///     comment: vec!["Doubles a number".into()],
    ///     name: "twice".into(),
    ///     parameters: vec![FunctionParameter { name: "x".into(), ty: cuda.ty().into(), used: true }],
    ///     returns: Returns::Number,
    ///     lines: vec![],
    ///     results: vec!["x * 2".into()],
    /// };
    /// let text = cuda.function(&twice);
    /// assert!(text.contains("__host__ __device__ __forceinline__ uint32_t twice(uint32_t x) {\n    return x * 2;\n}"), "{text}");
    /// ```
    pub fn function(&self, function: &Function) -> String {
        syntax::function(self.language, Place::Device, self.int, function)
    }

    /// Returns a file of the texts `parts`, in order. First lines that several of them need, such as includes, are written
    /// once.
    ///
    /// ```
    /// use coordinate_graph::program::kernel::{Dialect, IntegerType};
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// let row = Program::parse_layout("(4,8):(8,1)", Coordinates::Modes)?.emit(&Emit::new(Language::C, "row_major"))?;
    /// let column = Program::parse_layout("(4,8):(1,4)", Coordinates::Modes)?.emit(&Emit::new(Language::C, "column_major"))?;
    /// let text = Dialect { language: Language::C, int: IntegerType::U32 }.file([row.device, column.device]);
    /// assert!(text.contains(" row_major(") && text.contains(" column_major("));
    /// assert_eq!(text.matches("#include <stdint.h>").count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
