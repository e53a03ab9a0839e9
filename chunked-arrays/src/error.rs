//! Errors of grids, plans and copies.

use std::fmt;

/// The reason why an array cannot be rechunked.
#[derive(Debug)]
#[non_exhaustive]
pub enum RechunkError {
    /// A grid, a shape or an option is invalid. The message names the axis and the numbers.
    Grid(String),
    /// The memory bound is too small for any plan.
    Memory {
        /// The bound, in bytes.
        bound: u64,
        /// The smallest bound that suffices, in bytes.
        needed: u64,
        /// The bytes of the largest source chunk, if whole chunks are read, else 0.
        source_chunk: u64,
        /// The bytes of the largest target chunk, if whole chunks are written, else 0.
        target_chunk: u64,
    },
    /// The target exists.
    Exists(String),
    /// The target may not be written, even if existing arrays are replaced. The message says why.
    Target(String),
    /// An array is damaged, or has a property that is not supported.
    Array(String),
    /// The system refuses an operation.
    Io(std::io::Error),
}

impl fmt::Display for RechunkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RechunkError::Grid(message) | RechunkError::Array(message) | RechunkError::Target(message) => f.write_str(message),
            RechunkError::Memory { bound, needed, source_chunk, target_chunk } => write!(
                f,
                "the memory bound of {bound} bytes is too small; {needed} bytes are needed, as a source chunk has {source_chunk} bytes and a target chunk {target_chunk}"
            ),
            RechunkError::Exists(name) => write!(f, "{name} exists; it is only replaced if you ask for it"),
            RechunkError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RechunkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RechunkError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<std::io::Error> for RechunkError {
    fn from(error: std::io::Error) -> RechunkError {
        RechunkError::Io(error)
    }
}
