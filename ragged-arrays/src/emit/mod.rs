//! Prints kernels over ragged and paged arrays as source text, in C, CUDA, HIP, OpenCL, WGSL and Rust.
//!
//! [`RaggedLevels`] prints the traversal of ragged arrays: the coordinates of leaves with one search per tile, and the
//! arrays I and S by a scan. [`PagedIndex`] prints the index of an element of a token through a block table.

// `level` describes levels and `plan` divides them into sections. `uniform` prints runs of known sizes, `cursor` the
// search and the coordinates, `arrays` and `scan` the kernels of I and S, `visit` the kernel of values, and `paged` the
// index through a block table. A new kernel is a module like `visit`.
mod arrays;
mod cursor;
mod level;
mod paged;
mod plan;
mod scan;
mod uniform;
mod visit;

pub use level::{OffsetWord, RaggedLevel};
pub use paged::PagedIndex;

use alloc::string::ToString;
use alloc::vec::Vec;
use coordinate_graph::program::kernel::IntegerType;
use coordinate_graph::program::{Emit, EmitError, Expr, Language, Source, WordWidth};
use layout_core::algebra::value::SymInt;
use plan::Plan;

/// The levels of a ragged array below its outermost axis, from which its traversal is printed.
///
/// Leaves are numbered as in the arrays. For levels of offsets, [`emit_coordinates`](RaggedLevels::emit_coordinates)
/// prints three functions. `name_find` searches the row of a leaf at every level. `name_next` walks on from there to a
/// later leaf, past empty rows. `name` returns the coordinates, without a loop and without reading memory. A tile of
/// leaves takes one search and a walk:
///
/// ```
/// use coordinate_graph::program::{Emit, Language};
/// use ragged_arrays::emit::{OffsetWord, RaggedLevel, RaggedLevels};
/// // Rows of any length, whose elements are cells of 4 x 8.
/// let cells = RaggedLevel::block("(4,8):(8,1)".parse()?);
/// let levels = RaggedLevels::new([RaggedLevel::Offsets(OffsetWord::U32), cells])?;
/// let text = levels.emit_coordinates(&Emit::new(Language::C, "cell"))?.device;
/// assert!(text.contains("cell_cursor cell_find(uint32_t leaf, const uint32_t *offsets0, uint32_t rows0) {"));
/// assert!(text.contains("cell_cursor cell_next(cell_cursor at, uint32_t leaf, const uint32_t *offsets0) {"));
/// assert!(text.contains("cell_result cell(uint32_t leaf, cell_cursor at) {"));
/// assert!(text.contains("result.row = position >> 5;") && !text.contains('%'));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// In C, CUDA, HIP, OpenCL and Rust, arrays are parameters. In WGSL they are bindings of group 0 in the order of the
/// text, and must be bound whole. By default, numbers have 32 bits if all offsets do, else 64 bits, and in Rust they are
/// `usize`; [`width`](Emit::width) sets another width. Counts of 32 bits must stay below 2^31.
#[derive(Clone)]
pub struct RaggedLevels {
    levels: Vec<RaggedLevel>,
    tile: u32,
    workgroup: u32,
}

/// ```
/// use coordinate_graph::program::{Emit, Expr, Language};
/// use ragged_arrays::emit::{OffsetWord, RaggedLevel, RaggedLevels};
/// // Documents of sentences of words, for CUDA, with 64 words in a tile and 128 threads in a block.
/// let levels = RaggedLevels::new(vec![RaggedLevel::Offsets(OffsetWord::U32); 2])?.tile(64).workgroup(128);
/// let emit = Emit::new(Language::Cuda, "words");
/// // The sentence of each word needs the offsets of sentences. Its document needs both arrays.
/// let parents = levels.emit_parents(&emit)?.device;
/// assert!(parents.contains("void words_fill1(\n    const uint32_t *offsets1,\n    uint32_t rows1,"));
/// let leaf_rows = levels.emit_leaf_rows(&emit)?.device;
/// assert!(leaf_rows.contains("void words_fill0(\n    const uint32_t *offsets0,\n    const uint32_t *offsets1,"), "{leaf_rows}");
/// assert!(leaf_rows.contains("__shared__ uint32_t running[128];"));
/// let visit = levels.emit_visit(&emit, &Expr::param("c2"))?.device;
/// assert!(visit.contains("const uint32_t first = begin + tile * 64;"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
impl RaggedLevels {
    /// Creates the levels, outermost first.
    ///
    /// Fails if a block is no bijection onto `0..size` or has XOR strides, or if a size exceeds 63 bits.
    ///
    /// ```
    /// use ragged_arrays::emit::{RaggedLevel, RaggedLevels};
    /// let gaps = RaggedLevel::block("(4,8):(16,1)".parse()?);
    /// let error = RaggedLevels::new([RaggedLevel::Fixed(2), gaps]).err().map(|error| error.to_string());
    /// assert_eq!(error.as_deref(), Some("level 1: (4,8):(16,1) is not a bijection onto 0..32"));
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    pub fn new(levels: impl Into<Vec<RaggedLevel>>) -> Result<Self, EmitError> {
        let levels = levels.into();
        for (level, form) in levels.iter().enumerate() {
            form.check().map_err(|what| refused(level, what))?;
        }
        Ok(RaggedLevels { levels, tile: 32, workgroup: 256 })
    }

