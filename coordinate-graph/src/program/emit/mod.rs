//! Emission: programs as source text in C, CUDA, HIP, OpenCL, WGSL, Rust or MLIR.

// `source` writes a file in the seven steps of its table, and names the module of each step; `mlir` is separate.
// `print` has the expressions and `syntax` the statements of each language, so a new language begins in these two.
mod body;
mod build;
mod domain;
mod error;
mod instructions;
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
pub use instructions::Instructions;
pub use ir::{Instruction, LookupBounds};
pub use width::WordWidth;

use super::Program;
use crate::sorted::SortedMap;
use core::fmt;
use core::str::FromStr;
use layout_algebra::heap::*;

named_enum! {
    /// A language that programs are printed in.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// assert_eq!((Language::OpenCl.name(), Language::from_name("hip")), ("opencl", Some(Language::Hip)));
    /// let index = Program::parse_layout("(4,8):(8,1)", Coordinates::Modes)?;
    /// for language in Language::ALL {
    ///     assert!(index.emit(&Emit::new(language, "element"))?.device.contains("element"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
    pub enum Language {
        /// C99. Division of 64-bit numbers by magic numbers uses `unsigned __int128`.
        C = "c",
        /// CUDA C++.
        Cuda = "cuda",
        /// HIP.
        Hip = "hip",
        /// OpenCL C.
        OpenCl = "opencl",
        /// WGSL, which has only 32-bit integers.
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

/// Parses the [`name`](Language::name) of a language.
///
/// ```
/// use coordinate_graph::program::Language;
/// assert_eq!("opencl".parse(), Ok(Language::OpenCl));
/// assert_eq!("ada".parse::<Language>().unwrap_err().to_string(), "`ada` is not a language; the languages are c, cuda, hip, opencl, wgsl, rust, mlir");
/// ```
impl FromStr for Language {
    type Err = EmitError;

    fn from_str(name: &str) -> Result<Language, EmitError> {
        Language::from_name(name).ok_or_else(|| EmitError::UnknownLanguage { name: name.to_string() })
    }
}

/// The options of emission: language, name, width of integers, and others.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Emit, Language, Program, WordWidth};
/// let tiles = Program::parse_layout("(?{max=1000},8):(8,1)", Coordinates::Linear)?;
/// let text = tiles.emit(&Emit::new(Language::C, "element"))?;
/// assert!(text.device.contains("static inline uint32_t element("), "{}", text.device);
/// let text = tiles.emit(&Emit::new(Language::C, "element").width(WordWidth::Bits64).fast_division(false))?;
/// assert!(text.device.contains("static inline uint64_t element("), "{}", text.device);
/// // Without fast division, the threads divide, and the host prepares nothing.
/// assert_eq!((text.integer, text.host), ("uint64_t", None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Emit {
    /// The language.
    pub language: Language,
    /// The name of the function. The names of all other items begin with it.
    pub name: String,
    /// The width of the integers. With `None`, the ranges of the numbers decide.
    pub width: Option<WordWidth>,
    fast_division: bool,
    rust_host: bool,
    crate_path: String,
}

impl Emit {
    /// Creates options for a function of this name. Its ranges decide the width of the integers, and division is fast.
    pub fn new(language: Language, name: &str) -> Emit {
        Emit { language, name: name.to_string(), width: None, fast_division: true, rust_host: false, crate_path: "layout_core".to_string() }
    }

    /// Returns these options for another function of the same text, with its own name and width.
    ///
    /// ```
    /// use coordinate_graph::program::{Emit, Language, WordWidth};
    /// let element = Emit::new(Language::Cuda, "key").fast_division(false).part("key_element", Some(WordWidth::Bits64));
    /// assert_eq!(element, Emit::new(Language::Cuda, "key_element").fast_division(false).width(WordWidth::Bits64));
    /// ```
    pub fn part(&self, name: impl Into<String>, width: Option<WordWidth>) -> Emit {
        Emit { name: name.into(), width, ..self.clone() }
    }

    /// Sets the width of the integers.
    ///
    /// By default, the width is 32 bits if every number is proven to fit, else 64 bits. In Rust, the default is
    /// `usize` or `isize`.
    pub fn width(self, width: WordWidth) -> Emit {
        Emit { width: Some(width), ..self }
    }

    /// Sets whether threads divide by numbers known per launch with magic numbers, which the host computes.
    pub fn fast_division(self, fast_division: bool) -> Emit {
        Emit { fast_division, ..self }
    }

    /// Writes the functions of the host in Rust, whatever the language of the device. The structure of a launch is
    /// `repr(C)`, so it has the bytes that the device expects.
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

    /// Sets the path of the crate from which Rust text takes `FastDiv`, `FastDiv32` and `FastDiv64`. The default is
    /// `layout_core`.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// let index = Program::parse_layout("(?{max=64},8):(8,1)", Coordinates::Linear)?;
    /// let text = index.emit(&Emit::new(Language::Rust, "element").crate_path("crd2idx"))?;
    /// assert!(text.device.contains("crd2idx::FastDiv"), "{}", text.device);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn crate_path(self, path: &str) -> Emit {
        Emit { crate_path: path.to_string(), ..self }
    }
}

