//! Parallel layers of Megatron.

use super::refuse;
use crate::error::{PlacementError, Result, product};
use crate::mesh::Mesh;
use crate::placement::Placement;
use crate::rule::Rule;
use alloc::format;

/// A layer whose weight Megatron divides among devices. A weight has the shape `[outputs, inputs]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParallelLayer {
    /// `ColumnParallelLinear`: equal parts of the outputs, tensor axis 0.
    Column,
    /// `RowParallelLinear`: equal parts of the inputs, tensor axis 1.
    Row,
    /// `VocabParallelEmbedding`: equal parts of the padded vocabulary, tensor axis 0. The last devices have fewer rows, or none,
    /// of the vocabulary itself.
    Vocabulary {
        /// The option `make-vocab-size-divisible-by`: the number of padded rows is a multiple of this number times the devices.
        divisible_by: i64,
    },
    /// The fused projection of queries, keys and values: whole groups, tensor axis 0. A group has the rows of its
    /// `heads / groups` query heads, then the rows of its key head, then the rows of its value head.
    Qkv {
        /// The number of query heads.
        heads: i64,
        /// The number of query groups, which is the number of key heads.
        groups: i64,
        /// The number of rows of a head.
        head_dim: i64,
    },
    /// Experts, whose weights have the expert as tensor axis 0: equal numbers of experts.
    Experts,
}

impl Placement {
    /// Returns the placement of the weight of a parallel layer, divided along the mesh axis `axis`.
    ///
    /// # Errors
    /// Fails if the extents do not divide evenly, if the shape does not fit the layer, and as [`Placement::new`] does.
    ///
    /// ```
    /// use placements::{Mesh, ParallelLayer, Placement};
    /// let mesh = Mesh::new([("dp", 2), ("tp", 4)])?;
    /// // 50257 rows are padded to 50688, so the last device has 12241 rows and 431 rows of padding.
    /// let vocabulary = ParallelLayer::Vocabulary { divisible_by: 128 };
    /// let embedding = Placement::from_megatron(&mesh, &[50257, 1024], "tp", vocabulary)?;
    /// assert_eq!(embedding.ranges(3)?, [[[38016, 50257]], [[0, 1024]]]);
    /// // 32 query heads in 8 groups: two groups of 6 heads each.
    /// let qkv = ParallelLayer::Qkv { heads: 32, groups: 8, head_dim: 128 };
    /// let fused = Placement::from_megatron(&mesh, &[6144, 4096], "tp", qkv)?;
    /// assert_eq!(fused.local_shape(1)?, [2 * 6 * 128, 4096]);
    /// let error = Placement::from_megatron(&mesh, &[6144, 4095], "tp", ParallelLayer::Row).unwrap_err();
    /// assert_eq!(error.to_string(), "tensor axis 1: 4095 indices do not divide evenly among the 4 devices of mesh axis `tp`");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn from_megatron(mesh: &Mesh, shape: &[i64], axis: &str, layer: ParallelLayer) -> Result<Placement> {
        let devices = mesh.extent(mesh.axis(axis)?) as i64;
        let placement = Placement::new(mesh, shape)?;
        let rows = *shape.first().ok_or(PlacementError::Dim { dim: 0, rank: 0 })?;
        match layer {
            ParallelLayer::Column | ParallelLayer::Experts => placement.split(0, axis, Rule::Even),
            ParallelLayer::Row => placement.split(1, axis, Rule::Even),
            ParallelLayer::Vocabulary { divisible_by } => {
                if divisible_by < 1 {
                    return refuse("Megatron", "divisible_by", divisible_by, "a multiple of 1 or more is needed");
                }
                let multiple = product(divisible_by, devices)?;
                let padded = product(rows.unsigned_abs().div_ceil(multiple as u64) as i64, multiple)?;
                placement.split(0, axis, Rule::Size((padded / devices).max(1)))
            }
            ParallelLayer::Qkv { heads, groups, head_dim } => {
                for (name, value) in [("heads", heads), ("groups", groups), ("head_dim", head_dim)] {
                    if value < 1 {
                        return refuse("Megatron", name, value, "at least 1 is needed");
                    }
                }
                if heads % groups != 0 {
                    return refuse("Megatron", "heads", heads, format!("it must be a multiple of the {groups} groups"));
                }
                if groups % devices != 0 {
                    return refuse(
                        "Megatron",
                        "groups",
                        groups,
                        format!("it must be a multiple of the {devices} devices of mesh axis `{axis}`"),
                    );
                }
                let needed = product(product(product(heads, 1)? / groups + 2, groups)?, head_dim)?;
                if rows != needed {
                    return refuse("Megatron", "rows", rows, format!("{heads} heads in {groups} groups of {head_dim} rows need {needed}"));
                }
                placement.split(0, axis, Rule::Even)
            }
        }
    }
}