    /// Sets the number of leaves of a tile in [`emit_visit`](RaggedLevels::emit_visit), at least 1. The default is 32.
    pub fn tile(self, leaves: u32) -> Self {
        RaggedLevels { tile: leaves.max(1), ..self }
    }

    /// Sets the number of threads of a workgroup in kernels, clamped to 1 to 1024. The default is 256.
    pub fn workgroup(self, threads: u32) -> Self {
        RaggedLevels { workgroup: threads.clamp(1, 1024), ..self }
    }

    /// Returns the number of coordinates of a leaf: one for the outermost axis, and those of the levels.
    ///
    /// ```
    /// use ragged_arrays::emit::{RaggedLevel, RaggedLevels};
    /// assert_eq!(RaggedLevels::new([RaggedLevel::block("(2,3):(3,1)".parse()?)])?.axes(), 3);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn axes(&self) -> usize {
        1 + self.levels.iter().map(RaggedLevel::axes).sum::<usize>()
    }

    /// Prints the functions `name_find`, `name_next` and `name`. With views, it also prints `name_is_valid`, which
    /// tests whether a position of the leaves is in a row.
    ///
    /// `name_find` needs an existing leaf, so that there is a row. `name_next` needs a leaf that does not come before
    /// the cursor's. Without offsets or views there is nothing to search, and only `name` is printed, which then takes
    /// the leaf alone.
    ///
    /// Fails if the language has no integers that are wide enough, or no arrays.
    pub fn emit_coordinates(&self, emit: &Emit) -> Result<Source, EmitError> {
        let plan = Plan::new(self, emit)?;
        let (mut device, host) = plan.head();
        device.extend(cursor::bindings(&plan));
        device.extend(cursor::functions(&plan));
        Ok(plan.source(device, host))
    }

    /// Prints kernels that compute, for every level `q`, the row of each position, `parents` (I), and the first
    /// position of that row, `starts` (S).
    ///
    /// There are two ways. `name_fill{q}` writes both with one thread per row. The other way is a scan: `name_clear`
    /// sets `parents` to 0, `name_mark{q}` writes the number of every row that is not empty to its first position,
    /// `name_scan` replaces each value by the running maximum, and `name_begins{q}` reads where rows begin. Rows that
    /// are not empty begin at different positions, so no two marks fall on one position. Every position belongs to the
    /// last mark at or before it. Empty rows have no mark.
    ///
    /// On a GPU the scan is three kernels. `name_scan` scans tiles of four values per thread, `name_scan_totals` scans
    /// the last values of all tiles in one workgroup, and `name_scan_carry` raises the values of each tile to the
    /// maximum of the tiles before it. The first two need workgroups of exactly
    /// [`workgroup`](RaggedLevels::workgroup) threads: any number of workgroups for the first, one for the second.
    /// `totals` has one number per tile. The other kernels run in any grid. In C and Rust each kernel is a loop, and
    /// the scan is one kernel.
    ///
    /// Fails as [`emit_coordinates`](RaggedLevels::emit_coordinates) does.
    pub fn emit_parents(&self, emit: &Emit) -> Result<Source, EmitError> {
        arrays::source(&Plan::new(self, emit)?, arrays::Below::Level)
    }

    /// Prints the kernels of [`emit_parents`](RaggedLevels::emit_parents) for leaves: for every level `q`, the element of axis
    /// `q` (without the axes of blocks) that each leaf is below, and the first leaf below this element.
    ///
    /// Fails as [`emit_coordinates`](RaggedLevels::emit_coordinates) does, and if there are views: below them, the
    /// leaves of a row need not be consecutive.
    pub fn emit_leaf_rows(&self, emit: &Emit) -> Result<Source, EmitError> {
        arrays::source(&Plan::new(self, emit)?, arrays::Below::Leaves)
    }

    /// Prints the kernel `name_visit` and the functions that it calls. For every leaf from `begin` to `end`, the
    /// kernel writes `value`, an expression of the coordinates `c0`, `c1`, ..., to `data`.
    ///
    /// A thread takes tiles of leaves, with one search per tile. The numbers of `data` are as wide as `value` needs,
    /// and signed if it may be negative. If there are views, the kernel skips leaves between their rows.
    ///
    /// Fails as [`emit_coordinates`](RaggedLevels::emit_coordinates) does, and if the expression has other names.
    ///
    /// ```
    /// use coordinate_graph::program::{Emit, Expr, ExprOp, Language};
    /// use ragged_arrays::emit::{OffsetWord, RaggedLevel, RaggedLevels};
    /// let [i, j] = ["c0", "c1"].map(Expr::param);
    /// let distance = Expr::Op(ExprOp::Max, Box::new([i.clone().minus(j.clone()), j.minus(i)]));
    /// let levels = RaggedLevels::new([RaggedLevel::Offsets(OffsetWord::I64)])?;
    /// let text = levels.emit_visit(&Emit::new(Language::Cuda, "rows"), &distance)?.device;
    /// assert!(text.contains("extern \"C\" __global__ void rows_visit("));
    /// assert!(text.contains("data[leaf] = rows_value((int64_t)c.c0, (int64_t)c.c1);"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn emit_visit(&self, emit: &Emit, value: &Expr) -> Result<Source, EmitError> {
        visit::source(&Plan::new(self, emit)?, value)
    }

    /// Returns the type of the text's numbers. Fails if the language has none.
    fn int(&self, emit: &Emit) -> Result<IntegerType, EmitError> {
        integers(emit, self.levels.iter().filter_map(RaggedLevel::word))
    }
}

