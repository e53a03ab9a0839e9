//! Ragged arrays: `crd2idx ragged` and the operations `ragged` and `ragged.*` of `batch`.

pub mod batch;
mod encode;
mod fields;
mod read;
mod report;

use clap::Subcommand;
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
}

/// The text that the command prints, or a message.
pub fn run(command: &Command) -> Result<String, String> {
    let (Command::Info { file } | Command::Check { file }) = command;
    let name = if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() };
    let named = |message: String| format!("{name}: {message}");
    let value = serde_json::from_slice(&bytes(file).map_err(|e| named(e.to_string()))?).map_err(|e| named(e.to_string()))?;
    let array = read::array(&value).map_err(|refusal| named(refusal.message()))?;
    Ok(match command {
        Command::Info { .. } => report::info(&array),
        Command::Check { .. } => report::summary(&array),
    })
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
