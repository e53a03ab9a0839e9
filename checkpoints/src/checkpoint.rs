//! Checkpoints on disk: the files of all ranks, and the whole tensors that they make up.

use crate::block::{Block, Part, Ranges, elements};
use crate::cast::{add, after, cast, is_float, sum_type};
use crate::contents::{Contents, Stored, element_bytes};
use crate::error::{CheckpointError, Result};
use crate::format;
use crate::handle::Handle;
use crate::source_paths::{Numbers, SourcePaths};
use crate::spec::{CheckpointSpec, ExpertCounts, TensorRule};
use file_output::read_at;
use placements::{Placement, ReduceOp};
use rayon::prelude::*;
use safetensors::Dtype;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A checkpoint that was opened and checked: its files, and its tensors across all ranks.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let header = br#"{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}   "#;
/// # let bytes = [&(header.len() as u64).to_le_bytes()[..], header, &[1, 2, 3]].concat();
/// # std::fs::write(folder.path().join("model.safetensors"), bytes)?;
/// use checkpoints::{Checkpoint, CheckpointSpec};
/// let checkpoint = Checkpoint::open(folder.path(), &CheckpointSpec::whole())?;
/// let tensor = checkpoint.tensors().next().ok_or("no tensor")?;
/// assert_eq!((tensor.name(), tensor.shape()), ("a", &[3][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Checkpoint {
    pub(crate) folder: PathBuf,
    pub(crate) spec: CheckpointSpec,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) tensors: Vec<CheckpointTensor>,
    pub(crate) metadata: BTreeMap<String, String>,
}

/// A file of a checkpoint.
pub(crate) struct SourceFile {
    pub handle: Handle,
    pub len: u64,
}

impl SourceFile {
    fn read(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        self.handle.with(|file| read_at(file, bytes, offset)).map_err(CheckpointError::io(&self.handle.path))
    }
}

/// A whole tensor of a checkpoint.
#[derive(Debug)]
pub struct CheckpointTensor {
    name: String,
    dtype: Dtype,
    /// The placement has an axis of extent 1 before the axes of the tensor.
    pub(crate) placement: Placement,
    /// The parts to read of each summand: one for all ranks that have the same elements.
    pub(crate) summands: Vec<Vec<Part>>,
}

impl CheckpointTensor {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type of the elements.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Returns the shape of the whole tensor.
    pub fn shape(&self) -> &[i64] {
        &self.placement.shape()[1..]
    }

    /// Returns the number of elements of the whole tensor.
    pub fn elements(&self) -> i64 {
        self.shape().iter().product()
    }

    /// Returns the number of bytes of an element in the source.
    pub(crate) fn element_bytes(&self) -> u64 {
        element_bytes(self.dtype).unwrap_or(1)
    }
}

impl Checkpoint {
    /// Opens a checkpoint: reads the headers of all files, infers the shape of each tensor, and compares every part with its
    /// placement.
    ///
    /// # Errors
    /// Fails if a file is missing, truncated or invalid, if no pattern matches the name of a tensor, and if a part has another
    /// type or shape than its placement.
    pub fn open(folder: &Path, spec: &CheckpointSpec) -> Result<Checkpoint> {
        let files = SourcePaths::find(folder, spec)?;
        let read = |(path, tensor): &(PathBuf, Option<String>)| {
            let contents = format::read(path, tensor.as_deref())?;
            match tensor.as_ref().and_then(|tensor| contents.tensors.keys().find(|other| *other != tensor).zip(Some(tensor))) {
                Some((other, tensor)) => {
                    Err(CheckpointError::file(path, format!("it has the tensor `{other}`, but its name says `{tensor}` alone")))
                }
                None => Ok(contents),
            }
        };
        let contents: Vec<Contents> = files.paths.par_iter().map(read).collect::<Result<_>>()?;
        let paths: Vec<PathBuf> = files.paths.into_iter().map(|(path, _)| path).collect();
        let numbers = files.numbers.map_or_else(|| Numbers::of_tensors(folder, &paths, &contents), Ok)?;
        let mut metadata = BTreeMap::new();
        for (key, value) in contents.iter().flat_map(|one| &one.metadata) {
            metadata.entry(key.clone()).or_insert_with(|| value.clone());
        }
        let names: BTreeSet<&String> = contents.iter().flat_map(|one| one.tensors.keys()).collect();
        let experts = ExpertCounts::new(names.iter().copied());
        let all = Ranks { spec, paths: &paths, contents: &contents, numbers };
        let mut load = vec![0; paths.len()];
        let mut tensors = names.into_iter().map(|name| all.tensor(name, &experts, &mut load)).collect::<Result<Vec<_>>>()?;
        // The order of most writers: the widest elements first, so that all are aligned.
        tensors.sort_by_key(|tensor| std::cmp::Reverse(tensor.element_bytes()));
        let file = |(path, one): (&PathBuf, &Contents)| SourceFile { handle: Handle::new(path.clone(), false, paths.len()), len: one.len };
        let files = paths.iter().zip(&contents).map(file).collect();
        Ok(Checkpoint { folder: folder.into(), spec: spec.clone(), files, tensors, metadata })
    }

