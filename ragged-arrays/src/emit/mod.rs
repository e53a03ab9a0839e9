//! Kernels over ragged and paged arrays as source text, in C, CUDA, HIP, OpenCL, WGSL and Rust.
//!
//! [`RaggedLevels`] prints the traversal of ragged arrays: a leaf's coordinates with one search a tile, and the arrays I and S by a scan. [`PagedIndex`] prints the index of
//! an element of a token through a block table.

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
use coordinate_graph::program::kernel::Int;
use coordinate_graph::program::{Emit, EmitError, Expr, Language, Source, Width};
use layout_core::algebra::value::SymInt;
use plan::Plan;

/// The levels of a ragged array below its outermost axis: what its traversal is printed from.
///
/// Leaves are numbered as the arrays number them. For levels of offsets, [`emit_coordinates`](RaggedLevels::emit_coordinates) prints three functions:
/// `name_find` searches the row of a leaf at every level, `name_next` walks on to another leaf after it, past empty rows, and `name` is the coordinates, without a
/// loop and without reading memory. A tile of leaves is one search and a walk:
///
/// ```
/// use coordinate_graph::program::{Emit, Language};
/// use ragged_arrays::emit::{OffsetWord, RaggedLevel, RaggedLevels};
/// // Rows of any length, of cells of 4 x 8.
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
/// In C, CUDA, HIP, OpenCL and Rust, arrays are parameters; in WGSL they are bindings of group 0 in the order of the text, and must be bound whole.
/// Numbers are of 32 bits where all offsets are (of 64 where the [`width`](Emit::width) says so), in Rust `usize`; counts of 32 bits stay below 2^31.
#[derive(Clone)]
pub struct RaggedLevels {
    levels: Vec<RaggedLevel>,
    tile: u32,
    workgroup: u32,
}

impl RaggedLevels {
    /// These levels, outermost first.
    ///
    /// Fails for a block that is no bijection onto `0..size`, and for sizes beyond 64 bits.
    ///
    /// ```
    /// use ragged_arrays::emit::{RaggedLevel, RaggedLevels};
    /// let gaps = RaggedLevel::block("(4,8):(16,1)".parse()?);
    /// let error = RaggedLevels::new([RaggedLevel::Fixed(2), gaps]).err().map(|error| error.to_string());
    /// assert_eq!(error.as_deref(), Some("level 1: (4,8):(16,1) is no bijection onto 0..32"));
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    pub fn new(levels: impl Into<Vec<RaggedLevel>>) -> Result<Self, EmitError> {
        let levels = levels.into();
        for (level, form) in levels.iter().enumerate() {
            form.check().map_err(|what| refused(level, what))?;
        }
        Ok(RaggedLevels { levels, tile: 32, workgroup: 256 })
    }

    /// Tiles of so many leaves in [`emit_visit`](RaggedLevels::emit_visit), at least 1, instead of 32.
    pub fn tile(self, leaves: u32) -> Self {
        RaggedLevels { tile: leaves.max(1), ..self }
    }

    /// Workgroups of so many threads in kernels, from 1 to 1024, instead of 256.
    pub fn workgroup(self, threads: u32) -> Self {
        RaggedLevels { workgroup: threads.clamp(1, 1024), ..self }
    }

