//! Specifications: the mesh of a checkpoint, the names of its files, and the placement of each tensor.

use crate::error::{CheckpointError, Result};
use crate::format::FileFormat;
use crate::journal::is_inside;
use placements::{Mesh, Placement, PlacementText, Rule, RuleText, SpecEntry, SplitText};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The placeholder of the name of a tensor in names of files.
const TENSOR: &str = "{tensor}";

/// The description of a checkpoint: a mesh of ranks, the names of the files, and a placement for each pattern of names.
///
/// ```
/// use checkpoints::CheckpointSpec;
/// let spec = CheckpointSpec::from_toml(
///     r#"
///     mesh = [["tp", 4]]
///     files = "rank-{rank}.safetensors"
///     preset = "llama"
///
///     [[tensors]]
///     name = "*.bias"
///     dtensor = "[Replicate()]"
///     "#,
/// )?;
/// assert_eq!(spec.ranks(), 4);
/// // Unknown keys are errors.
/// assert!(CheckpointSpec::from_json(r#"{"meshes": []}"#).is_err());
/// # Ok::<(), checkpoints::CheckpointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CheckpointSpec {
    mesh: Mesh,
    /// The pattern of the names of files. `None` stands for the files of Hugging Face, which need no mesh.
    files: Option<String>,
    preset: Option<String>,
    tensors: Vec<TensorRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecText {
    mesh: Option<Vec<(String, i64)>>,
    files: Option<String>,
    preset: Option<String>,
    #[serde(default)]
    tensors: Vec<TensorText>,
}

/// An entry of `tensors`. The keys of the placement stand beside the others, so they are listed again.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TensorText {
    name: String,
    shape: Option<Vec<i64>>,
    experts: Option<String>,
    splits: Option<Vec<SplitText>>,
    spec: Option<Vec<SpecEntry>>,
    dtensor: Option<String>,
    hpf: Option<String>,
    partial: Option<BTreeMap<String, String>>,
}

/// The placement of all tensors whose names match a pattern.
#[derive(Clone, Debug)]
pub(crate) struct TensorRule {
    pub pattern: String,
    pub shape: Option<Vec<i64>>,
    /// The mesh axis whose devices have whole experts, by the number in the name of the tensor.
    experts: Option<String>,
    text: PlacementText,
}

impl CheckpointSpec {
    /// Returns the specification of whole tensors in the files of Hugging Face: `model.safetensors`, or several files with an index.
    pub fn whole() -> CheckpointSpec {
        let nothing = SpecText { mesh: None, files: None, preset: None, tensors: vec![] };
        CheckpointSpec::new(nothing).expect("an empty mesh is valid")
    }

    /// Reads a specification from a file in TOML or JSON. The name ends in `.toml` or `.json`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, and for invalid contents.
    pub fn read(path: &Path) -> Result<CheckpointSpec> {
        let text = std::fs::read_to_string(path).map_err(CheckpointError::io(path))?;
        let spec = match path.extension().and_then(|ending| ending.to_str()) {
            Some("toml") => CheckpointSpec::from_toml(&text),
            Some("json") => CheckpointSpec::from_json(&text),
            _ => Err(CheckpointError::spec("a specification is a file whose name ends in .toml or .json")),
        };
        spec.map_err(|error| CheckpointError::spec(format!("{}: {error}", path.display())))
    }

    /// Reads a specification in TOML.
    ///
    /// # Errors
    /// Fails for unknown keys, invalid meshes, unknown presets, and names of files with unknown placeholders.
    pub fn from_toml(text: &str) -> Result<CheckpointSpec> {
        CheckpointSpec::new(toml::from_str(text).map_err(|error| CheckpointError::spec(error.to_string().trim_end()))?)
    }

    /// Reads a specification in JSON.
    ///
    /// # Errors
    /// Fails as [`from_toml`](Self::from_toml) does.
    pub fn from_json(text: &str) -> Result<CheckpointSpec> {
        CheckpointSpec::new(serde_json::from_str(text).map_err(|error| CheckpointError::spec(error.to_string()))?)
    }

