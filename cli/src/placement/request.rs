//! The JSON of meshes, placements and moves.

use crate::answer::Result;
use crate::request::structs;
use crd2idx::placements::{Mesh, Placement, PlacementText, Reshard, SpecEntry, SplitText};
use std::collections::BTreeMap;

structs! {
    /// A tensor on a mesh: splits in order, a PartitionSpec, or the text of a vocabulary.
    Placed { mesh: Vec<(String, i64)>, shape: Vec<i64>, splits: Option<Vec<SplitText>>, spec: Option<Vec<SpecEntry>>, dtensor: Option<String>, hpf: Option<String>,
        partial: Option<Partial> }
    /// A placement of a tensor whose shape stands elsewhere.
    #[serde(deny_unknown_fields)]
    End { mesh: Vec<(String, i64)>, splits: Option<Vec<SplitText>>, spec: Option<Vec<SpecEntry>>, dtensor: Option<String>, hpf: Option<String>, partial: Option<Partial> }
    /// A tensor that moves from one placement to another.
    Move { shape: Vec<i64>, from: End, to: End, relabel: Option<bool> }
}

/// Mesh axes with partial results, and the name of the reduction of each.
type Partial = BTreeMap<String, String>;

impl Placed {
    /// Returns the placement. Refuses names and numbers that do not fit.
    pub fn placement(self) -> Result<Placement> {
        let Placed { mesh, shape, splits, spec, dtensor, hpf, partial } = self;
        End { mesh, splits, spec, dtensor, hpf, partial }.placement(&shape)
    }
}

impl Move {
    /// Returns the move, in which devices exchange their parts if it is relabelled. Refuses names and numbers that do not fit.
    pub fn plan(self) -> Result<Reshard> {
        let Move { shape, from, to, relabel } = self;
        let plan = Reshard::new(&from.placement(&shape)?, &to.placement(&shape)?)?;
        if relabel == Some(true) { relabelled(plan) } else { Ok(plan) }
    }

    /// Tests whether devices exchange their parts.
    pub fn is_relabelled(&self) -> bool {
        self.relabel == Some(true)
    }
}

#[cfg(feature = "relabel")]
fn relabelled(plan: Reshard) -> Result<Reshard> {
    Ok(plan.relabelled()?)
}

#[cfg(not(feature = "relabel"))]
fn relabelled(_: Reshard) -> Result<Reshard> {
    Err(crate::answer::of_class("placement/request", "`relabel` needs the feature `relabel` of `crd2idx-cli`"))
}

impl End {
    fn placement(self, shape: &[i64]) -> Result<Placement> {
        let End { mesh, splits, spec, dtensor, hpf, partial } = self;
        let mesh = Mesh::new(mesh.iter().map(|(axis, extent)| (axis.as_str(), *extent)))?;
        Ok(PlacementText { splits, spec, dtensor, hpf, partial }.placement(&mesh, shape)?)
    }
}