    /// How many coordinates a leaf has.
    ///
    /// ```
    /// use ragged_arrays::emit::{RaggedLevel, RaggedLevels};
    /// assert_eq!(RaggedLevels::new([RaggedLevel::block("(2,3):(3,1)".parse()?)])?.axes(), 3);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn axes(&self) -> usize {
        1 + self.levels.iter().map(RaggedLevel::axes).sum::<usize>()
    }

    /// The functions `name_find`, `name_next` and `name`, and `name_is_valid` where there are views: whether a place of the leaves is in a row.
    ///
    /// `name_find` wants a leaf, so there is a row. `name_next` wants one that does not come before that of the cursor. Without a level of offsets or
    /// views there is nothing to search, and only `name`, of the leaf.
    ///
    /// Fails where the language has no integers that are wide enough, or no arrays.
    pub fn emit_coordinates(&self, emit: &Emit) -> Result<Source, EmitError> {
        let plan = Plan::new(self, emit)?;
        let (mut device, host) = plan.head();
        device.extend(cursor::bindings(&plan));
        device.extend(cursor::functions(&plan));
        Ok(plan.source(device, host))
    }

    /// Kernels that make, for every level `q`, the row of each position, `parents` (I), and where that row begins, `starts` (S).
    ///
    /// `name_fill{q}`: a thread a row writes both. By scan: `name_clear` sets `parents` to 0, `name_mark{q}` writes the number of every row that is not empty to its
    /// first position, `name_scan` makes it the running maximum, `name_begins{q}` reads where rows begin. Rows that are not empty begin at different
    /// positions, so marks do not meet, and every position belongs to the last mark at or before it: empty rows leave none.
    ///
    /// On a GPU the scan is three kernels: `name_scan` scans tiles of four values a thread, `name_scan_totals`, of one workgroup, the last values of all tiles,
    /// `name_scan_carry` hands them on. They want workgroups of exactly [`workgroup`](RaggedLevels::workgroup) threads, any number of them; `totals` has a place for
    /// each tile. The other kernels run in any grid. In C and Rust each kernel is a loop, and the scan is one.
    ///
    /// Fails as [`emit_coordinates`](RaggedLevels::emit_coordinates) does.
    pub fn emit_parents(&self, emit: &Emit) -> Result<Source, EmitError> {
        arrays::source(&Plan::new(self, emit)?, arrays::Below::Level)
    }

    /// Kernels as those of [`emit_parents`](RaggedLevels::emit_parents) for leaves: for every level `q`, the element of axis `q` (not counting the axes of blocks) that each
    /// leaf is below, and its first leaf.
    ///
    /// Fails as [`emit_coordinates`](RaggedLevels::emit_coordinates) does, and where there are views: below them the leaves of a row need not follow one another.
    pub fn emit_leaf_rows(&self, emit: &Emit) -> Result<Source, EmitError> {
        arrays::source(&Plan::new(self, emit)?, arrays::Below::Leaves)
    }

    /// The kernel `name_visit`, which writes `value` of the coordinates `c0`, `c1`, ... to every leaf of `data` from `begin` to `end`, and what it needs.
    ///
    /// A thread takes tiles of leaves, one search for each. The numbers of `data` are as wide as `value` needs, and signed where it may be negative.
    ///
    /// Fails as [`emit_coordinates`](RaggedLevels::emit_coordinates) does, and for an expression of other names.
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

    /// The type of the text's numbers.
    fn int(&self, emit: &Emit) -> Result<Int, EmitError> {
        integers(emit, self.levels.iter().filter_map(RaggedLevel::word))
    }
}

/// The type of the numbers of a text that reads arrays of these words.
fn integers(emit: &Emit, mut words: impl Iterator<Item = OffsetWord>) -> Result<Int, EmitError> {
    let language = emit.language;
    let wide = words.any(|word| !word.int().is_narrow());
    match (language, emit.width) {
        (Language::Mlir, _) => Err(EmitError::Construct { language, construct: "arrays of offsets" }),
        (Language::Wgsl, Some(Width::Bits64)) => Err(EmitError::NoSuchWidth { language, bits: 64 }),
        (Language::Wgsl, _) if wide => Err(EmitError::NoSuchWidth { language, bits: 64 }),
        (_, Some(Width::Bits64)) => Ok(Int::U64),
        (_, Some(Width::Bits32)) => Ok(Int::U32),
        (Language::Rust, None) => Ok(Int::Usize),
        (_, None) => Ok(if wide { Int::U64 } else { Int::U32 }),
    }
}

/// The largest number of the type, or of `i64`.
fn largest(int: Int) -> i64 {
    if int.is_narrow() { u32::MAX as i64 } else { i64::MAX }
}

/// The width of a program whose numbers are of this type.
fn width_of(int: Int) -> Option<Width> {
    match int {
        Int::Usize => None,
        int if int.is_narrow() => Some(Width::Bits32),
        _ => Some(Width::Bits64),
    }
}

/// The value of a number that is known, as all of a [`DynLayout`] are.
fn number(x: SymInt) -> i64 {
    x.value().unwrap_or(0)
}

/// Why level `level` has no text.
fn refused(level: usize, error: impl ToString) -> EmitError {
    EmitError::Level { level, what: error.to_string() }
}
