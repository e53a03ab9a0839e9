//! Ragged arrays: `crd2idx ragged` and the operations `ragged` and `ragged.*` of `batch`.

pub mod batch;
mod emit;
mod encode;
mod fields;
mod read;
mod report;

use crate::picture::{self, Picture};
use clap::Subcommand;
use read::{Leaf, with_leaves};
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What to do with a ragged array.
#[derive(Subcommand)]
pub enum Command {
    /// Print depth, lengths, empty lists and how the leaves lie, a line each.
    ///
    /// crd2idx ragged info array.json
    Info {
        /// An object with `data` and one of `offsets`; `outer` and `levels`; `starts` and `sizes`. `-` is standard input.
        file: PathBuf,
    },
    /// Say whether the arrays are a ragged array, and if not which number of which level is wrong.
    Check {
        /// As for `info`.
        file: PathBuf,
    },
    /// Print the functions and kernels that traverse arrays of these levels: C, CUDA, HIP, OpenCL, WGSL, Rust.
    ///
    /// crd2idx ragged emit levels.json --to cuda --name rows
    /// crd2idx ragged emit levels.json --to wgsl --function parents
    /// crd2idx ragged emit levels.json --to c --function visit --write '{"op": "add", "args": ["c0", "c1"]}'
    #[command(verbatim_doc_comment)]
    Emit(Box<emit::Emit>),
}

/// The text that the command prints, or a message.
pub fn run(command: &Command) -> Result<String, String> {
    let file = match command {
        Command::Info { file } | Command::Check { file } => file,
        Command::Emit(ask) => &ask.file,
    };
    if let Command::Emit(ask) = command {
        return emit::text(ask, &value(file)?, &name(file));
    }
    let array = array(file)?;
    Ok(match command {
        Command::Info { .. } => report::info(&array),
        _ => report::summary(&array),
    })
}

/// The picture of the array in a file.
pub fn picture(file: &Path) -> Result<Picture, String> {
    with_leaves!(array(file)?, array => {
        picture::ragged::picture(array.shape(), &|k| array.leaves().get(k).map_or(String::new(), |leaf| leaf.to_json().to_string()))
    })
}

fn array(file: &Path) -> Result<read::Array, String> {
    read::array(&value(file)?).map_err(|refusal| format!("{}: {}", name(file), refusal.message()))
}

fn value(file: &Path) -> Result<Value, String> {
    let named = |message: String| format!("{}: {message}", name(file));
    serde_json::from_slice(&bytes(file).map_err(|e| named(e.to_string()))?).map_err(|e| named(e.to_string()))
}

fn name(file: &Path) -> String {
    if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() }
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn bytes(file: &Path) -> std::io::Result<Vec<u8>> {
    if !is_stdin(file) {
        return std::fs::read(file);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
