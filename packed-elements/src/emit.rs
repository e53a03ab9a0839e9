//! Functions that load and store packed elements, as text for kernels.

use crate::element::{PackedElement, mask};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use coordinate_graph::program::kernel::{
    Argument, ArgumentKind, ArrayAccess, Dialect, Function, FunctionParameter, IntegerType, KernelContext, KernelLines, Names, Returns,
};
use coordinate_graph::program::{Emit, EmitError, Language, Program, Source, Time};

/// Functions that load and store packed elements at the coordinates of an index function, as text in C, CUDA, HIP, OpenCL and WGSL.
///
/// The elements are in an array of 32-bit words, which has the bytes of [`PackedSlice`](crate::PackedSlice) on a little-endian machine.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
/// use packed_elements::{I4, PackedText};
/// let rows = Program::parse_layout("(64,32):(32,1)", Coordinates::Modes)?;
/// let text = PackedText::signed::<I4>().emit(&rows, &Emit::new(Language::C, "weight"))?.device;
/// assert!(text.ends_with("\
/// // Loads the element at the coordinates
/// static inline int32_t weight_load(const uint32_t *words, uint32_t i0, uint32_t i1) {
///     const uint32_t index = weight_index(i0, i1);
///     const uint32_t word = index >> 3;
///     const uint32_t shift = (index & 7) * 4;
///     uint32_t pattern = words[word] >> shift;
///     return (int32_t)((pattern & 15u) ^ 8u) - 8;
/// }
///
/// // Stores the lowest 4 bits of `value` at the coordinates; reads and writes a whole word
/// static inline void weight_store(uint32_t *words, uint32_t i0, uint32_t i1, int32_t value) {
///     const uint32_t index = weight_index(i0, i1);
///     const uint32_t word = index >> 3;
///     const uint32_t shift = (index & 7) * 4;
///     const uint32_t pattern = (uint32_t)value & 15u;
///     words[word] = (words[word] & ~(15u << shift)) | (pattern << shift);
/// }
/// "), "{text}");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedText {
    bits: u32,
    signed: bool,
}

impl PackedText {
    /// Returns the functions whose values are the patterns of `E`, as unsigned numbers.
    pub const fn patterns<E: PackedElement>() -> PackedText {
        let _ = mask::<E>();
        PackedText { bits: E::BITS, signed: false }
    }

    /// Returns the functions whose values are the patterns of `E` as signed numbers in two's complement.
    pub const fn signed<E: PackedElement>() -> PackedText {
        PackedText { signed: true, ..PackedText::patterns::<E>() }
    }

    /// Prints the function `name_index` of a program with one output, and the functions `name_load` and `name_store`, which call it.
    ///
    /// `name_load` takes the array, the coordinates, and, where the index function has one, the structure of the launch.
    /// `name_store` takes the value as well, last. WGSL binds the array `name_words` to the module, at binding 0 of group 0.
    ///
    /// `name_store` reads and writes whole words, one after the other. Threads that store elements of one word at the same time
    /// lose stores.
    ///
    /// Fails if the index may be negative, if the program has several outputs, if the language is Rust or MLIR, and as
    /// [`Program::emit`] does.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// use packed_elements::{F6E2M3, PackedText};
    /// let rows = Program::parse_layout("(64,32):(32,1)", Coordinates::Modes)?;
    /// let text = PackedText::patterns::<F6E2M3>().emit(&rows, &Emit::new(Language::Wgsl, "weight"))?.device;
    /// // Elements of six bits cross words.
    /// assert!(text.contains("pattern = pattern | (weight_words[word + 1] << (32 - shift));"), "{text}");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn emit(&self, index: &Program, emit: &Emit) -> Result<Source, EmitError> {
        let language = emit.language;
        let refused = match (language, index.outputs()) {
            (Language::Rust | Language::Mlir, _) => Some("accesses of packed elements"),
            (_, []) => return Err(EmitError::NoOutput),
            (_, [_]) if index.facts_of_output(0).lo < 0 => Some("negative indices into an array"),
            (_, [_]) => None,
            (_, _) => Some("an access with several indices"),
        };
        if let Some(construct) = refused {
            return Err(EmitError::Construct { language, construct });
        }
        let mut names = Names::reserving(language, "words index word shift pattern value launch");
        let function = names.fresh_in_file(&emit.name);
        let source = index.emit(&emit.part(format!("{function}_index"), emit.width))?;
        // The function has the type of all numbers of the program, which may be negative before the last.
        let types = [IntegerType::U32, IntegerType::I32, IntegerType::U64, IntegerType::I64];
        let int = types.into_iter().find(|int| int.name(language) == source.integer).unwrap_or(IntegerType::U64);
        let context = KernelContext { dialect: Dialect { language, int: int.unsigned() }, function, workgroup: 1 };
        let inputs = index.inputs().iter().filter(|input| source.host.is_none() || input.time == Time::Thread);
        let texts = Accessors {
            access: *self,
            index: int,
            coordinates: inputs.map(|input| names.fresh(&input.name)).collect(),
            launch: source.host.is_some(),
            context,
        };
        let array = texts.array(ArrayAccess::Write);
        let parts = texts.context.bindings(&[array], &[]).into_iter().chain([source.device, texts.load(), texts.store()]);
        Ok(Source { device: texts.context.dialect.file(parts), host: source.host, integer: source.integer })
    }
}

