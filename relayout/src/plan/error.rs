//! Why there is no plan.

use super::place::{Place, Tuple};
use alloc::vec::Vec;
use layout_core::LayoutError;

layout_core::errors! {
    /// Why there is no plan.
    #[non_exhaustive]
    PlanError {
        /// A layout that the algebra refuses, or a text that it cannot read.
        Layout { error: LayoutError } => "plan/layout", "{error}";
        /// Something of the notation that is no layout of sums, like a tuple, a swizzle, or XOR strides.
        NotALayout => "plan/layout", "a layout `shape:stride` with known numbers is needed";
        /// Strides with and without a basis in one layout: is `1` an offset or a place?
        MixedStrides => "plan/layout", "strides with and without a basis in one layout: write `1@0` for offsets";
        /// A basis of more than one step.
        NestedBasis => "plan/layout", "a stride along a coordinate of a coordinate: places are numbers, `1@1`, `1@2`";
        /// Offsets, places or counts beyond 62 bits.
        Overflow => "plan/layout", "offsets or counts beyond 62 bits";
        /// Sizes differ, and no extent says how many elements there are.
        Sizes { source: i64, target: i64 } => "plan/size", "the source has {source} elements and the target {target}: an extent would say which exist";
        /// One extent for each mode is needed.
        Rank { modes: usize, extents: usize } => "plan/extent", "{extents} numbers for {modes} modes";
        /// Pieces are placed by mode.
        ExtentNeeded => "plan/extent", "pieces need the extent of the whole, a number for each mode";
        /// An extent, or the end of a piece, beyond a mode; or a negative one.
        Beyond { mode: usize, extent: i64, size: i64 } => "plan/extent", "extent {extent} of mode {mode}, which has {size}";
        /// A place that has no block.
        NoBlock { place: i64, places: i64 } => "plan/extent", "place {place} has no block: the grid has {places}";
        /// The last mode is not as long as there are replicas.
        Replicas { declared: i64, size: i64 } => "plan/replicas", "{declared} replicas, but the last mode has {size}";
        /// An entry of a descriptor of a block-cyclic matrix that is not possible.
        Descriptor { entry: &'static str, value: i64 } => "plan/layout", "a block-cyclic matrix with {entry} = {value}";
        /// Two elements of the target in one spot.
        Collision { first: Vec<i64>, second: Vec<i64>, place: Place, offset: i64 } => "plan/target",
            "the target has elements {} and {} both at offset {offset} of place {place}", Tuple(first), Tuple(second);
        /// Replicas of one element of the target in one spot.
        ReplicaCollision { first: i64, second: i64, element: Vec<i64>, place: Place, offset: i64 } => "plan/target",
            "replicas {first} and {second} of element {} are both at offset {offset} of place {place}", Tuple(element);
        /// Two pieces of the target have an element.
        Overlap { first: usize, second: usize, element: Vec<i64> } => "plan/target", "pieces {first} and {second} of the target both have element {}", Tuple(element);
        /// No piece of the target has an element.
        Hole { element: Vec<i64> } => "plan/target", "no piece of the target has element {}", Tuple(element);
        /// Whether elements of the target share a spot took too long to find out.
        Undecided { steps: u32 } => "plan/target", "whether two elements of the target share a spot is not decided after {steps} steps";
        /// No piece of the source has an element.
        NoSource { element: Vec<i64> } => "plan/source", "no piece of the source has element {}", Tuple(element);
        /// Too many possible sources: the replicas of the sources, for each block of the target that is planned alone.
        Sources { sources: i64, limit: i64 } => "plan/limit", "the replicas of the source are {sources} possible sources, the limit is {limit}: name fewer of them";
        /// More copies than allowed: at least, or exactly where they were counted before they are made.
        Limit { copies: i64, limit: usize } => "plan/limit", "{copies} copies are more than the limit {limit}";
    }
}

impl From<LayoutError> for PlanError {
    fn from(error: LayoutError) -> Self {
        PlanError::Layout { error }
    }
}

/// The result of what may be refused.
pub type Result<T> = core::result::Result<T, PlanError>;