    fn new(text: SpecText) -> Result<CheckpointSpec> {
        let SpecText { mesh, files, preset, tensors } = text;
        if mesh.is_some() && files.is_none() {
            return Err(CheckpointError::spec(
                "the key `files` is missing: with a mesh, it names the file of each rank, as in \"rank-{rank}.safetensors\"",
            ));
        }
        let mesh = Mesh::new(mesh.unwrap_or_default()).map_err(|error| CheckpointError::spec(format!("mesh: {error}")))?;
        let mut rules: Vec<TensorRule> = tensors.into_iter().map(TensorRule::new).collect();
        match preset.as_deref() {
            None => {}
            Some("llama") => rules.extend(llama(&mesh)),
            Some("moe") => rules.extend(moe(&mesh).into_iter().chain(llama(&mesh))),
            Some(other) => return Err(CheckpointError::spec(format!("preset: `{other}` is neither `llama` nor `moe`"))),
        }
        let spec = CheckpointSpec { mesh, files, preset, tensors: rules };
        for rank in [0, spec.ranks() - 1] {
            spec.file(rank, "a")?;
        }
        let (name, each) = (spec.files.as_deref().unwrap_or_default(), spec.has_file_for_each_tensor());
        if each
            && (name.contains(&format!("}}{TENSOR}"))
                || name.contains(&format!("{TENSOR}{{"))
                || name.split('/').any(|part| part.starts_with('.')))
        {
            let reason = "needs a text between `{tensor}` and another placeholder, and no part that begins with a dot";
            return Err(CheckpointError::spec(format!("files: `{name}` {reason}")));
        }
        if FileFormat::of(name) == FileFormat::Npy && !each {
            return Err(CheckpointError::spec(format!(
                "files: `{name}` has one array: name a file for each tensor, as in \"{{tensor}}.npy\""
            )));
        }
        Ok(spec)
    }

    /// Returns the number of ranks: the product of the extents of the mesh, which is 1 without a mesh.
    pub fn ranks(&self) -> usize {
        self.mesh.devices()
    }

    pub(crate) fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Tests whether the files are those of Hugging Face, which have names of their own.
    pub(crate) fn is_hugging_face(&self) -> bool {
        self.files.is_none()
    }

    /// Tests whether each tensor has a file of its own, whose name has the name of the tensor.
    pub(crate) fn has_file_for_each_tensor(&self) -> bool {
        // An axis of this name comes first.
        self.files.as_ref().is_some_and(|pattern| pattern.contains(TENSOR)) && self.mesh.axis("tensor").is_err()
    }

    /// Returns the name of the file in which a rank has a tensor, or `None` for the files of Hugging Face. Fails for placeholders that are
    /// unknown, and for names outside of the folder.
    pub(crate) fn file(&self, rank: usize, tensor: &str) -> Result<Option<String>> {
        let Some((before, after)) = self.around(rank)? else { return Ok(None) };
        let name = after.map_or_else(|| before.clone(), |after| format!("{before}{tensor}{after}"));
        let refuse = |reason: &str| Err(CheckpointError::spec(format!("files: `{name}` {reason}")));
        match is_inside(&name) {
            false => refuse("leaves its folder, or names one: name files within it"),
            // Such files are hidden, or those of an unfinished run.
            true if self.has_file_for_each_tensor() && name.split('/').any(|part| part.starts_with('.')) => {
                refuse("has a part that begins with a dot")
            }
            true => Ok(Some(name)),
        }
    }

    /// Returns the name of the file of a rank: up to the name of the tensor, and the rest if the name of the tensor is in it. Returns `None` for
    /// the files of Hugging Face.
    pub(crate) fn around(&self, rank: usize) -> Result<Option<(String, Option<String>)>> {
        let Some(pattern) = &self.files else { return Ok(None) };
        let parts = if self.has_file_for_each_tensor() { pattern.split_once(TENSOR) } else { None };
        let (before, after) = parts.map_or((pattern.as_str(), None), |(before, after)| (before, Some(after)));
        Ok(Some((self.filled(before, rank)?, after.map(|after| self.filled(after, rank)).transpose()?)))
    }

    /// Returns a part of the pattern of the names of files, with the numbers of a rank. Fails for unknown placeholders.
    fn filled(&self, part: &str, rank: usize) -> Result<String> {
        let pattern = self.files.as_deref().unwrap_or_default();
        let refuse = |reason: String| CheckpointError::spec(format!("files: `{pattern}` {reason}"));
        let (mut name, mut rest) = (String::new(), part);
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, after) = after.split_once('}').ok_or_else(|| refuse("has a `{` without `}`".into()))?;
            let (word, width) = inside.split_once(':').unwrap_or((inside, "0"));
            let digits = width.strip_prefix('0').filter(|_| width.len() <= 3).map(|digits| if digits.is_empty() { "0" } else { digits });
            let digits: usize =
                digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| refuse(format!("has the width `{width}`: it is like 05")))?;
            let number = match word {
                "rank" => rank,
                "tensor" if self.has_file_for_each_tensor() => return Err(refuse("needs `{tensor}` once, without a width".into())),
                axis => self.mesh.coordinate(rank, self.mesh.axis(axis).map_err(|error| refuse(format!("has `{{{axis}}}`, but {error}")))?),
            };
            name.push_str(&format!("{before}{number:0digits$}"));
            rest = after;
        }
        name.push_str(rest);
        Ok(name)
    }

    /// Returns the first rule whose pattern matches a name. Fails if there is none.
    pub(crate) fn rule(&self, name: &str) -> Result<TensorRule> {
        if let Some(rule) = self.tensors.iter().find(|rule| matches(rule.pattern.as_bytes(), name.as_bytes())) {
            return Ok(rule.clone());
        }
        if self.ranks() == 1 {
            return Ok(whole_tensor("*"));
        }
        let patterns: Vec<String> = self.tensors.iter().map(|rule| format!("`{}`", rule.pattern)).collect();
        let patterns = if patterns.is_empty() { "there is none".into() } else { patterns.join(", ") };
        let preset = if self.preset.is_none() { " or a `preset`" } else { "" };
        let advice = format!("add an entry `[[tensors]]`{preset} to the specification");
        Err(CheckpointError::tensor(name, format!("no pattern matches this name: {advice}; the patterns are: {patterns}")))
    }
}

