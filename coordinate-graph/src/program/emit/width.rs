//! The integer type of an emitted function. All its numbers have one type, which their ranges decide.

use super::ir::{Id, Instruction, Ir};
use super::{EmitError, Language};
use crate::program::LookupTable;
use layout_algebra::heap::*;

/// The width of the integers of an emitted function.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Emit, Language, Program, WordWidth};
/// let index = Program::parse_layout("(?,64):(64,1)", Coordinates::Modes)?;
/// let wide = index.emit(&Emit::new(Language::Cuda, "element").width(WordWidth::Bits64))?;
/// assert_eq!(wide.integer, "uint64_t");
/// // Nothing bounds `i0`, so 32 bits are refused.
/// assert!(index.emit(&Emit::new(Language::Cuda, "element").width(WordWidth::Bits32)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum WordWidth {
    /// 32 bits. Every number must be proven to fit.
    Bits32,
    /// 64 bits.
    Bits64,
}

/// An integer type of a text.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::IntegerType;
/// assert_eq!(IntegerType::U32.name(Language::Cuda), "uint32_t");
/// assert_eq!(IntegerType::I64.name(Language::OpenCl), "long");
/// assert_eq!(IntegerType::Isize.unsigned(), IntegerType::Usize);
/// assert!(IntegerType::I32.is_narrow() && !IntegerType::I64.is_narrow());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntegerType {
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, with the width of a pointer.
    Usize,
    /// Signed, with the width of a pointer.
    Isize,
}

impl IntegerType {
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, IntegerType::I32 | IntegerType::I64 | IntegerType::Isize)
    }

    /// Returns true if the type has 32 bits.
    pub fn is_narrow(self) -> bool {
        matches!(self, IntegerType::U32 | IntegerType::I32)
    }

    /// Returns the unsigned type with the width of this type.
    pub fn unsigned(self) -> IntegerType {
        match self {
            IntegerType::U32 | IntegerType::I32 => IntegerType::U32,
            IntegerType::U64 | IntegerType::I64 => IntegerType::U64,
            IntegerType::Usize | IntegerType::Isize => IntegerType::Usize,
        }
    }

    /// Returns the name of the type in a language.
    pub fn name(self, language: Language) -> &'static str {
        let names = match self {
            IntegerType::U32 => ["uint32_t", "uint", "u32"],
            IntegerType::I32 => ["int32_t", "int", "i32"],
            IntegerType::U64 => ["uint64_t", "ulong", "u64"],
            IntegerType::I64 => ["int64_t", "long", "i64"],
            IntegerType::Usize => ["size_t", "size_t", "usize"],
            IntegerType::Isize => ["ptrdiff_t", "ptrdiff_t", "isize"],
        };
        match language {
            Language::OpenCl => names[1],
            Language::Rust | Language::Wgsl => names[2],
            _ => names[0],
        }
    }
}

/// Chooses the type for the numbers that are `live`, of this width if it is given. `name` gives the text of a number for an
/// error. Fails if a number is not proven to fit 32 bits and 64 are not allowed.
pub(super) fn choose(
    ir: &Ir,
    live: &[bool],
    tables: &[LookupTable],
    language: Language,
    width: Option<WordWidth>,
    name: impl Fn(Id) -> String,
) -> Result<IntegerType, EmitError> {
    if (language, width) == (Language::Wgsl, Some(WordWidth::Bits64)) {
        return Err(EmitError::NoSuchWidth { language, bits: 64 });
    }
    let range = |id| range(ir, tables, id);
    let numbers = || (0..ir.len()).filter(|id| live[*id] && !ir.is_truth(*id));
    let within = |lo: i64, hi: i64| move |id: &Id| lo <= range(*id).0 && range(*id).1 <= hi;
    let all = |lo, hi| numbers().all(|id| within(lo, hi)(&id));
    let natural = all(0, i64::MAX);
    let narrow = if all(0, u32::MAX as i64) {
        Some(IntegerType::U32)
    } else if all(i32::MIN as i64, i32::MAX as i64) {
        Some(IntegerType::I32)
    } else {
        None
    };
    let wide = if natural { IntegerType::U64 } else { IntegerType::I64 };
    match width {
        Some(WordWidth::Bits64) => return Ok(wide),
        None if language == Language::Rust => return Ok(if natural { IntegerType::Usize } else { IntegerType::Isize }),
        None if language != Language::Wgsl => return Ok(narrow.unwrap_or(wide)),
        _ => {}
    }
    if let Some(narrow) = narrow {
        return Ok(narrow);
    }
    // Report an input if one is out of range, because a user can bound it.
    let (lo, hi) = if natural { (0, u32::MAX as i64) } else { (i32::MIN as i64, i32::MAX as i64) };
    let outside = |lo, hi| {
        let input = numbers().find(|id| matches!(ir.inst(*id), Instruction::Input(_)) && !within(lo, hi)(id));
        input.or_else(|| numbers().find(|id| !within(lo, hi)(id)))
    };
    let culprit = outside(i32::MIN as i64, u32::MAX as i64).or_else(|| outside(lo, hi));
    let (lo, hi) = culprit.map_or((i64::MIN, i64::MAX), range);
    Err(EmitError::Width {
        is_input: culprit.is_some_and(|id| matches!(ir.inst(id), Instruction::Input(_))),
        what: culprit.map_or_else(String::new, name),
        lo: Some(lo).filter(|lo| *lo != i64::MIN),
        hi: Some(hi).filter(|hi| *hi != i64::MAX),
        bits: 32,
    })
}

/// Returns the least and the greatest value of the node `id` and of the constants that its text contains.
fn range(ir: &Ir, tables: &[LookupTable], id: Id) -> (i64, i64) {
    let facts = ir.facts(id);
    let also = match ir.inst(id) {
        Instruction::Shift(_, shift) => (0, 1 << shift),
        Instruction::Mask(_, mask) => (0, mask),
        Instruction::Lookup(_, table, bounds) => {
            let entries = &tables[table].entries;
            // The text compares a checked index with the length of the table.
            let length = if bounds.above { entries.len() as i64 } else { 0 };
            (entries.iter().copied().min().unwrap_or(0), entries.iter().copied().max().unwrap_or(0).max(length))
        }
        _ => (facts.lo, facts.hi),
    };
    (facts.lo.min(also.0), facts.hi.max(also.1))
}