    /// Returns the tensors: those with the widest elements first, then by name.
    pub fn tensors(&self) -> impl Iterator<Item = &CheckpointTensor> {
        self.tensors.iter()
    }

    /// Returns the elements of a block of a tensor after a cast, row-major. Partial sums are summed in the order of the ranks.
    pub(crate) fn block(&self, tensor: &CheckpointTensor, block: &Block, target: Option<Dtype>) -> Result<Vec<u8>> {
        let (count, dtype) = (elements(block) as usize, after(tensor.dtype, target));
        let mut bytes = vec![0; count * tensor.element_bytes() as usize];
        self.summand(tensor, 0, block, &mut bytes)?;
        let (mut from, mut sums) = (tensor.dtype, bytes);
        if tensor.summands.len() > 1 {
            let wide = sum_type(from);
            let mut next = std::mem::take(&mut sums);
            sums = vec![0; count * wide.bitsize() / 8];
            cast(&next, from, &mut sums, wide);
            for summand in 1..tensor.summands.len() {
                self.summand(tensor, summand, block, &mut next)?;
                add(&mut sums, &next, from);
            }
            from = wide;
        }
        if from == dtype {
            return Ok(sums);
        }
        let mut out = vec![0; count * dtype.bitsize() / 8];
        cast(&sums, from, &mut out, dtype);
        Ok(out)
    }

    /// Reads one summand of a block: the share of each part, in one read.
    fn summand(&self, tensor: &CheckpointTensor, summand: usize, block: &Block, out: &mut [u8]) -> Result<()> {
        let size = tensor.element_bytes() as usize;
        let mut buffer = vec![];
        for part in &tensor.summands[summand] {
            let Some(share) = part.share(block) else { continue };
            let (bytes, at) = (share.len as usize * size, part.offset + share.first as u64 * size as u64);
            if let Some(first) = share.contiguous() {
                self.files[part.file].read(&mut out[first * size..][..bytes], at)?;
                continue;
            }
            buffer.resize(bytes, 0);
            self.files[part.file].read(&mut buffer, at)?;
            let mut rest = &buffer[..];
            share.runs(&mut |first, len| {
                let (run, after) = rest.split_at(len * size);
                out[first * size..][..len * size].copy_from_slice(run);
                rest = after;
            });
        }
        Ok(())
    }
}

/// The contents of the files of all ranks.
struct Ranks<'a> {
    spec: &'a CheckpointSpec,
    paths: &'a [PathBuf],
    contents: &'a [Contents],
    numbers: Numbers,
}