impl TensorRule {
    fn new(text: TensorText) -> TensorRule {
        let TensorText { name, shape, experts, splits, spec, dtensor, hpf, partial } = text;
        TensorRule { pattern: name, shape, experts, text: PlacementText { splits, spec, dtensor, hpf, partial } }
    }

    /// Returns the placement of a tensor of a shape, with a first axis of extent 1 before the others. Experts are splits of this axis:
    /// one device along the axis of the experts has its only index.
    pub fn placement(&self, mesh: &Mesh, name: &str, shape: &[i64], experts: &ExpertCounts) -> Result<Placement> {
        let failed = CheckpointError::placement(name);
        let inner = self.text.placement(mesh, shape).map_err(&failed)?;
        let all = [&[1], shape].concat();
        let mut placement = Placement::new(mesh, &all).map_err(&failed)?;
        if let Some(axis) = &self.experts {
            let (expert, count) = experts.of(name).ok_or_else(|| {
                CheckpointError::tensor(
                    name,
                    format!("the pattern `{}` has the key `experts`, but the name has no number after `experts.`", self.pattern),
                )
            })?;
            let devices = mesh.extent(mesh.axis(axis).map_err(&failed)?);
            let owner = expert / count.div_ceil(devices);
            let cuts = (1..devices).map(|device| i64::from(device > owner)).collect();
            placement = placement.split(0, axis, Rule::Cuts(cuts)).map_err(&failed)?;
        }
        for split in inner.splits() {
            placement = placement.split(split.dim + 1, &split.axis, split.rule.clone()).map_err(&failed)?;
        }
        for (axis, reduction) in inner.partial_axes().zip(inner.reduction().iter().cycle()) {
            placement = placement.partial(axis, *reduction).map_err(&failed)?;
        }
        Ok(placement)
    }

    /// Returns the numbers of the mesh axes that split each of `rank` tensor axes.
    pub fn mesh_axes(&self, mesh: &Mesh, name: &str, rank: usize) -> Result<Vec<Vec<usize>>> {
        let failed = CheckpointError::placement(name);
        // Explicit cuts do not fit a tensor without elements.
        let mut text = self.text.clone();
        for split in text.splits.iter_mut().flatten() {
            split.rule = RuleText(Rule::Chunk);
        }
        let mut axes = vec![vec![]; rank];
        for split in text.placement(mesh, &vec![0; rank]).map_err(&failed)?.splits() {
            axes[split.dim].push(mesh.axis(&split.axis).map_err(&failed)?);
        }
        Ok(axes)
    }
}

/// The number of experts of each group of tensors whose names differ only in the number of the expert.
pub(crate) struct ExpertCounts(BTreeMap<String, usize>);

impl ExpertCounts {
    pub fn new<'n>(names: impl Iterator<Item = &'n String>) -> ExpertCounts {
        let mut counts = BTreeMap::new();
        for (group, expert) in names.filter_map(|name| expert(name)) {
            let count = counts.entry(group).or_insert(0);
            *count = (expert + 1).max(*count);
        }
        ExpertCounts(counts)
    }

    /// Returns the number of the expert of a tensor, and the number of experts.
    fn of(&self, name: &str) -> Option<(usize, usize)> {
        let (group, expert) = expert(name)?;
        Some((expert, *self.0.get(&group)?))
    }
}

/// Returns a name without the number after `experts.`, and this number.
fn expert(name: &str) -> Option<(String, usize)> {
    let at = name.find("experts.")? + "experts.".len();
    let digits = name[at..].bytes().take_while(u8::is_ascii_digit).count();
    let expert = name[at..at + digits].parse().ok().filter(|expert| *expert < usize::MAX)?;
    Some((format!("{}#{}", &name[..at], &name[at + digits..]), expert))
}