/// The functions of one text, before printing.
struct Accessors {
    access: PackedText,
    /// The type of the numbers of the index function.
    index: IntegerType,
    /// The names of the parameters that the index function takes.
    coordinates: Vec<String>,
    /// True if the index function takes the structure of a launch, too.
    launch: bool,
    context: KernelContext,
}

impl Accessors {
    fn array(&self, access: ArrayAccess) -> Argument {
        self.context.array("words", IntegerType::U32.name(self.context.dialect.language), access)
    }

    /// Returns the type of the values.
    fn value(&self) -> IntegerType {
        if self.access.signed { IntegerType::I32 } else { IntegerType::U32 }
    }

    /// Returns the parameters that both functions have.
    fn parameters(&self, access: ArrayAccess) -> Vec<FunctionParameter> {
        let dialect = &self.context.dialect;
        let ty = self.index.name(dialect.language);
        let coordinates = self.coordinates.iter().map(|name| FunctionParameter { name: name.clone(), ty: ty.to_string(), used: true });
        let launch = self.launch_argument();
        let array = self.array(access);
        dialect.parameter(&array).into_iter().chain(coordinates).chain(launch.and_then(|launch| dialect.parameter(&launch))).collect()
    }

    fn launch_argument(&self) -> Option<Argument> {
        let structure = self.context.dialect.structure_name(&self.index_function(), "launch");
        self.launch.then(|| Argument { name: "launch".into(), kind: ArgumentKind::Launch(structure) })
    }

    fn index_function(&self) -> String {
        format!("{}_index", self.context.function)
    }

    /// Returns the body up to the number of the word, and of the lowest bit of the element there.
    fn place(&self) -> KernelLines {
        let dialect = &self.context.dialect;
        let coordinates: Vec<&str> = self.coordinates.iter().map(String::as_str).collect();
        let call = dialect.call(&self.index_function(), &coordinates, self.launch_argument().as_ref());
        let mut lines = KernelLines::body();
        lines.push(dialect.constant("index", &dialect.cast(&call, self.index, dialect.int)));
        lines.write(dialect, &self.word());
        lines
    }

    fn word(&self) -> String {
        if self.access.bits == 6 {
            // Sixteen elements are three words. No product exceeds the index.
            return "let word = (index >> 4) * 3 + (((index & 15) * 6) >> 5)\nlet shift = ((index & 15) * 6) & 31".into();
        }
        let elements = 32 / self.access.bits;
        let (places, last) = (elements.trailing_zeros(), elements - 1);
        format!("let word = index >> {places}\nlet shift = (index & {last}) * {}", self.access.bits)
    }

    /// Returns the text of the mask of an element.
    fn mask(&self) -> String {
        format!("{}u", (1_u32 << self.access.bits) - 1)
    }

    fn load(&self) -> String {
        let dialect = &self.context.dialect;
        let (words, mask, u32) = (self.context.array_name("words"), self.mask(), IntegerType::U32.name(dialect.language));
        let mut lines = self.place();
        lines.push(dialect.variable_of(u32, "pattern", &format!("{words}[word] >> shift")));
        if self.access.bits == 6 {
            lines.write(dialect, &format!("if shift > 26 {{ pattern = pattern | ({words}[word + 1] << (32 - shift)) }}"));
        }
        let result = if self.access.signed {
            let sign = 1_u32 << (self.access.bits - 1);
            format!("{} - {sign}", dialect.cast(&format!("((pattern & {mask}) ^ {sign}u)"), IntegerType::U32, IntegerType::I32))
        } else {
            format!("pattern & {mask}")
        };
        dialect.function(&Function {
            comment: vec!["Loads the element at the coordinates".into()],
            name: format!("{}_load", self.context.function),
            parameters: self.parameters(ArrayAccess::Read),
            returns: Returns::Of(self.value().name(dialect.language).into()),
            lines: lines.into_lines(),
            results: vec![result],
        })
    }

    fn store(&self) -> String {
        let dialect = &self.context.dialect;
        let (words, mask, u32) = (self.context.array_name("words"), self.mask(), IntegerType::U32.name(dialect.language));
        let value = FunctionParameter { name: "value".into(), ty: self.value().name(dialect.language).into(), used: true };
        let mut lines = self.place();
        let value_bits = dialect.cast("value", self.value(), IntegerType::U32);
        lines.push(dialect.constant_of(u32, "pattern", &format!("{value_bits} & {mask}")));
        lines.write(dialect, &format!("{words}[word] = ({words}[word] & ~({mask} << shift)) | (pattern << shift)"));
        if self.access.bits == 6 {
            let next = format!("{words}[word + 1]");
            let text = format!("if shift > 26 {{ {next} = ({next} & ~({mask} >> (32 - shift))) | (pattern >> (32 - shift)) }}");
            lines.write(dialect, &text);
        }
        let both = if self.access.bits == 6 { "whole words" } else { "a whole word" };
        dialect.function(&Function {
            comment: vec![format!("Stores the lowest {} bits of `value` at the coordinates; reads and writes {both}", self.access.bits)],
            name: format!("{}_store", self.context.function),
            parameters: self.parameters(ArrayAccess::Write).into_iter().chain([value]).collect(),
            returns: Returns::Nothing,
            lines: lines.into_lines(),
            results: vec![],
        })
    }
}
