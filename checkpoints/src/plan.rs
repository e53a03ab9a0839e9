//! Plans: the files to write, the parts of tensors in each, and what this costs.

use crate::block::{Block, Part, Ranges, blocks};
use crate::cast::after;
use crate::checkpoint::{Checkpoint, CheckpointTensor};
use crate::error::{CheckpointError, Result};
use crate::format;
use crate::source_paths::{INDEX, SINGLE};
use crate::spec::{CheckpointSpec, ExpertCounts};
use placements::Reshard;
use safetensors::Dtype;
use std::collections::{BTreeMap, BTreeSet};

/// The most bytes of a block. Larger blocks leave the caches.
const MOST_BLOCK: u64 = 8 << 20;
/// The least bytes of a block: several of the widest elements.
const LEAST_BLOCK: u64 = 64;
/// The buffers of a thread, in blocks: the block, its source, its sums, its cast, and its target.
const BUFFERS: u64 = 5;
/// The least memory of a run, for buffers of one thread.
const LEAST_MEMORY: u64 = BUFFERS * LEAST_BLOCK;

/// The options of a plan.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// The type of all floating-point tensors in the target. Integers keep their type.
    pub cast: Option<Dtype>,
    /// The maximum number of bytes of all buffers.
    pub memory: u64,
    /// The maximum number of threads; 0 is the number of processors.
    pub threads: usize,
    /// The maximum number of bytes of tensors in a file, if the target has whole tensors.
    pub shard_size: Option<u64>,
    /// The number of bytes to read between two entries of the journal, at which a run continues after it was killed.
    pub journal_bytes: u64,
}

impl Default for PlanOptions {
    fn default() -> Self {
        PlanOptions { cast: None, memory: 1 << 30, threads: 0, shard_size: None, journal_bytes: 1 << 30 }
    }
}

impl PlanOptions {
    /// Returns the number of threads whose buffers for blocks of this size fit the memory, at least one.
    pub(crate) fn threads_for(&self, block_bytes: u64) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = if self.threads == 0 { processors } else { self.threads };
        wanted.min((self.memory / (BUFFERS * block_bytes)) as usize).max(1)
    }
}

/// The costs of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlanSummary {
    /// The number of tensors.
    pub tensors: usize,
    /// The number of files in the target.
    pub files: usize,
    /// The number of bytes to read. Every needed byte is read once.
    pub bytes_read: u64,
    /// The number of bytes to write, with headers.
    pub bytes_written: u64,
    /// The number of reads.
    pub reads: u64,
    /// The number of pairs of a source rank and another target rank that has elements of it.
    pub messages: usize,
    /// The number of bytes of these pairs, as the source has them.
    pub bytes_moved: u64,
    /// The maximum number of bytes of all buffers.
    pub memory: u64,
}

/// A file of the target.
pub(crate) struct TargetFile {
    pub name: String,
    /// The first bytes: the header.
    pub header: Vec<u8>,
    pub len: u64,
}

/// A tensor in the target: its parts in files, and its blocks.
pub(crate) struct TargetTensor {
    pub parts: Vec<Part>,
    pub blocks: Vec<Block>,
}

/// The plan of a move of a checkpoint into files of other ranks.
pub struct ReshardPlan<'c> {
    pub(crate) source: &'c Checkpoint,
    pub(crate) options: PlanOptions,
    pub(crate) spec: CheckpointSpec,
    pub(crate) files: Vec<TargetFile>,
    pub(crate) tensors: Vec<TargetTensor>,
    /// The file that tells which file has which tensor, if whole tensors have several files.
    pub(crate) index: Option<(String, String)>,
    pub(crate) block_bytes: u64,
    pub(crate) threads: usize,
}

/// The tensors of one target file, by number, with the ranges of each.
type Listed = Vec<(usize, Ranges, Vec<i64>)>;

