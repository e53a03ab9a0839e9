//! The errors of placements.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use relayout::PlanError;

/// The number that is too large, in an error about a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LimitedItem {
    /// Axes of a mesh.
    MeshAxes,
    /// Axes of a tensor.
    TensorAxes,
    /// Devices of a mesh.
    Devices,
    /// Ranges of indices.
    Ranges,
    /// Boxes of a tensor.
    Boxes,
    /// Transfers between devices.
    Transfers,
}

impl fmt::Display for LimitedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LimitedItem::MeshAxes => "mesh axes",
            LimitedItem::TensorAxes => "tensor axes",
            LimitedItem::Devices => "devices",
            LimitedItem::Ranges => "ranges",
            LimitedItem::Boxes => "boxes",
            LimitedItem::Transfers => "transfers",
        })
    }
}

layout_core::errors! {
    /// The reason why there is no such placement, or no such move.
    ///
    /// ```
    /// use placements::{Mesh, Placement, PlacementError, Rule};
    /// let mesh = Mesh::new([("data", 2), ("model", 4)])?;
    /// let error = Placement::new(&mesh, &[6, 10]).and_then(|all| all.split(1, "model", Rule::Even)).unwrap_err();
    /// assert_eq!(error.to_string(), "tensor axis 1: 10 indices do not divide evenly among the 4 devices of mesh axis `model`");
    /// assert_eq!(error.class(), "placement/even");
    /// # Ok::<(), PlacementError>(())
    /// ```
    #[non_exhaustive]
    PlacementError {
        /// Two axes of a mesh have one name.
        AxisTwice { axis: String } => "placement/mesh", "the mesh has two axes `{axis}`: give each axis its own name";
        /// The extent of a mesh axis is below 1.
        MeshExtent { axis: String, extent: i64 } => "placement/mesh", "mesh axis `{axis}` has the extent {extent}: it needs at least 1 device";
        /// The mesh has no axis of this name.
        UnknownAxis { axis: String, axes: Vec<String> } => "placement/axis", "the mesh has no axis `{axis}`: its axes are {}", Names(axes);
        /// A mesh axis is named twice: by two splits, or by a split and a partial result.
        AxisUsed { axis: String } => "placement/axis", "mesh axis `{axis}` is used twice: one split or one partial result takes it up";
        /// The tensor has no such axis.
        Dim { dim: i64, rank: usize } => "placement/dim", "the tensor has no axis {dim}: it has {rank}, counted from 0";
        /// The extent of a tensor axis is negative.
        Extent { dim: usize, extent: i64 } => "placement/shape", "tensor axis {dim} has the extent {extent}: an extent is 0 or more";
        /// A shape has another number of axes than the shape beside it.
        Rank { found: usize, expected: usize } => "placement/shape", "{found} axes are given, but the tensor has {expected}";
        /// The two placements of a move have different shapes.
        Shapes { from: Vec<i64>, to: Vec<i64> } => "placement/shape", "the source has the shape {from:?}, but the target has {to:?}";
        /// An even split leaves a remainder.
        Uneven { dim: usize, axis: String, indices: i64, devices: i64 } => "placement/even",
            "tensor axis {dim}: {indices} indices do not divide evenly among the {devices} devices of mesh axis `{axis}`";
        /// A block, a size or a boundary of a split is not possible.
        Number { dim: usize, axis: String, number: i64, least: i64, most: i64 } => "placement/rule",
            "tensor axis {dim}, mesh axis `{axis}`: the rule has {number}, which is not in {least} to {most}";
        /// A split has another number of explicit boundaries than devices need.
        Bounds { dim: usize, axis: String, bounds: usize, devices: i64 } => "placement/rule",
            "tensor axis {dim}: {bounds} boundaries are given, but the {devices} devices of mesh axis `{axis}` need {}", devices - 1;
        /// The mesh has no such device.
        Device { device: usize, devices: usize } => "placement/device", "there is no device {device}: the mesh has {devices}, counted from 0";
        /// A number exceeds 62 bits.
        Overflow { first: i64, second: i64 } => "placement/overflow", "the product of {first} and {second} exceeds 62 bits";
        /// There are more items than a limit allows.
        Limit { what: LimitedItem, count: i64, limit: i64 } => "placement/limit", "at least {count} {what} are needed, but the limit is {limit}";
        /// The partial results of two mesh axes are combined by different operations.
        Mixed { axis: String, first: String, second: String } => "placement/partial",
            "mesh axis `{axis}` has partial results by {second}, but another axis by {first}: reduce one of them first";
        /// The target of a move has partial results.
        PartialTarget { axis: String } => "placement/partial", "the target has partial results on mesh axis `{axis}`: a move only combines them";
        /// A placement with partial results is no single side of a plan.
        Summands { axis: String, summands: usize } => "placement/partial",
            "the elements have {summands} summands along mesh axis `{axis}` and others: take the side of one summand";
        /// The lists of a run do not fit the devices.
        Memory { device: usize, found: usize, expected: i64 } => "placement/memory", "device {device} has {found} elements, but its part has {expected}";
        /// A reader of a vocabulary found something else than it needs.
        Text { vocabulary: &'static str, at: usize, expected: &'static str, text: String } => "placement/text",
            "{vocabulary}: expected {expected} at byte {at} of `{text}`";
        /// A number of a vocabulary is not possible.
        Parameter { vocabulary: &'static str, name: &'static str, value: i64, reason: String } => "placement/parameter", "{vocabulary}: `{name}` is {value}, but {reason}";
        /// The keys of a placement as data contradict each other, or have an unknown value.
        Keys { reason: String } => "placement/request", "{reason}";
        /// The planner of copies refuses.
        Plan { error: PlanError } => "placement/plan", "{error}";
    }
}

impl From<PlanError> for PlacementError {
    fn from(error: PlanError) -> Self {
        PlacementError::Plan { error }
    }
}

/// Names that print as a list: `data`, `model`.
struct Names<'a>(&'a [String]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (k, name) in self.0.iter().enumerate() {
            write!(f, "{}`{name}`", if k == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// The result of an operation that may fail with a [`PlacementError`].
pub type Result<T> = core::result::Result<T, PlacementError>;

/// Returns the product. Fails beyond 62 bits.
pub(crate) fn product(first: i64, second: i64) -> Result<i64> {
    first.checked_mul(second).filter(|product| *product < 1 << 62).ok_or(PlacementError::Overflow { first, second })
}

/// Fails if `count` exceeds `limit`.
pub(crate) fn at_most(what: LimitedItem, count: usize, limit: usize) -> Result<()> {
    if count > limit { Err(PlacementError::Limit { what, count: count as i64, limit: limit as i64 }) } else { Ok(()) }
}
