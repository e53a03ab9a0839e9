//! The errors of planning.

use super::place::{Place, Tuple};
use alloc::vec::Vec;
use layout_core::LayoutError;

layout_core::errors! {
    /// The reason why there is no plan.
    ///
    /// ```
    /// use relayout::{Plan, PlanError, Side};
    /// // Columns of 4 elements, two apart: they overlap.
    /// let error = Plan::new(&Side::parse("(4,3):(1,4)")?, &Side::parse("(4,3):(1,2)")?).unwrap_err();
    /// assert_eq!(error.to_string(), "the target has elements (0,1) and (2,0) both at offset 2 of place 0");
    /// assert!(matches!(error, PlanError::Collision { offset: 2, .. }) && error.class() == "plan/target");
    /// # Ok::<(), PlanError>(())
    /// ```
    #[non_exhaustive]
    PlanError {
        /// The algebra refuses the layout, or cannot read the text.
        Layout { error: LayoutError } => "plan/layout", "{error}";
        /// The operand is not a layout of sums: it is a tuple, a swizzle, or has XOR strides or unknown numbers.
        NotALayout => "plan/layout", "the operand is not a layout `shape:stride` with known numbers";
        /// A layout mixes strides with and without a basis, so a stride `1` could be an offset or a place.
        MixedStrides => "plan/layout", "the layout mixes strides with and without a basis: write `1@0` for an offset, `1@1` for a place";
        /// A basis has more than one step.
        NestedBasis => "plan/layout", "a stride has a nested basis, but the numbers of a place are `1@1`, `1@2` and so on";
        /// An offset, a place or a count exceeds 62 bits.
        Overflow => "plan/layout", "an offset or a count exceeds 62 bits";
        /// The sizes of the two sides differ, and no extent says which elements exist.
        Sizes { source: i64, target: i64 } => "plan/size", "the source has {source} elements, but the target has {target}: give the extent of the elements that exist";
        /// The number of extents or coordinates differs from the number of modes.
        Rank { modes: usize, extents: usize } => "plan/extent", "{extents} numbers are given for {modes} modes";
        /// The side has pieces, whose positions need the extent of each mode.
        ExtentNeeded => "plan/extent", "the side consists of pieces, so it needs the extents of the whole tensor: give one number for each mode";
        /// An extent, the end of a piece, the width of a halo or a number of blocks exceeds its mode or is too small.
        Beyond { mode: usize, extent: i64, size: i64 } => "plan/extent", "mode {mode} of size {size}: {extent} is not a valid extent, position of a piece, width of a halo or number of blocks";
        /// The grid of blocks does not have this place.
        NoBlock { place: i64, places: i64 } => "plan/extent", "place {place} has no block: the grid has {places} places";
        /// The size of the last mode differs from the number of replicas.
        Replicas { declared: i64, size: i64 } => "plan/replicas", "the side declares {declared} replicas, but the last mode has the extent {size}";
        /// An entry of the descriptor of a block-cyclic matrix is not possible.
        Descriptor { entry: &'static str, value: i64 } => "plan/layout", "a block-cyclic matrix cannot have {entry} = {value}";
        /// Two elements of the target have the same place and offset.
        Collision { first: Vec<i64>, second: Vec<i64>, place: Place, offset: i64 } => "plan/target",
            "the target has elements {} and {} both at offset {offset} of place {place}", Tuple(first), Tuple(second);
        /// Two replicas of one element of the target have the same place and offset.
        ReplicaCollision { first: i64, second: i64, element: Vec<i64>, place: Place, offset: i64 } => "plan/target",
            "replicas {first} and {second} of element {} are both at offset {offset} of place {place}", Tuple(element);
        /// Two pieces of the target have the same element.
        Overlap { first: usize, second: usize, element: Vec<i64> } => "plan/target", "pieces {first} and {second} of the target both have element {}", Tuple(element);
        /// No piece of the target has this element.
        Hole { element: Vec<i64> } => "plan/target", "no piece of the target has element {}", Tuple(element);
        /// The search for two elements of the target at one place and offset took too many steps or boxes.
        Undecided { steps: u32 } => "plan/target", "the target is too complex: after {steps} steps it is unknown whether two of its elements have the same place and offset";
        /// No piece of the source has this element.
        NoSource { element: Vec<i64> } => "plan/source", "no piece of the source has element {}", Tuple(element);
        /// The replicas of the source give too many possible sources for the blocks of the target.
        Sources { sources: i64, limit: i64 } => "plan/limit", "the replicas of the source give {sources} possible sources, more than the limit of {limit}: name fewer replicas";
        /// The plan needs more copies than the limit. `copies` is exact if the copies were counted before they were
        /// made, and a lower bound otherwise.
        Limit { copies: i64, limit: usize } => "plan/limit", "the plan needs at least {copies} copies, but the limit is {limit}";
    }
}

impl From<LayoutError> for PlanError {
    fn from(error: LayoutError) -> Self {
        PlanError::Layout { error }
    }
}

/// The result of an operation that may fail with a [`PlanError`].
///
/// ```
/// use relayout::{Plan, Result, Side};
/// fn bytes_moved(from: &str, to: &str, element_bytes: i64) -> Result<i64> {
///     Ok(Plan::new(&Side::parse(from)?, &Side::parse(to)?)?.statistics().remote * element_bytes)
/// }
/// assert_eq!(bytes_moved("(4,4):(1@0,1@1)", "(8,2):(1@0,1@1)", 2), Ok(12 * 2));
/// let error = bytes_moved("(4,4):(1@0,1@1)", "(5,3):(1@0,1@1)", 2).unwrap_err();
/// assert_eq!(error.to_string(), "the source has 16 elements, but the target has 15: give the extent of the elements that exist");
/// ```
pub type Result<T> = core::result::Result<T, PlanError>;
