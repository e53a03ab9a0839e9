//! Prints strided copies as a kernel: a grid of threads over the elements of each copy.

use crate::plan::{Copy, Loop, Message};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use coordinate_graph::program::kernel::{Argument, ArrayAccess, Dialect, Head, IntegerType, KernelContext, KernelThreads, Names};
use coordinate_graph::program::{Emit, EmitError, Language, Program, Source, Time, WordWidth};
use layout_core::LayoutError;
use layout_core::algebra::value::{Facts, SymInt};
use layout_core::error::{Cause, Op};

impl Message {
    /// Returns a kernel for the copies of this message. An element has `bytes` bytes. [`CopyKernel::emit`] prints the
    /// kernel in C, CUDA, HIP, OpenCL, WGSL or Rust.
    ///
    /// The kernel's `source` and `target` point to offset 0 of the two places.
    ///
    /// ```
    /// use coordinate_graph::program::{Emit, Language};
    /// use relayout::{Plan, Side};
    /// let plan = Plan::new(&Side::parse("(300,200):(1,300)")?, &Side::parse("(300,200):(200,1)")?)?;
    /// let text = plan.messages()[0].kernel(4)?.emit(&Emit::new(Language::Cuda, "transpose"))?.device;
    /// assert!(text.contains("__global__ void transpose(const uint32_t *source, uint32_t *target) {"));
    /// assert!(text.contains("target[place.target_at] = source[place.source_at];"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// Fails if `bytes` is not 1, 2, 4, 8 or 16.
    pub fn kernel(&self, bytes: u32) -> Result<CopyKernel, EmitError> {
        let add = |kernel: CopyKernel, copy: &Copy| {
            let loops = copy.loops.iter().map(|Loop { count, source, target }| [*count, *source, *target]);
            let loops: Vec<[i64; 3]> = core::iter::once([copy.count, 1, 1]).chain(loops).collect();
            // A run of one element needs no loop.
            let from = usize::from(copy.count == 1 && loops.len() > 1);
            kernel.copy(copy.source, copy.target, &loops[from..])
        };
        Ok(self.copies.iter().fold(CopyKernel::new(bytes)?, add))
    }
}

/// A kernel that copies elements between two arrays, by loops whose numbers are known.
///
/// A copy has a first offset on each side, and loops, the innermost first. A loop has a count, and a step in elements
/// on each side. The kernel copies the bytes of elements unchanged, whatever their type.
///
/// ```
/// use coordinate_graph::program::{Emit, Language};
/// use relayout::CopyKernel;
/// // 32 columns of 64 numbers become rows with one number of padding.
/// let transpose = CopyKernel::new(4)?.copy(0, 0, &[[32, 64, 1], [64, 1, 33]]);
/// let text = transpose.emit(&Emit::new(Language::Cuda, "transpose"))?.device;
/// assert!(text.contains("extern \"C\" __global__ void transpose(const uint32_t *source, uint32_t *target) {"), "{text}");
/// assert!(text.contains("result.target_at = k + t0;"), "{text}");
/// # Ok::<(), coordinate_graph::program::EmitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CopyKernel {
    bytes: u32,
    aligned: u32,
    workgroup: u32,
    copies: Vec<Copies>,
}

/// One copy: the first offset on each side, and loops of `[count, source step, target step]`, the innermost first.
#[derive(Clone, Debug)]
struct Copies {
    source: i64,
    target: i64,
    loops: Vec<[i64; 3]>,
}

/// The maximum number of copies in one kernel.
const MOST: usize = 64;

/// The names of the offsets of an element in the printed text.
const OFFSETS: [&str; 2] = ["source_at", "target_at"];

/// The other names that the printed text uses, separated by blanks. Names of functions avoid them.
const OWN: &str = "source target k place id groups result";

impl CopyKernel {
    /// Creates a kernel without copies. An element has `bytes` bytes, and both arrays are aligned to that size.
    ///
    /// Fails if `bytes` is not 1, 2, 4, 8 or 16.
    pub fn new(bytes: u32) -> Result<CopyKernel, EmitError> {
        if !matches!(bytes, 1 | 2 | 4 | 8 | 16) {
            return Err(EmitError::Element { bytes });
        }
        Ok(CopyKernel { bytes, aligned: bytes, workgroup: 256, copies: Vec::new() })
    }

    /// Promises that both arrays begin at multiples of `bytes` bytes. If innermost loops are contiguous, the kernel copies words
    /// of up to `bytes` and 16 bytes: the largest that divide all offsets, steps and lengths of runs.
    ///
    /// ```
    /// use coordinate_graph::program::{Emit, Language};
    /// use relayout::CopyKernel;
    /// // Rows of 24 numbers, cut out of rows of 40: each is six vectors of four.
    /// let rows = CopyKernel::new(4)?.copy(8, 0, &[[24, 1, 1], [10, 40, 24]]).aligned(16);
    /// let text = rows.emit(&Emit::new(Language::Cuda, "rows"))?.device;
    /// assert!(text.contains("const uint4 *source") && text.contains("k < 60"), "{text}");
    /// # Ok::<(), coordinate_graph::program::EmitError>(())
    /// ```
    pub fn aligned(self, bytes: u32) -> CopyKernel {
        CopyKernel { aligned: bytes.max(self.bytes), ..self }
    }

