//! Programs as source text: C, CUDA, HIP, OpenCL, WGSL, Rust, MLIR.

mod body;
mod build;
mod domain;
mod error;
mod ir;
pub mod kernel;
mod launch;
mod lower;
mod magic;
mod mlir;
mod names;
mod placement;
mod print;
mod reserved;
mod source;
mod stages;
mod syntax;
#[cfg(test)]
mod tests;
mod width;

pub use error::EmitError;
pub use width::Width;

use super::Program;
use crate::sorted::SortedMap;
use core::fmt;
use core::str::FromStr;
use layout_algebra::heap::*;

named! {
    /// A language that programs are printed in.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
    pub enum Language {
        /// C99, with `unsigned __int128` where 64-bit numbers are divided by magic numbers.
        C = "c",
        /// CUDA C++.
        Cuda = "cuda",
        /// HIP.
        Hip = "hip",
        /// OpenCL C.
        OpenCl = "opencl",
        /// WGSL, of 32-bit integers only.
        Wgsl = "wgsl",
        /// Rust.
        Rust = "rust",
        /// Affine maps and sets of MLIR.
        Mlir = "mlir",
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The language of a [`name`](Language::name).
///
/// ```
/// use coordinate_graph::program::Language;
/// assert_eq!("opencl".parse(), Ok(Language::OpenCl));
/// assert_eq!("ada".parse::<Language>().unwrap_err().to_string(), "`ada` is none of the languages c, cuda, hip, opencl, wgsl, rust, mlir");
/// ```
impl FromStr for Language {
    type Err = EmitError;

    fn from_str(name: &str) -> Result<Language, EmitError> {
        Language::from_name(name).ok_or_else(|| EmitError::UnknownLanguage { name: name.to_string() })
    }
}

/// Options of emission: language, name, width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Emit {
    /// The language.
    pub language: Language,
    /// The name of the function, which the names of other parts begin with.
    pub name: String,
    /// The width of its integers, if it does not go by their ranges.
    pub width: Option<Width>,
    fast_division: bool,
    rust_host: bool,
    crate_path: String,
}

impl Emit {
    /// A function of this name, in the integers that its ranges need, with fast division.
    pub fn new(language: Language, name: &str) -> Emit {
        Emit { language, name: name.to_string(), width: None, fast_division: true, rust_host: false, crate_path: "layout_core".to_string() }
    }

    /// Returns these options for a part of a text: a function of another name and width.
    ///
    /// ```
    /// use coordinate_graph::program::{Emit, Language, Width};
    /// let element = Emit::new(Language::Cuda, "key").fast_division(false).part("key_element", Some(Width::Bits64));
    /// assert_eq!(element, Emit::new(Language::Cuda, "key_element").fast_division(false).width(Width::Bits64));
    /// ```
    pub fn part(&self, name: impl Into<String>, width: Option<Width>) -> Emit {
        Emit { name: name.into(), width, ..self.clone() }
    }

    /// Integers of this width.
    ///
    /// Without it they are of 32 bits where every number is proven to fit, else of 64; in Rust, `usize` or `isize`.
    pub fn width(self, width: Width) -> Emit {
        Emit { width: Some(width), ..self }
    }

    /// Tests whether threads divide by numbers known per launch through magic numbers that the host finds.
    pub fn fast_division(self, fast_division: bool) -> Emit {
        Emit { fast_division, ..self }
    }

    /// The functions of the host in Rust, for any language: the structure of a launch is `repr(C)`, as the device has it.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// let tiles = Program::parse_layout("logical_divide((?{min=8,max=4096,div=8},64):(64,1), (8,8))", Coordinates::Linear)?;
    /// let text = tiles.emit(&Emit::new(Language::Cuda, "tile").rust_host())?;
    /// assert!(text.host.is_some_and(|host| host.contains("pub const fn tile_prepare(p0: u32) -> TileLaunch {")));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn rust_host(self) -> Emit {
        Emit { rust_host: true, ..self }
    }

    /// The path by which Rust text names this crate.
    pub fn crate_path(self, path: &str) -> Emit {
        Emit { crate_path: path.to_string(), ..self }
    }
}

