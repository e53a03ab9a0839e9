//! Dimensions: the nodes of a coordinate graph, as plain data. `check.rs` tests a dimension when a graph adds it.

use super::Expr;
use layout_algebra::heap::*;

named_enum! {
    /// The role of a dimension in a kernel. Drawings and generated code show it; index arithmetic does not depend on it.
    ///
    /// ```
    /// use coordinate_graph::graph::{DimKind, Dimension};
    /// let lane = Dimension::new("lane").size(32).kind(DimKind::Lane);
    /// assert_eq!(lane.kind.name(), "Lane");
    /// assert_eq!(DimKind::from_name("Workgroup"), Some(DimKind::Workgroup));
    /// assert_eq!(DimKind::from_name("Block"), None);
    /// assert!(DimKind::ALL.iter().all(|kind| DimKind::from_name(kind.name()) == Some(*kind)));
    /// ```
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
        /// The number of a register of a thread.
        Register = "Register",
        /// The shared memory of a workgroup.
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

/// A dimension: a coordinate `x` with an optional size (`0 <= x < size`), stride and offset.
///
/// A missing size or stride is an error if a transform needs it. There is no default.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, DimKind, Dimension, Expr, Transform};
/// let row = Dimension::new("row").size(64).stride(Expr::param("ld")).kind(DimKind::SubDimension);
/// assert_eq!((row.name.as_str(), row.offset), ("row", None));
///
/// // Lanes of four bytes, behind the first 1024 bytes.
/// let mut graph = CoordGraph::new();
/// let lane = graph.add(Dimension::new("lane").size(32).stride(4).kind(DimKind::Lane))?;
/// let byte = graph.add(Dimension::new("byte").offset(1024))?;
/// graph.connect(Transform::Join, [lane], [byte])?;
/// assert_eq!(graph.forward(&[("lane", 3)], &["byte"])?, [1024 + 3 * 4]);
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Dimension {
    /// The name, unique among the dimensions and parameters of a graph.
    pub name: String,
    /// The role of the dimension in a kernel.
    pub kind: DimKind,
    /// The number of coordinates; `None` if it is not declared.
    pub size: Option<Expr>,
    /// The distance between neighbours; `None` if it is not declared. It counts elements of the dimension on the other side
    /// of a [`Join`](super::Transform::Join), a [`Split`](super::Transform::Split) or a strided
    /// [`Flatten`](super::Transform::Flatten).
    pub stride: Option<Expr>,
    /// The linear index of the first element; `None` means 0. Flatten and Join forward, and Tile and Split in reverse,
    /// add it to the index that they compute. The opposite directions subtract it before they compute digits.
    pub offset: Option<Expr>,
}

impl Dimension {
    /// Creates a linear dimension whose size, stride and offset are not set.
    pub fn new(name: impl Into<String>) -> Self {
        Dimension { name: name.into(), kind: DimKind::default(), size: None, stride: None, offset: None }
    }

    /// Sets the kind: the role of the dimension in a kernel.
    pub fn kind(self, kind: DimKind) -> Self {
        Dimension { kind, ..self }
    }

    /// Sets the size: the number of coordinates.
    pub fn size(self, size: impl Into<Expr>) -> Self {
        Dimension { size: Some(size.into()), ..self }
    }

    /// Sets the stride: the distance between neighbours.
    pub fn stride(self, stride: impl Into<Expr>) -> Self {
        Dimension { stride: Some(stride.into()), ..self }
    }

    /// Sets the offset: the linear index of the first element.
    pub fn offset(self, offset: impl Into<Expr>) -> Self {
        Dimension { offset: Some(offset.into()), ..self }
    }
}