    /// Sets the number of threads of a workgroup, clamped to 1 to 1024. The default is 256. Only WGSL text contains
    /// this number.
    ///
    /// ```
    /// use coordinate_graph::program::{Emit, Language};
    /// use relayout::CopyKernel;
    /// let kernel = CopyKernel::new(4)?.copy(0, 0, &[[6, 8, 1], [8, 1, 6]]).workgroup(64);
    /// assert!(kernel.emit(&Emit::new(Language::Wgsl, "transpose"))?.device.contains("@workgroup_size(64)"));
    /// # Ok::<(), coordinate_graph::program::EmitError>(())
    /// ```
    pub fn workgroup(self, threads: u32) -> CopyKernel {
        CopyKernel { workgroup: threads.clamp(1, 1024), ..self }
    }

    /// Adds a copy from offset `source` to offset `target`, with loops of `[count, source step, target step]`, the innermost
    /// first. Offsets and steps are in elements.
    pub fn copy(mut self, source: i64, target: i64, loops: &[[i64; 3]]) -> CopyKernel {
        self.copies.push(Copies { source, target, loops: loops.to_vec() });
        self
    }

    /// Prints the kernel `emit.name` with arguments `source` and `target`, and for each copy a function from an
    /// element's number to its offsets.
    ///
    /// The threads of a grid of any size share the elements, the innermost loop first. In C and Rust, the kernel is a
    /// function with a loop. No copy of a kernel may write what another copy reads.
    ///
    /// Fails if there is nothing to copy, if there are more than 64 copies, or if an offset exceeds 64 bits (32 in WGSL). It also
    /// fails in MLIR, and if the language has no type of the needed size, or no negative offsets and a copy needs them.
    pub fn emit(&self, emit: &Emit) -> Result<Source, EmitError> {
        let language = emit.language;
        if self.copies.len() > MOST {
            return Err(EmitError::Copies { copies: self.copies.len(), limit: MOST });
        }
        let factor = self.factor(language);
        let word = word(language, self.bytes * factor as u32)?;
        let mut names = Names::reserving(language, OWN);
        let function = names.fresh_in_file(&emit.name);
        let places: Vec<String> = match self.copies.len() {
            1 => vec![names.fresh_in_file(&format!("{function}_place"))],
            many => (0..many).map(|k| names.fresh_in_file(&format!("{function}_place{k}"))).collect(),
        };
        let programs = self.copies.iter().map(|copy| copy.program(factor)).collect::<Result<Vec<_>, LayoutError>>();
        let programs = programs.map_err(|error| EmitError::Expression { why: error.to_string() })?;
        if programs.iter().all(|(_, count)| *count == 0) {
            return Err(EmitError::NoOutput);
        }
        let natural = programs.iter().all(|(program, _)| (0..2).all(|k| program.facts_of_output(k).lo >= 0));
        if !natural && matches!(language, Language::Rust | Language::Wgsl) {
            return Err(EmitError::Construct { language, construct: "negative offsets into an array" });
        }
        let write = |width: Option<WordWidth>| -> Result<Vec<Source>, EmitError> {
            let each = programs.iter().zip(&places);
            each.map(|((program, _), place)| program.emit(&emit.part(place, width))).collect()
        };
        // All numbers have one type. It is signed if any function needs a sign, and has 32 bits only if these are
        // enough for each function.
        let mut sources = write(emit.width)?;
        let ints = [IntegerType::U32, IntegerType::I32, IntegerType::U64, IntegerType::I64, IntegerType::Usize, IntegerType::Isize];
        let int_of = |source: &Source| ints.into_iter().find(|int| int.name(language) == source.integer).unwrap_or(IntegerType::I64);
        if sources.iter().any(|source| !int_of(source).is_narrow()) && language != Language::Rust {
            sources = write(Some(WordWidth::Bits64))?;
        }
        let int = sources.first().map_or(IntegerType::U32, int_of).unsigned();
        let context = KernelContext { dialect: Dialect { language, int }, function, workgroup: self.workgroup };
        let arguments =
            [("source", ArrayAccess::Read), ("target", ArrayAccess::Write)].map(|(name, access)| context.array(name, word, access));
        let counts = programs.iter().map(|(_, count)| *count);
        let steps: Vec<Step<'_>> =
            places.iter().zip(&sources).zip(counts).map(|((place, source), count)| Step { place, count, int: int_of(source) }).collect();
        let kernel = kernel(&context, &steps, &arguments, self.bytes * factor as u32);
        let parts = context.bindings(&arguments, &[]).into_iter().chain(sources.into_iter().map(|source| source.device)).chain([kernel]);
        Ok(Source { device: context.dialect.file(parts), host: None, integer: int.name(language) })
    }

