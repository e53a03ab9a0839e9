//! The JSON of meshes, placements and moves.

use crate::answer::{Refusal, Result};
use crate::input;
use crate::request::{read, structs};
use crate::words::many;
use crd2idx::placements::{Mesh, Placement, PlacementText, Reshard, SpecEntry, SplitText};
use std::collections::BTreeMap;
use std::path::Path;

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

    /// Returns the source and the target in the words of the vocabulary that was given, each with its mesh.
    pub fn words(&self) -> [String; 2] {
        [self.from.words(), self.to.words()]
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

/// Returns the move that an argument of the command asks for: JSON as the request `reshard` takes it, or a file with it. Fails with the first fault.
pub fn asked(argument: &str) -> std::result::Result<Move, String> {
    let file = Path::new(argument);
    let (value, name) = match argument.trim_start().starts_with('{') {
        true => (input::parse(argument.as_bytes())?, String::new()),
        false => (input::json(file)?, format!("{}: ", input::name(file))),
    };
    let request = read(&value, &[]).map_err(|error| format!("{name}{}", Refusal::from(error).message));
    request.map(|(request,): (Move,)| request)
}

impl End {
    fn words(&self) -> String {
        let End { mesh, splits, spec, dtensor, hpf, partial } = self;
        let entry = |entry: &SpecEntry| match &entry.0[..] {
            [] => "None".into(),
            [axis] => format!("'{axis}'"),
            axes => format!("({})", axes.iter().map(|axis| format!("'{axis}'")).collect::<Vec<_>>().join(", ")),
        };
        let spec = spec.as_ref().map(|list| format!("P({})", list.iter().map(entry).collect::<Vec<_>>().join(", ")));
        let splits = splits.as_ref().filter(|list| !list.is_empty()).map(|list| many(list.len() as i128, "split"));
        let partial = partial.iter().flatten().map(|(axis, reduction)| format!("partial {reduction} along {axis}"));
        let words: Vec<String> = [dtensor.clone(), hpf.clone(), spec, splits].into_iter().flatten().chain(partial).collect();
        let axes = mesh.iter().map(|(axis, extent)| format!("{axis}={extent}")).collect::<Vec<_>>().join(", ");
        format!("{} on {axes}", if words.is_empty() { "copies".into() } else { words.join(" and ") })
    }

    fn placement(self, shape: &[i64]) -> Result<Placement> {
        let End { mesh, splits, spec, dtensor, hpf, partial } = self;
        let mesh = Mesh::new(mesh.iter().map(|(axis, extent)| (axis.as_str(), *extent)))?;
        Ok(PlacementText { splits, spec, dtensor, hpf, partial }.placement(&mesh, shape)?)
    }
}