/// The source text of a program.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Emit, Language, Program, Source};
/// let index = Program::parse_layout("(?{min=1,max=64},8):(8,1)", Coordinates::Linear)?;
/// let Source { device, host, integer } = index.emit(&Emit::new(Language::Cuda, "element"))?;
/// assert_eq!(integer, "uint32_t");
/// // Threads divide by a magic number, which the host computes.
/// let host = host.expect("a function of the host");
/// assert!(host.contains("element_prepare("), "{host}");
/// let file = device + &host;
/// assert!(file.contains("element("), "{file}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The function of each thread, with everything that it needs.
    pub device: String,
    /// The function `name_prepare`, which computes on the host what the threads share. `None` if there is nothing
    /// to compute.
    ///
    /// Its language is C for C, CUDA, HIP and OpenCL, and Rust for Rust and WGSL. With
    /// [`rust_host`](Emit::rust_host) it is always Rust. If it has the language of the device text, which includes
    /// C for CUDA and HIP, append it to that text in one file.
    pub host: Option<String>,
    /// The name of the integer type; empty for MLIR.
    pub integer: &'static str,
}

/// An output as one expression.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Expression, Language, Program};
/// let index = Program::parse_layout("(8,?{max=64}):(?{max=64},1)", Coordinates::Modes)?;
/// let Expression { text, integer } = index.emit_expression(0, Language::Cuda)?;
/// assert_eq!((text.as_str(), integer), ("d0 * i0 + i1", "uint32_t"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    /// The text of the expression, in the language.
    pub text: String,
    /// The name, in the language, of the type of its inputs and its value.
    pub integer: &'static str,
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Program {
    /// Writes the function `name` of the inputs. If the outputs have conditions, also writes `name_is_valid`.
    ///
    /// The function computes the outputs of [`run`](Program::run) unless a number overflows 64 bits. Its
    /// parameters are the inputs, in order. If some values are computed once per launch, `name_prepare` takes the
    /// inputs of the launch and returns `name_launch`, and `name` takes the inputs of the thread, then that
    /// structure. Several outputs are returned as a structure; in Rust, as a tuple.
    ///
    /// Fails if the chosen integers are not proven to be wide enough, or if the language cannot express the program.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// let element = Program::parse_layout("(4096,64):(1,?{max=8192})", Coordinates::Modes)?;
    /// let text = element.emit(&Emit::new(Language::Wgsl, "element"))?;
    /// assert!(text.device.contains("fn element(d1: u32, i0: u32, i1: u32) -> u32 {\n    return d1 * i1 + i0;\n}"));
    ///
    /// // Numbers that are not proven to fit 32 bits have no text in WGSL.
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

    /// Writes output number `output` as one expression of the inputs, by their names.
    ///
    /// Fails as [`emit`](Program::emit) does, if the expression reads a table, or if it would repeat
    /// subexpressions too often.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Language, Program};
    /// let index = Program::parse_layout("(8,16):(1,8)", Coordinates::Modes)?;
    /// assert_eq!(index.emit_expression(0, Language::C)?.to_string(), "i0 + i1 * 8");
    /// let error = index.emit_expression(1, Language::C).unwrap_err();
    /// assert_eq!(error.to_string(), "output 1 is not one of the 1 outputs");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        if (0..ir.len()).any(|id| live[id] && matches!(ir.inst(id), ir::Instruction::Lookup(..))) {
            return Err(EmitError::Construct { language, construct: "a table inside an expression" });
        }
        let tables = [];
        let printer = |int| print::Printer { ir, language, int, helpers: None, tables: &tables, divisors: &divisors };
        let write = |int, id| body::expression(&printer(int), id, &leaves, body::LIMIT).map(|text| text.text);
        let name = |id| write(width::IntegerType::I64, id).unwrap_or_default();
        let int = width::choose(ir, &live, &self.tables, language, None, name)?;
        let text = write(int, root).ok_or(EmitError::TooLong { limit: body::LIMIT })?;
        Ok(Expression { text, integer: int.name(language) })
    }
}