/// Tests whether a name matches a pattern, in which `*` stands for any bytes.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let mut parts = pattern.split(|byte| *byte == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts.filter(|part| !part.is_empty()) {
        let Some(at) = rest.windows(part.len()).position(|window| window == part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn whole_tensor(pattern: &str) -> TensorRule {
    TensorRule { pattern: pattern.into(), shape: None, experts: None, text: PlacementText::default() }
}

/// Returns the rule that splits a tensor axis in chunks along a mesh axis, if the mesh has this axis.
fn split(mesh: &Mesh, pattern: &str, dim: i64, axis: &str) -> TensorRule {
    let rule = RuleText(Rule::Chunk);
    let splits = mesh.axis(axis).is_ok().then(|| vec![SplitText { dim, axis: axis.into(), rule }]);
    TensorRule { text: PlacementText { splits, ..PlacementText::default() }, ..whole_tensor(pattern) }
}

/// Returns the rules for the names of Llama and its relatives, with tensor parallelism along `tp`.
fn llama(mesh: &Mesh) -> Vec<TensorRule> {
    let mut rules = vec![];
    for layer in ["q_proj", "k_proj", "v_proj", "gate_proj", "up_proj"] {
        rules.extend(["weight", "bias"].map(|kind| split(mesh, &format!("*{layer}.{kind}"), 0, "tp")));
    }
    rules.extend(["*o_proj.weight", "*down_proj.weight"].map(|pattern| split(mesh, pattern, 1, "tp")));
    rules.extend(["*embed_tokens.weight", "*lm_head.weight"].map(|pattern| split(mesh, pattern, 0, "tp")));
    rules.extend(["*o_proj.bias", "*down_proj.bias", "*norm.weight", "*norm.bias", "*rotary_emb.inv_freq"].map(whole_tensor));
    rules
}

/// Returns the rules for the names of experts and their routers: experts along `ep`, and parts of each along `tp`.
fn moe(mesh: &Mesh) -> Vec<TensorRule> {
    let experts = mesh.axis("ep").is_ok().then(|| "ep".to_string());
    let one = |(pattern, dim)| TensorRule { experts: experts.clone(), ..split(mesh, pattern, dim, "tp") };
    let mut rules: Vec<TensorRule> = [
        ("*.experts.*.w1.weight", 0),
        ("*.experts.*.w3.weight", 0),
        ("*.experts.*.w2.weight", 1),
        ("*.experts.*.gate_proj.weight", 0),
        ("*.experts.*.up_proj.weight", 0),
        ("*.experts.*.down_proj.weight", 1),
    ]
    .map(one)
    .into();
    // All experts in one tensor: its first axis.
    rules.extend(["*.experts.gate_up_proj*", "*.experts.down_proj*"].map(|pattern| split(mesh, pattern, 0, "ep")));
    rules.extend(["*.gate.weight", "*.gate.e_score_correction_bias", "*.router.*", "*.shared_expert_gate.weight"].map(whole_tensor));
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let of = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(of("a", "a") && of("*", "") && of("a*b*c", "a-b-b-c") && of("*.w", "x.w") && of("a*a", "aa") && of("**", "x"));
        assert!(!of("a", "ab") && !of("*.w", "x.w.b") && !of("a*b", "a-c") && !of("a*a", "a") && !of("", "a"));
    }

    #[test]
    fn names_of_files() {
        let spec = |files: &str| CheckpointSpec::from_json(&format!(r#"{{"mesh": [["dp", 2], ["tp", 3]], "files": "{files}"}}"#));
        let axis = CheckpointSpec::from_json(r#"{"mesh": [["tensor", 2]], "files": "{tensor}.st"}"#);
        assert_eq!(axis.and_then(|spec| spec.file(1, "w")).expect("a name"), Some("1.st".into()));
        assert_eq!(spec("a/{rank:05}-{tp}.st").and_then(|spec| spec.file(4, "w")).expect("a name"), Some("a/00004-1.st".into()));
        for (files, message) in [
            ("{pp}", "files: `{pp}` has `{pp}`, but the mesh has no axis `pp`: its axes are `dp`, `tp`"),
            ("../{rank}", "files: `../0` leaves its folder, or names one: name files within it"),
            ("{rank}/", "files: `0/` leaves its folder, or names one: name files within it"),
            ("{tensor}-{tensor}", "files: `{tensor}-{tensor}` needs `{tensor}` once, without a width"),
            (
                "{tensor}{rank}.npy",
                "files: `{tensor}{rank}.npy` needs a text between `{tensor}` and another placeholder, and no part that begins with a dot",
            ),
            ("a//{tensor}", "files: `a//a` leaves its folder, or names one: name files within it"),
            ("{rank}.npy", "files: `{rank}.npy` has one array: name a file for each tensor, as in \"{tensor}.npy\""),
            ("{rank", "files: `{rank` has a `{` without `}`"),
            ("{rank:x}", "files: `{rank:x}` has the width `x`: it is like 05"),
        ] {
            assert_eq!(spec(files).expect_err("an invalid name").to_string(), message);
        }
    }
}
