//! Dimensions: the nodes of a coordinate graph.

use super::Expr;
use layout_algebra::heap::*;

named! {
    /// The role of a dimension in a kernel. Drawings and code name it; index math does not depend on it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
    pub enum DimKind {
        /// A tensor that the user passes.
        User = "User",
        /// One dimension of a tensor.
        SubDimension = "SubDimension",
        /// A linear index.
        #[default]
        Linear = "Linear",
        /// The number of a workgroup (block).
        Workgroup = "Workgroup",
        /// The number of a workitem (thread) in its workgroup.
        Workitem = "Workitem",
        /// The number of a wavefront (warp) in its workgroup.
        Wavefront = "Wavefront",
        /// The number of a lane in its wavefront.
        Lane = "Lane",
        /// A register of a thread.
        Register = "Register",
        /// Shared memory of a workgroup.
        SharedMemory = "SharedMemory",
        /// The counter of a loop.
        Loop = "Loop",
        /// The counter of an unrolled loop.
        Unroll = "Unroll",
        /// A tile of a workgroup.
        MacroTile = "MacroTile",
        /// A tile of a thread.
        ThreadTile = "ThreadTile",
        /// A tile of a wavefront.
        WaveTile = "WaveTile",
    }
}

/// A dimension: a coordinate `x`, of which a graph may know the size (`0 <= x < size`), the stride, and the offset.
///
/// A missing size or stride is an error where a transform needs it, never a default.
///
/// ```
/// use coordinate_graph::graph::{DimKind, Dimension, Expr};
/// let row = Dimension::new("row").size(64).stride(Expr::param("ld")).kind(DimKind::SubDimension);
/// assert_eq!(row.name, "row");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Dimension {
    /// Its name, unique in a graph.
    pub name: String,
    /// Its role in a kernel.
    pub kind: DimKind,
    /// How many coordinates it has.
    pub size: Option<Expr>,
    /// How far apart neighbours are, in elements of the dimension that a [`Join`](super::Transform::Join), a [`Split`](super::Transform::Split)
    /// or a strided [`Flatten`](super::Transform::Flatten) makes of it.
    pub stride: Option<Expr>,
    /// Where a linear index starts: added to what Flatten and Join compute for this dimension and to what Tile and Split compute backward,
    /// subtracted before their digits are taken. None is 0.
    pub offset: Option<Expr>,
}

impl Dimension {
    /// A linear dimension of unknown size and stride.
    pub fn new(name: impl Into<String>) -> Self {
        Dimension { name: name.into(), kind: DimKind::default(), size: None, stride: None, offset: None }
    }

    /// With this kind.
    pub fn kind(self, kind: DimKind) -> Self {
        Dimension { kind, ..self }
    }

    /// With this many coordinates.
    pub fn size(self, size: impl Into<Expr>) -> Self {
        Dimension { size: Some(size.into()), ..self }
    }

    /// With neighbours this far apart.
    pub fn stride(self, stride: impl Into<Expr>) -> Self {
        Dimension { stride: Some(stride.into()), ..self }
    }

    /// With a linear index that starts here.
    pub fn offset(self, offset: impl Into<Expr>) -> Self {
        Dimension { offset: Some(offset.into()), ..self }
    }
}