/// The text of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The function of each thread, and what it needs.
    pub device: String,
    /// The function `name_prepare` that computes on the host what threads share; `None` where there is nothing to compute.
    ///
    /// In C for C, CUDA, HIP and OpenCL, in Rust for Rust and WGSL, and where [`rust_host`](Emit::rust_host) says so. Where it is of the language of
    /// the device, as for C, CUDA, HIP and Rust, it follows that text in one file.
    pub host: Option<String>,
    /// The type of its integers; empty in MLIR.
    pub integer: &'static str,
}

/// An output as one expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    /// Its text.
    pub text: String,
    /// The type of its inputs and its value, by its name in the language.
    pub integer: &'static str,
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Program {
    /// The text of the function `name` of the inputs, and of `name_is_valid` where the outputs have conditions.
    ///
    /// It gives the outputs of [`run`](Program::run) wherever no number overflows 64 bits. The parameters are the inputs in their order. Where
    /// parts are computed once per launch, `name_prepare` takes the inputs known then and returns `name_launch`, which `name` takes after
    /// the inputs of the thread. Several outputs are a structure, in Rust a tuple.
    ///
    /// Fails where the integers asked for are not proven to be wide enough, or the language has no text for a part.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// let element = Program::parse_layout("(4096,64):(1,?{max=8192})", Coordinates::Modes)?;
    /// let text = element.emit(&Emit::new(Language::Wgsl, "element"))?;
    /// assert!(text.device.contains("fn element(d1: u32, i0: u32, i1: u32) -> u32 {\n    return d1 * i1 + i0;\n}"));
    ///
    /// // What is not proven to fit 32 bits has no text in WGSL.
    /// let wide = Program::parse_layout("(4096,64):(1,?)", Coordinates::Modes)?;
    /// let error = wide.emit(&Emit::new(Language::Wgsl, "element")).unwrap_err();
    /// assert_eq!(error.to_string(), "`d1` is in [0, ...], which does not fit 32 bits; give it closer bounds");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn emit(&self, emit: &Emit) -> Result<Source, EmitError> {
        match emit.language {
            Language::Mlir => mlir::source(self, emit),
            _ => source::source(self, emit),
        }
    }

    /// The output number `output` as one expression of the inputs, under their names.
    ///
    /// Fails as [`emit`](Program::emit) does, where the expression looks up a table, or where it would repeat its parts too often.
    pub fn emit_expression(&self, output: usize, language: Language) -> Result<Expression, EmitError> {
        let value = self.outputs.get(output).ok_or(EmitError::NoSuchOutput { output, outputs: self.outputs.len() })?.value;
        if language == Language::Mlir {
            return Ok(Expression { text: mlir::expression(self, value)?, integer: "index" });
        }
        let lowered = lower::lower(self, false);
        let mut names = names::Names::new(language);
        let inputs: Vec<String> = self.inputs.iter().map(|input| names.fresh(&input.name)).collect();
        let leaves: body::Leaves =
            lowered.inputs.iter().zip(&inputs).filter_map(|(id, name)| Some(((*id)?, print::word(name.as_str())))).collect();
        let (ir, divisors) = (&lowered.ir, SortedMap::new());
        let root = lowered.outputs[output];
        let live = ir.reach([root], |_| false);
        if (0..ir.len()).any(|id| live[id] && matches!(ir.inst(id), ir::Inst::Lookup(..))) {
            return Err(EmitError::Construct { language, construct: "a table inside an expression" });
        }
        let tables = [];
        let printer = |int| print::Printer { ir, language, int, helpers: None, tables: &tables, divisors: &divisors };
        let write = |int, id| body::expression(&printer(int), id, &leaves, body::LIMIT).map(|text| text.text);
        let name = |id| write(width::Int::I64, id).unwrap_or_default();
        let int = width::choose(ir, &live, &self.tables, language, None, name)?;
        let text = write(int, root).ok_or(EmitError::TooLong { limit: body::LIMIT })?;
        Ok(Expression { text, integer: int.name(language) })
    }
}
