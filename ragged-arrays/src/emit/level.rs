//! The levels from which a text is printed. The rest of the module uses them through their methods alone.

use super::number;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use coordinate_graph::program::kernel::IntegerType;
use layout_core::DynLayout;

layout_core::named_enum! {
    /// The type of the numbers of an array of offsets.
    ///
    /// ```
    /// use ragged_arrays::emit::OffsetWord;
    /// assert_eq!(OffsetWord::ALL.map(OffsetWord::name), ["u32", "u64", "i32", "i64"]);
    /// assert_eq!((OffsetWord::from_name("i64"), OffsetWord::from_name("u8")), (Some(OffsetWord::I64), None));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum OffsetWord {
        /// Unsigned, of 32 bits.
        U32 = "u32",
        /// Unsigned, of 64 bits.
        U64 = "u64",
        /// Signed, of 32 bits, as in Arrow's `List`.
        I32 = "i32",
        /// Signed, of 64 bits, as in Arrow's `LargeList` and in NumPy.
        I64 = "i64",
    }
}

impl OffsetWord {
    pub(super) const fn int(self) -> IntegerType {
        match self {
            OffsetWord::U32 => IntegerType::U32,
            OffsetWord::U64 => IntegerType::U64,
            OffsetWord::I32 => IntegerType::I32,
            OffsetWord::I64 => IntegerType::I64,
        }
    }
}

/// The kind of a level of a ragged array, without the numbers in its arrays.
///
/// ```
/// use coordinate_graph::program::{Emit, Language};
/// use ragged_arrays::emit::{OffsetWord, RaggedLevel, RaggedLevels};
/// // Sequences of tokens of heads of 4 x 8 numbers, which are stored column by column.
/// let levels = RaggedLevels::new([
///     RaggedLevel::Offsets(OffsetWord::I32),      // `cu_seqlens`
///     RaggedLevel::Dense("heads".into()),         // an argument of the kernel
///     RaggedLevel::block("(4,8):(1,4)".parse()?), // a constant in the text
/// ])?;
/// assert_eq!(levels.axes(), 5);
/// let text = levels.emit_coordinates(&Emit::new(Language::C, "place"))?.device;
/// assert!(text.contains("const int32_t *offsets0,"));
/// assert!(text.contains("result.c2 = position - t0 * launch.heads;"));
/// assert!(text.contains("result.c4 = (position >> 2) & 7;"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub enum RaggedLevel {
    /// Every row has this number of positions, which the text contains.
    Fixed(u64),
    /// Every row has the same number of positions, known per launch under this name.
    Dense(String),
    /// Every row is laid out by this layout, a bijection onto `0..size`. Each of its leaves is an axis.
    Block(Box<DynLayout<16>>),
    /// Row `p` has the positions `offsets[p]..offsets[p + 1]`.
    Offsets(OffsetWord),
    /// Row `p` has the positions `starts[p]..starts[p] + sizes[p]`. No later row begins before these end.
    Views(OffsetWord),
}

impl RaggedLevel {
    /// Creates a block of this layout.
    pub fn block(layout: DynLayout<16>) -> Self {
        RaggedLevel::Block(Box::new(layout))
    }

    /// Returns the number of coordinates that the level adds: one, or one for each leaf of a block.
    pub(super) fn axes(&self) -> usize {
        self.layout().map_or(1, |layout| layout.value().len())
    }

    /// Returns the layout of a block; `None` for other kinds.
    pub(super) fn layout(&self) -> Option<&DynLayout<16>> {
        match self {
            RaggedLevel::Block(layout) => Some(layout),
            _ => None,
        }
    }

    /// Returns the number of positions of every row if the text contains it: of fixed sizes and blocks. Otherwise returns `None`.
    pub(super) fn known_size(&self) -> Option<i64> {
        match self {
            RaggedLevel::Fixed(n) => Some(i64::try_from(*n).unwrap_or(i64::MAX)),
            RaggedLevel::Block(layout) => Some(layout.size()),
            _ => None,
        }
    }

    /// Returns the type of the numbers in the arrays of the level; `None` if it has no arrays.
    pub(super) fn word(&self) -> Option<OffsetWord> {
        match self {
            RaggedLevel::Offsets(word) | RaggedLevel::Views(word) => Some(*word),
            _ => None,
        }
    }

    /// Fails with the reason if no text can be printed for the level.
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            RaggedLevel::Block(layout) if layout.value().has_xor() => {
                Err(format!("{layout} has XOR strides, so the coordinates of a position are not digits of it"))
            }
            RaggedLevel::Block(layout) if !fills(layout) => Err(format!("{layout} is not a bijection onto 0..{}", layout.size())),
            RaggedLevel::Fixed(n) if i64::try_from(*n).is_err() => Err(format!("the size {n} exceeds 63 bits")),
            _ => Ok(()),
        }
    }
}

/// Tests whether the layout is a bijection onto `0..size`: in ascending order, each stride is the product of the
/// extents before it.
fn fills(layout: &DynLayout<16>) -> bool {
    let lay = layout.value();
    let mut leaves: Vec<(i64, i64)> = (0..lay.len()).map(|k| (lay.scale(k), lay.extent(k))).map(|(d, n)| (number(d), number(n))).collect();
    leaves.retain(|(_, extent)| *extent != 1);
    leaves.sort_unstable();
    let mut span = 1_i64;
    leaves.iter().all(|(stride, extent)| {
        let fits = *stride == span;
        span = span.saturating_mul(*extent);
        fits
    })
}