impl Ranks<'_> {
    /// Returns the number of the file in which a rank has a tensor, or `None` if there is no such file.
    fn number(&self, rank: usize, tensor: &str) -> Result<Option<usize>> {
        Ok(match &self.numbers {
            Numbers::OfFiles(numbers) => self.spec.file(rank, tensor)?.and_then(|name| numbers.get(&name)).copied(),
            Numbers::OfTensors(numbers) => numbers.get(tensor).copied(),
        })
    }

    /// Returns the file of a rank that has a tensor, and its position there.
    fn stored(&self, rank: usize, tensor: &str) -> Result<Option<(usize, &Stored)>> {
        Ok(self.number(rank, tensor)?.and_then(|file| Some((file, self.contents[file].tensors.get(tensor)?))))
    }

    /// Describes a rank in messages: its number, and its file.
    fn rank(&self, rank: usize, tensor: &str) -> String {
        match (&self.numbers, self.number(rank, tensor)) {
            (Numbers::OfFiles(_), Ok(Some(file))) => format!("rank {rank} ({})", self.paths[file].display()),
            _ => format!("rank {rank}"),
        }
    }

    /// Returns a tensor with its placement, and the parts to read: of the files with the same elements, the one with the fewest bytes
    /// to read so far, which `load` counts.
    fn tensor(&self, name: &str, experts: &ExpertCounts, load: &mut [u64]) -> Result<CheckpointTensor> {
        let refuse = |reason: String| CheckpointError::tensor(name, reason);
        let failed = CheckpointError::placement(name);
        let (mesh, rule) = (self.spec.mesh(), self.spec.rule(name)?);
        let of_ranks: Vec<Option<(usize, &Stored)>> = (0..self.spec.ranks()).map(|rank| self.stored(rank, name)).collect::<Result<_>>()?;
        let holder =
            |usable: &dyn Fn(&Stored) -> bool| (0..of_ranks.len()).find(|rank| of_ranks[*rank].is_some_and(|(_, one)| usable(one)));
        let base = holder(&|stored| !stored.shape.contains(&0)).or_else(|| holder(&|_| true));
        let Some((base, (_, first))) = base.and_then(|rank| Some((rank, of_ranks[rank]?))) else {
            return Err(refuse("no rank has it".into()));
        };
        for (rank, (_, stored)) in of_ranks.iter().enumerate().filter_map(|(rank, found)| Some((rank, (*found)?))) {
            if stored.dtype != first.dtype {
                return Err(refuse(format!(
                    "{} has elements of type {}, but {} of {}",
                    self.rank(base, name),
                    first.dtype,
                    self.rank(rank, name),
                    stored.dtype
                )));
            }
            if stored.shape.len() != first.shape.len() {
                return Err(refuse(format!(
                    "{} has the shape {:?}, but {} {:?}",
                    self.rank(base, name),
                    first.shape,
                    self.rank(rank, name),
                    stored.shape
                )));
            }
        }
        let shape = match &rule.shape {
            Some(shape) => shape.clone(),
            None => self.inferred(name, &rule, base, &first.shape, &of_ranks)?,
        };
        let placement = rule.placement(mesh, name, &shape, experts)?;
        let lacks = |rank: usize, expected: &[i64]| {
            refuse(format!(
                "{} lacks it, but the placement gives it a part of the whole shape {shape:?}: {expected:?}",
                self.rank(rank, name)
            ))
        };
        let mut holders: BTreeMap<(usize, Ranges), BTreeMap<usize, u64>> = BTreeMap::new();
        for (rank, found) in of_ranks.iter().enumerate() {
            let local = placement.local_shape(rank).map_err(&failed)?;
            let expected = if local[0] == 0 { None } else { Some(&local[1..]) };
            let elements: i64 = local.iter().product();
            match (found, expected) {
                (None, _) if elements == 0 => continue,
                (None, _) => return Err(lacks(rank, &local[1..])),
                (Some((_, stored)), None) if !stored.shape.contains(&0) => {
                    return Err(refuse(format!(
                        "{} has it with the shape {:?}, but the expert belongs to another rank",
                        self.rank(rank, name),
                        stored.shape
                    )));
                }
                (Some((_, stored)), Some(expected)) if stored.shape != expected => {
                    // If a rank without elements is the cause, the inferred shape is too small.
                    for rank in (0..of_ranks.len()).filter(|rank| of_ranks[*rank].is_none()) {
                        let local = placement.local_shape(rank).map_err(&failed)?;
                        if !local.contains(&0) {
                            return Err(lacks(rank, &local[1..]));
                        }
                    }
                    let axis = stored.shape.iter().zip(expected).position(|(found, expected)| found != expected).unwrap_or(0);
                    let (extent, wanted) = (stored.shape.get(axis).copied().unwrap_or(0), expected.get(axis).copied().unwrap_or(0));
                    let whole = format!("the whole shape {shape:?}, pattern `{}`", rule.pattern);
                    return Err(refuse(format!(
                        "{} has the extent {extent} on axis {axis}, but its placement has {wanted} ({whole})",
                        self.rank(rank, name)
                    )));
                }
                (Some((file, stored)), _) if elements > 0 => {
                    let key = (placement.summand(rank).map_err(&failed)?, placement.ranges(rank).map_err(&failed)?);
                    holders.entry(key).or_default().insert(*file, stored.offset);
                }
                _ => continue,
            }
        }
        let summands = placement.summands();
        if summands > 1 && (placement.reduction() != Some(ReduceOp::Sum) || !is_float(first.dtype)) {
            return Err(refuse(format!(
                "partial results are read if they are sums of floating-point numbers; these have the type {}",
                first.dtype
            )));
        }
        let mut parts = vec![vec![]; summands];
        let size = element_bytes(first.dtype).unwrap_or(1);
        for ((summand, ranges), files) in holders {
            let Some((file, offset)) = files.into_iter().min_by_key(|(file, _)| load[*file]) else { continue };
            let count = |list: &Vec<[i64; 2]>| list.iter().map(|[start, stop]| stop - start).sum::<i64>();
            load[file] += size * ranges.iter().map(count).product::<i64>() as u64;
            // One file may stand for several ranks, but then each tensor is there only once.
            if parts.iter().flatten().any(|part: &Part| part.offset == offset && part.file == file) {
                return Err(refuse(format!(
                    "{} stands for ranks with different parts: `files` needs more placeholders",
                    self.paths[file].display()
                )));
            }
            parts[summand].push(Part { file, offset, ranges });
        }
        Ok(CheckpointTensor { name: name.into(), dtype: first.dtype, placement, summands: parts })
    }

    /// Returns the shape of a whole tensor: on each axis the sum of the extents of the ranks along the mesh axes that split it.
    fn inferred(&self, name: &str, rule: &TensorRule, base: usize, shape: &[i64], found: &[Option<(usize, &Stored)>]) -> Result<Vec<i64>> {
        let mesh = self.spec.mesh();
        let split = rule.mesh_axes(mesh, name, shape.len())?;
        let mut whole = shape.to_vec();
        for (axis, mesh_axes) in split.iter().enumerate().filter(|(_, mesh_axes)| !mesh_axes.is_empty()) {
            let beside =
                |rank: usize| (0..mesh.rank()).all(|k| mesh_axes.contains(&k) || mesh.coordinate(rank, k) == mesh.coordinate(base, k));
            let extents =
                (0..found.len()).filter(|rank| beside(*rank)).filter_map(|rank| found[rank].map(|(_, stored)| stored.shape[axis]));
            let sum = extents.fold(0_i64, i64::saturating_add);
            whole[axis] = sum;
        }
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four ranks have all tensors: each file is read for a quarter of the bytes.
    #[test]
    fn replicas_share_the_reads() {
        let folder = tempfile::tempdir().expect("a folder");
        let names: Vec<String> = (0..8).map(|number| format!("t{number}")).collect();
        let rows: Vec<(&str, Dtype, &[i64])> = names.iter().map(|name| (name.as_str(), Dtype::U8, &[5][..])).collect();
        let (mut bytes, _, len) = crate::header::write(&rows, &BTreeMap::new());
        bytes.resize(len as usize, 7);
        for rank in 0..4 {
            std::fs::write(folder.path().join(rank.to_string()), &bytes).expect("a file");
        }
        let text = r#"{"mesh": [["dp", 4]], "files": "{rank}", "tensors": [{"name": "*"}]}"#;
        let spec = CheckpointSpec::from_json(text).expect("a specification");
        let checkpoint = Checkpoint::open(folder.path(), &spec).expect("a checkpoint");
        let mut counts = [0; 4];
        checkpoint.tensors.iter().flat_map(|tensor| tensor.summands.iter().flatten()).for_each(|part| counts[part.file] += 1);
        assert_eq!(counts, [2; 4]);
    }
}
