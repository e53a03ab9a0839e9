//! The JSON of meshes, placements and moves.

use crate::answer::Result;
use crate::request::structs;
use crd2idx::placements::{Mesh, Placement, PlacementText, SpecEntry, SplitText};
use std::collections::BTreeMap;

structs! {
    /// A tensor on a mesh: splits in order, a PartitionSpec, or the text of a vocabulary.
    Placed { mesh: Vec<(String, i64)>, shape: Vec<i64>, splits: Option<Vec<SplitText>>, spec: Option<Vec<SpecEntry>>, dtensor: Option<String>, hpf: Option<String>,
        partial: Option<Partial> }
    /// A placement of a tensor whose shape stands elsewhere.
    #[serde(deny_unknown_fields)]
    End { mesh: Vec<(String, i64)>, splits: Option<Vec<SplitText>>, spec: Option<Vec<SpecEntry>>, dtensor: Option<String>, hpf: Option<String>, partial: Option<Partial> }
    /// A tensor that moves from one placement to another.
    Move { shape: Vec<i64>, from: End, to: End }
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
    /// Returns the placements before and after the move. Refuses names and numbers that do not fit.
    pub fn placements(self) -> Result<[Placement; 2]> {
        Ok([self.from.placement(&self.shape)?, self.to.placement(&self.shape)?])
    }
}

impl End {
    fn placement(self, shape: &[i64]) -> Result<Placement> {
        let End { mesh, splits, spec, dtensor, hpf, partial } = self;
        let mesh = Mesh::new(mesh.iter().map(|(axis, extent)| (axis.as_str(), *extent)))?;
        Ok(PlacementText { splits, spec, dtensor, hpf, partial }.placement(&mesh, shape)?)
    }
}