/// Returns the type of the numbers of a text that reads arrays of these words. Fails if the language has none.
fn integers(emit: &Emit, mut dialect: impl Iterator<Item = OffsetWord>) -> Result<IntegerType, EmitError> {
    let language = emit.language;
    let wide = dialect.any(|word| !word.int().is_narrow());
    match (language, emit.width) {
        (Language::Mlir, _) => Err(EmitError::Construct { language, construct: "arrays of offsets" }),
        (Language::Wgsl, Some(WordWidth::Bits64)) => Err(EmitError::NoSuchWidth { language, bits: 64 }),
        (Language::Wgsl, _) if wide => Err(EmitError::NoSuchWidth { language, bits: 64 }),
        (_, Some(WordWidth::Bits64)) => Ok(IntegerType::U64),
        (_, Some(WordWidth::Bits32)) => Ok(IntegerType::U32),
        (Language::Rust, None) => Ok(IntegerType::Usize),
        (_, None) => Ok(if wide { IntegerType::U64 } else { IntegerType::U32 }),
    }
}

/// Returns the largest number of the type, or of `i64` if that is smaller.
fn largest(int: IntegerType) -> i64 {
    if int.is_narrow() { u32::MAX as i64 } else { i64::MAX }
}

/// Returns the width of a program whose numbers have this type: `None` for `usize`, which the language chooses.
fn width_of(int: IntegerType) -> Option<WordWidth> {
    match int {
        IntegerType::Usize => None,
        int if int.is_narrow() => Some(WordWidth::Bits32),
        _ => Some(WordWidth::Bits64),
    }
}

/// Returns the value of a known number. All numbers of a `DynLayout` are known.
fn number(x: SymInt) -> i64 {
    x.value().unwrap_or(0)
}

/// Returns the error for level `level`, counted from 0, for which no text can be printed. `error` is the reason.
fn refused(level: usize, error: impl ToString) -> EmitError {
    EmitError::Level { level, what: error.to_string() }
}
