//! The JSON of meshes, splits and moves.

use crate::answer::{Result, of_class};
use crate::request::structs;
use crd2idx::placements::{Mesh, Placement, PlacementError, ReduceOp, Reshard, Rule};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use std::collections::BTreeMap;
use std::fmt::Formatter;

structs! {
    /// A tensor on a mesh: splits in order, a PartitionSpec, or the text of a vocabulary.
    Placed { mesh: Vec<(String, i64)>, shape: Vec<i64>, splits: Option<Vec<Part>>, spec: Option<Vec<Entry>>, dtensor: Option<String>, hpf: Option<String>,
        partial: Option<Partial> }
    /// A placement of a tensor whose shape stands elsewhere.
    #[serde(deny_unknown_fields)]
    End { mesh: Vec<(String, i64)>, splits: Option<Vec<Part>>, spec: Option<Vec<Entry>>, dtensor: Option<String>, hpf: Option<String>, partial: Option<Partial> }
    /// A tensor that moves from one placement to another.
    Move { shape: Vec<i64>, from: End, to: End, relabel: Option<bool> }
    /// A split of a tensor axis along a mesh axis.
    #[serde(deny_unknown_fields)]
    Part { dim: i64, axis: String, rule: RuleText }
}

/// Mesh axes with partial results, and the name of the reduction of each.
type Partial = BTreeMap<String, String>;

/// An entry of a PartitionSpec: the mesh axes that split a tensor axis, the slowest first.
pub struct Entry(Vec<String>);

/// The rule of a split: `"chunk"`, `"balanced"`, `"even"`, `{"block": b}`, `{"size": s}` or `{"cuts": [..]}`.
pub struct RuleText(Rule);

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Named {
    Chunk,
    Balanced,
    Even,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbered {
    block: Option<i64>,
    size: Option<i64>,
    cuts: Option<Vec<i64>>,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(AnyEntry)
    }
}

struct AnyEntry;

impl<'de> Visitor<'de> for AnyEntry {
    type Value = Entry;

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("null, the name of a mesh axis, or a list of names")
    }

    fn visit_unit<E: Error>(self) -> std::result::Result<Entry, E> {
        Ok(Entry(Vec::new()))
    }

    fn visit_str<E: Error>(self, axis: &str) -> std::result::Result<Entry, E> {
        Ok(Entry(vec![axis.into()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> std::result::Result<Entry, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(Entry)
    }
}

impl<'de> Deserialize<'de> for RuleText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(AnyRule)
    }
}

struct AnyRule;

impl<'de> Visitor<'de> for AnyRule {
    type Value = RuleText;

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("a rule: \"chunk\", \"balanced\", \"even\", or an object with `block`, `size` or `cuts`")
    }

    fn visit_str<E: Error>(self, name: &str) -> std::result::Result<RuleText, E> {
        let name = Named::deserialize(name.into_deserializer()).map_err(|_: E| E::invalid_value(Unexpected::Str(name), &self))?;
        Ok(RuleText(match name {
            Named::Chunk => Rule::Chunk,
            Named::Balanced => Rule::Balanced,
            Named::Even => Rule::Even,
        }))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<RuleText, A::Error> {
        match Numbered::deserialize(MapAccessDeserializer::new(map))? {
            Numbered { block: Some(block), size: None, cuts: None } => Ok(RuleText(Rule::Block(block))),
            Numbered { block: None, size: Some(size), cuts: None } => Ok(RuleText(Rule::Size(size))),
            Numbered { block: None, size: None, cuts: Some(cuts) } => Ok(RuleText(Rule::Cuts(cuts))),
            _ => Err(A::Error::custom("a rule needs one of `block`, `size` and `cuts`")),
        }
    }
}

impl Placed {
    /// Returns the placement. Refuses names and numbers that do not fit.
    pub fn placement(self) -> Result<Placement> {
        let Placed { mesh, shape, splits, spec, dtensor, hpf, partial } = self;
        End { mesh, splits, spec, dtensor, hpf, partial }.placement(&shape)
    }
}

impl Move {
    /// Returns the move, in which devices exchange their parts if it is relabelled. Refuses names and numbers that do not fit.
    pub fn plan(&self) -> Result<Reshard> {
        let plan = Reshard::new(&self.from.placement(&self.shape)?, &self.to.placement(&self.shape)?)?;
        if self.is_relabelled() { relabelled(plan) } else { Ok(plan) }
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
    Err(of_class("placement/request", "`relabel` needs the feature `relabel` of `crd2idx-cli`"))
}

impl End {
    fn placement(&self, shape: &[i64]) -> Result<Placement> {
        let mesh = Mesh::new(self.mesh.iter().map(|(axis, extent)| (axis.as_str(), *extent)))?;
        let mut placement = match (&self.dtensor, &self.hpf) {
            (None, None) => Placement::new(&mesh, shape)?,
            (Some(text), None) => Placement::from_dtensor(&mesh, shape, text)?,
            (None, Some(text)) => Placement::from_hpf(&mesh, shape, text)?,
            (Some(_), Some(_)) => return Err(of_class("placement/request", "a placement needs either `dtensor` or `hpf`, and not both")),
        };
        let spec = self.spec.as_deref().unwrap_or_default();
        if spec.len() > shape.len() {
            return Err(PlacementError::Rank { found: spec.len(), expected: shape.len() }.into());
        }
        for (dim, entry) in spec.iter().enumerate() {
            for axis in &entry.0 {
                placement = placement.split(dim, axis, Rule::Even)?;
            }
        }
        for Part { dim, axis, rule } in self.splits.iter().flatten() {
            let number = usize::try_from(*dim).map_err(|_| PlacementError::Dim { dim: *dim, rank: shape.len() })?;
            placement = placement.split(number, axis, rule.0.clone())?;
        }
        for (axis, name) in self.partial.iter().flatten() {
            let unknown = || of_class("placement/request", format!("partial.{axis}: `{name}` is none of sum, min, max and mean"));
            placement = placement.partial(axis, ReduceOp::from_name(name).ok_or_else(unknown)?)?;
        }
        Ok(placement)
    }
}
