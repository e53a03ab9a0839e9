//! Placements as data: the keys that requests and specifications have.

use crate::error::{PlacementError, Result};
use crate::mesh::Mesh;
use crate::placement::Placement;
use crate::rule::{ReduceOp, Rule};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Formatter;
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};

/// A placement as data, in one of several vocabularies: splits in order, a PartitionSpec, or the text of DTensor or HPF. Mesh and
/// shape stand elsewhere. If there is no key, every device has the whole tensor.
///
/// ```
/// use placements::{Mesh, PlacementText};
/// let text: PlacementText = serde_json::from_str(r#"{"splits": [{"dim": 0, "axis": "x", "rule": {"block": 3}}]}"#)?;
/// let placement = text.placement(&Mesh::new([("x", 2)])?, &[10])?;
/// assert_eq!(placement.ranges(0)?, [[[0, 3], [6, 9]]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlacementText {
    /// The splits, in the order in which they apply.
    pub splits: Option<Vec<SplitText>>,
    /// A PartitionSpec: the mesh axes that split each tensor axis.
    pub spec: Option<Vec<SpecEntry>>,
    /// The text that PyTorch prints, as in `[Shard(0), Replicate()]`.
    pub dtensor: Option<String>,
    /// The text of HPF, as in `(BLOCK, *)`.
    pub hpf: Option<String>,
    /// Mesh axes with partial results, and the name of the reduction of each.
    pub partial: Option<BTreeMap<String, String>>,
}

/// A split of a tensor axis along a mesh axis.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitText {
    /// The number of the tensor axis.
    pub dim: i64,
    /// The name of the mesh axis.
    pub axis: String,
    /// The rule.
    pub rule: RuleText,
}

/// An entry of a PartitionSpec: the mesh axes that split a tensor axis, the slowest first. It is null, a name, or a list of names.
#[derive(Clone, PartialEq, Debug)]
pub struct SpecEntry(pub Vec<String>);

/// The rule of a split: `"chunk"`, `"balanced"`, `"even"`, `{"block": b}`, `{"size": s}` or `{"cuts": [..]}`.
#[derive(Clone, PartialEq, Debug)]
pub struct RuleText(pub Rule);

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

impl PlacementText {
    /// Returns the placement of a tensor of this shape.
    ///
    /// # Errors
    /// Fails for `dtensor` together with `hpf`, for unknown reductions, and as [`Placement::split`] and [`Placement::partial`] do.
    pub fn placement(&self, mesh: &Mesh, shape: &[i64]) -> Result<Placement> {
        let keys = |reason: String| PlacementError::Keys { reason };
        let mut placement = match (&self.dtensor, &self.hpf) {
            (None, None) => Placement::new(mesh, shape)?,
            (Some(text), None) => Placement::from_dtensor(mesh, shape, text)?,
            (None, Some(text)) => Placement::from_hpf(mesh, shape, text)?,
            (Some(_), Some(_)) => return Err(keys("a placement needs either `dtensor` or `hpf`, and not both".into())),
        };
        let spec = self.spec.as_deref().unwrap_or_default();
        if spec.len() > shape.len() {
            return Err(PlacementError::Rank { found: spec.len(), expected: shape.len() });
        }
        for (dim, entry) in spec.iter().enumerate() {
            for axis in &entry.0 {
                placement = placement.split(dim, axis, Rule::Even)?;
            }
        }
        for SplitText { dim, axis, rule } in self.splits.iter().flatten() {
            let number = usize::try_from(*dim).map_err(|_| PlacementError::Dim { dim: *dim, rank: shape.len() })?;
            placement = placement.split(number, axis, rule.0.clone())?;
        }
        for (axis, name) in self.partial.iter().flatten() {
            let unknown = || keys(format!("partial.{axis}: `{name}` is none of sum, min, max and mean"));
            placement = placement.partial(axis, ReduceOp::from_name(name).ok_or_else(unknown)?)?;
        }
        Ok(placement)
    }
}

impl<'de> Deserialize<'de> for SpecEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        deserializer.deserialize_any(AnyEntry)
    }
}

struct AnyEntry;

impl<'de> Visitor<'de> for AnyEntry {
    type Value = SpecEntry;

    fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("null, the name of a mesh axis, or a list of names")
    }

    fn visit_unit<E: Error>(self) -> core::result::Result<SpecEntry, E> {
        Ok(SpecEntry(Vec::new()))
    }

    fn visit_str<E: Error>(self, axis: &str) -> core::result::Result<SpecEntry, E> {
        Ok(SpecEntry(vec![axis.into()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> core::result::Result<SpecEntry, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(SpecEntry)
    }
}

impl<'de> Deserialize<'de> for RuleText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        deserializer.deserialize_any(AnyRule)
    }
}

struct AnyRule;

impl<'de> Visitor<'de> for AnyRule {
    type Value = RuleText;

    fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("a rule: \"chunk\", \"balanced\", \"even\", or an object with `block`, `size` or `cuts`")
    }

    fn visit_str<E: Error>(self, name: &str) -> core::result::Result<RuleText, E> {
        let name = Named::deserialize(name.into_deserializer()).map_err(|_: E| E::invalid_value(Unexpected::Str(name), &self))?;
        Ok(RuleText(match name {
            Named::Chunk => Rule::Chunk,
            Named::Balanced => Rule::Balanced,
            Named::Even => Rule::Even,
        }))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> core::result::Result<RuleText, A::Error> {
        match Numbered::deserialize(MapAccessDeserializer::new(map))? {
            Numbered { block: Some(block), size: None, cuts: None } => Ok(RuleText(Rule::Block(block))),
            Numbered { block: None, size: Some(size), cuts: None } => Ok(RuleText(Rule::Size(size))),
            Numbered { block: None, size: None, cuts: Some(cuts) } => Ok(RuleText(Rule::Cuts(cuts))),
            _ => Err(A::Error::custom("a rule needs one of `block`, `size` and `cuts`")),
        }
    }
}