    /// Returns the largest number of elements, a power of 2 up to 16, that one word of the kernel can hold.
    fn factor(&self, language: Language) -> i64 {
        let fits = |factor: i64| {
            let bytes = i64::from(self.bytes) * factor;
            bytes <= i64::from(self.aligned.min(16)) && self.copies.iter().all(|copy| copy.is_multiple(factor))
        };
        let has = |factor: i64| word(language, self.bytes * factor as u32).is_ok();
        [16, 8, 4, 2].into_iter().find(|factor| fits(*factor) && has(*factor)).unwrap_or(1)
    }
}

impl Copies {
    /// Tests whether the copy can move words of `factor` elements: it has contiguous runs, and its numbers are multiples.
    fn is_multiple(&self, factor: i64) -> bool {
        let [run, rest @ ..] = &self.loops[..] else { return false };
        let whole = |number: &i64| number % factor == 0;
        run[1..] == [1, 1]
            && whole(&run[0])
            && whole(&self.source)
            && whole(&self.target)
            && rest.iter().flat_map(|turn| &turn[1..]).all(whole)
    }

    /// Returns the program for the offsets of word `k`, in words of `factor` elements, and their number. Fails if it overflows.
    fn program(&self, factor: i64) -> Result<(Program, i64), LayoutError> {
        let overflow = || LayoutError::plain(Op::Crd2Idx, Cause::TooLong, 0, 0);
        let mut loops = self.loops.clone();
        if let ([run, rest @ ..], true) = (&mut loops[..], factor > 1) {
            run[0] /= factor;
            rest.iter_mut().flat_map(|turn| &mut turn[1..]).for_each(|step| *step /= factor);
        }
        for (place, start) in [self.source, self.target].into_iter().enumerate() {
            let far = |turn: &[i64; 3]| turn[0].checked_sub(1)?.checked_mul(turn[place + 1])?.checked_abs();
            let reach = self.loops.iter().try_fold(start.checked_abs(), |sum, turn| Some(sum?.checked_add(far(turn)?)));
            reach.flatten().ok_or_else(overflow)?;
        }
        let count = loops.iter().try_fold(1_i64, |count, turn| count.checked_mul(turn[0].max(0))).ok_or_else(overflow)?;
        let k = ("k", Time::Thread, Facts { lo: 0, hi: (count - 1).max(0), div: 1 });
        let known = |number: i64| SymInt::known(number).ok_or_else(overflow);
        let program = Program::build([k], |scope, inputs| {
            let mut offsets = [known(self.source / factor)?, known(self.target / factor)?];
            let mut rest = inputs[0];
            for (place, [turns, steps @ ..]) in loops.iter().enumerate() {
                // The outermost digit needs no remainder: it is the whole rest.
                let digit = if place + 1 == loops.len() { rest } else { scope.rem(rest, known((*turns).max(1))?)? };
                rest = scope.div(rest, known((*turns).max(1))?)?;
                for (offset, step) in offsets.iter_mut().zip(steps) {
                    let moved = scope.mul(digit, known(*step)?)?;
                    *offset = scope.add(*offset, moved)?;
                }
            }
            Ok(OFFSETS.into_iter().map(Into::into).zip(offsets).collect())
        })?;
        Ok((program, count))
    }
}

/// One copy of the printed kernel: the name of its function, the number of words, and the type of the function's numbers.
struct Step<'a> {
    place: &'a str,
    count: i64,
    int: IntegerType,
}

fn kernel(context: &KernelContext, steps: &[Step<'_>], arguments: &[Argument; 2], bytes: u32) -> String {
    let dialect = &context.dialect;
    let total = steps.iter().map(|step| i128::from(step.count)).sum::<i128>();
    let head =
        Head { comment: &format!("Copies {total} words of {bytes} bytes"), name: context.function.clone(), threads: KernelThreads::Grid };
    let [source, target] = arguments;
    let each = steps.iter().filter(|step| step.count > 0);
    context.grids(&head, arguments, "k", each.map(|step| (step.count.to_string(), step)), |lines, step| {
        let result = dialect.structure_name(step.place, "result");
        let call = format!("{}({})", step.place, dialect.cast("k", dialect.int, step.int));
        lines.push(dialect.constant_of(&result, "place", &call));
        let [from, to] = [(source, 0), (target, 1)].map(|(array, k)| dialect.element(&array.name, &dialect.field("place", OFFSETS[k], k)));
        lines.push(format!("{to} = {from};"));
    })
}

/// Returns the name of the type of `bytes` bytes in `language`. Fails if the language has none.
fn word(language: Language, bytes: u32) -> Result<&'static str, EmitError> {
    let names = match language {
        Language::C => ["uint8_t", "uint16_t", "uint32_t", "uint64_t", ""],
        Language::Cuda | Language::Hip => ["uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint4"],
        Language::OpenCl => ["uchar", "ushort", "uint", "ulong", "uint4"],
        Language::Wgsl => ["", "", "u32", "vec2<u32>", "vec4<u32>"],
        Language::Rust => ["u8", "u16", "u32", "u64", "u128"],
        Language::Mlir => return Err(EmitError::Construct { language, construct: "copies" }),
    };
    match names.get(bytes.trailing_zeros() as usize) {
        Some(name) if !name.is_empty() => Ok(name),
        _ => Err(EmitError::NoSuchWidth { language, bits: bytes * 8 }),
    }
}
