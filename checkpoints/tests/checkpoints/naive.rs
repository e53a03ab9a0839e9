//! Parts of tensors by lists of single indices, and files by the crate `safetensors`.

use checkpoints::{Checkpoint, CheckpointSpec, Dtype, PlanOptions, ReshardPlan, Result};
use safetensors::SafeTensors;
use safetensors::tensor::TensorView;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::Path;

/// Numbers that look random, and depend on the seed alone.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (word ^ word >> 31) % count
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
}

/// A whole tensor.
#[derive(Clone, PartialEq, Debug)]
pub struct Whole {
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

/// A mesh, and of each tensor the splits: tensor axis, mesh axis, and rule.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    pub mesh: Vec<(String, usize)>,
    pub splits: BTreeMap<String, Vec<(usize, usize, String)>>,
}

impl Ranks {
    pub fn count(&self) -> usize {
        self.mesh.iter().map(|(_, extent)| extent).product()
    }

    pub fn spec(&self) -> CheckpointSpec {
        let text = self.json();
        CheckpointSpec::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Returns the specification in JSON, with one file for each rank.
    pub fn json(&self) -> String {
        let rule = |rule: &String| if rule.starts_with('{') { rule.clone() } else { format!("\"{rule}\"") };
        let split = |(dim, axis, text): &(usize, usize, String)| {
            format!(r#"{{"dim": {dim}, "axis": "{}", "rule": {}}}"#, self.mesh[*axis].0, rule(text))
        };
        let tensor = |(name, splits): (&String, &Vec<_>)| {
            format!(r#"{{"name": "{name}", "splits": [{}]}}"#, splits.iter().map(split).collect::<Vec<_>>().join(", "))
        };
        let mesh: Vec<String> = self.mesh.iter().map(|(axis, extent)| format!(r#"["{axis}", {extent}]"#)).collect();
        let tensors: Vec<String> = self.splits.iter().map(tensor).collect();
        format!(r#"{{"mesh": [{}], "files": "part/{{rank:03}}.safetensors", "tensors": [{}]}}"#, mesh.join(", "), tensors.join(", "))
    }

    /// Returns the part of a rank: all indices of each axis are divided by one split after another.
    pub fn part(&self, rank: usize, name: &str, whole: &Whole) -> Whole {
        let mut indices: Vec<Vec<usize>> = whole.shape.iter().map(|extent| (0..*extent).collect()).collect();
        for (dim, axis, rule) in &self.splits[name] {
            let count = self.mesh[*axis].1;
            let stride: usize = self.mesh[axis + 1..].iter().map(|(_, extent)| extent).product();
            let own = rank / stride % count;
            let list = std::mem::take(&mut indices[*dim]);
            let owner = |at: usize| match rule.as_str() {
                "chunk" => at / list.len().div_ceil(count).max(1),
                "balanced" => (0..count).find(|k| at < (k + 1) * (list.len() / count) + (k + 1).min(list.len() % count)).unwrap_or(0),
                "even" => at / (list.len() / count),
                _ => at / 2 % count,
            };
            indices[*dim] = (0..list.len()).filter(|at| owner(*at) == own).map(|at| list[at]).collect();
        }
        let shape: Vec<usize> = indices.iter().map(Vec::len).collect();
        let size = whole.dtype.bitsize() / 8;
        let mut bytes = vec![];
        for at in 0..shape.iter().product() {
            let (mut rest, mut position, mut stride) = (at, 0, 1);
            for axis in (0..shape.len()).rev() {
                position += indices[axis][rest % shape[axis]] * stride;
                rest /= shape[axis];
                stride *= whole.shape[axis];
            }
            bytes.extend_from_slice(&whole.bytes[position * size..][..size]);
        }
        Whole { dtype: whole.dtype, shape, bytes }
    }
}

pub type Tensors = BTreeMap<String, Whole>;

pub fn write(path: &Path, tensors: &Tensors) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fn view<'t>((name, one): (&'t String, &'t Whole)) -> (&'t String, TensorView<'t>) {
        (name, TensorView::new(one.dtype, one.shape.clone(), &one.bytes).unwrap_or_else(|error| panic!("{name}: {error}")))
    }
    let metadata = HashMap::from([("format".to_string(), "pt".to_string())]);
    let bytes = safetensors::serialize(tensors.iter().map(view), Some(metadata)).expect("valid tensors");
    std::fs::write(path, bytes).expect("a file");
}

pub fn read(path: &Path) -> Tensors {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = SafeTensors::deserialize(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) % 8, 0);
    file.iter()
        .map(|(name, view)| (name.into(), Whole { dtype: view.dtype(), shape: view.shape().to_vec(), bytes: view.data().to_vec() }))
        .collect()
}

/// Writes the files of all ranks.
pub fn save(folder: &Path, ranks: &Ranks, tensors: &Tensors) {
    for rank in 0..ranks.count() {
        let parts = tensors.iter().map(|(name, whole)| (name.clone(), ranks.part(rank, name, whole))).collect();
        write(&folder.join(format!("part/{rank:03}.safetensors")), &parts);
    }
}

/// Compares the files of all ranks with the parts of the tensors.
pub fn compare(folder: &Path, ranks: &Ranks, tensors: &Tensors) {
    for rank in 0..ranks.count() {
        let parts: Tensors = tensors.iter().map(|(name, whole)| (name.clone(), ranks.part(rank, name, whole))).collect();
        let found = read(&folder.join(format!("part/{rank:03}.safetensors")));
        assert_eq!(found, parts, "rank {rank} of {ranks:?}");
    }
}

pub fn on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Opens, plans and runs.
pub fn reshard(source: &Path, target: &Path, from: &CheckpointSpec, to: &CheckpointSpec, options: &PlanOptions) -> Result<()> {
    let checkpoint = Checkpoint::open(source, from)?;
    ReshardPlan::new(&checkpoint, to, options)?.run(target, false, &on)
}

/// Returns random bytes as a tensor.
pub fn tensor(random: &mut Random, dtype: Dtype, shape: &[usize]) -> Whole {
    let bytes = random.bytes(shape.iter().product::<usize>() * dtype.bitsize() / 8);
    Whole { dtype, shape: shape.to_vec(), bytes }
}
