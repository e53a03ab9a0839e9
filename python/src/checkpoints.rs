//! Checkpoints, moved to other ranks.

use crate::signals::{Told, reporting};
use crate::threads;
use checkpoints::{Checkpoint, CheckpointError, CheckpointSpec, PlanOptions, PlanSummary, ReshardPlan, dtype_named, verify};
use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};

/// A specification: text in JSON, or the path of a file.
#[derive(FromPyObject)]
pub enum SpecSource {
    Json(String),
    File(PathBuf),
}

impl SpecSource {
    /// Returns the specification. No source stands for whole tensors.
    fn spec(source: Option<&SpecSource>) -> Result<CheckpointSpec, CheckpointError> {
        match source {
            None => Ok(CheckpointSpec::whole()),
            Some(SpecSource::Json(text)) => CheckpointSpec::from_json(text),
            Some(SpecSource::File(path)) => CheckpointSpec::read(path),
        }
    }
}

/// A move to run, or to plan only.
struct Job {
    source: PathBuf,
    target: PathBuf,
    specs: [Option<SpecSource>; 2],
    options: PlanOptions,
    fresh: bool,
    is_dry_run: bool,
    is_verified: bool,
}

impl Job {
    /// Runs the job. Returns its costs, and the number of tensors that were compared.
    fn run(&self, told: &Told) -> Result<(PlanSummary, Option<usize>), CheckpointError> {
        let (from, to) = (SpecSource::spec(self.specs[0].as_ref())?, SpecSource::spec(self.specs[1].as_ref())?);
        let source = Checkpoint::open(&self.source, &from)?;
        let plan = ReshardPlan::new(&source, &to, &self.options)?;
        let costs = plan.summary()?;
        if self.is_dry_run {
            return Ok((costs, None));
        }
        plan.run(&self.target, self.fresh, &|done, all| told.report(done, all))?;
        if !self.is_verified {
            return Ok((costs, None));
        }
        let target = Checkpoint::open(&self.target, &to)?;
        // Reports of a comparison count tensors, not bytes.
        let compared = verify(&source, &target, &self.options, &|_, _| told.report(0, 0))?;
        Ok((costs, Some(compared)))
    }
}

/// Moves a checkpoint to other ranks. Returns the counts that `crd2idx reshard --dry-run` prints, and with `verify` the number of tensors
/// that were compared.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub fn reshard_checkpoint<'py>(
    py: Python<'py>,
    source: PathBuf,
    target: PathBuf,
    source_spec: Option<SpecSource>,
    target_spec: Option<SpecSource>,
    cast: Option<&str>,
    memory: Option<u64>,
    threads: Option<usize>,
    shard_size: Option<u64>,
    dry_run: bool,
    fresh: bool,
    verify: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let unknown = |name: &str| PyValueError::new_err(format!("cast: `{name}` is not one of f64, f32, f16, bf16, f8_e4m3, f8_e5m2"));
    let cast = cast.map(|name| dtype_named(name).ok_or_else(|| unknown(name))).transpose()?;
    let default = PlanOptions::default();
    let (memory, threads) = (memory.unwrap_or(default.memory), threads.unwrap_or_else(threads::get_threads));
    let options = PlanOptions { cast, memory, threads, shard_size, ..default };
    let specs = [source_spec, target_spec];
    let job = Job { source, target, specs, options, fresh, is_dry_run: dry_run, is_verified: verify };
    let done = reporting(py, progress.as_ref(), |told| threads::run(usize::MAX, || job.run(&told)))?;
    let (costs, compared) = done.map_err(raised)?;
    let counts = PyDict::new(py);
    for (name, count) in [
        ("tensors", costs.tensors as u64),
        ("files", costs.files as u64),
        ("bytes_read", costs.bytes_read),
        ("reads", costs.reads),
        ("bytes_written", costs.bytes_written),
        ("bytes_moved", costs.bytes_moved),
        ("messages", costs.messages as u64),
        ("memory", costs.memory),
    ] {
        counts.set_item(name, count)?;
    }
    if let Some(compared) = compared {
        counts.set_item("compared", compared)?;
    }
    Ok(counts)
}

/// Returns the exception of an error.
fn raised(error: CheckpointError) -> PyErr {
    let text = error.to_string();
    let missing = |path: &Path| path.try_exists().is_ok_and(|exists| !exists);
    match &error {
        CheckpointError::File { path, .. } | CheckpointError::Io { path, .. } if missing(path) => PyFileNotFoundError::new_err(text),
        CheckpointError::Io { .. } => PyOSError::new_err(text),
        CheckpointError::Target { .. } => PyFileExistsError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
