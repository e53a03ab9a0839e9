//! The errors of checkpoints.

use placements::PlacementError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a checkpoint cannot be read, planned or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A specification is invalid.
    Spec {
        /// The fault, and the keys and names that it concerns.
        reason: String,
    },
    /// A file of the source is missing or invalid.
    File {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// A tensor does not fit its placement.
    Tensor {
        /// The name of the tensor.
        name: String,
        /// The fault.
        reason: String,
    },
    /// The target folder has something that the run must not replace.
    Target {
        /// The file or folder.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The system refuses to read or write a file.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system, and the numbers that it concerns.
        reason: String,
    },
    /// The progress callback stopped the run. The same run continues where it ended.
    Stopped,
}

/// The result of an operation that may fail with a [`CheckpointError`].
pub type Result<T> = std::result::Result<T, CheckpointError>;

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Spec { reason } => f.write_str(reason),
            CheckpointError::Tensor { name, reason } => write!(f, "tensor `{name}`: {reason}"),
            CheckpointError::File { path, reason } | CheckpointError::Target { path, reason } | CheckpointError::Io { path, reason } => {
                write!(f, "{}: {reason}", path.display())
            }
            CheckpointError::Stopped => f.write_str("the run was stopped: the same run continues where it ended"),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl CheckpointError {
    /// Returns the class of the error, which does not change with the text.
    ///
    /// ```
    /// use checkpoints::CheckpointSpec;
    /// let error = CheckpointSpec::from_toml("preset = \"gpt\"").unwrap_err();
    /// assert_eq!((error.class(), error.to_string()), ("checkpoint/spec", "preset: `gpt` is neither `llama` nor `moe`".into()));
    /// ```
    pub fn class(&self) -> &'static str {
        match self {
            CheckpointError::Spec { .. } => "checkpoint/spec",
            CheckpointError::File { .. } => "checkpoint/file",
            CheckpointError::Tensor { .. } => "checkpoint/tensor",
            CheckpointError::Target { .. } => "checkpoint/target",
            CheckpointError::Io { .. } => "checkpoint/io",
            CheckpointError::Stopped => "checkpoint/stopped",
        }
    }

    pub(crate) fn spec(reason: impl Into<String>) -> Self {
        CheckpointError::Spec { reason: reason.into() }
    }

    pub(crate) fn file(path: &Path, reason: impl Into<String>) -> Self {
        CheckpointError::File { path: path.into(), reason: reason.into() }
    }

    pub(crate) fn tensor(name: &str, reason: impl Into<String>) -> Self {
        CheckpointError::Tensor { name: name.into(), reason: reason.into() }
    }

    pub(crate) fn target(path: &Path, reason: impl Into<String>) -> Self {
        CheckpointError::Target { path: path.into(), reason: reason.into() }
    }

    /// Returns a function that adds the path to an error of the system.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| CheckpointError::Io { path: path.clone(), reason: error.to_string() }
    }

    /// Returns a function that adds the name of the tensor to an error of its placement.
    pub(crate) fn placement(name: &str) -> impl Fn(PlacementError) -> Self {
        move |error| CheckpointError::tensor(name, error.to_string())
    }
}