impl<'c> ReshardPlan<'c> {
    /// Plans the files that a target specification asks for.
    ///
    /// # Errors
    /// Fails if no pattern matches the name of a tensor, if a tensor cannot be placed, and for partial results in the target.
    pub fn new(source: &'c Checkpoint, spec: &CheckpointSpec, options: &PlanOptions) -> Result<ReshardPlan<'c>> {
        if options.memory < LEAST_MEMORY {
            let (memory, least) = (options.memory, LEAST_MEMORY);
            return Err(CheckpointError::spec(format!("memory: {memory} bytes are too few for buffers: at least {least} are needed")));
        }
        let block_bytes = (options.memory / BUFFERS).clamp(LEAST_BLOCK, MOST_BLOCK);
        let threads = options.threads_for(block_bytes);
        let names: Vec<String> = source.tensors().map(|tensor| tensor.name().to_string()).collect();
        let (experts, mesh) = (ExpertCounts::new(names.iter()), spec.mesh());
        let (mut names_of_files, mut lists): (Vec<String>, Vec<Listed>) = (vec![], vec![]);
        let mut numbers = BTreeMap::new();
        let whole = spec.is_hugging_face();
        for (number, tensor) in source.tensors.iter().enumerate() {
            let name = tensor.name();
            let failed = CheckpointError::placement(name);
            let rule = spec.rule(name)?;
            if let Some(shape) = rule.shape.as_ref().filter(|shape| shape[..] != *tensor.shape()) {
                return Err(CheckpointError::tensor(
                    name,
                    format!("the target has the shape {shape:?}, but the source {:?}", tensor.shape()),
                ));
            }
            let placement = rule.placement(mesh, name, tensor.shape(), &experts)?;
            if let Some(axis) = placement.partial_axes().next() {
                let reason = format!("the target has partial results on mesh axis `{axis}`, which files of a target cannot have");
                return Err(CheckpointError::tensor(name, reason));
            }
            let mut has = BTreeMap::new();
            for rank in 0..spec.ranks() {
                let local = placement.local_shape(rank).map_err(&failed)?;
                let file = spec.file(rank, name)?.unwrap_or_default();
                let here = local[0] > 0;
                if has.insert(file.clone(), here).is_some_and(|other| other != here) {
                    let reason = format!("{file} stands for ranks with other experts: `files` needs more placeholders");
                    return Err(CheckpointError::tensor(name, reason));
                }
                if !here {
                    continue;
                }
                let at = *numbers.entry(file.clone()).or_insert(lists.len());
                if at == lists.len() {
                    names_of_files.push(file);
                    lists.push(vec![]);
                }
                let ranges = placement.ranges(rank).map_err(&failed)?;
                match lists[at].last().filter(|(last, ..)| *last == number) {
                    None if spec.has_file_for_each_tensor() && !lists[at].is_empty() => {
                        let other = source.tensors[lists[at][0].0].name();
                        let reason = format!("{} would be its file, and that of `{other}`: `files` needs more text", names_of_files[at]);
                        return Err(CheckpointError::tensor(name, reason));
                    }
                    None => lists[at].push((number, ranges, local[1..].to_vec())),
                    Some((_, others, _)) if *others == ranges => {}
                    Some(_) => {
                        let reason =
                            format!("{} stands for ranks with different parts: `files` needs more placeholders", names_of_files[at]);
                        return Err(CheckpointError::tensor(name, reason));
                    }
                }
            }
        }
        // Ranks without tensors have a file, too.
        for rank in (0..spec.ranks()).filter(|_| !spec.has_file_for_each_tensor()) {
            let file = spec.file(rank, "")?.unwrap_or_default();
            if !numbers.contains_key(&file) {
                numbers.insert(file.clone(), lists.len());
                names_of_files.push(file);
                lists.push(vec![]);
            }
        }
        if let Some((file, folder)) = shared(&names_of_files) {
            let reason = format!("`{file}` would be a file, and the folder of `{folder}`: `files` needs an ending");
            return Err(CheckpointError::spec(format!("files: {reason}")));
        }
        let mut index = None;
        if whole {
            let all = lists.pop().unwrap_or_default();
            (names_of_files, lists) = shards(source, all, options);
            if lists.len() > 1 {
                index = Some((INDEX.into(), index_text(source, options, &names_of_files, &lists)));
            }
        }
        let mut tensors: Vec<TargetTensor> = source.tensors.iter().map(|tensor| target(tensor, options, block_bytes)).collect();
        let mut files = vec![];
        for (file, (name, mut list)) in names_of_files.into_iter().zip(lists).enumerate() {
            let dtype = |number: usize| after(source.tensors[number].dtype(), options.cast);
            // Sorted by the width after the cast, so that all elements are aligned.
            list.sort_by_key(|(number, ..)| std::cmp::Reverse(dtype(*number).bitsize()));
            let rows: Vec<_> = list.iter().map(|(number, _, local)| (source.tensors[*number].name(), dtype(*number), &local[..])).collect();
            let (header, offsets, len) = format::write(&name, &rows, &source.metadata)?;
            files.push(TargetFile { name, header, len });
            for ((number, ranges, _), offset) in list.into_iter().zip(offsets) {
                tensors[number].parts.push(Part { file, offset, ranges });
            }
        }
        let (options, spec) = (options.clone(), spec.clone());
        Ok(ReshardPlan { source, options, spec, files, tensors, index, block_bytes, threads })
    }

    /// Returns the number of bytes that the run reads.
    pub(crate) fn bytes_read(&self) -> u64 {
        let bytes = |tensor: &CheckpointTensor| tensor.elements() as u64 * tensor.element_bytes() * tensor.summands.len() as u64;
        self.source.tensors().map(bytes).sum()
    }

    /// Returns the number of bytes that the run writes.
    pub(crate) fn bytes_written(&self) -> u64 {
        self.files.iter().map(|file| file.len).sum()
    }

    /// Returns the costs of the plan.
    ///
    /// # Errors
    /// Fails if a tensor has too many ranges on both sides.
    pub fn summary(&self) -> Result<PlanSummary> {
        let experts = ExpertCounts::new(self.source.tensors.iter().map(|tensor| tensor.name().to_string()).collect::<Vec<_>>().iter());
        let (mut reads, mut pairs, mut bytes_moved) = (0, BTreeSet::new(), 0);
        for (tensor, target) in self.source.tensors.iter().zip(&self.tensors) {
            for block in &target.blocks {
                reads += tensor.summands.iter().flatten().filter(|part| part.share(block).is_some()).count() as u64;
            }
            let failed = CheckpointError::placement(tensor.name());
            let to = self.spec.rule(tensor.name())?.placement(self.spec.mesh(), tensor.name(), tensor.shape(), &experts)?;
            let reshard = Reshard::new(&tensor.placement, &to).map_err(&failed)?;
            bytes_moved += reshard.moved() as u64 * tensor.element_bytes();
            pairs.extend(reshard.transfers().map_err(&failed)?.iter().filter(|one| !one.is_local()).map(|one| (one.from, one.to)));
        }
        Ok(PlanSummary {
            tensors: self.tensors.len(),
            files: self.files.len(),
            bytes_read: self.bytes_read(),
            bytes_written: self.bytes_written(),
            reads,
            messages: pairs.len(),
            bytes_moved,
            memory: self.threads as u64 * BUFFERS * self.block_bytes,
        })
    }
}

/// Returns a file whose name is that of the folder of another one, and the other one.
fn shared(names: &[String]) -> Option<(&str, &str)> {
    let files: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    names.iter().find_map(|name| name.match_indices('/').find_map(|(at, _)| Some((*files.get(&name[..at])?, name.as_str()))))
}

/// Returns a tensor of the target with its blocks, and no parts yet. The widest buffer of a block has at most `bytes` bytes.
fn target(tensor: &CheckpointTensor, options: &PlanOptions, bytes: u64) -> TargetTensor {
    let sums = if tensor.summands.len() > 1 { crate::cast::sum_type(tensor.dtype()).bitsize() as u64 / 8 } else { 0 };
    let widest = tensor.element_bytes().max(after(tensor.dtype(), options.cast).bitsize() as u64 / 8).max(sums);
    TargetTensor { parts: vec![], blocks: blocks(tensor.placement.shape(), (bytes / widest) as i64) }
}

/// Divides whole tensors among files of a maximum size, and names the files.
fn shards(source: &Checkpoint, all: Listed, options: &PlanOptions) -> (Vec<String>, Vec<Listed>) {
    let (mut lists, mut size) = (vec![vec![]], 0);
    for entry in all {
        let tensor = &source.tensors[entry.0];
        let bytes = tensor.elements() as u64 * after(tensor.dtype(), options.cast).bitsize() as u64 / 8;
        if size > 0 && options.shard_size.is_some_and(|most| size + bytes > most) {
            lists.push(vec![]);
            size = 0;
        }
        size += bytes;
        lists.last_mut().into_iter().for_each(|list| list.push(entry.clone()));
    }
    let count = lists.len();
    let name = |number: usize| match count {
        1 => SINGLE.into(),
        _ => format!("model-{:05}-of-{count:05}.safetensors", number + 1),
    };
    ((0..count).map(name).collect(), lists)
}

/// Returns the index of several files: the total size, and the file of each tensor.
fn index_text(source: &Checkpoint, options: &PlanOptions, names: &[String], lists: &[Listed]) -> String {
    let mut map = BTreeMap::new();
    let mut total = 0;
    for (name, list) in names.iter().zip(lists) {
        for (number, ..) in list {
            let tensor = &source.tensors[*number];
            total += tensor.elements() as u64 * after(tensor.dtype(), options.cast).bitsize() as u64 / 8;
            map.insert(tensor.name(), name);
        }
    }
    format!("{:#}\n", serde_json::json!({"metadata": {"total_size": total}, "weight_map": map}))
}
